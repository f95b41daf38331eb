"""Collisions and distances of trimeshes, in place of trimesh's `CollisionManager`, which needs python-fcl. `hitscan.trimesh` exports them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from trimesh import collision as _trimesh_collision

from . import NearPairs, Scene
from ._bodies import CollisionObject, body_of, transform_of

_Floats = NDArray[np.float64]
_Ints = NDArray[np.int64]

# The name of the mesh that a question about a single mesh brings, and the distance of nothing. Both are trimesh's.
_EXTERNAL = "__external"
_NOTHING_NEAR = float(np.finfo(np.float64).max)

# trimesh's classes of answers. They only store what they are given.
_ContactData: Any = _trimesh_collision.ContactData
_DistanceData: Any = _trimesh_collision.DistanceData


class _Contact(NamedTuple):
    """What trimesh's `ContactData` reads of a contact."""

    b1: int
    b2: int
    normal: _Floats
    pos: _Floats
    penetration_depth: float


class _Distance(NamedTuple):
    """What trimesh's `DistanceData` reads of a distance."""

    b1: int
    b2: int
    nearest_points: tuple[_Floats, _Floats]
    min_distance: float


class _Side(NamedTuple):
    """Objects that take part in a question. They are a scene, and the names and objects of its
    keys."""

    scene: Scene
    names: Mapping[int, Hashable]
    objects: Mapping[int, CollisionObject]

    @classmethod
    def of_one(cls, name: Hashable, placed: CollisionObject, key: int = 0) -> _Side:
        scene = Scene()
        scene.insert(key, placed.body.geometry, placed.body.matrix(placed.transform))
        return cls(scene, {key: name}, {key: placed})


class _Sides(NamedTuple):
    """The objects of a question. They are one from each side, or two different ones if there is no second side."""

    first: _Side
    second: _Side | None
    # The pair of keys that is ignored.
    exclude: _Ints | None = None

    @property
    def other(self) -> _Side:
        return self.second or self.first

    @property
    def other_scene(self) -> Scene | None:
        return None if self.second is None else self.second.scene

    def overlaps(self) -> _Ints:
        """Returns the keys of all pairs that touch or overlap, of shape (n, 2)."""
        return self.first.scene.overlap_pairs(self.other_scene, exclude=self.exclude)

    def overlap(self) -> bool:
        """Returns whether any pair touches or overlaps. Pairs whose boxes overlap are tested in groups that grow, because often the first ones touch."""
        near = self.first.scene.overlap_pairs(self.other_scene, exclude=self.exclude, test="boxes")
        start = 0
        while start < len(near):
            group = near[start : 2 * start + 4]
            if self.first.scene.pair_overlaps(group[:, 0], group[:, 1], self.other_scene).any():
                return True
            start += len(group)
        return False

    def names_of(self, keys: Any) -> tuple[Any, Any]:
        """Returns the names of two keys; `None` for a key of nothing."""
        return self.first.names.get(int(keys[0])), self.other.names.get(int(keys[1]))

    def contacts(self, pairs: _Ints, flips: bool) -> list[Any]:
        """Returns trimesh's data of all contacts of pairs. Two solids have one contact, and a surface has one for each
        triangle. If `flips`, the second is named first."""
        found = self.first.scene.pair_penetration_all(pairs[:, 0], pairs[:, 1], self.other_scene)
        ways, ends, triangles = found.separation, found.points, found.triangles
        depths = np.linalg.norm(ways, axis=1)
        is_deep = depths > 0.0
        normals = found.normal.astype(np.float64)
        normals[is_deep] = ways[is_deep] / depths[is_deep, None]
        points = ends.mean(axis=1)
        contacts = []
        for row, pair in enumerate(found.pair.tolist()):
            names = self.names_of(pairs[pair])
            first, second = self.first.objects[int(pairs[pair, 0])], self.other.objects[int(pairs[pair, 1])]
            point = points[row]
            if first.body.is_solid and second.body.is_solid:
                corner = _first_corner(first, second, normals[row], ways[row])
                point = point if corner is None else corner
            numbers = triangles[row].tolist()
            if flips:
                data = _Contact(numbers[1], numbers[0], -normals[row], point, float(depths[row]))
                contacts.append(_ContactData((names[1], names[0]), data))
            else:
                contacts.append(_ContactData(names, _Contact(numbers[0], numbers[1], normals[row], point, float(depths[row]))))
        return contacts

    def nearest(self) -> _Nearest:
        """Returns the nearest two objects; of objects that overlap, the deepest in each other."""
        found: NearPairs = self.first.scene.closest_pair(self.other_scene, exclude=self.exclude)
        keys = (int(found.first), int(found.second))
        if keys[0] < 0:
            return _Nearest((None, None), _NOTHING_NEAR, np.full((2, 3), np.nan), (-1, -1))
        if float(found.distance) == 0.0:
            deepest = self.deepest()
            if deepest is not None:
                return deepest
        points = found.points
        distance = float(np.linalg.norm(points[1] - points[0])) if float(found.distance) > 0.0 else 0.0
        return _Nearest(self.names_of(keys), distance, points, tuple(found.triangles.tolist()))

    def deepest(self) -> _Nearest | None:
        """Returns the pair that is deepest in each other, if a solid overlaps anything. Two surfaces have no depth, as in FCL."""
        pairs = self.overlaps()
        solid = [self.first.objects[a].body.is_solid or self.other.objects[b].body.is_solid for a, b in pairs.tolist()]
        pairs = pairs[np.asarray(solid, np.bool_)]
        if len(pairs) == 0:
            return None
        found = self.first.scene.pair_penetration(pairs[:, 0], pairs[:, 1], self.other_scene)
        depths = np.linalg.norm(found.separation, axis=1)
        row = int(depths.argmax())
        return _Nearest(self.names_of(pairs[row]), 0.0 - float(depths[row]), found.points[row], tuple(found.triangles[row].tolist()))


def _first_corner(first: CollisionObject, second: CollisionObject, normal: _Floats, way: _Floats) -> _Floats | None:
    """Returns the middle between the deepest points of two solids that are equally deep along an edge or in an area.
    Returns `None` if there is no vertex in it.

    The point is the first vertex in the area, as in FCL. So it follows from the order of the vertices and not from the
    search.

    """
    ours, theirs = first.farthest(normal), second.farthest(-normal)
    # A single deepest vertex is the only deepest point.
    if len(ours) > 1 and len(theirs) > 1:
        for vertices, outer, half in ((ours, second, -0.5 * way), (theirs, first, 0.5 * way)):
            within = vertices[outer.contains(vertices)]
            if len(within):
                return np.asarray(within[0] + half)
    return None


class _Nearest(NamedTuple):
    names: tuple[Any, Any]
    distance: float
    points: _Floats
    triangles: tuple[int, ...]

    def data(self, names: tuple[Any, Any]) -> Any:
        """Returns trimesh's data, with these names of the two objects."""
        (p, q), (a, b) = self.points, self.triangles
        return _DistanceData(names, _Distance(a, b, (p, q), self.distance))


def _chosen(result: Any, *optional: tuple[bool, Any]) -> Any:
    """Returns a result, and with it the values that the caller asked for."""
    wanted = [value for is_wanted, value in optional if is_wanted]
    return (result, *wanted) if wanted else result


class CollisionManager:
    """Objects with names that may collide. It replaces `trimesh.collision.CollisionManager` and does not need python-fcl.

    A convex mesh is a solid, and another mesh is a surface, as in trimesh. What differs from FCL's answers is listed in docs/python.md.

    """

    def __init__(self) -> None:
        """Makes a manager without objects."""
        # The names and the structure are trimesh's, and programs read them.
        self._objs: dict[Any, dict[str, Any]] = {}
        self._scene = Scene()
        self._keys: dict[Any, int] = {}
        self._objects: dict[int, CollisionObject] = {}
        self._names: dict[int, Any] = {}
        self._next_key = 0

    def add_object(self, name: Any, mesh: Any, transform: ArrayLike | None = None) -> CollisionObject:
        """Adds a mesh under a name, at a transform of shape (4, 4); an object with this name is replaced. The transform may be any that can be inverted."""
        placed = CollisionObject(body_of(mesh), transform_of(transform))
        key = self._keys.get(name, self._next_key)
        self._scene.insert(key, placed.body.geometry, placed.body.matrix(placed.transform))
        self._next_key = max(self._next_key, key + 1)
        self._keys[name], self._names[key], self._objects[key] = key, name, placed
        self._objs[name] = {"obj": placed, "geom": placed.body.geometry}
        return placed

    def remove_object(self, name: Any) -> None:
        """Removes the object with this name."""
        key = self._key(name)
        self._scene.remove(key)
        del self._keys[name], self._names[key], self._objects[key], self._objs[name]

    def set_transform(self, name: Any, transform: ArrayLike) -> None:
        """Moves the object with this name to another transform of shape (4, 4)."""
        placed, matrix = self._objects[self._key(name)], transform_of(transform)
        self._scene.set_transform(self._keys[name], placed.body.matrix(matrix))
        placed.place(matrix)

    def in_collision_single(
        self, mesh: Any, transform: ArrayLike | None = None, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """Returns whether a mesh touches or overlaps any object. Also returns the names of these objects, and the
        contacts, if they are wanted.

        The normal of a contact points from the object to the mesh, whose name is `__external`.

        """
        sides = self._against_mesh(mesh, transform)
        if not (return_names or return_data):
            return sides.overlap()
        pairs = sides.overlaps()
        names = {self._names[key] for key in pairs[:, 1].tolist()} if return_names else None
        data = sides.contacts(pairs, flips=True) if return_data else None
        return _chosen(len(pairs) > 0, (return_names, names), (return_data, data))

    def in_collision_internal(self, return_names: bool = False, return_data: bool = False) -> Any:
        """Returns whether any two objects touch or overlap; also the pairs of their names, each sorted, and the contacts, if they are wanted.

        The normal of a contact points from the object that was added first to the other one.

        """
        sides = _Sides(self._side(), None)
        if not (return_names or return_data):
            return sides.overlap()
        pairs = sides.overlaps()
        names = {tuple(sorted(sides.names_of(pair))) for pair in pairs} if return_names else None
        data = sides.contacts(pairs, flips=False) if return_data else None
        return _chosen(len(pairs) > 0, (return_names, names), (return_data, data))

    def in_collision_other(self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False) -> Any:
        """Returns whether any object touches or overlaps an object of another manager. Also returns the pairs of their
        names, and the contacts, if they are wanted.

        In a pair, the first name is of this manager. The normal of a contact points from the object of this manager to the other one.

        """
        sides = _Sides(self._side(), _side_of(other_manager))
        if not (return_names or return_data):
            return sides.overlap()
        pairs = sides.overlaps()
        names = {sides.names_of(pair) for pair in pairs} if return_names else None
        data = sides.contacts(pairs, flips=False) if return_data else None
        return _chosen(len(pairs) > 0, (return_names, names), (return_data, data))

    def min_distance_single(
        self, mesh: Any, transform: ArrayLike | None = None, return_name: bool = False, return_data: bool = False
    ) -> Any:
        """Returns the distance from a mesh to the nearest object; also the name of the object, and the nearest points, if they are wanted.

        The distance is below 0 if the two overlap and at least one of them is convex. Without any object it is the largest float.

        """
        nearest = self._against_mesh(mesh, transform).nearest()
        data = nearest.data((_EXTERNAL, nearest.names[1])) if return_data else None
        return _chosen(nearest.distance, (return_name, nearest.names[1]), (return_data, data))

    def min_distance_internal(self, name: Any = None, return_names: bool = False, return_data: bool = False) -> Any:
        """Returns the distance of the nearest two objects, or of the named object and its nearest one. Also returns
        their sorted names and the nearest points.

        The distance is as for `min_distance_single`.

        """
        sides = _Sides(self._side(), None)
        if name is not None:
            key = self._key(name)
            itself = np.array([[key, key]])
            sides = _Sides(_Side.of_one(name, self._objects[key], key), self._side(), itself)
        nearest = sides.nearest()
        names: tuple[Any, Any] = nearest.names
        if nearest.distance < _NOTHING_NEAR:
            names = tuple(sorted(names))
        data = nearest.data(nearest.names) if return_data else None
        return _chosen(nearest.distance, (return_names, names), (return_data, data))

    def min_distance_other(self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False) -> Any:
        """Returns the distance of the nearest two objects, one of each manager. Also returns their names, this
        manager's first, and the nearest points.

        The distance is as for `min_distance_single`.

        """
        nearest = _Sides(self._side(), _side_of(other_manager)).nearest()
        data = nearest.data(nearest.names) if return_data else None
        return _chosen(nearest.distance, (return_names, nearest.names), (return_data, data))

    def _key(self, name: Any) -> int:
        if name not in self._keys:
            raise ValueError(f"{name} not in collision manager!")
        return self._keys[name]

    def _side(self) -> _Side:
        return _Side(self._scene, self._names, self._objects)

    def _against_mesh(self, mesh: Any, transform: ArrayLike | None) -> _Sides:
        return _Sides(_Side.of_one(_EXTERNAL, CollisionObject(body_of(mesh), transform_of(transform))), self._side())


def _side_of(manager: Any) -> _Side:
    if not isinstance(manager, CollisionManager):
        raise TypeError(f"other_manager is a {type(manager).__name__}, but must be a hitscan.trimesh.CollisionManager")
    return manager._side()


def scene_to_collision(scene: Any) -> tuple[CollisionManager, dict[Any, CollisionObject]]:
    """Returns a manager of all meshes of a trimesh scene, and its objects, by the names of their nodes."""
    manager, objects = CollisionManager(), {}
    for node in scene.graph.nodes_geometry:
        transform, geometry = scene.graph[node]
        objects[node] = manager.add_object(node, scene.geometry[geometry], transform)
    return manager, objects
