"""Draws a slice through the signed distances of a mesh: cold inside, warm outside, with lines of equal distance."""

from __future__ import annotations

import numpy as np
import picture

import hitscan

options = picture.arguments(__doc__, 480)


def knot(around: int, along: int) -> hitscan.Mesh:
    """Returns a tube along a trefoil knot."""
    s = np.linspace(0, 2 * np.pi, along, endpoint=False)
    line = np.stack([np.sin(s) + 2 * np.sin(2 * s), np.cos(s) - 2 * np.cos(2 * s), -np.sin(3 * s)], axis=-1)
    forward = np.roll(line, -1, axis=0) - np.roll(line, 1, axis=0)
    forward /= np.linalg.norm(forward, axis=1, keepdims=True)
    side = np.cross(forward, [0.0, 0.0, 1.0])
    side /= np.linalg.norm(side, axis=1, keepdims=True)
    up = np.cross(side, forward)
    turn = np.linspace(0, 2 * np.pi, around, endpoint=False)[:, None]
    ring = line[:, None] + 0.45 * (np.cos(turn) * side[:, None] + np.sin(turn) * up[:, None])
    index = np.arange(along * around).reshape(along, around)
    right, next_ring = np.roll(index, -1, axis=1), np.roll(index, -1, axis=0)
    corner = np.roll(right, -1, axis=0)
    faces = np.concatenate([np.stack([index, next_ring, right], -1).reshape(-1, 3), np.stack([right, next_ring, corner], -1).reshape(-1, 3)])
    return hitscan.Mesh(ring.reshape(-1, 3), faces)


mesh = knot(48, 400)
middle = np.linspace(-3.6, 3.6, options.width)
x, y = np.meshgrid(middle, -middle)
distance = mesh.signed_distance(np.stack([x, y, np.full_like(x, 0.2)], axis=-1))
print(f"{mesh}, inside of {(distance < 0).mean():.1%} of the slice")

colours = np.where((distance < 0)[..., None], [0.25, 0.45, 0.75], [0.95, 0.75, 0.45])
fade = 1 - 0.55 * np.exp(-3 * np.abs(distance))
lines = 0.85 + 0.15 * np.clip(np.abs((distance / 0.15) % 1 - 0.5) * 12 - 0.6, 0, 1)
border = np.clip(np.abs(distance) / (1.5 * (middle[1] - middle[0])), 0, 1)
picture.save(options.path, colours * (fade * lines * border)[..., None])
