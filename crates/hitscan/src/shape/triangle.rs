//! Ray against triangle: Möller-Trumbore with certified signs, shared with the mesh.

use super::{RawHits, RayTest, Start, check_point, shape_queries};
use crate::aabb::Aabb;
use crate::error::ShapeError;
use crate::exact::{self, Term};
use crate::filter::{Cull, Inside};
use crate::float::{UNDERFLOW_GUARD, UNIT_ROUNDOFF};
use crate::hit::{RawHit, ShapeHit, Side};
use crate::ray::{LocalRay, Ray};
use core::cmp::Ordering;
use glam::{DVec2, DVec3, Vec3};

/// A closed triangle: its edges and corners belong to it. Counter-clockwise corners face front.
///
/// Whether the ray hits is decided exactly on the f32 input (no epsilon), so that a ray through a shared edge hits at
/// least one of two neighbours; t is the exact quotient rounded once. A ray in the triangle's plane does not hit, nor
/// does any ray hit a triangle without area.
///
/// ```
/// use hitscan::{Cull, Ray, Triangle};
///
/// let triangle = Triangle::new([0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
/// let ray = Ray::new([0.25, 0.5, 1.0], [0.0, 0.0, -1.0]);
/// let hit = triangle.cast(&ray).unwrap();
/// assert_eq!((hit.t, hit.uv.unwrap().to_array()), (1.0, [0.25, 0.5]));
/// assert!(triangle.cast_with(&ray, Cull::Front).is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle {
    /// Corner of barycentrics (0, 0).
    pub a: Vec3,
    /// Corner of barycentrics (1, 0).
    pub b: Vec3,
    /// Corner of barycentrics (0, 1).
    pub c: Vec3,
}

shape_queries!(Triangle);

impl Triangle {
    /// From its corners.
    pub fn new(a: impl Into<Vec3>, b: impl Into<Vec3>, c: impl Into<Vec3>) -> Self {
        Self { a: a.into(), b: b.into(), c: c.into() }
    }

    /// [`cast`](Self::cast) that passes through one side.
    pub fn cast_with(&self, ray: &Ray, cull: Cull) -> Option<ShapeHit> {
        self.cast(ray).filter(|hit| cull.keeps(hit.side))
    }

    fn corners(&self) -> [DVec3; 3] {
        [self.a, self.b, self.c].map(|v| v.as_dvec3())
    }
}

impl RayTest for Triangle {
    fn hits(&self, ray: &LocalRay, _: Inside, start: Start) -> RawHits {
        if start == Start::OnSurface || self.validate().is_err() {
            return RawHits::new();
        }
        let hit = intersect(ray, self.corners());
        RawHits::from_option(hit.map(|hit| RawHit {
            t: hit.t,
            exact_t: hit.t.into(),
            side: hit.side,
            feature: 0,
            crossing: 0,
            uv: Some(hit.uv),
        }))
    }

    fn outward_normal(&self, _: &LocalRay, _: &RawHit) -> DVec3 {
        normal(self.corners())
    }

    fn bounds(&self) -> Aabb {
        Aabb::from_points([self.a, self.b, self.c])
    }

    fn validate(&self) -> Result<(), ShapeError> {
        check_point("corner a", self.a)?;
        check_point("corner b", self.b)?;
        check_point("corner c", self.c)
    }
}

/// The front normal, of any length, of finite f32 corners.
pub(crate) fn normal([a, b, c]: [DVec3; 3]) -> DVec3 {
    (b - a).cross(c - a)
}

/// Where a ray meets a triangle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TriangleHit {
    /// The exact quotient, rounded once to f32.
    pub(crate) t: f32,
    pub(crate) side: Side,
    /// Barycentrics (u, v) from f64, clamped to the triangle.
    pub(crate) uv: DVec2,
}

/// A value computed in f64, with a bound on its distance from the true one.
#[derive(Clone, Copy)]
pub(super) struct Bounded {
    pub(super) value: f64,
    error: f64,
    /// The bound holds: nothing underflowed.
    certain: bool,
}

impl Bounded {
    /// A determinant `x . (y cross z)` of differences, whose terms' magnitudes sum to `magnitude`.
    ///
    /// Each term passes through a subtraction in each of its (at most) three factors, two products and three sums,
    /// eight roundings, and the magnitude through as many, so gamma(8) (1 + gamma(8)) would do; 16 u is above it.
    fn new(value: f64, magnitude: f64) -> Self {
        Self { value, error: 16.0 * UNIT_ROUNDOFF * magnitude, certain: magnitude > UNDERFLOW_GUARD }
    }

    /// `self - x`: the errors add, and the subtraction rounds.
    pub(super) fn minus(self, x: Self) -> Self {
        let value = self.value - x.value;
        let rounding = 4.0 * UNIT_ROUNDOFF * (self.value.abs() + x.value.abs());
        Self { value, error: self.error + x.error + rounding, certain: self.certain && x.certain }
    }

    /// The true sign: from the value where the bound proves it, else from the exact terms.
    pub(super) fn sign<const N: usize>(self, terms: impl FnOnce() -> [Term; N]) -> Ordering {
        if self.certain && self.value.abs() > self.error { self.value.total_cmp(&0.0) } else { exact::sign(&terms()) }
    }
}

/// `x . (y cross z)` with its error bound.
pub(super) fn determinant(x: DVec3, y: DVec3, z: DVec3) -> Bounded {
    let magnitude = x.abs().dot(DVec3::new(
        (y.y * z.z).abs() + (y.z * z.y).abs(),
        (y.z * z.x).abs() + (y.x * z.z).abs(),
        (y.x * z.y).abs() + (y.y * z.x).abs(),
    ));
    Bounded::new(x.dot(y.cross(z)), magnitude)
}

/// The ray against the closed triangle with finite f32 corners (held in f64).
///
/// T. Möller, B. Trumbore, "Fast, Minimum Storage Ray/Triangle Intersection", 1997, in f64; each sign that decides is
/// certified by an error bound or else decided exactly, on the input numbers, so the answer does not depend on the
/// formula. With e1 = b - a, e2 = c - a, s = o - a and [x y z] = x . (y cross z):
/// det = [e1 d e2] (positive for the front), u det = [s d e2], v det = [d s e1], t det = [e2 s e1].
pub(crate) fn intersect(ray: &LocalRay, [a, b, c]: [DVec3; 3]) -> Option<TriangleHit> {
    let (o, d) = (ray.origin, ray.direction);
    let (e1, e2, s) = (b - a, c - a, o - a);

    let det = determinant(e1, d, e2);
    let det_sign = det.sign(|| det_terms(d, a, b, c));
    if det_sign == Ordering::Equal {
        return None;
    }
    let outside = |sign: Ordering| sign == det_sign.reverse();
    let u = determinant(s, d, e2);
    if outside(u.sign(|| edge_terms(o, d, c, a))) {
        return None;
    }
    let v = determinant(d, s, e1);
    if outside(v.sign(|| edge_terms(o, d, a, b))) {
        return None;
    }
    if outside(det.minus(u).minus(v).sign(|| edge_terms(o, d, b, c))) {
        return None;
    }

    let t = round_quotient(
        determinant(e2, s, e1),
        det,
        || [Term(1.0, c, o, b), Term(-1.0, c, o, a), Term(-1.0, c, a, b), Term(-1.0, a, o, b)],
        || det_terms(d, a, b, c),
    );
    let t = t.filter(|&t| ray.contains(t))?;
    let side = if det_sign == Ordering::Greater { Side::Front } else { Side::Back };
    Some(TriangleHit { t, side, uv: barycentrics(u.value, v.value, det.value) })
}

/// det = -[d b c] + [d b a] + [d a c].
fn det_terms(d: DVec3, a: DVec3, b: DVec3, c: DVec3) -> [Term; 3] {
    [Term(-1.0, d, b, c), Term(1.0, d, b, a), Term(1.0, d, a, c)]
}

/// The edge function of the directed edge from p to q: -[d p-o q-o], expanded to input numbers. The same for both
/// neighbours of a shared edge, but for its sign. u det belongs to edge c a, v det to a b, (1-u-v) det to b c.
fn edge_terms(o: DVec3, d: DVec3, p: DVec3, q: DVec3) -> [Term; 3] {
    [Term(-1.0, d, p, q), Term(1.0, d, o, q), Term(-1.0, d, o, p)]
}

/// `n / d` rounded once to f32: in f64 where the error interval rounds to one number, else exactly.
pub(super) fn round_quotient<const N: usize, const D: usize>(
    n: Bounded,
    d: Bounded,
    numerator: impl FnOnce() -> [Term; N],
    denominator: impl FnOnce() -> [Term; D],
) -> Option<f32> {
    let quotient = n.value / d.value;
    // |n/d - N/D| <= (err n + |n/d| err d) / (|d| - err d), and a little for the roundings here.
    let error =
        1.01 * ((n.error + quotient.abs() * d.error) / (d.value.abs() - d.error) + quotient.abs() * f64::EPSILON);
    let (low, high) = ((quotient - error) as f32, (quotient + error) as f32);
    // A quotient near zero goes the exact way: its f32 may be subnormal or a signed zero.
    let proven = n.certain && d.certain && d.value.abs() > d.error && low == high && low != 0.0;
    if proven { low.is_finite().then_some(low) } else { exact::quotient(&numerator(), &denominator()) }
}

/// u and v from their f64 numerators, moved into the triangle where rounding put them outside.
fn barycentrics(u: f64, v: f64, det: f64) -> DVec2 {
    let clamp = |x: f64| if x > 0.0 { x.min(1.0) } else { 0.0 };
    let (u, v) = (clamp(u / det), clamp(v / det));
    let excess = u + v;
    if excess > 1.0 { DVec2::new(u / excess, v / excess) } else { DVec2::new(u, v) }
}
