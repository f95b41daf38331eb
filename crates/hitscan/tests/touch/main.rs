//! Closest points, overlaps and distances, against what is found in another way: no code is shared with what is tested.
//!
//! `HITSCAN_TOUCHES=1000000` sets how many cases of each pair of shapes; by default as many as take seconds.

mod bits;
#[path = "../common/mod.rs"]
mod common;
mod depths;
mod edges;
mod meshes;
mod oracle;
mod pairs;
mod points;

/// How many of each kind.
fn count(by_default: usize) -> usize {
    std::env::var("HITSCAN_TOUCHES").ok().and_then(|count| count.parse().ok()).unwrap_or(by_default)
}
