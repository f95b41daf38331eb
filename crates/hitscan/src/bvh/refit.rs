//! Refits the boxes of a tree to its changed leaves. The topology of the tree stays.

use super::builder::{Link, WIDTH};
use super::bvh8::Bvh8;
use super::half_area;
use super::node::Node;
use crate::geom::aabb::Aabb;
use crate::math::float::{larger, smaller};
use crate::parallel;
use core::array::from_fn;
use glam::Vec3;

/// Subtrees of fewer nodes are not worth another thread.
const GRAIN: usize = 256;

impl Bvh8 {
    /// Calls `fit_leaf`, which returns the box of a leaf, with each leaf, and refits all boxes above the leaves.
    /// `leaves` are in the order in which the tree was built. Returns the new [`cost`](Self::cost) of the tree.
    pub(crate) fn refit<L: Send>(&mut self, leaves: &mut [L], fit_leaf: &(impl Fn(&mut L) -> Aabb + Sync)) -> f64 {
        let [root, nodes @ ..] = self.nodes.as_mut_slice() else { return 0.0 };
        let FittedBox { bounds, area } =
            fit(root, NodeContents { first_node: 1, nodes, first_leaf: 0, leaves }, fit_leaf);
        relative(area, &bounds)
    }

    /// Returns how many of its nodes a random line through the root's box is expected to visit.
    pub(crate) fn cost(&self) -> f64 {
        let Some(root) = self.nodes.first().map(Node::bounds) else { return 0.0 };
        let below = |node: &Node| {
            let children = (0..WIDTH).map_while(|place| Some((node.link(place)?, place)));
            let nodes = children.filter(|(link, _)| matches!(link, Link::Node(_)));
            nodes.map(|(_, place)| half_area(&node.child_bounds(place))).sum::<f64>()
        };
        relative(half_area(&root) + self.nodes.iter().map(below).sum::<f64>(), &root)
    }
}

/// Returns a sum of areas, relative to the area of the root; 0 if the root has no area.
fn relative(area: f64, root: &Aabb) -> f64 {
    let root = half_area(root);
    if root > 0.0 { area / root } else { 0.0 }
}

/// The box around a node or a leaf, and the sum of the areas of the node and all nodes below it. Areas are added in the
/// order of the tree, whichever thread adds them.
struct FittedBox {
    bounds: Aabb,
    area: f64,
}

impl FittedBox {
    const NOTHING: Self = Self { bounds: Aabb::EMPTY, area: 0.0 };

    fn leaf(bounds: Aabb) -> Self {
        Self { bounds, area: 0.0 }
    }
}

/// The contents below a node. First come its children, side by side, then the contents below each of these, in their
/// order. It includes the numbers of the first node and the first leaf.
struct NodeContents<'a, L> {
    first_node: u32,
    nodes: &'a mut [Node],
    first_leaf: u32,
    leaves: &'a mut [L],
}

/// A child that is a node, and in the end its fitted box.
struct ChildNode<'a, L> {
    node: &'a mut Node,
    below: NodeContents<'a, L>,
    fitted: FittedBox,
}

/// Fits a node and everything below it.
fn fit<L: Send>(
    node: &mut Node,
    mut below: NodeContents<'_, L>,
    fit_leaf: &(impl Fn(&mut L) -> Aabb + Sync),
) -> FittedBox {
    if below.nodes.len() <= GRAIN || !parallel::is_available() {
        return fit_children(node, |link| below.fit(link, fit_leaf));
    }
    let (first_node, first_leaf) = (below.first_node, below.first_leaf);
    let (leaves, mut subtrees) = below.divided(node);
    parallel::for_each(&mut subtrees, &|subtree: &mut Option<ChildNode<'_, L>>| {
        if let Some(ChildNode { node, below, fitted }) = subtree {
            *fitted = fit(node, below.reborrow(), fit_leaf);
        }
    });
    fit_children(node, |link| match link {
        Link::Leaf(leaf) => FittedBox::leaf(fit_leaf(&mut leaves[(leaf - first_leaf) as usize])),
        Link::Node(node) => {
            subtrees[(node - first_node) as usize].take().map_or(FittedBox::NOTHING, |subtree| subtree.fitted)
        }
    })
}

/// Gives a node its children's boxes.
fn fit_children(node: &mut Node, mut child: impl FnMut(Link) -> FittedBox) -> FittedBox {
    let FittedBox { bounds: mut all, area: mut below } = FittedBox::NOTHING;
    for place in 0..WIDTH {
        let Some(link) = node.link(place) else { break };
        let FittedBox { bounds, area } = child(link);
        node.set_bounds(place, &bounds);
        all = union(&all, &bounds);
        below += area;
    }
    FittedBox { bounds: all, area: below + half_area(&all) }
}

impl<'a, L> NodeContents<'a, L> {
    fn reborrow(&mut self) -> NodeContents<'_, L> {
        let Self { first_node, nodes, first_leaf, leaves } = self;
        NodeContents { first_node: *first_node, nodes, first_leaf: *first_leaf, leaves }
    }

    /// Refits a child of the node above, and the contents below the child.
    fn fit(&mut self, link: Link, fit_leaf: &impl Fn(&mut L) -> Aabb) -> FittedBox {
        match link {
            Link::Leaf(leaf) => FittedBox::leaf(fit_leaf(&mut self.leaves[(leaf - self.first_leaf) as usize])),
            Link::Node(number) => {
                let NodeContents { first_node, first_leaf, nodes, leaves } = self.reborrow();
                // Children come after their parents.
                let (before, nodes) = nodes.split_at_mut((number - first_node + 1) as usize);
                let mut below = NodeContents { first_node: number + 1, nodes, first_leaf, leaves };
                before
                    .last_mut()
                    .map_or(FittedBox::NOTHING, |node| fit_children(node, |link| below.fit(link, fit_leaf)))
            }
        }
    }

    /// Returns the leaves of the node above these contents, and the nodes among its children, each with its contents.
    fn divided(self, parent: &Node) -> (&'a mut [L], [Option<ChildNode<'a, L>>; WIDTH]) {
        let node_count = parent.links().filter(|link| matches!(link, Link::Node(_))).count();
        let leaf_count = parent.links().count() - node_count;
        let firsts: [_; WIDTH] = from_fn(|child| if child < node_count { self.firsts(child) } else { (None, None) });
        let (first_node, first_leaf) = (self.first_node + node_count as u32, self.first_leaf + leaf_count as u32);
        let (children, mut nodes) = self.nodes.split_at_mut(node_count);
        let (own_leaves, mut leaves) = self.leaves.split_at_mut(leaf_count);
        let mut subtrees = [const { None }; WIDTH];
        // The loop starts with the last child, whose contents end where the contents of the parent end.
        for (child, node) in children.iter_mut().enumerate().rev() {
            let (node_start, leaf_start) = firsts[child];
            let nodes_before = node_start.map_or(nodes.len(), |start| (start - first_node) as usize);
            let leaves_before = leaf_start.map_or(leaves.len(), |start| (start - first_leaf) as usize);
            let below = NodeContents {
                first_node: first_node + nodes_before as u32,
                nodes: nodes.split_off_mut(nodes_before..).unwrap_or_default(),
                first_leaf: first_leaf + leaves_before as u32,
                leaves: leaves.split_off_mut(leaves_before..).unwrap_or_default(),
            };
            subtrees[child] = Some(ChildNode { node, below, fitted: FittedBox::NOTHING });
        }
        (own_leaves, subtrees)
    }

    /// Returns the numbers of the first node and the first leaf below a child node, given its index among the child
    /// nodes.
    fn firsts(&self, child: usize) -> (Option<u32>, Option<u32>) {
        let first = &self.nodes[child];
        let mut node = first;
        while node.first_leaf().is_none()
            && let Some(below) = node.first_node()
        {
            node = &self.nodes[(below - self.first_node) as usize];
        }
        (first.first_node(), node.first_leaf())
    }
}

impl Node {
    fn links(&self) -> impl Iterator<Item = Link> {
        (0..WIDTH).map_while(|place| self.link(place))
    }

    fn first_node(&self) -> Option<u32> {
        self.links().find_map(|link| if let Link::Node(node) = link { Some(node) } else { None })
    }

    fn first_leaf(&self) -> Option<u32> {
        self.links().find_map(|link| if let Link::Leaf(leaf) = link { Some(leaf) } else { None })
    }
}

/// Returns the same as [`Aabb::union`] for boxes without NaN, in fewer instructions.
fn union(a: &Aabb, b: &Aabb) -> Aabb {
    let each = |of: fn(f32, f32) -> f32, a: Vec3, b: Vec3| Vec3::new(of(a.x, b.x), of(a.y, b.y), of(a.z, b.z));
    Aabb { min: each(smaller, a.min, b.min), max: each(larger, a.max, b.max) }
}
