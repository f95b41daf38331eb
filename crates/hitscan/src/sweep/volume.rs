//! What may move, and from where.

use super::Contacts;
use crate::float::{UNIT_ROUNDOFF, largest};
use crate::shape::{Capsule, Sphere};
use glam::{DQuat, DVec3, Vec3};

/// A volume that is moved through the world, in a space of its own: made by `into()` from a [`Sphere`] or a [`Capsule`] or a reference to one.
///
/// One that cannot be used (a negative radius, a NaN) meets nothing; [`Volume::validate`] says why.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Volume {
    /// The origin of the space alone. It touches what it is on, and is in no surface.
    Point,
    /// A ball.
    Sphere(Sphere),
    /// A capsule of any direction.
    Capsule(Capsule),
}

impl Volume {
    /// Whether it can meet anything, and if not, why not.
    pub fn validate(&self) -> Result<(), crate::ShapeError> {
        match self {
            Self::Point => Ok(()),
            Self::Sphere(sphere) => sphere.validate(),
            Self::Capsule(capsule) => capsule.validate(),
        }
    }

    /// The ends of the segment that it is all around of, and how far from it.
    fn core(&self) -> ([DVec3; 2], f64) {
        match self {
            Self::Point => ([DVec3::ZERO; 2], 0.0),
            Self::Sphere(sphere) => ([sphere.center.as_dvec3(); 2], sphere.radius.into()),
            Self::Capsule(capsule) => (capsule.ends().map(|end| end.as_dvec3()), capsule.radius().into()),
        }
    }
}

macro_rules! into_volume {
    ($($shape:ident),*) => {
        $(impl From<$shape> for Volume {
            fn from(shape: $shape) -> Self {
                Self::$shape(shape)
            }
        }

        impl From<&$shape> for Volume {
            fn from(shape: &$shape) -> Self {
                Self::$shape(*shape)
            }
        })*
    };
}

into_volume!(Sphere, Capsule);

impl From<&Volume> for Volume {
    fn from(volume: &Volume) -> Self {
        *volume
    }
}

/// Where a volume starts: the place of its own origin, and how it is turned. Made by `into()` from a position ([`DVec3`], [`Vec3`] or an array
/// of three), or from a position and a rotation, as a pair.
///
/// A volume cannot be scaled or sheared, as a ball that is no ball is another volume; so this is no [`Transform`](crate::Transform). A rotation
/// need not be normalised; with one of length 0, or what is not finite, a volume meets nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Of the volume's own origin.
    pub position: DVec3,
    /// Around it.
    pub rotation: DQuat,
}

macro_rules! positions {
    ($($from:ty: $position:ident => $to:expr),* $(,)?) => {
        $(impl From<$from> for Pose {
            fn from($position: $from) -> Self {
                Self { position: $to, rotation: DQuat::IDENTITY }
            }
        }

        impl From<($from, DQuat)> for Pose {
            fn from(($position, rotation): ($from, DQuat)) -> Self {
                Self { position: $to, rotation }
            }
        })*
    };
}

positions!(
    DVec3: v => v,
    Vec3: v => v.as_dvec3(),
    [f64; 3]: v => v.into(),
    [f32; 3]: v => Vec3::from(v).as_dvec3(),
);

/// A valid volume on its way through the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sweep {
    /// The middle of the volume at its start.
    pub(crate) center: DVec3,
    pub(crate) mover: Mover,
}

/// A volume and its motion, relative to the middle of its start: all within `radius` of the segment from `-half` to `half`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mover {
    pub(crate) half: DVec3,
    pub(crate) radius: f64,
    pub(crate) motion: DVec3,
    pub(crate) contacts: Contacts,
}

impl Sweep {
    /// `None` for what meets nothing.
    pub(crate) fn new(volume: &Volume, from: &Pose, origin: DVec3, motion: DVec3, contacts: Contacts) -> Option<Self> {
        volume.validate().ok()?;
        let ([a, b], radius) = volume.core();
        let is_turned = from.rotation != DQuat::IDENTITY;
        let rotation = if is_turned { unit_rotation(from.rotation)? } else { DQuat::IDENTITY };
        let turned = |v: DVec3| if is_turned { rotation * v } else { v };
        // Nothing that is computed from these overflows.
        let is_usable = |v: DVec3| v.is_finite() && largest(v) < MOST;
        let center = origin + from.position + turned((a + b) * 0.5);
        let mover = Mover { half: turned((b - a) * 0.5), radius, motion, contacts };
        (is_usable(center) && is_usable(motion) && is_usable(mover.half)).then_some(Self { center, mover })
    }
}

/// Positions and motions from here on are as good as infinite: squares of squares of them are beyond f64.
const MOST: f64 = 1e70;

fn unit_rotation(rotation: DQuat) -> Option<DQuat> {
    let size = rotation.to_array().into_iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    if !(size > 0.0 && rotation.is_finite()) {
        return None;
    }
    let scaled = rotation * (1.0 / size);
    let length = crate::float::sqrt(scaled.length_squared());
    Some(scaled * (1.0 / length)).filter(|rotation| rotation.is_finite())
}

impl Mover {
    /// The segment's ends.
    pub(crate) fn ends(&self) -> [DVec3; 2] {
        [-self.half, self.half]
    }

    pub(crate) fn is_capsule(&self) -> bool {
        self.half != DVec3::ZERO
    }

    /// How far f64 may be off in a distance between the volume and something with coordinates up to this.
    pub(crate) fn rounding(&self, reach: f64) -> f64 {
        32.0 * UNIT_ROUNDOFF * (reach + largest(self.half) + self.radius)
    }

    /// Half the sizes of the box around the volume.
    pub(crate) fn half_extents(&self) -> DVec3 {
        self.half.abs() + DVec3::splat(self.radius)
    }
}
