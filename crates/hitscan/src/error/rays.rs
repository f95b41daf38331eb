//! Errors of rays and batches of them.

use core::fmt;
use glam::Vec3;

/// Why a ray hits nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum RayError {
    /// The origin has a NaN or infinite component.
    Origin(Vec3),
    /// The direction is zero or has a NaN or infinite component.
    Direction(Vec3),
    /// The range is empty: `t_min <= t_max` does not hold.
    Range {
        /// The lower end as given.
        t_min: f32,
        /// The upper end as given.
        t_max: f32,
    },
}

impl fmt::Display for RayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Origin(v) => write!(f, "the ray's origin {v} must be finite"),
            Self::Direction(v) => write!(f, "the ray's direction {v} must be finite and not zero"),
            Self::Range { t_min, t_max } => {
                write!(f, "the ray's range must have t_min <= t_max, not {t_min} to {t_max}")
            }
        }
    }
}

impl core::error::Error for RayError {}

/// A batch does not have as many places for answers as rays, or its columns have different lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BatchError {
    /// The slice: "places for answers", or the name of the column.
    pub what: &'static str,
    /// The number of questions, such as rays.
    pub questions: usize,
    /// The number of places that the slice has.
    pub answers: usize,
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, questions, answers } = self;
        write!(f, "{questions} questions need {questions} {what}, but there are {answers}")
    }
}

impl core::error::Error for BatchError {}
