//! The binary tree of the crate obvhs over the boxes of instances. The meshes have such trees, too.

use super::built::{Built, built, converted};
use crate::contenders::contender::{Hit, Tree, World};
use crate::contenders::placed::{Extent, Placed};
use crate::scenes::{Instances, Move};
use hitscan::Ray;
use obvhs::BvhBuildParams;
use obvhs::aabb::Aabb;
use obvhs::bvh2::{Bvh2, builder::build_bvh2};
use obvhs::ploc::{PlocBuilder, PlocSearchDistance, SortPrecision};
use obvhs::ray::{Ray as ObvhsRay, RayHit};
use std::time::Duration;

/// The method by which a tree is updated for moving instances. The library's example of a moving world has both.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Upkeep {
    /// For many moves, the tree is rebuilt by the fastest build, as the example does by default. For few moves, `move_primitive` is used.
    Rebuild,
    /// For many moves, `refit_all` is used. For few moves, `resize_node` and `reinsert_node` are used.
    Refit,
}

/// Moves are made one by one if less than one in this many instances moves.
const FEW: usize = 8;

/// The preset of the first build: the finest one without spatial splits, with an instance in each leaf.
const AT_FIRST: BvhBuildParams = BvhBuildParams { max_prims_per_leaf: 1, ..BvhBuildParams::medium_build() };

pub(super) struct InstanceTree {
    meshes: Vec<Built<Bvh2>>,
    extents: Vec<Extent>,
    placed: Vec<Placed>,
    /// The boxes of the instances.
    boxes: Vec<Aabb>,
    tree: Bvh2,
    builder: PlocBuilder,
    upkeep: Upkeep,
}

impl InstanceTree {
    pub(super) fn new(instances: &Instances, upkeep: Upkeep) -> Self {
        let extents: Vec<Extent> = instances.meshes.iter().map(Extent::of).collect();
        let placements = instances.placements.iter();
        let (placed, boxes): (Vec<Placed>, Vec<Aabb>) = placements
            .map(|instance| {
                let placed = Placed::new(instance.mesh, &extents[instance.mesh], &instance.transform());
                (placed.0, aabb(&placed.1))
            })
            .unzip();
        let tree = build_bvh2(&boxes, AT_FIRST, &mut Duration::default());
        let meshes = instances.meshes.iter().map(built).collect();
        let mut built = Self { meshes, extents, placed, boxes, tree, builder: PlocBuilder::new(), upkeep };
        built.link();
        built
    }

    /// Links nodes to parents and instances to nodes, which single moves need.
    fn link(&mut self) {
        self.tree.init_parents_if_uninit();
        self.tree.init_primitives_to_nodes_if_uninit();
    }

    fn place(&mut self, moved: &Move) {
        let placed = &mut self.placed[moved.instance];
        let (place, extent) = Placed::new(placed.mesh, &self.extents[placed.mesh], &moved.transform);
        *placed = place;
        self.boxes[moved.instance] = aabb(&extent);
    }

    fn node(&self, moved: &Move) -> usize {
        self.tree.primitives_to_nodes[moved.instance] as usize
    }

    fn update_few(&mut self, moves: &[Move]) {
        self.link();
        for moved in moves {
            self.place(moved);
            let around = self.boxes[moved.instance];
            match self.upkeep {
                Upkeep::Rebuild => {
                    self.tree.move_primitive(around, moved.instance as u32);
                }
                Upkeep::Refit => {
                    let node = self.node(moved);
                    self.tree.resize_node(node, around);
                    self.tree.reinsert_node(node);
                }
            }
        }
    }

    fn update_many(&mut self, moves: &[Move]) {
        moves.iter().for_each(|moved| self.place(moved));
        match self.upkeep {
            Upkeep::Rebuild => {
                let indices = (0..self.boxes.len() as u32).collect();
                let (search, precision) = (PlocSearchDistance::Minimum, SortPrecision::U64);
                self.builder.build_with_bvh(&mut self.tree, search, &self.boxes, indices, precision, 0);
            }
            Upkeep::Refit => {
                self.link();
                for moved in moves {
                    let node = self.node(moved);
                    self.tree.nodes[node].set_aabb(self.boxes[moved.instance]);
                }
                self.tree.refit_all();
            }
        }
    }

    fn instance(&self, reference: usize) -> &Placed {
        &self.placed[self.tree.primitive_indices[reference] as usize]
    }
}

fn aabb(extent: &Extent) -> Aabb {
    let [min, max] = extent.corners().map(|corner| corner.to_array().into());
    Aabb::new(min, max)
}

impl Tree for InstanceTree {
    fn closest(&self, ray: &Ray) -> Option<Hit> {
        let mut found = None;
        let intersect = |world: &ObvhsRay, reference: usize| {
            let placed = self.instance(reference);
            let hit = self.meshes[placed.mesh].closest(&placed.local(ray, world.tmax));
            hit.filter(|hit| hit.t < world.tmax).map_or(f32::INFINITY, |hit| {
                found = Some(hit);
                hit.t
            })
        };
        self.tree.ray_traverse(converted(ray), &mut RayHit::none(), intersect);
        found
    }

    fn any(&self, ray: &Ray) -> bool {
        let intersect = |_: &ObvhsRay, reference: usize| {
            let placed = self.instance(reference);
            if self.meshes[placed.mesh].any(&placed.local(ray, ray.t_max)) { f32::NEG_INFINITY } else { f32::INFINITY }
        };
        !self.tree.ray_traverse_miss(converted(ray), intersect)
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
        match self.upkeep {
            Upkeep::Rebuild => {
                "inverse and box of each in f32; its fastest build over all boxes where many move, else move_primitive of each"
            }
            Upkeep::Refit => {
                "inverse and box of each in f32; refit_all where many move, else resize_node and reinsert_node of each"
            }
        }
    }
}
