//! Scenes, and lists of all vertices, edges and triangles in them, in the order of the library's answers.

use crate::common::Random;
use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::{Geometry, Scene};
use std::collections::BTreeMap;

/// A vertex of a part, with the lowest triangle that has it.
#[derive(Clone, Copy)]
pub(crate) struct Vertex {
    pub(crate) part: usize,
    pub(crate) number: u32,
    pub(crate) triangle: Option<u32>,
    pub(crate) point: DVec3,
}

/// An edge of a part: two vertices, and the lowest triangle that has them.
#[derive(Clone, Copy)]
pub(crate) struct Edge {
    pub(crate) part: usize,
    pub(crate) triangle: Option<u32>,
    pub(crate) vertices: [u32; 2],
    pub(crate) ends: [DVec3; 2],
}

/// A part, with the number of its entity and its own number. It also has the error of each coordinate in the world, which is an f32 ulp of the largest
/// coordinate.
#[derive(Clone, Copy)]
pub(crate) struct Part {
    pub(crate) id: u32,
    pub(crate) index: u32,
    pub(crate) rounding: DVec3,
}

/// A scene whose entities have the numbers 0, 1 and so on, and everything in it.
#[derive(Default)]
pub(crate) struct World {
    pub(crate) scene: Scene<u32>,
    pub(crate) parts: Vec<Part>,
    pub(crate) vertices: Vec<Vertex>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) triangles: Vec<(usize, [DVec3; 3])>,
}

/// A side of a triangle. It has the numbers of its vertices and of the triangle, and the positions of these vertices and of the third vertex.
type NumberedSide = ([u32; 2], u32, [Vec3; 3]);

/// A triangle with the numbers of its vertices.
type NumberedTriangle = ([Vec3; 3], [u32; 3]);

impl World {
    /// Adds an entity to the scene, whose parts are added by the functions below.
    pub(crate) fn insert(&mut self, geometry: impl Into<Geometry>, transform: DAffine3) {
        let id = self.parts.last().map_or(0, |part| part.id + 1);
        self.scene.insert(id, geometry.into(), transform).unwrap();
    }

    fn add_part(&mut self, part: [u32; 2], transform: &DAffine3, positions: impl Iterator<Item = Vec3>) -> usize {
        let largest = positions.fold(DVec3::ZERO, |largest, at| largest.max(at.as_dvec3().abs()));
        let [x, y, z] = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| transform.transform_vector3(axis * largest).abs());
        let [id, index] = part;
        self.parts.push(Part { id, index, rounding: (x + y + z) * f64::from(f32::EPSILON) });
        self.parts.len() - 1
    }

    pub(crate) fn add_cloud(&mut self, part: [u32; 2], transform: &DAffine3, positions: &[Vec3]) {
        let part = self.add_part(part, transform, positions.iter().copied());
        self.vertices.extend((0..).zip(positions).map(|(number, at)| {
            let point = transform.transform_point3(at.as_dvec3());
            Vertex { part, number, triangle: None, point }
        }));
    }

    pub(crate) fn add_strips(&mut self, part: [u32; 2], transform: &DAffine3, strips: &[Vec<Vec3>]) {
        self.add_cloud(part, transform, &strips.concat());
        let (part, mut first) = (self.parts.len() - 1, 0);
        for strip in strips {
            let ends = strip.windows(2).map(|ends| [ends[0], ends[1]]);
            self.edges.extend((first..).zip(ends).map(|(first, ends)| {
                let ends = ends.map(|end| transform.transform_point3(end.as_dvec3()));
                Edge { part, triangle: None, vertices: [first, first + 1], ends }
            }));
            first += strip.len() as u32;
        }
    }

    pub(crate) fn add_surface(
        &mut self,
        part: [u32; 2],
        transform: &DAffine3,
        triangles: impl Iterator<Item = NumberedTriangle> + Clone,
    ) {
        let part = self.add_part(part, transform, triangles.clone().flat_map(|(corners, _)| corners));
        let place = |at: Vec3| transform.transform_point3(at.as_dvec3());
        let mut vertices: BTreeMap<Key, Vertex> = BTreeMap::new();
        let mut sides: BTreeMap<[Key; 2], Vec<NumberedSide>> = BTreeMap::new();
        for (triangle, (corners, numbers)) in (0..).zip(triangles) {
            let [a, b, c] = corners.map(|corner| corner.as_dvec3());
            if (b - a).cross(c - a) == DVec3::ZERO {
                continue;
            }
            self.triangles.push((part, corners.map(place)));
            for at in 0..3 {
                let own = Vertex { part, number: numbers[at], triangle: Some(triangle), point: place(corners[at]) };
                let entry = vertices.entry(key(corners[at])).or_insert(own);
                entry.number = entry.number.min(numbers[at]);
                let (mut a, mut b, c) = (at, (at + 1) % 3, (at + 2) % 3);
                if key(corners[a]) > key(corners[b]) {
                    (a, b) = (b, a);
                }
                let side = ([numbers[a], numbers[b]], triangle, [corners[a], corners[b], corners[c]]);
                sides.entry([key(corners[a]), key(corners[b])]).or_default().push(side);
            }
        }
        self.vertices.extend(vertices.into_values());
        let edges = sides.into_values().filter(|sides| !is_flat(sides.iter().map(|side| side.2)));
        self.edges.extend(edges.map(|sides| {
            let (vertices, triangle, [a, b, _]) = sides[0];
            Edge { part, triangle: Some(triangle), vertices, ends: [place(a), place(b)] }
        }));
    }
}

type Key = [u32; 3];

fn key(corner: Vec3) -> Key {
    (corner + 0.0).to_array().map(f32::to_bits)
}

/// Returns whether the triangles along a side are coplanar. The side comes first in each triangle. The test is exact if coordinates are on a lattice. Otherwise
/// it uses the angles between the triangles, none of which is in doubt.
fn is_flat(triangles: impl Iterator<Item = [Vec3; 3]>) -> bool {
    let triangles: Vec<[DVec3; 3]> = triangles.map(|corners| corners.map(|corner| corner.as_dvec3())).collect();
    let normal = |[a, b, c]: &[DVec3; 3]| (b - a).cross(c - a).normalize();
    let first = triangles[0];
    let is_coplanar = |triangle: &[DVec3; 3]| {
        if first.iter().chain(triangle).all(|corner| (*corner * 64.0).round() == *corner * 64.0) {
            return (first[1] - first[0]).cross(first[2] - first[0]).dot(triangle[2] - first[0]) == 0.0;
        }
        let sine = normal(triangle).cross(normal(&first)).length();
        assert!(!(1e-6..1e-5).contains(&sine), "{sine}: {first:?} {triangle:?}");
        sine < 1e-6
    };
    triangles.iter().all(is_coplanar) && triangles.iter().any(|other| normal(other).dot(normal(&first)) < 0.0)
}

/// Returns points, half of which are on a lattice, so that many are collinear and some are equal.
pub(crate) fn lattice_points(random: &mut Random, count: usize, reach: f64, spacing: f64) -> Vec<Vec3> {
    let point = |random: &mut Random| {
        let point = random.cube() * reach;
        if random.below(2) == 0 { ((point / spacing).round() * spacing).as_vec3() } else { point.as_vec3() }
    };
    (0..count).map(|_| point(random)).collect()
}
