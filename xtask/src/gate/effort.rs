//! The effort of the tests that steps run.

/// The tests' variable for how much they try, and what the gate sets it to (`crates/hitscan-random/src/effort.rs`).
pub(super) const EFFORT: &str = "HITSCAN_EFFORT";
pub(super) const FULL: &str = "full";
