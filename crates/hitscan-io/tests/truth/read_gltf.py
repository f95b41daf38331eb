"""Reads glTF 2.0 before any animation or at a time of an animation, with numpy and Pillow. See record.py, poses.py."""

import base64
import io
import json
import math
import struct
import urllib.parse

import numpy as np
from PIL import Image

import animation
from model import Cut, Entity, FileCamera, Model

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
        """Returns `count` elements of `width` components in a buffer view, with its stride."""
        view = self.json["bufferViews"][view]
        dtype = np.dtype(COMPONENTS[component])
        stride = view.get("byteStride", dtype.itemsize * width)
        start = view.get("byteOffset", 0) + offset
        strides = (stride, dtype.itemsize)
        return np.ndarray((count, width), dtype, self.buffers[view["buffer"]], start, strides)

    def accessor(self, index):
        """Returns an accessor's values (count, width): integers as they are, normalised integers as f32."""
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
        """Returns the alpha of a texture's picture (height, width), and its wrap modes."""
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
    """Returns the vertex indices (n, 3) of a primitive's triangles, by glTF 2.0 section 3.7.2.1."""
    if mode == 4:
        return index[: len(index) // 3 * 3].reshape(-1, 3)
    i = np.arange(max(len(index) - 2, 0))
    if mode == 5:
        return np.stack([index[i], index[i + 1 + i % 2], index[i + 2 - i % 2]], axis=-1)
    if mode == 6:
        return np.stack([index[i + 1], index[i + 2], index[i * 0]], axis=-1)
    return np.empty((0, 3), int)


def local_matrix(node):
    """Returns a node's 4x4 matrix in f64."""
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
    """Returns m * (p, 1), summed in a fixed order (a matrix product may be fused, and differ between machines)."""
    p = p.astype(np.float64)
    x, y, z = (p[..., k, None] for k in range(3))
    return x * m[:3, 0] + y * m[:3, 1] + z * m[:3, 2] + m[:3, 3]


def blended(matrices, joints, weights, points):
    """Returns vertices transformed by the weighted means of the matrices of their joints, in f64."""
    weights = weights.astype(np.float64)
    total = weights.sum(1)
    none = total == 0.0  # a vertex without weights follows the joint that is named first
    weights[none, 0] = 1.0
    m = (weights[..., None, None] * matrices[joints]).sum(1) / np.where(none, 1.0, total)[:, None, None]
    return (m[:, :3, :3] * points.astype(np.float64)[:, None, :]).sum(2) + m[:, :3, 3]


def instances(gltf, extension):
    """Yields the 4x4 matrices of EXT_mesh_gpu_instancing."""
    parts = {name: gltf.accessor(index).astype(np.float64) for name, index in extension["attributes"].items()}
    for k in range(len(next(iter(parts.values())))):
        node = {name.lower(): values[k] for name, values in parts.items()}
        if "rotation" in node:
            node["rotation"] = node["rotation"] / math.sqrt(node["rotation"] @ node["rotation"])
        yield local_matrix(node)


def read_gltf(path, pose=None):
    """Returns the model at rest, or in a pose, given as (animation, time)."""
    gltf = Gltf(path)
    j = gltf.json
    nodes, model, worlds = animation.pose(gltf, *pose) if pose else j.get("nodes", []), Model(), {}

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
        """Returns a primitive's vertices after morph targets and joints, rounded to f32."""
        at = gltf.accessor(p["attributes"]["POSITION"]).astype(np.float32)
        for weight, target in zip(weights, p.get("targets", [])):
            if weight and "POSITION" in target:
                at = at.astype(np.float64) + weight * gltf.accessor(target["POSITION"])
        if joints is not None:
            at = blended(joints, *influences(p), at)
        return at.astype(np.float32)

    def influences(p):
        """Returns the joints of a primitive's vertices, and their weights."""
        sets = range(sum(name.startswith("JOINTS_") for name in p["attributes"]))
        stream = lambda name: np.concatenate([gltf.accessor(p["attributes"][f"{name}_{s}"]) for s in sets], axis=1)
        return stream("JOINTS"), stream("WEIGHTS")

    def shares(p, joints):
        """Returns how much each vertex of a primitive follows each joint (n, joints)."""
        of, weights = influences(p)
        weights = weights.astype(np.float64)
        weights[weights.sum(1) == 0.0, 0] = 1.0
        table = np.zeros((len(of), joints))
        for column in range(of.shape[1]):
            np.add.at(table, (np.arange(len(of)), of[:, column].astype(int)), weights[:, column])
        return table / weights.sum(1)[:, None]

    def cut(p, index):
        """Returns the holes of a primitive's triangles."""
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
        """Returns a mesh's local triangles (n, 3, 3) in f32, their primitives, the holes, and the joints' shares."""
        shown, primitive, cuts, follow = [np.empty((0, 3, 3), np.float32)], [np.empty(0, int)], [], []
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
            if joints is not None:
                follow.append(shares(p, len(joints))[index])
        return np.concatenate(shown), np.concatenate(primitive), cuts, np.concatenate(follow) if follow else None

    def show(number):
        node, world = nodes[number], worlds[number]
        if "mesh" in node:
            data = j["meshes"][node["mesh"]]
            weights = node.get("weights", data.get("weights", []))
            name = node.get("name") or data.get("name") or f"node{number}"
            extension = node.get("extensions", {}).get("EXT_mesh_gpu_instancing")
            triangles, primitive, cuts, follow = mesh(
                node["mesh"], weights, skin_matrices(node["skin"]) if "skin" in node else None
            )
            if "skin" in node:
                places = [(name, np.eye(4))]
            elif extension:
                places = [(f"{name}#{k}", world @ m) for k, m in enumerate(instances(gltf, extension))]
            else:
                places = [(name, world)]
            joints = j["skins"][node["skin"]]["joints"] if "skin" in node else []
            joints = [(joint, nodes[joint].get("name") or f"node{joint}") for joint in joints]
            for name, place in places if len(triangles) else []:
                entity = Entity(name, number, transform(place, triangles), primitive, cuts)
                entity.joints, entity.shares = joints, follow
                model.entities.append(entity)
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
