"""Rays against rational numbers, and the shapes of answers."""

from __future__ import annotations

import numpy as np
import oracle
import pytest
import shapes

import hitscan


def test_first_and_all_hits_are_those_of_rational_numbers() -> None:
    vertices, faces = shapes.icosphere(1)
    single = shapes.turned(vertices).astype(np.float32)
    mesh = hitscan.Mesh(single, faces)
    random = np.random.default_rng(1)
    edges = (single[faces] + single[np.roll(faces, 1, axis=1)]).reshape(-1, 3)[::2] / 2
    targets = np.concatenate([single, edges, random.normal(size=(40, 3))]).astype(np.float32)
    origins = np.where(random.random((len(targets), 1)) < 0.5, 0.0, random.normal(size=targets.shape) * 3).astype(np.float32)
    directions = targets - origins
    first, every = mesh.cast(origins, directions), mesh.cast_all(origins, directions)
    for i, (origin, direction) in enumerate(zip(origins, directions)):
        wanted = list(oracle.hits(single, faces, origin, direction))
        span = slice(every.splits[i], every.splits[i + 1])
        assert sorted(every.triangle[span]) == sorted(triangle for _, triangle, _ in wanted), i
        by_triangle = {triangle: (t, side) for t, triangle, side in wanted}
        for t, triangle, side in zip(every.t[span], every.triangle[span], every.side[span]):
            assert oracle.is_nearest_float32(t, by_triangle[triangle][0])
            assert side == by_triangle[triangle][1]
        if wanted:
            assert (first.t[i], first.triangle[i], first.side[i]) == (every.t[span][0], every.triangle[span][0], every.side[span][0])
            assert oracle.is_nearest_float32(first.t[i], min(t for t, _, _ in wanted))
        else:
            assert (first.t[i], first.triangle[i], first.side[i]) == (np.inf, -1, 0)
    assert np.array_equal(mesh.is_blocked(origins, directions), first.hit)
    assert np.array_equal(every.ray, np.repeat(np.arange(len(origins)), np.diff(every.splits)))


def test_nothing_leaks_out_of_a_closed_sphere() -> None:
    vertices, faces = shapes.icosphere(4)
    mesh = hitscan.Mesh(shapes.turned(vertices), faces)
    assert mesh.is_blocked([0, 0, 0], mesh.vertices).all()
    assert mesh.cast([0, 0, 0], mesh.vertices).hit.all()


def test_point_and_barycentrics_are_of_the_triangle() -> None:
    vertices, faces = shapes.icosphere(2)
    mesh = hitscan.Mesh(shapes.turned(vertices) * 3.7, faces)
    directions = np.random.default_rng(2).normal(size=(500, 3))
    hits = mesh.cast([0.1, 0.2, 0.3], directions)
    a, b, c = np.moveaxis(mesh.vertices[mesh.faces[hits.triangle]], 1, 0)
    weights = a + (b - a) * hits.u[:, None] + (c - a) * hits.v[:, None]
    assert np.abs(hits.point - weights).max() < 1e-5
    on_ray = [0.1, 0.2, 0.3] + directions * hits.t[:, None].astype(np.float64)
    assert np.abs(hits.point - on_ray).max() < 1e-5
    normals = np.cross(b - a, c - a)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    assert np.abs(hits.normal - normals).max() < 1e-6
    # The points are in float64: the plane of the triangle holds them to that.
    assert np.abs(((hits.point - a) * normals).sum(axis=1)).max() < 1e-14


def test_t_is_in_multiples_of_the_direction() -> None:
    mesh = hitscan.Mesh(*shapes.box())
    assert [float(mesh.cast([0, 0, 5], [0, 0, -k]).t) for k in (1, 2, 0.5)] == [4.0, 2.0, 8.0]


@pytest.mark.parametrize("shape", [(), (0,), (1,), (7,), (2, 3), (2, 0, 3), (1, 1, 1, 4)])
def test_answers_have_the_shape_of_the_rays(shape: tuple[int, ...]) -> None:
    mesh = hitscan.Mesh(*shapes.box())
    origins = np.full((*shape, 3), 0.25)
    hits = mesh.cast(origins, [0.0, 0.0, 1.0])
    assert hits.t.shape == hits.triangle.shape == hits.u.shape == hits.v.shape == hits.side.shape == hits.hit.shape == shape
    assert hits.point.shape == hits.normal.shape == (*shape, 3)
    assert (hits.t.dtype, hits.triangle.dtype, hits.point.dtype) == (np.float32, np.int64, np.float64)
    assert hits.hit.all()
    assert mesh.is_blocked(origins, [0, 0, 1]).shape == shape
    assert mesh.cast_all(origins, [0, 0, 1]).splits.shape == (int(np.prod(shape)) + 1,)
    assert mesh.contains(origins).shape == mesh.signed_distance(origins).shape == shape


def test_ranges_and_sides() -> None:
    mesh = hitscan.Mesh(*shapes.box())
    origins, down = np.array([[0.25, 0.5, 3.0]] * 3), [0, 0, -1]
    assert mesh.cast(origins, down, t_max=[1.0, 2.0, 3.0]).t.tolist() == [np.inf, 2.0, 2.0]
    assert mesh.cast(origins, down, t_min=[2.0, 2.5, 5.0]).t.tolist() == [2.0, 4.0, np.inf]
    assert mesh.is_blocked(origins, down, t_max=1.9).tolist() == [False] * 3
    assert mesh.cast(origins, down, cull="back").side.tolist() == [1] * 3
    assert mesh.cast(origins, down, cull="front").t.tolist() == [4.0] * 3
    assert mesh.cast_all(origins, down, cull="front").t.tolist() == [4.0] * 3
    assert not mesh.is_blocked([0, 0, 0], down, cull="back")


def test_a_single_ray_or_origin_is_for_all() -> None:
    mesh = hitscan.Mesh(*shapes.box())
    hits = mesh.cast([[0, 0, 5], [0, 0, 6]], [0, 0, -1])
    assert hits.t.tolist() == [4.0, 5.0]
    hits = mesh.cast([0, 0, 5], [[0, 0, -1], [0, 0, 1]])
    assert hits.t.tolist() == [4.0, np.inf]
    assert np.isnan(hits.point[1]).all() and not hits.normal[1].any()


def test_any_dtype_and_stride_gives_the_same() -> None:
    vertices, faces = shapes.icosphere(2)
    mesh = hitscan.Mesh(vertices.astype(np.float32), faces)
    random = np.random.default_rng(3)
    origins = np.round(random.normal(size=(300, 3)) * 64) / 64
    directions = np.round(random.normal(size=(300, 3)) * 64) / 64 + [0, 0, 1 / 128]
    wanted = mesh.cast(origins, directions)
    assert wanted.hit.any() and not wanted.hit.all()
    big = np.zeros((300, 7))
    big[:, 1:4] = origins
    read_only = directions.copy()
    read_only.setflags(write=False)
    for some, way in [
        (origins.astype(np.float32), directions.astype(np.float32)),
        (origins.astype(np.longdouble), directions.astype(">f8")),
        (origins.astype(np.float16), directions.astype(np.float16).astype("<f4")),
        (big[:, 1:4], np.asfortranarray(directions)),
        (origins[::-1][::-1], read_only),
        (origins.tolist(), directions.tolist()),
    ]:
        hits = mesh.cast(some, way)
        if np.asarray(some).dtype != np.float16:
            assert np.array_equal(hits.t, wanted.t) and np.array_equal(hits.triangle, wanted.triangle)
    integers = mesh.cast(np.full((3, 3), 5), np.full((3, 3), -1, dtype=np.int8))
    assert np.array_equal(integers.t, mesh.cast(np.full((3, 3), 5.0), np.full((3, 3), -1.0)).t)


def test_large_coordinates_keep_their_precision() -> None:
    vertices, faces = shapes.icosphere(3)
    place = np.array([500_000.125, 4_649_776.3, 120.7])
    mesh, near = hitscan.Mesh(vertices + place, faces), hitscan.Mesh(vertices, faces)
    random = np.random.default_rng(4)
    origins, directions = random.normal(size=(400, 3)) * 2, random.normal(size=(400, 3))
    far, wanted = mesh.cast(origins + place, directions), near.cast(origins, directions)
    assert np.mean(far.triangle == wanted.triangle) > 0.99
    both = far.hit & wanted.hit
    assert np.abs(far.point[both] - place - wanted.point[both]).max() < 1e-4
    points = random.normal(size=(400, 3))
    assert np.abs(mesh.signed_distance(points + place) - near.signed_distance(points)).max() < 1e-6
    assert np.array_equal(mesh.vertices, vertices + place)
    assert np.allclose(mesh.bounds, [(vertices + place).min(axis=0), (vertices + place).max(axis=0)], rtol=0, atol=0)


def test_repr_says_what_was_hit() -> None:
    mesh = hitscan.Mesh(*shapes.box())
    assert repr(mesh) == "<hitscan.Mesh: 8 vertices, 12 triangles, from [-1, -1, -1] to [1, 1, 1]>"
    assert repr(mesh.cast([[0, 0, 5], [0, 0, 6], [9, 9, 9]], [0, 0, -1])) == "<hitscan.Hits: 3 rays, 2 hits, t from 4 to 5>"
    assert repr(mesh.cast([9, 9, 9], [0, 0, 1])) == "<hitscan.Hits: 1 ray, no hit>"
    assert repr(mesh.cast_all([0.25, 0.5, 5], [0, 0, -1])) == "<hitscan.AllHits: 1 ray, 2 hits>"
    assert repr(mesh.closest_point([[0, 0, 0], [5, 0, 0]])) == "<hitscan.Nearest: 2 points, 1 inside>"
    assert len(mesh) == 12 and len(mesh.cast([[0, 0, 5]], [0, 0, -1])) == 1
