//! The nearest places of a triangle and eight others, in f32.
//!
//! Two triangles that do not cross are nearest at a corner of one and a place within the other, or at an edge of each, ends included. The nearest points may
//! be approximate, because they only choose the direction along which the distance is bounded. The distance of the two triangles is at least the gap between
//! their corners along any direction. It is at most the distance of any two of their points.

use crate::bvh::LEAF_SIZE as SIZE;
use crate::geom::eight_rays::by_lane;
use crate::math::float::UNIT_ROUNDOFF_F32;
use crate::simd::{
    Axes, FloatLanes, Select, Simd, SimdBase, SimdFloat, cross, difference, dot, f32x8, mask32x8, scaled, sum,
};
use glam::DVec3;

/// Three corners in lanes.
pub(crate) type CornerLanes<S> = [Axes<f32x8<S>>; 3];

/// A bound on the error of a distance between images. It is relative to the sum of the sizes of all that the distance is computed from
/// (docs/robustness/distances.md, "Two surfaces: two trees").
pub(crate) const PAIR_ERROR: f32 = 128.0 * UNIT_ROUNDOFF_F32;

/// The vector between the places of a triangle and of eight others that were found to be nearest.
pub(crate) struct PlacesBetween {
    pub(crate) between: [[f32; SIZE]; 3],
    /// The lengths of the vectors.
    pub(crate) lengths: [f32; SIZE],
}

impl PlacesBetween {
    /// Returns the vector in a lane.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn vector(&self, lane: usize) -> DVec3 {
        let [x, y, z] = &self.between;
        DVec3::new(x[lane].into(), y[lane].into(), z[lane].into())
    }
}

/// Triangles in lanes, and the values from which their nearest points are computed.
pub(crate) struct TriangleLanes<S: Simd> {
    pub(crate) corners: CornerLanes<S>,
    /// The edges, each from its corner to the next.
    edges: CornerLanes<S>,
    /// One over the squares of the edges' lengths.
    inverses: Axes<f32x8<S>>,
    /// The dot products of the first two edges with themselves and each other, the square of twice the area, and one
    /// over this square.
    products: [f32x8<S>; 3],
    whole: f32x8<S>,
    inverse_whole: f32x8<S>,
}

impl<S: Simd> TriangleLanes<S> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn new(simd: S, corners: CornerLanes<S>) -> Self {
        let [a, b, c] = &corners;
        let edges = [difference(b, a), difference(c, b), difference(a, c)];
        let [e1, e2, e3] = &edges;
        let (aa, bb, ab) = (dot(e1, e1), dot(e2, e2), dot(e1, e2));
        let whole = aa * bb - ab * ab;
        let one = f32x8::splat(simd, 1.0);
        let inverses = [one / aa, one / bb, one / dot(e3, e3)];
        Self { corners, edges, inverses, products: [aa, bb, ab], whole, inverse_whole: one / whole }
    }

    /// Returns normals of the triangles, of any length.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn across(&self) -> Axes<f32x8<S>> {
        cross(&self.edges[0], &self.edges[1])
    }

    /// Returns the vector from a point to its projection onto the plane of each triangle, and whether the projection is
    /// within the triangle.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn foot(&self, simd: S, point: &Axes<f32x8<S>>) -> (Axes<f32x8<S>>, mask32x8<S>) {
        let [e1, e2, _] = &self.edges;
        // The projection is the second corner, minus v / `whole` times the first edge, plus w / `whole` times the
        // second edge.
        let from = difference(&self.corners[1], point);
        let (d1, d2) = (dot(e1, &from), dot(e2, &from));
        let [aa, bb, ab] = self.products;
        let (v, w) = (bb * d1 - ab * d2, ab * d1 - aa * d2);
        let zero = f32x8::splat(simd, 0.0);
        let is_within = v.simd_ge(zero) & w.simd_ge(zero) & (v + w).simd_le(self.whole);
        let place = difference(&from, &scaled(e1, v * self.inverse_whole));
        (sum(&place, &scaled(e2, w * self.inverse_whole)), is_within)
    }
}

/// The nearest points so far, in lanes.
#[derive(Clone, Copy)]
struct NearestPoints<S: Simd> {
    between: Axes<f32x8<S>>,
    square: f32x8<S>,
}

impl<S: Simd> NearestPoints<S> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn none(simd: S) -> Self {
        let zero = f32x8::splat(simd, 0.0);
        Self { between: [zero, zero, zero], square: f32x8::splat(simd, f32::MAX) }
    }

    /// Offers the vector between two points. A vector with NaN is not nearer.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn offer(&mut self, [p, q, r]: Axes<f32x8<S>>, which: Option<mask32x8<S>>) {
        let square = dot(&[p, q, r], &[p, q, r]);
        let is_nearer = square.simd_lt(self.square);
        let is_nearer = if let Some(which) = which { is_nearer & which } else { is_nearer };
        let [x, y, z] = self.between;
        self.between = [is_nearer.select(p, x), is_nearer.select(q, y), is_nearer.select(r, z)];
        self.square = is_nearer.select(square, self.square);
    }
}

/// Returns the vectors between the approximately nearest places of triangles in lanes.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn places_between<S: Simd>(simd: S, ours: &TriangleLanes<S>, theirs: &TriangleLanes<S>) -> PlacesBetween {
    let nearest = nearest_points(simd, ours, theirs);
    let [x, y, z] = nearest.between;
    PlacesBetween { between: [by_lane(x), by_lane(y), by_lane(z)], lengths: by_lane(nearest.square.sqrt()) }
}

/// Returns the gaps between triangles along vectors across one of them, times the lengths of the vectors.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn gap_across<S: Simd>(
    across: &Axes<f32x8<S>>,
    [a, b, c]: &CornerLanes<S>,
    [p, q, r]: &CornerLanes<S>,
) -> f32x8<S> {
    let (a, b, c) = (dot(across, a), dot(across, b), dot(across, c));
    let (p, q, r) = (dot(across, p), dot(across, q), dot(across, r));
    let beyond = p.smaller(q).smaller(r) - a.larger(b).larger(c);
    beyond.larger(a.smaller(b).smaller(c) - p.larger(q).larger(r))
}

#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn nearest_points<S: Simd>(simd: S, ours: &TriangleLanes<S>, theirs: &TriangleLanes<S>) -> NearestPoints<S> {
    let mut nearest = NearestPoints::none(simd);
    for (place, start) in ours.corners.iter().enumerate() {
        for (other, other_start) in theirs.corners.iter().enumerate() {
            let apart = difference(other_start, start);
            let lines = [&ours.edges[place], &theirs.edges[other]];
            nearest.offer(of_edges(simd, lines, [ours.inverses[place], theirs.inverses[other]], &apart), None);
        }
    }
    for corner in &ours.corners {
        let (foot, is_within) = theirs.foot(simd, corner);
        nearest.offer(foot, Some(is_within));
    }
    for corner in &theirs.corners {
        let ([x, y, z], is_within) = ours.foot(simd, corner);
        nearest.offer([-x, -y, -z], Some(is_within));
    }
    nearest
}

/// Returns the vector between the nearest points of two edges, given the vector from the start of the first to the start of the second.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn of_edges<S: Simd>(
    simd: S,
    [ours, theirs]: [&Axes<f32x8<S>>; 2],
    [inverse, other_inverse]: [f32x8<S>; 2],
    apart: &Axes<f32x8<S>>,
) -> Axes<f32x8<S>> {
    let (zero, one) = (f32x8::splat(simd, 0.0), f32x8::splat(simd, 1.0));
    let b = dot(ours, theirs);
    let (c, f) = (dot(ours, apart), dot(theirs, apart));
    // Each number is divided by the square of the length of one of the edges.
    let (c, f, b_ours, b_theirs) = (c * inverse, f * other_inverse, b * inverse, b * other_inverse);
    let s = ((c - b_ours * f) / (one - b_ours * b_theirs)).larger(zero).smaller(one);
    let t = (b_theirs * s - f).larger(zero).smaller(one);
    let s = (b_ours * t + c).larger(zero).smaller(one);
    difference(&sum(apart, &scaled(theirs, t)), &scaled(ours, s))
}
