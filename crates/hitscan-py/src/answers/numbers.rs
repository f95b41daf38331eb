//! The numbers by which columns represent enums and options of the library.

use hitscan::Side;
use hitscan::query::{Containment, Feature};

/// Returns a number, or -1 for none.
pub(crate) fn or_none(number: Option<u32>) -> i64 {
    number.map_or(-1, i64::from)
}

/// Returns the part of a triangle as a number: 0 its face, 1 to 3 an edge, 4 to 6 a corner.
pub(crate) fn feature_number(feature: Feature) -> i8 {
    match feature {
        Feature::Face => 0,
        Feature::Edge(edge) => 1 + edge as i8,
        Feature::Vertex(vertex) => 4 + vertex as i8,
    }
}

/// Returns 1 for inside, 0 for outside, and -1 for open, where there is no inside.
pub(crate) fn containment_number(containment: Containment) -> i8 {
    match containment {
        Containment::Inside => 1,
        Containment::Outside => 0,
        Containment::Open => -1,
    }
}

/// Returns 1 for the front, -1 for the back, and 2 for the inside of a solid.
pub(crate) fn side_number(side: Side) -> i8 {
    match side {
        Side::Front => 1,
        Side::Back => -1,
        Side::Inside => 2,
    }
}

/// Returns the state of a volume at its start as a number: 0 apart, 1 touching, 2 penetrating.
pub(crate) fn start_number(start: hitscan::SweepStart) -> i8 {
    match start {
        hitscan::SweepStart::Apart => 0,
        hitscan::SweepStart::Touching => 1,
        hitscan::SweepStart::Penetrating => 2,
    }
}
