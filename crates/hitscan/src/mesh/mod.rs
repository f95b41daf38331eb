//! Triangle meshes: validated once, shared by clones, with their tree.

mod build;
mod cast;
mod data;
mod save;
mod slab_contents;
#[cfg(test)]
mod tests;
mod triangle_set;

pub use crate::bvh::TreeStats;
pub use data::alpha_mask::{AlphaMask, Wrap};
pub use data::cut_out::CutOut;
pub use data::leaf_storage::Layout;

pub(crate) use cast::crossings::Passage;
pub(crate) use cast::instance_packet::InstancePacket;
pub(crate) use save::mesh_dedup::{SavedMeshes, read as read_meshes};

use crate::bvh::{Bvh8, NormalizedSpace, Quality, is_worth_threads};
use crate::error::MeshError;
use crate::geom::aabb::Aabb;
use crate::geom::kdop::Kdop;
use crate::math::float::inverse_power_of_two;
use crate::parallel;
use crate::simd::collected;
use crate::tri::degenerate;
use alloc::sync::Arc;
use alloc::vec::Vec;
use data::attributes::Attributes;
use data::closed::Closedness;
use data::duplicates::Duplicates;
use data::leaf_storage::LeafStorage;
use data::referenced_vertices::ReferencedVertices;
use data::slabs::MadeSlabs;
use glam::Vec3;

/// A triangle mesh with its tree, in its own local space. Clones share both: a clone costs no memory and no build.
///
/// Counter-clockwise triangles face front. Triangles without area are kept and counted, but never hit. The mesh is
/// watertight. Whether a ray hits a triangle is decided exactly, so no ray slips through an edge or a vertex.
///
/// ```
/// use hitscan::{Mesh, Ray};
///
/// let positions = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
/// let square = Mesh::new(&positions, &[0, 1, 2, 0, 2, 3])?;
/// let hit = square.cast(&Ray::new([0.75, 0.25, 2.0], [0.0, 0.0, -1.0])).unwrap();
/// assert_eq!((hit.t, hit.triangle), (2.0, 0));
/// # Ok::<(), hitscan::error::MeshError>(())
/// ```
#[doc(alias("trimesh", "triangle_mesh", "bvh"))]
#[derive(Clone, Debug)]
pub struct Mesh {
    shared: Arc<MeshData>,
    attributes: Attributes,
}

#[derive(Clone, Debug)]
struct MeshData {
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    used: ReferencedVertices,
    quality: Quality,
    bounds: Aabb,
    /// Tighter bounds; `None` for a mesh without triangles.
    dop: Option<Kdop>,
    frame: NormalizedSpace,
    /// The tree over all triangles, except triangles that had no area when it was built. The leaves are blocks.
    tree: Bvh8,
    /// If the tree costs more than this after fitting, it is rebuilt.
    most_cost: f64,
    /// True if interleaving may be worth it for a batch's incoherent rays.
    is_far_from_cache: bool,
    /// The triangles that are in no block because they have no area.
    left_out: Vec<u32>,
    /// True if every triangle of the tree certainly has an area.
    all_have_area: bool,
    /// The other triangles that are in no block: duplicates of triangles in blocks.
    repeats: Duplicates,
    blocks: LeafStorage,
    /// True if no coordinate underflowed in the frame.
    blocks_are_exact: bool,
    closedness: Closedness,
    slabs: MadeSlabs,
}

impl Mesh {
    /// Makes a mesh from vertex positions and three indices for each triangle. A mesh without triangles is allowed, and
    /// nothing hits it. Triangles without area are kept, and nothing hits them either.
    ///
    /// # Errors
    /// Returns an error if a vertex is not finite, if an index has no vertex, or if there are too many
    /// triangles. The number of indices must be a multiple of three. The error names the first offender.
    pub fn new<P: Copy + Into<Vec3>>(positions: &[P], indices: &[u32]) -> Result<Self, MeshError> {
        Self::with_quality(positions, indices, Quality::default())
    }

    /// Does the same as [`new`](Self::new) with a choice of how much time the build may take.
    ///
    /// # Errors
    /// Returns an error as [`new`](Self::new) does.
    pub fn with_quality<P: Copy + Into<Vec3>>(
        positions: &[P],
        indices: &[u32],
        quality: Quality,
    ) -> Result<Self, MeshError> {
        let positions: Vec<Vec3> = collected(positions.iter().map(|&p| p.into()));
        Self::from_vertices(positions, indices, quality)
    }

    /// Makes a mesh from three positions for each triangle, without indices (a triangle soup).
    ///
    /// # Errors
    /// Returns an error as [`new`](Self::new) does.
    pub fn from_soup<P: Copy + Into<Vec3>>(corners: &[P]) -> Result<Self, MeshError> {
        build::validate::triangle_count(corners.len())?;
        let indices: Vec<u32> = (0..corners.len() as u32).collect();
        Self::new(corners, &indices)
    }

    /// Makes a mesh from a vertex buffer without a conversion. The position of vertex `i` is three native-endian
    /// f32 at byte `offset + i * stride`. Without indices, the vertices are a triangle soup.
    ///
    /// # Errors
    /// Returns an error if the buffer is too short for `vertices`, and as [`new`](Self::new) does.
    pub fn from_buffer(
        bytes: &[u8],
        offset: usize,
        stride: usize,
        vertices: usize,
        indices: Option<&[u32]>,
    ) -> Result<Self, MeshError> {
        let positions = build::validate::strided_positions(bytes, offset, stride, vertices)?;
        match indices {
            Some(indices) => Self::from_vertices(positions, indices, Quality::default()),
            None => Self::from_soup(&positions),
        }
    }

    fn from_vertices(positions: Vec<Vec3>, indices: &[u32], quality: Quality) -> Result<Self, MeshError> {
        let count = build::validate::triangle_count(indices.len())?;
        let shared = parallel::together(is_worth_threads(count, quality), || {
            let extremes = build::validate::positions(&positions)?;
            MeshData::new(positions, &extremes, indices, quality)
        })?;
        Ok(Self { shared: Arc::new(shared), attributes: Attributes::default() })
    }

    /// Returns the same mesh with a tree that is rebuilt in this quality; the answers are the same. Use it for a mesh
    /// that was [deformed](Self::refit) so much that its tree has become slow. It is also useful before a mesh is
    /// [saved](Self::to_bytes).
    ///
    /// ```
    /// use hitscan::{Mesh, Quality};
    ///
    /// let mesh = Mesh::from_soup(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])?;
    /// let bytes = mesh.rebuilt(Quality::Best).to_bytes();
    /// # Ok::<(), hitscan::error::MeshError>(())
    /// ```
    #[must_use]
    pub fn rebuilt(&self, quality: Quality) -> Self {
        let is_large = is_worth_threads(self.triangle_count(), quality);
        let shared = parallel::together(is_large, || self.shared.rebuilt(quality));
        Self { shared: Arc::new(shared), attributes: self.attributes.clone() }
    }

    /// Returns the quality in which its tree was built.
    pub fn quality(&self) -> Quality {
        self.shared.quality
    }

    /// Returns whether both meshes share all of their data. Clones do so until one of them is deformed.
    ///
    /// ```
    /// use hitscan::Mesh;
    ///
    /// let mesh = Mesh::from_soup(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])?;
    /// assert!(mesh.is_clone_of(&mesh.clone()));
    /// assert!(!mesh.is_clone_of(&mesh.clone().with_normals(&[[0.0, 0.0, 1.0]; 3])?));
    /// # Ok::<(), hitscan::error::MeshError>(())
    /// ```
    pub fn is_clone_of(&self, other: &Self) -> bool {
        self.place() == other.place()
    }

    /// Returns the smallest box around all triangles; [`Aabb::EMPTY`] without any.
    pub fn bounds(&self) -> Aabb {
        self.shared.bounds
    }

    /// Returns tighter bounds, if there are any triangles.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn dop(&self) -> Option<&Kdop> {
        self.shared.dop.as_ref()
    }

    /// Returns the number of triangles, including triangles without area.
    pub fn triangle_count(&self) -> usize {
        self.shared.triangles.len()
    }

    /// Returns the number of triangles that have no area, so that no ray can hit them. They are counted by this call.
    pub fn degenerate_count(&self) -> usize {
        degenerate::without_area(&self.shared.positions, &self.shared.triangles).len()
    }

    /// Returns the triangles that have no area, so that no ray can hit them, in order. They are found by this call.
    ///
    /// ```
    /// use hitscan::Mesh;
    ///
    /// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [2.0, 0.0, 0.0]];
    /// let mesh = Mesh::new(&corners, &[0, 1, 2, 0, 1, 3, 2, 2, 1])?;
    /// assert_eq!(mesh.degenerate_triangles(), [1, 2]);
    /// # Ok::<(), hitscan::error::MeshError>(())
    /// ```
    pub fn degenerate_triangles(&self) -> Vec<u32> {
        degenerate::without_area(&self.shared.positions, &self.shared.triangles)
    }

    /// Returns the local corners of a triangle; `None` beyond the last one.
    pub fn triangle(&self, triangle: u32) -> Option<[Vec3; 3]> {
        self.indices(triangle).map(|_| self.shared.triangle(triangle))
    }

    /// Returns the three vertices of a triangle, as they were given; `None` beyond the last one.
    pub fn indices(&self, triangle: u32) -> Option<[u32; 3]> {
        self.shared.triangles.get(triangle as usize).copied()
    }

    /// Returns the local vertices.
    pub fn positions(&self) -> &[Vec3] {
        &self.shared.positions
    }

    /// Returns figures of its tree.
    pub fn tree_stats(&self) -> TreeStats {
        let MeshData { tree, blocks, .. } = &*self.shared;
        let stats = tree.stats();
        TreeStats { bytes: stats.bytes + blocks.bytes(), ..stats }
    }

    /// Returns the unit of the tree's coordinates, and the tree's boxes down to a depth, each with its own depth.
    pub(crate) fn tree_boxes(&self, deepest: usize) -> (f64, Vec<(usize, Aabb)>) {
        (inverse_power_of_two(self.shared.frame.scale), self.shared.tree.boxes(deepest))
    }
}

impl MeshData {
    /// Returns the corners of a triangle that exists.
    fn triangle(&self, triangle: u32) -> [Vec3; 3] {
        self.triangles[triangle as usize].map(|index| self.positions[index as usize])
    }
}
