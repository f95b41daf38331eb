//! Builds of the tree and the blocks from validated triangles.

use super::ingest::CheckedTriangles;
use crate::bvh::{Bvh8, NormalizedSpace, Primitives, Quality};
use crate::collections::sort;
use crate::error::MeshError;
use crate::geom::aabb::Aabb;
use crate::geom::kdop::Kdop;
use crate::mesh::MeshData;
use crate::mesh::data::closed::Closedness;
use crate::mesh::data::corners::Corners;
use crate::mesh::data::duplicates::Duplicates;
use crate::mesh::data::leaf_storage::{Layout, LeafStorage};
use crate::mesh::data::referenced_vertices::ReferencedVertices;
use crate::mesh::data::slabs::MadeSlabs;
use crate::mesh::data::vertex_stats::VertexStats;
use crate::parallel;
use crate::simd::prefetch;
use crate::tri::{NONE, SIZE, Triangle8, without_area};
use alloc::vec::Vec;
use core::mem::take;
use core::sync::atomic::{AtomicBool, Ordering};
use glam::Vec3;

/// The number of triangles that is worth waking another thread, which takes longer than the whole build of a small mesh.
pub(in crate::mesh) const GRAIN: usize = 8192;

impl MeshData {
    /// Builds a mesh from finite positions that have these extremes, and from indices whose number is a multiple of
    /// three.
    pub(in crate::mesh) fn new(
        positions: Vec<Vec3>,
        extremes: &VertexStats,
        indices: &[u32],
        quality: Quality,
    ) -> Result<Self, MeshError> {
        let take = || CheckedTriangles::new(&positions, indices);
        let look = || ReferencedVertices::named_by(positions.len(), indices);
        let (given, used) = parallel::join_if(indices.len() / 3 > GRAIN, take, look);
        let CheckedTriangles { triangles, flat: left_out } = given?;
        let mut shared = Self { quality, left_out, used, all_have_area: true, ..Self::without_tree(triangles) };
        shared.set_positions(positions, extremes);
        shared.dop = shared.dop_of_vertices();
        shared.build();
        Ok(shared)
    }

    /// Makes a mesh without a tree, and without vertices.
    pub(in crate::mesh) fn without_tree(triangles: Vec<[u32; 3]>) -> Self {
        Self {
            all_have_area: false,
            positions: Vec::new(),
            triangles,
            used: ReferencedVertices::default(),
            quality: Quality::default(),
            bounds: Aabb::EMPTY,
            dop: None,
            frame: NormalizedSpace::new(Aabb::EMPTY),
            tree: Bvh8::default(),
            left_out: Vec::new(),
            repeats: Duplicates::default(),
            most_cost: 0.0,
            is_far_from_cache: false,
            blocks: LeafStorage::default(),
            blocks_are_exact: true,
            closedness: Closedness::default(),
            slabs: MadeSlabs::default(),
        }
    }

    /// Returns the same mesh with another tree, over the triangles that have an area now.
    pub(in crate::mesh) fn rebuilt(&self, quality: Quality) -> Self {
        let left_out = without_area(&self.positions, &self.triangles);
        let mut shared = Self {
            positions: self.positions.clone(),
            used: self.used.clone(),
            quality,
            bounds: self.bounds,
            dop: self.dop.clone(),
            frame: self.frame,
            left_out,
            blocks_are_exact: self.blocks_are_exact,
            closedness: self.closedness.clone(),
            ..Self::without_tree(self.triangles.clone())
        };
        shared.build();
        if self.blocks.layout() != Layout::default() {
            shared.blocks = shared.laid_out(self.blocks.layout());
        }
        shared
    }

    /// Makes tree and blocks of the triangles that are not left out, in the mesh's current layout.
    pub(in crate::mesh) fn build(&mut self) {
        let layout = self.blocks.layout();
        self.repeats = Duplicates::default();
        let left_out = take(&mut self.left_out);
        let may_repeat = self.build_of(&left_out);
        self.left_out = left_out;
        let repeats = if may_repeat {
            Duplicates::in_blocks(self.blocks.all_whole(), &self.corners())
        } else {
            Duplicates::default()
        };
        if !repeats.is_empty() {
            let mut absent: Vec<u64> = self.left_out.iter().copied().chain(repeats.all()).map(u64::from).collect();
            sort::sort(&mut absent);
            self.repeats = repeats;
            self.build_of(&absent.into_iter().map(|triangle| triangle as u32).collect::<Vec<u32>>());
        }
        let tree = &self.tree;
        let (cost, is_far) =
            parallel::join_if(self.triangles.len() > GRAIN, || tree.cost(), || tree.is_far_from_cache());
        (self.most_cost, self.is_far_from_cache) = (MOST_DECAY * cost, is_far);
        self.frame = self.frame.holding(&self.tree);
        if layout != Layout::default() {
            self.blocks = self.laid_out(layout);
        }
    }

    /// Makes tree and blocks of all triangles except the `absent` ones, which are given in order. Returns whether there
    /// is a block whose triangles all have the same box.
    fn build_of(&mut self, absent: &[u32]) -> bool {
        let numbers = self.numbers(absent);
        let len = self.triangles.len() - absent.len();
        let items = TreeTriangles { corners: self.corners(), numbers: &numbers, len };
        let has_one_box = AtomicBool::new(false);
        let block = |leaf: &[u32]| {
            // The block is made here, and not by a function that returns it. Returning would copy it once more.
            let mut block = Triangle8::of_lanes(items.lanes(leaf));
            items.corners.fit(&mut block);
            // This is tested while the block is in the cache.
            if block.has_one_box() {
                has_one_box.store(true, Ordering::Relaxed);
            }
            block
        };
        let (tree, blocks) = Bvh8::build(&items, self.quality, block);
        (self.tree, self.blocks) = (tree, blocks.into());
        has_one_box.into_inner()
    }

    /// Sets the positions, and the data that follow from them alone.
    pub(in crate::mesh) fn set_positions(&mut self, positions: Vec<Vec3>, extremes: &VertexStats) {
        self.positions = positions;
        self.bounds = self.used.bounds(&self.positions, extremes);
        self.frame = NormalizedSpace::new(self.bounds);
        self.blocks_are_exact = extremes.are_exact(&self.positions, &self.frame);
    }

    pub(in crate::mesh) fn dop_of_vertices(&self) -> Option<Kdop> {
        let dop = || Kdop::of_points(&self.used.positions(&self.positions), &self.bounds);
        (!self.bounds.is_empty()).then(dop)
    }

    pub(in crate::mesh) fn corners(&self) -> Corners<'_> {
        Corners {
            positions: &self.positions,
            triangles: &self.triangles,
            scale: self.frame.scale,
            factors: self.frame.factors(),
            are_exact: self.blocks_are_exact,
        }
    }

    /// Returns the triangle of each item. The list is empty if each item is its own triangle.
    fn numbers(&self, absent: &[u32]) -> Vec<u32> {
        let mut absent = absent.iter().copied().peekable();
        if absent.peek().is_none() {
            return Vec::new();
        }
        (0..self.triangles.len() as u32).filter(|&number| absent.next_if_eq(&number).is_none()).collect()
    }
}

/// The triangles that are in the tree.
struct TreeTriangles<'a> {
    corners: Corners<'a>,
    /// The triangle of each item. The list is empty if each item is its own triangle.
    numbers: &'a [u32],
    len: usize,
}

impl TreeTriangles<'_> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn triangle(&self, item: u32) -> u32 {
        self.numbers.get(item as usize).copied().unwrap_or(item)
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn lanes(&self, items: &[u32]) -> [u32; SIZE] {
        let mut triangles = [NONE; SIZE];
        for (lane, &item) in triangles.iter_mut().zip(items) {
            *lane = self.triangle(item);
        }
        triangles
    }
}

impl Primitives for TreeTriangles<'_> {
    fn len(&self) -> usize {
        self.len
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn bounds(&self, item: u32) -> Aabb {
        self.corners.bounds(self.triangle(item))
    }

    fn prefetch(&self, item: u32) {
        let triangle = self.triangle(item) as usize;
        prefetch::<{ size_of::<[u32; 3]>() }>(self.corners.triangles.as_ptr().wrapping_add(triangle).cast());
    }

    fn prefetch_rest(&self, item: u32) {
        for vertex in self.corners.triangles[self.triangle(item) as usize] {
            let position = self.corners.positions.as_ptr().wrapping_add(vertex as usize);
            prefetch::<{ size_of::<Vec3>() }>(position.cast());
        }
    }

    fn clipped(&self, item: u32, cell: &Aabb) -> Aabb {
        self.corners.clipped(self.triangle(item), cell)
    }
}

/// A tree is rebuilt when a ray is expected to visit this many times as many nodes as when it was built.
pub(in crate::mesh) const MOST_DECAY: f64 = 2.0;
