//! Generalised winding numbers, for meshes that are not closed.

use hitscan::Mesh;
use hitscan::glam::DVec3;
use std::f64::consts::TAU;

/// Returns the sum of the solid angles that triangles have from a point, over 4 pi (Jacobson et al., "Robust Inside-Outside Segmentation using Generalized
/// Winding Numbers", 2013; each angle by Van Oosterom and Strackee, 1983).
pub(super) fn winding_number(mesh: &Mesh, point: DVec3) -> f64 {
    let positions = mesh.positions();
    let corners = |triangle: u32| {
        mesh.indices(triangle).map(|indices| indices.map(|index| positions[index as usize].as_dvec3() - point))
    };
    // Half of each angle is summed, and a full turn is 2 pi of these.
    (0..mesh.triangle_count() as u32).filter_map(corners).map(half_angle).sum::<f64>() / TAU
}

/// Returns half of the solid angle of a triangle from zero.
fn half_angle([a, b, c]: [DVec3; 3]) -> f64 {
    let [la, lb, lc] = [a, b, c].map(DVec3::length);
    let volume = a.dot(b.cross(c));
    let across = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    // The angle is none in the plane of the triangle, whichever of its sides is meant.
    if volume == 0.0 { 0.0 } else { libm::atan2(volume, across) }
}
