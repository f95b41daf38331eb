//! The instruction set that the environment names.

use anyhow::{Result, anyhow};
use hitscan::simd::{SimdError, SimdLevel};

const VARIABLE: &str = "HITSCAN_SIMD";
/// The value for the best instruction set, which is also used if the variable is not set.
const AUTO: &str = "auto";

/// Casts rays with the instruction set that `HITSCAN_SIMD` names; an empty variable is ignored.
pub(crate) fn select() -> Result<()> {
    let Some(value) = std::env::var_os(VARIABLE).filter(|value| !value.is_empty() && value != AUTO) else {
        return Ok(());
    };
    let level = value.to_str().ok_or(SimdError::Unknown).and_then(str::parse);
    level.and_then(SimdLevel::select).map_err(|error| {
        let levels: Vec<String> = SimdLevel::available().map(|level| level.to_string()).collect();
        let value = value.display();
        let cause = match error {
            SimdError::Unavailable(_) => "this instruction set is not available here",
            _ => "there is no such instruction set",
        };
        anyhow!("{VARIABLE}={value}: {cause}; set it to {AUTO}, {} or leave it unset", levels.join(", "))
    })
}
