"""Rays in Arrow tables, and their hits as an Arrow table. It works with pyarrow, polars, DuckDB and others with the PyCapsule interface, and imports none
of them.

    hits = hitscan.arrow.cast(mesh, table, what=("t", "triangle", "point"))
    pyarrow.table(hits)                       # or polars.DataFrame(hits)

A table has the columns `origin` and `direction`, fixed-size lists of three floats, or `ox`, `oy`, `oz`, `dx`, `dy` and
`dz`. The columns `t_min` and `t_max` are optional.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _columns
from ._arrow_in import columns
from ._arrow_out import export
from ._hitscan import Mesh, Scene

__all__ = ["Columns", "cast", "columns"]


class Columns:
    """Named arrays of one length, which consumers of Arrow read as a table; columns with three numbers in each row are fixed-size lists."""

    def __init__(self, arrays: dict[str, NDArray[Any]]) -> None:
        for name, array in arrays.items():
            if array.ndim not in (1, 2) or len(array) != len(next(iter(arrays.values()))):
                raise ValueError(f"{name} has the shape {array.shape}, but all columns must have one length, and one or two dimensions")
        self._arrays = dict(arrays)

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        """Returns the capsules of a schema and of an array of structs, which share the memory of the columns."""
        return export(self._arrays)

    def __arrow_c_schema__(self) -> object:
        """Returns the capsule of the schema."""
        return export(self._arrays)[0]

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self._arrays[name]

    def __len__(self) -> int:
        return len(next(iter(self._arrays.values()), ()))

    def __repr__(self) -> str:
        return f"<hitscan.arrow.Columns: {len(self)} rows of {', '.join(self._arrays)}>"

    def to_dict(self) -> dict[str, NDArray[Any]]:
        """Returns a dictionary of all columns."""
        return dict(self._arrays)


def cast(
    target: Mesh | Scene, rays: object, *, what: Sequence[str] = ("t", "triangle"), threads: int | None = None
) -> Columns:
    """Casts the rays of a table of Arrow, and returns columns of their first hits, a row for each ray."""
    answers = _columns.cast(target, columns(rays), what, threads)
    return Columns({name: np.ascontiguousarray(answer) for name, answer in answers.items()})
