//! A shot that ricochets and passes through obstacles.

use crate::geom::ray::Ray;
use crate::query::{Hit, RayQueries, RayView};
use alloc::vec::Vec;
use glam::Vec3;

/// The effect of a hit on a shot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Impact {
    /// The shot ends at the hit.
    #[default]
    Stop,
    /// The shot goes on as a perfect reflection.
    Ricochet,
    /// The shot goes on in the same direction, into or out of the entity.
    PassThrough,
}

/// A straight part of a shot. Points are relative to the view's origin.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ShotLeg<K> {
    /// The start of the leg: the muzzle, or the point of the hit before it.
    pub from: Vec3,
    /// The end of the leg: the point of its hit, or where the range ends.
    pub to: Vec3,
    /// The hit at the end; `None` where the range ends.
    pub hit: Option<Hit<K>>,
}

/// A shot has at most this many legs, so that a shot between two mirrors ends.
const MOST_LEGS: usize = 1024;

/// Follows a shot along a ray, up to a range in world units, and returns its legs in order. The ray's direction may have any length; the ray's own range is
/// ignored.
///
/// `impact` decides for each hit how the shot continues. It gets the ray of the leg, whose direction has unit length. A shot that passes through a solid has a
/// hit where it enters. It has another hit, with [`Side::Back`](crate::Side::Back), where it leaves. A shot never hits a surface that it has just left. It
/// misses no other surface at the same place. To find out how far a shot gets through walls, use [`solid_intervals`](RayQueries::solid_intervals). There are at
/// most 1,024 legs, and none for an invalid ray or a range that is not above 0.
///
/// ```
/// use hitscan::gameplay::{Impact, shoot};
/// use hitscan::prelude::*;
///
/// let mut scene = Scene::new();
/// scene.insert("glass", Aabb::new([2.0, 0.0, -5.0], [2.1, 3.0, 5.0]), DVec3::ZERO)?;
/// scene.insert("floor", Aabb::new([-9.0, -1.0, -9.0], [9.0, 0.0, 9.0]), DVec3::ZERO)?;
/// let legs = shoot(&scene, &Ray::new([0.0, 2.0, 0.0], [2.0, -1.0, 0.0]), 50.0, |ray, hit| match hit.id {
///     "glass" => Impact::PassThrough,
///     _ if ray.direction.dot(hit.normal) > -0.5 => Impact::Ricochet, // at a small angle to the surface
///     _ => Impact::Stop,
/// });
/// let hits: Vec<_> = legs.iter().map(|leg| leg.hit.map(|hit| hit.id)).collect();
/// assert_eq!(hits, [Some("glass"), Some("glass"), Some("floor"), None]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc = include_str!("../query/edges/shot.md")]
#[doc(alias("bullet", "projectile", "ricochet", "wallbang"))]
pub fn shoot<'a, S: RayQueries<'a>>(
    view: S,
    ray: &Ray,
    range: f32,
    mut impact: impl FnMut(&Ray, &Hit<S::Key>) -> Impact,
) -> Vec<ShotLeg<S::Key>> {
    let mut legs: Vec<ShotLeg<S::Key>> = Vec::new();
    let (mut ray, mut left) = (Ray::new(ray.origin, ray.direction), f64::from(range));
    while legs.len() < MOST_LEGS && left > 0.0 && ray.validate().is_ok() {
        let within = ray.with_range(0.0, left as f32);
        let everything: RayView<'_, S::Key> = view.ray_view();
        let hit = match legs.last().and_then(|leg| leg.hit.as_ref()) {
            Some(last) => everything.after(last).cast(&within),
            None => everything.cast(&within),
        };
        let Some(hit) = hit else {
            // Along an axis, the other coordinates do not change, even if the range is infinite.
            let is_along = ray.direction.cmpne(Vec3::ZERO);
            let to = (ray.origin.as_dvec3() + ray.direction.as_dvec3() * left).as_vec3();
            let to = Vec3::select(is_along, to, ray.origin);
            legs.push(ShotLeg { from: ray.origin, to, hit: None });
            break;
        };
        let next = match impact(&ray, &hit) {
            Impact::Stop => None,
            Impact::Ricochet => Some(hit.bounce()),
            Impact::PassThrough => Some(hit.onward()),
        };
        left -= f64::from(hit.t);
        legs.push(ShotLeg { from: ray.origin, to: hit.point, hit: Some(hit) });
        match next {
            Some(next) => ray = next,
            None => break,
        }
    }
    legs
}
