//! The contents at which rays are cast, before any trees are built.

use hitscan::glam::{DAffine3, DVec3, Vec2, Vec3};
use hitscan::height_field::Diagonal;
use hitscan::{Aabb, Capsule, Cone, Cylinder, Disc, OrientedBox, Plane, Quad, Shape, Sphere, Torus, Triangle};

/// The number of steps of a walk on a course. Each ray of a course begins one walk.
pub(crate) const STEPS: u32 = 24;

/// A surface: vertices, and three indices for each triangle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// The vertices.
    pub positions: Vec<Vec3>,
    /// The indices.
    pub triangles: Vec<[u32; 3]>,
    /// The cut-out of the surface.
    pub cloth: Option<Cloth>,
}

/// The alpha channel of a picture, repeated over a surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Cloth {
    /// The number of texels in a row.
    pub width: u32,
    /// The texels, row by row.
    pub texels: Vec<u8>,
    /// The texture coordinates of each vertex.
    pub texcoords: Vec<Vec2>,
}

/// A grid of heights.
#[derive(Clone, Debug, PartialEq)]
pub struct Ground {
    /// The number of rows of heights.
    pub rows: u32,
    /// The number of columns.
    pub columns: u32,
    /// The size of a cell along x and z.
    pub cell: Vec2,
    /// The diagonal along which cells are divided into triangles.
    pub diagonal: Diagonal,
    /// The heights, row by row.
    pub heights: Vec<f32>,
    /// The holes, by row and column.
    pub holes: Vec<[u32; 2]>,
}

impl Ground {
    /// Returns the corners of a cell.
    pub(crate) fn cell(&self, row: u32, column: u32) -> [DVec3; 4] {
        [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(down, right)| {
            let (row, column) = (row + down, column + right);
            let height = self.heights[(row * self.columns + column) as usize];
            Vec3::new(column as f32 * self.cell.x, height, row as f32 * self.cell.y).as_dvec3()
        })
    }

    pub(crate) fn bounds(&self) -> (DVec3, DVec3) {
        let cells = (0..self.rows - 1).flat_map(|row| (0..self.columns - 1).map(move |column| (row, column)));
        let bounds =
            Aabb::from_points(cells.flat_map(|(row, column)| self.cell(row, column)).map(|corner| corner.as_vec3()));
        (bounds.min.as_dvec3(), bounds.max.as_dvec3())
    }
}

impl Surface {
    /// Returns a surface without shared vertices.
    pub fn soup(corners: &[[Vec3; 3]]) -> Self {
        let triangles = (0..corners.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        Self { positions: corners.as_flattened().to_vec(), triangles, cloth: None }
    }

    /// Adds another surface with its vertices transformed, and without its cut-out.
    pub fn append(&mut self, other: &Self, place: &DAffine3) {
        let first = self.positions.len() as u32;
        self.positions.extend(other.positions.iter().map(|p| place.transform_point3(p.as_dvec3()).as_vec3()));
        self.triangles.extend(other.triangles.iter().map(|t| t.map(|index| first + index)));
    }

    pub(crate) fn corners(&self, triangle: usize) -> [DVec3; 3] {
        self.triangles[triangle].map(|index| self.positions[index as usize].as_dvec3())
    }

    pub(crate) fn bounds(&self) -> (DVec3, DVec3) {
        let bounds = Aabb::from_points(self.positions.iter().copied());
        (bounds.min.as_dvec3(), bounds.max.as_dvec3())
    }
}

/// The form of an entity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// The index of a mesh in the world.
    Mesh(u32),
    /// The index of a height field.
    Field(u32),
    /// The index of a convex hull.
    Hull(u32),
    /// The index of a shape in `shapes`, which all contents share.
    Shape(u32),
}

/// An entity of a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed {
    /// The entity's form.
    pub form: Form,
    /// The transform from local to world space.
    pub place: DAffine3,
}

/// A mesh or a scene, without trees.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// A mesh without a scene.
    Mesh(Surface),
    /// A scene.
    Scene(World),
    /// A scene in which characters walk.
    Course(World),
}

/// The description of a scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct World {
    /// The meshes that entities can be instances of.
    pub meshes: Vec<Surface>,
    /// The height fields that entities can be instances of.
    pub fields: Vec<Ground>,
    /// The points of the convex hulls that entities can be instances of.
    pub hulls: Vec<Vec<Vec3>>,
    /// The entities in the order of their insertion.
    pub entities: Vec<Placed>,
}

impl Content {
    /// Returns the number of triangles and shapes.
    pub fn size(&self) -> u64 {
        match self {
            Self::Mesh(surface) => surface.triangles.len() as u64,
            Self::Scene(world) | Self::Course(world) => {
                world.entities.iter().map(|entity| world.size_of(entity.form)).sum()
            }
        }
    }

    /// Returns the approximate work of one ray in this content, relative to a ray in a scene.
    pub fn cost(&self) -> u64 {
        match self {
            Self::Mesh(_) | Self::Scene(_) => 1,
            Self::Course(_) => STEPS.into(),
        }
    }
}

impl World {
    fn size_of(&self, form: Form) -> u64 {
        match form {
            Form::Mesh(mesh) => self.meshes[mesh as usize].triangles.len() as u64,
            Form::Field(field) => {
                let Ground { rows, columns, .. } = self.fields[field as usize];
                2 * u64::from(rows - 1) * u64::from(columns - 1)
            }
            Form::Hull(_) | Form::Shape(_) => 1,
        }
    }
}

/// Returns a shape of each kind. All coordinates are from -2 to 2, except on the plane.
pub(crate) fn shapes() -> Vec<Shape> {
    let turned = DAffine3::from_cols_array(&[0.0, 0.6, 0.8, 0.0, 0.8, -0.6, -1.0, 0.0, 0.0, 0.1, -0.2, 0.3]);
    let block = Aabb::new([-0.5, -0.75, -1.0], [1.0, 0.5, 0.25]);
    let of = |shape: Option<Shape>| shape.into_iter();
    [
        block.into(),
        Capsule::new(0.5, 1.75).into(),
        Cone::new(0.75, 1.5).into(),
        Cylinder::new(0.5, 1.25).into(),
        Disc::new([0.1, 0.2, -0.3], [1.0, 2.0, -0.5], 1.25).into(),
        Quad::new([-1.0, -1.0, 0.5], [1.5, 0.25, 0.0], [0.0, 1.25, -0.5]).into(),
        Sphere::new(1.0).into(),
        Torus::new(1.0, 0.25).into(),
        Triangle::new([-1.0, 0.0, 0.3], [1.0, -0.5, 0.1], [0.2, 1.0, -0.4]).into(),
    ]
    .into_iter()
    .chain(of(OrientedBox::new(block, turned).ok().map(Shape::from)))
    .chain(of(Plane::new([0.1, -0.4, 0.2], [0.2, 1.0, -0.3]).ok().map(Shape::from)))
    .collect()
}
