//! The kinds of snaps, and their answers.

use core::fmt;
use glam::{DVec3, Vec2};

/// The kinds of points that a [`Cursor`](super::Cursor) snaps to. The order of the variants is their priority. Of two points in reach, the point of the earlier
/// kind wins, however near the other point is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum SnapKind {
    /// A vertex of a mesh, a hull or a height field, a point of a cloud, or a point of a polyline.
    Vertex,
    /// The middle of an edge, half the length from either end.
    Midpoint,
    /// The centre of the flat face under the cursor: its centre of area. A face of more than 4096 triangles has no centre, so that the time of a
    /// question is bounded.
    Center,
    /// The point at which two edges cross on the screen, on the edge that is nearer to the eye. Both edges must be [visible](super::Cursor::hidden) there,
    /// unless hidden points are found, too. Edges that share an end are left out.
    Crossing,
    /// The foot of the perpendicular from the [start point](super::Cursor::from_start) onto an edge, between the edge's ends.
    Perpendicular,
    /// The point of an edge that is nearest to the cursor.
    Edge,
    /// The point nearest to the cursor on a line through the [start point](super::Cursor::from_start) along the world's x, y or z axis. Only the part of the
    /// line in front of the eye is used, wherever the start point is. On the screen this part ends before the vanishing point of the line. A cursor beyond the
    /// vanishing point finds nothing, because no point of the line is nearest. If an axis is seen end-on, the snap is at the start point.
    Axis,
    /// The point on a surface under the cursor.
    Face,
}

impl SnapKind {
    /// All kinds, in the order of their priority.
    pub const ALL: [Self; 8] = [
        Self::Vertex,
        Self::Midpoint,
        Self::Center,
        Self::Crossing,
        Self::Perpendicular,
        Self::Edge,
        Self::Axis,
        Self::Face,
    ];

    /// Returns the name of the kind, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Vertex => "vertex",
            Self::Midpoint => "midpoint",
            Self::Center => "center",
            Self::Crossing => "crossing",
            Self::Perpendicular => "perpendicular",
            Self::Edge => "edge",
            Self::Axis => "axis",
            Self::Face => "face",
        }
    }
}

impl fmt::Display for SnapKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A point that a cursor snaps to.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Snap<K> {
    /// The kind of point.
    pub kind: SnapKind,
    /// The point, relative to the view's origin if there is one.
    pub point: DVec3,
    /// The window pixel that shows the point.
    pub pixel: Vec2,
    /// The distance from the cursor to that pixel, in pixels; 0 for [`SnapKind::Face`].
    pub distance: f32,
    /// The depth of the point along the view axis, in world units.
    pub depth: f64,
    /// The feature that the point belongs to; `None` for [`SnapKind::Axis`].
    pub target: Option<SnapTarget<K>>,
    /// The other edge of a [`SnapKind::Crossing`], which is farther from the eye.
    pub crossed: Option<SnapTarget<K>>,
    /// The direction of the line of a [`SnapKind::Axis`].
    pub axis: Option<DVec3>,
}

/// The feature of an entity that a point belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct SnapTarget<K> {
    /// The entity.
    pub id: K,
    /// Index of the part in a compound; 0 for other entities.
    pub part: u32,
    /// The triangle of a mesh, a height field or a hull's [mesh](crate::ConvexHull::mesh). It is the lowest triangle that has the vertex, the edge or the flat
    /// face of a centre. For the surface under the cursor it is the triangle of the hit, and `None` on a hull. `None` on other geometry.
    pub triangle: Option<u32>,
    /// The two vertices that an edge joins; `None` for a vertex or a face.
    pub edge: Option<[u32; 2]>,
    /// The number of a vertex. It counts the positions of a mesh, a hull, a cloud or a polyline, or the heights of a field. If a mesh has several vertices at
    /// the same position, it is the lowest vertex that a triangle uses. `None` for an edge or a face.
    pub vertex: Option<u32>,
}
