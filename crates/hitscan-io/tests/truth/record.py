#!/usr/bin/env python3
"""Records what rays and picks hit in real models, independently of hitscan.

    python3 -m venv VENV && VENV/bin/pip install numpy embreex==4.4.0.post1
    VENV/bin/python record.py MODELS_DIR OUT_DIR [file ...]

Files are named relative to MODELS_DIR; without any, the list DEFAULT_FILES is recorded. Nothing here is
shared with hitscan: the file is read with json and numpy, the node hierarchy is flattened to world-space
triangles in f64, and every ray is tested against every triangle in f64 (Moller-Trumbore). Embree answers the
same rays in f32; each disagreement is counted and printed, and the f64 answer is the one recorded.

Conventions
-----------
Entities: one per node of the default scene (or of the first) that shows a mesh, known by its node index.
`triangle` counts through the node's primitives in file order; degenerate triangles keep their number;
points and lines are skipped. Skinned, morphed, instanced and compressed models are refused, not guessed at; a
further format is a further function in READERS. World position = f64 product of the node matrices * f32 vertex.
No culling, no cut-outs, t in [0, inf), t in multiples of the ray's direction. Equal t: the node met first
in a depth-first walk, then the lower triangle.

OUT_DIR/<stem>.truth
--------------------
Little endian, no padding:

    8 bytes  magic b"HSTRUTH1"
    u64      seed: FNV-1a-64 of the file name's bytes ("truck-town.glb", no folder)
    u32      number of rays
    6 x f32  lo.xyz, hi.xyz: bounds of the world-space triangles, rounded to f32
    then for every ray 17 bytes:
    i32      node, -1 on a miss
    i32      triangle, -1 on a miss
    f64      t, +inf on a miss
    u8       flags: bit 0 (TIE)   another triangle at the same t, to 1e-6 relative;
                    bit 1 (EDGE)  the nearest hit, or a candidate not behind it, is within 1e-9 (barycentric), or
                                  within f64 rounding, of an edge, or of t = 0: f64 cannot tell hit from miss

Rays are not stored, they follow from seed and bounds. One splitmix64 stream for the whole file:

    state += 0x9E3779B97F4A7C15; z = state
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9; z = (z ^ z >> 27) * 0x94D049BB133111EB; next = z ^ z >> 31
    uniform = (next >> 11) * 2^-53

Each ray draws six uniforms a0..a5. In f64 (bounds widened from f32, operations in the order written, no fused
multiply-add), with size = hi - lo, and per component k = 0, 1, 2:

    even ray:  origin = lo + a[k] * size
               direction = 2 * a[3+k] - 1
    odd ray:   origin = (lo + hi) * 0.5 + (1.5 * size) * (2 * a[k] - 1)
               direction = (lo + a[3+k] * size) - origin          (the f64 origin)

then origin and direction are each rounded once to f32. The direction is not normalised.

OUT_DIR/<stem>.picks.json
-------------------------
{"model", "picks": [...]}; a pick has

    eye, target, up      a camera placed by hand, and fov_y_degrees or ortho (the visible height), or
    camera, camera_node  a camera of the file (index in `cameras`, and the node that carries it): its own yfov
                         or 2 * ymag as the height, aspect from the size, clipped to [znear, zfar] by view depth
    size                 [width, height] of the window in pixels
    at                   [x, y] in window pixels: origin top-left, y down, (0, 0) the picture's corner
    hit                  null, or entity (node name, else mesh name, else node<N>), node, triangle,
                         t: world distance from the eye (orthographic: from the eye's plane)
    ambiguous            the answer is flagged as above, or is another triangle 0.01 pixels away
"""

import argparse
import base64
import json
import math
import struct
import sys
import urllib.parse
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from embreex.mesh_construction import TriangleMesh
from embreex.rtcore_scene import EmbreeScene

DEFAULT_FILES = [
    "scenes/truck-town.glb",
    "scenes/tps-level-lights.glb",
    "transforms/truck-flat-mirrored.glb",
    "interiors/sponza.glb",
    "scenes/2CylinderEngine.glb",
    "cameras/geometry-camera-light.glb",
]

MAGIC = b"HSTRUTH1"
TIE, EDGE = 1, 2
RECORD = np.dtype([("node", "<i4"), ("triangle", "<i4"), ("t", "<f8"), ("flags", "u1")])


# ---------------------------------------------------------------- model


@dataclass
class Entity:
    name: str
    node: int
    triangles: np.ndarray  # (n, 3, 3) f64, world space
    primitive: np.ndarray  # (n,) which primitive a triangle belongs to


@dataclass
class FileCamera:
    index: int
    node: int
    world: np.ndarray  # 4x4
    data: dict  # the glTF camera


@dataclass
class Model:
    entities: list = field(default_factory=list)
    cameras: list = field(default_factory=list)

    def flatten(self):
        """All triangles (n, 3, 3) with their node, number within the node, and primitive."""
        own = [np.arange(len(e.triangles)) for e in self.entities]
        node = [np.full(len(e.triangles), e.node) for e in self.entities]
        return (
            np.concatenate([e.triangles for e in self.entities]),
            np.concatenate(node),
            np.concatenate(own),
            np.concatenate([e.primitive for e in self.entities]),
        )


# ---------------------------------------------------------------- glTF

COMPONENTS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
# Required extensions that change neither where a triangle is nor whether it is there.
HARMLESS = {"KHR_lights_punctual", "KHR_mesh_quantization", "KHR_texture_transform", "KHR_materials_unlit"}


class Gltf:
    """A parsed glTF 2.0 file and its buffers."""

    def __init__(self, path):
        data = path.read_bytes()
        embedded = None
        if data[:4] == b"glTF":
            chunks = dict(self._chunks(data))
            data, embedded = chunks[b"JSON"], chunks.get(b"BIN\0")
        self.json = json.loads(data.decode("utf-8-sig"))
        unknown = set(self.json.get("extensionsRequired", [])) - HARMLESS
        if unknown:
            raise NotImplementedError(f"{path.name} requires {', '.join(sorted(unknown))}")
        self.buffers = [
            self._buffer(path.parent, b["uri"]) if "uri" in b else embedded for b in self.json.get("buffers", [])
        ]

    @staticmethod
    def _chunks(data):
        version, length = struct.unpack_from("<II", data, 4)
        if version != 2:
            raise NotImplementedError(f"GLB version {version}")
        at = 12
        while at + 8 <= length:
            size, kind = struct.unpack_from("<I4s", data, at)
            yield kind, data[at + 8 : at + 8 + size]
            at += 8 + size

    @staticmethod
    def _buffer(folder, uri):
        if uri.startswith("data:"):
            return base64.b64decode(uri.split(",", 1)[1])
        return (folder / urllib.parse.unquote(uri)).read_bytes()

    def _view(self, view, offset, component, width, count):
        """`count` elements of `width` components in a buffer view, honouring its stride."""
        view = self.json["bufferViews"][view]
        dtype = np.dtype(COMPONENTS[component])
        stride = view.get("byteStride", dtype.itemsize * width)
        start = view.get("byteOffset", 0) + offset
        strides = (stride, dtype.itemsize)
        return np.ndarray((count, width), dtype, self.buffers[view["buffer"]], start, strides)

    def accessor(self, index):
        """An accessor's values (count, width): integers as they are, normalised ones as f32."""
        a = self.json["accessors"][index]
        component, count, width = a["componentType"], a["count"], WIDTHS[a["type"]]
        if "bufferView" in a:
            values = self._view(a["bufferView"], a.get("byteOffset", 0), component, width, count)
        else:
            values = np.zeros((count, width), COMPONENTS[component])
        if "sparse" in a:
            s = a["sparse"]
            i, v = s["indices"], s["values"]
            values = values.copy()
            at = self._view(i["bufferView"], i.get("byteOffset", 0), i["componentType"], 1, s["count"])
            values[at[:, 0]] = self._view(v["bufferView"], v.get("byteOffset", 0), component, width, s["count"])
        if a.get("normalized"):
            values = np.maximum(values / np.float64(np.iinfo(values.dtype).max), -1.0).astype(np.float32)
        return values


def corners(mode, index):
    """Vertex indices (n, 3) of a primitive's triangles, by glTF 2.0 section 3.7.2.1."""
    if mode == 4:
        return index[: len(index) // 3 * 3].reshape(-1, 3)
    i = np.arange(max(len(index) - 2, 0))
    if mode == 5:
        return np.stack([index[i], index[i + 1 + i % 2], index[i + 2 - i % 2]], axis=-1)
    if mode == 6:
        return np.stack([index[i + 1], index[i + 2], index[i * 0]], axis=-1)
    return np.empty((0, 3), int)


def local_matrix(node):
    """A node's 4x4 matrix in f64."""
    if "matrix" in node:
        return np.array(node["matrix"], np.float64).reshape(4, 4).T
    x, y, z, w = node.get("rotation", [0.0, 0.0, 0.0, 1.0])
    m = np.eye(4)
    m[:3, :3] = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    m[:3, :3] *= np.array(node.get("scale", [1.0, 1.0, 1.0]), np.float64)
    m[:3, 3] = node.get("translation", [0.0, 0.0, 0.0])
    return m


def transform(m, p):
    """m * (p, 1), summed in a fixed order (a matrix product may be fused, and differ between machines)."""
    p = p.astype(np.float64)
    x, y, z = (p[..., k, None] for k in range(3))
    return x * m[:3, 0] + y * m[:3, 1] + z * m[:3, 2] + m[:3, 3]


def read_gltf(path):
    gltf = Gltf(path)
    j = gltf.json
    nodes, model = j.get("nodes", []), Model()

    def mesh(number):
        """Local triangles (n, 3, 3) of a mesh in f32 and the primitive of each."""
        shown, primitive = [np.empty((0, 3, 3), np.float32)], [np.empty(0, int)]
        for k, p in enumerate(j["meshes"][number]["primitives"]):
            if "POSITION" not in p["attributes"]:
                continue
            points = gltf.accessor(p["attributes"]["POSITION"]).astype(np.float32)
            index = gltf.accessor(p["indices"])[:, 0].astype(int) if "indices" in p else np.arange(len(points))
            shown.append(points[corners(p.get("mode", 4), index)])
            primitive.append(np.full(len(shown[-1]), k))
        return np.concatenate(shown), np.concatenate(primitive)

    def walk(number, parent):
        node = nodes[number]
        world = parent @ local_matrix(node)
        if "mesh" in node:
            data = j["meshes"][node["mesh"]]
            if "skin" in node or any(node.get("weights", data.get("weights", []))):
                raise NotImplementedError(f"node {number} is skinned or morphed")
            if "EXT_mesh_gpu_instancing" in node.get("extensions", {}):
                raise NotImplementedError(f"node {number} is instanced")
            triangles, primitive = mesh(node["mesh"])
            name = node.get("name") or data.get("name") or f"node{number}"
            model.entities.append(Entity(name, number, transform(world, triangles), primitive))
        if "camera" in node:
            model.cameras.append(FileCamera(node["camera"], number, world, j["cameras"][node["camera"]]))
        for child in node.get("children", []):
            walk(child, world)

    for root in j["scenes"][j.get("scene", 0)].get("nodes", []):
        walk(root, np.eye(4))
    return model


READERS = {".glb": read_gltf, ".gltf": read_gltf}


# ---------------------------------------------------------------- the two oracles


class BruteForce:
    """Every ray against every triangle, in f64.

    With s = origin - v0 and n = e1 x e2: det = -d.n, u = e2.(s x d)/det, v = -e1.(s x d)/det, t = s.n/det.
    """

    BLOCK = 8192  # triangles at a time, so that the temporaries stay in the cache
    EDGE_TOLERANCE = 1e-9
    TIE_TOLERANCE = 1e-6
    ROUNDING = 16 * np.finfo(np.float64).eps

    def __init__(self, triangles):
        v0 = triangles[:, 0]
        e1, e2 = triangles[:, 1] - v0, triangles[:, 2] - v0
        n = np.cross(e1, e2)
        edge = np.sqrt(np.maximum((e1 * e1).sum(1), (e2 * e2).sum(1)))
        self.columns = np.ascontiguousarray(np.concatenate([v0, e1, e2, n, edge[:, None]], axis=1).T)
        self.extent = np.sqrt((v0 * v0).sum(1).max())

    def _candidates(self, columns, o, d, rounding):
        """det, u*det, v*det, w*det, t*det, all turned so that det >= 0, and the slack of u, v and w."""
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

    def cast(self, o, d, t_min=0.0, t_max=math.inf):
        """(index of the nearest triangle or -1, t, flags) for one ray."""
        length = math.sqrt(d @ d)
        reach = math.sqrt(o @ o) + self.extent
        rounding = self.ROUNDING * length * reach
        near = []
        for at in range(0, self.columns.shape[1], self.BLOCK):
            det, u, v, w, slack, _ = self._candidates(self.columns[:, at : at + self.BLOCK], o, d, rounding)
            inside = np.minimum(np.minimum(u, v), w) >= -slack
            near.append(at + np.flatnonzero(inside & (det > 0)))
        near = np.concatenate(near)
        det, u, v, w, slack, t = self._candidates(self.columns[:, near], o, d, rounding)
        t = t / det
        inner = np.minimum(np.minimum(u, v), w)
        end = 1e-9 * reach / length  # how well t_min and t_max can be told
        hit = (inner >= 0) & (t >= t_min) & (t <= t_max)
        in_reach = (t >= t_min - end) & (t <= t_max + end)
        doubtful = in_reach & ((inner <= slack) | (np.abs(t - t_min) <= end) | (np.abs(t - t_max) <= end))
        if not hit.any():
            return -1, math.inf, EDGE if doubtful.any() else 0
        best = np.flatnonzero(hit)[np.argmin(t[hit])]  # the first of equal ones
        margin = self.TIE_TOLERANCE * t[best]
        flags = 0
        if (in_reach & (np.abs(t - t[best]) <= margin)).sum() > 1:
            flags |= TIE
        if (doubtful & (t <= t[best] + margin)).any():
            flags |= EDGE
        return int(near[best]), float(t[best]), flags

    def plane_t(self, index, o, d):
        """t of the planes of given triangles, one per ray."""
        c = self.columns[:, index].T
        return ((c[:, 0:3] - o) * c[:, 9:12]).sum(1) / (d * c[:, 9:12]).sum(1)


_worker = None


def _start_worker(triangles):
    global _worker
    _worker = BruteForce(triangles)
    np.seterr(over="ignore", invalid="ignore", divide="ignore")


def _cast_chunk(rays):
    return [_worker.cast(o, d) for o, d in zip(*rays)]


def cast_all(triangles, origins, directions, jobs):
    chunks = max(1, len(origins) // 50)
    rays = zip(np.array_split(origins, chunks), np.array_split(directions, chunks))
    with ProcessPoolExecutor(jobs, initializer=_start_worker, initargs=(triangles,)) as pool:
        found = [r for part in pool.map(_cast_chunk, rays) for r in part]
    index, t, flags = zip(*found)
    return np.array(index), np.array(t), np.array(flags, np.uint8)


class Embree:
    """The same triangles rounded to f32, asked for the nearest triangle or -1."""

    def __init__(self, triangles):
        self.scene = EmbreeScene()
        points = np.ascontiguousarray(triangles.reshape(-1, 3), np.float32)
        index = np.arange(len(points), dtype=np.int32).reshape(-1, 3)
        self.mesh = TriangleMesh(self.scene, points, index)

    def cast(self, origins, directions):
        return self.scene.run(np.ascontiguousarray(origins, np.float32), np.ascontiguousarray(directions, np.float32))


# ---------------------------------------------------------------- rays

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
    """The rays of the docstring: f32 origins and directions."""
    random = SplitMix(seed)
    a = np.array([random.uniform() for _ in range(6 * count)]).reshape(count, 2, 3)
    lo, hi = lo.astype(np.float64), hi.astype(np.float64)
    size = hi - lo
    inside, aim = lo + a[:, 0] * size, 2 * a[:, 1] - 1
    outside = (lo + hi) * 0.5 + (1.5 * size) * (2 * a[:, 0] - 1)
    towards = (lo + a[:, 1] * size) - outside
    even = (np.arange(count) % 2 == 0)[:, None]
    return np.where(even, inside, outside).astype(np.float32), np.where(even, aim, towards).astype(np.float32)


def compare(brute, found, t, embree, origins, directions):
    """Counts how Embree's answers differ from the f64 ones."""
    kinds = Counter()
    rows = np.flatnonzero(found != embree)
    both = rows[(found[rows] >= 0) & (embree[rows] >= 0)]
    kinds["Embree misses"] = int((embree[rows] < 0).sum())
    kinds["only Embree hits"] = int((found[rows] < 0).sum())
    off = (brute.plane_t(embree[both], origins[both], directions[both]) - t[both]) / t[both]
    same = np.abs(off) <= 1e-9
    kinds["same t to 1e-9 (no disagreement)"] = int(same.sum())
    kinds["same t to 1e-6"] = int((~same & (np.abs(off) <= 1e-6)).sum())
    kinds["Embree farther"] = int((off > 1e-6).sum())
    kinds["Embree nearer"] = int((off < -1e-6).sum())
    return {k: v for k, v in kinds.items() if v}


# ---------------------------------------------------------------- picks

FOV_Y_DEGREES = 45.0
SIZES = [(1280, 720), (800, 600), (1920, 1080), (640, 640)]


@dataclass
class View:
    """A camera: f looks forward, r right, u up, all unit length. One of `tangent` and `height` is set."""

    eye: np.ndarray
    f: np.ndarray
    r: np.ndarray
    u: np.ndarray
    size: tuple
    tangent: float = 0.0  # tan(fov_y / 2)
    height: float = 0.0  # of the orthographic picture
    near: float = 0.0
    far: float = math.inf

    def half(self):
        """Half width and height of the picture (at depth 1 for a perspective camera)."""
        half = self.tangent or self.height / 2
        return half * self.size[0] / self.size[1], half

    def ray(self, x, y):
        """Origin, unit direction and range of t of the ray through a pixel position."""
        width, height = self.half()
        across = (2 * x / self.size[0] - 1) * width * self.r + (1 - 2 * y / self.size[1]) * height * self.u
        if self.height:
            return self.eye + across, self.f, self.near, self.far
        d = self.f + across
        length = math.sqrt(d @ d)  # t = depth * length, as f is unit and across is perpendicular to it
        return self.eye, d / length, self.near * length, self.far * length

    def project(self, p):
        """The pixel position of a point, or None outside the picture."""
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
    """Proposes picks, and keeps those that spread over the entities."""

    MISSES = 3  # of the placed picks, wanted
    TRIES = 60  # proposals per pick kept

    def __init__(self, model, seed, brute, embree, flat):
        self.model, self.brute, self.embree = model, brute, embree
        self.triangles, self.node, self.triangle, self.primitive = flat
        self.random = SplitMix(seed)
        self.names = {e.node: e.name for e in model.entities}
        self.seen = Counter()
        lo, hi = self.triangles.min((0, 1)), self.triangles.max((0, 1))
        self.diagonal = math.sqrt((hi - lo) @ (hi - lo))
        self.digits = max(1, 2 - math.floor(math.log10(self.diagonal)))

    def record(self, view, at):
        """The truth of one pick."""
        o, d, near, far = view.ray(*at)
        index, t, flags = self.brute.cast(o, d, near, far)
        ambiguous = flags != 0
        for dx, dy in [(-0.01, 0), (0.01, 0), (0, -0.01), (0, 0.01)]:
            o, d, near, far = view.ray(at[0] + dx, at[1] + dy)
            ambiguous |= self.brute.cast(o, d, near, far)[0] != index
        hit = None
        if index >= 0:
            node = int(self.node[index])
            self.seen[node] += 1
            self.seen[node, int(self.primitive[index])] += 1
            hit = {"entity": self.names[node], "node": node, "triangle": int(self.triangle[index]), "t": t}
        return {"hit": hit, "ambiguous": ambiguous}

    def rank(self, view, at):
        """How often the thing under a pixel was picked already (Embree's answer is good enough); None on a miss."""
        o, d, near, _ = view.ray(*at)
        index = int(self.embree.cast((o + near * d)[None], d[None])[0])
        if index < 0:
            return None
        node = int(self.node[index])
        return self.seen[node], self.seen[node, int(self.primitive[index])]

    def some_point(self):
        """A point on some entity, every entity equally likely."""
        entity = self.model.entities[self.random.below(len(self.model.entities))]
        corner = entity.triangles[self.random.below(len(entity.triangles))]
        a, b = self.random.uniform(0.1, 0.45), self.random.uniform(0.1, 0.45)
        return corner[0] * (1 - a - b) + corner[1] * a + corner[2] * b

    def pixel(self, at):
        """Pixel positions on halves, on whole pixels, and between."""
        x, y = at
        kind = self.random.below(3)
        if kind == 0:
            return [math.floor(x) + 0.5, math.floor(y) + 0.5]
        if kind == 1:
            return [float(round(x)), float(round(y))]
        return [round(x, 2), round(y, 2)]

    def proposal(self, orthographic):
        """Look past a point of an entity, from somewhere around it."""
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
                    if at is None or k == count - 1:  # the last one anywhere in the picture
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


# ---------------------------------------------------------------- the program


def record(path, out, args):
    model = READERS[path.suffix.lower()](path)
    flat = model.flatten()
    triangles, node, triangle, _ = flat
    lo, hi = triangles.min((0, 1)).astype("<f4"), triangles.max((0, 1)).astype("<f4")
    print(f"{path.name}: {len(model.entities)} entities, {len(triangles)} triangles, bounds {lo} {hi}", flush=True)

    seed = fnv1a(path.name.encode())
    origins, directions = make_rays(seed, lo, hi, args.rays)
    wide = origins.astype(np.float64), directions.astype(np.float64)
    brute, embree = BruteForce(triangles), Embree(triangles)
    found, t, flags = cast_all(triangles, *wide, args.jobs)

    hit = found >= 0
    rows = np.zeros(args.rays, RECORD)
    rows["node"], rows["triangle"] = np.where(hit, node[found], -1), np.where(hit, triangle[found], -1)
    rows["t"], rows["flags"] = t, flags
    header = MAGIC + struct.pack("<QI", seed, args.rays) + lo.tobytes() + hi.tobytes()
    (out / f"{path.stem}.truth").write_bytes(header + rows.tobytes())
    print(f"  rays: {hit.sum()} hits, {(~hit).sum()} misses, {len(set(node[found[hit]]))} entities hit; ", end="")
    print(f"{(flags & TIE > 0).sum()} ties, {(flags & EDGE > 0).sum()} edge-doubtful, seed {seed:#018x}")
    answers = embree.cast(*wide)
    print(f"  Embree differs: {compare(brute, found, t, answers, *wide) or 'nowhere'}; ", end="")
    print(f"among unflagged rays: {np.sum((found != answers) & (flags == 0))}", flush=True)

    picker = Picker(model, fnv1a(f"{path.name}.picks".encode()), brute, embree, flat)
    picks = picker.placed(args.picks, max(1, args.picks // 5)) + picker.through_file_cameras(6)
    lines = ",\n".join("    " + json.dumps(p, ensure_ascii=False) for p in picks)
    text = f'{{\n  "model": {json.dumps(path.name)},\n  "picks": [\n{lines}\n  ]\n}}\n'
    (out / f"{path.stem}.picks.json").write_text(text, encoding="utf-8")
    nodes = [p["hit"]["node"] for p in picks if p["hit"]]
    print(f"  picks: {len(picks)}, {len(nodes)} hits on {len(set(nodes))} entities, ", end="")
    print(f"{sum('ortho' in p for p in picks)} orthographic, {sum('camera' in p for p in picks)} by file cameras, ", end="")
    print(f"{sum(p['ambiguous'] for p in picks)} ambiguous", flush=True)


def main():
    parser = argparse.ArgumentParser(description="Records what rays and picks hit in real models.")
    parser.add_argument("models", type=Path, metavar="MODELS_DIR")
    parser.add_argument("out", type=Path, metavar="OUT_DIR")
    parser.add_argument("files", nargs="*", default=DEFAULT_FILES, metavar="file")
    parser.add_argument("--rays", type=int, default=10_000, help="rays a model (10000)")
    parser.add_argument("--picks", type=int, default=30, help="placed picks a model (30)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    args = parser.parse_args()
    np.seterr(over="ignore", invalid="ignore", divide="ignore")
    args.out.mkdir(parents=True, exist_ok=True)
    for name in args.files:
        record(args.models / name, args.out, args)


if __name__ == "__main__":
    sys.exit(main())
