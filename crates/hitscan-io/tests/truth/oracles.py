"""The hits of rays: by a test of every triangle in f64, and by Embree in f32. See record.py."""

import math
from concurrent.futures import ProcessPoolExecutor

import numpy as np
from embreex.mesh_construction import TriangleMesh
from embreex.rtcore_scene import EmbreeScene

TIE, EDGE = 1, 2  # flags; see record.py


class BruteForce:
    """Tests every ray against every triangle in f64, except for blocks of triangles whose box it misses by a margin.

    The margin is a millionth of the sum of the model's size and the origin's distance. This is hundreds of times the
    tolerance of the tests of triangles (EDGE_TOLERANCE, ROUNDING), so no candidate is left out. (For triangles that lie
    along the ray, rounding makes the test of the triangle uncertain, but not the test of the box.)

    With s = origin - v0 and n = e1 x e2: det = -d.n, u = e2.(s x d)/det, v = -e1.(s x d)/det, t = s.n/det.
    """

    BLOCK = 256  # triangles that share a box
    MARGIN = 1e-6
    EDGE_TOLERANCE = 1e-9
    TIE_TOLERANCE = 1e-6
    ROUNDING = 16 * np.finfo(np.float64).eps

    def __init__(self, triangles):
        self.order = np.argsort(self._along_curve(triangles.mean(1)), kind="stable")
        self.place = np.argsort(self.order)
        triangles = triangles[self.order]
        v0 = triangles[:, 0]
        e1, e2 = triangles[:, 1] - v0, triangles[:, 2] - v0
        n = np.cross(e1, e2)
        edge = np.sqrt(np.maximum((e1 * e1).sum(1), (e2 * e2).sum(1)))
        self.columns = np.ascontiguousarray(np.concatenate([v0, e1, e2, n, edge[:, None]], axis=1).T)
        self.extent = np.sqrt((triangles**2).sum(2).max())
        starts = np.arange(0, len(triangles), self.BLOCK)
        self.low = np.minimum.reduceat(triangles.min(1), starts)
        self.high = np.maximum.reduceat(triangles.max(1), starts)

    @staticmethod
    def _along_curve(points):
        """Returns Morton codes: points near each other mostly have similar codes."""
        size = np.maximum(points.max(0) - points.min(0), 1e-300)
        cells = ((points - points.min(0)) / size * 1023).astype(np.int64)
        bits = [(cells[:, axis] >> bit & 1) << 3 * bit + axis for bit in range(10) for axis in range(3)]
        return sum(bits)

    def _near(self, o, d, reach):
        """Returns the triangles of the blocks whose boxes the ray hits or nearly hits."""
        margin = self.MARGIN * reach
        a, b = (self.low - margin - o) / d, (self.high + margin - o) / d
        enter, leave = np.fmin(a, b), np.fmax(a, b)  # a NaN decides nothing
        enter, leave = np.fmax.reduce(enter, axis=1), np.fmin.reduce(leave, axis=1)
        blocks = np.flatnonzero((enter <= leave) & (leave >= 0))
        places = (blocks[:, None] * self.BLOCK + np.arange(self.BLOCK)).ravel()
        return places[places < len(self.order)]

    def _candidates(self, columns, o, d, rounding):
        """Returns det, u*det, v*det, w*det, the slack of these three, and t*det, with signs so that det >= 0."""
        x, y, z, ax, ay, az, bx, by, bz, nx, ny, nz, edge = columns
        det = -(d[0] * nx + d[1] * ny + d[2] * nz)
        x, y, z = o[0] - x, o[1] - y, o[2] - z
        rx, ry, rz = y * d[2] - z * d[1], z * d[0] - x * d[2], x * d[1] - y * d[0]
        sign = np.copysign(1.0, det)
        u = (bx * rx + by * ry + bz * rz) * sign
        v = -(ax * rx + ay * ry + az * rz) * sign
        det *= sign
        slack = self.EDGE_TOLERANCE * det + rounding * edge
        return det, u, v, det - u - v, slack, (x * nx + y * ny + z * nz) * sign

    def cast(self, o, d, t_min=0.0, t_max=math.inf, holes=None):
        """Returns (index of the nearest triangle or -1, t, flags) for one ray. `holes` decides where the holes are."""
        length = math.sqrt(d @ d)
        reach = math.sqrt(o @ o) + self.extent
        rounding = self.ROUNDING * length * reach
        near = self._near(o, d, reach)
        det, u, v, w, slack, _ = self._candidates(self.columns[:, near], o, d, rounding)
        near = near[(np.minimum(np.minimum(u, v), w) >= -slack) & (det > 0)]
        near = np.sort(self.order[near])
        det, u, v, w, slack, t = self._candidates(self.columns[:, self.place[near]], o, d, rounding)
        t = t / det
        inner = np.minimum(np.minimum(u, v), w)
        end = 1e-9 * reach / length  # the uncertainty of t relative to t_min and t_max
        hit = (inner >= 0) & (t >= t_min) & (t <= t_max)
        in_reach = (t >= t_min - end) & (t <= t_max + end)
        doubtful = in_reach & ((inner <= slack) | (np.abs(t - t_min) <= end) | (np.abs(t - t_max) <= end))
        if holes:
            is_hole, is_near = holes(near, u / det, v / det)
            hit &= ~is_hole
            doubtful = in_reach & (doubtful | is_near)
        if not hit.any():
            return -1, math.inf, EDGE if doubtful.any() else 0
        best = np.flatnonzero(hit)[np.argmin(t[hit])]  # the first of equal t
        margin = self.TIE_TOLERANCE * t[best]
        flags = 0
        if ((in_reach & hit if holes else in_reach) & (np.abs(t - t[best]) <= margin)).sum() > 1:
            flags |= TIE
        if (doubtful & (t <= t[best] + margin)).any():
            flags |= EDGE
        return int(near[best]), float(t[best]), flags

    def plane_t(self, index, o, d):
        """Returns the t of the plane of one given triangle per ray."""
        c = self.columns[:, self.place[index]].T
        return ((c[:, 0:3] - o) * c[:, 9:12]).sum(1) / (d * c[:, 9:12]).sum(1)


class Holes:
    """The holes of a model's cut-out materials."""

    # The uncertainty of a texture coordinate in f32, for coordinates from -1 to 1.
    TOLERANCE = 1e-6

    def __init__(self, model):
        self.of = [None] * sum(len(e.triangles) for e in model.entities)
        first = 0
        for entity in model.entities:
            for start, cut in entity.cuts:
                for k in range(len(cut.uv)):
                    self.of[first + start + k] = cut, k
            first += len(entity.triangles)

    @staticmethod
    def texel(at, size, wrap):
        if wrap == 33071:
            return min(max(at, 0), size - 1)
        if wrap == 33648:
            at %= 2 * size
            return min(at, 2 * size - 1 - at)
        return at % size

    def hole(self, triangle, u, v):
        """Returns whether there is a hole at a point of a triangle. Also returns whether a point right next to it
        differs."""
        if self.of[triangle] is None:
            return False, False
        cut, k = self.of[triangle]
        w = np.array([1 - u - v, u, v])
        factor, (x, y) = w @ cut.factor[k], w @ cut.uv[k]
        slack = self.TOLERANCE * (1 + np.abs(cut.uv[k]).max())
        height, width = cut.alpha.shape

        def alpha(x, y):
            row = self.texel(math.floor(y * height), height, cut.wrap[1])
            return cut.alpha[row, self.texel(math.floor(x * width), width, cut.wrap[0])] * factor

        around = [alpha(x + dx, y + dy) < cut.cutoff for dx in (-slack, slack) for dy in (-slack, slack)]
        at = alpha(x, y)
        return at < cut.cutoff, len(set(around)) > 1 or abs(at - cut.cutoff) <= 1e-6

    def __call__(self, triangles, u, v):
        found = [self.hole(*place) for place in zip(triangles, u, v)]
        return np.array(found, bool).reshape(-1, 2).T


_worker = None


def _start_worker(triangles, holes):
    global _worker
    _worker = BruteForce(triangles), holes
    np.seterr(over="ignore", invalid="ignore", divide="ignore")


def _cast_chunk(rays):
    brute, holes = _worker
    return [brute.cast(o, d, holes=holes) for o, d in zip(*rays)]


def cast_all(triangles, origins, directions, jobs, holes=None):
    chunks = max(1, len(origins) // 50)
    rays = zip(np.array_split(origins, chunks), np.array_split(directions, chunks))
    with ProcessPoolExecutor(jobs, initializer=_start_worker, initargs=(triangles, holes)) as pool:
        found = [r for part in pool.map(_cast_chunk, rays) for r in part]
    index, t, flags = zip(*found)
    return np.array(index), np.array(t), np.array(flags, np.uint8)


class Embree:
    """Embree with the same triangles, rounded to f32. `cast` returns the index of the nearest triangle, or -1."""

    def __init__(self, triangles):
        self.scene = EmbreeScene()
        points = np.ascontiguousarray(triangles.reshape(-1, 3), np.float32)
        index = np.arange(len(points), dtype=np.int32).reshape(-1, 3)
        self.mesh = TriangleMesh(self.scene, points, index)

    def cast(self, origins, directions):
        return self.scene.run(np.ascontiguousarray(origins, np.float32), np.ascontiguousarray(directions, np.float32))
