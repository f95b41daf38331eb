//! Why an entity is not hit.

mod approach;

use super::cast::Search;
use super::outset::Outset;
use super::{Filter, Hit, Query};
use crate::collect::{Every, Key};
use crate::error::RayError;
use crate::filter::CutOuts;
use crate::hit::Side;
use crate::ray::{LocalRay, Ray};
use crate::scene::{EntityRef, Scene};
use core::fmt;
use core::hash::Hash;
use glam::DVec3;

/// What became of a ray at one entity: the answer of [`Scene::explain`]. Its `Display` is a sentence for people.
///
/// Where a rule left out the last of the entity's surfaces on the ray's way, the nearest that it left out is told. Rules are asked in the order of
/// these variants.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[expect(clippy::large_enum_variant, reason = "a hit is answered by value, without an allocation")]
pub enum Explanation<K> {
    /// It is hit: [`Scene::cast`] answers this.
    Hit(Hit<K>),
    /// It would be hit, but another entity is before it.
    Behind {
        /// The hit on the entity that was asked for.
        hit: Hit<K>,
        /// What [`Scene::cast`] answers.
        nearer: Hit<K>,
    },
    /// The scene has no entity under this key.
    Absent,
    /// The ray can hit nothing.
    Ray(RayError),
    /// The query's origin, or where the ray starts with it, is not finite.
    Origin(DVec3),
    /// The entity is on no layer that the query asks for.
    Layers {
        /// Those of the entity.
        entity: u32,
        /// Those of the query.
        query: u32,
    },
    /// The query excludes it.
    Excluded,
    /// [`Query::filter_entities`] says no.
    Entity,
    /// It has no triangles and no shapes.
    Empty,
    /// The ray, in its range, does not touch the entity's box.
    Apart {
        /// How far it stays from the box, in world units.
        distance: f32,
        /// Where it is nearest to it.
        t: f32,
    },
    /// The ray touches the entity's box but none of its surfaces.
    Between,
    /// Before the ray's range or beyond it.
    Range {
        /// The surface that is nearest to the range.
        hit: Hit<K>,
        /// Where the range begins.
        t_min: f32,
        /// Where the range ends.
        t_max: f32,
    },
    /// The ray starts inside a solid, which [`Inside::Ignore`](crate::Inside::Ignore) leaves out.
    Inside(Hit<K>),
    /// Not [`after`](Query::after) the hit that the query goes on from.
    After(Hit<K>),
    /// Met on the side that [`Query::cull`] passes through.
    Cull(Hit<K>),
    /// It is a hole of a mesh's [`CutOut`](crate::CutOut).
    Hole(Hit<K>),
    /// [`Query::filter`] says no.
    Filter(Hit<K>),
}

impl<K: Copy + Eq + Hash> Scene<K> {
    /// Why the ray does not hit the entity under this key, or that it does.
    ///
    /// For people who wonder: it asks up to eight questions. A filter is asked too.
    ///
    /// ```
    /// use hitscan::{Explanation, Ray, Scene, Sphere, glam::DVec3};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("near", Sphere::new(1.0), DVec3::new(0.0, 0.0, -5.0))?;
    /// scene.insert("far", Sphere::new(1.0), DVec3::new(0.0, 0.0, -9.0))?;
    /// let ray = Ray::new([0.0, 0.0, 0.0], [0.0, 0.0, -1.0]);
    /// assert_eq!(scene.explain(&ray, &"far").to_string(), "it would be hit at t 8, but \"near\" is before it, at t 4");
    /// assert_eq!(scene.explain(&ray.with_range(0.0, 2.0), &"near").to_string(), "it is at t 4, beyond the ray's t_max of 2");
    /// let past = Ray::new([4.0, 0.0, 3.0], [0.0, 0.0, -1.0]);
    /// assert_eq!(scene.explain(&past, &"near"), Explanation::Apart { distance: 3.0, t: 7.0 });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn explain(&self, ray: &Ray, key: &K) -> Explanation<K> {
        self.explain_with(ray, key, &Query::new())
    }

    /// Why the ray does not hit the entity under this key with this query, or that it does.
    pub fn explain_with<F: Filter<K>>(&self, ray: &Ray, key: &K, query: &Query<K, F>) -> Explanation<K> {
        let Some(entity) = self.get(key) else { return Explanation::Absent };
        if let Err(error) = ray.validate() {
            return Explanation::Ray(error);
        }
        let Some(outset) = Outset::new(self, ray, query) else { return Explanation::Origin(query.origin) };
        if let Some(refused) = refused(key, entity, query) {
            return refused;
        }
        match self.closest_on(key, ray, query) {
            Some(hit) => match self.cast_with(ray, query) {
                Some(nearer) if nearer.key != hit.key => Explanation::Behind { hit, nearer },
                _ => Explanation::Hit(hit),
            },
            None => self.left_out(key, ray, query).unwrap_or_else(|| self.missed(key, &outset.ray)),
        }
    }

    /// The nearest hit on one entity.
    fn closest_on<F: Filter<K>>(&self, key: &K, ray: &Ray, query: &Query<K, F>) -> Option<Hit<K>> {
        let outset = Outset::new(self, ray, query)?;
        let search = Search::new(self, query, &outset);
        let closest = self.parts_of(key).iter().filter_map(|&part| search.closest_of(part, 0.0));
        let (key, found) = closest.min_by(|(a, _), (b, _)| a.cmp(b))?;
        search.report(ray, &key, &found)
    }

    /// Which rule leaves out an entity that is not hit: questions with ever more of the query's rules, until one has no answer.
    fn left_out<F: Filter<K>>(&self, key: &K, ray: &Ray, query: &Query<K, F>) -> Option<Explanation<K>> {
        let in_range = Query::new().cut_outs(CutOuts::Solid).relative_to(query.origin);
        let Some(first) = self.closest_on(key, ray, &in_range) else {
            let (t_min, t_max) = (ray.t_min, ray.t_max);
            let nearest = self.out_of_range(key, ray, &in_range);
            return nearest.map(|hit| Explanation::Range { hit, t_min, t_max });
        };
        let from_inside = in_range.inside(query.inside);
        let Some(second) = self.closest_on(key, ray, &from_inside) else { return Some(Explanation::Inside(first)) };
        let after = from_inside.after(query.after.as_ref());
        let Some(third) = self.closest_on(key, ray, &after) else { return Some(Explanation::After(second)) };
        let one_sided = after.cull(query.cull);
        let Some(fourth) = self.closest_on(key, ray, &one_sided) else { return Some(Explanation::Cull(third)) };
        let cut = one_sided.cut_outs(query.cut_outs);
        let Some(last) = self.closest_on(key, ray, &cut) else { return Some(Explanation::Hole(fourth)) };
        Some(Explanation::Filter(last))
    }

    /// The surface on the ray's line that is nearest to its range.
    fn out_of_range(&self, key: &K, ray: &Ray, query: &Query<K>) -> Option<Hit<K>> {
        let outset = Outset::new(self, &ray.with_range(f32::NEG_INFINITY, f32::INFINITY), query)?;
        let line = Search::new(self, query, &outset);
        let gap = |t: f32| (f64::from(ray.t_min) - f64::from(t)).max(f64::from(t) - f64::from(ray.t_max));
        let mut nearest = None;
        for &part in self.parts_of(key) {
            let mut nearer = Every(|key: Key, found| {
                if nearest.is_none_or(|(best, _): (Key, _)| gap(key.t) < gap(best.t)) {
                    nearest = Some((key, found));
                }
            });
            let _ = line.visit(part, 0.0, f32::INFINITY, &mut nearer);
        }
        let (key, found) = nearest?;
        line.report(ray, &key, &found)
    }

    /// Of an entity that the whole line does not hit.
    fn missed(&self, key: &K, ray: &LocalRay) -> Explanation<K> {
        match self.bounds_of(key) {
            Some(bounds) if !bounds.is_empty() => match approach::nearest(ray, &bounds) {
                (t, distance) if distance > 0.0 => Explanation::Apart { distance, t },
                _ => Explanation::Between,
            },
            _ => Explanation::Empty,
        }
    }
}

/// What the query says of the entity as a whole.
fn refused<K: Copy + Eq, F: Filter<K>>(key: &K, entity: EntityRef<'_>, query: &Query<K, F>) -> Option<Explanation<K>> {
    if entity.layers() & query.layers == 0 {
        Some(Explanation::Layers { entity: entity.layers(), query: query.layers })
    } else if query.excluded.contains(key) {
        Some(Explanation::Excluded)
    } else if !query.filter.takes_entity(*key) {
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
            Self::Origin(origin) => write!(f, "the query's origin {origin} must be finite, and the ray's with it"),
            Self::Layers { entity, query } => {
                write!(f, "it is on the layers {entity:#b}, none of which is among the query's {query:#b}")
            }
            Self::Excluded => write!(f, "the query excludes it"),
            Self::Entity => write!(f, "the query's filter of entities leaves it out"),
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
                write!(f, "its surface at t {} is not after the hit that the query goes on from", hit.t)
            }
            Self::Cull(hit) => {
                let side = if hit.side == Side::Front { "front" } else { "back" };
                write!(f, "the query's cull lets the ray through its {side} at t {}", hit.t)
            }
            Self::Hole(hit) => write!(f, "the ray goes through a hole of it at t {}", hit.t),
            Self::Filter(hit) => write!(f, "the query's filter leaves out its surface at t {}", hit.t),
        }
    }
}
