"""Times hitscan beside trimesh with Embree and Open3D, on the same arrays, in turns.

    python benches/speed.py [--rounds N] [--rays N] [--points N]

Each figure is the median of the rounds. Both times are printed. If other programs use the machine, the processor time
is more reliable than the time of the wall.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import open3d
import trimesh
from trimesh.ray.ray_pyembree import RayMeshIntersector

import hitscan


def tensor(array: Any) -> Any:
    return open3d.core.Tensor(np.ascontiguousarray(array, dtype=np.float32))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--rays", type=int, default=200_000)
    parser.add_argument("--points", type=int, default=2_000)
    arguments = parser.parse_args()

    sphere = trimesh.creation.icosphere(subdivisions=5)
    vertices, faces = np.asarray(sphere.vertices), np.asarray(sphere.faces)
    random = np.random.default_rng(1)
    origins = random.normal(size=(arguments.rays, 3)) * 1.5
    directions = random.normal(size=(arguments.rays, 3))
    points = random.uniform(-1.2, 1.2, size=(arguments.points, 3))
    many = random.uniform(-1.2, 1.2, size=(20 * arguments.points, 3))

    mesh, ray = hitscan.Mesh(vertices, faces), RayMeshIntersector(sphere)
    drop_in = hitscan.trimesh.RayMeshIntersector(sphere)
    scene = open3d.t.geometry.RaycastingScene(nthreads=2)
    scene.add_triangles(tensor(vertices), open3d.core.Tensor(faces.astype(np.uint32)))
    rays, tensors, many_tensors = tensor(np.hstack([origins, directions])), tensor(points), tensor(many)
    single, along = origins.astype(np.float32), directions.astype(np.float32)

    groups: dict[str, dict[str, Callable[[], object]]] = {
        f"first hits of {len(origins)} rays": {
            "hitscan, 1 thread": lambda: mesh.cast(single, along, threads=1),
            "hitscan, 2 threads": lambda: mesh.cast(single, along, threads=2),
            "trimesh + embreex": lambda: ray.intersects_first(origins, directions),
            "the same with hitscan": lambda: drop_in.intersects_first(origins, directions),
            "Open3D, 1 thread": lambda: scene.cast_rays(rays, nthreads=1),
            "Open3D, 2 threads": lambda: scene.cast_rays(rays, nthreads=2),
        },
        f"locations of all hits of {len(origins)} rays": {
            "hitscan, 2 threads": lambda: mesh.cast_all(single, along, threads=2),
            "trimesh + embreex": lambda: ray.intersects_location(origins, directions),
            "the same with hitscan": lambda: drop_in.intersects_location(origins, directions),
        },
        f"nearest points of {len(points)} points": {
            "hitscan, 2 threads": lambda: mesh.closest_point(points, threads=2),
            "trimesh": lambda: trimesh.proximity.closest_point(sphere, points),
        },
        f"nearest points of {len(many)} points": {
            "hitscan, 1 thread": lambda: mesh.closest_point(many, threads=1),
            "hitscan, 2 threads": lambda: mesh.closest_point(many, threads=2),
            "Open3D, 1 thread": lambda: scene.compute_closest_points(many_tensors, nthreads=1),
            "Open3D, 2 threads": lambda: scene.compute_closest_points(many_tensors, nthreads=2),
        },
        f"insides of {len(many)} points": {
            "hitscan, 1 thread": lambda: mesh.contains(many, threads=1),
            "hitscan, 2 threads": lambda: mesh.contains(many, threads=2),
            "trimesh + embreex": lambda: ray.contains_points(many),
        },
    }
    for name, contenders in groups.items():
        walls: dict[str, list[float]] = {who: [] for who in contenders}
        processors: dict[str, list[float]] = {who: [] for who in contenders}
        for _ in range(arguments.rounds):
            for who, call in contenders.items():
                wall, processor = time.perf_counter(), time.process_time()
                call()
                walls[who].append(time.perf_counter() - wall)
                processors[who].append(time.process_time() - processor)
        print(name)
        for who in contenders:
            wall, processor = (1e3 * statistics.median(times[who]) for times in (walls, processors))
            print(f"  {who:24} {wall:10.1f} ms, of processors {processor:10.1f} ms")
    # A ray of a large call takes as long as in Rust's `cast`, plus a little for the arrays.
    alone, together = [], []
    for _ in range(arguments.rounds):
        start = time.perf_counter()
        for place in range(10_000):
            mesh.cast(single[place], along[place])
        alone.append((time.perf_counter() - start) / 10_000)
        start = time.perf_counter()
        mesh.cast(single[:10_000], along[:10_000], threads=1)
        together.append((time.perf_counter() - start) / 10_000)
    one, many_rays = (1e6 * statistics.median(times) for times in (alone, together))
    print(f"a call with one ray: {one:.2f} us, which is {one - many_rays:.2f} us more than one of many rays on one thread")


if __name__ == "__main__":
    main()
