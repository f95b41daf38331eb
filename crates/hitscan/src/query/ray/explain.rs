//! Explanations of why a ray does not hit an entity.

mod approach;

use super::cast::RaySearch;
use super::query_ray::QueryRay;
use crate::error::RayError;
use crate::geom::culling::CutOuts;
use crate::geom::hit::Side;
use crate::geom::ray::{LocalRay, Ray};
use crate::query::collect::{EveryHit, HitKey};
use crate::query::{Hit, RayView, View};
use crate::scene::{EntityRef, PartGeometry};
use core::fmt;
use core::hash::Hash;
use glam::DVec3;

/// The result of casting a ray at one entity: the answer of [`explain`](crate::query::RayQueries::explain). Its `Display` is a sentence for people.
///
/// If a rule excludes the last remaining surface of the entity on the ray, the answer contains the nearest surface that this rule excludes. Rules are applied
/// in the order of these variants.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[expect(clippy::large_enum_variant, reason = "a hit is answered by value, without an allocation")]
pub enum Explanation<K> {
    /// The entity is hit: [`cast`](crate::query::RayQueries::cast) returns this.
    Hit(Hit<K>),
    /// The entity would be hit, but another entity is before it.
    Behind {
        /// The hit on the entity that the question is about.
        hit: Hit<K>,
        /// The hit that [`cast`](crate::query::RayQueries::cast) returns.
        nearer: Hit<K>,
    },
    /// The scene has no entity under this key.
    Absent,
    /// The ray is not valid, and hits nothing.
    Ray(RayError),
    /// The view's origin, or the ray's start in world space, is not finite.
    Origin(DVec3),
    /// The entity is on no layer that the filter selects.
    Layers {
        /// The layers of the entity.
        entity: u32,
        /// The layers of the filter.
        filter: u32,
    },
    /// [`Filter::exclude`](crate::query::Filter::exclude) excludes the entity.
    Excluded,
    /// [`Filter::entities`](crate::query::Filter::entities) excludes the entity.
    Entity,
    /// The entity has no triangles and no shapes.
    Empty,
    /// The ray, in its range, does not touch the entity's bounding box.
    Apart {
        /// The smallest distance between the ray and the box, in world units.
        distance: f32,
        /// The t at which the ray is nearest to the box.
        t: f32,
    },
    /// The ray touches the entity's bounding box but none of its surfaces.
    Between,
    /// The entity is before the ray's range or beyond it.
    Range {
        /// The surface that is nearest to the range.
        hit: Hit<K>,
        /// The start of the range.
        t_min: f32,
        /// The end of the range.
        t_max: f32,
    },
    /// The ray starts inside a solid, which [`Inside::Ignore`](crate::Inside::Ignore) leaves out.
    Inside(Hit<K>),
    /// The surface is not [`after`](crate::query::RayQueries::after) the hit that the ray continues from.
    After(Hit<K>),
    /// The ray hits the surface on a side that [`Filter::cull`](crate::query::Filter::cull) ignores.
    Cull(Hit<K>),
    /// The ray goes through a hole of a mesh's [`CutOut`](crate::mesh::CutOut).
    Hole(Hit<K>),
    /// [`Filter::hits`](crate::query::Filter::hits) excludes the hit.
    Filter(Hit<K>),
}

impl<K: Clone + Eq + Hash> RayView<'_, K> {
    /// Explains why a ray does not hit an entity, or says that it does.
    pub(in crate::query) fn explanation(&self, ray: &Ray, key: &K) -> Explanation<K> {
        let Some(entity) = self.view.scene.get(key) else { return Explanation::Absent };
        if let Err(error) = ray.validate() {
            return Explanation::Ray(error);
        }
        let Some(query_ray) = QueryRay::new(self, ray) else { return Explanation::Origin(self.view.origin) };
        if let Some(refused) = refused(key, entity, &self.view) {
            return refused;
        }
        match self.closest_on(key, ray) {
            Some(hit) => match self.cast_closest(ray) {
                Some(nearer) if nearer.key != hit.key => Explanation::Behind { hit, nearer },
                _ => Explanation::Hit(hit),
            },
            None => self.left_out(key, ray).unwrap_or_else(|| self.missed(key, &query_ray.ray)),
        }
    }

    /// Returns the nearest hit on one entity.
    fn closest_on(&self, key: &K, ray: &Ray) -> Option<Hit<K>> {
        let query_ray = QueryRay::new(self, ray)?;
        let search = RaySearch::new(self, &query_ray);
        let closest = self.view.scene.parts_of(key).iter().filter_map(|&part| search.closest_of(part, 0.0));
        let (key, found) = closest.min_by(|(a, _), (b, _)| a.cmp(b))?;
        search.report(ray, &key, &found)
    }

    /// Returns the rule that excludes an entity that is not hit. For this, it casts at the entity with more and more of the rules, until there is no hit.
    fn left_out(&self, key: &K, ray: &Ray) -> Option<Explanation<K>> {
        let everything = self.view.scene.relative_to(self.view.origin).for_rays();
        let in_range = RayView { cut_outs: CutOuts::Solid, ..everything };
        let Some(first) = in_range.closest_on(key, ray) else {
            let (t_min, t_max) = (ray.t_min, ray.t_max);
            let nearest = in_range.out_of_range(key, ray);
            return nearest.map(|hit| Explanation::Range { hit, t_min, t_max });
        };
        let from_inside = RayView { inside: self.inside, ..in_range };
        let Some(second) = from_inside.closest_on(key, ray) else { return Some(Explanation::Inside(first)) };
        let after = RayView { after: self.after, ..from_inside };
        let Some(third) = after.closest_on(key, ray) else { return Some(Explanation::After(second)) };
        let one_sided = RayView { view: View { cull: self.view.cull, ..after.view }, ..after };
        let Some(fourth) = one_sided.closest_on(key, ray) else { return Some(Explanation::Cull(third)) };
        let cut = RayView { cut_outs: self.cut_outs, ..one_sided };
        let Some(last) = cut.closest_on(key, ray) else { return Some(Explanation::Hole(fourth)) };
        Some(Explanation::Filter(last))
    }

    /// Returns the surface on the ray's line that is nearest to its range.
    fn out_of_range(&self, key: &K, ray: &Ray) -> Option<Hit<K>> {
        let query_ray = QueryRay::new(self, &ray.with_range(f32::NEG_INFINITY, f32::INFINITY))?;
        let line = RaySearch::new(self, &query_ray);
        let gap = |t: f32| (f64::from(ray.t_min) - f64::from(t)).max(f64::from(t) - f64::from(ray.t_max));
        let mut nearest = None;
        for &part in self.view.scene.parts_of(key) {
            let mut nearer = EveryHit(|key: HitKey, found| {
                if nearest.is_none_or(|(best, _): (HitKey, _)| gap(key.t) < gap(best.t)) {
                    nearest = Some((key, found));
                }
            });
            let _ = line.visit_part_number(part, 0.0, f32::INFINITY, &mut nearer);
        }
        let (key, found) = nearest?;
        line.report(ray, &key, &found)
    }

    /// Explains why the whole line of a ray misses the entity.
    fn missed(&self, key: &K, ray: &LocalRay) -> Explanation<K> {
        match self.view.scene.bounds_of(key) {
            Some(bounds) if !bounds.is_empty() && self.has_surface(key) => match approach::nearest(ray, &bounds) {
                (t, distance) if distance > 0.0 => Explanation::Apart { distance, t },
                _ => Explanation::Between,
            },
            _ => Explanation::Empty,
        }
    }

    /// Returns whether any part of an entity has a surface. Rays never hit points and segments.
    fn has_surface(&self, key: &K) -> bool {
        let mut parts = self.view.scene.parts_of(key).iter().filter_map(|&number| self.view.scene.part(number));
        parts.any(|part| !matches!(part.geometry, PartGeometry::PointCloud(_) | PartGeometry::Polyline(_)))
    }
}

/// Returns the rule of the filter that excludes the entity as a whole, if there is one.
fn refused<K: Clone + Eq>(key: &K, entity: EntityRef<'_>, view: &View<'_, K>) -> Option<Explanation<K>> {
    if entity.layers() & view.layers == 0 {
        Some(Explanation::Layers { entity: entity.layers(), filter: view.layers })
    } else if view.filter.is_some_and(|filter| filter.excludes(key)) {
        Some(Explanation::Excluded)
    } else if view.filter.is_some_and(|filter| !filter.takes_entity(key)) {
        Some(Explanation::Entity)
    } else {
        None
    }
}

impl<K: fmt::Debug> fmt::Display for Explanation<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hit(hit) => write!(f, "it is hit, at t {}", hit.t),
            Self::Behind { hit, nearer } => {
                write!(f, "it would be hit at t {}, but {:?} is before it, at t {}", hit.t, nearer.id, nearer.t)
            }
            Self::Absent => write!(f, "no entity is in the scene under this key"),
            Self::Ray(error) => error.fmt(f),
            Self::Origin(origin) => {
                write!(f, "the view's origin {origin} must be finite, and so must the ray's start in world space")
            }
            Self::Layers { entity, filter } => {
                write!(f, "it is on the layers {entity:#b}, none of which is among the filter's {filter:#b}")
            }
            Self::Excluded => write!(f, "the filter excludes it"),
            Self::Entity => write!(f, "the filter's choice of entities leaves it out"),
            Self::Empty => write!(f, "it has no triangles and no shapes"),
            Self::Apart { distance, t } => {
                write!(f, "the ray stays {distance} away from its box, and is nearest at t {t}")
            }
            Self::Between => write!(f, "the ray touches its box, but none of its surfaces"),
            Self::Range { hit, t_min, .. } if hit.t < *t_min => {
                write!(f, "it is at t {}, before the ray's t_min of {t_min}", hit.t)
            }
            Self::Range { hit, t_max, .. } => write!(f, "it is at t {}, beyond the ray's t_max of {t_max}", hit.t),
            Self::Inside(hit) => {
                write!(f, "the ray starts inside of it, and Inside::Ignore leaves out its exit at t {}", hit.t)
            }
            Self::After(hit) => {
                write!(f, "its surface at t {} is not after the hit that the ray goes on from", hit.t)
            }
            Self::Cull(hit) => {
                let side = if hit.side == Side::Front { "front" } else { "back" };
                write!(f, "the filter's cull lets the ray through its {side} at t {}", hit.t)
            }
            Self::Hole(hit) => write!(f, "the ray goes through a hole of it at t {}", hit.t),
            Self::Filter(hit) => write!(f, "the filter's choice of hits leaves out its surface at t {}", hit.t),
        }
    }
}
