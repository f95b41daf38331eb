//! Window pixels and depth as coordinates of space, for questions about regions of the window, and for drags.

use super::lens::Lens;
use super::{Camera, Viewport};
use crate::math::float::sqrt;
use glam::{DAffine3, DMat3, DVec2, DVec3};

/// The coordinates in which regions of the window are pyramids or prisms: pixel x, pixel y and depth. With perspective, x and y are pixels multiplied by the
/// depth, and therefore linear in space. A point (x, y, depth) has the pixel (x / depth, y / depth).
#[derive(Clone, Copy, Debug)]
pub(crate) struct PixelSpace {
    lens: Lens,
    /// The eye, relative to the origin that the camera is relative to.
    pub(crate) eye: DVec3,
    /// The transform from offsets from the eye to these coordinates.
    pub(crate) of_offset: DAffine3,
    /// The map from picture coordinates (with the lens's aspect) to pixels: a factor for each axis, and the pixel in the middle.
    factor: DVec2,
    middle: DVec2,
    /// The smallest and the largest depth that rays reach.
    pub(crate) depth: [f64; 2],
}

impl Camera {
    /// Returns the pixel space of a viewport; `None` if the viewport shows nothing.
    pub(crate) fn pixel_space(&self, viewport: &Viewport) -> Option<PixelSpace> {
        self.pixel_space_around(DVec2::ZERO, viewport)
    }

    /// Returns the pixel space in which a pixel of the window is (0, 0).
    pub(super) fn pixel_space_around(&self, center: DVec2, viewport: &Viewport) -> Option<PixelSpace> {
        let size = viewport.usable_size()?;
        let half = size * 0.5;
        let factor = DVec2::new(half.x / self.width(viewport), -half.y);
        let middle = viewport.origin.as_dvec2() + half - center;
        let of_offset = self.lens.pixel_transform(factor, middle);
        (of_offset.is_finite() && self.eye.is_finite()).then_some(PixelSpace {
            lens: self.lens,
            eye: self.eye,
            of_offset,
            factor,
            middle,
            depth: [self.near, self.far],
        })
    }
}

impl PixelSpace {
    pub(crate) fn is_perspective(&self) -> bool {
        self.lens.is_perspective()
    }

    /// Returns the pixel of a point in these coordinates, which with perspective is in front of the eye.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn pixel(&self, point: DVec3) -> DVec2 {
        if self.is_perspective() {
            DVec2::new(point.x / point.z, point.y / point.z)
        } else {
            DVec2::new(point.x, point.y)
        }
    }

    /// Returns the plane of these coordinates that contains all points with a given pixel coordinate. The height above the plane grows with that coordinate.
    pub(crate) fn plane(&self, across: DVec2, at: f64) -> (DVec3, f64) {
        if self.is_perspective() { (across.extend(-at), 0.0) } else { (across.extend(0.0), -at) }
    }

    /// Returns the ray through a pixel: its start and its step, relative to the eye. The step has depth 1.
    pub(crate) fn ray(&self, pixel: DVec2) -> (DVec3, DVec3) {
        self.lens.ray((pixel - self.middle) / self.factor)
    }

    /// Returns the motion of a ray's point for each pixel in x and in y; with perspective, for each unit of depth.
    pub(crate) fn steps(&self) -> [DVec3; 2] {
        let [x, y] = self.lens.steps();
        [x / self.factor.x, y / self.factor.y]
    }

    /// Returns the largest length of a step for a move of one pixel in any direction. This is the larger singular value of the steps.
    pub(crate) fn largest_step(&self) -> f64 {
        let [x, y] = self.steps();
        let (xx, yy, xy) = (x.length_squared(), y.length_squared(), x.dot(y));
        let half_difference = (xx - yy) * 0.5;
        sqrt((xx + yy) * 0.5 + sqrt(half_difference * half_difference + xy * xy))
    }

    /// Returns the direction in which depth is measured, of unit length.
    pub(crate) fn forward(&self) -> DVec3 {
        self.lens.forward()
    }

    /// Returns the pixel of a point of the world, and its depth. Returns `None` if the point is not in front of an eye, or if its pixel is not finite.
    pub(crate) fn project(&self, point: DVec3) -> Option<(DVec2, f64)> {
        let point = self.of_offset.transform_point3(point - self.eye);
        let pixel = self.pixel(point);
        let is_before = !self.is_perspective() || point.z > 0.0;
        (is_before && pixel.is_finite()).then_some((pixel, point.z))
    }

    /// Returns the viewpoint in homogeneous coordinates: a point relative to the eye and 1, or a direction and 0.
    pub(crate) fn viewpoint(&self) -> (DVec3, f64) {
        if self.is_perspective() { (DVec3::ZERO, 1.0) } else { (-self.ray(self.middle).1, 0.0) }
    }
}

impl Lens {
    /// Returns the transform from offsets to pixel space.
    fn pixel_transform(&self, factor: DVec2, middle: DVec2) -> DAffine3 {
        let [x, y, depth] = self.rows_of_picture();
        let (x, y) = (x * factor.x, y * factor.y);
        let (rows, translation) = if self.is_perspective() {
            ([x + depth * middle.x, y + depth * middle.y, depth], DVec3::ZERO)
        } else {
            ([x, y, depth], middle.extend(0.0))
        };
        DAffine3 { matrix3: DMat3::from_cols(rows[0], rows[1], rows[2]).transpose(), translation }
    }
}
