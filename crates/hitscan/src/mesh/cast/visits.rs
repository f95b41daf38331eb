//! The traversal of a mesh's tree by a ray, for display.

use crate::bvh::{Slack, VisitedBox, Visitor};
use crate::geom::culling::Cull;
use crate::geom::ray::{LocalRay, Ray};
use crate::math::float::inverse_power_of_two;
use crate::mesh::{Mesh, MeshData};
use crate::simd::{Simd, dispatch};
use crate::tri::{NearestHit, TriangleSearch};
use alloc::vec::Vec;
use core::ops::ControlFlow;

/// The work of a cast at the leaves.
struct RecordedCast<'a, S: Simd> {
    search: TriangleSearch<'a, MeshData, S, &'a LocalRay>,
    best: Option<NearestHit>,
}

impl<S: Simd> Visitor for RecordedCast<'_, S> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn visit(&mut self, leaf: u32, _: f32, limit: f32) -> ControlFlow<(), f32> {
        self.search.visit_nearest(Cull::None, &mut self.best, leaf, limit)
    }
}

impl Mesh {
    /// Returns the unit of the tree's coordinates, and the nodes and leaves that a cast visits, in this order. Holes
    /// are treated as surface.
    pub(crate) fn visits(&self, ray: &Ray) -> (f64, Vec<VisitedBox>) {
        let shared = &*self.shared;
        let unit = inverse_power_of_two(shared.frame.scale);
        let Some(ray) = LocalRay::new(ray) else { return (unit, Vec::new()) };
        let ray = &ray;
        (unit, dispatch!(simd => shared.visits(simd, ray)))
    }
}

impl MeshData {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn visits<S: Simd>(&self, simd: S, ray: &LocalRay) -> Vec<VisitedBox> {
        let Some(framed) = self.frame.ray(simd, ray, 0.0, Slack::NONE) else { return Vec::new() };
        let limit = framed.limit(framed.t_max);
        let mut closest = RecordedCast { search: TriangleSearch::new(self, simd, ray, &framed), best: None };
        let crowded = self.frame.crowded_ray(ray);
        self.tree.traverse_recorded(simd, (&framed, crowded.as_ref()), limit, &mut closest)
    }
}
