//! Paths of rays that go on from their hits: ricochets, and shots that go through.

use crate::filter::{Asked, HsFilter};
use crate::pointer::{free, hand_out, handle_place, place, shared, unique};
use crate::ray::{HsHit, HsRay, answer};
use crate::scene::HsScene;
use crate::status::{HsStatus, guard};
use hitscan::{Hit, Ray, RayQueries};

#[rustfmt::skip]
pub mod functions;

/// The path of a ray that goes on from its hits. It is a handle, which `hs_path_free` frees. It remembers the last hit.
/// The next ray does not hit the surfaces that the last ray touched there, so no epsilon is needed. An `HsHit` alone
/// has too little information for this. A path belongs to one thread at a time.
pub struct HsPath(Option<Hit<u64>>);

/// Frees a path; null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_path_free(path: *mut HsPath) {
    // SAFETY: The caller keeps the rules of this crate.
    unsafe { free(path) }
}

/// Finds the closest hit of a ray that goes on from the last hit of a path, and remembers it. The ray is usually from
/// `hs_path_bounce` or `hs_path_onward`; the first ray of a path may be any ray. After a miss, the path has no hit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_path_cast(
    path: *mut HsPath,
    scene: *const HsScene,
    ray: *const HsRay,
    filter: *const HsFilter,
    hit: *mut HsHit,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (path, scene, ray) =
            unsafe { (unique(path, "path")?, shared(scene, "scene")?, shared(ray, "ray")?.as_ray()) };
        // SAFETY: The caller keeps the rules of this crate.
        let (asked, hit) = unsafe { (Asked::new(filter)?, place(hit, "hit")?) };
        let last = path.0;
        path.0 = asked.rays(scene).after(last.as_ref()).cast(ray);
        Ok(answer(hit, path.0.as_ref().map(HsHit::from)))
    })
}

/// Writes the ray that goes on from the last hit of a path.
///
/// # Safety
/// The rules of [`shared`] and [`place`] hold.
unsafe fn next(path: *const HsPath, ray: *mut HsRay, next: impl FnOnce(&Hit<u64>) -> Ray) -> HsStatus {
    guard(|| {
        // SAFETY: The caller guarantees it.
        let (path, ray) = unsafe { (shared(path, "path")?, place(ray, "ray")?) };
        let Some(hit) = &path.0 else { return Ok(HsStatus::None) };
        ray.write(next(hit).into());
        Ok(HsStatus::Ok)
    })
}

/// Writes the ray that is reflected at the last hit of a path. The status is `HS_STATUS_NONE` if there is no hit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_path_bounce(path: *const HsPath, ray: *mut HsRay) -> HsStatus {
    // SAFETY: The caller keeps the rules of this crate.
    unsafe { next(path, ray, Hit::bounce) }
}

/// Writes the ray that goes straight on from the last hit of a path. The status is `HS_STATUS_NONE` if there is no hit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_path_onward(path: *const HsPath, ray: *mut HsRay) -> HsStatus {
    // SAFETY: The caller keeps the rules of this crate.
    unsafe { next(path, ray, Hit::onward) }
}
