"""Meshes for the tests."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Mesh = tuple[NDArray[np.float64], NDArray[np.int64]]


def box(low: float = -1.0, high: float = 1.0) -> Mesh:
    """Returns a closed box that faces outwards."""
    vertices = np.array([[x, y, z] for x in (low, high) for y in (low, high) for z in (low, high)], dtype=np.float64)
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = [face for a, b, c, d in quads for face in ((a, b, c), (a, c, d))]
    return vertices, np.array(faces, dtype=np.int64)


def icosphere(subdivisions: int) -> Mesh:
    """Returns a sphere of radius 1 of 20 * 4^subdivisions triangles."""
    g = (1.0 + 5.0**0.5) / 2.0
    vertices = [[-1, g, 0], [1, g, 0], [-1, -g, 0], [1, -g, 0], [0, -1, g], [0, 1, g]]
    vertices += [[0, -1, -g], [0, 1, -g], [g, 0, -1], [g, 0, 1], [-g, 0, -1], [-g, 0, 1]]
    faces = [(0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4), (11, 10, 2), (10, 7, 6), (7, 1, 8)]
    faces += [(3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9), (4, 9, 5), (2, 4, 11), (6, 2, 10), (8, 6, 7), (9, 8, 1)]
    points = [tuple(np.array(v) / np.linalg.norm(v)) for v in vertices]
    for _ in range(subdivisions):
        middles: dict[tuple[int, int], int] = {}

        def middle(a: int, b: int) -> int:
            key = (min(a, b), max(a, b))
            if key not in middles:
                point = (np.array(points[a]) + np.array(points[b])) / 2.0
                middles[key] = len(points)
                points.append(tuple(point / np.linalg.norm(point)))
            return middles[key]

        faces = [
            face
            for a, b, c in faces
            for ab, bc, ca in ((middle(a, b), middle(b, c), middle(c, a)),)
            for face in ((a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca))
        ]
    return np.array(points), np.array(faces, dtype=np.int64)


def turned(vertices: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns vertices turned, so that nothing is along an axis."""
    rotation, _ = np.linalg.qr(np.random.default_rng(5).normal(size=(3, 3)))
    return vertices @ (rotation * np.sign(np.linalg.det(rotation)))
