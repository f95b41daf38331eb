//! The tree against itself.

use super::{DynamicBvh, Link, ROOT, WIDTH};
use crate::bvh::wide::{Node, decode, planes};
use crate::parallel;
use crate::simd::{Axes, Simd, SimdBase, SimdMask, dispatch, f32x8};
use alloc::vec::Vec;
use glam::DVec3;

/// Two children anywhere in the tree whose boxes overlap, or a node twice.
type Meeting = [u32; 2];

/// For fewer items threads are not worth it.
const FEW: usize = 1024;

/// As many meetings are divided among threads: far more than there are of those, as some take longer than others.
const SHARES: usize = 256;

impl DynamicBvh {
    /// Every pair of items whose boxes overlap or touch, each once, in no order that means anything. Boxes are as the tree has them.
    pub(crate) fn pairs(&self) -> Vec<[u32; 2]> {
        let (mut open, mut pairs) = (Vec::new(), Vec::new());
        open.extend((self.nodes.len() > 0).then_some([ROOT; 2]));
        if self.len >= FEW && parallel::is_available() {
            while !open.is_empty() && open.len() < SHARES {
                let level = core::mem::take(&mut open);
                dispatch!(simd => for meeting in level { self.divide(simd, meeting, &mut open, &mut pairs) });
            }
            let mut shares: Vec<_> = open.drain(..).map(|meeting| (alloc::vec![meeting], Vec::new())).collect();
            parallel::for_each(&mut shares, &|(open, pairs)| self.divide_all(open, pairs));
            shares.iter().for_each(|(_, found)| pairs.extend_from_slice(found));
        }
        self.divide_all(&mut open, &mut pairs);
        pairs
    }

    /// Whether its boxes are those in the world, rounded to f32.
    pub(crate) fn is_in_world(&self) -> bool {
        self.origin == DVec3::ZERO
    }

    fn divide_all(&self, open: &mut Vec<Meeting>, pairs: &mut Vec<[u32; 2]>) {
        dispatch!(simd => while let Some(meeting) = open.pop() { self.divide(simd, meeting, open, pairs) });
    }

    /// Finds the pairs in what meets, and what is to be divided next.
    #[inline(always)]
    fn divide<S: Simd>(&self, simd: S, [a, b]: Meeting, open: &mut Vec<Meeting>, pairs: &mut Vec<[u32; 2]>) {
        let mut offer = |a: u32, b: u32| match (decode(a), decode(b)) {
            (Link::Leaf(a), Link::Leaf(b)) => pairs.push([a, b]),
            _ => open.push([a, b]),
        };
        let (node, other) = match (decode(a), decode(b)) {
            (Link::Node(a), Link::Node(b)) => (self.node(a), self.node(b)),
            // An item is as the node that it is in would be without the others.
            (Link::Leaf(item), Link::Node(node)) | (Link::Node(node), Link::Leaf(item)) => {
                if let Some(at) = self.place_of(item) {
                    let own = self.node(at.node());
                    let mut met = Lanes::new(simd, self.node(node)).met_by(own, at.index());
                    while met != 0 {
                        offer(own.children[at.index()], self.node(node).children[take_first(&mut met)]);
                    }
                }
                return;
            }
            (Link::Leaf(_), Link::Leaf(_)) => return,
        };
        let boxes = Lanes::new(simd, other);
        for place in 0..usize::from(node.links.count).min(WIDTH) {
            let mut met = boxes.met_by(node, place);
            if a == b {
                // Each two once, and below each child itself.
                met &= u64::MAX << place;
                met &= !(u64::from(matches!(decode(node.children[place]), Link::Leaf(_))) << place);
            }
            while met != 0 {
                offer(node.children[place], other.children[take_first(&mut met)]);
            }
        }
    }
}

/// The number of the lowest bit, which is taken off.
#[inline(always)]
fn take_first(bits: &mut u64) -> usize {
    let first = bits.trailing_zeros() as usize % WIDTH;
    *bits &= *bits - 1;
    first
}

/// The boxes of a node's children.
struct Lanes<S: Simd> {
    simd: S,
    low: Axes<f32x8<S>>,
    high: Axes<f32x8<S>>,
}

impl<S: Simd> Lanes<S> {
    #[inline(always)]
    fn new(simd: S, node: &Node) -> Self {
        let [x, y, z] = &node.bounds;
        let low = [planes(x, 0), planes(y, 0), planes(z, 0)];
        let high = [planes(x, WIDTH), planes(y, WIDTH), planes(z, WIDTH)];
        Self { simd, low: lanes(simd, low), high: lanes(simd, high) }
    }

    /// Which of them overlap a child of a node.
    #[inline(always)]
    fn met_by(&self, node: &Node, place: usize) -> u64 {
        let [x, y, z] = &node.bounds;
        let met = self.met_on(0, x, place) & self.met_on(1, y, place) & self.met_on(2, z, place);
        met.to_bitmask()
    }

    #[inline(always)]
    fn met_on(&self, axis: usize, bounds: &[f32; 2 * WIDTH], place: usize) -> <f32x8<S> as SimdBase<S>>::Mask {
        let low = f32x8::splat(self.simd, bounds[place % WIDTH]);
        let high = f32x8::splat(self.simd, bounds[WIDTH + place % WIDTH]);
        self.low[axis].simd_le(high) & self.high[axis].simd_ge(low)
    }
}

#[inline(always)]
fn lanes<S: Simd>(simd: S, [x, y, z]: [&[f32]; 3]) -> Axes<f32x8<S>> {
    [f32x8::from_slice(simd, x), f32x8::from_slice(simd, y), f32x8::from_slice(simd, z)]
}
