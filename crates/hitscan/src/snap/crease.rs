//! Edges of surfaces. A side of a triangle is no edge if the surface continues flat behind it.

use glam::{DVec3, Vec3};

/// Returns whether a side of triangles lies inside of a flat surface. It does so under two conditions. All triangles along it are in one plane, within the
/// rounding of positions to f32, and they lie on both sides of it. `opposite` has the third corner of each triangle.
pub(super) fn is_inside_of_flat([a, b]: [Vec3; 2], opposite: impl Iterator<Item = Vec3> + Clone) -> bool {
    let [a, b] = [a, b].map(Vec3::as_dvec3);
    let mut others = opposite.map(Vec3::as_dvec3);
    let Some(first) = others.next() else { return false };
    let normal = |corner: DVec3| (b - a).cross(corner - a);
    let is_across = |corner: DVec3| normal(first).dot(normal(corner)) < 0.0;
    others.clone().all(|corner| are_in_one_plane([a, b, first, corner])) && others.any(is_across)
}

/// Returns whether four points of f32 coordinates may have been in one plane before each coordinate was rounded.
///
/// Their determinant is the sum of the dot products of each point with a normal of the triangle of the other three. Let each coordinate x be off by at most
/// 2^-24 |x|. Then the determinant is off by at most the sum of these errors times the components of the normals. Terms with a product of two errors are left
/// out.
fn are_in_one_plane([a, b, c, d]: [DVec3; 4]) -> bool {
    let (to_b, to_c, to_d) = (b - a, c - a, d - a);
    let [of_b, of_c, of_d] = [to_c.cross(to_d), to_d.cross(to_b), to_b.cross(to_c)];
    let of_a = of_b + of_c + of_d;
    let terms = [(a, of_a), (b, of_b), (c, of_c), (d, of_d)];
    let size: f64 = terms.iter().map(|(point, normal)| point.abs().dot(normal.abs())).sum();
    of_d.dot(to_d).abs() <= HALF_ULP * size
}

/// Unit roundoff of f32.
const HALF_ULP: f64 = f32::EPSILON as f64 / 2.0;

#[cfg(test)]
mod tests {
    use super::*;

    const EDGE: [Vec3; 2] = [Vec3::new(0.3, 0.1, 0.7), Vec3::new(1.9, 0.4, 2.3)];

    fn flat(corners: &[Vec3]) -> bool {
        is_inside_of_flat(EDGE, corners.iter().copied())
    }

    #[test]
    fn a_diagonal_of_a_flat_face_is_no_edge() {
        let (u, v) = (EDGE[1] - EDGE[0], Vec3::new(-0.7, 1.1, 0.6));
        let (left, right) = (EDGE[0] + u * 0.3 + v, EDGE[0] + u * 0.6 - v * 1.3);
        assert!(flat(&[left, right]) && flat(&[right, left]) && flat(&[left, right, left, right]));
        assert!(!flat(&[left]) && !flat(&[left, left]) && !flat(&[]));
        let lifted = right + u.cross(v) * 1e-5;
        assert!(!flat(&[left, lifted]) && !flat(&[left, right, lifted]));
    }
}
