//! Errors about inputs in the plane. Each names the offender and says what would be right.

use core::fmt;
use glam::Vec2;

/// Why a [`Ray2`](super::Ray2) hits nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum RayError2 {
    /// The origin has a NaN or infinite component.
    Origin(Vec2),
    /// The direction is zero or has a NaN or infinite component.
    Direction(Vec2),
    /// The range is empty: `t_min <= t_max` does not hold.
    Range {
        /// The lower end as given.
        t_min: f32,
        /// The upper end as given.
        t_max: f32,
    },
}

impl fmt::Display for RayError2 {
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

impl core::error::Error for RayError2 {}

/// Why a shape of the plane cannot be used.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ShapeError2 {
    /// A radius is negative or not finite.
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
        value: Vec2,
    },
    /// A normal is zero or has a NaN or infinite component.
    Direction {
        /// The vector, such as "normal".
        what: &'static str,
        /// The value given.
        value: Vec2,
    },
    /// A rectangle has a minimum above its maximum in some component, or a NaN.
    EmptyRect {
        /// The minimum given.
        min: Vec2,
        /// The maximum given.
        max: Vec2,
    },
    /// Two points that must define a direction are equal.
    NoLength,
    /// All corners are on one line, so the shape has no area.
    NoArea,
    /// A polygon has fewer than three corners.
    TooFewCorners {
        /// The count given.
        count: usize,
    },
    /// A corner of a polygon has a NaN or infinite component.
    Corner {
        /// Index of the first such corner, from 0.
        index: usize,
        /// The position given.
        position: Vec2,
    },
    /// A corner of a polygon is equal to the one before it. The one before corner 0 is the last.
    Repeated {
        /// Index of the first such corner, from 0.
        index: usize,
    },
    /// The polygon turns the wrong way or back on itself at a corner, or starts to go around once more.
    NotConvex {
        /// Index of the first such corner, from 0.
        index: usize,
    },
}

impl fmt::Display for ShapeError2 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size { what, value } => write!(f, "the {what} {value} must be finite and not negative"),
            Self::Point { what, value } => write!(f, "the {what} {value} must be finite"),
            Self::Direction { what, value } => write!(f, "the {what} {value} must be finite and not zero"),
            Self::EmptyRect { min, max } => {
                write!(f, "the rectangle's minimum {min} must not be above its maximum {max} in any component")
            }
            Self::NoLength => write!(f, "the two points must differ: at one place they have no direction"),
            Self::NoArea => write!(f, "the corners are on one line, so they enclose no area: move one off the line"),
            Self::TooFewCorners { count } => write!(f, "a polygon needs three corners or more, not {count}"),
            Self::Corner { index, position } => {
                write!(f, "corner {index} is at {position}: its position must be finite")
            }
            Self::Repeated { index } => {
                write!(f, "corner {index} is equal to the corner before it: give each corner once")
            }
            Self::NotConvex { index } => {
                write!(
                    f,
                    "the polygon must be convex and go around once, but does not at corner {index}: order the corners, or divide it"
                )
            }
        }
    }
}

impl core::error::Error for ShapeError2 {}
