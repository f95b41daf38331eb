//! The reasons for which an instruction set cannot be used.

use super::SimdLevel;
use core::fmt;

/// Why an instruction set cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SimdError {
    /// This processor, or the program as it is compiled, does not have the instruction set.
    Unavailable(SimdLevel),
    /// There is no instruction set of that name.
    Unknown,
}

impl fmt::Display for SimdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, levels: &mut dyn Iterator<Item = SimdLevel>| {
            levels.enumerate().try_for_each(|(i, level)| write!(f, "{}{level}", if i == 0 { "" } else { ", " }))
        };
        match self {
            Self::Unavailable(level) => {
                write!(f, "the instruction set {level} is not available here, but these are: ")?;
                list(f, &mut SimdLevel::available())
            }
            Self::Unknown => {
                write!(f, "there is no instruction set of that name; there are ")?;
                list(f, &mut SimdLevel::all())
            }
        }
    }
}

impl core::error::Error for SimdError {}
