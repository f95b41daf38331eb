//! A rectangle of pixels, and a test whether convex polygons intersect.

use crate::math::clip::places_above;
use glam::DVec2;

/// A rectangle of pixels; its border belongs to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PixelRect {
    pub(super) min: DVec2,
    pub(super) max: DVec2,
}

impl PixelRect {
    /// Returns the rectangle around at least one point.
    pub(super) fn around(points: &[DVec2]) -> Self {
        let empty = Self { min: DVec2::INFINITY, max: DVec2::NEG_INFINITY };
        points.iter().fold(empty, |rect, &point| Self { min: rect.min.min(point), max: rect.max.max(point) })
    }

    pub(super) fn contains(&self, pixel: DVec2) -> bool {
        self.min.cmple(pixel).all() && pixel.cmple(self.max).all()
    }

    /// Returns the intersection of two rectangles, if there is any.
    pub(super) fn intersection(&self, other: &Self) -> Option<Self> {
        let (min, max) = (self.min.max(other.min), self.max.min(other.max));
        min.cmple(max).all().then_some(Self { min, max })
    }

    /// Returns the part of a segment that is in the rectangle.
    pub(super) fn part_of(&self, [from, to]: [DVec2; 2]) -> Option<[DVec2; 2]> {
        let limits = [0, 1].into_iter().flat_map(|axis| {
            let [start, end] = [from, to].map(|point| point[axis]);
            [[start - self.min[axis], end - self.min[axis]], [self.max[axis] - start, self.max[axis] - end]]
        });
        let [low, high] = places_above([0.0, 1.0], limits)?;
        Some([low, high].map(|place| if place == 1.0 { to } else { from + (to - from) * place }))
    }

    /// Returns the two halves along its longer side.
    pub(super) fn halves(&self) -> [Self; 2] {
        let size = self.max - self.min;
        let middle = self.min + size * 0.5;
        let (mut low, mut high) = (*self, *self);
        let axis = usize::from(size.y > size.x);
        (low.max[axis], high.min[axis]) = (middle[axis], middle[axis]);
        [low, high]
    }

    /// Returns the corners, in order around it.
    pub(super) fn corners(&self) -> [DVec2; 4] {
        let Self { min, max } = *self;
        [min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)]
    }
}

/// Returns whether two convex polygons, segments or points have a point in common: whether no axis separates them (S. Gottschalk et al., "OBBTree", 1996).
///
/// The axes perpendicular to the edges decide, except for points and for segments on the same line. For these, the axes of the window
/// and the axes along the edges decide.
pub(super) fn are_together(a: &[DVec2], b: &[DVec2]) -> bool {
    let is_separating = |axis: DVec2| {
        let ([low, high], [least, most]) = (interval(a, axis), interval(b, axis));
        high < least || most < low
    };
    let separates = |corners: &[DVec2]| {
        let mut from = corners[corners.len() - 1];
        corners.iter().any(|&to| {
            let edge = to - core::mem::replace(&mut from, to);
            is_separating(edge.perp()) || corners.len() < 3 && is_separating(edge)
        })
    };
    !(is_separating(DVec2::X) || is_separating(DVec2::Y) || separates(a) || separates(b))
}

/// Returns the smallest and the largest height of points along an axis.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn interval(points: &[DVec2], axis: DVec2) -> [f64; 2] {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for point in points {
        let at = point.dot(axis);
        low = if at < low { at } else { low };
        high = if at > high { at } else { high };
    }
    [low, high]
}

/// Returns the square of the distance from a point to a convex polygon, a segment or a point; 0 inside.
pub(super) fn square_of_distance(point: DVec2, polygon: &[DVec2]) -> f64 {
    let ends = || polygon.iter().copied().zip(polygon.iter().copied().cycle().skip(1));
    let sides = || ends().map(|(from, to)| (to - from).perp_dot(point - from));
    if polygon.len() > 2 && (sides().all(|side| side > 0.0) || sides().all(|side| side < 0.0)) {
        return 0.0;
    }
    ends()
        .map(|(from, to)| square_to_segment(point - from, to - from))
        .fold(f64::INFINITY, |a, b| if b < a { b } else { a })
}

fn square_to_segment(point: DVec2, edge: DVec2) -> f64 {
    let square = edge.length_squared();
    let along = if square > 0.0 { (point.dot(edge) / square).clamp(0.0, 1.0) } else { 0.0 };
    (point - edge * along).length_squared()
}
