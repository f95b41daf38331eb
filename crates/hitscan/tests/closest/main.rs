//! Closest points, signed distances and containment of every solid under every kind of transform, and of meshes against
//! all of their triangles.
//!
//! `HITSCAN_CLOSEST_POINTS=10000000` sets the number of points that the sweep asks about, and `HITSCAN_CLOSEST_SEED`
//! its seed.

#[path = "../common/all_triangles.rs"]
mod all_triangles;
mod brute;
mod cases;
#[path = "../common/mod.rs"]
mod common;
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
    std::env::var("HITSCAN_CLOSEST_POINTS").ok().and_then(|count| count.parse().ok()).unwrap_or(20_000)
}

/// Returns the generator of the sweep, and prints its seed.
fn random() -> common::Random {
    let seed = std::env::var("HITSCAN_CLOSEST_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(39);
    println!("seed {seed}");
    common::Random(seed)
}
