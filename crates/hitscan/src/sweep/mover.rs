//! A moving volume in the world.

use super::contact::ContactFilter;
use super::rotational_ccd::Rotation;
use crate::convex::{Anchor, Body, ConvexFaces, PlacedBody, Pose, Round, UnitRotation, Volume, is_usable};
use crate::math::float::{UNIT_ROUNDOFF, largest};
use glam::{DQuat, DVec3};

/// A bound of the coordinates of an obstacle that is hit, relative to the centre of the volume that touches it. It is this multiple of the sum of the sizes of
/// the volume and its path.
pub(super) const EARLY: f64 = 4.0;

/// A valid moving volume in the world.
#[derive(Clone, Debug)]
pub(crate) struct Sweep {
    /// The centre of the volume at its start.
    pub(crate) center: Anchor,
    pub(crate) mover: Mover,
    /// The least step in which times are counted. It is 0, or the step of another sweep whose contacts are compared with the contacts of this one.
    pub(crate) least_step: f64,
}

/// A volume and its motion, relative to the start of its centre.
#[derive(Clone, Debug)]
pub(crate) struct Mover {
    pub(crate) body: Body,
    pub(super) outline: ConvexFaces,
    pub(crate) motion: DVec3,
    pub(super) turning: Option<Rotation>,
    pub(crate) contacts: ContactFilter,
    /// A bound on the rounding error of the centre's position in the world.
    pub(super) rounding: f64,
}

impl Sweep {
    /// Returns `None` for a volume that can hit nothing. The result is large, so borrow it rather than move it.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn new(
        volume: &Volume,
        from: &Pose,
        origin: DVec3,
        motion: DVec3,
        contacts: ContactFilter,
    ) -> Option<Self> {
        if !is_usable(motion) {
            return None;
        }
        // Each kind has its own branch, so that data of the larger kinds are neither computed nor moved. Spheres and capsules are checked here, and other
        // volumes when they are placed.
        match volume {
            Volume::Point => Self::round(Round::POINT, from, origin, motion, contacts),
            Volume::Sphere(ball) => {
                ball.has_size().then_some(())?;
                Self::round(Round::ball(ball), from, origin, motion, contacts)
            }
            Volume::Capsule(capsule) => {
                capsule.has_size().then_some(())?;
                Self::round(Round::capsule(capsule), from, origin, motion, contacts)
            }
            Volume::Cylinder(_)
            | Volume::Cone(_)
            | Volume::Aabb(_)
            | Volume::OrientedBox(_)
            | Volume::ConvexHull(_)
            | Volume::Rounded(_) => Self::with_faces(volume, from, origin, motion, contacts),
        }
    }

    /// Makes the sweep of a volume without faces and edges.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn round(round: Round, from: &Pose, origin: DVec3, motion: DVec3, contacts: ContactFilter) -> Option<Self> {
        let place = Anchor { origin, offset: from.position };
        // A volume without rotation stays in registers.
        if from.rotation == DQuat::IDENTITY {
            Some(Self::along(&round.moved(place)?, motion, contacts))
        } else {
            Self::turned(round, from.rotation, place, motion, contacts)
        }
    }

    #[inline(never)]
    fn turned(round: Round, rotation: DQuat, place: Anchor, motion: DVec3, contacts: ContactFilter) -> Option<Self> {
        Some(Self::along(&round.placed(&UnitRotation::new(rotation)?, place)?, motion, contacts))
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn along(round: &Round, motion: DVec3, contacts: ContactFilter) -> Self {
        let (body, outline) = (round.body(), ConvexFaces::default());
        let rounding = rounding_of(&round.center);
        let mover = Mover { body, outline, motion, turning: None, contacts, rounding };
        Self { center: round.center, mover, least_step: 0.0 }
    }

    /// Makes the sweep of a volume with faces or edges.
    #[inline(never)]
    fn with_faces(volume: &Volume, from: &Pose, origin: DVec3, motion: DVec3, contacts: ContactFilter) -> Option<Self> {
        let placed = Body::placed(volume, from, origin)?;
        let outline = ConvexFaces::new(volume, &placed);
        Some(Self::of_body(placed, outline, motion, contacts))
    }

    /// Makes the sweep of a body, given its faces and edges and a usable motion.
    pub(crate) fn of_body(placed: PlacedBody, outline: ConvexFaces, motion: DVec3, contacts: ContactFilter) -> Self {
        let rounding = rounding_of(&placed.center);
        let mover = Mover { body: placed.body, outline, motion, turning: None, contacts, rounding };
        Self { center: placed.center, mover, least_step: 0.0 }
    }

    /// Makes the sweep of a volume whose centre moves straight from one pose to another, while the volume rotates by the smaller of the two possible angles.
    pub(crate) fn turning(
        volume: &Volume,
        [from, to]: [&Pose; 2],
        origin: DVec3,
        contacts: ContactFilter,
    ) -> Option<Self> {
        let way = |origin: DVec3| {
            Some(Body::placed(volume, to, origin)?.center.offset - Body::placed(volume, from, origin)?.center.offset)
        };
        let motion = match way(origin)? {
            // A volume without rotation moves as its pose does, even if the motion is below the rounding of its centre.
            _ if from.rotation == to.rotation => to.position - from.position,
            // A rotating volume moves even if its centre seems to stay in place because the origin or the centre is far away.
            DVec3::ZERO => {
                Some(way(DVec3::ZERO)?).filter(|way| *way != DVec3::ZERO).unwrap_or(to.position - from.position)
            }
            way => way,
        };
        let sweep = Self::new(volume, from, origin, motion, contacts)?;
        let turning = Rotation::between(
            &UnitRotation::new(from.rotation)?,
            &UnitRotation::new(to.rotation)?,
            &sweep.mover.body.core,
        );
        Some(Self { mover: Mover { turning, ..sweep.mover }, ..sweep })
    }
}

/// Returns a bound on the rounding error of a position in the world.
fn rounding_of(center: &Anchor) -> f64 {
    64.0 * UNIT_ROUNDOFF * largest(center.world())
}

impl Mover {
    /// Returns half the sizes of a box around the volume's centre that contains the whole motion.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn half_extents(&self) -> DVec3 {
        match &self.turning {
            Some(turning) => DVec3::splat(turning.reach + self.body.radius),
            None => self.body.half_extents(),
        }
    }
}
