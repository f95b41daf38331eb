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
        self.traverse(ray, t_max, &mut ClosestOnMeshes(Meshes { ways: self, ray, plain, meet }))
    }

    /// The same, but of meshes only those that are hit.
    pub(crate) fn any(self, ray: &LocalRay, t_max: f32, plain: Plain, meet: &mut Meet<'a, '_>) -> ControlFlow<()> {
        self.traverse(ray, t_max, &mut AnyOnMeshes(Meshes { ways: self, ray, plain, meet }))
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

/// Meshes are asked on the way through the tree, without leaving what is compiled for the instruction set in use.
struct Meshes<'a, 'b, 'c> {
    ways: Ways<'a>,
    ray: &'b LocalRay,
    plain: Plain,
    meet: &'b mut Meet<'a, 'c>,
}

struct ClosestOnMeshes<'a, 'b, 'c>(Meshes<'a, 'b, 'c>);
struct AnyOnMeshes<'a, 'b, 'c>(Meshes<'a, 'b, 'c>);

impl<'a> Meshes<'a, '_, '_> {
    /// A part that the question is about.
    #[inline(always)]
    fn part(&self, number: u32) -> Option<&'a Part> {
        self.ways.parts.get(number).filter(|part| part.layers & self.plain.layers != 0)
    }
}

impl ItemVisitor for ClosestOnMeshes<'_, '_, '_> {
    #[inline(always)]
    fn order(&self) -> Order {
        Order::NearToFar
    }

    #[inline(always)]
    fn announce(&self, part: u32) {
        self.0.ways.announce(part);
    }

    #[inline(always)]
    fn visit<S: Simd>(&mut self, simd: S, number: u32, from: f64, limit: f32) -> ControlFlow<(), f32> {
        let Some(part) = self.0.part(number) else { return ControlFlow::Continue(limit) };
        let between = Between { from, limit };
        let PartGeometry::Mesh(mesh) = &part.geometry else { return (self.0.meet)(number, Met::Part, between) };
        match mesh.closest_with(simd, &self.0.ray.up_to(limit, &part.to_local), from, self.0.plain.cull) {
            Some(found) => (self.0.meet)(number, Met::Closest(mesh, found), between),
            None => ControlFlow::Continue(limit),
        }
    }
}

impl ItemVisitor for AnyOnMeshes<'_, '_, '_> {
    #[inline(always)]
    fn order(&self) -> Order {
        Order::Any
    }

    #[inline(always)]
    fn announce(&self, part: u32) {
        self.0.ways.announce(part);
    }

    #[inline(always)]
    fn visit<S: Simd>(&mut self, simd: S, number: u32, from: f64, limit: f32) -> ControlFlow<(), f32> {
        let Some(part) = self.0.part(number) else { return ControlFlow::Continue(limit) };
        let between = Between { from, limit };
        let PartGeometry::Mesh(mesh) = &part.geometry else { return (self.0.meet)(number, Met::Part, between) };
        if mesh.has_any_with(simd, &self.0.ray.up_to(limit, &part.to_local), from, self.0.plain.cull) {
            (self.0.meet)(number, Met::Any(mesh), between)
        } else {
            ControlFlow::Continue(limit)
        }
    }
}
