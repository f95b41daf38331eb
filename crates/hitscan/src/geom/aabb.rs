//! The axis-aligned box: bounds of everything, and a shape to be hit.

use crate::math::float::{gamma, round_down, round_up};
use crate::math::scalar::{Scalar, Scalar3, abs, largest, negated, product, scaled, sum};
use glam::{DAffine3, DVec3, Vec3};

/// An axis-aligned box. It is closed: its faces, edges and corners belong to it. It may be flat.
///
/// If the box is used as a shape, a ray from outside hits the entry, and a ray from inside hits the exit. Touching a
/// face, edge or corner is a hit. This is decided exactly, and t is the exact quotient rounded once. If a direction
/// component is 0 and the origin lies on a face's plane, the ray is treated as inside that pair of planes. On an
/// edge or corner, the normal is along the first of the axes x, y and z whose face is hit.
///
/// Bounds may be infinite, as for a plane, and rays are still answered. `validate` rejects such a box as a shape in a
/// scene and as a volume. The box has no centre and no size, which the other queries need.
///
/// ```
/// use hitscan::{Aabb, Ray};
///
/// let cube = Aabb::new([0.5, 0.5, 0.5], [2.0, 2.0, 2.0]);
/// let ray = Ray::with_direction([-2.0, -2.0, -2.0], [2.0, 2.0, 2.0]);
/// assert!(cube.is_blocked(&ray));
/// assert_eq!(cube.interval(&ray), Some((1.25, 2.0)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Aabb {
    /// The corner of smallest coordinates.
    pub min: Vec3,
    /// The corner of largest coordinates.
    pub max: Vec3,
}

impl Aabb {
    /// The empty box, from which a union starts. It hits nothing.
    pub const EMPTY: Self = Self { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    /// Makes a box from its smallest and its largest corner.
    pub fn new(min: impl Into<Vec3>, max: impl Into<Vec3>) -> Self {
        Self { min: min.into(), max: max.into() }
    }

    /// Makes a box of this full size around `center`.
    pub fn from_center_size(center: impl Into<Vec3>, size: impl Into<Vec3>) -> Self {
        let (center, half) = (center.into(), size.into() * 0.5);
        Self { min: center - half, max: center + half }
    }

    /// Returns the smallest box around some points; [`EMPTY`](Self::EMPTY) if there are none. NaN components are
    /// ignored.
    pub fn from_points<P: Into<Vec3>>(points: impl IntoIterator<Item = P>) -> Self {
        points.into_iter().map(P::into).fold(Self::EMPTY, |aabb, p| Self { min: aabb.min.min(p), max: aabb.max.max(p) })
    }

    /// Returns the smallest box around both boxes.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Returns whether the box contains nothing: a minimum is above its maximum, or a component is NaN.
    pub fn is_empty(&self) -> bool {
        !self.min.cmple(self.max).all()
    }

    /// Returns whether a point is inside the box or on its surface.
    ///
    /// ```
    /// use hitscan::Aabb;
    ///
    /// let cube = Aabb::new([0.0; 3], [1.0; 3]);
    /// assert!(cube.contains([1.0, 0.5, 0.0]));
    /// assert!(!cube.contains([1.5, 0.5, 0.0]) && !cube.contains([f32::NAN, 0.5, 0.0]));
    /// assert!(!Aabb::EMPTY.contains([0.0; 3]));
    /// ```
    #[doc = include_str!("../query/edges/contains_solid.md")]
    pub fn contains(&self, point: impl Into<Vec3>) -> bool {
        let point = point.into();
        self.min.cmple(point).all() && point.cmple(self.max).all()
    }

    /// Returns whether the two boxes intersect. Boxes that only touch intersect too. An [empty](Self::is_empty) box
    /// intersects nothing.
    ///
    /// ```
    /// use hitscan::Aabb;
    ///
    /// let cube = Aabb::new([0.0; 3], [1.0; 3]);
    /// assert!(cube.intersects(&Aabb::new([1.0, 0.0, 0.0], [2.0, 1.0, 1.0])));
    /// assert!(!cube.intersects(&Aabb::new([1.5, 0.0, 0.0], [2.0, 1.0, 1.0])));
    /// assert!(!cube.intersects(&Aabb::EMPTY));
    /// ```
    #[doc(alias("overlaps"))]
    pub fn intersects(&self, other: &Self) -> bool {
        !self.is_empty() && !other.is_empty() && self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    /// Returns the box with each face moved outwards by `by` along its axis. A negative number moves faces inwards, and the result is [empty](Self::is_empty)
    /// if nothing is left. An empty box stays empty.
    ///
    /// ```
    /// use hitscan::Aabb;
    ///
    /// let cube = Aabb::new([0.0; 3], [1.0; 3]);
    /// assert_eq!(cube.expanded([0.5, 0.0, 1.0]), Aabb::new([-0.5, 0.0, -1.0], [1.5, 1.0, 2.0]));
    /// assert!(cube.expanded([-0.75; 3]).is_empty());
    /// ```
    #[doc(alias("inflate", "grow", "loosened"))]
    #[must_use]
    pub fn expanded(&self, by: impl Into<Vec3>) -> Self {
        if self.is_empty() {
            return *self;
        }
        let by = by.into();
        Self { min: self.min - by, max: self.max + by }
    }

    /// Returns the eight corners. Bit 0 of the index chooses the side along x, bit 1 along y, and bit 2 along z.
    ///
    /// ```
    /// use hitscan::{Aabb, glam::Vec3};
    ///
    /// let corners = Aabb::new([0.0; 3], [1.0, 2.0, 3.0]).corners();
    /// assert_eq!((corners[0], corners[5]), (Vec3::ZERO, Vec3::new(1.0, 0.0, 3.0)));
    /// ```
    pub fn corners(&self) -> [Vec3; 8] {
        let side = |index: usize, axis: usize| if index >> axis & 1 == 0 { self.min } else { self.max };
        core::array::from_fn(|index| Vec3::new(side(index, 0).x, side(index, 1).y, side(index, 2).z))
    }

    /// Returns the centre.
    pub fn center(&self) -> Vec3 {
        ((self.min.as_dvec3() + self.max.as_dvec3()) * 0.5).as_vec3()
    }

    /// Returns the full edge lengths; they are negative where the box is empty.
    pub fn size(&self) -> Vec3 {
        self.max - self.min
    }

    /// Returns a box around the image of this one under a transform. The box has f64 corners. It is widened by the
    /// rounding of their sums and by `slack` times the largest term in them, and then rounded outwards to f32. If
    /// this box has infinite components, the result is infinite.
    pub(crate) fn transformed(&self, transform: &DAffine3, slack: f64) -> Self {
        self.image(transform, slack).rounded()
    }

    /// Does the same as [`transformed`](Self::transformed), without rounding to f32.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn image(&self, transform: &DAffine3, slack: f64) -> Extent {
        if self.is_empty() {
            return Extent { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };
        }
        if !(self.min.is_finite() && self.max.is_finite()) {
            return Extent { low: DVec3::NEG_INFINITY, high: DVec3::INFINITY };
        }
        self.finite_image(transform, slack).extent()
    }

    /// Does the same as [`image`](Self::image) for a box that is neither empty nor infinite.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn finite_image(&self, transform: &DAffine3, slack: f64) -> BoxImage<f64> {
        let ends = [self.min.as_dvec3(), self.max.as_dvec3()].map(|end| end.to_array());
        let columns = transform.matrix3.to_cols_array_2d();
        image(ends, columns, transform.translation.to_array(), slack)
    }

    /// Returns whether it is neither empty nor infinite.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn is_finite(&self) -> bool {
        !self.is_empty() && self.min.is_finite() && self.max.is_finite()
    }
}

/// The ends of a box around the image of a box, and the amount by which it is widened for all rounding.
pub(crate) struct BoxImage<T> {
    pub(crate) low: Scalar3<T>,
    pub(crate) high: Scalar3<T>,
    pub(crate) error: T,
}

impl BoxImage<f64> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn extent(&self) -> Extent {
        Extent { low: self.low.into(), high: self.high.into() }
    }
}

/// Returns the image of a box with these ends.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn image<T: Scalar>(
    [low, high]: [Scalar3<T>; 2],
    columns: [Scalar3<T>; 3],
    translation: Scalar3<T>,
    slack: T,
) -> BoxImage<T> {
    let (center, half) = (scaled(sum(low, high), 0.5), scaled(sum(high, negated(low)), 0.5));
    let place = sum(product(columns, center), translation);
    let columns = [abs(columns[0]), abs(columns[1]), abs(columns[2])];
    // The error is proportional to the largest coordinate of all terms, because a rotation mixes the axes' rounding
    // errors.
    let terms = sum(product(columns, sum(abs(center), half)), abs(translation));
    let error = largest(terms) * (slack + gamma(8));
    let reach = product(columns, half);
    let reach = [reach[0] + error, reach[1] + error, reach[2] + error];
    BoxImage { low: sum(place, negated(reach)), high: sum(place, reach), error }
}

/// A box in f64, for things that are placed in a large world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extent {
    pub(crate) low: DVec3,
    pub(crate) high: DVec3,
}

impl Extent {
    /// Returns the smallest box around both.
    pub(crate) fn union(&self, other: &Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Rounds outwards to f32. The box is infinite if sums overflowed to NaN.
    pub(crate) fn rounded(&self) -> Aabb {
        let end = |x: f64, otherwise: f64| if x.is_nan() { otherwise } else { x };
        let low = self.low.to_array().map(|x| round_down(end(x, f64::NEG_INFINITY)));
        Aabb::new(low, self.high.to_array().map(|x| round_up(end(x, f64::INFINITY))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transformed_boxes_hold_what_cancels() {
        // A point far away is moved back almost to the origin, so only rounding remains.
        let point = Aabb::new([1e12, 0.0, 0.0], [1e12, 0.0, 0.0]);
        let third = DAffine3::from_scale(DVec3::splat(1.0 / 3.0));
        let exact = (1e12f32 as f64) / 3.0;
        let moved = point.transformed(&(DAffine3::from_translation(DVec3::new(-exact, 0.0, 0.0)) * third), 0.0);
        let least = gamma(1) * exact;
        assert!(f64::from(moved.min.x) <= -least && f64::from(moved.max.x) >= least, "{moved:?}");
        assert!(f64::from(moved.max.x) <= 100.0 * least, "{moved:?}");
    }
}
