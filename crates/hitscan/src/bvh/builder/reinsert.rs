//! Optimisation of a tree: subtrees are removed and reinserted where the boxes around them grow least (D. Meister, J.
//! Bittner, "Parallel Reinsertion for Bounding Volume Hierarchy Optimization", 2018).

use super::binary::{BinaryNode, NodeKind, Tree};
use super::bounds::Bounds;
use crate::collections::sort::{self, divided, joined, put_largest_first};
use crate::parallel;
use crate::simd::{collected, in_huge_pages};
use alloc::vec;
use alloc::vec::Vec;

/// The number of places that are tried for one subtree. Trying eight times as many finds nothing better. Without a
/// limit, all places would be tried if all boxes are similar, because none can be excluded.
const MOST_PLACES: usize = 512;
/// A tree that becomes deeper than this is discarded, because more than `MOST_PENDING` subtrees would be pending even
/// if all nodes had two children. In real scenes the depth is about 40.
const MOST_DEPTH: usize = super::MOST_PENDING;
/// The number of subtrees handed to another thread at a time.
const GRAIN: usize = 64;
/// The number of nodes whose areas are handed to another thread at a time.
const KEY_GRAIN: usize = 16_384;
/// The number of areas that are tested together.
const FEW: usize = 16;
/// To estimate the size of the largest nodes, one out of this many nodes is sampled.
const SAMPLED: usize = 64;

/// Optimises in this many rounds, each with one in `one_of` nodes. These are the nodes with the largest boxes, because
/// their places matter most. In the same time, many rounds of few nodes make a better tree than few rounds of many.
/// Returns `None` if the tree became too deep.
pub(super) fn optimize(tree: Tree, rounds: usize, one_of: usize) -> Option<Tree> {
    let Tree { nodes, items, groups } = tree;
    if nodes.is_empty() {
        return Some(Tree { nodes, items, groups });
    }
    let mut linked = Linked::new(nodes);
    for _ in 0..rounds {
        linked.improve(one_of);
    }
    linked.flatten().map(|nodes| Tree { nodes, items, groups })
}

/// A tree that can be changed.
struct Linked {
    /// The nodes, in no order except that the root is the first. Both children of an inner node are stored as numbers
    /// of nodes. The first number is the note, and the second replaces the offset.
    // Each node is within half a cache line. The memory is reused from the original tree.
    nodes: Vec<BinaryNode>,
    parents: Vec<u32>,
    /// Half of each box's area. All of them are read in every round, but little else of the nodes.
    areas: Vec<f32>,
}

/// A subtree, its new place, and the decrease of the sum of all areas.
#[derive(Clone, Copy, Default)]
struct Reinsertion {
    subtree: u32,
    target: u32,
    gain: f32,
}

impl Linked {
    fn new(mut nodes: Vec<BinaryNode>) -> Self {
        let mut parents = in_huge_pages(vec![0; nodes.len()]);
        for (index, node) in nodes.iter_mut().enumerate() {
            if let NodeKind::Inner { second } = node.kind() {
                node.set_note(index as u32 + 1);
                node.set_second(index + second);
                parents[index + 1] = index as u32;
                parents[index + second] = index as u32;
            }
        }
        let areas = collected(nodes.iter().map(BinaryNode::half_area));
        Self { nodes, parents, areas }
    }

    fn parent(&self, node: usize) -> usize {
        self.parents[node] as usize
    }

    fn bounds(&self, node: usize) -> Bounds {
        self.nodes[node].bounds()
    }

    fn inner_children(&self, node: usize) -> Option<[usize; 2]> {
        let node = &self.nodes[node];
        match node.kind() {
            NodeKind::Inner { second } => Some([node.note() as usize, second]),
            NodeKind::Leaf { .. } | NodeKind::Group(_) => None,
        }
    }

    fn sibling(&self, node: usize) -> usize {
        match self.inner_children(self.parent(node)) {
            Some([first, second]) if second == node => first,
            Some([_, second]) => second,
            None => unreachable!("a parent has children"),
        }
    }

    /// Does one round. It finds all moves in the present tree, and then makes the moves that do not conflict, the best
    /// first.
    fn improve(&mut self, one_of: usize) {
        let mut moves = self.largest(one_of);
        parallel::fill(&mut moves, GRAIN, &|_, moves| {
            let mut stack = Vec::new();
            for change in moves {
                *change = self.best_move(change.subtree as usize, &mut stack);
            }
        });
        moves.retain(|change| change.gain > 0.0);
        let mut targets = vec![0; self.nodes.len()];
        moves.iter().for_each(|change| targets[change.subtree as usize] = change.target as usize);
        // The bits of positive numbers are in the order of the numbers.
        let mut best: Vec<u64> = moves.iter().map(|change| joined([!change.gain.to_bits(), change.subtree])).collect();
        sort::sort(&mut best);
        let mut touched = vec![false; self.nodes.len()];
        for [_, subtree] in best.into_iter().map(divided) {
            let subtree = subtree as usize;
            let target = targets[subtree];
            let parent = self.parent(subtree);
            let nodes = [subtree, parent, self.sibling(subtree), self.parent(parent), target, self.parent(target)];
            // The target may meanwhile be in the subtree, because another subtree that contains it was moved there.
            if nodes.iter().all(|&node| !touched[node]) && !self.is_below(target, subtree) {
                nodes.iter().for_each(|&node| touched[node] = true);
                self.reinsert(subtree, target);
            }
        }
    }

    fn is_below(&self, mut node: usize, ancestor: usize) -> bool {
        while node != 0 && node != ancestor {
            node = self.parent(node);
        }
        node == ancestor
    }

    /// Returns the nodes to be moved.
    fn largest(&self, one_of: usize) -> Vec<Reinsertion> {
        // This is one in `one_of` of all nodes but the root and its two children.
        let count = self.nodes.len().saturating_sub(3).div_ceil(one_of);
        // If the sample is representative, twice as many nodes as needed have a key above this.
        let mut sample: Vec<u64> = (0..self.nodes.len()).step_by(SAMPLED).map(|number| self.key(number)).collect();
        let rank = 2 * count.div_ceil(SAMPLED);
        let likely = if rank < sample.len() {
            put_largest_first(&mut sample, rank);
            sample[rank]
        } else {
            0
        };
        let mut keys = self.keys_from(likely);
        if keys.len() < count {
            keys = self.keys_from(0);
        }
        if count < keys.len() {
            put_largest_first(&mut keys, count);
        }
        keys[..count].iter().map(|&key| Reinsertion { subtree: key as u32, ..Reinsertion::default() }).collect()
    }

    /// Returns the key by which nodes are chosen: the largest keys are chosen first. The root and its children are not chosen: a move needs a parent
    /// that can be removed.
    fn key(&self, number: usize) -> u64 {
        let is_movable = self.parents[number] != 0;
        if is_movable { u64::from(self.areas[number].to_bits()) << 32 | number as u64 } else { 0 }
    }

    /// Returns all keys that are at least this.
    fn keys_from(&self, least: u64) -> Vec<u64> {
        let least_area = f32::from_bits((least >> 32) as u32);
        parallel::gather(self.areas.len(), KEY_GRAIN, &|piece| {
            let mut keys = Vec::new();
            for (few, first) in self.areas[piece.clone()].chunks(FEW).zip(piece.step_by(FEW)) {
                // This tests several areas with a single branch, because usually none of them is large enough.
                if few.iter().fold(false, |any, &area| any | (area >= least_area)) {
                    let numbers = first..first + few.len();
                    keys.extend(numbers.map(|number| self.key(number)).filter(|&key| key >= least));
                }
            }
            keys
        })
    }

    /// Returns the best place for a subtree. The search goes up from the subtree. At each step it also goes down into
    /// the other side. Let the gain so far, less the area of the subtree's own box, be no more than the best gain.
    /// Then the search does not enter the place.
    fn best_move(&self, subtree: usize, stack: &mut Vec<(f32, usize)>) -> Reinsertion {
        let own = self.bounds(subtree);
        let own_area = own.half_area();
        let mut best = Reinsertion { subtree: subtree as u32, ..Reinsertion::default() };
        let mut places = 0;
        let parent = self.parent(subtree);
        // The parent of the subtree is removed, too.
        let mut gain = self.areas[parent];
        // This is the box around everything below `pivot` without the subtree.
        let mut left = Bounds::EMPTY;
        let (mut pivot, mut other) = (parent, self.sibling(subtree));
        loop {
            stack.push((gain, other));
            while let Some((gain, place)) = stack.pop() {
                if gain - own_area <= best.gain || places >= MOST_PLACES {
                    continue;
                }
                places += 1;
                let bounds = self.bounds(place);
                let gain = gain - bounds.union(&own).half_area();
                if gain > best.gain {
                    best = Reinsertion { target: place as u32, gain, ..best };
                }
                if let Some(children) = self.inner_children(place) {
                    // A place below this node needs no new box around the node. The node's own box grows instead.
                    let gain = gain + bounds.half_area();
                    stack.extend(children.map(|child| (gain, child)));
                }
            }
            left = left.union(&self.bounds(other));
            if pivot == 0 {
                break;
            }
            if pivot != parent {
                gain += self.areas[pivot] - left.half_area();
            }
            other = self.sibling(pivot);
            pivot = self.parent(pivot);
        }
        // A place next to the subtree's sibling is its present place.
        if best.target as usize == self.sibling(subtree) { Reinsertion { gain: 0.0, ..best } } else { best }
    }

    /// Moves a subtree together with its parent, which becomes the parent of the subtree and the target.
    fn reinsert(&mut self, subtree: usize, target: usize) {
        let parent = self.parent(subtree);
        let (sibling, grandparent) = (self.sibling(subtree), self.parent(parent));
        self.replace(grandparent, parent, sibling);
        self.refit(grandparent);
        let above = self.parent(target);
        self.replace(above, target, parent);
        self.nodes[parent].set_note(subtree as u32);
        self.nodes[parent].set_second(target);
        self.parents[target] = parent as u32;
        self.refit(parent);
    }

    fn replace(&mut self, parent: usize, old: usize, new: usize) {
        let node = &mut self.nodes[parent];
        if node.note() == old as u32 {
            node.set_note(new as u32);
        } else {
            node.set_second(new);
        }
        self.parents[new] = parent as u32;
    }

    /// Fits boxes from a node upwards.
    fn refit(&mut self, mut node: usize) {
        while let Some(children) = self.inner_children(node) {
            let [first, second] = children.map(|child| self.bounds(child));
            let bounds = first.union(&second);
            self.nodes[node].set_bounds(&bounds);
            self.areas[node] = bounds.half_area();
            if node == 0 {
                return;
            }
            node = self.parent(node);
        }
    }

    /// Returns the nodes in depth-first order again; `None` if the tree is too deep.
    fn flatten(&self) -> Option<Vec<BinaryNode>> {
        let mut flat: Vec<BinaryNode> = in_huge_pages(Vec::with_capacity(self.nodes.len()));
        // The nodes that are still to be visited, each with its depth. A second child also has the index of its
        // parent.
        let mut pending: Vec<(usize, Option<usize>, usize)> = vec![(0, None, 0)];
        while let Some((node, parent, depth)) = pending.pop() {
            let index = flat.len();
            if let Some(parent) = parent {
                flat[parent].set_second(index - parent);
            }
            match self.inner_children(node) {
                _ if depth > MOST_DEPTH => return None,
                None => flat.push(self.nodes[node]),
                Some([first, second]) => {
                    flat.push(BinaryNode::inner(&self.bounds(node), 0));
                    pending.push((second, Some(index), depth + 1));
                    pending.push((first, None, depth + 1));
                }
            }
        }
        Some(flat)
    }
}

#[cfg(test)]
mod tests {
    use super::super::reference::Reference;
    use super::super::top_down;
    use super::*;
    use crate::geom::aabb::Aabb;
    use glam::Vec3;

    /// Makes boxes of very different sizes, so that many are moved.
    fn linked() -> Linked {
        let boxes = (0..40_000u32).map(|number| {
            let at = |step: u32| (number.wrapping_mul(step) >> 12) as f32 / (1u32 << 20) as f32;
            let min = Vec3::new(at(2_654_435_761), at(2_246_822_519), at(3_266_489_917)) * 0.5;
            let size = if number % 50 == 0 { 0.4 } else { 0.01 };
            Reference::new(number, Bounds::new(&Aabb { min, max: min + size * at(668_265_263) }))
        });
        Linked::new(top_down::build(boxes.collect(), 4).nodes)
    }

    #[test]
    fn areas_are_of_the_boxes_and_tell_which_are_largest() {
        let mut linked = linked();
        let before = linked.parents.clone();
        for _ in 0..4 {
            linked.improve(20);
            for (node, area) in linked.nodes.iter().zip(&linked.areas) {
                assert_eq!(node.half_area().to_bits(), area.to_bits());
            }
            let all: Vec<u64> = (0..linked.nodes.len()).map(|number| linked.key(number)).collect();
            let mut sorted = all.clone();
            sorted.sort_unstable();
            for least in [0, 1, sorted[all.len() / 2], sorted[all.len() - 10], u64::MAX] {
                let expected: Vec<u64> = all.iter().copied().filter(|&key| key >= least).collect();
                assert_eq!(linked.keys_from(least), expected);
            }
        }
        assert!(before.iter().zip(&linked.parents).filter(|(before, now)| before != now).count() > 100);
    }
}
