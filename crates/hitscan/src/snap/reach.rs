//! The region around a cursor in which candidates count: a circle in pixels, and the depths of the camera.

use crate::bvh::{HalfSpaces, RegionPlane};
use crate::camera::{HomogeneousPixel, PixelMap, Viewport};
use crate::math::float::{gamma, sqrt};
use glam::{DAffine3, DVec2, DVec3};

/// A circle of pixels around a cursor, in which the points of the world are looked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    pub(super) map: PixelMap,
    radius: f64,
    /// The corners of the viewport, in pixels relative to the cursor.
    window: [DVec2; 2],
}

/// A point that is in reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spot {
    /// The point in the world.
    pub(super) point: DVec3,
    /// Its pixel relative to the cursor.
    pub(super) offset: DVec2,
    /// The square of its distance from the cursor, in pixels.
    pub(super) square: f64,
    pub(super) depth: f64,
}

impl Spot {
    pub(super) fn distance(&self) -> f64 {
        sqrt(self.square)
    }
}

/// Returns the same half-spaces in coordinates that are multiplied by a power of two.
pub(super) fn scaled(HalfSpaces(mut planes): HalfSpaces, scale: f64) -> HalfSpaces {
    planes.iter_mut().for_each(|plane| plane.normal /= scale);
    HalfSpaces(planes)
}

/// A bound on the roundings of a point that is in reach, from its local coordinates to the comparison with the radius, and of a plane from the camera to the
/// local space: fewer than 64 operations each, none of which is larger than the sum of the absolute values of all products.
const ROUNDINGS: f64 = gamma(128);

impl Reach {
    /// Returns `None` unless the radius is finite and not negative.
    pub(super) fn new(map: PixelMap, viewport: &Viewport, radius: f64) -> Option<Self> {
        let first = map.offset_of(viewport.origin.as_dvec2());
        let window = [first, first + viewport.size.as_dvec2()];
        (radius >= 0.0 && radius.is_finite()).then_some(Self { map, radius, window })
    }

    pub(super) fn radius(&self) -> f64 {
        self.radius
    }

    /// Returns the same region for points in a world with another origin.
    pub(super) fn relative_to(mut self, origin: DVec3) -> Self {
        self.map.eye += origin;
        self
    }

    /// Returns a bound on the rounding of a point's depth.
    pub(super) fn depth_rounding(&self, point: DVec3) -> f64 {
        ROUNDINGS * self.map.depth.abs().dot(point.abs() + self.map.eye.abs())
    }

    /// Returns a point of the world, if it is in reach.
    pub(super) fn point(&self, point: DVec3) -> Option<Spot> {
        self.spot(point, &self.map.project(point))
    }

    /// Returns a point whose projection is known, if it is in reach.
    pub(super) fn spot(&self, point: DVec3, projected: &HomogeneousPixel) -> Option<Spot> {
        let HomogeneousPixel { pixel, weight, depth } = *projected;
        let offset = pixel / weight;
        if !self.shows(offset) {
            return None;
        }
        self.spot_at(point, offset, weight, depth)
    }

    /// Returns whether the viewport shows the pixel at an offset from the cursor. All of its sides belong to it.
    pub(super) fn shows(&self, offset: DVec2) -> bool {
        self.window[0].cmple(offset).all() && offset.cmple(self.window[1]).all()
    }

    fn spot_at(&self, point: DVec3, offset: DVec2, weight: f64, depth: f64) -> Option<Spot> {
        let square = offset.length_squared();
        let is_in_reach = weight > 0.0
            && square <= self.radius * self.radius
            && (self.map.near..=self.map.far).contains(&depth)
            && point.is_finite();
        is_in_reach.then_some(Spot { point, offset, square: square + 0.0, depth })
    }

    /// Returns the point between `a` and `b` that is nearest to the cursor on the screen, if it is in reach. The part of the segment outside of the camera's
    /// depths or the viewport is cut off.
    pub(super) fn segment(&self, ends: [DVec3; 2], projected: &[HomogeneousPixel; 2]) -> Option<Spot> {
        self.nearest_of(ends, projected, [0.0, 1.0])
    }

    /// Does the same for a whole line through two points. A line that is seen end-on has no nearest point: the first of the two stands for it.
    pub(super) fn line(&self, points: [DVec3; 2]) -> Option<Spot> {
        let projected = points.map(|point| self.map.project(point));
        if self.is_end_on(points, &projected) {
            return self.spot(points[0], &projected[0]);
        }
        self.nearest_of(points, &projected, [f64::NEG_INFINITY, f64::INFINITY])
    }

    /// Returns whether two points have the same pixel, up to rounding.
    fn is_end_on(&self, points: [DVec3; 2], [a, b]: &[HomogeneousPixel; 2]) -> bool {
        let [(x, w), (y, v)] = points.map(|point| self.map.magnitude(point));
        let difference = (a.pixel * b.weight - b.pixel * a.weight).abs();
        difference.cmple((x * v + y * w) * (2.0 * ROUNDINGS)).all()
    }

    /// Does the same for the places from `first` to `last`.
    fn nearest_of(
        &self,
        [a, b]: [DVec3; 2],
        [from, to]: &[HomogeneousPixel; 2],
        [first, last]: [f64; 2],
    ) -> Option<Spot> {
        let [low, high] = self.visible_places(from, to, [first, last])?;
        let (step, growth) = (to.pixel - from.pixel, to.weight - from.weight);
        // The derivative of the squared distance is 0 at one place at most, because both of its quadratic terms are equal.
        let along = from.pixel.dot(step);
        let numerator = from.pixel.length_squared() * growth - along * from.weight;
        let denominator = step.length_squared() * from.weight - along * growth;
        let foot = (numerator / denominator).clamp(low, high);
        let spot = |place: f64| {
            let point = if place == 1.0 { b } else { a + (b - a) * place };
            let weight = from.weight + growth * place;
            let depth = from.depth + (to.depth - from.depth) * place;
            let depth = depth.clamp(self.map.near, self.map.far);
            let offset = (from.pixel + step * place) / weight;
            // A place at which the viewport cuts the segment off is in it up to rounding.
            let offset = offset.is_finite().then(|| offset.clamp(self.window[0], self.window[1]))?;
            self.spot_at(point, offset, weight, depth)
        };
        let spots = [foot, low, high].into_iter().filter(|place| place.is_finite()).filter_map(spot);
        // All points of a segment that is seen end-on are equally near to the cursor.
        let is_end_on = self.is_end_on([a, b], &[*from, *to]);
        let square = |spot: &Spot| if is_end_on { 0.0 } else { spot.square };
        spots.min_by(|a, b| square(a).total_cmp(&square(b)).then(a.depth.total_cmp(&b.depth)))
    }

    /// Cuts off the places whose depth is not the camera's, and those outside of the viewport.
    fn visible_places(
        &self,
        from: &HomogeneousPixel,
        to: &HomogeneousPixel,
        [mut low, mut high]: [f64; 2],
    ) -> Option<[f64; 2]> {
        let (ends, [left_top, right_bottom]) = ([from, to], self.window);
        let limits = [
            [from.depth - self.map.near, to.depth - self.map.near],
            [self.map.far - from.depth, self.map.far - to.depth],
            ends.map(|end| end.pixel.x - left_top.x * end.weight),
            ends.map(|end| end.pixel.y - left_top.y * end.weight),
            ends.map(|end| right_bottom.x * end.weight - end.pixel.x),
            ends.map(|end| right_bottom.y * end.weight - end.pixel.y),
        ];
        for [start, end] in limits {
            let place = start / (start - end);
            if end > start {
                low = if place > low { place } else { low };
            } else if end < start {
                high = if place < high { place } else { high };
            } else if start < 0.0 {
                return None;
            }
        }
        (low <= high).then_some([low, high])
    }

    /// Returns the planes around everything in reach, in a local space whose coordinates are at most this large. `error` is what the coordinates are off by,
    /// relative to their size.
    pub(super) fn walls(&self, to_world: &DAffine3, largest: DVec3, error: f64) -> HalfSpaces {
        let PixelMap { eye, pixels, weight, depth, near, far, .. } = self.map;
        let columns = [to_world.matrix3.x_axis, to_world.matrix3.y_axis, to_world.matrix3.z_axis];
        let [x, y, z] = columns.map(DVec3::abs);
        let size = x * largest.x + y * largest.y + z * largest.z + to_world.translation.abs() + eye.abs();
        // The magnitudes are given apart, because a sum of numbers of both signs does not tell how large they were.
        let wall = |normal: DVec3, constant: f64, normal_size: DVec3, constant_size: f64| RegionPlane {
            normal: DVec3::from_array(columns.map(|column| normal.dot(column))),
            constant: normal.dot(to_world.translation - eye) + constant,
            error: (ROUNDINGS + error) * (normal_size.dot(size) + constant_size),
        };
        let beside = |axis: usize, sign: f64| {
            let form = pixels[axis];
            wall(
                weight.normal * self.radius - form.normal * sign,
                weight.constant * self.radius - form.constant * sign,
                form.normal.abs() + weight.normal.abs() * self.radius,
                form.constant.abs() + weight.constant.abs() * self.radius,
            )
        };
        let sides = [beside(0, 1.0), beside(0, -1.0), beside(1, 1.0), beside(1, -1.0)];
        let [left, right, above, below] = sides;
        let front = wall(depth, -near, depth.abs(), near.abs());
        let back =
            if far.is_finite() { wall(-depth, far, depth.abs(), far.abs()) } else { RegionPlane::BELOW_EVERYTHING };
        HalfSpaces([left, right, above, below, front, back])
    }
}
