//! A node of eight boxes, as it is laid out in memory.

use super::builder::{Child, Link, WIDTH};
use crate::geom::aabb::Aabb;
use crate::math::float::{larger, smaller};
use core::fmt;
use core::num::NonZero;
use glam::Vec3;

/// The bit that is set in a child that is a leaf.
pub(super) const LEAF: u32 = 1 << 31;

/// Encodes a child in a node.
fn encode(link: Link) -> u32 {
    match link {
        Link::Node(number) => number,
        Link::Leaf(number) => number | LEAF,
    }
}

pub(super) fn decode(child: u32) -> Link {
    if child & LEAF == 0 { Link::Node(child) } else { Link::Leaf(child & !LEAF) }
}

/// A node. Its planes are ordered by axis, then lower before upper, then by child. A place without a child has a box
/// that no ray enters.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Node {
    pub(super) bounds: [[f32; 2 * WIDTH]; 3],
    pub(super) children: [u32; WIDTH],
    /// The links are only needed in trees that change. They take bytes that would otherwise be unused.
    pub(super) links: Links,
}

const _: () = assert!(size_of::<Node>() == 256);

/// The links of a node in a tree.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Links {
    /// The place in the parent; `None` for the root.
    pub(super) parent: Option<ChildSlot>,
    /// The number of children, which are in the first places.
    pub(super) count: u16,
    /// The number of edges to the deepest item below the node.
    pub(super) height: u16,
    /// Half the area of its box when its children were last chosen. Later moves may enlarge the box.
    pub(super) chosen_area: f32,
}

/// A child's place in a node. There are at most 2^29 nodes, which would take 128 GiB.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct ChildSlot(NonZero<u32>);

impl ChildSlot {
    pub(super) fn new(node: u32, index: usize) -> Self {
        Self(NonZero::<u32>::MIN.saturating_add(node * WIDTH as u32 + index as u32))
    }

    pub(super) fn node(self) -> u32 {
        (self.0.get() - 1) / WIDTH as u32
    }

    pub(super) fn index(self) -> usize {
        (self.0.get() - 1) as usize % WIDTH
    }
}

impl fmt::Debug for ChildSlot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "child {} of {}", self.index(), self.node())
    }
}

impl Default for Node {
    fn default() -> Self {
        let empty = core::array::from_fn(|i| if i < WIDTH { f32::INFINITY } else { f32::NEG_INFINITY });
        Self { bounds: [empty; 3], children: [0; WIDTH], links: Links::default() }
    }
}

impl Node {
    pub(super) fn child(&self, place: usize) -> Child {
        Child { bounds: self.child_bounds(place), link: decode(self.children[place]) }
    }

    /// Iterates over the children of a node that stores their number.
    pub(super) fn present_children(&self) -> impl Iterator<Item = Child> {
        (0..self.links.count.into()).map(|place| self.child(place))
    }

    /// Returns `None` for a place without a child.
    pub(super) fn link(&self, place: usize) -> Option<Link> {
        let x = &self.bounds[0];
        (x[place] <= x[WIDTH + place]).then_some(decode(self.children[place]))
    }

    pub(super) fn set_child(&mut self, place: usize, child: &Child) {
        self.children[place] = encode(child.link);
        self.set_bounds(place, &child.bounds);
    }

    pub(super) fn set_bounds(&mut self, place: usize, bounds: &Aabb) {
        for axis in 0..3 {
            self.bounds[axis][place] = bounds.min[axis];
            self.bounds[axis][WIDTH + place] = bounds.max[axis];
        }
    }

    /// Returns a child's box; empty for a place without a child.
    pub(super) fn child_bounds(&self, place: usize) -> Aabb {
        // This does not use `array::map`, which copies all planes onto the stack. When the copy crossed cache lines, finding pairs took twice as long.
        let [x, y, z] = &self.bounds;
        let side = |plane: usize| Vec3::new(x[plane], y[plane], z[plane]);
        Aabb { min: side(place), max: side(WIDTH + place) }
    }

    /// Returns the boxes of the leaves among its children.
    pub(super) fn leaves(&self) -> impl Iterator<Item = Aabb> {
        let is_leaf = |&place: &usize| matches!(self.link(place), Some(Link::Leaf(_)));
        (0..WIDTH).filter(is_leaf).map(|place| self.child_bounds(place))
    }

    /// Returns the box around all children.
    pub(super) fn bounds(&self) -> Aabb {
        let [x, y, z] = &self.bounds;
        let low = |axis| fold(axis, 0, smaller);
        let high = |axis| fold(axis, WIDTH, larger);
        Aabb { min: Vec3::new(low(x), low(y), low(z)), max: Vec3::new(high(x), high(y), high(z)) }
    }
}

/// Returns the eight lower planes of an axis if `first` is 0, or the eight upper planes if `first` is [`WIDTH`].
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn planes(axis: &[f32; 2 * WIDTH], first: usize) -> &[f32] {
    &axis[first & WIDTH..][..WIDTH]
}

/// Reduces the eight planes from `first` on to one number. It combines the two halves lane by lane, then the halves of
/// the result, and so on. Compilers vectorize this, but not `array::map`, which they do not inline.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn fold(axis: &[f32; 2 * WIDTH], first: usize, of_two: impl Fn(f32, f32) -> f32) -> f32 {
    let pair = |place: usize| of_two(axis[first + place], axis[first + place + 4]);
    let four = [pair(0), pair(1), pair(2), pair(3)];
    of_two(of_two(four[0], four[2]), of_two(four[1], four[3]))
}
