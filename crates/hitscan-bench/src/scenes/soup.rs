//! Triangles, and the basic shapes of the generated scenes.

use hitscan::glam::{DAffine3, DVec3};
use std::f64::consts::{PI, TAU};
use std::sync::OnceLock;

/// The input of every contender: vertex positions, and three indices for each triangle.
#[derive(Clone, Default)]
pub(crate) struct Soup {
    pub(crate) positions: Vec<[f32; 3]>,
    pub(crate) indices: Vec<u32>,
    padded: OnceLock<Vec<[f32; 3]>>,
}

impl Soup {
    pub(crate) fn new(positions: Vec<[f32; 3]>, indices: Vec<u32>) -> Self {
        Self { positions, indices, padded: OnceLock::new() }
    }

    /// Returns the positions of the finished soup and one more position. Embree loads 16 bytes for each vertex, and so
    /// reads beyond the last vertex.
    pub(crate) fn padded(&self) -> &[[f32; 3]] {
        self.padded.get_or_init(|| self.positions.iter().copied().chain([[0.0; 3]]).collect())
    }

    pub(crate) fn triangle_count(&self) -> usize {
        self.indices.len() / 3
    }

    pub(crate) fn triangles(&self) -> impl ExactSizeIterator<Item = [u32; 3]> {
        self.indices.chunks_exact(3).map(|corners| [corners[0], corners[1], corners[2]])
    }

    /// Returns the corners of every triangle, in order.
    pub(crate) fn corners(&self) -> impl ExactSizeIterator<Item = [[f32; 3]; 3]> {
        self.triangles().map(|triangle| triangle.map(|index| self.positions[index as usize]))
    }

    /// Returns the smallest and largest coordinates.
    pub(crate) fn bounds(&self) -> (DVec3, DVec3) {
        let points = self.positions.iter().map(|&[x, y, z]| DVec3::new(x.into(), y.into(), z.into()));
        points.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(min, max), point| (min.min(point), max.max(point)))
    }

    pub(crate) fn vertex(&mut self, position: DVec3) -> u32 {
        self.positions.push(position.as_vec3().to_array());
        (self.positions.len() - 1) as u32
    }

    pub(crate) fn triangle(&mut self, corners: [u32; 3]) {
        self.indices.extend(corners);
    }

    /// Adds two triangles, whose corners are counter-clockwise from the front.
    fn quad(&mut self, [a, b, c, d]: [u32; 4]) {
        self.triangle([a, b, c]);
        self.triangle([a, c, d]);
    }

    /// Appends another soup, transformed.
    pub(crate) fn append(&mut self, other: &Self, place: DAffine3) {
        let first = self.positions.len() as u32;
        for &[x, y, z] in &other.positions {
            self.vertex(place.transform_point3(DVec3::new(x.into(), y.into(), z.into())));
        }
        self.indices.extend(other.indices.iter().map(|index| first + index));
    }

    /// Adds an axis-aligned box: 8 vertices, 12 triangles.
    pub(crate) fn cuboid(&mut self, min: DVec3, max: DVec3) {
        self.hexahedron([(0, 0), (1, 0), (1, 1), (0, 1)].map(|(x, z)| {
            let [x, z] = [[min.x, max.x][x], [min.z, max.z][z]];
            [DVec3::new(x, min.y, z), DVec3::new(x, max.y, z)]
        }));
    }

    /// Adds a thin beam with a square cross section between two points.
    pub(crate) fn beam(&mut self, from: DVec3, to: DVec3, width: f64) {
        let (up, right) = (to - from).normalize().any_orthonormal_pair();
        let (right, up) = (right * (width / 2.0), up * (width / 2.0));
        self.hexahedron([-right - up, right - up, right + up, up - right].map(|side| [from + side, to + side]));
    }

    /// Adds a hexahedron, given its four edges from bottom to top.
    fn hexahedron(&mut self, edges: [[DVec3; 2]; 4]) {
        let [a, b, c, d] = edges.map(|edge| edge.map(|end| self.vertex(end)));
        self.quad([a[0], b[0], c[0], d[0]]);
        self.quad([d[1], c[1], b[1], a[1]]);
        for [left, right] in [[a, b], [b, c], [c, d], [d, a]] {
            self.quad([left[1], right[1], right[0], left[0]]);
        }
    }

    /// Adds a sphere of `2 * rings` meridians whose radius is scaled by `relief` of the direction.
    pub(crate) fn sphere(&mut self, center: DVec3, radius: f64, rings: u32, relief: impl Fn(DVec3) -> f64) {
        let sides = 2 * rings;
        let point = |ring: u32, side: u32| {
            let (sin_down, cos_down) = libm::sincos(f64::from(ring) / f64::from(rings) * PI);
            let (sin, cos) = libm::sincos(f64::from(side) / f64::from(sides) * TAU);
            let direction = DVec3::new(sin_down * cos, cos_down, sin_down * sin);
            center + direction * (radius * (1.0 + relief(direction)))
        };
        let top = self.vertex(point(0, 0));
        let first = top + 1;
        for (ring, side) in (1..rings).flat_map(|ring| (0..sides).map(move |side| (ring, side))) {
            self.vertex(point(ring, side));
        }
        let bottom = self.vertex(point(rings, 0));
        for side in 0..sides {
            let at = |ring: u32, side: u32| first + (ring - 1) * sides + side % sides;
            self.triangle([top, at(1, side + 1), at(1, side)]);
            for ring in 1..rings - 1 {
                self.quad([at(ring, side), at(ring, side + 1), at(ring + 1, side + 1), at(ring + 1, side)]);
            }
            self.triangle([bottom, at(rings - 1, side), at(rings - 1, side + 1)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn volume(soup: &Soup) -> f64 {
        let corner = |[x, y, z]: [f32; 3]| DVec3::new(x.into(), y.into(), z.into());
        let volume = |corners: [[f32; 3]; 3]| {
            let [a, b, c] = corners.map(corner);
            a.dot(b.cross(c)) / 6.0
        };
        soup.corners().map(volume).sum()
    }

    #[test]
    fn bodies_face_outwards_and_are_closed() {
        let mut cuboid = Soup::default();
        cuboid.cuboid(DVec3::splat(1.0), DVec3::new(2.0, 3.0, 4.0));
        assert!((volume(&cuboid) - 6.0).abs() < 1e-5);
        let mut beam = Soup::default();
        beam.beam(DVec3::new(1.0, 2.0, 3.0), DVec3::new(1.0, 5.0, 7.0), 0.5);
        assert!((volume(&beam) - 5.0 * 0.25).abs() < 1e-5);
        let mut sphere = Soup::default();
        sphere.sphere(DVec3::ONE, 1.0, 64, |_| 0.0);
        assert!((volume(&sphere) / (4.0 / 3.0 * PI) - 1.0).abs() < 0.005);
        assert_eq!(sphere.triangle_count(), 2 * 128 + 62 * 128 * 2);
    }
}
