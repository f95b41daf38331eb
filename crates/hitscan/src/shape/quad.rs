//! Ray against parallelogram.

use super::facet::determinant;
use super::{
    Facet, Facets, RawHits, RayStart, RayTest, ShapeFacts, ShapeForm, Vicinity, check_direction, check_point,
    shape_queries,
};
use crate::error::ShapeError;
use crate::geom::aabb::Aabb;
use crate::geom::culling::{Cull, Culled, Inside};
use crate::geom::hit::{RawHit, ShapeHit, Side};
use crate::geom::ray::{LocalRay, Ray};
use crate::math::exact_predicates::Term;
use crate::math::filtered_predicates::{fraction, round_quotient};
use crate::math::float::{sum_down, sum_up};
use crate::save::value;
use core::cmp::Ordering;
use glam::{DVec2, DVec3, Vec3};

/// A flat two-sided parallelogram, with its edges and corners. It has no inside. Seen from its front, `edge_v` is counter-clockwise of `edge_u`.
///
/// Hit or miss is decided exactly on the f32 input, as for a [`Triangle`](crate::Triangle). So no ray passes between
/// two quads with the same edge. The reported t is the exact quotient rounded once. A hit's `uv` are its coordinates
/// along the two edges, from 0 to 1. A ray in the quad's plane does not hit.
///
/// ```
/// use hitscan::{Quad, Ray, Side};
///
/// let poster = Quad::new([0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
/// let hit = poster.cast(&Ray::new([0.5, 0.5, 3.0], [0.0, 0.0, -1.0])).unwrap();
/// assert_eq!((hit.t, hit.side), (3.0, Side::Front));
/// assert_eq!(hit.uv.unwrap().to_array(), [0.25, 0.5]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Quad {
    /// The corner with coordinates (0, 0).
    pub corner: Vec3,
    /// The vector from `corner` to the corner with coordinates (1, 0).
    pub edge_u: Vec3,
    /// The vector from `corner` to the corner with coordinates (0, 1).
    pub edge_v: Vec3,
}

shape_queries!(Quad);
value!(Quad { corner, edge_u, edge_v });

impl Quad {
    /// Makes a quad from a corner and the two edges that begin there.
    pub fn new(corner: impl Into<Vec3>, edge_u: impl Into<Vec3>, edge_v: impl Into<Vec3>) -> Self {
        Self { corner: corner.into(), edge_u: edge_u.into(), edge_v: edge_v.into() }
    }

    /// Returns the quad as seen by rays that pass through one of its sides.
    #[doc(alias("backface", "back_face_culling", "two_sided"))]
    pub fn culled(&self, cull: Cull) -> Culled<'_, Self> {
        Culled { surface: self, cull }
    }

    fn normal(&self) -> DVec3 {
        self.edge_u.as_dvec3().cross(self.edge_v.as_dvec3())
    }

    /// This is the triangle's test (see [`intersect`](super::triangle::intersect)), but the edges are given, so the sums differ. Let c be the corner, p and q
    /// the edges, and s = o - c. Then det = [p d q], u det = [s d q], v det = [d s p], t det = [q s p].
    fn intersect(&self, ray: &LocalRay) -> Option<RawHit> {
        let (o, d) = (ray.origin, ray.direction);
        let (c, p, q) = (self.corner.as_dvec3(), self.edge_u.as_dvec3(), self.edge_v.as_dvec3());
        let s = o - c;
        let det_terms = || [Term(1.0, p, d, q)];
        let u_terms = || [Term(1.0, o, d, q), Term(-1.0, c, d, q)];
        let v_terms = || [Term(1.0, d, o, p), Term(-1.0, d, c, p)];

        let det = determinant(p, d, q);
        let det_sign = det.sign(det_terms);
        if det_sign == Ordering::Equal {
            return None;
        }
        let outside = |sign: Ordering| sign == det_sign.reverse();
        let (u, v) = (determinant(s, d, q), determinant(d, s, p));
        let beyond = |[plus, minus]: [Term; 2]| [Term(1.0, p, d, q), plus.negated(), minus.negated()];
        if outside(u.sign(u_terms))
            || outside(v.sign(v_terms))
            || outside(det.minus(u).sign(|| beyond(u_terms())))
            || outside(det.minus(v).sign(|| beyond(v_terms())))
        {
            return None;
        }

        let t_terms = || [Term(1.0, q, o, p), Term(-1.0, q, c, p)];
        let t = round_quotient(determinant(q, s, p), det, t_terms, det_terms).filter(|&t| ray.contains(t))?;
        let side = if det_sign == Ordering::Greater { Side::Front } else { Side::Back };
        let clamped = |x: f64| if x > 0.0 { x.min(1.0) } else { 0.0 };
        let uv = DVec2::new(clamped(u.value / det.value), clamped(v.value / det.value));
        Some(RawHit { t, exact_t: t.into(), side, feature: 0, crossing: 0, uv: Some(uv) })
    }
}

impl Culled<'_, Quad> {
    /// Answers as [`Quad::cast`] does, but only with hits on the sides that the view keeps.
    pub fn cast(&self, ray: &Ray) -> Option<ShapeHit> {
        self.surface.cast(ray).filter(|hit| self.cull.keeps(hit.side))
    }
}

impl RayTest for Quad {
    fn hits(&self, ray: &LocalRay, _: Inside, start: RayStart) -> RawHits {
        if start != RayStart::Anywhere || self.validate().is_err() {
            return RawHits::new();
        }
        RawHits::from_option(self.intersect(ray))
    }

    fn outward_normal(&self, _: &LocalRay, _: &RawHit) -> DVec3 {
        self.normal()
    }

    /// The point is computed from the corner and the two edges, by the coordinates along these.
    fn surface_point(&self, ray: &LocalRay, _: &RawHit) -> DVec3 {
        let (o, d) = (ray.origin, ray.direction);
        let (c, p, q) = (self.corner.as_dvec3(), self.edge_u.as_dvec3(), self.edge_v.as_dvec3());
        let s = o - c;
        let det_terms = || [Term(1.0, p, d, q)];
        let det = determinant(p, d, q);
        let u_terms = || [Term(1.0, o, d, q), Term(-1.0, c, d, q)];
        let v_terms = || [Term(1.0, d, o, p), Term(-1.0, d, c, p)];
        let u = fraction(determinant(s, d, q), det, u_terms, det_terms);
        let v = fraction(determinant(d, s, p), det, v_terms, det_terms);
        c + p * u + q * v
    }

    fn facets(&self, at: &Vicinity) -> Facets {
        let (c, p, q) = (self.corner.as_dvec3(), self.edge_u.as_dvec3(), self.edge_v.as_dvec3());
        let normal = self.normal();
        let facet = Facet::of_polygon(at, 0, (normal, [p, q]), [c, c + p, c + p + q, c + q]);
        let along = |edge: DVec3, other: DVec3| {
            let across = other.cross(normal);
            let part = (at.point - c).dot(across) / edge.dot(across);
            // If the point is so far away that f64 products overflow, any coordinate will do.
            if part.is_nan() { 0.0 } else { part.clamp(0.0, 1.0) }
        };
        let uv = Some(DVec2::new(along(p, q), along(q, p)));
        facet.map(|facet| Facet { uv, ..facet }).into_iter().collect()
    }

    fn bounds(&self) -> Aabb {
        let (u, v) = (self.edge_u.as_dvec3(), self.edge_v.as_dvec3());
        let corner = self.corner.as_dvec3().to_array();
        // The sum of two edges may be rounded to f64. If so, it is rounded outwards.
        let sum = |x: DVec3, y: DVec3, outwards: fn(f64) -> f64| {
            let (sum, back) = (x + y, |i: usize| (x + y)[i] - x[i] == y[i] && (x + y)[i] - y[i] == x[i]);
            core::array::from_fn::<_, 3, _>(|i| if back(i) { sum[i] } else { outwards(sum[i]) })
        };
        let low = sum(u.min(DVec3::ZERO), v.min(DVec3::ZERO), f64::next_down);
        let high = sum(u.max(DVec3::ZERO), v.max(DVec3::ZERO), f64::next_up);
        Aabb::new(
            core::array::from_fn::<_, 3, _>(|i| sum_down(corner[i], low[i])),
            core::array::from_fn::<_, 3, _>(|i| sum_up(corner[i], high[i])),
        )
    }

    fn validate(&self) -> Result<(), ShapeError> {
        check_point("corner", self.corner)?;
        check_direction("edge u", self.edge_u)?;
        check_direction("edge v", self.edge_v)?;
        // Products of f32s are exact in f64 and their difference is 0 only if they are equal.
        if self.normal() == DVec3::ZERO { Err(ShapeError::NoArea) } else { Ok(()) }
    }
}

impl ShapeFacts for Quad {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn form(&self) -> ShapeForm<'_> {
        ShapeForm::Parallelogram { corner: self.corner, edges: [self.edge_u, self.edge_v] }
    }

    fn front(&self) -> Option<(DVec3, DVec3)> {
        Some((self.corner.as_dvec3(), self.edge_u.as_dvec3().cross(self.edge_v.as_dvec3())))
    }
}
