//! The leaves of a mesh's tree. They are blocks that are stored, or that are made when a ray visits them.

use super::corners::Corners;
use super::slabs::MadeSlabs;
use crate::bvh::{Bvh8, LeafRow};
use crate::mesh::{Mesh, MeshData};
use crate::parallel;
use crate::simd::collected;
use crate::tri::{NONE, PIECE, SIZE, Triangle8};
use alloc::sync::Arc;
use alloc::vec::Vec;

/// The data that a mesh stores for its triangles besides their vertices and indices. The answers are the same with each
/// layout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Layout {
    /// The mesh stores the corners of the triangles of each leaf, in the form in which they are tested. This is
    /// the fastest layout.
    #[default]
    Packed,
    /// The mesh stores only the triangle numbers of each leaf, and reads the corners from the vertices when a ray
    /// visits the leaf. The mesh's tree takes about a fifth of the memory that it takes in `Packed`. Vertices and
    /// indices are the same in both.
    Compact,
}

/// The blocks by leaf.
#[derive(Clone, Debug, Default)]
pub(in crate::mesh) struct LeafStorage {
    layout: Layout,
    /// One of these two vectors is empty, depending on the layout.
    whole: Vec<Triangle8>,
    lists: Vec<[u32; SIZE]>,
}

impl From<Vec<Triangle8>> for LeafStorage {
    fn from(whole: Vec<Triangle8>) -> Self {
        Self { layout: Layout::Packed, whole, lists: Vec::new() }
    }
}

impl LeafStorage {
    pub(in crate::mesh) fn len(&self) -> usize {
        self.whole.len() + self.lists.len()
    }

    pub(in crate::mesh) fn layout(&self) -> Layout {
        self.layout
    }

    /// Returns a block that is stored.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::mesh) fn whole(&self, leaf: usize) -> Option<&Triangle8> {
        self.whole.get(leaf)
    }

    /// Returns all blocks that are stored.
    pub(in crate::mesh) fn all_whole(&self) -> &[Triangle8] {
        &self.whole
    }

    /// Returns the triangles of a leaf, padded with the number for no triangle.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::mesh) fn list(&self, leaf: usize) -> [u32; SIZE] {
        match self.whole.get(leaf) {
            Some(block) => block.triangles,
            None => self.lists[leaf],
        }
    }

    /// Returns the triangles of each leaf.
    pub(in crate::mesh) fn lists(&self) -> impl ExactSizeIterator<Item = [u32; SIZE]> {
        (0..self.len()).map(|leaf| self.list(leaf))
    }

    /// Returns the numbers of a leaf's triangles.
    pub(in crate::mesh) fn numbers(&self, leaf: usize) -> impl Iterator<Item = u32> {
        numbers(self.list(leaf))
    }

    /// Fits the stored blocks, and the tree, to corners; returns the new cost of the tree.
    pub(in crate::mesh) fn fit(&mut self, tree: &mut Bvh8, corners: &Corners<'_>) -> f64 {
        match self.layout() {
            Layout::Packed => tree.refit(&mut self.whole, &|block| corners.fit(block)),
            Layout::Compact => tree.refit(&mut self.lists, &|&mut list| corners.fit(&mut Triangle8::of_lanes(list))),
        }
    }

    pub(in crate::mesh) fn bytes(&self) -> usize {
        size_of_val(&self.whole[..]) + size_of_val(&self.lists[..])
    }

    /// Returns the location of the leaves in memory.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::mesh) fn row(&self) -> LeafRow {
        match self.whole.as_slice() {
            [] => (self.lists.as_ptr().cast(), size_of::<[u32; SIZE]>()),
            whole => (whole.as_ptr().cast(), size_of::<Triangle8>()),
        }
    }
}

/// Returns the numbers of a leaf without the padding.
pub(in crate::mesh) fn numbers(list: [u32; SIZE]) -> impl Iterator<Item = u32> {
    list.into_iter().filter(|&triangle| triangle != NONE)
}

impl Mesh {
    /// Returns the same mesh in another layout. The answers are the same, in more or less memory. In the compact layout
    /// the tree takes about a fifth of the memory (0.18 to 0.21 in meshes of more than 100 triangles). Rays take 1.2 to
    /// 3 times as long. Use it for meshes that would take too much memory, or that are rarely queried.
    ///
    /// [`refit`](Self::refit) and [`rebuilt`](Self::rebuilt) keep the layout; a mesh that was saved, by itself or in a scene, is packed again. Only this value
    /// changes. If clones share its data, it takes a copy of its own.
    ///
    /// ```
    /// use hitscan::mesh::Layout;
    /// use hitscan::{Mesh, Ray};
    ///
    /// let mesh = Mesh::from_soup(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])?;
    /// let small = mesh.clone().with_layout(Layout::Compact);
    /// let ray = Ray::new([0.25, 0.25, 4.0], [0.0, 0.0, -1.0]);
    /// assert_eq!(small.cast(&ray), mesh.cast(&ray));
    /// assert!(small.tree_stats().bytes < mesh.tree_stats().bytes);
    /// # Ok::<(), hitscan::error::MeshError>(())
    /// ```
    #[must_use]
    pub fn with_layout(mut self, layout: Layout) -> Self {
        if layout != self.layout() {
            let blocks = self.shared.laid_out(layout);
            match Arc::get_mut(&mut self.shared) {
                Some(shared) => shared.blocks = blocks,
                // This does not copy data that is discarded.
                None => self.shared = Arc::new(self.shared.with_blocks(blocks)),
            }
        }
        self
    }

    /// Returns its layout, which decides the data that it stores for its triangles.
    pub fn layout(&self) -> Layout {
        self.shared.blocks.layout()
    }
}

impl MeshData {
    /// Returns its blocks in a layout.
    pub(in crate::mesh) fn laid_out(&self, layout: Layout) -> LeafStorage {
        match layout {
            Layout::Packed => {
                parallel::collect(self.blocks.len(), PIECE, |leaf| self.block_of(self.blocks.list(leaf))).into()
            }
            Layout::Compact => LeafStorage { layout, whole: Vec::new(), lists: collected(self.blocks.lists()) },
        }
    }

    /// Returns a copy with these blocks, of the same triangles.
    fn with_blocks(&self, blocks: LeafStorage) -> Self {
        Self {
            positions: self.positions.clone(),
            triangles: self.triangles.clone(),
            used: self.used.clone(),
            quality: self.quality,
            bounds: self.bounds,
            dop: self.dop.clone(),
            frame: self.frame,
            tree: self.tree.clone(),
            most_cost: self.most_cost,
            is_far_from_cache: self.is_far_from_cache,
            left_out: self.left_out.clone(),
            all_have_area: self.all_have_area,
            repeats: self.repeats.clone(),
            blocks,
            blocks_are_exact: self.blocks_are_exact,
            closedness: self.closedness.clone(),
            slabs: MadeSlabs::default(),
        }
    }

    /// Returns a block that is not stored.
    #[cold]
    pub(in crate::mesh) fn made(&self, leaf: usize) -> Triangle8 {
        self.block_of(self.blocks.list(leaf))
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn block_of(&self, triangles: [u32; SIZE]) -> Triangle8 {
        let mut block = Triangle8::of_lanes(triangles);
        self.corners().fit(&mut block);
        block
    }
}
