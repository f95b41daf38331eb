"""Actors of Ray on loopback."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np

# Nothing is told to anyone, and no token is written: the cluster is on loopback.
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
os.environ.setdefault("RAY_AUTH_MODE", "disabled")
import ray
import run
import workers

import hitscan.ray


class Cast(hitscan.ray.Cast):
    """Leaves its process's number, so that the test can kill it."""

    def __init__(self, path: str, folder: str) -> None:
        super().__init__(path, what=run.WHAT)
        workers.note(Path(path).stat().st_size)
        Path(folder, f"{os.getpid()}.worker").touch()


class Ask:
    def __init__(self, folder: Path, levels: Sequence[str] | None) -> None:
        self.folder, self.path, self.levels = folder, folder / "mesh.hit", levels or ("auto", "auto")
        run.mesh().save(self.path)

    def workers(self) -> list[int]:
        # The actors of this run alone.
        found = [int(file.stem) for file in self.folder.glob("*.worker")]
        return [number for number in found if Path(f"/proc/{number}").exists()]

    def __call__(self, rays: Any) -> dict[str, Any]:
        for file in self.folder.glob("*.worker"):
            file.unlink()
        rows = ray.data.from_numpy([np.ascontiguousarray(block) for block in np.array_split(rays, len(rays) // run.BLOCK)])
        split = rows.map_batches(_split, batch_format="numpy")
        pool, levels = ray.data.ActorPoolStrategy(size=len(self.levels)), cycle(self.levels)
        options: Any = {"fn_constructor_args": (str(self.path), str(self.folder)), "compute": pool, "batch_format": "numpy", "batch_size": run.BLOCK}
        done = split.map_batches(Cast, **options, ray_remote_args_fn=lambda: {"runtime_env": {"env_vars": {workers.LEVEL: next(levels)}}})
        blocks = list(done.iter_batches(batch_format="numpy", batch_size=None))
        return {name: np.concatenate([block[name] for block in blocks]) for name in run.WHAT}


def _split(batch: dict[str, Any]) -> dict[str, Any]:
    return {"origin": batch["data"][:, :3], "direction": batch["data"][:, 3:]}


@contextmanager
def started(folder: Path, levels: Sequence[str] | None) -> Iterator[Ask]:
    """Starts Ray for two actors, or one for each instruction set."""
    ray.init(_node_ip_address="127.0.0.1", include_dashboard=False, num_cpus=4, log_to_driver=False)
    ray.data.DataContext.get_current().execution_options.preserve_order = True
    try:
        yield Ask(folder, levels)
    finally:
        ray.shutdown()
