//! The entities that an explosion reaches.

use crate::geom::ray::Ray;
use crate::query::{Filter, ProximityQueries, RayQueries, View};
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
    /// Its nearest point, relative to the origin of the view that was asked.
    pub point: Vec3,
    /// The distance to that point, in world units; 0 if the center is inside.
    pub distance: f32,
    /// Tells whether another entity lies between the center and the nearest point.
    pub is_covered: bool,
}

/// Returns the entities within a radius of a center, the nearest first; of those that are as near, the one that
/// the query found first. There are none for a center that is not finite and a radius that is not finite and
/// above 0.
///
/// How damage falls off with the distance, and what cover leaves of it, is the caller's. For a finer answer than covered or not, pass points of the entity to
/// [`visibility`](RayQueries::visibility).
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
#[doc(alias("explosion", "splash_damage", "area_of_effect"))]
pub fn blast<'a, K: Clone + Eq + Hash + Send + Sync + 'a>(
    view: impl Into<View<'a, K>>,
    center: impl Into<DVec3>,
    radius: f32,
) -> Vec<BlastHit<K>> {
    let (view, center) = (view.into(), center.into());
    let mut ids = Vec::new();
    if !(radius > 0.0) {
        return Vec::new();
    }
    view.overlap_entities(Sphere::new(radius), center, &mut ids);
    let mut hits: Vec<BlastHit<K>> = ids.into_iter().filter_map(|id| reached(view, center, id)).collect();
    hits.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    hits
}

fn reached<K: Clone + Eq + Hash + Send + Sync>(view: View<'_, K>, center: DVec3, id: K) -> Option<BlastHit<K>> {
    let is_it = |key: K| key == id;
    let filter = view.filter_without(core::iter::empty());
    let alone = filter.clone().entities(is_it);
    let nearest = view.with(&alone).closest_point(center)?;
    let others: Filter<'_, K> = filter.exclude(nearest.id.clone());
    // The way is relative to the center, where f32 is as fine as it can be.
    let way = nearest.point.as_dvec3() - center;
    let ray = Ray::between(Vec3::ZERO, way.as_vec3());
    let from_center = view.with(&others).relative_to(view.origin + center);
    let is_inside = nearest.signed_distance().is_some_and(|distance| distance < 0.0);
    let distance = if is_inside { 0.0 } else { nearest.distance };
    let is_covered = distance > 0.0 && from_center.is_blocked(&ray);
    Some(BlastHit { id: nearest.id, point: nearest.point, distance, is_covered })
}
