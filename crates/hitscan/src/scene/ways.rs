//! Rays through a scene's tree. Of scenes of any keys, so that all of it is compiled here.

use super::slab::{Numbered, Slab};
use super::{Part, PartGeometry, VISITED_OF_PART};
use crate::bvh::{DynamicBvh, ItemVisitor, Order, Shown, Slack, Visit};
use crate::filter::Cull;
use crate::mesh::{FoundTriangle, Mesh};
use crate::ray::{Between, LocalRay};
use crate::simd::{Simd, prefetch};
use core::ops::ControlFlow;

/// Of a scene.
#[derive(Clone, Copy)]
pub(crate) struct Ways<'a> {
    pub(super) tree: &'a DynamicBvh,
    pub(super) parts: &'a Slab<Part>,
    /// At least that of every placement in the tree.
    pub(super) slack: f64,
}

/// What decides which hits count, if nothing else does but holes.
#[derive(Clone, Copy)]
pub(crate) struct Plain {
    pub(crate) layers: u32,
    pub(crate) cull: Cull,
}

/// What is known of a part when it is shown.
pub(crate) enum Met<'a> {
    /// The ray may touch it.
    Part,
    /// It is a mesh, and this its closest hit, which may be a hole.
    Closest(&'a Mesh, FoundTriangle),
    /// It is a mesh that is hit, perhaps in a hole.
    Any(&'a Mesh),
}

/// What is done with each of them, as [`Visit`].
pub(crate) type Meet<'a, 'b> = dyn FnMut(u32, Met<'a>, Between) -> ControlFlow<(), f32> + 'b;

impl<'a> Ways<'a> {
    /// Shows every part in the tree that the ray may touch in its range up to a t.
    pub(crate) fn each(self, ray: &LocalRay, t_max: f32, order: Order, visit: &mut Visit<'_>) -> ControlFlow<()> {
        self.traverse(ray, t_max, &mut Shown { order, announce: |part| self.announce(part), visit })
    }

    /// The same, but meshes only with their closest hit, if there is any that counts.
    pub(crate) fn closest(self, ray: &LocalRay, t_max: f32, plain: Plain, meet: &mut Meet<'a, '_>) -> ControlFlow<()> {
        self.traverse(ray, t_max, &mut Meshes { ways: self, ray, plain, meet, ask: Closest })
    }

    /// The same, but of meshes only those that are hit.
    pub(crate) fn any(self, ray: &LocalRay, t_max: f32, plain: Plain, meet: &mut Meet<'a, '_>) -> ControlFlow<()> {
        self.traverse(ray, t_max, &mut Meshes { ways: self, ray, plain, meet, ask: Any })
    }

    #[inline(always)]
    fn traverse(self, ray: &LocalRay, t_max: f32, visitor: &mut impl ItemVisitor) -> ControlFlow<()> {
        self.tree.traverse(ray, t_max, Slack::of_images(self.slack, ray.origin), visitor)
    }

    #[inline(always)]
    fn announce(self, part: u32) {
        prefetch::<VISITED_OF_PART>(self.parts.address(part));
    }
}

/// Asks meshes on the way through the tree, without leaving what is compiled for the instruction set in use.
struct Meshes<'a, 'b, 'c, A> {
    ways: Ways<'a>,
    ray: &'b LocalRay,
    plain: Plain,
    meet: &'b mut Meet<'a, 'c>,
    ask: A,
}

/// What meshes are asked.
trait Ask {
    const ORDER: Order;

    /// A local ray that hits nothing before a t. `None` if it hits nothing.
    fn ask<'a, S: Simd>(&self, simd: S, mesh: &'a Mesh, local: &LocalRay, from: f64, cull: Cull) -> Option<Met<'a>>;
}

struct Closest;

impl Ask for Closest {
    const ORDER: Order = Order::NearToFar;

    #[inline(always)]
    fn ask<'a, S: Simd>(&self, simd: S, mesh: &'a Mesh, local: &LocalRay, from: f64, cull: Cull) -> Option<Met<'a>> {
        Some(Met::Closest(mesh, mesh.closest_with(simd, local, from, cull)?))
    }
}

struct Any;

impl Ask for Any {
    const ORDER: Order = Order::Any;

    #[inline(always)]
    fn ask<'a, S: Simd>(&self, simd: S, mesh: &'a Mesh, local: &LocalRay, from: f64, cull: Cull) -> Option<Met<'a>> {
        if mesh.has_any_with(simd, local, from, cull) { Some(Met::Any(mesh)) } else { None }
    }
}

impl<A: Ask> ItemVisitor for Meshes<'_, '_, '_, A> {
    #[inline(always)]
    fn order(&self) -> Order {
        A::ORDER
    }

    #[inline(always)]
    fn announce(&self, part: u32) {
        self.ways.announce(part);
    }

    #[inline(always)]
    fn visit<S: Simd>(&mut self, simd: S, number: u32, from: f64, limit: f32) -> ControlFlow<(), f32> {
        let Some(part) = self.ways.parts.get(number) else { return ControlFlow::Continue(limit) };
        if part.layers & self.plain.layers == 0 {
            return ControlFlow::Continue(limit);
        }
        let met = match &part.geometry {
            PartGeometry::Mesh(mesh) => {
                let local = self.ray.up_to(limit, &part.to_local);
                self.ask.ask(simd, mesh, &local, from, self.plain.cull)
            }
            _ => Some(Met::Part),
        };
        match met {
            Some(met) => (self.meet)(number, met, Between { from, limit }),
            None => ControlFlow::Continue(limit),
        }
    }
}
