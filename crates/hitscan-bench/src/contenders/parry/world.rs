//! The dynamic tree of the crate parry3d over the boxes of instances.

use super::mesh::{converted, mesh};
use crate::contenders::contender::{Hit, Tree, World};
use crate::contenders::placed::{Extent, Placed};
use crate::scenes::{Instances, Move};
use anyhow::Result;
use hitscan::Ray;
use parry3d::bounding_volume::Aabb;
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use parry3d::shape::TriMesh;
use std::cell::Cell;

/// If less than one in this many instances moves, the moves are inserted one by one, as in rapier.
const FEW: usize = 16;
/// The number of frames between optimisations, as in the documentation of parry3d.
const FRAMES: usize = 5;

pub(super) struct InstanceTree {
    meshes: Vec<TriMesh>,
    extents: Vec<Extent>,
    placed: Vec<Placed>,
    tree: Bvh,
    workspace: BvhWorkspace,
    frame: usize,
}

impl InstanceTree {
    pub(super) fn new(instances: &Instances) -> Result<Self> {
        let extents: Vec<Extent> = instances.meshes.iter().map(Extent::of).collect();
        let place = |instance: &crate::scenes::Placement| {
            let (placed, extent) = Placed::new(instance.mesh, &extents[instance.mesh], &instance.transform());
            (placed, aabb(&extent))
        };
        let (placed, boxes): (Vec<Placed>, Vec<Aabb>) = instances.placements.iter().map(place).unzip();
        let tree = Bvh::from_leaves(BvhBuildStrategy::default(), &boxes);
        let meshes = instances.meshes.iter().map(mesh).collect::<Result<_>>()?;
        Ok(Self { meshes, extents, placed, tree, workspace: BvhWorkspace::default(), frame: 0 })
    }

    fn place(&mut self, moved: &Move) -> Aabb {
        let placed = &mut self.placed[moved.instance];
        let (place, extent) = Placed::new(placed.mesh, &self.extents[placed.mesh], &moved.transform);
        *placed = place;
        aabb(&extent)
    }

    fn update_few(&mut self, moves: &[Move]) {
        for moved in moves {
            let around = self.place(moved);
            self.tree.reinsert_or_update_with_change_detection(around, moved.instance as u32, 0.0);
        }
    }

    /// Moves many instances. The order of steps is the same as in rapier. After the optimisation, some boxes must be
    /// refitted.
    fn update_many(&mut self, moves: &[Move]) {
        for moved in moves {
            let around = self.place(moved);
            self.tree.insert_or_update_partially(around, moved.instance as u32, 0.0);
        }
        self.frame += 1;
        if self.frame.is_multiple_of(FRAMES) {
            self.tree.optimize_incremental(&mut self.workspace);
        }
        self.tree.refit(&mut self.workspace);
    }
}

fn aabb(extent: &Extent) -> Aabb {
    let [min, max] = extent.corners().map(|corner| corner.to_array().into());
    Aabb::new(min, max)
}

impl Tree for InstanceTree {
    fn closest(&self, ray: &Ray) -> Option<Hit> {
        // The last call that returns a hit returns the closest hit.
        let triangle = Cell::new(0);
        let cast = |instance: u32, t_max: f32| {
            let placed = &self.placed[instance as usize];
            let hit = self.meshes[placed.mesh].closest(&placed.local(ray, t_max))?;
            triangle.set(hit.triangle);
            Some(hit.t)
        };
        let (_, t) = self.tree.cast_ray(&converted(ray), ray.t_max, cast)?;
        Some(Hit { t, triangle: triangle.get() })
    }

    fn any(&self, ray: &Ray) -> bool {
        let world = converted(ray);
        self.tree.leaves(|node| node.cast_ray(&world, ray.t_max) != f32::MAX).any(|instance| {
            let placed = &self.placed[instance as usize];
            self.meshes[placed.mesh].any(&placed.local(ray, ray.t_max))
        })
    }

    fn shared(&self) -> Option<&(dyn Tree + Sync)> {
        Some(self)
    }
}

impl World for InstanceTree {
    fn update(&mut self, moves: &[Move]) {
        if moves.len() * FEW < self.placed.len() { self.update_few(moves) } else { self.update_many(moves) }
    }

    fn readiness(&self) -> &'static str {
        "inverse and box of each in f32; insert_or_update_partially, refit, every fifth time optimize_incremental where many move, \
         else reinsert_or_update of each"
    }
}
