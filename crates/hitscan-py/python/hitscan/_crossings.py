"""Hits on several triangles at one place, counted as one crossing of the surface."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from . import AllHits


def are_first(every: AllHits, faces: NDArray[np.int64], groups: NDArray[np.int64] | None = None) -> NDArray[np.bool_]:
    """Returns which hits are the first ones at their place.

    A ray through an edge or a vertex hits every triangle there, at one t. So a hit is not the first if the one before it is of the same
    ray, t and group, and its triangle has a vertex in common with it.
    """
    ray, t, triangle = every.ray, every.t, every.triangle
    first = np.ones(len(ray), dtype=np.bool_)
    same = (ray[1:] == ray[:-1]) & (t[1:] == t[:-1])
    if groups is not None:
        same &= groups[1:] == groups[:-1]
    places = np.flatnonzero(same)
    if len(places):
        one, other = faces[triangle[places]], faces[triangle[places + 1]]
        touch = (one[:, :, None] == other[:, None, :]).any(axis=(1, 2))
        first[places[touch] + 1] = False
    return first


def ranks(rays: NDArray[np.int64]) -> NDArray[np.int64]:
    """Returns how many elements before each one are of the same ray; rays are in ascending order."""
    places = np.arange(len(rays))
    starts = np.flatnonzero(np.diff(rays, prepend=-1))
    return places - np.repeat(starts, np.diff(starts, append=len(rays)))


def merged_vertices(vertices: NDArray[np.float64]) -> NDArray[np.int64]:
    """Returns for each vertex the number of its position: the same for vertices at one place."""
    if len(vertices) == 0:
        return np.zeros(0, dtype=np.int64)
    _, numbers = np.unique(vertices + 0.0, axis=0, return_inverse=True)
    return numbers.reshape(-1).astype(np.int64)
