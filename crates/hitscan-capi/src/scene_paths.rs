//! Questions to a scene along several segments: the first hit on a path, and the visibility of points.

pub use crate::answers::HsPathHit;
use crate::filter::{Asked, HsFilter};
use crate::pointer::{place, shared, slice};
use crate::ray::vec3;
use crate::scene::HsScene;
use crate::status::{HsStatus, guard};
use hitscan::RayQueries;

/// Finds the first hit along a path through `count` points of three floats each. The status is `HS_STATUS_NONE` for a
/// miss, for fewer than two points, and for points that are not finite.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_cast_path(
    scene: *const HsScene,
    points: *const f32,
    count: usize,
    filter: *const HsFilter,
    hit: *mut HsPathHit,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (scene, points) = unsafe { (shared(scene, "scene")?, slice::<[f32; 3]>(points.cast(), count, "points")?) };
        // SAFETY: The caller keeps the rules of this crate.
        let (asked, hit) = unsafe { (Asked::new(filter)?, place(hit, "hit")?) };
        let Some(found) = asked.rays(scene).cast_path(points) else { return Ok(HsStatus::None) };
        hit.write(HsPathHit::from(&found));
        Ok(HsStatus::Ok)
    })
}

/// Counts how many of `count` points of three floats each can be seen from an eye, with nothing in between. If the
/// points are on the surface of an entity, let the filter exclude that entity. An entity that the filter leaves out
/// hides nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_visibility(
    scene: *const HsScene,
    eye: *const f32,
    points: *const f32,
    count: usize,
    filter: *const HsFilter,
    seen: *mut usize,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (scene, eye) = unsafe { (shared(scene, "scene")?, vec3(eye, "eye")?) };
        // SAFETY: The caller keeps the rules of this crate.
        let points = unsafe { slice::<[f32; 3]>(points.cast(), count, "points") }?;
        // SAFETY: The caller keeps the rules of this crate.
        let (asked, seen) = unsafe { (Asked::new(filter)?, place(seen, "seen")?) };
        seen.write(asked.rays(scene).visibility(eye, points).seen);
        Ok(HsStatus::Ok)
    })
}
