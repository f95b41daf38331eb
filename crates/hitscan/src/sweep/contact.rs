//! How a moving volume meets something.

use crate::convex::Feature;
use crate::geom::hit::Side;
use glam::DVec3;

/// How a volume starts with respect to what it meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum SweepStart {
    /// Away from it; it is met on the way.
    Apart,
    /// In contact with it, no deeper than f64 can tell: t is 0.
    Touching,
    /// Partly in it: t is 0.
    Penetrating,
}

/// Which contacts of a moving volume count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ContactFilter {
    /// All of them: also what the volume touches at its start and leaves, and what it only brushes.
    #[default]
    All,
    /// The contacts that the motion presses into. What the volume touches at its start does not count if the motion leads away from it or along it, and neither does
    /// what the volume passes without coming deeper than f64 can tell.
    ///
    /// A flat surface is one surface, whatever it is made of: edges between triangles in one plane and seams between entities do not stop a volume that slides over
    /// them, even if rounding has put it a little into the surface. What contains the middle of the volume always counts.
    Ahead,
}

/// The first contact with one thing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contact {
    /// In multiples of the motion.
    pub(crate) t: f64,
    pub(crate) start: SweepStart,
    /// Where the obstacle is touched.
    pub(crate) point: DVec3,
    /// From there to the volume, unit length; zero if there is no such direction.
    pub(crate) normal: DVec3,
    pub(crate) feature: Feature,
    /// On which side of the surface the volume is.
    pub(crate) side: Side,
}
