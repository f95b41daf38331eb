//! Properties that must hold for a tree, checked in tests, and the tests of the tree itself.

use super::{ChildSlot, DynamicBvh, ItemAdapter, Links, Order, ROOT, Visit, WIDTH};
use crate::bvh::builder::Link;
use crate::geom::aabb::{Aabb, Extent};
use crate::geom::ray::{LocalRay, Ray};
use crate::simd::SimdLevel;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::ControlFlow;
use glam::{DVec3, Vec3};
use proptest::prelude::*;

impl DynamicBvh {
    /// Checks the whole tree. Every item is in exactly one place, links agree in both directions, and no node is lost. Children come first in a node, and
    /// heights are right. Boxes contain their contents and are no larger than they must be.
    fn validate(&self, items: &[(u32, Extent)]) {
        let mut visited = 0;
        let mut found = vec![];
        let mut stack: Vec<u32> = (0..self.nodes.len().min(1) as u32).collect();
        while let Some(node) = stack.pop() {
            visited += 1;
            let (Links { height, parent, .. }, count) = (self.node(node).links, self.count(node));
            assert_eq!(parent.is_none(), node == ROOT);
            assert!(count >= 2 || node == ROOT, "{count} children");
            assert_eq!(height, 1 + self.children(node).map(|child| self.height(child.link)).max().unwrap_or(0));
            for index in 0..WIDTH {
                let at = ChildSlot::new(node, index);
                let child = self.child(at);
                assert_eq!(child.bounds.is_empty(), index >= count);
                match child.link {
                    _ if index >= count => {}
                    Link::Leaf(item) => {
                        assert_eq!(self.place_of(item), Some(at));
                        found.push((item, child.bounds));
                    }
                    Link::Node(below) => {
                        assert_eq!(self.parent(below), Some(at));
                        assert_eq!(child.bounds, self.node(below).bounds());
                        stack.push(below);
                    }
                }
            }
        }
        // `reach` is exact. So one item that was far away does not make all others small forever.
        assert_eq!(
            self.reach,
            super::reach(&self.nodes.get(ROOT as usize).map_or(Aabb::EMPTY, crate::bvh::node::Node::bounds))
        );
        assert_eq!(visited + self.free.len(), self.nodes.len());
        assert_eq!((found.len(), self.len()), (items.len(), items.len()));
        assert_eq!(self.places.iter().flatten().count(), items.len());
        found.sort_by_key(|(item, _)| *item);
        let mut items = items.to_vec();
        items.sort_by_key(|(item, _)| *item);
        for ((item, bounds), (own, extent)) in found.iter().zip(&items) {
            assert_eq!(item, own);
            let (low, high) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
            for axis in 0..3 {
                let is_below = |a: f64, b: f64| crate::math::float::sum_down(b, -a) >= 0.0;
                assert!(is_below(low[axis] + self.origin[axis], extent.low[axis].next_up()), "{bounds:?} {extent:?}");
                assert!(
                    is_below(extent.high[axis].next_down(), high[axis] + self.origin[axis]),
                    "{bounds:?} {extent:?}"
                );
            }
            assert!(low.abs().max(high.abs()).max_element() <= f64::from(self.unit()));
        }
    }
}

fn coordinate() -> impl Strategy<Value = f32> {
    prop_oneof![(-3i8..=3).prop_map(f32::from), -1e3f32..1e3, (-1e30f32..1e30), (-1e-30f32..1e-30)]
}

fn aabb() -> impl Strategy<Value = Aabb> {
    let corner = || [coordinate(), coordinate(), coordinate()].prop_map(Vec3::from_array);
    (corner(), corner()).prop_map(|(a, b)| Aabb::from_points([a, b]))
}

fn extent(aabb: &Aabb) -> Extent {
    Extent { low: aabb.min.as_dvec3(), high: aabb.max.as_dvec3() }
}

fn numbered(boxes: &[Aabb]) -> Vec<(u32, Extent)> {
    (0..).zip(boxes.iter().map(extent)).collect()
}

fn show(tree: &DynamicBvh, ray: &LocalRay, order: Order, visit: &mut Visit<'_>) -> ControlFlow<()> {
    tree.traverse(ray, ray.t_max, 0.0, &mut ItemAdapter { order, prefetch: |_| (), visit })
}

fn visited(tree: &DynamicBvh, ray: &Ray) -> Vec<u32> {
    let mut items = Vec::new();
    if let Some(ray) = LocalRay::new(ray) {
        let _ = show(tree, &ray, Order::NearToFar, &mut |item, _, limit| {
            items.push(item);
            ControlFlow::Continue(limit)
        });
    }
    items.sort_unstable();
    items
}

/// Runs the check with each available instruction set. The best one stays selected.
fn on_every_level(mut check: impl FnMut()) {
    for level in SimdLevel::available() {
        level.select().unwrap();
        check();
    }
}

proptest! {
    #[test]
    fn built_trees_are_sound(boxes in prop::collection::vec(aabb(), 0..200)) {
        let items = numbered(&boxes);
        DynamicBvh::build(&items).validate(&items);
    }

    #[test]
    fn changed_trees_stay_sound(
        built in prop::collection::vec(aabb(), 0..60),
        steps in prop::collection::vec((0u32..60, prop::option::of(aabb())), 0..300),
    ) {
        let mut items = numbered(&built);
        let mut tree = DynamicBvh::build(&items);
        for (item, change) in steps {
            items.retain(|(i, _)| *i != item);
            match change {
                Some(bounds) => {
                    tree.set(item, &extent(&bounds));
                    items.push((item, extent(&bounds)));
                }
                None => _ = tree.remove(item),
            }
            tree.validate(&items);
        }
    }

    #[test]
    fn trees_moved_at_once_stay_sound(
        boxes in prop::collection::vec((aabb(), prop::option::of(aabb())), 1..100),
        added in prop::collection::vec(aabb(), 0..50),
    ) {
        let (before, moved): (Vec<_>, Vec<_>) = boxes.iter().copied().unzip();
        let mut items = numbered(&before);
        let mut tree = DynamicBvh::build(&items);
        for (item, bounds) in (items.len() as u32..).zip(&added) {
            tree.set(item, &extent(bounds));
            items.push((item, extent(bounds)));
        }
        let moves: Vec<_> = (0..).zip(moved).filter_map(|(item, moved)| Some((item, extent(&moved?)))).collect();
        let mut moving = tree.moving();
        moves.iter().for_each(|(item, extent)| moving.set(*item, extent));
        tree.fit();
        for (item, extent) in moves {
            items[item as usize].1 = extent;
        }
        tree.validate(&items);
    }

    /// The traversal is compared with the exact test of a ray against `Aabb` as a shape.
    #[test]
    fn no_touched_box_is_passed_over(
        built in prop::collection::vec(aabb(), 0..60),
        set in prop::collection::vec((0u32..80, aabb()), 1..60),
        origin in [coordinate(), coordinate(), coordinate()],
        direction in [coordinate(), coordinate(), coordinate()],
        range in prop_oneof![Just((0.0, f32::INFINITY)), Just((f32::NEG_INFINITY, 1.0)), Just((1.0, 1e3))],
    ) {
        let mut tree = DynamicBvh::build(&numbered(&built));
        let mut boxes: Vec<(u32, Aabb)> = (0..).zip(built).collect();
        for (item, bounds) in set {
            boxes.retain(|(i, _)| *i != item);
            boxes.push((item, bounds));
            tree.set(item, &extent(&bounds));
        }
        let ray = Ray::with_direction(origin, direction).with_range(range.0, range.1);
        on_every_level(|| {
            let visited = visited(&tree, &ray);
            for (item, aabb) in &boxes {
                assert!(!aabb.is_blocked(&ray) || visited.contains(item), "{item} {aabb:?}");
            }
        });
    }

    /// Boxes far from the ray are not visited.
    #[test]
    fn most_of_a_row_is_passed_over(count in 100u32..1000, place in 0u32..100) {
        let mut tree = DynamicBvh::default();
        let far = DVec3::new(6e6, -6e6, 1e7);
        for item in 0..count {
            let center = far + DVec3::X * f64::from(item) * 4e-3;
            tree.set(item, &Extent { low: center - 1e-3, high: center + 1e-3 });
        }
        let origin = far + DVec3::new(f64::from(place) * 4e-3, 1.0, 0.0);
        let ray = LocalRay { origin, direction: DVec3::NEG_Y, t_min: 0.0, t_max: f32::INFINITY };
        let mut items = Vec::new();
        let _ = show(&tree, &ray, Order::Any, &mut |item, from, limit| {
            assert!(from <= 1.0 - 1e-3 && from > 0.99);
            items.push(item);
            ControlFlow::Continue(limit)
        });
        prop_assert_eq!(items, [place]);
    }
}

#[test]
fn coincident_boxes_build_a_balanced_tree() {
    let items = numbered(&vec![Aabb::new(Vec3::ZERO, Vec3::ONE); 100_000]);
    let tree = DynamicBvh::build(&items);
    tree.validate(&items);
    assert!(tree.stats().depth <= 17);
}

#[test]
fn concentric_boxes_of_every_scale_build_fast_and_shallow() {
    let size = |i: u32| f32::from_bits(i * 20_000 + 1);
    let boxes: Vec<Aabb> = (0..100_000).map(|i| Aabb::from_center_size(Vec3::ZERO, Vec3::splat(size(i)))).collect();
    let items: Vec<_> = numbered(&boxes).into_iter().filter(|(_, extent)| DynamicBvh::takes(extent)).collect();
    let tree = DynamicBvh::build(&items);
    tree.validate(&items);
    assert!(tree.stats().depth <= 64 + 17);
}

/// Entities are parked in one place, in a row, or nested in one another. These are the worst cases for a tree that is only optimized by area.
#[test]
fn trees_stay_shallow_one_by_one() {
    let nested = |size: f32| Aabb::from_center_size(Vec3::ZERO, Vec3::splat(size));
    let rows: [&dyn Fn(u32) -> Aabb; 5] = [
        &|_| nested(1.0),
        &|i| nested(1.0 + i as f32),
        &|i| nested(20_000.0 - i as f32),
        &|i| nested((i as f32 / 100.0).exp2()),
        &|i| Aabb::from_center_size(Vec3::X * i as f32, Vec3::ONE),
    ];
    for row in rows {
        let mut tree = DynamicBvh::default();
        let items = numbered(&(0..10_000).map(row).collect::<Vec<_>>());
        items.iter().for_each(|(item, extent)| tree.set(*item, extent));
        tree.validate(&items);
        assert!(tree.stats().depth <= 14, "{}", tree.stats().depth);
    }
}

/// Rebuilt parts fit into the rest, and a tree after many changes is nearly as good as a new one.
#[test]
fn trees_that_change_stay_sound_and_good() {
    let mut state = 1u64;
    let mut random = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1u64 << 24) as f32
    };
    let mut place =
        move || Aabb::from_center_size(Vec3::new(random(), random(), random()) * 100.0, Vec3::splat(random()));
    let mut items = numbered(&(0..4_000).map(|_| place()).collect::<Vec<_>>());
    let mut tree = DynamicBvh::default();
    for round in 0..3 {
        for (item, around) in &mut items {
            if round > 0 {
                *around = extent(&place());
            }
            tree.set(*item, around);
        }
        tree.validate(&items);
        let (grown, fresh) = (tree.stats().expected_visits, DynamicBvh::build(&items).stats().expected_visits);
        assert!(grown <= 1.35 * fresh, "{grown} visits, in a new tree {fresh}");
    }
}
