//! Errors of scene contents: shapes and transforms.

use core::fmt;
use glam::Vec3;

/// Why a shape cannot be used.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ShapeError {
    /// A radius, height or size is negative or not finite.
    Size {
        /// The measure, such as "radius".
        what: &'static str,
        /// The value given.
        value: f32,
    },
    /// A point has a NaN or infinite component.
    Point {
        /// The point, such as "center".
        what: &'static str,
        /// The value given.
        value: Vec3,
    },
    /// A normal or axis is zero or has a NaN or infinite component.
    Direction {
        /// The vector, such as "normal".
        what: &'static str,
        /// The value given.
        value: Vec3,
    },
    /// A box has a minimum above its maximum in some component.
    EmptyBox {
        /// The minimum given.
        min: Vec3,
        /// The maximum given.
        max: Vec3,
    },
    /// The height of a solid does not equal the distance of its ends.
    Height {
        /// The height given.
        height: f32,
    },
    /// The corners are on one line, so the triangle or quad has no area.
    NoArea,
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size { what, value } => write!(f, "the {what} {value} must be finite and not negative"),
            Self::Point { what, value } => write!(f, "the {what} {value} must be finite"),
            Self::Direction { what, value } => write!(f, "the {what} {value} must be finite and not zero"),
            Self::EmptyBox { min, max } => {
                write!(f, "the box's minimum {min} must not be above its maximum {max} in any component")
            }
            Self::Height { height } => {
                write!(
                    f,
                    "the height {height} must be the distance between the two ends, plus twice the radius for a capsule"
                )
            }
            Self::NoArea => write!(f, "the corners are on one line, so they enclose no area: move one off the line"),
        }
    }
}

impl core::error::Error for ShapeError {}

/// Why a transform cannot place anything.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum TransformError {
    /// Some element is NaN or infinite.
    NotFinite,
    /// The linear part cannot be inverted: a scale of zero, or axes in one plane.
    Singular {
        /// Determinant of the linear part.
        determinant: f64,
    },
    /// The last row of a 4x4 matrix is not (0, 0, 0, 1).
    NotAffine,
    /// The linear part is not a rotation or reflection, although a rigid transform is required.
    NotRigid,
}

impl fmt::Display for TransformError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFinite => write!(f, "the transform has a NaN or infinite element: all must be finite"),
            Self::Singular { determinant } => {
                write!(
                    f,
                    "the transform cannot be inverted (its determinant is {determinant}): no scale may be zero, and its axes \
                    must not be in one plane"
                )
            }
            Self::NotAffine => {
                write!(
                    f,
                    "the matrix's last row must be (0, 0, 0, 1): transpose a matrix that has its translation there; a \
                    projection cannot place anything"
                )
            }
            Self::NotRigid => {
                write!(f, "the transform scales or shears, but must be rigid: give a rotation and a translation only")
            }
        }
    }
}

impl core::error::Error for TransformError {}

/// Why an entity cannot be put into a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum SceneError {
    /// One of its shapes cannot be used.
    Shape(ShapeError),
    /// Its transform cannot be used.
    Transform(TransformError),
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shape(error) => error.fmt(f),
            Self::Transform(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for SceneError {}

impl From<ShapeError> for SceneError {
    fn from(error: ShapeError) -> Self {
        Self::Shape(error)
    }
}

impl From<TransformError> for SceneError {
    fn from(error: TransformError) -> Self {
        Self::Transform(error)
    }
}
