//! The full report of a hit. It does not depend on a scene's key type, so all of it is compiled in this crate.

use super::part_hit::PartHit;
use super::self_hit::SurfaceAhead;
use crate::geom::hit::{RawHit, Side, reported_normal};
use crate::geom::ray::{LocalRay, RayInput};
use crate::geom::transform::InstanceRay;
use crate::math::dvec3_lanes::in_lanes;
use crate::math::float::round_vec3;
use crate::scene::{Part, PartGeometry};
use crate::shape::CustomFound;
use crate::simd::dispatch;
use crate::tri::{FoundTriangle, TriangleSet, surface_at};
use glam::{DVec3, Vec2, Vec3};

/// The point at which a ray hits a part, in world space.
// The order of the fields keeps values that are copied together next to each other. In another order, neighbours would
// be loaded with other widths than they were stored with, so store forwarding would fail.
#[repr(C)]
pub(in crate::query) struct HitPlace<U> {
    pub(in crate::query) normal: Vec3,
    /// The point in world space, relative to no origin.
    pub(in crate::query) exact_point: DVec3,
    /// The coordinates on the surface. For a triangle, `U` is not an `Option`, because a triangle always has coordinates.
    pub(in crate::query) uv: U,
    /// The point relative to the query's origin.
    pub(in crate::query) point: Vec3,
}

/// Returns the place of a hit on a triangle. `origin` is the query's origin.
#[inline(never)]
pub(in crate::query) fn on_triangle(
    part: &Part,
    ray: &LocalRay,
    origin: DVec3,
    surface: &dyn TriangleSet,
    found: &FoundTriangle,
) -> HitPlace<Vec2> {
    let image = InstanceRay { ray, to_local: &part.to_local, t_max: ray.t_max };
    dispatch!(simd => {
        let corners = match &part.geometry {
            PartGeometry::Mesh(mesh) => mesh.found_corners_in_lanes(simd, found.place),
            _ => in_lanes(simd, surface.found_corners(*found)),
        };
        let (point, outward, uv) = surface_at(image.scaled(simd, 1.0), corners);
        let exact_point = in_world(part, point.into(), ray, found.verdict.t);
        let outward = part.to_local.transposed(simd, outward);
        HitPlace::new(exact_point, origin, reported_normal(outward, found.verdict.side, ray.direction), uv.as_vec2())
    })
}

/// Returns the place of a hit on any surface. Returns `None` if the part has no such surface. `origin` is the query's
/// origin.
pub(in crate::query) fn on_any(
    part: &Part,
    ray: &LocalRay,
    origin: DVec3,
    part_hit: &PartHit<'_>,
) -> Option<HitPlace<Option<Vec2>>> {
    match part_hit {
        PartHit::Triangle(surface, found) => {
            let HitPlace { normal, exact_point, uv, point } = on_triangle(part, ray, origin, *surface, found);
            Some(HitPlace { normal, exact_point, uv: Some(uv), point })
        }
        PartHit::Shape(raw) => on_shape(part, ray, origin, raw),
        PartHit::Ahead(ahead) => Some(at_start(part, ray, origin, ahead)),
        PartHit::Custom(found) => Some(on_custom(part, ray, origin, found)),
    }
}

fn on_shape(part: &Part, ray: &LocalRay, origin: DVec3, raw: &RawHit) -> Option<HitPlace<Option<Vec2>>> {
    let local = ray.transformed(&part.to_local.affine());
    let test = part.geometry.test()?;
    let outward = part.world_normal(test.outward_normal(&local, raw));
    let normal = reported_normal(outward, raw.side, ray.direction);
    let point = match raw.side {
        Side::Inside => local.at(raw.exact_t),
        Side::Front | Side::Back => test.surface_point(&local, raw),
    };
    let exact_point = in_world(part, point, ray, raw.t);
    Some(HitPlace::new(exact_point, origin, normal, raw.uv.map(|uv| uv.as_vec2())))
}

/// Reports a surface that is ahead of the ray at its start. The hit is at the exact start, or at the surface's own
/// point if it has one; neither is rounded to f32.
fn at_start(part: &Part, ray: &LocalRay, origin: DVec3, ahead: &SurfaceAhead) -> HitPlace<Option<Vec2>> {
    let normal = reported_normal(part.world_normal(ahead.outward), ahead.side, ray.direction);
    let place = ahead.point.filter(|place| place.is_finite()).unwrap_or(ray.origin);
    HitPlace::new(place, origin, normal, ahead.uv.map(|uv| uv.as_vec2()))
}

fn on_custom(part: &Part, ray: &LocalRay, origin: DVec3, found: &CustomFound) -> HitPlace<Option<Vec2>> {
    let hit = &found.hit;
    let local = ray.transformed(&part.to_local.affine());
    let normal = reported_normal(part.world_normal(hit.normal), hit.side, ray.direction);
    HitPlace::new(in_world(part, local.at(hit.t), ray, found.t), origin, normal, hit.uv)
}

/// Returns the image in the world of a part's point, which is at this t of a ray. The part's space may be very large
/// or small compared with the world, so that f64 cannot represent the image. Then the ray's own point at this t is
/// returned.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn in_world(part: &Part, point: DVec3, ray: &LocalRay, t: f32) -> DVec3 {
    let place = part.to_world.transform_point3(point);
    if place.is_finite() { place } else { own_place(ray, t) }
}

#[cold]
fn own_place(ray: &LocalRay, t: f32) -> DVec3 {
    ray.at(t.into())
}

impl<U> HitPlace<U> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn new(exact_point: DVec3, origin: DVec3, normal: Vec3, uv: U) -> Self {
        Self { exact_point, point: round_vec3(exact_point - origin), normal, uv }
    }
}
