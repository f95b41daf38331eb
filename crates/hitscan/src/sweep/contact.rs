//! Contacts of a moving volume.

use crate::convex::Feature;
use crate::geom::hit::Side;
use glam::DVec3;

/// The state of a volume at its start with respect to the obstacle that it hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum SweepStart {
    /// The volume starts apart from the obstacle, and hits it during the motion.
    Apart,
    /// The volume starts in contact, no deeper than f64 can tell: t is 0.
    Touching,
    /// The volume starts partly or wholly inside: t is 0.
    Penetrating,
}

/// The choice of reported contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ContactFilter {
    /// All contacts are reported. This includes contacts at the start that the volume leaves, and contacts that it only
    /// grazes.
    #[default]
    All,
    /// Only contacts that the motion presses into are reported. A contact at the start is ignored if the motion leads away from it or along it. A contact that
    /// the volume passes without going deeper than f64 can tell is ignored too.
    ///
    /// A flat surface is treated as one surface, whatever it consists of. Edges between coplanar triangles and seams
    /// between entities do not stop a volume that slides over them. This holds even if rounding has put the volume
    /// slightly into the surface. An obstacle that contains the centre of the volume is always reported.
    Ahead,
}

/// The first contact with one obstacle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contact {
    /// The time as a fraction of the motion: 1 is its end.
    pub(crate) t: f64,
    pub(crate) start: SweepStart,
    /// The point where the obstacle is touched.
    pub(crate) point: DVec3,
    /// The unit vector from there to the volume. It is zero if there is no such direction.
    pub(crate) normal: DVec3,
    pub(crate) feature: Feature,
    /// The side of the surface that the volume is on.
    pub(crate) side: Side,
}
