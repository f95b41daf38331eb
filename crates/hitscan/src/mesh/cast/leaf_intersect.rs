//! Searches of a ray through a mesh's tree and blocks: closest, any, and each.
//!
//! Scenes ask for a [`FoundTriangle`] (`closest`), users of a mesh for a [`MeshHit`] in full (`closest_hit`). The
//! suffix `_with` takes an instruction set that is already chosen. The suffix `_from_afar` takes a ray that does not
//! start near the tree, and so is framed in f64.

use crate::bvh::{Bvh8, BvhRay, LeafRow, Slack, Subtree};
use crate::geom::culling::{Cull, CulledSides};
use crate::geom::ray::{LocalRay, Ray, RayInput};
use crate::math::dvec3_lanes::{InLanes, in_lanes};
use crate::math::float::inverse_power_of_two;
use crate::mesh::{Mesh, MeshData};
use crate::shape::{Verdict, triangle_verdict};
use crate::simd::{Axes, Simd, anew, dispatch, f32x4, f32x8, prefetch};
use crate::tri::error_bounds::ErrorBounds;
use crate::tri::triangle8::{FramedLine, TestedTriangles, Triangle8};
use crate::tri::{
    DistanceBounds, ErrorInput, FoundTriangle, Leaves, MeshHit, NearestHit, Offer, SweptTube, Touchable, TrianglePlace,
    TriangleSearch, degenerate, sizes, sure_verdict,
};
use core::ops::ControlFlow;
use glam::{DVec3, Vec3};

impl Mesh {
    /// Returns the hit with the smallest t in the range of a ray in the mesh's space. If several triangles have that t,
    /// the lowest wins. If `from` is above 0, no hit is before it.
    pub(crate) fn closest(&self, ray: impl RayInput, from: f64, cull: Cull) -> Option<FoundTriangle> {
        let shared = &*self.shared;
        dispatch!(simd => shared.closest(simd, ray, from, cull))
    }

    /// Returns whether there is a hit in the ray's range, as [`closest`](Self::closest) would.
    pub(crate) fn has_any(&self, ray: impl RayInput, from: f64, cull: Cull) -> bool {
        let shared = &*self.shared;
        dispatch!(simd => shared.has_any(simd, ray, from, cull))
    }

    /// Does the same as [`closest`](Self::closest) when the instruction set is already chosen.
    #[inline(always)]
    pub(crate) fn closest_with<S: Simd>(
        &self,
        simd: S,
        ray: impl RayInput,
        from: f64,
        cull: Cull,
    ) -> Option<FoundTriangle> {
        self.shared.closest(simd, ray, from, cull)
    }

    /// Does the same as [`has_any`](Self::has_any) when the instruction set is already chosen.
    #[inline(always)]
    pub(crate) fn has_any_with<S: Simd>(&self, simd: S, ray: impl RayInput, from: f64, cull: Cull) -> bool {
        self.shared.has_any(simd, ray, from, cull)
    }

    /// Returns the corners of a triangle that was found.
    #[inline(always)]
    pub(crate) fn found_corners_in_lanes<S: Simd>(&self, simd: S, place: TrianglePlace) -> [InLanes<S>; 3] {
        self.shared.found_corners_in_lanes(simd, place)
    }

    /// Does the same as [`closest`](Self::closest), but returns the full hit, for a ray in the mesh's own space.
    #[inline(always)]
    pub(in crate::mesh) fn closest_hit(&self, ray: &Ray, sides: impl CulledSides) -> Option<MeshHit> {
        let shared = &*self.shared;
        dispatch!(simd => shared.closest_hit(simd, ray, sides))
    }

    /// Returns whether there is a hit in the ray's range.
    #[inline(always)]
    pub(in crate::mesh) fn has_any_hit(&self, ray: &Ray, sides: impl CulledSides) -> bool {
        let shared = &*self.shared;
        dispatch!(simd => shared.has_any_hit(simd, ray, sides))
    }

    /// Offers every hit in the range of a ray in the mesh's own space that may still matter, some more than once: a triangle may be in several leaves.
    pub(crate) fn each<'a>(
        &'a self,
        ray: &LocalRay,
        from: f64,
        skipped: &[u32],
        offer: &'a mut Offer<'a>,
    ) -> ControlFlow<()> {
        let shared = &*self.shared;
        dispatch!(simd => shared.each(simd, (ray, from), skipped, offer))
    }
}

impl MeshData {
    /// Returns the corners of a triangle that was found, in the mesh's coordinates.
    pub(in crate::mesh) fn found_corners(&self, found: FoundTriangle) -> [DVec3; 3] {
        let unit = inverse_power_of_two(self.frame.scale);
        self.framed_corners(found.place).map(|corner| corner * unit)
    }

    /// The same in lanes.
    #[inline(always)]
    fn found_corners_in_lanes<S: Simd>(&self, simd: S, place: TrianglePlace) -> [InLanes<S>; 3] {
        let unit = inverse_power_of_two(self.frame.scale);
        let [a, b, c] = match self.exact_block(place) {
            Some(block) => widened(block.corners_in_lanes(simd, place.lane())),
            None => in_lanes(simd, self.gathered_corners(self.triangle_at(place))),
        };
        [a * unit, b * unit, c * unit]
    }

    /// Returns the local corners of a triangle.
    #[inline(always)]
    pub(in crate::mesh) fn corners_at(&self, place: TrianglePlace) -> [Vec3; 3] {
        let unit = inverse_power_of_two(self.frame.scale);
        let [a, b, c] = self.framed_corners(place);
        [(a * unit).as_vec3(), (b * unit).as_vec3(), (c * unit).as_vec3()]
    }

    /// Returns the block in which a triangle was tested, which is still in the cache, if it is kept and has the corners exactly.
    #[inline(always)]
    pub(in crate::mesh) fn exact_block(&self, place: TrianglePlace) -> Option<&Triangle8> {
        if self.blocks_are_exact { self.blocks.whole(place.leaf()) } else { None }
    }

    #[inline(always)]
    pub(in crate::mesh) fn triangle_at(&self, place: TrianglePlace) -> u32 {
        self.blocks.list(place.leaf())[place.lane()]
    }

    #[inline(always)]
    pub(in crate::mesh) fn closest_hit<S: Simd>(&self, simd: S, ray: &Ray, sides: impl CulledSides) -> Option<MeshHit> {
        let Some(framed) = self.frame.own_near_ray(simd, ray) else {
            return self.closest_hit_from_afar(simd, ray, sides.cull());
        };
        let search = TriangleSearch::new(self, simd, ray, &framed);
        self.hit(simd, ray, framed.t_per_distance(), search.nearest(sides)?, SpanUse::Whole)
    }

    /// Does the same as [`closest_hit`](Self::closest_hit) for a ray that is not near.
    #[cold]
    #[inline(never)]
    fn closest_hit_from_afar<S: Simd>(&self, simd: S, ray: &Ray, cull: Cull) -> Option<MeshHit> {
        Some(self.in_full(ray, self.closest_from_afar(simd, LocalRay::new(ray)?, cull)?))
    }

    /// Returns the full hit; its t may not be computed yet.
    #[inline(always)]
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
                            // The ray is loaded again, and so are the corners below. Values that are kept would be
                            // spilled before the first node, or before t is computed. They are loaded as scalars, not
                            // in lanes, because the next step waits for them. Nothing of such a ray overflows, so the
                            // direction is not divided first.
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

    /// Does the same as [`hit`](Self::hit) for a hit whose t needs exact arithmetic, or whose block is not kept.
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
                #[inline(always)]
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
    #[inline(always)]
    fn hit_in(&self, block: &Triangle8, lane: usize, ray: &Ray, verdict: Verdict) -> MeshHit {
        let unit = inverse_power_of_two(self.frame.scale);
        MeshHit::new(block.triangles[lane], verdict, *ray, block.tested_corners(lane), unit)
            .rotated(block.rotation(lane))
    }

    /// Returns the closest hit in a part of the tree that is not beyond a distance.
    #[inline(always)]
    pub(in crate::mesh) fn closest_below<S: Simd>(
        &self,
        simd: S,
        (ray, framed): (impl RayInput, &BvhRay),
        below: Subtree,
        limit: f32,
        cull: Cull,
    ) -> Option<NearestHit> {
        TriangleSearch::new(self, simd, ray, framed).nearest_below(below, limit, cull)
    }

    /// Returns whether there is a hit in the ray's range in a part of the tree.
    #[inline(always)]
    pub(in crate::mesh) fn has_any_below<S: Simd>(
        &self,
        simd: S,
        (ray, framed): (impl RayInput, &BvhRay),
        below: Subtree,
        cull: Cull,
    ) -> bool {
        TriangleSearch::new(self, simd, ray, framed).has_any_below(below, cull)
    }

    #[inline(always)]
    pub(in crate::mesh) fn has_any_hit<S: Simd>(&self, simd: S, ray: &Ray, sides: impl CulledSides) -> bool {
        let Some(framed) = self.frame.own_near_ray(simd, ray) else {
            return LocalRay::new(ray).is_some_and(|ray| self.has_any_from_afar(simd, ray, sides.cull()));
        };
        TriangleSearch::new(self, simd, ray, &framed).has_any(sides)
    }

    #[inline(always)]
    fn closest<S: Simd>(&self, simd: S, ray: impl RayInput, from: f64, cull: Cull) -> Option<FoundTriangle> {
        let Some(framed) = self.frame.near_ray(simd, ray, Some(from), Slack::NONE) else {
            return self.closest_from_afar(simd, ray.local(), cull);
        };
        let search = TriangleSearch::new(self, simd, ray, &framed);
        search.found(search.nearest(cull)?)
    }

    #[inline(always)]
    fn has_any<S: Simd>(&self, simd: S, ray: impl RayInput, from: f64, cull: Cull) -> bool {
        let Some(framed) = self.frame.near_ray(simd, ray, Some(from), Slack::NONE) else {
            return self.has_any_from_afar(simd, ray.local(), cull);
        };
        TriangleSearch::new(self, simd, ray, &framed).has_any(cull)
    }

    /// Does the same as [`closest`](Self::closest) for a ray that is not near. It is separate, so that the properties that near rays share are known where they
    /// are handled.
    #[cold]
    #[inline(never)]
    fn closest_from_afar<S: Simd>(&self, simd: S, ray: LocalRay, cull: Cull) -> Option<FoundTriangle> {
        simd.vectorize(
            #[inline(always)]
            || {
                let framed = self.frame.ray_from_afar(simd, &ray, Slack::NONE)?;
                let search = TriangleSearch::new(self, simd, &ray, &framed);
                let nearest = match self.frame.crowded_ray(&ray) {
                    Some(exact) => search.nearest_crowded(&exact, cull),
                    None => search.nearest(cull),
                };
                search.found(nearest?)
            },
        )
    }

    /// Does the same as [`closest_from_afar`](Self::closest_from_afar) for any hit.
    #[cold]
    #[inline(never)]
    fn has_any_from_afar<S: Simd>(&self, simd: S, ray: LocalRay, cull: Cull) -> bool {
        simd.vectorize(
            #[inline(always)]
            || {
                let Some(framed) = self.frame.ray_from_afar(simd, &ray, Slack::NONE) else { return false };
                let search = TriangleSearch::new(self, simd, &ray, &framed);
                match self.frame.crowded_ray(&ray) {
                    Some(exact) => search.has_any_crowded(&exact, cull),
                    None => search.has_any(cull),
                }
            },
        )
    }

    #[inline(always)]
    fn each<S: Simd>(
        &self,
        simd: S,
        (ray, from): (&LocalRay, f64),
        skipped: &[u32],
        offer: &mut Offer<'_>,
    ) -> ControlFlow<()> {
        match self.frame.ray(simd, ray, from, Slack::NONE) {
            Some(framed) => {
                let crowded = self.frame.crowded_ray(ray);
                TriangleSearch::new(self, simd, ray, &framed).each(crowded.as_ref(), skipped, offer)
            }
            None => ControlFlow::Continue(()),
        }
    }

    /// Returns the t and the side of a triangle that is certainly hit, given the t in one distance.
    #[inline(always)]
    pub(in crate::mesh) fn sure_verdict<S: Simd>(
        &self,
        simd: S,
        ray: impl RayInput,
        t_per_distance: f64,
        place: TrianglePlace,
    ) -> Option<Verdict> {
        let quick = match self.exact_block(place) {
            Some(block) => {
                let lane = place.lane();
                let corners = widened(block.tested_corners_in_lanes(simd, lane));
                let line = ray.scaled(simd, self.frame.scale);
                sure_verdict(t_per_distance, line, corners, ErrorInput::Sizes(block.sizes(lane).map(f64::from)))
            }
            None if self.blocks_are_exact => self.sure_verdict_by_vertices(simd, ray, t_per_distance, place),
            None => None,
        };
        // This does not use `or_else`, which is called here.
        match quick {
            Some(verdict) => Some(verdict),
            None => self.verdict(ray, place),
        }
    }

    /// Does the same as [`sure_verdict`](Self::sure_verdict) if no block is kept.
    #[cold]
    fn sure_verdict_by_vertices<S: Simd>(
        &self,
        simd: S,
        ray: impl RayInput,
        t_per_distance: f64,
        place: TrianglePlace,
    ) -> Option<Verdict> {
        simd.vectorize(
            #[inline(always)]
            || {
                let corners = in_lanes(simd, self.framed_corners(place));
                sure_verdict(
                    t_per_distance,
                    ray.scaled(simd, self.frame.scale),
                    corners,
                    ErrorInput::Sizes(sizes(corners)),
                )
            },
        )
    }

    /// Returns the verdict, decided exactly.
    #[cold]
    pub(in crate::mesh) fn verdict(&self, ray: impl RayInput, place: TrianglePlace) -> Option<Verdict> {
        triangle_verdict(&self.frame.exact(&ray.local()), self.framed_corners(place))
    }

    /// Returns the exact corners, in the frame's coordinates.
    #[inline(always)]
    pub(in crate::mesh) fn framed_corners(&self, place: TrianglePlace) -> [DVec3; 3] {
        match self.exact_block(place) {
            Some(block) => in_f64(block.corners(place.lane())),
            None => self.gathered_corners(self.triangle_at(place)),
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
    /// The spans only give the order of hits. The spans of a ray packet are cut off at the nearest hit so far; other
    /// ones belong to rays from afar.
    Others,
}

#[inline(always)]
fn widened<S: Simd>([a, b, c]: [f32x4<S>; 3]) -> [InLanes<S>; 3] {
    [InLanes::widened(a), InLanes::widened(b), InLanes::widened(c)]
}

#[inline(always)]
fn in_f64([a, b, c]: [Vec3; 3]) -> [DVec3; 3] {
    [a.as_dvec3(), b.as_dvec3(), c.as_dvec3()]
}

impl Leaves for &MeshData {
    #[inline(always)]
    fn row(&self) -> LeafRow {
        self.blocks.row()
    }

    #[inline(always)]
    fn tree(&self) -> &Bvh8 {
        &self.tree
    }

    #[inline(always)]
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

    #[inline(always)]
    fn prefetch(&self, leaf: u32) {
        let (leaves, bytes) = self.blocks.row();
        let start = leaves.wrapping_add(leaf as usize * bytes);
        prefetch::<{ size_of::<Triangle8>() }>(start);
        // It may begin anywhere in a cache line.
        prefetch::<1>(start.wrapping_add(bytes - 1));
    }

    #[inline(always)]
    fn near<S: Simd>(&self, simd: S, leaf: u32, tube: Option<&SweptTube>, limit: f32) -> Touchable {
        match self.blocks.whole(leaf as usize) {
            Some(block) => block.near(simd, tube, limit),
            None => self.made(leaf as usize).near(simd, tube, limit),
        }
    }

    #[inline(always)]
    fn distances<S: Simd>(&self, simd: S, leaf: u32, point: &Axes<f32x8<S>>, reach: f32) -> DistanceBounds {
        match self.blocks.whole(leaf as usize) {
            Some(block) => block.distances(simd, point, reach),
            None => self.made(leaf as usize).distances(simd, point, reach),
        }
    }

    #[inline(always)]
    fn has_area(&self, place: TrianglePlace) -> bool {
        self.all_have_area || degenerate::has_area(self.corners_at(place))
    }

    fn show(&self, place: TrianglePlace, show: &mut dyn FnMut(u32, [Vec3; 3])) {
        MeshData::show(self, MeshData::triangle_at(self, place), self.corners_at(place), &mut |triangle, corners| {
            show(triangle, corners);
            0.0
        });
    }

    #[inline(always)]
    fn triangle_at(&self, place: TrianglePlace) -> u32 {
        MeshData::triangle_at(self, place)
    }

    #[inline(always)]
    fn sure_verdict<S: Simd>(
        &self,
        simd: S,
        ray: impl RayInput,
        t_per_distance: f64,
        place: TrianglePlace,
    ) -> Option<Verdict> {
        MeshData::sure_verdict(self, simd, ray, t_per_distance, place)
    }

    fn verdict(&self, ray: impl RayInput, place: TrianglePlace) -> Option<Verdict> {
        MeshData::verdict(self, ray, place)
    }

    #[inline(always)]
    fn share_axial_plane(&self, places: [TrianglePlace; 2]) -> bool {
        let [Some(first), Some(second)] = places.map(|place| self.exact_block(place)) else { return false };
        let [a, b] = places.map(|place| place.lane());
        (0..3).any(|axis| first.plane_across(axis, a).is_some_and(|plane| second.plane_across(axis, b) == Some(plane)))
    }

    fn repeats(&self, triangle: u32) -> impl Iterator<Item = u32> {
        self.repeats.of_triangle(triangle)
    }
}
