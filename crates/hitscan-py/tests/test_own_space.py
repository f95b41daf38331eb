"""Shapes, height fields, meshes and matrices by themselves, in their own space. They are compared with formulas and
rational numbers."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import oracle
import pytest
import shapes
import solids

import hitscan

RANDOM = np.random.default_rng(61)
NAMES = list(solids.SOLIDS)


def toward(count: int) -> tuple[Any, Any]:
    origins = RANDOM.normal(size=(count, 3))
    origins = origins / solids.length(origins)[:, None] * 4
    directions = RANDOM.uniform(-1, 1, size=(count, 3)) - origins
    return origins, directions / solids.length(directions)[:, None]


@pytest.mark.parametrize("name", NAMES)
def test_rays_at_a_shape(name: str) -> None:
    shape, distance = solids.SOLIDS[name]
    origins, directions = toward(400)
    hits, t = shape.cast(origins, directions), solids.march(distance, origins, directions)
    both = hits.hit & np.isfinite(t)
    assert (hits.hit == np.isfinite(t)).mean() > 0.99 and both.sum() > 60
    assert np.abs(hits.t[both] - t[both]).max() < 1e-3 and np.median(np.abs(hits.t[both] - t[both])) < 1e-6
    assert np.abs(distance(hits.point[both])).max() < 1e-5 and (hits.side[both] == 1).all()
    assert (distance(hits.point[both] + 1e-3 * hits.normal[both]) > 0.5e-3).all()
    assert np.array_equal(shape.cast_t(origins, directions), hits.t) and np.array_equal(shape.is_blocked(origins, directions), hits.hit)
    within = hitscan.Scene([shape]).cast(origins, directions)
    assert all(np.array_equal(getattr(hits, column), getattr(within, column)) for column in ("t", "normal", "u", "v", "side"))
    inside = RANDOM.uniform(-1, 1, size=(400, 3))
    inside = inside[distance(inside) < -1e-3]
    for word, side in (("exit", -1), ("solid", 2), ("ignore", 0)):
        found = shape.cast(inside, [0.6, 0, 0.8], inside=word)  # type: ignore[arg-type]
        assert (found.side == side).all() or name == "torus" and word == "ignore"
    assert np.array_equal(shape.cast(inside, [0.6, 0, 0.8], inside="solid").t, np.zeros(len(inside), np.float32))
    assert repr(hits) == f"<hitscan.ShapeHits: 400 rays, {hits.hit.sum()} hits, t from {hits.t.min()!s} to {hits.t[hits.hit].max()!s}>"
    # A picture of rays, once more after a pickle, and with the range of the answers.
    again = pickle.loads(pickle.dumps(shape)).cast(origins.reshape(20, 20, 3), directions.reshape(20, 20, 3), t_max=hits.t.reshape(20, 20))
    assert np.array_equal(again.t.ravel(), hits.t)


@pytest.mark.parametrize("name", NAMES)
def test_points_at_a_shape(name: str) -> None:
    shape, distance = solids.SOLIDS[name]
    points = RANDOM.uniform(-2, 2, size=(400, 3))
    signed, found = distance(points), shape.closest_point(points)
    assert np.abs(found.distance - np.abs(signed)).max() < 1e-6 and np.abs(distance(found.point)).max() < 1e-6
    assert np.array_equal(found.containment == 1, signed < 0) and (found.triangle == -1).all()
    assert np.array_equal(shape.contains(points), signed <= 0)
    assert shape.contains(found.point * [1, 1, 1]).shape == (400,)
    outward = (points - found.point) * np.where(signed < 0, -1, 1)[:, None]
    assert (np.abs(outward / solids.length(outward)[:, None] - found.normal).max(axis=1)[np.abs(signed) > 1e-3] < 1e-3).all()
    assert repr(found) == "<hitscan.ShapePoints: 400 points, 400 nearest points>" and found.point.shape == (400, 3)


def test_flat_shapes() -> None:
    plane, points = hitscan.Shape.plane([0, 1, 0], [0, 2, 0]), RANDOM.normal(size=(50, 3)).astype(np.float32)
    assert np.allclose(plane.signed_distance(points), points[:, 1] - 1, atol=1e-6)
    assert not plane.contains(points).any() and np.allclose(plane.closest_point(points).distance, np.abs(points[:, 1] - 1), atol=1e-6)
    quad = hitscan.Shape.quad([0, 0, 0], [2, 0, 0], [0, 4, 0])
    hit = quad.cast([0.5, 3, 9], [0, 0, -1])
    assert (float(hit.t), float(hit.u), float(hit.v), int(hit.side)) == (9.0, 0.25, 0.75, 1) and hit.point.tolist() == [0.5, 3, 0]
    assert not quad.is_blocked([0.5, 3, 9], [0, 0, 1]) and quad.cast_t([0.5, 5, 9], [0, 0, -1]) == np.inf
    for shape, call, match in [
        (quad, lambda shape: shape.signed_distance([0, 0, 0]), "this is a quad, but only a plane"),
        (quad, lambda shape: shape.interval([0, 0, 0], [0, 0, 1]), "this is a quad, but only a box"),
        (hitscan.Shape.point(), lambda shape: shape.cast([0, 0, 0], [0, 0, 1]), "a point has no surface"),
        (hitscan.Shape.polyline([[0, 0, 0], [1, 0, 0]]), lambda shape: shape.contains([0, 0, 0]), "a polyline has no surface"),
        (hitscan.Shape.sphere(1).with_margin(1), lambda shape: shape.closest_point([0, 0, 0]), "a with_margin has no surface"),
        (quad, lambda shape: shape.cast([0, 0, 0], [0, 0, 0]), r"directions is \[0, 0, 0\]"),
        (quad, lambda shape: shape.cast([0, 0, 0], [0, 0, 1], inside="in"), 'inside is "in"'),
        (quad, lambda shape: shape.cast([[0, 0, 0]] * 2, [[0, 0, 1]] * 3), "origins has the shape"),
        (quad, lambda shape: shape.contains([0, np.nan, 0]), "points is"),
        (quad, lambda shape: shape.closest_point([1, 2]), r"points has the shape \(2,\)"),
    ]:
        with pytest.raises(ValueError, match=match):
            call(shape)  # type: ignore[no-untyped-call]
    missed = quad.cast([[0, 0, 0], [0.5, 1, 1]], [[0, 0, 0], [0, 0, -1]], invalid="miss")
    assert missed.hit.tolist() == [False, True] and np.isnan(missed.point[0]).all()
    nothing = quad.cast(np.zeros((0, 3)), [0, 0, 1])
    assert len(nothing) == 0 and repr(nothing) == "<hitscan.ShapeHits: 0 rays, no hit>"


def test_intervals_of_a_box() -> None:
    low, high = np.array([-1, -0.5, -0.25]), np.array([0.5, 1, 0.75])
    box = hitscan.Shape.box(low, high)
    origins, directions = toward(500)
    origins, directions = origins.astype(np.float32), directions.astype(np.float32)
    slabs = np.stack([(low - origins.astype(float)) / directions, (high - origins.astype(float)) / directions])
    enter, leave = slabs.min(axis=0).max(axis=1), slabs.max(axis=0).min(axis=1)
    t_enter, t_exit = box.interval(origins, directions)
    meets = (enter <= leave) & (leave >= 0)
    assert np.array_equal(np.isfinite(t_enter), meets) and meets.sum() > 100
    assert np.allclose(t_enter[meets], enter[meets], atol=1e-6) and np.allclose(t_exit[meets], leave[meets], atol=1e-6)
    # The whole line is used, but the range must reach the box.
    assert box.interval([0, 0, 0], [1, 0, 0]) == (-1.0, 0.5) and np.isnan(box.interval([0, 0, 0], [1, 0, 0], t_min=0.6)[0])
    assert np.isclose(box.interval([0, 0, 0], [1e-35, 0, 0])[1], 0.5e35, rtol=1e-6), "t is in multiples of any direction"
    corners = np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])
    assert box.contains(corners).all() and not box.contains(np.nextafter(corners, corners * 2)).any()


def ground() -> tuple[hitscan.HeightField, hitscan.Mesh]:
    """Returns a field, and a mesh of the same triangles in the same order but for its two holes."""
    heights = RANDOM.normal(size=(7, 9)).astype(np.float32)
    field = hitscan.HeightField(heights, (2.0, 0.5), holes=[[1, 2], [5, 7]])
    vertices = np.array([[2.0 * column, heights[row, column], 0.5 * row] for row in range(7) for column in range(9)])
    faces = []
    for row in range(6):
        for column in range(8):
            a, b, c, d = (9 * (row + y) + column + x for y, x in ((0, 0), (0, 1), (1, 0), (1, 1)))
            cell = [[a, d, b], [a, c, d]]
            faces += [[0, 0, 0]] * 2 if [row, column] in ([1, 2], [5, 7]) else cell
    return field, hitscan.Mesh(vertices.astype(np.float32), faces)


def test_a_height_field_is_its_triangles() -> None:
    field, mesh = ground()
    origins = RANDOM.uniform([-1, 2, -1], [17, 6, 4], size=(600, 3)).astype(np.float32)
    directions = (RANDOM.uniform([0, -1, 0], [16, 1, 3], size=(600, 3)) - origins).astype(np.float32)
    hits, wanted = field.cast(origins, directions), mesh.cast(origins, directions)
    assert np.array_equal(hits.t, wanted.t) and hits.hit.sum() > 300
    assert np.allclose(hits.point[hits.hit], wanted.point[hits.hit], atol=1e-5) and np.allclose(hits.normal, wanted.normal, atol=1e-6)
    assert np.array_equal(hits.triangle // 2, wanted.triangle // 2), "the cell is the same"
    assert np.array_equal(field.is_blocked(origins, directions), hits.hit)
    for cull in ("back", "front"):
        assert np.array_equal(field.cast(origins, directions, cull=cull).t, mesh.cast(origins, directions, cull=cull).t)  # type: ignore[arg-type]
        assert np.array_equal(field.is_blocked(origins, directions, cull=cull), mesh.is_blocked(origins, directions, cull=cull))  # type: ignore[arg-type]
    every, all_wanted = field.cast_all(origins, directions), mesh.cast_all(origins, directions)
    assert np.array_equal(every.splits, all_wanted.splits) and np.array_equal(every.t, all_wanted.t) and every.splits[-1] > hits.hit.sum()
    assert np.array_equal(every.ray, all_wanted.ray) and np.array_equal(every.side, all_wanted.side)
    points = RANDOM.uniform([-2, -3, -2], [18, 4, 5], size=(300, 3))
    nearest, near = field.closest_point(points), mesh.closest_point(points)
    assert np.allclose(nearest.distance, near.distance, atol=1e-6) and np.allclose(nearest.point, near.point, atol=1e-4)
    assert (nearest.containment == -1).all() and (nearest.triangle >= 0).all() and (nearest.feature > 0).any()
    ball, motions = hitscan.Shape.sphere(0.3), [0.5, -9, 0.25]
    swept, other = field.sweep(ball, origins, motions), mesh.sweep(ball, origins, motions)
    scene = hitscan.Scene([mesh]).sweep(ball, origins, motions)
    hit = swept.triangle >= 0
    assert np.array_equal(hit, other.triangle >= 0) and np.array_equal(hit, scene.key == 0) and hit.sum() > 200
    assert np.allclose(swept.t[hit], other.t[hit], atol=1e-7) and np.allclose(other.t[hit], scene.t[hit], atol=1e-7)
    assert np.allclose(swept.point[hit], scene.point[hit], atol=1e-5) and np.allclose(other.normal[hit], scene.normal[hit], atol=1e-5)
    assert np.isinf(swept.t[~hit]).all() and np.isnan(swept.point[~hit]).all() and (swept.start[hit] == scene.start[hit]).all()
    with pytest.raises(ValueError, match="cull is"):
        field.cast(origins, directions, cull="both")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"positions\[2\]"):
        field.sweep(ball, [[0, 0, 0], [0, 1, 0], [0, np.inf, 0]], motions)
    with pytest.raises(ValueError, match="a torus is no volume"):
        mesh.sweep(hitscan.Shape.torus(1, 0.25), origins, motions)
    with pytest.raises(ValueError, match="rotations has the shape"):
        mesh.sweep(ball, origins, motions, rotations=[1, 0, 0])


def test_a_turned_box_sweeps_a_mesh_as_it_does_a_scene() -> None:
    place = np.array([5e5, -2e6, 1e6])
    vertices, faces = shapes.icosphere(2)
    near, far = hitscan.Mesh(vertices, faces), hitscan.Mesh(vertices + place, faces)
    box = hitscan.Shape.box([-0.5, -0.25, -0.125], [0.5, 0.25, 0.125])
    starts, turns = toward(60)[0], RANDOM.normal(size=(60, 4))
    found, wanted = near.sweep(box, starts, -starts, rotations=turns), hitscan.Scene([near]).sweep(box, starts, -starts, rotations=turns)
    assert (found.triangle >= 0).all() and np.allclose(found.t, wanted.t, atol=1e-6) and np.array_equal(found.triangle, wanted.triangle)
    moved = far.sweep(box, starts + place, -starts, rotations=turns)
    assert np.allclose(moved.t, found.t, atol=1e-5) and np.allclose(moved.point - place, found.point, atol=1e-4)
    assert repr(moved) == "<hitscan.MeshSweeps: 60 volumes, 60 hits>"


def test_crossings_pair_entries_with_exits() -> None:
    vertices, faces = shapes.box()
    mesh = hitscan.Mesh(vertices, faces)
    origins, directions = toward(300)
    every, crossed = mesh.cast_all(origins, directions), mesh.cast_crossings(origins, directions)
    assert np.array_equal(np.diff(crossed.splits), 2 * (np.diff(every.splits) > 0)), "one goes into a convex body once"
    assert np.array_equal(crossed.side, np.tile([1, -1], len(crossed) // 2)) and len(crossed) > 200
    # Rays through the diagonals of faces, edges and corners, where `cast_all` counts several.
    grid = np.stack(np.meshgrid(np.linspace(-1.5, 1.5, 13), np.linspace(-1.5, 1.5, 13)), axis=-1).reshape(-1, 2)
    down = np.concatenate([grid, np.full((169, 1), 5.0)], axis=1)
    counts = np.diff(mesh.cast_crossings(down, [0, 0, -1]).splits)
    assert (counts[np.abs(grid).max(axis=1) < 1] == 2).all() and (counts[np.abs(grid).max(axis=1) > 1] == 0).all() and set(counts) <= {0, 2}
    assert np.diff(mesh.cast_all(down, [0, 0, -1]).splits).max() > 2
    for number in range(12):
        origin, direction = origins[number].astype(np.float32), directions[number].astype(np.float32)
        exact = sorted(oracle.hits(vertices.astype(np.float32), faces, origin, direction))
        found = mesh.cast_crossings(origin, direction)
        assert found.triangle.tolist() == [triangle for _, triangle, _ in exact]
        assert all(oracle.is_nearest_float32(t, wanted) for t, (wanted, _, _) in zip(found.t, exact))
    with pytest.raises(ValueError, match="directions is"):
        mesh.cast_crossings([0, 0, 0], [0, 0, 0])
    assert len(mesh.cast_crossings([0, 0, 0], [0, 0, 0], invalid="miss")) == 0


def test_a_collision_matrix_is_its_triangle() -> None:
    corners = np.array([[-1, 0, 0.5], [2, 0.25, 0], [0, 1.5, -0.5]], np.float32)
    matrix, triangle = hitscan.CollisionMatrix(*corners), hitscan.Shape.triangle(*corners)
    origins, directions = toward(800)
    hits, wanted = matrix.cast(origins, directions), triangle.cast(origins, directions)
    sure = wanted.hit & (np.minimum(np.minimum(wanted.u, wanted.v), 1 - wanted.u - wanted.v) > 1e-5)
    assert hits.hit[sure].all() and (hits.hit == wanted.hit).mean() > 0.99 and sure.sum() > 50
    for name in ("t", "u", "v"):
        assert np.allclose(getattr(hits, name)[sure], getattr(wanted, name)[sure], atol=1e-6), name
    assert np.array_equal(hits.side[sure], wanted.side[sure]) and np.allclose(hits.normal[sure], matrix.normal, atol=1e-7)
    assert np.array_equal(matrix.cast_t(origins, directions), hits.t) and np.array_equal(matrix.is_blocked(origins, directions), hits.hit)
    # A segment is a ray from 0 to 1.
    ends = origins + directions * RANDOM.uniform(0, 8, size=(800, 1))
    segments, as_rays = matrix.collide_segment(origins, ends), matrix.cast(origins, ends - origins, t_max=1.0)
    hit = segments.side != 0
    assert (hit == as_rays.hit).mean() > 0.995 and hit.sum() > 30 and np.array_equal(matrix.segment_is_blocked(origins, ends), hit)
    both = hit & as_rays.hit
    assert np.allclose(segments.fraction[both], as_rays.t[both], atol=1e-5) and np.array_equal(segments.side[both], as_rays.side[both])
    assert np.isnan(segments.fraction[~hit]).all() and repr(segments) == f"<hitscan.SegmentHits: 800 segments, {hit.sum()} hits>"
    turn = np.eye(4)
    turn[:3, :3], turn[:3, 3] = RANDOM.normal(size=(3, 3)), [3, -2, 1]
    placed = matrix.placed(turn)
    mirrored = np.linalg.det(turn[:3, :3]) < 0
    moved = hitscan.CollisionMatrix(*(corners @ turn[:3, :3].T + turn[:3, 3]))
    world, way = origins @ turn[:3, :3].T + turn[:3, 3], directions @ turn[:3, :3].T
    assert np.allclose(placed.cast(world, way).t[sure], hits.t[sure], atol=1e-4) and np.array_equal(placed.cast(world, way).side[sure], hits.side[sure])
    assert np.allclose(placed.normal, moved.normal * (-1 if mirrored else 1), atol=1e-5)
    for read in (pickle.loads(pickle.dumps(placed)), pickle.loads(pickle.dumps(placed, 0))):
        assert np.array_equal(read.cast(world, way).t, placed.cast(world, way).t) and repr(read) == repr(placed)
    for call, match in [
        (lambda: hitscan.CollisionMatrix([0, 0, 0], [1, 1, 1], [2, 2, 2]), "area"),
        (lambda: hitscan.CollisionMatrix([0, 0, 0], [np.nan, 1, 1], [2, 0, 2]), "finite"),
        (lambda: matrix.placed(np.diag([1.0, 1, 0, 1])), "invert|singular"),
        (lambda: matrix.placed([1, 2]), "transform has the shape"),
        (lambda: matrix.collide_segment([0, 0, 0], [[0, 0, np.inf]]), r"ends\[0\]"),
        (lambda: matrix.collide_segment([0, 1e39, 0], [0, 0, 0]), "starts is .* in float32 too"),
        (lambda: matrix.segment_is_blocked(np.zeros((2, 3)), np.zeros((3, 3))), "starts has the shape"),
        (lambda: matrix.cast([0, 0, 0], [0, 0, 0]), "directions"),
    ]:
        with pytest.raises(ValueError, match=match):
            call()  # type: ignore[no-untyped-call]
    assert matrix.collide_segment(np.zeros((0, 3)), [0, 0, 1]).u.shape == (0,)


def test_triangles_that_intersect_each_other() -> None:
    assert hitscan.Mesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]]).self_intersections().shape == (0, 2)
    # The corners are small integers, so the signs of volumes in float64 are exact. Triangles that are in one plane or touch are left out.
    corners = RANDOM.integers(0, 50, (60, 3, 3)).astype(float)

    def sides(own: Any, points: Any) -> Any:
        return np.sign(np.einsum("ij,j->i", points - own[0], np.cross(own[1] - own[0], own[2] - own[0])))

    def pierces(own: Any, other: Any) -> bool:
        for start, end in ((0, 1), (1, 2), (2, 0)):
            ends = own[[start, end]]
            around = [sides(np.array([ends[0], other[k], other[(k + 1) % 3]]), ends[1:])[0] for k in range(3)]
            if sides(other, ends).sum() == 0 and len(set(around)) == 1:
                return True
        return False

    def is_general(own: Any, other: Any) -> bool:
        volumes = [sides(own, other), sides(other, own)]
        edges = [(a, b) for a in range(3) for b in range(3)]
        lines = [sides(np.array([own[a], own[(a + 1) % 3], other[b]]), other[[(b + 1) % 3]]) for a, b in edges]
        return all((signs != 0).all() for signs in volumes + lines)

    pairs = [(i, j) for i in range(60) for j in range(i + 1, 60)]
    general = [pair for pair in pairs if is_general(corners[pair[0]], corners[pair[1]])]
    expected = {(i, j) for i, j in general if pierces(corners[i], corners[j]) or pierces(corners[j], corners[i])}
    mesh = hitscan.Mesh(corners.reshape(-1, 3), np.arange(180).reshape(-1, 3))
    found = mesh.self_intersections(threads=2)
    assert found.dtype == np.int64 and len(expected) > 100 and [tuple(pair) for pair in found] == sorted(tuple(pair) for pair in found)
    assert {tuple(pair) for pair in found} & set(general) == expected
