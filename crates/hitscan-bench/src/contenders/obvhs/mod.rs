//! The crate obvhs: its binary tree and its compressed 8-wide tree. Both are built by its slowest preset, with the
//! triangles in the order of the tree. The binary tree is also used over instances.

mod built;
mod world;

use super::contender::{Contender, Hit, Refit, Tree, World};
use super::workers::Workers;
use crate::scenes::{Instances, Soup};
use anyhow::{Result, bail};
use built::{Built, built, reordered, triangles};
use obvhs::bvh2::builder::build_bvh2_from_tris;
use obvhs::cwbvh::builder::build_cwbvh_from_tris;
use obvhs::rt_triangle::RtTriangle;
use obvhs::{BvhBuildParams, aabb::Aabb};
use std::time::Duration;
use world::{InstanceTree, Upkeep};

pub(super) struct Bvh2;
/// The binary tree over instances, which is updated by [`Upkeep::Refit`].
pub(super) struct RefittedBvh2;
pub(super) struct CwBvh;

impl Contender for Bvh2 {
    fn name(&self) -> &'static str {
        "obvhs Bvh2"
    }

    fn build<'a>(&self, soup: &'a Soup, workers: &Workers) -> Result<Box<dyn Tree + 'a>> {
        Ok(Box::new(workers.pool.install(|| built(soup))))
    }

    fn refittable<'a>(&self, soup: &'a Soup, workers: &Workers) -> Result<Option<Box<dyn Refit + 'a>>> {
        Ok(Some(Box::new(workers.pool.install(|| {
            // The preset is the finest one without spatial splits, because a tree with splits cannot be refitted.
            let source = triangles(soup);
            let bvh = build_bvh2_from_tris(&source, BvhBuildParams::medium_build(), &mut Duration::default());
            let triangles = reordered(&source, &bvh.primitive_indices);
            Refittable { built: Built { bvh, triangles }, indices: soup.triangles().collect() }
        }))))
    }

    fn world<'a>(&self, instances: &'a Instances, workers: &Workers) -> Result<Option<Box<dyn World + 'a>>> {
        Ok(Some(Box::new(workers.pool.install(|| InstanceTree::new(instances, Upkeep::Rebuild)))))
    }
}

impl Contender for RefittedBvh2 {
    fn name(&self) -> &'static str {
        "obvhs Bvh2 refit"
    }

    fn takes(&self, _triangles: usize) -> bool {
        false
    }

    fn build<'a>(&self, _soup: &'a Soup, _workers: &Workers) -> Result<Box<dyn Tree + 'a>> {
        bail!("a mesh at rest is the same as in obvhs Bvh2")
    }

    fn world<'a>(&self, instances: &'a Instances, workers: &Workers) -> Result<Option<Box<dyn World + 'a>>> {
        Ok(Some(Box::new(workers.pool.install(|| InstanceTree::new(instances, Upkeep::Refit)))))
    }
}

impl Contender for CwBvh {
    fn name(&self) -> &'static str {
        "obvhs CwBvh"
    }

    fn build<'a>(&self, soup: &'a Soup, workers: &Workers) -> Result<Box<dyn Tree + 'a>> {
        Ok(Box::new(workers.pool.install(|| {
            let source = triangles(soup);
            let bvh = build_cwbvh_from_tris(&source, BvhBuildParams::very_slow_build(), &mut Duration::default());
            Built { triangles: reordered(&source, &bvh.primitive_indices), bvh }
        })))
    }
}

struct Refittable {
    built: Built<obvhs::bvh2::Bvh2>,
    indices: Vec<[u32; 3]>,
}

impl Tree for Refittable {
    fn closest(&self, ray: &hitscan::Ray) -> Option<Hit> {
        self.built.closest(ray)
    }

    fn any(&self, ray: &hitscan::Ray) -> bool {
        self.built.any(ray)
    }

    fn shared(&self) -> Option<&(dyn Tree + Sync)> {
        Some(self)
    }
}

impl Refit for Refittable {
    fn refit(&mut self, positions: &[[f32; 3]]) {
        let Built { bvh, triangles } = &mut self.built;
        for (triangle, &index) in triangles.iter_mut().zip(&bvh.primitive_indices) {
            let [a, b, c] = self.indices[index as usize].map(|vertex| positions[vertex as usize].into());
            *triangle = RtTriangle::new(a, b, c);
        }
        for node in bvh.nodes.iter_mut().filter(|node| node.is_leaf()) {
            let first = node.first_index as usize;
            let leaf = &triangles[first..first + node.prim_count as usize];
            let bounds = leaf.iter().fold(Aabb::empty(), |bounds, triangle| bounds.union(&triangle.aabb()));
            node.set_aabb(bounds);
        }
        bvh.refit_all();
    }
}
