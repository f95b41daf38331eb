//! One character of each kind of volume, and one solid of each kind. All characters are about as large.

use crate::common::{Surface, icosphere};
use hitscan::glam::{DAffine3, DQuat, DVec3, Vec3};
use hitscan::prelude::*;
use hitscan::{Compound, Cone, ConvexHull, Cylinder, Geometry, HeightField, OrientedBox, Torus};

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

/// Returns the geometry that the other characters of a crowd collide with, for a character with the volume of this
/// number.
pub(crate) fn body(number: usize) -> Geometry {
    match volume(number) {
        Volume::Capsule(capsule) => capsule.into(),
        Volume::Sphere(sphere) => sphere.into(),
        Volume::Cylinder(cylinder) => cylinder.into(),
        Volume::Aabb(aabb) => aabb.into(),
        Volume::Cone(cone) => cone.into(),
        Volume::OrientedBox(chest) => chest.into(),
        Volume::ConvexHull(hull) => hull.into(),
        _ if number == 7 => Capsule::new(0.3, 1.8).into(),
        _ => Aabb::new([-0.3, -0.9, -0.3], [0.3, 0.9, 0.3]).into(),
    }
}

pub(crate) const SOLIDS: usize = 12;

/// The number of the ring among the solids.
pub(crate) const RING: usize = 5;

/// Returns the geometry of a number below [`SOLIDS`]. It is one of six convex or round solids, a closed mesh, a cross of boxes, hills, a capsule, a box that is
/// turned in its own space, and a plate.
pub(crate) fn solid(number: usize, size: f32) -> Geometry {
    let bar = |half: [f32; 3]| {
        let half = Vec3::from(half) * size;
        (Aabb::new(-half, half).into(), DVec3::ZERO.into())
    };
    match number {
        0 => Aabb::new([-size; 3], [size; 3]).into(),
        1 => Sphere::new(size).into(),
        2 => Cylinder::new(size, 2.0 * size).into(),
        3 => Cone::new(size, 2.0 * size).into(),
        4 => ConvexHull::new(&stone(size).positions).unwrap().into(),
        5 => Torus::new(size, 0.4 * size).into(),
        6 => rock(size).mesh().into(),
        7 => Compound::new([bar([1.0, 0.3, 0.3]), bar([0.3, 1.0, 0.3])]).unwrap().into(),
        8 => {
            let heights = [0.0, 0.1, 0.0, 0.3, 0.8, 0.2, 0.0, 0.3, 0.1].map(|height: f32| height * size);
            let hills = HeightField::new(3, 3, [size; 2], &heights).unwrap();
            Compound::new([(hills.into(), (DVec3::new(-1.0, 0.0, -1.0) * f64::from(size)).into())]).unwrap().into()
        }
        9 => Capsule::new(0.5 * size, 3.0 * size).into(),
        10 => OrientedBox::new(Aabb::new([-size; 3], [size; 3]), DAffine3::from_quat(own_turn())).unwrap().into(),
        _ => Aabb::new([-0.1 * size, -1.5 * size, -1.5 * size], [0.1 * size, 1.5 * size, 1.5 * size]).into(),
    }
}

/// Returns the faces of the hull among the solids.
pub(crate) fn stone(size: f32) -> Surface {
    icosphere(0).map(|p| p * size * Vec3::new(1.0, 0.5, 1.2))
}

/// Returns the closed mesh among the solids.
pub(crate) fn rock(size: f32) -> Surface {
    icosphere(1).map(|p| p * size)
}

/// Returns the rotation, in its own space, of the box that is one of the solids.
pub(crate) fn own_turn() -> DQuat {
    DQuat::from_rotation_x(0.5) * DQuat::from_rotation_z(0.3)
}

/// Returns a prism with eight sides, which is wider in the middle.
fn hull() -> ConvexHull {
    ConvexHull::new(&hull_corners()).unwrap()
}

/// Returns the vertices of the hull among the volumes.
pub(crate) fn hull_corners() -> Vec<Vec3> {
    let ring = |height: f32, radius: f32| {
        (0..8u8).map(move |side| {
            let (sin, cos) = (f32::from(side) * core::f32::consts::FRAC_PI_4).sin_cos();
            Vec3::new(radius * cos, height, radius * sin)
        })
    };
    ring(-0.9, 0.25).chain(ring(0.0, 0.35)).chain(ring(0.9, 0.25)).collect()
}
