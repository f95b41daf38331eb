"""Pickles, files, forks and threads."""

from __future__ import annotations

import copy
import gc
import multiprocessing
import os
import pickle
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import shapes
from effort import size

import hitscan

RANDOM = np.random.default_rng(8)
ORIGINS, DIRECTIONS = RANDOM.normal(size=(3000, 3)) * 2, RANDOM.normal(size=(3000, 3))


def meshes() -> list[hitscan.Mesh]:
    vertices, faces = shapes.icosphere(2)
    return [
        hitscan.Mesh(vertices.astype(np.float32), faces),
        hitscan.Mesh(vertices, faces, "best"),
        hitscan.Mesh(vertices + 1e6, faces, "fast"),
        hitscan.Mesh(np.zeros((0, 3)), np.zeros((0, 3), dtype=int)),
    ]


def same_answers(one: hitscan.Mesh, other: hitscan.Mesh) -> bool:
    a, b = (mesh.cast(ORIGINS + mesh.origin, DIRECTIONS).to_dict() for mesh in (one, other))
    return all(np.array_equal(a[name], b[name], equal_nan=True) for name in a)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickles_of_every_protocol(protocol: int) -> None:
    for mesh in meshes():
        read = pickle.loads(pickle.dumps(mesh, protocol))
        assert read == mesh and hash(read) == hash(mesh) and same_answers(read, mesh)
        assert read.quality == mesh.quality
        hits = mesh.cast(ORIGINS, DIRECTIONS)
        again = pickle.loads(pickle.dumps(hits, protocol))
        assert np.array_equal(again.t, hits.t) and np.array_equal(again.point, hits.point, equal_nan=True)
        every, near = mesh.cast_all(ORIGINS, DIRECTIONS), mesh.closest_point(ORIGINS)
        assert np.array_equal(pickle.loads(pickle.dumps(every, protocol)).splits, every.splits)
        assert np.array_equal(pickle.loads(pickle.dumps(near, protocol)).distance, near.distance)


def placed() -> list[tuple[hitscan.Mesh | hitscan.Shape | hitscan.HeightField, list[float]]]:
    field = hitscan.HeightField(np.random.default_rng(2).normal(size=(5, 5)).astype(np.float32))
    return [(meshes()[0], [1, 0, 0]), (hitscan.Shape.torus(1.0, 0.2), [0, 2, 0]), (field, [0, -2, 0])]


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_compounds_are_pickled_with_their_parts(protocol: int) -> None:
    matrix = np.diag([1.0, 2.0, 3.0, 1.0])
    compound = hitscan.Compound([*placed(), (meshes()[1], matrix), hitscan.Shape.sphere(0.5)])
    matrix[:] = np.nan
    read = pickle.loads(pickle.dumps(compound, protocol))
    assert repr(read) == repr(compound) and len(read) == 5
    ones, others = (hitscan.Scene({3: part}).cast(ORIGINS, DIRECTIONS).to_dict() for part in (compound, read))
    assert set(ones["part"][ones["key"] == 3]) == set(range(5))
    assert all(np.array_equal(ones[name], others[name], equal_nan=ones[name].dtype.kind == "f") for name in ones)


def test_a_pickle_may_leave_its_bytes_out_of_band() -> None:
    for mesh in meshes():
        buffers: list[pickle.PickleBuffer] = []
        head = pickle.dumps(mesh, 5, buffer_callback=buffers.append)
        assert len(head) < 300 and len(buffers) == 1
        assert pickle.loads(head, buffers=buffers) == mesh


def test_copies_share_everything() -> None:
    mesh = meshes()[1]
    assert copy.copy(mesh) == mesh == copy.deepcopy(mesh)
    assert mesh != meshes()[2] and mesh != "a mesh"
    assert mesh.__dask_tokenize__() == meshes()[1].__dask_tokenize__() != meshes()[2].__dask_tokenize__()


def test_files(tmp_path: Path) -> None:
    for number, mesh in enumerate(meshes()):
        path = tmp_path / f"{number}.hit"
        mesh.save(path)
        assert path.read_bytes() == mesh.to_bytes()
        opened = hitscan.Mesh.open(path)
        assert opened == mesh and same_answers(opened, mesh)
    (tmp_path / "empty").write_bytes(b"")
    with pytest.raises(ValueError, match="no saved mesh"):
        hitscan.Mesh.open(tmp_path / "empty")


def test_corrupted_bytes_are_refused() -> None:
    for mesh in meshes():
        data = bytearray(mesh.to_bytes())
        for place in np.random.default_rng(9).integers(0, len(data), 60):
            bad = bytearray(data)
            bad[place] ^= 1 << int(place) % 8
            with pytest.raises(ValueError):
                hitscan.Mesh.from_bytes(bytes(bad))
        for length in range(0, len(data), max(1, len(data) // 20)):
            with pytest.raises(ValueError):
                hitscan.Mesh.from_bytes(bytes(data[:length]))


def test_refit_and_rebuilt() -> None:
    vertices, faces = shapes.icosphere(2)
    for mesh in meshes()[:3]:
        wider = vertices * [2.0, 1.0, 1.0] + mesh.origin
        fitted, made = mesh.refit(wider), hitscan.Mesh(wider, faces, origin=mesh.origin)
        assert fitted == made and same_answers(fitted, made)
        assert mesh == pickle.loads(pickle.dumps(mesh)), "the mesh itself stays as it was"
        best = mesh.rebuilt("best")
        assert best.quality == "best" and best == mesh and same_answers(best, mesh)


def test_the_same_bits_on_any_number_of_threads() -> None:
    for mesh in meshes()[:3]:
        rays = (ORIGINS + mesh.origin, DIRECTIONS)
        wanted = mesh.cast(*rays, threads=1), mesh.cast_all(*rays, threads=1), mesh.closest_point(rays[0], threads=1)
        for threads in (2, 3, 8, None):
            found = mesh.cast(*rays, threads=threads), mesh.cast_all(*rays, threads=threads), mesh.closest_point(rays[0], threads=threads)
            for one, other in zip(wanted, found):
                a, b = one.to_dict(), other.to_dict()
                assert all(np.array_equal(a[name], b[name], equal_nan=a[name].dtype.kind == "f") for name in a)


def test_many_threads_of_python_may_ask_at_once() -> None:
    mesh = meshes()[1]
    wanted = mesh.cast(ORIGINS, DIRECTIONS).t
    wrong: list[int] = []

    def ask(number: int) -> None:
        for _ in range(20):
            if not np.array_equal(mesh.cast(ORIGINS, DIRECTIONS, threads=1 + number % 3).t, wanted):
                wrong.append(number)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    assert not wrong


def test_the_lock_is_released_while_rays_are_cast() -> None:
    vertices, faces = shapes.icosphere(4)
    mesh = hitscan.Mesh(vertices, faces)
    origins = np.tile(ORIGINS, (100, 1))
    is_done, ticks = threading.Event(), 0
    thread = threading.Thread(target=lambda: (mesh.closest_point(origins, threads=1), is_done.set()))
    thread.start()
    while not is_done.wait(0.001):
        ticks += 1
    thread.join()
    assert ticks > 3


LARGE = hitscan.Shape.sphere(1.2)
LONG: dict[str, Callable[[hitscan.Scene], object]] = {
    "overlap_all": lambda scene: scene.overlap_all(LARGE, [0, 0, 0]),
    "sweep_all": lambda scene: scene.sweep_all(LARGE, [0, 0, 0], [0, 0, 1]),
    "move_and_slide": lambda scene: hitscan.Character(LARGE).move_and_slide(scene, hitscan.CharacterState([0, 0, 0]), [0, 0, 1], 0.1),
}


@pytest.mark.parametrize("name", LONG)
def test_the_lock_is_released_for_one_question(name: str) -> None:
    scene = hitscan.Scene([hitscan.Mesh(*shapes.icosphere(5))])
    is_done, ticks = threading.Event(), 0

    def ask() -> None:
        end = time.monotonic() + 0.1
        while time.monotonic() < end:
            LONG[name](scene)
        is_done.set()

    # Without a release, a waiting thread gets a turn only between two calls. Each call takes longer than a tick.
    start = time.monotonic()
    LONG[name](scene)
    took = time.monotonic() - start
    thread = threading.Thread(target=ask)
    thread.start()
    while not is_done.wait(0.0005):
        ticks += 1
    thread.join()
    assert ticks > 3 * (0.1 / took + 1) or took < 0.003


def _child(connection: object) -> None:
    mesh = meshes()[1]
    hitscan.Mesh(*shapes.icosphere(4), "best")
    assert all(len(mesh.closest_point(ORIGINS[:count])) == count for count in (1, 100, 300, 2000))
    connection.send(mesh.cast(ORIGINS, DIRECTIONS).t.sum(where=np.isfinite(mesh.cast(ORIGINS, DIRECTIONS).t)))  # type: ignore[attr-defined]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own() -> None:
    mesh = meshes()[1]
    t = mesh.cast(ORIGINS, DIRECTIONS).t
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe()
    process = context.Process(target=_child, args=(there,))
    process.start()
    assert here.poll(60), "the child hangs"
    assert here.recv() == t.sum(where=np.isfinite(t))
    process.join(60)
    assert process.exitcode == 0


# A few questions at a time are always answered by the thread that asks. So their answers are the expected ones for many
# questions at a time. Nobody may have processes or threads beyond the limit, and the limit does not hold for root.
WITHOUT_THREADS = """
import os, resource, sys, threading
import numpy as np
import hitscan

random = np.random.default_rng(3)
if os.getuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
try:
    threading.Thread(target=print).start()
    sys.exit("a thread could be started")
except RuntimeError:
    pass
heights = random.random((90, 90))
y, x = np.mgrid[0:90, 0:90]
vertices = np.stack([x, heights, y], axis=-1).reshape(-1, 3)
corner = (x + 90 * y)[:-1, :-1].reshape(-1, 1)
faces = np.concatenate([corner + [0, 90, 91], corner + [0, 91, 1]])
mesh = hitscan.Mesh(vertices, faces)
scene = hitscan.Scene({key: mesh for key in range(3)})
scene.set_transforms([1, 2], [[100, 0, 0], [200, 0, 0]])
origins = random.random((5000, 3)) * [89, 1, 89] + [0, 5, 0]
down = np.tile([0.1, -1, 0.1], (5000, 1))

def in_parts(ask):
    return np.concatenate([ask(slice(at, at + 200)) for at in range(0, 5000, 200)])

for ask in (
    lambda part: mesh.cast(origins[part], down[part]).t,
    lambda part: scene.cast(origins[part], down[part]).t,
    lambda part: scene.is_blocked(origins[part], down[part]),
    lambda part: mesh.closest_point(origins[part]).distance,
    lambda part: scene.sweep(hitscan.Shape.sphere(0.3), origins[part], down[part] * 9).t,
):
    assert np.array_equal(ask(slice(None)), in_parts(ask))
assert len(scene.overlap_pairs()) == 0
camera = hitscan.Camera.perspective(hitscan.Camera.look_at([45, 60, 45.01], [45, 0, 45]), 1.0)
assert scene.select(camera, (600, 600), [[0, 0], [600, 600]], visible=8.0).key.tolist() == [0]
assert mesh.refit(vertices + 1).rebuilt("best").cast([45, 9, 45], [0, -1, 0]).hit
assert hitscan.Mesh.from_bytes(mesh.to_bytes()).cast([45, 9, 45], [0, -1, 0]).hit
try:
    mesh.cast(origins, down, threads=2)
    sys.exit("two threads could be started")
except RuntimeError as fault:
    assert "give a smaller `threads`" in str(fault), fault
print("all answered")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of a user's threads is Linux's")
def test_where_no_thread_can_start_the_one_that_asks_does_all() -> None:
    run = subprocess.run([sys.executable, "-c", WITHOUT_THREADS], capture_output=True, text=True, timeout=300, check=False)
    assert (run.returncode, run.stdout, run.stderr) == (0, "all answered\n", "")


def test_the_environment_caps_threads() -> None:
    program = "import hitscan; print(hitscan.thread_count())"

    def run(value: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "HITSCAN_NUM_THREADS": value}
        return subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)

    assert run("3").stdout == "3\n"
    assert int(run("").stdout) >= 1
    assert "HITSCAN_NUM_THREADS is \"many\"" in run("many").stderr


def test_the_environment_chooses_the_instruction_set() -> None:
    program = "import hitscan; print(hitscan.simd_level(), hitscan.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]).cast([.25, .25, 2], [0, 0, -1]).t)"

    def run(value: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "HITSCAN_SIMD": value}
        return subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)

    assert run("").stdout == run("auto").stdout == f"{hitscan.simd_level()} 2.0\n"
    refused = run("mmx")
    assert refused.returncode != 0
    told = re.search('HITSCAN_SIMD is "mmx", which is no instruction set: set it to auto, (.+), or leave it unset', refused.stderr)
    assert told is not None
    for level in told[1].split(", "):
        assert run(level).stdout == f"{level} 2.0\n"


def test_memory_stays_flat() -> None:
    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    if not Path("/proc/self/statm").exists():
        pytest.skip("the system does not tell")
    vertices, faces = shapes.icosphere(1)

    def make(count: int) -> None:
        for _ in range(count):
            mesh = hitscan.Mesh(vertices + RANDOM.normal(size=3), faces)
            hits = mesh.cast([0, 0, 0], [[0, 0, 1], [0, 1, 0]])
            assert hits.t.shape == hits.triangle.shape == (2,)
            mesh.closest_point(vertices[:5], ties="facing")
            scene = pickle.loads(pickle.dumps(hitscan.Scene({1: mesh, 2: hitscan.Shape.sphere(1.0)}), 5))
            scene.set_transform(1, [1, 0, 0])
            assert scene.cast_all([0, 0, 0], [0, 0, 1]).point.shape[1] == 3

    make(400)
    gc.collect()
    before = resident()
    make(size(1_500, 10_000))
    gc.collect()
    assert resident() - before < 4 << 20
