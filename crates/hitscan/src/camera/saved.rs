//! The data of a camera, for serde.

use super::lens::{Lens, Rays};
use super::{Aspect, Camera};
use crate::error::CameraError;
use glam::DVec3;

/// Data that may not be valid for a camera. Unlimited depth is stored as `None`, because not every format has a number
/// for infinity.
#[derive(serde::Serialize, serde::Deserialize)]
pub(super) struct SavedCamera {
    eye: DVec3,
    rays: Rays,
    /// Picture x and y, and depth.
    rows: [DVec3; 3],
    aspect: Aspect,
    near: f64,
    far: Option<f64>,
}

impl From<Camera> for SavedCamera {
    fn from(Camera { eye, lens, aspect, near, far }: Camera) -> Self {
        let (rays, rows) = lens.rows();
        Self { eye, rays, rows, aspect, near, far: (far != f64::INFINITY).then_some(far) }
    }
}

impl TryFrom<SavedCamera> for Camera {
    type Error = CameraError;

    fn try_from(SavedCamera { eye, rays, rows, aspect, near, far }: SavedCamera) -> Result<Self, CameraError> {
        if !eye.is_finite() {
            return Err(CameraError::NotFinite { what: "eye" });
        }
        let lens = Lens::of_rows(rays, rows).ok_or(CameraError::Singular { what: "projection" })?;
        let camera = Self { aspect, ..Self::new(eye, lens, Aspect::Viewport) };
        let camera = if let Aspect::Fixed(aspect) = aspect { camera.with_aspect(aspect)? } else { camera };
        // A camera without depth limits has near = 0 and no far. `with_clip` would refuse these values for a perspective, and would change no other camera.
        if near == 0.0 && far.is_none() { Ok(camera) } else { camera.with_clip(near, far.unwrap_or(f64::INFINITY)) }
    }
}
