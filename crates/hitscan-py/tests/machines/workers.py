"""The reports of workers. They say when a mesh came to a worker as bytes, how many bytes, and which instruction set the
worker uses.

Workers find this module by PYTHONPATH. A mesh is pickled by it as soon as it is imported. So every process that reads a
mesh writes that down.
"""

from __future__ import annotations

import copyreg
import os
import platform
from pathlib import Path
from typing import Any

# A folder in which each worker notes what it was given.
NOTES = "HITSCAN_MACHINES_NOTES"
LEVEL = "HITSCAN_SIMD"
#: The instruction sets of three workers; answers are the same by all.
LEVELS = ("sse2", "auto", "auto") if platform.machine() in ("x86_64", "AMD64") else ("auto", "auto", "auto")


def note(count: int) -> None:
    """Notes that so many bytes of a mesh came to this process."""
    import hitscan

    with open(Path(os.environ[NOTES], str(os.getpid())), "a", encoding="utf-8") as file:
        file.write(f"{count} {hitscan.simd_level()}\n")


def noted() -> dict[int, list[tuple[int, str]]]:
    """Returns what each process noted, by its number."""
    found = {}
    for path in Path(os.environ[NOTES]).iterdir():
        lines = [line.split() for line in path.read_text(encoding="utf-8").splitlines()]
        found[int(path.name)] = [(int(count), level) for count, level in lines]
    return found


def forget() -> None:
    for path in Path(os.environ[NOTES]).iterdir():
        path.unlink()


def received(data: bytes) -> Any:
    """Makes the mesh of bytes that were shipped, and notes them."""
    import hitscan

    note(len(data))
    register()
    return hitscan.Mesh.from_bytes(data)


def register() -> None:
    import hitscan

    copyreg.pickle(hitscan.Mesh, lambda mesh: (received, (mesh.to_bytes(),)))  # type: ignore[arg-type, return-value]
