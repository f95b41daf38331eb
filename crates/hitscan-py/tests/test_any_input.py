"""Arguments of any kind: every call answers, or raises an exception that says why.

A long run goes on for ten minutes, with other seeds.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest
import shapes
from effort import size

import hitscan

KINDS = ["f4", "f8", "f2", ">f8", ">f4", "g", "i1", "u2", "i4", ">i8", "u8", "?", "c8", "U3", "O", "M8[s]", "S2"]
NUMBERS = [0.0, -0.0, 1.0, -1.0, 0.5, 1e-45, 1e-310, 1e38, 3.5e38, 1e70, 1e300, np.inf, -np.inf, np.nan, 2.0**31, 2.0**63, -7.0]


class Random:
    """Arguments at random."""

    def __init__(self, seed: int) -> None:
        self.generator = np.random.default_rng(seed)

    def one_of(self, choices: Any) -> Any:
        return choices[int(self.generator.integers(len(choices)))]

    def array(self) -> Any:
        shape: tuple[int, ...] = tuple(int(self.generator.integers(0, 4)) for _ in range(int(self.generator.integers(0, 4))))
        if self.generator.random() < 0.8:
            shape = (*shape[:2], 3)
        values = self.generator.normal(size=shape)
        if self.generator.random() < 0.3:
            values = np.where(self.generator.random(shape) < 0.2, self.one_of(NUMBERS), values)
        with np.errstate(all="ignore"):
            try:
                array = values.astype(self.one_of(["f4", "f8"]) if self.generator.random() < 0.7 else self.one_of(KINDS))
            except (ValueError, TypeError, OverflowError):
                array = values
        if array.ndim and self.generator.random() < 0.2:
            array = array[::-1]
        if self.generator.random() < 0.2:
            array = np.asfortranarray(array)
        if self.generator.random() < 0.1:
            array.setflags(write=False)
        return array.tolist() if self.generator.random() < 0.1 else array

    def argument(self) -> Any:
        return self.array() if self.generator.random() < 0.95 else self.one_of([None, "text", b"bytes", {}, object(), [[1], [2, 3]], 7, np.nan])

    def options(self, names: list[str]) -> dict[str, Any]:
        values: dict[str, list[Any]] = {
            "threads": [None, 0, 1, 2, -3],
            "invalid": ["miss", "raise", "other"],
            "cull": ["none", "back", "front", ""],
            "ties": ["lowest", "facing", "x"],
            "tie_tolerance": [0.0, 1e-8, -1.0, np.nan, 1e300],
            "t_min": [None, 0.0, -np.inf, np.nan, self.argument()],
            "t_max": [None, 1.0, np.inf, 1e300, self.argument()],
        }
        return {name: self.one_of(values[name][: 3 if self.generator.random() < 0.8 else None]) for name in names if self.generator.random() < 0.4}


def faces(random: Random, count: int) -> Any:
    if random.generator.random() < 0.2:
        return random.argument()
    indices = random.generator.integers(0, max(count, 1), size=(int(random.generator.integers(0, 9)), 3))
    return indices.astype(random.one_of(["i4", "i8", "u4", "u8", "i2"]))


def ask(random: Random, mesh: hitscan.Mesh) -> None:
    rays, points = ["t_min", "t_max", "cull", "invalid", "threads"], ["threads"]
    name, arguments, options = random.one_of(
        [
            ("cast", 2, rays),
            ("is_blocked", 2, rays),
            ("cast_all", 2, rays),
            ("closest_point", 1, ["ties", "tie_tolerance", "threads"]),
            ("signed_distance", 1, points),
            ("contains", 1, points),
            ("winding_number", 1, points),
            ("refit", 1, points),
        ]
    )
    answer = getattr(mesh, name)(*(random.argument() for _ in range(arguments)), **random.options(options))
    if isinstance(answer, hitscan.Hits):
        assert (np.isfinite(answer.t) | ~answer.hit).all() and (answer.triangle < len(mesh)).all()
        assert np.isfinite(answer.point[answer.hit]).all()
    repr(answer)


def geometry(random: Random) -> Any:
    """Returns something to put into a scene, or nothing that can be there."""
    number, vector = random.one_of([0.5, 1, -1.0, 0.0, np.nan, 1e300]), random.array
    makers: list[Any] = [
        lambda: hitscan.Shape.sphere(number, vector()),
        lambda: hitscan.Shape.box(vector(), vector()),
        lambda: hitscan.Shape.capsule(vector(), [1, 0, 0], number),
        lambda: hitscan.Shape.plane([0, 0, 0], vector()),
        lambda: hitscan.Shape.hull(random.argument()),
        lambda: hitscan.Shape.sphere(1.0).with_margin(number),
        lambda: hitscan.Shape.point_cloud(vector()),
        lambda: hitscan.HeightField(random.generator.normal(size=(4, 5)), (1.0, number)),
        lambda: hitscan.HeightField(random.argument()),
        lambda: hitscan.Compound([hitscan.Shape.torus(1.0, 0.25), (hitscan.Mesh(*shapes.box()), vector())]),
        lambda: hitscan.Mesh(*shapes.box()),
        random.argument,
    ]
    return random.one_of(makers)()


def ask_scene(random: Random, scene: hitscan.Scene) -> None:
    one, ball, camera = random.argument, hitscan.Shape.sphere(0.5), hitscan.Camera.perspective(np.eye(4), 1.0)
    key = random.one_of([0, 1, 2, 3, -1, 2**62])
    rays, chosen = ["t_min", "t_max", "cull", "invalid", "threads"], ["threads"]
    calls: list[Any] = [
        lambda: scene.insert(key, geometry(random), random.one_of([None, one(), np.eye(4)])),
        lambda: scene.insert_all([1, 2, 3], geometry(random), random.one_of([None, one()])),
        lambda: scene.set_transform(key, one()),
        lambda: scene.set_transforms([0, 1], one()),
        lambda: scene.refit(key, one()),
        lambda: scene.set_heights(key, 1, 1, one()),
        lambda: scene.remove(key),
        lambda: scene.cast(one(), one(), exclude=random.one_of([None, 1, one()]), **random.options(rays)),
        lambda: scene.cast_all(one(), one(), **random.options(rays)),
        lambda: scene.is_blocked(one(), one(), layers=1, **random.options(rays)),
        lambda: scene.solid_intervals(one(), one(), **random.options(["t_min", "t_max", "invalid", "threads"])),
        lambda: scene.sees(one(), one(), **random.options(chosen)),
        lambda: scene.visibility(one(), one(), **random.options(chosen)),
        lambda: scene.closest_point(one(), **random.options(chosen)),
        lambda: scene.distance(random.one_of([0, [0, 1], one()]), 1, **random.options(chosen)),
        lambda: scene.sweep(random.one_of([ball, hitscan.Shape.point()]), one(), one(), rotations=random.one_of([None, one()])),
        lambda: scene.overlaps(ball, one(), **random.options(chosen)),
        lambda: scene.overlap_entities(ball, one(), **random.options(chosen)),
        lambda: scene.penetration(ball, one(), **random.options(chosen)),
        lambda: scene.select(camera, (64, 48), random.one_of([one(), [[1, 1], [40, 40]]]), what=random.one_of(["triangles", "vertices", "entities"])),
        lambda: camera.project(one(), (64, 48)),
        lambda: scene.cast_first_n(one(), one(), random.one_of([0, 2, 2**63 - 1, -1]), **random.options(rays)),
        lambda: scene.cast_entities(one(), one(), after=random.one_of([None, scene.cast([0, 0, 9], [0, 0, -1], keep_hits=True)]), **random.options(rays)),
        lambda: scene.cast_path(one(), **random.options(chosen)),
        lambda: scene.cast_trajectory(one(), one(), [0, -1, 0], random.one_of([0.1, 0.0, np.nan, 1e-30]), t_max=1.0),
        lambda: scene.line_of_sight(random.one_of([key, one()]), one(), 1, one(), **random.options(chosen)),
        lambda: scene.ground_below(one(), random.one_of([1.0, np.nan, np.inf])),
        lambda: scene.move_point(one(), one(), random.one_of([0.0, 0.1, 1e300])),
        lambda: scene.explain(one(), one(), key),
        lambda: scene.sweep_all(ball, one(), one()),
        lambda: scene.sweep_rotating(ball, one(), one(), rotations=random.one_of([None, one()]), end_rotations=random.one_of([None, one()])),
        lambda: scene.sweep_entity(random.one_of([key, one()]), one(), **random.options(chosen)),
        lambda: scene.overlap_all(ball, one(), **random.options(chosen)),
        lambda: scene.penetration_all(ball, one(), **random.options(chosen)),
        lambda: scene.contact_points(ball, one(), **random.options(chosen)),
        lambda: scene.pair_penetration(random.one_of([0, [0, 1], one()]), 1, **random.options(chosen)),
        lambda: scene.shoot(one(), one(), random.one_of([5.0, 1e300, -1.0]), impact=random.one_of(["ricochet", "pass_through", "x", lambda hit: "stop"])),
        lambda: scene.blast(one(), random.one_of([3.0, np.nan, 1e38])),
        lambda: scene.camera_arm_end(one(), one(), 3.0, 0.1),
        lambda: scene.find_ledge(one(), one(), 1.0, 0.5, random.one_of([1.0, 0.1, np.inf]), 0.1, 0.5),
        lambda: scene.surface_point(camera, (64, 48), one(), random.one_of([[0, 0, 0], one()])),
        lambda: hitscan.Cursor(camera, (64, 48), one(), random.one_of([3.0, np.inf])).all(scene),
        lambda: hitscan.PairTracker(layers=random.one_of([None, 1, 2**32])).update(scene),
        lambda: hitscan.Shape.box([-1, -1, -1], [1, 1, 1]).interval(one(), one(), **random.options(["t_min", "t_max", "invalid", "threads"])),
        lambda: hitscan.Shape.torus(1, 0.5).cast(one(), one(), **random.options(["t_min", "t_max", "invalid", "threads"])),
        lambda: hitscan.Shape.hull(random.generator.normal(size=(9, 3))).closest_point(one(), **random.options(chosen)),
        lambda: hitscan.HeightField(np.zeros((3, 3))).cast_all(one(), one(), **random.options(rays)),
        lambda: hitscan.HeightField(np.zeros((3, 3))).sweep(ball, one(), one()),
        lambda: hitscan.Mesh(*shapes.box()).cast_crossings(one(), one(), **random.options(["t_min", "t_max", "invalid", "threads"])),
        lambda: hitscan.Mesh(*shapes.box()).sweep(ball, one(), one()),
        lambda: hitscan.CollisionMatrix(*random.generator.normal(size=(3, 3))).collide_segment(one(), one()),
        lambda: hitscan.Character(ball).move_and_slide(scene, hitscan.CharacterState([0, 0, 0]), random.one_of([[1, 0, 0], one()]), 0.1),
        lambda: hitscan.CharacterState.from_bytes(one()),
        lambda: camera.rays((8, 8), one()),
        lambda: hitscan.Scene.from_bytes(scene.to_bytes()[: random.one_of([None, 40])]),
    ]
    repr(random.one_of(calls)())
    repr(scene)


def rounds() -> Any:
    seconds = size(0, 600)
    if seconds == 0:
        return range(300)
    end, first = time.monotonic() + seconds, time.time_ns() % 10**9
    return iter(lambda: first + time.monotonic_ns() % 10**9 if time.monotonic() < end else -1, -1)


# numpy warns of casts that lose something. The test is whether hitscan answers.
@pytest.mark.filterwarnings("ignore")
def test_every_call_answers_or_says_why() -> None:
    answered = refused = 0
    for seed in rounds():
        random = Random(seed)
        try:
            vertices = random.argument()
            made = hitscan.Mesh(vertices, faces(random, len(vertices) if hasattr(vertices, "__len__") else 0))
        except (ValueError, TypeError) as error:
            assert str(error)
            refused += 1
            made = hitscan.Mesh(*shapes.box())
        for mesh in (made, hitscan.Mesh(*shapes.box())):
            for _ in range(4):
                try:
                    ask(random, mesh)
                    answered += 1
                except (ValueError, TypeError) as error:
                    assert str(error), seed
                    refused += 1
                except BaseException:
                    print(f"seed {seed}")
                    raise
        scene = hitscan.Scene({0: hitscan.Shape.sphere(1.0), 1: made})
        for _ in range(12):
            try:
                ask_scene(random, scene)
                answered += 1
            except (ValueError, TypeError, KeyError) as error:
                assert str(error), seed
                refused += 1
            except BaseException:
                print(f"seed {seed}")
                raise
    assert answered > 100 and refused > 100
