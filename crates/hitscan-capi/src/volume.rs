//! Volumes that move or are placed, their poses, and the answers about them.

pub use crate::answers::{HsMeshContact, HsSweepHit};
use crate::facts::{HS_NO_TRIANGLE, HsSide, feature, start};
use crate::hull::HsHull;
use crate::pointer::shared;
use crate::shape::{HsShape, HsShapeKind};
use crate::status::{Failure, HsStatus, guard};
use hitscan::glam::{DQuat, DVec3};
use hitscan::{Pose, Shape, SweepHit, Volume};

/// A volume that moves or is placed, in its own space: a shape or a hull, with a margin around it. Without a shape and
/// a hull it is a point. A volume may be a box, an oriented box, a rounded box, a ball, a capsule, a cylinder, a
/// cone or a hull.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct HsVolume {
    /// The shape; its kind is `HS_SHAPE_KIND_NONE` for a hull or a point.
    pub shape: HsShape,
    /// The hull, or null.
    pub hull: *const HsHull,
    /// The width of the margin around the shape or hull, usually 0.
    pub margin: f32,
}

impl HsVolume {
    /// Returns the library's volume, which is valid.
    ///
    /// # Safety
    /// A hull that is not null is a handle.
    pub(crate) unsafe fn volume(&self) -> Result<Volume, Failure> {
        // SAFETY: The caller guarantees it.
        let core = unsafe { self.core() }?;
        let volume = if self.margin == 0.0 { core } else { core.with_margin(self.margin) };
        volume.validate().map_err(Failure::input)?;
        Ok(volume)
    }

    unsafe fn core(&self) -> Result<Volume, Failure> {
        let has_shape = self.shape.kind != HsShapeKind::None as i32;
        match (has_shape, self.hull.is_null()) {
            (false, true) => Ok(Volume::Point),
            // SAFETY: The caller guarantees it.
            (false, false) => Ok(unsafe { shared(self.hull, "volume->hull") }?.0.clone().into()),
            (true, false) => Err(Failure::argument("the volume has both a shape and a hull: leave out one of them")),
            (true, true) => volume_of(self.shape.shape()?),
        }
    }
}

fn volume_of(shape: Shape) -> Result<Volume, Failure> {
    let text = "a plane, disc, quad, triangle or torus is no volume: use a box, ball, capsule, cylinder, cone or hull";
    shape.volume().ok_or_else(|| Failure::argument(text))
}

/// The place of a volume. It is the position of its own origin, and its rotation around that.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct HsPose {
    /// The position.
    pub position: [f64; 3],
    /// The rotation as a quaternion (x, y, z, w) of any length but 0. Without a rotation it is (0, 0, 0, 1).
    pub rotation: [f64; 4],
}

impl HsPose {
    /// Returns the library's pose, which is valid.
    pub(crate) fn pose(&self, name: &str) -> Result<Pose, Failure> {
        let pose = Pose { position: DVec3::from_array(self.position), rotation: DQuat::from_array(self.rotation) };
        // The squared length is not used here, because it may also be 0 for a tiny rotation.
        if self.rotation == [0.0; 4] {
            let text = format!("the rotation of `{name}` is zero: without a rotation it is (0, 0, 0, 1)");
            return Err(Failure::argument(text));
        }
        if !pose.position.is_finite() || !pose.rotation.is_finite() {
            return Err(Failure::argument(format!("a number of `{name}` is NaN or infinite: all must be finite")));
        }
        Ok(pose)
    }
}

impl HsSweepHit {
    pub(crate) fn new(hit: &SweepHit<u64>, motion: DVec3, skin: f64) -> Self {
        let [kind, number] = feature(hit.feature);
        Self {
            key: hit.id,
            t_exact: hit.t_f64(),
            safe_t: hit.safe_t(motion, skin),
            slide: hit.slide(motion, skin).to_array(),
            t: hit.t,
            point: hit.point.to_array(),
            normal: hit.normal.to_array(),
            surface_normal: hit.surface_normal.to_array(),
            part: hit.part,
            triangle: hit.triangle.unwrap_or(HS_NO_TRIANGLE),
            feature: kind,
            feature_number: number,
            side: HsSide::from(hit.side) as i32,
            start: start(hit.start),
        }
    }
}

/// Checks whether a volume is valid; otherwise `hs_last_error` says what is wrong with it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_volume_validate(volume: *const HsVolume) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        unsafe { shared(volume, "volume")?.volume() }?;
        Ok(HsStatus::Ok)
    })
}
