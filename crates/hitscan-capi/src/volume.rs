//! Volumes that move or are placed, their poses, and the answers about them.

use crate::hull::HsHull;
use crate::nearest::feature;
use crate::pointer::shared;
use crate::ray::{HS_NO_TRIANGLE, HsSide};
use crate::shape::{HsShape, HsShapeKind};
use crate::status::{Failure, HsStatus, guard};
use hitscan::glam::{DQuat, DVec3};
use hitscan::query::MeshContact;
use hitscan::{Pose, Shape, SweepHit, SweepStart, Volume};

/// A volume that moves or is placed, in its own space: a shape or a hull, with a margin around it. Without either it is
/// a point. A volume may be a box, an oriented box, a rounded box, a ball, a capsule, a cylinder or a cone, or a hull.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct HsVolume {
    /// The shape; its kind is `HS_SHAPE_KIND_NONE` for a hull or a point.
    pub shape: HsShape,
    /// The hull, or null.
    pub hull: *const HsHull,
    /// The width of a margin around it, usually 0.
    pub margin: f32,
}

impl HsVolume {
    /// Returns the library's volume, which is valid.
    ///
    /// # Safety
    /// A hull that is not null is a handle.
    pub(crate) unsafe fn volume(&self) -> Result<Volume, Failure> {
        // SAFETY: The caller answers for it.
        let core = unsafe { self.core() }?;
        let volume = if self.margin == 0.0 { core } else { core.with_margin(self.margin) };
        volume.validate().map_err(Failure::input)?;
        Ok(volume)
    }

    unsafe fn core(&self) -> Result<Volume, Failure> {
        let has_shape = self.shape.kind != HsShapeKind::None as i32;
        match (has_shape, self.hull.is_null()) {
            (false, true) => Ok(Volume::Point),
            // SAFETY: The caller answers for it.
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

/// The place of a volume: the position of its own origin, and its rotation around that.
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
        // The square of a tiny length would be 0, too.
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

/// The relation between a volume and an obstacle, when the volume begins to move.
#[derive(Clone, Copy, Debug)]
#[repr(i32)]
pub enum HsSweepStart {
    /// They are apart.
    Apart = 0,
    /// They touch.
    Touching = 1,
    /// They overlap.
    Penetrating = 2,
}

fn start(start: SweepStart) -> i32 {
    (match start {
        SweepStart::Apart => HsSweepStart::Apart,
        SweepStart::Touching => HsSweepStart::Touching,
        SweepStart::Penetrating => HsSweepStart::Penetrating,
    }) as i32
}

/// A contact of a moving volume.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct HsSweepHit {
    /// The entity of a scene; 0 for something by itself.
    pub key: u64,
    /// The same fraction as `t`, with all digits.
    pub t_exact: f64,
    /// The fraction of the motion that leaves the gap of the filter's `skin` to the surface.
    pub safe_t: f64,
    /// The motion that is left after that, without its part into the surface: what to try next to slide along it.
    pub slide: [f64; 3],
    /// The fraction of the motion that is made before the contact, from 0 to 1.
    pub t: f32,
    /// The point of contact, relative to the filter's origin.
    pub point: [f32; 3],
    /// The normal of the contact, from the surface to the volume, of unit length. It is tilted at an edge.
    pub normal: [f32; 3],
    /// The normal of the surface that is hit, on the side of the volume.
    pub surface_normal: [f32; 3],
    /// The number of the part in a compound.
    pub part: u32,
    /// The number of the triangle, or `HS_NO_TRIANGLE`.
    pub triangle: u32,
    /// The kind of the place on the triangle, an `HsFeature`.
    pub feature: i32,
    /// The number of the edge or corner.
    pub feature_number: i32,
    /// The side that was hit, an `HsSide`.
    pub side: i32,
    /// The relation at the start, an `HsSweepStart`.
    pub start: i32,
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

/// A contact of a volume that moves against a mesh or a height field by itself.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct HsMeshContact {
    /// The fraction of the motion that is made before the contact, from 0 to 1.
    pub t: f32,
    /// The point of contact.
    pub point: [f32; 3],
    /// The normal of the contact, from the surface to the volume, of unit length.
    pub normal: [f32; 3],
    /// The number of the triangle.
    pub triangle: u32,
    /// The kind of the place on the triangle, an `HsFeature`.
    pub feature: i32,
    /// The number of the edge or corner.
    pub feature_number: i32,
    /// The side that was hit, an `HsSide`.
    pub side: i32,
    /// The relation at the start, an `HsSweepStart`.
    pub start: i32,
}

impl From<&MeshContact> for HsMeshContact {
    fn from(contact: &MeshContact) -> Self {
        let [kind, number] = feature(contact.feature);
        Self {
            t: contact.t,
            point: contact.point.to_array(),
            normal: contact.normal.to_array(),
            triangle: contact.triangle,
            feature: kind,
            feature_number: number,
            side: HsSide::from(contact.side) as i32,
            start: start(contact.start),
        }
    }
}

/// Checks whether a volume can meet anything; otherwise `hs_last_error` says what is wrong.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_volume_validate(volume: *const HsVolume) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        unsafe { shared(volume, "volume")?.volume() }?;
        Ok(HsStatus::Ok)
    })
}
