"""Counts rays that leak out of closed surfaces, of hitscan and, where they are installed, of trimesh with Embree and of Open3D.

    python benches/leaks.py
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

import hitscan

Floats = NDArray[np.float64]
Any = Callable[[Floats, Floats], NDArray[np.bool_]]


def casters(vertices: Floats, faces: NDArray[np.int64]) -> dict[str, Any]:
    """Returns functions, by name. Each of them decides whether rays are blocked."""
    mesh = hitscan.Mesh(vertices, faces)
    found: dict[str, Any] = {"hitscan": lambda origins, directions: mesh.is_blocked(origins, directions)}
    if importlib.util.find_spec("embreex"):
        import trimesh
        from trimesh.ray.ray_pyembree import RayMeshIntersector

        ray = RayMeshIntersector(trimesh.Trimesh(vertices, faces, process=False))
        found["trimesh + embreex"] = lambda origins, directions: ray.intersects_any(origins, directions)
    if importlib.util.find_spec("open3d"):
        import open3d

        scene = open3d.t.geometry.RaycastingScene()
        scene.add_triangles(open3d.core.Tensor(vertices.astype(np.float32)), open3d.core.Tensor(faces.astype(np.uint32)))

        def occluded(origins: Floats, directions: Floats) -> NDArray[np.bool_]:
            rays = np.concatenate([origins, directions], axis=1).astype(np.float32)
            return np.asarray(scene.test_occlusions(open3d.core.Tensor(rays)).numpy())

        found["Open3D"] = occluded
    return found


def main() -> None:
    import trimesh

    sphere = trimesh.creation.icosphere(subdivisions=5)
    sphere.apply_transform(trimesh.transformations.euler_matrix(0.3, 1.1, 0.7))
    vertices, faces = np.asarray(sphere.vertices), np.asarray(sphere.faces)
    middles = vertices[np.asarray(sphere.edges_unique)].mean(axis=1)
    box = trimesh.creation.box().subdivide_loop(0)
    for _ in range(5):
        box = box.subdivide()
    grid = np.linspace(-0.5, 0.5, 65)
    above = np.stack([*(x.ravel() for x in np.meshgrid(grid, grid)), np.full(grid.size**2, 2.0)], axis=1)
    tests = [
        ("sphere, from its centre to each vertex", vertices, faces, np.zeros_like(vertices), vertices),
        ("sphere, from its centre to the middle of each edge", vertices, faces, np.zeros_like(middles), middles),
        ("box, downwards on its grid and border", np.asarray(box.vertices), np.asarray(box.faces), above, np.tile([0.0, 0.0, -1.0], (len(above), 1))),
    ]
    for name, points, triangles, origins, directions in tests:
        missed = {who: int((~any_hit(origins, directions)).sum()) for who, any_hit in casters(points, triangles).items()}
        print(f"{name}: {len(origins)} rays; missed by " + ", ".join(f"{who} {count}" for who, count in missed.items()))


if __name__ == "__main__":
    main()
