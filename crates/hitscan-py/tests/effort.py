"""The sizes of tests, by `HITSCAN_EFFORT` as in Rust (`crates/hitscan-random/src/effort.rs`)."""

from __future__ import annotations

import os


def size(suite: int, long: int) -> int:
    """Returns the size of a test: in the suite, or in a long run, times the factor of `long*FACTOR`."""
    word, _, factor = os.environ.get("HITSCAN_EFFORT", "quick").partition("*")
    if word not in ("quick", "full", "long"):
        raise ValueError(f"HITSCAN_EFFORT={word}: the efforts are quick, full, long, and a multiple such as long*0.1")
    return max(1, int(long * float(factor or 1))) if word == "long" else suite
