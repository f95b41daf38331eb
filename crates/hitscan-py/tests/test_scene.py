"""Scenes beside brute force in float64: instances, choices, changes, versions and bytes."""

from __future__ import annotations

import copy
import pickle
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapes

import hitscan

RANDOM = np.random.default_rng(21)


def transforms(count: int) -> Any:
    """Returns matrices that turn, stretch, shear and move."""
    made = np.tile(np.eye(4), (count, 1, 1))
    made[:, :3, :3] = RANDOM.normal(size=(count, 3, 3)) + 1.5 * np.eye(3)
    made[:, :3, 3] = RANDOM.normal(size=(count, 3)) * 6
    return made


def brute(corners: Any, origins: Any, directions: Any) -> tuple[Any, Any]:
    """Returns the first t of each ray and the triangle, by all triangles in float64, and whether another is as near or nearly hit."""
    a, ab, ac = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    t_best, which = np.full(len(origins), np.inf), np.full(len(origins), -1)
    for i, (o, d) in enumerate(zip(origins, directions)):
        p = np.cross(d, ac)
        det = (ab * p).sum(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            u = ((o - a) * p).sum(axis=1) / det
            q = np.cross(o - a, ab)
            v, t = (q @ d) / det, (q * ac).sum(axis=1) / det
        hits = np.flatnonzero((u >= 0) & (v >= 0) & (u + v <= 1) & (t >= 0))
        if len(hits):
            which[i] = hits[np.argmin(t[hits])]
            t_best[i] = t[which[i]]
    return t_best, which


def world() -> tuple[hitscan.Scene, Any, hitscan.Mesh]:
    mesh = hitscan.Mesh(*shapes.icosphere(1))
    scene, placed = hitscan.Scene(), transforms(12)
    scene.insert_all(np.arange(12) * 10, mesh, placed)
    return scene, placed, mesh


def rays(count: int) -> tuple[Any, Any]:
    targets = RANDOM.normal(size=(count, 3)) * 5
    origins = RANDOM.normal(size=(count, 3)) * 14
    return origins.astype(np.float32), (targets - origins).astype(np.float32)


def test_instances_are_where_their_transforms_say() -> None:
    scene, placed, mesh = world()
    homogeneous = np.concatenate([mesh.vertices, np.ones((len(mesh.vertices), 1))], axis=1)
    corners = np.concatenate([(homogeneous @ m.T)[:, :3][mesh.faces] for m in placed])
    origins, directions = rays(1500)
    t, which = brute(corners, origins.astype(float), directions.astype(float))
    hits = scene.cast(origins, directions)
    assert (hits.hit == (which >= 0)).mean() > 0.999 and hits.hit.sum() > 300
    both = hits.hit & (which >= 0)
    assert np.allclose(hits.t[both], t[both], rtol=1e-5, atol=1e-6)
    assert (hits.key[both] // 10 * len(mesh) + hits.triangle[both] == which[both]).mean() > 0.99
    assert np.abs(hits.point[both] - (origins + directions * t[:, None])[both]).max() < 1e-4
    assert np.array_equal(scene.is_blocked(origins, directions), hits.hit)
    every = scene.cast_all(origins, directions)
    counted = np.diff(every.splits) > 0
    assert np.array_equal(counted, hits.hit) and np.array_equal(every.t[every.splits[:-1][counted]], hits.t[counted])
    assert np.array_equal(every.ray, np.repeat(np.arange(len(origins)), np.diff(every.splits)))
    assert repr(scene).startswith("<hitscan.Scene: 12 entities, from [") and repr(hits).startswith("<hitscan.SceneHits: 1,500 rays, ")
    assert np.allclose(scene.transform(30), placed[3], rtol=0, atol=0)


@pytest.mark.parametrize("vertices", [shapes.icosphere(2)[0], shapes.icosphere(2)[0].astype(np.float32)])
def test_a_mesh_alone_and_in_a_scene_have_the_same_bits(vertices: Any) -> None:
    mesh = hitscan.Mesh(vertices, shapes.icosphere(2)[1], origin=[0, 0, 0])
    origins, directions = RANDOM.normal(size=(3000, 3)).astype(np.float32) * 2, RANDOM.normal(size=(3000, 3)).astype(np.float32)
    alone, within = mesh.cast(origins, directions), hitscan.Scene([mesh]).cast(origins, directions)
    for name in ("t", "triangle", "normal", "u", "v", "side"):
        assert np.array_equal(getattr(alone, name), getattr(within, name)), name
    assert np.abs(alone.point - within.point)[alone.hit].max() < 1e-6
    all_alone, all_within = mesh.cast_all(origins, directions), hitscan.Scene([mesh]).cast_all(origins, directions)
    for name in ("splits", "ray", "t", "triangle", "normal", "u", "v", "side"):
        assert np.array_equal(getattr(all_alone, name), getattr(all_within, name)), name


def test_layers_and_keys_choose_entities() -> None:
    scene, _, _ = world()
    for key in (0, 20, 40):
        scene.set_layers(key, 0b10)
    origins, directions = rays(800)
    every = scene.cast_all(origins, directions)

    def first(counts: Any) -> Any:
        """Returns the keys of the first accepted hits, by all hits."""
        keys = np.full(len(origins), -1)
        for place in np.flatnonzero(np.isin(every.key, counts))[::-1]:
            keys[every.ray[place]] = every.key[place]
        return keys

    low = [key for key in range(0, 120, 10) if key not in (0, 20, 40)]
    assert np.array_equal(scene.cast(origins, directions, layers=0b10).key, first([0, 20, 40]))
    assert np.array_equal(scene.cast(origins, directions, exclude=[0, 20, 40]).key, first(low))
    assert np.array_equal(scene.cast(origins, directions, only=np.array([50, 60, 999])).key, first([50, 60]))
    assert np.array_equal(scene.cast(origins, directions, only=[0, 10], exclude=0).key, first([10]))
    assert scene.layers(20) == 2 and scene.layers(10) == 1


def test_changes() -> None:
    box = hitscan.Mesh(*shapes.box())
    scene = hitscan.Scene()
    assert not scene.insert(5, box, [0, 0, -5]) and len(scene) == 1 and 5 in scene
    down = ([0.25, 0.5, 0.0], [0, 0, -1])
    assert scene.cast(*down).t == 4.0
    assert scene.insert(5, hitscan.Shape.sphere(0.5), [0.25, 0.5, -5]) and scene.cast(*down).t == 4.5
    assert scene.set_transform(5, [0.25, 0.5, -9]) and not scene.set_transform(6, [0, 0, 0]) and scene.cast(*down).t == 8.5
    assert scene.set_transforms([5, 77], [[0.25, 0.5, -3], [0, 0, 0]]) == 1 and scene.cast(*down).t == 2.5
    assert scene.remove(5) and not scene.remove(5) and not scene.cast(*down).hit
    scene.insert(1, box, [0, 0, -5])
    scene.insert(2, box, [9, 0, -5])
    vertices = box.vertices * [1, 1, 2]
    scene.refit(1, vertices)
    assert scene.cast(*down).t == 3.0 and scene.cast([9.25, 0.5, 0], [0, 0, -1]).t == 4.0, "the other one keeps its form"
    assert scene.remove_all([1, 2, 3]) == 2 and len(scene) == 0
    scene.insert(3, hitscan.HeightField(np.zeros((4, 5))))
    scene.set_heights(3, 1, 1, [[2.0]])
    assert scene.cast([1, 9, 1], [0, -1, 0]).t == 7.0
    scene.clear()
    assert repr(scene) == "<hitscan.Scene: 0 entities>" and np.isnan(scene.bounds()).all()


def test_a_question_goes_on_with_its_version() -> None:
    scene, _, mesh = world()
    origins, directions = rays(20_000)
    versions = [scene.cast(origins, directions).key]
    for key in range(12):
        other = copy.copy(scene)
        other.remove_all(np.arange(key + 1) * 10)
        versions.append(other.cast(origins, directions).key)
    wrong, done = [], threading.Event()

    def ask() -> None:
        while not done.is_set():
            keys = scene.cast(origins, directions, threads=1).key
            if not any(np.array_equal(keys, version) for version in versions):
                wrong.append(keys)

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for key in range(0, 120, 10):
        scene.remove(key)
    done.set()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    assert not wrong and len(scene) == 0 and len(copy.copy(scene)) == 0


def test_coordinates_of_maps_are_answered_to_a_millimetre() -> None:
    place = np.array([500_000.25, 120.5, 5_400_000.75])
    sphere = shapes.icosphere(3)
    near, far = hitscan.Scene(), hitscan.Scene()
    near.insert(0, hitscan.Mesh(*sphere))
    far.insert(0, hitscan.Mesh(sphere[0] + place, sphere[1]))
    moved = hitscan.Scene()
    moved.insert(0, hitscan.Mesh(*sphere), place)
    origins = RANDOM.normal(size=(500, 3)) * 3
    directions = RANDOM.normal(size=(500, 3)) * 0.5 - origins
    wanted = near.cast(origins, directions)
    for scene in (far, moved):
        hits = scene.cast(origins + place, directions)
        both = hits.hit & wanted.hit
        assert both.sum() > 50 and (hits.hit == wanted.hit).mean() > 0.99
        assert np.abs(hits.point - place - wanted.point)[both].max() < 1e-4
        assert np.array_equal(pickle.loads(pickle.dumps(scene)).cast(origins + place, directions).t, hits.t)
        assert np.abs(scene.closest_point(origins + place).distance - near.closest_point(origins).distance).max() < 1e-6
    assert np.array_equal(far.transform(0), np.eye(4))
    far.set_transform(0, [0, 0, 10])
    assert np.array_equal(far.transform(0)[:3, 3], [0, 0, 10])
    far.refit(0, sphere[0] * 2 + place)
    assert abs(far.cast(place + [5, 0, 10], [-1, 0, 0]).t - 3) < 1e-3
    again = hitscan.Scene.from_bytes(far.to_bytes())
    assert np.array_equal(again.transform(0), far.transform(0))


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_bytes(protocol: int, tmp_path: Path) -> None:
    scene, _, _ = world()
    scene.insert(3, hitscan.Shape.torus(1, 0.25), [1, 2, 3], layers=6)
    scene.insert(4, hitscan.Compound([hitscan.Shape.sphere(1), (hitscan.Shape.box([0, 0, 0], [1, 1, 1]), [2, 0, 0])]))
    scene.insert(6, hitscan.HeightField(np.zeros((3, 3)), holes=[[0, 0]]), [0, -5, 0])
    scene.save(tmp_path / "scene.hit")
    origins, directions = rays(1000)
    wanted = scene.cast_all(origins, directions).to_dict()
    for read in (pickle.loads(pickle.dumps(scene, protocol)), hitscan.Scene.open(tmp_path / "scene.hit")):
        assert sorted(read.keys()) == sorted(scene.keys()) and read.layers(3) == 6
        found = read.cast_all(origins, directions).to_dict()
        assert all(np.array_equal(found[name], wanted[name]) for name in wanted)
        assert read.__dask_tokenize__() == scene.__dask_tokenize__()
    data = bytearray(scene.to_bytes())
    for place in np.random.default_rng(protocol).integers(0, len(data), 40):
        bad = data.copy()
        bad[place] ^= 1 << int(place) % 8
        with pytest.raises(ValueError, match="no saved mesh or scene"):
            hitscan.Scene.from_bytes(bytes(bad))
    with pytest.raises(ValueError):
        hitscan.Scene.from_bytes(bytes(data[: len(data) // 2]))


def test_faults_are_named() -> None:
    scene, box = hitscan.Scene(), hitscan.Mesh(*shapes.box())
    singular = np.diag([1.0, 0.0, 1.0, 1.0])
    skewed = np.eye(4)
    skewed[3, 0] = 1.0
    for call, kind, match in [
        (lambda: scene.insert(-1, box), ValueError, "key is -1"),
        (lambda: scene.insert(1, "box"), TypeError, "geometry is .*str"),
        (lambda: scene.insert(1, box, [0, 0]), ValueError, r"transform has the shape \(2,\)"),
        (lambda: scene.insert(1, box, [0, np.nan, 0]), ValueError, "transform is not finite"),
        (lambda: scene.insert(1, box, singular), ValueError, "invert"),
        (lambda: scene.insert(1, box, skewed), ValueError, "last row"),
        (lambda: scene.insert_all([1, 2], [box], [[0, 0, 0]] * 2), ValueError, "1 geometries for 2 keys"),
        (lambda: scene.insert_all([1, 2], box, [[0, 0, 0]] * 3), ValueError, r"transforms has the shape \(3, 3\)"),
        (lambda: scene.insert_all([1, 2], box, [np.eye(4), singular]), ValueError, r"transforms\[1\]"),
        (lambda: scene.insert_all([1, -2], box), ValueError, r"keys\[1\] is -2"),
        (lambda: scene.insert_all([1.5], box), TypeError, "must have integers"),
        (lambda: scene.insert_all(np.array([2**63], dtype=np.uint64), box), ValueError, "beyond int64"),
        (lambda: scene.transform(8), KeyError, "no entity 8"),
        (lambda: scene.refit(8, box.vertices), KeyError, "no mesh that is part 0"),
        (lambda: scene.set_heights(8, 0, 0, [[1.0]]), KeyError, "no height field"),
        (lambda: scene.cast([[0, 0, 0], [np.nan, 0, 0]], [0, 0, 1]), ValueError, r"origins\[1\]"),
        (lambda: scene.cast([0, 0, 0], [0, 0, 1], inside="out"), ValueError, 'inside is "out"'),
        (lambda: scene.cast([0, 0, 0], [0, 0, 1], exclude="all"), TypeError, "exclude has the dtype"),
        (lambda: scene.closest_point([[0, 0, 0], [0, np.inf, 0]]), ValueError, r"points\[1\]"),
        (lambda: scene.closest_point([0, 0, 0], max_distance=-1), ValueError, "max_distance is -1"),
        (lambda: scene.sweep(hitscan.Shape.torus(1, 0.1), [0, 0, 0], [1, 0, 0]), ValueError, "a torus is no volume"),
        (lambda: scene.sweep(hitscan.Shape.point(), [[0, 0, 0]] * 2, [[1, 0, 0]] * 3), ValueError, "positions has the shape"),
        (lambda: scene.sweep(hitscan.Shape.point(), [0, 0, 0], [1, 0, 0], rotations=[0, 0, 0, 0]), ValueError, "rotations is"),
        (lambda: scene.overlaps(hitscan.Shape.point(), [0, 0, 0], rotations=[0, 0, 0]), ValueError, r"rotations has the shape \(3,\)"),
        (lambda: scene.insert(1, hitscan.Shape.point()), ValueError, "no surface"),
        (lambda: hitscan.Shape.sphere(-1.0), ValueError, "radius"),
        (lambda: hitscan.Shape.plane([0, 0, 0], [0, 0, 0]), ValueError, "normal"),
        (lambda: hitscan.Shape.hull([[0, 0, 0]]), ValueError, "at least four"),
        (lambda: scene.distance([1, 2], [1, 2, 3]), ValueError, "first has the shape"),
        (lambda: hitscan.Scene([1]), TypeError, "geometry is"),
        (lambda: hitscan.HeightField([1.0]), ValueError, "two dimensions"),
        (lambda: hitscan.HeightField([[1.0, 2.0], [np.nan, 0.0]]), ValueError, r"heights\[1, 0\]"),
        (lambda: hitscan.HeightField(np.zeros((3, 3)), holes=[[0, -1]]), ValueError, r"holes\[0\]"),
        (lambda: hitscan.HeightField(np.zeros((3, 3)), holes=[[5, 0]]), ValueError, "row 5"),
        (lambda: hitscan.HeightField(np.zeros((3, 3)), [0, 1]), ValueError, "cell size"),
    ]:
        with pytest.raises(kind, match=match):
            call()  # type: ignore[no-untyped-call]
    assert len(scene) == 0, "a refused change changes nothing"
