//! Casts along a path of straight segments.

use super::cast::RaySearch;
use super::hit::Hit;
use super::query_ray::QueryRay;
use crate::geom::ray::{LocalRay, Ray};
use crate::math::float::length;
use crate::query::collect::ClosestHit;
use crate::query::view::RayView;
use core::hash::Hash;
use glam::{DVec3, Vec3};

/// The first hit of a path of segments.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PathHit<K> {
    /// The hit. Its t is the fraction of the segment.
    pub hit: Hit<K>,
    /// Index of the segment, from 0: it goes from the point with this index to the next point.
    pub segment: usize,
    /// Distance along the path, from its first point.
    pub distance: f32,
}

impl<K: Clone + Eq + Hash> RayView<'_, K> {
    /// Returns the first hit along a path.
    pub(in crate::query) fn along_path<P: Copy + Into<Vec3>>(&self, points: &[P]) -> Option<PathHit<K>> {
        let exact = |point: &P| (*point).into().as_dvec3();
        if !points.iter().all(|point| exact(point).is_finite()) {
            return None;
        }
        let pieces = || points.windows(2).map(|ends| PathSegment { from: exact(&ends[0]), to: exact(&ends[1]) });
        let (segment, hit) = self.along_pieces(&pieces)?;
        let before: f64 = pieces().take(segment).map(|piece| length(piece.vector())).sum();
        let within = pieces().nth(segment).map_or(0.0, |piece| length(piece.vector()) * f64::from(hit.t));
        Some(PathHit { hit, segment, distance: (before + within) as f32 })
    }

    /// Returns the number of the first piece that hits anything, and its hit.
    pub(in crate::query) fn along_pieces<I: Iterator<Item = PathSegment>>(
        &self,
        pieces: &impl Fn() -> I,
    ) -> Option<(usize, Hit<K>)> {
        let resumed = self.after.and_then(|hit| pieces().position(|piece| piece.made(hit, self.view.origin)));
        let first = resumed.unwrap_or(0);
        // Surfaces that were left at the very end of a piece are at the start of the next piece too.
        let leaves_joint = resumed.is_some() && self.after.is_some_and(|hit| hit.t == 1.0);
        let onward = Self { after: None, ..*self };
        let mut numbered = pieces().enumerate().skip(first);
        numbered.find_map(|(number, piece)| {
            let is_left = number == first || (leaves_joint && number == first + 1);
            let hit = if is_left { self.along_piece(&piece) } else { onward.along_piece(&piece) };
            Some((number, hit?))
        })
    }

    fn along_piece(&self, piece: &PathSegment) -> Option<Hit<K>> {
        let (ray, local) = (piece.ray(), piece.local()?);
        let query_ray = QueryRay::along(self, &ray, local)?;
        let search = RaySearch::new(self, &query_ray);
        let mut closest = ClosestHit(None);
        search.search_scene(&mut closest);
        let (key, found) = closest.0.as_ref()?;
        search.report(&ray, key, found)
    }
}

/// A straight piece of a path, relative to the query's origin.
#[derive(Clone, Copy, Debug)]
pub(in crate::query) struct PathSegment {
    pub(in crate::query) from: DVec3,
    pub(in crate::query) to: DVec3,
}

impl PathSegment {
    fn vector(&self) -> DVec3 {
        self.to - self.from
    }

    /// Returns the segment as a ray in f32. A hit stores this ray, so that the segment of the hit can be found again.
    fn ray(&self) -> Ray {
        Ray::with_direction(self.from.as_vec3(), self.vector().as_vec3()).with_range(0.0, 1.0)
    }

    /// Returns the segment in f64. If its direction were rounded to f32, its end would miss the segment's second point.
    fn local(&self) -> Option<LocalRay> {
        let (origin, direction) = (self.from, self.vector());
        let is_usable = self.ray().origin.is_finite() && self.ray().direction.is_finite() && direction != DVec3::ZERO;
        is_usable.then_some(LocalRay { origin, direction, t_min: 0.0, t_max: 1.0 })
    }

    fn made<K>(&self, hit: &Hit<K>, relative_to: DVec3) -> bool {
        let Ray { origin, direction, .. } = self.ray();
        (hit.origin, hit.direction, hit.relative_to) == (origin, direction, relative_to)
    }
}
