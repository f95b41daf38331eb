//! Lower bounds of the depth of a character's volume in a solid, by closed forms in f64 for points of the volume.

use crate::character::volumes::{hull_corners, own_turn, rock, stone};
use crate::common::Surface;
use core::f64::consts::TAU;
use hitscan::Pose;
use hitscan::glam::{DQuat, DVec2, DVec3};

/// A solid of `volumes::solid` somewhere.
pub(super) struct Placed {
    pub(super) id: u32,
    pub(super) kind: usize,
    pub(super) size: f32,
    pub(super) pose: Pose,
    /// The unit normals and distances of its faces, if it is a hull or a closed mesh.
    planes: Vec<(DVec3, f64)>,
}

/// Points of a volume, in its own space. Around each point is a ball that is in the volume.
pub(super) struct Points(Vec<DVec3>, f64);

impl Placed {
    pub(super) fn new(id: u32, kind: usize, size: f32, pose: Pose) -> Self {
        let planes = match kind {
            4 => planes(&stone(size)),
            6 => planes(&rock(size)),
            _ => Vec::new(),
        };
        Self { id, kind, size, pose, planes }
    }

    /// Returns a lower bound of the depth of a volume in the solid.
    pub(super) fn least_depth(&self, Points(points, radius): &Points, at: &Pose) -> f64 {
        let (way, turn) = (at.position - self.pose.position, self.pose.rotation.inverse());
        if way.length() > 3.0 * f64::from(self.size) + 2.0 {
            return f64::NEG_INFINITY;
        }
        let depths = points.iter().map(|point| self.depth(turn * (way + at.rotation * *point)));
        depths.fold(f64::NEG_INFINITY, f64::max) + radius
    }

    /// Returns how deep a point of the solid's own space is in the solid. For a point outside, it is the negative distance, or minus infinity.
    fn depth(&self, p: DVec3) -> f64 {
        let size = f64::from(self.size);
        let (axial, radial) = (p.y.abs(), p.x.hypot(p.z));
        let cuboid = |half: [f64; 3]| -outside_of(p.abs() - DVec3::from(half) * size);
        let within = |depth: f64| if depth > 0.0 { depth } else { f64::NEG_INFINITY };
        match self.kind {
            0 => cuboid([1.0; 3]),
            1 => size - p.length(),
            2 => -outside_of(DVec3::new(radial - size, axial - size, f64::NEG_INFINITY)),
            // The side has the slope of 2 to 1.
            3 => within(f64::min(
                p.y + size,
                (DVec2::new(size - radial, -size - p.y)).dot(DVec2::new(2.0, 1.0)) / 5f64.sqrt(),
            )),
            4 | 6 => within(self.planes.iter().fold(f64::INFINITY, |least, (normal, d)| least.min(d - normal.dot(p)))),
            5 => 0.4 * size - (radial - size).hypot(p.y),
            7 => f64::max(cuboid([1.0, 0.3, 0.3]), cuboid([0.3, 1.0, 0.3])),
            8 => f64::NEG_INFINITY,
            9 => 0.5 * size - radial.hypot((axial - size).max(0.0)),
            10 => -outside_of((own_turn().inverse() * p).abs() - DVec3::splat(size)),
            _ => cuboid([0.1, 1.5, 1.5]),
        }
    }
}

/// Returns the distance from a box, negative inside, given how far the point is beyond each pair of the box's faces.
fn outside_of(beyond: DVec3) -> f64 {
    beyond.max(DVec3::ZERO).length() + beyond.max_element().min(0.0)
}

fn planes(surface: &Surface) -> Vec<(DVec3, f64)> {
    let plane = |corners: &[u32; 3]| {
        let [a, b, c] = corners.map(|corner| surface.positions[corner as usize].as_dvec3());
        let normal = (b - a).cross(c - a).normalize();
        (normal, normal.dot(a))
    };
    surface.triangles.iter().map(plane).collect()
}

impl Points {
    /// Returns points of the volume with this number.
    pub(super) fn of(volume: usize) -> Self {
        match volume {
            0 | 7 => Self((-8..=8).map(|k| DVec3::Y * 0.075 * f64::from(k)).collect(), 0.3),
            1 => Self([DVec3::ZERO].into(), 0.5),
            2 => Self([-0.9, 0.0, 0.9].into_iter().flat_map(|y| ring(y, 0.3)).collect(), 0.0),
            3 => Self(lattice([0.3, 0.9, 0.3]).collect(), 0.0),
            4 => Self((0..=4).flat_map(|k| ring(0.45 * f64::from(k) - 0.9, 0.1 * f64::from(4 - k))).collect(), 0.0),
            5 => Self(lattice([0.3, 0.9, 0.3]).map(|p| DQuat::from_rotation_y(0.4) * p).collect(), 0.0),
            6 => Self(hull_corners().iter().map(|p| p.as_dvec3()).collect(), 0.0),
            _ => Self(lattice([0.2, 0.8, 0.2]).collect(), 0.1),
        }
    }
}

fn ring(y: f64, radius: f64) -> impl Iterator<Item = DVec3> {
    (0..16).map(move |k| DQuat::from_rotation_y(TAU * f64::from(k) / 16.0) * DVec3::new(radius, y, 0.0))
}

/// Returns 27 points of a box.
fn lattice(half: [f64; 3]) -> impl Iterator<Item = DVec3> {
    let at = |k: i32| DVec3::new(f64::from(k % 3), f64::from(k / 3 % 3), f64::from(k / 9)) - DVec3::ONE;
    (0..27).map(move |k| at(k) * DVec3::from(half))
}
