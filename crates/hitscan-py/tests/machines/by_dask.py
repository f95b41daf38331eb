"""Two workers of Dask on loopback."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import dask.array as da
import run
from dask.distributed import Client, LocalCluster

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
def started(folder: Path) -> Iterator[Ask]:
    options: Any = {"host": "127.0.0.1", "dashboard_address": None, "local_directory": str(folder)}
    with LocalCluster(n_workers=2, threads_per_worker=1, **options) as cluster, Client(cluster) as client:
        yield Ask(client)
