//! Hits of rays, and their details, which are computed when they are asked for.

use super::surface::Surface;
use crate::answers::{Array, Ragged, Rows};
use crate::each::each;
use crate::rays::{KeptRays, Rays};
use crate::threads::Threads;
use hitscan::glam::DVec3;
use hitscan::{MeshHit, Ray, Side, Triangle};
use std::sync::OnceLock;

/// The triangle of a ray that hits nothing. It is no index: a mesh has fewer triangles.
const NONE: u32 = u32::MAX;
/// The least number of hits that a thread takes at a time: some microseconds of work.
const LEAST: usize = 512;

/// A hit, without the values that follow from the ray and the triangle.
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub(super) t: f32,
    triangle: u32,
    pub(super) ray: u32,
    pub(super) side: i8,
}

impl Found {
    pub(super) const MISS: Self = Self { t: f32::INFINITY, triangle: NONE, ray: 0, side: 0 };

    pub(super) fn new(rays: &Rays<'_>, place: usize, hit: &MeshHit) -> Self {
        let ray = place as u32;
        Self {
            t: rays.given_t(place, hit.t),
            triangle: hit.triangle,
            ray,
            side: if hit.side == Side::Front { 1 } else { -1 },
        }
    }

    pub(super) fn triangle_or_none(&self) -> i64 {
        if self.triangle == NONE { -1 } else { i64::from(self.triangle) }
    }
}

/// The values of a hit that follow from the ray and the triangle, as the library reports them.
#[derive(Clone, Copy, Default)]
struct Detail {
    normal: [f32; 3],
    uv: [f32; 2],
}

/// Hits with the rays that made them. Most callers ask for t and triangles alone.
pub(super) struct HitList {
    surface: Surface,
    rays: KeptRays,
    found: Rows<Found>,
    /// The start of the hits of each ray, where a ray has several.
    splits: Vec<i64>,
    threads: Threads,
    details: OnceLock<Vec<Detail>>,
}

impl HitList {
    /// Makes a list of the first hit of each ray.
    pub(super) fn of_first(surface: &Surface, rays: &Rays<'_>, found: Rows<Found>, threads: Threads) -> Self {
        Self {
            surface: surface.clone(),
            rays: rays.kept(),
            found,
            splits: Vec::new(),
            threads,
            details: OnceLock::new(),
        }
    }

    /// Makes a list of all hits of each ray.
    pub(super) fn of_all(surface: &Surface, rays: &Rays<'_>, found: Ragged<Found>, threads: Threads) -> Self {
        let (splits, found) = found.into_parts();
        Self { splits, ..Self::of_first(surface, rays, found, threads) }
    }

    pub(super) fn column<T: numpy::Element>(&self, value: impl Fn(&Found) -> T) -> Array<T> {
        self.found.column(value)
    }

    pub(super) fn splits(&self) -> Array<i64> {
        Array::flat(self.splits.clone())
    }

    /// Returns the points in f64, computed from the triangles as they were given. They are on the triangles up to rounding errors of f64, however
    /// grazing the rays are.
    pub(super) fn points(&self) -> Array<f64> {
        let points = self.of_each([f64::NAN; 3], |hit| {
            let line = self.rays.line(hit.ray as usize);
            let uv = || self.detail(hit).uv.map(f64::from);
            let local = point_of(line, self.surface.corners(hit.triangle), uv);
            (self.surface.origin + local).to_array()
        });
        Array::of_vectors(points, &self.found.shape)
    }

    pub(super) fn normals(&self) -> Array<f32> {
        Array::of_vectors(self.details().iter().map(|detail| detail.normal).collect(), &self.found.shape)
    }

    /// Returns the weights of the triangles' second corners (`which` is 0) or third corners (1).
    pub(super) fn weights(&self, which: usize) -> Array<f32> {
        Array::new(self.details().iter().map(|detail| detail.uv[which]).collect(), &self.found.shape)
    }

    /// Returns the details of all hits, which are computed once.
    fn details(&self) -> &[Detail] {
        self.details.get_or_init(|| self.of_each(Detail::default(), |hit| self.detail(hit)))
    }

    /// Returns the normal and the weights of a hit. A single triangle computes them by the same arithmetic as the mesh.
    fn detail(&self, hit: &Found) -> Detail {
        let Some(indices) = self.surface.mesh.indices(hit.triangle) else { return Detail::default() };
        let [a, b, c] = indices.map(|index| self.surface.mesh.positions()[index as usize]);
        let [origin, direction] = self.rays.line(hit.ray as usize).map(|vector| vector.as_vec3());
        let ray = Ray::with_direction(origin, direction).with_range(f32::NEG_INFINITY, f32::INFINITY);
        let Some(hit) = Triangle::new(a, b, c).cast(&ray) else { return Detail::default() };
        Detail { normal: hit.normal.to_array(), uv: hit.uv.unwrap_or_default().to_array() }
    }

    /// Returns the answer for each hit, and `otherwise` for each miss.
    fn of_each<A: Copy + Send + Sync>(&self, otherwise: A, answer: impl Fn(&Found) -> A + Sync) -> Vec<A> {
        let found = &self.found.rows;
        let answer = |place: usize| if found[place].triangle == NONE { otherwise } else { answer(&found[place]) };
        self.threads.install(found.len(), || each(found.len(), LEAST, answer))
    }
}

/// Returns the point where a line hits a triangle.
fn point_of([origin, direction]: [DVec3; 2], [a, b, c]: [DVec3; 3], float32: impl Fn() -> [f64; 2]) -> DVec3 {
    let (ab, ac, to_origin) = (b - a, c - a, origin - a);
    let across = direction.cross(ac);
    let determinant = ab.dot(across);
    let (u, v) = (to_origin.dot(across) / determinant, direction.dot(to_origin.cross(ab)) / determinant);
    // A needle's determinant may be lost to rounding; the weights in f32 come from the exact test.
    let [u, v] = if (u + v).is_finite() { [u, v] } else { float32() };
    let (u, v) = (u.clamp(0.0, 1.0), v.clamp(0.0, 1.0));
    let beyond = (u + v).max(1.0);
    a + ab * (u / beyond) + ac * (v / beyond)
}
