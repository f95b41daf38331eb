//! Searches of a ray through a mesh's tree and blocks: closest, any, and each.
//!
//! Scenes ask for a [`FoundTriangle`] (`closest`), users of a mesh for a [`MeshHit`] in full (`closest_hit`). The
//! suffix `_from_afar` marks functions for a ray that does not start near the tree, and is converted to the frame
//! in f64.

use crate::bvh::{Bvh8, LeafRow, NormalizedSpace, take_lowest};
use crate::geom::aabb::Aabb;
use crate::geom::culling::{Cull, CulledSides};
use crate::geom::ray::{LocalRay, Ray, RayInput};
use crate::math::dvec3_lanes::{InLanes, in_lanes};
use crate::math::float::inverse_power_of_two;
use crate::mesh::{Mesh, MeshData};
use crate::shape::Verdict;
use crate::simd::{Axes, Simd, anew, dispatch, f32x4, f32x8, prefetch};
use crate::tri::error_bounds::ErrorBounds;
use crate::tri::triangle8::{FramedLine, TestedTriangles, Triangle8};
use crate::tri::{
    DistanceBounds, ErrorInput, FoundTriangle, LeafCorners, LeafSearch, Leaves, MeshHit, NearestHit, SweptTube,
    Touchable, TrianglePlace, TriangleSearch, in_f64, quick_verdict, sure_verdict,
};
use glam::{DVec3, Vec3};

impl Mesh {
    /// Does the same as [`TriangleSet::closest`](crate::tri::TriangleSet::closest) for any ray in the mesh's space.
    pub(crate) fn closest(&self, ray: impl RayInput, from: f64, cull: Cull) -> Option<FoundTriangle> {
        let shared = &*self.shared;
        dispatch!(simd => shared.closest(simd, ray, from, cull))
    }

    /// Returns whether [`closest`](Self::closest) would return a hit.
    pub(crate) fn has_any(&self, ray: impl RayInput, from: f64, cull: Cull) -> bool {
        let shared = &*self.shared;
        dispatch!(simd => shared.has_any(simd, ray, from, cull))
    }

    /// Returns the corners of a triangle that was found.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn found_corners_in_lanes<S: Simd>(&self, simd: S, place: TrianglePlace) -> [InLanes<S>; 3] {
        self.shared.found_corners_in_lanes(simd, place)
    }

    /// Does the same as [`closest`](Self::closest), but returns the full hit, for a ray in the mesh's own space.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::mesh) fn closest_hit(&self, ray: &Ray, sides: impl CulledSides) -> Option<MeshHit> {
        let shared = &*self.shared;
        dispatch!(simd => shared.closest_hit(simd, ray, sides))
    }

    /// Returns whether there is a hit in the ray's range.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::mesh) fn has_any_hit(&self, ray: &Ray, sides: impl CulledSides) -> bool {
        let shared = &*self.shared;
        dispatch!(simd => shared.has_any_hit(simd, ray, sides))
    }
}

impl MeshData {
    /// Returns the corners of a triangle that was found, in the mesh's coordinates.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn found_corners_in_lanes<S: Simd>(&self, simd: S, place: TrianglePlace) -> [InLanes<S>; 3] {
        let unit = inverse_power_of_two(self.frame.scale);
        let [a, b, c] = match self.exact_block(place) {
            Some(block) => widened(block.corners_in_lanes(simd, place.lane())),
            None => in_lanes(simd, self.gathered_corners(self.triangle_at(place))),
        };
        [a * unit, b * unit, c * unit]
    }

    /// Returns the block in which a triangle was tested, if the block is stored and has the exact corners. It is still in the
    /// cache.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::mesh) fn exact_block(&self, place: TrianglePlace) -> Option<&Triangle8> {
        if self.blocks_are_exact { self.blocks.whole(place.leaf()) } else { None }
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::mesh) fn closest_hit<S: Simd>(&self, simd: S, ray: &Ray, sides: impl CulledSides) -> Option<MeshHit> {
        let Some(framed) = self.frame.own_near_ray(simd, ray) else {
            return self.closest_hit_from_afar(simd, ray, sides.cull());
        };
        let search = TriangleSearch::new(self, simd, ray, &framed);
        self.hit(simd, ray, framed.t_per_distance(), search.nearest(None, sides)?, SpanUse::Whole)
    }

    /// Does the same as [`closest_hit`](Self::closest_hit) for a ray that is not near.
    #[cold]
    #[inline(never)]
    fn closest_hit_from_afar<S: Simd>(&self, simd: S, ray: &Ray, cull: Cull) -> Option<MeshHit> {
        Some(self.in_full(ray, self.closest_from_afar(simd, LocalRay::new(ray)?, cull)?))
    }

    /// Returns the full hit; its t may not be computed yet.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::mesh) fn hit<S: Simd>(
        &self,
        simd: S,
        ray: &Ray,
        t_per_distance: f64,
        NearestHit { place, low, high, verdict }: NearestHit,
        spans: SpanUse,
    ) -> Option<MeshHit> {
        if let Some(block) = self.exact_block(place) {
            let lane = place.lane();
            let quick = match verdict {
                Some(verdict) => Some(verdict),
                None => {
                    let scale = self.frame.scale;
                    match spans {
                        SpanUse::Whole => {
                            // The ray is loaded again, and so are the corners below. Values that stay in registers
                            // would be spilled before the first node, or before t is computed. They are loaded as
                            // scalars, not in lanes, because the next step waits for them. No product with a near ray's
                            // numbers overflows, so the direction is not scaled first.
                            let ray = anew(simd, ray);
                            let line = [ray.origin.as_dvec3() * scale, ray.direction.as_dvec3() * scale];
                            let known = ErrorInput::within([low, high], t_per_distance);
                            sure_verdict(1.0, line, in_f64(block.tested_corners(lane)), known)
                        }
                        SpanUse::Others => {
                            let corners = widened(block.tested_corners_in_lanes(simd, lane));
                            let known = ErrorInput::Sizes(block.sizes(lane).map(f64::from));
                            sure_verdict(t_per_distance, ray.scaled(simd, scale), corners, known)
                        }
                    }
                }
            };
            if let Some(verdict) = quick {
                return Some(self.hit_in(anew(simd, block), lane, ray, verdict));
            }
        }
        self.hit_rarely(simd, ray, t_per_distance, place, verdict)
    }

    /// Does the same as [`hit`](Self::hit) for a hit whose t needs exact arithmetic, or whose block is not stored.
    #[cold]
    #[inline(never)]
    fn hit_rarely<S: Simd>(
        &self,
        simd: S,
        ray: &Ray,
        t_per_distance: f64,
        place: TrianglePlace,
        verdict: Option<Verdict>,
    ) -> Option<MeshHit> {
        let verdict = match verdict {
            Some(verdict) => verdict,
            None => simd.vectorize(
                #[cfg_attr(target_family = "wasm", inline)]
                #[cfg_attr(not(target_family = "wasm"), inline(always))]
                || self.sure_verdict(simd, ray, t_per_distance, place),
            )?,
        };
        Some(self.in_full(ray, FoundTriangle { triangle: self.triangle_at(place), verdict, place }))
    }

    /// Reports the hit with the corners from the block in which it was found, if the block has them exactly.
    fn in_full(&self, ray: &Ray, found: FoundTriangle) -> MeshHit {
        let Some(block) = self.exact_block(found.place) else { return self.report(ray, found) };
        self.hit_in(block, found.place.lane(), ray, found.verdict)
    }

    /// Returns the hit on a triangle of a block.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn hit_in(&self, block: &Triangle8, lane: usize, ray: &Ray, verdict: Verdict) -> MeshHit {
        let unit = inverse_power_of_two(self.frame.scale);
        MeshHit::new(block.triangles[lane], verdict, *ray, block.tested_corners(lane), unit)
            .rotated(block.rotation(lane))
    }

    /// Does the same as [`quick_verdict`](Leaves::quick_verdict) if no block is stored.
    #[cold]
    fn quick_verdict_by_vertices<S: Simd>(
        &self,
        simd: S,
        ray: impl RayInput,
        t_per_distance: f64,
        place: TrianglePlace,
    ) -> Option<Verdict> {
        simd.vectorize(
            #[cfg_attr(target_family = "wasm", inline)]
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            || quick_verdict(self, simd, ray, t_per_distance, place),
        )
    }

    /// Calls a function with a triangle and its duplicates.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn show_number(&self, triangle: u32, show: &mut dyn FnMut(u32, [Vec3; 3])) {
        let corners = self.triangle(triangle);
        show(triangle, corners);
        self.repeats.of_triangle(triangle).for_each(|other| show(other, corners));
    }

    /// Calls `show` with the triangles of a leaf, without duplicates, whose own boxes touch a box in the coordinates of the tree, and perhaps with others.
    pub(in crate::mesh) fn numbers_in_box(&self, leaf: u32, bounds: &Aabb, show: &mut dyn FnMut(u32)) {
        let Some(block) = self.blocks.whole(leaf as usize).filter(|_| self.blocks_are_exact) else {
            return self.blocks.numbers(leaf as usize).for_each(show);
        };
        let mut left = dispatch!(simd => block.in_box(simd, bounds));
        while let Some(lane) = take_lowest(&mut left) {
            show(block.triangles[lane]);
        }
    }

    #[cold]
    fn gathered_corners(&self, triangle: u32) -> [DVec3; 3] {
        let triangle = self.triangles[triangle as usize];
        triangle.map(|index| self.positions[index as usize].as_dvec3() * self.frame.scale)
    }
}

/// The purposes for which the spans of hits can be used.
#[derive(Clone, Copy)]
pub(in crate::mesh) enum SpanUse {
    /// The spans bound the error of t: their distances begin at t = 0, and they are complete.
    Whole,
    /// The spans only give the order of hits. The spans of a ray packet are cut off at the nearest hit so far. Other
    /// such spans belong to rays from afar.
    Others,
}

#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn widened<S: Simd>([a, b, c]: [f32x4<S>; 3]) -> [InLanes<S>; 3] {
    [InLanes::widened(a), InLanes::widened(b), InLanes::widened(c)]
}

impl Leaves for MeshData {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn row(&self) -> LeafRow {
        self.blocks.row()
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn tree(&self) -> &Bvh8 {
        &self.tree
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn frame(&self) -> &NormalizedSpace {
        &self.frame
    }

    fn bounds(&self) -> Aabb {
        self.bounds
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn test<S: Simd>(
        &self,
        simd: S,
        leaf: u32,
        line: &FramedLine,
        errors: &ErrorBounds,
        limit: f32,
    ) -> TestedTriangles<S> {
        let made;
        let block = match self.blocks.whole(leaf as usize) {
            Some(block) => block,
            None => {
                made = self.made(leaf as usize);
                &made
            }
        };
        block.test(simd, line, errors, limit)
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn prefetch(&self, leaf: u32) {
        let (leaves, bytes) = self.blocks.row();
        let start = leaves.wrapping_add(leaf as usize * bytes);
        prefetch::<{ size_of::<Triangle8>() }>(start);
        // The leaf may begin anywhere in a cache line.
        prefetch::<1>(start.wrapping_add(bytes - 1));
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn near<S: Simd>(&self, simd: S, leaf: u32, tube: Option<&SweptTube>, limit: f32) -> Touchable {
        match self.blocks.whole(leaf as usize) {
            Some(block) => block.near(simd, tube, limit),
            None => self.made(leaf as usize).near(simd, tube, limit),
        }
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn distances<S: Simd>(&self, simd: S, leaf: u32, point: &Axes<f32x8<S>>, reach: f32) -> DistanceBounds {
        match self.blocks.whole(leaf as usize) {
            Some(block) => block.distances(simd, point, reach),
            None => self.made(leaf as usize).distances(simd, point, reach),
        }
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn leaf_corners<S: Simd>(&self, _: S, leaf: u32) -> LeafCorners {
        match self.blocks.whole(leaf as usize) {
            Some(block) => block.leaf_corners(),
            None => self.made(leaf as usize).leaf_corners(),
        }
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn all_have_area(&self) -> bool {
        self.all_have_area
    }

    fn leaf(&self, leaf: u32, show: &mut dyn FnMut(u32, [Vec3; 3])) {
        for triangle in self.blocks.numbers(leaf as usize) {
            self.show_number(triangle, show);
        }
    }

    fn leaf_in_box(&self, leaf: u32, bounds: &Aabb, show: &mut dyn FnMut(u32, [Vec3; 3])) {
        self.numbers_in_box(leaf, bounds, &mut |triangle| self.show_number(triangle, show));
    }

    fn leaf_numbers(&self, leaf: u32, show: &mut dyn FnMut(u32)) {
        for triangle in self.blocks.numbers(leaf as usize) {
            show(triangle);
            self.repeats.of_triangle(triangle).for_each(&mut *show);
        }
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn triangle_at(&self, place: TrianglePlace) -> u32 {
        self.blocks.list(place.leaf())[place.lane()]
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn corners_at(&self, place: TrianglePlace) -> [Vec3; 3] {
        let [a, b, c] = self.found_corners(place);
        [a.as_vec3(), b.as_vec3(), c.as_vec3()]
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn found_corners(&self, place: TrianglePlace) -> [DVec3; 3] {
        let unit = inverse_power_of_two(self.frame.scale);
        let [a, b, c] = self.framed_corners(place);
        [a * unit, b * unit, c * unit]
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn framed_corners(&self, place: TrianglePlace) -> [DVec3; 3] {
        match self.exact_block(place) {
            Some(block) => in_f64(block.corners(place.lane())),
            None => self.gathered_corners(self.triangle_at(place)),
        }
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn quick_verdict<S: Simd>(
        &self,
        simd: S,
        ray: impl RayInput,
        t_per_distance: f64,
        place: TrianglePlace,
    ) -> Option<Verdict> {
        match self.exact_block(place) {
            Some(block) => {
                let corners = widened(block.tested_corners_in_lanes(simd, place.lane()));
                let known = ErrorInput::Sizes(block.sizes(place.lane()).map(f64::from));
                sure_verdict(t_per_distance, ray.scaled(simd, self.frame.scale), corners, known)
            }
            None if self.blocks_are_exact => self.quick_verdict_by_vertices(simd, ray, t_per_distance, place),
            None => None,
        }
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn share_axial_plane(&self, places: [TrianglePlace; 2]) -> bool {
        let [Some(first), Some(second)] = places.map(|place| self.exact_block(place)) else { return false };
        let [a, b] = places.map(|place| place.lane());
        (0..3).any(|axis| first.plane_across(axis, a).is_some_and(|plane| second.plane_across(axis, b) == Some(plane)))
    }

    fn repeats(&self, triangle: u32) -> impl Iterator<Item = u32> {
        self.repeats.of_triangle(triangle)
    }
}

#[cfg(test)]
mod tests {
    use crate::geom::aabb::Aabb;
    use crate::math::random::Random;
    use crate::mesh::{Layout, Mesh};
    use crate::tri::TriangleSet;
    use alloc::vec::Vec;
    use glam::Vec3;

    #[test]
    fn triangles_of_a_leaf_in_a_box_are_those_whose_boxes_meet_it() {
        let mut random = Random(72);
        let vertices: Vec<Vec3> = (0..600).map(|_| random.cube().as_vec3()).collect();
        let packed = Mesh::from_soup(&vertices).expect("the soup is a mesh");
        let compact = packed.clone().with_layout(Layout::Compact);
        let leaves = packed.shared.blocks.len() as u32;
        let (_, frame) = packed.tree();
        let scale = frame.scale as f32;
        let mut met = 0;
        for _ in 0..200 {
            let (middle, half) = (random.cube().as_vec3(), (random.cube() * 0.3).abs().as_vec3());
            // One face is at a corner of a triangle, where the triangle touches the box.
            let high = (middle + half).with_x(random.pick(&vertices).x);
            let local = Aabb { min: (middle - half).min(high), max: high };
            let framed = Aabb { min: local.min * scale, max: local.max * scale };
            for leaf in 0..leaves {
                let shown = |mesh: &Mesh| {
                    let mut shown = Vec::new();
                    mesh.leaf_in_box(leaf, &framed, &mut |triangle, corners| shown.push((triangle, corners)));
                    shown
                };
                let mut expected = Vec::new();
                packed.leaf(leaf, &mut |triangle, corners| {
                    let [a, b, c] = corners;
                    let (low, high) = (a.min(b).min(c), a.max(b).max(c));
                    if low.cmple(local.max).all() && high.cmpge(local.min).all() {
                        expected.push((triangle, corners));
                    }
                });
                met += expected.len();
                assert_eq!(shown(&packed), expected);
                assert!(expected.iter().all(|triangle| shown(&compact).contains(triangle)));
            }
        }
        assert!(met > 1000, "{met}");
    }
}
