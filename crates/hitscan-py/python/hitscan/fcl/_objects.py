"""Transforms, and geometries that are placed by them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import Scene
from ._data import OBJECT_TYPE
from ._geometry import CollisionGeometry, Watched, vector

_Floats = NDArray[np.float64]

# The key of an object in its own scene.
KEY = 0


def _rotation(value: ArrayLike) -> _Floats:
    """Returns a rotation as a matrix of shape (3, 3)."""
    matrix = np.array(value, np.float64)
    if matrix.shape != (3, 3) or not np.isfinite(matrix).all():
        raise ValueError(f"a rotation must be a matrix of shape (3, 3) of finite numbers, and is {value!r}")
    return matrix


def _of_quaternion(value: ArrayLike) -> Any:
    """Returns the matrix of a quaternion (w, x, y, z) of any length but 0, as rows."""
    numbers = np.asarray(value, np.float64).tolist()
    length = math.hypot(*numbers) if np.shape(numbers) == (4,) else 0.0
    if not (math.isfinite(length) and length > 0.0):
        raise ValueError(f"a quaternion must be four finite numbers (w, x, y, z) that are not all 0, and is {value!r}")
    w, x, y, z = (number / length for number in numbers)
    return (
        (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)),
        (2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)),
        (2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)),
    )


def quaternion_of(matrix: _Floats) -> _Floats:
    """Returns the quaternion (w, x, y, z) of a rotation, whose w is not negative. It is the eigenvector of the greatest eigenvalue (Bar-Itzhack, 2000)."""
    (a, b, c), (d, e, f), (g, h, i) = matrix
    # Only the lower half is read.
    symmetric = [
        [a - e - i, 0.0, 0.0, 0.0],
        [d + b, e - a - i, 0.0, 0.0],
        [g + c, h + f, i - a - e, 0.0],
        [h - f, c - g, d - b, a + e + i],
    ]
    x, y, z, w = np.linalg.eigh(np.array(symmetric))[1][:, -1]
    quaternion = np.array([w, x, y, z])
    return -quaternion if w < 0.0 else quaternion


class Transform:
    """A rotation and a translation."""

    def __init__(self, *args: Any) -> None:
        """Makes a transform of nothing, another transform, a rotation, a translation, or a rotation and a translation.

        A rotation is a matrix of shape (3, 3) or a quaternion (w, x, y, z), which is normalised.

        """
        self._matrix = np.eye(4)
        if len(args) == 1 and isinstance(args[0], Transform):
            self._matrix = args[0]._matrix.copy()
        elif len(args) == 1 and np.shape(args[0]) == (3,):
            self.setTranslation(args[0])
        elif len(args) in (1, 2):
            self._rotate(args[0])
            if len(args) == 2:
                self.setTranslation(np.squeeze(np.asarray(args[1])))
        elif args:
            raise ValueError(f"Transform takes at most a rotation and a translation, and got {len(args)} arguments")

    def getRotation(self) -> _Floats:
        """Returns the rotation as a matrix of shape (3, 3)."""
        return self._matrix[:3, :3].copy()

    def getTranslation(self) -> _Floats:
        """Returns the translation."""
        return self._matrix[:3, 3].copy()

    def getQuatRotation(self) -> _Floats:
        """Returns the rotation as a quaternion (w, x, y, z) whose w is not negative."""
        return quaternion_of(self._matrix[:3, :3])

    def setRotation(self, R: ArrayLike) -> None:
        """Changes the rotation to a matrix of shape (3, 3)."""
        self._matrix[:3, :3] = _rotation(R)

    def setTranslation(self, T: ArrayLike) -> None:
        """Changes the translation."""
        self._matrix[:3, 3] = vector(T, "the translation")

    def setQuatRotation(self, q: ArrayLike) -> None:
        """Changes the rotation to a quaternion (w, x, y, z), which is normalised."""
        self._matrix[:3, :3] = _of_quaternion(q)

    def _rotate(self, rotation: Any) -> None:
        if np.shape(rotation) == (4,):
            self.setQuatRotation(rotation)
        else:
            self.setRotation(rotation)


class CollisionObject(Watched):
    """A geometry at a place. A change of either is seen by the next question."""

    def __init__(self, geom: CollisionGeometry | None = None, tf: Transform | None = None) -> None:
        """Makes an object of a geometry and its transform; without a transform, in place."""
        super().__init__()
        if not isinstance(geom, CollisionGeometry):
            raise ValueError(f"an object needs a geometry such as fcl.Box, and got {geom!r}")
        if not (tf is None or isinstance(tf, Transform)):
            raise ValueError(f"the transform of an object must be a fcl.Transform, and is {tf!r}")
        geom._made()
        self._geometry = geom
        self._transform = Transform() if tf is None else Transform(tf)
        self._scene: Scene | None = None
        geom._watch(self)

    def getObjectType(self) -> int:
        """Returns one of `OBJECT_TYPE`."""
        return self._geometry._object

    def getNodeType(self) -> int | None:
        """Returns one of `NODE_TYPE`."""
        return self._geometry.getNodeType()

    def getTranslation(self) -> _Floats:
        """Returns the translation of its transform."""
        return self._transform.getTranslation()

    def setTranslation(self, vec: ArrayLike) -> None:
        """Changes the translation of its transform."""
        self._transform.setTranslation(vec)
        self._is_told(self)

    def getRotation(self) -> _Floats:
        """Returns the rotation of its transform as a matrix of shape (3, 3)."""
        return self._transform.getRotation()

    def setRotation(self, mat: ArrayLike) -> None:
        """Changes the rotation of its transform to a matrix of shape (3, 3)."""
        self._transform.setRotation(mat)
        self._is_told(self)

    def getQuatRotation(self) -> _Floats:
        """Returns the rotation of its transform as a quaternion (w, x, y, z)."""
        return self._transform.getQuatRotation()

    def setQuatRotation(self, q: ArrayLike) -> None:
        """Changes the rotation of its transform to a quaternion (w, x, y, z)."""
        self._transform.setQuatRotation(q)
        self._is_told(self)

    def getTransform(self) -> Transform:
        """Returns a copy of its transform."""
        return Transform(self._transform)

    def setTransform(self, tf: Transform) -> None:
        """Changes its transform to a copy of another one."""
        if not isinstance(tf, Transform):
            raise ValueError(f"the transform of an object must be a fcl.Transform, and is {tf!r}")
        self._transform = Transform(tf)
        self._is_told(self)

    def isOccupied(self) -> bool:
        """Returns true: objects without a density of costs are solid for FCL."""
        return True

    def isFree(self) -> bool:
        """Returns false."""
        return False

    def isUncertain(self) -> bool:
        """Returns false."""
        return False

    def _is_told(self, _of: Any) -> None:
        self._scene = None
        self._changed()

    def _is_mesh(self) -> bool:
        return self._geometry._object == OBJECT_TYPE.OT_BVH

    def _insert_into(self, scene: Scene, key: int) -> None:
        """Puts its geometry into a scene; an object with this key is replaced."""
        body = self._geometry._made()
        scene.insert(key, body.geometry, self._transform._matrix @ body.matrix)

    def _placed(self) -> Scene:
        """Returns a scene with this object alone, under the key `KEY`."""
        if self._scene is None:
            scene = Scene()
            self._insert_into(scene, KEY)
            self._scene = scene
        return self._scene
