//! Searches for the contents of a region of space, through any tree.

use super::single_ray::NodeSource;
use super::traversal_stack::{StackSlots, TraversalStack};
use crate::bvh::builder::{Link, WIDTH};
use crate::bvh::bvh8::{Bvh8, root};
use crate::bvh::dynamic::DynamicBvh;
use crate::bvh::node::{Node, decode};
use crate::math::float::largest;
use crate::simd::dispatch;
use alloc::vec::Vec;
use core::ops::ControlFlow;
use glam::DVec3;

/// The position of a box relative to a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BoxPlace {
    /// No point of the box is in the region.
    Outside,
    /// The box may be partly inside.
    Crossing,
    /// Every point of the box is in the region.
    Inside,
}

impl BoxPlace {
    /// Returns the position of the same box relative to the complement of the region.
    pub(crate) fn complement(self) -> Self {
        match self {
            Self::Outside => Self::Inside,
            Self::Crossing => Self::Crossing,
            Self::Inside => Self::Outside,
        }
    }
}

/// A plane in a tree's coordinates: heights above it are not negative in the region.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RegionPlane {
    pub(crate) normal: DVec3,
    pub(crate) constant: f64,
    /// A bound on the error of a height.
    pub(crate) error: f64,
}

/// The largest rounding error of a coordinate of a tree that is below the normal numbers of f32. It matters if some coordinates of a mesh are tiny beside
/// its largest, and a transform stretches them.
pub(crate) const SUBNORMAL_STEP: f64 = f32::from_bits(1) as f64;

impl RegionPlane {
    /// Makes a plane, given a bound on the error of a height at coordinates that are normal numbers of f32.
    pub(crate) fn new(normal: DVec3, constant: f64, error: f64) -> Self {
        Self { normal, constant, error: error + SUBNORMAL_STEP * normal.abs().element_sum() }
    }
}

/// A region of space: the points above six planes, or a part of them.
pub(crate) trait BoxRegion {
    fn planes(&self) -> &[RegionPlane; 6];

    /// Returns the position of a box that the planes do not exclude, given its ends in the tree's coordinates, and its
    /// position relative to the planes.
    fn place(&self, place: BoxPlace, low: DVec3, high: DVec3) -> BoxPlace;

    /// Returns the position of a box that a plane excludes.
    fn beyond(&self) -> BoxPlace {
        BoxPlace::Outside
    }
}

/// The region above six planes, such as the pyramid behind a square of pixels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HalfSpaces(pub(crate) [RegionPlane; 6]);

impl BoxRegion for HalfSpaces {
    fn planes(&self) -> &[RegionPlane; 6] {
        &self.0
    }

    fn place(&self, place: BoxPlace, _: DVec3, _: DVec3) -> BoxPlace {
        place
    }
}

/// Calls a function with every leaf, wherever its box is.
struct EveryLeaf<'s>(&'s mut dyn FnMut(u32));

impl RegionVisitor for EveryLeaf<'_> {
    fn visit(&mut self, leaf: u32, _: BoxPlace) -> ControlFlow<()> {
        (self.0)(leaf);
        ControlFlow::Continue(())
    }
}

/// Handles the leaves that are not outside.
pub(crate) trait RegionVisitor {
    /// Prefetches a leaf that is visited soon.
    fn prefetch(&self, _leaf: u32) {}

    /// Visits a leaf, given its number and the position of its box.
    fn visit(&mut self, leaf: u32, place: BoxPlace) -> ControlFlow<()>;
}

impl Bvh8 {
    /// Calls the visitor with every leaf that is not outside of a region in the tree's coordinates, given the
    /// position of the whole tree. Nodes and leaves that are inside come before the others of the same node.
    pub(crate) fn within(
        &self,
        region: &impl BoxRegion,
        place: BoxPlace,
        visitor: &mut impl RegionVisitor,
    ) -> ControlFlow<()> {
        dispatch!(simd => {
            let _ = simd;
            within(&self.nodes[..], region, place, visitor)
        })
    }
}

impl Bvh8 {
    /// Calls `show` with every leaf whose box may have a point in all of the half-spaces.
    pub(crate) fn inside(&self, spaces: &HalfSpaces, show: &mut dyn FnMut(u32)) {
        let _ = self.within(spaces, BoxPlace::Crossing, &mut EveryLeaf(show));
    }
}

impl DynamicBvh {
    /// Calls the visitor with every item that is not outside of a region in the tree's coordinates, which are
    /// relative to its [frame](Self::frame).
    // Without type parameters it is compiled in this crate, and not for each type of keys wherever a scene is used.
    pub(crate) fn within(&self, region: &dyn BoxRegion, visitor: &mut dyn RegionVisitor) -> ControlFlow<()> {
        dispatch!(simd => {
            let _ = simd;
            within(self.rows().0, region, BoxPlace::Crossing, visitor)
        })
    }

    /// Returns the origin of the tree's coordinates, and an upper bound of the magnitudes of the coordinates.
    pub(crate) fn frame(&self) -> (DVec3, f64) {
        let (nodes, origin) = self.rows();
        let bounds = root(nodes).map(|root| root.bounds()).filter(|bounds| !bounds.is_empty());
        (origin, bounds.map_or(0.0, |bounds| largest(bounds.min.abs().max(bounds.max.abs()).as_dvec3())))
    }
}

#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn within<'a>(
    nodes: impl NodeSource<'a>,
    region: &(impl BoxRegion + ?Sized),
    place: BoxPlace,
    visitor: &mut (impl RegionVisitor + ?Sized),
) -> ControlFlow<()> {
    let (mut room, mut beyond) = (StackSlots::<(u32, BoxPlace)>::new(), Vec::new());
    let mut open = TraversalStack::unbounded(room.stack(), &mut beyond);
    if root(nodes).is_some() {
        open.stack.push((0, place));
    }
    while let Some((child, place)) = open.pop() {
        let node = match decode(child) {
            Link::Leaf(leaf) => {
                visitor.visit(leaf, place)?;
                continue;
            }
            Link::Node(node) => nodes.node(node),
        };
        open.make_room();
        let places = if place == BoxPlace::Crossing { places(node, region) } else { [place; WIDTH] };
        for wanted in [BoxPlace::Crossing, BoxPlace::Inside] {
            for (index, _) in places.iter().enumerate().filter(|&(_, &place)| place == wanted) {
                let Some(link) = node.link(index) else { continue };
                if let Link::Leaf(leaf) = link {
                    visitor.prefetch(leaf);
                }
                open.stack.push((node.children[index], wanted));
            }
        }
    }
    ControlFlow::Continue(())
}

/// Returns the position of each child of a node. The answer for a place without a child is meaningless.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn places(node: &Node, region: &(impl BoxRegion + ?Sized)) -> [BoxPlace; WIDTH] {
    let (mut is_outside, mut is_inside) = ([false; WIDTH], [true; WIDTH]);
    for plane in region.planes() {
        let (mut most, mut least) = ([plane.constant; WIDTH], [plane.constant; WIDTH]);
        for (axis, planes) in node.bounds.iter().enumerate() {
            let normal = plane.normal[axis];
            let (upper, lower) = if normal < 0.0 { (0, WIDTH) } else { (WIDTH, 0) };
            for index in 0..WIDTH {
                most[index] += normal * f64::from(planes[upper + index]);
                least[index] += normal * f64::from(planes[lower + index]);
            }
        }
        for index in 0..WIDTH {
            is_outside[index] |= most[index] < -plane.error;
            is_inside[index] &= least[index] > plane.error;
        }
    }
    // This does not use `array::from_fn`, which is not inlined.
    let mut places = [region.beyond(); WIDTH];
    for (index, place) in places.iter_mut().enumerate().filter(|&(index, _)| !is_outside[index]) {
        let bounds = node.child_bounds(index);
        let by_planes = if is_inside[index] { BoxPlace::Inside } else { BoxPlace::Crossing };
        *place = region.place(by_planes, bounds.min.as_dvec3(), bounds.max.as_dvec3());
    }
    places
}
