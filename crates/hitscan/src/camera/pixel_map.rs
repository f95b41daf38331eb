//! A camera's map from the world to pixels around a cursor, in homogeneous coordinates.

use super::Camera;
use super::viewport::Viewport;
use glam::{DVec2, DVec3, Vec2};

/// The map from points to pixels relative to a cursor. All of its functions of a point are linear in the offset from the eye.
///
/// The pixel offset is (x, y) / w. With perspective, w is the depth; with parallel rays, it is 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PixelMap {
    pub(crate) eye: DVec3,
    /// The functions x and y.
    pub(crate) pixels: [LinearForm; 2],
    pub(crate) weight: LinearForm,
    pub(crate) depth: DVec3,
    pub(crate) near: f64,
    pub(crate) far: f64,
    /// The direction of parallel rays, in which depth grows by 1; `None` if the rays come from the eye.
    parallel: Option<DVec3>,
    cursor: DVec2,
}

/// The function `normal` · offset + `constant`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinearForm {
    pub(crate) normal: DVec3,
    pub(crate) constant: f64,
}

impl LinearForm {
    fn at(&self, offset: DVec3) -> f64 {
        self.normal.dot(offset) + self.constant
    }

    fn plus(self, other: Self, factor: f64) -> Self {
        Self { normal: self.normal + other.normal * factor, constant: self.constant + other.constant * factor }
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
        let offset = point - self.eye;
        let [x, y] = self.pixels;
        HomogeneousPixel {
            pixel: DVec2::new(x.at(offset), y.at(offset)),
            weight: self.weight.at(offset),
            depth: self.depth.dot(offset),
        }
    }

    /// Returns bounds on the sums of absolute values of all terms of a point's pixel and weight, by which their rounding is bounded.
    pub(crate) fn magnitude(&self, point: DVec3) -> (DVec2, f64) {
        let size = point.abs() + self.eye.abs();
        let of = |form: &LinearForm| form.normal.abs().dot(size) + form.constant.abs();
        (DVec2::new(of(&self.pixels[0]), of(&self.pixels[1])), of(&self.weight))
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
        self.parallel.is_some()
    }

    /// Returns where the ray that leads to a point of this depth begins, in the world: at the near depth, or at the eye.
    pub(crate) fn sight_start(&self, point: DVec3, depth: f64) -> DVec3 {
        match self.parallel {
            Some(direction) => point - direction * (depth - self.near),
            None => self.eye + (point - self.eye) * (self.near / depth),
        }
    }
}

impl Camera {
    /// Returns the map to pixels around a cursor; `None` for a cursor or a viewport that cannot be used.
    pub(crate) fn pixel_map(&self, cursor: Vec2, viewport: &Viewport) -> Option<PixelMap> {
        let half = viewport.usable_size()? * 0.5;
        let middle = viewport.origin.as_dvec2() + half - cursor.as_dvec2();
        let ([x, y, depth], parallel) = self.lens.forms();
        let weight = match parallel {
            Some(_) => LinearForm { normal: DVec3::ZERO, constant: 1.0 },
            None => LinearForm { normal: depth, constant: 0.0 },
        };
        let linear = |normal: DVec3| LinearForm { normal, constant: 0.0 };
        let pixels = [
            linear(x * (half.x / self.width(viewport))).plus(weight, middle.x),
            linear(y * -half.y).plus(weight, middle.y),
        ];
        let is_usable = middle.is_finite() && pixels.iter().all(|form| form.normal.is_finite());
        let (near, far, cursor) = (self.near, self.far, cursor.as_dvec2());
        is_usable.then_some(PixelMap { eye: self.eye, pixels, weight, depth, near, far, parallel, cursor })
    }
}
