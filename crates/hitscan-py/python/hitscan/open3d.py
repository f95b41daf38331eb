"""`open3d.t.geometry.RaycastingScene`, answered by hitscan.

    scene = hitscan.open3d.RaycastingScene()
    scene.add_triangles(vertices, triangles)
    scene.cast_rays(rays)["t_hit"]

Arguments and answers are numpy arrays, and Open3D is not needed. If an argument is an Open3D tensor, or the scene was made of
tensors, the answers are tensors. `install()` puts the class into Open3D, for unmodified programs.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import Mesh, _crossings

__all__ = ["RaycastingScene", "install", "installed", "uninstall"]


def _is_tensor(value: Any) -> bool:
    """Returns whether a value is a tensor of Open3D, without importing Open3D."""
    return type(value).__module__.split(".")[0] == "open3d"


def _array(value: Any) -> NDArray[Any]:
    """Returns a value as an array."""
    return np.asarray(value.cpu().numpy() if _is_tensor(value) else value)


def _tensor(value: NDArray[Any]) -> Any:
    """Returns an array as a tensor."""
    return sys.modules["open3d"].core.Tensor(np.ascontiguousarray(value))


def _checked(value: Any, name: str, last: int) -> NDArray[np.float32]:
    array = _array(value)
    if array.ndim < 2 or array.shape[-1] != last:
        raise RuntimeError(f"{name} has the shape {array.shape}, but must have the shape (..., {last}), with two dimensions or more")
    if array.dtype != np.float32 and not np.issubdtype(array.dtype, np.floating):
        raise RuntimeError(f"{name} has the dtype {array.dtype}, but must be float32")
    return array.astype(np.float32, copy=False)


class RaycastingScene:
    """Triangle meshes, and queries of rays and points against all of them."""

    INVALID_ID = 0xFFFFFFFF

    def __init__(self, nthreads: int = 0, device: Any = None) -> None:
        """Makes an empty scene. `nthreads` caps the threads of a build; `device` is accepted and has no effect."""
        self._nthreads = nthreads
        self._vertices: list[NDArray[np.float32]] = []
        self._faces: list[NDArray[np.int64]] = []
        self._is_of_tensors = False
        self._made: tuple[Mesh, NDArray[np.int64], NDArray[np.int64]] | None = None

    def add_triangles(self, vertex_positions: Any, triangle_indices: Any = None) -> int:
        """Adds triangles, of arrays of shape (n, 3) and (m, 3) or of a triangle mesh of Open3D, and returns their id."""
        is_of_tensors = _is_tensor(vertex_positions)
        if triangle_indices is None:
            mesh = vertex_positions
            vertex_positions, triangle_indices = mesh.vertex.positions, mesh.triangle.indices
        vertices, faces = _array(vertex_positions), _array(triangle_indices)
        # This checks both, and names what is wrong.
        Mesh(vertices, faces, "fast", threads=self._nthreads)
        self._vertices.append(vertices.astype(np.float32).reshape(-1, 3))
        self._faces.append(faces.astype(np.int64).reshape(-1, 3))
        self._is_of_tensors |= is_of_tensors
        self._made = None
        return len(self._faces) - 1

    def _scene(self) -> tuple[Mesh, NDArray[np.int64], NDArray[np.int64]]:
        """Returns all triangles as one mesh, the index of the first triangle of each geometry, and the faces after vertices at the same position are merged."""
        made = self._made
        if made is None:
            offsets = np.cumsum([0, *map(len, self._vertices)])
            none = np.zeros((0, 3))
            vertices = np.concatenate([none.astype(np.float32), *self._vertices])
            faces = np.concatenate([none.astype(np.int64), *(f + o for f, o in zip(self._faces, offsets))])
            starts = np.cumsum([0, *map(len, self._faces)]).astype(np.int64)
            merged = _crossings.merged_vertices(vertices.astype(np.float64))
            made = (Mesh(vertices, faces, threads=self._nthreads), starts, merged[faces])
            self._made = made
        return made

    def _ids(self, triangle: NDArray[np.int64]) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
        """Returns the geometry of each triangle of the joined mesh, and the triangle's index in that geometry."""
        starts = self._scene()[1]
        # An empty geometry starts at the same triangle as the next geometry.
        geometry = np.searchsorted(starts[1:], triangle, side="right")
        own = triangle - starts[np.minimum(geometry, len(starts) - 1)]
        is_none = triangle < 0
        ids = (np.where(is_none, self.INVALID_ID, geometry), np.where(is_none, self.INVALID_ID, own))
        return ids[0].astype(np.uint32), ids[1].astype(np.uint32)

    def _out(self, answer: Any, given: Any) -> Any:
        if not (self._is_of_tensors or _is_tensor(given)):
            return answer
        if isinstance(answer, dict):
            return {name: _tensor(column) for name, column in answer.items()}
        return _tensor(answer)

    def cast_rays(self, rays: Any, nthreads: int = 0) -> dict[str, Any]:
        """Returns the first hit of each ray, of shape (..., 6): origin and direction."""
        array = _checked(rays, "rays", 6)
        hits = self._scene()[0].cast(array[..., :3], array[..., 3:], invalid="miss", threads=nthreads)
        geometry, primitive = self._ids(hits.triangle)
        answer = {
            "t_hit": hits.t,
            "geometry_ids": geometry,
            "primitive_ids": primitive,
            "primitive_uvs": np.stack([hits.u, hits.v], axis=-1),
            "primitive_normals": hits.normal,
        }
        return self._out(answer, rays)  # type: ignore[no-any-return]

    def test_occlusions(self, rays: Any, tnear: float = 0.0, tfar: float = float("inf"), nthreads: int = 0) -> Any:
        """Returns for each ray whether it hits anything from `tnear` to `tfar`."""
        array = _checked(rays, "rays", 6)
        blocked = self._scene()[0].is_blocked(
            array[..., :3], array[..., 3:], t_min=tnear, t_max=tfar, invalid="miss", threads=nthreads
        )
        return self._out(blocked, rays)

    def _crossed(self, rays: Any, nthreads: int) -> tuple[Any, NDArray[np.bool_], tuple[int, ...]]:
        """Returns all hits and the shape of the rays. Also returns, for each hit, whether it is the first at its
        crossing of its geometry."""
        array = _checked(rays, "rays", 6)
        flat = array.reshape(-1, 6)
        mesh, _, faces = self._scene()
        every = mesh.cast_all(flat[:, :3], flat[:, 3:], invalid="miss", threads=nthreads)
        groups = self._ids(every.triangle)[0].astype(np.int64)
        return every, _crossings.are_first(every, faces, groups), array.shape[:-1]

    def count_intersections(self, rays: Any, nthreads: int = 0) -> Any:
        """Returns how many surfaces each ray crosses."""
        every, first, shape = self._crossed(rays, nthreads)
        counts = np.bincount(every.ray[first], minlength=int(np.prod(shape))).astype(np.int32)
        return self._out(counts.reshape(shape), rays)

    def list_intersections(self, rays: Any, nthreads: int = 0) -> dict[str, Any]:
        """Returns all hits: the rows of ray i, nearest first, are at ray_splits[i] to ray_splits[i + 1]."""
        every, first, shape = self._crossed(rays, nthreads)
        counts = np.bincount(every.ray[first], minlength=int(np.prod(shape)))
        geometry, primitive = self._ids(every.triangle[first])
        answer = {
            "ray_splits": np.concatenate([[0], np.cumsum(counts)]).astype(np.uint32),
            "ray_ids": every.ray[first].astype(np.uint32),
            "t_hit": every.t[first],
            "geometry_ids": geometry,
            "primitive_ids": primitive,
            "primitive_uvs": np.stack([every.u[first], every.v[first]], axis=-1),
        }
        return self._out(answer, rays)  # type: ignore[no-any-return]

    def compute_closest_points(self, query_points: Any, nthreads: int = 0) -> dict[str, Any]:
        """Returns the nearest point of all surfaces for each point, of shape (..., 3)."""
        points = _checked(query_points, "query_points", 3)
        mesh, _, _ = self._scene()
        nearest = mesh.closest_point(points, threads=nthreads)
        geometry, primitive = self._ids(nearest.triangle)
        if len(mesh):
            corners = mesh.vertices[mesh.faces[nearest.triangle]]
            uvs, normals = _on_triangles(nearest.point, corners)
        else:
            uvs, normals = np.zeros((*points.shape[:-1], 2)), np.zeros(points.shape)
        answer = {
            "points": nearest.point.astype(np.float32),
            "geometry_ids": geometry,
            "primitive_ids": primitive,
            "primitive_uvs": uvs.astype(np.float32),
            "primitive_normals": normals.astype(np.float32),
        }
        return self._out(answer, query_points)  # type: ignore[no-any-return]

    def compute_distance(self, query_points: Any, nthreads: int = 0) -> Any:
        """Returns the distance of each point to the nearest surface."""
        points = _checked(query_points, "query_points", 3)
        distance = self._scene()[0].closest_point(points, threads=nthreads).distance
        return self._out(distance.astype(np.float32), query_points)

    def compute_signed_distance(self, query_points: Any, nthreads: int = 0, nsamples: int = 1) -> Any:
        """Returns the distance of each point, negative inside. `nsamples` is accepted and has no effect: one answer is exact."""
        _check_samples(nsamples)
        points = _checked(query_points, "query_points", 3)
        mesh = self._scene()[0]
        distance = mesh.closest_point(points, threads=nthreads).distance
        signed = np.where(_crossings.are_enclosed(mesh, points, nthreads), -distance, distance)
        return self._out(signed.astype(np.float32), query_points)

    def compute_occupancy(self, query_points: Any, nthreads: int = 0, nsamples: int = 1) -> Any:
        """Returns 1 for each point that an odd number of surfaces encloses, whichever way they face, else 0. `nsamples` is accepted and has no effect."""
        _check_samples(nsamples)
        points = _checked(query_points, "query_points", 3)
        inside = _crossings.are_enclosed(self._scene()[0], points, nthreads)
        return self._out(inside.astype(np.float32), query_points)

    @staticmethod
    def create_rays_pinhole(*args: Any, **kwargs: Any) -> Any:
        """Returns the rays of a pinhole camera, of shape (height, width, 6), through the middles of pixels.

        The arguments are `(intrinsic_matrix, extrinsic_matrix, width_px, height_px)`, or `(fov_deg, center, eye, up, width_px, height_px)`
        with the horizontal field of view.
        """
        is_by_view = "fov_deg" in kwargs or (not kwargs.keys() & {"intrinsic_matrix"} and len(args) + len(kwargs) == 6)
        rays = (_rays_by_view if is_by_view else _rays_by_matrices)(*args, **kwargs)
        return _tensor(rays) if any(map(_is_tensor, (*args, *kwargs.values()))) else rays


def _check_samples(nsamples: int) -> None:
    if nsamples < 1 or nsamples % 2 == 0:
        raise RuntimeError(f"nsamples is {nsamples}, but must be an odd number above 0")


def _on_triangles(points: NDArray[np.float64], corners: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Returns the barycentrics of points on triangles, and the triangles' normals."""
    a, ab, ac = corners[..., 0, :], corners[..., 1, :] - corners[..., 0, :], corners[..., 2, :] - corners[..., 0, :]
    across = np.cross(ab, ac)
    area = np.linalg.norm(across, axis=-1, keepdims=True)
    normals = across / np.where(area > 0.0, area, 1.0)
    square = np.maximum((area * area)[..., 0], np.finfo(np.float64).tiny)
    u = (np.cross(points - a, ac) * across).sum(axis=-1) / square
    v = (np.cross(ab, points - a) * across).sum(axis=-1) / square
    return np.clip(np.stack([u, v], axis=-1), 0.0, 1.0), normals


def _rays_by_matrices(intrinsic_matrix: Any, extrinsic_matrix: Any, width_px: int, height_px: int) -> NDArray[np.float32]:
    intrinsic, extrinsic = (_array(matrix).astype(np.float64) for matrix in (intrinsic_matrix, extrinsic_matrix))
    if intrinsic.shape != (3, 3) or extrinsic.shape != (4, 4):
        raise RuntimeError(f"the matrices have the shapes {intrinsic.shape} and {extrinsic.shape}, but must have (3, 3) and (4, 4)")
    to_world = extrinsic[:3, :3].T
    x, y = np.meshgrid(np.arange(width_px) + 0.5, np.arange(height_px) + 0.5)
    pixels = np.stack([x, y, np.ones_like(x)], axis=-1)
    directions = pixels @ (to_world @ np.linalg.inv(intrinsic)).T
    origins = np.broadcast_to(-to_world @ extrinsic[:3, 3], directions.shape)
    return np.concatenate([origins, directions], axis=-1).astype(np.float32)


def _rays_by_view(fov_deg: float, center: Any, eye: Any, up: Any, width_px: int, height_px: int) -> NDArray[np.float32]:
    middle, place, upwards = (_array(vector).astype(np.float64) for vector in (center, eye, up))
    focal = 0.5 * width_px / np.tan(0.5 * np.radians(fov_deg))
    intrinsic = np.array([[focal, 0.0, 0.5 * width_px], [0.0, focal, 0.5 * height_px], [0.0, 0.0, 1.0]])
    forward = (middle - place) / np.linalg.norm(middle - place)
    right = np.cross(upwards, forward)
    right /= np.linalg.norm(right)
    extrinsic = np.eye(4)
    extrinsic[:3, :3] = np.stack([right, np.cross(forward, right), forward])
    extrinsic[:3, 3] = -extrinsic[:3, :3] @ place
    return _rays_by_matrices(intrinsic, extrinsic, width_px, height_px)


_before: list[Any] = []


def install() -> None:
    """Puts the class into Open3D, where programs find it as `open3d.t.geometry.RaycastingScene`. `uninstall` undoes it."""
    open3d: Any = importlib.import_module("open3d")
    if not _before:
        _before.append(open3d.t.geometry.RaycastingScene)
        open3d.t.geometry.RaycastingScene = RaycastingScene


def uninstall() -> None:
    """Undoes `install`."""
    if _before:
        sys.modules["open3d"].t.geometry.RaycastingScene = _before.pop()


@contextmanager
def installed() -> Iterator[None]:
    """Installs the class for the duration of a `with` block."""
    was_installed = bool(_before)
    install()
    try:
        yield
    finally:
        if not was_installed:
            uninstall()
