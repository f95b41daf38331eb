//! The entities that an explosion reaches.

use crate::collections::sort::SharedSort;
use crate::convex::Volume;
use crate::geom::ray::Ray;
use crate::query::{Filter, ProximityQueries, RayQueries, SightView};
use crate::shape::Sphere;
use alloc::vec::Vec;
use core::hash::Hash;
use glam::{DVec3, Vec3};

/// An entity within the radius of an explosion.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct BlastHit<K> {
    /// The entity.
    pub id: K,
    /// The nearest point of the entity's surface, relative to the view's origin. If the center is inside a solid, this point may be farther away than the
    /// radius.
    pub point: Vec3,
    /// The distance to that point, in world units; 0 if the center is inside.
    pub distance: f32,
    /// Says whether another entity lies between the center and the nearest point. An obstacle is ignored if it is nearer to one of these two points than a
    /// ten-thousandth of the distance between the points. So an explosion on a floor reaches entities that stand on the floor.
    pub is_covered: bool,
}

/// Returns the entities within a radius of a center, the nearest first; entities at the same distance are in the order
/// of insertion. The list is empty if the center is not finite, or if the radius is not positive and finite.
///
/// An entity that the view's filter excludes is not reached, and does not cover others. To reach some kinds of
/// entities behind cover of other kinds, name the cover too: `scene.with(&targets).hidden_by(&cover)`, as
/// [`hidden_by`](crate::View::hidden_by) describes.
///
/// A mesh is reached only if its surface is within the radius, even if the center is inside the mesh. The caller decides
/// how damage falls off with the distance, and how much of the damage cover lets through. To find out which fraction of an
/// entity is covered, pass points of the entity to [`visibility`](RayQueries::visibility).
///
/// ```
/// use hitscan::gameplay::blast;
/// use hitscan::prelude::*;
///
/// let mut scene = Scene::new();
/// scene.insert("wall", Aabb::new([2.0, -9.0, -9.0], [2.5, 9.0, 9.0]), DVec3::ZERO)?;
/// scene.insert("guard", Sphere::new(0.5), [4.0, 0.0, 0.0])?;
/// scene.insert("barrel", Sphere::new(0.5), [-2.0, 0.0, 0.0])?;
/// scene.insert("far", Sphere::new(0.5), [-9.0, 0.0, 0.0])?;
/// let hits = blast(&scene, DVec3::ZERO, 5.0);
/// let seen: Vec<_> = hits.iter().map(|hit| (hit.id, hit.distance, hit.is_covered)).collect();
/// assert_eq!(seen, [("barrel", 1.5, false), ("wall", 2.0, false), ("guard", 3.5, true)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc = include_str!("../query/edges/blast.md")]
#[doc(alias("explosion", "splash_damage", "area_of_effect"))]
pub fn blast<'a, K: Clone + Eq + Hash + Send + Sync + 'a>(
    view: impl Into<SightView<'a, K>>,
    center: impl Into<DVec3>,
    radius: f32,
) -> Vec<BlastHit<K>> {
    let (sight, center) = (view.into(), center.into());
    let mut ids = Vec::new();
    if !(radius > 0.0) {
        return Vec::new();
    }
    sight.wanted.overlap_entities(Sphere::new(radius), center, &mut ids);
    let mut hits: Vec<BlastHit<K>> = ids.into_iter().filter_map(|id| blast_hit(sight, (center, radius), id)).collect();
    hits.sort_shared_stable_by(|a, b| a.distance.total_cmp(&b.distance));
    hits
}

fn blast_hit<K: Clone + Eq + Hash + Send + Sync>(
    sight: SightView<'_, K>,
    (center, radius): (DVec3, f32),
    id: K,
) -> Option<BlastHit<K>> {
    let view = sight.wanted;
    let is_it = |key: K| key == id;
    let alone = view.filter_without(core::iter::empty()).entities(is_it);
    let alone = view.with(&alone);
    // The surface of a solid around the center may be farther away than the radius.
    let is_in_solid = alone.overlaps(Volume::Point, center);
    let nearest = alone.closest_point_within(center, if is_in_solid { f64::INFINITY } else { f64::from(radius) })?;
    let is_inside = nearest.signed_distance().is_some_and(|distance| distance < 0.0);
    let distance = if is_in_solid || is_inside { 0.0 } else { nearest.distance };
    let others: Filter<'_, K> = sight.hiding().filter_without(core::iter::once(nearest.id.clone()));
    let origin = view.origin + center;
    let ray = Ray::between(Vec3::ZERO, (nearest.point_f64() - origin).as_vec3()).with_range(NEAR, 1.0 - NEAR);
    let is_covered = distance > 0.0 && view.with(&others).relative_to(origin).is_blocked(&ray);
    Some(BlastHit { id: nearest.id, point: nearest.point, distance, is_covered })
}

/// The line from the center to the nearest point of an entity may cross other surfaces. A surface within this fraction
/// of the line's length from either end does not cover the entity. So an explosion on a floor reaches entities that
/// stand on the floor, and tiles do not cover each other. [`BlastHit::is_covered`] has this rule. The fraction is far
/// above the error of rounding the nearest point and the ray to f32, which is some 2^-22 of the distance
/// (docs/robustness/characters.md).
const NEAR: f32 = 1e-4;
