//! Shapes: a plain struct with the kind and the numbers of a shape, and the questions about it.

use crate::nearest::HsNearest;
use crate::pointer::{numbers, place, shared};
use crate::ray::{HsHit, HsRay, answer, answer_t, inside, vec3};
use crate::status::{Failure, HsStatus, guard, guard_value};
use hitscan::glam::{Quat, Vec3};
use hitscan::{Aabb, OrientedBox, Plane, Shape, Sphere};

#[rustfmt::skip]
pub mod functions;
#[rustfmt::skip]
mod of_kind;
#[rustfmt::skip]
pub mod plain;

/// The kind of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum HsShapeKind {
    /// No shape: the function that makes the shape was given a null pointer.
    Invalid = -1,
    /// No shape. As a volume it is a point.
    None = 0,
    /// A box along the axes.
    Box = 1,
    /// A box of any rotation.
    OrientedBox = 2,
    /// A ball.
    Sphere = 3,
    /// All points within a radius of a segment.
    Capsule = 4,
    /// A solid cylinder.
    Cylinder = 5,
    /// A solid cone.
    Cone = 6,
    /// A flat disc.
    Disc = 7,
    /// An infinite plane.
    Plane = 8,
    /// A parallelogram.
    Quad = 9,
    /// A triangle, whose corners go counter-clockwise seen from its front.
    Triangle = 10,
    /// A ring around the y axis.
    Torus = 11,
    /// A box along the axes with a margin around it.
    RoundedBox = 12,
}

/// A shape in its own space. The functions `hs_shape_...` make shapes, and document the meaning of their numbers; they
/// check nothing but null pointers. `hs_shape_validate`, and every function that needs a valid shape, says what is
/// wrong with it.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct HsShape {
    /// The kind of the shape, an `HsShapeKind`.
    pub kind: i32,
    /// The first vector. The kind determines its meaning: a minimum, a center, an end, a point or a corner.
    pub a: [f32; 3],
    /// The second vector: a maximum, half extents, an end, a normal or a corner.
    pub b: [f32; 3],
    /// The third vector: a corner or edge, or a rotation as a quaternion (x, y, z, w).
    pub c: [f32; 4],
    /// The radius, or the margin.
    pub radius: f32,
    /// The radius of a torus' tube.
    pub tube: f32,
}

impl HsShape {
    const NONE: Self = Self { kind: 0, a: [0.0; 3], b: [0.0; 3], c: [0.0; 4], radius: 0.0, tube: 0.0 };
    const INVALID: Self = Self { kind: HsShapeKind::Invalid as i32, ..Self::NONE };

    fn new(kind: HsShapeKind, a: Vec3, b: Vec3, radius: f32) -> Self {
        Self { kind: kind as i32, a: a.to_array(), b: b.to_array(), radius, ..Self::NONE }
    }

    /// Returns the library's shape. Numbers that the library checks later are not checked here.
    pub(crate) fn shape(&self) -> Result<Shape, Failure> {
        let Self { kind, a, b, c, radius, tube } = *self;
        let [a, b, third] = [a, b, [c[0], c[1], c[2]]].map(Vec3::from);
        let is = |kinds: HsShapeKind| kind == kinds as i32;
        Ok(match () {
            () if is(HsShapeKind::Box) => Aabb::new(a, b).into(),
            () if is(HsShapeKind::OrientedBox) => {
                OrientedBox::from_rotation(a, b, Quat::from_array(c)).map_err(Failure::input)?.into()
            }
            () if is(HsShapeKind::Sphere) => Sphere::at(a, radius).into(),
            () if is(HsShapeKind::Plane) => Plane::new(a, b).map_err(Failure::input)?.into(),
            () => of_kind::of_kind(kind, [a, b, third], [radius, tube]).ok_or_else(|| no_shape(kind))?,
        })
    }
}

#[cold]
fn no_shape(kind: i32) -> Failure {
    Failure::argument(match kind {
        -1 => "the shape was made from a null pointer: pass the addresses of three numbers".to_owned(),
        0 => "the shape's kind is 0: make it by one of the functions hs_shape_...".to_owned(),
        _ => {
            format!("the shape's kind is {kind}, which is no HsShapeKind: make it by one of the functions hs_shape_...")
        }
    })
}

/// Returns a box along the axes, given two corners of three numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_shape_box(min: *const f32, max: *const f32) -> HsShape {
    guard_value(HsShape::INVALID, || {
        // SAFETY: The caller keeps the rules of this crate.
        Ok(unsafe { HsShape::new(HsShapeKind::Box, vec3(min, "min")?, vec3(max, "max")?, 0.0) })
    })
}

/// Returns a box of any rotation: its centre, the halves of its sizes, and its rotation as a quaternion (x, y, z, w).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_shape_oriented_box(
    center: *const f32,
    half_extents: *const f32,
    rotation: *const f32,
) -> HsShape {
    guard_value(HsShape::INVALID, || {
        // SAFETY: The caller keeps the rules of this crate.
        let (center, half, c) =
            unsafe { (vec3(center, "center")?, vec3(half_extents, "half_extents")?, numbers(rotation, "rotation")?) };
        Ok(HsShape { c, ..HsShape::new(HsShapeKind::OrientedBox, center, half, 0.0) })
    })
}

/// Returns a ball.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_shape_sphere(center: *const f32, radius: f32) -> HsShape {
    guard_value(HsShape::INVALID, || {
        // SAFETY: The caller keeps the rules of this crate.
        Ok(unsafe { HsShape::new(HsShapeKind::Sphere, vec3(center, "center")?, Vec3::ZERO, radius) })
    })
}

/// Returns the plane through a point, with a normal of any length that points to its front.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_shape_plane(point: *const f32, normal: *const f32) -> HsShape {
    guard_value(HsShape::INVALID, || {
        // SAFETY: The caller keeps the rules of this crate.
        Ok(unsafe { HsShape::new(HsShapeKind::Plane, vec3(point, "point")?, vec3(normal, "normal")?, 0.0) })
    })
}

/// Finds where the infinite line of a ray enters and leaves a box along the axes, in the box's own space. `interval` gets t
/// of the entry and t of the exit, two floats, which may be outside of the ray's range. The status is `HS_STATUS_NONE` if
/// the line misses the box, or if the box is outside of the range. Any other kind of shape is refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_shape_box_interval(
    shape: *const HsShape,
    ray: *const HsRay,
    interval: *mut f32,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (shape, ray) = unsafe { (shared(shape, "shape")?, shared(ray, "ray")?.as_ray()) };
        // SAFETY: The caller keeps the rules of this crate.
        let place = unsafe { place(interval.cast::<[f32; 2]>(), "interval") }?;
        let Shape::Box(aabb) = shape.shape()? else {
            return Err(Failure::argument("the shape is no box along the axes: make it by hs_shape_box"));
        };
        let Some((enter, exit)) = aabb.interval(ray) else { return Ok(HsStatus::None) };
        place.write([enter, exit]);
        Ok(HsStatus::Ok)
    })
}

/// Finds the signed distance of a point of three floats from a plane, in the plane's own space and units. It is
/// positive on the side of the normal, negative behind the plane, and 0 on the plane. Any other kind of shape is
/// refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_shape_plane_signed_distance(
    shape: *const HsShape,
    point: *const f32,
    distance: *mut f32,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (shape, point, distance) =
            unsafe { (shared(shape, "shape")?, vec3(point, "point")?, place(distance, "distance")?) };
        let Shape::Plane(plane) = shape.shape()? else {
            return Err(Failure::argument("the shape is no plane: make it by hs_shape_plane"));
        };
        distance.write(plane.signed_distance(point));
        Ok(HsStatus::Ok)
    })
}
