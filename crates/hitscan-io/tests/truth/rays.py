"""The rays that follow from a seed. See record.py."""

import numpy as np

MASK = (1 << 64) - 1


def fnv1a(data):
    h = 0xCBF29CE484222325
    for byte in data:
        h = (h ^ byte) * 0x100000001B3 & MASK
    return h


class SplitMix:
    def __init__(self, seed):
        self.state = seed

    def uniform(self, low=0.0, high=1.0):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
        return low + (high - low) * (((z ^ z >> 31) >> 11) * 2.0**-53)

    def below(self, n):
        return int(self.uniform() * n)

    def vector(self, low, high):
        return np.array([self.uniform(low, high) for _ in range(3)])


def make_rays(seed, lo, hi, count):
    """Returns the rays that the docstring of record.py defines: f32 origins and directions."""
    random = SplitMix(seed)
    a = np.array([random.uniform() for _ in range(6 * count)]).reshape(count, 2, 3)
    lo, hi = lo.astype(np.float64), hi.astype(np.float64)
    size = hi - lo
    inside, aim = lo + a[:, 0] * size, 2 * a[:, 1] - 1
    outside = (lo + hi) * 0.5 + (1.5 * size) * (2 * a[:, 0] - 1)
    towards = (lo + a[:, 1] * size) - outside
    even = (np.arange(count) % 2 == 0)[:, None]
    return np.where(even, inside, outside).astype(np.float32), np.where(even, aim, towards).astype(np.float32)


def bounds(triangles):
    """Returns the bounds in which rays start and aim, wider than the triangles where these are flat."""
    lo, hi = triangles.min((0, 1)), triangles.max((0, 1))
    size = (hi - lo).max()
    flat = np.where(hi - lo < 1e-3 * size, size / 4, 0)
    return (lo - flat).astype("<f4"), (hi + flat).astype("<f4")
