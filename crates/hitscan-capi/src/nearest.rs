//! The nearest points of things.

use crate::ray::{HS_NO_TRIANGLE, HsSide};
use hitscan::ClosestPoint;
use hitscan::query::{Containment, Feature, MeshPoint, ShapePoint, TrianglePoint};

/// The kind of place on a triangle or a flat shape.
#[derive(Clone, Copy, Debug)]
#[repr(i32)]
pub enum HsFeature {
    /// A place between the edges, and any place on a round shape.
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

/// The position of a point with respect to the nearest thing.
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

fn containment(containment: Containment) -> i32 {
    (match containment {
        Containment::Outside => HsContainment::Outside,
        Containment::Inside => HsContainment::Inside,
        Containment::Open => HsContainment::Open,
    }) as i32
}

/// The point of something that is nearest to a point.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct HsNearest {
    /// The entity of a scene; 0 for something by itself.
    pub key: u64,
    /// The distance, not negative.
    pub distance: f32,
    /// The nearest point, relative to the filter's origin.
    pub point: [f32; 3],
    /// The outward normal of the surface there, of unit length; at an edge it points to where the question was asked.
    pub normal: [f32; 3],
    /// The number of the part in a compound.
    pub part: u32,
    /// The number of the triangle, or `HS_NO_TRIANGLE`.
    pub triangle: u32,
    /// The kind of the place, an `HsFeature`.
    pub feature: i32,
    /// The number of the edge or corner.
    pub feature_number: i32,
    /// The side on which the question was asked, an `HsContainment`.
    pub containment: i32,
}

impl HsNearest {
    /// The answer of a batch where there is none.
    pub(crate) const NOTHING: Self = Self {
        key: 0,
        distance: f32::INFINITY,
        point: [0.0; 3],
        normal: [0.0; 3],
        part: 0,
        triangle: HS_NO_TRIANGLE,
        feature: 0,
        feature_number: 0,
        containment: 0,
    };
}

macro_rules! nearest {
    ($from:ty, $key:expr, $part:expr, $triangle:expr) => {
        impl From<&$from> for HsNearest {
            fn from(found: &$from) -> Self {
                let [kind, number] = feature(found.feature);
                Self {
                    key: $key(found),
                    distance: found.distance,
                    point: found.point.to_array(),
                    normal: found.normal.to_array(),
                    part: $part(found),
                    triangle: $triangle(found),
                    feature: kind,
                    feature_number: number,
                    containment: containment(found.containment),
                }
            }
        }
    };
}

nearest!(ShapePoint, |_| 0, |_| 0, |_| HS_NO_TRIANGLE);

nearest!(MeshPoint, |_| 0, |_| 0, |found: &MeshPoint| found.triangle);

nearest!(
    ClosestPoint<u64>,
    |found: &ClosestPoint<u64>| found.id,
    |found: &ClosestPoint<u64>| found.part,
    |found: &ClosestPoint<u64>| found.triangle.unwrap_or(HS_NO_TRIANGLE)
);

/// The point of a mesh's triangles that is nearest to a point, without the containment of that point.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct HsTrianglePoint {
    /// The distance, not negative.
    pub distance: f32,
    /// The nearest point, in the mesh's own space.
    pub point: [f32; 3],
    /// The direction from the nearest point to the given one, of unit length; the triangle's own normal if they are equal.
    pub normal: [f32; 3],
    /// The number of the triangle, or `HS_NO_TRIANGLE`.
    pub triangle: u32,
    /// The kind of the place on the triangle, an `HsFeature`.
    pub feature: i32,
    /// The number of the edge or corner.
    pub feature_number: i32,
    /// The side of the triangle's plane on which the given point is, an `HsSide`. At an edge or a corner it does not say
    /// whether the point is inside of the mesh.
    pub side: i32,
}

impl HsTrianglePoint {
    /// The answer of a batch where there is none.
    pub(crate) const NOTHING: Self = Self {
        distance: f32::INFINITY,
        point: [0.0; 3],
        normal: [0.0; 3],
        triangle: HS_NO_TRIANGLE,
        feature: 0,
        feature_number: 0,
        side: HsSide::None as i32,
    };
}

impl From<&TrianglePoint> for HsTrianglePoint {
    fn from(found: &TrianglePoint) -> Self {
        let [kind, number] = feature(found.feature);
        Self {
            distance: found.distance,
            point: found.point.to_array(),
            normal: found.normal.to_array(),
            triangle: found.triangle,
            feature: kind,
            feature_number: number,
            side: HsSide::from(found.side) as i32,
        }
    }
}
