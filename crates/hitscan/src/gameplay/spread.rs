//! Directions around a given one, like the pellets of a shotgun.

use crate::math::float::{round_vec3, sqrt, unit};
use crate::math::splitmix64::splitmix64;
use core::f64::consts::{PI, TAU};
use glam::{DVec3, Vec3};

/// Returns `count` unit directions that are spread evenly, by solid angle, in a cone around a direction of any length.
/// `angle` is the angle between the axis and the side of the cone, in radians from 0 to pi.
///
/// The same seed gives the same directions on every platform. So a server and its clients agree on them. There are no
/// directions if `direction` is zero or not finite, or if the angle is out of range.
///
/// ```
/// use hitscan::gameplay::spread;
/// use hitscan::glam::Vec3;
///
/// let pellets: Vec<Vec3> = spread([0.0, 0.0, -2.0], 0.1, 12, 7).collect();
/// assert_eq!(pellets.len(), 12);
/// assert!(pellets.iter().all(|pellet| pellet.angle_between(Vec3::NEG_Z) < 0.1001));
/// assert_eq!(pellets, spread([0.0, 0.0, -2.0], 0.1, 12, 7).collect::<Vec<_>>());
/// ```
#[doc(alias("cone", "shotgun", "inaccuracy", "pellets"))]
pub fn spread(direction: impl Into<Vec3>, angle: f32, count: usize, seed: u64) -> impl Iterator<Item = Vec3> {
    let axis = unit(direction.into().as_dvec3()).filter(|_| (0.0..=PI as f32).contains(&angle));
    let lowest = libm::cos(f64::from(angle));
    let mut state = seed;
    let mut random = move || (splitmix64(&mut state) >> 11) as f64 / (1u64 << 53) as f64;
    let pellet = move |axis: DVec3| {
        // If points are spread evenly over a spherical cap, their heights along its axis are spread evenly (Archimedes).
        let (along, turn) = (1.0 - random() * (1.0 - lowest), TAU * random());
        let (u, v) = axis.any_orthonormal_pair();
        let across = sqrt((1.0 - along * along).max(0.0));
        round_vec3(axis * along + (u * libm::cos(turn) + v * libm::sin(turn)) * across)
    };
    core::iter::repeat_n(axis, count).flatten().map(pellet)
}
