"""Models of files in scenes, and their poses."""

from __future__ import annotations

import base64
import json
import pickle
from pathlib import Path

import numpy as np
import pytest

import hitscan


def test_a_faulty_mesh_costs_itself(tmp_path: Path) -> None:
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], dtype="<f4").tobytes()
    primitives = [{"attributes": {"POSITION": 0}}, {"attributes": {"POSITION": 9}}]
    document = {
        "asset": {"version": "2.0"},
        "buffers": [{"byteLength": 36, "uri": "data:;base64," + base64.b64encode(corners).decode()}],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
        "meshes": [{"name": name, "primitives": [primitive]} for name, primitive in zip(("good", "bad"), primitives)],
        "nodes": [{"mesh": 0}, {"mesh": 1}, {"mesh": 1}],
    }
    path = tmp_path / "two.gltf"
    path.write_text(json.dumps(document))
    for read in (hitscan.load, hitscan.Model):
        with pytest.raises(ValueError, match="accessor"):
            read(path)
        with pytest.warns(UserWarning, match='mesh 1 "bad" is left out') as told:
            assert len(read(path, lenient=True)) == 1
        assert len(told) == 1
    path.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 1\n")
    with pytest.raises(ValueError, match="git lfs pull"):
        hitscan.load(path)


def swing(folder: Path) -> Path:
    """Writes a triangle that moves along z in two seconds, beside one that stands still."""
    corners = np.array([[-1, -1, 0], [1, -1, 0], [0, 1, 0]], dtype="<f4")
    times, ways = np.array([0, 2], dtype="<f4"), np.array([[0, 0, 0], [0, 0, 4]], dtype="<f4")
    data = corners.tobytes() + times.tobytes() + ways.tobytes()
    views = [{"buffer": 0, "byteOffset": start, "byteLength": length} for start, length in ((0, 36), (36, 8), (44, 24))]
    accessor = {"componentType": 5126}
    document = {
        "asset": {"version": "2.0"},
        "buffers": [{"byteLength": len(data), "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode()}],
        "bufferViews": views,
        "accessors": [
            {**accessor, "bufferView": 0, "count": 3, "type": "VEC3", "min": [-1, -1, 0], "max": [1, 1, 0]},
            {**accessor, "bufferView": 1, "count": 2, "type": "SCALAR", "min": [0], "max": [2]},
            {**accessor, "bufferView": 2, "count": 2, "type": "VEC3"},
        ],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "nodes": [{"name": "door", "mesh": 0}, {"name": "wall", "mesh": 0, "translation": [5, 0, 0]}],
        "scenes": [{"nodes": [0, 1]}],
        "animations": [
            {
                "name": "open",
                "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
                "samplers": [{"input": 1, "output": 2, "interpolation": "LINEAR"}],
            }
        ],
    }
    path = folder / "door.gltf"
    path.write_text(json.dumps(document))
    return path


def test_a_pose_moves_what_the_animation_moves(tmp_path: Path) -> None:
    model = hitscan.Model(swing(tmp_path))
    assert model.names == ["door", "wall"] and model.animations == [("open", 2.0)] and len(model) == 2
    assert repr(model) == "<hitscan.Model: 2 entities, 1 animations>"
    scene = model.scene()
    origins, back = [[0, 0, 9], [5, 0, 9]], [0, 0, -1]
    assert scene.cast(origins, back).t.tolist() == [9, 9] and scene.cast(origins, back).key.tolist() == [0, 1]
    for time, t in [(0.5, 8.0), (1.0, 7.0), (9.0, 5.0), (-1.0, 9.0)]:
        model.pose(scene, "open", time)
        assert scene.cast(origins, back).t.tolist() == [t, 9.0]
    model.insert_into(scene, [0, 0, 20], first_key=100)
    model.pose(scene, 0, 2.0, [0, 0, 30], first_key=100)
    assert sorted(scene.keys()) == [0, 1, 100, 101]
    assert scene.cast([0, 0, 99], [0, 0, -1]).t == 99 - 34 and scene.cast([5, 0, 99], [0, 0, -1]).t == 69
    merged = hitscan.load(tmp_path / "door.gltf")
    assert len(merged) == 2


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickles_of_every_protocol(tmp_path: Path, protocol: int) -> None:
    model = hitscan.Model(swing(tmp_path))
    read = pickle.loads(pickle.dumps(model, protocol))
    assert read.names == model.names and read.animations == model.animations and read.to_bytes() == model.to_bytes()
    scene = read.scene()
    read.pose(scene, "open", 1.0)
    assert scene.cast([[0, 0, 9], [5, 0, 9]], [0, 0, -1]).t.tolist() == [7.0, 9.0]


def test_corrupted_bytes_are_refused(tmp_path: Path) -> None:
    data = hitscan.Model(swing(tmp_path)).to_bytes()
    for bad in (b"", data[:40], data[:-1], data[:30] + b"\xff" + data[31:], b"v 0 0 0"):
        with pytest.raises(ValueError):
            hitscan.Model.from_bytes(bad)


def test_faults(tmp_path: Path) -> None:
    model = hitscan.Model(swing(tmp_path))
    scene = model.scene()
    with pytest.raises(ValueError, match='no animation "close"; there are \\["open"\\]'):
        model.pose(scene, "close", 0.0)
    with pytest.raises(ValueError, match="animation"):
        model.pose(scene, 7, 0.0)
    with pytest.raises(ValueError, match="first_key is -1"):
        model.insert_into(scene, first_key=-1)
    with pytest.raises(FileNotFoundError):
        hitscan.Model(tmp_path / "none.glb")
    (tmp_path / "bad.obj").write_text("v 1 2\nf 1 2 3\n")
    with pytest.raises(ValueError, match="bad.obj"):
        hitscan.Model(tmp_path / "bad.obj")
    with pytest.raises(ValueError, match="NaN"):
        model.pose(scene, 0, np.nan)
