//! Ray against capped cone.

use super::axisymmetric::{self, AroundAxis, Axial, Ends, made_of_ends};
use super::{
    Crossing, Facet, Facets, RawHits, RayStart, RayTest, Revolved, RevolvedKind, ShapeFacts, ShapeForm, Span, Spans,
    Vicinity, check_point, check_size, distance, onto_plane, resolve, solid_queries,
};
use crate::error::ShapeError;
use crate::geom::aabb::Aabb;
use crate::geom::culling::Inside;
use crate::geom::hit::RawHit;
use crate::geom::ray::LocalRay;
use crate::math::float::{quadratic_roots, unit};
use glam::{DVec2, DVec3, Vec3};

/// A solid cone. It goes from a disc, its base, to a point, its apex, straight above the disc's centre.
///
/// It is closed. A ray along the side, through the apex or in the base hits, and so does a ray that only touches them or the rim. On the rim, the normal is the
/// normal of the base; at the apex it points along the axis. Height 0 makes a disc that is still a solid, radius 0 a segment. The hits are computed in f64
/// without a tolerance. The result is as if the ray had been moved by about 1e-15 of the distance from its origin to the cone.
///
/// ```
/// use hitscan::{Cone, Ray, glam::Vec3};
///
/// let spike = Cone::new(1.0, 2.0);
/// let from_below = Ray::new([0.0, -4.0, 0.0], [0.0, 1.0, 0.0]);
/// let hit = spike.cast(&from_below).unwrap();
/// assert_eq!((hit.t, hit.normal), (3.0, Vec3::NEG_Y));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "Ends", try_from = "Ends"))]
pub struct Cone {
    base_center: Vec3,
    apex: Vec3,
    height: f32,
    radius: f32,
}

const SIDE: usize = 0;
const BASE: usize = 1;
/// The rim of a flat cone, which has no side.
const RIM: usize = 2;

solid_queries!(Cone);
made_of_ends!(Cone { base_center: a, apex: b }, a, b);

impl Cone {
    /// Makes a cone upright along y, with the base at `-height / 2` and the apex at `height / 2`; the origin is half-way.
    pub const fn new(radius: f32, height: f32) -> Self {
        let half = 0.5 * height;
        Self { base_center: Vec3::new(0.0, -half, 0.0), apex: Vec3::new(0.0, half, 0.0), height, radius }
    }

    /// Makes a cone from the centre of its base to its apex. If both are the same point, it is flat and faces along y.
    pub fn between(base_center: impl Into<Vec3>, apex: impl Into<Vec3>, radius: f32) -> Self {
        let (base_center, apex) = (base_center.into(), apex.into());
        Self { base_center, apex, height: distance([base_center, apex]) as f32, radius }
    }

    /// Returns the centre of the base.
    pub fn base_center(&self) -> Vec3 {
        self.base_center
    }

    /// Returns the apex.
    pub fn apex(&self) -> Vec3 {
        self.apex
    }

    /// Returns the distance from base to apex.
    pub fn height(&self) -> f32 {
        self.height
    }

    /// Returns the radius of the base.
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// Returns the ray as seen from the apex, with the axis towards the base.
    fn axial(&self, ray: &LocalRay) -> Axial {
        Axial::new(ray, [self.apex, self.base_center], self.radius)
    }

    fn span(&self, ray: &LocalRay) -> Option<Span> {
        self.validate().ok()?;
        let axial = self.axial(ray);
        let span =
            if axial.top == 0.0 { axial.slab(SIDE, BASE)?.intersect(axial.side(RIM)?)? } else { above_base(&axial)? };
        Some(span.map(|steps| axial.ray.t(steps)))
    }
}

/// Returns the span of the line inside the infinite cone under the apex, on the apex' side of the base's plane.
/// For a line that crosses the plane of the base, the base decides. If the line crosses the base itself, the span ends there. Otherwise the line has no span,
/// or one between two crossings of the side. Comparing the order of the crossings would not be enough for a cone that is flat compared with its radius. There
/// the crossings of the plane and of the side may coincide after rounding, or be in the wrong order.
fn above_base(axial: &Axial) -> Option<Span> {
    let (depth, sinking) = (axial.ray.origin.dot(axial.axis), axial.ray.direction.dot(axial.axis));
    let cone = infinite_cone(axial);
    if sinking == 0.0 {
        return cone.filter(|_| depth <= axial.top);
    }
    let base = Crossing { t: (axial.top - depth) / sinking, feature: BASE };
    let above = if sinking > 0.0 { Span { exit: base, ..Span::LINE } } else { Span { enter: base, ..Span::LINE } };
    if !axial.is_within(base.t) {
        let is_side = |crossing: Crossing| crossing.feature == SIDE;
        return above.intersect(cone?).filter(|span| is_side(span.enter) && is_side(span.exit));
    }
    let side = |t: f64| Crossing { t, feature: SIDE };
    Some(if sinking > 0.0 {
        Span { enter: side(cone.map_or(base.t, |cone| cone.enter.t.min(base.t))), exit: base }
    } else {
        Span { enter: base, exit: side(cone.map_or(base.t, |cone| cone.exit.t.max(base.t))) }
    })
}

/// Returns the span of the line inside the infinite cone under the apex.
///
/// The result is the part under the apex of the double cone q(t) <= 0, with q(t) = h^2 |w + t d|^2 - r^2 (g + t s)^2 (D. Eberly, "Intersection of a Line and a
/// Cone", 2000). Here w and d are the cross products of the axis with the origin and the direction, and g and s are the dot products with them. The height
/// times the length of the axis is h, and the radius times that length is r. The discriminant comes from the ray's moment around the apex, m = origin x
/// direction, by Lagrange's identity. It is proportional to r^2 |axis x m|^2 - h^2 (axis . m)^2, which loses no digits to cancellation if the ray's origin is
/// far away.
fn infinite_cone(axial: &Axial) -> Option<Span> {
    let (origin, direction, axis) = (axial.ray.origin, axial.ray.direction, axial.axis);
    let axis_squared = axis.length_squared();
    let (h, r) = (axial.top, axial.radius * libm::sqrt(axis_squared));
    let (w, d) = (axis.cross(origin), axis.cross(direction));
    let (g, s) = (origin.dot(axis), direction.dot(axis));

    let difference = |round: f64, straight: f64| (h * round - r * straight) * (h * round + r * straight);
    let a = difference(d.length(), s.abs());
    let c = difference(w.length(), g.abs());
    let b = r * r * g * s - h * h * w.dot(d);
    let moment = origin.cross(direction);
    let (across, along) = (r * axis.cross(moment).length(), h * axis.dot(moment).abs());
    let quarter_discriminant = h * h * axis_squared * (across - along) * (across + along);

    if a < 0.0 {
        // The line is steeper than the side, so it crosses the cone under the apex once. It is inside on one side
        // of that crossing. Every such line crosses the double cone, so a negative discriminant is due to rounding.
        let (first, second) = quadratic_roots(-a, -b, -c, quarter_discriminant.max(0.0))?;
        let inside = if s > 0.0 { (second, f64::INFINITY) } else { (f64::NEG_INFINITY, first) };
        return Some(Span::of_feature(inside, SIDE));
    }
    if a == 0.0 && b == 0.0 {
        // The line is parallel to a line of the side, and in the tangent plane of the cone there. So it is either that line itself, or outside of the cone.
        let under_apex = Crossing { t: -g / s, feature: SIDE };
        let line = Span::LINE;
        let inside = if s > 0.0 { Span { enter: under_apex, ..line } } else { Span { exit: under_apex, ..line } };
        return (c <= 0.0).then_some(inside);
    }
    // Both crossings are on one half of the double cone. It is the half that contains the point half-way between them,
    // whose depth has this sign. The depth is 0 if the line goes through the apex.
    let roots = quadratic_roots(a, b, c, quarter_discriminant)?;
    (d.dot(moment) >= 0.0).then_some(Span::of_feature(roots, SIDE))
}

impl RayTest for Cone {
    fn hits(&self, ray: &LocalRay, inside: Inside, start: RayStart) -> RawHits {
        resolve(Spans::from_option(self.span(ray)), ray, inside, start)
    }

    fn outward_normal(&self, ray: &LocalRay, hit: &RawHit) -> DVec3 {
        let axial = self.axial(ray);
        let Some(down) = unit(axial.axis) else { return DVec3::ZERO };
        if hit.feature == BASE {
            return down;
        }
        let outward = unit(axial.outward(axial.ray.steps(hit.exact_t)));
        if hit.feature == RIM {
            return outward.unwrap_or(DVec3::ZERO);
        }
        // The normal is perpendicular to the line from the apex to the rim, (radius, height) outwards and down.
        outward.map_or(-down, |outward| outward * axial.top - down * (axial.radius * axial.axis.length()))
    }

    fn surface_point(&self, ray: &LocalRay, hit: &RawHit) -> DVec3 {
        let point = ray.at(hit.exact_t);
        let around = AroundAxis::new(point, [self.apex, self.base_center]);
        let radius = f64::from(self.radius);
        match hit.feature {
            BASE => onto_plane(point, self.base_center.as_dvec3(), around.axis),
            RIM => around.at(0.0, radius),
            _ => {
                // This is the nearest point of the line from the apex to the rim.
                let slant = DVec2::new(around.top, radius);
                let along = DVec2::new(around.height, around.distance).dot(slant) / slant.length_squared();
                let along = if along > 0.0 { along.min(1.0) } else { 0.0 };
                around.at(along * around.top, along * radius)
            }
        }
    }

    /// At the apex, the side has many tangent planes. The plane on the same side of the axis as the point is used.
    fn facets(&self, at: &Vicinity) -> Facets {
        let around = AroundAxis::new(at.point, [self.apex, self.base_center]);
        let (radius, reach) = (f64::from(self.radius), at.reach());
        let slant = unit(DVec3::new(around.top, radius, 0.0)).unwrap_or(DVec3::X);
        let outside = around.distance * slant.x - around.height * slant.y;
        if outside > reach || around.height > around.top + reach {
            return Facets::new();
        }
        let mut facets = Facets::new();
        if at.is_on_plane(self.base_center.as_dvec3(), around.axis) {
            facets.push(Facet::smooth(BASE, around.axis));
        }
        let side = around.outward.map_or(-around.axis, |outward| outward * slant.x - around.axis * slant.y);
        if at.is_on_plane(self.apex.as_dvec3(), side) {
            facets.push(Facet::smooth(SIDE, side));
        }
        facets
    }

    fn bounds(&self) -> Aabb {
        axisymmetric::bounds([self.base_center, self.apex], self.radius, 0.0)
    }

    fn validate(&self) -> Result<(), ShapeError> {
        check_size("height", self.height)?;
        check_size("radius", self.radius)?;
        check_point("base center", self.base_center)?;
        check_point("apex", self.apex)
    }
}

impl ShapeFacts for Cone {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn form(&self) -> ShapeForm<'_> {
        ShapeForm::Revolved(Revolved::between(RevolvedKind::Cone, [self.base_center, self.apex], self.radius))
    }

    /// The middle of the box around a cone may be outside.
    fn middle(&self) -> DVec3 {
        (self.base_center.as_dvec3() + self.apex.as_dvec3()) * 0.5
    }
}
