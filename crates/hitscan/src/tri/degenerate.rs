//! Distinguishes triangles with an area, which a ray can hit, from triangles without an area.

use crate::parallel;
use crate::shape::triangle_normal;
use alloc::vec::Vec;
use glam::{DVec3, Mat4, Vec3, Vec4};

/// The number of triangles that are worth handing to another thread.
pub(crate) const GRAIN: usize = 8192;
/// The number of triangles that are tested together.
const ROW: usize = 4;

/// Returns the triangles without an area, in order.
pub(crate) fn without_area(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<u32> {
    parallel::gather(triangles.len(), GRAIN, &|piece| {
        let first = piece.start as u32;
        flat(positions, &triangles[piece], first)
    })
}

/// Returns the triangles without an area, in order; the first triangle has the number `first`.
pub(crate) fn flat(positions: &[Vec3], triangles: &[[u32; 3]], first: u32) -> Vec<u32> {
    let mut found = Vec::new();
    for (row, first) in triangles.chunks(ROW).zip((first..).step_by(ROW)) {
        add_flat(positions, row, first, &mut found);
    }
    found
}

/// Adds the triangles of a row that have no area; the row's first triangle has this number.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn add_flat(positions: &[Vec3], row: &[[u32; 3]], first: u32, found: &mut Vec<u32>) {
    let corners = |&[a, b, c]: &[u32; 3]| [positions[a as usize], positions[b as usize], positions[c as usize]];
    if let Ok([a, b, c, d]) = <&[_; ROW]>::try_from(row)
        && surely_have_area([corners(a), corners(b), corners(c), corners(d)])
    {
        return;
    }
    found.extend((first..).zip(row).filter(|(_, triangle)| !has_area(corners(triangle))).map(|(number, _)| number));
}

/// Returns whether a triangle of finite corners has an area, decided exactly: a ray or a volume can hit no other triangle.
pub(crate) fn has_area(corners: [Vec3; 3]) -> bool {
    let [a, b, c] = corners;
    // Triangle strips contain such triangles, and for them nothing needs to be computed.
    let is_a_line = a == b || b == c || c == a;
    !is_a_line && triangle_normal(corners.map(|v| v.as_dvec3())) != DVec3::ZERO
}

/// Returns whether f32 proves that all of these triangles have an area.
///
/// It uses glam's vectors, as the builder's boxes do.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn surely_have_area([p, q, r, s]: [[Vec3; 3]; ROW]) -> bool {
    let edges = |corner: usize| {
        let edge = |triangle: [Vec3; 3]| triangle[corner].extend(0.0) - triangle[0].extend(0.0);
        Mat4::from_cols(edge(p), edge(q), edge(r), edge(s)).transpose()
    };
    let (x, y) = (edges(1), edges(2));
    let largest = |a: Vec4, b: Vec4, c: Vec4| a.abs().max(b.abs()).max(c.abs());
    let normal = largest(
        x.y_axis * y.z_axis - x.z_axis * y.y_axis,
        x.z_axis * y.x_axis - x.x_axis * y.z_axis,
        x.x_axis * y.y_axis - x.y_axis * y.x_axis,
    );
    let reach = largest(x.x_axis, x.y_axis, x.z_axis).max(largest(y.x_axis, y.y_axis, y.z_axis));
    // Two differences, a product and a difference are rounded, as in f64 (`certified_normal`), and values may underflow. A value that overflows is not
    // certain, because infinity is not greater than infinity, and NaN is greater than nothing.
    let error = reach * reach * (8.0 * f32::EPSILON) + f32::MIN_POSITIVE;
    normal.cmpgt(error).all()
}
