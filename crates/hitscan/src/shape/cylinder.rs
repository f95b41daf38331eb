//! Ray against capped cylinder.

use super::axisymmetric::{self, AroundAxis, Axial, Ends, made_of_ends};
use super::{
    Facet, Facets, RawHits, RayStart, RayTest, Revolved, RevolvedKind, ShapeFacts, ShapeForm, Span, Spans, Vicinity,
    check_point, check_size, distance, onto_plane, resolve, solid_queries,
};
use crate::error::ShapeError;
use crate::geom::aabb::Aabb;
use crate::geom::culling::Inside;
use crate::geom::hit::RawHit;
use crate::geom::ray::LocalRay;
use glam::{DVec3, Vec3};

/// A solid cylinder with flat caps: the points at most `radius` from the axis between two ends.
///
/// It is closed. A ray along the side or in a cap hits, and so does a ray that touches them or a rim. On a rim, the
/// normal is the normal of the cap. Height 0 makes a disc that is still a solid, radius 0 a segment. The hits are
/// computed from the intersection of the spans in the infinite cylinder and between the planes of its caps, in f64,
/// without a tolerance. The result is as if the ray had been moved by about 1e-15 of the distance from its origin to
/// the cylinder.
///
/// ```
/// use hitscan::{Cylinder, Ray, glam::Vec3};
///
/// let barrel = Cylinder::new(0.5, 2.0);
/// let from_above = Ray::new([0.2, 5.0, 0.0], [0.0, -1.0, 0.0]);
/// let hit = barrel.cast(&from_above).unwrap();
/// assert_eq!((hit.t, hit.normal), (4.0, Vec3::Y));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "Ends", try_from = "Ends"))]
pub struct Cylinder {
    ends: [Vec3; 2],
    height: f32,
    radius: f32,
}

const SIDE: usize = 0;
const FIRST_CAP: usize = 1;
const SECOND_CAP: usize = 2;

solid_queries!(Cylinder);
made_of_ends!(Cylinder { ends: [a, b] }, a, b);

impl Cylinder {
    /// Makes a cylinder upright along y, with its centre at the origin.
    pub const fn new(radius: f32, height: f32) -> Self {
        let half = 0.5 * height;
        Self { ends: [Vec3::new(0.0, -half, 0.0), Vec3::new(0.0, half, 0.0)], height, radius }
    }

    /// Makes a cylinder from the centre of one cap to the centre of the other. If both are the same point, it is flat
    /// and faces along y.
    pub fn between(a: impl Into<Vec3>, b: impl Into<Vec3>, radius: f32) -> Self {
        let ends = [a.into(), b.into()];
        Self { ends, height: distance(ends) as f32, radius }
    }

    /// Returns the centre of each cap.
    pub fn ends(&self) -> [Vec3; 2] {
        self.ends
    }

    /// Returns the distance from cap to cap.
    pub fn height(&self) -> f32 {
        self.height
    }

    /// Returns the radius of the caps.
    pub fn radius(&self) -> f32 {
        self.radius
    }

    fn span(&self, ray: &LocalRay) -> Option<Span> {
        self.validate().ok()?;
        let axial = Axial::new(ray, self.ends, self.radius);
        let span = axial.slab(FIRST_CAP, SECOND_CAP)?.intersect(axial.side(SIDE)?)?;
        Some(span.map(|steps| axial.ray.t(steps)))
    }
}

impl RayTest for Cylinder {
    fn hits(&self, ray: &LocalRay, inside: Inside, start: RayStart) -> RawHits {
        resolve(Spans::from_option(self.span(ray)), ray, inside, start)
    }

    fn outward_normal(&self, ray: &LocalRay, hit: &RawHit) -> DVec3 {
        let axial = Axial::new(ray, self.ends, self.radius);
        match hit.feature {
            FIRST_CAP => -axial.axis,
            SECOND_CAP => axial.axis,
            _ => axial.outward(axial.ray.steps(hit.exact_t)),
        }
    }

    fn surface_point(&self, ray: &LocalRay, hit: &RawHit) -> DVec3 {
        let point = ray.at(hit.exact_t);
        let [from, to] = self.ends;
        let around = AroundAxis::new(point, self.ends);
        match hit.feature {
            FIRST_CAP => onto_plane(point, from.as_dvec3(), around.axis),
            SECOND_CAP => onto_plane(point, to.as_dvec3(), around.axis),
            _ => around.at(around.height, self.radius.into()),
        }
    }

    fn facets(&self, at: &Vicinity) -> Facets {
        let around = AroundAxis::new(at.point, self.ends);
        let (radius, reach) = (f64::from(self.radius), at.reach());
        if around.distance > radius + reach || around.height < -reach || around.height > around.top + reach {
            return Facets::new();
        }
        let mut facets = Facets::new();
        for (feature, end, sign) in [(FIRST_CAP, self.ends[0], -1.0), (SECOND_CAP, self.ends[1], 1.0)] {
            if at.is_on_plane(end.as_dvec3(), around.axis) {
                facets.push(Facet::smooth(feature, around.axis * sign));
            }
        }
        let on_side = around.at(around.height, radius);
        let side = around.outward.filter(|&outward| at.is_on_plane(on_side, outward));
        facets.extend(side.map(|outward| Facet::smooth(SIDE, outward)));
        facets
    }

    fn bounds(&self) -> Aabb {
        axisymmetric::bounds(self.ends, self.radius, self.radius)
    }

    fn validate(&self) -> Result<(), ShapeError> {
        check_size("height", self.height)?;
        check_size("radius", self.radius)?;
        check_point("first end", self.ends[0])?;
        check_point("second end", self.ends[1])
    }
}

impl ShapeFacts for Cylinder {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn form(&self) -> ShapeForm<'_> {
        ShapeForm::Revolved(Revolved::between(RevolvedKind::Cylinder, self.ends, self.radius))
    }

    fn middle(&self) -> DVec3 {
        self.ends.map(|end| end.as_dvec3() * 0.5).iter().sum()
    }
}
