//! Convex hulls.

use crate::nearest::HsNearest;
use crate::pointer::{Buffer, free, hand_out, handle_place, numbers, place, shared};
use crate::ray::{HsHit, HsRay, answer, answer_t, inside};
use crate::status::{Failure, HsStatus, guard};
use crate::strided::positions;
use hitscan::ConvexHull;

#[rustfmt::skip]
pub mod functions;

/// A convex hull: a handle, which `hs_hull_free` frees. A scene shares the hulls that are put into it, so the handle
/// may be freed after that.
pub struct HsHull(pub(crate) ConvexHull);

/// Makes the convex hull of points. `stride` is the number of bytes from one point to the next; 0 means three floats.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_hull_new(
    points: *const f32,
    stride: usize,
    count: usize,
    hull: *mut *mut HsHull,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (hull, points) = unsafe { (handle_place(hull, "hull")?, positions(points, stride, count, "points")?) };
        hand_out(hull, HsHull(ConvexHull::new(&points).map_err(Failure::input)?))
    })
}

/// Frees a hull; null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_hull_free(hull: *mut HsHull) {
    // SAFETY: The caller keeps the rules of this crate.
    unsafe { free(hull) }
}
