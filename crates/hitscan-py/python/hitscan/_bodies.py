"""The geometry of trimeshes, and objects that are placed by a transform."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import Mesh, Shape

_Floats = NDArray[np.float64]

# Heights of vertices that differ by less than this, relative to the size, are the same. Rounding is far smaller than
# this, and angles of faces are far larger.
_LEVEL = 1e-8


class Body(NamedTuple):
    """The geometry of a trimesh. It is the hull of a convex trimesh, and otherwise the surface."""

    geometry: Mesh | Shape
    # The point of the mesh's space that the coordinates of a hull are relative to. A surface has an origin of its own.
    center: _Floats
    # The vertices of a hull relative to the center, in the order of the mesh, and the planes of its faces. A surface
    # has no rows.
    vertices: _Floats
    planes: _Floats

    @property
    def is_solid(self) -> bool:
        return len(self.vertices) > 0

    def matrix(self, transform: _Floats) -> _Floats:
        """Returns the transform of the geometry, given the transform of the mesh."""
        matrix = transform.copy()
        matrix[:3, 3] += transform[:3, :3] @ self.center
        return matrix

    def contains(self, points: _Floats, slack: float) -> NDArray[np.bool_]:
        """Returns which points are in the hull or within `slack` of it, in the space of the geometry."""
        return np.asarray((points @ self.planes[:, :3].T <= self.planes[:, 3] + slack).all(axis=1))


def surface(mesh: Any) -> Mesh:
    """Returns the triangles of a trimesh with a tree, which is made again if vertices or faces changed."""
    made: Mesh | None = mesh._cache["hitscan_mesh"]
    if made is None:
        made = mesh_to_BVH(mesh)
        mesh._cache["hitscan_mesh"] = made
    return made


def mesh_to_BVH(mesh: Any) -> Mesh:
    """Returns the surface of a trimesh: the geometry of a mesh that is not convex."""
    return Mesh(np.asarray(mesh.vertices, np.float64).reshape(-1, 3), np.asarray(mesh.faces, np.int64).reshape(-1, 3))


def mesh_to_convex(mesh: Any) -> Shape:
    """Returns the convex hull of a trimesh, a solid: the geometry of a convex mesh."""
    return Shape.hull(_hull_vertices(mesh))


def _hull_vertices(mesh: Any) -> _Floats:
    """Returns the vertices of the faces, in their order."""
    return np.asarray(mesh.vertices, np.float64)[np.unique(np.asarray(mesh.faces, np.int64))]


def body_of(mesh: Any) -> Body:
    """Returns the geometry of a trimesh, which is made again if vertices or faces changed."""
    if not (hasattr(mesh, "is_convex") and hasattr(mesh, "_cache")):
        raise TypeError(f"a {type(mesh).__name__} cannot collide: give a trimesh.Trimesh")
    body: Body | None = mesh._cache["hitscan_body"]
    if body is None:
        body = (_hull(mesh) if mesh.is_convex else None) or Body(surface(mesh), np.zeros(3), np.zeros((0, 3)), np.zeros((0, 4)))
        mesh._cache["hitscan_body"] = body
    return body


def _hull(mesh: Any) -> Body | None:
    """Returns the hull of a mesh; `None` if it is flat."""
    vertices = _hull_vertices(mesh)
    center = (vertices.min(axis=0) + vertices.max(axis=0)) / 2.0
    vertices = vertices - center
    try:
        shape = Shape.hull(vertices)
    except ValueError:
        return None
    normals = np.asarray(mesh.face_normals, np.float64)
    corners = np.asarray(mesh.triangles, np.float64)[:, 0] - center
    return Body(shape, center, vertices, np.column_stack((normals, (normals * corners).sum(axis=1))))


def transform_of(transform: ArrayLike | None) -> _Floats:
    if transform is None:
        return np.eye(4)
    matrix = np.asarray(transform, dtype=np.float64)
    if matrix.shape != (4, 4):
        raise ValueError(f"transform must be (4,4)! Its shape is {matrix.shape}")
    return matrix


class CollisionObject:
    """An object of a `CollisionManager`, with the names that python-fcl has for its place. The manager changes the place, by `set_transform`."""

    def __init__(self, body: Body, transform: _Floats) -> None:
        self.body = body
        self.place(transform)

    def getRotation(self) -> _Floats:
        """Returns the matrix of shape (3, 3) of its transform."""
        return self.transform[:3, :3].copy()

    def getTranslation(self) -> _Floats:
        """Returns the translation of its transform."""
        return self.transform[:3, 3].copy()

    def place(self, transform: _Floats) -> None:
        self.transform = transform
        self._placed: tuple[_Floats, float] | None = None

    def _vertices(self) -> tuple[_Floats, float]:
        """Returns the vertices of its hull in the world. Also returns the amount by which the heights of level vertices
        may differ."""
        if self._placed is None:
            matrix = self.body.matrix(self.transform)
            vertices = self.body.vertices @ matrix[:3, :3].T + matrix[:3, 3]
            self._placed = vertices, _LEVEL * float(np.abs(vertices - vertices[0]).max())
        return self._placed

    def farthest(self, direction: _Floats) -> _Floats:
        """Returns the vertices of its hull that are farthest in a direction: several if they are level."""
        vertices, slack = self._vertices()
        heights = vertices @ direction
        level: _Floats = vertices[heights >= heights.max() - slack]
        return level

    def contains(self, points: _Floats) -> NDArray[np.bool_]:
        """Returns which points of the world are in its hull, or level with its faces."""
        matrix, slack = self.body.matrix(self.transform), self._vertices()[1]
        inverse = np.linalg.inv(matrix[:3, :3])
        return self.body.contains((points - matrix[:3, 3]) @ inverse.T, slack * float(np.linalg.norm(inverse)))
