//! A camera's map from the world to pixels around a cursor, in homogeneous coordinates.

use super::Camera;
use super::pixel_space::PixelSpace;
use super::viewport::Viewport;
use glam::{DVec2, DVec3, Vec2, Vec3Swizzles};

/// The map from points to pixels relative to a cursor: the pixel space with the cursor as origin. The pixel offset is (x, y) / w, in which w is the depth
/// with perspective, and 1 with parallel rays.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PixelMap {
    space: PixelSpace,
    cursor: DVec2,
}

/// The function `normal` · offset + `constant` of the offset from the eye.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinearForm {
    pub(crate) normal: DVec3,
    pub(crate) constant: f64,
}

impl LinearForm {
    /// Returns a bound on the sum of the absolute values of all terms for a point; rounding errors are relative to it.
    pub(crate) fn magnitude(&self, point: DVec3, eye: DVec3) -> f64 {
        self.normal.abs().dot(point.abs() + eye.abs()) + self.constant.abs()
    }
}

/// A point before its division by the weight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HomogeneousPixel {
    pub(crate) pixel: DVec2,
    pub(crate) weight: f64,
    pub(crate) depth: f64,
}

impl PixelMap {
    /// Maps a point in the world.
    pub(crate) fn project(&self, point: DVec3) -> HomogeneousPixel {
        let place = self.space.of_offset.transform_point3(point - self.space.eye);
        let weight = if self.space.is_perspective() { place.z } else { 1.0 };
        HomogeneousPixel { pixel: place.xy(), weight, depth: place.z }
    }

    pub(crate) fn eye(&self) -> DVec3 {
        self.space.eye
    }

    /// Returns the same map for points in a world with another origin.
    pub(crate) fn relative_to(mut self, origin: DVec3) -> Self {
        self.space.eye += origin;
        self
    }

    /// Returns the smallest and the largest depth that rays reach.
    pub(crate) fn depths(&self) -> [f64; 2] {
        self.space.depth
    }

    pub(crate) fn has_depth(&self, depth: f64) -> bool {
        let [near, far] = self.space.depth;
        (near..=far).contains(&depth)
    }

    /// Returns x and y of the homogeneous pixel, as functions of a point's offset from the eye.
    pub(crate) fn pixel_forms(&self) -> [LinearForm; 2] {
        [self.form(0), self.form(1)]
    }

    pub(crate) fn weight_form(&self) -> LinearForm {
        if self.space.is_perspective() { self.depth_form() } else { LinearForm { normal: DVec3::ZERO, constant: 1.0 } }
    }

    pub(crate) fn depth_form(&self) -> LinearForm {
        self.form(2)
    }

    fn form(&self, row: usize) -> LinearForm {
        let of_offset = &self.space.of_offset;
        LinearForm { normal: of_offset.matrix3.row(row), constant: of_offset.translation[row] }
    }

    /// Returns the window pixel at an offset from the cursor.
    pub(crate) fn window_pixel(&self, offset: DVec2) -> Vec2 {
        (self.cursor + offset).as_vec2()
    }

    /// Returns the offset of a window pixel from the cursor.
    pub(crate) fn offset_of(&self, pixel: DVec2) -> DVec2 {
        pixel - self.cursor
    }

    pub(crate) fn is_parallel(&self) -> bool {
        !self.space.is_perspective()
    }

    /// Returns where the ray that leads to a point of this depth begins, in the world. It begins at the near depth, or
    /// at the eye.
    pub(crate) fn sight_start(&self, point: DVec3, depth: f64) -> DVec3 {
        let [near, _] = self.space.depth;
        if self.is_parallel() {
            point - self.space.ray(DVec2::ZERO).1 * (depth - near)
        } else {
            self.space.eye + (point - self.space.eye) * (near / depth)
        }
    }
}

impl Camera {
    /// Returns the map to pixels around a cursor; `None` for an unusable cursor or viewport.
    pub(crate) fn pixel_map(&self, cursor: Vec2, viewport: &Viewport) -> Option<PixelMap> {
        let cursor = cursor.as_dvec2();
        Some(PixelMap { space: self.pixel_space_around(cursor, viewport)?, cursor })
    }
}
