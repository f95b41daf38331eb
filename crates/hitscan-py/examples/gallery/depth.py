"""Draws how far away everything is: a depth picture of a city."""

from __future__ import annotations

import numpy as np
import picture

import hitscan

options = picture.arguments(__doc__, 640)
size = (options.width, options.width * 9 // 16)
scene = picture.city(9)
camera = hitscan.Camera.perspective(hitscan.Camera.look_at([70, 55, 95], [0, 0, 5]), np.radians(45))

depth = hitscan.render(scene, camera, size, mode="depth")
seen = np.isfinite(depth)
near, far = depth[seen].min(), min(depth[seen].max(), 300.0)
picture.save(options.path, np.where(seen[..., None], picture.coloured(1 - (depth - near) / (far - near)), 1.0))
