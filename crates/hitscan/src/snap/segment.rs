//! Segments and lines on the screen: the point nearest to the cursor, and points at a distance from it.

use super::reach::{ROUNDINGS, Reach, Spot};
use crate::camera::HomogeneousPixel;
use crate::math::clip::places_above;
use crate::math::float::sqrt;
use glam::{DVec2, DVec3};

/// The part of a segment or of a line through two points that the camera's depths and the viewport show.
#[derive(Clone, Copy)]
pub(super) struct ScreenSegment {
    points: [DVec3; 2],
    from: HomogeneousPixel,
    to: HomogeneousPixel,
    /// The fractions at which the shown part begins and ends: 0 is the first point and 1 the second.
    shown: [f64; 2],
    /// True if all points of the segment have the same pixel, up to rounding.
    is_end_on: bool,
}

impl ScreenSegment {
    /// Returns the segment between two points whose projections are known; `None` if none of it is shown.
    pub(super) fn between(reach: &Reach, points: [DVec3; 2], projected: &[HomogeneousPixel; 2]) -> Option<Self> {
        Self::of_places(reach, points, projected, [0.0, 1.0])
    }

    fn of_places(
        reach: &Reach,
        points: [DVec3; 2],
        [from, to]: &[HomogeneousPixel; 2],
        places: [f64; 2],
    ) -> Option<Self> {
        let shown = shown_places(reach, from, to, places)?;
        Some(Self { points, from: *from, to: *to, shown, is_end_on: is_end_on(reach, points, from, to) })
    }

    /// Returns the point that is nearest to the cursor on the screen, if it is in reach.
    pub(super) fn nearest(&self, reach: &Reach) -> Option<Spot> {
        let (Self { from, to, .. }, [low, high]) = (self, self.shown);
        let (step, growth) = self.steps();
        // The derivative of the squared distance is 0 for at most one fraction, because its quadratic terms cancel.
        let along = from.pixel.dot(step);
        let numerator = from.pixel.length_squared() * growth - along * from.weight;
        let denominator = (to.pixel - from.pixel).length_squared() * from.weight - along * growth;
        let foot = (numerator / denominator).clamp(low, high);
        let spots = [foot, low, high].into_iter().filter_map(|place| self.spot(reach, place));
        // All points of a segment that is seen end-on are equally near to the cursor.
        let square = |spot: &Spot| if self.is_end_on { 0.0 } else { spot.square };
        spots.min_by(|a, b| square(a).total_cmp(&square(b)).then(a.depth.total_cmp(&b.depth)))
    }

    /// Returns the changes of the pixel and of the weight from the first point to the second.
    fn steps(&self) -> (DVec2, f64) {
        (self.to.pixel - self.from.pixel, self.to.weight - self.from.weight)
    }

    /// Returns the point at a fraction, if it is in reach.
    fn spot(&self, reach: &Reach, place: f64) -> Option<Spot> {
        let (Self { points: [a, b], from, to, .. }, (step, growth)) = (*self, self.steps());
        if !place.is_finite() {
            return None;
        }
        // Two segments that share an end have exactly the same point there.
        let (point, pixel, weight, depth) = if place == 1.0 {
            (b, to.pixel, to.weight, to.depth)
        } else {
            let weight = from.weight + growth * place;
            (a + (b - a) * place, from.pixel + step * place, weight, from.depth + (to.depth - from.depth) * place)
        };
        let [near, far] = reach.map.depths();
        let depth = depth.clamp(near, far);
        let offset = pixel / weight;
        // A point at which the viewport cuts the segment off is in the viewport up to rounding.
        let offset = offset.is_finite().then(|| offset.clamp(reach.window[0], reach.window[1]))?;
        reach.spot_at(point, offset, weight, depth)
    }

    /// Returns the part within reach, given the nearest point. Returns `None` if it is seen end-on, because all of it then has the same pixel.
    pub(super) fn stretch(&self, reach: &Reach, nearest: &Spot) -> Option<ScreenStretch> {
        let (step, growth) = self.steps();
        let direction = (step * self.from.weight - self.from.pixel * growth).try_normalize()?;
        if self.is_end_on {
            return None;
        }
        let along = |place: f64| (self.from.pixel + step * place).dot(direction) / (self.from.weight + growth * place);
        let middle = nearest.offset.dot(direction);
        let across = nearest.square - middle * middle;
        // Rounding must not take the ends of the chord out of the circle.
        let half_chord = sqrt((reach.radius() * reach.radius() - across).max(0.0)) * (1.0 - SMALLEST_STEP);
        let [low, high] = self.shown.map(along);
        let low = if low > -half_chord { low } else { -half_chord };
        let high = if high < half_chord { high } else { half_chord };
        Some(ScreenStretch { segment: *self, direction, middle, low: low.min(middle), high: high.max(middle) })
    }
}

impl Reach {
    /// Returns the point of the line through two points that is nearest to the cursor on the screen, if it is in reach.
    /// The part of the line outside of the camera's depths or the viewport is cut off, and so is the part behind the
    /// eye. A line that is seen end-on has no nearest point: the first of the two points is used instead.
    pub(super) fn line(&self, points: [DVec3; 2]) -> Option<Spot> {
        let projected = points.map(|point| self.map.project(point));
        let line = ScreenSegment::of_places(self, points, &projected, [f64::NEG_INFINITY, f64::INFINITY])?;
        if line.is_end_on { self.spot(points[0], &projected[0]) } else { line.nearest(self) }
    }
}

/// Returns whether two points have the same pixel, up to rounding.
fn is_end_on(reach: &Reach, points: [DVec3; 2], a: &HomogeneousPixel, b: &HomogeneousPixel) -> bool {
    let ([x, y], weight, eye) = (reach.map.pixel_forms(), reach.map.weight_form(), reach.map.eye());
    let pixel = |point| DVec2::new(x.magnitude(point, eye), y.magnitude(point, eye));
    let [(x, w), (y, v)] = points.map(|point| (pixel(point), weight.magnitude(point, eye)));
    let difference = (a.pixel * b.weight - b.pixel * a.weight).abs();
    difference.cmple((x * v + y * w) * (2.0 * ROUNDINGS)).all()
}

/// Limits a range of fractions to the part that is within the camera's depths and in the viewport.
fn shown_places(reach: &Reach, from: &HomogeneousPixel, to: &HomogeneousPixel, places: [f64; 2]) -> Option<[f64; 2]> {
    let (ends, [near, far], [left_top, right_bottom]) = ([from, to], reach.map.depths(), reach.window);
    let limits = [
        [from.depth - near, to.depth - near],
        [far - from.depth, far - to.depth],
        ends.map(|end| end.pixel.x - left_top.x * end.weight),
        ends.map(|end| end.pixel.y - left_top.y * end.weight),
        ends.map(|end| right_bottom.x * end.weight - end.pixel.x),
        ends.map(|end| right_bottom.y * end.weight - end.pixel.y),
    ];
    places_above(places, limits)
}

/// The part of a segment within reach. Its points are given by their distance along it on the screen, in pixels. The distance is from the foot of the
/// perpendicular from the cursor.
#[derive(Clone, Copy)]
pub(super) struct ScreenStretch {
    segment: ScreenSegment,
    /// The direction on the screen.
    direction: DVec2,
    /// The distance at which the segment is nearest to the cursor.
    pub(super) middle: f64,
    low: f64,
    high: f64,
}

/// A bound on the relative rounding error of a distance.
const SMALLEST_STEP: f64 = 1.0 / (1u64 << 40) as f64;

impl ScreenStretch {
    /// Returns the distance limited to the part in reach.
    pub(super) fn clamp(&self, along: f64) -> f64 {
        along.clamp(self.low, self.high)
    }

    /// Returns the point at a distance along the segment.
    pub(super) fn spot(&self, reach: &Reach, along: f64) -> Option<Spot> {
        let ScreenSegment { from, shown: [low, high], .. } = self.segment;
        let (step, growth) = self.segment.steps();
        let place =
            (along * from.weight - from.pixel.dot(self.direction)) / (step.dot(self.direction) - along * growth);
        self.segment.spot(reach, place.clamp(low, high))
    }

    /// Returns the least depth of the part in reach, up to rounding.
    pub(super) fn least_depth(&self, reach: &Reach) -> f64 {
        let depths =
            [self.low, self.high].into_iter().filter_map(|along| self.spot(reach, along)).map(|spot| spot.depth);
        depths.fold(f64::INFINITY, f64::min)
    }
}
