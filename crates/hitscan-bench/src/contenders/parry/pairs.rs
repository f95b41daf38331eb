//! Pairs of boxes by the tree of the crate parry3d, which is tested against itself.

use crate::contenders::Overlaps;
use hitscan::glam::DVec3;
use parry3d::bounding_volume::Aabb;
use parry3d::math::Vector;
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};

/// The number of frames between optimisations, as in the documentation of parry3d.
const FRAMES: usize = 5;

pub(crate) struct Boxes {
    tree: Bvh,
    workspace: BvhWorkspace,
    radii: Vec<f64>,
    frame: usize,
    pairs: Vec<(u32, u32)>,
}

impl Boxes {
    pub(crate) fn new(balls: &[(DVec3, f64)]) -> Self {
        let boxes: Vec<Aabb> = balls.iter().map(|(center, radius)| around(*center, *radius)).collect();
        let tree = Bvh::from_leaves(BvhBuildStrategy::default(), &boxes);
        let radii = balls.iter().map(|(_, radius)| *radius).collect();
        Self { tree, workspace: BvhWorkspace::default(), radii, frame: 0, pairs: Vec::new() }
    }
}

fn around(center: DVec3, radius: f64) -> Aabb {
    let corner = |v: DVec3| Vector::new(v.x as f32, v.y as f32, v.z as f32);
    Aabb::new(corner(center - radius), corner(center + radius))
}

impl Overlaps for Boxes {
    fn set(&mut self, places: &[DVec3]) {
        for (leaf, (place, radius)) in places.iter().zip(&self.radii).enumerate() {
            self.tree.insert_or_update_partially(around(*place, *radius), leaf as u32, 0.0);
        }
        self.frame += 1;
        if self.frame.is_multiple_of(FRAMES) {
            self.tree.optimize_incremental(&mut self.workspace);
        }
        self.tree.refit(&mut self.workspace);
    }

    fn find(&mut self) -> usize {
        self.pairs.clear();
        let pairs = &mut self.pairs;
        self.tree.traverse_bvtt_single_tree::<false>(&mut self.workspace, &mut |a, b| pairs.push((a, b)));
        self.pairs.len()
    }

    fn sorted(&self) -> Vec<(u32, u32)> {
        let mut pairs: Vec<_> = self.pairs.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
        pairs.sort_unstable();
        pairs
    }
}
