//! Pairs of items of one tree.

use super::{DynamicBvh, ROOT};
use crate::bvh::builder::{Link, WIDTH};
use crate::bvh::bvh8::root;
use crate::bvh::node::{LEAF, Node, decode, planes};
use crate::geom::aabb::Aabb;
use crate::math::float::{larger, smaller};
use crate::parallel;
use crate::simd::{Axes, Simd, SimdBase, SimdMask, dispatch, f32x8};
use alloc::vec::Vec;

/// Says how far apart boxes may be to be a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BoxGap {
    /// Boxes must overlap or touch.
    None,
    /// The gap is up to the largest at which the contents of two boxes are treated as in contact.
    Contact,
}

/// Contents are treated as in contact up to a gap of 2^-40 of their coordinates. The coordinates are relative to a place near one of them
/// (docs/robustness/distances.md, "Pairs of entities that overlap"). Each box is widened on every side by 16 times as much of its size. A larger part only
/// costs work.
const CONTACT_PART: f32 = 1.0 / (1u64 << 36) as f32;

/// Two items whose boxes overlap or touch in the tree, or are within the gap.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CloseItems {
    pub(crate) items: [u32; 2],
    pub(crate) before_rounding: BeforeRounding,
}

/// Says whether the original boxes overlap, before the tree rounded them. It is unknown if there may be a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BeforeRounding {
    Overlap,
    Unknown,
}

/// Two children anywhere in the tree whose boxes overlap, or one node twice.
#[derive(Clone, Copy)]
struct OverlappingNodes {
    children: [u32; 2],
    common: BoxIntersection,
}

/// The intersection of two boxes. The boxes of their descendants can only overlap inside it.
#[derive(Clone, Copy)]
struct BoxIntersection {
    low: [f32; 3],
    high: [f32; 3],
}

/// Fewer items than this are not worth threads.
const FEW: usize = 1024;

/// The number of overlapping pairs of nodes that are divided among threads. It is far more than there are threads,
/// because some pairs take longer than others.
const SHARES: usize = 256;

impl DynamicBvh {
    /// Returns every pair of items whose boxes overlap or touch, or are within a gap, each once, in no meaningful order.
    pub(crate) fn pairs(&self, gap: BoxGap) -> Vec<CloseItems> {
        let (mut open, mut pairs) = (Vec::new(), Vec::new());
        open.extend(
            root(&self.nodes)
                .map(|root| OverlappingNodes { children: [ROOT; 2], common: BoxIntersection::of(&root.bounds(), gap) }),
        );
        if self.len >= FEW && parallel::is_available() {
            while !open.is_empty() && open.len() < SHARES {
                let (level, open, pairs) = (core::mem::take(&mut open), &mut open, &mut pairs);
                dispatch!(simd => for meeting in level { self.divide(simd, gap, meeting, open, pairs) });
            }
            let mut shares: Vec<_> = open.drain(..).map(|meeting| (alloc::vec![meeting], Vec::new())).collect();
            parallel::for_each(&mut shares, &|(open, pairs)| self.divide_all(gap, open, pairs));
            shares.iter().for_each(|(_, found)| pairs.extend_from_slice(found));
        }
        self.divide_all(gap, &mut open, &mut pairs);
        pairs
    }

    fn divide_all(&self, gap: BoxGap, open: &mut Vec<OverlappingNodes>, pairs: &mut Vec<CloseItems>) {
        dispatch!(simd => while let Some(meeting) = open.pop() { self.divide(simd, gap, meeting, open, pairs) });
    }

    /// Finds the pairs of items in an overlapping pair of nodes, and the pairs of nodes to be divided next.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn divide<S: Simd>(
        &self,
        simd: S,
        gap: BoxGap,
        meeting: OverlappingNodes,
        open: &mut Vec<OverlappingNodes>,
        pairs: &mut Vec<CloseItems>,
    ) {
        let OverlappingNodes { children: [a, b], common } = meeting;
        match (decode(a), decode(b)) {
            (Link::Node(node), Link::Node(other)) => {
                let (node, other) = (self.node(node), self.node(other));
                let boxes = Lanes::new(simd, other, gap);
                let (mut own, others) = if a == b {
                    ((1 << node.links.count) - 1, u64::MAX)
                } else {
                    (Lanes::new(simd, node, gap).met_by(&common), boxes.met_by(&common))
                };
                while own != 0 {
                    let place = take_first(&mut own);
                    let child = BoxIntersection::of(&node.child_bounds(place), gap);
                    let mut met = boxes.met_by(&child) & others;
                    if a == b {
                        // Each pair of children is considered once, and each child with itself.
                        met &= u64::MAX << place;
                        met &= !(u64::from(node.children[place] >= LEAF) << place);
                    }
                    offer((node.children[place], &child), (other, gap), met, open, pairs);
                }
            }
            (Link::Leaf(_), Link::Node(other)) => {
                let other = self.node(other);
                offer((a, &common), (other, gap), Lanes::new(simd, other, gap).met_by(&common), open, pairs);
            }
            (Link::Node(other), Link::Leaf(_)) => {
                let other = self.node(other);
                offer((b, &common), (other, gap), Lanes::new(simd, other, gap).met_by(&common), open, pairs);
            }
            (Link::Leaf(_), Link::Leaf(_)) => {}
        }
    }
}

/// Handles the pairs of a child with the children in `met`, which are children of another node. Pairs of items go to
/// `pairs`, and all others to `open`.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn offer(
    (child, around): (u32, &BoxIntersection),
    (other, gap): (&Node, BoxGap),
    mut met: u64,
    open: &mut Vec<OverlappingNodes>,
    pairs: &mut Vec<CloseItems>,
) {
    while met != 0 {
        let place = take_first(&mut met);
        let children = [child, other.children[place]];
        let common = around.and(&BoxIntersection::of(&other.child_bounds(place), gap));
        match children.map(decode) {
            [Link::Leaf(a), Link::Leaf(b)] => {
                pairs.push(CloseItems { items: [a, b], before_rounding: common.before_rounding(gap) });
            }
            _ => open.push(OverlappingNodes { children, common }),
        }
    }
}

impl BoxIntersection {
    /// Returns a box, widened by half of the gap. Sums and products are rounded monotonically, so a box within another one is within it when both are widened.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn of(bounds: &Aabb, gap: BoxGap) -> Self {
        let Aabb { min, max } = *bounds;
        if gap == BoxGap::None {
            return Self { low: min.to_array(), high: max.to_array() };
        }
        let size = (max.x - min.x) + (max.y - min.y) + (max.z - min.z);
        let pad = size * CONTACT_PART;
        Self { low: [min.x - pad, min.y - pad, min.z - pad], high: [max.x + pad, max.y + pad, max.z + pad] }
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn and(&self, other: &Self) -> Self {
        let ([a, b, c], [x, y, z]) = (self.low, self.high);
        Self {
            low: [larger(a, other.low[0]), larger(b, other.low[1]), larger(c, other.low[2])],
            high: [smaller(x, other.high[0]), smaller(y, other.high[1]), smaller(z, other.high[2])],
        }
    }

    /// Rounding moved each plane of the boxes outwards by less than two steps of f32. One step is in the difference
    /// from the tree's origin, and one in the conversion to f32.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn before_rounding(&self, gap: BoxGap) -> BeforeRounding {
        let mut overlap = gap == BoxGap::None;
        for (low, high) in self.low.iter().zip(&self.high) {
            overlap &= low.next_up().next_up() <= high.next_down().next_down();
        }
        if overlap { BeforeRounding::Overlap } else { BeforeRounding::Unknown }
    }
}

/// Clears the lowest bit that is set, and returns its number.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn take_first(bits: &mut u64) -> usize {
    let first = bits.trailing_zeros() as usize % WIDTH;
    *bits &= *bits - 1;
    first
}

/// The boxes of a node's children, widened as by [`BoxIntersection::of`].
struct Lanes<S: Simd> {
    simd: S,
    low: Axes<f32x8<S>>,
    high: Axes<f32x8<S>>,
}

impl<S: Simd> Lanes<S> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn new(simd: S, node: &Node, gap: BoxGap) -> Self {
        let [x, y, z] = &node.bounds;
        let low = [planes(x, 0), planes(y, 0), planes(z, 0)];
        let high = [planes(x, WIDTH), planes(y, WIDTH), planes(z, WIDTH)];
        let (low, high) = (lanes(simd, low), lanes(simd, high));
        if gap == BoxGap::None {
            return Self { simd, low, high };
        }
        simd.shared(
            #[cfg_attr(target_family = "wasm", inline)]
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            || {
                let ([a, b, c], [x, y, z]) = (low, high);
                let pad = ((x - a) + (y - b) + (z - c)) * f32x8::splat(simd, CONTACT_PART);
                Self { simd, low: [a - pad, b - pad, c - pad], high: [x + pad, y + pad, z + pad] }
            },
        )
    }

    /// Returns which of the boxes overlap a box, one bit for each.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn met_by(&self, BoxIntersection { low, high }: &BoxIntersection) -> u64 {
        self.simd.shared(
            #[cfg_attr(target_family = "wasm", inline)]
            #[cfg_attr(not(target_family = "wasm"), inline(always))]
            || {
                let splat = f32x8::splat;
                let (low, high) = (
                    [splat(self.simd, low[0]), splat(self.simd, low[1]), splat(self.simd, low[2])],
                    [splat(self.simd, high[0]), splat(self.simd, high[1]), splat(self.simd, high[2])],
                );
                let x = self.low[0].simd_le(high[0]) & self.high[0].simd_ge(low[0]);
                let y = self.low[1].simd_le(high[1]) & self.high[1].simd_ge(low[1]);
                let z = self.low[2].simd_le(high[2]) & self.high[2].simd_ge(low[2]);
                (x & y & z).to_bitmask()
            },
        )
    }
}

#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn lanes<S: Simd>(simd: S, [x, y, z]: [&[f32]; 3]) -> Axes<f32x8<S>> {
    [f32x8::from_slice(simd, x), f32x8::from_slice(simd, y), f32x8::from_slice(simd, z)]
}
