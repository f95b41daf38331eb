//! Wide nodes, in their order in memory.

use super::binary::Tree;
use super::wide_children::{BinarySubtree, ChildContent, ChildrenSource, ItemRows, LeafItems, Members, WideNodeSource};
use super::{Child, Link, Output, WIDTH, WideTree};
use crate::geom::aabb::Aabb;
use crate::parallel;
use crate::simd::in_huge_pages;
use alloc::vec::{IntoIter, Vec};

/// The number of leaves that is worth another thread.
const GRAIN: f32 = 1024.0;
/// The number of nodes, or leaves, that a thread makes at a time.
const PIECE: usize = 512;
/// The items of a leaf are prefetched this many leaves before it is made. The rest of their data is prefetched later,
/// `REST_AHEAD` leaves before.
const AHEAD: usize = 32;
const REST_AHEAD: usize = 16;
/// The expected fullness of leaves.
const FULLNESS: f32 = 0.8;
/// The expected number of wide nodes for each leaf.
const NODES_BY_LEAF: f32 = 0.2;

/// Makes the planned wide nodes and leaves of this many primitives. They are in depth-first order, with the children of a node side by side.
pub(super) fn emit<O: Output>(tree: Tree, primitives: usize, output: &O) -> WideTree<O::Node, O::Leaf> {
    if tree.nodes.is_empty() {
        return WideTree { nodes: Vec::new(), leaves: Vec::new() };
    }
    let PlannedTree { nodes, leaves, lists } = outline::<O>(&tree, primitives);
    // Leaves take most of the memory. So other memory should be freed, except the items that leaves refer to.
    let Tree { items, nodes: binary, groups } = tree;
    drop((binary, groups));
    let rows = ItemRows { tree: &items, lists: &lists };
    // Nodes and leaves are made at the same time. Making only nodes with two threads takes as long as with one.
    // The reason is that both threads wait for the same pages. The list of nodes is freed after they are made.
    let nodes =
        move || parallel::collect(nodes.len(), PIECE, |number| nodes.with(number, |wide| output.node(wide.children())));
    let leaf = |number: usize| {
        if let Some(ahead) = leaves.get(number + AHEAD) {
            output.prefetch(ahead.of(&rows));
        }
        if let Some(ahead) = leaves.get(number + REST_AHEAD) {
            output.prefetch_rest(ahead.of(&rows));
        }
        output.leaf(leaves[number].of(&rows))
    };
    let is_large = leaves.len() as f32 > GRAIN;
    let (nodes, leaves) = parallel::join_if(is_large, nodes, || parallel::collect(leaves.len(), PIECE, leaf));
    WideTree { nodes, leaves }
}

fn outline<O: Output>(tree: &Tree, primitives: usize) -> PlannedTree {
    // Leaves of one item are full.
    let leaves = tree.items.len() as f32 / (O::LEAF_SIZE as f32 * FULLNESS).max(1.0);
    let leaves_by_binary = leaves / (tree.nodes.len() / 2 + 1) as f32;
    let outliner = Outliner(ChildrenSource { tree, primitives, leaf_size: O::LEAF_SIZE, leaves_by_binary });
    let all = BinarySubtree::of(tree);
    let mut parts = Vec::new();
    if !outliner.is_small(all) && parallel::is_available() {
        outliner.divide(all, 0, &mut parts);
        parallel::for_each(&mut parts, &|part| part.outline = outliner.outline(part.subtree, part.pending, Vec::new()));
    }
    outliner.outline(all, 0, parts)
}

/// A subtree that another thread may process, the number of others pending above it, and its result.
struct SubtreeJob {
    subtree: BinarySubtree,
    pending: usize,
    outline: PlannedTree,
}

/// Planned wide nodes and leaves, in their order.
#[derive(Default)]
struct PlannedTree {
    nodes: Rows,
    leaves: Vec<LeafItems>,
    /// The item lists of leaves whose items are not contiguous in the tree.
    lists: Vec<u32>,
}

/// Rows of wide nodes, one after the other, so that the nodes of a part need not be moved.
#[derive(Default)]
struct Rows {
    rows: Vec<WideRow>,
    len: usize,
}

struct WideRow {
    nodes: Vec<Wide>,
    /// The number of the first valid node, and its index in the row.
    start: usize,
    first: usize,
    /// The amount to add to the numbers of child nodes.
    node_shift: u32,
    leaf_shift: u32,
}

/// The position of a node in [`Rows`].
#[derive(Clone, Copy)]
struct NodePlace {
    row: usize,
    index: usize,
}

impl NodePlace {
    const ROOT: Self = Self { row: 0, index: 0 };
}

impl Rows {
    /// Makes rows that consist of a root, with room for this many more nodes.
    fn new(capacity: usize) -> Self {
        let mut nodes = in_huge_pages(Vec::with_capacity(1 + capacity));
        nodes.push(Wide::EMPTY);
        let mut rows = Self::default();
        rows.push(nodes, 0, [0; 2]);
        rows
    }

    fn len(&self) -> usize {
        self.len
    }

    fn push(&mut self, nodes: Vec<Wide>, first: usize, [node_shift, leaf_shift]: [u32; 2]) {
        let start = self.len;
        self.len += nodes.len() - first;
        self.rows.push(WideRow { nodes, start, first, node_shift, leaf_shift });
    }

    /// Adds this many nodes at the end.
    fn open(&mut self, count: usize) -> impl Iterator<Item = NodePlace> + use<> {
        let row = self.rows.len() - 1;
        let nodes = &mut self.rows[row].nodes;
        let first = nodes.len();
        nodes.resize(first + count, Wide::EMPTY);
        self.len += count;
        (first..first + count).map(move |index| NodePlace { row, index })
    }

    fn at(&mut self, place: NodePlace) -> &mut Wide {
        &mut self.rows[place.row].nodes[place.index]
    }

    /// Calls `make` with the node of this number. The node's links are numbers in the whole tree.
    fn with<A>(&self, number: usize, make: impl Fn(&Wide) -> A) -> A {
        let row = &self.rows[self.rows.partition_point(|row| row.start <= number) - 1];
        let wide = &row.nodes[row.first + number - row.start];
        if row.leaf_shift == 0 && row.node_shift == 0 {
            make(wide)
        } else {
            make(&wide.moved(row.node_shift, row.leaf_shift))
        }
    }
}

/// A planned wide node.
#[derive(Clone, Copy)]
struct Wide {
    children: [Child; WIDTH],
    count: usize,
}

impl Wide {
    const EMPTY: Self = Self { children: [Child { bounds: Aabb::EMPTY, link: Link::Leaf(0) }; WIDTH], count: 0 };

    fn children(&self) -> &[Child] {
        &self.children[..self.count]
    }

    /// Returns the node with its numbers of nodes and leaves increased by these amounts.
    fn moved(mut self, nodes: u32, leaves: u32) -> Self {
        for Child { link, .. } in &mut self.children[..self.count] {
            match link {
                Link::Node(number) => *number += nodes,
                Link::Leaf(number) => *number += leaves,
            }
        }
        self
    }
}

impl PlannedTree {
    /// Puts the root of a part in its reserved place, and the rest at the end. A part contains no other parts.
    fn append(&mut self, place: NodePlace, part: Self) {
        let leaf_shift = self.leaves.len() as u32;
        let lists = self.lists.len();
        self.leaves.extend(part.leaves.iter().map(|leaf| leaf.moved(lists)));
        self.lists.extend_from_slice(&part.lists);
        for WideRow { nodes, .. } in part.nodes.rows {
            // The root was counted too.
            let node_shift = self.nodes.len() as u32 - 1;
            *self.nodes.at(place) = nodes[0].moved(node_shift, leaf_shift);
            self.nodes.push(nodes, 1, [node_shift, leaf_shift]);
        }
        self.nodes.push(Vec::new(), 0, [0; 2]);
    }
}

struct Outliner<'a>(ChildrenSource<'a>);

impl Outliner<'_> {
    /// Returns whether one thread handles the subtree.
    fn is_small(&self, subtree: BinarySubtree) -> bool {
        self.0.leaves(subtree) <= GRAIN
    }

    /// Adds the subtrees that are small enough for one thread, in their order.
    fn divide(&self, subtree: BinarySubtree, pending: usize, parts: &mut Vec<SubtreeJob>) {
        if self.is_small(subtree) {
            return parts.push(SubtreeJob { subtree, pending, outline: PlannedTree::default() });
        }
        let members = Members::of(&self.0, WideNodeSource::Binary(subtree), pending, &mut Vec::new());
        for member in members.iter() {
            if let ChildContent::Inner(WideNodeSource::Binary(below)) = member.content {
                self.divide(below, pending + members.len() - 1, parts);
            }
        }
    }

    /// Returns the outline of a subtree, some parts of which are complete.
    fn outline(&self, subtree: BinarySubtree, pending: usize, parts: Vec<SubtreeJob>) -> PlannedTree {
        let leaves = self.0.leaves(subtree);
        // Parts keep their own nodes.
        let nodes = if parts.is_empty() { leaves * NODES_BY_LEAF } else { 0.0 };
        let nodes = Rows::new(nodes as usize);
        let leaves = in_huge_pages(Vec::with_capacity(leaves as usize));
        let mut outline = PlannedTree { nodes, leaves, lists: Vec::new() };
        self.fill(WideNodeSource::Binary(subtree), pending, NodePlace::ROOT, &mut outline, &mut parts.into_iter());
        outline
    }

    /// Adds everything below a node whose place is reserved.
    fn fill(
        &self,
        below: WideNodeSource,
        pending: usize,
        place: NodePlace,
        outline: &mut PlannedTree,
        parts: &mut IntoIter<SubtreeJob>,
    ) {
        if let WideNodeSource::Binary(subtree) = below
            && self.is_small(subtree)
            && let Some(part) = parts.next()
        {
            return outline.append(place, part.outline);
        }
        let PlannedTree { nodes, leaves, lists } = outline;
        let members = Members::of(&self.0, below, pending, lists);
        let first = nodes.len();
        let (mut inner, mut count) = ([WideNodeSource::Group(0); WIDTH], 0);
        let wide = nodes.at(place);
        for (child, member) in wide.children.iter_mut().zip(members.iter()) {
            let link = match member.content {
                ChildContent::Leaf(items) => {
                    leaves.push(items);
                    Link::Leaf(leaves.len() as u32 - 1)
                }
                ChildContent::Inner(below) => {
                    if let WideNodeSource::Group(number) = below {
                        self.0.tree.groups.prefetch(number);
                    }
                    inner[count] = below;
                    count += 1;
                    Link::Node((first + count) as u32 - 1)
                }
            };
            *child = Child { bounds: member.bounds.aabb(), link };
        }
        wide.count = members.len();
        for (place, below) in nodes.open(count).zip(&inner[..count]) {
            self.fill(*below, pending + members.len() - 1, place, outline, parts);
        }
    }
}
