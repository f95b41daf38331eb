//! The topology of a tree, without its boxes: two bytes for each node. No sequence of such bytes describes a tree with a cycle, or a tree that reaches a
//! node twice or not at all.
//!
//! Nodes and leaves have a fixed order ([`WideTree`](super::builder::WideTree)). So a node only stores the number of
//! its children, and a bit for each child that says whether it is a leaf.

use super::builder::{Child, Link, MOST_PENDING, WIDTH};
use super::bvh8::Bvh8;
use super::node::Node;
use crate::geom::aabb::Aabb;
use crate::simd::filled;
use alloc::vec::Vec;
use glam::Vec3;

/// The number of children, and a bit for each that is set if it is a leaf.
pub(crate) type NodeTopology = [u8; 2];

/// The box of a child until its real box is known. It is not empty, because a place with an empty box has no child.
const NO_BOX: Aabb = Aabb { min: Vec3::ZERO, max: Vec3::ZERO };

impl Bvh8 {
    /// Returns the topology of each node, in the order of the nodes.
    pub(crate) fn form(&self) -> impl ExactSizeIterator<Item = NodeTopology> {
        self.nodes.iter().map(|node| {
            let links = (0..WIDTH).map_while(|place| node.link(place));
            links.enumerate().fold([0; 2], |[count, leaves], (place, link)| {
                [count + 1, leaves | u8::from(matches!(link, Link::Leaf(_))) << place]
            })
        })
    }

    /// Returns the boxes of all leaves, in the order of the leaves' numbers.
    pub(crate) fn leaf_boxes(&self) -> Vec<Aabb> {
        let children = self
            .nodes
            .iter()
            .flat_map(|node| (0..WIDTH).map_while(|place| Some((node.link(place)?, node.child_bounds(place)))));
        let mut boxes = Vec::new();
        for (link, bounds) in children {
            if let Link::Leaf(leaf) = link {
                let leaf = leaf as usize;
                boxes.resize(boxes.len().max(leaf + 1), Aabb::EMPTY);
                boxes[leaf] = bounds;
            }
        }
        boxes
    }

    /// Returns the tree with this topology over this many leaves, in their order; its boxes are not fitted yet. `None` if there is
    /// no such tree.
    pub(crate) fn of_form(form: &[NodeTopology], leaves: usize) -> Option<Self> {
        // Each node has at least two children, except the single node of a tree with one leaf. So there are no more
        // nodes than leaves.
        if form.len() > leaves {
            return None;
        }
        let mut nodes = filled(Node::default(), form.len());
        // Each entry has the numbers of sibling nodes whose children are not assigned yet. It also has the number of
        // subtrees that are pending when a ray visits one of these siblings.
        let mut open = Vec::new();
        let (mut next_node, mut next_leaf) = (0, 0);
        if !form.is_empty() {
            open.push((0..1, 0));
            next_node = 1;
        }
        while let Some((siblings, pending)) = open.last_mut() {
            let Some(number) = siblings.next() else {
                open.pop();
                continue;
            };
            let &[count, leaf_bits] = form.get(number)?;
            let is_sound = (1..=WIDTH as u8).contains(&count)
                && u32::from(leaf_bits) < 1 << count
                && (count > 1 || (number == 0 && leaf_bits == 1));
            // A node adds one less than its number of children. So each level adds at least one.
            let pending = (*pending + usize::from(count)).saturating_sub(1);
            if !is_sound || pending > MOST_PENDING {
                return None;
            }
            let first_node = next_node;
            for place in 0..usize::from(count) {
                let counter = if leaf_bits >> place & 1 == 1 { &mut next_leaf } else { &mut next_node };
                let child = *counter as u32;
                *counter += 1;
                let link = if leaf_bits >> place & 1 == 1 { Link::Leaf(child) } else { Link::Node(child) };
                nodes[number].set_child(place, &Child { bounds: NO_BOX, link });
            }
            open.push((first_node..next_node, pending));
        }
        (next_node == form.len() && next_leaf == leaves).then_some(Self { nodes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes levels of seven leaves and a node.
    fn comb(levels: usize) -> Option<Bvh8> {
        let mut form = alloc::vec![[8, 0b0111_1111]; levels - 1];
        form.push([8, 0xFF]);
        Bvh8::of_form(&form, 7 * levels + 1)
    }

    #[test]
    fn a_form_with_too_many_pending_is_none() {
        assert_eq!(comb(18).map(|tree| tree.stats().depth), Some(18));
        assert!(comb(19).is_none());
    }

    #[test]
    fn nodes_without_children_are_none() {
        assert!(Bvh8::of_form(&[[0, 0]], 1).is_none());
        assert!(Bvh8::of_form(&[[2, 1], [0, 0]], 1).is_none());
    }
}
