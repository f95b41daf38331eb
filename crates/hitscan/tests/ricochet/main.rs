//! Rays that continue from where they hit: the hit point, the surfaces that they meet there, and whether closed rooms
//! contain them.
//!
//! `HITSCAN_BOUNCES` sets the number of bounces in rooms. `cargo xtask bounces` makes 10 million and prints the
//! figures.

#[path = "../common/mod.rs"]
mod common;
mod grazing;
mod points;
mod rooms;
mod rules;
mod sweep;
