//! Winding numbers of meshes, closed or not.

use crate::mesh::HsMesh;
use crate::mesh_points::{Points, answer_points};
use crate::pointer::{free, hand_out, handle_place, numbers, place, shared};
use crate::status::{HsStatus, guard};
use hitscan::WindingTree;
use hitscan::batch::Threads;
use hitscan::glam::DVec3;

/// A mesh that is prepared for winding numbers: a handle, which `hs_winding_tree_free` frees. It shares the memory of the
/// mesh, and stays as it is if the mesh is changed.
pub struct HsWindingTree(WindingTree);

/// Prepares a mesh. A closed mesh, and one with few border edges, needs little time and memory; another one about the time
/// of a build, and some 90 bytes for each triangle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_winding_tree_new(mesh: *const HsMesh, tree: *mut *mut HsWindingTree) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (tree, mesh) = unsafe { (handle_place(tree, "tree")?, shared(mesh, "mesh")?) };
        hand_out(tree, HsWindingTree(WindingTree::new(&mesh.0)))
    })
}

/// Frees a winding tree; null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_winding_tree_free(tree: *mut HsWindingTree) {
    // SAFETY: The caller keeps the rules of this crate.
    unsafe { free(tree) }
}

/// Finds the winding number of a point of three doubles, in the mesh's own space, with an error of at most
/// `error_bound` and the rounding of a double. It is 1 inside of a closed mesh and 0 outside. For an open mesh it is
/// the share of all directions that the mesh covers, below 0 where its front faces the point; on a surface it is the
/// mean of both sides. A larger bound takes less time; 0, a negative one and NaN leave only the rounding. The status is
/// `HS_STATUS_NONE` for a point that is not finite or beyond 1e70.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_winding_tree_winding_number(
    tree: *const HsWindingTree,
    point: *const f64,
    error_bound: f64,
    number: *mut f64,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (tree, point, number) =
            unsafe { (shared(tree, "tree")?, numbers(point, "point")?, place(number, "number")?) };
        let found = tree.0.winding_number(DVec3::from_array(point), error_bound);
        let Some(found) = found else { return Ok(HsStatus::None) };
        number.write(found);
        Ok(HsStatus::Ok)
    })
}

/// Finds the winding number of each of many points, on all threads: NaN where `hs_winding_tree_winding_number` finds none.
/// `stride` is as in `hs_mesh_closest_point_batch`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_winding_tree_winding_number_batch(
    tree: *const HsWindingTree,
    points: *const f64,
    stride: usize,
    count: usize,
    error_bound: f64,
    numbers: *mut f64,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let tree = unsafe { shared(tree, "tree") }?;
        let points = Points { start: points, stride, count };
        let ask = |points: &[_], found: &mut [_]| tree.0.winding_number_batch(points, error_bound, Threads::All, found);
        // SAFETY: The caller keeps the rules of this crate.
        unsafe { answer_points(points, (numbers, "numbers"), None, ask, |found| found.unwrap_or(f64::NAN)) }
    })
}
