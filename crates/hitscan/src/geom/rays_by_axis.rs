//! Eight rays in f64, by axis, so that all are transformed at once.

use super::affine::ColumnAffine;
use super::ray::LocalRay;
use crate::math::eight_lanes::EightLanes;
use crate::simd::{Axes, Simd};
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
pub(crate) type EightImages<S> = [Axes<EightLanes<S>>; 2];

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
    fn in_lanes<S: Simd>(simd: S, [x, y, z]: &Axes<[f64; LANES]>) -> Axes<EightLanes<S>> {
        [EightLanes::new(simd, x), EightLanes::new(simd, y), EightLanes::new(simd, z)]
    }

    /// Returns the rays in coordinates relative to an origin and then multiplied by a number. Each has the bits that it would have alone, because the
    /// operations are the same.
    #[inline(always)]
    pub(crate) fn relative_to<S: Simd>(&self, simd: S, origin: DVec3, scale: f64) -> EightImages<S> {
        let all = |number: f64| EightLanes::splat(simd, number);
        let ([ox, oy, oz], [dx, dy, dz]) = (Self::in_lanes(simd, &self.origin), Self::in_lanes(simd, &self.direction));
        let scale = all(scale);
        [
            [(ox - all(origin.x)) * scale, (oy - all(origin.y)) * scale, (oz - all(origin.z)) * scale],
            [dx * scale, dy * scale, dz * scale],
        ]
    }

    /// Returns the rays' images, multiplied by a number, in the same way.
    #[inline(always)]
    pub(crate) fn images<S: Simd>(&self, simd: S, transform: &ColumnAffine, scale: f64) -> EightImages<S> {
        let columns = transform.columns();
        let (origin, direction) = (Self::in_lanes(simd, &self.origin), Self::in_lanes(simd, &self.direction));
        let (o, d) = (origin, direction);
        [
            [
                image(simd, &columns, 0, &o, scale),
                image(simd, &columns, 1, &o, scale),
                image(simd, &columns, 2, &o, scale),
            ],
            [
                turned(simd, &columns, 0, &d) * EightLanes::splat(simd, scale),
                turned(simd, &columns, 1, &d) * EightLanes::splat(simd, scale),
                turned(simd, &columns, 2, &d) * EightLanes::splat(simd, scale),
            ],
        ]
    }
}

/// Returns a coordinate of the images of points, multiplied by a number.
#[inline(always)]
fn image<S: Simd>(
    simd: S,
    columns: &[DVec3; 4],
    axis: usize,
    points: &Axes<EightLanes<S>>,
    scale: f64,
) -> EightLanes<S> {
    (turned(simd, columns, axis, points) + EightLanes::splat(simd, columns[3][axis])) * EightLanes::splat(simd, scale)
}

/// Returns a coordinate of the images of vectors.
#[inline(always)]
fn turned<S: Simd>(simd: S, columns: &[DVec3; 4], axis: usize, &[x, y, z]: &Axes<EightLanes<S>>) -> EightLanes<S> {
    let [a, b, c, _] = columns;
    let all = |number: f64| EightLanes::splat(simd, number);
    x * all(a[axis]) + y * all(b[axis]) + z * all(c[axis])
}
