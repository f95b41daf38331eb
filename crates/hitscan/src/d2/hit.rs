//! The answer of a ray test in the plane.

use crate::geom::hit::{Side, facing};
use glam::Vec2;

/// A hit of a ray on a shape in the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeHit2 {
    /// Distance along the ray, in units of its direction; [`Ray2::at`](super::Ray2::at) gives the point.
    pub t: f32,
    /// The outline's own outward (front) normal, of unit length. For [`Side::Inside`] it is against the ray.
    pub normal: Vec2,
    /// The side that the ray hit.
    pub side: Side,
    /// The fraction of the distance from `a` to `b` of a segment, from 0 to 1. `None` on other shapes.
    pub u: Option<f32>,
}

impl ShapeHit2 {
    /// Returns the normal turned against the ray.
    pub fn facing_normal(&self) -> Vec2 {
        facing(self.normal, self.side)
    }
}
