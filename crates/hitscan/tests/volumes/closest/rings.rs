//! Tori, by their whole surface: a grid of surface points, the nearest of which are refined in small steps.

use crate::closest::subject::{Subject, U, local_place, transform};
use crate::closest::{points, random};
use crate::common::Random;
use core::f64::consts::TAU;
use hitscan::Torus;
use hitscan::glam::{DAffine3, DVec3};

const GRID: [usize; 2] = [48, 24];
const IMPROVED: usize = 8;

struct Ring {
    major: f64,
    minor: f64,
    to_world: DAffine3,
}

impl Ring {
    /// Returns the surface point at two angles, `None` if it is inside the torus's opposite side.
    fn at(&self, u: f64, v: f64) -> Option<DVec3> {
        let radius = self.major + self.minor * v.cos();
        let local = DVec3::new(radius * u.cos(), self.minor * v.sin(), radius * u.sin());
        (radius >= 0.0).then(|| self.to_world.transform_point3(local))
    }

    fn distance(&self, place: DVec3, u: f64, v: f64) -> f64 {
        self.at(u, v).map_or(f64::INFINITY, |point| point.distance(place))
    }

    fn nearest(&self, place: DVec3) -> f64 {
        let mut best: Vec<(f64, f64, f64)> = Vec::new();
        for i in 0..GRID[0] * GRID[1] {
            let (u, v) = ((i / GRID[1]) as f64 * TAU / GRID[0] as f64, (i % GRID[1]) as f64 * TAU / GRID[1] as f64);
            best.push((self.distance(place, u, v), u, v));
        }
        best.sort_by(|a, b| a.0.total_cmp(&b.0));
        let improved = best.iter().take(IMPROVED).map(|&start| self.improved(place, start));
        let poles = [1.0, -1.0].map(|side| {
            let height = (self.minor * self.minor - self.major * self.major).sqrt();
            self.to_world.transform_point3(DVec3::Y * height * side).distance(place)
        });
        improved.chain(poles.into_iter().filter(|distance| distance.is_finite())).fold(f64::INFINITY, f64::min)
    }

    fn improved(&self, place: DVec3, (mut distance, mut u, mut v): (f64, f64, f64)) -> f64 {
        let mut step = 0.1;
        while step > 1e-10 {
            let ways =
                [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0), (1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)];
            let tried =
                ways.map(|(x, y)| (u + x * step, v + y * step)).map(|(u, v)| (self.distance(place, u, v), u, v));
            let next = tried.into_iter().fold((distance, u, v), |a, b| if b.0 < a.0 { b } else { a });
            if next.0 < distance { (distance, u, v) = next } else { step *= 0.5 }
        }
        distance
    }

    /// Returns the distance of a place from the surface, to the first order of the distance.
    fn off(&self, place: DVec3) -> f64 {
        let local = self.to_world.inverse().transform_point3(place);
        let beside = local.x.hypot(local.z);
        let part = 1.0 - self.major / beside;
        let slope = self.to_world.inverse().matrix3.transpose()
            * DVec3::new(local.x * part, local.y, local.z * part).normalize();
        (((beside - self.major).hypot(local.y) - self.minor) / slope.length()).abs()
    }
}

fn prove(random: &mut Random) -> f64 {
    let seed = random.0;
    let (major, minor) = match random.below(3) {
        0 => (1.0, 0.25),
        1 => (0.5, 1.0),
        _ => (random.unit().abs() as f32 + 0.1, random.unit().abs() as f32 + 0.1),
    };
    let to_world = transform(random);
    let ring = Ring { major: f64::from(major), minor: f64::from(minor), to_world };
    let linear = to_world.matrix3;
    let stretch = linear.x_axis.length() + linear.y_axis.length() + linear.z_axis.length();
    let size = stretch * (ring.major + ring.minor);
    let subject = Subject::new(Torus { major, minor }, to_world, true, size);
    let flat = ring.major + ring.minor;
    let mut place = to_world.transform_point3(local_place(random, DVec3::new(flat, ring.minor, flat)));
    if random.below(2) == 0 {
        let inside = DVec3::new(ring.major + ring.minor * random.unit(), 0.0, 0.0);
        place = to_world.transform_point3(hitscan::glam::DQuat::from_rotation_y(random.unit() * 4.0) * inside);
    }
    let answer = subject.ask(place);
    let slack = 64.0 * U * subject.reach(place);
    let error = (answer.distance - ring.nearest(place)).max(0.0);
    let off = ring.off(place + answer.offset);
    let said = || {
        format!(
            "seed {seed}: {error:e} {off:e} of {}, {place} {answer:?} {major} {minor} {to_world:?}",
            subject.reach(place)
        )
    };
    assert!(error <= slack, "{}", said());
    // The function has no slope at the poles.
    assert!(off <= slack * 16.0 || ring.minor >= ring.major, "{}", said());
    subject.prove_lipschitz(random, place, slack);
    subject.prove_agreement(random, place, 1e-4 * size + 1e-11 * subject.reach(place));
    error / subject.reach(place)
}

#[test]
fn of_rings_by_every_transform() {
    let mut random = random();
    let worst = (0..points() / 100).map(|_| prove(&mut random)).fold(0.0, f64::max);
    println!("rings: {:.1} u of the coordinates off at most", worst / U);
}

/// Returns the distance of a place from the torus's section at the same z. This is an upper bound of its distance from
/// the torus.
fn to_section(place: DVec3, z: f64) -> f64 {
    let at = |v: f64| {
        let radius = 1.0 + 0.25 * v.cos();
        let x = (radius * radius - z * z).sqrt().copysign(place.x);
        DVec3::new(x - place.x, 0.25 * v.sin() - place.y, 0.0).length()
    };
    let nearer = |a: f64, b: f64| if at(b) < at(a) || at(a).is_nan() { b } else { a };
    let mut best = (0..2000).map(|i| f64::from(i) * TAU / 2000.0).fold(0.0, nearer);
    let mut step = TAU / 2000.0;
    while step > 1e-12 {
        best = nearer(nearer(best, best + step), best - step);
        step *= 0.8;
    }
    at(best)
}

/// The search for strongly stretched tori was once slow, and the point that it found was not the nearest.
#[test]
fn of_rings_that_are_stretched_far() {
    let mut random = random();
    for stretch in [10.0, 100.0, 1e4] {
        let to_world = DAffine3::from_scale(DVec3::new(1.0, 1.0, stretch));
        let subject = Subject::new(Torus::new(1.0, 0.25), to_world, true, 2.0 * stretch);
        assert!((subject.ask(DVec3::X).signed() + 0.25).abs() < 1e-15 * stretch, "{stretch}");
        for _ in 0..points() / 100 {
            let angle = 3.0 * random.unit();
            let local = DVec3::new(angle.cos(), 0.2 * random.unit(), angle.sin()) * (1.0 + 0.1 * random.unit());
            let place = to_world.transform_point3(local);
            let answer = subject.ask(place);
            // The search may end before its answer is certain if the stretch is above 100.
            let slack = if stretch > 100.0 { 1e-7 } else { 64.0 * U } * subject.reach(place);
            let most = to_section(place, local.z) + slack;
            assert!(!(answer.distance > most), "{stretch} {place} {answer:?}, {most}");
        }
    }
}
