"""`hitscan.dask`. The answers are complete, in order, and have the same bits as in one process, also if a worker is
killed."""

from __future__ import annotations

import hashlib
import os
import signal
from collections.abc import Iterator
from typing import Any

import cloudpickle
import dask
import dask.array as da
import numpy as np
import pytest
import shapes
from dask.distributed import Client, LocalCluster

import hitscan
import hitscan.dask

RANDOM = np.random.default_rng(11)
RAYS = RANDOM.normal(size=(200_000, 6)).astype(np.float32)


def digest(array: Any) -> str:
    return hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()


@pytest.fixture(scope="module")
def mesh() -> hitscan.Mesh:
    return hitscan.Mesh(*shapes.icosphere(3))


@pytest.fixture(scope="module")
def wanted(mesh: hitscan.Mesh) -> hitscan.Hits:
    return mesh.cast(RAYS[:, :3], RAYS[:, 3:])


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    # The memory manager drops copies of the mesh every two seconds, and the last one dies with the worker that is killed.
    with dask.config.set({"distributed.scheduler.active-memory-manager.start": False}):
        with LocalCluster(host="127.0.0.1", dashboard_address=None, n_workers=2, threads_per_worker=1) as cluster:
            with Client(cluster) as client:
                yield client


@pytest.mark.parametrize("what", ["t", "triangle", "point", "normal", "u", "v", "side", "hit"])
def test_columns_are_those_of_one_process(mesh: hitscan.Mesh, wanted: hitscan.Hits, what: str) -> None:
    found = hitscan.dask.cast(mesh, da.from_array(RAYS, chunks=(30_000, 4)), what=what)
    column = getattr(wanted, what)
    assert found.shape == column.shape and found.dtype == column.dtype
    assert digest(found.compute(scheduler="threads")) == digest(column)


def test_points(mesh: hitscan.Mesh) -> None:
    points = RAYS[:5000, :3]
    array = da.from_array(points, chunks=(900, 3))
    assert digest(hitscan.dask.closest_point(mesh, array, what="point").compute(scheduler="threads")) == digest(mesh.closest_point(points).point)
    assert digest(hitscan.dask.signed_distance(mesh, array).compute(scheduler="threads")) == digest(mesh.signed_distance(points))


def blocks_of_any_memory() -> list[Any]:
    """Returns the first 3,000 rays in memory that is misaligned and read-only, strided, in the other byte order, and in columns."""
    rows = RAYS[:3000]
    behind_a_byte = np.frombuffer(b"\0" + rows.tobytes(), np.float32, offset=1).reshape(rows.shape)
    assert not behind_a_byte.flags.aligned and not behind_a_byte.flags.writeable
    return [behind_a_byte, np.repeat(rows, 2, axis=0)[::2], rows.astype(">f4"), np.asfortranarray(rows)]


@pytest.mark.parametrize("scheduler", ["synchronous", "threads", "workers"])
def test_blocks_of_any_memory_are_taken(mesh: hitscan.Mesh, wanted: hitscan.Hits, scheduler: str, request: pytest.FixtureRequest) -> None:
    client = request.getfixturevalue("client") if scheduler == "workers" else None
    near = digest(mesh.closest_point(RAYS[:3000, :3]).distance)
    for array in blocks_of_any_memory():
        rays, points = da.from_array(array, chunks=(700, 6)), da.from_array(array[:, :3], chunks=(900, 3))
        hits, distances = hitscan.dask.cast(mesh, rays), hitscan.dask.closest_point(mesh, points)
        found = [answer.compute(scheduler=client or scheduler) for answer in (hits, distances)]
        assert [digest(answer) for answer in found] == [digest(wanted.t[:3000]), near]


def test_the_mesh_is_in_the_graph_once(mesh: hitscan.Mesh) -> None:
    rays = da.from_array(RAYS, chunks=(1000, 6))
    one, other = hitscan.dask.cast(mesh, rays), hitscan.dask.cast(mesh, rays)
    assert one.name == other.name, "the same question has the same name"
    tasks = [len(cloudpickle.dumps(task)) for task in dict(hitscan.dask.cast(mesh, da.ones((200_000, 6), chunks=1000)).dask).values()]
    assert len(tasks) > 200 and [size > len(mesh.to_bytes()) for size in tasks].count(True) == 1


@pytest.mark.filterwarnings("ignore")
def test_a_killed_worker_loses_nothing(mesh: hitscan.Mesh, wanted: hitscan.Hits, client: Any) -> None:
    shipped = client.scatter(mesh, broadcast=True)
    rays = da.from_array(RAYS, chunks=(4000, 6))
    futures = client.compute([hitscan.dask.cast(shipped, rays, what=what, threads=1) for what in ("t", "triangle", "point")])
    os.kill(client.run(os.getpid).popitem()[1], signal.SIGKILL)
    for what, found in zip(("t", "triangle", "point"), client.gather(futures)):
        assert digest(found) == digest(getattr(wanted, what)), what


def test_bad_input(mesh: hitscan.Mesh) -> None:
    with pytest.raises(ValueError, match=r"must be a dask array of shape \(n, 6\)"):
        hitscan.dask.cast(mesh, RAYS)
    with pytest.raises(ValueError, match="what is 'depth'"):
        hitscan.dask.cast(mesh, da.from_array(RAYS), what="depth")
    bad = RAYS[:10].copy()
    bad[3, 0] = np.nan
    with pytest.raises(ValueError, match=r"origins\[3\]"):
        hitscan.dask.cast(mesh, da.from_array(bad)).compute(scheduler="threads")
    assert hitscan.dask.cast(mesh, da.from_array(RAYS[:0])).compute(scheduler="threads").shape == (0,)
