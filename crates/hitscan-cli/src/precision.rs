//! How precise places in the world have to be: f32, unless the model lies too far from the origin for that.

use crate::output::joined;
use hitscan::glam::{DVec3, Vec3};
use hitscan::{Aabb, Scene};
use hitscan_io::EntityId;
use serde::Serialize;

/// How precise places in the world have to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Precision {
    /// They are f32.
    Single,
    /// They are f64: in f32 the form of an entity would be lost.
    Double,
}

/// How many times its half size an entity may be away. Half an f32's unit in the last place is 2^-12 of that size then.
const FARTHEST: f32 = 4096.0;

impl Precision {
    pub(crate) fn of(scene: &Scene<EntityId>, entities: usize) -> Self {
        let is_far = |bounds: Aabb| {
            let farthest = bounds.min.abs().max(bounds.max.abs()).max_element();
            farthest > FARTHEST * 0.5 * (bounds.max - bounds.min).max_element()
        };
        let bounds = (0..entities).filter_map(|id| scene.bounds_of(&EntityId(id as u32)));
        if bounds.filter(|bounds| !bounds.is_empty()).any(is_far) { Self::Double } else { Self::Single }
    }
}

/// A place in the world, as it is written.
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

    /// With commas between the numbers.
    pub(crate) fn joined(&self) -> String {
        match self {
            Self::Single(point) => joined(point.to_array()),
            Self::Double(point) => joined(point.to_array()),
        }
    }
}
