//! Errors of scene contents: shapes and transforms.

use core::fmt;
use glam::Vec3;

/// Defines the reasons why a shape in 2D or 3D cannot be used. They are the reasons that both dimensions share, and the given ones.
macro_rules! shape_error {
    ($(#[$doc:meta])* pub enum $name:ident of $vector:ident { $($more:tt)* }) => {
        crate::error::errors! {
            $(#[$doc])*
            pub enum $name {
                /// A radius, height or size is negative or not finite.
                #[error("the {what} {value} must be finite and not negative")]
                Size {
                    /// The measure, such as "radius".
                    what: &'static str,
                    /// The value given.
                    value: f32,
                },
                /// A point has a NaN or infinite component.
                #[error("the {what} {value} must be finite")]
                Point {
                    /// The point, such as "center".
                    what: &'static str,
                    /// The value given.
                    value: $vector,
                },
                /// A normal or axis is zero or has a NaN or infinite component.
                #[error("the {what} {value} must be finite and not zero")]
                Direction {
                    /// The vector, such as "normal".
                    what: &'static str,
                    /// The value given.
                    value: $vector,
                },
                /// All corners are on one line, so the shape has no area.
                #[error("the corners are on one line, so they enclose no area: move one off the line")]
                NoArea,
                $($more)*
            }
        }
    };
}
pub(crate) use shape_error;

shape_error! {
    /// Why a shape cannot be used.
    pub enum ShapeError of Vec3 {
        /// A box has a minimum above its maximum in some component.
        #[error("the box's minimum {min} must not be above its maximum {max} in any component")]
        EmptyBox {
            /// The minimum given.
            min: Vec3,
            /// The maximum given.
            max: Vec3,
        },
        /// The height of a solid is not the distance between its ends, plus twice the radius for a capsule.
        #[error("the height {height} must be the distance between the two ends, plus twice the radius for a capsule")]
        Height {
            /// The height given.
            height: f32,
        },
    }
}

errors! {
    /// Why a transform cannot place anything.
    pub enum TransformError {
        /// Some element is NaN or infinite.
        #[error("the transform has a NaN or infinite element: all must be finite")]
        NotFinite,
        /// The linear part cannot be inverted: a scale of zero, or axes in one plane.
        #[error("the transform cannot be inverted (its determinant is {determinant}): no scale may be zero, and its axes must not be in one plane")]
        Singular {
            /// Determinant of the linear part.
            determinant: f64,
        },
        /// The last row of a 4x4 matrix is not (0, 0, 0, 1).
        #[error("the matrix's last row must be (0, 0, 0, 1): transpose a matrix that has its translation there; a projection cannot place anything")]
        NotAffine,
        /// The linear part is not a rotation or reflection, although a rigid transform is required.
        #[error("the transform scales or shears, but must be rigid: give a rotation and a translation only")]
        NotRigid,
    }
}

errors! {
    /// Why an entity cannot be put into a scene.
    pub enum SceneError {
        /// A shape of the entity cannot be used.
        #[error("{error}")]
        Shape(error: ShapeError),
        /// A transform of the entity cannot be used.
        #[error("{error}")]
        Transform(error: TransformError),
    }
}

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

/// The first invalid item of a bulk change, and why it is invalid. Nothing was changed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BulkError {
    /// Index of the item, from 0.
    pub index: usize,
    /// The fault of the item.
    pub error: SceneError,
}

impl fmt::Display for BulkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "in item {}, {}", self.index, self.error)
    }
}

impl core::error::Error for BulkError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        Some(&self.error)
    }
}
