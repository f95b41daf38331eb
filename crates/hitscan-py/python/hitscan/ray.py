"""Rays in data sets of Ray: a class for `map_batches`. Each of its actors reads the mesh or scene once.

    rows = rays.map_batches(
        hitscan.ray.Cast, fn_constructor_args=("city.hit",), compute=ray.data.ActorPoolStrategy(size=8), batch_format="numpy"
    )

Rows have the columns `origin` and `direction` of three numbers, or `ox`, `oy`, `oz`, `dx`, `dy` and `dz`. The columns
`t_min` and `t_max` are optional. Answers are added as columns. They are the same bits as in one process, also if an
actor dies and its batch is cast again.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from . import _columns
from ._hitscan import Mesh, Scene

__all__ = ["Cast"]


class Cast:
    """Casts the rays of batches. `target` is the path of a file of `Mesh.save` or `Scene.save`, or a mesh or scene, which is shipped to each actor.

    Give each actor as many processors as `threads`, 1 by default: otherwise there are more threads than processors.

    """

    def __init__(
        self, target: str | os.PathLike[str] | Mesh | Scene, what: Sequence[str] = ("t", "triangle"), threads: int | None = 1
    ) -> None:
        self._target = target if isinstance(target, (Mesh, Scene)) else _opened(target)
        self._what, self._threads = tuple([what] if isinstance(what, str) else what), threads
        _columns.check(self._target, self._what)

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        return {**batch, **_columns.cast(self._target, batch, self._what, self._threads)}


def _opened(path: str | os.PathLike[str]) -> Mesh | Scene:
    """Opens a saved mesh or scene."""
    try:
        return Mesh.open(path)
    except ValueError:
        return Scene.open(path)
