//! The region around a cursor in which candidates are found. It is a circle in pixels, between the depths of the
//! camera.

use crate::bvh::{PixelForms, PixelLimits, RegionPlane};
use crate::camera::{HomogeneousPixel, LinearForm, PixelMap, Viewport};
use crate::math::float::{gamma, sqrt};
use glam::{DAffine3, DVec2, DVec3};

/// A circle of pixels around a cursor, in which points of the world are searched for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    pub(super) map: PixelMap,
    radius: f64,
    /// The corners of the viewport, in pixels relative to the cursor.
    pub(super) window: [DVec2; 2],
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

/// A bound on the rounding errors of a point in reach, from its local coordinates to its pixel before the division by
/// the weight. It includes the conversion of a linear form from the camera to the local space. Each has fewer than 64
/// operations, none of which has a result larger than the sum of the absolute values of all products.
pub(super) const ROUNDINGS: f64 = gamma(128);

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
        self.map = self.map.relative_to(origin);
        self
    }

    /// Returns a bound on the rounding of a point's depth.
    pub(super) fn depth_rounding(&self, point: DVec3) -> f64 {
        ROUNDINGS * self.map.depth_form().magnitude(point, self.map.eye())
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

    /// Returns whether the pixel at an offset from the cursor is in the viewport. All sides belong to the viewport.
    pub(super) fn shows(&self, offset: DVec2) -> bool {
        self.window[0].cmple(offset).all() && offset.cmple(self.window[1]).all()
    }

    pub(super) fn spot_at(&self, point: DVec3, offset: DVec2, weight: f64, depth: f64) -> Option<Spot> {
        let square = offset.length_squared();
        let is_in_reach =
            weight > 0.0 && square <= self.radius * self.radius && self.map.has_depth(depth) && point.is_finite();
        is_in_reach.then_some(Spot { point, offset, square: square + 0.0, depth })
    }

    /// Returns the pixels and depths in reach, for searches through trees.
    pub(super) fn limits(&self) -> PixelLimits {
        let [near, far] = self.map.depths();
        PixelLimits { square: self.radius * self.radius, near, far }
    }

    /// Returns the projection in the coordinates of a tree, which are the coordinates of a local space multiplied by a
    /// power of two. Local coordinates are at most `largest`, and `error` is their relative error.
    pub(super) fn forms(&self, to_world: &DAffine3, largest: DVec3, scale: f64, error: f64) -> PixelForms {
        let (eye, pixels) = (self.map.eye(), self.map.pixel_forms());
        let columns = [to_world.matrix3.x_axis, to_world.matrix3.y_axis, to_world.matrix3.z_axis];
        let sizes = columns.map(DVec3::abs);
        let size = sizes[0] * largest.x + sizes[1] * largest.y + sizes[2] * largest.z;
        let size = size + to_world.translation.abs() + eye.abs();
        // The magnitudes are passed separately, because a sum of numbers of both signs does not reveal how large they
        // were.
        let form = |LinearForm { normal, constant }: LinearForm| {
            RegionPlane::new(
                DVec3::from_array(columns.map(|column| normal.dot(column))) / scale,
                normal.dot(to_world.translation - eye) + constant,
                (ROUNDINGS + error) * (normal.abs().dot(size) + constant.abs()),
            )
        };
        PixelForms {
            pixels: pixels.map(form),
            weight: form(self.map.weight_form()),
            depth: form(self.map.depth_form()),
        }
    }
}
