"""Rays that go on, paths, arcs, the ground, moves of points, and the place of a hit. They are compared with formulas
and all hits."""

from __future__ import annotations

import base64
import json
import pickle
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapes
import solids

import hitscan

RANDOM = np.random.default_rng(41)


def crowd() -> hitscan.Scene:
    """Returns balls, boxes and meshes that are many to a ray."""
    scene = hitscan.Scene()
    things = [hitscan.Shape.sphere(1.0), hitscan.Shape.box([-1, -1, -1], [1, 1, 1]), hitscan.Mesh(*shapes.icosphere(1))]
    for key, place in enumerate(RANDOM.uniform(-4, 4, size=(30, 3))):
        scene.insert(key, things[key % 3], place)
    return scene


def rays(count: int) -> tuple[Any, Any]:
    origins = RANDOM.normal(size=(count, 3)) * 9
    return origins, RANDOM.uniform(-4, 4, size=(count, 3)) - origins


def rows(answer: Any, names: tuple[str, ...] = ("key", "part", "triangle", "t")) -> list[list[tuple[Any, ...]]]:
    """Returns the rows of each question of an answer with splits."""
    columns = list(zip(*(getattr(answer, name).tolist() for name in names)))
    return [columns[a:b] for a, b in zip(answer.splits, answer.splits[1:])]


def test_the_first_hits_are_those_of_all() -> None:
    scene, (origins, directions) = crowd(), rays(600)
    every = rows(scene.cast_all(origins, directions))
    for count in (0, 1, 3, 1000):
        assert rows(scene.cast_first_n(origins, directions, count)) == [found[:count] for found in every]
    entities = rows(scene.cast_entities(origins, directions))
    firsts = [[row for place, row in enumerate(found) if row[0] not in [r[0] for r in found[:place]]] for found in every]
    assert entities == firsts and max(map(len, entities)) > 4
    assert repr(scene.cast_entities(origins, directions)).startswith("<hitscan.SceneAllHits: 600 rays, ")


def test_a_ray_that_goes_on_visits_all_hits() -> None:
    scene, (origins, directions) = crowd(), rays(300)
    every = scene.cast_all(origins, directions)
    hits, seen = scene.cast(origins, directions, keep_hits=True), []
    while hits.hit.any():
        seen.append(np.stack([hits.key, hits.triangle, hits.t], axis=-1))
        blocked = scene.is_blocked(origins, directions, after=hits)
        following = scene.cast(origins, directions, after=hits)
        assert np.array_equal(blocked[hits.hit], following.hit[hits.hit])
        # A ray without a hit begins anew.
        hits = scene.cast(origins, directions, after=hits, t_min=np.where(hits.hit, 0.0, np.inf), keep_hits=True)
    counts = np.diff(every.splits)
    for place, rest in enumerate(seen):
        found = counts > place
        at = every.splits[:-1][found] + place
        assert np.array_equal(rest[found], np.stack([every.key[at], every.triangle[at], every.t[at]], axis=-1))
    assert len(seen) == counts.max()
    remaining = rows(scene.cast_all(origins, directions, after=scene.cast(origins, directions, keep_hits=True)))
    assert remaining == [found[1:] for found in rows(every)]
    assert rows(scene.cast_first_n(origins, directions, 2, after=scene.cast(origins, directions, keep_hits=True))) == [found[1:3] for found in rows(every)]


def test_a_bounce_between_mirrors() -> None:
    scene = hitscan.Scene()
    scene.insert(0, hitscan.Shape.plane([0, 0, 0], [0, 1, 0]))
    scene.insert(1, hitscan.Shape.plane([0, 2, 0], [0, -1, 0]))
    for place in ([0.0, 0, 0], [4e6, 0, -5e6]):
        scene = hitscan.Scene([hitscan.Mesh([[-9, 0, -9], [-9, 0, 9], [99, 0, 0]], [[0, 1, 2]]), hitscan.Mesh([[-9, 2, -9], [99, 2, 0], [-9, 2, 9]], [[0, 1, 2]])])
        scene.set_transforms([0, 1], [place, place])
        start, direction = np.array(place) + [0, 1, 0], np.array([1.0, -1.0, 0.0])
        hits = scene.cast(start, direction, keep_hits=True)
        for bounce in range(1, 20):
            assert hits.key == (bounce + 1) % 2 and np.allclose(hits.point - place, [2 * bounce - 1, 1 + (-1.0) ** bounce, 0], atol=1e-6)
            direction = direction * [1, -1, 1]
            assert np.allclose(hits.reflection, direction, atol=1e-6)
            hits = scene.cast(hits.point, hits.reflection, after=hits, keep_hits=True)
    assert not scene.cast(start, [0, 0, 1]).reflection.any()


def test_hits_that_cannot_be_gone_on_from() -> None:
    scene, (origins, directions) = crowd(), rays(10)
    hits = scene.cast(origins, directions, keep_hits=True)
    for lost in (scene.cast(origins, directions), pickle.loads(pickle.dumps(hits))):
        assert np.array_equal(lost.t, hits.t) and np.array_equal(lost.reflection, hits.reflection)
        with pytest.raises(ValueError, match="cast the rays with keep_hits=True"):
            scene.cast(origins, directions, after=lost)
        with pytest.raises(ValueError, match="cast the rays with keep_hits=True"):
            scene.surface(lost)
    with pytest.raises(ValueError, match=r"after has hits of the shape \(10,\), but the rays have the shape \(2, 5\)"):
        scene.cast(origins.reshape(2, 5, 3), directions.reshape(2, 5, 3), after=hits)
    with pytest.raises(TypeError):
        scene.cast(origins, directions, after=scene.cast_all(origins, directions))
    for call in (scene.cast, scene.cast_all, scene.cast_entities):
        with pytest.raises(ValueError, match='cut_outs is "closed"'):
            call(origins, directions, cut_outs="closed")
    with pytest.raises(ValueError, match="count is -1"):
        scene.cast_first_n(origins, directions, -1)
    for huge in (2**62, 2**63 - 1):
        assert len(scene.cast_first_n(origins, directions, huge)) == len(scene.cast_all(origins, directions))
    with pytest.raises(ValueError, match="count is 9223372036854775808000"):
        scene.cast_first_n(origins, directions, 2**63 * 1000)
    empty = scene.cast_entities(np.zeros((0, 3)), [0, 0, 1])
    assert len(empty) == 0 and empty.splits.tolist() == [0]
    with pytest.raises(ValueError, match=r"origins\[1\]"):
        scene.cast_entities([[0, 0, 0], [np.nan, 0, 0]], [0, 0, 1])


def fence(folder: Path) -> hitscan.Model:
    """Returns a square of two triangles with normals, whose left half is a hole."""
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    pixels = b"\0" + bytes([255, 255, 255, 0]) + bytes([255, 255, 255, 255])
    picture = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 1, 8, 6, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b"")
    corners = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], dtype="<f4")
    tilted = np.array([[-0.6, 0, 0.8], [0.6, 0, 0.8], [0.6, 0, 0.8], [-0.6, 0, 0.8]], dtype="<f4")
    texcoords, faces = corners[:, :2].copy(), np.array([0, 1, 2, 0, 2, 3], dtype="<u2")
    parts = [part.tobytes() for part in (corners, tilted, texcoords, faces)]
    starts = np.cumsum([0, *map(len, parts)]).tolist()
    document = {
        "asset": {"version": "2.0"},
        "buffers": [{"byteLength": starts[-1], "uri": "data:;base64," + base64.b64encode(b"".join(parts)).decode()}],
        "bufferViews": [{"buffer": 0, "byteOffset": start, "byteLength": len(part)} for start, part in zip(starts, parts)],
        "accessors": [
            {"componentType": 5126, "bufferView": 0, "count": 4, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]},
            {"componentType": 5126, "bufferView": 1, "count": 4, "type": "VEC3"},
            {"componentType": 5126, "bufferView": 2, "count": 4, "type": "VEC2"},
            {"componentType": 5123, "bufferView": 3, "count": 6, "type": "SCALAR"},
        ],
        "images": [{"uri": "data:image/png;base64," + base64.b64encode(picture).decode()}],
        "samplers": [{"magFilter": 9728, "minFilter": 9728, "wrapS": 33071, "wrapT": 33071}],
        "textures": [{"source": 0, "sampler": 0}],
        "materials": [{"alphaMode": "MASK", "doubleSided": True, "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "NORMAL": 1, "TEXCOORD_0": 2}, "indices": 3, "material": 0}]}],
        "nodes": [{"mesh": 0}],
        "scenes": [{"nodes": [0]}],
    }
    (folder / "fence.gltf").write_text(json.dumps(document))
    return hitscan.Model(folder / "fence.gltf")


def test_holes_and_what_is_at_a_hit(tmp_path: Path) -> None:
    scene = fence(tmp_path).scene()
    scene.insert(7, hitscan.Shape.sphere(0.25), [3, 0, 0])
    x = np.array([0.1, 0.3, 0.7, 0.9, 3.0, 9.0])
    origins, back = np.stack([x, np.full(6, 0.125), np.full(6, 2.0)], axis=-1), [0, 0, -1]
    hits = scene.cast(origins, back)
    assert hits.key.tolist() == [-1, -1, 0, 0, 7, -1]
    solid = scene.cast(origins, back, cut_outs="solid", keep_hits=True)
    assert solid.key.tolist() == [0, 0, 0, 0, 7, -1]
    assert np.array_equal(scene.is_blocked(origins, back, cut_outs="solid"), solid.hit)
    surface = scene.surface(solid)
    assert surface.is_hole.tolist() == [True, True, False, False, False, False]
    assert np.allclose(surface.texcoord[:4], origins[:4, :2], atol=1e-6) and np.isnan(surface.texcoord[4:]).all()
    normals = np.stack([1.2 * x - 0.6, np.zeros(6), np.full(6, 0.8)], axis=-1)
    normals /= solids.length(normals)[:, None]
    assert np.allclose(surface.normal[:4], normals[:4], atol=1e-6) and np.isnan(surface.normal[4:]).all()
    assert repr(surface) == "<hitscan.HitSurfaces: 6 hits, 2 in holes>" and surface.texcoord.shape == (6, 2)
    again = pickle.loads(pickle.dumps(surface))
    assert np.array_equal(again.is_hole, surface.is_hole)
    assert scene.explain(origins[0], back, 0).reason == "hole"
    assert scene.explain(origins[0], back, 0, cut_outs="solid").reason == "hit"
    scene.remove(0)
    assert np.isnan(scene.surface(solid).texcoord).all(), "the entity is gone"


def test_paths_are_their_segments() -> None:
    scene = crowd()
    paths = np.cumsum(RANDOM.normal(size=(80, 12, 3)) * 2, axis=1).astype(np.float32)
    found = scene.cast_path(paths)
    hits = scene.cast(paths[:, :-1], paths[:, 1:] - paths[:, :-1], t_max=1.0)
    segment = np.where(hits.hit.any(axis=1), hits.hit.argmax(axis=1), -1)
    which = np.flatnonzero(segment >= 0)
    assert np.array_equal(found.segment, segment) and 20 < len(which) and found.hit.sum() == len(which)
    first = (which, segment[which])
    assert np.array_equal(found.key[which], hits.key[first]) and np.allclose(found.t[which], hits.t[first], atol=1e-6)
    lengths = solids.length(np.diff(paths.astype(float), axis=1))
    before = np.array([lengths[path, :end].sum() for path, end in zip(*first)])
    assert np.allclose(found.distance[which], before + lengths[first] * hits.t[first], rtol=1e-5)
    assert scene.cast_path(paths[which[0]]).key == found.key[which[0]]
    assert scene.cast_path(paths[:4].reshape(2, 2, 12, 3)).segment.tolist() == found.segment[:4].reshape(2, 2).tolist()
    assert scene.cast_path(np.zeros((0, 5, 3))).key.shape == (0,)
    for bad in (np.zeros(3), np.zeros((1, 3)), np.zeros((7, 1, 3)), np.zeros((0, 3))):
        with pytest.raises(ValueError, match="2 points or more"):
            scene.cast_path(bad)
    with pytest.raises(ValueError, match=r"points\[1, 0\]"):
        scene.cast_path([[[0, 0, 0], [1, 0, 0]], [[np.nan, 0, 0], [1, 0, 0]]])


def test_arcs_land_where_they_must() -> None:
    scene = hitscan.Scene({5: hitscan.Shape.plane([0, 0, 0], [0, 1, 0])})
    heights, up = RANDOM.uniform(1, 9, 200), RANDOM.uniform(-4, 4, 200)
    origins = np.stack([np.zeros(200), heights, np.zeros(200)], axis=-1)
    velocities = np.stack([np.full(200, 3.0), up, np.full(200, -1.0)], axis=-1)
    found = scene.cast_trajectory(origins, velocities, [0, -8, 0], 1e-3)
    times = (up + np.sqrt(up**2 + 16 * heights)) / 8
    assert np.abs(found.time - times).max() < 1e-5 and (found.key == 5).all()
    assert np.abs(found.velocity[:, 1] - (up - 8 * times)).max() < 1e-4
    assert np.abs(found.point - (velocities * times[:, None] + origins + np.array([0, -4, 0]) * times[:, None] ** 2)).max() < 5e-3
    early = scene.cast_trajectory(origins, velocities, [0, -8, 0], 1e-3, t_max=0.01)
    assert not early.hit.any() and (early.chord == -1).all() and np.isinf(early.time).all()
    assert scene.cast_trajectory([0, 2, 0], [1, 0, 0], [0, -9.81, 0], 0.01).time == pytest.approx(np.sqrt(4 / 9.81), abs=1e-6)
    assert scene.cast_trajectory(origins[0], velocities, [0, -8, 0], 0.1).key.shape == (200,)
    for options, match in [
        ({"tolerance": 0.0}, "tolerance"),
        ({"tolerance": np.nan}, "tolerance"),
        ({"tolerance": 1e-30}, "chords"),
        ({"t_max": np.inf}, "finite"),
        ({"t_min": 3.0, "t_max": 2.0}, "t_min"),
        ({"acceleration": [0, np.inf, 0]}, "acceleration"),
        ({"cull": "all"}, "cull"),
    ]:
        with pytest.raises(ValueError, match=match):
            scene.cast_trajectory([0, 2, 0], [1, 0, 0], **{"acceleration": [0, -9.81, 0], "tolerance": 0.01, **options})  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"trajectory\[1\]: the trajectory goes nowhere"):
        scene.cast_trajectory([0, 2, 0], [[1, 0, 0], [0, 0, 0]], [0, 0, 0], 0.01)


def test_sight_between_entities_is_without_them() -> None:
    scene = crowd()
    viewers, targets = RANDOM.integers(0, 30, size=(2, 400))
    places = np.array([scene.transform(key)[:3, 3] for key in range(30)])
    seen = scene.line_of_sight(viewers, places[viewers], targets, places[targets])
    found = rows(scene.cast_all(places[viewers], places[targets] - places[viewers], t_max=1.0, invalid="miss"), ("key",))
    wanted = [all(key in (viewer, target) for (key,) in keys) for keys, viewer, target in zip(found, viewers, targets)]
    apart = viewers != targets
    assert np.array_equal(seen[apart], np.array(wanted)[apart]) and 20 < seen.sum() < 380
    assert scene.line_of_sight(0, places[0], np.arange(30), places).shape == (30,)
    assert scene.line_of_sight(0, places[0], [1], places[1]).tolist() == [scene.line_of_sight(0, places[0], 1, places[1])]
    with pytest.raises(ValueError, match=r"viewers\[0\] is -3"):
        scene.line_of_sight([-3], [0, 0, 0], 1, [1, 1, 1])
    with pytest.raises(ValueError, match=r"targets has the shape \(2,\) and eyes \(3, 3\): give as many of both, or a single key or vector for all"):
        scene.line_of_sight(0, np.zeros((3, 3)), [1, 2], [1, 1, 1])
    with pytest.raises(ValueError, match=r"viewers has the shape \(2,\) and targets \(3,\)"):
        scene.line_of_sight([0, 1], [0, 0, 0], [1, 2, 3], [1, 1, 1])


def test_the_ground_is_the_first_hit_below() -> None:
    scene, points = crowd(), RANDOM.uniform(-5, 5, size=(500, 3)) + [0, 5, 0]
    found = scene.ground_below(points, 6.0)
    hits = scene.cast(points, [0, -1, 0], t_max=6.0)
    assert np.array_equal(found.key, hits.key) and np.allclose(found.t[found.hit], hits.t[hits.hit], atol=1e-6) and found.hit.sum() > 100
    facing = hits.normal * hits.side[:, None]
    assert np.allclose(found.slope_cos[found.hit], facing[found.hit, 1], atol=1e-6) and np.isnan(found.slope_cos[~found.hit]).all()
    tilted = scene.ground_below(points, 6.0, up=[0, 3e200, 0])
    assert np.array_equal(tilted.key, found.key)
    side = scene.ground_below(points, 6.0, up=[-2, 0, 0], exclude=3)
    assert np.array_equal(side.key, scene.cast(points, [1, 0, 0], t_max=6.0, exclude=3).key)
    for arguments, match in [((points, -1.0), "reach is -1"), ((points, np.nan), "reach is NaN"), (([0, 0, np.inf], 1.0), "points is")]:
        with pytest.raises(ValueError, match=match):
            scene.ground_below(*arguments)
    with pytest.raises(ValueError, match=r"up is \[0, 0, 0\]"):
        scene.ground_below(points, 1.0, up=[0, 0, 0])


def test_points_stop_before_surfaces_and_slide() -> None:
    scene = hitscan.Scene([hitscan.Shape.sphere(1.0), hitscan.Shape.plane([0, -2, 0], [0, 1, 0])])
    points = RANDOM.normal(size=(400, 3))
    points = points / solids.length(points)[:, None] * RANDOM.uniform(1.1, 1.9, size=(400, 1))
    motions = RANDOM.normal(size=(400, 3)) * 2

    def gap(p: Any) -> Any:
        return np.minimum(solids.length(p) - 1, p[:, 1] + 2)

    skin = 0.01
    moved = scene.move_point(points, motions, skin)
    stopped = moved.hit
    assert 80 < stopped.sum() < 390 and (gap(moved.position) > skin / 2).all()
    assert np.allclose(moved.position, points + motions * moved.fraction[:, None], atol=1e-5)
    assert np.array_equal(moved.position[~stopped], (points + motions)[~stopped])
    normals = moved.normal * moved.side[:, None]
    assert np.abs((moved.slide * normals).sum(axis=1)[stopped]).max() < 1e-5 and not moved.slide[~stopped].any()
    assert np.allclose(moved.remaining[stopped], (motions * (1 - moved.fraction[:, None]))[stopped], atol=1e-5)
    # The next move begins where this one ended.
    again = scene.move_point(moved.position, moved.slide, skin)
    assert (gap(again.position) > skin / 2).all() and again.hit.sum() < stopped.sum()
    touching = scene.move_point([0, 3, 0], [0, -9, 0], 0)
    assert np.allclose(touching.position, [0, 1, 0]) and touching.key == 0 and repr(touching) == "<hitscan.PointMoves: 1 move, 1 hit>"
    still = scene.move_point([0, 3, 0], [0, 0, 0], 0.1)
    assert np.array_equal(still.position, [0, 3, 0]) and still.fraction == 0
    for skin, match in [(-1.0, "skin is -1"), (np.nan, "skin is NaN")]:
        with pytest.raises(ValueError, match=match):
            scene.move_point([0, 3, 0], [0, -9, 0], skin)


def test_numbers_that_float32_cannot_hold_are_refused() -> None:
    scene = hitscan.Scene({1: hitscan.Shape.sphere(1.0)})
    calls: list[tuple[Any, str]] = [
        (lambda: scene.move_point([0, 1e39, 0], [1, 0, 0], 0.0), "points is"),
        (lambda: scene.move_point([0, 9, 0], [[1, 0, 0], [-1e39, 0, 0]], 0.0), r"motions\[1\] is"),
        (lambda: scene.move_point([0, 9, 0], [1, 0, 0], 1e39), "skin is"),
        (lambda: scene.ground_below([1e50, 0, 0], 1.0), "points is"),
        (lambda: scene.cast_path([[0, 0, 0], [0, 0, 1e39]]), "points"),
        (lambda: scene.sees([0, 0, 1e39], [0, 0, 0]), "eyes is"),
        (lambda: scene.visibility([0, 0, 9], [[0, 0, 0], [0, 1e39, 0]]), r"points\[1\] is"),
        (lambda: scene.line_of_sight(1, [0, 0, 1e39], 2, [0, 0, 0]), "eyes is"),
    ]
    for call, match in calls:
        with pytest.raises(ValueError, match=match):
            call()


def test_explanations_agree_with_casts() -> None:
    scene, (origins, directions) = crowd(), rays(60)
    scene.set_layers(4, 2)
    hits, every = scene.cast(origins, directions, layers=1), rows(scene.cast_all(origins, directions))
    reasons = set()
    for place, (origin, direction) in enumerate(zip(origins, directions)):
        for key in (0, 1, 2, 3, 4, 99):
            why = scene.explain(origin, direction, key, layers=1)
            reasons.add(why.reason)
            assert (why.reason == "hit") == (hits.key[place] == key)
            assert (why.reason == "absent") == (key == 99) and (why.reason == "layers") == (key == 4)
            touched = key in [row[0] for row in every[place]]
            assert (why.reason in ("hit", "behind")) == (touched and key != 4), str(why)
            assert str(why) in repr(why) and str(pickle.loads(pickle.dumps(why))) == str(why)
    assert {"hit", "behind", "apart", "absent", "layers"} <= reasons
    ball = hitscan.Scene({3: hitscan.Shape.sphere(1.0)})
    assert str(ball.explain([0, 0, 5], [0, 0, -1], 3, t_max=2.0)) == "it is at t 4, beyond the ray's t_max of 2"
    assert ball.explain([0, 0, 5], [0, 0, -1], 3, t_min=9).reason == "range" and ball.explain([0, 0, 5], [0, 0, 0], 3).reason == "ray"
    assert ball.explain([0, 0, 0], [0, 0, 1], 3, inside="ignore").reason == "inside"
    assert ball.explain([0, 0, 5], [0, 0, -1], 3, t_max=4.5, cull="front").reason == "cull"
    assert ball.explain([0, 0, 5], [0, 0, -1], 3, exclude=[3]).reason == "excluded"
    assert ball.explain([0, 0, 5], [0, 0, -1], 3, only=4).reason == "entity"
    with pytest.raises(ValueError, match="explain takes one ray"):
        ball.explain([[0, 0, 5]], [0, 0, -1], 3)
    with pytest.raises(ValueError, match="key is -1"):
        ball.explain([0, 0, 5], [0, 0, -1], -1)
