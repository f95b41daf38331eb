//! The solid angles of triangles.

use crate::math::float::sqrt;
use core::f64::consts::TAU;
use glam::{DVec3, Vec3};

/// Returns the sum of the solid angles of triangles seen from a point, divided by 4 pi.
pub(super) fn winding_of(triangles: &[[Vec3; 3]], point: DVec3) -> f64 {
    let (mut halves, mut product) = (0.0, [1.0, 0.0]);
    for corners in triangles {
        let [real, imaginary] = half_angle(corners.map(|corner| corner.as_dvec3() - point));
        // The angle of the product of two complex numbers is the sum of their angles, if both are below a quarter turn.
        if real > 0.0 && product[0] > 0.0 {
            let [re, im] = product;
            let scale = 1.0 / (real + imaginary.abs());
            let [real, imaginary] = [real * scale, imaginary * scale];
            product = [re * real - im * imaginary, re * imaginary + im * real];
        } else {
            halves += angle(product) + angle([real, imaginary]);
            product = [1.0, 0.0];
        }
    }
    (halves + angle(product)) / TAU
}

fn angle([real, imaginary]: [f64; 2]) -> f64 {
    libm::atan2(imaginary, real)
}

/// Returns a complex number whose angle is half of the solid angle of a triangle as seen from the origin (A. van Oosterom and J. Strackee, "The Solid Angle of
/// a Plane Triangle", 1983). If the origin is in the triangle's plane, the angle counts as zero.
fn half_angle([a, b, c]: [DVec3; 3]) -> [f64; 2] {
    let volume = a.dot(b.cross(c));
    if volume == 0.0 {
        return [1.0, 0.0];
    }
    let [la, lb, lc] = [a, b, c].map(|v| sqrt(v.length_squared()));
    [la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb, volume]
}
