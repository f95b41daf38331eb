//! Properties that must hold for every tree, over any items, with each quality.

use super::binary::{BinaryNode, NodeKind, Tree};
use super::bounds::Bounds;
use super::{
    Child, LEAF_SIZE, Link, MOST_PENDING, Output, Primitives, Quality, WIDTH, WideTree, build, collapse, layout,
    lbvh_clusters,
};
use crate::geom::aabb::Aabb;
use crate::math::float::{round_down, round_up};
use crate::math::splitmix64::splitmix64;
use crate::simd::SimdLevel;
use alloc::vec;
use alloc::vec::Vec;
use glam::{DVec3, Vec3};
use proptest::prelude::*;

const QUALITIES: [Quality; 3] = [Quality::Fast, Quality::Balanced, Quality::Best];

/// Stores nodes and leaves unchanged.
struct Plain;

type PlainTree = WideTree<Vec<Child>, Vec<u32>>;

impl Output for Plain {
    type Node = Vec<Child>;
    type Leaf = Vec<u32>;
    const LEAF_SIZE: usize = LEAF_SIZE;

    fn node(&self, children: &[Child]) -> Vec<Child> {
        children.to_vec()
    }

    fn leaf(&self, items: &[u32]) -> Vec<u32> {
        items.to_vec()
    }
}

/// Boxes; a part of a box is its intersection with a cell.
struct Boxes(Vec<Aabb>);

impl Primitives for Boxes {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn bounds(&self, item: u32) -> Aabb {
        self.0[item as usize]
    }

    fn clipped(&self, item: u32, cell: &Aabb) -> Aabb {
        let own = self.bounds(item);
        Aabb { min: own.min.max(cell.min), max: own.max.min(cell.max) }
    }
}

/// Checks the tree's links, which follow from the order of nodes and leaves alone.
fn check_order(tree: &PlainTree) {
    let (mut nodes, mut leaves) = (1, 0);
    let mut open = vec![0];
    while let Some(node) = open.pop() {
        let mut below = Vec::new();
        for child in &tree.nodes[node] {
            let count = if matches!(child.link, Link::Node(_)) { &mut nodes } else { &mut leaves };
            let expected = if matches!(child.link, Link::Node(_)) { Link::Node(*count) } else { Link::Leaf(*count) };
            assert_eq!(child.link, expected, "below {node}");
            *count += 1;
            if let Link::Node(number) = child.link {
                below.push(number as usize);
            }
        }
        open.extend(below.into_iter().rev());
    }
}

/// Segments. The box around the part of a segment in a cell is much smaller than the part of the segment's box in that cell.
struct Segments(Vec<[Vec3; 2]>);

impl Primitives for Segments {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn bounds(&self, item: u32) -> Aabb {
        Aabb::from_points(self.0[item as usize])
    }

    fn clipped(&self, item: u32, cell: &Aabb) -> Aabb {
        let [a, b] = self.0[item as usize].map(|end| end.as_dvec3());
        let (mut first, mut last) = (0f64, 1f64);
        for axis in 0..3 {
            let (low, high) = (f64::from(cell.min[axis]), f64::from(cell.max[axis]));
            let along = b[axis] - a[axis];
            if along != 0.0 {
                let (enter, leave) = ((low - a[axis]) / along, (high - a[axis]) / along);
                first = first.max(enter.min(leave));
                last = last.min(enter.max(leave));
            } else if a[axis] < low || a[axis] > high {
                return Aabb::EMPTY;
            }
        }
        // This is much more than the rounding of the quotients and of the points below.
        let slack = 1e-12;
        let ends = [first - slack, last + slack].map(|t| a + (b - a) * t);
        let (low, high) = (ends[0].min(ends[1]) - slack, ends[0].max(ends[1]) + slack);
        let own = self.bounds(item);
        Aabb {
            min: Vec3::from_array(low.to_array().map(round_down)).max(own.min),
            max: Vec3::from_array(high.to_array().map(round_up)).min(own.max),
        }
    }
}

fn contains(outer: &Aabb, inner: &Aabb) -> bool {
    outer.min.cmple(inner.min).all() && inner.max.cmple(outer.max).all()
}

/// Checks the form of a tree; returns every leaf's box and items, and the depth.
fn leaves(tree: &PlainTree) -> (Vec<(Aabb, Vec<u32>)>, usize) {
    let mut found = vec![None; tree.leaves.len()];
    let mut depths = vec![0; tree.nodes.len()];
    let mut pending = vec![0; tree.nodes.len()];
    let mut seen = vec![false; tree.nodes.len()];
    for (index, children) in tree.nodes.iter().enumerate() {
        assert!((1..=WIDTH).contains(&children.len()));
        let is_leaf_alone = index == 0 && matches!(children[..], [Child { link: Link::Leaf(0), .. }]);
        assert!(children.len() > 1 || is_leaf_alone, "a single child of {index}");
        assert!(index == 0 || seen[index], "nobody's child came before {index}");
        pending[index] += children.len() - 1;
        assert!(pending[index] <= MOST_PENDING, "{} pending", pending[index]);
        let mut last_node = None;
        for child in children {
            assert!(!child.bounds.is_empty());
            match child.link {
                Link::Leaf(leaf) => {
                    let items = &tree.leaves[leaf as usize];
                    assert!((1..=LEAF_SIZE).contains(&items.len()));
                    let mut different = items.clone();
                    different.sort_unstable();
                    different.dedup();
                    assert_eq!(different.len(), items.len());
                    let before = found[leaf as usize].replace((child.bounds, items.clone()));
                    assert!(before.is_none(), "a leaf of two nodes");
                }
                Link::Node(node) => {
                    assert!(node as usize > index, "a child before its parent");
                    assert!(last_node.is_none_or(|last| last + 1 == node), "children apart");
                    last_node = Some(node);
                    assert!(!core::mem::replace(&mut seen[node as usize], true), "a node of two nodes");
                    assert!(tree.nodes[node as usize].iter().all(|below| contains(&child.bounds, &below.bounds)));
                    depths[node as usize] = depths[index] + 1;
                    pending[node as usize] = pending[index];
                }
            }
        }
    }
    assert!(seen.iter().skip(1).all(|&seen| seen));
    if !tree.nodes.is_empty() {
        check_order(tree);
    }
    let found = found.into_iter().map(|leaf| leaf.expect("every leaf is some node's")).collect();
    (found, depths.into_iter().max().unwrap_or(0))
}

/// Checks that every point, given with its item, is in a box of that item.
fn cover(leaves: &[(Aabb, Vec<u32>)], items: usize, points: impl Fn(u32) -> Vec<DVec3>) {
    let mut boxes = vec![Vec::new(); items];
    for (bounds, items) in leaves {
        items.iter().for_each(|&item| boxes[item as usize].push(*bounds));
    }
    for (item, boxes) in (0..).zip(&boxes) {
        for point in points(item) {
            let holds = |bounds: &Aabb| {
                let (low, high) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
                low.cmple(point).all() && point.cmple(high).all()
            };
            assert!(boxes.iter().any(holds), "{point} of item {item} is in none of {boxes:?}");
        }
    }
}

/// Returns the corners of a box and points between them, exact for coordinates of few bits.
fn box_points(bounds: &Aabb) -> Vec<DVec3> {
    let (low, high) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
    let at = |i: u32| f64::from(i) / 4.0;
    (0..125).map(|i| low + (high - low) * DVec3::new(at(i % 5), at(i / 5 % 5), at(i / 25))).collect()
}

fn check_boxes(boxes: &[Aabb]) {
    let primitives = Boxes(boxes.to_vec());
    for quality in QUALITIES {
        let tree = build(&primitives, quality, &Plain);
        let (leaves, _) = leaves(&tree);
        cover(&leaves, boxes.len(), |item| box_points(&boxes[item as usize]));
    }
}

/// Returns a coordinate of few bits.
fn coordinate() -> impl Strategy<Value = f32> {
    prop_oneof![
        (-4i8..=4).prop_map(|x| f32::from(x) / 4.0),
        (-1_000_000i32..=1_000_000).prop_map(|x| x as f32 / (1 << 20) as f32),
        (-100i32..=100).prop_map(|x| x as f32 / (1 << 30) as f32),
    ]
}

fn point() -> impl Strategy<Value = Vec3> {
    [coordinate(), coordinate(), coordinate()].prop_map(Vec3::from_array)
}

fn aabb() -> impl Strategy<Value = Aabb> {
    (point(), point()).prop_map(|(a, b)| Aabb::from_points([a, b]))
}

proptest! {
    #[test]
    fn trees_over_boxes_are_sound(boxes in prop::collection::vec(aabb(), 0..200)) {
        check_boxes(&boxes);
    }

    #[test]
    fn trees_over_few_boxes_are_sound(boxes in prop::collection::vec(aabb(), 0..10)) {
        check_boxes(&boxes);
    }

    #[test]
    fn segments_are_covered(ends in prop::collection::vec([point(), point()], 1..300)) {
        let primitives = Segments(ends.clone());
        for quality in QUALITIES {
            let (leaves, _) = leaves(&build(&primitives, quality, &Plain));
            cover(&leaves, ends.len(), |item| {
                let [a, b] = ends[item as usize].map(|end| end.as_dvec3());
                (0..=64).map(|i| a + (b - a) * (f64::from(i) / 64.0)).collect()
            });
        }
    }
}

/// Returns random numbers from -1 to 1.
fn random(seed: u64) -> impl FnMut() -> f32 {
    let mut state = seed;
    move || (splitmix64(&mut state) >> 44) as f32 / (1 << 19) as f32 - 1.0
}

/// Makes short and long segments.
fn scattered_segments(count: usize) -> Segments {
    let mut random = random(7);
    let mut point = || Vec3::new(random(), random(), random());
    Segments(
        (0..count)
            .map(|i| (point() * 0.5, point() * if i % 50 == 0 { 0.5 } else { 0.01 }))
            .map(|(a, b)| [a, a + b])
            .collect(),
    )
}

#[cfg(feature = "parallel")]
#[test]
fn threads_do_not_change_the_tree() {
    for (count, quality) in QUALITIES.map(|quality| (100_000, quality)).into_iter().chain([(3_500, Quality::Balanced)])
    {
        let primitives = scattered_segments(count);
        let by = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| build(&primitives, quality, &Plain))
        };
        let one = by(1);
        leaves(&one);
        let outside = build(&primitives, quality, &Plain);
        for (how, other) in [("by two threads", by(2)), ("by three", by(3)), ("from outside", outside)] {
            assert!(one.nodes == other.nodes && one.leaves == other.leaves, "{count}, {quality:?} {how}");
        }
    }
}

#[test]
fn instruction_sets_do_not_change_the_tree() {
    // There are more items than one thread divides or bins in one piece.
    let primitives = scattered_segments(40_000);
    for quality in QUALITIES {
        let by = |level: SimdLevel| {
            level.select().unwrap();
            build(&primitives, quality, &Plain)
        };
        let mut levels = SimdLevel::available();
        let first = by(levels.next().unwrap());
        for level in levels {
            let other = by(level);
            assert!(first.nodes == other.nodes && first.leaves == other.leaves, "{quality:?} by {level:?}");
        }
    }
}

#[test]
fn many_segments_are_covered_and_leaves_are_filled() {
    let primitives = scattered_segments(30_000);
    for quality in QUALITIES {
        let (leaves, _) = leaves(&build(&primitives, quality, &Plain));
        cover(&leaves, primitives.len(), |item| {
            let [a, b] = primitives.0[item as usize].map(|end| end.as_dvec3());
            (0..=16).map(|i| a + (b - a) * (f64::from(i) / 16.0)).collect()
        });
        let references = leaves.iter().map(|(_, items)| items.len()).sum::<usize>();
        assert!(
            references as f64 >= 5.0 * leaves.len() as f64,
            "{quality:?}: {}",
            references as f64 / leaves.len() as f64
        );
        assert!(references as f64 <= 1.5 * primitives.len() as f64);
    }
}

#[test]
fn nothing_and_a_single_item() {
    for quality in QUALITIES {
        let none = build(&Boxes(Vec::new()), quality, &Plain);
        assert!(none.nodes.is_empty() && none.leaves.is_empty());
        let bounds = Aabb::new([0.0, 0.25, 0.5], [0.5, 0.25, 1.0]);
        let one = build(&Boxes(vec![bounds]), quality, &Plain);
        assert_eq!(one.nodes, [[Child { bounds, link: Link::Leaf(0) }]]);
        assert_eq!(one.leaves, [[0]]);
    }
}

#[test]
fn few_items_are_one_node() {
    for count in 2u8..=8 {
        let boxes = (0..count).map(|i| Aabb::from_center_size([f32::from(i) / 10.0, 0.0, 0.0], [0.05; 3])).collect();
        let primitives = Boxes(boxes);
        for quality in QUALITIES {
            assert_eq!(build(&primitives, quality, &Plain).nodes.len(), 1, "{quality:?}, {count} items");
        }
    }
}

/// Each level has seven leaves next to the other subtrees, so nodes with eight children would have 280 subtrees pending. The last level ends in one leaf, or in
/// more leaves than one thread's part.
#[test]
fn nodes_have_few_children_where_many_are_pending() {
    check_comb(0);
    check_comb(13);
}

/// Checks a comb that ends in a full binary tree of this many levels.
fn check_comb(levels: u32) {
    const LEVELS: usize = 40;
    let mut firsts = (0..).step_by(LEAF_SIZE);
    let mut leaf = |bounds: &Bounds| BinaryNode::leaf(bounds, firsts.next().expect("endless"), LEAF_SIZE);
    let cube = |level: usize| Bounds::new(&Aabb::from_center_size([0.0; 3], [1.0 - level as f32 / 100.0; 3]));
    let mut nodes = vec![leaf(&cube(LEVELS))];
    for _ in 0..levels {
        let second: Vec<BinaryNode> = nodes
            .iter()
            .map(|node| if let NodeKind::Leaf { .. } = node.kind() { leaf(&cube(LEVELS)) } else { *node })
            .collect();
        nodes = [vec![BinaryNode::inner(&cube(LEVELS), 1 + nodes.len())], nodes, second].concat();
    }
    for bounds in (0..LEVELS).rev().map(cube) {
        let mut beside: Vec<BinaryNode> =
            (0..WIDTH - 2).flat_map(|_| [BinaryNode::inner(&bounds, 2), leaf(&bounds)]).collect();
        beside.push(leaf(&bounds));
        nodes = [vec![BinaryNode::inner(&bounds, 1 + beside.len())], beside, nodes].concat();
    }
    let count = LEAF_SIZE * ((1 << levels) + LEVELS * (WIDTH - 1));
    let mut tree = Tree { nodes, items: (0..count as u32).collect(), groups: lbvh_clusters::Groups::default() };
    collapse::plan(&mut tree, LEAF_SIZE, 1.0);
    let (leaves, _) = leaves(&layout::emit(tree, count, &Plain));
    let mut found: Vec<u32> = leaves.into_iter().flat_map(|(_, items)| items).collect();
    found.sort_unstable();
    assert!(found.into_iter().eq(0..count as u32));
}

/// No input makes a tree deeper than this.
const MOST_DEPTH: usize = MOST_PENDING;

#[test]
fn coincident_items_make_full_leaves_in_a_shallow_tree() {
    let primitives = Boxes(vec![Aabb::new([-0.5; 3], [0.5; 3]); 100_000]);
    for quality in QUALITIES {
        let (leaves, depth) = leaves(&build(&primitives, quality, &Plain));
        assert!(depth <= 8, "{quality:?}: {depth}");
        // Moved subtrees may leave a few leaves that are not full.
        assert!(leaves.len() <= 13_000, "{quality:?}: {}", leaves.len());
    }
}

#[test]
fn concentric_items_of_every_scale() {
    let size = |i: u32| f32::from_bits(i * 10_000 + 1);
    let boxes: Vec<Aabb> = (0..100_000).map(|i| Aabb::from_center_size(Vec3::ZERO, Vec3::splat(size(i)))).collect();
    for quality in QUALITIES {
        let (leaves, depth) = leaves(&build(&Boxes(boxes.clone()), quality, &Plain));
        cover(&leaves, boxes.len(), |item| {
            vec![boxes[item as usize].min.as_dvec3(), boxes[item as usize].max.as_dvec3()]
        });
        assert!(depth <= MOST_DEPTH, "{quality:?}: {depth}");
    }
}

/// The distances grow exponentially, so a split by cost separates only a few items at a time.
#[test]
fn ever_smaller_steps() {
    let place = |i: u32| f32::from_bits(i * 5_000);
    let boxes: Vec<Aabb> =
        (1..200_000).map(|i| Aabb::new([place(i), 0.0, 0.0], [place(i) * 1.5, place(i), place(i)])).collect();
    for quality in QUALITIES {
        let (_, depth) = leaves(&build(&Boxes(boxes.clone()), quality, &Plain));
        assert!(depth <= MOST_DEPTH, "{quality:?}: {depth}");
    }
}

/// On a line, areas are 0. In a rod of thickness 1e-30, the square of the thickness underflows in f32.
#[test]
fn items_without_area_are_still_sorted() {
    for height in [0.0, 1e-30] {
        let boxes: Vec<Aabb> = (0..10_000u32)
            .map(|i| i.reverse_bits() as f32 / u32::MAX as f32)
            .map(|x| Aabb::new([x, 0.0, 0.0], [x + 1e-5, height, height]))
            .collect();
        for quality in QUALITIES {
            let (leaves, _) = leaves(&build(&Boxes(boxes.clone()), quality, &Plain));
            let length: f32 = leaves.iter().map(|(bounds, _)| bounds.size().x).sum();
            assert!(length < 2.0, "{quality:?}: {length}");
        }
    }
}

/// A leaf of several items saves nothing but memory.
#[test]
fn items_far_smaller_than_their_gaps_share_leaves() {
    let place = |i: u32| Vec3::new((i % 30) as f32, (i / 30 % 30) as f32, (i / 900) as f32) / 32.0 - 0.5;
    let boxes = (0..27_000).map(|i| Aabb::from_center_size(place(i), Vec3::splat(0.001))).collect();
    let (leaves, _) = leaves(&build(&Boxes(boxes), Quality::Fast, &Plain));
    assert!(leaves.len() <= 27_000 / 4, "{}", leaves.len());
}
