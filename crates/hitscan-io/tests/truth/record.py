#!/usr/bin/env python3
"""Records what rays and picks hit in real models, independently of hitscan.

    python3 -m venv VENV && VENV/bin/pip install numpy pillow trimesh embreex==4.4.0.post1
    VENV/bin/python record.py MODELS_DIR OUT_DIR [file ...]

Files are named relative to MODELS_DIR; without any, all of FILES are recorded. Nothing here is shared with
hitscan: files are read with json, numpy and Pillow, flattened to world-space triangles in f64, and every ray is
tested against every triangle in f64 (Moller-Trumbore). Embree answers the same rays in f32, and trimesh reads the
OBJ, STL and PLY files once more; each disagreement is counted and printed, and the f64 answer is the one recorded.
(trimesh does not read them in the first place because it does not keep the files' order of triangles.)

Conventions
-----------
Entities of glTF: one per node of the default scene (or of the first) that shows a mesh, or per instance of it
(EXT_mesh_gpu_instancing), `name#i`. World position = f64 product of the node matrices * f32 vertex; morph targets are
added by the node's weights, else the mesh's. A skinned vertex is where its joints put it, whatever its node does: the
mean, by its weights, of world(joint) * inverse bind * vertex, in f64, rounded to f32.
Entities of OBJ: one per name of `o`, else of `g`, in the order of their first faces. Of STL: one per solid of a
text file. Otherwise one without a name.
`triangle` counts through the entity's primitives in file order; degenerate triangles keep their number; points and
lines are skipped. Convex polygons are fans around their first corner; how other ones are cut up is left open (flag
POLYGON). No culling, t in [0, inf), t in multiples of the ray's direction. Equal t: the entity that comes first, then
the lower triangle.
Compressed files are refused, not guessed at; a further format is a further function in READERS.

OUT_DIR/<stem>.truth
--------------------
A zlib stream of, little endian, no padding:

    8 bytes  magic b"HSTRUTH2"
    u64      seed: FNV-1a-64 of the file name's bytes ("truck-town.glb", no folder)
    u32      number of rays
    6 x f32  lo.xyz, hi.xyz: bounds of the world-space triangles, rounded to f32; where a model is flat, they are
             half its largest side apart, or else all rays would start on it
    u32      length of the JSON that follows: {"file", "entities": [[name or null, node or null], ...]}
    u8       how many sets of answers follow: 1, or 2 in a file with cut-out materials (alpha mode MASK): all
             triangles solid, then with their holes (the nearest texel's alpha, times the base colour's and the
             vertices', is below the cutoff: the ray goes on)
    then for each set four columns, one value for every ray:
    i16      entity, index into `entities`, -1 on a miss
    u8       flags: bit 0 (TIE)   another triangle at the same t, to 1e-6 relative;
                    bit 1 (EDGE)  the nearest hit, or a candidate not behind it, is within 1e-9 (barycentric), or
                                  within f64 rounding, of an edge, or of t = 0: f64 cannot tell hit from miss. Or
                                  it is so near the edge of a texel that f32 cannot tell hole from cloth;
                    bit 2 (POLYGON)  the face that is hit may be cut into triangles in several ways
    and for every ray that hits
    i32      triangle
    f32      t

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

OUT_DIR/<stem>.picks.json, for the files in PICKED
--------------------------------------------------
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
import io
import json
import math
import struct
import sys
import urllib.parse
import zlib
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import trimesh
from PIL import Image
from embreex.mesh_construction import TriangleMesh
from embreex.rtcore_scene import EmbreeScene

# Every well-formed file of the models that has triangles and needs no decompression.
FILES = """
    interiors/sponza.glb interiors/dream-apartment.glb
    scenes/truck-town.glb scenes/tps-level-lights.glb scenes/low-poly-terrain.glb scenes/balloon.glb scenes/car.glb
    scenes/2CylinderEngine.glb scenes/many-cubes.gltf scenes/geodesic-sphere.glb
    skinned/Fox.glb skinned/godot-player.glb skinned/mannequiny.glb skinned/SimpleSkin.gltf
    skinned/morph-stress-test.glb
    alpha-mask/orange-flower.glb alpha-mask/alpha-blend-mode-test.glb alpha-mask/pine-tree.glb
    cameras/Cameras.gltf cameras/geometry-camera-light.glb
    transforms/truck-flat-mirrored.glb transforms/IrradianceVolumeExample.glb transforms/GrassFieldInstanced.glb
    transforms/InstanceTest.glb
    compressed/pirate-quantized.glb compressed/meshopt-fallback.gltf compressed/box-textured-webp.gltf
    scans/stanford-bunny.obj scans/igea.ply scans/igea-tristrips.ply
    obj/dungeon.obj obj/nav_test.obj obj/spider.obj obj/rabbit.obj obj/concave_polygon.obj obj/cube_usemtl.obj
    obj/cube_with_vertexcolors.obj
    stl/featuretype.STL stl/plate_holes.STL stl/1002_tray_bottom.STL stl/multibody.stl
    stl/two_objects_mixed_case_names.stl stl/Spider_ascii.stl stl/sphereWithHole.stl
    ply/cycloidal.ply ply/Wuson.ply ply/fuze_ascii.ply ply/suzanne.ply ply/cube_binary.ply
""".split()
PICKED = {
    "scenes/truck-town.glb",
    "scenes/tps-level-lights.glb",
    "transforms/truck-flat-mirrored.glb",
    "interiors/sponza.glb",
    "scenes/2CylinderEngine.glb",
    "cameras/geometry-camera-light.glb",
}

MAGIC = b"HSTRUTH2"
TIE, EDGE, POLYGON = 1, 2, 4


# ---------------------------------------------------------------- model


@dataclass
class Cut:
    """What the cut-out material of some triangles needs."""

    alpha: np.ndarray  # (height, width) from 0 to 1, the top row first
    wrap: tuple  # glTF's codes in x and y
    cutoff: float
    uv: np.ndarray  # (n, 3, 2)
    factor: np.ndarray  # (n, 3): the base colour's alpha times the vertices'


@dataclass
class Entity:
    name: str  # None without
    node: int  # None without
    triangles: np.ndarray  # (n, 3, 3) f64, world space
    primitive: np.ndarray  # (n,) which primitive a triangle belongs to
    cuts: list = field(default_factory=list)  # (first triangle, Cut)
    polygon: np.ndarray = None  # (n,) whether the face could as well be cut up in another way


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
        """All triangles (n, 3, 3) with their entity, number within it, and primitive."""
        own = [np.arange(len(e.triangles)) for e in self.entities]
        entity = [np.full(len(e.triangles), k) for k, e in enumerate(self.entities)]
        return (
            np.concatenate([e.triangles for e in self.entities]),
            np.concatenate(entity),
            np.concatenate(own),
            np.concatenate([e.primitive for e in self.entities]),
        )


# ---------------------------------------------------------------- glTF

COMPONENTS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
# Required extensions that change neither where a triangle is nor whether it is there.
HARMLESS = {"KHR_lights_punctual", "KHR_mesh_quantization", "KHR_texture_transform", "KHR_materials_unlit"}
HARMLESS |= {"EXT_mesh_gpu_instancing"}  # read


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
        self.folder = path.parent
        self.buffers = [self._buffer(b["uri"]) if "uri" in b else embedded for b in self.json.get("buffers", [])]

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

    def _buffer(self, uri):
        if uri.startswith("data:"):
            return base64.b64decode(uri.split(",", 1)[1])
        return (self.folder / urllib.parse.unquote(uri)).read_bytes()

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

    def alpha(self, texture):
        """The alpha of a texture's picture (height, width) and how it is wrapped."""
        texture = self.json["textures"][texture]
        image = self.json["images"][texture["source"]]
        if "uri" in image:
            data = self._buffer(image["uri"])
        else:
            view = self.json["bufferViews"][image["bufferView"]]
            start = view.get("byteOffset", 0)
            data = self.buffers[view["buffer"]][start : start + view["byteLength"]]
        sampler = self.json["samplers"][texture["sampler"]] if "sampler" in texture else {}
        alpha = np.asarray(Image.open(io.BytesIO(data)).convert("RGBA"))[:, :, 3] / 255.0
        return alpha, (sampler.get("wrapS", 10497), sampler.get("wrapT", 10497))


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


def blended(matrices, joints, weights, points):
    """Vertices carried by the means of their joints, in f64."""
    weights = weights.astype(np.float64)
    total = weights.sum(1)
    none = total == 0.0  # such a vertex follows the joint that is named first
    weights[none, 0] = 1.0
    m = (weights[..., None, None] * matrices[joints]).sum(1) / np.where(none, 1.0, total)[:, None, None]
    return (m[:, :3, :3] * points.astype(np.float64)[:, None, :]).sum(2) + m[:, :3, 3]


def instances(gltf, extension):
    """The 4x4 matrices of EXT_mesh_gpu_instancing."""
    parts = {name: gltf.accessor(index).astype(np.float64) for name, index in extension["attributes"].items()}
    for k in range(len(next(iter(parts.values())))):
        node = {name.lower(): values[k] for name, values in parts.items()}
        if "rotation" in node:
            node["rotation"] = node["rotation"] / math.sqrt(node["rotation"] @ node["rotation"])
        yield local_matrix(node)


def read_gltf(path):
    gltf = Gltf(path)
    j = gltf.json
    nodes, model, worlds = j.get("nodes", []), Model(), {}

    def place(number, parent):
        worlds[number] = parent @ local_matrix(nodes[number])
        for child in nodes[number].get("children", []):
            place(child, worlds[number])

    def skin_matrices(number):
        skin = j["skins"][number]
        bind = np.broadcast_to(np.eye(4), (len(skin["joints"]), 4, 4))
        if "inverseBindMatrices" in skin:
            bind = gltf.accessor(skin["inverseBindMatrices"]).astype(np.float64).reshape(-1, 4, 4).transpose(0, 2, 1)
        return np.array([worlds[joint] @ bind[k] for k, joint in enumerate(skin["joints"])])

    def points(p, weights, joints):
        """A primitive's vertices, in f32 unless morph targets moved them."""
        at = gltf.accessor(p["attributes"]["POSITION"]).astype(np.float32)
        for weight, target in zip(weights, p.get("targets", [])):
            if weight and "POSITION" in target:
                at = at.astype(np.float64) + weight * gltf.accessor(target["POSITION"])
        if joints is not None:
            sets = range(sum(name.startswith("JOINTS_") for name in p["attributes"]))
            stream = lambda name: np.concatenate([gltf.accessor(p["attributes"][f"{name}_{s}"]) for s in sets], axis=1)
            at = blended(joints, stream("JOINTS"), stream("WEIGHTS"), at)
        return at.astype(np.float32)

    def cut(p, index):
        """The holes of a primitive's triangles."""
        material = j["materials"][p["material"]] if "material" in p else {}
        if material.get("alphaMode") != "MASK":
            return None
        pbr = material.get("pbrMetallicRoughness", {})
        factor = np.full((len(index), 3), pbr.get("baseColorFactor", [1, 1, 1, 1])[3], np.float64)
        color = p["attributes"].get("COLOR_0")
        if color is not None and j["accessors"][color]["type"] == "VEC4":
            factor *= gltf.accessor(color)[index][:, :, 3]
        alpha, wrap, uv = np.ones((1, 1)), (10497, 10497), np.zeros((len(index), 3, 2))
        if "baseColorTexture" in pbr:
            info = pbr["baseColorTexture"]
            if "KHR_texture_transform" in info.get("extensions", {}):
                raise NotImplementedError(f"{path.name} transforms the texture of a mask")
            uv = gltf.accessor(p["attributes"][f"TEXCOORD_{info.get('texCoord', 0)}"])[index].astype(np.float64)
            alpha, wrap = gltf.alpha(info["index"])
        return Cut(alpha, wrap, np.float32(material.get("alphaCutoff", 0.5)), uv, factor)

    def mesh(number, weights, joints):
        """Local triangles (n, 3, 3) of a mesh in f32, the primitive of each, and the holes."""
        shown, primitive, cuts = [np.empty((0, 3, 3), np.float32)], [np.empty(0, int)], []
        for k, p in enumerate(j["meshes"][number]["primitives"]):
            if "POSITION" not in p["attributes"]:
                continue
            at = points(p, weights, joints)
            index = gltf.accessor(p["indices"])[:, 0].astype(int) if "indices" in p else np.arange(len(at))
            index = corners(p.get("mode", 4), index)
            holes = cut(p, index)
            if holes:
                cuts.append((sum(map(len, shown)), holes))
            shown.append(at[index])
            primitive.append(np.full(len(shown[-1]), k))
        return np.concatenate(shown), np.concatenate(primitive), cuts

    def show(number):
        node, world = nodes[number], worlds[number]
        if "mesh" in node:
            data = j["meshes"][node["mesh"]]
            weights = node.get("weights", data.get("weights", []))
            name = node.get("name") or data.get("name") or f"node{number}"
            extension = node.get("extensions", {}).get("EXT_mesh_gpu_instancing")
            triangles, primitive, cuts = mesh(
                node["mesh"], weights, skin_matrices(node["skin"]) if "skin" in node else None
            )
            if "skin" in node:
                places = [(name, np.eye(4))]
            elif extension:
                places = [(f"{name}#{k}", world @ m) for k, m in enumerate(instances(gltf, extension))]
            else:
                places = [(name, world)]
            for name, place in places if len(triangles) else []:
                model.entities.append(Entity(name, number, transform(place, triangles), primitive, cuts))
        if "camera" in node:
            model.cameras.append(FileCamera(node["camera"], number, world, j["cameras"][node["camera"]]))
        for child in node.get("children", []):
            show(child)

    children = {child for node in nodes for child in node.get("children", [])}
    for root in set(range(len(nodes))) - children:
        place(root, np.eye(4))
    for root in j["scenes"][j.get("scene", 0)].get("nodes", []):
        show(root)
    return model


# ---------------------------------------------------------------- polygons


def cut_up(points):
    """Triangles (n, 3) of a polygon's corners (m, 3), and whether there is another way to cut it up.

    A convex one is a fan around its first corner; else (also with a corner on a straight edge) ears are cut off. Where
    the corners are not in one plane, it matters which.
    """
    count = len(points)
    fan = np.array([[0, k + 1, k + 2] for k in range(count - 2)], int).reshape(-1, 3)
    if count == 3:
        return fan, False
    rest = points - points[0]
    normal = np.cross(rest[1:-1], rest[2:]).sum(0)
    turns = np.cross(np.roll(points, -1, 0) - points, np.roll(points, -2, 0) - np.roll(points, -1, 0)) @ normal
    if (turns > 1e-9 * np.abs(turns).max()).all():
        return fan, False
    axes = np.delete(np.arange(3), np.argmax(np.abs(normal)))
    flat = points[:, axes] * [1, np.sign(np.cross(np.eye(3)[axes[0]], np.eye(3)[axes[1]]) @ normal)]

    def side(a, b, c):
        u, v = flat[b] - flat[a], flat[c] - flat[a]
        return u[0] * v[1] - u[1] * v[0]

    left, triangles = list(range(count)), []
    while len(left) > 3:
        for k in range(len(left)):
            a, b, c = left[k - 1], left[k], left[(k + 1) % len(left)]
            others = [q for q in left if not (flat[[a, b, c]] == flat[q]).all(1).any()]
            inside = any(side(a, b, q) >= 0 and side(b, c, q) >= 0 and side(c, a, q) >= 0 for q in others)
            if side(a, b, c) > 0 and not inside:
                triangles.append([a, b, c])
                del left[k]
                break
        else:
            raise NotImplementedError("a polygon without an ear")
    return np.array([*triangles, left]), True


def polygons(points, faces):
    """Triangles of faces (lists of indices), and which of them may be cut up in another way."""
    triangles, doubtful = [np.empty((0, 3), int)], [np.empty(0, bool)]
    for face in faces:
        face = np.array(face)
        cut, is_doubtful = cut_up(points[face].astype(np.float64))
        triangles.append(face[cut])
        doubtful.append(np.full(len(cut), is_doubtful))
    return np.concatenate(triangles), np.concatenate(doubtful)


def entity(name, points, faces):
    triangles, doubtful = polygons(points, faces)
    corners = points[triangles].astype(np.float64)
    return Entity(name, None, corners, np.zeros(len(corners), int), polygon=doubtful)


# ---------------------------------------------------------------- OBJ, STL, PLY


def read_obj(path):
    points, parts = [], {}  # (name of o, name of g) -> faces
    names = {"o": None, "g": None}
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        word, *rest = line.split() or [""]
        if word == "v":
            points.append([float(x) for x in rest[:3]])
        elif word in names:
            names[word] = " ".join(rest) or None
        elif word == "f":
            corners = [int(corner.split("/")[0]) for corner in rest]
            face = [c - 1 if c > 0 else len(points) + c for c in corners]
            parts.setdefault(names["o"] or names["g"], []).append(face)
    points = np.array(points, np.float32)
    return Model([entity(name, points, faces) for name, faces in parts.items()])


def read_stl(path):
    data = path.read_bytes()
    count = struct.unpack_from("<I", data, 80)[0] if len(data) >= 84 else -1
    if len(data) == 84 + 50 * count:
        rows = np.frombuffer(data, np.dtype([("f", "<f4", (4, 3)), ("attribute", "<u2")]), count, 84)
        return Model([Entity(None, None, rows["f"][:, 1:].astype(np.float64), np.zeros(count, int))])
    model = Model()
    for solid in data.decode().replace("endsolid", "\0").split("solid")[1:]:
        name, _, text = solid.split("\0")[0].partition("\n")
        corners = [line.split()[1:] for line in text.splitlines() if line.split()[:1] == ["vertex"]]
        corners = np.array(corners, np.float32).reshape(-1, 3, 3).astype(np.float64)
        model.entities.append(Entity(name.strip() or None, None, corners, np.zeros(len(corners), int)))
    return model


PLY_TYPES = {
    **dict.fromkeys(["char", "int8"], "i1"), **dict.fromkeys(["uchar", "uint8"], "u1"),
    **dict.fromkeys(["short", "int16"], "i2"), **dict.fromkeys(["ushort", "uint16"], "u2"),
    **dict.fromkeys(["int", "int32"], "i4"), **dict.fromkeys(["uint", "uint32"], "u4"),
    **dict.fromkeys(["float", "float32"], "f4"), **dict.fromkeys(["double", "float64"], "f8"),
}  # fmt: skip


def read_ply(path):
    head, end, body = path.read_bytes().partition(b"end_header")
    body = body[body.index(b"\n") + 1 :]
    lines = [line.split() for line in head.decode("latin-1").splitlines()]
    coding = next(line[1] for line in lines if line[0] == "format")
    elements = []
    for line in lines:
        if line[0] == "element":
            elements.append((line[1], int(line[2]), []))
        elif line[0] == "property":
            elements[-1][2].append(line[1:])
    text, words, at = iter(body.splitlines()), None, 0
    order = ">" if coding == "binary_big_endian" else "<"

    def value(kind):
        nonlocal at
        if coding == "ascii":
            return float(next(words)) if kind[0] == "f" else int(next(words))
        (number,) = np.frombuffer(body, order + kind, 1, at)
        at += np.dtype(kind).itemsize
        return number

    def several(kind, count):
        nonlocal at
        if coding == "ascii":
            return [value(kind) for _ in range(count)]
        numbers = np.frombuffer(body, order + kind, count, at)
        at += numbers.nbytes
        return numbers

    found = {}
    for name, count, properties in elements:
        rows = []
        for _ in range(count):
            row, words = {}, iter(next(text).split()) if coding == "ascii" else None  # what goes on for longer is passed over
            for kind, *rest in properties:
                if kind == "list":
                    row[rest[2]] = several(PLY_TYPES[rest[1]], int(value(PLY_TYPES[rest[0]])))
                else:
                    row[rest[0]] = value(PLY_TYPES[kind])
            rows.append(row)
        found[name] = rows
    points = np.array([[v["x"], v["y"], v["z"]] for v in found["vertex"]], np.float32)
    faces = [next(f[n] for n in ("vertex_indices", "vertex_index") if n in f) for f in found.get("face", [])]
    for strip in found.get("tristrips", []):
        faces.extend(strips(next(iter(strip.values()))))
    return Model([entity(None, points, faces)])


def strips(indices):
    """The triangles of strips, each of which ends at a -1."""
    run = []
    for index in indices:
        run = [*run, int(index)] if index >= 0 else []
        if len(run) >= 3:
            a, b, c = run[-3:]
            yield [a, b, c] if len(run) % 2 else [b, a, c]


READERS = {".glb": read_gltf, ".gltf": read_gltf, ".obj": read_obj, ".stl": read_stl, ".ply": read_ply}


def compare_with_trimesh(path, triangles):
    """How trimesh's reading of a file differs in number, bounds and area of its triangles."""
    mesh = trimesh.load(path, process=False, force="mesh", skip_materials=True)
    area = np.sqrt((np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]) ** 2).sum(1)).sum() / 2
    if len(mesh.faces) == 0:
        return "reads no triangle"
    corners = mesh.vertices[mesh.faces]
    off = np.abs(corners.min((0, 1)) - triangles.min((0, 1))).max() + np.abs(corners.max((0, 1)) - triangles.max((0, 1))).max()
    return f"{len(mesh.faces)} triangles, bounds off by {off:.1g}, area by {mesh.area / area - 1:.1g}"


# ---------------------------------------------------------------- the two oracles


class BruteForce:
    """Every ray against every triangle, in f64; but for blocks of triangles whose box it misses by a margin.

    The margin is a millionth of the model's size and the origin's distance, hundreds of times what the tests of the
    triangles themselves forgive (EDGE_TOLERANCE, ROUNDING), so that nothing is left out that they would have counted.

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
        self.low, self.high = np.minimum.reduceat(triangles.min(1), starts), np.maximum.reduceat(triangles.max(1), starts)

    @staticmethod
    def _along_curve(points):
        """Morton codes: what is near has mostly a near number."""
        size = np.maximum(points.max(0) - points.min(0), 1e-300)
        cells = ((points - points.min(0)) / size * 1023).astype(np.int64)
        bits = [(cells[:, axis] >> bit & 1) << 3 * bit + axis for bit in range(10) for axis in range(3)]
        return sum(bits)

    def _near(self, o, d, reach):
        """The triangles in those blocks that the ray comes near."""
        margin = self.MARGIN * reach
        a, b = (self.low - margin - o) / d, (self.high + margin - o) / d
        enter, leave = np.fmin(a, b), np.fmax(a, b)  # a NaN decides nothing
        enter, leave = np.fmax.reduce(enter, axis=1), np.fmin.reduce(leave, axis=1)
        blocks = np.flatnonzero((enter <= leave) & (leave >= 0))
        places = (blocks[:, None] * self.BLOCK + np.arange(self.BLOCK)).ravel()
        return places[places < len(self.order)]

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

    def cast(self, o, d, t_min=0.0, t_max=math.inf, holes=None):
        """(index of the nearest triangle or -1, t, flags) for one ray; `holes` tells holes from cloth."""
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
        end = 1e-9 * reach / length  # how well t_min and t_max can be told
        hit = (inner >= 0) & (t >= t_min) & (t <= t_max)
        in_reach = (t >= t_min - end) & (t <= t_max + end)
        doubtful = in_reach & ((inner <= slack) | (np.abs(t - t_min) <= end) | (np.abs(t - t_max) <= end))
        if holes:
            is_hole, is_near = holes(near, u / det, v / det)
            hit &= ~is_hole
            doubtful = in_reach & (doubtful | is_near)
        if not hit.any():
            return -1, math.inf, EDGE if doubtful.any() else 0
        best = np.flatnonzero(hit)[np.argmin(t[hit])]  # the first of equal ones
        margin = self.TIE_TOLERANCE * t[best]
        flags = 0
        if ((in_reach & hit if holes else in_reach) & (np.abs(t - t[best]) <= margin)).sum() > 1:
            flags |= TIE
        if (doubtful & (t <= t[best] + margin)).any():
            flags |= EDGE
        return int(near[best]), float(t[best]), flags

    def plane_t(self, index, o, d):
        """t of the planes of given triangles, one per ray."""
        c = self.columns[:, self.place[index]].T
        return ((c[:, 0:3] - o) * c[:, 9:12]).sum(1) / (d * c[:, 9:12]).sum(1)


class Holes:
    """The holes of a model's cut-out materials."""

    # How well f32 tells a texture coordinate, for coordinates from -1 to 1.
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
        """Whether there is a hole at a place of a triangle, and whether a place beside it says otherwise."""
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
        self.triangles, self.entity, self.triangle, self.primitive = flat
        self.random = SplitMix(seed)
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
            number = int(self.entity[index])
            self.seen[number] += 1
            self.seen[number, int(self.primitive[index])] += 1
            entity = self.model.entities[number]
            hit = {"entity": entity.name, "node": entity.node, "triangle": int(self.triangle[index]), "t": t}
        return {"hit": hit, "ambiguous": ambiguous}

    def rank(self, view, at):
        """How often the thing under a pixel was picked already (Embree's answer is good enough); None on a miss."""
        o, d, near, _ = view.ray(*at)
        index = int(self.embree.cast((o + near * d)[None], d[None])[0])
        if index < 0:
            return None
        number = int(self.entity[index])
        return self.seen[number], self.seen[number, int(self.primitive[index])]

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


def bounds(triangles):
    """Where rays start and aim."""
    lo, hi = triangles.min((0, 1)), triangles.max((0, 1))
    size = (hi - lo).max()
    flat = np.where(hi - lo < 1e-3 * size, size / 4, 0)
    return (lo - flat).astype("<f4"), (hi + flat).astype("<f4")


def columns(found, t, flags, flat, polygon):
    """One set of answers, as it is stored."""
    _, entity, triangle, _ = flat
    hit = found >= 0
    flags = flags | np.where(hit & polygon[found], POLYGON, 0).astype(np.uint8)
    parts = [np.where(hit, entity[found], -1).astype("<i2"), flags, triangle[found[hit]].astype("<i4"), t[hit].astype("<f4")]
    return b"".join(part.tobytes() for part in parts)


def record(name, args):
    path, out = args.models / name, args.out
    model = READERS[path.suffix.lower()](path)
    flat = model.flatten()
    triangles, entity, _, _ = flat
    lo, hi = bounds(triangles)
    print(f"{name}: {len(model.entities)} entities, {len(triangles)} triangles, bounds {lo} {hi}", flush=True)
    if path.suffix.lower() not in (".glb", ".gltf"):
        print(f"  trimesh: {compare_with_trimesh(path, triangles)}")

    seed = fnv1a(path.name.encode())
    origins, directions = make_rays(seed, lo, hi, args.rays)
    wide = origins.astype(np.float64), directions.astype(np.float64)
    brute, embree = BruteForce(triangles), Embree(triangles)
    found, t, flags = cast_all(triangles, *wide, args.jobs)
    no = [np.zeros(len(e.triangles), bool) if e.polygon is None else e.polygon for e in model.entities]
    polygon = np.concatenate(no)
    sets = [columns(found, t, flags, flat, polygon)]

    hit = found >= 0
    print(f"  rays: {hit.sum()} hits, {(~hit).sum()} misses, {len(set(entity[found[hit]]))} entities hit; ", end="")
    print(f"{(flags & TIE > 0).sum()} ties, {(flags & EDGE > 0).sum()} edge-doubtful, seed {seed:#018x}")
    answers = embree.cast(*wide)
    print(f"  Embree differs: {compare(brute, found, t, answers, *wide) or 'nowhere'}; ", end="")
    print(f"among unflagged rays: {np.sum((found != answers) & (flags == 0))}", flush=True)

    if any(e.cuts for e in model.entities):
        cut = cast_all(triangles, *wide, args.jobs, Holes(model))
        sets.append(columns(*cut, flat, polygon))
        print(f"  holes: {(cut[0] != found).sum()} rays go through some, {(cut[2] & EDGE > 0).sum()} doubtful")
    entities = [[e.name, e.node] for e in model.entities]
    text = json.dumps({"file": name, "entities": entities}, ensure_ascii=False, separators=(",", ":")).encode()
    header = MAGIC + struct.pack("<QI", seed, args.rays) + lo.tobytes() + hi.tobytes()
    data = header + struct.pack("<I", len(text)) + text + struct.pack("<B", len(sets)) + b"".join(sets)
    (out / f"{path.stem}.truth").write_bytes(zlib.compress(data, 9))
    if name in PICKED:
        record_picks(path, out, args, Picker(model, fnv1a(f"{path.name}.picks".encode()), brute, embree, flat))


def record_picks(path, out, args, picker):
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
    parser.add_argument("files", nargs="*", default=FILES, metavar="file")
    parser.add_argument("--rays", type=int, default=10_000, help="rays a model (10000)")
    parser.add_argument("--picks", type=int, default=30, help="placed picks a model (30)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    args = parser.parse_args()
    np.seterr(over="ignore", invalid="ignore", divide="ignore")
    args.out.mkdir(parents=True, exist_ok=True)
    for name in args.files:
        record(name, args)


if __name__ == "__main__":
    sys.exit(main())
