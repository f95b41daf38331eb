//! The nearest point of a torus, under any transform, even one that leaves no cross-section round.

use super::ellipsoid::Ellipse;
use super::foot_point::SurfaceFoot;
use super::principal_axes::Orthogonal;
use super::stretched_torus_search::search;
use super::surface_of_revolution::SurfaceOfRevolution;
use super::torus_arcs::PlacedTorus;
use crate::geom::transform::Placement;
use crate::math::float::{larger, largest, length, sqrt, unit};
use glam::{DMat3, DVec2, DVec3};

/// The relative deviation up to which a torus counts as round.
const ROUNDNESS: f64 = 1.0 / (1u64 << 42) as f64;

impl PlacedTorus<'_> {
    /// Returns whether the origin is inside, by the same test as [`foot`](Self::foot) uses for a stretched torus.
    pub(super) fn has_origin(&self) -> bool {
        let [major, minor] = [self.torus.major, self.torus.minor].map(f64::from);
        let placed = Placement::new(self.to_world);
        placed.is_ok_and(|placed| is_inside(placed.to_local.translation, major, minor))
    }

    /// Returns the nearest point of the surface to the origin.
    pub(super) fn foot(&self) -> SurfaceFoot {
        if let Some(revolved) = SurfaceOfRevolution::of_torus(self) {
            return revolved.foot();
        }
        let Ok(placed) = Placement::new(self.to_world) else {
            return SurfaceFoot::outside(self.to_world.translation, DVec3::Y);
        };
        TorusSurface::new(self).foot(placed.to_local.translation, &placed.to_local.matrix3)
    }
}

/// Returns whether a place in a torus's own space is inside.
fn is_inside(local: DVec3, major: f64, minor: f64) -> bool {
    let beside = sqrt(local.x * local.x + local.z * local.z) - major;
    sqrt(beside * beside + local.y * local.y) < minor
}

/// The surface of all (major + minor cos v) (x cos u + z sin u) + up sin v, around a centre.
pub(super) struct TorusSurface {
    center: DVec3,
    /// The vectors of the longest and the shortest diameter of the torus's circle: x and z for major = 1.
    plane: [DVec3; 2],
    /// The coefficients of these two vectors as sums of the transform's columns x and z.
    parts: [[f64; 2]; 2],
    pub(super) up: DVec3,
    pub(super) major: f64,
    pub(super) minor: f64,
    pub(super) size: f64,
}

/// A point of the surface, by the cosine and sine of both angles.
#[derive(Clone, Copy)]
pub(super) struct TorusPoint {
    pub(super) around: DVec2,
    pub(super) beside: DVec2,
    pub(super) point: DVec3,
}

impl TorusPoint {
    pub(super) fn square(&self) -> f64 {
        self.point.length_squared()
    }
}

impl TorusSurface {
    fn new(ring: &PlacedTorus<'_>) -> Self {
        let linear = ring.to_world.matrix3;
        let (major, minor) = (f64::from(ring.torus.major), f64::from(ring.torus.minor));
        let axes = Orthogonal::rotated([linear.x_axis, linear.z_axis]);
        let (center, up) = (ring.to_world.translation, linear.y_axis * minor);
        let size = largest(center) + (major + minor) * length(axes.columns[0]) + length(up);
        Self { center, plane: axes.columns, parts: axes.parts, up, major, minor, size }
    }

    /// Returns the foot, given the origin in the torus's own space and the transform to that space.
    fn foot(&self, local: DVec3, to_local: &DMat3) -> SurfaceFoot {
        let is_inside = is_inside(local, self.major, self.minor);
        let place = if self.is_round() { self.at(self.towards_origin()) } else { search(self, self.around(local)) };
        let along = if is_inside { place.point } else { -place.point };
        // An offset that is long enough to have a direction is the more accurate normal, as at the edge of a blade.
        let rounding = 16.0 * f64::EPSILON * self.size;
        let normal = self.normal(&place, to_local).filter(|normal| length(along) - normal.dot(along) <= rounding);
        SurfaceFoot { point: place.point, normal: normal.or_else(|| unit(along)).unwrap_or(DVec3::Y), is_inside }
    }

    pub(super) fn radius(&self, place: &TorusPoint) -> f64 {
        self.major + self.minor * place.beside.x
    }

    /// Returns the outward normal; `None` at a pole, which is on the axis.
    fn normal(&self, place: &TorusPoint, to_local: &DMat3) -> Option<DVec3> {
        if !(self.radius(place) > f64::EPSILON * self.minor) {
            return None;
        }
        let [p, q] = self.parts;
        let local = DVec2::new(p[0], p[1]) * place.around.x + DVec2::new(q[0], q[1]) * place.around.y;
        let outwards = local * place.beside.x;
        unit(to_local.transpose() * DVec3::new(outwards.x, place.beside.y, outwards.y))
    }

    /// Returns whether the torus is round around its axis, although its tube is not.
    fn is_round(&self) -> bool {
        let [x, z] = self.plane.map(|axis| axis.length_squared());
        let slant = |axis: DVec3| axis.dot(self.up).abs() <= ROUNDNESS * length(axis) * length(self.up);
        x - z <= ROUNDNESS * x && self.plane.iter().all(|&axis| slant(axis))
    }

    pub(super) fn towards_origin(&self) -> DVec2 {
        let towards = DVec2::from_array(self.plane.map(|axis| -axis.dot(self.center)));
        let size = sqrt(towards.length_squared());
        if size > 0.0 { towards / size } else { DVec2::X }
    }

    /// Returns the direction around the axis of a place in the torus's own space. If the torus is far longer than wide,
    /// that is approximately the direction of the nearest point.
    fn around(&self, local: DVec3) -> DVec2 {
        let local = DVec2::new(local.x, local.z);
        let around = DVec2::from_array(self.parts.map(|part| local.dot(DVec2::from_array(part))));
        let size = sqrt(around.length_squared());
        if size > 0.0 { around / size } else { DVec2::X }
    }

    /// Returns the vectors at an angle around the axis: from the axis outwards, and along the torus.
    pub(super) fn frame(&self, around: DVec2) -> [DVec3; 2] {
        let [x, z] = self.plane;
        [x * around.x + z * around.y, z * around.x - x * around.y]
    }

    pub(super) fn place(&self, around: DVec2, beside: DVec2) -> TorusPoint {
        let [outwards, _] = self.frame(around);
        let point = self.center + outwards * (self.major + self.minor * beside.x) + self.up * beside.y;
        TorusPoint { around, beside, point }
    }

    /// Returns the nearest point at an angle around the axis. Points beyond the axis do not belong to the surface,
    /// which ends at the poles instead.
    pub(super) fn at(&self, around: DVec2) -> TorusPoint {
        let [outwards, _] = self.frame(around);
        let ellipse = Ellipse::spanned(outwards * self.minor, self.up);
        let place = -(self.center + outwards * self.major);
        let on_surface = |point: [f64; 2]| {
            let beside = DVec2::from_array(ellipse.parts_at(point));
            Some(self.place(around, beside)).filter(|place| self.radius(place) >= 0.0)
        };
        let nearest = ellipse.foot(place).and_then(|foot| on_surface(foot.on_sphere));
        if let Some(nearest) = nearest {
            return nearest;
        }
        let second = ellipse.second(place).and_then(|foot| on_surface(foot.on_sphere));
        second.into_iter().chain(self.poles(around)).reduce(nearer).unwrap_or_else(|| self.place(around, DVec2::X))
    }

    /// Returns the poles, where the surface crosses the axis, if it does.
    pub(super) fn poles(&self, around: DVec2) -> impl Iterator<Item = TorusPoint> {
        let cosine = -self.major / self.minor;
        let sine = sqrt(larger((1.0 - cosine) * (1.0 + cosine), 0.0));
        let places = [sine, -sine].map(|sine| TorusPoint {
            around,
            beside: DVec2::new(cosine, sine),
            point: self.center + self.up * sine,
        });
        places.into_iter().filter(move |_| self.major <= self.minor)
    }
}

/// Returns the nearer one of two; the first one if they are equally near.
pub(super) fn nearer(a: TorusPoint, b: TorusPoint) -> TorusPoint {
    if b.square() < a.square() { b } else { a }
}
