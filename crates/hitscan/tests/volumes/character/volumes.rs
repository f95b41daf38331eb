//! One character of each kind of volume, all about as large.

use hitscan::glam::{DAffine3, DQuat, Vec3};
use hitscan::prelude::*;
use hitscan::{Cone, ConvexHull, Cylinder, OrientedBox};

pub(crate) const VOLUMES: usize = 9;

/// Returns the volume of a number below [`VOLUMES`].
pub(crate) fn volume(number: usize) -> Volume {
    let chest = Aabb::new([-0.3, -0.9, -0.3], [0.3, 0.9, 0.3]);
    match number {
        0 => Capsule::new(0.3, 1.8).into(),
        1 => Sphere::new(0.5).into(),
        2 => Cylinder::new(0.3, 1.8).into(),
        3 => chest.into(),
        4 => Cone::new(0.4, 1.8).into(),
        5 => OrientedBox::new(chest, DAffine3::from_quat(DQuat::from_rotation_y(0.4))).unwrap().into(),
        6 => hull().into(),
        7 => Volume::from(Capsule::new(0.25, 1.7)).with_margin(0.05),
        _ => Volume::from(Aabb::new([-0.2, -0.8, -0.2], [0.2, 0.8, 0.2])).with_margin(0.1),
    }
}

/// Returns a prism with eight sides, which is wider in the middle.
fn hull() -> ConvexHull {
    let ring = |height: f32, radius: f32| {
        (0..8u8).map(move |side| {
            let (sin, cos) = (f32::from(side) * core::f32::consts::FRAC_PI_4).sin_cos();
            Vec3::new(radius * cos, height, radius * sin)
        })
    };
    let corners: Vec<Vec3> = ring(-0.9, 0.25).chain(ring(0.0, 0.35)).chain(ring(0.9, 0.25)).collect();
    ConvexHull::new(&corners).unwrap()
}
