//! Rays at difficult targets: corners, edges, grid lines, planes and borders, from anywhere and of any length.

use crate::common::Random;
use crate::exact::subjects::Subject;
use hitscan::Ray;
use hitscan::glam::DVec3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aim {
    Vertex,
    Edge,
    Midpoint,
    /// The ray goes from one point of a coarse grid to another.
    GridLine,
    AlongAxis,
    /// The ray goes from one point of a triangle's plane to another.
    InPlane,
    OnSurface,
    Border,
    /// The ray starts 10^7 radii away.
    Far,
}

impl Aim {
    pub(crate) const ALL: [Self; 9] = [
        Self::Vertex,
        Self::Edge,
        Self::Midpoint,
        Self::GridLine,
        Self::AlongAxis,
        Self::InPlane,
        Self::OnSurface,
        Self::Border,
        Self::Far,
    ];
}

/// The start and the target of a ray, before rounding.
pub(crate) struct Way {
    pub(crate) aim: Aim,
    pub(crate) from: DVec3,
    pub(crate) to: DVec3,
    /// Is true if the start is inside the closed surface.
    pub(crate) is_inside: bool,
}

impl Way {
    pub(crate) fn new(subject: &Subject, aim: Aim, random: &mut Random) -> Self {
        let to = target(subject, aim, random);
        let size = subject.size();
        let (from, to) = match aim {
            Aim::GridLine => (coarse(subject, subject.middle() + random.cube() * size, random), to),
            Aim::AlongAxis => {
                let axis = DVec3::AXES[random.below(3)] * if random.below(2) == 0 { 1.0 } else { -1.0 };
                (to - axis * (2f64.powi(size.log2().ceil() as i32 + random.below(3) as i32)), to)
            }
            Aim::InPlane => in_plane(subject, random),
            Aim::OnSurface => {
                let on = target(subject, [Aim::Vertex, Aim::Edge, Aim::Midpoint][random.below(3)], random);
                let way = if random.below(2) == 0 { to - on } else { random.direction() * size };
                (on, on + way)
            }
            Aim::Far if random.below(2) == 0 => {
                // The offset has few bits. So the ray goes exactly through the target if the target has few bits, too.
                let way = DVec3::from([(); 3].map(|()| random.below(33) as f64 - 16.0)) * size;
                (to - way * 2f64.powi(19), to)
            }
            Aim::Far => (to + random.direction() * size * 0.5e7, to),
            Aim::Vertex | Aim::Edge | Aim::Midpoint | Aim::Border => {
                return Self::from_anywhere(subject, aim, to, random);
            }
        };
        Self { aim, from, to, is_inside: false }
    }

    fn from_anywhere(subject: &Subject, aim: Aim, to: DVec3, random: &mut Random) -> Self {
        let (middle, size) = (subject.middle(), subject.size());
        let deep = 0.05 * (subject.high - subject.low).min_element();
        let from = match random.below(6) {
            0 => middle,
            1 => middle + DVec3::new(0.0, deep, 0.0),
            2 => middle + random.cube() * deep,
            3 => to + random.direction() * size * 1e-4,
            4 => coarse(subject, middle + random.cube() * size, random),
            _ => middle + random.direction() * size * (0.6 + random.unit().abs() * 3.0),
        };
        let is_inside = subject.inside.is_some() && (from - middle).abs().max_element() <= deep;
        Self { aim, from, to, is_inside }
    }

    /// Returns the ray in f32, with a random length and range; `None` if f32 cannot represent it.
    pub(crate) fn ray(&self, random: &mut Random) -> Option<Ray> {
        let origin = self.from.as_vec3();
        let way = if self.aim == Aim::AlongAxis { self.to - self.from } else { self.to - origin.as_dvec3() };
        let unit = match random.below(5) {
            0 | 1 => 1.0,
            2 => way.length().recip(),
            3 => 2f64.powi(random.below(199) as i32 - 99),
            _ => 2f64.powi(random.below(199) as i32 - 99) / 2f64.powi(way.length().log2().floor() as i32),
        };
        let ray = Ray::with_direction(origin, (way * unit).as_vec3());
        let t = (1.0 / unit) as f32;
        let ray = match random.below(12) {
            0 => ray.with_range(0.0, t),
            1 => ray.with_range(t, f32::INFINITY),
            2 => ray.with_range(t * 0.5, t.next_down()),
            3 => ray.with_range(-t, t),
            4 => ray.with_range(f32::NEG_INFINITY, f32::INFINITY),
            5 => ray.with_range(t.next_up(), f32::MAX),
            _ => ray,
        };
        ray.validate().is_ok().then_some(ray)
    }
}

fn corners(subject: &Subject, random: &mut Random) -> [DVec3; 3] {
    let triangles = subject.oracle.corners();
    let [a, b, c] = triangles[random.below(triangles.len())];
    [[a, b, c], [b, c, a], [c, a, b]][random.below(3)]
}

fn target(subject: &Subject, aim: Aim, random: &mut Random) -> DVec3 {
    let [a, b, _] = corners(subject, random);
    match aim {
        Aim::Vertex | Aim::Far => a,
        Aim::Edge | Aim::InPlane => a.lerp(b, random.unit().abs()),
        Aim::Midpoint => (a + b) / 2.0,
        Aim::GridLine => coarse(subject, a, random),
        Aim::AlongAxis | Aim::OnSurface => [a, (a + b) / 2.0][random.below(2)],
        Aim::Border if subject.border.is_empty() => a.lerp(b, random.below(9) as f64 / 8.0),
        Aim::Border => {
            let edge = subject.border[random.below(subject.border.len())];
            let [a, b] = edge.map(|i| subject.surface.positions[i as usize].as_dvec3());
            [a, (a + b) / 2.0, a.lerp(b, random.unit().abs()), b + (b - a)][random.below(4)]
        }
    }
}

/// Moves a point to a grid of 8 to 16 cells along the surface's longest side.
fn coarse(subject: &Subject, p: DVec3, random: &mut Random) -> DVec3 {
    let cell = 2f64.powi(subject.size().log2().floor() as i32 - 3 - random.below(2) as i32);
    (p / cell).round() * cell
}

/// Returns two points that are exactly in a triangle's plane if coordinates have few bits.
fn in_plane(subject: &Subject, random: &mut Random) -> (DVec3, DVec3) {
    let [a, b, c] = corners(subject, random);
    let mut point = |reach: usize| {
        let mut weight = || (random.below(8 * reach + 1) as f64 / 4.0) - reach as f64;
        a + (b - a) * weight() + (c - a) * weight()
    };
    (point(4), point(1))
}
