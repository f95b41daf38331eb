"""`hitscan.open3d.RaycastingScene` with arrays, by the cases of Open3D's own tests."""

from __future__ import annotations

import numpy as np
import pytest
import shapes

from hitscan.open3d import RaycastingScene

TRIANGLE = (np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0]], dtype=np.float32), np.array([[0, 1, 2]], dtype=np.uint32))


def rays(*rows: list[float]) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    return np.array(rows, dtype=np.float32)


def scene_of(*meshes: tuple[np.ndarray[tuple[int, ...], np.dtype[np.float64]], np.ndarray[tuple[int, ...], np.dtype[np.int64]]]) -> RaycastingScene:
    scene = RaycastingScene()
    assert [scene.add_triangles(v.astype(np.float32), f.astype(np.uint32)) for v, f in meshes] == list(range(len(meshes)))
    return scene


def test_first_hits() -> None:
    scene = RaycastingScene(nthreads=1, device="CPU:0")
    assert scene.add_triangles(*TRIANGLE) == 0
    found = scene.cast_rays(rays([0.2, 0.1, 1, 0, 0, -1], [10, 10, 10, 1, 0, 0]))
    assert found["t_hit"].tolist() == [1.0, np.inf]
    assert found["geometry_ids"].tolist() == found["primitive_ids"].tolist() == [0, RaycastingScene.INVALID_ID]
    assert found["primitive_normals"].tolist() == [[0, 0, 1], [0, 0, 0]]
    assert np.allclose(found["primitive_uvs"], [[0.1, 0.1], [0, 0]])
    kinds = {name: column.dtype for name, column in found.items()}
    assert kinds == {"t_hit": "f4", "geometry_ids": "u4", "primitive_ids": "u4", "primitive_uvs": "f4", "primitive_normals": "f4"}


def test_several_geometries_and_empty_ones() -> None:
    none = (np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64))
    vertices, faces = shapes.box()
    scene = scene_of(none, (vertices, faces), none, (vertices + [5, 0, 0], faces))
    found = scene.cast_rays(rays([0.25, 0.5, 3, 0, 0, -1], [5.25, 0.5, 3, 0, 0, -1]))
    assert found["geometry_ids"].tolist() == [1, 3] and found["primitive_ids"][0] == found["primitive_ids"][1] < 12
    assert scene.compute_closest_points(rays([0, 0, 4], [5, 0, 4]))["geometry_ids"].tolist() == [1, 3]
    assert RaycastingScene().cast_rays(rays([0, 0, 0, 0, 0, 1]))["geometry_ids"].tolist() == [RaycastingScene.INVALID_ID]
    assert RaycastingScene().compute_distance(rays([0, 0, 0])).tolist() == [np.inf]


def test_occlusions() -> None:
    scene = scene_of((TRIANGLE[0].astype(float), TRIANGLE[1].astype(int)))
    both = rays([0.2, 0.1, 1, 0, 0, -1], [10, 10, 10, 1, 0, 0])
    assert scene.test_occlusions(both).tolist() == [True, False]
    assert not scene.test_occlusions(both, tfar=0.5).any() and not scene.test_occlusions(both, tnear=1.5).any()


def test_crossings_count_once() -> None:
    scene = scene_of(shapes.box(0.0, 1.0))
    # The second ray goes along the diagonals, and the third through corners.
    some = rays([0.5, 0.25, -1, 0, 0, 1], [0.5, 0.5, -1, 0, 0, 1], [-1, -1, -1, 1, 1, 1], [0.5, 0.5, 0.5, 0, 0, 1], [9, 9, 9, 1, 0, 0])
    assert scene.count_intersections(some).tolist() == [2, 2, 2, 1, 0]
    every = scene.list_intersections(some)
    assert every["ray_splits"].tolist() == [0, 2, 4, 6, 7, 7] and every["ray_ids"].tolist() == [0, 0, 1, 1, 2, 2, 3]
    assert every["t_hit"].tolist() == [1, 2, 1, 2, 1, 2, 0.5]
    assert every["primitive_uvs"].shape == (7, 2) and every["geometry_ids"].dtype == np.uint32
    # Two geometries at one place are two crossings.
    assert scene_of(shapes.box(0.0, 1.0), shapes.box(0.0, 1.0)).count_intersections(some[:1]).tolist() == [4]


def test_nearest_points_and_insides() -> None:
    scene = scene_of((TRIANGLE[0].astype(float), TRIANGLE[1].astype(int)))
    found = scene.compute_closest_points(rays([0.2, 0.1, 1], [10, 10, 10]))
    assert np.allclose(found["points"], [[0.2, 0.1, 0], [1, 1, 0]], atol=1e-7)
    assert np.allclose(found["primitive_uvs"], [[0.1, 0.1], [0, 1]], atol=1e-7)
    assert found["primitive_normals"].tolist() == [[0, 0, 1]] * 2
    box = scene_of(shapes.box(0.0, 1.0))
    points = rays([0.5, 0.5, 0.5], [-0.5, -0.5, -0.5], [0, 0, 0])
    assert np.allclose(box.compute_distance(points), [0.5, 0.75**0.5, 0])
    assert np.allclose(box.compute_signed_distance(points, nsamples=3), [-0.5, 0.75**0.5, 0]), "negative inside"
    assert box.compute_occupancy(points).tolist() == [1, 0, 0]


def test_insides_are_by_parity_whichever_way_faces_look() -> None:
    (v, f), (w, g) = shapes.box(0.0, 1.0), shapes.box(0.25, 0.75)
    inward = f[:, ::-1]
    points = rays([0.5, 0.5, 0.5], [0.1, 0.1, 0.1], [0.5, 0.5, 1.5], [-0.5, 0.5, 0.5], [0, 0.5, 0.5])
    cases = [
        ([(v, f)], [1, 1, 0, 0, 0]),
        ([(v, inward)], [1, 1, 0, 0, 0]),
        # A cavity is one, whichever way its walls face.
        ([(v, f), (w, g)], [0, 1, 0, 0, 0]),
        ([(v, inward), (w, g)], [0, 1, 0, 0, 0]),
        ([(v, f), (w, g[:, ::-1])], [0, 1, 0, 0, 0]),
        # Bodies that touch.
        ([(v, f), (v + [0, 0, 1], f)], [1, 1, 1, 0, 0]),
        ([(v, f), (v + [0, 0, 1], inward)], [1, 1, 1, 0, 0]),
    ]
    for meshes, wanted in cases:
        scene = scene_of(*meshes)
        assert scene.compute_occupancy(points).tolist() == wanted, wanted
        signed = scene.compute_signed_distance(points)
        assert np.array_equal(np.abs(signed), scene.compute_distance(points))
        assert np.array_equal(signed < 0, np.array(wanted) == 1)
    assert scene_of((v, inward)).compute_signed_distance(points[:1]).tolist() == [-0.5]


def test_an_open_surface_holds_what_it_goes_around_for_the_most_part() -> None:
    vertices, faces = shapes.icosphere(3)
    half = faces[vertices[faces].mean(axis=1)[:, 1] < 0.0]
    points = rays([0, -0.5, 0], [0, -0.9, 0], [0, 0.5, 0], [0, -1.1, 0], [2, 0, 0])
    for some in (half, half[:, ::-1]):
        scene = scene_of((vertices, some))
        assert scene.compute_occupancy(points).tolist() == [1, 1, 0, 0, 0]
        assert (scene.compute_signed_distance(points) < 0).tolist() == [True, True, False, False, False]


@pytest.mark.parametrize("shape", [(11,), (1, 2, 3), (32, 14), (0,)])
def test_shapes(shape: tuple[int, ...]) -> None:
    scene = scene_of(shapes.box())
    random = np.random.default_rng(1)
    some, points = (random.uniform(size=(*shape, n)).astype(np.float32) for n in (6, 3))
    last = {"primitive_uvs": (2,), "primitive_normals": (3,), "points": (3,)}
    for found in (scene.cast_rays(some), scene.compute_closest_points(points)):
        assert all(column.shape == shape + last.get(name, ()) for name, column in found.items())
    for column in (scene.count_intersections(some), scene.compute_distance(points), scene.compute_signed_distance(points)):
        assert column.shape == shape
    assert scene.list_intersections(some)["ray_splits"].shape == (int(np.prod(shape)) + 1,)


def test_a_pinhole_camera_sees_what_it_looks_at() -> None:
    view = RaycastingScene.create_rays_pinhole(fov_deg=60, center=[0, 0, 0], eye=[0, 0, 4], up=[0, 1, 0], width_px=8, height_px=6)
    assert view.shape == (6, 8, 6) and view.dtype == np.float32
    assert np.allclose(view[..., :3], [0, 0, 4])
    assert np.allclose(view[2:4, 3:5, 3:].mean(axis=(0, 1)), [0, 0, -1], atol=1e-6)
    # The angle between the left and the right edge of the picture is the field of view; half a pixel is missing on either side.
    # Open3D's x goes to the left if its y goes up.
    assert view[0, 0, 3] - view[0, -1, 3] == pytest.approx(2 * np.tan(np.pi / 6) * 7 / 8, rel=1e-5)
    focal = 4 / np.tan(np.pi / 6)
    extrinsic = np.eye(4)
    extrinsic[:3, :3], extrinsic[:3, 3] = np.diag([-1, 1, -1]), [0, 0, 4]
    by_matrices = RaycastingScene.create_rays_pinhole(np.array([[focal, 0, 4], [0, focal, 3], [0, 0, 1]]), extrinsic, 8, 6)
    assert np.allclose(np.abs(by_matrices), np.abs(view), atol=1e-6)
    assert scene_of(shapes.box()).cast_rays(view)["t_hit"][2, 3] == pytest.approx(3.0)


def test_bad_input() -> None:
    scene = scene_of(shapes.box())
    for call in (
        lambda: scene.cast_rays(rays([0, 0, 0])),
        lambda: scene.cast_rays(np.zeros(6, dtype=np.float32)),
        lambda: scene.cast_rays(np.zeros((1, 6), dtype=np.int32)),
        lambda: scene.compute_signed_distance(rays([0, 0, 0]), nsamples=2),
        lambda: RaycastingScene.create_rays_pinhole(np.eye(2), np.eye(4), 8, 6),
    ):
        with pytest.raises(RuntimeError):
            call()
    with pytest.raises(ValueError, match=r"faces\[0, 2\]"):
        scene.add_triangles(TRIANGLE[0], np.array([[0, 1, 3]], dtype=np.uint32))
    assert scene.cast_rays(rays([0.25, 0.5, 3, 0, 0, -1]))["geometry_ids"].tolist() == [0]


def test_a_refused_tensor_leaves_the_scene_as_it_was() -> None:
    class Tensor:
        def cpu(self) -> Tensor:
            return self

        def numpy(self) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
            return TRIANGLE[0]

    Tensor.__module__ = "open3d.core"
    scene = scene_of((TRIANGLE[0].astype(np.float64), TRIANGLE[1].astype(np.int64)))
    wrong = np.array([[0, 1, 9]], dtype=np.uint32)
    with pytest.raises(ValueError):
        scene.add_triangles(Tensor(), wrong)
    assert isinstance(scene.cast_rays(rays([0.2, 0.1, 1, 0, 0, -1]))["t_hit"], np.ndarray)
