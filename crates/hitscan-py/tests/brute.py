"""Distances and depths of triangles and convex bodies in float64, by every candidate. It shares nothing with hitscan."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def dot(a: Floats, b: Floats) -> Floats:
    return np.asarray((a * b).sum(axis=-1))


def edges(triangles: Floats) -> tuple[Floats, Floats]:
    """Returns the starts and the directions of the edges of triangles of shape (.., 3, 3)."""
    return triangles, np.roll(triangles, -1, axis=-2) - triangles


def point_segment(points: Floats, starts: Floats, ways: Floats) -> Floats:
    along = np.clip(dot(points - starts, ways) / np.maximum(dot(ways, ways), 1e-300), 0.0, 1.0)
    return np.linalg.norm(starts + along[..., None] * ways - points, axis=-1)


def segment_segment(starts: Floats, ways: Floats, other_starts: Floats, other_ways: Floats) -> Floats:
    """Returns distances of segments: between their insides, where the lines are nearest there, and from each end."""
    least = point_segment(starts, other_starts, other_ways)
    least = np.minimum(least, point_segment(starts + ways, other_starts, other_ways))
    least = np.minimum(least, point_segment(other_starts, starts, ways))
    least = np.minimum(least, point_segment(other_starts + other_ways, starts, ways))
    across = np.cross(ways, other_ways)
    square = dot(across, across)
    between = other_starts - starts
    with np.errstate(divide="ignore", invalid="ignore"):
        s = dot(np.cross(between, other_ways), across) / square
        t = dot(np.cross(between, ways), across) / square
        inside = (s >= 0.0) & (s <= 1.0) & (t >= 0.0) & (t <= 1.0)
        height = np.abs(dot(between, across)) / np.sqrt(square)
    return np.where(inside, np.minimum(least, np.where(inside, height, np.inf)), least)


def barycentric_signs(points: Floats, triangles: Floats) -> Floats:
    """Returns for each edge of a triangle on which side of it a point is, in the triangle's plane: positive inside."""
    starts, ways = edges(triangles)
    normal = np.cross(ways[..., 0, :], ways[..., 1, :])
    return dot(np.cross(ways, points[..., None, :] - starts), normal[..., None, :])


def point_inside(points: Floats, triangles: Floats) -> Floats:
    """Returns the distance of a point to a triangle's plane, if it is above the triangle, else infinity."""
    _, ways = edges(triangles)
    normal = np.cross(ways[..., 0, :], ways[..., 1, :])
    height = np.abs(dot(points - triangles[..., 0, :], normal)) / np.linalg.norm(normal, axis=-1)
    return np.where((barycentric_signs(points, triangles) >= 0.0).all(axis=-1), height, np.inf)


def pierces(starts: Floats, ways: Floats, triangles: Floats) -> NDArray[np.bool_]:
    """Returns whether a segment goes through a triangle."""
    _, sides = edges(triangles)
    normal = np.cross(sides[..., 0, :], sides[..., 1, :])
    low, high = dot(starts - triangles[..., 0, :], normal), dot(starts + ways - triangles[..., 0, :], normal)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = low / (low - high)
        crossing = starts + np.nan_to_num(t)[..., None] * ways
    return np.asarray((low * high < 0.0) & (barycentric_signs(crossing, triangles) >= 0.0).all(axis=-1))


def triangle_distances(ours: Floats, theirs: Floats) -> Floats:
    """Returns the distance of every two triangles of two lists, of shape (n, m)."""
    a, b = np.broadcast_arrays(ours[:, None], theirs[None])
    least = np.full(a.shape[:2], np.inf)
    for p, q in ((a, b), (b, a)):
        starts, ways = edges(p)
        for k in range(3):
            least = np.minimum(least, point_inside(starts[..., k, :], q))
            least = np.where(pierces(starts[..., k, :], ways[..., k, :], q), 0.0, least)
    (starts, ways), (other_starts, other_ways) = edges(a), edges(b)
    for k in range(3):
        for j in range(3):
            found = segment_segment(starts[..., k, :], ways[..., k, :], other_starts[..., j, :], other_ways[..., j, :])
            least = np.minimum(least, found)
    return least


def axes(faces: Floats, other_faces: Floats) -> Floats:
    """Returns all directions in which two convex bodies, or two triangles, may be separated. They are the normals of
    both, and the cross products of two edges."""
    lines, normals = [], []
    for triangles in (faces, other_faces):
        _, ways = edges(triangles)
        sides = ways.reshape(-1, 3)
        lines.append(sides[np.linalg.norm(sides, axis=1) > 0.0])
        normals.append(np.cross(ways[:, 0], ways[:, 1]))
        # The planes at right angles to a single triangle, through its edges.
        normals.append(np.cross(ways, normals[-1][:, None]).reshape(-1, 3) if len(triangles) == 1 else np.zeros((0, 3)))
    across = np.cross(lines[0][:, None], lines[1][None]).reshape(-1, 3)
    every = np.concatenate([*normals, across])
    lengths = np.linalg.norm(every, axis=1)
    every = every[lengths > 1e-9 * lengths.max()] / lengths[lengths > 1e-9 * lengths.max(), None]
    return np.concatenate([every, -every])


def depth(faces: Floats, other_faces: Floats) -> float:
    """Returns the length of the shortest motion that separates two convex bodies of these triangles. It is negative if
    they are apart."""
    directions = axes(faces, other_faces)
    ours, theirs = faces.reshape(-1, 3) @ directions.T, other_faces.reshape(-1, 3) @ directions.T
    return float((ours.max(axis=0) - theirs.min(axis=0)).min())


def triangle_depths(triangles: Floats, faces: Floats) -> Floats:
    """Returns the depth of each triangle in a convex body."""
    return np.array([depth(triangle[None], faces) for triangle in triangles])
