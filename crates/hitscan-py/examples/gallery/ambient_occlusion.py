"""Draws how much of the sky each visible place sees. This is ambient occlusion, by short rays from the surfaces that
the camera sees."""

from __future__ import annotations

import numpy as np
import picture

import hitscan

options = picture.arguments(__doc__, 640)
size = (options.width, options.width * 9 // 16)
samples, reach = 64, 12.0
scene = picture.city(7)
camera = hitscan.Camera.perspective(hitscan.Camera.look_at([45, 40, 70], [0, 2, 2]), np.radians(45))

hits = scene.cast(**camera.rays(size).to_dict())
points, normals = hits.point[hits.hit], hits.normal[hits.hit].astype(np.float64)

# Directions around each normal, with more of them where the surface is lit more. To get one, a point of the unit sphere
# is added to the normal.
random = np.random.default_rng(0)
seen = np.zeros(len(points))
for _ in range(samples):
    ball = random.normal(size=points.shape)
    directions = normals + ball / np.linalg.norm(ball, axis=1, keepdims=True) * 0.999
    # The start is a millimetre above the surface, so that the surface itself is not met.
    seen += ~scene.is_blocked(points + 1e-3 * normals, directions, t_max=reach)

shade = np.ones(size[::-1])
shade[hits.hit] = seen / samples
picture.save(options.path, shade**0.8)
