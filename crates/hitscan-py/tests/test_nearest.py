"""Nearest points against every triangle by numpy, and insides against solid angles."""

from __future__ import annotations

import numpy as np
import pytest
import shapes
from numpy.typing import NDArray

import hitscan


def nearest_by_samples(corners: NDArray[np.float64], point: NDArray[np.float64]) -> float:
    """Returns the least distance of a point to any triangle. It is the distance to the plane if the foot is inside, and
    else to the sides."""
    a, b, c = np.moveaxis(corners, 1, 0)
    normal = np.cross(b - a, c - a)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    height = ((point - a) * normal).sum(axis=1)
    foot = point - normal * height[:, None]
    is_inside = np.ones(len(a), dtype=bool)
    least = np.full(len(a), np.inf)
    for p, q in ((a, b), (b, c), (c, a)):
        is_inside &= (np.cross(q - p, foot - p) * normal).sum(axis=1) >= 0
        part = np.clip(((point - p) * (q - p)).sum(axis=1) / ((q - p) ** 2).sum(axis=1), 0, 1)
        least = np.minimum(least, np.linalg.norm(p + (q - p) * part[:, None] - point, axis=1))
    return float(np.where(is_inside, np.abs(height), least).min())


def solid_angle(corners: NDArray[np.float64], point: NDArray[np.float64]) -> float:
    a, b, c = np.moveaxis(corners - point, 1, 0)
    la, lb, lc = (np.linalg.norm(x, axis=1) for x in (a, b, c))
    volume = (a * np.cross(b, c)).sum(axis=1)
    across = la * lb * lc + (a * b).sum(axis=1) * lc + (b * c).sum(axis=1) * la + (c * a).sum(axis=1) * lb
    return float(np.arctan2(volume, across).sum() / (2 * np.pi))


def test_nearest_points_are_those_of_every_triangle() -> None:
    vertices, faces = shapes.icosphere(2)
    mesh = hitscan.Mesh(shapes.turned(vertices) * [1.0, 0.4, 2.0], faces)
    corners = mesh.vertices[mesh.faces]
    points = np.random.default_rng(6).normal(size=(300, 3)) * 1.5
    nearest = mesh.closest_point(points)
    signed, inside = mesh.signed_distance(points), mesh.contains(points)
    for i, point in enumerate(points):
        wanted = nearest_by_samples(corners, point)
        assert nearest.distance[i] == pytest.approx(wanted, rel=1e-7, abs=1e-7)
        assert np.linalg.norm(nearest.point[i] - point) == pytest.approx(nearest.distance[i], rel=1e-12)
        assert nearest_by_samples(corners[nearest.triangle[i]][None], point) == pytest.approx(nearest.distance[i], rel=1e-12, abs=1e-15)
        is_inside = solid_angle(corners, point) > 0.5
        assert inside[i] == is_inside == (nearest.containment[i] == 1)
        assert signed[i] == (-1.0 if is_inside else 1.0) * nearest.distance[i]
    assert inside.any() and not inside.all()
    assert (nearest.distance.dtype, nearest.point.dtype, nearest.triangle.dtype) == (np.float64, np.float64, np.int64)


def test_winding_numbers_are_solid_angles_and_decide_where_a_mesh_is_open() -> None:
    vertices, faces = shapes.icosphere(2)
    bowl = faces[vertices[faces][:, :, 1].max(axis=1) < 0.3]
    mesh = hitscan.Mesh(vertices, bowl)
    points = np.random.default_rng(7).uniform(-1.2, 1.2, size=(200, 3))
    wanted = [solid_angle(vertices.astype(np.float32).astype(np.float64)[bowl], point) for point in points]
    found = mesh.winding_number(points)
    assert np.abs(found - wanted).max() < 1e-6
    low, high = vertices[np.unique(bowl)].min(axis=0), vertices[np.unique(bowl)].max(axis=0)
    is_inside = (np.array(wanted) >= 0.5) & ((points > low) & (points < high)).all(axis=1)
    assert np.array_equal(mesh.contains(points), is_inside)
    assert np.array_equal(mesh.signed_distance(points) < 0, is_inside)
    assert is_inside.any() and (mesh.closest_point(points).containment[is_inside] == -1).all()
    closed = hitscan.Mesh(vertices, faces)
    assert np.abs(closed.winding_number([[0, 0, 0], [3, 0, 0]]) - [1, 0]).max() < 1e-12


def test_the_surface_is_outside_and_at_distance_zero() -> None:
    mesh = hitscan.Mesh(*shapes.box())
    points = np.array([[1, 0, 0], [1, 1, 1], [1, 1, 0.5], [0.25, -1, 0.5]])
    assert not mesh.contains(points).any()
    assert mesh.signed_distance(points).tolist() == [0.0] * 4
    assert mesh.closest_point(points).distance.tolist() == [0.0] * 4


def test_ties_go_to_the_lowest_or_to_the_one_that_faces_the_point() -> None:
    # The tetrahedron has a sharp edge, which is the nearest to points on either side of it.
    vertices = [[-1, 0.5, 0], [1, 0.5, 0], [0, -1, -0.5], [0, -1, 0.5]]
    faces = [[0, 1, 2], [0, 2, 3], [0, 3, 1], [3, 2, 1]]
    mesh = hitscan.Mesh(vertices, faces)
    z = np.array([-1.0, -0.5, -0.01, 0.01, 0.5, 1.0])
    points = np.stack([np.zeros(6), np.ones(6), z], axis=-1)
    assert mesh.closest_point(points).triangle.tolist() == [0] * 6
    assert mesh.closest_point(points, ties="facing").triangle.tolist() == [0, 0, 0, 2, 2, 2]
    # Within a tolerance, a triangle that is not quite the nearest may be the one that faces the point.
    flat = hitscan.Mesh([[0, 0, 0], [0, 1, 0], [-1, 0, 0], [0, 0, -1]], [[0, 1, 2], [0, 1, 3]])
    point = [-0.25 - 1e-9, 0.0, -0.25]
    assert int(flat.closest_point(point, ties="facing").triangle) == 0
    nearest = flat.closest_point(point, ties="facing", tie_tolerance=1e-8)
    assert int(nearest.triangle) == 1 and np.allclose(nearest.point, [0, 0, -0.25])


def test_a_mesh_without_triangles_has_no_nearest_point() -> None:
    mesh = hitscan.Mesh(np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64))
    nearest = mesh.closest_point([[1, 2, 3]])
    assert nearest.distance.tolist() == [np.inf] and nearest.triangle.tolist() == [-1] and np.isnan(nearest.point).all()
    assert mesh.signed_distance([1, 2, 3]) == np.inf and not mesh.contains([1, 2, 3])
    assert not mesh.cast([0, 0, 0], [0, 0, 1]).hit and np.isnan(mesh.bounds).all()
    assert repr(mesh) == "<hitscan.Mesh: 0 vertices, 0 triangles>"


def test_insides_by_one_ray_are_those_of_the_nearest_point() -> None:
    # Two spheres that overlap, a hole that faces inwards and one that faces outwards, and boxes whose vertices are not merged.
    vertices, faces = shapes.icosphere(2)
    corners, quads = shapes.box()
    soup = corners[quads].reshape(-1, 3), np.arange(36).reshape(-1, 3)
    models = [
        (np.concatenate([vertices, vertices + [0.7, 0, 0]]), np.concatenate([faces, faces + len(vertices)])),
        (np.concatenate([vertices, vertices * 0.5]), np.concatenate([faces, faces[:, ::-1] + len(vertices)])),
        (np.concatenate([vertices, vertices * 0.5]), np.concatenate([faces, faces + len(vertices)])),
        (vertices, faces[:, ::-1]),
        soup,
        (soup[0] + 1e6 + 1 / 3, soup[1]),
    ]
    random = np.random.default_rng(10)
    for points, triangles in models:
        mesh = hitscan.Mesh(points, triangles)
        inner = random.uniform(*mesh.bounds, size=(2000, 3))
        # Points at the surface, as near as float64 has them, on lattices and at vertices.
        near = (mesh.vertices[mesh.faces[:100]] * random.dirichlet([1, 1, 1], 100)[: len(mesh.faces), :, None]).sum(axis=1)
        queries = np.concatenate([inner, np.round(inner * 4) / 4, mesh.vertices[:100], near, np.nextafter(near, mesh.origin)])
        assert np.array_equal(mesh.contains(queries), mesh.closest_point(queries).containment == 1)
