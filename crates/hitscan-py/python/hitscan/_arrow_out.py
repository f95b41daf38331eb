"""Arrays of numpy as a table of Arrow, which shares their memory."""

from __future__ import annotations

import ctypes
import itertools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._arrow import FORMATS, Array, Destructor, ReleaseArray, ReleaseSchema, Schema, new_capsule, pointer_of_address

_LETTERS = {dtype: letter for letter, dtype in FORMATS.items()}
# The memory that each struct refers to, under the struct's private data, until a consumer releases the struct.
_owned: dict[int, Any] = {}
_numbers = itertools.count(1)


def export(arrays: dict[str, NDArray[Any]]) -> tuple[object, object]:
    """Returns the capsules of a schema and of an array of structs."""
    fields = [_field(name, array) for name, array in arrays.items()]
    data = [_data(array) for array in arrays.values()]
    length = len(next(iter(arrays.values()), ()))
    return (
        _capsule(_schema(b"+s", b"", fields), b"arrow_schema", _drop_schema),
        _capsule(_array(length, [None], data, None), b"arrow_array", _drop_array),
    )


def _field(name: str, array: NDArray[Any]) -> Schema:
    if array.dtype == np.bool_:
        letter = b"b"
    elif array.dtype in _LETTERS:
        letter = _LETTERS[array.dtype]
    else:
        raise TypeError(f"{name} has the dtype {array.dtype}, which is no column of numbers")
    if array.ndim == 2:
        return _schema(b"+w:%d" % array.shape[1], name.encode(), [_schema(letter, b"item", [])])
    return _schema(letter, name.encode(), [])


def _data(array: NDArray[Any]) -> Array:
    flat = np.ascontiguousarray(array).reshape(-1)
    values = np.packbits(flat, bitorder="little") if flat.dtype == np.bool_ else flat
    inner = _array(len(flat), [None, values.ctypes.data if len(values) else 0], [], values)
    return inner if array.ndim == 1 else _array(len(array), [None], [inner], None)


def _schema(form: bytes, name: bytes, children: list[Schema]) -> Schema:
    schema = Schema(form, name, None, 0, len(children))
    schema.children = _children(Schema, children)
    _keep(schema, _release_schema, (form, name, children))
    return schema


def _array(length: int, buffers: list[int | None], children: list[Array], owner: object) -> Array:
    pointers = (ctypes.c_void_p * len(buffers))(*buffers)
    array = Array(length, 0, 0, len(buffers), len(children))
    array.buffers = ctypes.cast(pointers, ctypes.POINTER(ctypes.c_void_p))
    array.children = _children(Array, children)
    _keep(array, _release_array, (pointers, children, owner))
    return array


def _children(kind: Any, children: list[Any]) -> Any:
    pointers = (ctypes.POINTER(kind) * max(len(children), 1))(*[ctypes.pointer(child) for child in children])
    return ctypes.cast(pointers, ctypes.POINTER(ctypes.POINTER(kind)))


def _keep(struct: Any, release: Any, owned: object) -> None:
    """Keeps the memory that a struct refers to until the struct is released."""
    struct.release = release
    struct.private_data = next(_numbers)
    _owned[struct.private_data] = (owned, struct)


def _release(kind: Any, struct: Any) -> None:
    """Releases a struct and its children, except children that a consumer has moved out."""
    held = struct.contents
    for place in range(held.n_children):
        child = held.children[place]
        if child.contents.release:
            child.contents.release(child)
    number = held.private_data
    held.release = kind()
    _owned.pop(number, None)


_release_schema = ReleaseSchema(lambda struct: _release(ReleaseSchema, struct))
_release_array = ReleaseArray(lambda struct: _release(ReleaseArray, struct))


def _drop(kind: Any, name: bytes, capsule: int) -> None:
    """Releases a struct that no consumer has moved out of its capsule."""
    struct = kind.from_address(pointer_of_address(capsule, name))
    if struct.release:
        struct.release(struct)
    _capsules.pop(capsule, None)


_drop_schema = Destructor(lambda capsule: _drop(Schema, b"arrow_schema", capsule))
_drop_array = Destructor(lambda capsule: _drop(Array, b"arrow_array", capsule))
# The memory of the structs in capsules, by the capsules' addresses.
_capsules: dict[int, Any] = {}


def _capsule(struct: Any, name: bytes, destructor: Any) -> object:
    capsule: object = new_capsule(ctypes.addressof(struct), name, destructor)
    _capsules[id(capsule)] = struct
    return capsule
