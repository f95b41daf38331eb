"""Geometries with the names of python-fcl. Their axes are along z, and their centres at 0."""

from __future__ import annotations

import math
import weakref
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import Mesh, Scene, Shape
from ._data import NODE_TYPE, OBJECT_TYPE

_Floats = NDArray[np.float64]


class Watched:
    """Something whose watchers learn of its changes. They are held weakly."""

    def __init__(self) -> None:
        self._watchers: weakref.WeakSet[Any] = weakref.WeakSet()

    def _watch(self, watcher: Any) -> None:
        self._watchers.add(watcher)

    def _unwatch(self, watcher: Any) -> None:
        self._watchers.discard(watcher)

    def _changed(self) -> None:
        for watcher in list(self._watchers):
            watcher._is_told(self)


class Body(NamedTuple):
    """What a scene holds of a geometry."""

    geometry: Shape | Mesh
    # The transform from the scene's geometry to the geometry's own space, of shape (4, 4).
    matrix: _Floats


class _Number:
    """A size that may be changed."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, geometry: CollisionGeometry, _owner: Any = None) -> float:
        return float(geometry._values[self._name])

    def __set__(self, geometry: CollisionGeometry, value: float) -> None:
        number = float(value)
        if not np.isfinite(number):
            raise ValueError(f"{self._name} must be finite, and is {value}")
        geometry._set(self._name, number)


class _Vector:
    """Three numbers that may be changed together. What is read is a copy."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, geometry: CollisionGeometry, _owner: Any = None) -> _Floats:
        return np.array(geometry._values[self._name])

    def __set__(self, geometry: CollisionGeometry, value: ArrayLike) -> None:
        geometry._set(self._name, vector(value, self._name))


def vector(value: ArrayLike, name: str) -> _Floats:
    """Returns a copy of three finite numbers."""
    numbers = np.array(value, np.float64)
    if numbers.shape != (3,) or not all(map(math.isfinite, numbers.tolist())):
        raise ValueError(f"{name} must be three finite numbers, and is {value!r}")
    return numbers


class CollisionGeometry(Watched):
    """The geometry of an object. The base class has no geometry."""

    _node: int | None = None
    _object = OBJECT_TYPE.OT_GEOM

    def __init__(self) -> None:
        """Makes no geometry."""
        super().__init__()
        self._values: dict[str, Any] = {}
        self._body: Body | None = None

    def getNodeType(self) -> int | None:
        """Returns one of `NODE_TYPE`; `None` for no geometry."""
        return self._node

    def computeLocalAABB(self) -> None:
        """Does nothing: boxes always follow the geometry."""

    @property
    def aabb_center(self) -> _Floats | None:
        """The centre of the box around the geometry, in its own space."""
        if self._node is None:
            return None
        centre: _Floats = self._bounds().mean(axis=0)
        return centre

    def _bounds(self) -> _Floats:
        """Returns the box around the geometry in its own space, of shape (2, 3)."""
        body, scene = self._made(), Scene()
        scene.insert(0, body.geometry, body.matrix)
        return scene.bounds(0)

    def _made(self) -> Body:
        """Returns what a scene holds. It is made when it is first needed and after changes."""
        if self._body is None:
            self._body = self._make()
        return self._body

    def _make(self) -> Body:
        raise ValueError(f"a {type(self).__name__} has no geometry")

    def _set(self, name: str, value: Any) -> None:
        """Changes a value. A value of which nothing can be made is refused, and changes nothing."""
        is_new, before = name not in self._values, self._values.get(name)
        self._values[name], self._body = value, None
        if is_new:
            return
        try:
            self._made()
        except ValueError:
            self._values[name] = before
            raise
        self._changed()


class Box(CollisionGeometry):
    """A box with three lengths of sides."""

    _node = NODE_TYPE.GEOM_BOX
    side = _Vector()

    def __init__(self, x: float, y: float, z: float) -> None:
        """Makes a box with the lengths of its sides along x, y and z."""
        super().__init__()
        self.side = np.array([x, y, z], np.float64)
        self._made()

    def _make(self) -> Body:
        half = _sizes(self, self.side, "side") / 2.0
        return Body(Shape.box(-half, half), np.eye(4))


class Sphere(CollisionGeometry):
    """A ball."""

    _node = NODE_TYPE.GEOM_SPHERE
    radius = _Number()

    def __init__(self, radius: float) -> None:
        """Makes a ball of a radius."""
        super().__init__()
        self.radius = radius
        self._made()

    def _make(self) -> Body:
        return Body(Shape.sphere(_size(self, self.radius, "radius")), np.eye(4))


class Ellipsoid(CollisionGeometry):
    """An ellipsoid along the axes."""

    _node = NODE_TYPE.GEOM_ELLIPSOID
    radii = _Vector()

    def __init__(self, a: float, b: float, c: float) -> None:
        """Makes an ellipsoid with its radii along x, y and z."""
        super().__init__()
        self.radii = np.array([a, b, c], np.float64)
        self._made()

    def _make(self) -> Body:
        return Body(Shape.sphere(1.0), np.diag([*_sizes(self, self.radii, "radii"), 1.0]))


class _Round(CollisionGeometry):
    """A geometry around the z axis, with a radius and the distance of its two ends."""

    radius = _Number()
    lz = _Number()

    def __init__(self, radius: float, lz: float) -> None:
        """Makes it of a radius and of a length along z."""
        super().__init__()
        self.radius, self.lz = radius, lz
        self._made()

    def _make(self) -> Body:
        top = np.array([0.0, 0.0, _size(self, self.lz, "lz") / 2.0])
        return Body(self._between(-top, top, _size(self, self.radius, "radius")), np.eye(4))

    def _between(self, bottom: _Floats, top: _Floats, radius: float) -> Shape:
        raise NotImplementedError


class Capsule(_Round):
    """A capsule along z. Its length is without the two half balls."""

    _node = NODE_TYPE.GEOM_CAPSULE

    def _between(self, bottom: _Floats, top: _Floats, radius: float) -> Shape:
        return Shape.capsule(bottom, top, radius)


class Cone(_Round):
    """A cone along z. Its base is below, and its apex above."""

    _node = NODE_TYPE.GEOM_CONE

    def _between(self, bottom: _Floats, top: _Floats, radius: float) -> Shape:
        return Shape.cone(bottom, top, radius)


class Cylinder(_Round):
    """A cylinder along z."""

    _node = NODE_TYPE.GEOM_CYLINDER

    def _between(self, bottom: _Floats, top: _Floats, radius: float) -> Shape:
        return Shape.cylinder(bottom, top, radius)


class TriangleP(CollisionGeometry):
    """A triangle. It has no inside."""

    _node = NODE_TYPE.GEOM_TRIANGLE
    a = _Vector()
    b = _Vector()
    c = _Vector()

    def __init__(self, a: ArrayLike, b: ArrayLike, c: ArrayLike) -> None:
        """Makes a triangle of its corners."""
        super().__init__()
        self.a, self.b, self.c = vector(a, "a"), vector(b, "b"), vector(c, "c")
        self._made()

    def _make(self) -> Body:
        corners = np.array([self.a, self.b, self.c])
        matrix = _moved_by(_middle(corners))
        return Body(Shape.triangle(*(corners - matrix[:3, 3])), matrix)


class Convex(CollisionGeometry):
    """The convex hull of points, a solid."""

    _node = NODE_TYPE.GEOM_CONVEX

    def __init__(self, vertices: ArrayLike, num_faces: int, faces: ArrayLike) -> None:
        """Makes the hull of vertices, of shape (n, 3). The faces, each the number of its corners and their indices, are checked, and the hull has its own."""
        super().__init__()
        points, numbers = np.array(vertices, np.float64), np.array(faces).astype(np.int64).ravel()
        if points.ndim != 2 or points.shape[1] != 3:
            raise ValueError(f"vertices must be of shape (n, 3), and are of shape {points.shape}")
        _check_faces(len(points), num_faces, numbers)
        self._points, self._count = points, int(num_faces)
        self._made()

    @property
    def num_faces(self) -> int:
        """The number of the faces that were given."""
        return self._count

    def _make(self) -> Body:
        matrix = _moved_by(_middle(self._points))
        return Body(Shape.hull(self._points - matrix[:3, 3]), matrix)


class Plane(CollisionGeometry):
    """A plane without an inside: all points whose component along `n` is `d`."""

    _node = NODE_TYPE.GEOM_PLANE
    n = _Vector()
    d = _Number()

    def __init__(self, n: ArrayLike, d: float) -> None:
        """Makes a plane of its normal, of any length, and the component of its points along that normal, times the normal's length."""
        super().__init__()
        self.n, self.d = vector(n, "n"), d
        self._made()

    def _make(self) -> Body:
        length = float(np.linalg.norm(self.n))
        if length == 0.0:
            raise ValueError("n is 0: give the normal of the plane")
        normal = self.n / length
        return Body(Shape.plane(np.zeros(3), normal), _moved_by(normal * (self.d / length)))


class Halfspace(CollisionGeometry):
    """All points on one side of a plane. No scene of hitscan has such an object, so none can be made."""

    _node = NODE_TYPE.GEOM_HALFSPACE

    def __init__(self, n: ArrayLike, d: float) -> None:
        """Raises an error that names what to use."""
        _refuse("fcl.Halfspace is not supported: use a fcl.Box that is large enough")


class OcTree(CollisionGeometry):
    """A tree of occupied cubes. None can be made."""

    _node = NODE_TYPE.GEOM_OCTREE
    _object = OBJECT_TYPE.OT_OCTREE

    def __init__(self, r: float, data: bytes) -> None:
        """Raises an error that names what to use."""
        _refuse("fcl.OcTree is not supported: use a fcl.BVHModel of the faces of its cubes")


class BVHModel(CollisionGeometry):
    """A mesh: the surface of its triangles, which has no inside."""

    _node = NODE_TYPE.BV_OBBRSS
    _object = OBJECT_TYPE.OT_BVH

    def __init__(self) -> None:
        """Makes a model without triangles. Call `beginModel`, add triangles, and call `endModel`."""
        super().__init__()
        self._state = 0
        self._points: list[_Floats] = []
        self._faces: list[NDArray[np.int64]] = []

    def num_tries_(self) -> int:
        """Returns the number of triangles."""
        return sum(map(len, self._faces))

    def buildState(self) -> int:
        """Returns 0 for a model without triangles, 1 after `beginModel`, and 2 after `endModel`."""
        return self._state

    def beginModel(self, num_tris_: int = 0, num_vertices_: int = 0) -> int:
        """Begins a model, and forgets the triangles of an earlier one. The numbers are hints, and have no effect."""
        self._state, self._points, self._faces = 1, [], []
        return 0

    def addVertex(self, x: float, y: float, z: float) -> bool:
        """Adds a vertex, which no triangle uses yet."""
        return self._add(vector([x, y, z], "the vertex")[None], np.zeros((0, 3), np.int64))

    def addTriangle(self, v1: ArrayLike, v2: ArrayLike, v3: ArrayLike) -> bool:
        """Adds a triangle with its own three vertices."""
        corners = np.array([vector(v1, "v1"), vector(v2, "v2"), vector(v3, "v3")])
        return self._add(corners, np.arange(3)[None])

    def addSubModel(self, verts: ArrayLike, triangles: ArrayLike) -> bool:
        """Adds triangles: their vertices, of shape (n, 3), and the indices of each triangle among these vertices, of shape (m, 3)."""
        points, faces = np.array(verts, np.float64), np.array(triangles)
        if points.ndim != 2 or points.shape[1] != 3:
            raise ValueError(f"verts must be of shape (n, 3), and are of shape {points.shape}")
        if faces.ndim != 2 or faces.shape[1] != 3:
            raise ValueError(f"triangles must be of shape (m, 3), and are of shape {faces.shape}")
        faces = faces.astype(np.int64)
        if len(faces) and (faces.min() < 0 or faces.max() >= len(points)):
            raise ValueError(f"triangles has the index {faces.max() if faces.min() >= 0 else faces.min()}, but there are {len(points)} verts")
        return self._add(points, faces)

    def endModel(self) -> int:
        """Builds the tree of the model."""
        if self._state != 1:
            raise ValueError("endModel was called without beginModel")
        if self.num_tries_() == 0:
            raise ValueError("the model has no triangles: add some before endModel")
        before = self._body
        self._body = None
        try:
            self._made()
        except ValueError:
            self._body = before
            raise
        self._state = 2
        self._changed()
        return 0

    def _add(self, points: _Floats, faces: NDArray[np.int64]) -> bool:
        if self._state != 1:
            raise ValueError("call beginModel before vertices and triangles are added")
        self._faces.append(faces + sum(map(len, self._points)))
        self._points.append(points)
        return True

    def _make(self) -> Body:
        if self.num_tries_() == 0 or self._state == 0:
            raise ValueError("the model has no triangles: call beginModel, add triangles, and call endModel")
        return Body(Mesh(np.concatenate(self._points), np.concatenate(self._faces)), np.eye(4))


def _refuse(message: str) -> NoReturn:
    raise NotImplementedError(message)


def _size(geometry: CollisionGeometry, value: float, name: str) -> float:
    if not (np.isfinite(value) and value > 0.0):
        raise ValueError(f"{name} of a {type(geometry).__name__} must be finite and above 0, and is {value}")
    return value


def _sizes(geometry: CollisionGeometry, values: _Floats, name: str) -> _Floats:
    for value in values.tolist():
        _size(geometry, value, name)
    return values


def _middle(points: _Floats) -> _Floats:
    """Returns the middle of the box around points. A shape has coordinates in f32, which are more exact near 0."""
    middle: _Floats = (points.min(axis=0) + points.max(axis=0)) / 2.0
    return middle


def _moved_by(translation: _Floats) -> _Floats:
    matrix = np.eye(4)
    matrix[:3, 3] = translation
    return matrix


def _check_faces(points: int, num_faces: int, numbers: NDArray[np.int64]) -> None:
    at, count = 0, 0
    while at < len(numbers):
        corners = int(numbers[at])
        face = numbers[at + 1 : at + 1 + corners]
        if corners < 3 or len(face) < corners:
            raise ValueError(f"face {count} has {corners} corners, and {len(numbers) - at - 1} indices follow")
        if face.min() < 0 or face.max() >= points:
            raise ValueError(f"face {count} has the index {int(face.min() if face.min() < 0 else face.max())}, but there are {points} vertices")
        at, count = at + 1 + corners, count + 1
    if count != num_faces:
        raise ValueError(f"num_faces is {num_faces}, but there are {count} faces")
