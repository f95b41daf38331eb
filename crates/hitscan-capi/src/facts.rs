//! The enumerations of answers: sides, features, the containment of points, and the starts of motions.

use hitscan::query::{Containment, Feature};
use hitscan::{Side, SweepStart};

/// The triangle number of a hit on a thing without triangles, and the vertex number of an answer that is not at a
/// vertex.
pub const HS_NO_TRIANGLE: u32 = u32::MAX;

/// The side that a ray or volume hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum HsSide {
    /// Nothing was hit.
    None = 0,
    /// The front of a surface, or a solid from outside.
    Front = 1,
    /// The back of a surface, or a solid from inside.
    Back = 2,
    /// The start was inside of a solid, and `HS_INSIDE_SOLID` was chosen.
    Inside = 3,
}

impl From<Side> for HsSide {
    #[inline(always)]
    fn from(side: Side) -> Self {
        match side {
            Side::Front => Self::Front,
            Side::Back => Self::Back,
            Side::Inside => Self::Inside,
        }
    }
}

/// The kind of place on a triangle or a flat shape.
#[derive(Clone, Copy, Debug)]
#[repr(i32)]
pub enum HsFeature {
    /// A place between the edges, or any place on a round shape.
    Face = 0,
    /// A place on an edge.
    Edge = 1,
    /// A corner.
    Vertex = 2,
}

/// Returns the kind of a feature and its number.
pub(crate) fn feature(feature: Feature) -> [i32; 2] {
    match feature {
        Feature::Face => [HsFeature::Face as i32, 0],
        Feature::Edge(edge) => [HsFeature::Edge as i32, edge.into()],
        Feature::Vertex(vertex) => [HsFeature::Vertex as i32, vertex.into()],
    }
}

/// The relation between a point and the thing that is nearest to it.
#[derive(Clone, Copy, Debug)]
#[repr(i32)]
pub enum HsContainment {
    /// The point is outside of a solid or a closed mesh, or on its surface.
    Outside = 0,
    /// The point is inside of a solid or a closed mesh.
    Inside = 1,
    /// There is no inside: a flat shape, a height field, a mesh that is not closed.
    Open = 2,
}

pub(crate) fn containment(containment: Containment) -> i32 {
    (match containment {
        Containment::Outside => HsContainment::Outside,
        Containment::Inside => HsContainment::Inside,
        Containment::Open => HsContainment::Open,
    }) as i32
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

pub(crate) fn start(start: SweepStart) -> i32 {
    (match start {
        SweepStart::Apart => HsSweepStart::Apart,
        SweepStart::Touching => HsSweepStart::Touching,
        SweepStart::Penetrating => HsSweepStart::Penetrating,
    }) as i32
}
