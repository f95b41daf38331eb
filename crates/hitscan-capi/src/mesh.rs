//! Meshes by themselves.

use crate::nearest::HsNearest;
use crate::pointer::{Buffer, free, hand_out, handle_place, numbers, place, shared, sized, slice, unique};
use crate::ray::{HsHit, HsRay, answer, choice, cull};
use crate::status::{Failure, HsStatus, guard};
use crate::strided::{positions, strided};
use crate::volume::{HsMeshContact, HsPose, HsVolume};
use hitscan::glam::Vec3;
use hitscan::mesh::Layout;
use hitscan::{Mesh, Quality};
use std::borrow::Cow;
use std::ffi::c_void;
use std::mem::offset_of;

#[rustfmt::skip]
pub mod functions;

/// A mesh of triangles with its tree: a handle, which `hs_mesh_free` frees. A scene shares the memory of the meshes
/// that are put into it. So the handle may be freed after that. Put a mesh under several keys to make instances.
pub struct HsMesh(pub(crate) Mesh);

/// The quality of a tree: a better tree takes longer to build, and makes rays faster.
#[derive(Clone, Copy, Debug)]
#[repr(i32)]
pub enum HsQuality {
    /// The usual quality.
    Balanced = 0,
    /// A tree that is built fast.
    Fast = 1,
    /// A tree for very many rays.
    Best = 2,
}

/// The data that a mesh keeps beside its vertices and indices. Answers are the same with each layout.
#[derive(Clone, Copy, Debug)]
#[repr(i32)]
pub enum HsLayout {
    /// Triangles are stored in the form that rays need: the fastest layout.
    Packed = 0,
    /// Each ray gathers triangles from the vertices: the layout with the least memory.
    Compact = 1,
}

/// The triangles that a mesh is made of, which `hs_mesh_build` copies. Set all fields to zero, then set `size` and the
/// fields that are needed.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct HsMeshSource {
    /// The size of this struct, `sizeof(HsMeshSource)`.
    pub size: usize,
    /// The position of the first vertex, three floats.
    pub positions: *const f32,
    /// The number of bytes from one vertex to the next; 0 means three floats.
    pub position_stride: usize,
    /// The number of vertices.
    pub vertex_count: usize,
    /// Three vertex numbers for each triangle. If it is null, every three vertices are a triangle.
    pub indices: *const c_void,
    /// The bytes of an index: 2, 4, or 0 for 4.
    pub index_bytes: usize,
    /// The number of indices.
    pub index_count: usize,
    /// The quality of the tree, an `HsQuality`.
    pub quality: i32,
    /// The layout, an `HsLayout`.
    pub layout: i32,
    /// The normal of the first vertex, three floats, or null if there are none.
    pub normals: *const f32,
    /// The number of bytes from one normal to the next; 0 means three floats.
    pub normal_stride: usize,
    /// The texture coordinates of the first vertex, two floats, or null if there are none.
    pub texcoords: *const f32,
    /// The number of bytes from one pair of texture coordinates to the next; 0 means two floats.
    pub texcoord_stride: usize,
}

const NO_SOURCE: HsMeshSource = HsMeshSource {
    size: 0,
    positions: std::ptr::null(),
    position_stride: 0,
    vertex_count: 0,
    indices: std::ptr::null(),
    index_bytes: 0,
    index_count: 0,
    quality: 0,
    layout: 0,
    normals: std::ptr::null(),
    normal_stride: 0,
    texcoords: std::ptr::null(),
    texcoord_stride: 0,
};

/// Returns the indices, `None` for a triangle soup.
///
/// # Safety
/// The rules of [`slice`] hold.
unsafe fn indices<'a>(source: &HsMeshSource) -> Result<Option<Cow<'a, [u32]>>, Failure> {
    let HsMeshSource { indices, index_bytes, index_count, .. } = *source;
    if indices.is_null() {
        let text = "`indices` is null, but `index_count` is not 0: pass the indices, or 0 for a triangle soup";
        return if index_count == 0 { Ok(None) } else { Err(Failure::new(HsStatus::Null, text)) };
    }
    Ok(Some(match index_bytes {
        // SAFETY: The caller guarantees it.
        0 | 4 => Cow::Borrowed(unsafe { slice(indices.cast::<u32>(), index_count, "indices") }?),
        2 => {
            // SAFETY: The caller guarantees it.
            let short = unsafe { slice(indices.cast::<u16>(), index_count, "indices") }?;
            Cow::Owned(short.iter().map(|&index| index.into()).collect())
        }
        _ => return Err(Failure::argument(format!("`index_bytes` is {index_bytes}: it must be 2 or 4, or 0 for 4"))),
    }))
}

fn soup(count: usize) -> Result<Vec<u32>, Failure> {
    let text = || Failure::input(format!("{count} vertices are more than a mesh can have: cut it into several"));
    u32::try_from(count).map(|count| (0..count).collect()).map_err(|_| text())
}

/// Makes a mesh.
///
/// # Safety
/// All pointers of the source are valid.
unsafe fn build(source: &HsMeshSource) -> Result<Mesh, Failure> {
    let quality = choice(source.quality, "quality", &[Quality::Balanced, Quality::Fast, Quality::Best])?;
    let layout = choice(source.layout, "layout", &[Layout::Packed, Layout::Compact])?;
    let count = source.vertex_count;
    // SAFETY: The caller guarantees it.
    let points = unsafe { positions(source.positions, source.position_stride, count, "positions") }?;
    // SAFETY: The caller guarantees it.
    let indices = match unsafe { indices(source) }? {
        Some(indices) => indices,
        None => soup(count)?.into(),
    };
    let mut mesh = Mesh::with_quality(&points, &indices, quality).map_err(Failure::input)?.with_layout(layout);
    if !source.normals.is_null() {
        // SAFETY: The caller guarantees it.
        let normals = unsafe { positions(source.normals, source.normal_stride, count, "normals") }?;
        mesh = mesh.with_normals(&normals).map_err(Failure::input)?;
    }
    if !source.texcoords.is_null() {
        // SAFETY: The caller guarantees it.
        let texcoords = unsafe { strided::<_, 2>(source.texcoords, source.texcoord_stride, count, "texcoords") }?;
        mesh = mesh.with_texcoords(&texcoords).map_err(Failure::input)?;
    }
    Ok(mesh)
}

/// Makes a mesh from packed positions, three floats each, and 32-bit indices, three for each triangle. If `indices` is
/// null and `index_count` 0, every three vertices are a triangle. The mesh copies the positions and the indices.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_mesh_new(
    positions: *const f32,
    vertex_count: usize,
    indices: *const u32,
    index_count: usize,
    mesh: *mut *mut HsMesh,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let mesh = unsafe { handle_place(mesh, "mesh") }?;
        let source = HsMeshSource { positions, vertex_count, indices: indices.cast(), index_count, ..NO_SOURCE };
        // SAFETY: The caller keeps the rules of this crate.
        hand_out(mesh, HsMesh(unsafe { build(&source) }?))
    })
}

/// Makes a mesh from buffers of any stride, with normals and texture coordinates if there are any.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_mesh_build(source: *const HsMeshSource, mesh: *mut *mut HsMesh) -> HsStatus {
    guard(|| {
        const LEAST: usize = offset_of!(HsMeshSource, texcoord_stride) + size_of::<usize>();
        // SAFETY: The caller keeps the rules of this crate.
        let (mesh, source) = unsafe { (handle_place(mesh, "mesh")?, sized(source, LEAST, NO_SOURCE, "source")?) };
        // SAFETY: The caller keeps the rules of this crate.
        hand_out(mesh, HsMesh(unsafe { build(&source) }?))
    })
}

/// Frees a mesh; null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_mesh_free(mesh: *mut HsMesh) {
    // SAFETY: The caller keeps the rules of this crate.
    unsafe { free(mesh) }
}

/// Moves the vertices of a mesh: there must be as many positions as before. The mesh's tree is refitted, which is much
/// faster than building a tree.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_mesh_refit(mesh: *mut HsMesh, points: *const f32, stride: usize, count: usize) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (mesh, points) = unsafe { (unique(mesh, "mesh")?, positions(points, stride, count, "positions")?) };
        mesh.0.refit(&points).map_err(Failure::input)?;
        Ok(HsStatus::Ok)
    })
}

/// Returns the number of triangles; 0 for null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_mesh_triangle_count(mesh: *const HsMesh) -> usize {
    crate::status::guard_value(0, || {
        // SAFETY: The caller keeps the rules of this crate.
        Ok(unsafe { shared(mesh, "mesh") }?.0.triangle_count())
    })
}

/// Writes the least and the greatest corner of the bounds, three floats each. For a mesh without triangles, the least
/// corner is above the greatest.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_mesh_bounds(mesh: *const HsMesh, min: *mut f32, max: *mut f32) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (mesh, min, max) =
            unsafe { (shared(mesh, "mesh")?, place(min.cast(), "min")?, place(max.cast::<[f32; 3]>(), "max")?) };
        let bounds = mesh.0.bounds();
        min.write(bounds.min.to_array());
        max.write(bounds.max.to_array());
        Ok(HsStatus::Ok)
    })
}

/// Makes a mesh from bytes of `hs_mesh_save`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_mesh_load(bytes: *const u8, count: usize, mesh: *mut *mut HsMesh) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (mesh, bytes) = unsafe { (handle_place(mesh, "mesh")?, slice(bytes, count, "bytes")?) };
        let read = Mesh::from_bytes(bytes).map_err(|error| Failure::new(HsStatus::Unreadable, error.to_string()))?;
        hand_out(mesh, HsMesh(read))
    })
}
