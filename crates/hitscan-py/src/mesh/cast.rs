//! First hits of rays, and whether there is one.

use super::surface::Surface;
use crate::answers::Hits;
use crate::column::Column;
use crate::rays::{FirstFault, Rays, Unusable};
use crate::threads::FEW;
use hitscan::glam::DVec3;
use hitscan::{Cull, MeshHit, Ray, Side};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;

/// The number of rays that are cast together: their hits stay in the nearest cache.
const CHUNK: usize = 64;
/// The least number of such chunks that a thread takes at a time, so that handing them over costs little.
const CHUNKS: usize = 8;

pub(super) fn cull(word: &str) -> PyResult<Cull> {
    match word {
        "none" => Ok(Cull::None),
        "back" => Ok(Cull::Back),
        "front" => Ok(Cull::Front),
        _ => Err(PyValueError::new_err(format!("cull is {word:?}, but must be \"none\", \"back\" or \"front\""))),
    }
}

/// The columns of [`Hits`], with a row for each ray.
pub(super) struct HitRows {
    t: Vec<f32>,
    triangle: Vec<i64>,
    point: Vec<[f64; 3]>,
    normal: Vec<[f32; 3]>,
    u: Vec<f32>,
    v: Vec<f32>,
    side: Vec<i8>,
}

impl HitRows {
    /// Returns rows of zeros, which the system need not write: the threads that fill them are the first to touch them.
    fn zeroed(count: usize) -> Self {
        Self {
            t: vec![0.0; count],
            triangle: vec![0; count],
            point: vec![[0.0; 3]; count],
            normal: vec![[0.0; 3]; count],
            u: vec![0.0; count],
            v: vec![0.0; count],
            side: vec![0; count],
        }
    }

    pub(super) fn into_hits(self, shape: &[usize]) -> Hits {
        Hits {
            t: Column::new(self.t, shape),
            triangle: Column::new(self.triangle, shape),
            point: Column::of_vectors(self.point, shape),
            normal: Column::of_vectors(self.normal, shape),
            u: Column::new(self.u, shape),
            v: Column::new(self.v, shape),
            side: Column::new(self.side, shape),
        }
    }
}

pub(super) fn side_number(side: Side) -> i8 {
    if side == Side::Front { 1 } else { -1 }
}

/// Returns the first hit of each ray, or the place of the first ray that can hit nothing.
pub(super) fn closest(surface: &Surface, rays: &Rays<'_>, cull: Cull, unusable: Unusable) -> Result<HitRows, usize> {
    let mut rows = HitRows::zeroed(rays.count);
    let fault = FirstFault::new();
    let HitRows { t, triangle, point, normal, u, v, side } = &mut rows;
    let columns = (
        t.par_chunks_mut(CHUNK),
        triangle.par_chunks_mut(CHUNK),
        point.par_chunks_mut(CHUNK),
        normal.par_chunks_mut(CHUNK),
        u.par_chunks_mut(CHUNK),
        v.par_chunks_mut(CHUNK),
        side.par_chunks_mut(CHUNK),
    );
    let work = |(chunk, (t, triangle, point, normal, u, v, side)): (usize, Row<'_>)| {
        let start = chunk * CHUNK;
        let some = gather(rays, start, t.len(), unusable, &fault);
        let mut found = vec![None; some.len()];
        // There are as many places as rays.
        let _ = surface.mesh.culled(cull).cast_batch(&some, &mut found);
        for (place, hit) in found.iter().enumerate() {
            let Some(hit) = hit else {
                (t[place], triangle[place], point[place]) = (f32::INFINITY, -1, [f64::NAN; 3]);
                continue;
            };
            (t[place], triangle[place], side[place]) = (hit.t, i64::from(hit.triangle), side_number(hit.side));
            [u[place], v[place]] = hit.uv().to_array();
            normal[place] = hit.normal().to_array();
            point[place] = point_of(surface, rays.line(start + place), hit).to_array();
        }
    };
    // Few rays are one chunk, and are answered outside of a pool.
    if rays.count < FEW {
        work((0, (t, triangle, point, normal, u, v, side)));
    } else {
        columns.into_par_iter().enumerate().with_min_len(CHUNKS).for_each(work);
    }
    fault.take().map_or(Ok(rows), Err)
}

/// A row of each column, of as many rays as a thread takes at a time.
type Row<'a> =
    (&'a mut [f32], &'a mut [i64], &'a mut [[f64; 3]], &'a mut [[f32; 3]], &'a mut [f32], &'a mut [f32], &'a mut [i8]);

/// Returns whether each ray hits anything, or the place of the first ray that can hit nothing.
pub(super) fn any(surface: &Surface, rays: &Rays<'_>, cull: Cull, unusable: Unusable) -> Result<Vec<bool>, usize> {
    let mut blocked = vec![false; rays.count];
    let fault = FirstFault::new();
    let work = |(chunk, blocked): (usize, &mut [bool])| {
        let some = gather(rays, chunk * CHUNK, blocked.len(), unusable, &fault);
        let _ = surface.mesh.culled(cull).is_blocked_batch(&some, blocked);
    };
    if rays.count < FEW {
        work((0, &mut blocked));
    } else {
        blocked.par_chunks_mut(CHUNK).enumerate().with_min_len(CHUNKS).for_each(work);
    }
    fault.take().map_or(Ok(blocked), Err)
}

/// Returns rays from a place on.
pub(super) fn gather(rays: &Rays<'_>, start: usize, count: usize, unusable: Unusable, fault: &FirstFault) -> Vec<Ray> {
    let some: Vec<Ray> = (start..start + count).map(|place| rays.get(place)).collect();
    if unusable == Unusable::Raise
        && let Some(first) = some.iter().position(|ray| ray.validate().is_err())
    {
        fault.put(start + first);
    }
    some
}

/// Returns the point of a hit in f64, of the triangle as it was given. It is on the triangle to f64's last digits, however flat the ray meets it.
pub(super) fn point_of(surface: &Surface, [origin, direction]: [DVec3; 2], hit: &MeshHit) -> DVec3 {
    let [a, b, c] = surface.corners(hit.triangle);
    let (ab, ac, to_origin) = (b - a, c - a, origin - a);
    let across = direction.cross(ac);
    let determinant = ab.dot(across);
    let (u, v) = (to_origin.dot(across) / determinant, direction.dot(to_origin.cross(ab)) / determinant);
    // A needle's determinant may be lost to rounding; the weights in f32 are those of exact tests.
    let is_usable = (u + v).is_finite();
    let (u, v) = if is_usable { (u, v) } else { (f64::from(hit.uv().x), f64::from(hit.uv().y)) };
    let (u, v) = (u.clamp(0.0, 1.0), v.clamp(0.0, 1.0));
    let beyond = (u + v).max(1.0);
    surface.origin + a + ab * (u / beyond) + ac * (v / beyond)
}
