//! Tests whether points are inside of meshes, closed or not.

use super::surface::Surface;
use hitscan::glam::DVec3;
use hitscan::query::Containment;

/// The bound on the error of winding numbers that decide whether a point is inside.
const ERROR_BOUND: f64 = 1e-6;

/// Returns whether a point is inside, given the library's answer, which is `Open` where the mesh is not closed.
pub(super) fn by_containment(surface: &Surface, point: DVec3, containment: Containment) -> bool {
    match containment {
        Containment::Inside => true,
        Containment::Outside => false,
        Containment::Open => {
            let winding = || surface.winding_tree().winding_number(point, ERROR_BOUND);
            is_in_box(surface, point) && winding().is_some_and(|number| number >= 0.5)
        }
    }
}

/// Returns whether a point is in the box around all triangles. A point outside of the box is not inside of the mesh.
pub(super) fn is_in_box(surface: &Surface, point: DVec3) -> bool {
    let bounds = surface.mesh.bounds();
    bounds.min.as_dvec3().cmplt(point).all() && point.cmplt(bounds.max.as_dvec3()).all()
}
