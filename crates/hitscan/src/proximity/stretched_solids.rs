//! The nearest points of round solids that a transform has stretched or sheared.
//!
//! Each solid is an intersection of convex sets, or the sweep of an ellipsoid along a segment. In an intersection, the depth of a point is its least depth in
//! the sets, and the nearest point from outside is on the boundary of one of them.

use super::distance::on_segment;
use super::ellipsoid::{Ellipse, Ellipsoid};
use super::elliptic_cone::EllipticCone;
use super::foot_point::SurfaceFoot;
use super::quadric::{Quadric, QuadricFoot, thickened};
use crate::math::float::{larger, largest, length, sqrt, unit};
use crate::math::perpendicular::plane_normal;
use crate::shape::{RevolvedKind, ShapeForm};
use glam::{DAffine3, DVec3};

/// Returns the nearest point to the origin; `None` for a form that is not round.
pub(super) fn foot(form: &ShapeForm<'_>, to_world: &DAffine3) -> Option<SurfaceFoot> {
    let at = |local: DVec3| to_world.transform_point3(local);
    let linear = to_world.matrix3;
    Some(match form {
        ShapeForm::Segment { ends, radius } => StretchedCapsule {
            ends: ends.map(at),
            along: linear * (ends[1] - ends[0]),
            ball: [linear.x_axis, linear.y_axis, linear.z_axis].map(|column| column * *radius),
        }
        .foot(),
        ShapeForm::Revolved(shape) => {
            let (p, q) = unit(shape.up).unwrap_or(DVec3::Y).any_orthonormal_pair();
            let span = [p, q].map(|v| linear * (v * shape.radius));
            let (base, along) = (at(shape.ends[0]), linear * shape.up);
            match shape.kind {
                RevolvedKind::Cylinder => EllipticCylinder { base, along, span }.foot(),
                RevolvedKind::Cone => EllipticConeSolid { base, along, span }.foot(),
                RevolvedKind::Disc => EllipticDisc { center: base, span, front: along }.foot(),
            }
        }
        ShapeForm::Box { .. }
        | ShapeForm::OrientedBox { .. }
        | ShapeForm::Parallelogram { .. }
        | ShapeForm::Plane { .. }
        | ShapeForm::Torus
        | ShapeForm::Triangle(_) => return None,
    })
}

/// A filled ellipse.
struct EllipticDisc {
    center: DVec3,
    span: [DVec3; 2],
    /// A vector to the front.
    front: DVec3,
}

impl EllipticDisc {
    fn normal(&self) -> DVec3 {
        let normal = plane_normal(self.span[0], self.span[1]).or_else(|| unit(self.front)).unwrap_or(DVec3::Y);
        if normal.dot(self.front) < 0.0 { -normal } else { normal }
    }

    fn foot(&self) -> SurfaceFoot {
        let ellipse = Ellipse::spanned(self.span[0], self.span[1]);
        SurfaceFoot::outside(ellipse.to_filled(-self.center), self.normal())
    }
}

/// A cylinder.
struct EllipticCylinder {
    base: DVec3,
    /// The vector from the base to the top.
    along: DVec3,
    span: [DVec3; 2],
}

impl EllipticCylinder {
    fn caps(&self) -> [EllipticDisc; 2] {
        let cap = |center: DVec3, front: DVec3| EllipticDisc { center, span: self.span, front };
        [cap(self.base, -self.along), cap(self.base + self.along, self.along)]
    }

    fn foot(&self) -> SurfaceFoot {
        let caps = self.caps();
        let Some(side) = self.side() else {
            let segment = on_segment(DVec3::ZERO, self.base, self.base + self.along);
            let [low, high] = [caps[0].foot(), caps[1].foot()];
            return low.nearer(high).nearer(SurfaceFoot::outside(segment, low.normal));
        };
        let planes = caps.each_ref().map(|cap| {
            let normal = cap.normal();
            SurfaceFoot::below(-normal.dot(cap.center), normal)
        });
        if side.foot.is_inside && planes.iter().all(|plane| plane.is_inside) {
            return side.foot.nearer(planes[0]).nearer(planes[1]);
        }
        if !side.foot.is_inside && (0.0..=1.0).contains(&side.along) {
            return side.foot;
        }
        let [low, high] = caps.map(|cap| cap.foot());
        low.nearer(high)
    }

    /// Returns the nearest point of the side, as far as it extends; `None` for a cylinder without a side.
    fn side(&self) -> Option<TubeSide> {
        let axis = unit(self.along)?;
        let [p, q] = self.span;
        let ellipse = Ellipse::outline([p, q], axis);
        let foot = ellipse.foot(-self.base)?;
        let [cosine, sine] = ellipse.parts_at(foot.on_sphere);
        let on_base = self.base + p * cosine + q * sine;
        Some(TubeSide::new(&ellipse, &foot, -on_base.dot(axis) / length(self.along)))
    }
}

/// The nearest point of an infinite tube, and its position along the solid, from 0 to 1.
struct TubeSide {
    foot: SurfaceFoot,
    along: f64,
}

impl TubeSide {
    fn new<const N: usize>(ellipse: &Ellipse<N>, foot: &QuadricFoot<2>, along: f64) -> Self {
        let point = ellipse.in_space(foot.offset);
        let normal = unit(ellipse.in_space(foot.normal)).unwrap_or(ellipse.frame[0]);
        Self { foot: SurfaceFoot { point, normal, is_inside: foot.is_inside }, along }
    }
}

/// A cone.
struct EllipticConeSolid {
    base: DVec3,
    /// The vector from the base to the apex.
    along: DVec3,
    span: [DVec3; 2],
}

impl EllipticConeSolid {
    fn foot(&self) -> SurfaceFoot {
        let base = EllipticDisc { center: self.base, span: self.span, front: -self.along };
        let apex = self.base + self.along;
        let Some(cone) = EllipticCone::new(apex, self.span, -self.along) else {
            let segment = on_segment(DVec3::ZERO, self.base, apex);
            return base.foot().nearer(SurfaceFoot::outside(segment, base.normal()));
        };
        let normal = base.normal();
        let plane = SurfaceFoot::below(-normal.dot(self.base), normal);
        let ray = cone.foot();
        // Rounding puts the origin behind all planes of a cone as flat as a blade, wherever in its plane the origin is.
        // A place behind the apex, or farther from it than any point of the cone, is not inside.
        let [p, q] = self.span.map(length);
        let is_near = ray.along >= 0.0 && length(apex) <= (length(self.along) + p + q) * (1.0 + 64.0 * f64::EPSILON);
        if ray.height < 0.0 && is_near {
            let side = SurfaceFoot::below(ray.height, ray.normal);
            return if plane.is_inside { side.nearer(plane) } else { base.foot() };
        }
        if ray.along <= 1.0 { cone.outside_foot(&ray) } else { base.foot() }
    }
}

/// A stretched capsule: the sweep of an ellipsoid along a segment.
struct StretchedCapsule {
    ends: [DVec3; 2],
    along: DVec3,
    ball: [DVec3; 3],
}

impl StretchedCapsule {
    fn foot(&self) -> SurfaceFoot {
        let ellipsoid = Ellipsoid::new(self.ball);
        let Some(axis) = unit(self.along).filter(|_| ellipsoid.semi[2] > 0.0) else {
            return match unit(self.along) {
                Some(axis) => SurfaceFoot::outside(
                    on_segment(DVec3::ZERO, self.ends[0], self.ends[1]),
                    axis.any_orthonormal_vector(),
                ),
                None => ellipsoid.foot(self.ends[0]),
            };
        };
        let Some(side) = self.side(axis) else { return ellipsoid.foot(self.ends[0]) };
        let (nearest, is_inside) = self.middle_nearest(&ellipsoid);
        if is_inside {
            return self.inside_foot(&ellipsoid, side.foot.normal);
        }
        let along = if side.foot.is_inside { nearest } else { side.along };
        if along < 0.0 {
            ellipsoid.foot(self.ends[0])
        } else if along > 1.0 {
            ellipsoid.foot(self.ends[1])
        } else {
            side.foot
        }
    }

    fn side(&self, axis: DVec3) -> Option<TubeSide> {
        let ellipse = Ellipse::outline(self.ball, axis);
        let foot = ellipse.foot(-self.ends[0])?;
        let mut side = TubeSide::new(&ellipse, &foot, 0.0);
        let touching = self.ends[0] + self.farthest_of_ball(side.foot.normal);
        side.along = -touching.dot(axis) / length(self.along);
        Some(side)
    }

    fn farthest_of_ball(&self, normal: DVec3) -> DVec3 {
        let local = DVec3::from_array(self.ball.map(|column| column.dot(normal)));
        let on_ball = unit(local).unwrap_or(DVec3::X);
        self.ball[0] * on_ball.x + self.ball[1] * on_ball.y + self.ball[2] * on_ball.z
    }

    /// Returns the position along the segment, from 0 to 1 and beyond, at which the moving ellipsoid contains the origin most deeply, and whether the origin is
    /// inside the capsule.
    fn middle_nearest(&self, ellipsoid: &Ellipsoid) -> (f64, bool) {
        let size = larger(ellipsoid.semi[0], larger(largest(self.ends[0]), largest(self.along)));
        let semi = DVec3::from_array(thickened(ellipsoid.semi, size));
        let scaled = |v: DVec3| DVec3::from_array(ellipsoid.coordinates(v)) / semi;
        let (place, along) = (scaled(-self.ends[0]), scaled(self.along));
        let nearest = place.dot(along) / along.length_squared();
        (nearest, (place - along * nearest.clamp(0.0, 1.0)).length_squared() < 1.0)
    }

    /// Returns the depth of the origin along an outward unit normal, which is at least the true depth for any normal.
    fn depth_along(&self, normal: DVec3) -> f64 {
        let local = DVec3::from_array(self.ball.map(|column| column.dot(normal)));
        let [low, high] = self.ends.map(|end| end.dot(normal));
        sqrt(local.length_squared()) + low.max(high)
    }

    /// Returns the nearest point for an origin inside. It is on the side or on the outer part of an end, where it is the nearest point of the ellipsoid or the
    /// second local minimum. Each direction gives an upper bound of the depth, so additional directions do no harm, such as the directions for ellipsoids that
    /// are round around an axis.
    fn inside_foot(&self, ellipsoid: &Ellipsoid, side: DVec3) -> SurfaceFoot {
        let mut best = (self.depth_along(side), side);
        let mut offer = |normal: [f64; 3]| {
            if let Some(normal) = unit(ellipsoid.in_space(normal)) {
                let depth = self.depth_along(normal);
                if depth < best.0 {
                    best = (depth, normal);
                }
            }
        };
        for (end, outwards) in self.ends.into_iter().zip([-self.along, self.along]) {
            let place = ellipsoid.coordinates(-end);
            let quadric = Quadric(ellipsoid.semi);
            let nearest = quadric.nearest(place);
            offer(nearest.normal);
            if let Some(second) = quadric.second(place) {
                offer(second.normal);
            }
            offer(turned_around_the_long_axis(nearest.normal, ellipsoid.coordinates(outwards)));
        }
        let (depth, normal) = best;
        SurfaceFoot { point: normal * depth.max(0.0), normal, is_inside: depth > 0.0 }
    }
}

/// Rotates a vector around the first axis towards another vector, which keeps its distance from the axis.
fn turned_around_the_long_axis([x, y, z]: [f64; 3], [_, v, w]: [f64; 3]) -> [f64; 3] {
    let (beside, towards) = (sqrt(y * y + z * z), sqrt(v * v + w * w));
    if towards > 0.0 { [x, v / towards * beside, w / towards * beside] } else { [x, y, z] }
}
