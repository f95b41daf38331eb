//! Overlapping pairs against a naive list that tests all of them, by other arithmetic.
//!
//! `HITSCAN_FRAMES=1000` sets the number of frames in which ten thousand entities move.

mod bits;
mod boxes;
#[path = "../common/mod.rs"]
mod common;
mod crowd;
mod kinds;
mod list;
mod tracker;
mod walk;
