//! Questions about one point or many points and a mesh without a scene: the nearest triangle, containment, and signed distance.

use crate::mesh::HsMesh;
use crate::nearest::{HsNearest, HsTrianglePoint};
use crate::pointer::{numbers, place, shared};
use crate::rows::Rows;
use crate::status::{Failure, HsStatus, Outcome, guard};
use crate::strided::strided;
use hitscan::batch::Threads;
use hitscan::error::BatchError;

#[rustfmt::skip]
pub mod functions;

/// Points of three doubles, `stride` bytes apart.
#[derive(Clone, Copy)]
pub(crate) struct Points {
    pub(crate) start: *const f64,
    pub(crate) stride: usize,
    pub(crate) count: usize,
}

/// Asks about many points, and writes the answers one after the other. A point without an answer keeps `initial`.
///
/// # Safety
/// There are as many points and as many places as the count says.
pub(crate) unsafe fn answer_points<A: Clone, B>(
    points: Points,
    (answers, name): (*mut B, &str),
    initial: A,
    ask: impl FnOnce(&[[f64; 3]], &mut [A]) -> Result<(), BatchError>,
    convert: impl Fn(&A) -> B,
) -> Outcome {
    let Points { start, stride, count } = points;
    // SAFETY: The caller guarantees it.
    let points = unsafe { strided(start, stride, count, "points") }?;
    let places = Rows::new(answers, 0, count, name)?;
    let mut found = vec![initial; count];
    ask(&points, &mut found).map_err(Failure::input)?;
    for (number, found) in found.iter().enumerate() {
        // SAFETY: There are as many places as the caller said.
        unsafe { places.put(number, convert(found)) };
    }
    Ok(HsStatus::Ok)
}

/// Finds the nearest point of a mesh for each of many points of three doubles, in the mesh's own space and on all threads. The answers are the same as by
/// `hs_mesh_closest_point`. `stride` is the number of bytes from one point to the next; 0 means three doubles. If a point has no nearest point, the distance is
/// infinite, and the triangle is `HS_NO_TRIANGLE`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_mesh_closest_point_batch(
    mesh: *const HsMesh,
    points: *const f64,
    stride: usize,
    count: usize,
    nearest: *mut HsNearest,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let mesh = unsafe { shared(mesh, "mesh") }?;
        let points = Points { start: points, stride, count };
        let ask = |points: &[_], found: &mut [_]| mesh.0.closest_point_batch(points, Threads::All, found);
        let convert = |found: &Option<_>| found.as_ref().map_or(HsNearest::NOTHING, HsNearest::from);
        // SAFETY: The caller keeps the rules of this crate.
        unsafe { answer_points(points, (nearest, "nearest"), None, ask, convert) }
    })
}

/// Does the same as `hs_mesh_closest_on_surface` for each of many points, on all threads. `stride` is as in
/// `hs_mesh_closest_point_batch`. Where there is no answer, the distance is infinite, and the triangle is
/// `HS_NO_TRIANGLE`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_mesh_closest_on_surface_batch(
    mesh: *const HsMesh,
    points: *const f64,
    stride: usize,
    count: usize,
    max_distance: f64,
    nearest: *mut HsTrianglePoint,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let mesh = unsafe { shared(mesh, "mesh") }?;
        let points = Points { start: points, stride, count };
        let ask =
            |points: &[_], found: &mut [_]| mesh.0.closest_on_surface_batch(points, max_distance, Threads::All, found);
        let convert = |found: &Option<_>| found.as_ref().map_or(HsTrianglePoint::NOTHING, HsTrianglePoint::from);
        // SAFETY: The caller keeps the rules of this crate.
        unsafe { answer_points(points, (nearest, "nearest"), None, ask, convert) }
    })
}

/// Finds for each of many points of three doubles whether it is inside of a closed mesh, in the mesh's own space and on all
/// threads. A point on the surface is not inside. A mesh that is not closed contains nothing. A point that is not
/// finite is never inside. `stride` is as in `hs_mesh_closest_point_batch`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_mesh_contains_batch(
    mesh: *const HsMesh,
    points: *const f64,
    stride: usize,
    count: usize,
    contains: *mut bool,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let mesh = unsafe { shared(mesh, "mesh") }?;
        let points = Points { start: points, stride, count };
        let ask = |points: &[_], found: &mut [_]| mesh.0.contains_batch(points, Threads::All, found);
        // SAFETY: The caller keeps the rules of this crate.
        unsafe { answer_points(points, (contains, "contains"), false, ask, |contains| *contains) }
    })
}

/// Finds the signed distance for each of many points, on all threads: NaN where `hs_mesh_signed_distance` finds none.
/// `stride` is as in `hs_mesh_closest_point_batch`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_mesh_signed_distance_batch(
    mesh: *const HsMesh,
    points: *const f64,
    stride: usize,
    count: usize,
    distances: *mut f32,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let mesh = unsafe { shared(mesh, "mesh") }?;
        let points = Points { start: points, stride, count };
        let ask = |points: &[_], found: &mut [_]| mesh.0.signed_distance_batch(points, Threads::All, found);
        // SAFETY: The caller keeps the rules of this crate.
        unsafe { answer_points(points, (distances, "distances"), None, ask, |found| found.unwrap_or(f32::NAN)) }
    })
}
