"""Rays and points in arrays of dask, for meshes and scenes.

    from dask.distributed import Client
    client = Client(..)
    mesh = hitscan.load("city.glb")
    shipped = client.scatter(mesh, broadcast=True)     # once to each worker
    t = hitscan.dask.cast(shipped, rays, what="t")     # rays: a dask array of shape (n, 6)
    t.compute()

The memory manager of Dask may drop copies of a scattered mesh. Set `distributed.scheduler.active-memory-manager.start`
to `False` before the scheduler starts. Then each worker gets the mesh once, and the mesh survives a worker that dies. A
mesh that is not scattered is a task of the graph, and may be made again.

Each block is answered by one call on the threads of its worker. To have no more threads than processors, give workers
`HITSCAN_NUM_THREADS`, or `threads=`. The answers are the same bits as without dask, whichever worker answers a block,
and however often.
"""

from __future__ import annotations

from typing import Any

import dask.array
import numpy as np
from dask.delayed import Delayed, delayed
from numpy.typing import NDArray

from . import Mesh, Scene

# The type annotations of dask are not complete.
da: Any = dask.array

__all__ = ["cast", "closest_point", "signed_distance"]

_RAYS = {"key": ("i8", 0), "part": ("i8", 0), "t": ("f4", 0), "triangle": ("i8", 0), "point": ("f8", 3), "normal": ("f4", 3), "u": ("f4", 0), "v": ("f4", 0), "side": ("i1", 0), "hit": ("?", 0)}
_POINTS = {"key": ("i8", 0), "part": ("i8", 0), "point": ("f8", 3), "distance": ("f8", 0), "triangle": ("i8", 0), "feature": ("i1", 0), "containment": ("i1", 0)}


def _cast(mesh: Mesh | Scene, rays: NDArray[Any], what: str, threads: int | None) -> NDArray[Any]:
    answer: NDArray[Any] = getattr(mesh.cast(rays[:, :3], rays[:, 3:], threads=threads), what)
    return answer


def _closest_point(mesh: Mesh | Scene, points: NDArray[Any], what: str, threads: int | None) -> NDArray[Any]:
    answer: NDArray[Any] = getattr(mesh.closest_point(points, threads=threads), what)
    return answer


def _signed_distance(mesh: Mesh, points: NDArray[Any], what: str, threads: int | None) -> NDArray[Any]:
    return mesh.signed_distance(points, threads=threads)


def _map(ask: Any, mesh: Any, rows: Any, width: int, what: str, kind: tuple[str, int], threads: int | None) -> Any:
    """Returns an array of the answers, block by block. The mesh is one task of the graph, or a future, and is not repeated in each block."""
    if not isinstance(rows, da.Array) or rows.ndim != 2 or rows.shape[1] != width:
        shape = getattr(rows, "shape", type(rows).__name__)
        raise ValueError(f"the array is {shape}, but must be a dask array of shape (n, {width})")
    if rows.numblocks[1] > 1:
        rows = rows.rechunk({1: width})
    shipped = mesh if isinstance(mesh, Delayed) or hasattr(mesh, "key") else delayed(mesh, pure=True)
    dtype, columns = kind
    meta: NDArray[Any] = np.empty((0, columns) if columns else (0,), dtype=dtype)
    blocks = []
    for block, count in zip(rows.to_delayed().ravel(), rows.chunks[0]):
        answer = delayed(ask, pure=True)(shipped, block, what, threads)
        blocks.append(da.from_delayed(answer, (count, columns) if columns else (count,), meta=meta))
    return da.concatenate(blocks) if blocks else da.from_array(meta)


def _kind(kinds: dict[str, tuple[str, int]], what: str) -> tuple[str, int]:
    if what not in kinds:
        raise ValueError(f"what is {what!r}, but must be one of {', '.join(kinds)}")
    return kinds[what]


def cast(mesh: Any, rays: Any, *, what: str = "t", threads: int | None = None) -> Any:
    """Returns a column of the first hits of rays, an array of shape (n, 6): origins and directions.

    The mesh is a `Mesh` or `Scene`, or the future of a scattered one; only scenes have the columns `key` and `part`. Each block must have the number of rows
    that the array declares.
    """
    return _map(_cast, mesh, rays, 6, what, _kind(_RAYS, what), threads)


def closest_point(mesh: Any, points: Any, *, what: str = "distance", threads: int | None = None) -> Any:
    """Returns a column of the nearest points of the surface to points, an array of shape (n, 3)."""
    return _map(_closest_point, mesh, points, 3, what, _kind(_POINTS, what), threads)


def signed_distance(mesh: Any, points: Any, *, threads: int | None = None) -> Any:
    """Returns the distances of points to the surface, negative inside."""
    return _map(_signed_distance, mesh, points, 3, "distance", ("f8", 0), threads)
