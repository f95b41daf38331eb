//! The instruction set that the environment asks for.

use crate::error;
use hitscan::simd::{SimdError, SimdLevel};
use pyo3::prelude::*;

/// The variable of the environment that names an instruction set.
const VARIABLE: &str = "HITSCAN_SIMD";
/// This value chooses the best instruction set, as if the variable were not set.
const AUTO: &str = "auto";

/// Chooses the instruction set that `HITSCAN_SIMD` names; an empty variable counts as not set.
pub(crate) fn select() -> PyResult<()> {
    let Some(value) = std::env::var_os(VARIABLE).filter(|value| !value.is_empty() && value != AUTO) else {
        return Ok(());
    };
    let level = value.to_str().ok_or(SimdError::Unknown).and_then(str::parse);
    level.and_then(SimdLevel::select).map_err(|error| {
        let levels: Vec<String> = SimdLevel::available().map(|level| level.to_string()).collect();
        let cause = match error {
            SimdError::Unavailable(_) => "is not available here",
            _ => "is no instruction set",
        };
        let levels = levels.join(", ");
        error::value(format!("{VARIABLE} is {value:?}, which {cause}: set it to {AUTO}, {levels}, or leave it unset"))
    })
}

/// Returns the instruction set with which answers are computed: the best available, or the set that `HITSCAN_SIMD` names. The answers do not depend on it.
#[pyfunction]
pub(crate) fn simd_level() -> String {
    SimdLevel::current().to_string()
}
