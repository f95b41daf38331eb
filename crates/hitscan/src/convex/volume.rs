//! Volumes and their poses.

use crate::geom::aabb::Aabb;
use crate::geom::transform::Transform;
use crate::hull::ConvexHull;
use crate::math::rotation::normalized;
use crate::shape::{Capsule, Cone, Cylinder, OrientedBox, RayTest, RoundedBox, Shape, Sphere, check_size};
use alloc::boxed::Box;
use glam::{DAffine3, DQuat, DVec3, Vec3};

/// A volume that is moved through the world, in its own space. It is made by `into()` from a [`Sphere`], [`Capsule`],
/// [`Cylinder`], [`Cone`], [`Aabb`], [`OrientedBox`], [`RoundedBox`] or [`ConvexHull`], or a reference to one.
///
/// A [`Pose`] places it, and rotates it around the origin of its space, so that a rotated `Aabb` is an oriented box. An
/// invalid volume (a negative radius, a NaN) hits nothing; [`Volume::validate`] returns the reason. A clone is cheap,
/// as it shares the hull.
///
/// ```
/// use hitscan::{Aabb, Mesh, Volume, glam::DQuat};
///
/// let floor = Mesh::from_soup(&[[-9.0, 0.0, 9.0], [9.0, 0.0, 9.0], [0.0, 0.0, -9.0]])?;
/// let chest = Volume::from(Aabb::new([-1.0, 0.0, -0.5], [1.0, 1.0, 0.5])); // its origin is under its middle
/// assert_eq!(floor.sweep(&chest, [0.0, 2.0, 0.0], [0.0, -4.0, 0.0]).map(|hit| hit.t), Some(0.5));
/// let on_its_side = DQuat::from_xyzw(0.0, 0.0, 1.0, 1.0); // a quarter turn around z: x is up
/// assert_eq!(floor.sweep(&chest, ([0.0, 2.0, 0.0], on_its_side), [0.0, -4.0, 0.0]).map(|hit| hit.t), Some(0.25));
/// # Ok::<(), hitscan::error::MeshError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Volume {
    /// A point, the origin of the volume's space. It touches the surfaces that contain it, and is never inside one. The end of a sweep is rounded, so the point
    /// may be behind the surface there, and its next motion then passes through the surface. A volume that moves repeatedly needs a thickness.
    Point,
    /// A ball.
    Sphere(Sphere),
    /// A capsule of any direction.
    Capsule(Capsule),
    /// A cylinder of any direction. Its contacts are found iteratively by its support function, to 2^-40 of the sizes.
    Cylinder(Cylinder),
    /// A cone of any direction, whose contacts are found in the same way as for a cylinder.
    Cone(Cone),
    /// A box along the axes of the volume's space. It may be flat, or a point.
    Aabb(Aabb),
    /// A box in any position, which may also be stretched or sheared.
    OrientedBox(OrientedBox),
    /// A convex hull, the inside included.
    ConvexHull(ConvexHull),
    /// Another volume with a margin around it, as [`with_margin`](Self::with_margin) makes it, or a [`RoundedBox`].
    Rounded(RoundedVolume),
}

/// A volume with a margin around it: all points within this distance of the volume.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundedVolume {
    core: Box<Volume>,
    margin: f32,
}

impl RoundedVolume {
    /// Returns the volume inside the margin.
    pub fn core(&self) -> &Volume {
        &self.core
    }

    /// Returns the width of the margin.
    pub fn margin(&self) -> f32 {
        self.margin
    }
}

impl Volume {
    /// Checks whether the volume can hit anything. A query with an invalid volume hits nothing, without an error.
    ///
    /// The pose and the motion of a question are separate: a volume also hits nothing if one of their numbers is not
    /// finite or is above 1e70.
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
    /// # Ok::<(), hitscan::error::SceneError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error that names the first measure or point that cannot be used.
    #[inline]
    pub fn validate(&self) -> Result<(), crate::error::ShapeError> {
        match self {
            Self::Point => Ok(()),
            Self::Sphere(sphere) => sphere.validate(),
            Self::Capsule(capsule) => capsule.validate(),
            Self::Cylinder(cylinder) => cylinder.validate(),
            Self::Cone(cone) => cone.validate(),
            Self::Aabb(aabb) => RayTest::validate(aabb),
            Self::OrientedBox(turned) => RayTest::validate(turned),
            Self::ConvexHull(_) => Ok(()),
            Self::Rounded(rounded) => {
                check_size("margin", rounded.margin)?;
                rounded.core.validate()
            }
        }
    }

    /// Returns the hull, if the volume is one, with or without a margin around it.
    pub(crate) fn hull(&self) -> Option<&ConvexHull> {
        match self {
            Self::ConvexHull(hull) => Some(hull),
            Self::Rounded(rounded) => rounded.core.hull(),
            _ => None,
        }
    }

    /// Returns the volume with a margin (a skin) around it, in world units. Edges and corners are rounded with this radius.
    /// A sweep of the result stops at this distance from every obstacle, which leaves a gap that f32 can represent. An overlap query of it finds everything
    /// within the margin. A second margin adds to the first.
    ///
    /// ```
    /// use hitscan::{Aabb, Plane, Scene, SweepQueries, Volume, glam::DVec3};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("floor", Plane::new([0.0, 0.0, 0.0], [0.0, 1.0, 0.0])?, DVec3::ZERO)?;
    /// let chest = Volume::from(Aabb::new([-1.0, 0.0, -0.5], [1.0, 1.0, 0.5]));
    /// let hit = scene.sweep(chest.with_margin(0.25), [0.0, 2.0, 0.0], [0.0, -4.0, 0.0]).unwrap();
    /// assert_eq!((hit.t, hit.point.y), (0.4375, 0.0)); // the chest itself is a quarter above the floor
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias("skin", "padding", "inflate", "thicken"))]
    #[must_use]
    pub fn with_margin(self, margin: f32) -> Self {
        match self {
            Self::Rounded(RoundedVolume { core, margin: own }) => {
                Self::Rounded(RoundedVolume { core, margin: own + margin })
            }
            core => Self::Rounded(RoundedVolume { core: Box::new(core), margin }),
        }
    }
}

impl Shape {
    /// Returns the shape as a volume that moves or overlaps; `None` for a plane, disc, quad, triangle or torus.
    ///
    /// ```
    /// use hitscan::{Shape, Sphere, Torus, Volume};
    ///
    /// assert_eq!(Shape::from(Sphere::new(1.0)).volume(), Some(Volume::from(Sphere::new(1.0))));
    /// assert_eq!(Shape::from(Torus::new(2.0, 1.0)).volume(), None);
    /// ```
    pub fn volume(&self) -> Option<Volume> {
        match self {
            Self::Box(aabb) => Some(aabb.into()),
            Self::Capsule(capsule) => Some(capsule.into()),
            Self::Cone(cone) => Some(cone.into()),
            Self::Cylinder(cylinder) => Some(cylinder.into()),
            Self::OrientedBox(turned) => Some(turned.into()),
            Self::RoundedBox(rounded) => Some(rounded.into()),
            Self::Sphere(sphere) => Some(sphere.into()),
            Self::Disc(_) | Self::Plane(_) | Self::Quad(_) | Self::Torus(_) | Self::Triangle(_) => None,
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

/// The volume is the core with its margin, as [`Volume::with_margin`] makes it.
impl From<RoundedBox> for Volume {
    fn from(RoundedBox { core, margin }: RoundedBox) -> Self {
        Self::from(core).with_margin(margin)
    }
}

impl From<&RoundedBox> for Volume {
    fn from(rounded: &RoundedBox) -> Self {
        (*rounded).into()
    }
}

impl From<&Volume> for Volume {
    fn from(volume: &Volume) -> Self {
        volume.clone()
    }
}

/// The start of a volume: the position of its own origin, and its rotation. It is made by `into()` from a position
/// ([`DVec3`], [`Vec3`] or an array of three), or from a pair of a position and a rotation.
///
/// A volume cannot be scaled or sheared, because a scaled ball is another volume, so this is not a
/// [`Transform`](crate::Transform). A rotation need not be normalised; if its length is 0, or a number is not finite,
/// the volume hits nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// The position of the volume's own origin.
    pub position: DVec3,
    /// The rotation around the origin.
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

/// The rotation is normalised. A pose whose rotation has length 0 is an invalid transform.
impl From<Pose> for Transform {
    fn from(Pose { position, rotation }: Pose) -> Self {
        DAffine3::from_rotation_translation(normalized(rotation).unwrap_or(DQuat::NAN), position).into()
    }
}
