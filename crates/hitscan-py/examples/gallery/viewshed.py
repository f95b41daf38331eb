"""Draws which ground a tower sees, tile by tile: a viewshed over hills."""

from __future__ import annotations

import numpy as np
import picture

import hitscan

options = picture.arguments(__doc__, 640)
side, cell, tile = 513, 10.0, 128
heights = picture.hills(side, side) * 60
field = hitscan.HeightField(heights, (cell, cell))
scene = hitscan.Scene([field])

tower = np.array([0.45 * side * cell, 0.0, 0.55 * side * cell])
tower[1] = float(field.height_at(tower)) + 30.0

# The middles of the picture's pixels on the ground, a little above it.
count = options.width
middles = (np.arange(count) + 0.5) / count * (side - 1) * cell
x, z = np.meshgrid(middles, middles)
ground = np.stack([x, field.height_at(np.stack([x, np.zeros_like(x), z], axis=-1)) + 0.5, z], axis=-1)

seen = np.zeros((count, count), dtype=bool)
for row in range(0, count, tile):
    for column in range(0, count, tile):
        part = np.s_[row : row + tile, column : column + tile]
        seen[part] = scene.sees(tower, ground[part])
print(f"{seen.mean():.0%} of the ground is seen")

# Hills are shaded by a light from the north-west, and what is not seen is dark.
low, high = ground[..., 1].min(), ground[..., 1].max()
slope_z, slope_x = np.gradient(ground[..., 1], middles[1] - middles[0])
light = np.clip((1.0 + slope_x + slope_z) / np.sqrt(2 * (1 + slope_x**2 + slope_z**2)), 0, 1)
colours = picture.coloured((ground[..., 1] - low) / (high - low)) * (0.45 + 0.55 * light)[..., None]
drawn = np.where(seen[..., None], colours, colours.mean(axis=-1, keepdims=True) * 0.4)
drawn[np.hypot(x - tower[0], z - tower[2]) < 5 * (middles[1] - middles[0])] = [1.0, 0.2, 0.1]
picture.save(options.path, drawn)
