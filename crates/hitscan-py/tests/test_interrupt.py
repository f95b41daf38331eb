"""Ctrl-C ends every long call, soon."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import shapes

# A call that is made again and again until the signal comes. So the signal comes in the middle of a
# call.
PROGRAM = """
import os, signal, sys, threading, time
import numpy as np
import hitscan

random = np.random.default_rng(1)
sphere = np.load(sys.argv[2] + "/sphere.npz")
vertices, faces = sphere["vertices"], sphere["faces"]
ball = hitscan.Mesh(vertices, faces)
opened = hitscan.Mesh(vertices, faces[1:])
points = random.normal(size=(2_000_000, 3))
rough = vertices * (1 + 0.05 * random.normal(size=(len(vertices), 1)))
several = (np.concatenate([vertices + [3 * k, 0, 0] for k in range(12)]), np.concatenate([faces + k * len(vertices) for k in range(12)]))
scene = hitscan.Scene({0: hitscan.Mesh(rough, faces), 1: hitscan.Mesh(rough[:, [1, 2, 0]], faces)})
scene.set_transform(1, [0.5, 0, 0])
camera = hitscan.Camera.perspective(hitscan.Camera.look_at([0, 0, 4], [0, 0, 0]), 1.0)
block = hitscan.Shape.box([-0.5, -0.25, -0.125], [0.5, 0.25, 0.125])
if sys.argv[1].startswith("trimesh"):
    import hitscan.trimesh, trimesh
    solid = trimesh.Trimesh(vertices, faces, process=False)
    tracer, near = hitscan.trimesh.RayMeshIntersector(solid), hitscan.trimesh.ProximityQuery(solid)
if sys.argv[1].startswith("open3d"):
    import hitscan.open3d
    stage = hitscan.open3d.RaycastingScene()
    stage.add_triangles(vertices.astype(np.float32), faces.astype(np.uint32))
    rays = np.concatenate([points, -points], axis=1).astype(np.float32)
if sys.argv[1] == "load":
    with open(sys.argv[2] + "/model.obj", "w") as file:
        np.savetxt(file, vertices, fmt="v %.9g %.9g %.9g")
        np.savetxt(file, np.concatenate([faces + 1] * 8), fmt="f %d %d %d")
calls = {
    "cast": lambda: ball.cast(points, -points).point,
    "cast_all": lambda: ball.cast_all(points, -points),
    "closest": lambda: ball.closest_point(points),
    "occupancy": lambda: ball.contains(points),
    "few and long": lambda: opened.winding_number(points[:250], error_bound=0),
    "open": lambda: opened.signed_distance(points),
    "one thread": lambda: ball.closest_point(points, threads=1),
    "build": lambda: hitscan.Mesh(*several, "best"),
    "load": lambda: hitscan.load(sys.argv[2] + "/model.obj"),
    "pairs": lambda: scene.distance([0] * 64, [1] * 64),
    "all pairs": lambda: [scene.overlap_pairs() for _ in range(10)],
    "scene": lambda: scene.cast(points, -points),
    "sweeps": lambda: scene.sweep(hitscan.Shape.sphere(0.1), points[:500_000], -points[:500_000]),
    "overlaps": lambda: scene.overlaps(hitscan.Shape.sphere(0.3), points[:500_000]),
    "depths": lambda: scene.penetration(hitscan.Shape.sphere(0.1), points),
    "one depth": lambda: scene.penetration(hitscan.Shape.sphere(1.2), [0, 0, 0]),
    "going on": lambda: scene.cast(points[:500_000], -points[:500_000], after=scene.cast(points[0], -points[0], keep_hits=True), keep_hits=True),
    "paths": lambda: scene.cast_path(points[:1_000_000].reshape(-1, 5, 3)),
    "all depths": lambda: scene.penetration_all(hitscan.Shape.sphere(0.1), points[:500_000]),
    "one rotation": lambda: [scene.sweep_rotating(block, [0, 0, 9], [0, 0, -9], end_rotations=[0, 0.9, 0.1, 0.4]) for _ in range(200)],
    "shots": lambda: scene.shoot(points[:500_000], -points[:500_000], 9.0, impact="ricochet"),
    "snaps": lambda: hitscan.Cursor(camera, (640, 480), points[:20_000, :2] * 60 + 300, 5.0).nearest(scene),
    "trackers": lambda: hitscan.PairTracker().update(scene),
    "a shape": lambda: hitscan.Shape.torus(1.0, 0.25).cast(points, -points),
    "visibility": lambda: scene.visibility(points[:9] * 3, points[:500_000] * 3),
    "select": lambda: scene.select(camera, (3000, 3000), [[0, 0], [3000, 3000]], what="triangles", visible=1.0),
    "render": lambda: hitscan.render(scene, camera, (1500, 1500)),
    "trimesh rays": lambda: tracer.intersects_location(points[:300_000], -points[:300_000]),
    "trimesh points": lambda: near.signed_distance(points),
    "open3d rays": lambda: stage.cast_rays(rays),
    "open3d points": lambda: stage.compute_signed_distance(points.astype(np.float32)),
}
call = calls[sys.argv[1]]
sent = []

def interrupt():
    time.sleep(float(sys.argv[3]))
    sent.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)

# A shell's job in the background ignores this signal, and so would its children. A run of tests may be such a job.
signal.signal(signal.SIGINT, signal.default_int_handler)
threading.Thread(target=interrupt, daemon=True).start()
try:
    while True:
        call()
except KeyboardInterrupt:
    print(time.monotonic() - sent[0])
# The call can be made again, and others answer.
assert float(ball.cast([0, 0, 3], [0, 0, -1]).t) > 1.9
assert len(ball.contains(points[:5000])) == 5000
sys.stdout.flush()
os._exit(0)
"""

CALLS = [
    *["cast", "cast_all", "closest", "occupancy", "few and long", "open", "one thread", "build", "load"],
    *["pairs", "all pairs", "scene", "visibility", "select", "render"],
    *["sweeps", "overlaps", "depths", "one depth"],
    *["going on", "paths", "all depths", "one rotation", "shots", "snaps", "trackers", "a shape"],
    *["trimesh rays", "trimesh points", "open3d rays", "open3d points"],
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a folder with a sphere, which takes Python seconds to make."""
    folder = tmp_path_factory.mktemp("interrupt")
    vertices, faces = shapes.icosphere(6)
    np.savez(folder / "sphere.npz", vertices=vertices, faces=faces)
    return folder


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as POSIX has them")
@pytest.mark.parametrize("call", CALLS)
def test_an_interrupt_ends_a_call_soon(call: str, folder: Path) -> None:
    times = []
    # Another process may take the processor away, but not five times.
    for attempt in range(5):
        arguments = [sys.executable, "-c", PROGRAM, call, str(folder), str(0.3 + 0.11 * attempt)]
        run = subprocess.run(arguments, capture_output=True, text=True, timeout=120, check=False)
        assert run.returncode == 0 and run.stderr == "", run.stderr
        times.append(float(run.stdout))
        if times[-1] < 0.1:
            return
    raise AssertionError(f"{call} went on for {min(times)} s at least")
