//! The nearest points of things.

pub use crate::answers::{HsNearest, HsTrianglePoint};
use crate::facts::{HS_NO_TRIANGLE, HsSide, containment, feature};
use hitscan::ClosestPoint;
use hitscan::query::{MeshPoint, ShapePoint};

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
