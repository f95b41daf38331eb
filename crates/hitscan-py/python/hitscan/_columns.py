"""Rays and answers as named columns of one length, for the modules that read and write tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._hitscan import Mesh, Scene

_PARTS = {"origin": ("ox", "oy", "oz"), "direction": ("dx", "dy", "dz")}
_HITS = ("t", "triangle", "point", "normal", "u", "v", "side", "hit")
_SCENE_HITS = ("key", "part", *_HITS)


def vectors(columns: Mapping[str, Any], name: str) -> NDArray[Any]:
    """Returns the vectors in the column of that name, which has three numbers in each row, or else in the three columns of its components."""
    parts = _PARTS[name]
    if name in columns:
        column = np.asarray(columns[name])
        if column.dtype == object and len(column):
            column = np.stack([np.asarray(row) for row in column])
        return column.reshape(0, 3) if column.size == 0 else column
    if all(part in columns for part in parts):
        return np.stack([np.asarray(columns[part]) for part in parts], axis=-1)
    raise ValueError(f"there is no column {name!r}, nor all of {', '.join(parts)}; there are {', '.join(columns) or 'none'}")


def check(target: Mesh | Scene, what: Sequence[str]) -> None:
    """Raises a `ValueError` for a column that no answer has."""
    names = _HITS if isinstance(target, Mesh) else _SCENE_HITS
    for name in [what] if isinstance(what, str) else what:
        if name not in names:
            raise ValueError(f"what has {name!r}, but must be of {', '.join(names)}")


def cast(target: Mesh | Scene, rays: Mapping[str, Any], what: Sequence[str], threads: int | None) -> dict[str, NDArray[Any]]:
    """Casts the rays in columns, and returns columns of their first hits."""
    check(target, what)
    low, high = (np.asarray(rays[name]) if name in rays else None for name in ("t_min", "t_max"))
    hits = target.cast(vectors(rays, "origin"), vectors(rays, "direction"), t_min=low, t_max=high, threads=threads)
    return {name: getattr(hits, name) for name in what}
