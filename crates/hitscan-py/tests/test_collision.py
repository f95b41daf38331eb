"""The `CollisionManager` of `hitscan.trimesh` beside brute force in float64."""

from __future__ import annotations

import copy
import itertools
import pickle
from collections.abc import Callable
from typing import Any

import brute
import effort
import numpy as np
import pytest
import trimesh

import hitscan.trimesh
from hitscan.trimesh import CollisionManager

SEED = 6405
NOTHING = np.finfo(np.float64).max


def exact(mesh: Any) -> Any:
    """Returns a mesh whose coordinates float32 can hold, also relative to its center."""
    return trimesh.Trimesh(np.round(mesh.vertices * 4096) / 4096, mesh.faces, process=False)


def dented() -> Any:
    """Returns a box with a pit in its top. It is closed, and not convex."""
    box = trimesh.creation.box()
    vertices = np.vstack([box.vertices, [[0.0, 0.0, 0.0]]])
    top = (box.face_normals[:, 2] > 0.9).nonzero()[0]
    rest = np.delete(box.faces, top, axis=0)
    ring = [tuple(edge) for face in box.faces[top] for edge in ((face[0], face[1]), (face[1], face[2]), (face[2], face[0]))]
    outer = [edge for edge in ring if edge[::-1] not in ring]
    return exact(trimesh.Trimesh(vertices, np.vstack([rest, [[a, b, 8] for a, b in outer]]), process=False))


MESHES: dict[str, Callable[[], Any]] = {
    "box": lambda: exact(trimesh.creation.box(extents=(1, 0.75, 0.5))),
    "ball": lambda: exact(trimesh.creation.icosphere(subdivisions=1, radius=0.5)),
    "torus": lambda: exact(trimesh.creation.torus(0.75, 0.25, major_sections=9, minor_sections=5)),
    "dented": dented,
    "sheet": lambda: exact(trimesh.Trimesh([[-1, -1, 0], [1, -1, 0], [1, 1, 0.25], [-1, 1, 0]], [[0, 1, 2], [0, 2, 3]])),
}


def at(x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Any:
    matrix = np.eye(4)
    matrix[:3, 3] = (x, y, z)
    return matrix


def pose(random: Any, reach: float) -> Any:
    matrix = trimesh.transformations.random_rotation_matrix(random.uniform(size=3))
    matrix[:3, 3] = random.uniform(-reach, reach, size=3)
    return matrix


class Body:
    """A mesh at a place, and what brute force knows about it."""

    def __init__(self, kind: str, transform: Any) -> None:
        self.mesh, self.transform = MESHES[kind](), transform
        self.is_solid = kind in ("box", "ball")
        assert self.mesh.is_convex == self.is_solid
        self.triangles = self.mesh.triangles @ transform[:3, :3].T + transform[:3, 3]


class Between:
    """What brute force says about two bodies."""

    def __init__(self, a: Body, b: Body) -> None:
        distances = brute.triangle_distances(a.triangles, b.triangles)
        self.distance = float(distances.min())
        if a.is_solid and b.is_solid:
            depth = brute.depth(a.triangles, b.triangles)
            self.depths = {(-1, -1): depth}
        elif a.is_solid or b.is_solid:
            surface, solid = (b, a) if a.is_solid else (a, b)
            found = brute.triangle_depths(surface.triangles, solid.triangles)
            self.depths = {((-1, k) if a.is_solid else (k, -1)): float(depth) for k, depth in enumerate(found)}
        else:
            near = np.argwhere(distances < 1e-6)
            self.depths = {(i, k): brute.depth(a.triangles[i, None], b.triangles[k, None]) for i, k in near.tolist()}
        # The depth of the deepest pieces; below 0 if the bodies are apart.
        self.deepest = max(self.depths.values(), default=-1.0)
        self.is_surfaces = not (a.is_solid or b.is_solid)

    @property
    def signed(self) -> float:
        """The distance, which is negative if the bodies overlap and one is solid."""
        if self.deepest <= 0.0:
            return self.distance
        return 0.0 if self.is_surfaces else -self.deepest

    @property
    def is_decided(self) -> bool:
        """True if it does not depend on rounding whether the bodies overlap."""
        return abs(self.deepest) > 1e-7 if not self.is_surfaces else self.distance > 1e-7 or self.deepest > 1e-7

    def check_contacts(self, contacts: list[Any], names: tuple[Any, Any], context: str) -> None:
        """Checks that there is a contact of exactly the pieces that overlap, each as deep as it is."""
        found = {(data.index(names[0]), data.index(names[1])): data for data in contacts}
        assert len(found) == len(contacts), context
        for index, depth in self.depths.items():
            if index in found:
                assert abs(found[index].depth - max(depth, 0.0)) < 1e-7, (context, index, depth)
            else:
                assert depth < 1e-7, (context, index, depth)
        assert set(found) <= set(self.depths), context


def bodies(random: Any, names: str, reach: float) -> dict[str, Body]:
    kinds = list(MESHES)
    return {name: Body(kinds[random.integers(len(kinds))], pose(random, reach)) for name in names}


def managed(things: dict[str, Body]) -> CollisionManager:
    manager = CollisionManager()
    for name, body in things.items():
        manager.add_object(name, body.mesh, body.transform)
    return manager


def check_nearest(answer: Any, pairs: dict[tuple[Any, Any], Between], context: str) -> None:
    """Checks the distance, names and points of the nearest of some pairs."""
    distance, names, data = answer
    wanted = min(between.signed for between in pairs.values())
    assert abs(distance - wanted) < 1e-7, (context, distance, wanted)
    of = pairs.get(names) or pairs[names[::-1]]
    assert abs(of.signed - wanted) < 1e-7 and data.distance == distance and data.names == set(names), context
    points = [data.point(name) for name in names]
    assert abs(np.linalg.norm(points[0] - points[1]) - abs(distance)) < 1e-7 or of.is_surfaces, context


@pytest.mark.parametrize("case", range(effort.size(40, 3000)))
def test_managers_answer_as_brute_force(case: int) -> None:
    random = np.random.default_rng([SEED, case])
    context = f"seed {SEED}, case {case}"
    things, others = bodies(random, "abcd", (0.6, 1.2, 2.5)[case % 3]), bodies(random, "xy", 1.2)
    single = Body(list(MESHES)[case % len(MESHES)], pose(random, 0.8))
    manager, other = managed(things), managed(others)

    inside = {(a, b): Between(things[a], things[b]) for a, b in itertools.combinations(things, 2)}
    across = {(a, b): Between(things[a], others[b]) for a in things for b in others}
    outside = {(a, "__external"): Between(body, single) for a, body in things.items()}
    for pairs, ask in (
        (inside, manager.in_collision_internal),
        (across, lambda *wants: manager.in_collision_other(other, *wants)),
        (outside, lambda *wants: manager.in_collision_single(single.mesh, single.transform, *wants)),
    ):
        is_hit, names, contacts = ask(True, True)
        assert type(is_hit) is bool and ask() is is_hit and ask(True) == (is_hit, names), context
        assert ask(False, True)[0] is is_hit and len(ask(False, True)[1]) == len(contacts), context
        assert is_hit == (len(names) > 0) == (len(contacts) > 0), context
        for pair, between in pairs.items():
            said = pair[0] in names if pairs is outside else pair in names
            assert said == (between.deepest > 0.0) or not between.is_decided, (context, pair, between.deepest)
            of_pair = [data for data in contacts if data.names == set(pair)]
            between.check_contacts(of_pair, pair, f"{context}: {pair}")
        assert names <= ({a for a, _ in pairs} if pairs is outside else set(pairs)), context

    check_nearest(manager.min_distance_internal(None, True, True), inside, context)
    check_nearest(manager.min_distance_other(other, True, True), across, context)
    assert manager.min_distance_other(other) == manager.min_distance_other(other, True)[0], context
    for name in things:
        nearest = {pair: between for pair, between in inside.items() if name in pair}
        check_nearest(manager.min_distance_internal(name, True, True), nearest, f"{context}, from {name}")
    distance, name, data = manager.min_distance_single(single.mesh, single.transform, True, True)
    check_nearest((distance, (name, "__external"), data), outside, context)
    assert manager.min_distance_single(single.mesh, single.transform) == distance, context


def test_normals_of_solids_lead_out() -> None:
    random = np.random.default_rng(SEED)
    deep = 0
    for _ in range(effort.size(60, 3000)):
        first, second = (Body(kind, pose(random, 0.3)) for kind in ("box", "ball"))
        manager, other = managed({"a": first}), managed({"b": second})
        for contact in manager.in_collision_single(second.mesh, second.transform, return_data=True)[1]:
            [across] = manager.in_collision_other(other, return_data=True)[1]
            assert np.allclose(across.normal, contact.normal, atol=1e-9) and abs(across.depth - contact.depth) < 1e-9
            [back] = other.in_collision_other(manager, return_data=True)[1]
            assert abs(back.depth - contact.depth) < 1e-9
            moved = second.transform.copy()
            moved[:3, 3] += contact.normal * (contact.depth + 1e-6)
            assert abs(manager.min_distance_single(second.mesh, moved) - 1e-6) < 1e-8
            # The point is in both, half of the depth below each surface along the normal.
            for body, way in ((first, contact.normal), (second, -contact.normal)):
                height = (body.triangles.reshape(-1, 3) @ way).max() - contact.point @ way
                assert abs(height - contact.depth / 2) < 1e-8
            deep += 1
    assert deep > 20


def test_the_point_of_an_area_is_its_first_vertex() -> None:
    box = trimesh.creation.box()
    manager = CollisionManager()
    manager.add_object("large", trimesh.creation.box(extents=(4, 4, 1)))
    [contact] = manager.in_collision_single(box, at(0.5, 0.25, 0.875), return_data=True)[1]
    assert np.allclose(contact.normal, [0, 0, 1]) and abs(contact.depth - 0.125) < 1e-9
    lowest = box.vertices[box.vertices[:, 2] < 0][0]
    assert np.allclose(contact.point, lowest + [0.5, 0.25, 0.875 + 0.0625])


def test_nested_touching_and_apart() -> None:
    room, ball = MESHES["dented"](), trimesh.creation.icosphere(subdivisions=1, radius=0.125)
    box, far = trimesh.creation.box(), at(0, 0, 9)
    manager = CollisionManager()
    manager.add_object("room", room)
    # A surface is not full, and a solid is.
    nested = at(0.25, 0.25, -0.25)
    assert manager.in_collision_single(ball, nested) is False and manager.min_distance_single(ball, nested) > 0.05
    manager.add_object("room", box)
    assert manager.in_collision_single(ball, nested) is True
    assert manager.min_distance_single(ball, nested) == pytest.approx(-0.375, abs=0.01)
    assert manager.in_collision_single(ball, far) is False and manager.min_distance_single(ball, far) == pytest.approx(8.375, abs=0.01)
    for x, distance in ((1.0, 0.0), (1.0 + 2**-20, 2**-20), (0.75, -0.25)):
        assert manager.in_collision_single(box, at(x)) == (distance <= 0.0)
        assert manager.min_distance_single(box, at(x)) == pytest.approx(distance, abs=1e-12)


def test_objects_are_removed_added_again_replaced_and_moved() -> None:
    manager, box, ball = CollisionManager(), MESHES["box"](), MESHES["ball"]()
    for name, x in (("b", 0.0), ("a", 0.5), ("c", 5.0)):
        manager.add_object(name, box, at(x))
    assert manager.in_collision_internal(True) == (True, {("a", "b")})
    assert manager.min_distance_internal(None, True)[1] == ("a", "b")
    manager.remove_object("b")
    assert manager.in_collision_internal(True) == (False, set()) and list(manager._objs) == ["a", "c"]
    distance, names = manager.min_distance_internal(None, True)
    assert distance == pytest.approx(3.5, abs=1e-12) and names == ("a", "c")
    manager.add_object("b", ball, at(5.0))
    assert manager.in_collision_internal(True) == (True, {("b", "c")})
    # The second object of a name replaces the first one, and takes part once.
    placed = manager.add_object("c", ball, at(0.25))
    assert manager.in_collision_internal(True) == (True, {("a", "c")}) and len(manager._objs) == 3
    assert manager._objs["c"]["obj"] is placed and placed.getTranslation().tolist() == [0.25, 0, 0]
    turn = trimesh.transformations.rotation_matrix(1.0, [0, 0, 1], [3, 0, 0])
    manager.set_transform("c", turn.tolist())
    assert np.array_equal(placed.getRotation(), turn[:3, :3]) and np.array_equal(placed.getTranslation(), turn[:3, 3])
    found = manager.min_distance_internal("c", True)
    alone = managed({"a": Body("box", at(0.5)), "b": Body("ball", at(5.0))})
    assert found[0] == pytest.approx(alone.min_distance_single(ball, turn), abs=1e-12) and "c" in found[1]
    for name in ("a", "b", "c"):
        manager.remove_object(name)
    assert not manager._objs and manager.in_collision_internal() is False


def test_names_may_be_anything_hashable() -> None:
    manager, box = CollisionManager(), MESHES["box"]()
    for name in (7, 3, 5):
        manager.add_object(name, box, at(0.3 * name))
    assert manager.in_collision_internal(True)[1] == {(3, 5), (5, 7)}
    assert manager.min_distance_internal(3, True)[1] == (3, 5)
    other = CollisionManager()
    other.add_object(("hand", 1), box, at(0.9))
    assert manager.in_collision_other(other, True)[1] == {(3, ("hand", 1)), (5, ("hand", 1))}


def test_empty_managers_have_nothing() -> None:
    empty, box = CollisionManager(), MESHES["box"]()
    assert empty.in_collision_internal(True, True) == (False, set(), [])
    assert empty.in_collision_single(box, None, True, True) == (False, set(), [])
    assert empty.in_collision_other(CollisionManager(), True, True) == (False, set(), [])
    assert empty.min_distance_internal() == empty.min_distance_other(empty) == NOTHING
    assert empty.min_distance_internal(None, True) == (NOTHING, (None, None))
    distance, name, data = empty.min_distance_single(box, None, True, True)
    assert (distance, name, data.distance) == (NOTHING, None, NOTHING) and np.isnan(data.point(None)).all()
    empty.add_object("only", box)
    assert empty.min_distance_internal("only", True) == (NOTHING, (None, None))
    assert empty.in_collision_internal(True) == (False, set())
    empty.add_object("without faces", trimesh.Trimesh())
    assert empty.in_collision_internal() is False and empty.min_distance_internal() == NOTHING


def test_bad_input_names_the_offender_and_changes_nothing() -> None:
    manager, box = CollisionManager(), MESHES["box"]()
    manager.add_object("a", box, at(1.0))
    flat = np.diag([1.0, 1.0, 0.0, 1.0])
    for fault, exception, ask in (
        ("ghost not in collision manager", ValueError, lambda: manager.remove_object("ghost")),
        ("ghost not in collision manager", ValueError, lambda: manager.set_transform("ghost", np.eye(4))),
        ("ghost not in collision manager", ValueError, lambda: manager.min_distance_internal("ghost")),
        (r"transform must be \(4,4\)", ValueError, lambda: manager.add_object("a", box, np.eye(3))),
        (r"transform must be \(4,4\)", ValueError, lambda: manager.set_transform("a", np.eye(3))),
        (r"transform must be \(4,4\)", ValueError, lambda: manager.in_collision_single(box, [1, 2, 3])),
        ("transform", ValueError, lambda: manager.add_object("a", box, np.full((4, 4), np.nan))),
        ("transform", ValueError, lambda: manager.set_transform("a", flat)),
        ("transform", ValueError, lambda: manager.min_distance_single(box, flat)),
        ("a str cannot collide", TypeError, lambda: manager.add_object("b", "box.stl")),
        ("a PointCloud cannot collide", TypeError, lambda: manager.add_object("b", trimesh.PointCloud([[0, 0, 0]]))),
        ("other_manager is a dict", TypeError, lambda: manager.in_collision_other({})),
        ("other_manager is a dict", TypeError, lambda: manager.min_distance_other({})),
    ):
        with pytest.raises(exception, match=fault):
            ask()
        assert list(manager._objs) == ["a"] and manager.min_distance_single(box) == 0.0


def test_meshes_that_change_count_as_they_are() -> None:
    manager = CollisionManager()
    mesh = trimesh.creation.box()
    manager.add_object("small", mesh)
    mesh.apply_scale(3.0)
    assert manager.min_distance_single(trimesh.creation.box(), at(2.5)) == pytest.approx(1.5, abs=1e-12)
    manager.add_object("large", mesh, at(9.0))
    assert manager.min_distance_internal() == pytest.approx(7.0, abs=1e-12)
    assert manager.min_distance_single(mesh, at(0, 9.0)) == pytest.approx(7.0, abs=1e-12)


def test_scales_shears_and_mirrors() -> None:
    random = np.random.default_rng(SEED)
    for case in range(effort.size(40, 2000)):
        transform = np.eye(4)
        transform[:3, :3] = random.uniform(-1, 1, size=(3, 3)) + np.diag([2.0, -2.0, 2.0])
        transform[:3, 3] = random.uniform(-1, 1, size=3)
        first, second = (Body(kind, transform @ pose(random, 2.0)) for kind in random.choice(["box", "ball", "torus"], size=2))
        between = Between(first, second)
        found = managed({"a": first}).min_distance_single(second.mesh, second.transform)
        assert abs(found - between.signed) < 1e-7, f"seed {SEED}, case {case}: {found}, {between.signed}"


def test_far_from_zero_nothing_is_lost() -> None:
    place = np.array([5e5, 4.2e6, 300.0])
    near, far = CollisionManager(), CollisionManager()
    box, torus = MESHES["box"](), MESHES["torus"]()
    for name, mesh, x in (("box", box, 0.0), ("torus", torus, 2.0), ("lid", box, 4.5)):
        near.add_object(name, mesh, at(x))
        moved = mesh.copy()
        moved.apply_translation(place + [x, 0, 0])
        far.add_object(name, moved)
    assert far.min_distance_internal(None, True)[1] == near.min_distance_internal(None, True)[1]
    assert far.min_distance_internal() == pytest.approx(near.min_distance_internal(), abs=1e-8)
    assert far.in_collision_internal(True) == near.in_collision_internal(True)


def test_flat_and_open_meshes_are_surfaces() -> None:
    sheet, box = MESHES["sheet"](), MESHES["box"]()
    twice = trimesh.Trimesh(sheet.vertices[:3], [[0, 1, 2], [0, 2, 1]], process=False)
    manager = CollisionManager()
    manager.add_object("sheet", sheet)
    [contact, *_] = contacts = manager.in_collision_single(box, return_data=True)[1]
    assert {data.index("sheet") for data in contacts} == {0, 1} and contact.index("__external") == -1
    manager.add_object("twice", twice, at(0, 0, 3))
    assert manager.min_distance_internal("twice") == pytest.approx(2.97, abs=0.05)


def test_many_objects_one_by_one_and_at_once() -> None:
    random = np.random.default_rng(SEED)
    box = MESHES["box"]()
    places = random.uniform(0, 9, size=(120, 3))
    manager = CollisionManager()
    for k, place in enumerate(places):
        manager.add_object(k, box, at(*place))
    gaps = np.abs(places[:, None] - places[None]) - np.asarray(box.extents)
    touch = (gaps <= 0).all(axis=2)
    wanted = {(i, k) for i, k in np.argwhere(touch).tolist() if i < k}
    assert len(wanted) > 10 and manager.in_collision_internal(True)[1] == wanted
    for k in range(0, 120, 17):
        found = manager.in_collision_single(box, at(*places[k]), True)[1]
        assert found == set(np.flatnonzero(touch[k]).tolist())
    _, contacts = manager.in_collision_internal(return_data=True)
    assert len(contacts) == len(wanted)
    for contact in contacts:
        i, k = contact.names
        assert contact.depth == pytest.approx(-gaps[i, k].max(), abs=1e-9)


def test_scenes_of_trimesh() -> None:
    scene = trimesh.Scene()
    for k in range(3):
        scene.add_geometry(MESHES["ball"](), node_name=f"ball {k}", transform=at(0.75 * k))
    manager, objects = hitscan.trimesh.scene_to_collision(scene)
    assert set(objects) == {"ball 0", "ball 1", "ball 2"} and objects["ball 2"].getTranslation().tolist() == [1.5, 0, 0]
    assert manager.in_collision_internal(True)[1] == {("ball 0", "ball 1"), ("ball 1", "ball 2")}


def test_install_replaces_what_needs_fcl() -> None:
    before = trimesh.collision.CollisionManager
    with hitscan.trimesh.installed():
        assert trimesh.collision.CollisionManager is CollisionManager
        manager, _ = trimesh.collision.scene_to_collision(trimesh.Scene([MESHES["box"]()]))
        assert type(manager) is CollisionManager and manager.in_collision_internal() is False
        assert isinstance(trimesh.collision.mesh_to_BVH(MESHES["torus"]()), hitscan.Mesh)
        assert isinstance(trimesh.collision.mesh_to_convex(MESHES["box"]()), hitscan.Shape)
    assert trimesh.collision.CollisionManager is before is not CollisionManager


def test_copies_and_pickles_are_of_their_own() -> None:
    manager = managed({"a": Body("box", at()), "b": Body("torus", at(3.0))})
    distance = manager.min_distance_internal()
    for other in (copy.deepcopy(manager), pickle.loads(pickle.dumps(manager))):
        assert other.min_distance_internal() == distance
        other.remove_object("a")
        other.set_transform("b", at(9.0))
    assert manager.min_distance_internal(None, True) == (distance, ("a", "b"))
    contacts = manager.in_collision_single(MESHES["box"](), return_data=True)[1]
    again = pickle.loads(pickle.dumps(contacts))
    assert again[0].depth == contacts[0].depth and again[0].index("a") == -1
