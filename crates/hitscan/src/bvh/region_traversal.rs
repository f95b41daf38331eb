//! Searches for what is in a region of space, through any tree.

use super::builder::{Link, WIDTH};
use super::bvh8::{Bvh8, root};
use super::dynamic::DynamicBvh;
use super::traverse::NodeSource;
use crate::math::float::largest;
use alloc::vec::Vec;
use core::ops::ControlFlow;
use glam::DVec3;

/// Where a box is, as seen from a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BoxPlace {
    /// No point of the box is in the region.
    Outside,
    /// Anything may be true.
    Crossing,
    /// Every point of the box is in the region.
    Inside,
}

/// A region of space.
pub(crate) trait BoxRegion {
    /// Returns where a box is, given its ends in the tree's coordinates.
    fn place(&self, low: DVec3, high: DVec3) -> BoxPlace;
}

/// Handles each leaf that is not outside, given its number and where its box is.
pub(crate) type VisitInRegion<'a> = dyn FnMut(u32, BoxPlace) -> ControlFlow<()> + 'a;

impl Bvh8 {
    /// Shows every leaf whose box is not outside of a region in the tree's coordinates.
    pub(crate) fn within(&self, region: &impl BoxRegion, visit: &mut VisitInRegion<'_>) -> ControlFlow<()> {
        within(&self.nodes[..], region, visit)
    }
}

impl DynamicBvh {
    /// Shows every item whose box is not outside of a region in the tree's coordinates, which are relative to its [frame](Self::frame).
    pub(crate) fn within(&self, region: &impl BoxRegion, visit: &mut VisitInRegion<'_>) -> ControlFlow<()> {
        within(self.rows().0, region, visit)
    }

    /// Returns the place that its coordinates are relative to, and an upper bound of their magnitudes.
    pub(crate) fn frame(&self) -> (DVec3, f64) {
        let (nodes, origin) = self.rows();
        let bounds = root(nodes).map(|root| root.bounds()).filter(|bounds| !bounds.is_empty());
        (origin, bounds.map_or(0.0, |bounds| largest(bounds.min.abs().max(bounds.max.abs()).as_dvec3())))
    }
}

fn within<'a>(nodes: impl NodeSource<'a>, region: &impl BoxRegion, visit: &mut VisitInRegion<'_>) -> ControlFlow<()> {
    let mut open: Vec<(u32, BoxPlace)> = Vec::new();
    open.extend(root(nodes).map(|_| (0, BoxPlace::Crossing)));
    while let Some((number, place)) = open.pop() {
        let node = nodes.node(number);
        for (index, link) in (0..WIDTH).filter_map(|index| Some((index, node.link(index)?))) {
            let place = match place {
                BoxPlace::Crossing => {
                    let bounds = node.child_bounds(index);
                    region.place(bounds.min.as_dvec3(), bounds.max.as_dvec3())
                }
                known => known,
            };
            match (place, link) {
                (BoxPlace::Outside, _) => {}
                (place, Link::Leaf(leaf)) => visit(leaf, place)?,
                (place, Link::Node(below)) => open.push((below, place)),
            }
        }
    }
    ControlFlow::Continue(())
}
