//! Along a path of straight pieces.

use super::cast::Search;
use super::outset::Outset;
use super::{Filter, Hit, Query};
use crate::collect::Closest;
use crate::float::length;
use crate::ray::{LocalRay, Ray};
use crate::scene::Scene;
use core::hash::Hash;
use glam::{DVec3, Vec3};

/// Where a path of segments first meets an entity.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PathHit<K> {
    /// Where; its t is the fraction of the segment.
    pub hit: Hit<K>,
    /// Which segment, from 0: the one from this point to the next.
    pub segment: usize,
    /// How far along the path, from its first point.
    pub distance: f32,
}

impl<K: Copy + Eq + Hash> Scene<K> {
    /// The first hit along the segments from point to point; `None` on a miss.
    ///
    /// Segments are closed, and each ends exactly where the next one begins: nothing slips through a joint, and of what is exactly at a joint the
    /// earlier segment answers. Equal neighbours are passed over. Fewer than two points, or any that is not finite, hit nothing.
    ///
    /// With [`Query::after`] a hit of the same path, the next one along it is answered; after a hit of another ray, the first segment leaves
    /// that surface. A path that goes the very same segment twice goes on from its first time.
    ///
    /// ```
    /// use hitscan::{Scene, Sphere, glam::DVec3};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("ball", Sphere::new(1.0), DVec3::new(4.0, 3.0, 0.0))?;
    /// let corner = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 8.0, 0.0]];
    /// let met = scene.cast_path(&corner).unwrap();
    /// assert_eq!((met.hit.id, met.segment, met.hit.t, met.distance), ("ball", 1, 0.25, 6.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cast_path<P: Copy + Into<Vec3>>(&self, points: &[P]) -> Option<PathHit<K>> {
        self.cast_path_with(points, &Query::new())
    }

    /// The first hit along the segments that the query lets count, as [`cast_path`](Self::cast_path).
    pub fn cast_path_with<P: Copy + Into<Vec3>, F: Filter<K>>(
        &self,
        points: &[P],
        query: &Query<K, F>,
    ) -> Option<PathHit<K>> {
        let exact = |point: &P| (*point).into().as_dvec3();
        if !points.iter().all(|point| exact(point).is_finite()) {
            return None;
        }
        let pieces = || points.windows(2).map(|ends| Piece { from: exact(&ends[0]), to: exact(&ends[1]) });
        let (segment, hit) = self.cast_pieces(&pieces, query)?;
        let before: f64 = pieces().take(segment).map(|piece| length(piece.way())).sum();
        let within = pieces().nth(segment).map_or(0.0, |piece| length(piece.way()) * f64::from(hit.t));
        Some(PathHit { hit, segment, distance: (before + within) as f32 })
    }

    /// The first piece that hits, and how.
    pub(super) fn cast_pieces<I: Iterator<Item = Piece>, F: Filter<K>>(
        &self,
        pieces: &impl Fn() -> I,
        query: &Query<K, F>,
    ) -> Option<(usize, Hit<K>)> {
        let resumed = query.after.as_ref().and_then(|hit| pieces().position(|piece| piece.made(hit, query.origin)));
        let first = resumed.unwrap_or(0);
        // What was left at the very end of a piece is at the start of the next one too.
        let leaves_joint = resumed.is_some() && query.after.is_some_and(|hit| hit.t == 1.0);
        let onward = query.by_ref().after(None);
        let mut numbered = pieces().enumerate().skip(first);
        numbered.find_map(|(number, piece)| {
            let is_left = number == first || (leaves_joint && number == first + 1);
            let hit = if is_left { self.cast_piece(&piece, query) } else { self.cast_piece(&piece, &onward) };
            Some((number, hit?))
        })
    }

    fn cast_piece<F: Filter<K>>(&self, piece: &Piece, query: &Query<K, F>) -> Option<Hit<K>> {
        let (ray, local) = (piece.ray(), piece.local()?);
        let outset = Outset::along(self, &ray, local, query)?;
        let search = Search::new(self, query, &outset);
        let mut closest = Closest(None);
        search.run_closest(&mut closest);
        let (key, found) = closest.0.as_ref()?;
        search.report(&ray, key, found)
    }
}

/// A straight piece of a path, relative to the query's origin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) from: DVec3,
    pub(super) to: DVec3,
}

impl Piece {
    fn way(&self) -> DVec3 {
        self.to - self.from
    }

    /// As f32 has it: by this, hits know it again.
    fn ray(&self) -> Ray {
        Ray::with_direction(self.from.as_vec3(), self.way().as_vec3()).with_range(0.0, 1.0)
    }

    /// In f64: the way between two f32 points, rounded to f32, would end beside the second one.
    fn local(&self) -> Option<LocalRay> {
        let (origin, direction) = (self.from, self.way());
        let is_usable = self.ray().origin.is_finite() && self.ray().direction.is_finite() && direction != DVec3::ZERO;
        is_usable.then_some(LocalRay { origin, direction, t_min: 0.0, t_max: 1.0 })
    }

    fn made<K>(&self, hit: &Hit<K>, relative_to: DVec3) -> bool {
        let Ray { origin, direction, .. } = self.ray();
        (hit.origin, hit.direction, hit.relative_to) == (origin, direction, relative_to)
    }
}
