//! The effort of the tests that steps run.

/// The variable with the effort of tests, and its value in the gate (`crates/hitscan-random/src/effort.rs`).
pub(super) const EFFORT: &str = "HITSCAN_EFFORT";
pub(super) const FULL: &str = "full";

/// Returns whether this step is one of the gate.
pub(super) fn is_full() -> bool {
    std::env::var(EFFORT).is_ok_and(|effort| effort == FULL)
}
