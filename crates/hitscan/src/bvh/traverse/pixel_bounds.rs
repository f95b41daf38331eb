//! Lower bounds of the distances of boxes from a cursor on the screen, for searches through several trees that continue with the nearest box of
//! all.

use super::region_traversal::RegionPlane;
use super::single_ray::NodeSource;
use crate::bvh::builder::{Link, WIDTH};
use crate::bvh::bvh8::{Bvh8, root};
use crate::bvh::dynamic::DynamicBvh;
use crate::bvh::node::{Node, decode};
use crate::math::float::{larger, sqrt};
use crate::simd::dispatch;

/// The projection of a camera, as functions of a tree's coordinates. The functions are pixel x and pixel y relative to a cursor, both multiplied by the weight,
/// then the weight, and the depth. With perspective, the weight is the depth; with parallel rays, it is 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PixelForms {
    pub(crate) pixels: [RegionPlane; 2],
    pub(crate) weight: RegionPlane,
    pub(crate) depth: RegionPlane,
}

/// The pixels and depths in which the search finds boxes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PixelLimits {
    /// The square of the largest distance from the cursor.
    pub(crate) square: f64,
    pub(crate) near: f64,
    pub(crate) far: f64,
}

/// Lower bounds for all points of a box that are in front of the eye.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PixelBound {
    /// The square of the distance from the cursor, in pixels.
    pub(crate) square: f64,
    pub(crate) depth: f64,
}

/// A node or a leaf of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TreeChild(u32);

impl TreeChild {
    /// The root of a tree that is not empty.
    pub(crate) const ROOT: Self = Self(0);

    /// Returns the number of the leaf; `None` for a node.
    pub(crate) fn leaf(self) -> Option<u32> {
        match decode(self.0) {
            Link::Leaf(leaf) => Some(leaf),
            Link::Node(_) => None,
        }
    }
}

/// Handles a child of a node that may have a point within the limits.
pub(crate) type ShowChild<'a> = dyn FnMut(TreeChild, PixelBound) + 'a;

impl Bvh8 {
    /// Calls `show` with the children of a node that may have a point within the limits.
    pub(crate) fn children_near(
        &self,
        node: TreeChild,
        forms: &PixelForms,
        limits: &PixelLimits,
        show: &mut ShowChild<'_>,
    ) {
        children_near(&self.nodes[..], node, forms, limits, show);
    }
}

impl DynamicBvh {
    /// Does the same for a tree whose coordinates are relative to its [frame](Self::frame).
    pub(crate) fn children_near(
        &self,
        node: TreeChild,
        forms: &PixelForms,
        limits: &PixelLimits,
        show: &mut ShowChild<'_>,
    ) {
        children_near(self.rows().0, node, forms, limits, show);
    }
}

fn children_near<'a>(
    nodes: impl NodeSource<'a>,
    TreeChild(node): TreeChild,
    forms: &PixelForms,
    limits: &PixelLimits,
    show: &mut ShowChild<'_>,
) {
    if root(nodes).is_none() {
        return;
    }
    let node = nodes.node(node);
    let (squares, depths) = dispatch!(simd => {
        let _ = simd;
        bounds(node, forms, limits)
    });
    for place in (0..WIDTH).filter(|&place| squares[place] <= limits.square && node.link(place).is_some()) {
        show(TreeChild(node.children[place]), PixelBound { square: squares[place], depth: depths[place] });
    }
}

/// A computed square, multiplied by this, is not above the exact one.
const BELOW_ROUNDINGS: f64 = 1.0 - 32.0 * f64::EPSILON;

/// Returns two lower bounds for each child. The first is for the squared distance from the cursor, and is infinite for
/// a box outside of the depths of the search. The second is for the depth. They have no meaning for a place without a
/// child.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn bounds(node: &Node, forms: &PixelForms, limits: &PixelLimits) -> ([f64; WIDTH], [f64; WIDTH]) {
    let boxes = ChildBoxes::new(node);
    let pixels = [boxes.middles(&forms.pixels[0]), boxes.middles(&forms.pixels[1])];
    let (weights, depths) = (boxes.middles(&forms.weight), boxes.middles(&forms.depth));
    let projected = ProjectedBoxes { boxes: &boxes, forms, pixels, weights };
    let mut squares = [0.0; WIDTH];
    let mut least_depths = [0.0; WIDTH];
    for place in 0..WIDTH {
        let most_weight = weights[place] + boxes.reach(place, forms.weight.normal.to_array()) + forms.weight.error;
        let (px, py) = (pixels[0][place], pixels[1][place]);
        let length = sqrt(px * px + py * py);
        let beside = projected.distance(place, [if px < 0.0 { -1.0 } else { 1.0 }, 0.0], most_weight);
        let below = projected.distance(place, [0.0, if py < 0.0 { -1.0 } else { 1.0 }], most_weight);
        let length = if length > 0.0 { length } else { f64::INFINITY };
        let onward = projected.distance(place, [px / length, py / length], most_weight);
        let square = larger(beside * beside + below * below, onward * onward) * BELOW_ROUNDINGS;
        let depth_reach = boxes.reach(place, forms.depth.normal.to_array()) + forms.depth.error;
        let (least, most) = (depths[place] - depth_reach, depths[place] + depth_reach);
        let is_outside = (most < limits.near) | (least > limits.far) | (most_weight <= 0.0);
        // A bound that is NaN is no bound.
        let square = if square > 0.0 { square } else { 0.0 };
        squares[place] = if is_outside { f64::INFINITY } else { square };
        least_depths[place] = if least > limits.near { least } else { limits.near };
    }
    (squares, least_depths)
}

/// The boxes of a node, and the values of [`PixelForms`] at the middles of these boxes.
struct ProjectedBoxes<'a> {
    boxes: &'a ChildBoxes,
    forms: &'a PixelForms,
    pixels: [[f64; WIDTH]; 2],
    weights: [f64; WIDTH],
}

// Everything is inlined, so that the lanes are computed together.
impl ProjectedBoxes<'_> {
    /// Returns a lower bound of the distance of a box in pixels along a unit direction on the screen; 0 for no direction.
    ///
    /// The height x of a point is its distance in pixels along the direction times its weight w. So the least x / w is at least
    /// the least x, or 0 if that is negative, divided by the largest w. From there, the height decreases by at most the
    /// largest w with each pixel.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn distance(&self, place: usize, across: [f64; 2], most_weight: f64) -> f64 {
        let first = larger(self.above(place, across, 0.0), 0.0) / most_weight;
        first + larger(self.above(place, across, first), 0.0) / most_weight
    }

    /// Returns a lower bound of the height of a box above a line on the screen. The line is perpendicular to the
    /// direction `across`, and this many pixels away from the cursor.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn above(&self, place: usize, across: [f64; 2], distance: f64) -> f64 {
        let ([x, y], weight) = (&self.forms.pixels, &self.forms.weight);
        let mut along = [0.0; 3];
        for (axis, along) in along.iter_mut().enumerate() {
            *along = across[0] * x.normal[axis] + across[1] * y.normal[axis] - distance * weight.normal[axis];
        }
        let error = across[0].abs() * x.error + across[1].abs() * y.error;
        across[0] * self.pixels[0][place] + across[1] * self.pixels[1][place]
            - distance * self.weights[place]
            - self.boxes.reach(place, along)
            - (error + distance * weight.error)
    }
}

/// The boxes of a node: their middles, and half their sizes, by axis.
struct ChildBoxes {
    middles: [[f64; WIDTH]; 3],
    halves: [[f64; WIDTH]; 3],
}

impl ChildBoxes {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn new(node: &Node) -> Self {
        let (mut middles, mut halves) = ([[0.0; WIDTH]; 3], [[0.0; WIDTH]; 3]);
        for (axis, planes) in node.bounds.iter().enumerate() {
            for place in 0..WIDTH {
                let (low, high) = (f64::from(planes[place]), f64::from(planes[WIDTH + place]));
                middles[axis][place] = (low + high) * 0.5;
                halves[axis][place] = (high - low) * 0.5;
            }
        }
        Self { middles, halves }
    }

    /// Returns the values of a form at the middles.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn middles(&self, form: &RegionPlane) -> [f64; WIDTH] {
        let mut values = [form.constant; WIDTH];
        for (axis, middles) in self.middles.iter().enumerate() {
            for place in 0..WIDTH {
                values[place] += form.normal[axis] * middles[place];
            }
        }
        values
    }

    /// Returns the largest difference between the values of a linear function in a box and at its middle.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn reach(&self, place: usize, normal: [f64; 3]) -> f64 {
        let [x, y, z] = &self.halves;
        normal[0].abs() * x[place] + normal[1].abs() * y[place] + normal[2].abs() * z[place]
    }
}
