"""Threads of Spark on loopback, with a Python worker each. A task may fail four times."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
import pyarrow as pa
import pyarrow.parquet
import run
import workers
from pyspark.sql import SparkSession

import hitscan.spark

SCHEMA = "id long, t float, triangle long, point array<double>, normal array<float>, u float, v float, side byte"


class Ask:
    def __init__(self, spark: Any, folder: Path, levels: Sequence[str] | None) -> None:
        self.spark, self.folder, self.levels = spark, folder, levels
        self.shipped = spark.sparkContext.broadcast(run.mesh())

    def workers(self) -> list[int]:
        """Returns the Python workers that Spark's daemon has forked."""
        daemons = [number for number, line in _processes() if "pyspark.daemon" in line]
        parents = {number: _parent(number) for number in daemons}
        return [number for number in daemons if parents[number] in daemons]

    def __call__(self, rays: Any) -> dict[str, Any]:
        names = ("ox", "oy", "oz", "dx", "dy", "dz")
        table = pa.table({"id": np.arange(len(rays)), **{name: np.ascontiguousarray(rays[:, i]) for i, name in enumerate(names)}})
        path = self.folder / "rays.parquet"
        pyarrow.parquet.write_table(table, path, row_group_size=run.BLOCK)
        cast = hitscan.spark.cast(self.shipped, what=run.WHAT, keep=("id",))
        if self.levels:
            cast = _by_levels(self.shipped, run.WHAT, self.levels)
        found = self.spark.read.parquet(str(path)).repartition(20).mapInArrow(cast, SCHEMA).sort("id").toArrow()
        assert np.array_equal(np.asarray(found.column("id")), np.arange(len(rays))), "rays are missing or double"
        columns = {}
        for name in run.WHAT:
            column = found.column(name).combine_chunks()
            is_list = name in ("point", "normal")
            columns[name] = np.asarray(column.flatten()).reshape(-1, 3) if is_list else np.asarray(column)
        return columns


def _by_levels(shipped: Any, what: Sequence[str], levels: Sequence[str]) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Returns a function. Each worker computes with the instruction set that the number of its first partition chooses.
    For this, it imports hitscan after the choice."""

    def answer(batches: Iterator[Any]) -> Iterator[Any]:
        import os

        from pyspark import TaskContext

        context = TaskContext.get()
        os.environ.setdefault("HITSCAN_SIMD", levels[context.partitionId() % len(levels) if context else 0])
        import hitscan.spark

        return hitscan.spark.cast(shipped, what=what, keep=("id",))(batches)

    return answer


def _processes() -> Iterator[tuple[int, str]]:
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            # Only those of this session.
            if _parent(int(folder.name)) and os.getsid(int(folder.name)) == os.getsid(0):
                yield int(folder.name), line


def _parent(number: int) -> int:
    try:
        return int(Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


@contextmanager
def started(folder: Path, levels: Sequence[str] | None) -> Iterator[Ask]:
    """Starts Spark with two threads, or one for each instruction set."""
    builder = SparkSession.builder.master(f"local[{2 if levels is None else len(levels)},4]").appName("hitscan")
    options = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.sql.execution.arrow.maxRecordsPerBatch": str(run.BLOCK),
        "spark.driver.memory": "2g",
        "spark.local.dir": str(folder),
    }
    for name, value in options.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    try:
        yield Ask(spark, folder, levels)
    finally:
        spark.stop()
