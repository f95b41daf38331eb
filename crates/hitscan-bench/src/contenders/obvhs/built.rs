//! A tree of the crate obvhs, with its triangles.

use crate::contenders::contender::{Hit, Tree};
use crate::scenes::Soup;
use obvhs::BvhBuildParams;
use obvhs::bvh2::builder::build_bvh2_from_tris;
use obvhs::ray::{Ray as ObvhsRay, RayHit};
use obvhs::rt_triangle::RtTriangle;
use obvhs::triangle::Triangle;
use std::time::Duration;

pub(super) struct Built<B> {
    pub(super) bvh: B,
    /// The triangles in the order of the tree's references.
    pub(super) triangles: Vec<RtTriangle>,
}

pub(super) fn built(soup: &Soup) -> Built<obvhs::bvh2::Bvh2> {
    let source = triangles(soup);
    let bvh = build_bvh2_from_tris(&source, BvhBuildParams::very_slow_build(), &mut Duration::default());
    Built { triangles: reordered(&source, &bvh.primitive_indices), bvh }
}

pub(super) fn triangles(soup: &Soup) -> Vec<Triangle> {
    let triangle = |[a, b, c]: [[f32; 3]; 3]| Triangle { v0: a.into(), v1: b.into(), v2: c.into() };
    soup.corners().map(triangle).collect()
}

pub(super) fn reordered(triangles: &[Triangle], order: &[u32]) -> Vec<RtTriangle> {
    order.iter().map(|&index| RtTriangle::from(&triangles[index as usize])).collect()
}

pub(super) fn converted(ray: &hitscan::Ray) -> ObvhsRay {
    ObvhsRay::new(ray.origin.to_array().into(), ray.direction.to_array().into(), ray.t_min, ray.t_max)
}

/// The two trees have the same methods but no common trait.
macro_rules! tree {
    ($bvh:ty) => {
        impl Tree for Built<$bvh> {
            fn closest(&self, ray: &hitscan::Ray) -> Option<Hit> {
                let mut hit = RayHit::none();
                let intersect = |ray: &ObvhsRay, reference: usize| self.triangles[reference].intersect(ray);
                self.bvh.ray_traverse(converted(ray), &mut hit, intersect).then(|| {
                    let triangle = self.bvh.primitive_indices[hit.primitive_id as usize];
                    Hit { t: hit.t, triangle }
                })
            }

            fn any(&self, ray: &hitscan::Ray) -> bool {
                let intersect = |ray: &ObvhsRay, reference: usize| self.triangles[reference].intersect(ray);
                !self.bvh.ray_traverse_miss(converted(ray), intersect)
            }

            fn shared(&self) -> Option<&(dyn Tree + Sync)> {
                Some(self)
            }
        }
    };
}

tree!(obvhs::bvh2::Bvh2);

tree!(obvhs::cwbvh::CwBvh);
