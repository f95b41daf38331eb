//! Building a tree at once: binned surface area heuristic from the top (I. Wald, "On fast Construction of SAH-based
//! Bounding Volume Hierarchies", 2007).

use super::{Bvh, Kind, Node, half_area};
use crate::aabb::Aabb;
use alloc::vec;
use alloc::vec::Vec;
use glam::DVec3;

const BINS: usize = 16;
/// Below this depth items are halved by number instead, so that no input makes the tree deeper than this plus log2 of
/// its size.
const MAX_SAH_DEPTH: usize = 64;

/// An item, its box and twice its box's middle.
#[derive(Clone, Copy)]
struct Reference {
    item: u32,
    bounds: Aabb,
    center: DVec3,
}

/// A range of references that will become the subtree below `parent`.
struct Task {
    start: usize,
    end: usize,
    depth: usize,
    parent: Option<(u32, usize)>,
}

impl Bvh {
    /// The tree over these items. Their boxes must be finite and not empty. The same input gives the same tree.
    pub(crate) fn build(items: impl IntoIterator<Item = (u32, Aabb)>) -> Self {
        let mut references: Vec<Reference> = items
            .into_iter()
            .map(|(item, bounds)| Reference { item, bounds, center: bounds.min.as_dvec3() + bounds.max.as_dvec3() })
            .collect();
        let items = references.iter().map(|r| r.item as usize + 1).max().unwrap_or(0);
        let mut tree = Self {
            nodes: Vec::with_capacity((2 * references.len()).saturating_sub(1)),
            leaf_of: vec![None; items],
            ..Self::default()
        };
        // Depth first, the left half on top of the stack, so that near nodes lie near in memory.
        let mut tasks = vec![Task { start: 0, end: references.len(), depth: 0, parent: None }];
        while let Some(task) = tasks.pop() {
            let range = &mut references[task.start..task.end];
            if !range.is_empty() {
                let node = tree.add_built(range, &task);
                if range.len() > 1 {
                    let middle = task.start + split(range, task.depth);
                    let half =
                        |start, end, side| Task { start, end, depth: task.depth + 1, parent: Some((node, side)) };
                    tasks.push(half(middle, task.end, 1));
                    tasks.push(half(task.start, middle, 0));
                }
            }
        }
        tree.set_heights();
        tree
    }

    /// From the last node on: children come after their parents.
    fn set_heights(&mut self) {
        for index in (0..self.nodes.len()).rev() {
            if let Kind::Inner([left, right]) = self.nodes[index].kind {
                self.nodes[index].height = 1 + self.node(left).height.max(self.node(right).height);
            }
        }
    }

    /// Adds the node of these references and hangs it below its parent.
    fn add_built(&mut self, range: &[Reference], task: &Task) -> u32 {
        let index = self.nodes.len() as u32;
        let kind = match range {
            [only] => {
                self.leaf_of[only.item as usize] = Some(index);
                Kind::Leaf(only.item)
            }
            // The children's indices are written when they are added.
            _ => Kind::Inner([index; 2]),
        };
        let parent = task.parent.map(|(parent, _)| parent);
        self.nodes.push(Node { bounds: bounds_of(range), parent, height: 0, kind });
        match task.parent {
            None => self.root = Some(index),
            Some((parent, side)) => {
                if let Kind::Inner(children) = &mut self.node_mut(parent).kind {
                    children[side] = index;
                }
            }
        }
        index
    }
}

fn bounds_of(range: &[Reference]) -> Aabb {
    range.iter().fold(Aabb::EMPTY, |bounds, r| bounds.union(&r.bounds))
}

/// Reorders the references into two halves, neither of them empty, and returns where the second one starts.
fn split(range: &mut [Reference], depth: usize) -> usize {
    let half = range.len() / 2;
    if depth >= MAX_SAH_DEPTH {
        return half;
    }
    let Some(plane) = best_plane(range) else { return half };
    let middle = partition(range, |r| plane.bin_of(r) <= plane.last_left);
    if middle == 0 || middle == range.len() { half } else { middle }
}

/// Swaps the references so that those for which `left` holds come first.
fn partition(range: &mut [Reference], left: impl Fn(&Reference) -> bool) -> usize {
    let mut middle = 0;
    for i in 0..range.len() {
        if left(&range[i]) {
            range.swap(i, middle);
            middle += 1;
        }
    }
    middle
}

/// How references fall into equal bins along an axis, and the last bin of the left half.
#[derive(Clone, Copy)]
struct Plane {
    axis: usize,
    low: f64,
    scale: f64,
    last_left: usize,
}

impl Plane {
    fn bin_of(&self, reference: &Reference) -> usize {
        // A conversion from float saturates, so the last bin also takes the upper end.
        (((reference.center[self.axis] - self.low) * self.scale) as usize).min(BINS - 1)
    }
}

/// The cheapest of the planes between bins over all axes; `None` if all centers are equal.
fn best_plane(range: &[Reference]) -> Option<Plane> {
    let low = range.iter().fold(DVec3::INFINITY, |low, r| low.min(r.center));
    let high = range.iter().fold(DVec3::NEG_INFINITY, |high, r| high.max(r.center));
    let mut best: Option<(f64, Plane)> = None;
    for axis in 0..3 {
        let extent = high[axis] - low[axis];
        if extent > 0.0 {
            let plane = Plane { axis, low: low[axis], scale: BINS as f64 / extent, last_left: 0 };
            let (cost, last_left) = cheapest_boundary(range, &plane);
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, Plane { last_left, ..plane }));
            }
        }
    }
    best.map(|(_, plane)| plane)
}

/// The sum of area times count of both sides at the boundary where it is least, and the last bin before it.
fn cheapest_boundary(range: &[Reference], plane: &Plane) -> (f64, usize) {
    let mut bins = [(Aabb::EMPTY, 0usize); BINS];
    for reference in range {
        let (bounds, count) = &mut bins[plane.bin_of(reference)];
        *bounds = bounds.union(&reference.bounds);
        *count += 1;
    }
    let grow = |(bounds, count): &mut (Aabb, usize), bin: &(Aabb, usize)| {
        *bounds = bounds.union(&bin.0);
        *count += bin.1;
        Some(half_area(bounds) * *count as f64)
    };
    let mut right = [0.0; BINS];
    for (slot, cost) in right.iter_mut().rev().zip(bins.iter().rev().scan((Aabb::EMPTY, 0), grow)) {
        *slot = cost;
    }
    let left = bins.iter().scan((Aabb::EMPTY, 0), grow);
    let boundaries = left.zip(&right[1..]).map(|(left, right)| left + right).zip(0..);
    boundaries.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((f64::INFINITY, 0))
}
