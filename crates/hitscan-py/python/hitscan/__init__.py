"""Exact ray casts, closest points and containment for triangle meshes, and scenes of meshes, shapes and terrain.

Arguments and answers are numpy arrays; the work is done on all threads, without the interpreter's lock. The same input gives the
same bits on every machine. `hitscan.trimesh` and `hitscan.open3d` replace the ray casters of these packages, and `hitscan.fcl` python-fcl; each module is
loaded when it is first used.

>>> import hitscan
>>> mesh = hitscan.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
>>> hits = mesh.cast([0.25, 0.25, 2], [0, 0, -1])
>>> float(hits.t), int(hits.triangle)
(2.0, 0)
>>> scene = hitscan.Scene({7: hitscan.Shape.sphere(1.0)})
>>> int(scene.cast([0, 0, 3], [0, 0, -1]).key)
7
"""

from __future__ import annotations

import importlib
from types import ModuleType

from ._hitscan import (
    AllHits,
    AllOverlaps,
    AllPairPenetrations,
    AllPenetrations,
    AllSnaps,
    AllSweeps,
    ArmEnds,
    BlastHits,
    Camera,
    Character,
    CharacterContact,
    CharacterState,
    CollisionMatrix,
    Compound,
    ContactPoints,
    Cursor,
    Distances,
    Explanation,
    Grounds,
    HeightField,
    HitSurfaces,
    Hits,
    Impacts,
    Ledges,
    Mesh,
    MeshSweeps,
    Model,
    Moved,
    NearPairs,
    Nearest,
    Overlaps,
    PairEvents,
    PairPenetrations,
    PairTracker,
    PathHits,
    Penetrations,
    PixelRays,
    PointMoves,
    Projections,
    Scene,
    SceneAllHits,
    SceneHits,
    ScenePoints,
    SegmentHits,
    Selection,
    Shape,
    ShapeAllHits,
    ShapeHits,
    ShapePoints,
    ShotHit,
    ShotLegs,
    Snaps,
    SolidIntervals,
    SurfacePoints,
    Sweeps,
    TrajectoryHits,
    __version__,
    load,
    simd_level,
    thread_count,
)
from ._render import render

__all__ = [
    "AllHits",
    "AllOverlaps",
    "AllPairPenetrations",
    "AllPenetrations",
    "AllSnaps",
    "AllSweeps",
    "ArmEnds",
    "BlastHits",
    "Camera",
    "Character",
    "CharacterContact",
    "CharacterState",
    "CollisionMatrix",
    "Compound",
    "ContactPoints",
    "Cursor",
    "Distances",
    "Explanation",
    "Grounds",
    "HeightField",
    "HitSurfaces",
    "Hits",
    "Impacts",
    "Ledges",
    "Mesh",
    "MeshSweeps",
    "Model",
    "Moved",
    "NearPairs",
    "Nearest",
    "Overlaps",
    "PairEvents",
    "PairPenetrations",
    "PairTracker",
    "PathHits",
    "Penetrations",
    "PixelRays",
    "PointMoves",
    "Projections",
    "Scene",
    "SceneAllHits",
    "SceneHits",
    "ScenePoints",
    "SegmentHits",
    "Selection",
    "Shape",
    "ShapeAllHits",
    "ShapeHits",
    "ShapePoints",
    "ShotHit",
    "ShotLegs",
    "Snaps",
    "SolidIntervals",
    "SurfacePoints",
    "Sweeps",
    "TrajectoryHits",
    "__version__",
    "load",
    "render",
    "simd_level",
    "thread_count",
]

_LAZY = ("arrow", "dask", "fcl", "open3d", "ray", "spark", "trimesh")


def __getattr__(name: str) -> ModuleType:
    if name in _LAZY:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_LAZY])
