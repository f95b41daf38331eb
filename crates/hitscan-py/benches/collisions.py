"""Times `hitscan.trimesh.CollisionManager` beside trimesh's own with python-fcl, on the same meshes and places, in turns.

    python benches/collisions.py [--rounds N] [--poses N]

Each figure is a median over the rounds, as the mean over the poses. FCL uses one thread; `HITSCAN_NUM_THREADS=1` makes hitscan do so too.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import trimesh

import hitscan.trimesh


def uneven(mesh: Any, size: float) -> Any:
    """Returns a mesh with bumps, which is not convex."""
    bumps = 1.0 + size * np.sin(mesh.vertices * 17.0).prod(axis=1)
    return trimesh.Trimesh(mesh.vertices * bumps[:, None], mesh.faces, process=False)


def at(place: Any, turn: Any = None) -> Any:
    matrix = np.eye(4) if turn is None else turn
    matrix[:3, 3] = place
    return matrix


def chain(random: Any, links: int) -> list[Any]:
    """Returns the places of links of length 1 along a random path. Each link is turned, and there is a gap of 0.06
    between two links."""
    places, place, way = [], np.zeros(3), np.array([0.0, 0.0, 1.0])
    for _ in range(links):
        way = way + 0.15 * random.normal(size=3)
        way = way / np.linalg.norm(way)
        places.append(at(place + 0.53 * way, trimesh.geometry.align_vectors([0, 0, 1], way)))
        place = place + 1.06 * way
    return places


def timed(asks: dict[str, Callable[[], Any]], rounds: int) -> dict[str, float]:
    """Returns the median time of each, asked in turns, in milliseconds."""
    taken: dict[str, list[float]] = {name: [] for name in asks}
    for _ in range(rounds):
        for name, ask in asks.items():
            start = time.perf_counter()
            ask()
            taken[name].append((time.perf_counter() - start) * 1e3)
    return {name: statistics.median(times) for name, times in taken.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--poses", type=int, default=30)
    arguments = parser.parse_args()
    random = np.random.default_rng(1)
    kinds = {"FCL": trimesh.collision.CollisionManager, "hitscan": hitscan.trimesh.CollisionManager}

    def filled(meshes: list[Any], places: list[Any]) -> dict[str, Any]:
        managers = {}
        for name, kind in kinds.items():
            managers[name] = kind()
            for k, (mesh, place) in enumerate(zip(meshes, places)):
                managers[name].add_object(str(k), mesh, place)
        return managers

    def compare(title: str, poses: list[dict[str, Any]], ask: Callable[[Any], Any], agree: Callable[[Any, Any], bool]) -> None:
        """Prints the mean time of each over the poses, and the ratio of their times: the geometric mean and the least."""
        times = []
        for managers in poses:
            theirs, ours = (ask(manager) for manager in managers.values())
            assert agree(theirs, ours), (title, theirs, ours)
            times.append(timed({name: lambda m=manager: ask(m) for name, manager in managers.items()}, arguments.rounds))  # type: ignore[misc]
        ratios = np.array([of["FCL"] / of["hitscan"] for of in times])
        fcl, own = (statistics.mean(of[name] for of in times) for name in kinds)
        print(f"| {title} | {fcl:.3g} | {own:.3g} | {np.exp(np.log(ratios).mean()):.3g} | {ratios.min():.3g} |")

    def are_equal(a: Any, b: Any) -> bool:
        return bool(a == b)

    def are_near(a: float, b: float) -> bool:
        # FCL's distances of convex meshes of many vertices are off by up to 1e-4.
        return abs(a - b) < 1e-4

    print("| question | FCL, ms | hitscan, ms | FCL / hitscan | least |\n| --- | ---: | ---: | ---: | ---: |")
    link = uneven(trimesh.creation.capsule(radius=0.2, height=0.6, count=[32, 32]), 0.03)
    link.apply_translation(-link.bounds.mean(axis=0))
    solid = trimesh.creation.capsule(radius=0.2, height=0.6, count=[32, 32])
    solid.apply_translation(-solid.bounds.mean(axis=0))
    for what, mesh in (("uneven links", link), ("convex links", solid)):
        assert mesh.is_convex == (mesh is solid)
        apart: list[dict[str, Any]] = []
        while len(apart) < arguments.poses:
            managers = filled([mesh] * 24, chain(random, 24))
            apart += [] if managers["hitscan"].in_collision_internal() else [managers]
        size = f"24 {what} of {len(mesh.faces)} triangles, in {len(apart)} poses"
        compare(f"{size}: `min_distance_internal()`", apart, lambda m: m.min_distance_internal(), are_near)
        compare(f"`min_distance_internal(name)` of {what}", apart, lambda m: m.min_distance_internal("11"), are_near)
        compare(f"`in_collision_internal()` of {what}, apart", apart, lambda m: m.in_collision_internal(), are_equal)
        places = chain(random, 24)

        def move(manager: Any, places: list[Any] = places) -> None:
            for k, place in enumerate(places):
                manager.set_transform(str(k), place)

        compare(f"`set_transform` of 24 {what}", apart, move, are_equal)

    torus = trimesh.creation.torus(0.75, 0.25, major_sections=32, minor_sections=16)
    ball = trimesh.creation.icosphere(subdivisions=2)
    for what, mesh in (("tori", torus), ("balls", ball)):
        for room in (9.0, 18.0):
            places = [[at(random.uniform(0, room, size=3), trimesh.transformations.random_rotation_matrix(random.uniform(size=3))) for _ in range(200)] for _ in range(5)]
            poses = [filled([mesh] * 200, of) for of in places]
            count = statistics.mean(len(of["hitscan"].in_collision_internal(True)[1]) for of in poses)
            title = f"200 {what} of {len(mesh.faces)} triangles, {count:.0f} pairs collide"
            compare(f"{title}: `in_collision_internal()`", poses, lambda m: m.in_collision_internal(), are_equal)
            compare("the same with `return_names`", poses, lambda m: m.in_collision_internal(True), lambda a, b: a[0] == b[0] and a[1] <= b[1])
            compare("the same with `return_data`", poses, lambda m: m.in_collision_internal(False, True), lambda a, b: a[0] == b[0])
            probe = at(np.full(3, room / 2))
            compare("`in_collision_single(.., return_names)`", poses, lambda m: m.in_collision_single(mesh, probe, True), are_equal)
            beside = at([-3.0, room / 2, room / 2])
            compare("`min_distance_single`, beside all", poses, lambda m: m.min_distance_single(mesh, beside), are_near)


if __name__ == "__main__":
    main()
