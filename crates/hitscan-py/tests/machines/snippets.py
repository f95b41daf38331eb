"""Runs the snippets about Dask, Ray and Spark in docs/python.md as they stand there, each in a process and a folder of its own.

    python snippets.py [dask|ray|spark] ..
"""

from __future__ import annotations

import json
import os
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet

PAGE = Path(__file__).parents[4] / "docs/python.md"
# The inputs of a snippet, and the check of its last answer. The inputs are a city of one square, and rays down on it.
BEFORE = {
    "dask": "import dask.array as da\nrays = da.tile(da.from_array([[0.25, 0.5, 2, 0, 0, -1.0]]), (1000, 1)).rechunk((300, 6))\n",
    "ray": "import os\nos.environ.update(RAY_USAGE_STATS_ENABLED='0', RAY_AUTH_MODE='disabled')\nimport ray\nray.init(_node_ip_address='127.0.0.1', include_dashboard=False, num_cpus=9, log_to_driver=False)\n",
    "spark": "",
}
AFTER = {
    "dask": "assert t.shape == (1000,) and (t == 2.0).all(), t\n",
    "ray": "rows = hits.take_all()\nassert len(rows) == 1000 and all(row['t'] == 2.0 and row['triangle'] in (0, 1) for row in rows)\n",
    "spark": "rows = hits.collect()\nassert sorted(row.id for row in rows) == list(range(1000)) and all(row.t == 2.0 for row in rows)\n",
}


def city(path: Path) -> None:
    """Writes a square of two triangles as GLB."""
    corners, faces = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], "<f4"), np.array([0, 1, 2, 0, 2, 3], "<u4")
    data = corners.tobytes() + faces.tobytes()
    document = {
        "asset": {"version": "2.0"},
        "buffers": [{"byteLength": len(data)}],
        "bufferViews": [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 24}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]},
            {"bufferView": 1, "componentType": 5125, "count": 6, "type": "SCALAR"},
        ],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "nodes": [{"mesh": 0}],
        "scenes": [{"nodes": [0]}],
    }
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data
    path.write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)


def rays(path: Path) -> None:
    numbers = {"id": np.arange(1000), "ox": 0.25, "oy": 0.5, "oz": 2.0, "dx": 0.0, "dy": 0.0, "dz": -1.0}
    pyarrow.parquet.write_table(pa.table({name: np.full(1000, value) if np.isscalar(value) else value for name, value in numbers.items()}), path)


def main() -> None:
    for name in sys.argv[1:] or list(BEFORE):
        found = re.search(rf"\*\*{name.capitalize()}\.\*\*.*?```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
        assert found, f"{PAGE} has no snippet about {name}"
        # Dask starts processes by importing the script.
        code = "".join(f"    {line}\n" for line in (BEFORE[name] + found[1] + AFTER[name]).splitlines())
        with tempfile.TemporaryDirectory() as folder:
            city(Path(folder, "city.glb"))
            rays(Path(folder, "rays.parquet"))
            Path(folder, "snippet.py").write_text(f"if __name__ == '__main__':\n{code}", encoding="utf-8")
            environment = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
            subprocess.run([sys.executable, "snippet.py"], cwd=folder, env=environment, check=True)
        print(f"the snippet about {name} runs", flush=True)


if __name__ == "__main__":
    main()
