#!/usr/bin/env python3
"""Records what rays and picks hit in real models, independently of hitscan.

    python3 -m venv VENV && VENV/bin/pip install numpy pillow trimesh embreex==4.4.0.post1
    VENV/bin/python record.py MODELS_DIR OUT_DIR [file ...] [--rays N] [--picks N] [--only rays|picks]

Files are named relative to MODELS_DIR; without any, all of FILES are recorded. Nothing here is shared with hitscan.
Files are read with json, numpy and Pillow, and flattened to world-space triangles in f64. Every ray is tested against
every triangle in f64 (Moller-Trumbore). Embree answers the same rays in f32, and trimesh reads the OBJ, STL and PLY
files once more. Each disagreement is counted and printed, and the f64 answer is recorded. (trimesh is not used as the
only reader, because it does not keep the files' order of triangles.)

Conventions
-----------
Entities of glTF: one per node of the default scene (or of the first) that shows a mesh, or per instance of the node
(EXT_mesh_gpu_instancing), `name#i`. World position = f64 product of the node matrices * f32 vertex; morph targets are
added with the node's weights, else the mesh's weights. The joints alone place a skinned vertex, whatever its node does:
the mean, by its weights, of world(joint) * inverse bind * vertex, in f64, rounded to f32.
Entities of OBJ: one per name of `o`, else of `g`, in the order of their first faces. Entities of STL: one per solid
of a text file. A binary STL and a PLY have one entity without a name.
`triangle` counts through the entity's primitives in file order. Degenerate triangles keep their number, and points and
lines are skipped. Convex polygons are fans around their first corner; other polygons may be triangulated in any way
(flag POLYGON). No culling, t in [0, inf), t in multiples of the ray's direction. Equal t: the entity that comes first,
then the lower triangle. Compressed files are refused. Another format needs another function in READERS.

OUT_DIR/<stem>.truth
--------------------
A zlib stream of, little endian, no padding:

    8 bytes  magic b"HSTRUTH2"
    u64      seed: FNV-1a-64 of the file name's bytes ("truck-town.glb", no folder)
    u32      number of rays
    6 x f32  lo.xyz, hi.xyz: bounds of the world-space triangles, rounded to f32. Along an axis in which a model is
             flat, they are half its largest side apart, because otherwise all rays would start on the model
    u32      length of the JSON that follows: {"file", "entities": [[name or null, node or null], ...]}
    u8       the number of sets of answers that follow: 1, or 2 in a file with cut-out materials (alpha mode MASK). The
             first set is for solid triangles, and the second for triangles with holes, through which rays pass. There
             is a hole where the product of the alphas of the nearest texel, the base colour and the vertices is below
             the cutoff
    then for each set two columns with a value for every ray:
    i16      entity, index into `entities`, -1 on a miss
    u8       flags: bit 0 (TIE)   another triangle at the same t, to 1e-6 relative;
                    bit 1 (EDGE)  the nearest hit, or a candidate not behind it, is within 1e-9 (barycentric), or
                                  within f64 rounding, of an edge, or of t = 0, so that f64 cannot decide between hit
                                  and miss; or it is too close to the edge of a texel for f32 to decide whether it is
                                  in a hole;
                    bit 2 (POLYGON)  the face that is hit may be triangulated in several ways
    and two columns with a value for every ray that hits:
    i32      triangle
    f32      t

Rays are not stored: they follow from seed and bounds. One splitmix64 stream for the whole file:

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
    camera, camera_node  a camera of the file (index in `cameras`, and the node that carries it), with its own yfov
                         or 2 * ymag as the height, and the aspect of the size, clipped to [znear, zfar] by view depth
    size                 [width, height] of the window in pixels
    at                   [x, y] in window pixels: origin top-left, y down, (0, 0) the picture's corner
    hit                  null, or entity (its name, null if it has none), node, triangle (null on a face that may be
                         triangulated in several ways), t: world distance from the eye (orthographic: from its plane)
    ambiguous            true if the answer has a flag as above, or if there is another triangle 0.01 pixels away
    through_holes        in a file with cut-out materials: `hit` and `ambiguous` with the holes
"""

import argparse
import json
import struct
import sys
import zlib
from collections import Counter
from pathlib import Path

import numpy as np

from oracles import EDGE, TIE, BruteForce, Embree, Holes, cast_all
from picks import Picker
from rays import bounds, fnv1a, make_rays
from read_gltf import read_gltf
from read_others import compare_with_trimesh, read_obj, read_ply, read_stl

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

MAGIC = b"HSTRUTH2"
POLYGON = 4

READERS = {".glb": read_gltf, ".gltf": read_gltf, ".obj": read_obj, ".stl": read_stl, ".ply": read_ply}


def compare(brute, found, t, embree, origins, directions):
    """Returns the numbers of Embree's answers that differ from the f64 answers, by the kind of difference."""
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


def columns(found, t, flags, flat, polygon):
    """Returns one set of answers, as it is stored."""
    _, entity, triangle, _ = flat
    hit = found >= 0
    flags = flags | np.where(hit & polygon[found], POLYGON, 0).astype(np.uint8)
    rays = [np.where(hit, entity[found], -1).astype("<i2"), flags]
    hits = [triangle[found[hit]].astype("<i4"), t[hit].astype("<f4")]
    return b"".join(part.tobytes() for part in rays + hits)


def record(name, args):
    path = args.models / name
    model = READERS[path.suffix.lower()](path)
    flat = model.flatten()
    triangles = flat[0]
    lo, hi = bounds(triangles)
    print(f"{name}: {len(model.entities)} entities, {len(triangles)} triangles, bounds {lo} {hi}", flush=True)
    if path.suffix.lower() not in (".glb", ".gltf"):
        print(f"  trimesh: {compare_with_trimesh(path, triangles)}")
    no = [np.zeros(len(e.triangles), bool) if e.polygon is None else e.polygon for e in model.entities]
    polygon = np.concatenate(no)
    brute, embree = BruteForce(triangles), Embree(triangles)
    holes = Holes(model) if any(e.cuts for e in model.entities) else None
    if args.only != "picks":
        record_rays(name, args, model, flat, polygon, brute, embree, holes)
    if args.only != "rays":
        seed = fnv1a(f"{path.name}.picks".encode())
        record_picks(path, args, Picker(model, seed, brute, embree, holes, flat, polygon))


def record_rays(name, args, model, flat, polygon, brute, embree, holes):
    path = args.models / name
    triangles, entity, _, _ = flat
    lo, hi = bounds(triangles)
    seed = fnv1a(path.name.encode())
    origins, directions = make_rays(seed, lo, hi, args.rays)
    wide = origins.astype(np.float64), directions.astype(np.float64)
    found, t, flags = cast_all(triangles, *wide, args.jobs)
    sets = [columns(found, t, flags, flat, polygon)]

    hit = found >= 0
    print(f"  rays: {hit.sum()} hits, {(~hit).sum()} misses, {len(set(entity[found[hit]]))} entities hit; ", end="")
    print(f"{(flags & TIE > 0).sum()} ties, {(flags & EDGE > 0).sum()} edge-doubtful, seed {seed:#018x}")
    answers = embree.cast(*wide)
    print(f"  Embree differs: {compare(brute, found, t, answers, *wide) or 'nowhere'}; ", end="")
    print(f"among unflagged rays: {np.sum((found != answers) & (flags == 0))}", flush=True)

    if holes:
        cut = cast_all(triangles, *wide, args.jobs, holes)
        sets.append(columns(*cut, flat, polygon))
        print(f"  holes: {(cut[0] != found).sum()} rays go through some, {(cut[2] & EDGE > 0).sum()} doubtful")
    entities = [[e.name, e.node] for e in model.entities]
    text = json.dumps({"file": name, "entities": entities}, ensure_ascii=False, separators=(",", ":")).encode()
    header = MAGIC + struct.pack("<QI", seed, args.rays) + lo.tobytes() + hi.tobytes()
    data = header + struct.pack("<I", len(text)) + text + struct.pack("<B", len(sets)) + b"".join(sets)
    (args.out / f"{path.stem}.truth").write_bytes(zlib.compress(data, 9))


def record_picks(path, args, picker):
    picks = picker.placed(args.picks, max(1, args.picks // 5)) + picker.through_file_cameras(6)
    lines = ",\n".join("    " + json.dumps(p, ensure_ascii=False) for p in picks)
    text = f'{{\n  "model": {json.dumps(path.name)},\n  "picks": [\n{lines}\n  ]\n}}\n'
    (args.out / f"{path.stem}.picks.json").write_text(text, encoding="utf-8")
    hits = [p["hit"] for p in picks if p["hit"]]
    entities = {(hit["entity"], hit["node"]) for hit in hits}
    print(f"  picks: {len(picks)}, {len(hits)} hits on {len(entities)} entities, ", end="")
    print(f"{sum('ortho' in p for p in picks)} orthographic, {sum('camera' in p for p in picks)} by file cameras, "
          f"{sum(p['ambiguous'] for p in picks)} ambiguous", flush=True)  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description="Records what rays and picks hit in real models.")
    parser.add_argument("models", type=Path, metavar="MODELS_DIR")
    parser.add_argument("out", type=Path, metavar="OUT_DIR")
    parser.add_argument("files", nargs="*", default=FILES, metavar="file")
    parser.add_argument("--rays", type=int, default=10_000, help="rays a model (10000)")
    parser.add_argument("--picks", type=int, default=40, help="placed picks a model (40)")
    parser.add_argument("--only", choices=["rays", "picks"], help="leave the other records as they are")
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    args = parser.parse_intermixed_args()
    np.seterr(over="ignore", invalid="ignore", divide="ignore")
    args.out.mkdir(parents=True, exist_ok=True)
    for name in args.files:
        record(name, args)


if __name__ == "__main__":
    sys.exit(main())
