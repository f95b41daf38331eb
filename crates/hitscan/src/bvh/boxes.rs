//! The boxes of a tree, for people to look at.

use super::builder::{Link, WIDTH};
use super::wide::WideBvh;
use crate::aabb::Aabb;
use alloc::vec::Vec;

impl WideBvh {
    /// The box of every node and leaf down to a depth, with its own, 0 for the root; in the tree's coordinates.
    pub(crate) fn boxes(&self, deepest: usize) -> Vec<(usize, Aabb)> {
        let mut boxes: Vec<(usize, Aabb)> = self.nodes.first().map(|root| (0, root.bounds())).into_iter().collect();
        let mut open: Vec<(usize, u32)> = boxes.iter().map(|_| (1, 0)).collect();
        while let Some((depth, node)) = open.pop() {
            let Some(node) = self.nodes.get(node as usize).filter(|_| depth <= deepest) else { continue };
            for (place, link) in (0..WIDTH).filter_map(|place| Some((place, node.link(place)?))) {
                boxes.push((depth, node.child_bounds(place)));
                if let Link::Node(below) = link {
                    open.push((depth + 1, below));
                }
            }
        }
        boxes
    }
}
