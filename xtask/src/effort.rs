//! The effort of the tests that steps run, and the features with which the tests are built.

use crate::shell::FEATURES;

/// The variable with the effort of tests, and its value in the gate (`crates/hitscan-random/src/effort.rs`).
pub(crate) const EFFORT: &str = "HITSCAN_EFFORT";
pub(crate) const FULL: &str = "full";

/// Returns whether tests run at full effort, as in the gate.
pub(crate) fn is_full() -> bool {
    std::env::var(EFFORT).is_ok_and(|effort| effort == FULL)
}

/// Returns the features of all builds of the workspace. At full effort they have every instruction set and the program's window, so that the library is
/// compiled once for all tests.
pub(crate) fn features() -> String {
    if is_full() { full_features() } else { FEATURES.to_owned() }
}

/// Returns the features of builds at full effort.
pub(crate) fn full_features() -> String {
    format!("{FEATURES},hitscan/all-simd,hitscan-cli/window")
}
