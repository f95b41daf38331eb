//! Intersection of a segment or ray with a triangle by a precomputed transform into the triangle's own coordinates.

use super::check_point;
use super::triangle::exact_normal;
use crate::error::{ShapeError, TransformError};
use crate::geom::hit::{ShapeHit, Side};
use crate::geom::ray::Ray;
use crate::math::exact_predicates::{self, Term};
use crate::math::float::{gamma, reported_t, round_vec3, unit};
use core::cmp::Ordering;
use glam::{DAffine3, DMat3, DVec3, Vec3};

/// A triangle's collision matrix: the transform from world space into the triangle's own space. There, corner a is the
/// origin, b is (1, 0, 0), c is (0, 1, 0), and the front is towards +z. So x and y are the barycentrics (u, v) of a
/// point, and z is its signed distance from the plane in some unit. Counter-clockwise corners face front.
///
/// This is the classic technique of game programming (D. Baldwin, M. Weber, "Fast Ray-Triangle Intersections by
/// Coordinate Transformation", JCGT 5(3), 2016). Here the corner is subtracted first, so that a triangle far from the
/// origin loses no precision.
///
/// **When to use it.** Use it for one triangle that is tested against very many rays or segments. It is right only where speed matters more than the last hit.
/// It answers 2 to 4 times as fast as [`Triangle`](crate::Triangle) (docs/log/2026-11-20-one-triangle.md). It takes three times the memory, is built with exact
/// sums, and is *not watertight*. `Triangle` decides on the exact input. This matrix decides in f64, after its entries were rounded. So a ray close to an edge
/// of two triangles may miss both. Close means within the error that is given below.
///
/// **Precision.** Let r be the sum of two distances: from corner a to the ray's origin (or the segment's first end), and from the origin to the hit. Let e =
/// 2^-48 r. Let cos be the cosine of the angle between the ray and the normal. Then t times the direction's length is off by at most e / cos. Both u and v are
/// off by at most e (1 + 1 / cos) / h. Here h is the triangle's height over the edge on which u (or v) is 0. Then each is rounded to f32. Hit or miss is right
/// if u, v, 1 - u - v and t are farther from their limits than these errors. It is exact if nothing is rounded, as for integer coordinates up to 32. A
/// transform that [`placed`](Self::placed) the matrix multiplies e by 1 + the condition number of its linear part, and adds 2^-52 of the corner's placed
/// coordinates to it.
///
/// ```
/// use hitscan::{CollisionMatrix, Ray, Side};
///
/// let matrix = CollisionMatrix::new([0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0])?;
/// let hit = matrix.collide_segment([0.5, 1.0, 3.0], [0.5, 1.0, -1.0]).unwrap();
/// assert_eq!((hit.fraction, hit.u, hit.v, hit.side), (0.75, 0.25, 0.5, Side::Front));
///
/// let hit = matrix.cast(&Ray::new([0.5, 1.0, -5.0], [0.0, 0.0, 1.0])).unwrap();
/// assert_eq!((hit.t, hit.side), (5.0, Side::Back));
/// # Ok::<(), hitscan::error::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CollisionMatrix {
    corner: DVec3,
    /// Maps a point relative to the corner to (`one` u, `one` v, z), where z is the distance from the plane in some unit.
    to_triangle: DMat3,
    /// The scale of u and v. The division by `one` is done last, and z is not normalised. So nothing is rounded if the corners are small integers, and hits of
    /// the edges and the plane are exact.
    one: f64,
    /// The last row of `to_triangle`, normalised: the unit front normal.
    normal: Vec3,
}

/// A hit of a segment on a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SegmentHit {
    /// Fraction of the segment, from 0 at its first end to 1 at its second.
    pub fraction: f32,
    /// Barycentric of corner b: P = (1-u-v) A + u B + v C. It is from 0 to 1; u + v may be above 1 by the rounding to f32.
    pub u: f32,
    /// Barycentric of corner c.
    pub v: f32,
    /// The side of the triangle that the segment comes from. If a segment starts on the plane, it is the side away from which the segment goes.
    pub side: Side,
}

/// A crossing of a line with the triangle. `t`, `u` and `v` are numerators. `denominator` is the positive denominator of t, and `whole` is the positive
/// denominator of u and v.
struct LineCrossing {
    t: f64,
    denominator: f64,
    u: f64,
    v: f64,
    whole: f64,
    side: Side,
}

impl CollisionMatrix {
    /// Makes the matrix of the triangle a, b, c.
    ///
    /// # Errors
    /// Returns [`ShapeError::Point`] for a corner with a NaN or infinite component, and [`ShapeError::NoArea`] for
    /// corners that lie on one line, which is decided exactly. Every other triangle, of any size, has a matrix.
    pub fn new(a: impl Into<Vec3>, b: impl Into<Vec3>, c: impl Into<Vec3>) -> Result<Self, ShapeError> {
        let [a, b, c] = [a.into(), b.into(), c.into()];
        check_point("corner a", a)?;
        check_point("corner b", b)?;
        check_point("corner c", c)?;
        let [a, b, c] = [a, b, c].map(|p| p.as_dvec3());
        let normal = exact_normal([a, b, c]);
        if normal == DVec3::ZERO {
            return Err(ShapeError::NoArea);
        }
        // The normal is scaled by a power of 2 to a length near 1. The rows satisfy u.(b - a) = v.(c - a) = |z|^2 and u.(c - a) = v.(b - a) = 0.
        let exponent = largest_exponent(normal);
        let z = scale(normal, -exponent);
        let u = scale((c - a).cross(z), -exponent);
        let v = scale(z.cross(b - a), -exponent);
        Ok(Self::from_rows(a, [u, v, z], z.length_squared()))
    }

    /// Returns the matrix of this triangle in an instance that is rotated (or mirrored) and moved by `transform`, which maps local to world. The instance's
    /// front is the image of the front, mirrored or not.
    ///
    /// The inverse is taken as the transpose. This is accurate in f64 only if the columns of the linear part are
    /// orthonormal. So each dot product of two columns must be within gamma(32), about 3.6e-15, of 0 (of 1 for a
    /// column with itself). A rotation made in f64 from a unit quaternion, an axis and angle or Euler angles is
    /// within gamma(24). Its entries pass through at most six roundings of numbers up to 1. So a product of two
    /// columns is off by at most 2 sqrt(3) gamma(6) + gamma(3). A rotation that was rounded to f32 is not within the
    /// bound, and a long chain of rotations may not be. [`placed`](Self::placed) accepts such transforms; it only
    /// costs more to build.
    ///
    /// # Errors
    /// Returns [`TransformError::NotFinite`] for a transform that is not finite, or if the placed corner is beyond f64,
    /// and [`TransformError::NotRigid`] beyond that bound.
    pub fn placed_rigid(&self, transform: &DAffine3) -> Result<Self, TransformError> {
        check_finite(transform)?;
        let linear = transform.matrix3;
        let off = linear.transpose() * linear - DMat3::IDENTITY;
        if !off.to_cols_array().iter().all(|x| x.abs() <= gamma(32)) {
            return Err(TransformError::NotRigid);
        }
        // The inverse is taken as the transpose, so the transpose of the inverse is `linear` itself.
        self.with_rows(transform, linear).ok_or(TransformError::NotFinite)
    }

    /// Returns the matrix of this triangle in an instance placed by any invertible affine `transform`, local to world.
    /// The instance's front is the image of the front, mirrored or not.
    ///
    /// # Errors
    /// Returns [`TransformError::NotFinite`] for a transform that is not finite, or if the placed corner is beyond f64.
    /// Returns [`TransformError::Singular`] for a linear part whose determinant is 0, which is decided exactly, or
    /// whose inverse is beyond f64.
    pub fn placed(&self, transform: &DAffine3) -> Result<Self, TransformError> {
        check_finite(transform)?;
        let singular = TransformError::Singular { determinant: transform.matrix3.determinant() };
        let inverse_transpose = inverse_transpose(transform.matrix3).ok_or(singular)?;
        if !transform.transform_point3(self.corner).is_finite() {
            return Err(TransformError::NotFinite);
        }
        self.with_rows(transform, inverse_transpose).ok_or(singular)
    }

    fn with_rows(&self, transform: &DAffine3, inverse_transpose: DMat3) -> Option<Self> {
        let corner = transform.transform_point3(self.corner);
        let rows = self.to_triangle.transpose();
        let [u, v, z] = [rows.x_axis, rows.y_axis, rows.z_axis].map(|row| inverse_transpose * row);
        let z = scale(z, -largest_exponent(z));
        let usable = corner.is_finite() && u.is_finite() && v.is_finite() && z.is_finite() && z != DVec3::ZERO;
        usable.then(|| Self::from_rows(corner, [u, v, z], self.one))
    }

    fn from_rows(corner: DVec3, [u, v, z]: [DVec3; 3], one: f64) -> Self {
        let normal = unit(z).map_or(Vec3::ZERO, round_vec3);
        Self { corner, to_triangle: DMat3::from_cols(u, v, z).transpose(), one, normal }
    }

    /// Returns the unit front normal, in world space: for counter-clockwise corners it points at the viewer.
    pub fn normal(&self) -> Vec3 {
        self.normal
    }

    /// Returns the hit of the segment from `j` to `k`, in world space, on the triangle; `None` on a miss.
    ///
    /// Everything is closed: an end on the plane is a hit, and so are the edges and corners. A segment within the plane, with both ends on it, does not hit.
    /// Nor does a segment with a NaN or infinite coordinate.
    ///
    /// ```
    /// use hitscan::{CollisionMatrix, Side};
    ///
    /// let triangle = CollisionMatrix::new([0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0])?;
    /// let hit = triangle.collide_segment([1.0, 1.0, 3.0], [1.0, 1.0, -1.0]).unwrap();
    /// assert_eq!((hit.fraction, hit.u, hit.v, hit.side), (0.75, 0.25, 0.25, Side::Front));
    /// assert_eq!(triangle.collide_segment([1.0, 1.0, 3.0], [1.0, 1.0, 1.0]), None);
    /// # Ok::<(), hitscan::error::ShapeError>(())
    /// ```
    #[doc = include_str!("../query/edges/segment.md")]
    pub fn collide_segment(&self, j: impl Into<Vec3>, k: impl Into<Vec3>) -> Option<SegmentHit> {
        let crossing = self.cross_segment(j.into(), k.into())?;
        let [u, v] = crossing.uv();
        Some(SegmentHit { fraction: crossing.t() as f32 + 0.0, u, v, side: crossing.side })
    }

    /// Returns whether the segment from `j` to `k` hits the triangle, as [`collide_segment`](Self::collide_segment) would, without computing the hit.
    pub fn segment_is_blocked(&self, j: impl Into<Vec3>, k: impl Into<Vec3>) -> bool {
        self.cross_segment(j.into(), k.into()).is_some()
    }

    /// Returns the hit of the ray, in world space, on the triangle, in the ray's closed range of t. The hit has the
    /// unit front normal, the side and (u, v). Returns `None` on a miss, for a ray in the triangle's plane, and for an
    /// unusable ray.
    ///
    /// ```
    /// use hitscan::{CollisionMatrix, Ray, Side};
    ///
    /// let triangle = CollisionMatrix::new([0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0])?;
    /// let hit = triangle.cast(&Ray::new([1.0, 1.0, 3.0], [0.0, 0.0, -1.0])).unwrap();
    /// assert_eq!((hit.t, hit.side), (3.0, Side::Front));
    /// # Ok::<(), hitscan::error::ShapeError>(())
    /// ```
    #[doc = include_str!("../query/edges/own_ray.md")]
    pub fn cast(&self, ray: &Ray) -> Option<ShapeHit> {
        let (t, crossing) = self.cross_ray(ray)?;
        Some(ShapeHit { t, normal: self.normal(), side: crossing.side, uv: Some(crossing.uv().into()) })
    }

    /// Returns only the `t` of the hit, as [`cast`](Self::cast) would report it.
    pub fn cast_t(&self, ray: &Ray) -> Option<f32> {
        self.cross_ray(ray).map(|(t, _)| t)
    }

    /// Returns whether the ray hits, as [`cast`](Self::cast) would, without computing the hit.
    pub fn is_blocked(&self, ray: &Ray) -> bool {
        self.cross_ray(ray).is_some()
    }

    /// Returns (u, v, z) of a point.
    fn point(&self, p: Vec3) -> DVec3 {
        self.to_triangle * (p.as_dvec3() - self.corner)
    }

    /// Both ends are transformed. Between them, z goes through 0 at the fraction z_j / (z_j - z_k). There,
    /// u = (z_j x_k - z_k x_j) / (z_j - z_k), and likewise v with y.
    ///
    /// If a coordinate of an end is not finite, the z of that end is not finite either. The remainder 1 - u - v is then NaN, which is no hit.
    fn cross_segment(&self, j: Vec3, k: Vec3) -> Option<LineCrossing> {
        let (j, k) = (self.point(j), self.point(k));
        if !(j.z.min(k.z) <= 0.0 && j.z.max(k.z) >= 0.0) {
            return None;
        }
        self.crossing(j.z, j.z - k.z, j.z * k.x - k.z * j.x, j.z * k.y - k.z * j.y)
    }

    /// The crossing is at t = -z_o / z_d, where u = x_o + t x_d and v = y_o + t y_d.
    ///
    /// The ray is not validated. A zero direction gives a denominator of 0, an empty range contains no t, and numbers that are not finite give NaN as for a
    /// segment.
    fn cross_ray(&self, ray: &Ray) -> Option<(f32, LineCrossing)> {
        let o = self.point(ray.origin);
        let d = self.to_triangle * ray.direction.as_dvec3();
        let crossing = self.crossing(o.z, -d.z, o.z * d.x - d.z * o.x, o.z * d.y - d.z * o.y)?;
        let t = reported_t(crossing.t())?;
        ((ray.t_min <= t) & (t <= ray.t_max)).then_some((t, crossing))
    }

    /// Returns `None` outside the closed triangle, or for a denominator of 0. The denominator is positive for a line that comes from the front. If it is
    /// negative, the signs of all four numbers are changed.
    fn crossing(&self, t: f64, denominator: f64, u: f64, v: f64) -> Option<LineCrossing> {
        let sign = 1.0f64.copysign(denominator);
        let (t, u, v, denominator) = (sign * t, sign * u, sign * v, sign * denominator);
        let whole = denominator * self.one;
        // All four conditions take one jump, because each alone is hard to predict.
        let inside = (denominator > 0.0) & (u >= 0.0) & (v >= 0.0) & (whole - u - v >= 0.0);
        let side = if sign > 0.0 { Side::Front } else { Side::Back };
        inside.then_some(LineCrossing { t, denominator, u, v, whole, side })
    }
}

impl LineCrossing {
    fn t(&self) -> f64 {
        self.t / self.denominator
    }

    /// Adding +0 turns -0 into +0.
    fn uv(&self) -> [f32; 2] {
        [self.u, self.v].map(|x| (x / self.whole) as f32 + 0.0)
    }
}

fn check_finite(transform: &DAffine3) -> Result<(), TransformError> {
    if transform.is_finite() { Ok(()) } else { Err(TransformError::NotFinite) }
}

/// Returns the transpose of the inverse. Each element is within a few roundings of the true one, however
/// ill-conditioned the matrix, because the cofactors and the determinant are summed exactly. `None` for a singular
/// matrix or an inverse beyond f64.
fn inverse_transpose(matrix: DMat3) -> Option<DMat3> {
    // Each column is scaled by a power of 2 to below 1, which rounds only elements 2^-1000 of the largest.
    let [x, y, z] = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|column| {
        let exponent = -largest_exponent(column);
        (scale(column, exponent), exponent)
    });
    if exact_predicates::sign(&[Term(1.0, x.0, y.0, z.0)]) == Ordering::Equal {
        return None;
    }
    let determinant = exact_predicates::determinant(x.0, y.0, z.0);
    let column = |p: DVec3, q: DVec3, exponent| scale(exact_predicates::cross(p, q) / determinant, exponent);
    let inverse = DMat3::from_cols(column(y.0, z.0, x.1), column(z.0, x.0, y.1), column(x.0, y.0, z.1));
    inverse.is_finite().then_some(inverse)
}

/// Returns the exponent of the power of 2 just above the largest component.
fn largest_exponent(v: DVec3) -> i32 {
    libm::frexp(v.abs().max_element()).1
}

/// Returns `v * 2^exponent`.
fn scale(v: DVec3, exponent: i32) -> DVec3 {
    DVec3::from_array(v.to_array().map(|x| libm::scalbn(x, exponent)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec2;

    fn unit_triangle() -> CollisionMatrix {
        CollisionMatrix::new(Vec3::ZERO, Vec3::X, Vec3::Y).unwrap()
    }

    #[test]
    fn corners_go_to_the_unit_triangle() {
        let [a, b, c] = [Vec3::new(5.0, 1.0, 2.0), Vec3::new(7.0, 1.0, 2.0), Vec3::new(5.0, 1.0, -2.0)];
        let matrix = CollisionMatrix::new(a, b, c).unwrap();
        assert_eq!([a, b, c].map(|p| matrix.point(p) / matrix.one), [DVec3::ZERO, DVec3::X, DVec3::Y]);
        assert_eq!(matrix.point(a + Vec3::Y * 3.0).truncate(), DVec2::ZERO);
        assert!(matrix.point(a + Vec3::Y * 3.0).z > 0.0);
        assert_eq!(matrix.normal(), Vec3::Y);
    }

    #[test]
    fn bad_corners_are_errors() {
        let x = Vec3::X;
        assert!(matches!(CollisionMatrix::new(Vec3::NAN, x, x), Err(ShapeError::Point { what: "corner a", .. })));
        assert!(matches!(CollisionMatrix::new(x, x, Vec3::INFINITY), Err(ShapeError::Point { what: "corner c", .. })));
        assert_eq!(CollisionMatrix::new(Vec3::ZERO, x, x * 3.0), Err(ShapeError::NoArea));
        assert_eq!(CollisionMatrix::new(x, x, Vec3::Y), Err(ShapeError::NoArea));
        // 0.1 + 0.2 != 0.3 in f32 as well. So these points are not on one line.
        assert!(CollisionMatrix::new(Vec3::ZERO, [0.1, 0.3, 0.0], [0.2, 0.6, 1e-45]).is_ok());
        let tiny = f32::from_bits(1);
        assert!(CollisionMatrix::new(Vec3::ZERO, x * tiny, Vec3::Y * tiny).is_ok());
        assert!(CollisionMatrix::new(x * f32::MAX, Vec3::Y * f32::MAX, Vec3::Z * f32::MAX).is_ok());
    }

    #[test]
    fn unusable_segments_and_rays_hit_nothing() {
        let matrix = unit_triangle();
        let good = Vec3::new(0.25, 0.25, 1.0);
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            for axis in 0..3 {
                let mut end = Vec3::new(0.25, 0.25, -1.0);
                end[axis] = bad;
                assert!(!matrix.segment_is_blocked(good, end) && !matrix.segment_is_blocked(end, good), "{end}");
                assert!(!matrix.is_blocked(&Ray::new(good, end)) && !matrix.is_blocked(&Ray::new(end, -Vec3::Z)));
            }
        }
        assert!(!matrix.is_blocked(&Ray::new(good, Vec3::ZERO)));
        for (t_min, t_max) in [(2.0, 0.0), (f32::NAN, 2.0), (0.0, f32::NAN)] {
            assert!(!matrix.is_blocked(&Ray::new(good, Vec3::NEG_Z).with_range(t_min, t_max)));
        }
    }

    #[test]
    fn ends_of_the_range_count() {
        let matrix = unit_triangle();
        let ray = Ray::new([0.25, 0.25, 1.0], [0.0, 0.0, -1.0]);
        assert!(matrix.is_blocked(&ray.with_range(0.0, 1.0)));
        assert!(matrix.is_blocked(&ray.with_range(1.0, 1.0)));
        assert!(matrix.is_blocked(&ray.with_range(f32::NEG_INFINITY, f32::INFINITY)));
        assert!(!matrix.is_blocked(&ray.with_range(0.0, 1.0f32.next_down())));
        assert!(!matrix.is_blocked(&ray.with_range(1.0f32.next_up(), 9.0)));
        let behind = Ray::new([0.25, 0.25, 1.0], [0.0, 0.0, 1.0]);
        assert_eq!(matrix.cast_t(&behind.with_range(f32::NEG_INFINITY, -0.0)), Some(-1.0));
        assert_eq!(matrix.cast_t(&behind), None);
    }

    #[test]
    fn transforms_that_place_nothing_are_errors() {
        let matrix = unit_triangle();
        let flat = DAffine3::from_scale(DVec3::new(1.0, 0.0, 1.0));
        assert_eq!(matrix.placed(&flat), Err(TransformError::Singular { determinant: 0.0 }));
        assert_eq!(matrix.placed_rigid(&flat), Err(TransformError::NotRigid));
        let infinite = DAffine3::from_translation(DVec3::INFINITY);
        assert_eq!(matrix.placed(&infinite), Err(TransformError::NotFinite));
        assert_eq!(matrix.placed_rigid(&infinite), Err(TransformError::NotFinite));
        let doubled = DAffine3::from_scale(DVec3::splat(2.0));
        assert_eq!(matrix.placed_rigid(&doubled), Err(TransformError::NotRigid));
        // The smallest scale whose inverse f64 can hold, and one far below.
        assert!(matrix.placed(&DAffine3::from_scale(DVec3::splat(1e-308))).is_ok());
        assert!(matches!(
            matrix.placed(&DAffine3::from_scale(DVec3::splat(1e-310))),
            Err(TransformError::Singular { .. })
        ));
        assert!(matrix.placed(&DAffine3::from_scale(DVec3::new(1e-200, 1e-300, 1e300))).is_ok());
    }

    #[test]
    fn singular_is_decided_exactly() {
        let nearly = DMat3::from_cols(DVec3::new(1.0, 2.0, 3.0), DVec3::new(4.0, 5.0, 6.0), DVec3::new(7.0, 8.0, 9.0));
        assert_eq!(inverse_transpose(nearly), None);
        let mut invertible = nearly;
        invertible.z_axis.z = 9.0f64.next_up();
        let product = inverse_transpose(invertible).unwrap().transpose() * invertible;
        // The elements of the inverse are about 1e15, each with a relative error of 1e-16.
        assert!((product - DMat3::IDENTITY).abs().to_cols_array().iter().all(|&x| x < 32.0), "{product}");
    }

    #[test]
    fn a_mirrored_instance_keeps_its_front() {
        let mirror = DAffine3::from_scale(DVec3::new(-1.0, 1.0, 1.0));
        for placed in [unit_triangle().placed(&mirror), unit_triangle().placed_rigid(&mirror)] {
            let placed = placed.unwrap();
            let hit = placed.cast(&Ray::new([-0.25, 0.5, 1.0], [0.0, 0.0, -1.0])).unwrap();
            assert_eq!((hit.side, hit.normal), (Side::Front, Vec3::Z));
            assert_eq!(hit.uv.unwrap().to_array(), [0.25, 0.5]);
        }
    }
}
