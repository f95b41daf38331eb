//! Leaving a surface of triangles: which triangles a ray that starts on one of them cannot meet.

use super::Surface;
use crate::hit::Side;
use crate::ray::LocalRay;
use crate::shape::{side_of_plane, triangle_normal};
use crate::transform::Placement;
use core::cmp::Ordering;
use glam::{DVec3, Vec3};

/// A ray that starts at a hit on a triangle, up to the rounding of its origin to f32 in world space.
pub(crate) struct Departure<'a> {
    surface: &'a dyn Surface,
    corners: [Vec3; 3],
    leaving_to: Side,
    origin: DVec3,
    /// The local image of the origin's largest rounding error along each world axis.
    errors: [DVec3; 3],
}

impl<'a> Departure<'a> {
    /// The origin may be off by `rounding`, and by the f64 transforms there and back. `None` if there is no such
    /// triangle.
    pub(crate) fn new(
        surface: &'a dyn Surface,
        triangle: u32,
        leaving_to: Side,
        world: &LocalRay,
        rounding: DVec3,
        placement: &Placement,
    ) -> Option<Self> {
        let corners = surface.triangle(triangle)?;
        let local = world.transformed(&placement.to_local);
        let linear = placement.to_local.matrix3;
        let origin = rounding + world.origin.abs() * placement.slack;
        Some(Self {
            surface,
            corners,
            leaving_to,
            origin: local.origin,
            errors: [linear.x_axis * origin.x, linear.y_axis * origin.y, linear.z_axis * origin.z],
        })
    }

    /// Whether a hit is of the surface being left, which the exact ray would not have, or only at t = 0.
    ///
    /// What has nothing in front of the plane is only met at the start. A triangle across a shared edge is only met on
    /// the side that the ray leaves to, whatever the angle between them: with the edge at 0, the origin at -a (1, 0)
    /// and the neighbour along (cos phi, sin phi), the ray to a point of the neighbour moves against its normal at a
    /// sin phi, which is positive wherever that point is above the triangle's plane. Of the others around a corner the
    /// same is true if the origin cannot be told from a point of their plane.
    pub(crate) fn leaves_behind(&self, other: u32, side: Side) -> bool {
        let Some(corners) = self.surface.triangle(other) else { return false };
        match shared(self.corners, corners) {
            _ if self.is_beyond(corners) => true,
            Shared::Edge(Winding::Same) => side != self.leaving_to,
            Shared::Edge(Winding::Opposite) => side == self.leaving_to,
            Shared::Corner => side != self.leaving_to && self.starts_on_plane_of(corners),
            Shared::Nothing => false,
        }
    }

    /// Whether a triangle has no corner on the side of the plane that the ray leaves to, decided exactly: such a one,
    /// as the triangle itself, its coplanar neighbours, and those across a ridge, is met at the start only.
    fn is_beyond(&self, corners: [Vec3; 3]) -> bool {
        let before = match self.leaving_to {
            Side::Front => Ordering::Greater,
            Side::Back | Side::Inside => Ordering::Less,
        };
        corners.into_iter().all(|corner| side_of_plane(self.corners, corner) != before)
    }

    fn starts_on_plane_of(&self, other: [Vec3; 3]) -> bool {
        let corners = other.map(|corner| corner.as_dvec3());
        let normal = triangle_normal(corners);
        let distance = normal.dot(self.origin - corners[0]);
        distance.abs() <= self.errors.iter().map(|error| normal.dot(*error).abs()).sum()
    }
}

/// What two triangles have in common, by the positions of their corners: a mesh may hold a vertex several times.
enum Shared {
    Edge(Winding),
    Corner,
    Nothing,
}

/// Whether two triangles at an edge have their fronts on the same side of the surface.
enum Winding {
    Same,
    Opposite,
}

fn shared(a: [Vec3; 3], b: [Vec3; 3]) -> Shared {
    match a.iter().filter(|corner| b.contains(corner)).count() {
        0 => return Shared::Nothing,
        1 => return Shared::Corner,
        _ => {}
    }
    let edges = |t: [Vec3; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
    let same_direction = edges(a).iter().any(|edge| edges(b).contains(edge));
    Shared::Edge(if same_direction { Winding::Opposite } else { Winding::Same })
}
