//! What a ray test in the plane answers.

use crate::hit::{Side, facing};
use glam::Vec2;

/// Where a ray meets a shape of the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeHit2 {
    /// In multiples of the ray's direction; [`Ray2::at`](super::Ray2::at) gives the point.
    pub t: f32,
    /// The outline's own outward (front) normal, unit length; against the ray for [`Side::Inside`].
    pub normal: Vec2,
    /// The side that the ray met.
    pub side: Side,
    /// Segment: the fraction of the way from `a` to `b`, 0 to 1. `None` for the other shapes.
    pub u: Option<f32>,
}

impl ShapeHit2 {
    /// The normal turned against the ray.
    pub fn facing_normal(&self) -> Vec2 {
        facing(self.normal, self.side)
    }
}
