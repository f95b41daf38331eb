"""Ray, proximity and collision queries of trimesh, answered by hitscan.

For one mesh:

    mesh.ray = hitscan.trimesh.RayMeshIntersector(mesh)
    mesh.nearest = hitscan.trimesh.ProximityQuery(mesh)

For collisions, without python-fcl:

    manager = hitscan.trimesh.CollisionManager()

For every mesh and manager that is made from then on, in an unmodified program:

    hitscan.trimesh.install()

The classes have the methods of trimesh's own, with their arguments, answers and conventions: `signed_distance` is positive inside. What
differs is listed in docs/python.md.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import trimesh as _trimesh
from numpy.typing import ArrayLike, NDArray
from trimesh import collision as _trimesh_collision
from trimesh import proximity as _proximity
from trimesh import ray as _ray
from trimesh.constants import tol as _tol

from . import AllHits, Hits, Mesh, Nearest
from . import _crossings
from ._bodies import CollisionObject, mesh_to_BVH, mesh_to_convex, surface
from ._collision import CollisionManager, scene_to_collision

__all__ = [
    "CollisionManager",
    "CollisionObject",
    "ProximityQuery",
    "RayMeshIntersector",
    "closest_point",
    "install",
    "installed",
    "mesh_to_BVH",
    "mesh_to_convex",
    "scene_to_collision",
    "signed_distance",
    "uninstall",
]

_Floats = NDArray[np.float64]
_Ints = NDArray[np.int64]

# trimesh counts triangles as equally near if they are farther than the nearest triangle by at most this.
_TIE = 1e-8


class _Tree(NamedTuple):
    """The data that is computed once for each mesh."""

    mesh: Mesh
    # The faces after vertices at the same position are merged: triangles touch if they share such a vertex.
    faces: _Ints
    # True if the faces have no border, so that each point is inside or outside.
    is_closed: bool


def _tree(mesh: Any) -> _Tree:
    """Returns the tree of a mesh, which is made again if vertices or faces changed."""
    cache = mesh._cache
    made: _Tree | None = cache["hitscan"]
    if made is None:
        vertices, faces = np.asarray(mesh.vertices, np.float64), np.asarray(mesh.faces, np.int64).reshape(-1, 3)
        merged = _crossings.merged_vertices(vertices)[faces]
        made = _Tree(surface(mesh), merged, _crossings.are_closed(merged))
        cache["hitscan"] = made
    return made


def _rays(ray_origins: ArrayLike, ray_directions: ArrayLike) -> tuple[_Floats, _Floats]:
    origins = np.asarray(ray_origins, dtype=np.float64)
    directions = np.asarray(ray_directions, dtype=np.float64)
    if origins.shape != directions.shape:
        raise ValueError("Ray origin and direction don't match!")
    if origins.ndim != 2 or origins.shape[1] != 3:
        if origins.size:
            raise ValueError(f"rays have the shape {origins.shape}, but must have the shape (n, 3)")
        return np.zeros((0, 3)), np.zeros((0, 3))
    # Scaling by a power of two does not change a direction. After it, float32 can hold every length.
    _, exponents = np.frexp(np.abs(directions).max(axis=1, initial=0.0))
    return origins, np.ldexp(directions, -exponents[:, None])


def _points(points: ArrayLike) -> _Floats:
    array = np.asarray(points, dtype=np.float64)
    if array.ndim != 2 or array.shape[1] != 3:
        raise ValueError("points must be (n,3)")
    return array


class RayMeshIntersector:
    """Ray queries of a trimesh. It replaces the `RayMeshIntersector` of `trimesh.ray.ray_pyembree` and of `trimesh.ray.ray_triangle`."""

    def __init__(self, geometry: Any = None, scale_to_box: bool = True, **kwargs: Any) -> None:
        """Takes a mesh. `scale_to_box` is accepted and has no effect: hitscan is exact at every scale."""
        self.mesh = kwargs.get("mesh") if geometry is None else geometry
        self._scale_to_box = scale_to_box

    def intersects_id(
        self,
        ray_origins: ArrayLike,
        ray_directions: ArrayLike,
        multiple_hits: bool = True,
        max_hits: int = 100,
        return_locations: bool = False,
        **kwargs: Any,
    ) -> tuple[_Ints, _Ints] | tuple[_Ints, _Ints, _Floats]:
        """Returns the triangle and the ray of each hit, and its position if `return_locations`. Hits are ordered by ray and then by distance."""
        origins, directions = _rays(ray_origins, ray_directions)
        tree = _tree(self.mesh)
        if multiple_hits:
            every = tree.mesh.cast_all(origins, directions, invalid="miss")
            keep = self._are_crossings(every, tree)
            triangles, rays, locations = every.triangle[keep], every.ray[keep], every.point[keep]
            if len(rays) > max_hits:
                keep = _crossings.ranks(rays) < max_hits
                triangles, rays, locations = triangles[keep], rays[keep], locations[keep]
        else:
            hits: Hits = tree.mesh.cast(origins, directions, invalid="miss")
            rays = np.flatnonzero(hits.hit)
            triangles, locations = hits.triangle[rays], hits.point[rays]
        if return_locations:
            return triangles, rays, locations
        return triangles, rays

    def intersects_location(
        self, ray_origins: ArrayLike, ray_directions: ArrayLike, multiple_hits: bool = True, **kwargs: Any
    ) -> tuple[_Floats, _Ints, _Ints]:
        """Returns the position, the ray and the triangle of each hit."""
        kwargs["return_locations"] = True
        found = self.intersects_id(ray_origins, ray_directions, multiple_hits=multiple_hits, **kwargs)
        return found[2], found[1], found[0]  # type: ignore[misc]

    def intersects_first(self, ray_origins: ArrayLike, ray_directions: ArrayLike) -> _Ints:
        """Returns the first triangle of each ray, -1 on a miss."""
        origins, directions = _rays(ray_origins, ray_directions)
        return _tree(self.mesh).mesh.cast(origins, directions, invalid="miss").triangle

    def intersects_any(self, ray_origins: ArrayLike, ray_directions: ArrayLike) -> NDArray[np.bool_]:
        """Returns for each ray whether it hits anything."""
        origins, directions = _rays(ray_origins, ray_directions)
        return _tree(self.mesh).mesh.is_blocked(origins, directions, invalid="miss")

    def contains_points(self, points: ArrayLike) -> NDArray[np.bool_]:
        """Returns for each point whether it is inside. The answer is exact if the mesh has no border; otherwise it is trimesh's vote of two rays."""
        array = _points(points)
        if len(array) and _tree(self.mesh).is_closed:
            return _enclosed(self.mesh, array)
        return np.asarray(_ray.ray_util.contains_points(_Crossings(self.mesh), array))

    def _are_crossings(self, every: AllHits, tree: _Tree) -> NDArray[np.bool_]:
        """Returns which hits are reported."""
        return _crossings.are_first(every, tree.faces) & ~_repeats(every.ray, every.point)

    def __getstate__(self) -> dict[str, Any]:
        return dict(self.__dict__)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    def __copy__(self) -> RayMeshIntersector:
        return RayMeshIntersector(self.mesh, scale_to_box=self._scale_to_box)

    def __deepcopy__(self, memo: Any = None) -> RayMeshIntersector:
        return self.__copy__()


class _Crossings(RayMeshIntersector):
    """An intersector for parity, which needs every crossing: also crossings that are close together, and more than `max_hits`."""

    def intersects_id(self, *args: Any, **kwargs: Any) -> Any:
        return super().intersects_id(*args, **{**kwargs, "max_hits": sys.maxsize})

    def _are_crossings(self, every: AllHits, tree: _Tree) -> NDArray[np.bool_]:
        return _crossings.are_first(every, tree.faces)


def _repeats(rays: _Ints, locations: _Floats) -> NDArray[np.bool_]:
    """Returns for each hit whether it is at the position of the hit before, within trimesh's tolerance for merging."""
    repeats = np.zeros(len(rays), dtype=np.bool_)
    near = np.abs(locations[1:] - locations[:-1]).max(axis=1, initial=0.0) <= _tol.merge
    repeats[1:] = (rays[1:] == rays[:-1]) & near
    return repeats


def _is_exact(mesh: Any) -> bool:
    """Returns whether the parity of a point agrees with its exact winding number: the mesh is one closed surface that faces outwards."""
    # trimesh divides by the volume, which is zero where bodies face opposite ways.
    with np.errstate(divide="ignore", invalid="ignore"):
        return bool(mesh.is_volume) and mesh.body_count == 1


def _enclosed(mesh: Any, points: _Floats) -> NDArray[np.bool_]:
    """Returns which points are inside of a mesh without a border, by the parity of their winding numbers."""
    own = _tree(mesh).mesh
    return own.contains(points) if _is_exact(mesh) else _crossings.are_enclosed(own, points)


def _nearest(mesh: Any, points: _Floats) -> Nearest:
    return _tree(mesh).mesh.closest_point(points, ties="facing", tie_tolerance=_TIE)


def closest_point(mesh: Any, points: ArrayLike) -> tuple[_Floats, _Floats, _Ints]:
    """Returns the nearest point of the surface for each point, its distance and its triangle."""
    nearest = _nearest(mesh, _points(points))
    return nearest.point, nearest.distance, nearest.triangle


def signed_distance(mesh: Any, points: ArrayLike) -> _Floats:
    """Returns the distance of each point to the surface, positive inside, as in trimesh."""
    array = _points(points)
    nearest = _nearest(mesh, array)
    distance = nearest.distance.copy()
    if _is_exact(mesh):
        sign = np.where(nearest.containment == 1, 1.0, -1.0)
    elif _tree(mesh).is_closed:
        sign = np.where(_enclosed(mesh, array), 1.0, -1.0)
    else:
        sign = _sign_of_open(mesh, array, nearest)
    away = distance > _tol.merge
    distance[away] *= sign[away]
    return distance


def _sign_of_open(mesh: Any, points: _Floats, nearest: Nearest) -> _Floats:
    """Returns 1 inside and -1 outside of a mesh that encloses no single volume: by the nearest triangle where the point is above or below it, else by parity."""
    height = ((points - nearest.point) * mesh.face_normals[nearest.triangle]).sum(axis=1)
    sign = np.where(height > 0.0, -1.0, 1.0)
    beside = nearest.feature != 0
    sign[beside] = np.where(mesh.ray.contains_points(points[beside]), 1.0, -1.0)
    return sign


class ProximityQuery(_proximity.ProximityQuery):
    """Nearest points of a trimesh. It replaces `trimesh.proximity.ProximityQuery`."""

    def on_surface(self, points: ArrayLike) -> tuple[_Floats, _Floats, _Ints]:
        """Returns the nearest point of the surface for each point, its distance and its triangle."""
        return closest_point(self._mesh, points)

    def signed_distance(self, points: ArrayLike) -> _Floats:
        """Returns the distance of each point to the surface, positive inside."""
        return signed_distance(self._mesh, points)


_MODULE = "trimesh.ray.ray_pyembree"
# The attributes of trimesh that `install` replaced.
_before: list[tuple[Any, str, Any]] = []


def install() -> None:
    """Lets every mesh of trimesh that is made from now on ask hitscan: its `ray`, its `nearest`, and the functions of `trimesh.proximity`.

    The names of `trimesh.collision` that need python-fcl are replaced too.

    Packages that look for Embree, such as pyvista, find hitscan in its place. `uninstall` undoes it.

    """
    if _before:
        return
    module = ModuleType(_MODULE)
    module.__dict__["RayMeshIntersector"] = RayMeshIntersector
    _before.append((sys.modules, _MODULE, sys.modules.get(_MODULE)))
    sys.modules[_MODULE] = module
    new: list[tuple[Any, str, Any]] = [
        (_ray, "ray_pyembree", module),
        (_ray, "has_embree", True),
        (_proximity, "closest_point", closest_point),
        (_proximity, "signed_distance", signed_distance),
        (_proximity, "ProximityQuery", ProximityQuery),
        (_trimesh_collision, "CollisionManager", CollisionManager),
        (_trimesh_collision, "mesh_to_BVH", mesh_to_BVH),
        (_trimesh_collision, "mesh_to_convex", mesh_to_convex),
        (_trimesh_collision, "scene_to_collision", scene_to_collision),
    ]
    for owner, name, value in new:
        _before.append((owner, name, getattr(owner, name)))
        setattr(owner, name, value)


def uninstall() -> None:
    """Undoes `install`. Meshes that were made in between keep asking hitscan."""
    while _before:
        owner, name, value = _before.pop()
        if owner is not sys.modules:
            setattr(owner, name, value)
        elif value is None:
            del sys.modules[name]
        else:
            sys.modules[name] = value


@contextmanager
def installed() -> Iterator[None]:
    """Installs the classes for the duration of a `with` block."""
    was_installed = bool(_before)
    install()
    try:
        yield
    finally:
        if not was_installed:
            uninstall()
