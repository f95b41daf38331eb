"""Workers of Dask on loopback."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import dask.array as da
import dask.config
import run
import workers
from dask.distributed import Client, Nanny, Scheduler, SpecCluster

import hitscan.dask


class Ask:
    def __init__(self, client: Any) -> None:
        self.client, self.shipped = client, client.scatter(run.mesh(), broadcast=True)

    def workers(self) -> list[int]:
        return list(self.client.run(os.getpid).values())

    def __call__(self, rays: Any) -> dict[str, Any]:
        array = da.from_array(rays, chunks=(run.BLOCK, 6))
        asked = self.client.compute([hitscan.dask.cast(self.shipped, array, what=what, threads=1) for what in run.WHAT])
        return dict(zip(run.WHAT, self.client.gather(asked)))


@contextmanager
def started(folder: Path, levels: Sequence[str] | None) -> Iterator[Ask]:
    """Starts two workers, or one for each instruction set."""
    scheduler = {"cls": Scheduler, "options": {"host": "127.0.0.1", "dashboard": False}}
    settings = [{workers.LEVEL: level} for level in levels or ("auto", "auto")]
    options = {"nthreads": 1, "host": "127.0.0.1", "dashboard": False, "local_directory": str(folder)}
    nannies = {number: {"cls": Nanny, "options": {**options, "env": env}} for number, env in enumerate(settings)}
    # The memory manager would drop copies of the mesh, which is then sent again, or lost with the worker that has the last one.
    keep = dask.config.set({"distributed.scheduler.active-memory-manager.start": False})
    with keep, SpecCluster(scheduler=scheduler, workers=nannies) as cluster, Client(cluster) as client:
        client.wait_for_workers(len(settings))
        yield Ask(client)
