//! The content of entities. It is a few numbers, so that a history of changes can be printed and repeated. The
//! geometry follows from them, once for the library and once for the naive list.

use crate::common::{Random, grid_cube, icosphere};
use crate::walk::number::{coarse_vector, place};
use hitscan::glam::{DAffine3, DVec3, Vec2, Vec3};
use hitscan::height_field::Diagonal;
use hitscan::mesh::{AlphaMask, CutOut};
use hitscan::{
    Aabb, Capsule, Compound, Cone, ConvexHull, Cylinder, Disc, Geometry, HeightField, Mesh, OrientedBox, Plane, Quad,
    Shape, Sphere, Torus, Triangle,
};
use std::ops::Range;
use std::sync::Arc;

/// The content of an entity. The number in a form is the seed of its sizes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Form {
    Shape(u64),
    /// A mesh that is not shared.
    Soup(u64),
    /// One of the meshes that several entities share.
    Shared(usize),
    Field(u64),
    Hull(u64),
    /// A mesh with cut-outs.
    Fence(u64),
    Compound(u64),
}

/// A form for the library and for the list.
pub(crate) struct Made {
    pub(crate) geometry: Geometry,
    /// The bodies in the test's own representation, each with its place in the entity.
    pub(crate) bodies: Vec<(Body, DAffine3)>,
}

/// One part in the test's own representation.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    Mesh(Sheet),
    Field(Ground),
    /// The mesh without its cut-outs, and the cut-outs.
    Fence(Sheet, Arc<Cloth>),
    /// A solid whose expected hits are the library's hits for the solid alone.
    Solid(Geometry),
}

/// An indexed triangle mesh.
#[derive(Clone, Debug)]
pub(crate) struct Sheet {
    pub(crate) positions: Arc<[Vec3]>,
    pub(crate) triangles: Arc<[[u32; 3]]>,
}

/// A grid of heights.
#[derive(Clone, Debug)]
pub(crate) struct Ground {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) heights: Vec<f32>,
    cell: [f32; 2],
    diagonal: Diagonal,
    holes: Vec<[usize; 2]>,
}

/// A repeated texture over a mesh.
#[derive(Debug)]
pub(crate) struct Cloth {
    size: [i64; 2],
    texels: Vec<u8>,
    texcoords: Vec<Vec2>,
}

/// The meshes that several entities share.
pub(crate) struct Pool(Vec<(Mesh, Sheet)>);

impl Pool {
    pub(crate) fn new() -> Self {
        let surfaces = [icosphere(1), grid_cube(3), grid_cube(1)];
        let sheets =
            surfaces.map(|surface| Sheet { positions: surface.positions.into(), triangles: surface.triangles.into() });
        Self(sheets.into_iter().chain([soup(&mut Random(1), 24)]).map(|sheet| (sheet.mesh(), sheet)).collect())
    }

    pub(crate) const COUNT: usize = 4;
}

impl Sheet {
    /// Returns a newly built mesh.
    pub(crate) fn mesh(&self) -> Mesh {
        Mesh::new(&self.positions, self.triangles.as_flattened()).expect("finite corners")
    }

    pub(crate) fn corners(&self) -> impl Iterator<Item = [DVec3; 3]> {
        self.triangles.iter().map(|triangle| triangle.map(|index| self.positions[index as usize].as_dvec3()))
    }

    /// Returns moved vertices, each by a little or a lot, and sometimes all in one place.
    pub(crate) fn bent(&self, seed: u64) -> Vec<Vec3> {
        let mut random = Random(seed);
        let amount = [0.0, 0.05, 0.5, 3.0][random.below(4)];
        let scale = [1.0, 1.0, 0.5, -1.0, 0.0][random.below(5)];
        self.positions.iter().map(|p| (p.as_dvec3() * scale + coarse_vector(&mut random) * amount).as_vec3()).collect()
    }
}

impl Ground {
    fn new(random: &mut Random) -> Self {
        let [rows, columns] = [2 + random.below(5), 2 + random.below(5)];
        let heights = (0..rows * columns).map(|_| coarse_vector(random).x as f32).collect();
        let holes = (0..random.below(3)).map(|_| [random.below(rows - 1), random.below(columns - 1)]).collect();
        let diagonal = [Diagonal::Falling, Diagonal::Rising][random.below(2)];
        Self { rows, columns, heights, cell: [[0.5, 0.25], [0.3, 0.7]][random.below(2)], diagonal, holes }
    }

    pub(crate) fn field(&self) -> HeightField {
        let field = HeightField::new(self.rows, self.columns, self.cell, &self.heights).expect("a sound grid");
        field.with_diagonal(self.diagonal).with_holes(self.holes.iter().copied()).expect("cells that are there")
    }

    /// Changes the heights in a rectangle of rows and columns, and returns the rectangle.
    pub(crate) fn dug(&mut self, seed: u64) -> (Range<usize>, Range<usize>, Vec<f32>) {
        let random = &mut Random(seed);
        let mut range = |count: usize| {
            let start = random.below(count);
            start..start + 1 + random.below(count - start)
        };
        let (rows, columns) = (range(self.rows), range(self.columns));
        let depth = [0.25, 1.0, 4.0][random.below(3)];
        let heights: Vec<f32> =
            (0..rows.len() * columns.len()).map(|_| (coarse_vector(random).x * depth) as f32).collect();
        let places = rows.clone().flat_map(|row| columns.clone().map(move |column| (row, column)));
        for ((row, column), height) in places.zip(&heights) {
            self.heights[row * self.columns + column] = *height;
        }
        (rows, columns, heights)
    }

    /// Returns the triangles with their documented numbers, except the triangles in holes.
    pub(crate) fn triangles(&self) -> impl Iterator<Item = (u32, [DVec3; 3])> {
        let vertex = |row: usize, column: usize| {
            let [x, z] = [column as f32 * self.cell[0], row as f32 * self.cell[1]];
            Vec3::new(x, self.heights[row * self.columns + column], z).as_dvec3()
        };
        let cells = (0..self.rows - 1).flat_map(|row| (0..self.columns - 1).map(move |column| [row, column]));
        let cells = cells.enumerate().filter(|(_, cell)| !self.holes.contains(cell));
        cells.flat_map(move |(number, [row, column])| {
            let [a, d] = [vertex(row, column), vertex(row, column + 1)];
            let [b, c] = [vertex(row + 1, column), vertex(row + 1, column + 1)];
            let two = match self.diagonal {
                Diagonal::Falling => [[a, b, c], [a, c, d]],
                Diagonal::Rising => [[a, b, d], [d, b, c]],
            };
            [(2 * number as u32, two[0]), (2 * number as u32 + 1, two[1])]
        })
    }
}

impl Cloth {
    fn new(random: &mut Random, vertices: usize) -> Self {
        let size = [1 + random.below(4) as i64, 1 + random.below(4) as i64];
        let texels = (0..size[0] * size[1]).map(|_| [0, 255][random.below(2)]).collect();
        let texcoords = (0..vertices).map(|_| (random.cube() * 1.5).truncate().as_vec2()).collect();
        Self { size, texels, texcoords }
    }

    fn hung_over(&self, mesh: Mesh) -> Mesh {
        let mask = AlphaMask::new(self.size[0] as u32, self.size[1] as u32, self.texels.clone()).expect("all texels");
        let mesh = mesh.with_texcoords(&self.texcoords).expect("one for each vertex");
        mesh.with_cut_out(CutOut::from(mask)).expect("texture coordinates are there")
    }

    /// Returns whether the nearest texel is empty at a hit of a triangle with these vertices.
    pub(crate) fn is_hole(&self, triangle: [u32; 3], uv: Vec2) -> bool {
        let [a, b, c] = triangle.map(|index| self.texcoords[index as usize]);
        let [x, y] = [0, 1].map(|axis| {
            let [a, b, c, u, v] = [a[axis], b[axis], c[axis], uv.x, uv.y].map(f64::from);
            let coordinate = f64::from(((1.0 - u - v) * a + u * b + v * c) as f32);
            ((coordinate * self.size[axis] as f64).floor() as i64).rem_euclid(self.size[axis])
        });
        self.texels[(y * self.size[0] + x) as usize] == 0
    }
}

impl Form {
    pub(crate) fn make(self, pool: &Pool) -> Made {
        let (geometry, body) = match self {
            Self::Shape(seed) => solid(shape(&mut Random(seed)).into()),
            Self::Soup(seed) => {
                let random = &mut Random(seed);
                let count = 1 + random.below(16);
                let sheet = soup(random, count);
                (sheet.mesh().into(), Body::Mesh(sheet))
            }
            Self::Shared(number) => {
                let (mesh, sheet) = &pool.0[number % pool.0.len()];
                (mesh.into(), Body::Mesh(sheet.clone()))
            }
            Self::Field(seed) => {
                let ground = Ground::new(&mut Random(seed));
                (ground.field().into(), Body::Field(ground))
            }
            Self::Hull(seed) => solid(hull(&mut Random(seed)).into()),
            Self::Fence(seed) => {
                let random = &mut Random(seed);
                let sheet = soup(random, 6);
                let cloth = Cloth::new(random, sheet.positions.len());
                (cloth.hung_over(sheet.mesh()).into(), Body::Fence(sheet, cloth.into()))
            }
            Self::Compound(seed) => return compound(&mut Random(seed), pool),
        };
        Made { geometry, bodies: vec![(body, DAffine3::IDENTITY)] }
    }

    pub(crate) fn random(random: &mut Random) -> Self {
        match random.below(10) {
            0 => Self::Compound(random.bits()),
            1 | 2 => Self::Soup(random.bits()),
            other => Self::simple(other, random),
        }
    }

    fn simple(kind: usize, random: &mut Random) -> Self {
        match kind {
            3 | 4 => Self::Shape(random.bits()),
            5 | 6 => Self::Shared(random.below(Pool::COUNT)),
            7 => Self::Field(random.bits()),
            8 => Self::Hull(random.bits()),
            9 => Self::Fence(random.bits()),
            _ => Self::Soup(random.bits()),
        }
    }
}

fn solid(geometry: Geometry) -> (Geometry, Body) {
    (geometry.clone(), Body::Solid(geometry))
}

fn compound(random: &mut Random, pool: &Pool) -> Made {
    let parts = (0..random.below(4)).map(|_| {
        let kind = 2 + random.below(8);
        let form = Form::simple(kind, random);
        let Made { geometry, bodies } = form.make(pool);
        let inner = place(random, 1.5);
        (geometry, inner, bodies.into_iter().map(move |(body, _)| (body, inner)))
    });
    let (mut geometries, mut bodies) = (Vec::new(), Vec::new());
    for (geometry, inner, more) in parts {
        geometries.push((geometry, inner.into()));
        bodies.extend(more);
    }
    Made { geometry: Compound::new(geometries).expect("sound places").into(), bodies }
}

fn soup(random: &mut Random, triangles: usize) -> Sheet {
    let vertices = 3 + random.below(2 * triangles);
    let positions: Vec<Vec3> = (0..vertices).map(|_| (coarse_vector(random) * 1.5).as_vec3()).collect();
    let corner = |random: &mut Random| random.below(vertices) as u32;
    let triangles: Vec<[u32; 3]> = (0..triangles).map(|_| [0; 3].map(|_| corner(random))).collect();
    Sheet { positions: positions.into(), triangles: triangles.into() }
}

fn hull(random: &mut Random) -> ConvexHull {
    let points: Vec<Vec3> = (0..4 + random.below(12)).map(|_| coarse_vector(random).as_vec3()).collect();
    // Coplanar points have no hull.
    ConvexHull::new(&points).unwrap_or_else(|_| {
        ConvexHull::new(&[Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z]).expect("these four are not in one plane")
    })
}

fn shape(random: &mut Random) -> Shape {
    let vector = |random: &mut Random| coarse_vector(random).as_vec3();
    let (a, b, c) = (vector(random), vector(random), vector(random));
    let size = 0.25 + random.unit().abs() as f32;
    let box_ = Aabb::from_center_size(a, b.abs());
    let shape: Shape = match random.below(40) {
        0 => Plane::new(a, b).map_or(Sphere::new(size).into(), Shape::from),
        1..=6 => box_.into(),
        7..=12 => Sphere::at(a, size).into(),
        13..=15 => Capsule::between(a, b, size).into(),
        16..=18 => Cone::between(a, b, size).into(),
        19..=21 => Cylinder::between(a, b, size).into(),
        22..=24 => Disc::new(a, b, size).into(),
        25..=27 => OrientedBox::new(box_, place(random, 1.0)).expect("a sound place").into(),
        28..=31 => Quad::new(a, b, c).into(),
        32..=34 => Torus::new(size, size / 3.0).into(),
        _ => Triangle::new(a, b, c).into(),
    };
    if shape.validate().is_ok() { shape } else { Sphere::new(size).into() }
}

impl Body {
    /// Returns the same mesh with other positions.
    pub(crate) fn with_positions(self, positions: Arc<[Vec3]>) -> Self {
        match self {
            Self::Mesh(sheet) => Self::Mesh(Sheet { positions, ..sheet }),
            Self::Fence(sheet, cloth) => Self::Fence(Sheet { positions, ..sheet }, cloth),
            other => other,
        }
    }
}
