//! The node hierarchy.

use crate::error::Item;
use hitscan::glam::{DAffine3, DQuat, DVec3};

/// Nodes, each below at most one other.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    /// In the file's order.
    pub(crate) nodes: Vec<Node>,
    /// All of them, parents before children.
    pub(crate) order: Vec<usize>,
}

#[derive(Debug)]
pub(crate) struct Node {
    /// Never empty.
    pub(crate) name: String,
    pub(crate) parent: Option<usize>,
    /// Before any animation.
    pub(crate) local: Local,
    /// Whether an animation moves it, or one that it is below.
    pub(crate) moves: bool,
}

/// A node's transform to its parent.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Local {
    Matrix(DAffine3),
    Parts(Trs),
}

/// A transform that animations can move, part by part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trs {
    pub(crate) translation: DVec3,
    /// Taken to be of unit length.
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
    /// Each node's transform to its parent, before any animation.
    pub(crate) fn locals(&self) -> Vec<Local> {
        self.nodes.iter().map(|node| node.local).collect()
    }

    /// From each node's space to the world's, before any animation.
    pub(crate) fn at_rest(&self) -> Vec<DAffine3> {
        let mut to_world = vec![DAffine3::IDENTITY; self.nodes.len()];
        self.order.iter().for_each(|&node| self.place(node, &self.nodes[node].local, &mut to_world));
        to_world
    }

    /// Places those nodes that animations move; the others are there.
    pub(crate) fn place_moving(&self, locals: &[Local], to_world: &mut [DAffine3]) {
        let moving = self.order.iter().filter(|&&node| self.nodes[node].moves);
        moving.for_each(|&node| self.place(node, &locals[node], to_world));
    }

    /// A node, for messages.
    pub(crate) fn item(&self, node: usize) -> Item {
        Item::named("node", node, self.nodes.get(node).map(|node| node.name.as_str()))
    }

    fn place(&self, node: usize, local: &Local, to_world: &mut [DAffine3]) {
        let parent = self.nodes[node].parent.map_or(DAffine3::IDENTITY, |parent| to_world[parent]);
        to_world[node] = parent * local.affine();
    }
}
