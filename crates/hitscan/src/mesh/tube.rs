//! What a volume goes through, for the triangles that it may touch there: in f32, as many at once as a leaf has.

use crate::bvh::FramedRay;
use crate::float::{larger, largest};
use crate::simd::{Axes, Simd, SimdFloat, SimdMask, cross, difference, dot, splat};
use glam::DVec3;

/// All within a radius of a box, a segment or a point, around the middle of a volume that is in it; in the space of what the volume meets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Form {
    pub(crate) radius: f64,
    /// Half the edges.
    pub(crate) halves: [DVec3; 3],
}

/// A form on its way, in a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tube {
    origin: [f32; 4],
    direction: [f32; 4],
    /// 1 over the square of the direction's length, about.
    per_square: f32,
    radius: f32,
    halves: [Half; 3],
    /// Of these.
    count: usize,
    /// At least the error of a position relative to a triangle's, with those of its product with an axis, and of the half edges'.
    error: f32,
    /// More than what underflows in a test.
    underflow: f32,
}

/// As they are, and 1 over the square of the length, about.
#[derive(Clone, Copy, Debug, Default)]
struct Half {
    edge: [f32; 4],
    per_square: f32,
}

const ROUNDOFF: f32 = f32::EPSILON / 2.0;
/// More than the roundings of how far a form reaches along an axis.
const WIDER: f64 = 1.0 + 32.0 * ROUNDOFF as f64;
/// Up to this, nothing below overflows.
const MOST: f32 = 1e8;
/// More than what underflows in products of an axis.
const UNDERFLOW: f32 = 1e-36;
/// More than the root of what underflows in the square of an axis's length, subnormal or made zero: of a triangle of that size, the axis across it is as short.
const SHORTEST: f32 = 1.0 / (1u64 << 62) as f32;

impl Tube {
    /// Up to a distance of `limit`, in a frame of this scale. `None` where f32 cannot tell what is met.
    pub(crate) fn new(ray: &FramedRay, form: &Form, scale: f64, limit: f32) -> Option<Self> {
        let radius = (form.radius * scale * WIDER) as f32;
        let (mut halves, mut count) = ([Half::default(); 3], 0);
        for half in form.halves.into_iter().map(|half| half * scale * WIDER).filter(|&half| half != DVec3::ZERO) {
            let per_square = (1.0 / half.length_squared()) as f32;
            halves[count] = Half { edge: [half.x as f32, half.y as f32, half.z as f32, 0.0], per_square };
            count += 1;
        }
        let [x, y, z, _] = ray.origin;
        let reach = larger(larger(x.abs(), y.abs()), z.abs()) + 1.0;
        let error = 2.0 * ray.origin_error + 24.0 * ROUNDOFF * reach + (2.0 * ray.box_error + 16.0 * ROUNDOFF) * limit;
        let thickest = form.halves.into_iter().fold(form.radius, |most, half| larger(most, largest(half))) * scale;
        // Not true of a NaN either.
        let is_ordinary = error < MOST && reach < MOST && limit < MOST && thickest < MOST.into();
        let [x, y, z, _] = ray.direction;
        let per_square = 1.0 / (x * x + y * y + z * z);
        let (origin, direction) = (ray.origin, ray.direction);
        // Edges that a transform has made long and nearly parallel reach far less along some axis than their coordinates do.
        let longest = halves[..count].iter().flat_map(|half| half.edge).fold(0.0, |most, x| larger(most, x.abs()));
        let error = error + 8.0 * ROUNDOFF * (count as f32 * longest);
        let underflow = UNDERFLOW + radius * SHORTEST;
        is_ordinary.then_some(Self { origin, direction, per_square, radius, halves, count, error, underflow })
    }

    /// Which of the triangles that are present may be touched up to a distance, a bit each: all that are touched are among them.
    ///
    /// One is not if there is an axis along which all of it is farther from all of the way than the form reaches. Whatever axis is tried, that is a proof:
    /// so only what it is compared with must be exact enough, and docs/robustness.md says by how much.
    #[inline(always)]
    pub(crate) fn may_touch<S: Simd, V: SimdFloat<S, Element = f32>>(
        &self,
        simd: S,
        (corners, present): ([&Axes<V>; 3], u64),
        limit: f32,
    ) -> u64 {
        let origin = splat(simd, self.origin);
        let corners =
            [difference(corners[0], &origin), difference(corners[1], &origin), difference(corners[2], &origin)];
        let [a, b, c] = &corners;
        let direction: Axes<V> = splat(simd, self.direction);
        let length = V::splat(simd, limit);
        let seen = Seen {
            simd,
            tube: self,
            corners: &corners,
            way: [direction[0] * length, direction[1] * length, direction[2] * length],
        };
        let (e1, e2) = (difference(b, a), difference(c, a));
        let mut apart = seen.are_apart_along(&self.outwards(simd, &corners, &direction, limit));
        apart |= seen.are_apart_along(&cross(&e1, &e2));
        if present & !apart == 0 {
            return 0;
        }
        apart |= seen.are_apart_along(&cross(&direction, &e1));
        apart |= seen.are_apart_along(&cross(&direction, &e2));
        apart |= seen.are_apart_along(&cross(&direction, &difference(c, b)));
        present & !apart
    }

    /// From about the place of the form that is nearest to a triangle's centre, to that: of small triangles the best axis.
    #[inline(always)]
    fn outwards<S: Simd, V: SimdFloat<S, Element = f32>>(
        &self,
        simd: S,
        [a, b, c]: &[Axes<V>; 3],
        direction: &Axes<V>,
        limit: f32,
    ) -> Axes<V> {
        let third = V::splat(simd, 1.0 / 3.0);
        let center = [(a[0] + b[0] + c[0]) * third, (a[1] + b[1] + c[1]) * third, (a[2] + b[2] + c[2]) * third];
        let (zero, end) = (V::splat(simd, 0.0), V::splat(simd, limit));
        let along = (dot(&center, direction) * V::splat(simd, self.per_square)).max(zero).min(end);
        let mut axis =
            [center[0] - direction[0] * along, center[1] - direction[1] * along, center[2] - direction[2] * along];
        let one = V::splat(simd, 1.0);
        for half in &self.halves[..self.count] {
            let edge: Axes<V> = splat(simd, half.edge);
            let along = (dot(&axis, &edge) * V::splat(simd, half.per_square)).max(-one).min(one);
            axis = [axis[0] - edge[0] * along, axis[1] - edge[1] * along, axis[2] - edge[2] * along];
        }
        axis
    }
}

/// Triangles and a way, from the way's start.
struct Seen<'a, S, V> {
    simd: S,
    tube: &'a Tube,
    corners: &'a [Axes<V>; 3],
    way: Axes<V>,
}

impl<S: Simd, V: SimdFloat<S, Element = f32>> Seen<'_, S, V> {
    /// Which of them are surely apart along an axis of any length, which may be another one for each; not where something is not a number.
    #[inline(always)]
    fn are_apart_along(&self, axis: &Axes<V>) -> u64 {
        let zero = V::splat(self.simd, 0.0);
        let [a, b, c] = self.corners;
        let (a, b, c, end) = (dot(axis, a), dot(axis, b), dot(axis, c), dot(axis, &self.way));
        let ahead = a.min(b).min(c) - end.max(zero);
        let behind = end.min(zero) - a.max(b).max(c);
        ahead.max(behind).simd_gt(self.reach(axis)).to_bitmask()
    }

    /// How far the form reaches along it, and how far f32 may be off.
    #[inline(always)]
    fn reach(&self, axis: &Axes<V>) -> V {
        let Tube { radius, halves, count, error, underflow, .. } = self.tube;
        let simd = self.simd;
        let sum = axis[0].abs() + axis[1].abs() + axis[2].abs();
        let mut reach = sum.mul_add(V::splat(simd, *error), V::splat(simd, *underflow));
        if *radius > 0.0 {
            reach = dot(axis, axis).sqrt().mul_add(V::splat(simd, *radius), reach);
        }
        for half in &halves[..*count] {
            reach += dot(axis, &splat(simd, half.edge)).abs();
        }
        reach
    }
}
