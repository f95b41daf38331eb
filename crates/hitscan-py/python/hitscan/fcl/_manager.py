"""A manager of many objects, and the callbacks of its questions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import Scene
from ._data import CollisionData, DistanceData
from ._geometry import Watched
from ._objects import KEY, CollisionObject
from ._questions import collide, distance

_Ints = NDArray[np.int64]


def defaultCollisionCallback(o1: CollisionObject, o2: CollisionObject, cdata: CollisionData) -> bool:
    """Collides two objects, and returns whether there are more contacts than the request allows."""
    if cdata.done:
        return True
    collide(o1, o2, cdata.request, cdata.result)
    if cdata.result.is_collision and len(cdata.result.contacts) > cdata.request.num_max_contacts:
        cdata.done = True
    return cdata.done


def defaultDistanceCallback(o1: CollisionObject, o2: CollisionObject, cdata: DistanceData) -> tuple[bool, float]:
    """Measures two objects. Returns whether they touch or overlap, and the least distance up to now."""
    if cdata.done:
        return True, cdata.result.min_distance
    distance(o1, o2, cdata.request, cdata.result)
    least = cdata.result.min_distance
    return cdata.done or least <= 0.0, least


class DynamicAABBTreeCollisionManager:
    """Objects that are asked together. Changes of the objects are seen at once; `setup` and `update` are there for their names."""

    def __init__(self) -> None:
        """Makes a manager without objects."""
        self._scene = Scene()
        self._objects: dict[int, CollisionObject] = {}
        self._keys: dict[int, int] = {}
        self._next_key = 0
        # The keys of the objects that changed since the last question.
        self._stale: set[int] = set()
        # FCL's settings of its tree. They have no effect.
        self.max_tree_nonbalanced_level = 10
        self.tree_incremental_balance_pass = 10
        self.tree_topdown_balance_threshold = 2
        self.tree_topdown_level = 0
        self.tree_init_level = 0
        self.octree_as_geometry_collide = True
        self.octree_as_geometry_distance = False

    def registerObjects(self, other_objs: Iterable[CollisionObject]) -> None:
        """Adds objects."""
        for obj in other_objs:
            self.registerObject(obj)

    def registerObject(self, obj: CollisionObject) -> None:
        """Adds an object, which may be in other managers too, but in this one only once."""
        if not isinstance(obj, CollisionObject):
            raise TypeError(f"a {type(obj).__name__} cannot be registered: give a fcl.CollisionObject")
        if id(obj) in self._keys:
            raise ValueError("the object is registered already")
        key, self._next_key = self._next_key, self._next_key + 1
        self._objects[key], self._keys[id(obj)] = obj, key
        self._stale.add(key)
        obj._watch(self)

    def unregisterObject(self, obj: CollisionObject) -> None:
        """Removes an object; an object that is not there changes nothing."""
        key = self._keys.pop(id(obj), None)
        if key is not None:
            obj._unwatch(self)
            del self._objects[key]
            self._stale.discard(key)
            self._scene.remove(key)

    def setup(self) -> None:
        """Brings the tree up to date, which each question does too."""
        self._current()

    def update(self, arg: Any = None) -> None:
        """Brings the tree up to date, which each question does too. The argument has no effect."""
        self._current()

    def getObjects(self) -> list[CollisionObject]:
        """Returns all objects, in the order in which they were added."""
        return list(self._objects.values())

    def clear(self) -> None:
        """Removes all objects."""
        for obj in self.getObjects():
            self.unregisterObject(obj)

    def empty(self) -> bool:
        """Returns whether there is no object."""
        return not self._objects

    def size(self) -> int:
        """Returns the number of objects."""
        return len(self._objects)

    def collide(self, *args: Any) -> None:
        """Calls `callback(o1, o2, cdata)` for pairs that may collide, until it returns true.

        The arguments are `cdata, callback` for all pairs of this manager, `obj, cdata, callback` for its pairs with an object, and
        `manager, cdata, callback` for its pairs with the objects of another one. `o1` is of this manager. `defaultCollisionCallback` is called for the
        pairs that do collide, and another callback for those whose boxes touch.

        """
        other, cdata, callback = _arguments(args)
        test: Any = "shapes" if callback is defaultCollisionCallback else "boxes"
        scene = self._current()
        for pair in scene.overlap_pairs(_scene_of(other), test=test).tolist():
            if callback(*self._pair(pair, other), cdata):
                return

    def distance(self, *args: Any) -> None:
        """Calls `callback(o1, o2, cdata)` for pairs, the nearest first, until all others are farther apart than the distance that it returned.

        It takes the arguments of `collide`. The callback returns whether it needs no other pair, and the least distance up to now.

        """
        other, cdata, callback = _arguments(args)
        scene, others = self._current(), _scene_of(other)
        asked: list[list[int]] = []
        while True:
            exclude: _Ints | None = np.array(asked, np.int64) if asked else None
            near = scene.closest_pair(others, exclude=exclude)
            pair = [int(near.first), int(near.second)]
            if pair[0] < 0:
                return
            is_done, least = callback(*self._pair(pair, other), cdata)
            # All other pairs are at least as far apart, so for the default callback they change nothing.
            if is_done or callback is defaultDistanceCallback or least <= float(near.distance):
                return
            asked.append(pair)

    def _pair(self, pair: list[int], other: Any) -> tuple[CollisionObject, CollisionObject]:
        second = pair[1]
        if isinstance(other, CollisionObject):
            return self._objects[pair[0]], other
        return self._objects[pair[0]], (self if other is None else other)._objects[second]

    def _is_told(self, of: Any) -> None:
        key = self._keys.get(id(of))
        if key is not None:
            self._stale.add(key)

    def _current(self) -> Scene:
        """Returns the scene with all objects as they are now."""
        # The order of insertion is the order of the keys.
        for key in sorted(self._stale):
            self._objects[key]._insert_into(self._scene, key)
        self._stale.clear()
        return self._scene


def _scene_of(other: Any) -> Scene | None:
    if other is None:
        return None
    return other._placed() if isinstance(other, CollisionObject) else other._current()


def _arguments(args: tuple[Any, ...]) -> tuple[Any, Any, Callable[..., Any]]:
    """Returns what a question is asked against, its data and its callback."""
    other, (cdata, callback) = (None, args) if len(args) == 2 else (args[0], args[1:]) if len(args) == 3 else (None, (None, None))
    is_known = other is None or isinstance(other, (CollisionObject, DynamicAABBTreeCollisionManager))
    if not (callable(callback) and is_known):
        raise ValueError("give (cdata, callback), (object, cdata, callback) or (manager, cdata, callback)")
    return other, cdata, callback
