//! The boxes of a tree, for display.

use super::builder::{Link, WIDTH};
use super::bvh8::{Bvh8, root};
use super::traverse::single_ray::NodeSource;
use crate::geom::aabb::Aabb;
use alloc::vec::Vec;

impl Bvh8 {
    /// Returns the depth and the box of every node and leaf down to the depth `deepest`, in the tree's coordinates. The root
    /// has depth 0.
    pub(crate) fn boxes(&self, deepest: usize) -> Vec<(usize, Aabb)> {
        boxes(&self.nodes[..], deepest)
    }
}

pub(super) fn boxes<'a>(nodes: impl NodeSource<'a>, deepest: usize) -> Vec<(usize, Aabb)> {
    let mut boxes: Vec<(usize, Aabb)> = root(nodes).map(|root| (0, root.bounds())).into_iter().collect();
    let mut open: Vec<(usize, u32)> = boxes.iter().map(|_| (1, 0)).collect();
    while let Some((depth, node)) = open.pop() {
        if depth > deepest {
            continue;
        }
        let node = nodes.node(node);
        for (place, link) in (0..WIDTH).filter_map(|place| Some((place, node.link(place)?))) {
            boxes.push((depth, node.child_bounds(place)));
            if let Link::Node(below) = link {
                open.push((depth + 1, below));
            }
        }
    }
    boxes
}
