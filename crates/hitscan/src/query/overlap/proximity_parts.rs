//! Parts of entities in distance queries. This file has their forms, and decides which of them are near and whether two
//! of them touch.

use crate::convex::{Anchor, RESOLUTION, is_usable};
use crate::geom::aabb::Aabb;
use crate::geom::affine;
use crate::math::float::largest;
use crate::proximity::{PlacedShape, touch};
use crate::query::view::View;
use crate::scene::{Part, PartGeometry, Scene};
use crate::shape::ShapeForm;
use core::hash::Hash;
use core::ops::ControlFlow;
use glam::{DAffine3, DVec3};

/// Returns whether volumes and distance queries can reach a part. The coordinates of its points in the world must not be too large for these queries. Rays can
/// hit the part in any case.
pub(in crate::query) fn is_within_reach(part: &Part) -> bool {
    reaches_so_far(&part.geometry, &part.to_world)
}

/// Returns whether a geometry with a placement is within reach.
pub(in crate::query) fn reaches_so_far(geometry: &PartGeometry, to_world: &DAffine3) -> bool {
    let bounds = geometry.bounds();
    let farthest = |bounds: Aabb| bounds.min.abs().max(bounds.max.abs()).as_dvec3();
    // The bounds of a finite geometry may exceed f32 by at most a sum of two of its numbers.
    let beyond = DVec3::splat(2.0 * f64::from(f32::MAX));
    let local = match geometry {
        _ if bounds.is_finite() => farthest(bounds),
        PartGeometry::Shape(shape) => match shape.form() {
            ShapeForm::Plane { point, .. } => point.abs().as_dvec3(),
            ShapeForm::OrientedBox { aabb, to_local } => {
                // Because of its own transform, an oriented box may extend farther than any sum of f32s.
                let to_space = affine::invert(to_local).map(|to_space| *to_world * to_space.transform);
                return to_space.is_ok_and(|to_world| is_placed_within(&to_world, farthest(aabb)));
            }
            ShapeForm::Box { .. }
            | ShapeForm::Segment { .. }
            | ShapeForm::Revolved(_)
            | ShapeForm::Parallelogram { .. }
            | ShapeForm::Torus
            | ShapeForm::Triangle(_) => beyond,
        },
        PartGeometry::Custom(_) => DVec3::ZERO,
        PartGeometry::ConvexHull(_)
        | PartGeometry::Mesh(_)
        | PartGeometry::HeightField(_)
        | PartGeometry::PointCloud(_)
        | PartGeometry::Polyline(_) => beyond,
    };
    is_placed_within(to_world, local)
}

/// Returns whether a transform leaves points with these largest coordinates within reach. Its columns must be within
/// reach too, because directions are multiplied by them.
fn is_placed_within(transform: &DAffine3, local: DVec3) -> bool {
    let DAffine3 { matrix3, translation } = transform;
    let [x, y, z] = [matrix3.x_axis, matrix3.y_axis, matrix3.z_axis].map(|axis| axis.abs());
    has_usable_columns(transform) && is_usable(x * local.x + y * local.y + z * local.z + translation.abs())
}

/// Returns whether a transform's columns are small enough that nothing computed from them overflows. Parts that are out
/// of reach for another reason are not in the tree.
pub(in crate::query) fn has_usable_columns(transform: &DAffine3) -> bool {
    let [x, y, z] = [transform.matrix3.x_axis, transform.matrix3.y_axis, transform.matrix3.z_axis];
    is_usable(x) & is_usable(y) & is_usable(z)
}

/// Returns the form of a part relative to an origin. Returns `None` if nothing can touch the part. Such a part has no triangles or area, is out of reach, or is
/// a custom shape without a support function.
pub(crate) fn form_of(part: &Part, origin: Anchor) -> Option<PlacedShape<'_>> {
    is_within_reach(part).then_some(())?;
    let placement = part.placement();
    match &part.geometry {
        PartGeometry::Shape(shape) => PlacedShape::of_shape(shape, &placement, origin),
        PartGeometry::ConvexHull(hull) => Some(PlacedShape::of_hull(hull, &placement, origin)),
        PartGeometry::Custom(custom) => PlacedShape::of_custom(custom, &placement, origin),
        PartGeometry::Mesh(mesh) => PlacedShape::of_surface(mesh, &placement, origin),
        PartGeometry::HeightField(field) => PlacedShape::of_surface(field, &placement, origin),
        // Points and lines have no area, and nothing touches them.
        PartGeometry::PointCloud(_) | PartGeometry::Polyline(_) => None,
    }
}

/// Returns whether two parts touch or overlap, as far as f64 can tell.
pub(crate) fn parts_touch(a: &Part, b: &Part) -> bool {
    let origin = Anchor::from(origin_between(a, b));
    form_of(a, origin).zip(form_of(b, origin)).is_some_and(|(a, b)| touch(&a, &b))
}

/// Returns a point near two parts, in the world: the middle of the first of them whose middle is finite.
pub(crate) fn origin_between(a: &Part, b: &Part) -> DVec3 {
    let middle = |part: &Part| {
        let bounds = part.geometry.bounds();
        let local = (bounds.min.as_dvec3() + bounds.max.as_dvec3()) * 0.5;
        Some(part.to_world.transform_point3(local)).filter(|point| point.is_finite())
    };
    middle(a).or_else(|| middle(b)).unwrap_or(a.to_world.translation)
}

/// Returns whether a place is in front of a flat part; `true` for other parts.
pub(in crate::query) fn is_in_front(part: &Part, place: DVec3) -> bool {
    let local = part.to_local.affine().transform_point3(place);
    flat_plane(part).is_none_or(|(on_it, normal)| normal.dot(local - on_it) >= 0.0)
}

/// Returns a point of a flat part and its front normal of any length, both local; `None` for other parts.
pub(crate) fn flat_plane(part: &Part) -> Option<(DVec3, DVec3)> {
    if let PartGeometry::Shape(shape) = &part.geometry { shape.test().front() } else { None }
}

/// Calls `show` with every part that the query includes and whose distance from a box in the world may be at most `limit`. The callback returns the largest
/// distance that matters from now on, or stops.
pub(in crate::query) fn near_parts<'a, K: Clone + Eq + Hash>(
    view: &View<'a, K>,
    (low, high): (DVec3, DVec3),
    limit: f64,
    show: &mut dyn FnMut(&'a Part) -> ControlFlow<(), f64>,
) -> ControlFlow<()> {
    let scene = view.scene;
    let mut visit = |number: u32, limit: f64| match scene.part(number).filter(|part| view.meets(part)) {
        Some(part) => show(part),
        None => ControlFlow::Continue(limit),
    };
    let mut limit = limit;
    for &number in scene.unbounded() {
        limit = visit(number, limit)?;
    }
    let error = error_in(scene, low.abs().max(high.abs()));
    let square = |distance: f64| (distance + error) * (distance + error);
    scene.tree().approach(low, high, square(limit), &mut |number| {
        limit = visit(number, limit)?;
        ControlFlow::Continue(square(limit))
    })
}

/// Returns a bound on the error of distances between computed points and the boxes of a scene's tree. The bound includes the largest gap between things that
/// are treated as in contact.
fn error_in<K: Clone + Eq + Hash>(scene: &Scene<K>, place: DVec3) -> f64 {
    (4.0 * scene.slack() + 4.0 * RESOLUTION) * (scene.tree().reach() + largest(place))
}
