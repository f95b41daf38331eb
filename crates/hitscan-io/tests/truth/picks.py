"""Picks through cameras that are placed here, and through the cameras of the file. See record.py."""

import math
from collections import Counter
from dataclasses import dataclass

import numpy as np

from rays import SplitMix

FOV_Y_DEGREES = 45.0
SIZES = [(1280, 720), (800, 600), (1920, 1080), (640, 640)]


@dataclass
class View:
    """A camera. f points forward, r right and u up, with unit length. Either `tangent` or `height` is set."""

    eye: np.ndarray
    f: np.ndarray
    r: np.ndarray
    u: np.ndarray
    size: tuple
    tangent: float = 0.0  # tan(fov_y / 2)
    height: float = 0.0  # the height of an orthographic picture
    near: float = 0.0
    far: float = math.inf

    def half(self):
        """Returns half the width and half the height of the picture (at depth 1 for a perspective camera)."""
        half = self.tangent or self.height / 2
        return half * self.size[0] / self.size[1], half

    def ray(self, x, y):
        """Returns the origin, the unit direction and the range of t of the ray through a pixel position."""
        width, height = self.half()
        across = (2 * x / self.size[0] - 1) * width * self.r + (1 - 2 * y / self.size[1]) * height * self.u
        if self.height:
            return self.eye + across, self.f, self.near, self.far
        d = self.f + across
        length = math.sqrt(d @ d)  # t = depth * length, as f is unit and across is perpendicular to it
        return self.eye, d / length, self.near * length, self.far * length

    def project(self, p):
        """Returns the pixel position of a point, or None if the point is outside the picture."""
        depth = (p - self.eye) @ self.f
        width, height = self.half()
        scale = 1.0 if self.height else depth
        if depth <= 0:
            return None
        x, y = (p - self.eye) @ self.r / (width * scale), (p - self.eye) @ self.u / (height * scale)
        if max(abs(x), abs(y)) >= 1:
            return None
        return (x + 1) / 2 * self.size[0], (1 - y) / 2 * self.size[1]


def unit(v):
    return v / math.sqrt(v @ v)


def placed_view(eye, target, size, ortho):
    f = unit(target - eye)
    r = unit(np.cross(f, [0.0, 1.0, 0.0]))
    half = math.tan(math.radians(FOV_Y_DEGREES) / 2)
    lens = {"height": ortho} if ortho else {"tangent": half}
    return View(eye, f, r, np.cross(r, f), size, **lens)


def file_view(camera, size):
    r, u, back = (unit(camera.world[:3, k]) for k in range(3))
    if camera.data["type"] == "perspective":
        lens = camera.data["perspective"]
        kind = {"tangent": math.tan(lens["yfov"] / 2)}
    else:
        lens = camera.data["orthographic"]
        kind = {"height": 2 * lens["ymag"]}
    return View(camera.world[:3, 3], -back, r, u, size, near=lens["znear"], far=lens.get("zfar", math.inf), **kind)


class Picker:
    """Proposes picks, and keeps picks that are spread over the entities."""

    MISSES = 3  # the number of placed picks that should miss
    TRIES = 60  # proposals per pick kept

    def __init__(self, model, seed, brute, embree, holes, flat, polygon):
        self.model, self.brute, self.embree, self.holes = model, brute, embree, holes
        self.triangles, self.entity, self.triangle, self.primitive = flat
        self.polygon = polygon
        self.random = SplitMix(seed)
        self.seen = Counter()
        lo, hi = self.triangles.min((0, 1)), self.triangles.max((0, 1))
        self.diagonal = math.sqrt((hi - lo) @ (hi - lo))
        self.digits = max(1, 2 - math.floor(math.log10(self.diagonal)))

    def record(self, view, at):
        """Returns the record of one pick."""
        index, answer = self.answer(view, at)
        if index >= 0:
            number = int(self.entity[index])
            self.seen[number] += 1
            self.seen[number, int(self.primitive[index])] += 1
        if self.holes:
            answer["through_holes"] = self.answer(view, at, self.holes)[1]
        return answer

    def answer(self, view, at, holes=None):
        """Returns the index of the triangle under a pixel, and the recorded answer."""
        o, d, near, far = view.ray(*at)
        index, t, flags = self.brute.cast(o, d, near, far, holes)
        ambiguous = flags != 0
        for dx, dy in [(-0.01, 0), (0.01, 0), (0, -0.01), (0, 0.01)]:
            ambiguous |= self.brute.cast(*view.ray(at[0] + dx, at[1] + dy), holes)[0] != index
        if index < 0:
            return index, {"hit": None, "ambiguous": ambiguous}
        entity = self.model.entities[int(self.entity[index])]
        triangle = None if self.polygon[index] else int(self.triangle[index])
        hit = {"entity": entity.name, "node": entity.node, "triangle": triangle, "t": t}
        if entity.joints:
            joint, is_doubtful = entity.joint(int(self.triangle[index]), o + t * d)
            hit["joint_node"], hit["joint"] = entity.joints[joint]
            ambiguous |= bool(is_doubtful)
        return index, {"hit": hit, "ambiguous": ambiguous}

    def rank(self, view, at):
        """Returns how often the entity and primitive under a pixel (by Embree) were picked before; None on a miss."""
        o, d, near, _ = view.ray(*at)
        index = int(self.embree.cast((o + near * d)[None], d[None])[0])
        if index < 0:
            return None
        number = int(self.entity[index])
        return self.seen[number], self.seen[number, int(self.primitive[index])]

    def some_point(self):
        """Returns a point on a random entity, with the same probability for every entity."""
        entity = self.model.entities[self.random.below(len(self.model.entities))]
        corner = entity.triangles[self.random.below(len(entity.triangles))]
        a, b = self.random.uniform(0.1, 0.45), self.random.uniform(0.1, 0.45)
        return corner[0] * (1 - a - b) + corner[1] * a + corner[2] * b

    def pixel(self, at):
        """Returns a pixel position near this one: at the middle or the corner of a pixel, or between."""
        x, y = at
        kind = self.random.below(3)
        if kind == 0:
            return [math.floor(x) + 0.5, math.floor(y) + 0.5]
        if kind == 1:
            return [float(round(x)), float(round(y))]
        return [round(x, 2), round(y, 2)]

    def proposal(self, orthographic):
        """Returns a view of a point of an entity from around it, the target near the point, and the point's pixel."""
        while True:
            p = self.some_point()
            distance = self.diagonal * self.random.uniform(0.05, 0.6)
            way = self.random.vector(-1, 1)
            way[1] = abs(way[1]) * 0.8
            eye = np.round(p + unit(way) * distance, self.digits)
            target = np.round(p + self.random.vector(-0.25, 0.25) * distance, self.digits)
            height = round(distance * self.random.uniform(0.5, 1.5), self.digits) if orthographic else None
            look = target - eye
            if math.hypot(look[0], look[2]) < 0.05 * distance:
                continue
            view = placed_view(eye, target, SIZES[self.random.below(len(SIZES))], height)
            at = view.project(p)
            if at:
                return view, target, self.pixel(at)

    def placed(self, count, orthographic):
        picks = []
        for k in range(count):
            ortho, want_miss = k % (count // orthographic) == 2, k % (count // self.MISSES) == 6
            best = None
            for _ in range(self.TRIES):
                view, target, at = self.proposal(ortho)
                if want_miss:
                    at = [round(self.random.uniform(0, s), 1) for s in view.size]
                rank = self.rank(view, at)
                if want_miss:
                    rank = (0, 0) if rank is None else (1, 0)
                if rank is not None and (best is None or rank < best[0]):
                    best = rank, view, target, at
                if rank == (0, 0):
                    break
            _, view, target, at = best
            lens = {"ortho": view.height} if ortho else {"fov_y_degrees": FOV_Y_DEGREES}
            pick = {"eye": view.eye.tolist(), "target": target.tolist(), "up": [0.0, 1.0, 0.0], **lens}
            picks.append({**pick, "size": view.size, "at": at, **self.record(view, at)})
        return picks

    def through_file_cameras(self, count):
        picks = []
        for camera in self.model.cameras:
            for k in range(count):
                size = (640, 640) if camera.data["type"] == "orthographic" else SIZES[k % 2]
                view = file_view(camera, size)
                best = None
                for _ in range(self.TRIES):
                    at = view.project(self.some_point())
                    if at is None or k == count - 1:  # the last pick is anywhere in the picture
                        at = [self.random.uniform(0, s) for s in size]
                    at = self.pixel(at)
                    rank = self.rank(view, at) or (math.inf, 0)
                    if best is None or rank < best[0]:
                        best = rank, at
                    if rank == (0, 0) or k == count - 1:
                        break
                pick = {"camera": camera.index, "camera_node": camera.node, "size": size, "at": best[1]}
                picks.append({**pick, **self.record(view, best[1])})
        return picks
