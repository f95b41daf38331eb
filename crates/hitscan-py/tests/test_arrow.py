"""Tables of Arrow in and out, beside nanoarrow and the arrays themselves."""

from __future__ import annotations

import gc
from typing import Any

import nanoarrow as na
import numpy as np
import pytest
import shapes

import hitscan
import hitscan.arrow
from hitscan import _arrow_out

RANDOM = np.random.default_rng(51)
ORIGINS, DIRECTIONS = RANDOM.normal(size=(500, 3)), RANDOM.normal(size=(500, 3))
WHAT = ("t", "triangle", "point", "normal", "side", "hit")


def parts(dtype: str = "f8", rows: slice = slice(None)) -> dict[str, Any]:
    names = ("ox", "oy", "oz", "dx", "dy", "dz")
    return {name: np.ascontiguousarray(column, dtype) for name, column in zip(names, np.hstack([ORIGINS, DIRECTIONS])[rows].T)}


def foreign(columns: dict[str, Any]) -> Any:
    """Returns a table that nanoarrow made."""
    return na.c_array_from_buffers(
        na.struct({name: na.float64() if column.dtype == np.float64 else na.float32() for name, column in columns.items()}),
        len(next(iter(columns.values()))),
        [None],
        children=[na.c_array(np.ascontiguousarray(column)) for column in columns.values()],
    )


@pytest.fixture(scope="module")
def mesh() -> hitscan.Mesh:
    return hitscan.Mesh(*shapes.icosphere(2))


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_tables_come_in_and_go_out(mesh: hitscan.Mesh, dtype: str) -> None:
    columns = parts(dtype)
    wanted = mesh.cast(np.stack([columns[n] for n in ("ox", "oy", "oz")], 1), np.stack([columns[n] for n in ("dx", "dy", "dz")], 1))
    hits = hitscan.arrow.cast(mesh, foreign(columns), what=WHAT)
    for name in WHAT:
        assert np.array_equal(hits[name], getattr(wanted, name), equal_nan=name == "point"), name
    assert repr(hits) == "<hitscan.arrow.Columns: 500 rows of t, triangle, point, normal, side, hit>"
    there = na.c_array(hits)
    view = there.view()
    assert np.array_equal(np.frombuffer(view.child(0).buffer(1), "f4"), wanted.t)
    assert np.array_equal(np.frombuffer(view.child(1).buffer(1), "i8"), wanted.triangle)
    assert np.array_equal(np.frombuffer(view.child(2).child(0).buffer(1), "f8").reshape(-1, 3), wanted.point, equal_nan=True)
    assert na.Array(hits).to_pylist()[7]["hit"] == bool(wanted.hit[7])
    again = hitscan.arrow.columns(hits)
    for name in WHAT[:-1]:
        assert np.array_equal(again[name], hits[name], equal_nan=name == "point") and again[name].dtype == hits[name].dtype


def test_streams_slices_and_lists(mesh: hitscan.Mesh) -> None:
    whole = hitscan.arrow.cast(mesh, hitscan.arrow.Columns({"origin": ORIGINS, "direction": DIRECTIONS}), what=("t",))
    pieces = [foreign(parts(rows=rows)) for rows in (slice(0, 100), slice(100, 101), slice(101, 500))]
    stream = na.Array.from_chunks(pieces)
    assert not hasattr(stream, "__arrow_c_array__") or len(list(stream.iter_chunks())) == 3
    assert np.array_equal(hitscan.arrow.cast(mesh, stream, what=("t",))["t"], whole["t"])
    part = na.c_array(foreign(parts()))[100:300]
    assert np.array_equal(hitscan.arrow.cast(mesh, part, what=("t",))["t"], whole["t"][100:300])
    part = na.c_array(hitscan.arrow.Columns({"origin": ORIGINS, "direction": DIRECTIONS}))[33:400]
    assert np.array_equal(hitscan.arrow.cast(mesh, part, what=("t",))["t"], whole["t"][33:400])
    none = hitscan.arrow.cast(mesh, hitscan.arrow.Columns({"origin": ORIGINS[:0], "direction": DIRECTIONS[:0]}), what="t")
    assert len(none) == 0


def test_a_scene_answers_with_keys() -> None:
    scene = hitscan.Scene({5: hitscan.Shape.sphere(1.0)})
    hits = hitscan.arrow.cast(scene, foreign(parts()), what=("key", "t"))
    assert np.array_equal(hits["key"], scene.cast(ORIGINS, DIRECTIONS).key)


def test_ranges_are_columns_too(mesh: hitscan.Mesh) -> None:
    far = RANDOM.uniform(0, 2, size=500)
    hits = hitscan.arrow.cast(mesh, foreign({**parts(), "t_max": far}), what=("t",))
    assert np.array_equal(hits["t"], mesh.cast(ORIGINS, DIRECTIONS, t_max=far).t)


def test_nothing_is_kept_that_was_released(mesh: hitscan.Mesh) -> None:
    def use(hits: Any) -> None:
        hits.__arrow_c_array__()
        taken = na.c_array(hits)
        child = taken.child(2)
        del taken
        gc.collect()
        assert len(np.frombuffer(child.child(0).view().buffer(1), "f8")) == 1500

    before = len(_arrow_out._owned), len(_arrow_out._capsules)
    for _ in range(8):
        use(hitscan.arrow.cast(mesh, foreign(parts()), what=WHAT))
        gc.collect()
    assert (len(_arrow_out._owned), len(_arrow_out._capsules)) == before


def test_faults_are_named(mesh: hitscan.Mesh) -> None:
    columns = parts()
    bad = dict(columns)
    del bad["oz"]
    nan = {**columns, "dx": np.where(np.arange(500) == 9, np.nan, columns["dx"])}
    bits = na.c_buffer(np.array([0b01], np.uint8))
    null = na.c_array_from_buffers(na.float64(), 2, [bits, np.zeros(2)], null_count=1)
    nulls = na.c_array_from_buffers(na.struct({"ox": na.float64()}), 2, [None], children=[null])
    for table, kind, match in [
        (columns, TypeError, "the table is a dict"),
        (foreign(bad), ValueError, "no column 'origin'"),
        (foreign(nan), ValueError, r"directions\[9\]"),
        (na.c_array([1, 2, 3], na.int64()), ValueError, "must be a table"),
        (nulls, ValueError, r"ox\[1\] is null"),
    ]:
        with pytest.raises(kind, match=match):
            hitscan.arrow.cast(mesh, table)
    with pytest.raises(ValueError, match="what has 'key'"):
        hitscan.arrow.cast(mesh, foreign(columns), what=("key",))
    with pytest.raises(ValueError, match="point has the shape"):
        hitscan.arrow.Columns({"t": np.zeros(3), "point": np.zeros((2, 3))})
    with pytest.raises(TypeError, match="no column of numbers"):
        na.c_array(hitscan.arrow.Columns({"t": np.array(["a"])}))
