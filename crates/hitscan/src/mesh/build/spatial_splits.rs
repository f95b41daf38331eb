//! Triangles that are divided among leaves. So no leaf's box contains such a triangle as a whole.
//!
//! Such boxes cannot be computed again from the triangles, and so they are saved. A saved box is only used again if it
//! is proven that no part of a triangle is lost. Otherwise the box is enlarged, which costs time, but changes no
//! answer.

use crate::bvh::Quality;
use crate::collections::sort::sorted_pairs;
use crate::geom::aabb::Aabb;
use crate::mesh::MeshData;
use crate::mesh::data::corners::Corners;
use crate::mesh::data::leaf_storage::numbers;
use crate::parallel;
use crate::save::{row, words};
use crate::tri::triangle8::SIZE;
use alloc::vec;
use alloc::vec::Vec;
use glam::Vec3;

/// A leaf whose box does not contain all of its triangles.
#[derive(Clone, Copy)]
pub(in crate::mesh) struct LeafBox {
    leaf: u32,
    bounds: Aabb,
}

impl LeafBox {
    pub(in crate::mesh) fn row(&self) -> [u8; 28] {
        let Aabb { min, max } = self.bounds;
        let [a, b, c, d, e, f] = [min.x, min.y, min.z, max.x, max.y, max.z].map(f32::to_bits);
        row([self.leaf, a, b, c, d, e, f])
    }

    pub(in crate::mesh) fn of_row(row: &[u8; 28]) -> Self {
        let [leaf, bounds @ ..]: [u32; 7] = words(row);
        let [a, b, c, d, e, f] = bounds.map(f32::from_bits);
        Self { leaf, bounds: Aabb { min: Vec3::new(a, b, c), max: Vec3::new(d, e, f) } }
    }
}

/// The number of times that each box may be tested in each level of a proof. The boxes of trees that were built need few tests; the limit bounds the time
/// for all others.
const MOST_LOOKS: usize = 16;
/// The number of triangles that are worth handing to another thread.
const GRAIN: usize = 64;

impl MeshData {
    /// Returns the boxes that do not contain all triangles of their leaves, in the order of the leaves.
    pub(in crate::mesh) fn divided_boxes(&self) -> Vec<LeafBox> {
        // Other qualities do not divide triangles.
        if self.quality != Quality::Best {
            return Vec::new();
        }
        let corners = self.corners();
        let boxes = (0..).zip(self.tree.leaf_boxes()).zip(self.blocks.lists());
        let is_divided = |bounds: &Aabb, list: [u32; SIZE]| *bounds != bounds.union(&corners.around(list));
        let smaller: Vec<LeafBox> = boxes
            .filter(|((_, bounds), list)| is_divided(bounds, *list))
            .map(|((leaf, bounds), _)| LeafBox { leaf, bounds })
            .collect();
        if smaller.is_empty() {
            return smaller;
        }
        // A box that loading would not restore is not saved. So a loaded mesh is saved as the same bytes.
        let whole = self.whole_boxes();
        let proven = self.proven_boxes(&smaller, &whole);
        let leaf_box = |LeafBox { leaf, .. }: LeafBox| LeafBox { leaf, bounds: proven[leaf as usize] };
        smaller.into_iter().map(leaf_box).filter(|of| of.bounds != whole[of.leaf as usize]).collect()
    }

    /// Sets the boxes of some leaves, which are given in order, unless a part of a triangle is lost. Before the call, the tree is fitted to its
    /// triangles, and has the given cost. Returns the new cost of the tree; `None` if the leaves are not in order or do not exist.
    pub(in crate::mesh) fn divide(&mut self, smaller: &[LeafBox], cost: f64) -> Option<f64> {
        let is_sound = smaller.is_sorted_by(|a, b| a.leaf < b.leaf)
            && smaller.last().is_none_or(|last| (last.leaf as usize) < self.blocks.len());
        if !is_sound || smaller.is_empty() {
            return is_sound.then_some(cost);
        }
        let mut boxes = self.proven_boxes(smaller, &self.whole_boxes());
        Some(self.tree.refit(&mut boxes, &|bounds| *bounds))
    }

    /// Returns a box for each leaf, around all of its triangles.
    fn whole_boxes(&self) -> Vec<Aabb> {
        let corners = self.corners();
        self.blocks.lists().map(|list| corners.around(list)).collect()
    }

    /// Returns a box for each leaf. It is the given smaller box if it is certain that no part of a triangle is lost, and otherwise the whole one.
    fn proven_boxes(&self, smaller: &[LeafBox], whole: &[Aabb]) -> Vec<Aabb> {
        let corners = self.corners();
        let mut boxes = whole.to_vec();
        for LeafBox { leaf, bounds } in smaller {
            let own = &mut boxes[*leaf as usize];
            let common = Aabb { min: own.min.max(bounds.min), max: own.max.min(bounds.max) };
            // The comparisons are false for NaN.
            if common.min.cmple(common.max).all() && bounds.min.cmple(bounds.max).all() {
                *own = common;
            }
        }
        let leaves = self.leaves_of_divided(&boxes);
        let triangles: Vec<&[[u32; 2]]> = leaves.chunk_by(|a, b| a[0] == b[0]).collect();
        let mut is_whole = vec![false; triangles.len()];
        parallel::fill(&mut is_whole, GRAIN, &|start, piece| {
            for (is_whole, leaves) in piece.iter_mut().zip(&triangles[start..]) {
                let own = leaves.iter().map(|&[_, leaf]| boxes[leaf as usize]).collect();
                *is_whole = leaves.first().is_some_and(|&[triangle, _]| is_covered(&corners, triangle, own));
            }
        });
        // A larger box proves at least as much.
        let lost = triangles.iter().zip(is_whole).filter(|(_, is_whole)| !is_whole);
        for &[_, leaf] in lost.flat_map(|(leaves, _)| *leaves) {
            boxes[leaf as usize] = whole[leaf as usize];
        }
        boxes
    }

    /// Returns pairs of a triangle and a leaf that has it, in order. These are all pairs of the triangles that extend
    /// beyond the box of one of their leaves.
    fn leaves_of_divided(&self, boxes: &[Aabb]) -> Vec<[u32; 2]> {
        let corners = self.corners();
        let mut is_divided = vec![false; self.triangles.len()];
        for (list, bounds) in self.blocks.lists().zip(boxes) {
            for triangle in numbers(list) {
                is_divided[triangle as usize] |= !contains(bounds, &corners.bounds(triangle));
            }
        }
        let leaves = (0..).zip(self.blocks.lists()).flat_map(|(leaf, list)| numbers(list).map(move |of| [of, leaf]));
        sorted_pairs(leaves.filter(|&[triangle, _]| is_divided[triangle as usize]))
    }
}

impl Corners<'_> {
    /// Returns the box around the triangles of a leaf.
    fn around(&self, list: [u32; SIZE]) -> Aabb {
        numbers(list).fold(Aabb::EMPTY, |all, triangle| all.union(&self.bounds(triangle)))
    }
}

fn contains(outer: &Aabb, inner: &Aabb) -> bool {
    outer.min.cmple(inner.min).all() && inner.max.cmple(outer.max).all()
}

/// Returns whether it is certain that every point of a triangle is in one of these boxes. The triangle is divided at planes of the boxes, until each part is
/// in one box.
fn is_covered(corners: &Corners<'_>, triangle: u32, boxes: Vec<Aabb>) -> bool {
    let mut work = MOST_LOOKS * boxes.len() * (1 + boxes.len().ilog2() as usize);
    // The open parts, each with the boxes that touch it.
    let mut open = vec![(corners.bounds(triangle), boxes)];
    while let Some((cell, boxes)) = open.pop() {
        if boxes.iter().any(|bounds| contains(bounds, &cell)) {
            continue;
        }
        let Some((axis, plane)) = middle_plane(&cell, &boxes) else { return false };
        let Some(left) = work.checked_sub(boxes.len()) else { return false };
        work = left;
        let mut sides = [cell; 2];
        sides[0].max[axis] = plane;
        sides[1].min[axis] = plane;
        let parts = sides.map(|side| corners.clipped(triangle, &side)).into_iter().filter(|part| !part.is_empty());
        open.extend(parts.map(|part| (part, boxes.iter().filter(|bounds| touches(bounds, &part)).copied().collect())));
    }
    true
}

fn touches(a: &Aabb, b: &Aabb) -> bool {
    a.min.cmple(b.max).all() && b.min.cmple(a.max).all()
}

/// Returns the plane of a box that passes through the inside of a cell, and is the farthest from the cell's sides.
fn middle_plane(cell: &Aabb, boxes: &[Aabb]) -> Option<(usize, f32)> {
    let planes =
        boxes.iter().flat_map(|bounds| (0..3).flat_map(|axis| [(axis, bounds.min[axis]), (axis, bounds.max[axis])]));
    let room = |&(axis, plane): &(usize, f32)| (plane - cell.min[axis]).min(cell.max[axis] - plane);
    planes.filter(|plane| room(plane) > 0.0).max_by(|a, b| room(a).total_cmp(&room(b)))
}
