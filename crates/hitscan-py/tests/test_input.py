"""What cannot be is refused by an exception that names it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import shapes

import hitscan

MESH = hitscan.Mesh(*shapes.box())
NAN = float("nan")
TRIANGLE = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
FACE = [[0, 1, 2]]


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: hitscan.Mesh(np.zeros((3, 2)), FACE), ValueError, r"vertices has the shape \(3, 2\)"),
        (lambda: hitscan.Mesh(np.zeros((1, 3, 3)), FACE), ValueError, r"vertices has the shape \(1, 3, 3\)"),
        (lambda: hitscan.Mesh(TRIANGLE, [0, 1, 2]), ValueError, r"faces has the shape \(3,\)"),
        (lambda: hitscan.Mesh(TRIANGLE, [[0, 1, 2, 0]]), ValueError, r"faces has the shape \(1, 4\)"),
        (lambda: hitscan.Mesh(TRIANGLE, [[0, 1, 3]]), ValueError, r"faces\[0, 2\] is 3, but there are 3 vertices"),
        (lambda: hitscan.Mesh(TRIANGLE, [[0, 1, 2], [0, -1, 2]]), ValueError, r"faces\[1, 1\] is -1"),
        (lambda: hitscan.Mesh(TRIANGLE, np.array([[0, 1, 2**64 - 1]], dtype=np.uint64)), ValueError, r"faces\[0, 2\] is 18446744073709551615"),
        (lambda: hitscan.Mesh(TRIANGLE, [[0.0, 1.0, 2.0]]), TypeError, "faces has the dtype float64"),
        (lambda: hitscan.Mesh([[0, 0, 0], [1, NAN, 0], [0, 1, 0]], FACE), ValueError, r"vertices\[1\] is .*NaN.*must be finite"),
        (lambda: hitscan.Mesh([[0, 0, 0], [1, np.inf, 0], [0, 1, 0]], FACE), ValueError, r"vertices\[1\]"),
        (lambda: hitscan.Mesh([[0, 0, 0], [1e300, 0, 0], [0, 1, 0]], FACE), ValueError, "which float32 cannot hold"),
        (lambda: hitscan.Mesh(np.array(TRIANGLE, dtype=complex), FACE), TypeError, "vertices has the dtype complex128"),
        (lambda: hitscan.Mesh("words", FACE), TypeError, "vertices has the dtype <U5"),
        (lambda: hitscan.Mesh(np.array(TRIANGLE, dtype=object), FACE), TypeError, "vertices has the dtype object"),
        (lambda: hitscan.Mesh(TRIANGLE, FACE, "good"), ValueError, "quality is \"good\""),
        (lambda: hitscan.Mesh(TRIANGLE, FACE, origin=[0, 0, NAN]), ValueError, "origin"),
        (lambda: MESH.cast([[0, 0]], [[0, 0, 1]]), ValueError, r"origins has the shape \(1, 2\)"),
        (lambda: MESH.cast(np.zeros((2, 3)), np.ones((3, 3))), ValueError, r"origins has the shape \(2, 3\) and directions \(3, 3\)"),
        (lambda: MESH.cast([[0, 0, 0], [0, NAN, 0]], [0, 0, 1]), ValueError, r"origins\[1\] is"),
        (lambda: MESH.cast([0, 0, 0], [[[0, 0, 1], [0, 0, 0]]]), ValueError, r"directions\[0, 1\] is \[0, 0, 0\]"),
        (lambda: MESH.cast([0, 0, 0], [0, 0, 1e-300]), ValueError, "directions is .*in float32 too"),
        (lambda: MESH.cast([0, 0, 0], [0, 0, 1], t_min=2, t_max=1), ValueError, "t_min 2 and t_max 1"),
        (lambda: MESH.cast([0, 0, 0], [0, 0, 1], t_max=[1, 2]), ValueError, r"t_max has the shape \(2,\)"),
        (lambda: MESH.is_blocked([0, 0, 0], [0, NAN, 1]), ValueError, "directions is"),
        (lambda: MESH.cast_all([0, 0, 0], [0, NAN, 1]), ValueError, "directions is"),
        (lambda: MESH.cast([0, 0, 0], [0, 0, 1], cull="both"), ValueError, "cull is \"both\""),
        (lambda: MESH.cast([0, 0, 0], [0, 0, 1], invalid="skip"), ValueError, "invalid is \"skip\""),
        (lambda: MESH.cast([0, 0, 0], [0, 0, 1], threads=-1), ValueError, "threads is -1"),
        (lambda: MESH.cast([0, 0, 0], [0, 0, 1], threads=10**6), ValueError, "threads is 1000000"),
        (lambda: MESH.closest_point([[0, 0, 0], [0, 0, NAN]]), ValueError, r"points\[1\] is"),
        (lambda: MESH.signed_distance([0, 1e71, 0]), ValueError, "points is .*not beyond 1e70"),
        (lambda: MESH.contains([[[0, 0, np.inf]]]), ValueError, r"points\[0, 0\] is"),
        (lambda: MESH.contains([1, 2]), ValueError, r"points has the shape \(2,\)"),
        (lambda: MESH.closest_point([0, 0, 0], ties="first"), ValueError, "ties is \"first\""),
        (lambda: MESH.closest_point([0, 0, 0], tie_tolerance=-1), ValueError, "tie_tolerance is -1"),
        (lambda: MESH.refit(np.zeros((3, 3))), ValueError, "3 positions for 8 vertices"),
        (lambda: hitscan.Mesh.from_bytes(b""), ValueError, "no saved mesh"),
        (lambda: hitscan.Mesh.from_bytes(b"\x89HITSP\r\n"), ValueError, "cut short"),
        (lambda: hitscan.Mesh.from_bytes("text"), TypeError, "buffer protocol"),
        (lambda: hitscan.load("no such file.obj"), FileNotFoundError, "no such file.obj"),
        (lambda: hitscan.Mesh.open("no such file"), FileNotFoundError, "no such file"),
        (lambda: MESH.save("/no such folder/mesh"), FileNotFoundError, "no such folder"),
        (lambda: hitscan.no_such_name, AttributeError, "no attribute 'no_such_name'"),  # type: ignore[attr-defined]
    ],
)
def test_errors_name_the_offender(call: Callable[[], Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        call()


def test_unusable_rays_may_miss() -> None:
    directions = np.array([[0, 0, 1], [0, 0, 0], [NAN, 0, 1], [0, 0, np.inf]])
    assert MESH.cast([0, 0, 0], directions, invalid="miss").hit.tolist() == [True, False, False, False]
    assert MESH.is_blocked([0, 0, 0], directions, invalid="miss").tolist() == [True, False, False, False]
    assert MESH.cast_all([0, 0, 0], directions, invalid="miss").splits.tolist()[2:] == [2, 2, 2]


def test_the_first_fault_is_named_whichever_thread_finds_one() -> None:
    origins = np.zeros((100_000, 3))
    origins[[99_999, 70_001, 31_337]] = NAN
    for _ in range(5):
        with pytest.raises(ValueError, match=r"origins\[31337\]"):
            MESH.cast(origins, [0, 0, 1])


def test_faces_of_any_integer_type_are_the_same() -> None:
    vertices, faces = shapes.box()
    for kind in (np.int8, np.uint8, np.int16, np.uint32, np.int32, np.uint64, ">i4", "<i8"):
        assert hitscan.Mesh(vertices, np.asfortranarray(faces.astype(kind))) == hitscan.Mesh(vertices, faces)


def test_a_file_that_is_no_model_is_a_value_error(tmp_path: Any) -> None:
    path = tmp_path / "bad.obj"
    path.write_text("v 0 0 0\n")
    with pytest.raises(ValueError, match="bad.obj"):
        hitscan.load(path)
    path.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    mesh = hitscan.load(path)
    assert float(mesh.cast([0.25, 0.25, 2], [0, 0, -1]).t) == 2.0
