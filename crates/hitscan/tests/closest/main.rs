//! Closest points, signed distances and containment of every solid under every kind of transform.
//!
//! `HITSCAN_CLOSEST_POINTS=10000000` sets how many points the sweep asks about; by default it takes seconds.

mod cases;
#[path = "../common/mod.rs"]
mod common;
