//! Eight rays in f64, by axis, so that all are transformed at once.

use super::affine::ColumnAffine;
use super::ray::LocalRay;
use crate::simd::{Axes, Simd, SimdBase, f64x8};
use glam::DVec3;

/// The number of rays.
const LANES: usize = 8;

/// Eight rays of one space.
#[derive(Clone, Copy)]
pub(crate) struct RaysByAxis {
    origin: Axes<[f64; LANES]>,
    direction: Axes<[f64; LANES]>,
    /// The least t of each.
    pub(crate) t_min: [f32; LANES],
}

/// Origins and directions of eight rays in another space.
pub(crate) type EightImages<S> = [Axes<f64x8<S>>; 2];

impl RaysByAxis {
    pub(crate) fn new(rays: &[LocalRay; LANES]) -> Self {
        let mut by_axis = Self { origin: [[0.0; LANES]; 3], direction: [[0.0; LANES]; 3], t_min: [0.0; LANES] };
        for (lane, ray) in rays.iter().enumerate() {
            for axis in 0..3 {
                by_axis.origin[axis][lane] = ray.origin[axis];
                by_axis.direction[axis][lane] = ray.direction[axis];
            }
            by_axis.t_min[lane] = ray.t_min;
        }
        by_axis
    }

    #[inline(always)]
    fn in_lanes<S: Simd>(&self, simd: S) -> EightImages<S> {
        [in_lanes(simd, &self.origin), in_lanes(simd, &self.direction)]
    }

    /// Returns the rays in coordinates relative to an origin and then multiplied by a number. Each has the bits that it would have alone, because the
    /// operations are the same.
    #[inline(always)]
    pub(crate) fn relative_to<S: Simd>(&self, simd: S, origin: DVec3, scale: f64) -> EightImages<S> {
        let [[x, y, z], direction] = self.in_lanes(simd);
        let all = |number: f64| f64x8::splat(simd, number);
        let place = [x - all(origin.x), y - all(origin.y), z - all(origin.z)];
        [scaled(place, scale), scaled(direction, scale)]
    }

    /// Returns the rays' images, multiplied by a number, in the same way.
    #[inline(always)]
    pub(crate) fn images<S: Simd>(&self, simd: S, transform: &ColumnAffine, scale: f64) -> EightImages<S> {
        let [origin, direction] = self.in_lanes(simd);
        let transform = transform.affine();
        let columns = transform.matrix3.to_cols_array_2d();
        let [x, y, z] = turned(&columns, &origin);
        let all = |number: f64| f64x8::splat(simd, number);
        let by = transform.translation;
        let place = [x + all(by.x), y + all(by.y), z + all(by.z)];
        [scaled(place, scale), scaled(turned(&columns, &direction), scale)]
    }
}

#[inline(always)]
fn in_lanes<S: Simd>(simd: S, [x, y, z]: &Axes<[f64; LANES]>) -> Axes<f64x8<S>> {
    [f64x8::from_slice(simd, x), f64x8::from_slice(simd, y), f64x8::from_slice(simd, z)]
}

#[inline(always)]
fn scaled<S: Simd>([x, y, z]: Axes<f64x8<S>>, scale: f64) -> Axes<f64x8<S>> {
    let scale = f64x8::splat(x.simd, scale);
    [x * scale, y * scale, z * scale]
}

/// Returns the images of vectors under a matrix with these columns.
#[inline(always)]
fn turned<S: Simd>(columns: &[[f64; 3]; 3], vectors: &Axes<f64x8<S>>) -> Axes<f64x8<S>> {
    [coordinate(columns, 0, vectors), coordinate(columns, 1, vectors), coordinate(columns, 2, vectors)]
}

#[inline(always)]
fn coordinate<S: Simd>([a, b, c]: &[[f64; 3]; 3], axis: usize, &[x, y, z]: &Axes<f64x8<S>>) -> f64x8<S> {
    let all = |number: f64| f64x8::splat(x.simd, number);
    x * all(a[axis]) + y * all(b[axis]) + z * all(c[axis])
}
