//! The nearest of all triangles to a point, one triangle after the other in f64. It is a plain loop without a tree,
//! and shares no code with the library's search. It finds the triangles that may be the nearest; each of them is
//! then queried as the only triangle of a scene.
#![allow(dead_code, unreachable_pub, reason = "each test uses its part")]

use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::query::{Feature, TrianglePoint};
use hitscan::{ClosestPoint, Mesh, ProximityQueries, Scene};
use std::cmp::Ordering;
use std::sync::OnceLock;

/// The number of triangles that are measured side by side.
const LANES: usize = 4;
/// The number of points for which triangles are read from memory together.
const GROUP: usize = 8;
/// A bound of the errors of two distances in f64, relative to the coordinates.
const MARGIN: f64 = 256.0 * f64::EPSILON;

type Lanes = [f64; LANES];
type Vectors = [Lanes; 3];

/// All numbers of an answer, bit for bit: triangle, feature, distance, point, normal.
pub type Said = (u32, Feature, u32, [u32; 3], [u32; 3]);

fn bits(v: Vec3) -> [u32; 3] {
    v.to_array().map(f32::to_bits)
}

pub fn said_of_triangle(found: &ClosestPoint<u32>) -> Said {
    (found.id, found.feature, found.distance.to_bits(), bits(found.point), bits(found.normal))
}

pub fn said_of_surface(found: &TrianglePoint) -> Said {
    (found.triangle, found.feature, found.distance.to_bits(), bits(found.point), bits(found.normal))
}

/// Some triangles as the loop reads them.
struct Block {
    a: Vectors,
    /// The edges from each corner to the next one, and the inverse squares of their lengths. The perpendiculars of
    /// the edges are in the triangle's plane and point inwards.
    edges: [(Vectors, Lanes, Vectors); 3],
    /// The unit normals, or zero for a triangle without an area.
    normal: Vectors,
    /// 0, or infinity for a triangle without an area.
    penalty: Lanes,
}

fn by_lane(value: impl Fn(usize) -> f64) -> Lanes {
    std::array::from_fn(value)
}

fn dot(a: &Vectors, b: &Vectors) -> Lanes {
    by_lane(|lane| a[0][lane] * b[0][lane] + a[1][lane] * b[1][lane] + a[2][lane] * b[2][lane])
}

fn smaller(a: &Lanes, b: &Lanes) -> Lanes {
    // Unlike `f64::min`, this is one instruction.
    by_lane(|lane| if b[lane] < a[lane] { b[lane] } else { a[lane] })
}

/// Returns a cross product with hardly any rounding, by Kahan's difference of products. So the normal of a needle is
/// as accurate as the normal of any other triangle.
fn cross(a: DVec3, b: DVec3) -> DVec3 {
    let difference = |w: f64, x: f64, y: f64, z: f64| {
        let product = y * z;
        w.mul_add(x, -product) + (-y).mul_add(z, product)
    };
    DVec3::new(difference(a.y, b.z, a.z, b.y), difference(a.z, b.x, a.x, b.z), difference(a.x, b.y, a.y, b.x))
}

fn columns(vectors: [DVec3; LANES]) -> Vectors {
    std::array::from_fn(|axis| by_lane(|lane| vectors[lane][axis]))
}

impl Block {
    fn new(corners: [[DVec3; 3]; LANES]) -> Self {
        let normal = corners.map(|[a, b, c]| cross(b - a, c - a));
        let edges = std::array::from_fn(|corner| {
            let edge = corners.map(|corners| corners[(corner + 1) % 3] - corners[corner]);
            let inverse = edge.map(|edge| if edge == DVec3::ZERO { 0.0 } else { 1.0 / edge.length_squared() });
            let inwards = std::array::from_fn(|lane| normal[lane].cross(edge[lane]));
            (columns(edge), inverse, columns(inwards))
        });
        let penalty = normal.map(|normal| if normal == DVec3::ZERO { f64::INFINITY } else { 0.0 });
        Self {
            a: columns(corners.map(|[a, ..]| a)),
            edges,
            normal: columns(normal.map(DVec3::normalize_or_zero)),
            penalty,
        }
    }

    /// Returns the squares of the distances from a point.
    fn squared(&self, point: DVec3) -> Lanes {
        // The vectors from the corner of each edge to the point.
        let mut from: Vectors = std::array::from_fn(|axis| by_lane(|lane| point[axis] - self.a[axis][lane]));
        let height = dot(&from, &self.normal);
        let (mut to_edges, mut inside) = ([f64::INFINITY; LANES], [f64::INFINITY; LANES]);
        for (edge, inverse, inwards) in &self.edges {
            let (along, within) = (dot(&from, edge), dot(&from, inwards));
            let s = by_lane(|lane| along[lane] * inverse[lane]);
            let s = smaller(&s.map(|s| if s > 0.0 { s } else { 0.0 }), &[1.0; LANES]);
            let rest: Vectors =
                std::array::from_fn(|axis| by_lane(|lane| from[axis][lane] - edge[axis][lane] * s[lane]));
            to_edges = smaller(&to_edges, &dot(&rest, &rest));
            inside = smaller(&inside, &within);
            from = std::array::from_fn(|axis| by_lane(|lane| from[axis][lane] - edge[axis][lane]));
        }
        by_lane(|lane| {
            let to_plane = height[lane] * height[lane];
            self.penalty[lane] + if inside[lane] >= 0.0 { to_plane } else { to_edges[lane] }
        })
    }
}

/// The answer to a question.
#[derive(Clone)]
pub struct Nearest {
    pub found: ClosestPoint<u32>,
    /// The number of triangles at the same distance.
    pub equally_near: usize,
}

impl Nearest {
    pub fn distance(&self) -> f64 {
        self.found.distance_f64()
    }
}

/// A triangle by itself.
struct Alone {
    corners: [Vec3; 3],
    /// The triangle as a scene, made at its first use; `None` for a triangle without an area.
    scene: OnceLock<Option<Box<Scene<u32>>>>,
}

/// All triangles of a mesh.
pub struct AllTriangles {
    blocks: Vec<Block>,
    alone: Vec<Alone>,
    /// The largest coordinate.
    reach: f64,
}

impl AllTriangles {
    pub fn new(mesh: &Mesh) -> Self {
        let corners: Vec<[Vec3; 3]> =
            (0..mesh.triangle_count() as u32).map(|number| mesh.triangle(number).unwrap()).collect();
        let block = |corners: &[[Vec3; 3]]| {
            // The last block repeats a triangle that has no area.
            let in_lane = |lane: usize| corners.get(lane).map_or([DVec3::ZERO; 3], |abc| abc.map(|v| v.as_dvec3()));
            Block::new(std::array::from_fn(in_lane))
        };
        let bounds = mesh.bounds();
        Self {
            blocks: corners.chunks(LANES).map(block).collect(),
            alone: corners.into_iter().map(|corners| Alone { corners, scene: OnceLock::new() }).collect(),
            reach: f64::from(bounds.min.abs().max(bounds.max.abs()).max_element()),
        }
    }

    /// Returns the nearest point of all triangles to each point, as [`nearest_of`](Self::nearest_of) describes it.
    pub fn nearest(&self, points: &[DVec3]) -> Vec<Option<Nearest>> {
        let groups: Vec<&[DVec3]> = points.chunks(GROUP).collect();
        let mut nearest = vec![Vec::new(); groups.len()];
        hitscan::batch::batch(&groups, &mut nearest, |group| self.nearest_of(group)).unwrap();
        nearest.concat()
    }

    /// Returns the nearest points, as f64 computes them for each triangle by itself; among equally near points, the
    /// point of the triangle with the lowest number. Each triangle is read once for all points of the group.
    fn nearest_of(&self, group: &[DVec3]) -> Vec<Option<Nearest>> {
        let mut squares = vec![Vec::with_capacity(self.blocks.len() * LANES); group.len()];
        for block in &self.blocks {
            for (squares, &point) in squares.iter_mut().zip(group) {
                squares.extend(block.squared(point));
            }
        }
        group.iter().zip(&squares).map(|(&point, squares)| self.nearest_by(point, squares)).collect()
    }

    /// Selects among the triangles, given the squares of their distances from a point.
    fn nearest_by(&self, point: DVec3, squares: &[f64]) -> Option<Nearest> {
        let least = squares.iter().copied().fold(f64::INFINITY, f64::min).sqrt();
        let limit = least + MARGIN * (self.reach + point.abs().max_element());
        let limit = limit * limit;
        let near = (0..self.alone.len()).filter(|&number| squares[number] <= limit);
        let all = near.filter_map(|number| self.scene(number)?.closest_point(point));
        let all = all.map(|found| Nearest { found, equally_near: 1 });
        all.reduce(|best, next| match next.distance().total_cmp(&best.distance()) {
            Ordering::Less => next,
            Ordering::Equal => Nearest { equally_near: best.equally_near + 1, ..best },
            Ordering::Greater => best,
        })
    }

    fn scene(&self, number: usize) -> Option<&Scene<u32>> {
        let Alone { corners, scene } = &self.alone[number];
        let make = || {
            let mut scene = Scene::new();
            scene.insert(number as u32, Mesh::from_soup(corners).unwrap(), DAffine3::IDENTITY).unwrap();
            scene.closest_point(DVec3::ZERO).map(|_| Box::new(scene))
        };
        scene.get_or_init(make).as_deref()
    }
}
