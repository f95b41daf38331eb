//! Closest points, signed distances and containment of every solid under every kind of transform.
//!
//! `HITSCAN_CLOSEST_POINTS=10000000` sets how many points the sweep asks about; by default it takes seconds. `HITSCAN_CLOSEST_SEED` starts it elsewhere.

mod cases;
#[path = "../common/mod.rs"]
mod common;
mod convex;
mod faint;
mod meshes;
mod rings;
mod subject;

/// How many points are asked about in all.
fn points() -> usize {
    std::env::var("HITSCAN_CLOSEST_POINTS").ok().and_then(|count| count.parse().ok()).unwrap_or(20_000)
}

/// The sweep starts at this seed, which is printed.
fn random() -> common::Random {
    let seed = std::env::var("HITSCAN_CLOSEST_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(39);
    println!("seed {seed}");
    common::Random(seed)
}
