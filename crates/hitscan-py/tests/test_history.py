"""Answers depend on the content of a scene, and not on the changes that led to it. Parts of compounds far from zero are
tested too."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
import shapes

import hitscan

FAR = np.array([500000.1, 4600000.2, 10.3])


def columns(scene: hitscan.Scene, origins: Any, directions: Any) -> dict[str, Any]:
    found: dict[str, Any] = scene.cast(origins, directions).to_dict()
    return found


def scene_at_once(entities: dict[int, Any]) -> hitscan.Scene:
    scene = hitscan.Scene()
    geometries, places = zip(*entities.values()) if entities else ((), ())
    scene.insert_all(list(entities), list(geometries), np.reshape(places, (-1, 3)))
    return scene


def test_answers_do_not_depend_on_history() -> None:
    # The boxes of the tree are relative to the first entity, so they round differently in each scene.
    places = {0: 1000000.000001, 1: 1001998.07}
    entities = {key: (hitscan.Shape.sphere(1), [x, 0, 0]) for key, x in places.items()}
    scenes = []
    for order in ([0, 1], [1, 0]):
        scene = hitscan.Scene()
        for key in order:
            scene.insert(key, *entities[key])
        scenes.append(scene)
    moved = scene_at_once(entities)
    moved.insert(2, hitscan.Shape.sphere(1), [0, 5000, 0])
    moved.cast([0, 0, 0], [1, 0, 0])
    moved.set_transform(0, [-7, 0, 0])
    moved.set_transform(0, [places[0], 0, 0])
    moved.remove(2)
    scenes += [scene_at_once(entities), moved, pickle.loads(pickle.dumps(scenes[0]))]
    scenes.append(hitscan.Scene.from_bytes(moved.to_bytes()))
    random = np.random.default_rng(62)
    starts = np.array([999990.1, 0, 0]) + random.uniform([0, -3, -3], [2020, 3, 3], (10000, 3))
    ends = np.array(list(places.values()))[random.integers(0, 2, 10000), None] * [1, 0, 0] + random.normal(size=(10000, 3)) * 0.7
    directions = ends - starts
    wanted = columns(scenes[0], starts, directions)
    assert 100 < (wanted["key"] >= 0).sum() < 9900
    for number, scene in enumerate(scenes):
        found = columns(scene, starts, directions)
        assert all(np.array_equal(found[name], wanted[name], equal_nan=found[name].dtype.kind == "f") for name in wanted), number


def test_a_changed_scene_is_as_a_new_one() -> None:
    random = np.random.default_rng(63)
    scene, entities = hitscan.Scene(), {}
    for step in range(300):
        key = int(random.integers(0, 12))
        if random.random() < 0.3:
            assert scene.remove(key) == (entities.pop(key, None) is not None)
        else:
            entities[key] = (hitscan.Shape.sphere(float(random.uniform(0.1, 3))), FAR + random.normal(size=3) * 10 ** random.uniform(0, 3))
            scene.insert(key, *entities[key])
        starts = FAR + random.normal(size=(20, 3)) * 2000
        directions = FAR - starts + random.normal(size=(20, 3)) * 30
        fresh = scene_at_once(entities)
        found, wanted = columns(scene, starts, directions), columns(fresh, starts, directions)
        names = [name for name in wanted if name != "key"]
        assert all(np.array_equal(found[name], wanted[name], equal_nan=found[name].dtype.kind == "f") for name in names), step
        assert np.array_equal(scene.bounds(), fresh.bounds()), step


def test_parts_of_compounds_keep_their_place() -> None:
    vertices, faces = shapes.icosphere(2)
    mesh = hitscan.Mesh(vertices + FAR, faces)
    scene = hitscan.Scene()
    # The second part has no origin, so the two differ.
    scene.insert(1, hitscan.Compound([(mesh, [0, 0, 5]), hitscan.Mesh(vertices, faces)]))
    for kept in (scene, pickle.loads(pickle.dumps(scene)), hitscan.Scene.from_bytes(scene.to_bytes())):
        before = kept.bounds(1)
        kept.refit(1, vertices + FAR, part=0)
        kept.refit(1, vertices, part=1)
        assert np.abs(kept.bounds(1) - before).max() < 1e-3
        kept.refit(1, 2 * vertices + FAR, part=0)
        middle = FAR[2] + 5
        top, expected = float(kept.bounds(1)[1, 2]), middle + 2 * vertices[:, 2].max()
        hit = kept.cast(FAR + [0, 0, 100], [0, 0, -1])
        assert abs(top - expected) < 1e-3 and hit.hit and middle + 1.9 < hit.point[2] < middle + 2.0
    scene.insert(1, mesh)
    scene.refit(1, vertices + FAR)
    # Boxes are in steps of float32.
    assert np.abs(scene.bounds(1).mean(axis=0) - FAR).max() < 0.5


def test_distances_from_planes_are_numbers_or_errors() -> None:
    plane = hitscan.Shape.plane([0, 0, 0], [0, 1, 0])
    assert plane.signed_distance([1e30, 1, 0]) == 1
    with pytest.raises(ValueError, match="points"):
        plane.signed_distance([[0.0, 0.0, 0.0], [1e60, 1.0, 0.0]])
