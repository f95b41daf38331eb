//! Many rays against a mesh at once.

use super::packet_cast::Scratch;
use crate::error::BatchError;
use crate::geom::culling::{Cull, Culled};
use crate::geom::eight_rays::LANES;
use crate::geom::ray::Ray;
use crate::mesh::{Mesh, MeshData};
use crate::parallel;
use crate::simd::{Simd, dispatch};
use crate::tri::{LeafSearch, MeshHit};

impl Mesh {
    /// Does the same as [`cast`](Self::cast) for every ray. The answers are the same, bit for bit, and in the order of the rays. It uses all threads with the
    /// feature `parallel`, and bounded memory.
    ///
    /// Neighbouring rays share work if their directions are nearly the same. Examples are the rays of neighbouring
    /// pixels, and shadow rays to one light. So order the rays of an image by tiles rather than by lines.
    ///
    /// ```
    /// use hitscan::{Mesh, Ray};
    ///
    /// let mesh = Mesh::from_soup(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])?;
    /// let rays = [0.25, 0.75].map(|x| Ray::new([x, 0.5, 1.0], [0.0, 0.0, -1.0]));
    /// let mut hits = [None; 2];
    /// mesh.cast_batch(&rays, &mut hits)?;
    /// assert_eq!(hits.map(|hit| hit.map(|hit| hit.t)), [Some(1.0), None]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if there are not as many answers as rays; no answer is written then.
    #[doc = include_str!("../../query/edges/own_ray.md")]
    pub fn cast_batch(&self, rays: &[Ray], hits: &mut [Option<MeshHit>]) -> Result<(), BatchError> {
        self.culled(Cull::None).cast_batch(rays, hits)
    }

    /// Does the same as [`is_blocked`](Self::is_blocked) for every ray, in batches as [`cast_batch`](Self::cast_batch)
    /// does.
    ///
    /// ```
    /// use hitscan::{Mesh, Ray};
    ///
    /// let mesh = Mesh::from_soup(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])?;
    /// let rays = [0.25, 0.75].map(|x| Ray::between([x, 0.5, 1.0], [x, 0.5, -1.0]));
    /// let mut blocked = [false; 2];
    /// mesh.is_blocked_batch(&rays, &mut blocked)?;
    /// assert_eq!(blocked, [true, false]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error as [`cast_batch`](Self::cast_batch) does.
    #[doc = include_str!("../../query/edges/own_ray.md")]
    pub fn is_blocked_batch(&self, rays: &[Ray], blocked: &mut [bool]) -> Result<(), BatchError> {
        self.culled(Cull::None).is_blocked_batch(rays, blocked)
    }
}

impl Culled<'_, Mesh> {
    /// Casts as [`Mesh::cast_batch`] does, but ignores hits on the culled side.
    ///
    /// # Errors
    /// Returns the same error.
    pub fn cast_batch(&self, rays: &[Ray], hits: &mut [Option<MeshHit>]) -> Result<(), BatchError> {
        parallel::answer(rays, hits, &|rays, hits| self.surface.closest_of_batch(rays, self.cull, hits))
    }

    /// Casts as [`Mesh::is_blocked_batch`] does, but ignores hits on the culled side.
    ///
    /// # Errors
    /// Returns the same error.
    pub fn is_blocked_batch(&self, rays: &[Ray], blocked: &mut [bool]) -> Result<(), BatchError> {
        parallel::answer(rays, blocked, &|rays, blocked| self.surface.any_of_batch(rays, self.cull, blocked))
    }
}

impl Mesh {
    /// Answers on one thread; there are as many hits as rays.
    pub(in crate::mesh) fn closest_of_batch(&self, rays: &[Ray], cull: Cull, hits: &mut [Option<MeshHit>]) {
        if rays.len() < LANES {
            return ask_each(rays, hits, |ray| match cull {
                Cull::None => self.cast(ray),
                cull => self.culled(cull).cast(ray),
            });
        }
        let (shared, answers) = (&*self.shared, &mut *hits);
        dispatch!(simd => shared.closest_of_each(simd, rays, cull, answers));
        if self.has_cut_outs() {
            self.look_behind_holes(rays, cull, hits);
        }
    }

    /// Answers on one thread; there are as many answers as rays.
    fn any_of_batch(&self, rays: &[Ray], cull: Cull, blocked: &mut [bool]) {
        if rays.len() < LANES {
            return ask_each(rays, blocked, |ray| match cull {
                Cull::None => self.is_blocked(ray),
                cull => self.culled(cull).is_blocked(ray),
            });
        }
        let (shared, answers) = (&*self.shared, &mut *blocked);
        dispatch!(simd => shared.any_of_each(simd, rays, cull, answers));
        if self.has_cut_outs() {
            for (ray, blocked) in rays.iter().zip(blocked) {
                *blocked = *blocked && self.closest_solid(ray, cull).is_some();
            }
        }
    }

    fn look_behind_holes(&self, rays: &[Ray], cull: Cull, hits: &mut [Option<MeshHit>]) {
        for (ray, hit) in rays.iter().zip(hits) {
            if hit.as_ref().is_some_and(|hit| self.is_open_at(hit)) {
                *hit = self.closest_solid(ray, cull);
            }
        }
    }
}

/// Answers rays one by one, for batches that are too small for packets.
fn ask_each<A>(rays: &[Ray], answers: &mut [A], ask: impl Fn(&Ray) -> A) {
    rays.iter().zip(answers).for_each(|(ray, answer)| *answer = ask(ray));
}

impl MeshData {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn closest_of_each<S: Simd>(&self, simd: S, rays: &[Ray], cull: Cull, hits: &mut [Option<MeshHit>]) {
        let mut scratch = Scratch::new();
        let ((eights, rest), (eight_hits, rest_hits)) = (rays.as_chunks::<LANES>(), hits.as_chunks_mut::<LANES>());
        for (rays, hits) in eights.iter().zip(eight_hits) {
            self.closest_of_packet(simd, rays, cull, &mut scratch, hits);
        }
        for (ray, hit) in rest.iter().zip(rest_hits) {
            *hit = self.closest_hit(simd, ray, cull);
        }
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn any_of_each<S: Simd>(&self, simd: S, rays: &[Ray], cull: Cull, blocked: &mut [bool]) {
        let mut scratch = Scratch::new();
        let ((eights, rest), (eight_answers, rest_answers)) =
            (rays.as_chunks::<LANES>(), blocked.as_chunks_mut::<LANES>());
        for (rays, blocked) in eights.iter().zip(eight_answers) {
            self.any_of_packet(simd, rays, cull, &mut scratch, blocked);
        }
        for (ray, blocked) in rest.iter().zip(rest_answers) {
            *blocked = self.has_any_hit(simd, ray, cull);
        }
    }
}
