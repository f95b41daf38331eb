//! Errors of rays and of batches of rays.

use core::fmt;
use glam::Vec3;

/// Defines the reasons why a ray in 2D or 3D hits nothing.
macro_rules! ray_error {
    ($(#[$doc:meta])* $name:ident, $vector:ty) => {
        crate::error::errors! {
            $(#[$doc])*
            pub enum $name {
                /// The origin has a NaN or infinite component.
                #[error("the ray's origin {origin} must be finite")]
                Origin(origin: $vector),
                /// The direction is zero or has a NaN or infinite component.
                #[error("the ray's direction {direction} must be finite and not zero")]
                Direction(direction: $vector),
                /// The range is empty: `t_min <= t_max` does not hold.
                #[error("the ray's range must have t_min <= t_max, not {t_min} to {t_max}")]
                Range {
                    /// The lower end as given.
                    t_min: f32,
                    /// The upper end as given.
                    t_max: f32,
                },
            }
        }
    };
}
pub(crate) use ray_error;

ray_error! {
    /// Why a ray hits nothing.
    RayError, Vec3
}

/// The number of places for answers differs from the number of questions, or the columns of a batch have different lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BatchError {
    /// The slice with the wrong length: "places for answers", or the name of a column.
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
