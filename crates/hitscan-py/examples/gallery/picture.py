"""What the scripts of the gallery share: pictures as files, colours, ground and a city."""

from __future__ import annotations

import argparse
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import hitscan

# Colours from low to high, between which values are mixed.
COLOURS = np.array([[0.15, 0.1, 0.3], [0.2, 0.35, 0.6], [0.15, 0.6, 0.6], [0.6, 0.8, 0.4], [0.98, 0.9, 0.45]])


def arguments(about: str | None, width: int) -> argparse.Namespace:
    """Returns the path of the picture and its width."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("path", type=Path, help="the PNG file to write")
    parser.add_argument("--width", type=int, default=width)
    return parser.parse_args()


def coloured(values: Any) -> NDArray[np.float64]:
    """Returns a colour for each value from 0 to 1."""
    place = np.clip(np.nan_to_num(np.asarray(values, dtype=np.float64)), 0, 1) * (len(COLOURS) - 1)
    low = np.minimum(place.astype(int), len(COLOURS) - 2)
    part = (place - low)[..., None]
    mixed: NDArray[np.float64] = COLOURS[low] * (1 - part) + COLOURS[low + 1] * part
    return mixed


def save(path: Path, picture: Any) -> None:
    """Writes a picture of shape (height, width) or (height, width, 3), from 0 to 1, as a PNG file."""
    levels = (np.clip(picture, 0, 1) * 255 + 0.5).astype(np.uint8)
    height, width = levels.shape[:2]
    kind = 0 if levels.ndim == 2 else 2
    # Each row begins with the number of its filter: none.
    rows = np.concatenate([np.zeros((height, 1), dtype=np.uint8), levels.reshape(height, -1)], axis=1)

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0)
    body = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows.tobytes(), 9)) + chunk(b"IEND", b"")
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + body)
    print(f"{path}: {width} x {height} pixels")


def hills(rows: int, columns: int, seed: int = 3) -> NDArray[np.float64]:
    """Returns heights of hills: waves of many lengths in many directions."""
    random = np.random.default_rng(seed)
    z, x = np.meshgrid(np.linspace(0, 1, rows), np.linspace(0, 1, columns), indexing="ij")
    heights = np.zeros((rows, columns))
    for octave in range(7):
        for _ in range(5):
            angle, phase = random.uniform(0, 2 * np.pi, 2)
            way = 2**octave * (np.cos(angle) * x + np.sin(angle) * z)
            heights += np.sin(2 * np.pi * way + phase) * 0.42**octave
    return heights


def city(blocks: int, seed: int = 5) -> hitscan.Scene:
    """Returns a city: a plane, and houses of boxes under roofs; a block is 20 wide."""
    random = np.random.default_rng(seed)
    scene = hitscan.Scene({0: hitscan.Shape.plane([0, 0, 0], [0, 1, 0])})
    house = hitscan.Shape.box([-0.5, 0, -0.5], [0.5, 1, 0.5])
    roof = hitscan.Shape.hull([[-0.5, 0, -0.5], [0.5, 0, -0.5], [-0.5, 0, 0.5], [0.5, 0, 0.5], [0, 1, -0.5], [0, 1, 0.5]])
    tree = hitscan.Compound([hitscan.Shape.cylinder([0, 0, 0], [0, 2, 0], 0.2), hitscan.Shape.sphere(1.4, [0, 3, 0])])
    places = (np.stack(np.meshgrid(np.arange(blocks), np.arange(blocks)), axis=-1).reshape(-1, 2) - (blocks - 1) / 2) * 20
    sizes = random.uniform([8, 4, 8], [14, 22, 14], size=(len(places), 3))
    count = len(places)
    walls, tops = np.tile(np.eye(4), (2, count, 1, 1))
    for matrices, height in ((walls, sizes[:, 1]), (tops, np.full(count, 4.0))):
        matrices[:, 0, 0], matrices[:, 1, 1], matrices[:, 2, 2] = sizes[:, 0], height, sizes[:, 2]
        matrices[:, 0, 3], matrices[:, 2, 3] = places.T
    tops[:, 1, 3] = sizes[:, 1]
    scene.insert_all(1 + np.arange(count), house, walls)
    scene.insert_all(1001 + np.arange(count), roof, tops)
    trees = places + random.choice([-8.8, 8.8], size=(count, 2))
    scene.insert_all(2001 + np.arange(count), tree, np.stack([trees[:, 0], np.zeros(count), trees[:, 1]], axis=-1))
    return scene
