//! Interleaved searches of rays through a large mesh: closest and any. Each ray is traversed by itself.

use super::leaf_intersect::SpanUse;
use crate::bvh::{BvhRay, Order, RayState, StepResult, Visitor, take_lowest};
use crate::geom::culling::Cull;
use crate::geom::eight_rays::{FEWEST, LANES};
use crate::geom::ray::Ray;
use crate::mesh::MeshData;
use crate::simd::Simd;
use crate::tri::{MeshHit, NearestHit, TriangleSearch};
use core::ops::ControlFlow;
use glam::Vec3;

/// Rays are interleaved if they start at least this far apart in the frame, in any coordinate. Rays that start nearer
/// to each other, as in ambient occlusion, find most nodes in the cache. For such rays, processors also predict the
/// branches of a ray from the previous ray.
const APART: f64 = 1.0 / 16.0;

/// The states of eight rays that are traversed by turns.
pub(in crate::mesh) struct InterleavedRays<S: Simd> {
    framed: [Option<BvhRay>; LANES],
    walks: [RayState<S>; LANES],
}

impl<S: Simd> InterleavedRays<S> {
    pub(in crate::mesh) fn new(simd: S) -> Self {
        Self { framed: [const { None }; LANES], walks: core::array::from_fn(|_| RayState::new(simd)) }
    }
}

impl MeshData {
    /// Finds the closest hits of the rays of these lanes.
    // It is not inlined, because the additional code makes rays that are cast alone slower.
    #[inline(never)]
    pub(in crate::mesh) fn closest_interleaved<S: Simd>(
        &self,
        simd: S,
        (rays, mut lanes): (&[Ray; LANES], u64),
        cull: Cull,
        interleaved: &mut Option<InterleavedRays<S>>,
        hits: &mut [Option<MeshHit>; LANES],
    ) {
        simd.vectorize(
            #[cfg_attr(target_family = "wasm", inline)]
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            || {
                let interleaved = interleaved.get_or_insert_with(|| InterleavedRays::new(simd));
                let mut bests = [None; LANES];
                let mut going = self.begin(simd, (rays, lanes), interleaved);
                let (row, InterleavedRays { framed, walks }) = (self.blocks.row(), interleaved);
                while going != 0 {
                    let mut left = going;
                    while let Some(lane) = take_lowest(&mut left) {
                        let Some(framed) = &framed[lane] else {
                            going &= !(1 << lane);
                            continue;
                        };
                        let at = RayAtLeaf { shared: self, simd, ray: &rays[lane], framed, cull };
                        let mut closest = InterleavedClosest { at, best: &mut bests[lane] };
                        if !matches!(self.tree.take_turn(&mut walks[lane], row, &mut closest), StepResult::Going) {
                            going &= !(1 << lane);
                        }
                    }
                }
                while let Some(lane) = take_lowest(&mut lanes) {
                    hits[lane] = self.answer(simd, &rays[lane], framed[lane].as_ref(), bests[lane]);
                }
            },
        );
    }

    /// Returns the hit in full.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn answer<S: Simd>(
        &self,
        simd: S,
        ray: &Ray,
        framed: Option<&BvhRay>,
        best: Option<NearestHit>,
    ) -> Option<MeshHit> {
        self.hit(simd, ray, framed?.t_per_distance(), best?, SpanUse::Others)
    }

    /// Returns which of the rays of these lanes hit anything.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::mesh) fn any_interleaved<S: Simd>(
        &self,
        simd: S,
        (rays, lanes): (&[Ray; LANES], u64),
        cull: Cull,
        interleaved: &mut InterleavedRays<S>,
    ) -> u64 {
        let (mut going, mut blocked) = (self.begin(simd, (rays, lanes), interleaved), 0);
        let (row, InterleavedRays { framed, walks }) = (self.blocks.row(), interleaved);
        while going != 0 {
            let mut left = going;
            while let Some(lane) = take_lowest(&mut left) {
                let Some(framed) = &framed[lane] else {
                    going &= !(1 << lane);
                    continue;
                };
                let mut any = InterleavedAny(RayAtLeaf { shared: self, simd, ray: &rays[lane], framed, cull });
                match self.tree.take_turn(&mut walks[lane], row, &mut any) {
                    StepResult::Going => continue,
                    StepResult::Ended => {}
                    StepResult::Broken => blocked |= 1 << lane,
                }
                going &= !(1 << lane);
            }
        }
        blocked
    }

    /// Returns whether interleaving is worth it. It is if each ray waits for memory at most steps, and the
    /// previous ray has not just loaded that memory.
    pub(in crate::mesh) fn is_for_turns(&self, (rays, lanes): (&[Ray; LANES], u64)) -> bool {
        if !self.is_far_from_cache || lanes.count_ones() < FEWEST {
            return false;
        }
        let [first, others @ ..] = rays;
        let mut away = Vec3::ZERO;
        for ray in others {
            away = away.max((ray.origin - first.origin).abs());
        }
        f64::from(away.max_element()) * self.frame.scale > APART
    }

    /// Starts the rays. Returns the lanes of the rays that may hit something.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn begin<S: Simd>(
        &self,
        simd: S,
        (rays, mut lanes): (&[Ray; LANES], u64),
        interleaved: &mut InterleavedRays<S>,
    ) -> u64 {
        let mut going = 0;
        while let Some(lane) = take_lowest(&mut lanes) {
            interleaved.framed[lane] = self.frame.own_ray(simd, &rays[lane]);
            if let Some(framed) = &interleaved.framed[lane] {
                interleaved.walks[lane].begin(simd, framed);
                going |= 1 << lane;
            }
        }
        going
    }
}

/// A ray that is at a leaf.
struct RayAtLeaf<'a, S: Simd> {
    shared: &'a MeshData,
    simd: S,
    ray: &'a Ray,
    framed: &'a BvhRay,
    cull: Cull,
}

impl<'a, S: Simd> RayAtLeaf<'a, S> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn search(&self) -> TriangleSearch<'a, MeshData, S, &'a Ray> {
        TriangleSearch::new(self.shared, self.simd, self.ray, self.framed)
    }
}

struct InterleavedClosest<'a, S: Simd> {
    at: RayAtLeaf<'a, S>,
    best: &'a mut Option<NearestHit>,
}

impl<S: Simd> Visitor for InterleavedClosest<'_, S> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn visit(&mut self, leaf: u32, _: f32, limit: f32) -> ControlFlow<(), f32> {
        self.at.search().visit_nearest(self.at.cull, self.best, leaf, limit)
    }
}

struct InterleavedAny<'a, S: Simd>(RayAtLeaf<'a, S>);

impl<S: Simd> Visitor for InterleavedAny<'_, S> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn order(&self) -> Order {
        Order::Blind
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn visit(&mut self, leaf: u32, _: f32, limit: f32) -> ControlFlow<(), f32> {
        self.0.search().visit_any(self.0.cull, leaf, limit)
    }
}

#[cfg(test)]
mod tests {
    use crate::Mesh;
    use crate::mesh::Layout;
    use alloc::vec::Vec;

    /// Makes a sheet of n by n squares of this size in all, and walls of size 1 around it.
    fn furnished(n: u32, size: f32, walls: u32) -> Mesh {
        let at = |i: u32, j: u32| [i as f32, j as f32, ((i * j) % 7) as f32].map(|x| x * size / n as f32);
        let square = |i: u32, j: u32| {
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            [[a, b, c], [a, c, d]].concat()
        };
        let wall = |k: u32| [[0.0, 0.0, k as f32], [1.0, 0.0, k as f32], [0.0, 1.0, k as f32]];
        let sheet = (0..n).flat_map(|i| (0..n).flat_map(move |j| square(i, j)));
        let corners: Vec<[f32; 3]> = sheet.chain((1..=walls).flat_map(wall)).collect();
        Mesh::from_soup(&corners).unwrap()
    }

    #[test]
    fn turns_are_for_meshes_of_which_rays_meet_much() {
        let [scan, room, small] = [furnished(400, 1.0, 0), furnished(400, 0.01, 20), furnished(40, 1.0, 0)];
        assert!(scan.shared.is_far_from_cache);
        assert!(!room.shared.is_far_from_cache && !small.shared.is_far_from_cache);
        assert!(Mesh::from_bytes(&scan.to_bytes()).unwrap().shared.is_far_from_cache);
        assert!(scan.clone().with_layout(Layout::Compact).shared.is_far_from_cache);
        assert!(scan.rebuilt(scan.quality()).shared.is_far_from_cache);
    }
}
