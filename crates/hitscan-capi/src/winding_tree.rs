//! Winding numbers of meshes, closed or not.

use crate::mesh::HsMesh;
use crate::mesh_points::{Points, answer_points};
use crate::pointer::{free, hand_out, handle_place, numbers, place, shared};
use crate::status::{HsStatus, guard};
use hitscan::WindingTree;
use hitscan::batch::Threads;

#[rustfmt::skip]
pub mod functions;

/// A mesh that is prepared for winding numbers: a handle, which `hs_winding_tree_free` frees. It shares the memory of the
/// mesh, and stays as it is if the mesh is changed.
pub struct HsWindingTree(WindingTree);

/// Frees a winding tree; null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_winding_tree_free(tree: *mut HsWindingTree) {
    // SAFETY: The caller keeps the rules of this crate.
    unsafe { free(tree) }
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
