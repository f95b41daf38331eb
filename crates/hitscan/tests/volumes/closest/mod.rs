//! Closest points, signed distances and containment of every solid under every kind of transform, and of meshes against
//! all of their triangles.

use crate::common;
use hitscan_random::effort;

mod brute;
mod cases;
mod convex;
mod faint;
mod inside;
mod many;
mod meshes;
mod rings;
mod subject;
mod winding;

/// Returns the total number of points.
fn points() -> usize {
    effort::size(6_000, 20_000, 10_000_000)
}

/// Returns the generator of the sweep, and prints its seed.
fn random() -> common::Random {
    common::Random(effort::seed(39))
}
