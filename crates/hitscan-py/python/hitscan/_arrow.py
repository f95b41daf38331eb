"""The structs of Arrow's C data interface, and capsules with them (https://arrow.apache.org/docs/format/CDataInterface.html)."""

from __future__ import annotations

import ctypes
from ctypes import POINTER, c_char_p, c_int, c_int64, c_void_p
from typing import Any

import numpy as np


class Schema(ctypes.Structure):
    """The type of a column: `ArrowSchema`."""


class Array(ctypes.Structure):
    """The values of a column: `ArrowArray`."""


class Stream(ctypes.Structure):
    """A sequence of arrays with one schema: `ArrowArrayStream`."""


ReleaseSchema = ctypes.CFUNCTYPE(None, POINTER(Schema))
ReleaseArray = ctypes.CFUNCTYPE(None, POINTER(Array))

Schema._fields_ = [
    ("format", c_char_p),
    ("name", c_char_p),
    ("metadata", c_void_p),
    ("flags", c_int64),
    ("n_children", c_int64),
    ("children", POINTER(POINTER(Schema))),
    ("dictionary", POINTER(Schema)),
    ("release", ReleaseSchema),
    ("private_data", c_void_p),
]
Array._fields_ = [
    ("length", c_int64),
    ("null_count", c_int64),
    ("offset", c_int64),
    ("n_buffers", c_int64),
    ("n_children", c_int64),
    ("buffers", POINTER(c_void_p)),
    ("children", POINTER(POINTER(Array))),
    ("dictionary", POINTER(Array)),
    ("release", ReleaseArray),
    ("private_data", c_void_p),
]
Stream._fields_ = [
    ("get_schema", ctypes.CFUNCTYPE(c_int, POINTER(Stream), POINTER(Schema))),
    ("get_next", ctypes.CFUNCTYPE(c_int, POINTER(Stream), POINTER(Array))),
    ("get_last_error", ctypes.CFUNCTYPE(c_char_p, POINTER(Stream))),
    ("release", ctypes.CFUNCTYPE(None, POINTER(Stream))),
    ("private_data", c_void_p),
]

# The numpy type for each format string of the interface.
FORMATS: dict[bytes, np.dtype[Any]] = {
    letter: np.dtype(name)
    for letter, name in {b"f": "f4", b"g": "f8", b"c": "i1", b"C": "u1", b"s": "i2", b"S": "u2", b"i": "i4", b"I": "u4", b"l": "i8", b"L": "u8"}.items()
}

capsule_pointer: Any = ctypes.pythonapi.PyCapsule_GetPointer
capsule_pointer.restype, capsule_pointer.argtypes = c_void_p, [ctypes.py_object, c_char_p]
Destructor = ctypes.PYFUNCTYPE(None, c_void_p)
new_capsule: Any = ctypes.pythonapi.PyCapsule_New
new_capsule.restype, new_capsule.argtypes = ctypes.py_object, [c_void_p, c_char_p, Destructor]
# A destructor is given the address of its capsule, which must not be counted as another owner of it.
pointer_of_address: Any = ctypes.PYFUNCTYPE(c_void_p, c_void_p, c_char_p)(("PyCapsule_GetPointer", ctypes.pythonapi))
