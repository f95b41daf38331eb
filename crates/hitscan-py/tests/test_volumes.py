"""All contacts of volumes, penetrations of pairs, and pairs over time. They are compared with distances in float64, and
with other questions."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
import shapes
import solids

import hitscan

RANDOM = np.random.default_rng(51)


def balls(count: int, reach: float = 4.0) -> tuple[hitscan.Scene, Any, Any]:
    """Returns a scene of balls, with their places and radii."""
    places, radii = RANDOM.uniform(-reach, reach, size=(count, 3)), RANDOM.uniform(0.3, 0.9, size=count)
    scene = hitscan.Scene({key: hitscan.Shape.sphere(float(radius)) for key, radius in enumerate(radii)})
    scene.set_transforms(np.arange(count), places)
    return scene, places, radii


def lists(answer: Any, name: str) -> list[Any]:
    return np.split(getattr(answer, name), answer.splits[1:-1])


def test_every_contact_of_a_moving_ball() -> None:
    scene, places, radii = balls(40)
    starts = RANDOM.normal(size=(200, 3)) * 6
    motions = (RANDOM.uniform(-3, 3, size=(200, 3)) - starts) * 1.5
    every, radius = scene.sweep_all(hitscan.Shape.sphere(0.25), starts, motions), 0.25
    # A moving ball touches a ball where its centre comes within both radii.
    to, pace = starts[:, None] - places, (motions**2).sum(axis=1)[:, None]
    half, square = (to * motions[:, None]).sum(axis=2), (to**2).sum(axis=2) - (radii + radius) ** 2
    with np.errstate(invalid="ignore"):
        t = (-half - np.sqrt(half**2 - pace * square)) / pace
    t = np.where(square <= 0, 0.0, t)
    wanted = np.where(np.isfinite(t) & (t >= 0) & (t <= 1), t, np.inf)
    for place, (keys, times) in enumerate(zip(lists(every, "key"), lists(every, "t"))):
        order = np.argsort(wanted[place], kind="stable")
        order = order[np.isfinite(wanted[place][order])]
        assert sorted(keys) == sorted(order) and (np.diff(times) >= 0).all()
        assert np.allclose(times, wanted[place][order], atol=1e-6)
    first = scene.sweep(hitscan.Shape.sphere(0.25), starts, motions)
    found = np.diff(every.splits) > 0
    assert np.array_equal(first.key >= 0, found) and np.array_equal(first.key[found], every.key[every.splits[:-1][found]])
    assert np.array_equal(every.volume, np.repeat(np.arange(200), np.diff(every.splits))) and len(every) > 100
    none = scene.sweep_all(hitscan.Shape.point(), np.zeros((0, 3)), [1, 0, 0])
    assert none.splits.tolist() == [0] and none.point.shape == (0, 3) and repr(none) == "<hitscan.AllSweeps: 0 volumes, 0 hits>"


def test_a_rotating_box_hits_where_its_corner_does() -> None:
    scene = hitscan.Scene({1: hitscan.Shape.plane([0, 0, 0], [0, 1, 0])})
    box = hitscan.Shape.box([-2, -0.5, -0.5], [2, 0.5, 0.5])
    heights = np.linspace(1.0, 2.0, 9)
    starts = np.stack([np.zeros(9), heights, np.zeros(9)], axis=-1)
    quarter = [0, 0, np.sin(np.pi / 4), np.cos(np.pi / 4)]
    found = scene.sweep_rotating(box, starts, starts, end_rotations=quarter)
    times = np.linspace(0, 1, 200_001)
    angle = times * np.pi / 2
    lowest = 2 * np.sin(angle) + 0.5 * np.cos(angle)
    for height, t in zip(heights, found.t):
        touches = np.flatnonzero(lowest >= height)
        assert np.isclose(t, times[touches[0]], atol=1e-4) if len(touches) else np.isinf(t)
    straight = scene.sweep_rotating(box, starts, starts - [0, 3, 0])
    assert np.allclose(straight.t, scene.sweep(box, starts, [0, -3, 0]).t, atol=1e-9)
    # Without rotations of the end, it keeps its rotation.
    for kept in (quarter, np.tile(quarter, (9, 1)), RANDOM.normal(size=(9, 4))):
        turned, wanted = scene.sweep_rotating(box, starts + [0, 3, 0], starts - [0, 3, 0], rotations=kept), scene.sweep(box, starts + [0, 3, 0], [0, -6, 0], rotations=kept)
        assert np.allclose(turned.t, wanted.t, atol=1e-6) and (turned.key == 1).all()
    assert scene.sweep_rotating(box, [0, 5, 0], starts).key.shape == (9,)
    with pytest.raises(ValueError, match="end_rotations is"):
        scene.sweep_rotating(box, starts, starts, end_rotations=[0, 0, 0, 0])
    with pytest.raises(ValueError, match="end_positions"):
        scene.sweep_rotating(box, starts, starts[:4])
    with pytest.raises(ValueError, match="contacts is"):
        scene.sweep_rotating(box, starts, starts, contacts="none")


def test_an_entity_moves_as_its_volume_does() -> None:
    scene, places, radii = balls(30)
    motions = RANDOM.normal(size=(30, 3)) * 3
    found = scene.sweep_entity(np.arange(30), motions, contacts="ahead")
    for key in range(30):
        alone = scene.sweep(hitscan.Shape.sphere(float(radii[key])), places[key], motions[key], contacts="ahead", exclude=key)
        assert alone.key == found.key[key] and np.isclose(alone.t, found.t[key], atol=1e-9) or alone.key == found.key[key] == -1
    assert (found.key >= 0).sum() > 5 and (found.key != np.arange(30)).all()
    assert scene.sweep_entity(999, [1, 0, 0]).key == -1 and np.array_equal(scene.transform(3)[:3, 3], places[3])
    assert scene.sweep_entity(0, motions).key.shape == (30,) and scene.sweep_entity([0, 1], [1, 0, 0]).key.shape == (2,)
    with pytest.raises(ValueError, match=r"keys\[1\] is -4"):
        scene.sweep_entity([1, -4], [1, 0, 0])
    with pytest.raises(ValueError, match=r"keys has the shape \(2,\) and motions \(3, 3\)"):
        scene.sweep_entity([1, 4], np.ones((3, 3)))
    with pytest.raises(ValueError, match=r"motions is \[inf, 0, 0\]"):
        scene.sweep_entity([1, 4], [np.inf, 0, 0])


def test_all_that_a_ball_overlaps() -> None:
    scene, places, radii = balls(60)
    mesh = hitscan.Mesh(*shapes.icosphere(2))
    scene.insert(100, mesh, [0.5, 0, 0])
    points, radius = RANDOM.uniform(-4, 4, size=(150, 3)), 0.6
    ball = hitscan.Shape.sphere(radius)
    every, ways, contacts = scene.overlap_all(ball, points), scene.penetration_all(ball, points), scene.contact_points(ball, points)
    gaps = solids.length(points[:, None] - places) - radii
    corners = mesh.vertices[mesh.faces] + [0.5, 0, 0]
    entities = scene.overlap_entities(ball, points)
    deepest = scene.penetration(ball, points)
    for place, (keys, triangles) in enumerate(zip(lists(every, "key"), lists(every, "triangle"))):
        assert sorted(keys[keys < 100]) == np.flatnonzero(gaps[place] <= radius).tolist()
        near = np.flatnonzero(np.array([triangle_distance(points[place], corner) for corner in corners]) <= radius)
        assert sorted(triangles[keys == 100]) == near.tolist()
        assert sorted(set(keys)) == sorted(lists(entities, "key")[place])
        # Each has a separation and points of contact. A triangle behind others of its surface may have none.
        out = sorted(zip(lists(ways, "key")[place], lists(ways, "triangle")[place]))
        assert set(out) <= set(zip(keys, triangles)) and [key for key, _ in out if key < 100] == sorted(keys[keys < 100])
        assert {key for key, _ in out} == set(keys)
        assert sorted(set(zip(lists(contacts, "key")[place], lists(contacts, "triangle")[place]))) == out
        depths = lists(ways, "depth")[place]
        assert (np.diff(depths) <= 0).all() and (deepest.depth[place] == depths[0] if len(depths) else np.isnan(deepest.depth[place]))
    is_ball = (ways.key < 100) & (gaps[ways.volume, ways.key % 60] > 0)
    wanted = (radius - gaps)[ways.volume, ways.key % 60]
    assert np.allclose(ways.depth[is_ball], wanted[is_ball], atol=1e-6) and is_ball.sum() > 20
    after = points[ways.volume] + ways.separation
    assert np.allclose(solids.length(after - places[ways.key % 60])[is_ball], (radii[ways.key % 60] + radius)[is_ball], atol=1e-6)
    apart = (contacts.point - contacts.on_volume) - contacts.depth[:, None] * contacts.normal
    assert np.abs(apart).max() < 1e-5 and np.allclose(solids.length(contacts.on_volume - points[contacts.volume]), radius, atol=1e-6)
    again = pickle.loads(pickle.dumps(contacts))
    assert np.array_equal(again.on_volume, contacts.on_volume) and repr(again).startswith("<hitscan.ContactPoints: 150 volumes, ")
    empty = scene.overlap_all(ball, np.zeros((0, 3)))
    assert len(empty) == 0 and len(scene.contact_points(ball, [90, 0, 0])) == 0 and len(scene.penetration_all(ball, [[90, 0, 0]])) == 0
    for ask in (scene.overlap_all, scene.penetration_all, scene.contact_points):
        with pytest.raises(ValueError, match=r"positions\[0\] is \[0, NaN, 0\]"):
            ask(ball, [[0, np.nan, 0]])
        with pytest.raises(ValueError, match="a plane is no volume"):
            ask(hitscan.Shape.plane([0, 0, 0], [0, 1, 0]), [0, 0, 0])
        readonly = np.asfortranarray(points[::3])
        readonly.setflags(write=False)
        assert np.array_equal(ask(ball, readonly).key, ask(ball, points[::3].copy()).key)


def triangle_distance(p: Any, corners: Any) -> float:
    """Returns the distance of a point to a triangle, by its plane and its edges."""
    a, b, c = corners
    normal = np.cross(b - a, c - a)
    u, v, w = (np.dot(np.cross(y - x, p - x), normal) for x, y in ((a, b), (b, c), (c, a)))
    if min(u, v, w) >= 0:
        return float(abs(np.dot(p - a, normal)) / np.linalg.norm(normal))
    ends = ((a, b), (b, c), (c, a))
    return float(min(np.linalg.norm(p - x - np.clip(np.dot(p - x, y - x) / np.dot(y - x, y - x), 0, 1) * (y - x)) for x, y in ends))


def test_penetrations_of_pairs() -> None:
    scene, places, radii = balls(25, 1.5)
    one, other = np.triu_indices(25, 1)
    found = scene.pair_penetration(one, other)
    gaps = solids.length(places[one] - places[other]) - radii[one] - radii[other]
    deep = gaps < -1e-9
    assert np.array_equal(~np.isnan(found.depth), scene.pair_overlaps(one, other)) and deep.sum() > 20
    assert np.abs(found.depth[deep] + gaps[deep]).max() < 1e-6 and not found.separation[np.isnan(found.depth)].any()
    moved = places[other] + found.separation
    assert np.allclose(solids.length(moved - places[one])[deep], (radii[one] + radii[other])[deep], atol=1e-6)
    assert np.allclose(solids.length(found.points[:, 0] - places[one])[deep], radii[one][deep], atol=1e-6)
    assert found.points.shape == (len(one), 2, 3) and (found.triangles == -1).all() and (found.parts == 0).all()
    assert np.isnan(scene.pair_penetration(0, [0, 99]).depth).all(), "an entity is not in itself"
    with pytest.raises(ValueError, match="first has the shape"):
        scene.pair_penetration([1, 2], [1, 2, 3])


def test_a_tracker_tells_the_differences_of_pairs() -> None:
    scene, places, _ = balls(40, 2.0)
    tracker, before, order = hitscan.PairTracker(), set(), list(range(40))
    for frame in range(12):
        scene.set_transforms(np.arange(40), places + RANDOM.normal(size=(40, 3)) * 0.3)
        if frame == 5:
            scene.remove_all([3, 4])
        events = tracker.update(scene)
        now = {tuple(pair) for pair in scene.overlap_pairs().tolist()}
        said = {change: {pair for pair, c in zip(zip(events.first, events.second), events.change) if c == change} for change in (1, 0, -1)}
        assert said == {1: now - before, 0: now & before, -1: before - now} and len(events) == len(now | before)
        assert (np.diff(events.change != -1) >= 0).all(), "those that leave come first"
        assert {tuple(pair) for pair in tracker.pairs.tolist()} == now
        assert np.array_equal(tracker.events.first, events.first) and order
        before = now
    other = copy.copy(tracker)
    scene.clear()
    assert (tracker.update(scene).change == -1).all() and len(tracker.pairs) == 0
    assert len(other.pairs) == len(before) and len(tracker.update(scene)) == 0
    assert repr(tracker) == "<hitscan.PairTracker: 0 pairs>" and repr(other) == f"<hitscan.PairTracker: {len(before)} pairs>"


def test_a_tracker_of_layers_and_boxes() -> None:
    scene = hitscan.Scene({key: hitscan.Shape.sphere(1.0) for key in range(4)})
    for key, layers in enumerate((1, 2, 4, 4)):
        scene.set_layers(key, layers)
    scene.set_transforms([0, 1, 2, 3], [[0, 0, 0], [1.6, 1.6, 0], [0.5, 0, 0], [0, 0.5, 0]])
    assert len(hitscan.PairTracker().update(scene)) == 5
    assert tuple(zip(*[hitscan.PairTracker(layers=1, other_layers=4).update(scene).to_dict()[name] for name in ("first", "second")])) == ((0, 2), (0, 3))
    assert len(hitscan.PairTracker(test="boxes").update(scene)) == 6
    with pytest.raises(ValueError, match='test is "hulls"'):
        hitscan.PairTracker(test="hulls")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="layers is 4294967296"):
        hitscan.PairTracker(layers=2**32)
    with pytest.raises(TypeError):
        pickle.dumps(hitscan.PairTracker())


def test_any_number_of_threads_gives_the_same_bits() -> None:
    scene, places, _ = balls(40)
    box, points = hitscan.Shape.box([-0.3, -0.2, -0.1], [0.3, 0.2, 0.1]), RANDOM.uniform(-4, 4, size=(700, 3))
    camera = hitscan.Camera.perspective(hitscan.Camera.look_at([0, 0, 12], [0, 0, 0]), 0.9)
    cursor = hitscan.Cursor(camera, (300, 300), RANDOM.uniform(0, 300, size=(700, 2)), 9.0)
    calls: list[Any] = [
        lambda threads: scene.sweep_all(box, points, -points, threads=threads),
        lambda threads: scene.sweep_rotating(box, points[:300], -points[:300], end_rotations=[0, 1, 0, 1], threads=threads),
        lambda threads: scene.sweep_entity(np.arange(700) % 40, points, threads=threads),
        lambda threads: scene.overlap_all(box, points, threads=threads),
        lambda threads: scene.penetration_all(box, points, threads=threads),
        lambda threads: scene.contact_points(box, points, threads=threads),
        lambda threads: scene.pair_penetration(np.arange(700) % 40, np.arange(700) % 39, threads=threads),
        lambda threads: scene.cast_entities(points * 3, -points, threads=threads),
        lambda threads: scene.cast_path(points.reshape(-1, 2, 3) * 2, threads=threads),
        lambda threads: scene.cast_trajectory(points, -points, [0, -1, 0], 0.1, threads=threads),
        lambda threads: scene.shoot(points * 3, -points, 20.0, impact="ricochet", threads=threads),
        lambda threads: scene.blast(points, 2.0, threads=threads),
        lambda threads: scene.camera_arm_end(points, -points, 3.0, 0.1, threads=threads),
        lambda threads: hitscan.PairTracker().update(scene, threads=threads),
        lambda threads: cursor.all(scene, threads=threads),
        lambda threads: hitscan.Shape.torus(1.0, 0.4).cast(points * 2, -points, threads=threads),
        lambda threads: hitscan.Mesh(*shapes.box()).sweep(box, points * 2, -points, threads=threads),
    ]
    for call in calls:
        one, two = call(1).to_dict(), call(2).to_dict()
        assert all(np.array_equal(one[name], two[name], equal_nan=one[name].dtype.kind == "f") for name in one), list(one)
