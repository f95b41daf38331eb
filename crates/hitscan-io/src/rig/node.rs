//! The node hierarchy.

use crate::error::Item;
use hitscan::glam::{DAffine3, DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// A forest of nodes, each below at most one other.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    /// The nodes in the file's order.
    pub(crate) nodes: Vec<Node>,
    /// The indices of all nodes, parents before children.
    pub(crate) order: Vec<usize>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Node {
    /// The name, never empty.
    pub(crate) name: String,
    pub(crate) parent: Option<usize>,
    /// The transform before any animation.
    pub(crate) local: Local,
    /// True if an animation moves it, or a node above it.
    pub(crate) moves: bool,
}

/// A node's transform to its parent.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) enum Local {
    Matrix(DAffine3),
    Parts(Trs),
}

/// A transform that animations can move, part by part.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Trs {
    pub(crate) translation: DVec3,
    /// The rotation, assumed to have unit length.
    pub(crate) rotation: DQuat,
    pub(crate) scale: DVec3,
}

impl Local {
    fn affine(&self) -> DAffine3 {
        match self {
            Self::Matrix(matrix) => *matrix,
            Self::Parts(trs) => DAffine3::from_scale_rotation_translation(trs.scale, trs.rotation, trs.translation),
        }
    }
}

impl Tree {
    /// Makes a tree of nodes that were saved; `None` if a node has a parent that does not exist, or is its own
    /// ancestor.
    pub(crate) fn of_nodes(nodes: Vec<Node>) -> Option<Self> {
        let mut below = vec![Vec::new(); nodes.len()];
        let mut order = Vec::with_capacity(nodes.len());
        for (number, node) in nodes.iter().enumerate() {
            match node.parent {
                Some(parent) => below.get_mut(parent)?.push(number),
                None => order.push(number),
            }
        }
        let mut next = 0;
        while let Some(&node) = order.get(next) {
            order.append(&mut below[node]);
            next += 1;
        }
        (order.len() == nodes.len()).then_some(Self { nodes, order })
    }

    /// Returns each node's transform to its parent, before any animation.
    pub(crate) fn locals(&self) -> Vec<Local> {
        self.nodes.iter().map(|node| node.local).collect()
    }

    /// Returns the transforms from each node's space to the world, before any animation.
    pub(crate) fn at_rest(&self) -> Vec<DAffine3> {
        let mut to_world = vec![DAffine3::IDENTITY; self.nodes.len()];
        self.order.iter().for_each(|&node| self.place(node, &self.nodes[node].local, &mut to_world));
        to_world
    }

    /// Places the nodes that animations move; the others are already placed.
    pub(crate) fn place_moving(&self, locals: &[Local], to_world: &mut [DAffine3]) {
        let moving = self.order.iter().filter(|&&node| self.nodes[node].moves);
        moving.for_each(|&node| self.place(node, &locals[node], to_world));
    }

    /// Returns a node's item, for messages.
    pub(crate) fn item(&self, node: usize) -> Item {
        Item::named("node", node, self.nodes.get(node).map(|node| node.name.as_str()))
    }

    fn place(&self, node: usize, local: &Local, to_world: &mut [DAffine3]) {
        let parent = self.nodes[node].parent.map_or(DAffine3::IDENTITY, |parent| to_world[parent]);
        to_world[node] = parent * local.affine();
    }
}
