"""`hitscan.trimesh` compared with trimesh, and the cases of trimesh's own tests that say how a ray caster must
behave."""

from __future__ import annotations

import copy
import pickle
import sys
from typing import Any

import numpy as np
import pytest
import shapes
import trimesh
import trimesh.ray

import hitscan
import hitscan.trimesh
from hitscan.trimesh import ProximityQuery, RayMeshIntersector


def ray_of(mesh: Any) -> RayMeshIntersector:
    return RayMeshIntersector(mesh)


def test_first_hits_are_those_of_trimesh_in_the_order_of_rays() -> None:
    mesh = trimesh.creation.icosphere(subdivisions=2)
    random = np.random.default_rng(1)
    origins, directions = random.normal(size=(300, 3)) * 2, random.normal(size=(300, 3))
    # `ray_triangle` is trimesh's own, without Embree.
    wanted = trimesh.ray.ray_triangle.RayMeshIntersector(mesh).intersects_first(origins, directions)
    ray = ray_of(mesh)
    assert np.array_equal(ray.intersects_first(origins, directions), wanted)
    assert np.array_equal(ray.intersects_any(origins, directions), wanted >= 0)
    locations, index_ray, index_tri = ray.intersects_location(origins, directions, multiple_hits=False)
    assert np.array_equal(index_ray, np.flatnonzero(wanted >= 0)) and np.array_equal(index_tri, wanted[wanted >= 0])
    way = locations - origins[index_ray]
    assert np.abs(np.cross(way, directions[index_ray])).max() < 1e-6
    assert (locations.dtype, index_ray.dtype, index_tri.dtype) == (np.float64, np.int64, np.int64)


def test_a_crossing_counts_once() -> None:
    box = ray_of(trimesh.creation.box())
    # The rays go through the diagonals of two faces, through two corners, and along an edge.
    for origin, direction in [([0, 0, 2], [0, 0, -1]), ([2, 2, 2], [-1, -1, -1]), ([0.5, 0.5, 2], [0, 0, -1])]:
        triangles, rays, locations = box.intersects_id([origin], [direction], return_locations=True)  # type: ignore[misc]
        assert len(triangles) == 2 and rays.tolist() == [0, 0], origin
        assert np.linalg.norm(locations[0] - locations[1]) > 0.9
    cylinder = ray_of(trimesh.creation.cylinder(radius=1.0, height=2.0))
    assert len(cylinder.intersects_id([[0, 0, 5]], [[0, 0, -1]])[0]) == 2
    small = ray_of(trimesh.creation.box(extents=[1e-3] * 3))
    found = small.intersects_location([[0, 0, 1e4]], [[0, 0, -1]])[0]
    assert len(np.unique(found.round(12), axis=0)) == 2


def test_hits_are_limited_from_the_nearest_on() -> None:
    mesh = trimesh.util.concatenate([trimesh.creation.box(extents=[k, k, k]) for k in (1, 2, 3)])
    ray = ray_of(mesh)
    assert [len(ray.intersects_id([[0.1, 0.2, 9]] * 2, [[0, 0, -1]] * 2, max_hits=k)[0]) for k in (1, 2, 5, 6, 9)] == [2, 4, 10, 12, 12]
    nearest = ray.intersects_location([[0.1, 0.2, 9]], [[0, 0, -1]], max_hits=2)[0]
    assert nearest[:, 2].tolist() == [1.5, 1.0]


def test_answers_without_hits_have_their_shapes() -> None:
    ray = ray_of(trimesh.creation.box())
    for origins, directions in [([[5, 5, 5]], [[1, 0, 0]]), (np.zeros((0, 3)), np.zeros((0, 3))), ([], [])]:
        locations, index_ray, index_tri = ray.intersects_location(origins, directions)
        assert (locations.shape, index_ray.shape, index_tri.shape) == ((0, 3), (0,), (0,))
        assert not ray.intersects_any(origins, directions).any()
    with pytest.raises(ValueError, match="Ray origin and direction don't match!"):
        ray.intersects_any([[0, 0, 0]], [[0, 0, 1], [0, 0, 1]])
    with pytest.raises(ValueError, match=r"points must be \(n,3\)"):
        ray.contains_points([[0, 0]])
    assert ray.intersects_first([[0, 0, 0]] * 2, [[0, 0, 0], [np.nan, 0, 0]]).tolist() == [-1, -1]
    tiny = [[0, 0, 1e-200], [0, 0, 1e200]]
    assert ray.intersects_any([[0, 0, -2]] * 2, tiny).all(), "a direction of any length is a direction"


def test_any_and_first_agree_at_edges_and_corners() -> None:
    vertices, faces = shapes.icosphere(3)
    mesh = trimesh.Trimesh(shapes.turned(vertices), faces, process=False)
    ray, origins = ray_of(mesh), np.zeros_like(mesh.vertices)
    assert ray.intersects_any(origins, mesh.vertices).all()
    assert (ray.intersects_first(origins, mesh.vertices) >= 0).all()
    assert len(ray.intersects_id(origins, mesh.vertices, multiple_hits=False)[0]) == len(origins)


def test_a_mesh_that_changes_is_seen() -> None:
    mesh = trimesh.creation.box(extents=[64, 64, 64])
    ray, nearest = ray_of(mesh), ProximityQuery(mesh)
    before = hitscan.trimesh._tree(mesh)
    assert hitscan.trimesh._tree(mesh) is before and ray.intersects_any([[0, 0, 9]], [[1, 0, 0]]).all()
    mesh.apply_scale(1 / 64)
    assert ray.intersects_location([[0.5, 0.5, -2]], [[0, 0, 1]], multiple_hits=False)[0][0, 2] == -0.5
    assert nearest.on_surface([[0, 0, 2]])[1].tolist() == [1.5]
    mesh.vertices += [0, 0, 1]
    assert nearest.on_surface([[0, 0, 2]])[1].tolist() == [0.5]
    mesh.update_faces(np.arange(len(mesh.faces)) < 0)
    assert not ray.intersects_any([[0, 0, -9]], [[0, 0, 1]]).any()


def test_containment() -> None:
    vertices, faces = shapes.icosphere(2)
    mesh = trimesh.Trimesh(shapes.turned(vertices), faces, process=False)
    points = np.random.default_rng(2).uniform(-1.1, 1.1, size=(400, 3))
    assert np.array_equal(ray_of(mesh).contains_points(points), hitscan.Mesh(mesh.vertices, faces).contains(points))
    # A hole that faces outwards is a hole to trimesh, which counts crossings.
    hollow = trimesh.util.concatenate([trimesh.creation.box(extents=[2] * 3), trimesh.creation.box(extents=[1] * 3)])
    inverted = trimesh.creation.box()
    inverted.invert()
    opened = trimesh.creation.box()
    opened.update_faces(np.arange(12) > 0)
    inside = [[0.1, 0.2, 0.3], [0.7, 0.6, 0.65], [3, 0, 0]]
    for shape, wanted in [(hollow, [False, True, False]), (inverted, [True, False, False])]:
        assert ray_of(shape).contains_points(inside).tolist() == wanted
    assert ray_of(opened).contains_points([[3, 0, 0]]).tolist() == [False]


def bodies(kind: str, merged: bool) -> tuple[Any, list[tuple[Any, Any]]]:
    """Returns boxes that touch, as one mesh, and the corners of each."""
    corners = {
        "faces": [([0, 0, 0], [1, 1, 1]), ([0, 0, 1], [1, 1, 2])],
        "parts of faces": [([0, 0, 0], [1, 1, 1]), ([0.25, 0.25, 1], [0.75, 0.75, 2])],
        "edges": [([0, 0, 0], [1, 1, 1]), ([1, 1, 0], [2, 2, 1])],
        "corners": [([0, 0, 0], [1, 1, 1]), ([1, 1, 1], [2, 2, 2])],
        "a checkerboard": [([x, y, z], [x + 1, y + 1, z + 1]) for x in range(3) for y in range(3) for z in range(2) if (x + y + z) % 2 == 0],
        "a block": [([x, y, 0], [x + 1, y + 1, 1]) for x in range(2) for y in range(2)],
        "almost": [([0, 0, 0], [1, 1, 1]), ([0, 0, 1 + 1e-9], [1, 1, 2])],
        "thin": [([0, 0, 0], [1, 1, 1e-9]), ([0, 0, 0.5], [1, 1, 1])],
    }[kind]
    boxes = [trimesh.creation.box(bounds=[low, high]) for low, high in corners]
    mesh = trimesh.util.concatenate(boxes)
    if merged:
        mesh.merge_vertices()
    return mesh, [(np.array(low), np.array(high)) for low, high in corners]


@pytest.mark.parametrize("kind", ["faces", "parts of faces", "edges", "corners", "a checkerboard", "a block", "almost", "thin"])
@pytest.mark.parametrize("merged", [False, True])
@pytest.mark.parametrize("faces", ["outwards", "inwards", "both"])
def test_insides_of_bodies_that_touch(kind: str, merged: bool, faces: str) -> None:
    mesh, corners = bodies(kind, merged)
    if faces == "inwards":
        mesh.invert()
    elif faces == "both":
        mesh.faces[:12] = mesh.faces[:12, ::-1]
    # The rays of a grid go through edges and corners.
    side = np.linspace(-0.25, 2.25, 11)
    grid = np.stack(np.meshgrid(side, side, side, indexing="ij"), axis=-1).reshape(-1, 3)
    points = np.concatenate([grid, np.random.default_rng(4).uniform(-0.2, 2.2, size=(600, 3))])
    inside = np.zeros(len(points), dtype=bool)
    for low, high in corners:
        inside |= ((points > low) & (points < high)).all(axis=1)
    assert np.array_equal(ray_of(mesh).contains_points(points), inside)
    signed = ProximityQuery(mesh).signed_distance(points)
    away = np.abs(signed) > 1e-7
    assert np.array_equal(signed[away] > 0, inside[away])


def test_parity_counts_crossings_that_are_near_each_other() -> None:
    """A mesh with a border is asked by rays. Its two walls, a billionth apart, are two crossings for parity, and one hit for trimesh."""
    mesh, _ = bodies("thin", False)
    mesh.update_faces(np.arange(len(mesh.faces)) > 0)
    inside = ray_of(mesh).contains_points([[0.4, 0.3, 0.75], [0.4, 0.3, 0.25], [0.45, 0.3, -0.5]])
    assert inside.tolist() == [True, False, False]
    every = hitscan.Mesh(mesh.vertices, mesh.faces).cast_all([0.4, 0.3, 9], [0, 0, -1])
    assert hitscan._crossings.are_first(every, mesh.faces).all() and len(every.t) == 4


def test_crossings_of_bodies_whose_triangles_alternate_are_told_apart() -> None:
    """The ray goes through the diagonals of the tops and bottoms of two boxes, and hits triangles of both boxes by turns."""
    boxes = [trimesh.creation.box(bounds=[[low, low, 0], [1 - low, 1 - low, 1]]) for low in (0.0, 0.25)]
    faces = np.stack([boxes[0].faces, boxes[1].faces + len(boxes[0].vertices)], axis=1).reshape(-1, 3)
    both = hitscan.Mesh(np.vstack([box.vertices for box in boxes]), faces)
    for x, y, hits in [(0.5, 0.5, 8), (0.375, 0.375, 6), (0.375, 0.625, 6), (0.5, 0.375, 4)]:
        every = both.cast_all([x, y, 9], [0, 0, -1])
        first = hitscan._crossings.are_first(every, faces)
        assert len(every.t) == hits and every.t[first].tolist() == [8, 8, 9, 9]


def test_nearest_points_and_signs_are_those_of_trimesh() -> None:
    mesh = trimesh.creation.icosphere(subdivisions=2)
    mesh.vertices *= [1, 0.5, 2]
    points = np.random.default_rng(3).normal(size=(200, 3)) * 1.5
    closest, distance, _ = trimesh.proximity.closest_point_naive(mesh, points)
    found = ProximityQuery(mesh).on_surface(points)
    assert np.abs(found[0] - closest).max() < 1e-7 and np.abs(found[1] - distance).max() < 1e-7
    on_found = trimesh.triangles.closest_point(mesh.triangles[found[2]], points)
    assert np.abs(on_found - found[0]).max() < 1e-12
    signed = ProximityQuery(mesh).signed_distance(points)
    assert np.array_equal(np.abs(signed), found[1])
    assert np.array_equal(signed > 0, hitscan.Mesh(mesh.vertices, mesh.faces).contains(points)), "positive inside"
    assert ProximityQuery(mesh).signed_distance(mesh.vertices[:5]).tolist() == [0.0] * 5


def test_signs_of_a_mesh_that_encloses_nothing_are_those_of_its_normals() -> None:
    square = trimesh.Trimesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]], process=False)
    square.ray = ray_of(square)
    assert ProximityQuery(square).signed_distance([[0.5, 0.25, 1], [0.5, 0.25, -2]]).tolist() == [-1.0, 2.0]
    assert ProximityQuery(square).signed_distance([[3, 0.5, 0]]).tolist() == [-2.0]


def test_a_sharp_edge_shows_the_face_that_faces_the_point() -> None:
    mesh = trimesh.Trimesh([[-1, 0.5, 0], [1, 0.5, 0], [0, -1, -0.5], [0, -1, 0.5]], [[0, 1, 2], [0, 2, 3], [0, 3, 1], [3, 2, 1]])
    z = np.linspace(-1, 1, 20)
    faces = ProximityQuery(mesh).on_surface(np.stack([0 * z, 0 * z + 1, z], axis=-1))[2]
    assert len(set(faces[:10])) == 1 == len(set(faces[10:])) and faces[0] != faces[-1]


def test_install_and_uninstall() -> None:
    had = (trimesh.ray.has_embree, trimesh.ray.ray_pyembree, trimesh.proximity.closest_point, sys.modules.get("trimesh.ray.ray_pyembree"))
    with hitscan.trimesh.installed():
        hitscan.trimesh.install()
        mesh = trimesh.creation.box()
        assert isinstance(mesh.ray, RayMeshIntersector) and isinstance(mesh.nearest, ProximityQuery)
        assert mesh.contains([[0, 0, 0], [2, 0, 0]]).tolist() == [True, False]
        assert trimesh.proximity.closest_point(mesh, [[0, 0, 2]])[1].tolist() == [1.5]
        assert trimesh.proximity.signed_distance(mesh, [[0, 0, 0]]).tolist() == [0.5]
        assert trimesh.proximity.longest_ray(mesh, [[0, 0, 0]], [[0, 0, 1]]).tolist() == [0.5]
        reach = trimesh.proximity.thickness(mesh, [[0.5, 0.1, 0.1]], exterior=False, normals=[[1, 0, 0]], method="ray")
        assert reach.tolist() == [1.0]
        from trimesh.ray.ray_pyembree import RayMeshIntersector as named

        assert named is RayMeshIntersector
    now = (trimesh.ray.has_embree, trimesh.ray.ray_pyembree, trimesh.proximity.closest_point, sys.modules.get("trimesh.ray.ray_pyembree"))
    assert now == had
    assert not isinstance(trimesh.creation.box().nearest, ProximityQuery)
    hitscan.trimesh.uninstall()


def test_copies_and_pickles() -> None:
    mesh = trimesh.creation.box()
    mesh.ray, mesh.nearest = ray_of(mesh), ProximityQuery(mesh)
    assert mesh.ray.intersects_any([[0, 0, 2]], [[0, 0, -1]]).all()
    for other in (pickle.loads(pickle.dumps(mesh.ray)), copy.copy(mesh.ray), copy.deepcopy(mesh.ray)):
        assert other.intersects_first([[0.1, 0.2, 2]], [[0, 0, -1]]).tolist() == mesh.ray.intersects_first([[0.1, 0.2, 2]], [[0, 0, -1]]).tolist()
    assert pickle.loads(pickle.dumps(mesh)).ray.intersects_any([[0, 0, 2]], [[0, 0, -1]]).all()


def test_large_coordinates() -> None:
    place = np.array([500_000.0, 4_649_776.0, 100.0])
    mesh = trimesh.creation.box()
    mesh.apply_translation(place)
    locations, _, _ = ray_of(mesh).intersects_location([place + [0.25, 0.125, 5]], [[0, 0, -1]], multiple_hits=False)
    assert np.abs(locations - (place + [0.25, 0.125, 0.5])).max() < 1e-9
    # A ray that starts a micrometre outside of a surface does not hit it.
    box = trimesh.creation.box()
    assert not ray_of(box).intersects_any([[0.1, 0.2, 0.5 + 1e-6]], [[0, 0, 1]]).any()
