//! Bottom-up builds: consecutive items along a curve become leaves, and consecutive leaves become wide nodes, in two
//! levels. A top-down build makes the tree over the groups that remain, which are few in surfaces and rooms.

use super::binary::{BinaryNode, NodeKind, Tree};
use super::bounds::Bounds;
use super::reference::{self, Reference};
use super::run_partition::{RunPrices, Runs};
use super::{Primitives, WIDTH, morton, top_down};
use crate::geom::aabb::Aabb;
use crate::parallel;
use crate::simd::prefetch;
use alloc::vec;
use alloc::vec::Vec;
use core::array::from_fn;
use core::ops::Range;
use glam::Vec4;

/// The largest number of items that are grouped at a time, so that they fit in a processor's own cache.
const PIECE: usize = 8192;
/// The box of an item is prefetched this many items before it is used.
const AHEAD: usize = 96;
/// The number of times that consecutive leaves or nodes of a piece are joined into nodes. With one level, rays visit 1 to 10 % fewer nodes and leaves, but a
/// build takes up to a fifth longer. With three levels, rays visit 9 to 18 % more.
const LEVELS: usize = 2;
/// The number of subtrees that are pending below a group.
pub(super) const MOST_PENDING: usize = LEVELS * (WIDTH - 1);
/// The cost of a leaf, in addition to the area of its box, in multiples of the mean area of its row's items. The cost
/// of a node is in multiples of the mean area of its row's leaves and nodes. The larger the cost, the fuller the
/// leaves and nodes. An item that is in no leaf or node only costs its area.
const LEAF_PRICE: f32 = 4.0;
const NODE_PRICE: f32 = 2.0;
/// If too few items share a leaf, the cost of a leaf is raised, up to this.
const MOST_LEAF_PRICE: f32 = 256.0 * LEAF_PRICE;

/// Builds the tree over all items.
pub(super) fn build(primitives: &impl Primitives, leaf_size: usize) -> Tree {
    let references = reference::all(primitives);
    let order = morton::order(&references);
    let size = piece_size(order.len());
    let mut pieces = vec![GroupPiece::default(); order.len().div_ceil(size)];
    parallel::fill(&mut pieces, 1, &|start, pieces| {
        for (piece, first) in pieces.iter_mut().zip((start * size..).step_by(size)) {
            let row = (first..order.len().min(first + size)).map(|i| {
                if let Some(&ahead) = order.get(i + AHEAD) {
                    let reference: *const u8 = references.as_ptr().wrapping_add(ahead as usize).cast();
                    prefetch::<1>(reference);
                    // The reference may lie across two cache lines.
                    prefetch::<1>(reference.wrapping_add(size_of::<Reference>() - 1));
                }
                references[order[i] as usize].plain_bounds()
            });
            *piece = GroupPiece::new(row, first, leaf_size);
        }
    });
    drop(references);
    let groups = Groups { pieces };
    let rest = groups.rest();
    let references = (0..).zip(&rest).map(|(place, &number)| Reference::new(place, groups.get(number).bounds()));
    let mut tree = top_down::build(references.collect(), 1);
    for node in &mut tree.nodes {
        if let NodeKind::Leaf { first, .. } = node.kind() {
            *node = groups.node(rest[tree.items[first] as usize]);
        }
    }
    Tree { items: order, groups, ..tree }
}

/// Returns the size of the pieces. All are equal, and their number is even unless there is only one. So two threads have the same amount of work.
fn piece_size(items: usize) -> usize {
    match items.div_ceil(PIECE) {
        0 | 1 => PIECE,
        pieces => items.div_ceil(pieces.next_multiple_of(2)),
    }
}

/// The groups of items along a curve, each with a number.
#[derive(Default)]
pub(super) struct Groups {
    pieces: Vec<GroupPiece>,
}

/// A leaf, or a wide node.
#[derive(Clone, Copy)]
pub(super) struct Group {
    low: [f32; 3],
    /// The index of the first item of a leaf in the tree, or of the first child of a node among its piece's groups.
    first: u32,
    high: [f32; 3],
    count: u8,
    content: GroupContent,
    leaves: u16,
}

const _: () = assert!(size_of::<Group>() == 32 && 8usize.pow(LEVELS as u32) <= u16::MAX as usize);

/// The content of a group.
#[derive(Clone, Copy)]
pub(super) enum GroupContent {
    Items,
    Groups,
}

impl Group {
    fn new(bounds: &Bounds, content: GroupContent, members: Range<usize>, leaves: u16) -> Self {
        let Aabb { min, max } = bounds.aabb();
        let (first, count) = (members.start as u32, members.len() as u8);
        Self { low: min.to_array(), first, high: max.to_array(), count, content, leaves }
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn bounds(&self) -> Bounds {
        let ([a, b, c], [x, y, z]) = (self.low, self.high);
        Bounds { low: Vec4::new(a, b, c, 0.0), high: Vec4::new(x, y, z, 0.0) }
    }

    /// Returns the number of leaves below the group, or 1 if it is a leaf itself.
    pub(super) fn leaves(&self) -> usize {
        self.leaves.into()
    }

    pub(super) fn content(&self) -> GroupContent {
        self.content
    }

    /// Returns the items of a leaf in the tree, or the children of a node among its piece's groups.
    pub(super) fn items(&self) -> Range<usize> {
        self.first as usize..self.first as usize + self.count as usize
    }
}

impl Groups {
    /// The difference between the first numbers of consecutive pieces, which is more than the number of groups of a
    /// piece.
    const STRIDE: usize = (1 + LEVELS) * PIECE;

    pub(super) fn get(&self, number: u32) -> &Group {
        let number = number as usize;
        &self.pieces[number / Self::STRIDE].groups[number % Self::STRIDE]
    }

    /// Returns the children of a node, with their numbers.
    pub(super) fn children(&self, number: u32) -> impl Iterator<Item = (u32, &Group)> {
        let piece = &self.pieces[number as usize / Self::STRIDE];
        let first = number - number % Self::STRIDE as u32;
        let group = piece.groups[number as usize % Self::STRIDE];
        (first + group.first..).zip(&piece.groups[group.items()])
    }

    /// Prefetches a node's children, which will be used soon.
    pub(super) fn prefetch(&self, number: u32) {
        if let Some((_, first)) = self.children(number).next() {
            prefetch::<256>(core::ptr::from_ref(first).cast());
        }
    }

    fn node(&self, number: u32) -> BinaryNode {
        let group = self.get(number);
        match group.content {
            GroupContent::Items => BinaryNode::leaf(&group.bounds(), group.first as usize, group.count.into()),
            GroupContent::Groups => BinaryNode::group(&group.bounds(), number),
        }
    }

    /// Returns the groups that are children of no node.
    fn rest(&self) -> Vec<u32> {
        let first = (0..).step_by(Self::STRIDE);
        let own = |(piece, first): (&GroupPiece, u32)| first + piece.rest as u32..first + piece.groups.len() as u32;
        self.pieces.iter().zip(first).flat_map(own).collect()
    }
}

/// The groups of [`PIECE`] items.
#[derive(Clone, Default)]
struct GroupPiece {
    /// The groups. The children of a node are side by side, before the node.
    groups: Vec<Group>,
    /// The index of the first group that is a child of no node.
    rest: usize,
}

impl GroupPiece {
    /// Groups a row; `first` is the number of the row's first item in the tree.
    fn new(row: impl ExactSizeIterator<Item = Bounds> + Clone, first: usize, leaf_size: usize) -> Self {
        let leaves = leaves(row, leaf_size);
        let leaf = |(range, bounds): (Range<usize>, Bounds)| {
            Group::new(&bounds, GroupContent::Items, first + range.start..first + range.end, 1)
        };
        let mut groups = Vec::with_capacity(2 * leaves.len());
        groups.extend(leaves.iter().map(leaf));
        let mut piece = Self { groups, rest: 0 };
        for _ in 0..LEVELS {
            piece.group();
        }
        piece
    }

    /// Makes consecutive groups children of nodes.
    fn group(&mut self) {
        let start = self.rest;
        let row = &self.groups[start..];
        if row.len() <= WIDTH {
            return;
        }
        self.rest = self.groups.len();
        for (range, bounds) in Runs::cheapest(row.iter().map(Group::bounds), node_prices).iter() {
            let range = start + range.start..start + range.end;
            let group = match &self.groups[range.clone()] {
                [single] => *single,
                children => {
                    let leaves = children.iter().map(|child| child.leaves).sum();
                    Group::new(&bounds, GroupContent::Groups, range, leaves)
                }
            };
            self.groups.push(group);
        }
    }
}

/// Returns the cheapest leaves of a row. If items are so much smaller than the gaps between them that few items share a leaf, the price
/// of a leaf is raised.
fn leaves(row: impl ExactSizeIterator<Item = Bounds> + Clone, leaf_size: usize) -> Runs {
    let most = row.len().div_ceil(leaf_size.div_ceil(2));
    let mut price = LEAF_PRICE;
    loop {
        let leaves = Runs::cheapest(row.clone(), |boxes| leaf_prices(boxes, leaf_size, price));
        if leaves.len() <= most || price >= MOST_LEAF_PRICE {
            return leaves;
        }
        price *= 4.0;
    }
}

fn leaf_prices(boxes: &[Bounds], leaf_size: usize, price: f32) -> RunPrices {
    let each = price * mean_area(boxes);
    RunPrices { areas: [1.0; WIDTH], runs: from_fn(|i| if i < leaf_size { each } else { f32::INFINITY }) }
}

/// Returns the prices of nodes over a row, and of boxes that are in no node.
fn node_prices(boxes: &[Bounds]) -> RunPrices {
    let mut areas = [1.0; WIDTH];
    areas[0] = 0.0;
    RunPrices { areas, runs: [NODE_PRICE * mean_area(boxes); WIDTH] }
}

fn mean_area(boxes: &[Bounds]) -> f32 {
    boxes.iter().fold(0.0, |area, own| area + own.half_area()) / boxes.len() as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_two_by_two_and_none_is_too_large() {
        for items in [1, PIECE, PIECE + 1, 3 * PIECE - 1, 7 * PIECE, 9 * PIECE - 5, 1_000_003] {
            let size = piece_size(items);
            let pieces = items.div_ceil(size);
            assert!(size <= PIECE, "{items}");
            assert!(pieces == 1 && items <= PIECE || pieces.is_multiple_of(2), "{items}: {pieces}");
        }
    }
}
