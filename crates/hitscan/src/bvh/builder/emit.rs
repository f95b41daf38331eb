//! Wide nodes, in the order in which they lie in memory.

use super::binary::{Kind, Tree};
use super::members::{Members, half_area};
use super::{Child, LEAF_SIZE, Link, Output, WIDTH, WideTree};
use crate::aabb::Aabb;
use crate::parallel;
use crate::simd::filled;
use alloc::vec::Vec;
use core::ops::Range;

/// Binary nodes that are worth another thread.
const GRAIN: usize = 4096;
/// Wide nodes that are.
const WIDE_GRAIN: usize = 256;

/// Makes the wide nodes and leaves that were planned. Depth first, the children of a node side by side.
pub(super) fn emit<O: Output>(tree: Tree, output: &O) -> WideTree<O::Node, O::Leaf> {
    if tree.nodes.is_empty() {
        return WideTree { nodes: Vec::new(), leaves: Vec::new() };
    }
    let mut wide = Vec::new();
    outline(&tree, 0..tree.nodes.len(), O::LEAF_SIZE, &mut wide);
    let mut nodes = filled(O::Node::default(), 1 + wide[0].nodes as usize);
    let mut leaves = filled(Items::default(), wide[0].leaves as usize);
    let emitter = Emitter { tree: &tree, wide: &wide, output };
    let (root, below) = nodes.split_at_mut(1);
    emitter.fill(Subtree {
        wide: 0,
        node: &mut root[0],
        first_node: 1,
        first_leaf: 0,
        nodes: below,
        leaves: &mut leaves,
    });
    // Most of all memory is what leaves become: nothing else is there any more.
    drop((tree, wide));
    WideTree { nodes, leaves: parallel::collect(leaves.len(), |leaf| output.leaf(leaves[leaf].as_slice())) }
}

/// A wide node to be, in depth-first order, and how many wide nodes and leaves are below it.
struct Wide {
    members: Members,
    nodes: u32,
    leaves: u32,
}

/// Adds the wide nodes of a binary subtree, which is all of this range.
fn outline(tree: &Tree, range: Range<usize>, leaf_size: usize, wide: &mut Vec<Wide>) {
    let index = wide.len();
    let members = Members::of(tree, range.start, leaf_size);
    wide.push(Wide { members, nodes: 0, leaves: 0 });
    if range.len() > GRAIN && parallel::is_available() {
        let mut parts: Vec<_> = members.inner(tree, range.end).map(|range| (range, Vec::new())).collect();
        parallel::for_each(&mut parts, &|(range, wide)| outline(tree, range.clone(), leaf_size, wide));
        parts.iter_mut().for_each(|(_, part)| wide.append(part));
    } else {
        members.inner(tree, range.end).for_each(|range| outline(tree, range, leaf_size, wide));
    }
    let (mut nodes, mut leaves) = (0, members.children().count() as u32);
    let mut below = index + 1;
    while let Some(&Wide { nodes: own_nodes, leaves: own_leaves, .. }) = wide.get(below) {
        nodes += 1 + own_nodes;
        leaves += own_leaves - 1;
        below += 1 + own_nodes as usize;
    }
    (wide[index].nodes, wide[index].leaves) = (nodes, leaves);
}

impl Tree {
    /// The items of a leaf, each once: spatial splits put parts of some into neighbours that became one leaf.
    fn gather(&self, binary: usize, found: &mut Items) {
        match self.nodes[binary].kind() {
            Kind::Leaf { first, count } => self.items[first..first + count].iter().for_each(|&item| found.add(item)),
            Kind::Inner { second } => {
                self.gather(binary + 1, found);
                self.gather(binary + second, found);
            }
        }
    }
}

#[derive(Clone, Default)]
struct Items {
    items: [u32; LEAF_SIZE],
    len: usize,
}

impl Items {
    fn as_slice(&self) -> &[u32] {
        &self.items[..self.len]
    }

    fn add(&mut self, item: u32) {
        if !self.as_slice().contains(&item) {
            self.items[self.len] = item;
            self.len += 1;
        }
    }
}

struct Emitter<'a, O> {
    tree: &'a Tree,
    wide: &'a [Wide],
    output: &'a O,
}

/// A wide node with what is below it, and where that lies.
struct Subtree<'a, N> {
    wide: usize,
    node: &'a mut N,
    first_node: u32,
    first_leaf: u32,
    nodes: &'a mut [N],
    leaves: &'a mut [Items],
}

/// A child of a wide node that is yet to be emitted.
#[derive(Clone, Copy)]
struct Planned {
    /// Which of the members.
    child: usize,
    bounds: Aabb,
    /// `None` for a leaf.
    wide: Option<usize>,
    /// Its area, divided by the leaves below it: the more, the sooner a ray that asks for any hit has one there.
    rank: f32,
}

impl Default for Planned {
    fn default() -> Self {
        Self { child: 0, bounds: Aabb::EMPTY, wide: None, rank: 0.0 }
    }
}

impl<O: Output> Emitter<'_, O> {
    /// The children of a wide node in the order in which rays that ask for any hit visit them.
    fn plan(&self, wide: usize) -> ([Planned; WIDTH], usize) {
        let members = &self.wide[wide].members;
        let (mut planned, mut count) = ([Planned::default(); WIDTH], 0);
        let mut next = wide + 1;
        for (slot, child) in planned.iter_mut().zip(members.children()) {
            let binaries = members.binaries(child).map(|binary| self.tree.nodes[binary].aabb());
            let bounds = binaries.fold(Aabb::EMPTY, |all, own| all.union(&own));
            let (mut wide, mut leaves) = (None, 1);
            if !self.tree.is_leaf(members.binary(child)) {
                wide = Some(next);
                leaves = self.wide[next].leaves;
                next += 1 + self.wide[next].nodes as usize;
            }
            *slot = Planned { child, bounds, wide, rank: half_area(&bounds) / leaves as f32 };
            count += 1;
        }
        planned[..count].sort_by(|a, b| b.rank.total_cmp(&a.rank));
        (planned, count)
    }

    fn fill(&self, subtree: Subtree<'_, O::Node>) {
        let members = &self.wide[subtree.wide].members;
        let (planned, count) = self.plan(subtree.wide);
        let planned = &planned[..count];
        let inner_count = planned.iter().filter(|child| child.wide.is_some()).count();
        let (inner_nodes, mut nodes) = subtree.nodes.split_at_mut(inner_count);
        let (leaf_slots, mut leaves) = subtree.leaves.split_at_mut(count - inner_count);
        let mut inner_slots = inner_nodes.iter_mut();
        let mut leaf_slots = leaf_slots.iter_mut();
        // Where the next child's own number, and what is below it, come.
        let (mut next_node, mut next_leaf) = (subtree.first_node, subtree.first_leaf);
        let (mut below_nodes, mut below_leaves) =
            (next_node + inner_count as u32, next_leaf + (count - inner_count) as u32);
        let mut children = [Child::default(); WIDTH];
        let mut subtrees = [const { None }; WIDTH];
        for (place, &Planned { child, bounds, wide: number, .. }) in planned.iter().enumerate() {
            let Some(number) = number else {
                let mut items = Items::default();
                members.binaries(child).for_each(|binary| self.tree.gather(binary, &mut items));
                leaf_slots.next().into_iter().for_each(|slot| *slot = items.clone());
                children[place] = Child { bounds, link: Link::Leaf(next_leaf) };
                next_leaf += 1;
                continue;
            };
            let wide = &self.wide[number];
            let (own_nodes, other_nodes) = nodes.split_at_mut(wide.nodes as usize);
            let (own_leaves, other_leaves) = leaves.split_at_mut(wide.leaves as usize);
            (nodes, leaves) = (other_nodes, other_leaves);
            subtrees[place] = inner_slots.next().map(|node| Subtree {
                wide: number,
                node,
                first_node: below_nodes,
                first_leaf: below_leaves,
                nodes: own_nodes,
                leaves: own_leaves,
            });
            children[place] = Child { bounds, link: Link::Node(next_node) };
            next_node += 1;
            below_nodes += wide.nodes;
            below_leaves += wide.leaves;
        }
        self.output.node(&children[..count], subtree.node);
        let fill = |subtree: &mut Option<Subtree<'_, O::Node>>| {
            subtree.take().into_iter().for_each(|subtree| self.fill(subtree));
        };
        if self.wide[subtree.wide].nodes as usize > WIDE_GRAIN && parallel::is_available() {
            parallel::for_each(&mut subtrees, &fill);
        } else {
            subtrees.iter_mut().for_each(fill);
        }
    }
}
