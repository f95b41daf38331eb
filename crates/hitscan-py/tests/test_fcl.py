"""`hitscan.fcl` beside formulas and brute force in float64. `cargo xtask peers fcl` runs python-fcl's own tests."""

from __future__ import annotations

import gc
import itertools
import math
import sys
from typing import Any

import brute
import effort
import numpy as np
import pytest

import hitscan.fcl as fcl

SEED = 6411
Floats = np.ndarray[Any, np.dtype[np.float64]]

# The names that python-fcl 0.7.0.11 exports, without its version.
NAMES = """CollisionObject CollisionGeometry Transform TriangleP Box Sphere Ellipsoid Capsule Cone Convex Cylinder Halfspace Plane BVHModel OcTree
DynamicAABBTreeCollisionManager collide continuousCollide distance defaultCollisionCallback defaultDistanceCallback OBJECT_TYPE NODE_TYPE CCDMotionType
CCDSolverType GJKSolverType Contact CostSource CollisionRequest CollisionResult ContinuousCollisionRequest ContinuousCollisionResult DistanceRequest
DistanceResult CollisionData DistanceData""".split()

CORNERS = np.array(list(itertools.product((-0.5, 0.5), repeat=3)))
FACES = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
TRIANGLES = np.array([[f[0], f[i], f[i + 1]] for f in FACES for i in (1, 2)])
PRIMITIVES = {
    "box": lambda: fcl.Box(1.0, 1.0, 1.0),
    "sphere": lambda: fcl.Sphere(0.5),
    "ellipsoid": lambda: fcl.Ellipsoid(0.5, 0.25, 0.75),
    "capsule": lambda: fcl.Capsule(0.25, 1.0),
    "cone": lambda: fcl.Cone(0.5, 1.0),
    "cylinder": lambda: fcl.Cylinder(0.5, 1.0),
    "convex": lambda: fcl.Convex(CORNERS, 6, [number for face in FACES for number in (4, *face)]),
    "mesh": lambda: mesh(CORNERS, TRIANGLES),
}


def mesh(points: Any, triangles: Any) -> fcl.BVHModel:
    model = fcl.BVHModel()
    model.beginModel(len(triangles), len(points))
    model.addSubModel(points, triangles)
    model.endModel()
    return model


def at(geometry: Any, *place: Any) -> fcl.CollisionObject:
    return fcl.CollisionObject(geometry, fcl.Transform(*place))


def signed(a: fcl.CollisionObject, b: fcl.CollisionObject) -> float:
    return fcl.distance(a, b, fcl.DistanceRequest(enable_signed_distance=True))


def rotation(rng: np.random.Generator) -> Floats:
    q = rng.normal(size=4)
    return q / np.linalg.norm(q)


def test_all_names_are_there() -> None:
    assert sorted(fcl.__all__) == sorted(NAMES)
    assert all(hasattr(fcl, name) for name in NAMES)


@pytest.mark.parametrize("kind", PRIMITIVES)
def test_sizes_are_those_of_fcl(kind: str) -> None:
    # A small ball above each end of each axis is as far away as the geometry reaches along that axis.
    reach = {"ellipsoid": (0.5, 0.25, 0.75), "capsule": (0.25, 0.25, 0.75)}.get(kind, (0.5, 0.5, 0.5))
    thing = at(PRIMITIVES[kind]())
    for axis, end in itertools.product(range(3), (-1.0, 1.0)):
        place = np.zeros(3)
        place[axis] = 3.0 * end
        if kind == "cone" and axis < 2:
            place[2] = -0.5
        assert fcl.distance(at(fcl.Sphere(0.5), place), thing) == pytest.approx(2.5 - reach[axis], abs=1e-6)
    # The cone's base is below.
    if kind == "cone":
        assert fcl.collide(at(fcl.Sphere(0.01), [0.45, 0.0, -0.45]), thing) == 1
        assert fcl.collide(at(fcl.Sphere(0.01), [0.45, 0.0, 0.45]), thing) == 0


def test_balls_and_capsules_are_as_far_apart_as_their_axes() -> None:
    rng = np.random.default_rng(SEED)
    for case in range(effort.size(200, 20_000)):
        radii, lengths = rng.uniform(0.1, 0.5, 2), rng.uniform(0.1, 2.0, 2)
        placed = [at(fcl.Capsule(r, l), rotation(rng), rng.uniform(-1.5, 1.5, 3)) for r, l in zip(radii, lengths)]
        ends = [o.getTranslation() - o.getRotation()[:, 2] * (l / 2.0) for o, l in zip(placed, lengths)]
        ways = [o.getRotation()[:, 2] * l for o, l in zip(placed, lengths)]
        apart = float(brute.segment_segment(ends[0], ways[0], ends[1], ways[1])) - float(radii.sum())
        assert signed(*placed) == pytest.approx(apart, abs=1e-6), f"seed {SEED}, case {case}"
        assert (fcl.collide(*placed) > 0) == (apart <= 0.0), f"seed {SEED}, case {case}"


def test_meshes_are_as_far_apart_as_their_triangles() -> None:
    rng = np.random.default_rng(SEED + 1)
    apart_count = 0
    for case in range(effort.size(60, 5_000)):
        soups = [np.float32(rng.uniform(-1.0, 1.0, (6, 3, 3))).astype(np.float64) for _ in range(2)]
        shift = np.float32(rng.uniform(-2.5, 2.5, 3)).astype(np.float64)
        models = [mesh(soup.reshape(-1, 3), np.arange(18).reshape(-1, 3)) for soup in soups]
        result = fcl.DistanceResult()
        found = fcl.distance(at(models[0]), at(models[1], shift), result=result)
        table = brute.triangle_distances(soups[0], soups[1] + shift)
        assert found == pytest.approx(float(table.min()), abs=1e-6), f"seed {SEED + 1}, case {case}"
        assert table[result.b1, result.b2] == pytest.approx(float(table.min()), abs=1e-6)
        assert result.o1 is models[0] and result.o2 is models[1]
        if found > 0.0:
            apart_count += 1
            assert np.linalg.norm(np.subtract(*result.nearest_points)) == pytest.approx(found)
    assert apart_count > 10


def test_contacts_say_how_to_separate() -> None:
    request = fcl.CollisionRequest(num_max_contacts=100, enable_contact=True)
    ball, box = at(fcl.Sphere(0.5), [0.0, 0.0, 0.9]), at(fcl.Box(1.0, 1.0, 1.0))
    result = fcl.CollisionResult()
    assert fcl.collide(box, ball, request, result) == 1
    (contact,) = result.contacts
    assert contact.o1 is box._geometry and (contact.b1, contact.b2) == (-1, -1)
    assert contact.normal == pytest.approx([0.0, 0.0, 1.0]) and contact.penetration_depth == pytest.approx(0.1)
    assert contact.pos == pytest.approx([0.0, 0.0, 0.45])
    # A result collects the contacts of several questions.
    assert fcl.collide(ball, box, request, result) == 1
    assert len(result.contacts) == 2 and result.contacts[1].normal == pytest.approx([0.0, 0.0, -1.0])
    # A mesh has a contact for each triangle, and the request bounds them.
    surface = at(PRIMITIVES["mesh"]())
    low = at(fcl.Box(4.0, 4.0, 0.25), [0.0, 0.0, -0.5])
    found = fcl.CollisionResult()
    count = fcl.collide(low, surface, request, found)
    assert count == len(found.contacts) > 4 and all(c.b1 == -1 and c.b2 >= 0 for c in found.contacts)
    depths = [c.penetration_depth for c in found.contacts]
    assert depths == sorted(depths, reverse=True)
    few = fcl.CollisionResult()
    assert fcl.collide(low, surface, fcl.CollisionRequest(3, True), few) == 3
    assert [c.b2 for c in few.contacts] == [c.b2 for c in found.contacts[:3]]
    assert fcl.collide(low, surface, fcl.CollisionRequest(0, True), few) == 0 and len(few.contacts) == 3
    # Without places, a contact names the triangles of a mesh alone.
    plain = fcl.CollisionResult()
    assert fcl.collide(low, surface, None, plain) == 1 and plain.contacts[0].b2 >= 0
    assert not plain.contacts[0].normal.any()


def test_distances_of_what_overlaps() -> None:
    ball, box, surface = at(fcl.Sphere(0.5), [0.0, 0.0, 0.9]), at(fcl.Box(1.0, 1.0, 1.0)), at(PRIMITIVES["mesh"]())
    assert fcl.distance(ball, box) == -1.0 and signed(ball, box) == pytest.approx(-0.1)
    assert fcl.distance(surface, at(PRIMITIVES["mesh"](), [0.5, 0.5, 0.5])) == 0.0
    # Touching is the distance 0, and a collision.
    touching = at(fcl.Box(1.0, 1.0, 1.0), [1.0, 0.0, 0.0])
    assert signed(box, touching) == 0.0 and fcl.collide(box, touching) == 1
    # A result keeps the least distance.
    result = fcl.DistanceResult()
    fcl.distance(box, at(fcl.Sphere(0.5), [3.0, 0.0, 0.0]), None, result)
    assert fcl.distance(box, at(fcl.Sphere(0.5), [9.0, 0.0, 0.0]), None, result) == pytest.approx(8.0)
    assert result.min_distance == pytest.approx(2.0) and result.nearest_points[0] == pytest.approx([0.5, 0.0, 0.0])


def test_changes_are_seen_at_once() -> None:
    sphere = fcl.Sphere(0.5)
    left, right, box = at(sphere, [-2.0, 0.0, 0.0]), at(sphere, [2.0, 0.0, 0.0]), at(fcl.Box(1.0, 1.0, 1.0))
    managers = [fcl.DynamicAABBTreeCollisionManager() for _ in range(2)]
    for manager in managers:
        manager.registerObjects([left, right])

    def least(manager: fcl.DynamicAABBTreeCollisionManager) -> float:
        data = fcl.DistanceData()
        manager.distance(box, data, fcl.defaultDistanceCallback)
        return data.result.min_distance

    assert [least(m) for m in managers] == pytest.approx([1.0, 1.0])
    right.setTranslation(np.array([1.5, 0.0, 0.0]))
    assert fcl.distance(box, right) == pytest.approx(0.5)
    assert [least(m) for m in managers] == pytest.approx([0.5, 0.5])
    sphere.radius = 0.75
    assert [least(m) for m in managers] == pytest.approx([0.25, 0.25])
    # A change that is refused changes nothing.
    for wrong in (0.0, -1.0, math.nan, math.inf):
        with pytest.raises(ValueError, match="radius"):
            sphere.radius = wrong
    assert sphere.radius == 0.75 and least(managers[0]) == pytest.approx(0.25)
    managers[0].unregisterObject(right)
    managers[0].unregisterObject(right)
    assert [least(m) for m in managers] == pytest.approx([0.75, 0.25])
    right.setTransform(fcl.Transform([0.0, 0.0, 9.0]))
    managers[0].registerObject(right)
    assert managers[0].getObjects() == [left, right] and managers[0].size() == 2
    # A value that was read, or given, is a copy.
    left.getTranslation()[0] = 0.0
    place = fcl.Transform([-5.0, 0.0, 0.0])
    left.setTransform(place)
    place.setTranslation([0.0, 0.0, 0.0])
    assert least(managers[0]) == pytest.approx(3.75)
    managers[0].clear()
    assert managers[0].empty() and least(managers[1]) == pytest.approx(3.75)
    assert least(managers[0]) == sys.float_info.max
    # A model that is built again.
    model = mesh(CORNERS, TRIANGLES)
    thing = at(model, [3.0, 0.0, 0.0])
    assert fcl.distance(thing, box) == pytest.approx(2.0)
    model.beginModel()
    model.addTriangle([-1.0, -1.0, 0.0], [-1.0, 1.0, 0.0], [1.0, 0.0, 0.0])
    assert fcl.distance(thing, box) == pytest.approx(2.0)
    model.endModel()
    assert model.num_tries_() == 1 and fcl.distance(thing, box) == pytest.approx(1.5)


def test_managers_are_freed() -> None:
    ball = at(fcl.Sphere(1.0))
    for _ in range(10):
        fcl.DynamicAABBTreeCollisionManager().registerObject(ball)
    gc.collect()
    assert len(ball._watchers) == 0


def test_managers_find_what_all_pairs_find() -> None:
    rng = np.random.default_rng(SEED + 2)
    kinds = list(PRIMITIVES)
    for case in range(effort.size(20, 2_000)):
        groups = [[at(PRIMITIVES[rng.choice(kinds)](), rotation(rng), rng.uniform(-3.0, 3.0, 3)) for _ in range(n)] for n in (9, 6)]
        managers = []
        for group in groups:
            managers.append(fcl.DynamicAABBTreeCollisionManager())
            managers[-1].registerObjects(group)
        alone = groups[1][0]
        inside = list(itertools.combinations(groups[0], 2))
        across = list(itertools.product(*groups))
        with_one = [(a, alone) for a in groups[0]]
        for pairs, other in ((inside, ()), (across, (managers[1],)), (with_one, (alone,))):
            data = fcl.CollisionData(fcl.CollisionRequest(num_max_contacts=10_000))
            managers[0].collide(*other, data, fcl.defaultCollisionCallback)
            expected = [(a._geometry, b._geometry) for a, b in pairs if fcl.collide(a, b)]
            found = {(id(c.o1), id(c.o2)) for c in data.result.contacts}
            assert found == {(id(a), id(b)) for a, b in expected}, f"seed {SEED + 2}, case {case}"
            assert data.result.is_collision == bool(expected)
            near = fcl.DistanceData()
            managers[0].distance(*other, near, fcl.defaultDistanceCallback)
            assert near.result.min_distance == min(fcl.distance(a, b) for a, b in pairs), f"seed {SEED + 2}, case {case}"


def test_callbacks_choose_pairs() -> None:
    # A chain in which each link touches the next. The callback leaves out neighbours, as programs for robots do.
    links = [at(fcl.Box(1.0, 1.0, 1.0), [1.0 * n, 0.25 * n * n, 0.0]) for n in range(8)]
    manager = fcl.DynamicAABBTreeCollisionManager()
    manager.registerObjects(links)
    number = {id(link): n for n, link in enumerate(links)}
    calls: list[tuple[int, int]] = []

    def apart(a: Any, b: Any, data: fcl.DistanceData) -> tuple[bool, float]:
        pair = (number[id(a)], number[id(b)])
        calls.append(pair)
        if abs(pair[0] - pair[1]) > 1:
            fcl.distance(a, b, data.request, data.result)
        return False, data.result.min_distance

    data = fcl.DistanceData()
    manager.distance(data, apart)
    pairs = itertools.combinations(links, 2)
    assert data.result.min_distance == min(fcl.distance(a, b) for a, b in pairs if abs(number[id(a)] - number[id(b)]) > 1)
    assert len(calls) == len(set(calls)) < 28
    # A collision's callback ends the search when it returns true.
    seen: list[tuple[int, int]] = []

    def stop(a: Any, b: Any, most: int) -> bool:
        seen.append((number[id(a)], number[id(b)]))
        return len(seen) == most

    manager.collide(2, stop)
    assert len(seen) == 2
    with pytest.raises(ZeroDivisionError):
        manager.collide(0, lambda a, b, n: 1 / n)


def test_moving_balls_touch_when_the_formula_says() -> None:
    rng = np.random.default_rng(SEED + 3)
    hits = 0
    for case in range(effort.size(200, 20_000)):
        start, end = rng.uniform(-3.0, 3.0, (2, 2, 3))
        radii = rng.uniform(0.2, 0.8, 2)
        pair = [at(fcl.Sphere(r), s) for r, s in zip(radii, start)]
        result = fcl.ContinuousCollisionResult()
        time = fcl.continuousCollide(pair[0], fcl.Transform(end[0]), pair[1], fcl.Transform(end[1]), None, result)
        between, way = start[0] - start[1], (end[0] - start[0]) - (end[1] - start[1])
        speed = float(np.linalg.norm(way))
        for reach, is_sure in ((float(radii.sum()), True), (float(radii.sum()) + 1.0001e-4 * speed, False)):
            a, b, c = speed * speed, 2.0 * float(between @ way), float(between @ between) - reach * reach
            root = b * b - 4.0 * a * c
            exact = 0.0 if c <= 0.0 else (-b - math.sqrt(root)) / (2.0 * a) if root >= 0.0 and b < 0.0 else math.inf
            if is_sure:
                assert time <= exact + 1e-6 or exact > 1.0, f"seed {SEED + 3}, case {case}: late, {time} {exact}"
            else:
                assert time >= min(exact, 1.0) - 1e-6, f"seed {SEED + 3}, case {case}: early, {time} {exact}"
        assert result.time_of_contact == time and result.is_collide == (time < 1.0)
        hits += result.is_collide
    assert hits > 20


def test_what_rotates_touches_when_its_end_is_down() -> None:
    # A bar of length 4 about its middle, and a floor at depth 1: its end is down at an angle of 30 degrees, a third of its turn.
    bar, floor = at(fcl.Box(4.0, 1e-3, 1e-3)), at(fcl.Box(20.0, 1.0, 20.0), [0.0, -1.5, 0.0])
    quarter = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    turn, here = fcl.Transform(quarter), floor.getTransform()
    rotating = fcl.ContinuousCollisionRequest(toc_err=1e-5, ccd_motion_type=fcl.CCDMotionType.CCDM_LINEAR)
    assert fcl.continuousCollide(bar, turn, floor, here, rotating) == pytest.approx(1.0 / 3.0, abs=1e-3)
    # Without a rotation, the end's rotation does not matter.
    assert fcl.continuousCollide(bar, turn, floor, here) == 1.0
    # A rotation of the end alone, and things that overlap at the start or never move.
    assert fcl.continuousCollide(bar, fcl.Transform(), bar, fcl.Transform()) == 0.0
    assert fcl.continuousCollide(bar, bar.getTransform(), floor, here) == 1.0
    # Meshes too.
    thing = at(PRIMITIVES["mesh"](), [0.0, 4.0, 0.0])
    assert fcl.continuousCollide(thing, fcl.Transform(quarter, [0.0, -4.0, 0.0]), floor, here) == pytest.approx(4.5 / 8.0, abs=2e-4)


def test_rotations_are_normalised_and_read_back() -> None:
    rng = np.random.default_rng(SEED + 4)
    for _ in range(200):
        q = rotation(rng)
        read = fcl.Transform(q * 7.0).getQuatRotation()
        assert min(np.abs(read - q).max(), np.abs(read + q).max()) < 1e-12 and read[0] >= 0.0
        matrix = fcl.Transform(q, [1.0, 2.0, 3.0]).getRotation()
        assert matrix @ matrix.T == pytest.approx(np.eye(3), abs=1e-12)
        assert fcl.Transform(matrix).getQuatRotation() == pytest.approx(read, abs=1e-9)
    half = fcl.Transform([0.0, 0.0, 1.0, 0.0])
    assert np.abs(half.getQuatRotation()) == pytest.approx([0.0, 0.0, 1.0, 0.0])


def test_bad_input_is_named() -> None:
    wrong: list[tuple[Any, str]] = [
        (lambda: fcl.Sphere(0.0), "radius of a Sphere"),
        (lambda: fcl.Box(1.0, -1.0, 1.0), "side of a Box"),
        (lambda: fcl.Capsule(1.0, math.nan), "lz"),
        (lambda: fcl.Plane([0.0, 0.0, 0.0], 1.0), "n is 0"),
        (lambda: fcl.Convex(CORNERS, 6, [4, 0, 1, 3, 9] * 6), "index 9"),
        (lambda: fcl.Convex(CORNERS, 5, [n for face in FACES for n in (4, *face)]), "num_faces is 5"),
        (lambda: fcl.Convex(CORNERS, 1, [4, 0, 1, 3]), "face 0 has 4 corners"),
        (lambda: fcl.BVHModel().endModel(), "beginModel"),
        (lambda: fcl.BVHModel().addVertex(0.0, 0.0, 0.0), "beginModel"),
        (lambda: mesh(np.zeros((3, 3)), np.zeros((0, 3), int)), "no triangles"),
        (lambda: mesh(CORNERS, [[0, 1, 8]]), "index 8"),
        (lambda: mesh(CORNERS[:, :2], [[0, 1, 2]]), r"shape \(n, 3\)"),
        (lambda: fcl.CollisionObject(), "needs a geometry"),
        (lambda: fcl.CollisionObject(fcl.CollisionGeometry()), "has no geometry"),
        (lambda: fcl.CollisionObject(fcl.BVHModel()), "no triangles"),
        (lambda: fcl.CollisionObject(fcl.Sphere(1.0), [0.0, 0.0, 1.0]), "must be a fcl.Transform"),
        (lambda: fcl.Transform([0.0, 0.0, 0.0, 0.0]), "quaternion"),
        (lambda: fcl.Transform(np.eye(4)), r"shape \(3, 3\)"),
        (lambda: fcl.Transform(np.eye(3), [math.nan, 0.0, 0.0]), "translation"),
        (lambda: fcl.collide(at(fcl.Sphere(1.0)), at(fcl.Sphere(1.0)), fcl.CollisionRequest(-1)), "num_max_contacts"),
        (lambda: fcl.continuousCollide(*[at(fcl.Sphere(1.0)), fcl.Transform()] * 2, fcl.ContinuousCollisionRequest(toc_err=0.0)), "toc_err"),
        (lambda: fcl.DynamicAABBTreeCollisionManager().collide(fcl.CollisionData()), "callback"),
    ]
    for ask, message in wrong:
        with pytest.raises(ValueError, match=message):
            ask()
    missing: list[tuple[Any, str]] = [
        (lambda: fcl.Halfspace(np.array([0.0, 0.0, 1.0]), 0.0), "fcl.Box"),
        (lambda: fcl.OcTree(0.1, b""), "BVHModel"),
        (lambda: fcl.collide(at(fcl.Sphere(1.0)), at(fcl.Sphere(1.0)), fcl.CollisionRequest(enable_cost=True)), "costs"),
    ]
    for ask, message in missing:
        with pytest.raises(NotImplementedError, match=message):
            ask()
    manager, ball = fcl.DynamicAABBTreeCollisionManager(), at(fcl.Sphere(1.0))
    manager.registerObject(ball)
    with pytest.raises(ValueError, match="already"):
        manager.registerObject(ball)
    with pytest.raises(TypeError, match="Sphere"):
        manager.registerObject(fcl.Sphere(1.0))
    assert manager.getObjects() == [ball]
