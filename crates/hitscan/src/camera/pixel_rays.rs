//! The rays of all pixels in f64, for what is computed on a picture rather than cast into a scene.

use super::lens::Lens;
use super::{Camera, Viewport};
use crate::math::float::sqrt;
use glam::{DMat3, DVec2, DVec3};

/// The rays of a picture as an affine function of the window pixel, without f32 rounding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PixelRays {
    eye: DVec3,
    lens: Lens,
    /// The pixel in the middle of the viewport, and the number of pixels of one unit of the lens's picture.
    middle: DVec2,
    scale: DVec2,
    /// The rates at which the ray of a pixel changes with x and y: its direction for rays from the eye, else its start.
    steps: [DVec3; 2],
}

impl Camera {
    /// Returns the rays of a viewport's pixels; `None` for a viewport whose size is not positive and finite.
    pub(crate) fn pixel_rays(&self, viewport: Viewport) -> Option<PixelRays> {
        let size = viewport.usable_size()?;
        let middle = viewport.origin.as_dvec2() + size * 0.5;
        // The lens's picture is 2 wide times the aspect, and 2 high, with y upwards.
        let scale = size * 0.5 / DVec2::new(self.width(&viewport), -1.0);
        let DMat3 { x_axis, y_axis, .. } = *self.lens.columns();
        let steps = [x_axis / scale.x, y_axis / scale.y];
        let rays = PixelRays { eye: self.eye, lens: self.lens, middle, scale, steps };
        (middle.is_finite() && steps.iter().all(|step| step.is_finite())).then_some(rays)
    }
}

impl PixelRays {
    pub(crate) fn eye(&self) -> DVec3 {
        self.eye
    }

    pub(crate) fn is_perspective(&self) -> bool {
        self.lens.is_perspective()
    }

    /// Returns the direction in which depth is measured, of unit length.
    pub(crate) fn forward(&self) -> DVec3 {
        self.lens.forward()
    }

    /// Returns the start of a pixel's ray relative to the eye, and its direction, in which depth grows by 1.
    pub(crate) fn ray(&self, pixel: DVec2) -> (DVec3, DVec3) {
        self.lens.ray((pixel - self.middle) / self.scale)
    }

    /// Returns the rates at which the ray of a pixel changes with x and y: its direction for rays from the eye, else its start.
    pub(crate) fn steps(&self) -> [DVec3; 2] {
        self.steps
    }

    /// Returns the largest length of the change of a pixel's ray by one pixel in any direction: the larger singular value of the steps.
    pub(crate) fn largest_step(&self) -> f64 {
        let [x, y] = self.steps;
        let (xx, yy, xy) = (x.length_squared(), y.length_squared(), x.dot(y));
        let half_difference = (xx - yy) * 0.5;
        sqrt((xx + yy) * 0.5 + sqrt(half_difference * half_difference + xy * xy))
    }

    /// Returns the pixel of a point, and its depth; `None` if the point is not in front of an eye, or the pixel is not finite.
    pub(crate) fn project(&self, point: DVec3) -> Option<(DVec2, f64)> {
        let (picture, depth) = self.lens.project(point - self.eye)?;
        let pixel = self.middle + picture * self.scale;
        pixel.is_finite().then_some((pixel, depth))
    }
}
