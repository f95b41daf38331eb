//! Errors about inputs in the plane. Each names the invalid item and says what would be valid.

use crate::error::{ray_error, shape_error};
use glam::Vec2;

ray_error! {
    /// Why a [`Ray2`](super::Ray2) hits nothing.
    RayError2, Vec2
}

shape_error! {
    /// Why a shape of the plane cannot be used.
    pub enum ShapeError2 of Vec2 {
        /// A rectangle has a minimum above its maximum in some component, or a NaN.
        #[error("the rectangle's minimum {min} must not be above its maximum {max} in any component")]
        EmptyRect {
            /// The minimum given.
            min: Vec2,
            /// The maximum given.
            max: Vec2,
        },
        /// Two points that must define a direction are equal.
        #[error("the two points must differ: at one place they have no direction")]
        NoLength,
        /// A polygon has fewer than three corners.
        #[error("a polygon needs three corners or more, not {count}")]
        TooFewCorners {
            /// The count given.
            count: usize,
        },
        /// A corner of a polygon has a NaN or infinite component.
        #[error("corner {index} is at {position}: its position must be finite")]
        Corner {
            /// Index of the first such corner, from 0.
            index: usize,
            /// The position given.
            position: Vec2,
        },
        /// A corner of a polygon is equal to the corner before it. The corner before corner 0 is the last corner.
        #[error("corner {index} is equal to the corner before it: give each corner once")]
        Repeated {
            /// Index of the first such corner, from 0.
            index: usize,
        },
        /// The polygon turns the wrong way or back on itself at a corner, or starts to go around once more.
        #[error("the polygon must be convex and go around once, but does not at corner {index}: order the corners, or divide it")]
        NotConvex {
            /// Index of the first such corner, from 0.
            index: usize,
        },
    }
}
