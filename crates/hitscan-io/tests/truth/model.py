"""What a file is read into: entities of world-space triangles, and cameras."""

from dataclasses import dataclass, field

import numpy as np


@dataclass
class Cut:
    """What the cut-out material of some triangles needs."""

    alpha: np.ndarray  # (height, width) from 0 to 1, the top row first
    wrap: tuple  # glTF's codes in x and y
    cutoff: float
    uv: np.ndarray  # (n, 3, 2)
    factor: np.ndarray  # (n, 3): the base colour's alpha times the vertices'


@dataclass
class Entity:
    name: str  # None without
    node: int  # None without
    triangles: np.ndarray  # (n, 3, 3) f64, world space
    primitive: np.ndarray  # (n,) which primitive a triangle belongs to
    cuts: list = field(default_factory=list)  # (first triangle, Cut)
    polygon: np.ndarray = None  # (n,) whether the face could as well be cut up in another way
    joints: list = None  # (node, name) of each joint that it may follow
    shares: np.ndarray = None  # (n, 3, joints): how much the corners follow them

    def joint(self, triangle, point):
        """The joint that a point of a triangle follows most, by its place in `joints`, and whether another does nearly
        as much."""
        a, b, c = self.triangles[triangle]
        n = np.cross(b - a, c - a)
        u, v = n @ np.cross(point - a, c - a) / (n @ n), n @ np.cross(b - a, point - a) / (n @ n)
        shares = np.array([1 - u - v, u, v]) @ self.shares[triangle]
        best = int(np.argmax(shares))  # the first of equal ones
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
        """All triangles (n, 3, 3) with their entity, number within it, and primitive."""
        own = [np.arange(len(e.triangles)) for e in self.entities]
        entity = [np.full(len(e.triangles), k) for k, e in enumerate(self.entities)]
        return (
            np.concatenate([e.triangles for e in self.entities]),
            np.concatenate(entity),
            np.concatenate(own),
            np.concatenate([e.primitive for e in self.entities]),
        )
