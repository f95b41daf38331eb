//! The courses: triangles, the starts of characters and their wanted motions.

use super::walkers::SPEED;
use ::hitscan::glam::{DVec3, Vec3};

/// A course of triangles.
pub(super) struct Course {
    pub(super) name: &'static str,
    pub(super) positions: Vec<Vec3>,
    pub(super) triangles: Vec<[u32; 3]>,
    /// The height from which characters fall at the start.
    top: f64,
    /// True for a flat course, on which the characters only turn and never leave the ground.
    pub(super) is_flat: bool,
}

pub(super) fn all() -> [Course; 3] {
    [hills(), town(), flat()]
}

impl Course {
    fn new(name: &'static str, top: f64, is_flat: bool) -> Self {
        Self { name, positions: Vec::new(), triangles: Vec::new(), top, is_flat }
    }

    /// Returns the middles of the characters at the start.
    pub(super) fn starts(&self, count: usize) -> Vec<DVec3> {
        let side = count.isqrt().max(1);
        let place = |number: usize| {
            let at = |k: usize| k as f64 * 36.0 / side as f64 - 18.0;
            DVec3::new(at(number % side), self.top, at(number / side))
        };
        (0..count).map(place).collect()
    }

    /// Returns the velocity that a character wants at a step: it turns every two seconds.
    pub(super) fn wanted(&self, number: usize, step: usize) -> DVec3 {
        let angle = number as f64 * 0.7 + (step / 120) as f64 * 2.1;
        DVec3::new(libm::cos(angle), 0.0, libm::sin(angle)) * SPEED
    }

    fn grid(&mut self, cells: u32, size: f32, height: impl Fn(f32, f32) -> f32) {
        let row = cells + 1;
        let at = |k: u32| k as f32 * size - 0.5 * cells as f32 * size;
        for z in 0..row {
            self.positions.extend((0..row).map(|x| Vec3::new(at(x), height(at(x), at(z)), at(z))));
        }
        for z in 0..cells {
            for corner in (0..cells).map(|x| z * row + x) {
                self.triangles.push([corner, corner + row, corner + 1]);
                self.triangles.push([corner + 1, corner + row, corner + row + 1]);
            }
        }
    }

    /// Adds a box that stands on the ground, without its base.
    fn block(&mut self, low: [f32; 2], high: [f32; 2], top: f32) {
        let first = self.positions.len() as u32;
        let corners = [[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]];
        self.positions.extend(corners.iter().flat_map(|[x, z]| [Vec3::new(*x, 0.0, *z), Vec3::new(*x, top, *z)]));
        for side in 0..4 {
            let (a, b) = (first + 2 * side, first + 2 * ((side + 1) % 4));
            self.triangles.extend([[a, a + 1, b], [b, a + 1, b + 1]]);
        }
        self.triangles.extend([[first + 1, first + 5, first + 3], [first + 1, first + 7, first + 5]]);
    }
}

/// Smooth hills of 20,000 triangles, nowhere too steep.
fn hills() -> Course {
    let mut course = Course::new("hills, 20,000 tri", 4.0, false);
    course.grid(100, 1.0, |x, z| 2.0 * libm::sinf(x * 0.25) * libm::cosf(z * 0.25));
    course
}

/// A floor of 20,000 triangles with walls, stairs and kerbs.
fn town() -> Course {
    let mut course = Course::new("town, 21,000 tri", 5.0, false);
    course.grid(100, 1.0, |_, _| 0.0);
    for block in 0..10 {
        for row in 0..10 {
            let (x, z) = (block as f32 * 4.4 - 21.0, row as f32 * 4.4 - 21.0);
            match (block + row) % 3 {
                0 => course.block([x, z], [x + 1.0, z + 1.5], 2.5),
                1 => (0..8).for_each(|step| {
                    course.block([x + 0.3 * step as f32, z], [x + 2.4, z + 1.5], 0.25 * (step + 1) as f32);
                }),
                _ => course.block([x, z], [x + 2.0, z + 0.8], 0.15),
            }
        }
    }
    course
}

/// A flat floor, on which nothing should move up or down.
fn flat() -> Course {
    let mut course = Course::new("flat, 20,000 tri", 1.2, true);
    course.grid(100, 1.0, |_, _| 0.0);
    course
}
