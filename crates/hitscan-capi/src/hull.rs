//! Convex hulls.

use crate::nearest::HsNearest;
use crate::pointer::{Buffer, free, hand_out, handle_place, numbers, place, shared};
use crate::ray::{HsHit, HsRay, answer, answer_t, inside, vec3};
use crate::status::{Failure, HsStatus, guard};
use crate::strided::positions;
use hitscan::ConvexHull;
use hitscan::glam::DVec3;

/// A convex hull: a handle, which `hs_hull_free` frees. A scene that it was put into shares it, and needs the handle no
/// more.
pub struct HsHull(pub(crate) ConvexHull);

/// Makes the convex hull of points. `stride` is the number of bytes from one to the next; 0 means three floats.
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

/// Writes the corners of a hull, three floats each; both `capacity` and `count` are numbers of corners.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_hull_vertices(
    hull: *const HsHull,
    vertices: *mut f32,
    capacity: usize,
    count: *mut usize,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (hull, buffer) =
            unsafe { (shared(hull, "hull")?, Buffer::new(vertices.cast::<[f32; 3]>(), capacity, count)?) };
        Ok(buffer.fill(hull.0.vertices().iter().map(|vertex| vertex.to_array())))
    })
}

/// Finds the hit of a ray on a hull in its own space; `when_inside` is an `HsInside`. The status is `HS_STATUS_NONE` for
/// a miss.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_hull_cast(
    hull: *const HsHull,
    ray: *const HsRay,
    when_inside: i32,
    hit: *mut HsHit,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (hull, ray, hit) = unsafe { (shared(hull, "hull")?, shared(ray, "ray")?.as_ray(), place(hit, "hit")?) };
        let found = hull.0.when_inside(inside(when_inside)?).cast(ray);
        Ok(answer(hit, found.map(|found| HsHit::of_shape(&found, ray))))
    })
}

/// Finds the t of the hit of a ray on a hull in its own space, as `hs_hull_cast` would report it, without computing the
/// rest of the hit. A ray that starts inside hits the exit. The status is `HS_STATUS_NONE` for a miss, and t is infinite
/// then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_hull_cast_t(hull: *const HsHull, ray: *const HsRay, t: *mut f32) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (hull, ray, t) = unsafe { (shared(hull, "hull")?, shared(ray, "ray")?.as_ray(), place(t, "t")?) };
        Ok(answer_t(t, hull.0.cast_t(ray)))
    })
}

/// Finds whether a ray hits a hull in its own space. A ray that starts inside hits the exit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_hull_is_blocked(hull: *const HsHull, ray: *const HsRay, blocked: *mut bool) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (hull, ray, blocked) =
            unsafe { (shared(hull, "hull")?, shared(ray, "ray")?.as_ray(), place(blocked, "blocked")?) };
        blocked.write(hull.0.is_blocked(ray));
        Ok(HsStatus::Ok)
    })
}

/// Finds whether a point of three floats is in a hull or on its surface.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_hull_contains(hull: *const HsHull, point: *const f32, contains: *mut bool) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (hull, point, contains) =
            unsafe { (shared(hull, "hull")?, vec3(point, "point")?, place(contains, "contains")?) };
        contains.write(hull.0.contains(point));
        Ok(HsStatus::Ok)
    })
}

/// Finds the point of a hull that is nearest to a point of three doubles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_hull_closest_point(
    hull: *const HsHull,
    point: *const f64,
    nearest: *mut HsNearest,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (hull, point, nearest) =
            unsafe { (shared(hull, "hull")?, numbers(point, "point")?, place(nearest, "nearest")?) };
        let Some(found) = hull.0.closest_point(DVec3::from_array(point)) else { return Ok(HsStatus::None) };
        nearest.write(HsNearest::from(&found));
        Ok(HsStatus::Ok)
    })
}
