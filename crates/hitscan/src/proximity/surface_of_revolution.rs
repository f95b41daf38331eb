//! The nearest point of a solid of revolution whose transform keeps it round: in the half plane that contains the axis
//! and the origin.

use super::foot_point::SurfaceFoot;
use super::torus_arcs::PlacedTorus;
use crate::convex::similar;
use crate::math::float::{larger, length, smaller, sqrt, unit};
use crate::math::perpendicular::beside;
use crate::shape::{RevolvedKind, ShapeForm};
use glam::{DAffine3, DVec2, DVec3};

/// A shape around an axis.
pub(super) struct SurfaceOfRevolution {
    /// The point from which heights are counted.
    base: DVec3,
    axis: DVec3,
    profile: Profile,
}

/// The profile, by distance from the axis and height.
enum Profile {
    Cylinder {
        radius: f64,
        height: f64,
    },
    /// A cone, from its base to its apex.
    Cone {
        radius: f64,
        height: f64,
    },
    Torus {
        major: f64,
        minor: f64,
    },
    /// A flat disc, with its front upwards.
    Disc {
        radius: f64,
    },
}

/// The nearest point in the half plane.
struct Foot {
    at: DVec2,
    normal: DVec2,
    is_inside: bool,
}

impl SurfaceOfRevolution {
    /// Returns `None` for forms that are not around an axis, and for transforms that do not keep them round.
    pub(super) fn new(form: &ShapeForm<'_>, to_world: &DAffine3) -> Option<Self> {
        let scale = similar(&to_world.matrix3)?;
        let ShapeForm::Revolved(shape) = form else { return None };
        // The vector is computed from the shape's own coordinates: the ends in the world may be so large that their
        // difference is lost in rounding.
        let (base, up) = (to_world.transform_point3(shape.ends[0]), to_world.matrix3 * shape.up);
        let (radius, height) = (scale * shape.radius, length(up));
        let profile = match shape.kind {
            RevolvedKind::Cylinder => Profile::Cylinder { radius, height },
            RevolvedKind::Cone => Profile::Cone { radius, height },
            RevolvedKind::Disc => Profile::Disc { radius },
        };
        let axis = unit(up).or_else(|| unit(to_world.matrix3.y_axis)).unwrap_or(DVec3::Y);
        Some(Self { base, axis, profile })
    }

    pub(super) fn of_torus(ring: &PlacedTorus<'_>) -> Option<Self> {
        let scale = ring.similar?;
        let (major, minor) = (scale * f64::from(ring.torus.major), scale * f64::from(ring.torus.minor));
        let axis = unit(ring.to_world.matrix3.y_axis)?;
        Some(Self { base: ring.to_world.translation, axis, profile: Profile::Torus { major, minor } })
    }

    pub(super) fn foot(&self) -> SurfaceFoot {
        let place = -self.base;
        let height = place.dot(self.axis);
        // Rounding may give a place on the axis any direction, also along the axis.
        let outwards = beside(self.axis, place);
        let at = DVec2::new(outwards.map_or(0.0, |outwards| outwards.dot(place)), height);
        let outwards = outwards.unwrap_or_else(|| self.axis.any_orthonormal_vector());
        let foot = self.profile.foot(at);
        let in_space = |v: DVec2| outwards * v.x + self.axis * v.y;
        let (point, is_inside) = (in_space(foot.at - at), foot.is_inside && foot.at != at);
        let away = if is_inside { point } else { -point };
        SurfaceFoot { point, normal: unit(away).unwrap_or_else(|| in_space(foot.normal)), is_inside }
    }
}

impl Profile {
    fn foot(&self, at: DVec2) -> Foot {
        match *self {
            Self::Cylinder { radius, height } => on_rectangle(at, radius, height),
            Self::Cone { radius, height } => on_wedge(at, radius, height),
            Self::Torus { major, minor } => closest_on_torus_profile(at, major, minor),
            Self::Disc { radius } => Foot { at: DVec2::new(at.x.min(radius), 0.0), normal: DVec2::Y, is_inside: false },
        }
    }
}

fn on_rectangle(at: DVec2, radius: f64, height: f64) -> Foot {
    let (beside, beyond) = (at.x - radius, larger(-at.y, at.y - height));
    let (cap, up) = if -at.y > at.y - height { (0.0, -1.0) } else { (height, 1.0) };
    let side = Foot { at: DVec2::new(radius, smaller(larger(at.y, 0.0), height)), normal: DVec2::X, is_inside: true };
    let cap = Foot { at: DVec2::new(at.x.min(radius), cap), normal: DVec2::new(0.0, up), is_inside: true };
    let nearest = if beside > beyond { side } else { cap };
    if beside <= 0.0 && beyond <= 0.0 {
        return nearest;
    }
    let corner = DVec2::new(at.x.min(radius), smaller(larger(at.y, 0.0), height));
    Foot { at: corner, is_inside: false, ..nearest }
}

fn on_wedge(at: DVec2, radius: f64, height: f64) -> Foot {
    let (rim, apex) = (DVec2::new(radius, 0.0), DVec2::new(0.0, height));
    let is_inside = at.y >= 0.0 && at.x * height + at.y * radius <= radius * height;
    let normal = DVec2::new(height, radius);
    let length = sqrt(normal.length_squared());
    let normal = if length > 0.0 { normal / length } else { DVec2::X };
    let base = Foot { at: DVec2::new(at.x.min(radius), 0.0), normal: DVec2::NEG_Y, is_inside };
    let side = Foot { at: on_line(at, rim, apex), normal, is_inside };
    if (side.at - at).length_squared() < (base.at - at).length_squared() { side } else { base }
}

fn closest_on_torus_profile(at: DVec2, major: f64, minor: f64) -> Foot {
    let off = at - DVec2::new(major, 0.0);
    let apart = sqrt(off.length_squared());
    let normal = if apart > 0.0 { off / apart } else { DVec2::X };
    let foot = DVec2::new(major, 0.0) + normal * minor;
    let is_inside = apart < minor;
    if foot.x < 0.0 {
        // Beyond the axis is the inside of the torus's opposite side: the surface nearest to here is the dimple at the
        // pole.
        let pole = sqrt((minor - major) * (minor + major));
        let pole = DVec2::new(0.0, if at.y < 0.0 { -pole } else { pole });
        return Foot { at: pole, normal: if at.y < 0.0 { DVec2::NEG_Y } else { DVec2::Y }, is_inside };
    }
    Foot { at: foot, normal, is_inside }
}

fn on_line(p: DVec2, a: DVec2, b: DVec2) -> DVec2 {
    let along = b - a;
    let square = along.length_squared();
    let s = if square > 0.0 { ((p - a).dot(along) / square).clamp(0.0, 1.0) } else { 0.0 };
    a + along * s
}
