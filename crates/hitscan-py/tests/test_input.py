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
BALL = hitscan.Shape.sphere(1.0)
SCENE = hitscan.Scene({0: BALL})


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
        (lambda: MESH.cast([0, 0, 0], [0, 0, 0]), ValueError, "directions is .*finite and not zero"),
        (lambda: MESH.cast([0, 0, 1e39], [0, 0, 1]), ValueError, r"origins is \[0, 0, 1e39\].*in float32 too"),
        (lambda: hitscan.Mesh([[0, 0, 0], [1, 0, 0], [0, 1e39, 0]], FACE), ValueError, r"vertices\[2\] is \[0, 1e39, 0\]"),
        (lambda: hitscan.Mesh([[-3e38, 0, 0], [-3e38, 1, 0], [9e38, 1, 0]], FACE), ValueError, r"vertices\[2\] is \[9e38"),
        (lambda: SCENE.insert(1, BALL, layers=2**32), ValueError, r"layers is 4294967296, but must be 32 bits"),
        (lambda: SCENE.cast([0, 0, 0], [0, 0, 1], layers=-1), ValueError, "layers is -1"),
        (lambda: SCENE.set_layers(0, 2**70), ValueError, "layers is 1180591620717411303424"),
        (lambda: SCENE.insert(2**63, BALL), ValueError, r"key is 9223372036854775808, but must be"),
        (lambda: SCENE.remove(-1), ValueError, "key is -1"),
        (lambda: hitscan.Scene({-1: BALL}), ValueError, "key is -1"),
        (lambda: SCENE.distance(0, 2**64), TypeError, "second has the dtype object, but must have integers"),
        (lambda: SCENE.refit(0, TRIANGLE, part=2**32), ValueError, "part is 4294967296"),
        (lambda: SCENE.set_heights(0, -1, 0, [[1.0]]), ValueError, "row is -1"),
        (lambda: MESH.cast([0, 0, 0], [0, 0, 1], threads=2**64), ValueError, "threads is 18446744073709551616"),
        (lambda: MESH.cast([0, 0, 0], [0, 0, 1], threads="two"), TypeError, "threads"),
        (lambda: hitscan.Shape.oriented_box([0, 0, 0], [1, 1, 1], [0, 0, 0, 0]), ValueError, r"rotation is \[0, 0, 0, 0\], but must be finite and not zero"),
        (lambda: SCENE.overlaps(BALL, [[0, 0, 0]] * 2, rotations=[[0, 0, 0, 1], [0, 0, 0, 0]]), ValueError, r"rotations\[1\] is"),
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


@pytest.mark.parametrize(
    "call",
    [
        lambda: hitscan.Mesh([[0, 0, 0], [1e300, -1e300, 1.5e300], [0, 1, 0]], FACE),
        lambda: MESH.cast([[1e300, -1.25e300, 1e300]], [0, 0, 1]),
        lambda: MESH.closest_point([[1e300, -1.25e300, 1e300]]),
        lambda: hitscan.Mesh(TRIANGLE, FACE, "x" * 5000),
        lambda: hitscan.Mesh(TRIANGLE, FACE, origin=[1e308, 1e308, NAN]),
        lambda: MESH.cast(np.zeros((1,) * 31 + (2,)), [0, 0, 1]),
        lambda: SCENE.insert(0, BALL, [1e300, NAN, 1e300]),
        lambda: hitscan.Camera.perspective(np.eye(4) * 1e300, 1e300),
        lambda: hitscan.Shape.sphere(1e300, [1e300] * 3),
        lambda: MESH.cast(object(), [0, 0, 1]),
    ],
)
def test_messages_are_short(call: Callable[[], Any]) -> None:
    with pytest.raises((ValueError, TypeError)) as caught:
        call()
    assert 10 < len(str(caught.value)) <= 200, str(caught.value)


def test_a_key_that_is_none_is_not_there() -> None:
    assert 0 in SCENE
    assert all(key not in SCENE for key in (1, -1, 2**64, "0", None, 0.5))  # type: ignore[operator]


@pytest.mark.parametrize("length", [1e-40, 1e-45, 1e-38, 1e-30, 1.0, 1e30, 1e38])
def test_a_direction_of_any_length_hits_what_it_points_at(length: float) -> None:
    """A ray of float32 from the middle of a box to a place on it."""
    way = np.array([[0.3, 0.7, 1.0], [-0.9, 0.99, 1.0], [0.5, -0.25, -1.0]])
    given = (way * length).astype(np.float32)
    # As float32 has it, a very short direction is another one.
    unit = given.astype(np.float64) / np.abs(given.astype(np.float64)).max(axis=1)[:, None]
    wanted = MESH.cast([0, 0, 0], unit)
    for kind in (np.float32, np.float64):
        found = MESH.cast([0, 0, 0], given.astype(kind))
        scene = hitscan.Scene({0: MESH}).cast([0, 0, 0], given.astype(kind))
        assert found.hit.all() and np.array_equal(found.triangle, wanted.triangle)
        assert np.allclose(found.point, wanted.point, rtol=1e-6) and np.array_equal(scene.t, found.t)
        assert MESH.is_blocked([0, 0, 0], given.astype(kind)).all()
        scale = np.abs(given.astype(np.float64)).max(axis=1)
        t = np.minimum(wanted.t / scale, np.finfo(np.float32).max)
        assert np.allclose(found.t, t, rtol=1e-6)
        # The range is in multiples of the direction, too.
        near = np.minimum(0.9 * t, 1e38)
        assert not MESH.is_blocked([0, 0, 0], given.astype(kind), t_max=near).any()
        # The shortest directions of float32 lead to an edge and to a corner, where several triangles are hit.
        assert len(MESH.cast_all([0, 0, 0], given.astype(kind)).t) == len(MESH.cast_all([0, 0, 0], unit).t)


def test_a_direction_beyond_float32_is_a_direction() -> None:
    for length in (5e-324, 1e-300, 1e300):
        assert MESH.cast([0, 0, 0], [0.0, 0.2 * length, length]).hit
        assert hitscan.Scene({0: MESH}).cast([0, 0, 0], [0.0, 0.0, length]).hit
        assert hitscan.Scene({0: BALL}).solid_intervals([0, 0, -5], [0.0, 0.0, length]).key.tolist() == [0]


def test_a_rotation_of_any_length_is_a_rotation() -> None:
    half = np.sqrt(0.5)
    stick = hitscan.Shape.box([-2, -0.1, -0.1], [2, 0.1, 0.1])
    for length in (1e-200, 5e-324, 1e-30, 1.0, 1e200):
        turn = np.array([0, 0, 1, 1]) * length if length < 1e-300 else np.array([0, 0, half, half]) * length
        assert hitscan.Scene({0: BALL}).overlaps(stick, [[1.5, 2.0, 0]], rotations=turn).tolist() == [False]
        assert hitscan.Scene({0: BALL}).overlaps(stick, [[0.5, 2.0, 0]], rotations=turn).tolist() == [True]
        assert hitscan.Scene({0: hitscan.Shape.oriented_box([0, 0, 0], [2, 0.1, 0.1], turn.tolist())}).cast([-5, 1.5, 0], [1, 0, 0]).hit


def test_an_absent_key_has_no_distance() -> None:
    scene = hitscan.Scene({0: BALL, 1: hitscan.Shape.sphere(1.0, [5, 0, 0])})
    found = scene.distance([0, 0, 99], [1, 99, 98])
    assert found.distance[0] == 3.0 and np.isnan(found.distance[1:]).all() and np.isnan(found.points[1:]).all()
    assert scene.pair_overlaps([0, 0, 99], [0, 99, 99]).tolist() == [True, False, False]
    assert not scene.remove(99) and not scene.set_transform(99, [1, 0, 0]) and not scene.set_layers(99, 1)
    for call in (lambda: scene.transform(99), lambda: scene.layers(99), lambda: scene.bounds(99), lambda: scene.refit(99, TRIANGLE)):
        with pytest.raises(KeyError, match="99"):
            call()


def variants(array: Any) -> list[tuple[str, Any]]:
    """Returns the same numbers in all the forms that numpy has."""
    data = np.zeros(array.nbytes + 16, dtype=np.uint8)
    offset = 1 if data.ctypes.data % 8 == 0 else 9 - data.ctypes.data % 8
    misaligned = data[offset : offset + array.nbytes].view(array.dtype).reshape(array.shape)
    misaligned[...] = array
    assert not misaligned.flags.aligned
    read_only = array.copy()
    read_only.setflags(write=False)
    wide = np.zeros((*array.shape[:-1], 7), dtype=array.dtype)
    wide[..., 1:7:2] = array

    class Own(np.ndarray[Any, Any]):
        """A subclass."""

    return [
        ("misaligned", misaligned),
        ("read from bytes", np.frombuffer(b"\0" + array.tobytes(), dtype=array.dtype, offset=1).reshape(array.shape)),
        ("byte-swapped", array.astype(array.dtype.newbyteorder())),
        ("misaligned and byte-swapped", misaligned.view(array.dtype.newbyteorder()).byteswap()),
        ("read-only", read_only),
        ("strided", wide[..., 1:7:2]),
        ("reversed", array[::-1].copy()[::-1]),
        ("Fortran's order", np.asfortranarray(array)),
        ("a subclass", array.view(Own)),
        ("masked", np.ma.masked_array(array)),
        ("a list", array.tolist()),
        *([("longdouble", array.astype(np.longdouble))] if array.dtype.kind == "f" else []),
    ]


@pytest.mark.parametrize("kind", ["f4", "f8", "f2", "i2", "i8"])
def test_every_form_of_an_array_is_accepted(kind: str) -> None:
    vertices, faces = shapes.box(-2, 2)
    points = np.array([[1, 0, 3], [0, 1, -3], [3, 0, 1], [0, 0, 0]]).astype(kind)
    mesh = hitscan.Mesh(vertices, faces)
    wanted, near = mesh.cast(points, [1, 0, 0]).t, mesh.closest_point(points)
    for name, some in variants(points):
        assert np.array_equal(mesh.cast(some, [1, 0, 0]).t, wanted), name
        assert np.array_equal(mesh.closest_point(some).distance, near.distance), name
        assert np.array_equal(mesh.signed_distance(some), mesh.signed_distance(points)), name
        assert np.array_equal(hitscan.Scene({0: mesh}).overlaps(BALL, some), hitscan.Scene({0: mesh}).overlaps(BALL, points)), name
    for name, some in variants(vertices.astype(kind)):
        assert hitscan.Mesh(some, faces) == mesh, name
    for name, some in variants(faces.astype("u4" if kind[0] == "f" else kind)):
        assert hitscan.Mesh(vertices, some) == mesh, name
    for name, some in variants(np.array([[0, 1, 2]]).astype("i8")):
        assert hitscan.Scene({1: mesh}).distance(some, 1).distance.shape == (1, 3), name


def test_arrays_without_a_dimension_are_numbers() -> None:
    assert MESH.cast([0, 0, -3], [0, 0, 1], t_max=np.array(1.5)).triangle == -1
    assert MESH.cast([0, 0, -3], [0, 0, 1], t_max=np.float16(2.5), threads=np.array(1)).t == 2.0
    scene = hitscan.Scene({np.int64(3): MESH})
    assert scene.distance(np.array(3), np.uint8(3)).distance == 0.0 and np.array(3) in scene


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
