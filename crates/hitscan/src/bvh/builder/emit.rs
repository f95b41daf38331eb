//! Wide nodes, in the order in which they lie in memory.

use super::binary::Tree;
use super::members::{Content, Items, Members, Subtree};
use super::{Child, Link, Output, WIDTH, WideTree};
use crate::aabb::Aabb;
use crate::parallel;
use crate::simd::in_huge_pages;
use alloc::vec::{IntoIter, Vec};

/// Binary nodes that are worth another thread.
const GRAIN: usize = 4096;
/// So many leaves before one is made its items are asked for.
const AHEAD: usize = 8;
/// How full leaves are likely to be.
const FULLNESS: f32 = 0.8;
/// Wide nodes that are likely for each leaf.
const NODES_BY_LEAF: f32 = 0.2;

/// Makes the wide nodes and leaves that were planned. Depth first, the children of a node side by side.
pub(super) fn emit<O: Output>(tree: Tree, output: &O) -> WideTree<O::Node, O::Leaf> {
    if tree.nodes.is_empty() {
        return WideTree { nodes: Vec::new(), leaves: Vec::new() };
    }
    let Outline { nodes, leaves } = outline::<O>(&tree);
    // Most of all memory is what leaves become: little else is there any more.
    drop(tree);
    let made = parallel::collect(nodes.len(), |node| output.node(nodes[node].children()));
    drop(nodes);
    let leaf = |number: usize| {
        if let Some(ahead) = leaves.get(number + AHEAD) {
            output.announce(ahead.as_slice());
        }
        output.leaf(leaves[number].as_slice())
    };
    WideTree { nodes: made, leaves: parallel::collect(leaves.len(), leaf) }
}

fn outline<O: Output>(tree: &Tree) -> Outline {
    // Leaves of one item are full.
    let leaves = tree.items.len() as f32 / (O::LEAF_SIZE as f32 * FULLNESS).max(1.0);
    let outliner =
        Outliner { tree, leaf_size: O::LEAF_SIZE, leaves_by_binary: leaves / (tree.nodes.len() / 2 + 1) as f32 };
    let all = Subtree::of(tree);
    let mut parts = Vec::new();
    if all.len() > GRAIN && parallel::is_available() {
        outliner.divide(all, &mut parts);
        parallel::for_each(&mut parts, &|(subtree, part)| *part = outliner.outline(*subtree, Vec::new()));
    }
    outliner.outline(all, parts)
}

/// A subtree that another thread may do, and what it is.
type Part = (Subtree, Outline);

/// Wide nodes and leaves to be, in their order.
#[derive(Default)]
struct Outline {
    nodes: Vec<Wide>,
    leaves: Vec<Items>,
}

/// A wide node to be.
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

    /// With numbers larger by so much.
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

impl Outline {
    /// Puts the root of a part in a place that was left for it, and the rest to the end.
    fn append(&mut self, place: usize, part: &Self) {
        let Some((root, below)) = part.nodes.split_first() else { return };
        // The root was counted, too.
        let (nodes, leaves) = (self.nodes.len() as u32 - 1, self.leaves.len() as u32);
        self.nodes[place] = root.moved(nodes, leaves);
        self.nodes.extend(below.iter().map(|wide| wide.moved(nodes, leaves)));
        self.leaves.extend_from_slice(&part.leaves);
    }
}

struct Outliner<'a> {
    tree: &'a Tree,
    leaf_size: usize,
    /// Likely leaves to be for each leaf of the binary tree.
    leaves_by_binary: f32,
}

impl Outliner<'_> {
    fn members(&self, subtree: Subtree) -> Members {
        Members::of(self.tree, subtree, self.leaf_size, self.leaves_by_binary)
    }

    /// Adds the subtrees that are small enough for one thread, in their order.
    fn divide(&self, subtree: Subtree, parts: &mut Vec<Part>) {
        if subtree.len() <= GRAIN {
            return parts.push((subtree, Outline::default()));
        }
        for member in self.members(subtree).as_slice() {
            if let Content::Inner(below) = member.content {
                self.divide(below, parts);
            }
        }
    }

    /// Of a subtree, of which these parts are done. Each is given back once it is copied.
    fn outline(&self, subtree: Subtree, parts: Vec<Part>) -> Outline {
        let leaves = (subtree.len() / 2 + 1) as f32 * self.leaves_by_binary;
        let mut outline = Outline {
            nodes: in_huge_pages(Vec::with_capacity((leaves * NODES_BY_LEAF) as usize)),
            leaves: in_huge_pages(Vec::with_capacity(leaves as usize)),
        };
        outline.nodes.push(Wide::EMPTY);
        self.fill(subtree, 0, &mut outline, &mut parts.into_iter());
        outline
    }

    /// Adds what is below a node that has its place.
    fn fill(&self, subtree: Subtree, place: usize, outline: &mut Outline, parts: &mut IntoIter<Part>) {
        if subtree.len() <= GRAIN
            && let Some((_, part)) = parts.next()
        {
            return outline.append(place, &part);
        }
        let members = self.members(subtree);
        let first = outline.nodes.len();
        let (mut inner, mut count) = ([Subtree::default(); WIDTH], 0);
        let wide = &mut outline.nodes[place];
        for (child, member) in wide.children.iter_mut().zip(members.as_slice()) {
            let link = match member.content {
                Content::Leaf(items) => {
                    outline.leaves.push(items);
                    Link::Leaf(outline.leaves.len() as u32 - 1)
                }
                Content::Inner(subtree) => {
                    inner[count] = subtree;
                    count += 1;
                    Link::Node((first + count) as u32 - 1)
                }
            };
            *child = Child { bounds: member.bounds.aabb(), link };
        }
        wide.count = members.as_slice().len();
        outline.nodes.resize(first + count, Wide::EMPTY);
        for (place, subtree) in (first..).zip(&inner[..count]) {
            self.fill(*subtree, place, outline, parts);
        }
    }
}
