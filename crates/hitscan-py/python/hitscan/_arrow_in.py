"""Columns of numbers from any table of Arrow."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._arrow import FORMATS, Array, Schema, Stream, capsule_pointer


def columns(data: object) -> dict[str, NDArray[Any]]:
    """Returns the columns of a table that are numbers or fixed-size lists of numbers, copied; others are left out.

    `data` has `__arrow_c_stream__` or `__arrow_c_array__`. A column with nulls raises a `ValueError`.
    """
    pieces: dict[str, list[NDArray[Any]]] = {}
    for batch in _batches(data):
        for name, column in batch.items():
            pieces.setdefault(name, []).append(column)
    return {name: np.concatenate(some) if len(some) != 1 else some[0] for name, some in pieces.items()}


def _batches(data: Any) -> Iterator[dict[str, NDArray[Any]]]:
    if hasattr(data, "__arrow_c_stream__"):
        capsule = data.__arrow_c_stream__()
        stream = Stream.from_address(capsule_pointer(capsule, b"arrow_array_stream"))
        schema = Schema()
        _succeed(stream, stream.get_schema(stream, schema))
        try:
            empty = True
            while True:
                array = Array()
                _succeed(stream, stream.get_next(stream, array))
                if not array.release:
                    break
                empty = False
                try:
                    yield _struct(schema, array)
                finally:
                    array.release(array)
            if empty:
                yield _struct(schema, None)
        finally:
            schema.release(schema)
    elif hasattr(data, "__arrow_c_array__"):
        of_schema, of_array = data.__arrow_c_array__()
        schema = Schema.from_address(capsule_pointer(of_schema, b"arrow_schema"))
        yield _struct(schema, Array.from_address(capsule_pointer(of_array, b"arrow_array")))
    else:
        kind = type(data).__name__
        raise TypeError(f"the table is a {kind}, but must have __arrow_c_stream__ or __arrow_c_array__, as those of pyarrow and polars do")


def _succeed(stream: Any, code: int) -> None:
    if code != 0:
        said = stream.get_last_error(stream)
        raise ValueError(f"the stream of Arrow fails: {said.decode(errors='replace') if said else f'error {code}'}")


def _struct(schema: Any, array: Any | None) -> dict[str, NDArray[Any]]:
    """Returns the columns of a batch; without an array, they have no rows."""
    if schema.format != b"+s":
        raise ValueError(f"the format of the data is {schema.format.decode()!r}, but must be a table, or an array of structs")
    found: dict[str, NDArray[Any]] = {}
    for place in range(schema.n_children):
        child = schema.children[place].contents
        name = child.name.decode(errors="replace")
        if name in found:
            raise ValueError(f"there are two columns {name!r}")
        column = None
        if array is None:
            column = _column(child, None, 0, 0, name)
        else:
            column = _column(child, array.children[place].contents, array.offset, array.length, name)
        if column is not None:
            found[name] = column
    return found


def _column(schema: Any, array: Any | None, start: int, length: int, name: str) -> NDArray[Any] | None:
    """Returns a copy of a part of a column, or `None` if the column does not hold numbers."""
    if schema.format.startswith(b"+w:") and schema.n_children == 1:
        width = int(schema.format[3:])
        first = width * (start + (array.offset if array is not None else 0))
        inner = array.children[0].contents if array is not None else None
        values = _column(schema.children[0].contents, inner, first, width * length, name)
        if array is not None:
            _check_nulls(array, start, length, name)
        return None if values is None else values.reshape(length, width)
    dtype = FORMATS.get(schema.format)
    if dtype is None or schema.dictionary:
        return None
    if array is None or length == 0:
        return np.zeros(0, dtype)
    _check_nulls(array, start, length, name)
    bytes_before = (array.offset + start) * dtype.itemsize
    data: Any = (ctypes.c_char * (length * dtype.itemsize)).from_address(array.buffers[1] + bytes_before)
    copied: NDArray[Any] = np.frombuffer(data, dtype=dtype).copy()
    return copied


def _check_nulls(array: Any, start: int, length: int, name: str) -> None:
    if array.null_count == 0 or array.n_buffers == 0 or not array.buffers[0] or length == 0:
        return
    first = array.offset + start
    bits: Any = (ctypes.c_uint8 * (first + length + 7 >> 3)).from_address(array.buffers[0])
    valid = np.unpackbits(np.frombuffer(bits, dtype=np.uint8), bitorder="little")[first : first + length]
    if not valid.all():
        raise ValueError(f"{name}[{int(np.argmin(valid))}] is null: fill it, or leave such rows out")
