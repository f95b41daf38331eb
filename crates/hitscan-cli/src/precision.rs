//! The precision of points in the world. It is f32, unless the model is too far from the origin for f32.

use crate::extent::Extent;
use crate::model_extent::Extents;
use crate::output::joined;
use hitscan::Scene;
use hitscan::glam::{DVec3, Vec3};
use hitscan_io::{Entity, EntityId, Model};
use serde::Serialize;

/// The precision that places in the world need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Precision {
    /// Places are f32.
    Single,
    /// Places are f64, because f32 would lose the form of an entity.
    Double,
}

/// The largest distance of an entity from the origin, in multiples of its half size, at which f32 is used. At this distance, half
/// an ulp of an f32 is 2^-12 of the half size.
const FARTHEST: f64 = 4096.0;

impl Precision {
    pub(crate) fn of(model: &Model, scene: &Scene<EntityId>) -> Self {
        let numbered = (0..).map(EntityId).zip(&model.entities);
        // The scene's boxes are available, and are larger than the entities. An entity whose box is near needs no exact
        // test.
        let mut seem_far =
            numbered.filter(|(id, _)| scene.bounds_of(id).is_some_and(|bounds| is_far(&Extent::of_bounds(bounds))));
        let mut extents = Extents::default();
        let is_far = |(_, entity): (_, &Entity)| extents.of_entity(entity).is_some_and(|extent| is_far(&extent));
        if seem_far.any(is_far) { Self::Double } else { Self::Single }
    }
}

/// Returns whether f32 would lose the form of an entity with these bounds. A point has none.
fn is_far(extent: &Extent) -> bool {
    let half = extent.half_size().max_element();
    let farthest = extent.min.abs().max(extent.max.abs()).max_element();
    half > 0.0 && farthest > FARTHEST * half
}

/// A place in the world, in the precision in which it is written.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub(crate) enum Point {
    Single(Vec3),
    Double(DVec3),
}

impl Point {
    pub(crate) fn new(point: DVec3, precision: Precision) -> Self {
        match precision {
            Precision::Single => Self::Single(point.as_vec3()),
            Precision::Double => Self::Double(point),
        }
    }

    /// Joins the numbers with commas.
    pub(crate) fn joined(&self) -> String {
        match self {
            Self::Single(point) => joined(point.to_array()),
            Self::Double(point) => joined(point.to_array()),
        }
    }
}
