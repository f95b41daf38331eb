"""Signed distances of solids in float64, by formulas. Steps along rays use these distances. It shares nothing with
hitscan."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

import hitscan

Points = NDArray[np.float64]
Distance = Callable[[Points], NDArray[np.float64]]


def length(v: Any) -> Any:
    return np.sqrt((v * v).sum(axis=-1))


def box(low: Any, high: Any) -> Distance:
    low, high = np.asarray(low, float), np.asarray(high, float)

    def distance(p: Points) -> Any:
        q = np.abs(p - (low + high) / 2) - (high - low) / 2
        return length(np.maximum(q, 0)) + np.minimum(q.max(axis=-1), 0)

    return distance


def capsule(a: Any, b: Any, radius: float) -> Distance:
    a, b = np.asarray(a, float), np.asarray(b, float)

    def distance(p: Points) -> Any:
        h = np.clip(((p - a) @ (b - a)) / ((b - a) @ (b - a)), 0, 1)
        return length(p - a - h[..., None] * (b - a)) - radius

    return distance


def outline(corners: Any, p: Any) -> Any:
    """Returns signed distances to a convex polygon in the plane, counter-clockwise."""
    best, inside = np.inf, True
    for a, b in zip(corners, np.roll(corners, -1, axis=0)):
        edge = b - a
        h = np.clip(((p - a) @ edge) / (edge @ edge), 0, 1)
        best = np.minimum(best, length(p - a - h[..., None] * edge))
        inside = inside & (edge[0] * (p[..., 1] - a[1]) - edge[1] * (p[..., 0] - a[0]) > 0)
    return np.where(inside, -best, best)


def around(a: Any, b: Any, first: float, last: float) -> Distance:
    """Returns the distance of the solid that a segment makes when it turns around an axis. The solid is a cylinder or a
    cone."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    axis, reach = (b - a) / length(b - a), length(b - a)
    corners = np.array([[-first, 0.0], [first, 0.0], [last, reach], [-last, reach]])
    corners = corners if last > 0 else corners[:3]

    def distance(p: Points) -> Any:
        along = (p - a) @ axis
        return outline(corners, np.stack([length(p - a - along[..., None] * axis), along], axis=-1))

    return distance


def torus(major: float, minor: float) -> Distance:
    return lambda p: np.hypot(np.hypot(p[..., 0], p[..., 2]) - major, p[..., 1]) - minor


A, B = [-0.7, -0.2, 0.3], [0.6, 0.9, -0.4]
SOLIDS: dict[str, tuple[hitscan.Shape, Distance]] = {
    "sphere": (hitscan.Shape.sphere(0.8, A), lambda p: length(p - np.array(A)) - 0.8),
    "box": (hitscan.Shape.box([-1, -0.5, -0.25], [0.5, 1, 0.75]), box([-1, -0.5, -0.25], [0.5, 1, 0.75])),
    "oriented_box": (hitscan.Shape.oriented_box([0.25, 0, 0], [0.5, 1, 0.25], [0, 0, np.sqrt(0.5), np.sqrt(0.5)]), box([-0.75, -0.5, -0.25], [1.25, 0.5, 0.25])),
    "capsule": (hitscan.Shape.capsule(A, B, 0.4), capsule(A, B, 0.4)),
    "rounded_box": (hitscan.Shape.rounded_box([-1, -0.5, -0.25], [0.5, 1, 0.75], 0.25), lambda p: box([-1, -0.5, -0.25], [0.5, 1, 0.75])(p) - 0.25),
    "cylinder": (hitscan.Shape.cylinder(A, B, 0.5), around(A, B, 0.5, 0.5)),
    "cone": (hitscan.Shape.cone(A, B, 0.6), around(A, B, 0.6, 0.0)),
    "torus": (hitscan.Shape.torus(1.0, 0.3), torus(1.0, 0.3)),
    "hull": (hitscan.Shape.hull([[x, y, z] for x in (-1, 1) for y in (0, 1) for z in (-0.5, 0.5)]), box([-1, 0, -0.5], [1, 1, 0.5])),
}


def march(distance: Distance, origins: Points, directions: Points, margin: float = 0.0, far: float = 20.0) -> NDArray[np.float64]:
    """Returns where points that move along directions of unit length first come within a margin, or infinity; they start outside."""
    t = np.zeros(origins.shape[:-1])
    for _ in range(4000):
        gap = distance(origins + t[..., None] * directions) - margin
        moving = (gap > 1e-10) & (t < far)
        if not moving.any():
            break
        t = np.where(moving, t + gap, t)
    gap = distance(origins + t[..., None] * directions) - margin
    return np.where(gap <= 1e-9, t, np.inf)
