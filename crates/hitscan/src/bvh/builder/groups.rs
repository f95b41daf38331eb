//! From the bottom: items that follow each other along a curve become leaves, and leaves that do become wide nodes, twice; over what is left a
//! tree is built from the top. Of surfaces and rooms that is little.

use super::binary::{Kind, Node, Tree};
use super::bounds::Bounds;
use super::reference::{self, Reference};
use super::runs::{Prices, Runs};
use super::{Primitives, WIDTH, morton, top_down};
use crate::aabb::Aabb;
use crate::parallel;
use crate::simd::prefetch;
use alloc::vec;
use alloc::vec::Vec;
use core::array::from_fn;
use core::ops::Range;
use glam::Vec4;

/// At most so many items at a time are grouped, while all of that is in a processor's own cache.
const PIECE: usize = 8192;
/// So many before one is looked at its box is asked for.
const AHEAD: usize = 96;
/// How often a piece's leaves and nodes become nodes. With one level rays visit 1 to 10 % fewer nodes and leaves, but a build takes up to a fifth longer;
/// with three they visit 9 to 18 % more.
const LEVELS: usize = 2;
/// How many subtrees are pending below a group.
pub(super) const MOST_PENDING: usize = LEVELS * (WIDTH - 1);
/// What a leaf costs beside the area of its box, in mean areas of its row's items, and a node, in those of its row's leaves and nodes: the larger, the
/// fuller they are. What is left as it is costs only that.
const LEAF_PRICE: f32 = 4.0;
const NODE_PRICE: f32 = 2.0;
/// What a leaf costs at the most where too few items share one.
const MOST_LEAF_PRICE: f32 = 256.0 * LEAF_PRICE;

/// The tree over all items.
pub(super) fn build(primitives: &impl Primitives, leaf_size: usize) -> Tree {
    let references = reference::all(primitives);
    let order = morton::order(&references);
    let size = piece_size(order.len());
    let mut pieces = vec![Piece::default(); order.len().div_ceil(size)];
    parallel::fill(&mut pieces, 1, &|start, pieces| {
        for (piece, first) in pieces.iter_mut().zip((start * size..).step_by(size)) {
            let row = (first..order.len().min(first + size)).map(|i| {
                if let Some(&ahead) = order.get(i + AHEAD) {
                    let reference: *const u8 = references.as_ptr().wrapping_add(ahead as usize).cast();
                    prefetch::<1>(reference);
                    // It may lie across two lines.
                    prefetch::<1>(reference.wrapping_add(size_of::<Reference>() - 1));
                }
                references[order[i] as usize].plain_bounds()
            });
            *piece = Piece::new(row, first, leaf_size);
        }
    });
    drop(references);
    let groups = Groups { pieces };
    let rest = groups.rest();
    let references = (0..).zip(&rest).map(|(place, &number)| Reference::new(place, groups.get(number).bounds()));
    let mut tree = top_down::build(references.collect(), 1);
    for node in &mut tree.nodes {
        if let Kind::Leaf { first, .. } = node.kind() {
            *node = groups.node(rest[tree.items[first] as usize]);
        }
    }
    Tree { items: order, groups, ..tree }
}

/// Of pieces of one size, an even number of them where that is more than one, so that two threads have as much to do each.
fn piece_size(items: usize) -> usize {
    match items.div_ceil(PIECE) {
        0 | 1 => PIECE,
        pieces => items.div_ceil(pieces.next_multiple_of(2)),
    }
}

/// What became of items along a curve, each with a number.
#[derive(Default)]
pub(super) struct Groups {
    pieces: Vec<Piece>,
}

/// A leaf, or a wide node.
#[derive(Clone, Copy)]
pub(super) struct Group {
    low: [f32; 3],
    /// Of a leaf which of the tree's items is its first one, of a node which of its piece's groups.
    first: u32,
    high: [f32; 3],
    count: u8,
    content: Content,
    leaves: u16,
}

const _: () = assert!(size_of::<Group>() == 32 && 8usize.pow(LEVELS as u32) <= u16::MAX as usize);

/// What a group consists of.
#[derive(Clone, Copy)]
pub(super) enum Content {
    Items,
    Groups,
}

impl Group {
    fn new(bounds: &Bounds, content: Content, members: Range<usize>, leaves: u16) -> Self {
        let Aabb { min, max } = bounds.aabb();
        let (first, count) = (members.start as u32, members.len() as u8);
        Self { low: min.to_array(), first, high: max.to_array(), count, content, leaves }
    }

    #[inline(always)]
    pub(super) fn bounds(&self) -> Bounds {
        let ([a, b, c], [x, y, z]) = (self.low, self.high);
        Bounds { low: Vec4::new(a, b, c, 0.0), high: Vec4::new(x, y, z, 0.0) }
    }

    /// How many leaves it is, or has below it.
    pub(super) fn leaves(&self) -> usize {
        self.leaves.into()
    }

    pub(super) fn content(&self) -> Content {
        self.content
    }

    /// Of a leaf, which of the tree's items; of a node, which of its piece's groups.
    pub(super) fn items(&self) -> Range<usize> {
        self.first as usize..self.first as usize + self.count as usize
    }
}

impl Groups {
    /// Above the groups of one piece.
    const STRIDE: usize = (1 + LEVELS) * PIECE;

    pub(super) fn get(&self, number: u32) -> &Group {
        let number = number as usize;
        &self.pieces[number / Self::STRIDE].groups[number % Self::STRIDE]
    }

    /// Of a node, with their numbers.
    pub(super) fn children(&self, number: u32) -> impl Iterator<Item = (u32, &Group)> {
        let piece = &self.pieces[number as usize / Self::STRIDE];
        let first = number - number % Self::STRIDE as u32;
        let group = piece.groups[number as usize % Self::STRIDE];
        (first + group.first..).zip(&piece.groups[group.items()])
    }

    /// Has a node's children brought, which will be asked for soon.
    pub(super) fn announce(&self, number: u32) {
        if let Some((_, first)) = self.children(number).next() {
            prefetch::<256>(core::ptr::from_ref(first).cast());
        }
    }

    fn node(&self, number: u32) -> Node {
        let group = self.get(number);
        match group.content {
            Content::Items => Node::leaf(&group.bounds(), group.first as usize, group.count.into()),
            Content::Groups => Node::group(&group.bounds(), number),
        }
    }

    /// Those that are no node's child.
    fn rest(&self) -> Vec<u32> {
        let first = (0..).step_by(Self::STRIDE);
        let own = |(piece, first): (&Piece, u32)| first + piece.rest as u32..first + piece.groups.len() as u32;
        self.pieces.iter().zip(first).flat_map(own).collect()
    }
}

/// What became of [`PIECE`] items.
#[derive(Clone, Default)]
struct Piece {
    /// Children before their nodes, side by side.
    groups: Vec<Group>,
    /// Where those begin that are no node's child.
    rest: usize,
}

impl Piece {
    /// `first` is the number of the row's first item in the tree.
    fn new(row: impl ExactSizeIterator<Item = Bounds> + Clone, first: usize, leaf_size: usize) -> Self {
        let leaves = leaves(row, leaf_size);
        let leaf = |(range, bounds): (Range<usize>, Bounds)| {
            Group::new(&bounds, Content::Items, first + range.start..first + range.end, 1)
        };
        let mut groups = Vec::with_capacity(2 * leaves.len());
        groups.extend(leaves.iter().map(leaf));
        let mut piece = Self { groups, rest: 0 };
        for _ in 0..LEVELS {
            piece.group();
        }
        piece
    }

    /// Makes those that follow each other children of nodes.
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
                    Group::new(&bounds, Content::Groups, range, leaves)
                }
            };
            self.groups.push(group);
        }
    }
}

/// The cheapest leaves of a row. Where items are so much smaller than the gaps between them that few share one, each leaf costs more.
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

fn leaf_prices(boxes: &[Bounds], leaf_size: usize, price: f32) -> Prices {
    let each = price * mean_area(boxes);
    Prices { areas: [1.0; WIDTH], runs: from_fn(|i| if i < leaf_size { each } else { f32::INFINITY }) }
}

/// Of nodes over a row, and of what stays as it is.
fn node_prices(boxes: &[Bounds]) -> Prices {
    let mut areas = [1.0; WIDTH];
    areas[0] = 0.0;
    Prices { areas, runs: [NODE_PRICE * mean_area(boxes); WIDTH] }
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
