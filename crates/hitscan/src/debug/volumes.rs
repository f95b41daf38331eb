//! Lines for volumes, and between volumes and the world.

use super::boxes::edges;
use super::{DebugLine, Role};
use crate::convex::{Pose, UnitRotation, Volume};
use crate::geom::aabb::Aabb;
use crate::math::float::round_vec3;
use crate::query::pairs::PairDistance;
use crate::query::{ClosestPoint, Penetration, SweepHit};
use alloc::vec::Vec;
use core::f64::consts::TAU;
use glam::{DAffine3, DMat3, DVec3, Vec3};

/// The number of segments of a whole circle; a multiple of four.
const SEGMENTS: usize = 32;

/// Returns the edges of a volume at a pose, in the space of the pose. A ball has three circles; a capsule has lines along its length, and its round ends. A
/// point, and a volume or pose that cannot be used, have none.
pub fn volume(volume: impl Into<Volume>, at: impl Into<Pose>) -> Vec<DebugLine> {
    outline(&volume.into(), &at.into(), Role::Volume)
}

/// Returns a sweep of a volume, in the space of the pose. It consists of the volume's edges at its start and at its end, and of the path of the volume's origin
/// between them. It also shows the rest of the motion. [`contact`] draws its contact.
pub fn sweep<K>(
    volume: impl Into<Volume>,
    from: impl Into<Pose>,
    motion: impl Into<DVec3>,
    hit: Option<&SweepHit<K>>,
) -> Vec<DebugLine> {
    let (volume, from, motion) = (volume.into(), from.into(), motion.into());
    let at = |t: f64| Pose { position: from.position + motion * t, ..from };
    let met = at(hit.map_or(1.0, |hit| hit.t.into()));
    let [start, stop, end] = [from, met, at(1.0)].map(|pose| round_vec3(pose.position));
    let mut lines = outline(&volume, &from, Role::Way);
    lines.extend(outline(&volume, &met, Role::Volume));
    lines.extend(DebugLine::new(start, stop, Role::Way));
    lines.extend(hit.and_then(|_| DebugLine::new(stop, end, Role::Beyond)));
    lines
}

/// Returns the normal at the contact of a sweep, with this length.
pub fn contact<K>(hit: &SweepHit<K>, length: f32) -> Vec<DebugLine> {
    DebugLine::new(hit.point, hit.point + hit.normal * length, Role::Normal).into_iter().collect()
}

/// Returns the line from a query point to its nearest point.
pub fn closest<K>(point: impl Into<Vec3>, nearest: &ClosestPoint<K>) -> Vec<DebugLine> {
    DebugLine::new(point.into(), nearest.point, Role::Gap).into_iter().collect()
}

/// Returns the line between the nearest points of two entities.
pub fn distance(distance: &PairDistance) -> Vec<DebugLine> {
    let [a, b] = distance.points;
    DebugLine::new(a, b, Role::Gap).into_iter().collect()
}

/// Returns the separation of a penetration. It goes from the deepest point of the volume to the surface of the piece. This is the distance that the volume has
/// to be moved.
pub fn penetration<K>(deepest: &Penetration<K>) -> Vec<DebugLine> {
    let from = deepest.point - deepest.normal * deepest.depth;
    DebugLine::new(from, deepest.point, Role::Normal).into_iter().collect()
}

fn outline(volume: &Volume, at: &Pose, role: Role) -> Vec<DebugLine> {
    let Some(turn) = UnitRotation::new(at.rotation).filter(|_| volume.validate().is_ok()) else { return Vec::new() };
    let rotation = turn.rotation().map_or(DMat3::IDENTITY, DMat3::from_quat);
    let to_world = DAffine3::from_mat3_translation(rotation, at.position);
    let pen = Pen { to_world, role };
    match volume {
        // The margin is not drawn.
        Volume::Rounded(rounded) => outline(rounded.core(), at, role),
        Volume::Point => Vec::new(),
        Volume::Sphere(ball) => {
            let reach = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| axis * f64::from(ball.radius));
            let [x, y, z] = reach;
            [[x, y], [y, z], [z, x]].into_iter().flat_map(|axes| pen.arc(ball.center.as_dvec3(), axes, 1.0)).collect()
        }
        Volume::Capsule(capsule) => pen.capsule(capsule.ends().map(|end| end.as_dvec3()), capsule.radius().into()),
        Volume::Cylinder(cylinder) => pen.cylinder(cylinder.ends().map(|end| end.as_dvec3()), cylinder.radius().into()),
        Volume::Cone(cone) => {
            pen.cone([cone.base_center(), cone.apex()].map(|end| end.as_dvec3()), cone.radius().into())
        }
        Volume::Aabb(aabb) => pen.cuboid(aabb, &to_world),
        Volume::OrientedBox(turned) => pen.cuboid(&turned.aabb(), &(to_world * turned.to_local().inverse())),
        Volume::ConvexHull(hull) => {
            let corner = |number: u32| hull.vertices()[number as usize].as_dvec3();
            hull.edges().iter().filter_map(|edge| pen.line(edge.corners.map(corner))).collect()
        }
    }
}

/// Draws lines that are given in the space of a volume.
struct Pen {
    to_world: DAffine3,
    role: Role,
}

impl Pen {
    fn line(&self, ends: [DVec3; 2]) -> Option<DebugLine> {
        let [from, to] = ends.map(|end| round_vec3(self.to_world.transform_point3(end)));
        DebugLine::new(from, to, self.role)
    }

    /// Draws an arc from the first axis towards the second axis, and on to this fraction of a whole turn.
    fn arc(&self, center: DVec3, [first, second]: [DVec3; 2], turns: f64) -> Vec<DebugLine> {
        let count = (SEGMENTS as f64 * turns) as usize;
        let at = |step: usize| {
            let (sin, cos) = libm::sincos(TAU * step as f64 / SEGMENTS as f64);
            center + first * cos + second * sin
        };
        (0..count).filter_map(|step| self.line([at(step), at(step + 1)])).collect()
    }

    /// Draws lines along a capsule, around both ends, and over them.
    fn capsule(&self, [a, b]: [DVec3; 2], radius: f64) -> Vec<DebugLine> {
        let along = (b - a).try_normalize().unwrap_or(DVec3::Y);
        let (u, v) = along.any_orthonormal_pair();
        let [along, u, v] = [along, u, v].map(|axis| axis * radius);
        let mut lines: Vec<DebugLine> =
            [u, v, -u, -v].iter().filter_map(|&side| self.line([a + side, b + side])).collect();
        for (end, outwards) in [(a, -along), (b, along)] {
            lines.extend(self.arc(end, [u, v], 1.0));
            lines.extend([u, v].into_iter().flat_map(|side| self.arc(end, [side, outwards], 0.5)));
        }
        lines
    }

    /// Draws lines along a cylinder, and around both ends.
    fn cylinder(&self, [a, b]: [DVec3; 2], radius: f64) -> Vec<DebugLine> {
        let rim = rim(b - a, radius);
        let [u, v] = rim;
        let sides = [u, v, -u, -v].into_iter().filter_map(|side| self.line([a + side, b + side]));
        sides.chain(self.arc(a, rim, 1.0)).chain(self.arc(b, rim, 1.0)).collect()
    }

    /// Draws lines from the base of a cone to its apex, and around the base.
    fn cone(&self, [base, apex]: [DVec3; 2], radius: f64) -> Vec<DebugLine> {
        let rim = rim(apex - base, radius);
        let [u, v] = rim;
        let sides = [u, v, -u, -v].into_iter().filter_map(|side| self.line([base + side, apex]));
        sides.chain(self.arc(base, rim, 1.0)).collect()
    }

    fn cuboid(&self, aabb: &Aabb, to_world: &DAffine3) -> Vec<DebugLine> {
        edges(aabb, to_world, self.role).collect()
    }
}

/// Returns two axes of a circle of a radius around an axis of any length.
fn rim(axis: DVec3, radius: f64) -> [DVec3; 2] {
    let (u, v) = axis.try_normalize().unwrap_or(DVec3::Y).any_orthonormal_pair();
    [u * radius, v * radius]
}
