"""The content of a file: entities of world-space triangles, and cameras."""

from dataclasses import dataclass, field

import numpy as np


@dataclass
class Cut:
    """The data of the cut-out material of some triangles."""

    alpha: np.ndarray  # (height, width) from 0 to 1, the top row first
    wrap: tuple  # glTF's codes in x and y
    cutoff: float
    uv: np.ndarray  # (n, 3, 2)
    factor: np.ndarray  # (n, 3): the alpha of the base colour times the alpha of the vertices


@dataclass
class Entity:
    name: str  # None if it has none
    node: int  # None if it has none
    triangles: np.ndarray  # (n, 3, 3) f64, world space
    primitive: np.ndarray  # (n,) the primitive of each triangle
    cuts: list = field(default_factory=list)  # (first triangle, Cut)
    polygon: np.ndarray = None  # (n,) whether the face could be triangulated in another way
    joints: list = None  # (node, name) of each joint that it may follow
    shares: np.ndarray = None  # (n, 3, joints): how much each corner follows each joint

    def joint(self, triangle, point):
        """Returns the joint that a point of a triangle follows most, as an index into `joints`, and whether the point
        follows another joint nearly as much."""
        a, b, c = self.triangles[triangle]
        n = np.cross(b - a, c - a)
        u, v = n @ np.cross(point - a, c - a) / (n @ n), n @ np.cross(b - a, point - a) / (n @ n)
        shares = np.array([1 - u - v, u, v]) @ self.shares[triangle]
        best = int(np.argmax(shares))  # the first of equal shares
        return best, (np.abs(shares - shares[best]) < 1e-4).sum() > 1


@dataclass
class FileCamera:
    index: int
    node: int
    world: np.ndarray  # 4x4
    data: dict  # the glTF camera


@dataclass
class Model:
    entities: list = field(default_factory=list)
    cameras: list = field(default_factory=list)

    def flatten(self):
        """Returns all triangles (n, 3, 3), and the entity, the number within the entity, and the primitive of each."""
        own = [np.arange(len(e.triangles)) for e in self.entities]
        entity = [np.full(len(e.triangles), k) for k, e in enumerate(self.entities)]
        return (
            np.concatenate([e.triangles for e in self.entities]),
            np.concatenate(entity),
            np.concatenate(own),
            np.concatenate([e.primitive for e in self.entities]),
        )
