"""The scripts of the gallery draw what they say, in small."""

from __future__ import annotations

import struct
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest

GALLERY = Path(__file__).parent.parent / "examples" / "gallery"


@pytest.mark.parametrize("name", sorted(path.stem for path in GALLERY.glob("*.py") if path.stem != "picture"))
def test_a_picture_is_drawn(name: str, tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    subprocess.run([sys.executable, GALLERY / f"{name}.py", path, "--width", "48"], check=True, capture_output=True)
    data = path.read_bytes()
    width, height, depth, kind = struct.unpack(">IIBB", data[16:26])
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and width == 48 and depth == 8
    place, body = 8, b""
    while place < len(data):
        size, tag = struct.unpack(">I4s", data[place : place + 8])
        body += data[place + 8 : place + 8 + size] if tag == b"IDAT" else b""
        place += size + 12
    pixels = np.frombuffer(zlib.decompress(body), np.uint8).reshape(height, -1)[:, 1:]
    assert pixels.shape == (height, width * (3 if kind == 2 else 1))
    assert len(np.unique(pixels)) > 20 and 10 < pixels.mean() < 245, "it is not of one colour"
