"""Crossings of surfaces. Several hits may be one crossing, and crossings give the number of times that surfaces go
around a point."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import AllHits, Mesh


def are_first(every: AllHits, faces: NDArray[np.int64], groups: NDArray[np.int64] | None = None) -> NDArray[np.bool_]:
    """Returns for each hit whether it is the first at its crossing.

    A ray through an edge or a vertex hits every triangle there, at one t. So a hit is not the first if an earlier hit
    is equal in ray, t, group and side, and the triangles of both share a vertex. Hits on different sides are different
    crossings. The ray leaves one body where it enters another, or it touches an edge from outside, where it enters and
    leaves.
    """
    count = len(every.ray)
    keys: list[NDArray[Any]] = [every.side, np.zeros(count, dtype=np.int64) if groups is None else groups, every.t, every.ray]
    # The sort is stable: the first of several hits at one crossing stays first.
    order = np.lexsort(keys)
    alike = np.ones(max(count - 1, 0), dtype=np.bool_)
    for key in keys:
        alike &= key[order][1:] == key[order][:-1]
    is_start = np.append(True, ~alike)[:count]
    # The place in `order` of the first hit that has the same keys as the hit at each place.
    starts = np.maximum.accumulate(np.where(is_start, np.arange(count), 0))
    first = np.ones(count, dtype=np.bool_)
    # Hits of other bodies may be between two hits at one crossing. So a hit is compared with all earlier hits that have
    # its keys.
    places, back = np.flatnonzero(~is_start), 1
    while len(places):
        one, other = faces[every.triangle[order[places]]], faces[every.triangle[order[places - back]]]
        touch = (one[:, :, None] == other[:, None, :]).any(axis=(1, 2))
        first[order[places[touch]]] = False
        places, back = places[~touch], back + 1
        places = places[places - back >= starts[places]]
    return first


def are_closed(faces: NDArray[np.int64]) -> bool:
    """Returns whether the triangles have no border: each edge is used equally often in both directions. Then the winding number of each point is an integer."""
    edges = faces[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)
    count = int(faces.max(initial=0)) + 1
    ahead, back = (edges[:, one] * count + edges[:, 1 - one] for one in (0, 1))
    return bool(np.array_equal(np.sort(ahead), np.sort(back)))


def are_enclosed(mesh: Mesh, points: NDArray[np.floating[Any]], threads: int | None = None) -> NDArray[np.bool_]:
    """Returns for each point whether its winding number is odd, of either sign. A point on the surface is not enclosed.

    So the answer is the parity of the crossings of any ray from the point. It is decided without a ray that could go
    through an edge.
    """
    if len(mesh) == 0:
        return np.zeros(points.shape[:-1], dtype=np.bool_)
    low, high = mesh.bounds
    enclosed: NDArray[np.bool_] = np.asarray(((points > low) & (points < high)).all(axis=-1))
    numbers = mesh.winding_number(points[enclosed], threads=threads)
    enclosed[enclosed] = np.rint(np.abs(numbers)) % 2 == 1
    enclosed[enclosed] = mesh.closest_point(points[enclosed], threads=threads).distance > 0.0
    return enclosed


def ranks(rays: NDArray[np.int64]) -> NDArray[np.int64]:
    """Returns for each element the number of earlier elements with the same ray. `rays` is in ascending order."""
    places = np.arange(len(rays))
    starts = np.flatnonzero(np.diff(rays, prepend=-1))
    return places - np.repeat(starts, np.diff(starts, append=len(rays)))


def merged_vertices(vertices: NDArray[np.float64]) -> NDArray[np.int64]:
    """Returns for each vertex the number of its position. Vertices at the same position have the same number."""
    if len(vertices) == 0:
        return np.zeros(0, dtype=np.int64)
    _, numbers = np.unique(vertices + 0.0, axis=0, return_inverse=True)
    return numbers.reshape(-1).astype(np.int64)
