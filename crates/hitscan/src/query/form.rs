//! Parts of entities, as far as distances go, and whether two of them touch.

use crate::proximity::{Form, touch};
use crate::scene::{Part, PartGeometry};
use glam::DVec3;

/// Relative to an origin; `None` of what nothing can touch: without triangles or area, or a shape that does not say how far it reaches.
pub(crate) fn form_of(part: &Part, origin: DVec3) -> Option<Form<'_>> {
    let placement = part.placement();
    match &part.geometry {
        PartGeometry::Shape(shape) => Form::of_shape(shape, &placement, origin),
        PartGeometry::ConvexHull(hull) => Some(Form::of_hull(hull, &placement, origin)),
        PartGeometry::Custom(custom) => Form::of_custom(custom, &placement, origin),
        PartGeometry::Mesh(mesh) => Form::of_surface(mesh, &placement, origin),
        PartGeometry::HeightField(field) => Form::of_surface(field, &placement, origin),
    }
}

/// Whether two parts touch or overlap, as far as f64 can tell.
pub(crate) fn parts_touch(a: &Part, b: &Part) -> bool {
    let origin = origin_between(a, b);
    form_of(a, origin).zip(form_of(b, origin)).is_some_and(|(a, b)| touch(&a, &b))
}

/// A place near two parts: the middle of the first one that has one.
pub(crate) fn origin_between(a: &Part, b: &Part) -> DVec3 {
    let middle = |part: &Part| {
        let bounds = part.geometry.bounds();
        let local = (bounds.min.as_dvec3() + bounds.max.as_dvec3()) * 0.5;
        Some(part.to_world.transform_point3(local)).filter(|point| point.is_finite())
    };
    middle(a).or_else(|| middle(b)).unwrap_or(a.to_world.translation)
}
