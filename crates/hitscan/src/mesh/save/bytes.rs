//! Meshes as bytes, and back.
//!
//! Only the topology of a tree is saved, and the triangles of each block. The other data is fitted to the vertices
//! as in [`refit`](Mesh::refit). This is done in one pass, in which no box can become too small.

use crate::bvh::{Bvh8, NodeTopology, Quality};
use crate::error::{MeshError, ReadError};
use crate::mesh::build::construct::MOST_DECAY;
use crate::mesh::build::spatial_splits::LeafBox;
use crate::mesh::build::validate;
use crate::mesh::data::attributes::Attributes;
use crate::mesh::data::cut_out::MeshCutOuts;
use crate::mesh::data::duplicates::Duplicates;
use crate::mesh::data::referenced_vertices::ReferencedVertices;
use crate::mesh::data::vertex_stats::VertexStats;
use crate::mesh::{Mesh, MeshData};
use crate::parallel;
use crate::save::{self, Reader, SavedKind, Value, Writer, row, row_of_vec2, row_of_vec3, vec2, vec3, words};
use crate::simd::collected;
use crate::tri::has_area;
use crate::tri::triangle8::{PIECE, SIZE, Triangle8};
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::mem::take;
use glam::Vec3;

/// The largest number of blocks for which the numbers of all lanes fit in a u32.
const MOST_PACKETS: usize = u32::MAX as usize / SIZE;
/// The number of vertices or triangles above which several threads read a mesh.
const GRAIN: usize = 4096;
const LIST_BYTES: usize = size_of::<[u32; SIZE]>();

impl Mesh {
    /// Returns the mesh as bytes, for [`from_bytes`](Self::from_bytes): vertices, triangles, vertex normals, texture
    /// coordinates, cut-outs, and the topology of its
    /// tree. The same mesh gives the same bytes on every platform and instruction set. There are about 50 bytes for
    /// each triangle.
    ///
    /// ```
    /// use hitscan::{Mesh, Ray};
    ///
    /// let mesh = Mesh::new(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[0, 1, 2])?;
    /// let bytes = mesh.to_bytes(); // to be written to a file
    /// let again = Mesh::from_bytes(&bytes)?;
    /// let ray = Ray::new([0.25, 0.25, 4.0], [0.0, 0.0, -1.0]);
    /// assert_eq!(again.cast(&ray), mesh.cast(&ray));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_bytes(&self) -> Vec<u8> {
        save::write(SavedKind::Mesh, |to| {
            self.shared.write(to);
            self.attributes.write(to);
        })
    }

    /// Reads a mesh that [`to_bytes`](Self::to_bytes) saved. Every answer has the same bits as for the original mesh,
    /// also after it is deformed. This takes a small part of the time of a build.
    ///
    /// # Errors
    /// Returns an error for bytes that are incomplete, were changed, or are of another version or kind. Any bytes may be given: their contents are checked
    /// even if the checksum is right. No bytes make a mesh that lacks one of its triangles. No bytes take memory out of proportion to their number.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ReadError> {
        save::read(SavedKind::Mesh, bytes, |from| {
            let shared = Arc::new(MeshData::read(from, 0)?);
            Self::with_attributes(shared, from, 0)
        })
    }

    /// Reads the attributes of the mesh with this number.
    pub(in crate::mesh) fn with_attributes(
        shared: Arc<MeshData>,
        from: &mut Reader<'_>,
        index: usize,
    ) -> Result<Self, ReadError> {
        let failed = |error: MeshError| ReadError::Mesh { index, error };
        let mut mesh = Self { shared, attributes: Attributes::default() };
        if let Some(normals) = from.optional_rows()? {
            mesh = mesh.with_normals(&normals.iter().map(vec3).collect::<Vec<_>>()).map_err(failed)?;
        }
        if let Some(texcoords) = from.optional_rows()? {
            mesh = mesh.with_texcoords(&texcoords.iter().map(vec2).collect::<Vec<_>>()).map_err(failed)?;
        }
        mesh.with_saved_cut_outs(from)
    }
}

impl Attributes {
    pub(in crate::mesh) const LEAST_BYTES: usize = 4 + 4 + MeshCutOuts::LEAST_BYTES;

    pub(in crate::mesh) fn write(&self, to: &mut Writer) {
        to.optional_rows(self.normals.as_ref().map(|normals| normals.iter().map(row_of_vec3)));
        to.optional_rows(self.texcoords.as_ref().map(|texcoords| texcoords.iter().map(row_of_vec2)));
        self.cut_outs.write(to);
    }
}

impl Quality {
    fn number(self) -> u32 {
        match self {
            Self::Fast => 1,
            Self::Balanced => 2,
            Self::Best => 3,
        }
    }

    fn from_number(number: u32) -> Option<Self> {
        [Self::Fast, Self::Balanced, Self::Best].into_iter().find(|quality| quality.number() == number)
    }
}

impl MeshData {
    pub(in crate::mesh) const LEAST_BYTES: usize = 4 + 6 * 8;

    pub(in crate::mesh) fn write(&self, to: &mut Writer) {
        self.quality.number().write(to);
        to.rows(self.positions.iter().map(row_of_vec3));
        to.rows(self.triangles.iter().map(|&triangle| row::<3, 12>(triangle)));
        to.rows(self.tree.form());
        to.rows(self.blocks.lists().map(row::<SIZE, LIST_BYTES>));
        to.rows(self.repeats.pairs().iter().map(|&pair| row::<2, 8>(pair)));
        to.rows(self.divided_boxes().iter().map(LeafBox::row));
    }

    /// Reads the mesh with this number.
    pub(in crate::mesh) fn read(from: &mut Reader<'_>, index: usize) -> Result<Self, ReadError> {
        let failed = |error: MeshError| ReadError::Mesh { index, error };
        let invalid = |fault: &'static str| ReadError::Invalid { item: "mesh", index, fault };
        let quality = Quality::from_number(u32::read(from)?).ok_or(invalid("is of an unknown quality"))?;
        let (positions, triangles) = (from.rows()?, from.rows()?);
        let (form, blocks, pairs): (&[NodeTopology], _, &[[u8; 8]]) = (from.rows()?, from.rows()?, from.rows()?);
        let boxes: Vec<LeafBox> = from.rows()?.iter().map(LeafBox::of_row).collect();

        let is_large = triangles.len().max(positions.len()) > GRAIN;
        let (vertices, surface) =
            parallel::join_if(is_large, || vertices(positions), || surface(positions.len(), triangles));
        let (positions, extremes) = vertices.map_err(failed)?;
        let (triangles, used) = surface.map_err(failed)?;
        let read_blocks = || parallel::join_if(is_large, || absent(blocks, triangles.len()), || self::blocks(blocks));
        let (tree, (absent, blocks)) = parallel::join_if(is_large, || tree(form, blocks.len()), read_blocks);
        let tree = tree.ok_or(invalid("has nodes that make no tree"))?;
        let mut absent = absent.ok_or(invalid("has a block of triangles that are not there"))?;

        let mut shared = Self { quality, used, blocks: blocks.into(), tree, ..Self::without_tree(triangles) };
        shared.set_positions(positions, &extremes);
        shared.dop = shared.dop_of_vertices();
        shared.repeats = shared.repeats_of(pairs, &mut absent).ok_or(invalid("has a repeat that is none"))?;
        shared.left_out = absent.into_numbers();
        if shared.left_out.iter().any(|&triangle| has_area(shared.triangle(triangle))) {
            return Err(invalid("has a triangle that is not in its tree"));
        }
        let cost = shared.fit_tree();
        let cost = shared.divide(&boxes, cost).ok_or(invalid("has a box of a leaf that is not there"))?;
        shared.most_cost = MOST_DECAY * cost;
        shared.is_far_from_cache = shared.tree.is_far_from_cache();
        Ok(shared)
    }

    /// Reads pairs, in order, of a triangle in a block and a later triangle that is in no block and has exactly the
    /// same corners. The later triangle is no longer treated as absent.
    fn repeats_of(&self, pairs: &[[u8; 8]], absent: &mut AbsentTriangles) -> Option<Duplicates> {
        let corners = |triangle: u32| self.triangle(triangle).map(|corner| corner.to_array().map(f32::to_bits));
        let pairs: Vec<[u32; 2]> = pairs.iter().map(words).collect();
        if !pairs.is_sorted_by(|a, b| a < b) {
            return None;
        }
        for &[first, _] in &pairs {
            // This is tested before any of them is removed.
            (!*absent.is_absent.get(first as usize)?).then_some(())?;
        }
        for &[first, other] in &pairs {
            let is_absent = absent.is_absent.get_mut(other as usize)?;
            (take(is_absent) && first < other && corners(first) == corners(other)).then_some(())?;
        }
        Some(Duplicates::of_pairs(pairs))
    }
}

fn vertices(rows: &[[u8; 12]]) -> Result<(Vec<Vec3>, VertexStats), MeshError> {
    let positions: Vec<Vec3> = collected(rows.iter().map(vec3));
    let extremes = validate::positions(&positions)?;
    Ok((positions, extremes))
}

/// Reads the triangles, and which of this many vertices they use.
fn surface(vertices: usize, rows: &[[u8; 12]]) -> Result<(Vec<[u32; 3]>, ReferencedVertices), MeshError> {
    validate::triangle_count(rows.len().saturating_mul(3))?;
    let triangles: Vec<[u32; 3]> = collected(rows.iter().map(words));
    validate::indices(vertices, triangles.as_flattened(), 0)?;
    let used = ReferencedVertices::named_by(vertices, triangles.as_flattened());
    Ok((triangles, used))
}

/// Returns the tree; `None` if it is not a tree of this many blocks.
fn tree(form: &[NodeTopology], blocks: usize) -> Option<Bvh8> {
    if blocks > MOST_PACKETS { None } else { Bvh8::of_form(form, blocks) }
}

/// Makes blocks whose corners are not known yet.
fn blocks(rows: &[[u8; LIST_BYTES]]) -> Vec<Triangle8> {
    parallel::collect(rows.len(), PIECE, |block| Triangle8::of_lanes(words(&rows[block])))
}

/// Returns which of this many triangles are in no block. Returns `None` if a row is not a valid block.
fn absent(rows: &[[u8; LIST_BYTES]], count: usize) -> Option<AbsentTriangles> {
    let mut is_absent = vec![true; count];
    for row in rows {
        let triangles = words(row);
        if !Triangle8::are_lanes(triangles, count) {
            return None;
        }
        for triangle in triangles {
            if let Some(is_absent) = is_absent.get_mut(triangle as usize) {
                *is_absent = false;
            }
        }
    }
    Some(AbsentTriangles { is_absent })
}

/// The triangles that are in no block, as a flag for each.
struct AbsentTriangles {
    is_absent: Vec<bool>,
}

impl AbsentTriangles {
    /// Returns the numbers in order.
    fn into_numbers(self) -> Vec<u32> {
        (0..).zip(self.is_absent).filter(|&(_, is_absent)| is_absent).map(|(triangle, _)| triangle).collect()
    }
}
