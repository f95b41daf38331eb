//! The leaves of trees of triangles, as meshes and height fields have them.

use super::degenerate;
use super::distance_bounds::DistanceBounds;
use super::error_bounds::ErrorBounds;
use super::leaf_corners::LeafCorners;
use super::rounded_t::{ErrorInput, sizes, sure_verdict};
use super::sweep_filter::{SweptTube, Touchable};
use super::triangle8::{FramedLine, SIZE, TestedTriangles};
use crate::bvh::{Bvh8, LeafRow, NormalizedSpace};
use crate::geom::aabb::Aabb;
use crate::geom::ray::RayInput;
use crate::math::dvec3_lanes::in_lanes;
use crate::math::float::{inverse_power_of_two, smaller};
use crate::shape::{Verdict, triangle_verdict};
use crate::simd::{Axes, Simd, f32x8};
use glam::{DVec3, Vec3};

/// A leaf's number and a lane, as one number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TrianglePlace(pub(crate) u32);

impl TrianglePlace {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn new(leaf: u32, lane: usize) -> Self {
        Self(leaf * SIZE as u32 + lane as u32)
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn leaf(self) -> usize {
        self.0 as usize / SIZE
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn lane(self) -> usize {
        self.0 as usize % SIZE
    }
}

/// The callback for each triangle that a volume may touch, given its number and its local corners. It returns the largest t that matters
/// from now on.
pub(crate) type NearTriangleVisitor<'a> = dyn FnMut(u32, [Vec3; 3]) -> f32 + 'a;

/// A tree with up to eight triangles in each leaf, which are tested at once.
///
/// Its functions that take vectors must be `#[inline(always)]`. Otherwise, they are not compiled for the instruction set in use.
pub(crate) trait Leaves: Sized {
    fn tree(&self) -> &Bvh8;

    /// Returns the normalized space of the tree.
    fn frame(&self) -> &NormalizedSpace;

    /// Returns a local box around all triangles.
    fn bounds(&self) -> Aabb;

    /// Returns where all leaves are in memory.
    fn row(&self) -> LeafRow;

    /// Returns the result in f32 for a leaf's triangles.
    fn test<S: Simd>(
        &self,
        simd: S,
        leaf: u32,
        line: &FramedLine,
        errors: &ErrorBounds,
        limit: f32,
    ) -> TestedTriangles<S>;

    /// Prefetches a leaf that is visited soon, if that helps.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn prefetch(&self, _leaf: u32) {}

    /// Returns which of a leaf's triangles a volume may touch up to a distance; the result includes all that it does touch. Without a tube it
    /// returns all.
    fn near<S: Simd>(&self, simd: S, leaf: u32, tube: Option<&SweptTube>, limit: f32) -> Touchable;

    /// Returns bounds on the distances from a point to the triangles of a leaf that may be within a search radius, all in
    /// the tree's coordinates.
    fn distances<S: Simd>(&self, simd: S, leaf: u32, point: &Axes<f32x8<S>>, reach: f32) -> DistanceBounds;

    /// Returns the corners of a leaf's triangles, in the coordinates of the tree.
    fn leaf_corners<S: Simd>(&self, simd: S, leaf: u32) -> LeafCorners;

    /// Returns whether every triangle of the tree certainly has an area.
    fn all_have_area(&self) -> bool;

    /// Returns whether a triangle has an area.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn has_area(&self, place: TrianglePlace) -> bool {
        self.all_have_area() || degenerate::has_area(self.corners_at(place))
    }

    /// Calls `show` with the number and the local corners of every triangle of a leaf.
    fn leaf(&self, leaf: u32, show: &mut dyn FnMut(u32, [Vec3; 3]));

    /// Calls `show` with the triangles of a leaf whose own boxes touch a box in the coordinates of the tree, and perhaps
    /// with others.
    fn leaf_in_box(&self, leaf: u32, bounds: &Aabb, show: &mut dyn FnMut(u32, [Vec3; 3])) {
        let unit = inverse_power_of_two(self.frame().scale);
        let (low, high) = (bounds.min.as_dvec3() * unit, bounds.max.as_dvec3() * unit);
        self.leaf(leaf, &mut |triangle, corners| {
            let [a, b, c] = corners;
            let (least, most) = (a.min(b).min(c).as_dvec3(), a.max(b).max(c).as_dvec3());
            if !(least.cmpgt(high).any() || most.cmplt(low).any()) {
                show(triangle, corners);
            }
        });
    }

    /// Calls `show` with the number of every triangle of a leaf.
    fn leaf_numbers(&self, leaf: u32, show: &mut dyn FnMut(u32)) {
        self.leaf(leaf, &mut |triangle, _| show(triangle));
    }

    /// Returns the triangle number that is reported.
    fn triangle_at(&self, place: TrianglePlace) -> u32;

    /// Returns the local corners of a triangle.
    fn corners_at(&self, place: TrianglePlace) -> [Vec3; 3];

    /// Returns the local corners of a triangle in f64.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn found_corners(&self, place: TrianglePlace) -> [DVec3; 3] {
        in_f64(self.corners_at(place))
    }

    /// Returns the exact corners, in the coordinates of the tree.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn framed_corners(&self, place: TrianglePlace) -> [DVec3; 3] {
        let ([a, b, c], scale) = (in_f64(self.corners_at(place)), self.frame().scale);
        [a * scale, b * scale, c * scale]
    }

    /// Returns the duplicates of a triangle, which are in no leaf.
    fn repeats(&self, _triangle: u32) -> impl Iterator<Item = u32> {
        core::iter::empty()
    }

    /// Calls `show` with a triangle and its duplicates, each with its number and its local corners. Returns the smallest of the results.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn show(&self, place: TrianglePlace, show: &mut NearTriangleVisitor<'_>) -> f32 {
        let (triangle, corners) = (self.triangle_at(place), self.corners_at(place));
        let t_max = show(triangle, corners);
        self.repeats(triangle).fold(t_max, |t_max, other| smaller(show(other, corners), t_max))
    }

    /// Returns whether two triangles are known to lie in one plane perpendicular to an axis. A ray that hits both then has the same t there.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn share_axial_plane(&self, _places: [TrianglePlace; 2]) -> bool {
        false
    }

    /// Returns the t and the side of a triangle that is certainly hit, given the increase of t over a distance of 1. Returns `None` if they need exact
    /// arithmetic.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn quick_verdict<S: Simd>(
        &self,
        simd: S,
        ray: impl RayInput,
        t_per_distance: f64,
        place: TrianglePlace,
    ) -> Option<Verdict> {
        quick_verdict(self, simd, ray, t_per_distance, place)
    }

    /// Does the same as [`quick_verdict`](Self::quick_verdict), with exact arithmetic if it is needed.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn sure_verdict<S: Simd>(
        &self,
        simd: S,
        ray: impl RayInput,
        t_per_distance: f64,
        place: TrianglePlace,
    ) -> Option<Verdict> {
        // This does not use `or_else`, which is not inlined here.
        match self.quick_verdict(simd, ray, t_per_distance, place) {
            Some(verdict) => Some(verdict),
            None => self.verdict(ray, place),
        }
    }

    /// Returns the verdict, decided exactly.
    #[cold]
    fn verdict(&self, ray: impl RayInput, place: TrianglePlace) -> Option<Verdict> {
        triangle_verdict(&self.frame().exact(&ray.local()), self.framed_corners(place))
    }
}

#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn in_f64([a, b, c]: [Vec3; 3]) -> [DVec3; 3] {
    [a.as_dvec3(), b.as_dvec3(), c.as_dvec3()]
}

/// Returns the t and the side of a triangle that is certainly hit, from its exact corners.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn quick_verdict<S: Simd>(
    leaves: &impl Leaves,
    simd: S,
    ray: impl RayInput,
    t_per_distance: f64,
    place: TrianglePlace,
) -> Option<Verdict> {
    let corners = in_lanes(simd, leaves.framed_corners(place));
    let line = ray.scaled(simd, leaves.frame().scale);
    sure_verdict(t_per_distance, line, corners, ErrorInput::Sizes(sizes(corners)))
}
