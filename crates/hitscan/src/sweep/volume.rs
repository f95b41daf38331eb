//! What may move, and from where.

use super::ContactFilter;
use super::body::{Body, Round, Turn, is_usable};
use super::outline::Outline;
use super::turning::Turning;
use crate::aabb::Aabb;
use crate::hull::ConvexHull;
use crate::shape::{Capsule, Cone, Cylinder, OrientedBox, RayTest, Sphere};
use crate::transform::Transform;
use glam::{DAffine3, DQuat, DVec3, Vec3};

/// A volume that is moved through the world, in a space of its own: made by `into()` from a [`Sphere`], [`Capsule`], [`Cylinder`], [`Cone`], [`Aabb`],
/// [`OrientedBox`] or [`ConvexHull`], or a reference to one.
///
/// A [`Pose`] places it, and turns it around the origin of its space: an `Aabb` that is turned is a turned box. One that cannot be used (a negative
/// radius, a NaN) meets nothing; [`Volume::validate`] says why. A clone is cheap: it shares the hull.
///
/// ```
/// use hitscan::{Aabb, Mesh, Volume, glam::DQuat};
///
/// let floor = Mesh::from_soup(&[[-9.0, 0.0, 9.0], [9.0, 0.0, 9.0], [0.0, 0.0, -9.0]])?;
/// let chest = Volume::from(Aabb::new([-1.0, 0.0, -0.5], [1.0, 1.0, 0.5])); // its origin is under its middle
/// assert_eq!(floor.sweep(&chest, [0.0, 2.0, 0.0], [0.0, -4.0, 0.0]).map(|hit| hit.t), Some(0.5));
/// let on_its_side = DQuat::from_xyzw(0.0, 0.0, 1.0, 1.0); // a quarter turn around z: x is up
/// assert_eq!(floor.sweep(&chest, ([0.0, 2.0, 0.0], on_its_side), [0.0, -4.0, 0.0]).map(|hit| hit.t), Some(0.25));
/// # Ok::<(), hitscan::MeshError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Volume {
    /// The origin of the space alone. It touches what it is on, and is in no surface: put where a sweep says, rounded, it is behind the surface as often as
    /// not, and its next motion goes through. What moves on and on needs a thickness.
    Point,
    /// A ball.
    Sphere(Sphere),
    /// A capsule of any direction.
    Capsule(Capsule),
    /// A cylinder of any direction. It is known by its farthest points, so its contacts are found by steps, to 2^-40 of the sizes.
    Cylinder(Cylinder),
    /// A cone of any direction, found as a cylinder is.
    Cone(Cone),
    /// A box along the axes of the volume's space. It may be flat, or a point.
    Aabb(Aabb),
    /// A box in any position, which may be stretched or sheared too.
    OrientedBox(OrientedBox),
    /// A convex hull, the inside included.
    ConvexHull(ConvexHull),
}

impl Volume {
    /// Checks whether the volume can meet anything. A question with a volume that cannot meets nothing, without an error.
    ///
    /// The pose and the motion of a question are apart from this: with a number that is not finite or is above 1e70 it meets nothing either.
    ///
    /// ```
    /// use hitscan::{Scene, Sphere, SweepQueries, Volume};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("ball", Sphere::new(1.0), [0.0, 0.0, -5.0])?;
    /// let (good, bad) = (Volume::from(Sphere::new(0.5)), Volume::from(Sphere::new(-0.5)));
    /// assert!(scene.sweep(&good, [0.0; 3], [0.0, 0.0, -9.0]).is_some());
    /// assert!(scene.sweep(&good, [0.0; 3], [0.0, 0.0, f64::NAN]).is_none());
    /// assert!(scene.sweep(&bad, [0.0; 3], [0.0, 0.0, -9.0]).is_none());
    /// assert_eq!(bad.validate().unwrap_err().to_string(), "the radius -0.5 must be finite and not negative");
    /// # Ok::<(), hitscan::SceneError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error that names the first measure or point that cannot be used.
    #[inline]
    pub fn validate(&self) -> Result<(), crate::ShapeError> {
        match self {
            Self::Point => Ok(()),
            Self::Sphere(sphere) => sphere.validate(),
            Self::Capsule(capsule) => capsule.validate(),
            Self::Cylinder(cylinder) => cylinder.validate(),
            Self::Cone(cone) => cone.validate(),
            Self::Aabb(aabb) => RayTest::validate(aabb),
            Self::OrientedBox(turned) => RayTest::validate(turned),
            Self::ConvexHull(_) => Ok(()),
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
                Self::$shape(shape.clone())
            }
        })*
    };
}

into_volume!(Sphere, Capsule, Cylinder, Cone, Aabb, OrientedBox, ConvexHull);

impl From<&Volume> for Volume {
    fn from(volume: &Volume) -> Self {
        volume.clone()
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
        }

        impl From<($from, DQuat)> for Transform {
            fn from(pose: ($from, DQuat)) -> Self {
                Pose::from(pose).into()
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

/// The rotation is normalised. A pose whose rotation has the length 0 places nothing.
impl From<Pose> for Transform {
    fn from(Pose { position, rotation }: Pose) -> Self {
        DAffine3::from_rotation_translation(rotation.normalize(), position).into()
    }
}

/// A valid volume on its way through the world.
#[derive(Clone, Debug)]
pub(crate) struct Sweep {
    /// The middle of the volume at its start.
    pub(crate) center: DVec3,
    pub(crate) mover: Mover,
}

/// A volume and its motion, relative to the middle of its start.
#[derive(Clone, Debug)]
pub(crate) struct Mover {
    pub(crate) body: Body,
    pub(super) outline: Outline,
    pub(crate) motion: DVec3,
    pub(super) turning: Option<Turning>,
    pub(crate) contacts: ContactFilter,
}

impl Sweep {
    /// `None` for what meets nothing. It is large, and so better referred to where it is than moved.
    #[inline(always)]
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
        // Each by itself, so that nothing is done, or moved, for those that are larger. What has a size is round, and is looked at where it is placed.
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
            | Volume::ConvexHull(_) => Self::with_faces(volume, from, origin, motion, contacts),
        }
    }

    /// Of what has neither faces nor edges.
    #[inline(always)]
    fn round(round: Round, from: &Pose, origin: DVec3, motion: DVec3, contacts: ContactFilter) -> Option<Self> {
        let place = origin + from.position;
        // What is not turned stays in registers.
        if from.rotation == DQuat::IDENTITY {
            Some(Self::along(&round.moved(place)?, motion, contacts))
        } else {
            Self::turned(round, from.rotation, place, motion, contacts)
        }
    }

    #[inline(never)]
    fn turned(round: Round, rotation: DQuat, place: DVec3, motion: DVec3, contacts: ContactFilter) -> Option<Self> {
        Some(Self::along(&round.placed(&Turn::new(rotation)?, place)?, motion, contacts))
    }

    #[inline(always)]
    fn along(round: &Round, motion: DVec3, contacts: ContactFilter) -> Self {
        let (body, outline) = (round.body(), Outline::default());
        Self { center: round.center, mover: Mover { body, outline, motion, turning: None, contacts } }
    }

    /// Makes the sweep of what has faces or edges.
    #[inline(never)]
    fn with_faces(volume: &Volume, from: &Pose, origin: DVec3, motion: DVec3, contacts: ContactFilter) -> Option<Self> {
        let placed = Body::placed(volume, from, origin)?;
        let outline = Outline::new(volume, &placed);
        Some(Self {
            center: placed.center,
            mover: Mover { body: placed.body, outline, motion, turning: None, contacts },
        })
    }

    /// Of a volume whose middle goes straight from one pose to another, while it turns the shorter way.
    pub(crate) fn turning(
        volume: &Volume,
        [from, to]: [&Pose; 2],
        origin: DVec3,
        contacts: ContactFilter,
    ) -> Option<Self> {
        let way =
            |origin: DVec3| Some(Body::placed(volume, to, origin)?.center - Body::placed(volume, from, origin)?.center);
        let motion = match way(origin)? {
            // What does not turn goes as its pose does, also where that is below the rounding of its middle.
            _ if from.rotation == to.rotation => to.position - from.position,
            // A volume that turns does so, too, where its middle seems to stay in place because the origin or the middle is so far away.
            DVec3::ZERO => {
                Some(way(DVec3::ZERO)?).filter(|way| *way != DVec3::ZERO).unwrap_or(to.position - from.position)
            }
            way => way,
        };
        let sweep = Self::new(volume, from, origin, motion, contacts)?;
        let turning = Turning::between(&Turn::new(from.rotation)?, &Turn::new(to.rotation)?, &sweep.mover.body.core);
        Some(Self { mover: Mover { turning, ..sweep.mover }, ..sweep })
    }
}

impl Mover {
    /// Half the sizes of a box around the volume's middle that it stays in.
    #[inline(always)]
    pub(crate) fn half_extents(&self) -> DVec3 {
        match &self.turning {
            Some(turning) => DVec3::splat(turning.reach + self.body.radius),
            None => self.body.half_extents(),
        }
    }
}
