//! Collapse of a binary tree into a tree with up to eight children for each node, at the least expected cost: dynamic programming after H. Ylitie, T.
//! Karras, S. Laine, "Efficient Incoherent Ray Traversal on GPUs Through Compressed Wide BVHs", 2017.

use super::binary::{BinaryNode, NodeKind, Tree};
use super::{LEAF_SIZE, MOST_PENDING, WIDTH, lbvh_clusters};
use crate::parallel;

/// The cost of a visit to a wide node, in blocks.
const NODE_COST: f32 = 1.0;
/// The cost of a node's memory, in units of a block's memory. It is twice the real ratio. With half or twice this
/// cost, rays at nine meshes are as fast, within the noise of 2 %.
const NODE_MEMORY: f32 = 1.5;
/// Binary subtrees with more nodes than this are worth another thread.
const GRAIN: usize = 4096;

/// The least costs of a subtree as one child of a wide node, as up to two children, ... up to seven children.
type Costs = [f32; WIDTH - 1];

/// The plan by which an inner node becomes part of wide nodes. It is stored in the node's note. One bit says whether the node is a leaf if it becomes a single
/// child. For each number of children from 2 to 8, 3 bits store how many of the children come from the node's first child. The bits are 0 if one child fewer is
/// as good. The 8 bits above are the node's height.
#[derive(Clone, Copy, Default)]
pub(super) struct Plan(u32);

impl Plan {
    const LEAF: u32 = 1 << 31;
    const HEIGHT: u32 = 3 * (WIDTH as u32 - 1);

    /// Returns `None` for a leaf of the binary tree.
    pub(super) fn of_inner(node: &BinaryNode) -> Option<Self> {
        matches!(node.kind(), NodeKind::Inner { .. }).then(|| Self(node.note()))
    }

    pub(super) fn is_leaf(self) -> bool {
        self.0 & Self::LEAF != 0
    }

    fn set_height(&mut self, height: usize) {
        self.0 |= (height as u32) << Self::HEIGHT;
    }

    /// Returns the number of children that the node may have if this many subtrees are pending. With this number, no
    /// more than [`MOST_PENDING`] are pending anywhere below.
    // If all nodes below have two children, one subtree becomes pending on each level. Each child has room for all of
    // these subtrees.
    pub(super) fn most_children(self, pending: usize) -> usize {
        let below = (self.0 >> Self::HEIGHT & 0xFF) as usize - 1;
        (MOST_PENDING + 1).saturating_sub(pending + below).clamp(2, WIDTH)
    }

    fn set_share(&mut self, children: usize, share: usize) {
        self.0 |= (share as u32) << (3 * (children - 2));
    }

    /// Returns how many children come from the node's first child and how many from its second, with at most
    /// `children` in total. Returns `None` if a single child is best.
    pub(super) fn shares(self, children: usize) -> Option<(usize, usize)> {
        let share = |children: usize| (self.0 >> (3 * (children - 2))) as usize & 7;
        let taken = (2..=children).rev().find(|&children| share(children) != 0)?;
        Some((share(taken), taken - share(taken)))
    }
}

/// Makes a plan for every inner node, for leaves of at most `leaf_size` items. `thrift` is the price of a leaf's memory, in visits to a leaf of average area.
pub(super) fn plan(tree: &mut Tree, leaf_size: usize, thrift: f32) {
    let leaves = tree.nodes.iter().filter(|node| !matches!(node.kind(), NodeKind::Inner { .. }));
    let (area, count) =
        leaves.fold((0f64, 0u32), |(area, count), leaf| (area + f64::from(leaf.half_area()), count + 1));
    if count > 0 {
        let leaf = (area / f64::from(count)) as f32 * thrift;
        solve(&mut tree.nodes, &Memory { leaf, node: NODE_MEMORY * leaf }, leaf_size);
    }
}

/// The cost of the memory of a leaf and of a node, in units of area. If areas are small, this cost is larger than the cost of
/// visits, so nodes and leaves are filled.
struct Memory {
    leaf: f32,
    node: f32,
}

/// The solution of a subtree.
struct Solved {
    costs: Costs,
    /// The number of items. It is above [`LEAF_SIZE`] if the node cannot be a leaf.
    items: usize,
    /// The number of leaves of the binary tree, which is the largest possible number of children.
    leaves: usize,
    /// The largest number of subtrees that are pending below, if all nodes except nodes of groups have two children.
    height: usize,
}

fn solve(nodes: &mut [BinaryNode], memory: &Memory, leaf_size: usize) -> Solved {
    let [root, below @ ..] = nodes else { unreachable!("a subtree has a root") };
    let area = root.half_area();
    let second = match root.kind() {
        NodeKind::Leaf { count, .. } => {
            return Solved { costs: [area + memory.leaf; WIDTH - 1], items: count, leaves: 1, height: 0 };
        }
        // A group cannot become part of a leaf.
        NodeKind::Group(_) => {
            return Solved {
                costs: [area + memory.node; WIDTH - 1],
                items: LEAF_SIZE + 1,
                leaves: 1,
                height: lbvh_clusters::MOST_PENDING,
            };
        }
        NodeKind::Inner { second } => second,
    };
    let is_large = below.len() > GRAIN && parallel::is_available();
    let (first, second) = below.split_at_mut(second - 1);
    let (first, second) = if is_large {
        parallel::join(|| solve(first, memory, leaf_size), || solve(second, memory, leaf_size))
    } else {
        (solve(first, memory, leaf_size), solve(second, memory, leaf_size))
    };
    let (plan, solved) = combine(area, &first, &second, memory, leaf_size);
    root.set_note(plan.0);
    solved
}

fn combine(area: f32, first: &Solved, second: &Solved, memory: &Memory, leaf_size: usize) -> (Plan, Solved) {
    let (items, leaves) = (first.items + second.items, first.leaves + second.leaves);
    let height = 1 + first.height.max(second.height);
    debug_assert!(height <= MOST_PENDING, "{height}");
    let mut plan = Plan::default();
    plan.set_height(height);
    let (share, divided) = cheapest_share(&first.costs, &second.costs, leaves.min(WIDTH));
    plan.set_share(WIDTH, share);
    let mut costs = [divided + NODE_COST * area + memory.node; WIDTH - 1];
    if items <= leaf_size && area + memory.leaf <= costs[0] {
        costs[0] = area + memory.leaf;
        plan.0 |= Plan::LEAF;
    }
    let mut least = costs[0];
    for (children, cost) in (2..).zip(&mut costs[1..]) {
        if children <= leaves {
            let (share, divided) = cheapest_share(&first.costs, &second.costs, children);
            if divided < least {
                least = divided;
                plan.set_share(children, share);
            }
        }
        *cost = least;
    }
    (plan, Solved { costs, items, leaves, height })
}

/// Returns how many of these children come from the first subtree in the cheapest division, and the cost of all
/// children.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn cheapest_share(first: &Costs, second: &Costs, children: usize) -> (usize, f32) {
    let mut best = (1, f32::INFINITY);
    for share in 1..children {
        let cost = first[share - 1] + second[children - share - 1];
        if cost < best.1 {
            best = (share, cost);
        }
    }
    best
}
