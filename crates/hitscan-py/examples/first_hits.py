"""Casts a picture's rays at a sphere, and asks how far points are from it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import hitscan


def sphere(rings: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Returns vertices and faces of a closed sphere of radius 1 around zero."""
    polar, around = np.meshgrid(np.linspace(0, np.pi, rings + 1)[1:-1], np.arange(2 * rings) * np.pi / rings, indexing="ij")
    ring = np.stack([np.sin(polar) * np.cos(around), np.cos(polar), np.sin(polar) * np.sin(around)], axis=-1)
    vertices = np.concatenate([ring.reshape(-1, 3), [[0.0, 1.0, 0.0], [0.0, -1.0, 0.0]]])
    columns = 2 * rings
    index = np.arange((rings - 1) * columns).reshape(rings - 1, columns)
    right = np.roll(index, -1, axis=1)
    top, bottom = len(vertices) - 2, len(vertices) - 1
    faces = [
        np.stack([index[:-1], right[:-1], index[1:]], axis=-1).reshape(-1, 3),
        np.stack([right[:-1], right[1:], index[1:]], axis=-1).reshape(-1, 3),
        np.stack([np.full(columns, top), right[0], index[0]], axis=-1),
        np.stack([np.full(columns, bottom), index[-1], right[-1]], axis=-1),
    ]
    return vertices, np.concatenate(faces)


def main() -> None:
    mesh = hitscan.Mesh(*sphere(64))
    print(mesh)

    # One ray for each pixel of a small picture: the shape of the rays is the shape of the answers.
    x, y = np.meshgrid(np.linspace(-1.2, 1.2, 48), np.linspace(1.2, -1.2, 24))
    origins = np.stack([x, y, np.full_like(x, 3.0)], axis=-1)
    hits = mesh.cast(origins, [0.0, 0.0, -1.0])
    print(hits)
    shades = np.where(hits.hit, 1 + np.clip(hits.normal[..., 1] * 4 + 4, 0, 7).astype(int), 0)
    for row in shades:
        print("".join(" .:-=+*#@"[shade] for shade in row))

    points = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 0.5], [0.0, 0.0, 2.0]])
    print(mesh.signed_distance(points), mesh.contains(points))
    assert mesh.contains(points).tolist() == [True, True, False]


if __name__ == "__main__":
    main()
