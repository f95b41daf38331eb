//! The course as an OBJ file: a color for each station, their numbers on the ground, and the walked path.

use super::stations::{Course, Form};
use hitscan::glam::{DAffine3, DVec3};

/// The stations in the order of the walk, with their colors; the index of a station is its number.
const STATIONS: [(&str, [f32; 3]); 14] = [
    ("ramps", [0.09, 0.24, 0.55]),
    ("ramps that meet a leaning slope", [0.03, 0.33, 0.33]),
    ("stairs", [0.62, 0.32, 0.06]),
    ("stairs that are too narrow", [0.48, 0.13, 0.06]),
    ("crouch gate", [0.26, 0.11, 0.45]),
    ("bumps", [0.12, 0.35, 0.06]),
    ("conveyor", [0.03, 0.03, 0.04]),
    ("platforms", [0.80, 0.52, 0.03]),
    ("pillars", [0.20, 0.28, 0.45]),
    ("zigzag wall", [0.30, 0.16, 0.09]),
    ("half cylinder", [0.10, 0.42, 0.62]),
    ("acute wedge", [0.50, 0.14, 0.30]),
    ("funnels", [0.16, 0.42, 0.20]),
    ("ground", [0.36, 0.36, 0.34]),
];
const PATH: [f32; 3] = [0.95, 0.04, 0.03];
const NUMBERS: [f32; 3] = [0.02, 0.02, 0.03];

/// The places of the numbers of the stations on the ground.
const PLACES: [[f64; 2]; 13] = [
    [-7.8, 0.0],
    [11.0, 44.6],
    [15.4, 5.0],
    [15.4, 17.2],
    [15.4, 21.0],
    [34.0, 4.0],
    [51.0, 3.6],
    [59.5, 12.0],
    [40.0, 33.1],
    [52.0, 33.1],
    [52.0, 42.0],
    [41.5, 40.6],
    [31.6, 45.2],
];

/// The half width of the path, and its height above the feet.
const WIDTH: f64 = 0.14;
const LIFT: f64 = 0.06;

/// The bars of a digit of 2 by 4, each a line from corner to corner: the top, then clockwise, and the middle.
const BARS: [[[f64; 2]; 2]; 7] = [
    [[0.0, 0.0], [2.0, 0.0]],
    [[2.0, 0.0], [2.0, 2.0]],
    [[2.0, 2.0], [2.0, 4.0]],
    [[0.0, 4.0], [2.0, 4.0]],
    [[0.0, 2.0], [0.0, 4.0]],
    [[0.0, 0.0], [0.0, 2.0]],
    [[0.0, 2.0], [2.0, 2.0]],
];

/// The bars that each digit has, the first in the lowest bit.
const DIGITS: [u8; 10] = [0x3f, 0x06, 0x5b, 0x4f, 0x66, 0x6d, 0x7d, 0x07, 0x7f, 0x6f];

/// The text of an OBJ file that is being written.
struct Obj {
    text: String,
    vertices: usize,
}

/// Returns the materials: one for each station, for the numbers and for the path.
pub(crate) fn mtl() -> String {
    let materials = STATIONS.into_iter().chain([("numbers", NUMBERS), ("path", PATH)]);
    let lines = materials.map(|(name, [r, g, b])| format!("newmtl {}\nKd {r} {g} {b}\n", name.replace(' ', "_")));
    lines.collect()
}

/// Returns the course and the path of the feet as an OBJ file.
pub(crate) fn obj(course: &Course, paths: &[Vec<DVec3>], library: &str) -> String {
    let mut obj = Obj { text: format!("mtllib {library}\n"), vertices: 0 };
    for (number, piece) in course.pieces.iter().enumerate() {
        obj.begin(&format!("{} {number}", piece.station), piece.station);
        match &piece.form {
            Form::Block(low, high) => obj.block(*low, *high, piece.place),
            Form::Triangles(positions, indices) => {
                let corners: Vec<_> = positions.iter().map(|at| piece.place.transform_point3(at.as_dvec3())).collect();
                let triangles: Vec<_> = indices.chunks(3).map(|three| three.iter().map(|k| *k as usize)).collect();
                obj.polygons(&corners, triangles);
            }
        }
    }
    obj.begin("numbers", "numbers");
    for (number, place) in (1..).zip(PLACES) {
        obj.number(number, place);
    }
    obj.begin("path", "path");
    paths.iter().for_each(|path| obj.ribbon(path));
    obj.text
}

impl Obj {
    fn begin(&mut self, name: &str, material: &str) {
        self.text.push_str(&format!("o {name}\nusemtl {}\n", material.replace(' ', "_")));
    }

    fn polygons<P: IntoIterator<Item = usize>>(&mut self, corners: &[DVec3], polygons: impl IntoIterator<Item = P>) {
        for DVec3 { x, y, z } in corners {
            self.text.push_str(&format!("v {x:.4} {y:.4} {z:.4}\n"));
        }
        for polygon in polygons {
            self.text.push('f');
            polygon.into_iter().for_each(|k| self.text.push_str(&format!(" {}", self.vertices + k + 1)));
            self.text.push('\n');
        }
        self.vertices += corners.len();
    }

    fn block(&mut self, low: [f32; 3], high: [f32; 3], place: DAffine3) {
        let at = |k: usize, axis: usize| f64::from(if k >> axis & 1 == 1 { high[axis] } else { low[axis] });
        let corners =
            [0, 1, 2, 3, 4, 5, 6, 7].map(|k| place.transform_point3([0, 1, 2].map(|axis| at(k, axis)).into()));
        let sides = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        self.polygons(&corners, sides);
    }

    fn number(&mut self, number: usize, [x, z]: [f64; 2]) {
        let text = number.to_string();
        for (digit, left) in text.bytes().map(|digit| usize::from(digit - b'0')).zip([x, x + 1.9]) {
            let has = |bar: usize| DIGITS[digit] >> bar & 1 == 1;
            for (_, [from, to]) in BARS.into_iter().enumerate().filter(|(bar, _)| has(*bar)) {
                let [low, high] = [(from, -0.16), (to, 0.16)]
                    .map(|([across, down], half)| [left + 0.6 * across + half, z + 0.6 * down - 1.2 + half]);
                let [low, high] = [(low, 0.005), (high, 0.02)].map(|([x, z], y)| [x as f32, y, z as f32]);
                self.block(low, high, DAffine3::IDENTITY);
            }
        }
    }

    /// Adds a path as a ribbon that lies flat and a thin wall along it.
    fn ribbon(&mut self, path: &[DVec3]) {
        let mut points: Vec<DVec3> = Vec::new();
        for point in path {
            if points.last().is_none_or(|last| last.distance(*point) > 0.2) {
                points.push(*point);
            }
        }
        for ends in points.windows(2) {
            let along = (ends[1] - ends[0]).normalize();
            let across = DVec3::new(-along.z, 0.0, along.x).normalize_or(DVec3::X) * WIDTH;
            let [from, to] = [ends[0] - along * 0.05, ends[1] + along * 0.05].map(|end| end + DVec3::Y * LIFT);
            let up = DVec3::Y * WIDTH;
            self.polygons(&[from - across, from + across, to + across, to - across], [[0, 1, 2, 3]]);
            self.polygons(&[from - up, from + up, to + up, to - up], [[0, 1, 2, 3]]);
        }
    }
}
