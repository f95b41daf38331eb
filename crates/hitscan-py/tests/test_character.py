"""Moves of characters beside formulas: gaps, slopes, steps, and platforms that carry them."""

from __future__ import annotations

import copy
import pickle
import struct
from typing import Any

import numpy as np
import pytest

import hitscan

BODY = hitscan.Shape.capsule([0, -0.6, 0], [0, 0.6, 0], 0.3)
DT = 1 / 60


def level() -> hitscan.Scene:
    """Returns a floor with a step of 0.25 at x = 2, and a wall at x = 4."""
    boxes = {0: ([-9, -1, -9], [9, 0, 9]), 1: ([2, 0, -9], [9, 0.25, 9]), 2: ([4, 0, -9], [5, 3, 9])}
    return hitscan.Scene({key: hitscan.Shape.box(low, high) for key, (low, high) in boxes.items()})


def walk(scene: hitscan.Scene, hero: hitscan.Character, state: hitscan.CharacterState, velocity: Any, frames: int, **options: Any) -> list[hitscan.Moved]:
    moves, fall = [], 0.0
    for _ in range(frames):
        fall = 0.0 if state.is_grounded else fall - 9.81 * DT
        moves.append(hero.move_and_slide(scene, state, np.add(velocity, [0, fall, 0]), DT, **options))
    return moves


def test_a_walk_up_a_step_to_a_wall() -> None:
    scene, hero, state = level(), hitscan.Character(BODY), hitscan.CharacterState([0, 1.5, 0])
    skin = hero.settings["skin"]
    moves = walk(scene, hero, state, [4, 0, 1], 120)
    assert state.is_grounded and state.ground == 1 and moves[-1].ground == 1
    assert np.allclose(state.position[:2], [4 - 0.3 - skin, 0.25 + 0.9 + skin], atol=1e-6)
    assert np.isclose(state.position[2], sum(move.motion[2] for move in moves), atol=1e-9) and state.position[2] > 1
    # Its round end rolls up a part of the step as up a slope.
    assert 0.1 < sum(float(move.stepped) for move in moves) <= 0.25 + 1e-6
    last = moves[-1]
    assert 2 in last.contact_key and np.allclose(last.contact_normal[list(last.contact_key).index(2)], [-1, 0, 0], atol=1e-6)
    assert np.allclose(last.velocity, [0, 0, 1], atol=1e-6) and np.allclose(last.ground_normal, [0, 1, 0], atol=1e-6)
    assert len(last) == len(last.contact_key) == len(last.contact_point) and not last.contact_crushes.any()
    # The gap to everything is never less than the skin, up to rounding.
    assert hero.has_room(scene, state) and scene.closest_point(state.position).distance > 0.3
    assert not hero.has_room(scene, hitscan.CharacterState([4, 1.2, 0])) and hero.has_room(scene, hitscan.CharacterState([4, 1.2, 0]), exclude=2)
    assert repr(state).startswith("<hitscan.CharacterState: at [") and repr(state).endswith("on entity 1>")
    assert repr(last) == f"<hitscan.Moved: {len(last)} contact{'' if len(last) == 1 else 's'}, on entity 1>"


def test_slopes_that_are_too_steep_are_walls() -> None:
    for degrees, climbs in ((30, True), (49, True), (51, False), (70, False)):
        angle = np.radians(degrees)
        scene = hitscan.Scene([hitscan.Shape.plane([0, 0, 0], [0, 1, 0]), hitscan.Shape.plane([0, 0, 0], [-np.sin(angle), np.cos(angle), 0])])
        state, hero = hitscan.CharacterState([-1, 0.95, 0]), hitscan.Character(BODY, step_up=0.0)
        walk(scene, hero, state, [2, 0, 0], 120)
        assert (state.position[1] > 1.2) == climbs
        if climbs and degrees == 30:
            moved = hero.move_and_slide(scene, state, [2, 0, 0], DT)
            assert np.isclose(np.linalg.norm(moved.motion), 2 * DT, rtol=1e-6), "as fast as on level ground"
            assert np.isclose(moved.motion[1] / moved.motion[0], np.tan(angle), atol=1e-6)
    steep = hitscan.Character(BODY, max_slope=1.3, step_up=0.0)
    state = hitscan.CharacterState([-1, 0.95, 0])
    walk(scene, steep, state, [2, 0, 0], 120)
    assert state.position[1] > 1.2


def test_a_platform_carries_a_character() -> None:
    scene, hero = hitscan.Scene({8: hitscan.Shape.box([-2, -1, -2], [2, 0, 2])}), hitscan.Character(BODY)
    state = hitscan.CharacterState([1, 1, 0])
    walk(scene, hero, state, [0, 0, 0], 30)
    rest = state.position - [1, 0, 0]
    for frame in range(40):
        angle = 0.02 * frame
        turn = np.array([[np.cos(angle), 0, np.sin(angle), 0.1 * frame], [0, 1, 0, 0.01 * frame], [-np.sin(angle), 0, np.cos(angle), 0], [0, 0, 0, 1]])
        scene.set_transform(8, turn)
        moved = hero.move_and_slide(scene, state, [0, 0, 0], DT)
        assert moved.ground == 8 and np.allclose(state.position, (turn @ [1, 0, 0, 1])[:3] + rest, atol=1e-5)
    assert np.linalg.norm(moved.ground_velocity) > 1
    state.ground_was_placed()
    scene.set_transform(8, turn @ np.diag([1.0, 1, 1, 1]) + np.array([[0, 0, 0, 0.5], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]))
    before = state.position
    hero.move_and_slide(scene, state, [0, 0, 0], DT)
    assert np.allclose(state.position, before, atol=1e-6)
    state.leave_ground()
    assert not state.is_grounded and state.ground is None
    state.teleport([0, 50, 0])
    assert np.array_equal(state.position, [0, 50, 0]) and hero.move_and_slide(scene, state, [0, -1, 0], DT).ground == -1


def test_a_copy_of_a_state_is_a_rollback() -> None:
    scene, hero, state = level(), hitscan.Character(BODY), hitscan.CharacterState([0, 1.5, 0], [0, 0.6, 0, 0.8])
    walk(scene, hero, state, [4, 0, 1], 40)
    copies = [copy.copy(state), copy.deepcopy(state), hitscan.CharacterState.from_bytes(memoryview(state.to_bytes()))]
    copies += [pickle.loads(pickle.dumps(state, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
    heroes = [hero] * 3 + [pickle.loads(pickle.dumps(hero, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
    assert all(other == state for other in copies) and np.allclose(state.rotation, [0, 0.6, 0, 0.8])
    walk(scene, hero, state, [1, 0, -3], 60)
    assert all(other != state for other in copies) and state != "state"
    for other, same in zip(copies, heroes):
        walk(scene, same, other, [1, 0, -3], 60)
        assert other == state and other.to_bytes() == state.to_bytes()
    data = state.to_bytes()
    for bad in (b"", data[:-1], data + b"\0", b"\2" + data[1:], b"\1", np.zeros(0, np.uint8)):
        with pytest.raises(ValueError, match="no saved state"):
            hitscan.CharacterState.from_bytes(bad)
    with pytest.raises(ValueError, match="no saved state"):
        hitscan.CharacterState.from_bytes(data[:1] + np.array([np.nan]).tobytes() + data[9:])
    with pytest.raises(TypeError):
        hash(state)


def test_contacts_decide() -> None:
    scene, hero, state = level(), hitscan.Character(BODY), hitscan.CharacterState([0, 0.95, 0])
    seen = []

    def respond(contact: hitscan.CharacterContact) -> Any:
        seen.append(contact.key)
        assert np.isclose(np.linalg.norm(contact.normal), 1) and contact.part == 0 and contact.triangle == -1 and "entity" in repr(contact)
        return "pass_through" if contact.key == 2 else [0, 0, 1.5] if contact.key == 0 else "solid"

    passed = set()
    for _ in range(90):
        moved = hero.move_and_respond(scene, state, [4, -1, 0], DT, respond)
        passed.update(moved.passed.tolist())
    assert state.position[0] > 5.5 and passed == {2} and {0, 1, 2} == set(seen), "through the wall"
    assert state.position[2] > 0.5, "the floor is a conveyor"
    before = copy.copy(state)
    for answer, kind, match in [
        (lambda contact: "ghost", ValueError, "respond returned 'ghost'"),
        (lambda contact: None, ValueError, "respond returned None"),
        (lambda contact: [0, np.nan, 0], ValueError, "the velocity that respond returned"),
        (lambda contact: 1 / 0, ZeroDivisionError, "division"),
    ]:
        with pytest.raises(kind, match=match):
            hero.move_and_respond(scene, state, [0, -3, 0], 1.0, answer)
        assert state == before, "a move that fails changes nothing"
    plain, asked = copy.copy(state), copy.copy(state)
    one, other = hero.move_and_slide(scene, plain, [-3, -1, 2], 0.3), hero.move_and_respond(scene, asked, [-3, -1, 2], 0.3, lambda contact: "solid")
    assert plain == asked and all(np.array_equal(one.to_dict()[name], other.to_dict()[name], equal_nan=True) for name in one.to_dict())
    assert np.array_equal(pickle.loads(pickle.dumps(one)).contact_point, one.contact_point)


def test_a_character_between_two_jaws_is_crushed() -> None:
    scene, hero = level(), hitscan.Character(BODY)
    scene.insert(9, hitscan.Shape.box([2, 0.25, -9], [3.5, 9, 9]))
    scene.insert(10, hitscan.Shape.box([3.75, 0.25, -9], [5, 9, 9]))
    scene.insert(11, hitscan.Shape.box([2, 2.2, -9], [5, 9, 9]))
    moved = hero.move_and_slide(scene, hitscan.CharacterState([3.625, 1.2, 0]), [0, 0, 0], DT)
    crush = moved.contact_crushes
    jaws = np.isin(moved.contact_key, [9, 10]) & crush
    assert np.allclose(moved.contact_depth[jaws], 0.175, atol=1e-5) and (np.diff(crush.astype(int)) >= 0).all()
    assert {9, 10} <= set(moved.contact_key[crush])


def test_bytes_with_another_rotation() -> None:
    scene, hero = level(), hitscan.Character(BODY)
    whole = hitscan.CharacterState([0, 1.5, 0]).to_bytes()
    assert struct.unpack("<7d", whole[1:57]) == (0, 1.5, 0, 0, 0, 0, 1)

    def turned(*rotation: float) -> hitscan.CharacterState:
        return hitscan.CharacterState.from_bytes(whole[:25] + struct.pack("<4d", *rotation) + whole[57:])

    for rotation in ((0, 0, 0, 0), (0, 0, np.nan, 1), (np.inf, 0, 0, 0)):
        with pytest.raises(ValueError, match="no saved state"):
            turned(*rotation)
    wanted = hitscan.CharacterState([0, 1.5, 0], [0, 0.6, 0, 0.8])
    assert turned(0, 0.6, 0, 0.8) == wanted and turned(0, 0.6, 0, 0.8).to_bytes() == wanted.to_bytes()
    for scale in (1e-300, 1e-20, 0.1, 7.0, 1e200):
        state = turned(0, 0.6 * scale, 0, 0.8 * scale)
        assert np.allclose(state.rotation, [0, 0.6, 0, 0.8])
        for _ in range(60):
            hero.move_and_slide(scene, state, [0, -4, 0], DT)
        assert state.is_grounded and state.position[1] > 0.5


def test_settings_and_faults() -> None:
    hero = hitscan.Character(BODY)
    usual = {"skin": 0.003, "max_slope": np.radians(50), "step_up": 0.36, "step_depth": 0.15, "step_down": 0.36, "escape_speed": np.inf}
    assert {name: hero.settings[name] for name in usual} == pytest.approx(usual, rel=1e-6)
    assert hero.settings["up"] == [0, 1, 0] and hero.settings["keeps_speed_on_slopes"] is True
    other = hitscan.Character(BODY, up=[0, 0, 2], skin=0.01, step_up=0.1, escape_speed=3)
    assert other.settings["up"] == [0, 0, 1] and other.settings["step_down"] == 0.1 and other.settings["escape_speed"] == 3
    assert pickle.loads(pickle.dumps(other)).settings == other.settings and repr(other) == f"<hitscan.Character: {BODY!r}>" and repr(other.volume) == repr(BODY)
    scene, state = level(), hitscan.CharacterState([0, 1, 0])
    for call, match in [
        (lambda: hitscan.Character(hitscan.Shape.point()), "extent"),
        (lambda: hitscan.Character(hitscan.Shape.plane([0, 0, 0], [0, 1, 0])), "a plane is no volume"),
        (lambda: hitscan.Character(BODY, skin=0), "skin"),
        (lambda: hitscan.Character(BODY, max_slope=2), "max_slope"),
        (lambda: hitscan.Character(BODY, step_up=np.nan), "step_up"),
        (lambda: hitscan.Character(BODY, up=[0, 0, 0]), "up direction"),
        (lambda: hero.move_and_slide(scene, state, [0, np.inf, 0], DT), r"velocity is \[0, inf, 0\]"),
        (lambda: hero.move_and_slide(scene, state, [0, 0, 0], -1), "dt is -1"),
        (lambda: hero.move_and_slide(scene, state, [0, 0, 0], np.nan), "dt is NaN"),
        (lambda: hero.has_room(scene, state, exclude=[-1]), "exclude"),
        (lambda: hitscan.CharacterState([0, np.nan, 0]), "position is"),
        (lambda: hitscan.CharacterState([0, 0, 0], [0, 0, 0, 0]), "rotation is"),
        (lambda: state.teleport([np.inf, 0, 0]), "position is"),
        (lambda: setattr(state, "position", [0, 0, np.nan]), "position is"),
        (lambda: setattr(state, "rotation", [0, 0, np.nan, 1]), "rotation is"),
    ]:
        with pytest.raises(ValueError, match=match):
            call()  # type: ignore[no-untyped-call]
    assert np.array_equal(state.position, [0, 1, 0])
    state.position = [1, 2, 3]
    state.rotation = [0, 0, 2, 0]
    assert np.array_equal(state.position, [1, 2, 3]) and np.array_equal(state.rotation, [0, 0, 1, 0])
    for numbers in (state.position, state.rotation):
        with pytest.raises(ValueError, match="read-only"):
            numbers[0] = 7
    state.position = state.position + [1, 0, 0]
    assert np.array_equal(state.position, [2, 2, 3])
