"""First hits compared with the Rust library's hits of the same rays. Every column and every bit
must be equal.

The program `examples/native.rs` casts the rays. `HITSCAN_NATIVE` names it. A long run casts ten million rays, which takes minutes.
"""

from __future__ import annotations

import hashlib
import os
import struct
import subprocess
from pathlib import Path
from typing import IO

import numpy as np
import pytest
import shapes
from effort import size
from numpy.typing import NDArray

import hitscan

COUNT, BLOCK = size(20_000, 10_000_000), 1 << 16
MESH = {"t": "<f4", "triangle": "<i8", "u": "<f4", "v": "<f4", "normal": "(3,)<f4", "side": "i1"}
SCENE = {"key": "<i8", "part": "<i8", "triangle": "<i8", "t": "<f4", "u": "<f4", "v": "<f4", "normal": "(3,)<f4", "side": "i1"}


def knot() -> hitscan.Mesh:
    """Returns a sphere with dents, in float32, so that its bytes are the library's own."""
    vertices, faces = shapes.icosphere(5)
    radius = 1 + 0.2 * np.sin(7 * vertices[:, :1]) * np.cos(5 * vertices[:, 1:2])
    return hitscan.Mesh((shapes.turned(vertices) * radius).astype(np.float32), faces)


def world(mesh: hitscan.Mesh) -> hitscan.Scene:
    turn = np.linalg.qr(np.random.default_rng(6).normal(size=(3, 3)))[0] * [1.0, 0.5, 0.8]
    heights = np.random.default_rng(7).uniform(-0.3, 0.3, size=(33, 33)).astype(np.float32)
    scene = hitscan.Scene({0: mesh, 1: hitscan.Shape.sphere(0.4, [2, 0, 0]), 2: hitscan.Shape.plane([0, -3, 0], [0, 1, 0])})
    scene.insert(3, mesh, np.vstack([np.hstack([turn, [[0.0], [2.5], [0.5]]]), [[0, 0, 0, 1]]]))
    scene.insert(4, hitscan.HeightField(heights, (0.2, 0.2)), [-3, -2, -3])
    parts = [(hitscan.Shape.box([-1, -1, -1], [1, 1, 1]), [0, 0, -4]), (hitscan.Shape.torus(1.0, 0.3), [0, 0, 4]), (mesh, [-4, 0, 0])]
    scene.insert(5, hitscan.Compound(parts))
    return scene


def read(stream: IO[bytes], kind: str, count: int) -> NDArray[np.generic]:
    column = np.empty(count, dtype=kind)
    data = stream.read(column.nbytes)
    assert len(data) == column.nbytes, "the program ended"
    return np.frombuffer(data, dtype=column.dtype).reshape(column.shape)


def test_the_same_bits_as_in_rust(tmp_path: Path) -> None:
    program = os.environ.get("HITSCAN_NATIVE")
    if not program:
        pytest.skip("HITSCAN_NATIVE names no program: `cargo xtask python` builds it")
    mesh = knot()
    scene = world(mesh)
    mesh.save(tmp_path / "mesh")
    scene.save(tmp_path / "scene")
    random, hits = np.random.default_rng(46), 0
    digests = {(who, name): hashlib.sha256() for who, columns in (("mesh", MESH), ("scene", SCENE)) for name in columns}
    with subprocess.Popen([program, tmp_path / "mesh", tmp_path / "scene"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as native:
        assert native.stdin and native.stdout
        for start in range(0, COUNT, BLOCK):
            count = min(BLOCK, COUNT - start)
            rays = random.normal(size=(count, 6)).astype("<f4") * np.array([2.5, 2.5, 2.5, 1, 1, 1], dtype="<f4")
            native.stdin.write(struct.pack("<I", count) + rays.tobytes())
            native.stdin.flush()
            for who, asked, columns in (("mesh", mesh, MESH), ("scene", scene, SCENE)):
                found = asked.cast(rays[:, :3], rays[:, 3:]).to_dict()
                hits += int((found["side"] != 0).sum())
                for name, kind in columns.items():
                    there, here = read(native.stdout, kind, count), np.ascontiguousarray(found[name])
                    assert here.dtype == there.dtype and here.shape == there.shape
                    different = np.flatnonzero(np.frombuffer(here.tobytes(), "u1") != np.frombuffer(there.tobytes(), "u1"))
                    row = int(different[0]) // (here.nbytes // count) if len(different) else -1
                    assert not len(different), f"{who}.{name} of ray {start + row}: {here[row]} here, {there[row]} in Rust"
                    digests[who, name].update(here.tobytes())
        native.stdin.close()
        assert native.wait(60) == 0
    assert hits > COUNT // 2, "few rays hit anything"
    for (who, name), whole in digests.items():
        print(f"{who:5} {name:8} {whole.hexdigest()}")
    print(f"{COUNT} rays, {hits} hits of the mesh and the scene: the same bits as in Rust")
