//! A camera and the viewport that shows its picture.

use crate::camera::{Camera, PixelSpace, Viewport};
use crate::math::float::length;
use glam::DVec3;

/// A camera's picture in a window, in which a cursor moves.
///
/// ```
/// use hitscan::drag::Picture;
/// use hitscan::{Camera, glam::DAffine3};
///
/// let camera = Camera::perspective(DAffine3::IDENTITY, core::f64::consts::FRAC_PI_2)?;
/// let picture = Picture::new(camera, [800.0, 600.0]);
/// // The picture is 20 units high at a distance of 10.
/// assert!((picture.pixel_size([0.0, 0.0, -10.0]).unwrap() - 20.0 / 600.0).abs() < 1e-12);
/// # Ok::<(), hitscan::error::CameraError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Picture {
    /// The camera.
    pub camera: Camera,
    /// The part of the window that shows its picture.
    pub viewport: Viewport,
}

impl Picture {
    /// Makes a picture of a camera in a viewport, or in a whole window of this size.
    pub fn new(camera: Camera, viewport: impl Into<Viewport>) -> Self {
        Self { camera, viewport: viewport.into() }
    }

    /// Returns the size in world units of a pixel in the middle of the picture, at the distance of a point from the eye. If pixels are not square,
    /// it is their larger side. If the camera is orthographic, it is the same for all points.
    ///
    /// Returns `None` for a point that is not finite, and for a viewport whose size is not positive and finite.
    pub fn pixel_size(&self, point: impl Into<DVec3>) -> Option<f64> {
        let space = self.space()?;
        let point = Some(point.into()).filter(|point| point.is_finite())?;
        let distance = if space.is_perspective() { length(point - space.eye) } else { 1.0 };
        Some(space.largest_step() * distance).filter(|size| size.is_finite())
    }

    /// Returns the pixel space of the picture.
    pub(crate) fn space(&self) -> Option<PixelSpace> {
        self.camera.pixel_space(&self.viewport)
    }
}
