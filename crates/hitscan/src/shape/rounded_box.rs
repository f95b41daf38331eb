//! Ray against a box with round edges and corners.

use super::axisymmetric::Axial;
use super::slab::{self, Slab};
use super::{
    Facet, Facets, RawHits, RayStart, RayTest, ShapeFacts, ShapeForm, Span, Spans, Sphere, Vicinity, around_segment,
    check_size, onto_ball, resolve, smooth_facets, solid_queries,
};
use crate::error::ShapeError;
use crate::geom::aabb::Aabb;
use crate::geom::culling::Inside;
use crate::geom::hit::RawHit;
use crate::geom::ray::LocalRay;
use crate::save::value;
use core::array::from_fn;
use glam::DVec3;

/// A solid box with round edges and corners: the points at most `margin` from a box, its core.
///
/// It is the shape of [`Volume::with_margin`](crate::Volume::with_margin) of an [`Aabb`], and `into()` converts it to
/// that volume. Its flat faces are outside of the core by the margin, so it is larger than the core. In Jolt, the
/// convex radius of a box is inside its half extents, so shrink such a box by the radius first. In parry and rapier,
/// the border radius of a `RoundCuboid` is outside, as here.
///
/// It is closed: a ray that only touches it hits. A flat core makes a rounded plate, and a core that is a segment or a
/// point makes a [`Capsule`](crate::Capsule) or a [`Sphere`]. Margin 0 makes the box itself. The hits are computed from
/// the spans of three boxes, twelve cylinders and eight balls, in f64, without a tolerance. The result is as if the ray
/// had been moved by about 1e-15 of the distance from its origin to the box.
///
/// A transform that stretches or shears an entity stretches its margin too. Its contacts are then computed from its
/// support function, and are points.
///
/// ```
/// use hitscan::{Aabb, Ray, RoundedBox, Volume};
///
/// let core = Aabb::new([-1.0, -1.0, -1.0], [1.0, 1.0, 1.0]);
/// let block = RoundedBox::new(core, 0.25);
/// let hit = block.cast(&Ray::new([0.5, 0.0, 5.25], [0.0, 0.0, -1.0])).unwrap();
/// assert_eq!((hit.t, hit.normal.z), (4.0, 1.0));
/// assert!(!block.is_blocked(&Ray::new([1.2, 1.2, 5.0], [0.0, 0.0, -1.0]))); // beside the round edge
/// assert_eq!(block.closest_point([0.0, 3.0, 0.0]).unwrap().distance, 1.75);
/// assert_eq!(Volume::from(block), Volume::from(core).with_margin(0.25));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias("RoundCuboid", "convex radius"))]
pub struct RoundedBox {
    /// The box inside the margin, in the shape's space.
    pub core: Aabb,
    /// The width of the margin, not negative.
    pub margin: f32,
}

/// The round part of the surface; the flat faces have the numbers of the box.
const ROUND: usize = 6;

solid_queries!(RoundedBox);
value!(RoundedBox { core, margin });

impl RoundedBox {
    /// Makes the shape of the points at most `margin` from a box.
    pub const fn new(core: Aabb, margin: f32) -> Self {
        Self { core, margin }
    }

    /// Returns the smallest and the largest corner of the core.
    fn corners(&self) -> [DVec3; 2] {
        [self.core.min.as_dvec3(), self.core.max.as_dvec3()]
    }

    /// Returns the point of the core that is nearest to a point.
    fn nearest_in_core(&self, point: DVec3) -> DVec3 {
        let [min, max] = self.corners();
        point.max(min).min(max)
    }

    /// Returns the span of the line inside the core, enlarged by `growth` along each axis.
    fn grown(&self, ray: &LocalRay, growth: DVec3) -> Option<Span> {
        let [min, max] = self.corners();
        let (low, high, o, d) = (min - growth, max + growth, ray.origin, ray.direction);
        slab::span::<3>(from_fn(|i| Slab { low: low[i], high: high[i], origin: o[i], direction: d[i] }))
    }

    /// Returns the spans of the line inside the cylinders along the edges.
    fn edges(&self, ray: &LocalRay) -> impl Iterator<Item = Span> {
        let corners = self.core.corners();
        let edges = (0..3)
            .flat_map(|axis| (0..8).filter(move |corner| corner >> axis & 1 == 0).map(move |corner| (axis, corner)));
        edges.filter_map(move |(axis, corner)| {
            let axial = Axial::new(ray, [corners[corner], corners[corner | 1 << axis]], self.margin);
            let span = axial.side(ROUND)?.intersect(axial.slab(ROUND, ROUND)?)?;
            Some(span.map(|steps| axial.ray.t(steps)))
        })
    }

    /// Returns the spans of the line inside the balls at the corners.
    fn balls(&self, ray: &LocalRay) -> impl Iterator<Item = Span> {
        let spans = self.core.corners().into_iter().filter_map(|corner| Sphere::at(corner, self.margin).span(ray));
        spans.map(|span| Span::of_feature((span.enter.t, span.exit.t), ROUND))
    }

    /// The shape is the union of the parts, and convex, so the span is the interval around the spans of the parts. Most
    /// lines cross the flat faces only, where the span is as long as in the box around the shape.
    fn span(&self, ray: &LocalRay) -> Option<Span> {
        self.validate().ok()?;
        let margin = f64::from(self.margin);
        let around = self.grown(ray, DVec3::splat(margin))?;
        let flat = DVec3::AXES.iter().filter_map(|axis| self.grown(ray, *axis * margin)).reduce(Span::hull);
        let is_flat = |flat: &Span| flat.enter.t == around.enter.t && flat.exit.t == around.exit.t;
        if flat.as_ref().is_some_and(is_flat) {
            return flat;
        }
        flat.into_iter().chain(self.edges(ray)).chain(self.balls(ray)).reduce(Span::hull)
    }

    /// Returns the facets of a box whose margin is smaller than the error of the point.
    fn sharp_facets(&self, at: &Vicinity) -> Facets {
        let [min, max] = self.corners();
        let margin = f64::from(self.margin);
        let reach = at.reach() + margin;
        let is_within = at.point.cmpge(min - reach).all() && at.point.cmple(max + reach).all();
        let faces = (0..6).filter(|_| is_within).map(|feature| {
            let axis = DVec3::AXES[feature / 2];
            let (plane, normal) = if feature % 2 == 1 { (max, axis) } else { (min, -axis) };
            (plane + normal * margin, Facet::smooth(feature, normal))
        });
        faces.filter(|(plane, facet)| at.is_on_plane(*plane, facet.normal)).map(|(_, facet)| facet).collect()
    }
}

impl RayTest for RoundedBox {
    fn hits(&self, ray: &LocalRay, inside: Inside, start: RayStart) -> RawHits {
        resolve(Spans::from_option(self.span(ray)), ray, inside, start)
    }

    fn outward_normal(&self, ray: &LocalRay, hit: &RawHit) -> DVec3 {
        if hit.feature < ROUND {
            return self.core.outward_normal(ray, hit);
        }
        let point = ray.at(hit.exact_t);
        point - self.nearest_in_core(point)
    }

    fn surface_point(&self, ray: &LocalRay, hit: &RawHit) -> DVec3 {
        let margin = f64::from(self.margin);
        if hit.feature < ROUND {
            return self.core.surface_point(ray, hit) + self.core.outward_normal(ray, hit) * margin;
        }
        let point = ray.at(hit.exact_t);
        onto_ball(point, self.nearest_in_core(point), margin)
    }

    fn facets(&self, at: &Vicinity) -> Facets {
        let margin = f64::from(self.margin);
        if margin <= at.reach() {
            return self.sharp_facets(at);
        }
        let nearest = self.nearest_in_core(at.point);
        smooth_facets(at, onto_ball(at.point, nearest, margin), at.point - nearest)
    }

    fn bounds(&self) -> Aabb {
        around_segment(self.core.min, self.core.max, DVec3::splat(self.margin.into()))
    }

    fn validate(&self) -> Result<(), ShapeError> {
        RayTest::validate(&self.core)?;
        check_size("margin", self.margin)
    }
}

impl ShapeFacts for RoundedBox {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn form(&self) -> ShapeForm<'_> {
        ShapeForm::Box { aabb: self.core, radius: self.margin.into() }
    }

    fn quick_inside(&self, point: DVec3) -> Option<bool> {
        let margin = f64::from(self.margin);
        Some((point - self.nearest_in_core(point)).length_squared() <= margin * margin)
    }
}
