//! What a volume goes through, for the triangles that it may touch there: in f32, as many at once as a leaf has.

use super::search::take_lowest;
use super::toward::{moved, sum, to_nearest};
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

/// What of a leaf's triangles may be touched.
pub(crate) struct Touchable<const N: usize> {
    /// A bit each.
    pub(crate) which: u64,
    /// Of those, about in which order: it decides about time alone.
    pub(crate) order: [f32; N],
}

impl<const N: usize> Touchable<N> {
    const NONE: Self = Self::all(0);

    /// In no order.
    pub(crate) const fn all(which: u64) -> Self {
        Self { which, order: [0.0; N] }
    }

    /// Takes the one that may be touched first.
    #[inline(always)]
    pub(crate) fn take_first(&mut self) -> Option<usize> {
        let mut left = self.which;
        let mut first = take_lowest::<N>(&mut left)?;
        while let Some(lane) = take_lowest::<N>(&mut left) {
            if self.order[lane] < self.order[first] {
                first = lane;
            }
        }
        self.which &= !(1 << first);
        Some(first)
    }
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

    /// Which of the triangles that are present may be touched up to a distance: all that are touched are among them.
    ///
    /// One is not if there is an axis along which all of it is farther from all of the way than the form reaches. Whatever axis is tried, that is a proof:
    /// so only what it is compared with must be exact enough, and docs/robustness.md says by how much.
    #[inline(always)]
    pub(crate) fn may_touch<S: Simd, V: SimdFloat<S, Element = f32>, const N: usize>(
        &self,
        simd: S,
        (corners, present): ([&Axes<V>; 3], u64),
        limit: f32,
    ) -> Touchable<N> {
        let origin = splat(simd, self.origin);
        let corners =
            [difference(corners[0], &origin), difference(corners[1], &origin), difference(corners[2], &origin)];
        let [a, b, c] = &corners;
        let direction: Axes<V> = splat(simd, self.direction);
        let length = V::splat(simd, limit);
        let seen = Seen { simd, tube: self, corners: &corners, way: moved(&direction, length) };
        let (e1, e2) = (difference(b, a), difference(c, a));
        let normal = cross(&e1, &e2);
        let mut apart = seen.are_apart_along(&self.outwards(simd, &corners, &direction, limit));
        apart |= seen.are_apart_along(&normal);
        if present & !apart == 0 {
            return Touchable::NONE;
        }
        apart |= seen.are_apart_along(&cross(&direction, &e1));
        apart |= seen.are_apart_along(&cross(&direction, &e2));
        apart |= seen.are_apart_along(&cross(&direction, &difference(c, b)));
        if present & !apart == 0 {
            return Touchable::NONE;
        }
        let at_plane = self.at_plane(simd, a, &normal, &direction, limit);
        let axis = self.across(simd, &difference(a, &moved(&direction, at_plane)), [&e1, &e2]);
        apart |= seen.are_apart_along(&axis);
        let mut order = [0.0; N];
        (at_plane + self.closing(simd, &axis, &direction)).store_slice(&mut order);
        Touchable { which: present & !apart, order }
    }

    /// How far, about, the form goes on until nothing is left of a gap: at least, and long where the gap does not close.
    #[inline(always)]
    fn closing<S: Simd, V: SimdFloat<S, Element = f32>>(&self, simd: S, axis: &Axes<V>, direction: &Axes<V>) -> V {
        let length = dot(axis, axis).sqrt();
        let gap = (length - V::splat(simd, self.radius)).max(V::splat(simd, 0.0));
        gap * length / dot(axis, direction).max(V::splat(simd, f32::MIN_POSITIVE))
    }

    /// How far, about, the form goes until it is at a triangle's plane.
    #[inline(always)]
    fn at_plane<S: Simd, V: SimdFloat<S, Element = f32>>(
        &self,
        simd: S,
        a: &Axes<V>,
        normal: &Axes<V>,
        direction: &Axes<V>,
        limit: f32,
    ) -> V {
        let mut reach = dot(normal, normal).sqrt() * V::splat(simd, self.radius);
        for half in &self.halves[..self.count] {
            reach += dot(normal, &splat(simd, half.edge)).abs();
        }
        let along = (dot(normal, a).abs() - reach) / dot(normal, direction).abs();
        along.max(V::splat(simd, 0.0)).min(V::splat(simd, limit))
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
        self.off_core(simd, &difference(&center, &moved(direction, along)))
    }

    /// Between the nearest places, about, of a triangle and of the form's core where that is, given its edges and the way from the middle of the form to
    /// their corner: of what is beside the end of a way that a contact has made short the best axis.
    #[inline(always)]
    fn across<S: Simd, V: SimdFloat<S, Element = f32>>(
        &self,
        simd: S,
        to_corner: &Axes<V>,
        edges: [&Axes<V>; 2],
    ) -> Axes<V> {
        let from_middle = to_nearest(simd, to_corner, edges);
        if self.count == 0 {
            return from_middle;
        }
        let core = difference(&from_middle, &self.off_core(simd, &from_middle));
        let from_core = to_nearest(simd, &difference(to_corner, &core), edges);
        self.off_core(simd, &sum(&core, &from_core))
    }

    /// What is left of the way from the form's middle to somewhere from about the nearest place of its core.
    #[inline(always)]
    fn off_core<S: Simd, V: SimdFloat<S, Element = f32>>(&self, simd: S, from_middle: &Axes<V>) -> Axes<V> {
        let one = V::splat(simd, 1.0);
        let mut axis = *from_middle;
        for half in &self.halves[..self.count] {
            let edge: Axes<V> = splat(simd, half.edge);
            let along = (dot(&axis, &edge) * V::splat(simd, half.per_square)).max(-one).min(one);
            axis = difference(&axis, &moved(&edge, along));
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
