"""Pictures of what a camera sees, as arrays."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._hitscan import Camera, Mesh, Scene


def render(
    what: Scene | Mesh,
    camera: Camera,
    viewport: tuple[int, int],
    *,
    mode: Literal["shaded", "depth", "normal", "key"] = "shaded",
    light: ArrayLike | None = None,
    samples: int = 1,
    background: float = 1.0,
    threads: int | None = None,
) -> NDArray[Any]:
    """Returns a picture of a scene or mesh: an array of shape (height, width), with the viewport's width and height.

    `mode="shaded"` is a float32 from 0 to 1: how much a surface faces the light. `light` is the direction towards the light, by default towards the
    camera; there are no shadows. `samples` rays along each side of a pixel make edges smooth. "depth" is the distance along the view axis in float64,
    infinity where nothing is. "normal" has the shape (height, width, 3). "key" is the key of the entity, or the triangle if a mesh is rendered; -1 where
    nothing is.
    """
    if mode not in ("shaded", "depth", "normal", "key"):
        raise ValueError(f'mode is {mode!r}, but must be "shaded", "depth", "normal" or "key"')
    if samples < 1 or (samples > 1 and mode != "shaded"):
        raise ValueError(f'samples is {samples}, but must be 1, or more with mode="shaded"')
    width, height = viewport
    rays = camera.rays((width * samples, height * samples), threads=threads)
    hits = what.cast(**rays.to_dict(), threads=threads)
    if mode == "key":
        return hits.key if isinstance(what, Scene) else hits.triangle  # type: ignore[union-attr]
    if mode == "normal":
        return hits.normal
    if mode == "depth":
        depth: NDArray[np.float64] = (hits.point - camera.position) @ camera.forward
        return np.where(hits.hit, depth, np.inf)
    facing = hits.normal * np.where(hits.side < 0, -1, 1)[..., None].astype(np.float32)
    towards = -rays.directions if light is None else _unit(light)
    shade = np.clip((facing * towards).sum(axis=-1), 0.0, 1.0) * 0.8 + 0.15
    picture = np.where(hits.hit, shade, np.float32(background)).astype(np.float32)
    smooth: NDArray[np.float32] = picture.reshape(height, samples, width, samples).mean(axis=(1, 3))
    return smooth


def _unit(light: ArrayLike) -> NDArray[np.float32]:
    vector = np.asarray(light, dtype=np.float32)
    length = float(np.linalg.norm(vector)) if vector.shape == (3,) else 0.0
    if not (0.0 < length < np.inf):
        raise ValueError(f"light is {vector.tolist()}, but must be a direction of shape (3,) that is finite and not zero")
    return vector / np.float32(length)
