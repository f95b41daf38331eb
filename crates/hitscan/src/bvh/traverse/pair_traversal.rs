//! Searches for the parts of two trees that are near each other, in f64. Each tree has a space of its own, and the boxes of one tree are tilted in the
//! space of the other.
//!
//! The distance of two boxes is bounded in three ways. One is along the axes of both spaces, for eight boxes at once. Another is along a direction that the
//! visitor knows, and the third is across the slabs of their contents. Products and sums are written out, so that every instruction set rounds alike.

use super::distance_traversal::{BELOW_SQUARE_ROUNDINGS, QueryBox};
use super::support8::{Axes8, Lanes8, Support1, Support8, splat};
use crate::bvh::builder::WIDTH;
use crate::bvh::bvh8::{Bvh8, root};
use crate::bvh::node::{LEAF, Node};
use crate::bvh::slab_tree::{Slab8, SlabTree};
use crate::geom::aabb::Aabb;
use crate::math::float::{larger, largest};
use crate::simd::dispatch;
use alloc::vec::Vec;
use core::ops::ControlFlow;
use glam::{DAffine3, DMat3, DVec3};

/// A tree's space, as it is seen from the space of another tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpaceBeside {
    /// The transform from the other tree's space to this one.
    pub(crate) from_other: DAffine3,
    /// A bound on the error of an image in this space.
    pub(crate) padding: DVec3,
    /// Factors of the distances along the axes. The square of a world distance is at least the sum of the squares
    /// of the products.
    pub(crate) weight: DVec3,
    /// A world distance is at least this times the distance between two planes across a unit vector in this space.
    pub(crate) least: f64,
}

/// A direction in the world, along which the second of two trees may be beyond the first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairDirection {
    /// The dot products with these are heights along a unit vector in the world, up to a constant for each tree.
    pub(crate) covectors: [DVec3; 2],
    /// The constant of the second tree minus the constant of the first.
    pub(crate) shift: f64,
    /// A bound on the error of a difference of heights.
    pub(crate) padding: f64,
}

/// Handles pairs of leaves that may be near each other.
pub(crate) trait LeafPairVisitor {
    /// Visits a leaf of each tree.
    fn visit(&mut self, leaves: [u32; 2]) -> ControlFlow<()>;

    /// Returns the largest distance that matters from now on.
    fn limit(&self) -> f64;

    /// Returns a direction that is likely to separate leaves that are farther apart than the limit.
    fn along(&self) -> Option<&PairDirection>;
}

/// Says what to do about slabs that do not exist yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MissingSlabs {
    LeaveOut,
    /// The slabs are made if they are worth their time. The argument is how many more nodes were divided without them.
    MakeIfWorth(u32),
}

/// The number of divisions after which slabs are asked for again.
const DIVISIONS_PER_QUESTION: u32 = 64;

/// Returns the slabs of both trees, as far as there are any.
pub(crate) type SlabSource<'a> = dyn Fn(MissingSlabs) -> [Option<&'a SlabTree>; 2] + 'a;

impl Bvh8 {
    /// Visits every pair of leaves, one of each tree, that may be as near as the limit. The order is roughly from near to far. `spaces`
    /// are the spaces of this tree and of the other one, each as seen from the other.
    pub(crate) fn approach_pairs(
        &self,
        other: &Self,
        spaces: &[SpaceBeside; 2],
        slabs: &SlabSource<'_>,
        visitor: &mut impl LeafPairVisitor,
    ) -> ControlFlow<()> {
        dispatch!(simd => {
            let _ = simd;
            approach_pairs([&self.nodes[..], &other.nodes[..]], spaces, slabs, visitor)
        })
    }
}

/// A node or leaf of a tree, with its box and its slab.
#[derive(Clone, Copy)]
struct BoundedChild {
    child: u32,
    bounds: Aabb,
    normal: [f32; 3],
    heights: [f32; 2],
}

impl BoundedChild {
    fn root(node: &Node) -> Self {
        Self { child: 0, bounds: node.bounds(), normal: [0.0; 3], heights: [0.0; 2] }
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn of_node(node: &Node, slabs: Option<&Slab8>, place: usize) -> Self {
        let (normal, heights) = match slabs {
            Some(Slab8 { normal: [x, y, z], low, high }) => ([x[place], y[place], z[place]], [low[place], high[place]]),
            None => ([0.0; 3], [0.0; 2]),
        };
        Self { child: node.children[place], bounds: node.child_bounds(place), normal, heights }
    }

    fn is_leaf(&self) -> bool {
        self.child & LEAF != 0
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn support(&self) -> Support1 {
        let (low, high) = (self.bounds.min.as_dvec3(), self.bounds.max.as_dvec3());
        let [x, y, z] = self.normal;
        Support1 {
            middle: (low + high) * 0.5,
            half: (high - low) * 0.5,
            normal: DVec3::new(x.into(), y.into(), z.into()),
            low: self.heights[0].into(),
            high: self.heights[1].into(),
        }
    }
}

/// A node or leaf of each tree.
#[derive(Clone, Copy)]
struct NodePair {
    /// A lower bound of the square of their distance.
    square: f64,
    sides: [BoundedChild; 2],
}

#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn approach_pairs<V: LeafPairVisitor>(
    trees: [&[Node]; 2],
    spaces: &[SpaceBeside; 2],
    source: &SlabSource<'_>,
    visitor: &mut V,
) -> ControlFlow<()> {
    let mut open: Vec<NodePair> = Vec::new();
    if let [Some(one), Some(other)] = [root(trees[0]), root(trees[1])] {
        open.push(NodePair { square: 0.0, sides: [BoundedChild::root(one), BoundedChild::root(other)] });
    }
    let mut slabs = source(MissingSlabs::LeaveOut);
    let mut divisions = 0;
    while let Some(pair) = open.pop() {
        let limit = visitor.limit();
        if pair.square > limit * limit {
            continue;
        }
        let [ours, theirs] = &pair.sides;
        if ours.is_leaf() && theirs.is_leaf() {
            visitor.visit([ours.child & !LEAF, theirs.child & !LEAF])?;
            continue;
        }
        // The larger side of the pair is divided, unless it is a leaf.
        let is_theirs = ours.is_leaf() || !theirs.is_leaf() && is_larger(&pair.sides, spaces);
        let division = Division { pair: &pair, divided: usize::from(is_theirs), spaces, slabs };
        division.divide(trees[division.divided], visitor, &mut open);
        divisions += 1;
        if divisions == DIVISIONS_PER_QUESTION {
            divisions = 0;
            slabs = source(MissingSlabs::MakeIfWorth(DIVISIONS_PER_QUESTION));
        }
    }
    source(MissingSlabs::MakeIfWorth(divisions));
    ControlFlow::Continue(())
}

/// Returns whether the second of two boxes is the larger one in the world. This only decides in which order pairs are divided.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn is_larger([ours, theirs]: &[BoundedChild; 2], [our_space, their_space]: &[SpaceBeside; 2]) -> bool {
    let size = |Aabb { min, max }: Aabb, weight: DVec3| largest((max.as_dvec3() - min.as_dvec3()) * weight);
    size(theirs.bounds, their_space.weight) > size(ours.bounds, our_space.weight)
}

/// A pair of which one side is divided.
struct Division<'a> {
    pair: &'a NodePair,
    divided: usize,
    spaces: &'a [SpaceBeside; 2],
    slabs: [Option<&'a SlabTree>; 2],
}

impl Division<'_> {
    /// Adds the pairs of the other side with each child of the divided side, the nearest pair last.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn divide(&self, nodes: &[Node], visitor: &impl LeafPairVisitor, open: &mut Vec<NodePair>) {
        let (side, kept) = (&self.pair.sides[self.divided], &self.pair.sides[1 - self.divided]);
        let node = &nodes[side.child as usize];
        let slabs = self.slabs[self.divided].map(|slabs| &slabs.nodes[side.child as usize]);
        let (parts, whole) = (Support8::of_node(node, slabs), kept.support());
        let (mut squares, middles) = self.squares(node, &parts, &whole);
        let limit = visitor.limit();
        let mut gaps = [0.0; WIDTH];
        if let Some(along) = visitor.along() {
            self.look_along(along, &parts, &whole, &mut gaps);
        }
        self.look_across(&parts, &whole, side, &mut gaps);
        for place in 0..WIDTH {
            squares[place] = larger(gaps[place] * gaps[place], squares[place]);
        }
        let mut order = [(0.0, 0.0, 0); WIDTH];
        let mut count = 0;
        for place in 0..WIDTH {
            // An empty place is infinitely far, and one whose distance is NaN may be anywhere.
            if squares[place] > limit * limit || node.link(place).is_none() {
                continue;
            }
            let key = (squares[place], middles[place], place);
            let mut at = count;
            while at > 0 && is_before(&order[at - 1], &key) {
                order[at] = order[at - 1];
                at -= 1;
            }
            order[at] = key;
            count += 1;
        }
        for &(square, _, place) in &order[..count] {
            let mut sides = [*kept; 2];
            sides[self.divided] = BoundedChild::of_node(node, slabs, place);
            open.push(NodePair { square, sides });
        }
    }

    /// Returns two squares for each child. One is a lower bound of the squared distance from the other side,
    /// along the axes of both spaces. The other is the squared distance of the middles. Pairs whose boxes overlap
    /// are ordered by the latter.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn squares(&self, node: &Node, parts: &Support8, whole: &Support1) -> (Lanes8, Lanes8) {
        let (space, other) = (&self.spaces[self.divided], &self.spaces[1 - self.divided]);
        let mut squares = image(whole, space).squares(node);
        let (mut tilted, mut middles) = ([0.0; WIDTH], [0.0; WIDTH]);
        let rows = other.from_other.matrix3.transpose();
        for (axis, row) in [rows.x_axis, rows.y_axis, rows.z_axis].into_iter().enumerate() {
            let (shift, weight) = (other.from_other.translation[axis] - whole.middle[axis], other.weight[axis]);
            let (half, sizes) = (whole.half[axis] + other.padding[axis], row.abs());
            let ([x, y, z], [a, b, c]) = (&parts.middle, &parts.half);
            for place in 0..WIDTH {
                let middle = row.x * x[place] + row.y * y[place] + row.z * z[place] + shift;
                let reach = sizes.x * a[place] + sizes.y * b[place] + sizes.z * c[place] + half;
                let gap = larger(middle.abs() - reach, 0.0) * weight;
                tilted[place] += gap * gap;
                middles[place] += middle * middle;
            }
        }
        for place in 0..WIDTH {
            squares[place] = larger(tilted[place] * BELOW_SQUARE_ROUNDINGS, squares[place]);
        }
        (squares, middles)
    }

    /// Replaces lower bounds of distances by the gaps along a direction, where the gaps are larger.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn look_along(&self, along: &PairDirection, parts: &Support8, whole: &Support1, gaps: &mut Lanes8) {
        let [first, second] = along.covectors;
        let outward = [first, -second];
        let heights = parts.heights(&splat(outward[self.divided]));
        let beyond = along.shift - whole.height(outward[1 - self.divided]) - along.padding;
        for place in 0..WIDTH {
            gaps[place] = larger(beyond - heights[place], gaps[place]);
        }
    }

    /// Replaces lower bounds of distances by the gaps across the slab of either side, where the gaps are larger.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn look_across(&self, parts: &Support8, whole: &Support1, side: &BoundedChild, gaps: &mut Lanes8) {
        let (space, other) = (&self.spaces[self.divided], &self.spaces[1 - self.divided]);
        if whole.normal != DVec3::ZERO {
            // The direction is across the other side's slab, towards this side.
            let toward = other.from_other.transform_point3(side.support().middle) - whole.middle;
            let sign = if whole.normal.dot(toward) < 0.0 { -1.0 } else { 1.0 };
            let normal = whole.normal * sign;
            let image = other.from_other.matrix3.transpose() * normal;
            let beyond = normal.dot(other.from_other.translation) - whole.height_across(sign) - padding(other);
            let heights = parts.heights(&splat(-image));
            for place in 0..WIDTH {
                gaps[place] = larger((beyond - heights[place]) * other.least, gaps[place]);
            }
        }
        if self.slabs[self.divided].is_some() {
            let toward = space.from_other.transform_point3(whole.middle);
            let (signs, images, shifts) = across_images(parts, toward, space);
            let own = parts.heights_across(&signs);
            let heights = Support8::splat(whole).heights(&images);
            let padding = padding(space);
            for place in 0..WIDTH {
                let beyond = shifts[place] - own[place] - heights[place] - padding;
                gaps[place] = larger(beyond * space.least, gaps[place]);
            }
        }
    }
}

/// Returns three values for each slab. The first is the sign of the side of the slab's normal on which a place is. The second is the
/// image of the normal in the other space, turned towards the slab. The third is the height of the other space's origin along the
/// normal, with that sign.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn across_images(parts: &Support8, place: DVec3, space: &SpaceBeside) -> (Lanes8, Axes8, Lanes8) {
    let (mut signs, mut images, mut shifts) = ([0.0; WIDTH], [[0.0; WIDTH]; 3], [0.0; WIDTH]);
    let DMat3 { x_axis, y_axis, z_axis } = space.from_other.matrix3;
    let origin = space.from_other.translation;
    let ([x, y, z], [p, q, r]) = (&parts.normal, &parts.middle);
    for lane in 0..WIDTH {
        let along = x[lane] * (place.x - p[lane]) + y[lane] * (place.y - q[lane]) + z[lane] * (place.z - r[lane]);
        signs[lane] = if along < 0.0 { -1.0 } else { 1.0 };
        let n = [x[lane] * signs[lane], y[lane] * signs[lane], z[lane] * signs[lane]];
        shifts[lane] = n[0] * origin.x + n[1] * origin.y + n[2] * origin.z;
        images[0][lane] = -(n[0] * x_axis.x + n[1] * x_axis.y + n[2] * x_axis.z);
        images[1][lane] = -(n[0] * y_axis.x + n[1] * y_axis.y + n[2] * y_axis.z);
        images[2][lane] = -(n[0] * z_axis.x + n[1] * z_axis.y + n[2] * z_axis.z);
    }
    (signs, images, shifts)
}

/// Returns a bound on the error of heights along a vector of about unit length. It covers the error of an image, and
/// the errors of the sums.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn padding(space: &SpaceBeside) -> f64 {
    2.0 * (space.padding.x + space.padding.y + space.padding.z)
}

/// Returns whether the first of two pairs is nearer. A nearer pair comes after the other one on the stack.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn is_before(a: &(f64, f64, usize), b: &(f64, f64, usize)) -> bool {
    a.0 < b.0 || a.0 == b.0 && a.1 < b.1
}

/// Returns the box around the image of another box in a space.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn image(whole: &Support1, space: &SpaceBeside) -> QueryBox {
    let DMat3 { x_axis, y_axis, z_axis } = space.from_other.matrix3;
    let half = x_axis.abs() * whole.half.x + y_axis.abs() * whole.half.y + z_axis.abs() * whole.half.z + space.padding;
    let middle = space.from_other.transform_point3(whole.middle);
    QueryBox { low: middle - half, high: middle + half, weight: space.weight }
}
