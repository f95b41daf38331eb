//! The far field of a group of triangles: the moments of its area vectors, and a bound on their error.

use crate::math::float::{larger, length, sqrt};
use core::f64::consts::TAU;
use glam::{DVec3, Vec3};

/// The symmetric part of a tensor of rank 3: xxx, xxy, xxz, xyy, xyz, xzz, yyy, yyz, yzz, zzz.
type Octupole = [f64; 10];

/// The moments of a group of triangles around its centre of area.
///
/// A triangle's winding number seen from x is the integral of its normal times the field F(s) = (R + s) / |R + s|^3
/// over its points c + s, divided by 4 pi, where R leads from x to the centre c. The moments belong to the terms of the
/// Taylor series of F up to its second derivatives (G. Barill et al., "Fast Winding Numbers for Soups and Clouds",
/// 2018).
#[derive(Clone, Copy, Debug)]
pub(super) struct Moments {
    center: DVec3,
    /// The largest distance of a corner from the centre.
    radius: f64,
    pub(super) area: f64,
    /// The integral of the squared distance from the centre.
    spread: f64,
    dipole: DVec3,
    /// xx, xy, xz, yy, yz, zz.
    quadrupole: [f64; 6],
    octupole: Octupole,
}

impl Moments {
    pub(super) fn new(triangles: &[[Vec3; 3]]) -> Self {
        let triangles = || triangles.iter().map(|corners| corners.map(|corner| corner.as_dvec3()));
        let (mut area, mut weighted, mut sum, mut count) = (0.0, DVec3::ZERO, DVec3::ZERO, 0.0);
        for [a, b, c] in triangles() {
            let own = length(area_vector([a, b, c]));
            area += own;
            weighted += (a + b + c) * (own / 3.0);
            sum += (a + b + c) / 3.0;
            count += 1.0;
        }
        let center = if area > 0.0 { weighted / area } else { sum / count };
        let mut moments = Self {
            center,
            radius: 0.0,
            area,
            spread: 0.0,
            dipole: DVec3::ZERO,
            quadrupole: [0.0; 6],
            octupole: [0.0; 10],
        };
        triangles().for_each(|corners| moments.add(corners.map(|corner| corner - center)));
        moments
    }

    /// Adds a triangle, relative to the centre.
    fn add(&mut self, corners: [DVec3; 3]) {
        let normal = area_vector(corners);
        let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
        self.radius = corners.into_iter().map(length).fold(self.radius, larger);
        // The mean of a product of two coordinates over the triangle is a twelfth of this sum: the products at the corners, and nine times the product at the
        // middle.
        let square = |j: usize, k: usize| {
            (corners.iter().map(|corner| corner[j] * corner[k]).sum::<f64>() + 9.0 * middle[j] * middle[k]) / 12.0
        };
        self.spread += length(normal) * (square(0, 0) + square(1, 1) + square(2, 2));
        self.dipole += normal;
        for (place, [j, k]) in PAIRS.into_iter().enumerate() {
            self.quadrupole[place] += 0.5 * (normal[j] * middle[k] + normal[k] * middle[j]);
        }
        for (place, [i, j, k]) in TRIPLES.into_iter().enumerate() {
            let symmetric = normal[i] * square(j, k) + normal[j] * square(k, i) + normal[k] * square(i, j);
            self.octupole[place] += symmetric / 6.0;
        }
    }

    /// Returns the square of the distance of a point from the centre.
    pub(super) fn squared_distance(&self, point: DVec3) -> f64 {
        let way = self.center - point;
        way.length_squared()
    }

    /// Returns a bound on the error of [`far_winding`](Self::far_winding); infinity for a point that is too near.
    ///
    /// The term of Taylor's series with s^m is a gradient of a solid harmonic of degree n = m + 1, and at most n |s|^m / R^(m + 2) by the inequality of
    /// Bernstein and Szegő for Legendre's polynomials. The integral of |s|^m is at most r^(m - 2) times the spread. So with q = r / R, the terms from m = 3
    /// on sum up to at most r spread (4 - 3 q) / (R^5 (1 - q)^2).
    pub(super) fn error(&self, squared_distance: f64) -> f64 {
        let distance = sqrt(squared_distance);
        let ratio = self.radius / distance;
        if !(ratio < 1.0) {
            return f64::INFINITY;
        }
        let rest = (4.0 - 3.0 * ratio) / ((1.0 - ratio) * (1.0 - ratio));
        ratio * (self.spread / (squared_distance * squared_distance)) * rest / (2.0 * TAU)
    }

    /// Returns the winding number of the triangles around a point, computed from the moments.
    pub(super) fn far_winding(&self, point: DVec3) -> f64 {
        let r = self.center - point;
        let squared = r.length_squared();
        let inverse = 1.0 / squared;
        let u = r * sqrt(inverse);
        let [xx, xy, xz, yy, yz, zz] = self.quadrupole;
        let [xxx, xxy, xxz, xyy, xyz, xzz, yyy, yyz, yzz, zzz] = self.octupole;
        let of_pairs =
            u.x * (u.x * xx + 2.0 * (u.y * xy + u.z * xz)) + u.y * (u.y * yy + 2.0 * u.z * yz) + u.z * u.z * zz;
        let quadrupole = (xx + yy + zz) - 3.0 * of_pairs;
        let trace = u.x * (xxx + xyy + xzz) + u.y * (xxy + yyy + yzz) + u.z * (xxz + yyz + zzz);
        let of_triples = u.x * u.x * (u.x * xxx + 3.0 * (u.y * xxy + u.z * xxz))
            + u.y * u.y * (u.y * yyy + 3.0 * (u.x * xyy + u.z * yyz))
            + u.z * u.z * (u.z * zzz + 3.0 * (u.x * xzz + u.y * yzz))
            + 6.0 * u.x * u.y * u.z * xyz;
        let octupole = 15.0 * of_triples - 9.0 * trace;
        let distance = sqrt(squared);
        (self.dipole.dot(u) + (quadrupole + octupole / distance) / distance) * inverse / (2.0 * TAU)
    }
}

const PAIRS: [[usize; 2]; 6] = [[0, 0], [0, 1], [0, 2], [1, 1], [1, 2], [2, 2]];
const TRIPLES: [[usize; 3]; 10] =
    [[0, 0, 0], [0, 0, 1], [0, 0, 2], [0, 1, 1], [0, 1, 2], [0, 2, 2], [1, 1, 1], [1, 1, 2], [1, 2, 2], [2, 2, 2]];

fn area_vector([a, b, c]: [DVec3; 3]) -> DVec3 {
    (b - a).cross(c - a) * 0.5
}
