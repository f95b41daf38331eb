"""Answers by rational numbers, triangle by triangle. It shares nothing with hitscan."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Vector = Sequence[Fraction]


def exact(vector: NDArray[np.float32]) -> list[Fraction]:
    return [Fraction(float(x)) for x in vector]


def sub(a: Vector, b: Vector) -> list[Fraction]:
    return [x - y for x, y in zip(a, b)]


def cross(a: Vector, b: Vector) -> list[Fraction]:
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def dot(a: Vector, b: Vector) -> Fraction:
    return sum((x * y for x, y in zip(a, b)), Fraction(0))


def hits(
    vertices: NDArray[np.float32], faces: NDArray[np.int64], origin: NDArray[np.float32], direction: NDArray[np.float32]
) -> Iterator[tuple[Fraction, int, int]]:
    """Yields t, triangle and side of each triangle that a ray hits; edges and corners belong to triangles."""
    o, d = exact(origin), exact(direction)
    for number, face in enumerate(faces):
        a, b, c = (exact(vertices[i]) for i in face)
        ab, ac, ao = sub(b, a), sub(c, a), sub(o, a)
        p = cross(d, ac)
        determinant = dot(ab, p)
        if determinant == 0:
            continue
        q = cross(ao, ab)
        u, v, t = dot(ao, p) / determinant, dot(d, q) / determinant, dot(ac, q) / determinant
        if u >= 0 and v >= 0 and u + v <= 1 and t >= 0:
            yield t, number, 1 if determinant > 0 else -1


def is_nearest_float32(value: np.float32, number: Fraction) -> bool:
    """Returns whether no float32 is nearer to a number."""
    error = abs(Fraction(float(value)) - number)
    others = (np.nextafter(value, np.float32(towards)) for towards in (-np.inf, np.inf))
    return all(error <= abs(Fraction(float(other)) - number) for other in others)
