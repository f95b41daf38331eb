//! Pairs that overlap, against a naive list that goes through all of them, by other arithmetic.
//!
//! `HITSCAN_FRAMES=1000` sets how many frames ten thousand entities move; by default as many as take seconds.

mod bits;
mod boxes;
#[path = "../common/mod.rs"]
mod common;
mod crowd;
mod kinds;
mod list;
mod tracker;
mod walk;
