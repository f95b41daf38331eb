//! Rays that go on from where they hit: the point itself, what they meet there, and whether closed rooms keep them.
//!
//! `HITSCAN_BOUNCES` says how many bounces are made in rooms; `cargo xtask bounces` makes 10 million and shows the figures.

#[path = "../common/mod.rs"]
mod common;
mod points;
mod rooms;
mod rules;
mod sweep;
