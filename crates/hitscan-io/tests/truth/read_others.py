"""Reads OBJ, STL and PLY. See record.py."""

import struct

import numpy as np
import trimesh

from model import Entity, Model


def cut_up(points):
    """Returns triangles (n, 3) of a polygon with corners (m, 3), and whether other triangles are possible.

    A convex polygon is a fan around its first corner. From any other (also with a corner on a straight edge), ears are
    cut off. If the corners are not in one plane, the choice of the ears changes the surface.
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
    """Returns the triangles of faces (lists of indices), and whether each could be triangulated in another way."""
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
    head, _, body = path.read_bytes().partition(b"end_header")
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
            # The rest of a line that is longer is ignored.
            row, words = {}, iter(next(text).split()) if coding == "ascii" else None
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
    """Yields the triangles of strips, each of which ends at a -1."""
    run = []
    for index in indices:
        run = [*run, int(index)] if index >= 0 else []
        if len(run) >= 3:
            a, b, c = run[-3:]
            yield [a, b, c] if len(run) % 2 else [b, a, c]


def compare_with_trimesh(path, triangles):
    """Returns how the triangles that trimesh reads differ in number, bounds and area."""
    mesh = trimesh.load(path, process=False, force="mesh", skip_materials=True)
    if len(mesh.faces) == 0:
        return "reads no triangle"
    sides = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    area = np.sqrt((sides * sides).sum(1)).sum() / 2
    corners = mesh.vertices[mesh.faces]
    ends = [(f(corners, (0, 1)), f(triangles, (0, 1))) for f in (np.min, np.max)]
    off = max(np.abs(a - b).max() for a, b in ends)
    return f"{len(mesh.faces)} triangles, bounds off by {off:.1g}, area by {mesh.area / area - 1:.1g}"
