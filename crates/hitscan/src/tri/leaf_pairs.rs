//! The pairs of triangles of two leaves that may be near each other, found in f32.

use super::leaf_corners::PlacedLeaf;
use super::pair_bounds::{CornerLanes, PAIR_ERROR, PlacesBetween, TriangleLanes, gap_across, places_between};
use super::triangle8::SIZE;
use crate::bvh::take_lowest;
use crate::geom::eight_rays::by_lane;
use crate::math::float::{larger, round_up, smaller, sqrt};
use crate::simd::{Axes, FloatLanes, Simd, SimdBase, SimdMask, difference, dot, f32x8, mask32x8, splat, sum};
use glam::DVec3;

/// Two triangles, by their lanes, and bounds on their distance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LanePair {
    pub(crate) lanes: [usize; 2],
    /// A lower bound, at least 0.
    pub(crate) low: f64,
    /// An upper bound; NaN if nothing is known.
    pub(crate) high: f64,
}

/// The nearest places of two leaves, among the pairs of triangles that were tested.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NearestPlaces {
    /// The distance between the two places, which is infinite if no pair was tested.
    pub(crate) distance: f32,
    /// The vector from the first to the second.
    pub(crate) between: DVec3,
}

/// Squares that are larger than this have not lost bits by underflow.
const LEAST_SQUARE: f32 = 1e-34;
/// Vectors between places with a smaller square tell nothing, as their products may underflow in f32.
const LEAST_BETWEEN: f64 = 1e-50;

/// Shows the pairs of triangles of two leaves that may be within a reach. The vector `along` is likely to separate
/// triangles that are farther apart. Every such pair is shown, whatever the vector is. The visitor returns the reach
/// that matters from now on.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn each_near<S: Simd>(
    simd: S,
    sides: [&PlacedLeaf<S>; 2],
    along: DVec3,
    mut reach: f64,
    show: &mut impl FnMut(LanePair) -> f64,
) -> NearestPlaces {
    let mut nearest = NearestPlaces { distance: f32::INFINITY, between: DVec3::ZERO };
    let Some(near_along) = NearAlong::new(simd, sides, along, reach) else { return nearest };
    let [ours, theirs] = sides;
    let apart = theirs.origin - ours.origin;
    // The corners of both leaves are made relative to the origin of `ours`. The sizes of all numbers grow by the
    // distance of the origins.
    let shift = splat(simd, [apart.x as f32, apart.y as f32, apart.z as f32, 0.0]);
    let moved = [sum(&theirs.corners[0], &shift), sum(&theirs.corners[1], &shift), sum(&theirs.corners[2], &shift)];
    let close_error = PAIR_ERROR * (ours.size + theirs.size);
    let error = close_error + PAIR_ERROR * round_up(largest_of(apart));
    let others = OtherTriangles::new(simd, moved);
    let boxes = box_of(&ours.corners);
    let mut left = near_along.ours;
    while let Some(lane) = take_lowest(&mut left) {
        let limit = round_up(reach) + error;
        let near = near_along.near(simd, lane, reach) & others.near(simd, &boxes, lane, limit);
        if near == 0 {
            continue;
        }
        let own = TriangleLanes::new(simd, of_lane(simd, &ours.corners, lane));
        let mut near = near & others.across(simd, &own, limit);
        if near == 0 {
            continue;
        }
        let places = places_between(simd, &own, &others.triangles);
        let gaps = by_lane(gaps_along(simd, &places, &own.corners, &theirs.corners));
        while let Some(other) = take_lowest(&mut near) {
            let (between, length) = (places.vector(other), places.lengths[other]);
            if length < nearest.distance {
                nearest = NearestPlaces { distance: length, between };
            }
            let low = lower_bound(between, gaps[other], apart) - f64::from(close_error);
            // A bound that is NaN says nothing.
            if !(low > reach) {
                let low = if low > 0.0 { low } else { 0.0 };
                let high = f64::from(length) + f64::from(error);
                reach = smaller(show(LanePair { lanes: [lane, other], low, high }), reach);
            }
        }
    }
    nearest
}

/// Returns the gap along a vector between triangles that are relative to two origins. `gap` is the gap as if the origins coincided,
/// times the length of the vector. `apart` is the vector from one origin to the other.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn lower_bound(between: DVec3, gap: f32, apart: DVec3) -> f64 {
    let square = between.length_squared();
    if square > LEAST_BETWEEN { (f64::from(gap) + between.dot(apart)) / sqrt(square) } else { 0.0 }
}

/// Returns the largest magnitude of a coordinate.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn largest_of(v: DVec3) -> f64 {
    larger(larger(v.x.abs(), v.y.abs()), v.z.abs())
}

/// The triangles of the first leaf (ours) and of the second leaf (theirs) that may be near each other along a
/// direction, a bit each.
struct NearAlong<S: Simd> {
    ours: u64,
    theirs: u64,
    /// The largest height of each of our triangles, and the least height of each of theirs.
    most: [f32; SIZE],
    least: f32x8<S>,
    /// The length of the direction, and the height of their origin above our origin.
    length: f64,
    shift: f64,
    error: f32,
}

impl<S: Simd> NearAlong<S> {
    /// Returns `None` if there are none.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn new(simd: S, [ours, theirs]: [&PlacedLeaf<S>; 2], along: DVec3, reach: f64) -> Option<Self> {
        let shift = along.dot(theirs.origin - ours.origin);
        // The direction is in f32, and so not quite of unit length.
        let length = sqrt(along.length_squared());
        let error = PAIR_ERROR * (ours.size + theirs.size);
        let along = splat(simd, [along.x as f32, along.y as f32, along.z as f32, 0.0]);
        let (most, least) = (highest(&along, &ours.corners), lowest(&along, &theirs.corners));
        let tops = by_lane(most);
        let (top, bottom) =
            (extreme(tops, ours.present, larger::<f32>), extreme(by_lane(least), theirs.present, smaller::<f32>));
        let wide = f32x8::splat(simd, limit_along(reach, length, shift, error));
        // A comparison with NaN is false.
        let ours = ours.present & !(f32x8::splat(simd, bottom) - most).simd_gt(wide).to_bitmask();
        let theirs = theirs.present & !(least - f32x8::splat(simd, top)).simd_gt(wide).to_bitmask();
        (ours != 0 && theirs != 0).then_some(Self { ours, theirs, most: tops, least, length, shift, error })
    }

    /// Returns the triangles of the second leaf that may be near the first leaf's triangle in `lane`, a bit each.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn near(&self, simd: S, lane: usize, reach: f64) -> u64 {
        let beyond = self.least - f32x8::splat(simd, self.most[lane % SIZE]);
        let limit = limit_along(reach, self.length, self.shift, self.error);
        self.theirs & !beyond.simd_gt(f32x8::splat(simd, limit)).to_bitmask()
    }
}

/// Returns the largest difference of heights along a direction of this length that matters, if the origins are at different heights.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn limit_along(reach: f64, length: f64, shift: f64, error: f32) -> f32 {
    round_up(reach * length - shift) + error
}

/// The triangles of the second leaf, and the values with which triangles of the first are compared.
struct OtherTriangles<S: Simd> {
    triangles: TriangleLanes<S>,
    bounds: [Axes<f32x8<S>>; 2],
    across: Axes<f32x8<S>>,
    /// The squares of the lengths of the vectors in `across`.
    square_across: f32x8<S>,
}

impl<S: Simd> OtherTriangles<S> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn new(simd: S, corners: CornerLanes<S>) -> Self {
        let (bounds, triangles) = (box_of(&corners), TriangleLanes::new(simd, corners));
        let across = triangles.across();
        Self { triangles, bounds, across, square_across: dot(&across, &across) }
    }

    /// Returns the triangles of the second leaf whose boxes may be within the limit of the box of the first leaf's
    /// triangle in `lane`, a bit each.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn near(&self, simd: S, boxes: &[Axes<f32x8<S>>; 2], lane: usize, limit: f32) -> u64 {
        let own = [lane_of(simd, &boxes[0], lane), lane_of(simd, &boxes[1], lane)];
        !gap_of_boxes(simd, &own, &self.bounds).simd_gt(f32x8::splat(simd, limit * limit)).to_bitmask()
    }

    /// Returns the triangles of the second leaf that may be within the limit of the triangle `own`, a bit each.
    /// Distances are along the normals of both triangles.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn across(&self, simd: S, own: &TriangleLanes<S>, limit: f32) -> u64 {
        let (across, limits) = (own.across(), f32x8::splat(simd, limit * limit));
        let (gap, square) =
            (gap_across(&across, &own.corners, &self.triangles.corners), dot(&across, &across) * limits);
        let other_gap = gap_across(&self.across, &own.corners, &self.triangles.corners);
        !(is_apart(simd, gap, square) | is_apart(simd, other_gap, self.square_across * limits)).to_bitmask()
    }
}

/// Returns the lanes in which a gap is certainly larger than a limit. `gap` is the gap times the length of a vector, and
/// `square` is the square of the limit times that length. Vectors that are so short that their squares underflow tell nothing.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn is_apart<S: Simd>(simd: S, gap: f32x8<S>, square: f32x8<S>) -> mask32x8<S> {
    let is_beyond = gap.simd_gt(f32x8::splat(simd, 0.0)) & (gap * gap).simd_gt(square);
    is_beyond & square.simd_gt(f32x8::splat(simd, LEAST_SQUARE))
}

/// Returns how far the second triangles are beyond the first along the vectors in `places`, times the lengths of these
/// vectors.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn gaps_along<S: Simd>(simd: S, places: &PlacesBetween, ours: &CornerLanes<S>, theirs: &CornerLanes<S>) -> f32x8<S> {
    let [x, y, z] = &places.between;
    let along = [f32x8::from_slice(simd, x), f32x8::from_slice(simd, y), f32x8::from_slice(simd, z)];
    lowest(&along, theirs) - highest(&along, ours)
}

/// Returns the largest or smallest number of some lanes, of which there is at least one.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn extreme(lanes: [f32; SIZE], mut which: u64, of_two: impl Fn(f32, f32) -> f32) -> f32 {
    let mut found = lanes[which.trailing_zeros() as usize % SIZE];
    while let Some(lane) = take_lowest(&mut which) {
        found = of_two(found, lanes[lane]);
    }
    found
}

#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn highest<S: Simd>(along: &Axes<f32x8<S>>, [a, b, c]: &CornerLanes<S>) -> f32x8<S> {
    dot(along, a).larger(dot(along, b)).larger(dot(along, c))
}

#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn lowest<S: Simd>(along: &Axes<f32x8<S>>, [a, b, c]: &CornerLanes<S>) -> f32x8<S> {
    dot(along, a).smaller(dot(along, b)).smaller(dot(along, c))
}

/// Returns the boxes around triangles.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn box_of<S: Simd>([a, b, c]: &CornerLanes<S>) -> [Axes<f32x8<S>>; 2] {
    let low = [a[0].smaller(b[0]).smaller(c[0]), a[1].smaller(b[1]).smaller(c[1]), a[2].smaller(b[2]).smaller(c[2])];
    [low, [a[0].larger(b[0]).larger(c[0]), a[1].larger(b[1]).larger(c[1]), a[2].larger(b[2]).larger(c[2])]]
}

/// Returns the squares of the distances between boxes.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn gap_of_boxes<S: Simd>(simd: S, ours: &[Axes<f32x8<S>>; 2], theirs: &[Axes<f32x8<S>>; 2]) -> f32x8<S> {
    let zero = f32x8::splat(simd, 0.0);
    let (below, above) = (difference(&theirs[0], &ours[1]), difference(&ours[0], &theirs[1]));
    let gaps = [
        below[0].larger(above[0]).larger(zero),
        below[1].larger(above[1]).larger(zero),
        below[2].larger(above[2]).larger(zero),
    ];
    dot(&gaps, &gaps)
}

/// Returns one lane of a vector in all lanes.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn lane_of<S: Simd>(simd: S, [x, y, z]: &Axes<f32x8<S>>, lane: usize) -> Axes<f32x8<S>> {
    let [x, y, z] = [x.as_slice()[lane % SIZE], y.as_slice()[lane % SIZE], z.as_slice()[lane % SIZE]];
    splat(simd, [x, y, z, 0.0])
}

#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn of_lane<S: Simd>(simd: S, [a, b, c]: &CornerLanes<S>, lane: usize) -> CornerLanes<S> {
    [lane_of(simd, a, lane), lane_of(simd, b, lane), lane_of(simd, c, lane)]
}
