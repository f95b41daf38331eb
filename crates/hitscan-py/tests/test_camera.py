"""Cameras, pictures and regions beside the pinhole's formula in float64."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
import shapes

import hitscan

RANDOM = np.random.default_rng(41)
EYE, TARGET, FOV = np.array([3.0, 2.0, 5.0]), np.array([0.5, 0.0, -0.5]), 0.9
SIZE = (64, 48)


def axes() -> Any:
    """Returns right, up and forward."""
    forward = (TARGET - EYE) / np.linalg.norm(TARGET - EYE)
    right = np.cross(forward, [0, 1, 0])
    right /= np.linalg.norm(right)
    return right, np.cross(right, forward), forward


def pinhole(points: Any) -> tuple[Any, Any]:
    right, up, forward = axes()
    x, y, depth = (points - EYE) @ right, (points - EYE) @ up, (points - EYE) @ forward
    focal = SIZE[1] / 2 / np.tan(FOV / 2)
    return np.stack([SIZE[0] / 2 + focal * x / depth, SIZE[1] / 2 - focal * y / depth], axis=-1), depth


def camera(**options: Any) -> hitscan.Camera:
    return hitscan.Camera.perspective(hitscan.Camera.look_at(EYE, TARGET), FOV, **options)


def test_rays_go_through_their_pixels() -> None:
    right, up, forward = axes()
    transform = hitscan.Camera.look_at(EYE, TARGET)
    assert np.abs(transform - np.block([[np.stack([right, up, -forward, EYE], axis=1)], [np.array([0, 0, 0, 1])]])).max() < 1e-12
    rays = camera().rays(SIZE)
    assert rays.origins.shape == rays.directions.shape == (48, 64, 3) and rays.t_min.shape == (48, 64)
    assert (rays.origins == EYE).all() and np.abs(np.linalg.norm(rays.directions, axis=-1) - 1).max() < 1e-6
    x, y = np.meshgrid(np.arange(64) + 0.5, np.arange(48) + 0.5)
    pixels, _ = pinhole(rays.origins + 3 * rays.directions)
    assert np.abs(pixels - np.stack([x, y], axis=-1)).max() < 1e-4
    some = camera().rays(SIZE, [[0.5, 0.5], [63.5, 47.5]])
    assert np.array_equal(some.directions, rays.directions[[0, -1], [0, -1]])
    clipped = camera(near=0.5, far=8.0).rays(SIZE)
    assert np.abs((clipped.directions @ forward) * clipped.t_max - 8).max() < 1e-5
    parallel = hitscan.Camera.orthographic(transform, 4.0).rays(SIZE)
    assert np.abs(parallel.directions - forward).max() < 1e-6 and np.abs((parallel.origins - EYE) @ forward).max() < 1e-6
    assert np.abs(parallel.origins[0, 0] - parallel.origins[-1, 0] - up * 4 * 47 / 48).max() < 1e-6


def test_points_are_where_the_pinhole_shows_them() -> None:
    points = RANDOM.normal(size=(500, 3)) * 4
    found, (pixels, depth) = camera().project(points, SIZE), pinhole(points)
    ahead = depth > 1e-3
    assert np.allclose(found.pixel[ahead], pixels[ahead], rtol=1e-5, atol=1e-4) and np.allclose(found.depth[ahead], depth[ahead], rtol=1e-6)
    assert np.isnan(found.pixel[depth < 0]).all() and repr(found).startswith("<hitscan.Projections: 500 points, ")
    view = np.linalg.inv(hitscan.Camera.look_at(EYE, TARGET))
    f = 1 / np.tan(FOV / 2)
    projection = np.array([[f * 48 / 64, 0, 0, 0], [0, f, 0, 0], [0, 0, -1, -0.2], [0, 0, -1, 0]])
    other = hitscan.Camera.from_matrices(view, projection).project(points, SIZE)
    assert np.allclose(other.pixel[ahead], found.pixel[ahead], rtol=1e-5, atol=1e-3)


def test_pictures() -> None:
    place = np.array([500_000.0, 0.0, 5_400_000.0])
    for origin in (np.zeros(3), place):
        scene = hitscan.Scene()
        scene.insert(7, hitscan.Shape.sphere(1.0), origin)
        scene.insert(8, hitscan.Shape.plane([0, -1, 0], [0, 1, 0]), origin)
        view = hitscan.Camera.perspective(hitscan.Camera.look_at(EYE + origin, origin), FOV)
        key, depth = hitscan.render(scene, view, SIZE, mode="key"), hitscan.render(scene, view, SIZE, mode="depth")
        rays = view.rays(SIZE)
        # The nearer root of a sphere.
        o, d = rays.origins - origin, rays.directions.astype(float)
        b, c = (o * d).sum(axis=-1), (o * o).sum(axis=-1) - 1
        t = -b - np.sqrt(np.maximum(b * b - c, 0))
        sphere = b * b > c
        assert np.mean((key == 7) == sphere) > 0.995 and set(np.unique(key)) == {-1, 7, 8}
        both = sphere & (key == 7)
        assert np.median(np.abs(depth - t * (d @ view.forward))[both]) < 1e-4 and np.isinf(depth[key < 0]).all()
    shaded = hitscan.render(scene, view, SIZE, light=[0, 1, 0], samples=2)
    assert shaded.shape == (48, 64) and shaded.dtype == np.float32 and (shaded[key < 0] > 0.5).all()
    assert np.abs(shaded[key == 8] - 0.95).mean() < 0.05
    normals = hitscan.render(scene, view, SIZE, mode="normal")
    assert (normals[key == 8] == [0, 1, 0]).all() and normals.shape == (48, 64, 3)
    mesh = hitscan.Mesh(*shapes.icosphere(2))
    assert (hitscan.render(mesh, hitscan.Camera.perspective(hitscan.Camera.look_at(EYE, [0, 0, 0]), FOV), SIZE, mode="key")[24, 32]) >= 0
    for options, match in [({"mode": "color"}, "mode is"), ({"samples": 0}, "samples is"), ({"light": [0, 0, 0]}, "light is")]:
        with pytest.raises(ValueError, match=match):
            hitscan.render(scene, view, SIZE, **options)


def test_regions_select_what_is_projected_into_them() -> None:
    scene, mesh = hitscan.Scene(), hitscan.Mesh(*shapes.icosphere(2))
    scene.insert(1, mesh)
    scene.insert(2, mesh, [2, 0, 0])
    cloud = RANDOM.uniform(-2, 2, size=(400, 3))
    scene.insert(3, hitscan.Shape.point_cloud(cloud))
    low, high = np.array([10.0, 8.0]), np.array([36.0, 30.0])
    chosen = scene.select(camera(), SIZE, [low, high], what="vertices")
    for key, points in ((1, mesh.vertices), (2, mesh.vertices + [2, 0, 0]), (3, cloud)):
        pixels, depth = pinhole(np.float32(points).astype(float))
        inside = (depth > 0) & (pixels >= low).all(axis=1) & (pixels <= high).all(axis=1)
        assert np.array_equal(chosen.index[chosen.key == key], np.flatnonzero(inside)), key
    centers = mesh.vertices[mesh.faces].mean(axis=1)
    circle = scene.select(camera(), SIZE, [30, 20, 9], what="triangles", rule="center", only=1)
    pixels, _ = pinhole(centers)
    sure = np.abs(np.linalg.norm(pixels - [30, 20], axis=1) - 9) > 1e-3
    within = np.linalg.norm(pixels - [30, 20], axis=1) < 9
    assert np.array_equal(np.isin(np.arange(len(mesh)), circle.index)[sure], within[sure])
    everything = scene.select(camera(), SIZE, [[0, 0], [64, 48]])
    assert everything.key.tolist() == [1, 2, 3] and everything.index.shape == (3, 0)
    lasso = [[0, 0], [64, 0], [64, 48], [0, 48]]
    edges = scene.select(camera(), SIZE, lasso, what="edges", only=[1])
    assert edges.index.shape[1] == 2 and (edges.key == 1).all()
    seen = scene.select(camera(), SIZE, lasso, what="triangles", visible=1.0, only=1).index
    facing = ((EYE - centers) * np.cross(*np.moveaxis(np.diff(mesh.vertices[mesh.faces], axis=1), 1, 0))).sum(axis=1) > 0
    assert 0 < len(seen) < len(mesh) and facing[seen].all()
    for region, match in [([1, 2], "region has the shape"), ([[0, 0], [np.nan, 1]], "corner 1"), ([5, 5, -1], "radius")]:
        with pytest.raises(ValueError, match=match):
            scene.select(camera(), SIZE, region)
    with pytest.raises(ValueError, match="what is"):
        scene.select(camera(), SIZE, lasso, what="faces")
    with pytest.raises(ValueError, match="viewport is"):
        scene.select(camera(), (0, 48), lasso)


def test_what_hides_may_be_other_than_what_is_wanted() -> None:
    square = hitscan.Mesh([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], [[0, 1, 2], [0, 2, 3]])
    scene, ball = hitscan.Scene(), hitscan.Shape.sphere(0.5)
    # Glass at 2, a wall at 4, a unit behind the wall and one beside it.
    scene.insert(0, square, np.diag([9.0, 9.0, 1.0, 1.0]) + [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, -2], [0, 0, 0, 0]])
    scene.insert(1, square, [0, 0, -4], layers=2)
    scene.insert(2, ball, [0, 0, -6])
    scene.insert(3, ball, [2.5, 0, -6])
    eye = hitscan.Camera.perspective(np.eye(4), 1.0)

    def found(**options: Any) -> list[int]:
        return scene.select(eye, SIZE, [[0, 0], SIZE], visible=1.0, **options).key.tolist()

    assert found() == [0]
    assert found(only=[2, 3]) == [2, 3]
    assert found(only=[2, 3], hidden_by={}) == []
    assert found(only=[2, 3], hidden_by={"exclude": [0]}) == [3]
    assert found(only=[2, 3], hidden_by={"only": 1}) == [3]
    assert found(only=[2, 3], hidden_by={"layers": 2, "only": None}) == [3]
    assert found(only=[2, 3], hidden_by={"layers": 0}) == [2, 3]
    # Glass is selected, and so is what is seen through it.
    assert found(hidden_by={"exclude": [0]}) == [0, 1, 3]
    triangles = scene.select(eye, SIZE, [[0, 0], SIZE], what="triangles", visible=1.0, hidden_by={"only": [1]})
    assert set(triangles.key.tolist()) == {0, 1}
    # Without `visible` nothing is hidden.
    assert scene.select(eye, SIZE, [[0, 0], SIZE], only=[2, 3], hidden_by={}).key.tolist() == [2, 3]
    for hides, kind, match in [
        ([1], TypeError, "hidden_by is <class 'list'>, but must be a dict"),
        ({"entities": 1}, ValueError, "hidden_by has the key 'entities'"),
        ({1: 1}, ValueError, "hidden_by has the key 1"),
        ({"only": [0.5]}, TypeError, "only has the dtype"),
        ({"layers": -1}, (ValueError, OverflowError), "layers"),
    ]:
        with pytest.raises(kind, match=match):
            found(hidden_by=hides)


def test_cameras_that_cannot_be() -> None:
    for call, match in [
        (lambda: hitscan.Camera.perspective(np.eye(4), 4.0), "field of view"),
        (lambda: hitscan.Camera.look_at([0, 0, 0], [0, 0, 0]), "no direction"),
        (lambda: hitscan.Camera.look_at([0, 0, 0], [0, 1, 0]), "up"),
        (lambda: hitscan.Camera.orthographic(np.eye(4), -1.0), "height"),
        (lambda: hitscan.Camera.from_matrices(np.eye(3), np.eye(4)), r"view has the shape \(3, 3\)"),
        (lambda: camera(near=5.0, far=1.0), "near < far"),
        (lambda: camera().rays(SIZE, [1, 2, 3]), "pixels has the shape"),
        (lambda: camera().project([np.nan, 0, 0], SIZE), "points is"),
    ]:
        with pytest.raises(ValueError, match=match):
            call()  # type: ignore[no-untyped-call]
    parallel = hitscan.Camera.orthographic(hitscan.Camera.look_at(EYE, TARGET), 2.0, aspect=1.5)
    for made in (camera(), camera(near=1.0, far=9.0), parallel, hitscan.Camera.from_matrices(np.eye(4), np.diag([1.0, 1, -1, 1]))):
        again = pickle.loads(pickle.dumps(made))
        assert again == made and np.array_equal(again.rays(SIZE).directions, made.rays(SIZE).directions)
    assert camera() == camera() and camera() != camera(near=1.0) and "looking along" in repr(camera())
