//! Motions that do not press into any of several planes. docs/robustness/characters.md derives the constants.

use crate::collections::sort::SharedSort;
use crate::math::float::{larger, length, unit};
use alloc::vec::Vec;
use core::cmp::Ordering;
use glam::DVec3;

/// A component into a plane that is at most this fraction of the motion is treated as rounding. The first fraction is above the rounding error of a motion
/// along a plane. The second is for nearly parallel planes, where the error of the motion along their intersection line is larger.
const SLIGHT: [f64; 2] = [16.0 * f64::EPSILON, 1e-12];

/// By rounding, a separation from several planes may be too short for a plane by this fraction of the plane's depth.
const SHORT: f64 = 1e-9;

/// If the cosine between two normals is above this (an angle of 1.4e-6), only the deeper of the two planes is used.
const SAME_PLANE: f64 = 1.0 - 1e-12;

/// The common point of planes is computed only above these limits. They are the least square of the sine between two normals, and the least volume that three
/// normals span. They only prevent divisions by rounding errors: `is_out` rejects points that are not exact enough.
const LEAST_SQUARE: f64 = 1e-12;
const LEAST_VOLUME: f64 = 1e-9;

/// Returns the motion nearest to a wanted motion that presses into none of the planes with these unit normals. It is the
/// wanted motion itself, or is along one plane, along the intersection line of two, or zero in a corner.
pub(super) fn along(wanted: DVec3, normals: &[DVec3]) -> DVec3 {
    let apart = |motion: DVec3| (motion - wanted).length_squared();
    let within = |slight: f64| {
        let is_free = |motion: &DVec3| normals.iter().all(|normal| motion.dot(*normal) >= -slight * length(wanted));
        if is_free(&wanted) {
            return Some(wanted);
        }
        let one = normals.iter().map(|normal| wanted - *normal * wanted.dot(*normal));
        let pairs = normals.iter().enumerate().flat_map(|(k, a)| normals[..k].iter().map(move |b| a.cross(*b)));
        let two = pairs.filter_map(unit).map(|line| line * wanted.dot(line));
        one.chain(two).filter(is_free).reduce(|a, b| if apart(b) < apart(a) { b } else { a })
    };
    SLIGHT.into_iter().find_map(within).unwrap_or(DVec3::ZERO)
}

/// Returns the motion over a slope that has a given horizontal component; the slope's normal must not be perpendicular to up.
pub(super) fn over(lateral: DVec3, normal: DVec3, up: DVec3) -> DVec3 {
    lateral - up * (lateral.dot(normal) / up.dot(normal))
}

/// Returns the smallest translation that leads out of several planes. Along the unit normal of each plane, it is at
/// least as long as the depth. If there is no such translation, returns the result of [`pushed`].
///
/// The smallest translation is a combination of the normals of one, two or three of the planes, and leads out of the
/// others too.
pub(super) fn out_of(planes: &[(DVec3, f64)]) -> DVec3 {
    let planes = distinct(planes);
    let is_out = |way: DVec3| planes.iter().all(|(normal, depth)| way.dot(*normal) >= depth - SHORT * depth);
    if planes.is_empty() {
        return DVec3::ZERO;
    }
    let one = planes.iter().map(|(normal, depth)| *normal * *depth);
    let shortest = |ways: &mut dyn Iterator<Item = DVec3>| {
        let out = ways.filter(|way| is_out(*way));
        out.reduce(|a, b| if b.length_squared() < a.length_squared() { b } else { a })
    };
    let count = planes.len();
    let pairs = (0..count).flat_map(|a| (0..a).map(move |b| (a, b)));
    let triples = (0..count).flat_map(|a| (0..a).flat_map(move |b| (0..b).map(move |c| (a, b, c))));
    shortest(&mut one.into_iter())
        .or_else(|| shortest(&mut pairs.filter_map(|(a, b)| against_two(planes[a], planes[b]))))
        .or_else(|| shortest(&mut triples.filter_map(|(a, b, c)| against_three([planes[a], planes[b], planes[c]]))))
        .unwrap_or_else(|| pushed(&planes))
}

/// Returns the deepest planes, at most `MOST_PLANES`. Of several nearly equal planes, only the deepest is returned.
fn distinct(planes: &[(DVec3, f64)]) -> Vec<(DVec3, f64)> {
    let mut deepest_first = planes.to_vec();
    // Equally deep planes are sorted by their normals. So the order in which a tree finds them has no effect.
    let order = |a: DVec3, b: DVec3| {
        let mut axes = a.to_array().into_iter().zip(b.to_array()).map(|(a, b)| a.total_cmp(&b));
        axes.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    };
    deepest_first.sort_shared_stable_by(|a, b| b.1.total_cmp(&a.1).then_with(|| order(a.0, b.0)));
    let mut kept: Vec<(DVec3, f64)> = Vec::new();
    for plane in deepest_first {
        if kept.len() < MOST_PLANES && kept.iter().all(|(normal, _)| normal.dot(plane.0) <= SAME_PLANE) {
            kept.push(plane);
        }
    }
    kept
}

/// The largest number of planes that are considered together.
const MOST_PLANES: usize = 12;

fn against_two((a, p): (DVec3, f64), (b, q): (DVec3, f64)) -> Option<DVec3> {
    let cosine = a.dot(b);
    let square = 1.0 - cosine * cosine;
    (square > LEAST_SQUARE).then(|| (a * (p - q * cosine) + b * (q - p * cosine)) / square)
}

fn against_three([(a, p), (b, q), (c, r)]: [(DVec3, f64); 3]) -> Option<DVec3> {
    let volume = a.cross(b).dot(c);
    (volume.abs() > LEAST_VOLUME).then(|| (b.cross(c) * p + c.cross(a) * q + a.cross(b) * r) / volume)
}

/// Returns the translation after several rounds. In a round, each plane in turn pushes by the rest of its depth, as in E. Catto's plane solver in Box3D.
fn pushed(planes: &[(DVec3, f64)]) -> DVec3 {
    let mut way = DVec3::ZERO;
    for _ in 0..ROUNDS {
        for (normal, depth) in planes {
            way += *normal * larger(depth - way.dot(*normal), 0.0);
        }
    }
    way
}

/// The number of rounds in which the planes push.
const ROUNDS: usize = 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_motion_goes_along_what_is_in_its_way() {
        let (x, y, z) = (DVec3::X, DVec3::Y, DVec3::Z);
        let wanted = DVec3::new(-1.0, -2.0, -3.0);
        assert_eq!(along(wanted, &[]), wanted);
        assert_eq!(along(wanted, &[y]), DVec3::new(-1.0, 0.0, -3.0));
        assert_eq!(along(wanted, &[y, x]), DVec3::new(0.0, 0.0, -3.0));
        assert_eq!(along(wanted, &[y, x, z]), DVec3::ZERO);
        assert_eq!(along(wanted, &[-x, -y]), wanted);
        // The only motion into an acute wedge is along its edge.
        let (a, b) = (DVec3::new(0.6, 0.0, 0.8), DVec3::new(-0.6, 0.0, 0.8));
        assert_eq!(along(DVec3::new(0.1, 5.0, -1.0), &[a, b]), DVec3::new(0.0, 5.0, 0.0));
    }

    /// A sweep along a motion into one of the two surfaces would stop at once.
    #[test]
    fn a_motion_along_uneven_ground_and_a_wall_goes_into_neither() {
        let wall = DVec3::new(-0.41005934739470196, -0.00015177755219163722, 0.9120588295596977);
        let ground = DVec3::new(6.515673030410258e-5, 0.9999999891192447, 0.00013234844590947207);
        let wanted = DVec3::new(-0.0640398792850824, 0.0, -0.053322962273269485);
        let fence = unit(wall.reject_from_normalized(DVec3::Y)).unwrap();
        let motion = along(over(along(wanted, &[fence]), ground, DVec3::Y), &[wall, ground]);
        let into = motion.dot(wall).min(motion.dot(ground));
        assert!(length(motion) > 0.08 && into >= -32.0 * f64::EPSILON * length(motion), "{motion}, {into:e}");
    }

    #[test]
    fn the_way_out_clears_every_plane() {
        let planes = [(DVec3::Y, 0.5), (DVec3::new(0.6, 0.8, 0.0), 0.7), (DVec3::X, 0.1)];
        let way = out_of(&planes);
        assert!(planes.iter().all(|(normal, depth)| way.dot(*normal) >= depth - 1e-9), "{way}");
        assert!(length(way) < 0.8);
    }

    #[test]
    fn the_way_out_does_not_depend_on_the_order() {
        let numbers = (1..400).map(|k| (f64::from(k) * 0.618_033_988_749_895).fract() - 0.5);
        let numbers: Vec<f64> = numbers.collect();
        for normals in numbers.chunks_exact(9).map(|n| [0, 3, 6].map(|k| DVec3::new(n[k], n[k + 1] + 0.5, n[k + 2]))) {
            let planes = normals.map(|normal| (normal.normalize(), 0.3));
            let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
            let ways = orders.map(|order| out_of(&order.map(|number| planes[number])).to_array().map(f64::to_bits));
            assert!(ways.iter().all(|way| *way == ways[0]), "{ways:?}");
        }
    }
}
