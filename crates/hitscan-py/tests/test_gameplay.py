"""Shots, explosions, camera arms, ledges and cursors. They are compared with formulas, and with the questions that they
are made of."""

from __future__ import annotations

import pickle
import threading
from typing import Any

import numpy as np
import pytest
import shapes
import solids

import hitscan

RANDOM = np.random.default_rng(71)


def balls(count: int) -> tuple[hitscan.Scene, Any, Any]:
    places, radii = RANDOM.uniform(-5, 5, size=(count, 3)), RANDOM.uniform(0.3, 0.9, size=count)
    scene = hitscan.Scene({key: hitscan.Shape.sphere(float(radius)) for key, radius in enumerate(radii)})
    scene.set_transforms(np.arange(count), places)
    return scene, places, radii


def test_a_shot_through_everything_is_all_hits() -> None:
    scene, _, _ = balls(50)
    origins = RANDOM.normal(size=(300, 3)) * 8
    directions = RANDOM.uniform(-4, 4, size=(300, 3)) - origins
    shots = scene.shoot(origins, directions, 30.0, impact="pass_through")
    units = directions / solids.length(directions)[:, None]
    every = scene.cast_all(origins, units, t_max=30.0)
    hit = shots.key >= 0
    assert np.array_equal(shots.key[hit], every.key) and np.array_equal(shots.ray[hit], every.ray) and len(every) > 200
    assert np.allclose(shots.end[hit], every.point, atol=1e-4)
    # The last leg of each ends with the range, and each other leg where the next one begins.
    last = shots.splits[1:] - 1
    assert np.array_equal(np.flatnonzero(~hit), last) and np.allclose(shots.end[last], origins + 30 * units, atol=1e-4)
    inner = np.setdiff1d(np.arange(len(shots)), last)
    assert np.array_equal(shots.start[inner + 1], shots.end[inner]) and np.allclose(shots.start[shots.splits[:-1]], origins, atol=1e-5)
    stopped = scene.shoot(origins, directions, 30.0)
    first = scene.cast(origins, units, t_max=30.0)
    assert np.array_equal(stopped.key, first.key) and len(stopped) == 300
    asked = []

    def impact(hit: hitscan.ShotHit) -> Any:
        asked.append((hit.ray, hit.key, hit.side))
        assert np.allclose(hit.direction, units[hit.ray], atol=1e-6) and "ShotHit" in repr(hit)
        return "stop" if hit.side == -1 else "pass_through"

    once = scene.shoot(origins, directions, 30.0, impact=impact)
    kept = [np.arange(a, b)[: 1 + int(np.argmax([*(shots.side[a:b] == -1), True]))] for a, b in zip(shots.splits, shots.splits[1:])]
    assert np.array_equal(once.end, shots.end[np.concatenate(kept)]) and np.array_equal(np.diff(once.splits), [len(legs) for legs in kept])
    assert len(asked) == (once.key >= 0).sum()


def test_ricochets_keep_their_range() -> None:
    room = hitscan.Scene({0: hitscan.Shape.plane([0, 0, 0], [0, 1, 0]), 1: hitscan.Shape.plane([0, 2, 0], [0, -1, 0])})
    shots = room.shoot([0, 1, 0], [3, -3, 0], 20.0, impact="ricochet")
    lengths = solids.length(shots.end - shots.start)
    assert np.isclose(lengths.sum(), 20.0, atol=1e-5) and np.allclose(lengths[1:-1], 2 * np.sqrt(2), atol=1e-6)
    assert shots.key.tolist()[:-1] == [0, 1] * 3 + [0] * (len(shots) % 2 == 0) and shots.key[-1] == -1
    mirrors = room.shoot([0, 1, 0], [0, 1, 0], 1e9, impact="ricochet")
    assert len(mirrors) == 1024 and np.isclose(mirrors.end[-1, 1], 0, atol=1e-6)
    for options, kind, match in [
        ({"impact": "bounce"}, ValueError, "impact is 'bounce'"),
        ({"impact": lambda hit: "bounce"}, ValueError, "impact returned 'bounce'"),
        ({"impact": lambda hit: 1 / 0}, ZeroDivisionError, "division"),
        ({"cut_outs": "x"}, ValueError, "cut_outs"),
    ]:
        for count in (1, 50, 600):
            with pytest.raises(kind, match=match):
                room.shoot(np.tile([0, 1, 0], (count, 1)), [1, -1, 0], 5.0, **options)  # type: ignore[arg-type]
    for reach in (0.0, -1.0, np.nan):
        with pytest.raises(ValueError, match="range is"):
            room.shoot([0, 1, 0], [1, -1, 0], reach)
    with pytest.raises(ValueError, match=r"directions\[1\]"):
        room.shoot([0, 1, 0], [[1, -1, 0], [0, 0, 0]], 5.0)
    assert room.shoot(np.zeros((0, 3)), [1, 0, 0], 1.0).splits.tolist() == [0]


def test_a_function_that_raises_is_not_called_again() -> None:
    scene, _, _ = balls(50)
    origins = RANDOM.normal(size=(50_000, 3)) * 8
    called = []

    def fails(hit: hitscan.ShotHit) -> Any:
        called.append(threading.get_ident())
        raise LookupError("the armour is gone")

    for threads in (None, 1, 2):
        called.clear()
        with pytest.raises(LookupError, match="the armour is gone"):
            scene.shoot(origins, -origins, 30.0, impact=fails, threads=threads)
        assert called == [threading.get_ident()]
    assert (scene.shoot(origins, -origins, 30.0).key >= 0).sum() > 1000


def test_a_function_may_ask_and_change_the_scene() -> None:
    scene, places, _ = balls(50)

    def again(hit: hitscan.ShotHit) -> Any:
        return scene.shoot(places[0] - [9, 0, 0], [1, 0, 0], 30.0, impact=again)

    with pytest.raises(RecursionError):
        scene.shoot(places[0] - [9, 0, 0], [1, 0, 0], 30.0, impact=again)

    def removes(hit: hitscan.ShotHit) -> Any:
        scene.remove(hit.key)
        return "pass_through"

    wanted = scene.shoot(places - [9, 0, 0], [1, 0, 0], 30.0, impact="pass_through")
    found = scene.shoot(places - [9, 0, 0], [1, 0, 0], 30.0, impact=removes)
    assert np.array_equal(found.key, wanted.key) and len(scene) == 50 - len(set(wanted.key) - {-1})


def test_explosions_reach_the_nearest_first() -> None:
    scene, places, radii = balls(80)
    centers = RANDOM.uniform(-5, 5, size=(100, 3))
    found = scene.blast(centers, 3.0)
    gaps = np.maximum(solids.length(centers[:, None] - places) - radii, 0)
    for place, (a, b) in enumerate(zip(found.splits, found.splits[1:])):
        keys = found.key[a:b]
        assert sorted(keys) == np.flatnonzero(gaps[place] <= 3.0).tolist() and (np.diff(found.distance[a:b]) >= 0).all()
        assert np.allclose(found.distance[a:b], gaps[place][keys], atol=1e-5)
    assert np.array_equal(found.explosion, np.repeat(np.arange(100), np.diff(found.splits)))
    apart = found.distance > 0
    assert np.allclose(solids.length(found.point - places[found.key])[apart], radii[found.key][apart], atol=1e-4)
    # Cover is what a ray from the center to the point hits before it.
    origins = centers[found.explosion]
    hits = scene.cast(origins[apart], found.point[apart] - origins[apart], t_max=0.999)
    assert (found.is_covered[apart] == (hits.hit & (hits.key != found.key[apart]))).mean() > 0.995 and found.is_covered.sum() > 20
    even = scene.blast(centers, 3.0, only=np.arange(0, 80, 2), hidden_by={})
    is_even = found.key % 2 == 0
    assert np.array_equal(even.key, found.key[is_even]) and np.array_equal(even.is_covered, found.is_covered[is_even])
    alone = scene.blast(centers, 3.0, only=np.arange(0, 80, 2))
    assert repr(scene.blast(centers, 3.0)) == f"<hitscan.BlastHits: 100 explosions, {len(found)} entities>"
    for kind in (set, frozenset):
        chosen = scene.blast(centers, 3.0, only=kind(range(0, 80, 2)), exclude=kind())
        assert np.array_equal(chosen.key, alone.key)
    assert np.array_equal(scene.blast(centers, 3.0, exclude=set(range(1, 80, 2))).key, alone.key)
    assert np.array_equal(alone.key, even.key) and (alone.is_covered <= even.is_covered).all() and (alone.is_covered < even.is_covered).any()
    for radius in (0.0, -1.0, np.nan, np.inf):
        with pytest.raises(ValueError, match="radius is"):
            scene.blast(centers, radius)
    with pytest.raises(ValueError, match="hidden_by has the key"):
        scene.blast(centers, 1.0, hidden_by={"keys": 1})  # type: ignore[typeddict-unknown-key]
    far = hitscan.Scene({1: hitscan.Shape.sphere(0.5)})
    far.set_transform(1, [1e7, 0, 1e7])
    assert np.allclose(far.blast([1e7 + 2, 0, 1e7], 4.0).point, [[1e7 + 0.5, 0, 1e7]], atol=1e-6)


def test_an_arm_ends_where_a_ball_does() -> None:
    scene, _, _ = balls(60)
    targets, directions = RANDOM.uniform(-5, 5, size=(200, 3)), RANDOM.normal(size=(200, 3))
    ends = scene.camera_arm_end(targets, directions, 4.0, 0.2)
    units = directions / solids.length(directions)[:, None]
    swept = scene.sweep(hitscan.Shape.sphere(0.2), targets, 4 * units, contacts="ahead")
    assert np.array_equal(ends.key, swept.key) and 20 < (ends.key >= 0).sum() < 200
    assert np.allclose(ends.length, 4 * np.minimum(swept.t, 1), atol=1e-9)
    assert np.allclose(ends.position, targets + units * ends.length[:, None], atol=1e-9)
    assert scene.camera_arm_end(targets, [0, 0, 1], 4.0, 0.2, exclude=np.arange(60)).length.tolist() == [4.0] * 200
    for arguments, match in [((-1.0, 0.2), "length is -1"), ((1.0, 0.0), "radius is 0"), ((np.nan, 0.2), "length is NaN")]:
        with pytest.raises(ValueError, match=match):
            scene.camera_arm_end(targets, directions, *arguments)
    for way, match in [([0, 0, 0], r"directions is \[0, 0, 0\]"), ([[0, 0, 1], [0, 0, 0]], r"directions\[1\]"), ([0, np.nan, 1], "directions is")]:
        with pytest.raises(ValueError, match=match):
            scene.camera_arm_end([0, 0, 0], way, 4.0, 0.2)


def test_ledges_of_steps() -> None:
    heights = np.linspace(0.5, 3.0, 11)
    scene = hitscan.Scene()
    for key, height in enumerate(heights):
        scene.insert(key, hitscan.Shape.box([-0.5, 0, 1], [0.5, float(height), 5]), [3 * key, 0, 0])
    feet = np.stack([3.0 * np.arange(11), np.zeros(11), np.full(11, 0.25)], axis=-1)
    found = scene.find_ledge(feet, [0, 0, 7], 1.0, 1.2, 2.4, 0.05, 0.6)
    reached = (heights >= 1.2) & (heights <= 2.4)
    assert np.array_equal(found.key, np.where(reached, np.arange(11), -1))
    wanted = np.stack([3.0 * np.arange(11), heights, np.ones(11)], axis=-1)
    assert np.allclose(found.point[reached], wanted[reached], atol=1e-6) and np.isnan(found.point[~reached]).all()
    assert np.allclose(found.top_normal[reached], [0, 1, 0]) and np.allclose(found.wall_normal[reached], [0, 0, -1])
    assert (scene.find_ledge(feet, [0, 0, 1], 0.5, 1.2, 2.4, 0.05, 0.6).key == -1).all(), "out of reach"
    assert (scene.find_ledge(feet, [0, 0, -1], 1.0, 1.2, 2.4, 0.05, 0.6).key == -1).all(), "on the other side"
    assert repr(found) == f"<hitscan.Ledges: 11 probes, {reached.sum()} ledges>"
    for arguments, match in [
        ((0.0, 1.2, 2.4, 0.05, 0.6), "reach is 0"),
        ((1.0, 2.4, 1.2, 0.05, 0.6), "lowest is 2.4"),
        ((1.0, 1.2, 2.4, np.nan, 0.6), "radius is NaN"),
        ((1.0, 1.2, 2.4, 0.05, np.nan), "max_slope is NaN"),
        ((1.0, 1.2, 2.4, 0.05, -0.1), "max_slope is -0.1"),
        ((1.0, -1.0, 2.4, 0.05, 0.6), "lowest is -1"),
    ]:
        with pytest.raises(ValueError, match=match):
            scene.find_ledge(feet, [0, 0, 1], *arguments)
    usual = (1.0, 1.2, 2.4, 0.05, 0.6)
    for forwards, up, match in [
        ([0, 0, 0], [0, 1, 0], r"forwards is \[0, 0, 0\]"),
        ([[0, 0, 1]] * 10 + [[0, 0, 0]], [0, 1, 0], r"forwards\[10\] is \[0, 0, 0\]"),
        ([0, 0, 1], [0, 0, 0], r"up is \[0, 0, 0\]"),
        ([0, 0, 1], [0, np.nan, 0], r"up is \[0, NaN, 0\]"),
    ]:
        with pytest.raises(ValueError, match=match):
            scene.find_ledge(feet, forwards, *usual, up=up)  # type: ignore[arg-type]
    assert np.array_equal(scene.find_ledge(feet, [0, 0, 1], *usual, up=[0, 1e60, 0]).key, found.key)


CAMERA = hitscan.Camera.perspective(hitscan.Camera.look_at([3, 4, 9], [0, 0, 0]), 0.9)
VIEWPORT = (640.0, 480.0)


def test_cursors_snap_to_the_nearest_vertex() -> None:
    vertices, faces = shapes.icosphere(2)
    scene = hitscan.Scene({3: hitscan.Mesh(vertices * 2, faces)})
    cursors = RANDOM.uniform([240, 160], [400, 320], size=(120, 2))
    shown = CAMERA.project(vertices * 2, VIEWPORT).pixel
    seen = scene.sees(CAMERA.position, vertices * 2 * 1.0005)
    for hidden, counts in (("skip", seen), ("keep", np.ones(len(vertices), bool))):
        cursor = hitscan.Cursor(CAMERA, VIEWPORT, cursors, 12.0, hidden=hidden)  # type: ignore[arg-type]
        nearest, every = cursor.nearest(scene, ["vertex"]), cursor.all(scene, ["vertex"])
        gaps = solids.length(cursors[:, None] - shown[counts])
        which = np.flatnonzero(counts)[gaps.argmin(axis=1)]
        found = nearest.vertex >= 0
        assert (found == (gaps.min(axis=1) <= 12)).mean() > 0.98 and found.sum() > 60
        if hidden == "keep":
            assert np.array_equal(nearest.vertex[found], which[found])
            assert np.array_equal(np.diff(every.splits), (gaps <= 12).sum(axis=1))
        assert (nearest.vertex[found] == which[found]).mean() > 0.95
        assert np.allclose(nearest.point[found], 2 * vertices[nearest.vertex[found]], atol=1e-6)
        assert np.allclose(nearest.pixel[found], shown[nearest.vertex[found]], atol=1e-3)
        assert np.allclose(nearest.distance[found], solids.length(nearest.pixel - cursors)[found], atol=1e-3)
        first = np.diff(every.splits) > 0
        assert np.array_equal(first, found) and np.array_equal(every.vertex[every.splits[:-1][first]], nearest.vertex[found])
        assert (nearest.kind[found] == 0).all() and (nearest.kind[~found] == -1).all() and (nearest.key[found] == 3).all()
    assert hitscan.Cursor.KINDS[0] == "vertex" and len(hitscan.Cursor.KINDS) == 8
    again = pickle.loads(pickle.dumps(nearest))
    assert np.array_equal(again.vertex, nearest.vertex) and repr(again).startswith("<hitscan.Snaps: 120 cursors, ")


def test_cursors_find_edges_faces_and_axes() -> None:
    scene = hitscan.Scene({1: hitscan.Mesh(*shapes.box()), 2: hitscan.Shape.sphere(1.0)})
    scene.set_transform(2, [0, 0, -5])
    middle = CAMERA.project([1, 1, 0.5], VIEWPORT).pixel
    edge = hitscan.Cursor(CAMERA, VIEWPORT, middle + [2, 3], 9.0).nearest(scene, ["edge"])
    ends = shapes.box()[0][edge.edge]
    assert edge.key == 1 and np.allclose(ends[:, :2], 1) and np.allclose(edge.point[:2], 1) and edge.kind == hitscan.Cursor.KINDS.index("edge")
    point = hitscan.Cursor(CAMERA, VIEWPORT, CAMERA.project([1, 1, 0], VIEWPORT).pixel, 9.0).nearest(scene)
    assert point.kind == 1 and np.allclose(point.point, [1, 1, 0])
    face = hitscan.Cursor(CAMERA, VIEWPORT, CAMERA.project([0.3, 0.2, 1], VIEWPORT).pixel, 3.0).nearest(scene, ["face"])
    assert np.allclose(face.point, [0.3, 0.2, 1], atol=1e-5) and face.distance == 0 and face.key == 1
    axis = hitscan.Cursor(CAMERA, VIEWPORT, CAMERA.project([3, 0, 0], VIEWPORT).pixel, 3.0, start=[0, 0, 0]).nearest(scene, ["axis"])
    assert np.allclose(axis.point, [3, 0, 0], atol=1e-2) and axis.axis.tolist() == [1, 0, 0] and axis.key == -1
    hidden = hitscan.Cursor(CAMERA, VIEWPORT, CAMERA.project([-1, -1, -1], VIEWPORT).pixel, 3.0)
    assert hidden.nearest(scene, ["vertex"]).kind == -1
    assert hidden.nearest(scene, ["vertex"], hidden_by={"only": 2}).kind == 0
    assert hidden.nearest(scene, ["vertex"], hidden_by={"only": 2}, exclude=1).kind == -1
    far = hitscan.Scene({1: hitscan.Mesh(*shapes.box())})
    place = np.array([4e6, 0, -5e6])
    far.set_transform(1, place)
    lookout = hitscan.Camera.perspective(hitscan.Camera.look_at(place + [3, 4, 9], place), 0.9)
    assert np.allclose(hitscan.Cursor(lookout, VIEWPORT, middle + [2, 3], 9.0).nearest(far, ["edge"]).point - place, edge.point, atol=1e-3)
    picture = hitscan.Cursor(CAMERA, VIEWPORT, np.zeros((2, 3, 2)), 1.0)
    assert picture.nearest(scene).kind.shape == (2, 3) and repr(picture) == "<hitscan.Cursor: 6 cursors within 1 pixels>"
    assert hitscan.Cursor(CAMERA, VIEWPORT, np.zeros((0, 2)), 1.0).all(scene).splits.tolist() == [0]
    for call, match in [
        (lambda: hitscan.Cursor(CAMERA, VIEWPORT, [1, 2, 3], 1.0), "pixels has the shape"),
        (lambda: hitscan.Cursor(CAMERA, (0, 480), [1, 2], 1.0), "viewport is"),
        (lambda: hitscan.Cursor(CAMERA, VIEWPORT, [1, 2], -1.0), "radius is -1"),
        (lambda: hitscan.Cursor(CAMERA, VIEWPORT, [1, 2], np.nan), "radius is NaN"),
        (lambda: hitscan.Cursor(CAMERA, VIEWPORT, [1, 2], 1e39), "radius is 1"),
        (lambda: hitscan.Cursor(CAMERA, VIEWPORT, [[1, 2], [np.nan, 2]], 1.0), r"pixels\[1\] is \[NaN, 2\]"),
        (lambda: hitscan.Cursor(CAMERA, VIEWPORT, [1, np.inf], 1.0), r"pixels is \[1, inf\]"),
        (lambda: scene.surface_point(CAMERA, VIEWPORT, [1, 1e39], [0, 0, 0]), "pixels is"),
        (lambda: hitscan.Cursor(CAMERA, VIEWPORT, [1, 2], 1.0, start=[0, np.nan, 0]), "start"),
        (lambda: hitscan.Cursor(CAMERA, VIEWPORT, [1, 2], 1.0, hidden="show"), 'hidden is "show"'),  # type: ignore[arg-type]
        (lambda: hidden.nearest(scene, ["corner"]), 'kinds has "corner"'),
    ]:
        with pytest.raises(ValueError, match=match):
            call()  # type: ignore[no-untyped-call]


def test_things_are_put_on_what_is_under_a_cursor() -> None:
    scene = hitscan.Scene({1: hitscan.Mesh(*shapes.box()), 2: hitscan.Shape.sphere(0.5)})
    scene.set_transform(2, [0, 1.5, 0])
    pixels = RANDOM.uniform([120, 90], [520, 390], size=(300, 2))
    found = scene.surface_point(CAMERA, VIEWPORT, pixels, [0, -1, 0], exclude=2)
    rays = CAMERA.rays(VIEWPORT, pixels)
    hits = scene.cast(**rays.to_dict(), exclude=2)
    assert np.array_equal(found.key, hits.key) and 20 < hits.hit.sum() < 280
    assert np.allclose(found.position[hits.hit], hits.point[hits.hit], atol=1e-5)
    # Elsewhere it is on the plane below the cursor, as far as that is near.
    t = (-1 - rays.origins[:, 1]) / rays.directions[:, 1]
    on_plane = rays.origins + rays.directions * t[:, None]
    near = ~hits.hit & (t > 0) & (solids.length(on_plane - CAMERA.position) < 20)
    assert np.allclose(found.position[near], on_plane[near], atol=1e-4) and near.sum() > 50 and np.isfinite(found.position).all()
    screen = scene.surface_point(CAMERA, VIEWPORT, [5, 5], [0, 0, 0], path="screen")
    depth = CAMERA.project(screen.position, VIEWPORT)
    assert np.isclose(depth.depth, solids.length(CAMERA.position), atol=1e-5) and np.allclose(depth.pixel, [5, 5], atol=1e-3)
    along = scene.surface_point(CAMERA, VIEWPORT, [5, 5], [0, 0, 0], direction=[0, 3, 0], path="axis")
    assert np.allclose(along.position[[0, 2]], 0) and along.key == -1
    for arguments, match in [
        (([5, 5], [0, np.nan, 0], [0, 1, 0]), "point and direction"),
        (([5, 5], [0, 0, 0], [0, 0, 0]), "not zero"),
        (([5, 5, 5], [0, 0, 0], [0, 1, 0]), "pixels has the shape"),
    ]:
        with pytest.raises(ValueError, match=match):
            scene.surface_point(CAMERA, VIEWPORT, arguments[0], arguments[1], direction=arguments[2])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match='path is "line"'):
        scene.surface_point(CAMERA, VIEWPORT, [5, 5], [0, 0, 0], path="line")  # type: ignore[arg-type]
