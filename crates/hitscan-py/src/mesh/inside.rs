//! Insides of closed meshes, by the surfaces that one ray crosses.

use super::surface::Surface;
use hitscan::glam::{DVec3, Vec3};
use hitscan::{Containment, MeshHit, Ray, Side};

/// A direction in which no model is likely to have an edge or a face.
const DIRECTION: Vec3 = Vec3::new(0.415_926_53, 0.589_793_24, 0.692_643_4);
/// Weights of a corner below this may be 0 in truth: the hit may be at an edge.
const AT_EDGE: f32 = 1e-5;

/// Returns whether a point is inside a closed mesh; `None` if one ray cannot tell, or the mesh is not closed.
///
/// A ray through no edge crosses as many more backs than fronts as the surface goes around its origin. The rays of the library are exact, so this needs no
/// tolerance, but for telling that a ray may be at an edge. Such a ray, and one from the surface, is left to the library's count over several lines.
pub(super) fn by_one_ray(surface: &Surface, point: DVec3) -> Option<bool> {
    if !surface.is_closed() || !is_as_its_float32(surface, point) {
        return None;
    }
    let mut hits = Vec::new();
    surface.mesh.cast_all(&Ray::with_direction(point.as_vec3(), DIRECTION), &mut hits);
    let is_clear = hits.iter().all(is_in_the_open) && hits.windows(2).all(|pair| pair[0].t < pair[1].t);
    let backs: i64 = hits.iter().map(|hit| if hit.side == Side::Back { 1 } else { -1 }).sum();
    is_clear.then_some(backs > 0)
}

fn is_in_the_open(hit: &MeshHit) -> bool {
    let uv = hit.uv();
    hit.t > 0.0 && uv.x.min(uv.y).min(1.0 - uv.x - uv.y) > AT_EDGE
}

/// Returns whether no surface is between a point and its place in f32, where rays start, nor as far beyond both.
fn is_as_its_float32(surface: &Surface, point: DVec3) -> bool {
    let single = point.as_vec3();
    let way = (point - single.as_dvec3()).as_vec3();
    way == Vec3::ZERO || !surface.mesh.is_blocked(&Ray::with_direction(single, way).with_range(-1.0, 2.0))
}

/// Returns whether a point is inside, given what the library says about it.
pub(super) fn by_containment(surface: &Surface, point: DVec3, containment: Containment) -> bool {
    match containment {
        Containment::Inside => true,
        Containment::Outside => false,
        Containment::Open => is_in_box(surface, point) && super::winding::winding_number(&surface.mesh, point) >= 0.5,
    }
}

/// Returns whether a point is in the box around all triangles. Nothing else is inside.
pub(super) fn is_in_box(surface: &Surface, point: DVec3) -> bool {
    let bounds = surface.mesh.bounds();
    bounds.min.as_dvec3().cmplt(point).all() && point.cmplt(bounds.max.as_dvec3()).all()
}
