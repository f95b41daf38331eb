"""Shapes, volumes and distances beside signed distances in float64."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
import shapes
import solids

import hitscan

RANDOM = np.random.default_rng(31)
NAMES = list(solids.SOLIDS)


def around(distance: solids.Distance, count: int, margin: float = 0.0) -> Any:
    """Returns points near a solid, and outside of it by more than a margin."""
    points = RANDOM.uniform(-2.5, 2.5, size=(4 * count, 3))
    return points[distance(points) > margin + 1e-3][:count]


def unit(count: int) -> Any:
    vectors = RANDOM.normal(size=(count, 3))
    return vectors / solids.length(vectors)[:, None]


@pytest.mark.parametrize("name", NAMES)
def test_rays(name: str) -> None:
    shape, distance = solids.SOLIDS[name]
    scene = hitscan.Scene([shape])
    origins = around(distance, 400)
    directions = unit(len(origins)) * 0.3 - origins / solids.length(origins)[:, None]
    directions = directions / solids.length(directions)[:, None]
    hits, t = scene.cast(origins, directions), solids.march(distance, origins, directions)
    both = hits.hit & np.isfinite(t)
    assert (hits.hit == np.isfinite(t)).mean() > 0.99 and both.sum() > 60
    assert np.abs(hits.t[both] - t[both]).max() < 1e-3 and np.median(np.abs(hits.t[both] - t[both])) < 1e-6
    assert np.abs(distance(hits.point[both])).max() < 1e-5
    # The normal leads out.
    assert (distance(hits.point[both] + 1e-3 * hits.normal[both]) > 0.5e-3).all()
    assert (hits.side[both] == 1).all() and (hits.triangle == -1).all()


@pytest.mark.parametrize("name", NAMES)
def test_nearest_points(name: str) -> None:
    shape, distance = solids.SOLIDS[name]
    points = RANDOM.uniform(-2, 2, size=(300, 3))
    found = hitscan.Scene([shape]).closest_point(points)
    signed = distance(points)
    assert np.abs(found.distance - np.abs(signed)).max() < 1e-6
    assert np.array_equal(found.containment == 1, signed < 0)
    assert np.abs(distance(found.point)).max() < 1e-6
    assert np.abs(solids.length(found.point - points) - found.distance).max() < 1e-9
    within = hitscan.Scene([shape]).closest_point(points, max_distance=0.5)
    assert np.array_equal(within.key == 0, np.abs(signed) <= 0.5) and np.isinf(within.distance[within.key < 0]).all()


@pytest.mark.parametrize("name", NAMES)
def test_balls_overlap_and_move(name: str) -> None:
    shape, distance = solids.SOLIDS[name]
    scene, radius = hitscan.Scene([shape]), 0.25
    ball = hitscan.Shape.sphere(radius)
    points = RANDOM.uniform(-2, 2, size=(400, 3))
    signed = distance(points)
    sure = np.abs(signed - radius) > 1e-5
    assert np.array_equal(scene.overlaps(ball, points)[sure], (signed <= radius)[sure])
    lists = scene.overlap_entities(ball, points)
    assert np.array_equal(np.diff(lists.splits) == 1, scene.overlaps(ball, points)) and (lists.key == 0).all()
    deep, shallow = scene.penetration(ball, points), sure & (signed > 0) & (signed < radius)
    assert np.abs(deep.depth - (radius - signed))[shallow].max() < 1e-5
    assert np.abs(distance(points + deep.separation) - radius)[shallow].max() < 1e-5
    starts = around(distance, 200, radius)
    motions = (unit(len(starts)) * 0.4 - starts / solids.length(starts)[:, None]) * 3
    hits, paces = scene.sweep(ball, starts, motions), solids.length(motions)
    t = solids.march(distance, starts, motions / paces[:, None], radius) / paces
    both = (hits.key == 0) & (t < 1)
    assert both.sum() > 40 and ((hits.key == 0) == (t <= 1)).mean() > 0.97
    # A ball that only brushes is found by marching where it is nearly as near.
    assert np.median(np.abs(hits.t[both] - t[both])) < 1e-7 and np.abs(hits.t[both] - t[both]).max() < 2e-3
    assert np.abs(solids.length((starts + np.minimum(hits.t, 1)[:, None] * motions - hits.point)[both]) - radius).max() < 1e-5


def test_boxes_that_are_turned_move_as_hulls_do() -> None:
    scene = hitscan.Scene([hitscan.Mesh(*shapes.icosphere(2))])
    turns = RANDOM.normal(size=(60, 4))
    starts = unit(60) * 4
    box = hitscan.Shape.box([-0.5, -0.25, -0.125], [0.5, 0.25, 0.125])
    corners = [[x, y, z] for x in (-0.5, 0.5) for y in (-0.25, 0.25) for z in (-0.125, 0.125)]
    one = scene.sweep(box, starts, -starts, rotations=turns)
    other = scene.sweep(hitscan.Shape.hull(corners), starts, -starts, rotations=turns)
    assert (one.key == 0).all() and np.abs(one.t - other.t).max() < 1e-6
    thick = scene.sweep(box.with_margin(0.1), starts, -starts, rotations=turns)
    assert (thick.t < one.t).all() and (one.t - thick.t < 0.1).all()
    ground = hitscan.Scene([hitscan.Shape.plane([0, 0, 0], [0, 1, 0])])
    ball = hitscan.Shape.sphere(0.5)
    assert ground.sweep(ball, [0, 0.5, 0], [1, 0, 0]).start == 1
    assert ground.sweep(ball, [0, 0.5, 0], [1, 0, 0], contacts="ahead").key == -1


def test_distances_of_pairs() -> None:
    places = RANDOM.uniform(-4, 4, size=(30, 3))
    radii = RANDOM.uniform(0.1, 1.2, size=30)
    scene = hitscan.Scene({key: hitscan.Shape.sphere(float(radius)) for key, radius in enumerate(radii)})
    scene.set_transforms(np.arange(30), places)
    one, other = np.triu_indices(30, 1)
    found = scene.distance(one, other)
    gaps = solids.length(places[one] - places[other]) - radii[one] - radii[other]
    assert np.abs(found.distance - np.maximum(gaps, 0)).max() < 1e-6
    apart = gaps > 1e-5
    assert np.abs(solids.length(found.points[:, 0] - found.points[:, 1]) - gaps)[apart].max() < 1e-6
    assert np.abs(solids.length(found.points[:, 0] - places[one]) - radii[one])[apart].max() < 1e-6
    assert np.array_equal(scene.pair_overlaps(one, other), gaps <= 0)
    pairs = scene.overlap_pairs()
    assert np.array_equal(pairs, np.stack([one, other], axis=1)[gaps <= 0])
    nearest = scene.closest_pair(exclude=pairs)
    positive = gaps[gaps > 0]
    assert abs(nearest.distance - positive.min()) < 1e-6 and nearest.points.shape == (2, 3)
    near = scene.distance_pairs(1.0, exclude=pairs[:, ::-1])
    expected = scene.distance(one, other)
    within = (expected.distance > 0) & (expected.distance <= 1.0)
    assert np.array_equal(near.first, one[within]) and np.array_equal(near.second, other[within])
    assert np.array_equal(near.distance, expected.distance[within]) and np.array_equal(near.points, expected.points[within])
    alone = hitscan.Scene()
    assert alone.closest_pair().first == -1 and np.isinf(alone.closest_pair(scene).distance) and len(alone.distance_pairs(9.0)) == 0
    assert scene.closest_pair(scene).first == scene.closest_pair(scene).second and len(scene.overlap_pairs(scene)) >= len(pairs)
    with pytest.raises(ValueError, match="exclude has the shape"):
        scene.closest_pair(exclude=[1, 2, 3])
    with pytest.raises(ValueError, match="max_distance is -1"):
        scene.distance_pairs(-1)
    assert np.isnan(scene.distance(0, [99, 98]).distance).all() and not scene.pair_overlaps(0, 99)
    assert scene.distance(0, 1).distance.shape == () and scene.distance(0, 1).points.shape == (2, 3)


def test_penetrations_of_pairs_and_of_two_scenes() -> None:
    places, radii = RANDOM.uniform(-2, 2, size=(30, 3)), RANDOM.uniform(0.3, 0.9, size=30)
    balls = [hitscan.Shape.sphere(radius) for radius in radii]
    scene, ours, theirs = hitscan.Scene(), hitscan.Scene(), hitscan.Scene()
    scene.insert_all(range(30), balls, places)
    ours.insert_all(range(15), balls[:15], places[:15])
    theirs.insert_all(range(15, 30), balls[15:], places[15:])
    one, other = (keys.ravel() for keys in np.meshgrid(np.arange(15), np.arange(15, 30), indexing="ij"))
    depths = radii[one] + radii[other] - solids.length(places[one] - places[other])
    found = ours.pair_penetration(one, other, theirs)
    assert np.array_equal(np.isfinite(found.depth), depths >= 0) and np.abs(found.depth - depths)[depths >= 0].max() < 1e-6
    assert np.array_equal(found.depth, scene.pair_penetration(one, other).depth, equal_nan=True)
    assert np.array_equal(ours.pair_overlaps(one, other, theirs), depths >= 0)
    assert np.array_equal(ours.distance(one, other, other=theirs).points, scene.distance(one, other).points)
    assert np.isnan(ours.distance(one, other).distance).all() and np.isnan(ours.distance(other, one, theirs).distance).all()
    # Two balls are one pair of pieces.
    every = ours.pair_penetration_all(one, other, theirs)
    assert np.array_equal(np.diff(every.splits), depths >= 0) and np.array_equal(every.pair, np.flatnonzero(depths >= 0))
    for column in ("depth", "normal", "separation", "points", "parts", "triangles"):
        assert np.array_equal(getattr(every, column), getattr(found, column)[depths >= 0]), column
    boxes = theirs.overlap_pairs(ours, test="boxes")
    gaps = np.abs(places[other] - places[one]) - (radii[one] + radii[other])[:, None]
    assert {tuple(pair) for pair in boxes.tolist()} == {(b, a) for a, b, gap in zip(one.tolist(), other.tolist(), gaps.max(axis=1)) if gap <= 0}
    with pytest.raises(ValueError, match='test is "ball"'):
        scene.overlap_pairs(test="ball")  # type: ignore[arg-type]


def test_every_triangle_in_a_solid() -> None:
    heights = np.array([0.5, 0.25, -0.75, 1.5])
    corners = np.array([[-4, 0, -4], [4, 0, -4], [0, 0, 4]], dtype=np.float64)
    sheets = hitscan.Mesh(np.concatenate([corners + [0, height, 0] for height in heights]), np.arange(12).reshape(4, 3))
    scene = hitscan.Scene({7: sheets, 3: hitscan.Shape.box([-1, -1, -1], [1, 1, 1])})
    found = scene.pair_penetration_all(7, 3)
    # The deepest is the first, and each leaves on the side of the box's middle.
    assert found.triangles.tolist() == [[1, -1], [0, -1], [2, -1]] and found.depth.tolist() == [0.75, 0.5, 0.25]
    assert found.normal[:, 1].tolist() == [-1, -1, 1] and found.splits.tolist() == [0, 3]
    assert np.abs(found.points[:, 0, 1] - heights[[1, 0, 2]]).max() < 1e-9
    assert repr(found) == "<hitscan.AllPairPenetrations: 1 pair, 3 penetrations>", repr(found)
    assert len(scene.pair_penetration_all([7, 7], [3, 9])) == 3 and len(scene.pair_penetration_all(7, 9)) == 0


def test_intervals_are_chords() -> None:
    scene = hitscan.Scene({1: hitscan.Shape.sphere(1.0), 2: hitscan.Mesh(*shapes.box(-0.5, 0.5))})
    scene.set_transform(2, [3, 0, 0])
    offsets = np.linspace(-1.25, 1.25, 26)
    origins = np.stack([np.full(26, -5.0), offsets, np.full(26, 0.125)], axis=-1)
    found = scene.solid_intervals(origins, [1, 0, 0])
    inside = 1 - offsets**2 - 0.125**2
    chord = found.key == 1
    assert np.array_equal(np.unique(found.ray[chord]), np.flatnonzero(inside > 0))
    assert np.abs(found.t_exit - found.t_enter - 2 * np.sqrt(inside[found.ray].clip(0)))[chord].max() < 1e-5
    assert np.array_equal(found.ray[~chord], np.flatnonzero(np.abs(offsets) <= 0.5))
    assert (found.t_enter[~chord] == 7.5).all() and (found.t_exit[~chord] == 8.5).all() and not found.is_open.any()
    assert found.splits.tolist() == [0, *np.cumsum(np.bincount(found.ray, minlength=26))]


def test_what_is_seen_is_not_behind_a_ball() -> None:
    balls = RANDOM.uniform(-3, 3, size=(8, 3))
    scene = hitscan.Scene([hitscan.Shape.sphere(0.6, place) for place in balls])
    eyes, points = RANDOM.uniform(-6, 6, size=(40, 3)), RANDOM.uniform(-6, 6, size=(60, 3))
    way = points[None] - eyes[:, None]
    h = np.clip(((balls - eyes[:, None, None]) * way[:, :, None]).sum(axis=-1) / (way * way).sum(axis=-1)[..., None], 0, 1)
    gaps = solids.length(eyes[:, None, None] + h[..., None] * way[:, :, None] - balls)
    # Whether both ends are inside of one ball, through which nothing is met.
    inside = (solids.length(eyes[:, None] - balls) < 0.6)[:, None] & (solids.length(points[:, None] - balls) < 0.6)[None]
    clear = ((gaps > 0.6) | inside).all(axis=-1)
    assert np.array_equal(scene.visibility(eyes, points), clear.sum(axis=1)) and 0 < clear.mean() < 1
    seen = scene.sees(np.repeat(eyes, 60, axis=0), np.tile(points, (40, 1)))
    assert np.array_equal(seen.reshape(40, 60), clear)
    assert scene.sees(eyes[0], points).tolist() == clear[0].tolist()


def test_flat_shapes_and_compounds() -> None:
    shapes_ = {
        0: hitscan.Shape.plane([0, -1, 0], [0, 1, 0]),
        1: hitscan.Shape.disc([0, 0, 0], [0, 1, 0], 1.0),
        2: hitscan.Shape.quad([3, 0, 0], [0, 0, 2], [2, 0, 0]),
        3: hitscan.Shape.triangle([-3, 0, 0], [-3, 0, 2], [-1, 0, 0]),
        4: hitscan.Compound([hitscan.Shape.sphere(0.5), (hitscan.Shape.box([-1, -1, -1], [1, 1, 1]), [0, 0, 9])]),
    }
    scene = hitscan.Scene(shapes_)
    scene.set_transform(4, [0, 0, 6])
    above = np.array([[0.5, 3, 0.5], [0.9, 3, 0.9], [4.5, 3, 1.5], [-2.75, 3, 0.5], [0, 3, 6], [0.5, 3, 15.5]])
    hits = scene.cast(above, [0, -2, 0])
    assert hits.key.tolist() == [1, 0, 2, 3, 4, 4] and hits.t.tolist() == [1.5, 2, 1.5, 1.5, 1.25, 1]
    assert hits.part.tolist() == [0, 0, 0, 0, 0, 1] and (hits.normal == [0, 1, 0]).all()
    assert (hits.u[2], hits.v[2]) == (0.75, 0.75) and (hits.u[3], hits.v[3]) == (0.25, 0.125)
    assert scene.cast([0, 0, 6], [0, 1, 0]).side == -1 and scene.cast([0, 0, 6], [0, 1, 0], inside="solid").side == 2
    assert scene.cast([0, 0, 6], [0, 1, 0], inside="ignore").key == -1


def test_shapes_can_be_pickled_and_say_what_they_are() -> None:
    for shape, _ in solids.SOLIDS.values():
        assert repr(pickle.loads(pickle.dumps(shape))) == repr(shape)
    margin = hitscan.Shape.box([0, 0, 0], [1, 1, 1]).with_margin(0.5)
    assert repr(pickle.loads(pickle.dumps(margin))) == repr(margin) == "hitscan.Shape.box([0.0, 0.0, 0.0], [1.0, 1.0, 1.0]).with_margin(0.5)"
    assert repr(hitscan.Shape.hull([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])) == "hitscan.Shape.hull(<4 points>)"


def test_ground() -> None:
    heights = RANDOM.normal(size=(12, 9))
    field = hitscan.HeightField(heights, (2.0, 0.5), holes=[[3, 4], [0, 0]])
    rows, columns = np.meshgrid(np.arange(12), np.arange(9), indexing="ij")
    vertices = np.stack([columns * 2.0, heights, rows * 0.5], axis=-1).reshape(-1, 3).astype(np.float32)
    cells = [(r, c) for r in range(11) for c in range(8) if (r, c) not in ((3, 4), (0, 0))]
    corner = np.array([[r * 9 + c, (r + 1) * 9 + c, (r + 1) * 9 + c + 1, r * 9 + c + 1] for r, c in cells])
    mesh = hitscan.Mesh(vertices, np.concatenate([corner[:, [0, 1, 2]], corner[:, [0, 2, 3]]]))
    origins = RANDOM.uniform([-2, 3, -1], [18, 6, 7], size=(800, 3)).astype(np.float32)
    directions = (RANDOM.uniform([0, -1, 0], [16, 1, 5.5], size=(800, 3)) - origins).astype(np.float32)
    assert np.array_equal(hitscan.Scene([field]).cast(origins, directions).t, mesh.cast(origins, directions).t)
    t = mesh.cast(origins, [0, -1, 0]).t
    found = field.height_at(origins)
    assert np.array_equal(np.isnan(found), np.isinf(t)) and np.abs(found - (origins[:, 1] - t))[np.isfinite(t)].max() < 1e-5
    again = pickle.loads(pickle.dumps(field))
    assert np.array_equal(again.heights, heights.astype(np.float32)) and again.holes.tolist() == [[0, 0], [3, 4]]
    assert again.cell_size == (2.0, 0.5) and len(field) == 2 * 11 * 8
    assert field.with_heights(5, 5, [[9.0, 9.0]]).heights[5, 5:7].tolist() == [9, 9] and field.heights[5, 5] != 9
    assert repr(field) == "<hitscan.HeightField: 12 rows, 9 columns, cells of 2 by 0.5>"


def test_first_impacts_of_moving_entities() -> None:
    scene = hitscan.Scene({n: hitscan.Shape.sphere(0.5, (3.0 * n, 0.0, 0.0)) for n in range(3)})
    scene.insert(9, hitscan.Mesh([[4.5, -9, -9], [4.5, 9, -9], [4.5, 0, 9]], [[0, 1, 2]]))
    moves = [[-1.0, 0.0, 0.0], [-4.0, 0.0, 0.0]]
    found = scene.first_impacts([0, 2], moves, tolerance=1e-6)
    assert list(zip(found.first, found.second)) == [(2, 9), (1, 2)]
    assert found.time == pytest.approx([0.25, 0.5], abs=1e-5) and (found.distance <= 1e-6).all()
    assert found.points.shape == (2, 2, 3) and found.triangles.tolist() == [[-1, 0], [-1, -1]]
    assert len(scene.first_impacts([0, 2], moves, exclude=[[9, 2]])) == 1
    # One motion for all, a rotation, keys that are not there, and nothing.
    assert len(scene.first_impacts([0, 1, 2], [5.0, 0.0, 0.0])) == 2
    quarter = [0.0, 0.0, 2.0, 2.0]
    assert len(scene.first_impacts(0, [0.0, 0.0, 0.0], rotations=quarter)) == 0
    assert len(scene.first_impacts([7], [[9.0, 0.0, 0.0]])) == 0
    assert len(scene.first_impacts([], np.zeros((0, 3)))) == 0
    wrong: list[tuple[tuple[Any, ...], dict[str, Any], str]] = [
        (([0], [[np.nan, 0, 0]]), {}, "motions"),
        (([0, 1], [[0, 0, 0]] * 3), {}, "keys"),
        (([-1], [[0, 0, 0]]), {}, "keys"),
        (([0], [[0, 0, 0]]), {"rotations": [0, 0, 0, 0]}, "rotations"),
        (([0], [[0, 0, 0]]), {"tolerance": 0.0}, "tolerance"),
        (([0], [[0, 0, 0]]), {"tolerance": np.nan}, "tolerance"),
    ]
    for args, options, message in wrong:
        with pytest.raises(ValueError, match=message):
            scene.first_impacts(*args, **options)
