"""Rays in data frames of Spark: a function for `mapInArrow`.

    shipped = spark.sparkContext.broadcast(hitscan.load("city.glb"))  # once to each worker
    hits = rays.mapInArrow(hitscan.spark.cast(shipped, keep=("id",)), "id long, t float, triangle long")

Rows have the columns `ox`, `oy`, `oz`, `dx`, `dy` and `dz`, or `origin` and `direction` of three numbers. The columns
`t_min` and `t_max` are optional. The answer has the columns in `keep`, unchanged, and then the columns in `what`.
Answers are the same bits as in one process, also if a task is run again.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from . import _columns
from ._hitscan import Mesh, Scene

__all__ = ["cast"]


def cast(
    target: Any, *, what: Sequence[str] = ("t", "triangle"), keep: Sequence[str] = (), threads: int | None = 1
) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Returns a function that casts the rays of record batches. `target` is a mesh or scene, or a broadcast variable of one."""
    names = tuple([what] if isinstance(what, str) else what)
    kept = tuple([keep] if isinstance(keep, str) else keep)
    _columns.check(_value(target), names)

    def answer(batches: Iterator[Any]) -> Iterator[Any]:
        pyarrow = importlib.import_module("pyarrow")
        mesh = _value(target)
        for batch in batches:
            rays = {name: _numbers(batch.column(name)) for name in batch.schema.names if name in _COLUMNS}
            found = _columns.cast(mesh, rays, names, threads)
            arrays = [batch.column(name) for name in kept] + [_list(pyarrow, found[name]) for name in names]
            yield pyarrow.RecordBatch.from_arrays(arrays, names=[*kept, *names])

    return answer


_COLUMNS = ("origin", "direction", "ox", "oy", "oz", "dx", "dy", "dz", "t_min", "t_max")


def _value(target: Any) -> Mesh | Scene:
    found = getattr(target, "value", target)
    if not isinstance(found, (Mesh, Scene)):
        raise TypeError(f"target is a {type(found).__name__}, but must be a hitscan.Mesh or Scene, or a broadcast variable of one")
    return found


def _numbers(column: Any) -> Any:
    """Returns a column of numbers, or of lists of three, as an array."""
    if column.null_count:
        raise ValueError("a column of the rays has nulls: fill them, or leave such rows out")
    if hasattr(column, "flatten") and str(column.type).startswith(("list", "fixed_size_list", "large_list")):
        flat = np.asarray(column.flatten())
        if len(flat) != 3 * len(column):
            raise ValueError("origin and direction must have three numbers in each row")
        return flat.reshape(-1, 3)
    return np.asarray(column)


def _list(pyarrow: Any, column: Any) -> Any:
    if column.ndim == 1:
        return pyarrow.array(column)
    offsets = np.arange(0, column.size + 1, column.shape[1], dtype=np.int32)
    return pyarrow.ListArray.from_arrays(offsets, column.reshape(-1))
