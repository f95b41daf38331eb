"""Draws the points that a lidar on a car measures in a city, from above: 64 beams that turn, on a street."""

from __future__ import annotations

import numpy as np
import picture

import hitscan

options = picture.arguments(__doc__, 640)
scene = picture.city(9)
beams, steps = 64, 1800
up = np.radians(np.linspace(-24, 8, beams))[:, None]
turn = np.linspace(0, 2 * np.pi, steps, endpoint=False)[None]
directions = np.stack([np.cos(up) * np.cos(turn), np.broadcast_to(np.sin(up), (beams, steps)), np.cos(up) * np.sin(turn)], axis=-1)

clouds = []
for place in np.linspace(-60, 60, 13):
    hits = scene.cast([place, 2.0, 10.0], directions, t_max=100.0)
    clouds.append(hits.point[hits.hit])
points = np.concatenate(clouds)
print(f"{len(points):,} points of {len(clouds)} sweeps, {(points[:, 1] > 0.1).mean():.0%} of them above the street")

# The highest point of each pixel is drawn.
reach = 75.0
column, row = ((points[:, [0, 2]] + reach) / (2 * reach) * options.width).astype(int).T
within = (column >= 0) & (column < options.width) & (row >= 0) & (row < options.width)
top = np.full((options.width, options.width), -1.0)
np.maximum.at(top, (row[within], column[within]), points[within, 1])
drawn = np.where((top >= 0)[..., None], picture.coloured(0.25 + top / 26), 0.06)
picture.save(options.path, drawn)
