//! Ray against axis-aligned box.

use super::slab::{self, Slab};
use super::{
    Facet, Facets, RawHits, RayStart, RayTest, ShapeFacts, ShapeForm, Span, Spans, Vicinity, check_point, resolve,
    solid_queries,
};
use crate::error::ShapeError;
use crate::geom::aabb::Aabb;
use crate::geom::culling::Inside;
use crate::geom::hit::RawHit;
use crate::geom::ray::{LocalRay, Ray};
use crate::save::value;
use core::array::from_fn;
use glam::DVec3;

solid_queries!(Aabb);
value!(Aabb { min, max });

impl Aabb {
    /// Returns where the ray's whole line enters and leaves the box, `(t_enter, t_exit)`. The interval may begin before
    /// t_min or end after t_max. Returns `None` if the line misses the box, or if the box is outside the ray's range.
    pub fn interval(&self, ray: &Ray) -> Option<(f32, f32)> {
        let ray = LocalRay::new(ray)?;
        let span = self.span(&ray)?;
        let (enter, exit) = (span.enter.t as f32 + 0.0, span.exit.t as f32 + 0.0);
        (enter <= ray.t_max && ray.t_min <= exit).then_some((enter, exit))
    }

    fn span(&self, ray: &LocalRay) -> Option<Span> {
        if self.is_empty() {
            return None;
        }
        let (min, max) = (self.min.as_dvec3(), self.max.as_dvec3());
        let (o, d) = (ray.origin, ray.direction);
        slab::span::<3>(from_fn(|i| Slab { low: min[i], high: max[i], origin: o[i], direction: d[i] }))
    }
}

impl RayTest for Aabb {
    fn hits(&self, ray: &LocalRay, inside: Inside, start: RayStart) -> RawHits {
        resolve(Spans::from_option(self.span(ray)), ray, inside, start)
    }

    fn outward_normal(&self, _: &LocalRay, hit: &RawHit) -> DVec3 {
        let axis = DVec3::AXES[hit.feature / 2];
        if hit.feature % 2 == 1 { axis } else { -axis }
    }

    /// Along the axis perpendicular to the face that was hit, the point gets the face's coordinate, which is exact.
    fn surface_point(&self, ray: &LocalRay, hit: &RawHit) -> DVec3 {
        let (min, max) = (self.min.as_dvec3(), self.max.as_dvec3());
        let mut point = ray.at(hit.exact_t).max(min).min(max);
        let axis = hit.feature / 2;
        point[axis] = if hit.feature % 2 == 1 { max[axis] } else { min[axis] };
        point
    }

    fn facets(&self, at: &Vicinity) -> Facets {
        let (min, max) = (self.min.as_dvec3(), self.max.as_dvec3());
        let reach = at.reach();
        let is_within = at.point.cmpge(min - reach).all() && at.point.cmple(max + reach).all();
        let faces = (0..6).filter(|_| is_within).map(|feature| {
            let axis = feature / 2;
            let (plane, sign) = if feature % 2 == 1 { (max, 1.0) } else { (min, -1.0) };
            (plane, Facet::smooth(feature, DVec3::AXES[axis] * sign))
        });
        faces.filter(|(plane, facet)| at.is_on_plane(*plane, facet.normal)).map(|(_, facet)| facet).collect()
    }

    fn bounds(&self) -> Aabb {
        *self
    }

    fn validate(&self) -> Result<(), ShapeError> {
        if self.is_empty() {
            return Err(ShapeError::EmptyBox { min: self.min, max: self.max });
        }
        check_point("smallest corner", self.min)?;
        check_point("largest corner", self.max)
    }
}

impl ShapeFacts for Aabb {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn form(&self) -> ShapeForm<'_> {
        ShapeForm::Box { aabb: *self, radius: 0.0 }
    }

    fn quick_inside(&self, _: DVec3) -> Option<bool> {
        Some(true)
    }
}
