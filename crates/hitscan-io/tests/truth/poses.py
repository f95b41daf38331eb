#!/usr/bin/env python3
"""Records the hits of rays and picks in models that are posed by their animations, independently of hitscan.

    VENV/bin/python poses.py MODELS_DIR OUT_DIR [file ...] [--rays N] [--picks N]

record.py does the same for models at rest. Its docstring describes the packages in VENV, and how entities and
triangles are counted. animation.py evaluates the animation in f64 by appendix C of the glTF 2.0 specification, with
rotations by the arc cosine. Morph targets and joints then move each vertex in f64, and the result is rounded to f32.

OUT_DIR/<stem>.poses
--------------------
A zlib stream of JSON, {"file", "poses": [...]}; a pose has

    animation, time      its name or index, and seconds
    low, high            bounds of the posed triangles. The rays follow from these and the seed, as in record.py. The
                         seed is the FNV-1a-64 of the file's name (no folder), an @ and the pose's index in the list
    entity, triangle, t  lists with a number for each ray: -1 on a miss (t: 0)
    joint                the node of the joint that has the largest weight at the point. The weights of the corners are
                         interpolated by the barycentrics; among equal weights, it is the first in the skin; -1
                         without a skin
    flags                the flags of record.py (TIE, EDGE), and 8 (JOINT): another joint has nearly the same weight.
                         EDGE is also set if the triangle changes, or t changes by more than 2e-6 of t, when each
                         vertex is moved by the last digit of an f32. Sums in another order may cause such a motion

OUT_DIR/<stem>.poses.json
-------------------------
{"model", "picks": [...]} with picks as in record.py. Each pick also has `animation` and `time`. The `hit` on a mesh
with a skin also has `joint` (the name, else node<N>) and `joint_node`.
"""

import argparse
import json
import sys
import zlib
from pathlib import Path

import numpy as np

from oracles import EDGE, BruteForce, Embree
from picks import Picker
from rays import bounds, fnv1a, make_rays
from read_gltf import read_gltf

JOINT = 8

# Times between keys, on keys, before the first key, after the last key and at the end; every animation of small files.
POSES = {
    "skinned/Fox.glb": [("Survey", 1.3), ("Walk", 0.4), ("Run", 0.1), ("Run", 0.5833333), ("Walk", -1)],
    "skinned/mannequiny.glb": [
        ("run_root.001", 0.21), ("fight_kick_root.001", 0.4), ("idle_root.001", 0), ("dash_root.001", 99),
        ("air_jump_root.001", 0.033),
    ],
    "skinned/morph-stress-test.glb": [
        ("Individuals", 0.5), ("TheWave", 0.7), ("Pulse", 0.83), ("Individuals", 4.03), ("TheWave", 1.3),
    ],
    "skinned/godot-player.glb": [("walk", 0.3), ("run", 0.15), ("jump", 0.2), ("falling", 0.05), ("shooting", 0.5)],
    "skinned/SimpleSkin.gltf": [("0", 0.75), ("0", 1.0), ("0", 2.6), ("0", 4.1), ("0", 9)],
}  # fmt: skip


def shaken(triangles, seed):
    """Returns the triangles with each vertex moved by at most an ulp of f32, equally in all triangles that share it."""
    at = triangles.reshape(-1, 3)
    _, first = np.unique(at, axis=0, return_inverse=True)
    by = np.random.default_rng(seed).integers(-1, 2, (first.max() + 1, 3))
    return (at + by[first.ravel()] * np.spacing(np.abs(at).astype(np.float32))).reshape(-1, 3, 3)


def cast(model, triangles, flat, origins, directions):
    """Returns the columns of a pose."""
    brute, others = BruteForce(triangles), [BruteForce(shaken(triangles, seed)) for seed in (1, 2)]
    names = ["entity", "triangle", "t", "joint", "flags"]
    rows = []
    for o, d in zip(origins.astype(np.float64), directions.astype(np.float64)):
        index, t, flags = brute.cast(o, d)
        for other in others:
            near, at, _ = other.cast(o, d)
            if near != index or (index >= 0 and abs(at - t) > 2e-6 * t):
                flags |= EDGE
        if index < 0:
            rows.append((-1, -1, 0.0, -1, flags))
            continue
        entity, triangle, joint = int(flat[1][index]), int(flat[2][index]), -1
        shown = model.entities[entity]
        if shown.joints:
            best, is_doubtful = shown.joint(triangle, o + t * d)
            joint, flags = shown.joints[best][0], flags | (JOINT if is_doubtful else 0)
        rows.append((entity, triangle, float(f"{t:.9g}"), joint, flags))
    return dict(zip(names, map(list, zip(*rows))))


def record(name, args):
    path, poses, picks = args.models / name, [], []
    for number, (animation, time) in enumerate(POSES[name]):
        model = read_gltf(path, (animation, time))
        flat = model.flatten()
        triangles = flat[0]
        low, high = bounds(triangles)
        rays = make_rays(fnv1a(f"{path.name}@{number}".encode()), low, high, args.rays)
        columns = cast(model, triangles, flat, *rays)
        embree = Embree(triangles)
        differs = sum(
            int(e) != (-1 if k < 0 else int(np.flatnonzero((flat[1] == k) & (flat[2] == i))[0]))
            for e, k, i, f in zip(embree.cast(*rays), columns["entity"], columns["triangle"], columns["flags"])
            if not f & 7
        )
        corners = {"low": low.astype(float).tolist(), "high": high.astype(float).tolist()}
        poses.append({"animation": animation, "time": time, **corners, **columns})
        seed = fnv1a(f"{path.name}@{number}.picks".encode())
        picker = Picker(model, seed, BruteForce(triangles), embree, None, flat, np.zeros(len(triangles), bool))
        picks += [{"animation": animation, "time": time, **pick} for pick in picker.placed(args.picks, 2)]
        hits = sum(k >= 0 for k in columns["entity"])
        joints = len({j for j in columns["joint"] if j >= 0})
        print(f"{name} {animation} {time}: {low} {high}, {hits} hits of {args.rays}, on {joints} joints; Embree differs "
              f"{differs} times; {sum(f > 0 for f in columns['flags'])} flagged", flush=True)  # fmt: skip
    text = json.dumps({"file": name, "poses": poses}, separators=(",", ":"))
    (args.out / f"{path.stem}.poses").write_bytes(zlib.compress(text.encode(), 9))
    lines = ",\n".join("    " + json.dumps(p, ensure_ascii=False) for p in picks)
    text = f'{{\n  "model": {json.dumps(path.name)},\n  "picks": [\n{lines}\n  ]\n}}\n'
    (args.out / f"{path.stem}.poses.json").write_text(text, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description="Records what rays and picks hit in posed models.")
    parser.add_argument("models", type=Path, metavar="MODELS_DIR")
    parser.add_argument("out", type=Path, metavar="OUT_DIR")
    parser.add_argument("files", nargs="*", default=list(POSES), metavar="file")
    parser.add_argument("--rays", type=int, default=1000, help="rays a pose (1000)")
    parser.add_argument("--picks", type=int, default=8, help="picks a pose (8)")
    args = parser.parse_intermixed_args()
    np.seterr(over="ignore", invalid="ignore", divide="ignore")
    args.out.mkdir(parents=True, exist_ok=True)
    for name in args.files:
        record(name, args)


if __name__ == "__main__":
    sys.exit(main())
