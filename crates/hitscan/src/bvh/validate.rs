//! What must hold of a tree, checked in tests, and the tests of the tree itself.

use super::{Bvh, Kind, Probe};
use crate::aabb::Aabb;
use crate::ray::{LocalRay, Ray};
use alloc::vec::Vec;
use core::ops::ControlFlow;
use glam::Vec3;
use proptest::prelude::*;

impl Bvh {
    /// Every item is in exactly one leaf, links agree both ways, each box is its children's union, and no node is lost.
    fn validate(&self, items: &[(u32, Aabb)]) {
        let mut found = Vec::new();
        let mut visited = 0;
        let mut stack: Vec<(u32, Option<u32>)> = self.root.map(|root| (root, None)).into_iter().collect();
        while let Some((index, parent)) = stack.pop() {
            let node = self.node(index);
            visited += 1;
            assert_eq!(node.parent, parent);
            match node.kind {
                Kind::Leaf(item) => {
                    assert_eq!(self.leaf_of[item as usize], Some(index));
                    found.push((item, node.bounds));
                }
                Kind::Inner([left, right]) => {
                    assert_eq!(node.bounds, self.node(left).bounds.union(&self.node(right).bounds));
                    assert_eq!(node.height, 1 + self.node(left).height.max(self.node(right).height));
                    stack.extend([left, right].map(|child| (child, Some(index))));
                }
            }
        }
        assert_eq!(visited + self.free.len(), self.nodes.len());
        assert_eq!(self.len(), items.len());
        assert_eq!(self.items().count(), items.len());
        let sorted = |items: &[(u32, Aabb)]| {
            let mut items = items.to_vec();
            items.sort_by_key(|(item, _)| *item);
            items
        };
        assert_eq!(sorted(&found), sorted(items));
    }
}

fn coordinate() -> impl Strategy<Value = f32> {
    prop_oneof![(-3i8..=3).prop_map(f32::from), -1e3f32..1e3, (-1e30f32..1e30)]
}

fn aabb() -> impl Strategy<Value = Aabb> {
    let corner = || [coordinate(), coordinate(), coordinate()].prop_map(Vec3::from_array);
    (corner(), corner()).prop_map(|(a, b)| Aabb::from_points([a, b]))
}

fn visited(tree: &Bvh, ray: &Ray) -> Vec<u32> {
    let mut items = Vec::new();
    if let Some(ray) = LocalRay::new(ray) {
        let _ = tree.traverse(&Probe::new(&ray, 0.0), |item, limit| {
            items.push(item);
            ControlFlow::Continue(limit)
        });
    }
    items.sort_unstable();
    items
}

proptest! {
    #[test]
    fn built_trees_are_sound(boxes in prop::collection::vec(aabb(), 0..200)) {
        let items: Vec<(u32, Aabb)> = (0..).zip(boxes).collect();
        Bvh::build(items.iter().copied()).validate(&items);
    }

    #[test]
    fn changed_trees_stay_sound(steps in prop::collection::vec((0u32..40, prop::option::of(aabb())), 0..200)) {
        let mut tree = Bvh::default();
        let mut items: Vec<(u32, Aabb)> = Vec::new();
        for (item, change) in steps {
            items.retain(|(i, _)| *i != item);
            match change {
                Some(bounds) => {
                    tree.set(item, bounds);
                    items.push((item, bounds));
                }
                None => _ = tree.remove(item),
            }
            tree.validate(&items);
        }
    }

    /// Against the exact box test of the shape.
    #[test]
    fn no_touched_box_is_passed_over(
        boxes in prop::collection::vec(aabb(), 1..60),
        origin in [coordinate(), coordinate(), coordinate()],
        direction in [coordinate(), coordinate(), coordinate()],
    ) {
        let items: Vec<(u32, Aabb)> = (0..).zip(boxes).collect();
        let tree = Bvh::build(items.iter().copied());
        let ray = Ray::with_direction(origin, direction);
        let visited = visited(&tree, &ray);
        for (item, aabb) in &items {
            prop_assert!(!aabb.is_blocked(&ray) || visited.contains(item), "{item} {aabb:?}");
        }
    }
}

#[test]
fn coincident_boxes_build_a_balanced_tree() {
    let items: Vec<(u32, Aabb)> = (0..100_000).map(|i| (i, Aabb::new(Vec3::ZERO, Vec3::ONE))).collect();
    let tree = Bvh::build(items.iter().copied());
    tree.validate(&items);
    assert!(tree.stats().depth <= 17);
}

#[test]
fn concentric_boxes_of_every_scale_build_fast_and_shallow() {
    let size = |i: u32| f32::from_bits(i * 20_000 + 1);
    let items: Vec<(u32, Aabb)> =
        (0..100_000).map(|i| (i, Aabb::from_center_size(Vec3::ZERO, Vec3::splat(size(i))))).collect();
    let tree = Bvh::build(items.iter().copied());
    assert!(tree.stats().depth <= 64 + 17);
}

/// Entities parked in one place, or nested in one another: the worst for a tree that goes by area alone.
#[test]
fn coincident_and_nested_boxes_stay_shallow_one_by_one() {
    let sizes: [fn(u32) -> f32; 3] = [|_| 1.0, |i| 1.0 + i as f32, |i| 20_000.0 - i as f32];
    for size in sizes {
        let mut tree = Bvh::default();
        let items: Vec<(u32, Aabb)> =
            (0..10_000).map(|i| (i, Aabb::from_center_size(Vec3::ZERO, Vec3::splat(size(i))))).collect();
        items.iter().for_each(|&(item, bounds)| tree.set(item, bounds));
        tree.validate(&items);
        assert!(tree.stats().depth <= 48, "{}", tree.stats().depth);
    }
}
