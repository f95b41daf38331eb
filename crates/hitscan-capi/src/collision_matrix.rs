//! The collision matrix of one triangle that is tested against very many segments.

pub use crate::answers::HsSegmentHit;
use crate::pointer::{free, hand_out, handle_place, numbers, place, shared};
use crate::ray::{HsHit, HsRay, answer, answer_t};
use crate::status::{Failure, HsStatus, guard};
use hitscan::CollisionMatrix;
use hitscan::glam::{DAffine3, DMat4};

#[rustfmt::skip]
pub mod functions;

/// A triangle's collision matrix: a handle, which `hs_collision_matrix_free` frees. It answers several times as fast as
/// a triangle, but is not watertight.
pub struct HsCollisionMatrix(CollisionMatrix);

/// Makes the collision matrix of the same triangle in an instance, given the transform of the instance: sixteen
/// doubles, column after column.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_collision_matrix_placed(
    matrix: *const HsCollisionMatrix,
    transform: *const f64,
    placed: *mut *mut HsCollisionMatrix,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (placed, matrix) = unsafe { (handle_place(placed, "placed")?, shared(matrix, "matrix")?) };
        // SAFETY: The caller keeps the rules of this crate.
        let transform = DMat4::from_cols_array(&unsafe { numbers(transform, "transform") }?);
        if transform.is_finite() && transform.row(3) != DMat4::IDENTITY.row(3) {
            return Err(Failure::input(hitscan::error::TransformError::NotAffine));
        }
        let made = matrix.0.placed(&DAffine3::from_mat4(transform)).map_err(Failure::input)?;
        hand_out(placed, HsCollisionMatrix(made))
    })
}

/// Frees a collision matrix; null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_collision_matrix_free(matrix: *mut HsCollisionMatrix) {
    // SAFETY: The caller keeps the rules of this crate.
    unsafe { free(matrix) }
}
