//! The swept region of a volume, and tests in f32 for the triangles that it may touch. All triangles of a leaf are tested
//! at once.

use super::closest_point_simd::to_nearest;
use crate::bvh::{BvhRay, LEAF_SIZE};
use crate::geom::eight_rays::by_lane;
use crate::math::float::{UNIT_ROUNDOFF_F32, larger, largest};
use crate::simd::{
    Axes, FloatLanes, Select, Simd, SimdBase, SimdFloat, SimdMask, cross, difference, dot, f32x8, scaled, splat, sum,
};
use glam::{DVec3, Vec3};

/// A shape that contains a volume: all points within a radius of a box, a segment or a point around the volume's middle. It is in the space of the geometry
/// that the volume may hit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SweptShape {
    pub(crate) radius: f64,
    /// Half of each edge of the box, or of the segment.
    pub(crate) halves: [DVec3; 3],
}

/// A [`SweptShape`] and its path, in a frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SweptTube {
    origin: [f32; 4],
    direction: [f32; 4],
    /// Approximately 1 over the square of the direction's length.
    per_square: f32,
    radius: f32,
    halves: [HalfExtent; 3],
    /// The number of half edges that are not zero.
    count: usize,
    lean: HalfExtentLean,
    /// The part of three errors that is the same for all triangles. The errors are of a position relative to a triangle's corner, of its product with an axis,
    /// and of the products of the half edges.
    error: f32,
    /// This is more than any term that underflows in a test.
    underflow: f32,
}

/// The triangles of a leaf that may be touched.
pub(crate) struct Touchable {
    /// A bit each.
    pub(crate) which: u64,
    /// The triangles of `which` whose interior is most likely touched, unless they are certainly apart. This only
    /// affects the time.
    pub(crate) inside: u64,
    /// The distance up to which each of them is certainly not touched.
    pub(crate) apart_until: [f32; LEAF_SIZE],
}

impl Touchable {
    const NONE: Self = Self::all(0);

    /// Returns triangles for which no distance is known. Deferring them would gain nothing.
    pub(crate) const fn all(which: u64) -> Self {
        Self { which, inside: which, apart_until: [0.0; LEAF_SIZE] }
    }
}

/// A half edge, and approximately 1 over the square of its length.
#[derive(Clone, Copy, Debug, Default)]
struct HalfExtent {
    edge: [f32; 4],
    per_square: f32,
}

/// Data of the parallelogram that the path and the first half edge span. They give, approximately, the position of the nearest place along that edge. They also
/// give the edge's component along the direction.
#[derive(Clone, Copy, Debug)]
struct HalfExtentLean {
    across: [f32; 4],
    along: f32,
}

impl HalfExtentLean {
    fn new(direction: [f32; 4], half: &HalfExtent) -> Self {
        let [d, h] = [direction, half.edge].map(|[x, y, z, _]| Vec3::new(x, y, z));
        let (square, along) = (d.length_squared(), d.dot(h));
        let across = (h * square - d * along) / (square * h.length_squared() - along * along);
        // The path and the edge may be parallel: then any place is equally near.
        let across = if across.is_finite() { across } else { Vec3::ZERO };
        Self { across: [across.x, across.y, across.z, 0.0], along }
    }
}

/// This is more than the relative error of a corner relative to the ray's origin, and of its product with an axis.
const CORNER_ERROR: f32 = 24.0 * UNIT_ROUNDOFF_F32;
/// This is more than the roundings in the reach of a form along an axis.
const ABOVE_REACH_ROUNDINGS: f64 = 1.0 + 32.0 * UNIT_ROUNDOFF_F32 as f64;
/// A ratio of distances that f32 usually cannot distinguish from 1.
const SIMILAR: f32 = 1.0 + 1.0 / 32768.0;
/// This is below 1 by more than the roundings of a gap and of its quotient. The divisor may cancel; `SweptTube::error` covers that.
const BELOW_GAP_ROUNDINGS: f32 = 1.0 - 16.0 * UNIT_ROUNDOFF_F32;
/// Nothing below overflows if no value is above this.
const LARGEST_WITHOUT_OVERFLOW: f32 = 1e8;
/// This is more than any term that underflows in products of an axis.
const UNDERFLOW: f32 = 1e-36;
/// This is more than the root of any term that underflows in the square of an axis's length, whether subnormal or flushed to zero. For a triangle of that
/// size, the axis perpendicular to it is as short.
const SHORTEST: f32 = 1.0 / (1u64 << 62) as f32;

impl SweptTube {
    /// Makes a tube up to a distance of `limit`, in a frame of this scale. `None` if f32 cannot decide which triangles
    /// are hit.
    pub(crate) fn new(ray: &BvhRay, form: &SweptShape, scale: f64, limit: f32) -> Option<Self> {
        let radius = (form.radius * scale * ABOVE_REACH_ROUNDINGS) as f32;
        let (mut halves, mut count) = ([HalfExtent::default(); 3], 0);
        for half in
            form.halves.into_iter().map(|half| half * scale * ABOVE_REACH_ROUNDINGS).filter(|&half| half != DVec3::ZERO)
        {
            let per_square = (1.0 / half.length_squared()) as f32;
            halves[count] = HalfExtent { edge: [half.x as f32, half.y as f32, half.z as f32, 0.0], per_square };
            count += 1;
        }
        let [x, y, z, _] = ray.origin;
        let reach = larger(larger(x.abs(), y.abs()), z.abs()) + 1.0;
        let error = 2.0 * ray.origin_error
            + 2.0 * UNIT_ROUNDOFF_F32 * reach
            + (2.0 * ray.box_error + 16.0 * UNIT_ROUNDOFF_F32) * limit;
        let thickest = form.halves.into_iter().fold(form.radius, |most, half| larger(most, largest(half))) * scale;
        // The comparisons are false for NaN too.
        let is_ordinary = error < LARGEST_WITHOUT_OVERFLOW
            && reach < LARGEST_WITHOUT_OVERFLOW
            && limit < LARGEST_WITHOUT_OVERFLOW
            && thickest < LARGEST_WITHOUT_OVERFLOW.into();
        let [x, y, z, _] = ray.direction;
        let per_square = 1.0 / (x * x + y * y + z * z);
        let (origin, direction) = (ray.origin, ray.direction);
        // A transform may have made edges long and nearly parallel. Then their reach along some axis is far less than their coordinates.
        let longest = halves[..count].iter().flat_map(|half| half.edge).fold(0.0, |most, x| larger(most, x.abs()));
        let error = error + 8.0 * UNIT_ROUNDOFF_F32 * (count as f32 * longest);
        let underflow = UNDERFLOW + radius * SHORTEST;
        let lean = HalfExtentLean::new(direction, &halves[0]);
        is_ordinary.then_some(Self { origin, direction, per_square, radius, halves, count, lean, error, underflow })
    }

    /// Returns which of the triangles that are present may be touched up to a distance. The result includes all that are touched.
    ///
    /// A triangle is not touched if there is a separating axis. Along such an axis, all of the triangle is farther from the whole path than the form reaches.
    /// This is a proof for any axis, so only the compared values must be exact enough; docs/robustness.md states the bound.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn may_touch<S: Simd>(
        &self,
        simd: S,
        present: u64,
        limit: f32,
        corners: impl FnOnce() -> [Axes<f32x8<S>>; 3],
    ) -> Touchable {
        // Loops take longer if their number of steps is not a constant.
        match self.count {
            0 => TubeWithEdges::<0>(self).called(simd, present, limit, corners),
            1 => TubeWithEdges::<1>(self).called(simd, present, limit, corners),
            _ => TubeWithEdges::<3>(self).called(simd, present, limit, corners),
        }
    }
}

/// A tube with at most this many half edges that are not zero.
#[derive(Clone, Copy)]
struct TubeWithEdges<'a, const EDGES: usize>(&'a SweptTube);

impl<const EDGES: usize> TubeWithEdges<'_, EDGES> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn halves(&self) -> &[HalfExtent] {
        &self.0.halves[..EDGES]
    }

    /// Calls [`may_touch`](Self::may_touch) in a function of its own. Inlining it everywhere is slightly
    /// faster, but makes the compiler use too much memory.
    #[inline(never)]
    fn called<S: Simd>(
        self,
        simd: S,
        present: u64,
        limit: f32,
        corners: impl FnOnce() -> [Axes<f32x8<S>>; 3],
    ) -> Touchable {
        simd.vectorize(
            #[cfg_attr(target_family = "wasm", inline)]
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            || self.may_touch(simd, (corners(), present), limit),
        )
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn may_touch<S: Simd>(self, simd: S, ([a, b, c], present): ([Axes<f32x8<S>>; 3], u64), limit: f32) -> Touchable {
        let origin = splat(simd, self.0.origin);
        let corners = [difference(&a, &origin), difference(&b, &origin), difference(&c, &origin)];
        let [a, b, c] = &corners;
        let direction: Axes<f32x8<S>> = splat(simd, self.0.direction);
        let end = f32x8::splat(simd, limit);
        let error = size(&corners).mul_add(f32x8::splat(simd, CORNER_ERROR), f32x8::splat(simd, self.0.error));
        let way = scaled(&direction, end);
        let seen = TubeTest { simd, tube: self, corners: &corners, error, direction: &direction, way };
        let (e1, e2) = (difference(b, a), difference(c, a));
        let normal = cross(&e1, &e2);
        let mut apart = seen.are_apart_along(&self.outwards(simd, &corners, &direction, limit));
        let above_plane = seen.apart_until(&normal);
        apart |= above_plane.simd_gt(end).to_bitmask();
        if present & !apart == 0 {
            return Touchable::NONE;
        }
        apart |= seen.are_apart_along(&cross(&direction, &e1));
        apart |= seen.are_apart_along(&cross(&direction, &e2));
        apart |= seen.are_apart_along(&cross(&direction, &difference(c, b)));
        if present & !apart == 0 {
            return Touchable::NONE;
        }
        let axis =
            self.across(simd, &difference(a, &scaled(&direction, above_plane.smaller(end))), [&e1, &e2, &normal]);
        let from_nearest = seen.apart_until(&axis);
        let apart_until = above_plane.larger(from_nearest);
        apart |= apart_until.simd_gt(end).to_bitmask();
        let inside = from_nearest.simd_le(above_plane * f32x8::splat(simd, SIMILAR)).to_bitmask();
        Touchable { which: present & !apart, inside, apart_until: by_lane(apart_until) }
    }

    /// Returns the axis to a triangle's centre from the approximately nearest place of the form: the best axis for small triangles.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn outwards<S: Simd>(
        &self,
        simd: S,
        [a, b, c]: &[Axes<f32x8<S>>; 3],
        direction: &Axes<f32x8<S>>,
        limit: f32,
    ) -> Axes<f32x8<S>> {
        simd.shared(
            #[cfg_attr(target_family = "wasm", inline)]
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            || {
                let third = f32x8::splat(simd, 1.0 / 3.0);
                let center = [(a[0] + b[0] + c[0]) * third, (a[1] + b[1] + c[1]) * third, (a[2] + b[2] + c[2]) * third];
                let (zero, end) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, limit));
                let mut along = dot(&center, direction);
                if EDGES == 1 {
                    let HalfExtentLean { across, along: lean } = self.0.lean;
                    let one = f32x8::splat(simd, 1.0);
                    along -= dot(&center, &splat(simd, across)).larger(-one).smaller(one) * f32x8::splat(simd, lean);
                }
                let along = (along * f32x8::splat(simd, self.0.per_square)).larger(zero).smaller(end);
                self.off_core(simd, &difference(&center, &scaled(direction, along)))
            },
        )
    }

    /// Returns the axis between the approximate nearest points of a triangle and of the form's core. The arguments are the triangle's edges, its normal and the
    /// vector from the middle of the form to its corner. It is the best axis for triangles to the side of the end of a path that a contact has shortened.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn across<S: Simd>(
        &self,
        simd: S,
        to_corner: &Axes<f32x8<S>>,
        [e1, e2, normal]: [&Axes<f32x8<S>>; 3],
    ) -> Axes<f32x8<S>> {
        if EDGES == 0 {
            return to_nearest(simd, to_corner, [e1, e2]);
        }
        let core = self.nearest_to_plane(simd, to_corner, normal);
        let nearest = to_nearest_of(simd, &core, to_corner, [e1, e2]);
        if EDGES == 1 {
            return self.off_core(simd, &nearest);
        }
        let core = difference(&nearest, &self.off_core(simd, &nearest));
        self.off_core(simd, &to_nearest_of(simd, &core, to_corner, [e1, e2]))
    }

    /// Returns the corner of the core that is nearest to a plane.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn nearest_to_plane<S: Simd>(&self, simd: S, to_plane: &Axes<f32x8<S>>, normal: &Axes<f32x8<S>>) -> Axes<f32x8<S>> {
        simd.shared(
            #[cfg_attr(target_family = "wasm", inline)]
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            || {
                let (one, height) = (f32x8::splat(simd, 1.0), dot(normal, to_plane));
                let mut corner = splat(simd, [0.0; 4]);
                for half in self.halves() {
                    let edge: Axes<f32x8<S>> = splat(simd, half.edge);
                    corner = sum(&corner, &scaled(&edge, one.copysign(dot(normal, &edge) * height)));
                }
                corner
            },
        )
    }

    /// Returns the vector from the approximately nearest place of the form's core, given the vector from the form's middle.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn off_core<S: Simd>(&self, simd: S, from_middle: &Axes<f32x8<S>>) -> Axes<f32x8<S>> {
        simd.shared(
            #[cfg_attr(target_family = "wasm", inline)]
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            || {
                let one = f32x8::splat(simd, 1.0);
                let mut axis = *from_middle;
                for half in self.halves() {
                    let edge: Axes<f32x8<S>> = splat(simd, half.edge);
                    let along = (dot(&axis, &edge) * f32x8::splat(simd, half.per_square)).larger(-one).smaller(one);
                    axis = difference(&axis, &scaled(&edge, along));
                }
                axis
            },
        )
    }
}

/// Returns the approximate place of a triangle that is nearest to a place; all places are relative to the middle.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn to_nearest_of<S: Simd>(
    simd: S,
    place: &Axes<f32x8<S>>,
    to_corner: &Axes<f32x8<S>>,
    edges: [&Axes<f32x8<S>>; 2],
) -> Axes<f32x8<S>> {
    sum(place, &to_nearest(simd, &difference(to_corner, place), edges))
}

/// Returns the largest coordinate of a triangle's corners.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn size<S: Simd>([a, b, c]: &[Axes<f32x8<S>>; 3]) -> f32x8<S> {
    let x = a[0].abs().larger(b[0].abs()).larger(c[0].abs());
    let y = a[1].abs().larger(b[1].abs()).larger(c[1].abs());
    let z = a[2].abs().larger(b[2].abs()).larger(c[2].abs());
    x.larger(y).larger(z)
}

/// Triangles and a path, relative to the path's start.
struct TubeTest<'a, S: Simd, const EDGES: usize> {
    simd: S,
    tube: TubeWithEdges<'a, EDGES>,
    corners: &'a [Axes<f32x8<S>>; 3],
    /// A bound on the errors of a position relative to a triangle's corner, of its product with an axis, and of the
    /// products of the half edges.
    error: f32x8<S>,
    direction: &'a Axes<f32x8<S>>,
    /// The vector from the start of the path to its end.
    way: Axes<f32x8<S>>,
}

impl<S: Simd, const EDGES: usize> TubeTest<'_, S, EDGES> {
    /// Returns which triangles are certainly apart from the tube along their axis. The axis may have any length, and
    /// may differ for each triangle. A triangle for which a value is NaN is not among them.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn are_apart_along(&self, axis: &Axes<f32x8<S>>) -> u64 {
        self.simd.shared(
            #[cfg_attr(target_family = "wasm", inline)]
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            || {
                let zero = f32x8::splat(self.simd, 0.0);
                let [a, b, c] = self.corners;
                let (a, b, c, end) = (dot(axis, a), dot(axis, b), dot(axis, c), dot(axis, &self.way));
                let ahead = a.smaller(b).smaller(c) - end.larger(zero);
                let behind = end.smaller(zero) - a.larger(b).larger(c);
                ahead.larger(behind).simd_gt(self.reach(axis)).to_bitmask()
            },
        )
    }

    /// Returns the distance on the path up to which each triangle is certainly apart along its axis. The axis may have
    /// any length, and may differ for each triangle. The distance is valid if it is within the limit for which the tube
    /// was made. It is 0 if nothing is certain, or if a value is NaN. If the triangle is apart up to that limit,
    /// it is beyond the limit, or infinite.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn apart_until(&self, axis: &Axes<f32x8<S>>) -> f32x8<S> {
        self.simd.shared(
            #[cfg_attr(target_family = "wasm", inline)]
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            || {
                let zero = f32x8::splat(self.simd, 0.0);
                let [a, b, c] = self.corners;
                let (a, b, c, pace) = (dot(axis, a), dot(axis, b), dot(axis, c), dot(axis, self.direction));
                let reach = self.reach(axis);
                let (above, below) = (a.smaller(b).smaller(c) - reach, -a.larger(b).larger(c) - reach);
                let is_upwards = pace.simd_gt(zero);
                let (ahead, behind) = (is_upwards.select(above, below), is_upwards.select(below, above));
                let until = ahead * f32x8::splat(self.simd, BELOW_GAP_ROUNDINGS) / pace.abs();
                let until = until.simd_gt(zero).select(until, zero);
                behind.simd_gt(zero).select(f32x8::splat(self.simd, f32::INFINITY), until)
            },
        )
    }

    /// Returns how far the form reaches along the axis, plus the f32 error.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn reach(&self, axis: &Axes<f32x8<S>>) -> f32x8<S> {
        let SweptTube { radius, underflow, .. } = self.tube.0;
        let simd = self.simd;
        let sum = axis[0].abs() + axis[1].abs() + axis[2].abs();
        let mut reach = sum.mul_add(self.error, f32x8::splat(simd, *underflow));
        if *radius > 0.0 {
            reach = dot(axis, axis).sqrt().mul_add(f32x8::splat(simd, *radius), reach);
        }
        for half in self.tube.halves() {
            reach += dot(axis, &splat(simd, half.edge)).abs();
        }
        reach
    }
}
