//! Rays through the parts of a scene. The code does not depend on the type of the scene's keys, so all of it is
//! compiled in this crate.

use super::part_hit::{FoundPart, PartHit, key};
use crate::bvh::{ItemAdapter, ItemVisitor, Order, Visit, take_lowest};
use crate::geom::culling::{Cull, CutOuts};
use crate::geom::eight_rays::LANES;
use crate::geom::ray::{LocalRay, RayInput, RayInterval};
use crate::geom::transform::InstanceRay;
use crate::math::float::smaller;
use crate::mesh::{InstancePacket, Mesh};
use crate::query::collect::{AnyHit, ClosestHit, HitCollector, RayCollector};
use crate::scene::{Part, PartGeometry, PartTree};
use crate::simd::Simd;
use crate::tri::{FoundTriangle, LeafSearch, LeafSurface};
use core::ops::ControlFlow;

/// A question in which the holes of a mesh alone decide whether the closest hit on the mesh is accepted.
#[derive(Clone, Copy)]
pub(in crate::query) struct PlainQuery<'a> {
    /// The next two fields are the data of [`View::meets`](crate::query::View).
    pub(in crate::query) layers: u32,
    pub(in crate::query) chosen: Option<&'a dyn Fn(&Part) -> bool>,
    pub(in crate::query) cull: Cull,
    pub(in crate::query) cut_outs: CutOuts,
    /// Prefetches the data with which a hit on a part is reported.
    pub(in crate::query) prefetch_report: &'a dyn Fn(&Part),
}

impl PlainQuery<'_> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::query) fn meets(&self, part: &Part) -> bool {
        part.layers & self.layers != 0 && self.chosen.is_none_or(|chosen| chosen(part))
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::query) fn may_pass_through(&self, mesh: &Mesh) -> bool {
        mesh.has_cut_outs() && self.cut_outs == CutOuts::Open
    }
}

/// Known facts about a part that the question includes and that the ray may touch.
pub(in crate::query) enum KnownHit<'a> {
    Nothing,
    /// The part is a mesh, and this is the closest hit on it, which may be a hole.
    Closest(&'a Mesh, FoundTriangle),
    /// The part is a mesh that is hit, perhaps in a hole.
    Hit(&'a Mesh),
}

/// Handles a part whose hits the code for plain questions cannot decide, given the known facts about the part. Otherwise it works as [`Visit`].
pub(in crate::query) type PartHandler<'a, 'b, C> =
    dyn FnMut(&'a Part, KnownHit<'a>, RayInterval, &mut C) -> ControlFlow<(), f32> + 'b;

/// Calls the visitor with every part in the tree that the ray may touch in its range up to a t.
pub(in crate::query) fn visit_parts_on_ray(
    parts: &PartTree<'_>,
    (ray, t_max): (&LocalRay, f32),
    order: Order,
    visit: &mut Visit<'_>,
) -> ControlFlow<()> {
    parts.traverse(ray, t_max, &mut ItemAdapter { order, prefetch: |number| parts.prefetch(number), visit })
}

/// Tests meshes during the traversal of the tree, in code that is compiled for the instruction set in use. With 10,000
/// instances, that saves 6 to 10 % of a ray's instructions, and up to 6 % of its time.
struct MeshQuery<'a, 'b, 'c, C> {
    parts: &'b PartTree<'a>,
    ray: &'b LocalRay,
    plain: &'b PlainQuery<'b>,
    collector: &'b mut C,
    meet: &'b mut PartHandler<'a, 'c, C>,
}

/// A collector that also asks meshes for their answers during the traversal of the tree.
pub(in crate::query) trait MeshCollector<'a>: RayCollector<FoundPart<'a>> {
    const ORDER: Order;
    type Answer: Copy;

    /// Collects the hits of a ray, up to a t, on the parts in the tree that the question includes.
    // Each type has an implementation of its own, without keys, which is compiled in this crate. A provided method would be
    // compiled in each crate that uses a scene.
    fn search_plain_tree(
        &mut self,
        parts: &PartTree<'a>,
        ray_and_limit: (&LocalRay, f32),
        plain: &PlainQuery<'_>,
        meet: &mut PartHandler<'a, '_, Self>,
    ) -> ControlFlow<()>;

    /// Returns the answer of a mesh to a ray in the mesh's own space; `None` if the ray hits nothing. If `from` is
    /// above 0, no hit is before it.
    fn ask_mesh<S: Simd>(simd: S, mesh: &Mesh, ray: impl RayInput, from: f64, cull: Cull) -> Option<Self::Answer>;

    /// Writes to `answers` the answer of a mesh to each ray of a packet, as [`ask_mesh`](Self::ask_mesh) returns it.
    fn ask_mesh_together<S: Simd>(
        simd: S,
        mesh: &Mesh,
        rays: &InstancePacket<'_>,
        lanes: u64,
        cull: Cull,
        answers: &mut [Option<Self::Answer>; LANES],
    );

    fn known_hit(mesh: &'a Mesh, answer: Self::Answer) -> KnownHit<'a>;

    /// Keeps an accepted answer.
    fn keep_answer(&mut self, part: &'a Part, mesh: &'a Mesh, answer: Self::Answer) -> ControlFlow<()>;
}

impl<'a> MeshCollector<'a> for ClosestHit<FoundPart<'a>> {
    const ORDER: Order = Order::NearToFar;
    type Answer = FoundTriangle;

    fn search_plain_tree(
        &mut self,
        parts: &PartTree<'a>,
        (ray, t_max): (&LocalRay, f32),
        plain: &PlainQuery<'_>,
        meet: &mut PartHandler<'a, '_, Self>,
    ) -> ControlFlow<()> {
        parts.traverse(ray, t_max, &mut MeshQuery { parts, ray, plain, collector: self, meet })
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn ask_mesh<S: Simd>(simd: S, mesh: &Mesh, ray: impl RayInput, from: f64, cull: Cull) -> Option<FoundTriangle> {
        mesh.leaves().closest(simd, ray, from, cull)
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn ask_mesh_together<S: Simd>(
        simd: S,
        mesh: &Mesh,
        rays: &InstancePacket<'_>,
        lanes: u64,
        cull: Cull,
        answers: &mut [Option<FoundTriangle>; LANES],
    ) {
        mesh.closest_together(simd, rays, lanes, cull, answers);
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn known_hit(mesh: &'a Mesh, found: FoundTriangle) -> KnownHit<'a> {
        KnownHit::Closest(mesh, found)
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn keep_answer(&mut self, part: &'a Part, mesh: &'a Mesh, found: FoundTriangle) -> ControlFlow<()> {
        let part_hit = PartHit::Triangle(mesh, found);
        let key = key(part, &part_hit);
        if self.wants(&key) { self.take(key, (part, part_hit)) } else { ControlFlow::Continue(()) }
    }
}

impl<'a> MeshCollector<'a> for AnyHit {
    const ORDER: Order = Order::Any;
    type Answer = ();

    fn search_plain_tree(
        &mut self,
        parts: &PartTree<'a>,
        (ray, t_max): (&LocalRay, f32),
        plain: &PlainQuery<'_>,
        meet: &mut PartHandler<'a, '_, Self>,
    ) -> ControlFlow<()> {
        parts.traverse(ray, t_max, &mut MeshQuery { parts, ray, plain, collector: self, meet })
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn ask_mesh<S: Simd>(simd: S, mesh: &Mesh, ray: impl RayInput, from: f64, cull: Cull) -> Option<()> {
        mesh.leaves().has_any(simd, ray, from, cull).then_some(())
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn ask_mesh_together<S: Simd>(
        simd: S,
        mesh: &Mesh,
        rays: &InstancePacket<'_>,
        lanes: u64,
        cull: Cull,
        answers: &mut [Option<()>; LANES],
    ) {
        let mut blocked = mesh.any_together(simd, rays, lanes, cull);
        while let Some(lane) = take_lowest(&mut blocked) {
            answers[lane] = Some(());
        }
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn known_hit(mesh: &'a Mesh, (): ()) -> KnownHit<'a> {
        KnownHit::Hit(mesh)
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn keep_answer(&mut self, _: &'a Part, _: &'a Mesh, (): ()) -> ControlFlow<()> {
        RayCollector::<FoundPart<'a>>::note(self)
    }
}

impl<'a, C: MeshCollector<'a>> ItemVisitor for MeshQuery<'a, '_, '_, C> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn order(&self) -> Order {
        C::ORDER
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn prefetch(&self, number: u32) {
        self.parts.prefetch(number);
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn visit<S: Simd>(&mut self, simd: S, number: u32, from: f64, limit: f32) -> ControlFlow<(), f32> {
        let Some(part) = self.parts.part(number) else { return ControlFlow::Continue(limit) };
        if !self.plain.meets(part) {
            return ControlFlow::Continue(limit);
        }
        let between = RayInterval { from, limit };
        let PartGeometry::Mesh(mesh) = &part.geometry else {
            return (self.meet)(part, KnownHit::Nothing, between, self.collector);
        };
        let image = InstanceRay { ray: self.ray, to_local: &part.to_local, t_max: limit };
        let Some(answer) = C::ask_mesh(simd, mesh, image, from, self.plain.cull) else {
            return ControlFlow::Continue(limit);
        };
        if self.plain.may_pass_through(mesh) {
            return (self.meet)(part, C::known_hit(mesh, answer), between, self.collector);
        }
        self.collector.keep_answer(part, mesh, answer)?;
        (self.plain.prefetch_report)(part);
        ControlFlow::Continue(smaller(self.collector.limit(), limit))
    }
}
