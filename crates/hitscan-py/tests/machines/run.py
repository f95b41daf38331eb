"""A million rays by one process, and by Dask, Ray and Spark on loopback. The answers are complete, in order, and have
the same bits, also if a worker is killed or stopped midway.

    cargo xtask machines [dask|ray|spark] ..

Each engine answers four times. It runs undisturbed, with a worker killed, with a worker stopped for 5 s, and with
workers of different instruction sets. It prints the time, its ratio to the plain call for each block, and a sha256 over
every column. The sha256 must be the same as with one process. Each worker counts the scenes that it is given.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import workers

# A process that Dask starts reads this file before it has the variables of its worker. hitscan reads these variables
# when it is imported.
if TYPE_CHECKING:
    import hitscan

COUNT, BLOCK = int(os.environ.get("HITSCAN_MACHINES_RAYS", "1000000")), 20_000
WHAT = ("t", "triangle", "point", "normal", "u", "v", "side")
KINDS = {"t": "f4", "triangle": "i8", "point": "f8", "normal": "f4", "u": "f4", "v": "f4", "side": "i1"}


def rays() -> Any:
    return np.random.default_rng(77).normal(size=(COUNT, 6)).astype(np.float32)


def mesh() -> hitscan.Mesh:
    """Returns a sphere with dents, of a hundred thousand triangles."""
    import hitscan

    polar, around = np.meshgrid(np.linspace(0, np.pi, 226), np.linspace(0, 2 * np.pi, 226), indexing="ij")
    radius = 1 + 0.1 * np.sin(7 * polar) * np.cos(5 * around)
    grid = radius[..., None] * np.stack([np.sin(polar) * np.cos(around), np.cos(polar), np.sin(polar) * np.sin(around)], axis=-1)
    index = np.arange(226 * 226).reshape(226, 226)
    a, b, c, d = index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1]
    faces = np.concatenate([np.stack([a, b, c], axis=-1).reshape(-1, 3), np.stack([a, c, d], axis=-1).reshape(-1, 3)])
    return hitscan.Mesh(grid.reshape(-1, 3).astype(np.float32), faces)


def digest(columns: dict[str, Any]) -> str:
    whole = hashlib.sha256()
    for name in WHAT:
        column = np.ascontiguousarray(columns[name], dtype=KINDS[name])
        assert len(column) == COUNT, f"{name} has {len(column)} rows"
        whole.update(column.tobytes())
    return whole.hexdigest()[:16]


def disturb(kind: str, workers: Callable[[], list[int]]) -> threading.Thread:
    """Kills a worker, or stops it for 5 s, a moment after the work began."""

    def act() -> None:
        end = time.monotonic() + 300.0
        while not (alive := workers()):
            if time.monotonic() > end:
                print("  there was no worker to disturb", flush=True)
                return
            time.sleep(0.05)
        time.sleep(0.5)
        victim = alive[0]
        if kind == "killed":
            os.kill(victim, signal.SIGKILL)
        else:
            os.kill(victim, signal.SIGSTOP)
            time.sleep(5.0)
            os.kill(victim, signal.SIGCONT)
        print(f"  worker {victim} was {kind}", flush=True)

    thread = threading.Thread(target=act)
    thread.start()
    return thread


def shipped() -> bool:
    """Prints what came to each worker, and returns whether no mesh came to one twice."""
    notes = workers.noted()
    for number, lines in sorted(notes.items()):
        print(f"  worker {number}: {' + '.join(str(count) for count, _ in lines)} bytes of the mesh, {lines[0][1]}", flush=True)
    return bool(notes) and all(len(lines) == 1 for lines in notes.values())


def answers(engine: Any, wanted: str, plain: float) -> bool:
    """Runs an engine undisturbed, disturbed, and with workers of other instruction sets, and returns whether all digests are right and each worker got the mesh once."""
    right = True
    with tempfile.TemporaryDirectory() as folder:
        notes = Path(folder, "notes")
        notes.mkdir()
        os.environ[workers.NOTES] = str(notes)
        for kinds, levels in ((("undisturbed", "killed", "stopped"), None), (("other levels",), workers.LEVELS)):
            own = Path(folder, "levels" if levels else "same")
            own.mkdir()
            workers.forget()
            with engine.started(own, levels) as ask:
                for kind in kinds:
                    thread = disturb(kind, ask.workers) if kind in ("killed", "stopped") else None
                    start = time.perf_counter()
                    found = digest(ask(rays()))
                    took = time.perf_counter() - start
                    if thread:
                        thread.join()
                    blocks = COUNT / BLOCK
                    # The plain call is one thread's, and the workers are two.
                    more = f", {(took - plain / 2) / blocks * 1e3:.0f} ms a block more than the plain call by two" if kind == "undisturbed" else ""
                    print(f"{engine.__name__:8} {kind:12} {took:6.1f} s  {found}  {'the same' if found == wanted else 'DIFFERENT'}{more}", flush=True)
                    right &= found == wanted
            right &= shipped()
            used = {lines[0][1] for lines in workers.noted().values()}
            right &= not levels or len(used) == len(set(levels))
    return right


def main() -> None:
    names = sys.argv[1:] or ["dask", "ray", "spark"]
    target, own = mesh(), rays()
    start = time.perf_counter()
    wanted = digest(target.cast(own[:, :3], own[:, 3:], threads=1).to_dict())
    plain = time.perf_counter() - start
    print(f"one process, one thread: {plain:.1f} s  {wanted}  ({COUNT} rays, {len(target)} triangles, {len(target.to_bytes())} bytes)", flush=True)
    here = str(Path(__file__).parent)
    sys.path.insert(0, here)
    # Workers look for modules here, too.
    os.environ["PYTHONPATH"] = here
    workers.register()
    # Each engine is asked, also if one before it was wrong.
    results = [answers(importlib.import_module(f"by_{name}"), wanted, plain) for name in names]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
