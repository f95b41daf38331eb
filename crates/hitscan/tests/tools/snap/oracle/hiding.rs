//! The triangles in front of a point, found by the pixels that they cover.

use super::Lens;
use super::world::World;
use hitscan::glam::{DVec2, DVec3};

/// The decision whether a point is hidden, as far as f64 can decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sight {
    Seen,
    Doubtful,
    Hidden,
}

/// The size of a cell, in pixels.
const CELL: f64 = 4.0;

/// The triangles of a picture, in cells of pixels.
pub(crate) struct Hiding {
    lens: Lens,
    columns: usize,
    rows: usize,
    cells: Vec<Vec<u32>>,
    /// The corners of each triangle, and the error of their coordinates.
    triangles: Vec<([DVec3; 3], DVec3)>,
}

impl Hiding {
    pub(crate) fn new(world: &World, lens: &Lens) -> Self {
        let [width, height] = lens.size.map(f64::from);
        let (columns, rows) = ((width / CELL) as usize + 1, (height / CELL) as usize + 1);
        let triangle = |&(part, corners): &(usize, [DVec3; 3])| (corners, world.parts[part].rounding);
        let triangles = world.triangles.iter().map(triangle).collect();
        let mut hiding = Self { lens: *lens, columns, rows, cells: vec![Vec::new(); columns * rows], triangles };
        for number in 0..hiding.triangles.len() {
            hiding.add(number);
        }
        hiding
    }

    fn add(&mut self, number: usize) {
        let views = self.triangles[number].0.map(|corner| self.lens.view(corner));
        if views.iter().all(|view| view.z <= 0.0) {
            return;
        }
        let (mut low, mut high) = (DVec2::ZERO, DVec2::new(self.lens.size[0].into(), self.lens.size[1].into()));
        // A triangle that is partly behind the eye may be anywhere.
        if views.iter().all(|view| view.z > 1e-6) {
            let pixels = views.map(|view| self.lens.pixel_of_view(view));
            low = low.max(pixels[0].min(pixels[1]).min(pixels[2]) - 0.5);
            high = high.min(pixels[0].max(pixels[1]).max(pixels[2]) + 0.5);
        }
        if low.cmpgt(high).any() {
            return;
        }
        let cell = |at: f64, count: usize| ((at / CELL) as usize).min(count - 1);
        for row in cell(low.y, self.rows)..=cell(high.y, self.rows) {
            for column in cell(low.x, self.columns)..=cell(high.x, self.columns) {
                self.cells[row * self.columns + column].push(number as u32);
            }
        }
    }

    /// Returns whether a triangle hides a point, given its pixel and the error of its coordinates.
    pub(crate) fn sight(&self, point: DVec3, pixel: DVec2, rounding: DVec3) -> Sight {
        let (column, row) = ((pixel.x / CELL) as usize, (pixel.y / CELL) as usize);
        let mut sight = Sight::Seen;
        for &number in &self.cells[row.min(self.rows - 1) * self.columns + column.min(self.columns - 1)] {
            let (corners, other) = self.triangles[number as usize];
            match self.sight_past(corners, point, rounding + other) {
                Sight::Hidden => return Sight::Hidden,
                Sight::Doubtful => sight = Sight::Doubtful,
                Sight::Seen => {}
            }
        }
        sight
    }

    fn sight_past(&self, [a, b, c]: [DVec3; 3], point: DVec3, rounding: DVec3) -> Sight {
        let view = self.lens.view(point);
        let start = if self.lens.is_parallel() { point - self.forward() * view.z } else { self.lens.eye };
        let way = point - start;
        let normal = (b - a).cross(c - a).normalize();
        let normal = if normal.dot(way) > 0.0 { -normal } else { normal };
        // The line of sight spans volumes with the sides. These volumes, relative to their sum, decide where the line passes the triangle.
        let volumes = [(a, b), (b, c), (c, a)].map(|(p, q)| way.dot((p - start).cross(q - start)));
        let sum: f64 = volumes.iter().sum();
        let least = volumes.iter().map(|volume| volume / sum).fold(f64::INFINITY, f64::min);
        let behind = (a - point).dot(normal);
        let before = (start - a).dot(normal);
        let limit = way.length() / 4_194_304.0 + rounding.dot(normal.abs());
        // A triangle that is seen edge-on has no certain sides.
        let is_edge_on = before < 1e-5 * way.length();
        if behind < 0.5 * limit || least < -1e-4 || before < -1e-5 * way.length() {
            Sight::Seen
        } else if is_edge_on || behind < 2.0 * limit || least < 1e-4 || !least.is_finite() {
            Sight::Doubtful
        } else {
            Sight::Hidden
        }
    }

    fn forward(&self) -> DVec3 {
        (self.lens.target - self.lens.eye).normalize()
    }
}
