"""The questions about two objects: whether they collide, how far apart they are, and when they collide."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import Scene
from ._data import (
    CCDMotionType,
    CollisionRequest,
    CollisionResult,
    Contact,
    ContinuousCollisionRequest,
    ContinuousCollisionResult,
    DistanceRequest,
    DistanceResult,
)
from ._objects import KEY, CollisionObject, Transform, quaternion_of

_Floats = NDArray[np.float64]

# The triangle of a geometry that is no mesh.
_NONE = -1


def collide(o1: CollisionObject, o2: CollisionObject, request: CollisionRequest | None = None, result: CollisionResult | None = None) -> int:
    """Returns the number of contacts of two objects, at most as many as the request says, and adds them to the result, the deepest first.

    Two solids have one contact, and a mesh has one for each triangle. Objects that touch collide.

    """
    request, result = request or CollisionRequest(), result if result is not None else CollisionResult()
    if request.enable_cost:
        raise NotImplementedError("costs are not computed: leave CollisionRequest.enable_cost false")
    if request.num_max_contacts < 0:
        raise ValueError(f"num_max_contacts must not be negative, and is {request.num_max_contacts}")
    if request.num_max_contacts == 0 or not o1._placed().pair_overlaps(KEY, KEY, o2._placed(), threads=1):
        return 0
    contacts = _contacts(o1, o2, request) or [_contact(o1, o2)]
    result.is_collision = True
    result.contacts.extend(contacts)
    return len(contacts)


class _Somewhere(Contact):
    """A contact without a place. Its triangles are looked up when they are first read, because most programs only ask whether things collide."""

    def __init__(self, o1: CollisionObject, o2: CollisionObject) -> None:
        super().__init__()
        self.o1, self.o2 = o1._geometry, o2._geometry
        # An object that moves gets another scene, so these stay as they are.
        self._scenes = o1._placed(), o2._placed()

    @cached_property
    def _triangles(self) -> tuple[int, int]:
        first, second = self._scenes
        a, b = first.distance(KEY, KEY, second, threads=1).triangles.tolist()
        return a, b

    def __getattribute__(self, name: str) -> Any:
        if name == "b1":
            return self._triangles[0]
        return self._triangles[1] if name == "b2" else super().__getattribute__(name)


def _contact(o1: CollisionObject, o2: CollisionObject, b1: int = _NONE, b2: int = _NONE) -> Contact:
    contact = Contact()
    contact.o1, contact.o2, contact.b1, contact.b2 = o1._geometry, o2._geometry, b1, b2
    return contact


def _contacts(o1: CollisionObject, o2: CollisionObject, request: CollisionRequest) -> list[Contact]:
    """Returns the contacts of two objects that overlap. There is none if rounding decides whether they touch."""
    has_triangles = o1._is_mesh() or o2._is_mesh()
    if not request.enable_contact and not has_triangles:
        return [_contact(o1, o2)]
    if not request.enable_contact and request.num_max_contacts == 1:
        return [_Somewhere(o1, o2)]
    found = o1._placed().pair_penetration_all(KEY, KEY, o2._placed(), threads=1)
    count = min(len(found.depth), request.num_max_contacts)
    contacts = [_contact(o1, o2, *triangles) for triangles in found.triangles[:count].tolist()]
    if request.enable_contact:
        depths = np.linalg.norm(found.separation[:count], axis=1)
        for contact, normal, points, depth in zip(contacts, found.normal, found.points, depths.tolist()):
            contact.normal, contact.pos, contact.penetration_depth = normal.astype(np.float64), points.mean(axis=0), depth
    return contacts


def distance(o1: CollisionObject, o2: CollisionObject, request: DistanceRequest | None = None, result: DistanceResult | None = None) -> float:
    """Returns the distance of two objects, and keeps it in the result if the result has no smaller one.

    Objects that overlap have the distance -1, and with `enable_signed_distance` the negative depth of their penetration. Two meshes that meet have the
    distance 0.

    """
    request, result = request or DistanceRequest(), result if result is not None else DistanceResult()
    found: Any = o1._placed().distance(KEY, KEY, o2._placed(), threads=1)
    points = found.points
    apart = float(np.linalg.norm(points[1] - points[0]))
    if float(found.distance) == 0.0:
        apart = 0.0
        if not (o1._is_mesh() and o2._is_mesh()):
            deepest = o1._placed().pair_penetration(KEY, KEY, o2._placed(), threads=1)
            depth = float(np.linalg.norm(deepest.separation))
            if depth > 0.0:
                found, points = deepest, deepest.points
                apart = -depth if request.enable_signed_distance else -1.0
    if apart < result.min_distance:
        result.min_distance = apart
        result.nearest_points = [points[0].copy(), points[1].copy()]
        result.o1, result.o2 = o1._geometry, o2._geometry
        result.b1, result.b2 = found.triangles.tolist()
    return apart


def continuousCollide(
    o1: CollisionObject,
    tf1_end: Transform,
    o2: CollisionObject,
    tf2_end: Transform,
    request: ContinuousCollisionRequest | None = None,
    result: ContinuousCollisionResult | None = None,
) -> float:
    """Returns the time at which two moving objects first touch, as a fraction of their motions from 0 to 1, and 1 if they do not.

    The time is never late. At that time the objects are at most as far apart as they move in the fraction `toc_err` of
    their motions, so objects that pass each other so closely may be treated as touching. `num_max_iterations` has no
    effect: there are at most 1 / `toc_err` steps.

    """
    request, result = request or ContinuousCollisionRequest(), result if result is not None else ContinuousCollisionResult()
    if not (np.isfinite(request.toc_err) and request.toc_err > 0.0):
        raise ValueError(f"toc_err must be above 0, and is {request.toc_err}")
    if request.ccd_motion_type not in (CCDMotionType.CCDM_TRANS, CCDMotionType.CCDM_LINEAR):
        raise NotImplementedError("only the motions CCDM_TRANS and CCDM_LINEAR are supported")
    rotates = request.ccd_motion_type == CCDMotionType.CCDM_LINEAR
    motions = _Motion(o1, tf1_end, rotates), _Motion(o2, tf2_end, rotates)
    time = _first_contact(*motions, request.toc_err)
    if time is not None:
        result.is_collide = True
        result.time_of_contact = min(result.time_of_contact, time)
    return 1.0 if time is None else time


class _Motion:
    """The steady motion of an object from its transform to another one: a translation, and a rotation about the object's origin."""

    def __init__(self, moving: CollisionObject, end: Transform, rotates: bool) -> None:
        if not isinstance(end, Transform):
            raise ValueError(f"the end of a motion must be a fcl.Transform, and is {end!r}")
        self._body = moving._geometry._made()
        self._start = moving._transform._matrix
        self.translation: _Floats = end._matrix[:3, 3] - self._start[:3, 3]
        self._angle, self._axis = _angle_and_axis(end._matrix[:3, :3] @ self._start[:3, :3].T) if rotates else (0.0, np.zeros(3))
        # No point of the object moves faster than this beyond the translation.
        self.rotation_speed = self._angle * _reach(moving) if self._angle > 0.0 else 0.0

    def insert_into(self, scene: Scene, key: int) -> None:
        scene.insert(key, self._body.geometry, self._start @ self._body.matrix)

    def place(self, scene: Scene, key: int, time: float) -> None:
        matrix = self._start.copy()
        matrix[:3, 3] += time * self.translation
        if self._angle > 0.0:
            matrix[:3, :3] = _turned(self._axis, time * self._angle) @ matrix[:3, :3]
        scene.set_transform(key, matrix @ self._body.matrix)


def _first_contact(first: _Motion, second: _Motion, error: float) -> float | None:
    """Conservative advancement (Mirtich, 1996): until two things are as near as they can move in the time `error`, nothing is missed in the time in which
    they could bridge their distance."""
    scene = Scene()
    first.insert_into(scene, 0)
    second.insert_into(scene, 1)
    speed = float(np.linalg.norm(first.translation - second.translation)) + first.rotation_speed + second.rotation_speed
    time = 0.0
    while True:
        first.place(scene, 0, time)
        second.place(scene, 1, time)
        found = scene.distance(0, 1, threads=1)
        apart = 0.0
        if float(found.distance) > 0.0:
            apart = float(np.linalg.norm(found.points[1] - found.points[0]))
        if apart <= speed * error:
            # Without a motion only objects that touch collide.
            return time
        time += apart / speed if speed > 0.0 else 2.0
        if time > 1.0:
            return None


def _reach(moving: CollisionObject) -> float:
    """Returns a bound on the distance of all of the object's points from its origin."""
    corners = np.abs(moving._geometry._bounds()).max(axis=0)
    reach = float(np.linalg.norm(corners))
    if not np.isfinite(reach):
        raise NotImplementedError("a plane cannot rotate: use the motion CCDM_TRANS")
    return reach


def _angle_and_axis(rotation: _Floats) -> tuple[float, _Floats]:
    w, *xyz = quaternion_of(rotation)
    axis = np.array(xyz)
    length = float(np.linalg.norm(axis))
    return (2.0 * float(np.arctan2(length, w)), axis / length) if length > 0.0 else (0.0, np.zeros(3))


def _turned(axis: _Floats, angle: float) -> _Floats:
    """Returns the rotation about an axis of unit length (Rodrigues)."""
    x, y, z = axis
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    matrix: _Floats = np.eye(3) + np.sin(angle) * cross + (1.0 - np.cos(angle)) * (cross @ cross)
    return matrix
