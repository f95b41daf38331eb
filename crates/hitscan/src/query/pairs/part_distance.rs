//! The distance of two parts, and of two entities by their parts.

use super::entity_parts::EntityParts;
use crate::convex::Feature;
use crate::math::float::{larger, reported_direction, round_vec3};
use crate::proximity::{NearestPair, nearest};
use crate::query::overlap::proximity_parts::{form_of, origin_between};
use crate::scene::Part;
use glam::{DVec3, Vec3};

/// The two nearest points of two entities, in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct PairDistance {
    /// Distance in world units; 0 where they touch or overlap.
    pub distance: f32,
    /// The point on the first and the point on the second entity. If they overlap, both are the same point, which is in both entities.
    pub points: [Vec3; 2],
    /// The direction from the first to the second, of unit length. It is zero if they overlap and no direction leads out of one into the other.
    pub normal: Vec3,
    /// Indices of the parts in compounds; 0 for other entities.
    pub parts: [u32; 2],
    /// The triangles of meshes and height fields; `None` on other geometry.
    pub triangles: [Option<u32>; 2],
    /// The part of a triangle that each point is on; on other shapes always the face.
    pub features: [Feature; 2],
    #[cfg_attr(feature = "serde", serde(skip))]
    exact_points: [DVec3; 2],
    #[cfg_attr(feature = "serde", serde(skip))]
    exact_distance: f64,
}

impl PairDistance {
    /// Returns the points before they were rounded to f32.
    pub fn points_f64(&self) -> [DVec3; 2] {
        self.exact_points
    }

    /// Returns the distance before it was rounded to f32.
    pub fn distance_f64(&self) -> f64 {
        self.exact_distance
    }
}

/// Returns the distance of a part from itself; `None` if nothing can touch it.
pub(super) fn of_itself(part: &Part) -> Option<PairDistance> {
    let origin = origin_between(part, part);
    let (place, triangle) = form_of(part, origin.into())?.some_place()?;
    let exact_points = [origin + place; 2];
    Some(PairDistance {
        distance: 0.0,
        points: exact_points.map(round_vec3),
        normal: Vec3::ZERO,
        parts: [part.index; 2],
        triangles: [triangle; 2],
        features: [Feature::Face; 2],
        exact_points,
        exact_distance: 0.0,
    })
}

/// Returns the distance of two entities. Among equally near parts the lower ones win.
pub(super) fn of_entities(first: EntityParts<'_>, second: EntityParts<'_>) -> Option<PairDistance> {
    let mut best: Option<PairDistance> = None;
    for ours in first.iter() {
        for theirs in second.iter() {
            let least = best.map_or(f64::INFINITY, |best| best.exact_distance);
            if let Some(found) = between(ours, theirs, least)
                && best.is_none_or(|best| found.exact_distance < best.exact_distance)
            {
                best = Some(found);
            }
        }
    }
    best
}

/// Returns the distance of two parts, if they are no farther apart than `limit`.
pub(super) fn between(a: &Part, b: &Part, limit: f64) -> Option<PairDistance> {
    let origin = origin_between(a, b);
    let NearestPair { gap, triangles } = nearest(&form_of(a, origin.into())?, &form_of(b, origin.into())?, limit)?;
    let distance = larger(gap.nearness(), 0.0);
    let exact_points = gap.points.map(|point| origin + point);
    Some(PairDistance {
        distance: distance as f32,
        points: exact_points.map(round_vec3),
        normal: reported_direction(gap.normal),
        parts: [a.index, b.index],
        triangles,
        features: gap.features,
        exact_points,
        exact_distance: distance,
    })
}
