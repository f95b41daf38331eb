//! Code that capsule, cylinder and cone share: a ray's motion around an axis and along it.

use super::around_segment;
use super::normalized_ray::ScaledRay;
use super::solid::{Crossing, Span};
use crate::geom::aabb::Aabb;
use crate::geom::ray::LocalRay;
use crate::math::float::{gamma, power_of_two, quadratic_roots, unit};
use crate::save::value;
use glam::{DVec3, Vec3};

/// The saved data of a capsule, cylinder or cone. The height follows from the ends, but a solid that was made upright keeps its given height.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Ends {
    pub(super) ends: [Vec3; 2],
    pub(super) height: f32,
    pub(super) radius: f32,
}

value!(Ends { ends, height, radius });

/// Saves a solid as [`Ends`]. The fields in braces hold the two ends, under the names that follow.
macro_rules! made_of_ends {
    ($shape:ident { $($fields:tt)* }, $a:ident, $b:ident) => {
        crate::save::value!($shape as Ends);

        impl From<$shape> for Ends {
            fn from($shape { $($fields)*, height, radius }: $shape) -> Self {
                Self { ends: [$a, $b], height, radius }
            }
        }

        impl TryFrom<Ends> for $shape {
            type Error = crate::error::ShapeError;

            fn try_from(made_of: Ends) -> Result<Self, crate::error::ShapeError> {
                let Ends { ends: [$a, $b], height, radius } = made_of;
                let is_possible = [Self::new(radius, height), Self::between($a, $b, radius)].map(Ends::from).contains(&made_of);
                let shape = Self { $($fields)*, height, radius };
                if is_possible { Ok(shape) } else { Err(crate::error::ShapeError::Height { height }) }
            }
        }
    };
}

pub(super) use made_of_ends;

/// A ray relative to the axis of a round solid. Distances from the axis and along it are in the shape's units times
/// the length of `axis`. So `axis` need not be normalised.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axial {
    /// The ray, seen from the axis' first end.
    pub(super) ray: ScaledRay,
    /// The axis from the first end towards the second, of any length.
    pub(super) axis: DVec3,
    /// The position of the second end along the axis; 0 for a flat solid.
    pub(super) top: f64,
    /// The radius in the shape's units.
    pub(super) radius: f64,
}

impl Axial {
    pub(super) fn new(ray: &LocalRay, [from, to]: [Vec3; 2], radius: f32) -> Self {
        let (from, radius) = (from.as_dvec3(), f64::from(radius));
        let height = to.as_dvec3() - from;
        let ray = ScaledRay::new(ray, from, height.abs().max_element().max(radius)).rebased();
        let height = height / ray.unit;
        let axis = axis(height);
        Self { ray, axis, top: height.dot(axis), radius: radius / ray.unit }
    }

    /// Returns the ray's offset from the axis after some steps, rotated by a right angle around the axis and multiplied by
    /// the length of `axis`.
    fn around(&self, v: DVec3) -> DVec3 {
        // This is a cross product, not v minus its component along the axis. For a direction close to the axis, the cross product keeps every digit.
        self.axis.cross(v)
    }

    /// Returns the span of the line between the planes through the two ends.
    pub(super) fn slab(&self, first_feature: usize, second_feature: usize) -> Option<Span> {
        let (height, climb) = (self.ray.origin.dot(self.axis), self.ray.direction.dot(self.axis));
        if climb == 0.0 {
            return (0.0 <= height && height <= self.top).then_some(Span::LINE);
        }
        let first = Crossing { t: -height / climb, feature: first_feature };
        let second = Crossing { t: (self.top - height) / climb, feature: second_feature };
        let (enter, exit) = if climb > 0.0 { (first, second) } else { (second, first) };
        // A flat solid has one plane, and equal quotients.
        Some(Span { enter, exit })
    }

    /// Returns the span of the line inside the infinite cylinder, from the quadratic equation of a sphere in the two dimensions perpendicular to the axis.
    pub(super) fn side(&self, feature: usize) -> Option<Span> {
        let (w, d) = (self.around(self.ray.origin), self.around(self.ray.direction));
        let r_squared = self.radius * self.radius * self.axis.length_squared();
        let a = d.length_squared();
        let c = w.length_squared() - r_squared;
        if a == 0.0 {
            return (c <= 0.0).then_some(Span::LINE);
        }
        let b = -w.dot(d);
        let foot = w + d * (b / a);
        let roots = quadratic_roots(a, b, c, a * (r_squared - foot.length_squared()))?;
        Some(Span::of_feature(roots, feature))
    }

    /// Returns whether the line is inside the infinite cylinder after some steps.
    pub(super) fn is_within(&self, steps: f64) -> bool {
        self.around(self.ray.at(steps)).length_squared() <= self.radius * self.radius * self.axis.length_squared()
    }

    /// Returns the vector from the infinite axis to the ray's point after some steps, perpendicular to the axis, and multiplied by the square of the length of
    /// `axis`.
    pub(super) fn outward(&self, steps: f64) -> DVec3 {
        self.around(self.ray.at(steps)).cross(self.axis)
    }
}

/// A point relative to a round solid's axis.
pub(super) struct AroundAxis {
    /// The first end.
    from: DVec3,
    /// The direction along the axis, of unit length.
    pub(super) axis: DVec3,
    /// The direction from the axis to the point, of unit length; `None` for a point on the axis.
    pub(super) outward: Option<DVec3>,
    /// Distance from the first end along the axis.
    pub(super) height: f64,
    /// Distance from the axis.
    pub(super) distance: f64,
    /// The distance between the two ends.
    pub(super) top: f64,
}

impl AroundAxis {
    pub(super) fn new(point: DVec3, [from, to]: [Vec3; 2]) -> Self {
        let (from, to) = (from.as_dvec3(), to.as_dvec3());
        let axis = unit(axis(to - from)).unwrap_or(DVec3::Y);
        let height = (point - from).dot(axis);
        let across = point - from - axis * height;
        let outward = unit(across);
        let distance = outward.map_or(0.0, |outward| across.dot(outward));
        Self { from, axis, outward, height, distance, top: (to - from).dot(axis) }
    }

    /// Returns the point of the axis at a height.
    pub(super) fn middle(&self, height: f64) -> DVec3 {
        self.from + self.axis * height
    }

    /// Returns the point at a height and a distance, on the same side of the axis.
    pub(super) fn at(&self, height: f64, distance: f64) -> DVec3 {
        self.from + self.axis * height + self.outward.unwrap_or(DVec3::ZERO) * distance
    }
}

/// Returns a vector along the height, or along y if the height is zero. It has unit length if it is one of the
/// coordinate axes. Otherwise its largest coordinate is below 2, so that a height far below the radius does not
/// underflow.
fn axis(height: DVec3) -> DVec3 {
    let largest = height.abs().max_element();
    if largest == 0.0 {
        return DVec3::Y;
    }
    let aligned = height.to_array().iter().filter(|&&x| x == 0.0).count() == 2;
    height / if aligned { largest } else { power_of_two(largest) }
}

/// Returns the box around two discs, one at each end of a segment, each with its own radius. Both are perpendicular to the segment.
pub(super) fn bounds([from, to]: [Vec3; 2], from_radius: f32, to_radius: f32) -> Aabb {
    let extents = disc_extents(axis(to.as_dvec3() - from.as_dvec3()));
    let around = |center, radius: f32| around_segment(center, center, extents * f64::from(radius));
    around(from, from_radius).union(&around(to, to_radius))
}

/// Returns an upper bound of the extent along each coordinate axis of a disc of radius 1 with this normal. For the unit normal n, the extent is sqrt(1 -
/// n_i^2).
pub(super) fn disc_extents(normal: DVec3) -> DVec3 {
    let n = normal / normal.abs().max_element();
    let extent = |other: f64, another: f64, own: f64| {
        if own == 0.0 {
            return 1.0;
        }
        let across = libm::sqrt(other * other + another * another);
        // There are four roundings in each root, one in the quotient, and two of the components.
        (across / libm::sqrt(across * across + own * own)) * (1.0 + gamma(16))
    };
    DVec3::new(extent(n.y, n.z, n.x), extent(n.z, n.x, n.y), extent(n.x, n.y, n.z)).min(DVec3::ONE)
}
