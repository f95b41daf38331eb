//! Pairs of items of one tree, or of two, whose boxes are near each other.

use super::{DynamicBvh, ROOT};
use crate::bvh::builder::{Link, WIDTH};
use crate::bvh::bvh8::root;
use crate::bvh::half_area;
use crate::bvh::node::{LEAF, Node, decode};
use crate::bvh::traverse::distance_traversal::{BELOW_SQUARE_ROUNDINGS, QueryBox};
use crate::collections::ordered::ordered_by_cmp;
use crate::geom::aabb::Aabb;
use crate::math::float::larger;
use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::ops::{ControlFlow, Range};
use glam::DVec3;

/// The trees whose items are paired.
#[derive(Clone, Copy)]
pub(crate) enum ItemTrees<'a> {
    /// Pairs of different items of one tree.
    One(&'a DynamicBvh),
    /// Pairs of an item of each tree.
    Two([&'a DynamicBvh; 2]),
}

/// Handles a pair of items whose boxes may be as near as the limit. Returns the largest square of a distance that matters from now on, or stops.
pub(crate) type VisitItems<'a> = dyn FnMut([u32; 2]) -> ControlFlow<(), f64> + 'a;

/// A node or an item with its box.
#[derive(Clone, Copy)]
struct BoxedLink {
    child: u32,
    bounds: Aabb,
}

impl BoxedLink {
    fn of_root(node: &Node) -> Self {
        Self { child: ROOT, bounds: node.bounds() }
    }

    fn is_item(&self) -> bool {
        self.child & LEAF != 0
    }
}

/// A node or an item of each tree, or one node of a tree twice.
struct NearLinks {
    /// A lower bound of the square of their distance.
    square: f64,
    sides: [BoxedLink; 2],
}

impl NearLinks {
    fn items(&self) -> Option<[u32; 2]> {
        match self.sides.map(|side| decode(side.child)) {
            [Link::Leaf(a), Link::Leaf(b)] => Some([a, b]),
            _ => None,
        }
    }

    fn area(&self) -> f64 {
        self.sides.iter().map(|side| half_area(&side.bounds)).sum()
    }

    /// Returns how many of the two are items.
    fn item_count(&self) -> usize {
        self.sides.iter().filter(|side| side.is_item()).count()
    }
}

impl Ord for NearLinks {
    /// The greatest pair is the nearest one. Among equally near pairs, the pair with the most items is the greatest, and then the pair with the smallest boxes.
    /// Therefore, only a few pairs wait.
    fn cmp(&self, other: &Self) -> Ordering {
        let by_items = || self.item_count().cmp(&other.item_count());
        other.square.total_cmp(&self.square).then_with(by_items).then_with(|| other.area().total_cmp(&self.area()))
    }
}

ordered_by_cmp!(NearLinks);

impl<'a> ItemTrees<'a> {
    /// Shows every pair of items whose boxes may be as near as the square root of `limit`, each once and the nearest first.
    pub(crate) fn nearest_first(self, mut limit: f64, visit: &mut VisitItems<'_>) -> ControlFlow<()> {
        let mut open = BinaryHeap::new();
        open.extend(self.roots());
        while let Some(pair) = open.pop() {
            if pair.square > limit {
                break;
            }
            match pair.items() {
                Some(items) => limit = visit(items)?,
                None => self.divide(&pair, limit, &mut |pair| open.push(pair)),
            }
        }
        ControlFlow::Continue(())
    }

    /// Shows every pair of items whose boxes may be as near as the square root of `limit`, each once, in no meaningful order.
    pub(crate) fn each_near(self, limit: f64, show: &mut dyn FnMut([u32; 2])) {
        let mut open: Vec<NearLinks> = Vec::new();
        open.extend(self.roots().filter(|pair| !(pair.square > limit)));
        while let Some(pair) = open.pop() {
            self.divide(&pair, limit, &mut |pair| match pair.items() {
                Some(items) => show(items),
                None => open.push(pair),
            });
        }
    }

    fn trees(self) -> [&'a DynamicBvh; 2] {
        match self {
            Self::One(tree) => [tree; 2],
            Self::Two(trees) => trees,
        }
    }

    fn roots(self) -> impl Iterator<Item = NearLinks> {
        let [ours, theirs] = self.trees().map(|tree| root(&tree.nodes).map(BoxedLink::of_root));
        ours.zip(theirs).map(|(ours, theirs)| NearLinks { square: 0.0, sides: [ours, theirs] }).into_iter()
    }

    /// Shows the near pairs of which a pair consists. For a node and itself, these are the pairs of its children. Otherwise, they are the pairs of one side
    /// with a child of the other, larger side.
    fn divide(self, pair: &NearLinks, limit: f64, show: &mut dyn FnMut(NearLinks)) {
        let [ours, theirs] = &pair.sides;
        if matches!(self, Self::One(_)) && ours.child == theirs.child {
            return self.divide_alone(ours, limit, show);
        }
        let is_theirs = ours.is_item() || !theirs.is_item() && half_area(&theirs.bounds) > half_area(&ours.bounds);
        let divided = usize::from(is_theirs);
        let node = self.trees()[divided].node(pair.sides[divided].child);
        self.show_near(&pair.sides[1 - divided], (divided, node, 0..WIDTH), limit, show);
    }

    /// Shows the near pairs of a node's children, and each child that is a node twice.
    fn divide_alone(self, side: &BoxedLink, limit: f64, show: &mut dyn FnMut(NearLinks)) {
        let node = self.trees()[0].node(side.child);
        for place in (0..WIDTH).filter(|&place| node.link(place).is_some()) {
            let own = BoxedLink { child: node.children[place], bounds: node.child_bounds(place) };
            if !own.is_item() {
                show(NearLinks { square: 0.0, sides: [own; 2] });
            }
            self.show_near(&own, (1, node, place + 1..WIDTH), limit, show);
        }
    }

    /// Shows the pairs of one side with the children of a node of the tree of another side.
    fn show_near(
        self,
        kept: &BoxedLink,
        (side, node, places): (usize, &Node, Range<usize>),
        limit: f64,
        show: &mut dyn FnMut(NearLinks),
    ) {
        let squares = self.in_space(side, &kept.bounds).squares(node);
        for place in places {
            // An empty place is infinitely far, and one whose distance is NaN may be anywhere.
            if squares[place] > limit || node.link(place).is_none() {
                continue;
            }
            let mut sides = [*kept; 2];
            sides[side] = BoxedLink { child: node.children[place], bounds: node.child_bounds(place) };
            show(NearLinks { square: larger(squares[place], 0.0), sides });
        }
    }

    /// Returns a box of the other tree in the coordinates of this side's tree.
    fn in_space(self, side: usize, bounds: &Aabb) -> QueryBox {
        let (low, high) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
        let weight = DVec3::splat(BELOW_SQUARE_ROUNDINGS);
        let Self::Two(trees) = self else { return QueryBox { low, high, weight } };
        let [own, other] = [trees[side].origin, trees[1 - side].origin];
        // The difference of the origins rounds, and so do the sums.
        let shift = other - own;
        let padding = 2.0 * f64::EPSILON * (low.abs().max(high.abs()) + own.abs().max(other.abs()));
        QueryBox { low: low + shift - padding, high: high + shift + padding, weight }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::aabb::Extent;
    use crate::math::random::Random;

    fn tree(random: &mut Random, count: u32, around: DVec3) -> (DynamicBvh, Vec<Extent>) {
        let (mut tree, mut extents) = (DynamicBvh::default(), Vec::new());
        for item in 0..count {
            let (middle, half) = (around + random.cube() * 10.0, random.cube().abs());
            let extent = Extent { low: middle - half, high: middle + half };
            tree.set(item, &extent);
            extents.push(extent);
        }
        (tree, extents)
    }

    fn square(a: &Extent, b: &Extent) -> f64 {
        (a.low - b.high).max(b.low - a.high).max(DVec3::ZERO).length_squared()
    }

    /// Returns the pairs in order, for a limit that stays, and for one that ends the search at the nearest pair.
    fn found(trees: ItemTrees<'_>, limit: f64) -> (Vec<[u32; 2]>, Vec<[u32; 2]>) {
        let (mut near, mut by_distance) = (Vec::new(), Vec::new());
        trees.each_near(limit, &mut |items| near.push(items));
        let _ = trees.nearest_first(limit, &mut |items| {
            by_distance.push(items);
            ControlFlow::Continue(limit)
        });
        (near, by_distance)
    }

    #[test]
    fn every_near_pair_is_shown_once_and_nearer_ones_first() {
        let mut random = Random(643);
        for case in 0..200 {
            let far = random.pick(&[0.0, 0.0, 1e3, 1e7]);
            let counts = [random.below(40), random.below(40)].map(|count| count as u32);
            let around = random.direction() * far;
            let (ours, our_boxes) = tree(&mut random, counts[0], around);
            let (theirs, their_boxes) = tree(&mut random, counts[1], around * (1.0 + 1e-8));
            let limit = random.pick(&[0.0, 1.0, 9.0, f64::INFINITY]);
            let blur = 1e-6 * (1.0 + far);
            for (trees, boxes) in
                [(ItemTrees::One(&ours), &our_boxes), (ItemTrees::Two([&ours, &theirs]), &their_boxes)]
            {
                let is_one = matches!(trees, ItemTrees::One(_));
                let (near, by_distance) = found(trees, limit);
                for found in [&near, &by_distance] {
                    let mut sorted: Vec<[u32; 2]> =
                        found.iter().map(|&[a, b]| if is_one && a > b { [b, a] } else { [a, b] }).collect();
                    sorted.sort();
                    for a in 0..counts[0] {
                        for b in if is_one { a + 1 } else { 0 }..boxes.len() as u32 {
                            let square = square(&our_boxes[a as usize], &boxes[b as usize]);
                            let shown = sorted.iter().filter(|&&pair| pair == [a, b]).count();
                            let may_miss = square > limit;
                            assert!(shown == 1 || shown == 0 && may_miss, "case {case}: {a} and {b}, {shown} times");
                        }
                    }
                    let farthest = found.iter().map(|&[a, b]| square(&our_boxes[a as usize], &boxes[b as usize]));
                    let allowed = limit.sqrt() + blur;
                    assert!(farthest.into_iter().all(|square| square.sqrt() <= allowed), "case {case}");
                }
                let squares: Vec<f64> =
                    by_distance.iter().map(|&[a, b]| square(&our_boxes[a as usize], &boxes[b as usize])).collect();
                assert!(squares.windows(2).all(|pair| pair[0].sqrt() <= pair[1].sqrt() + blur), "case {case}");
            }
        }
    }
}
