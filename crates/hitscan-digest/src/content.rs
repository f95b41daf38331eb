//! What rays are cast at, before it has trees.

use hitscan::glam::{DAffine3, DVec3, Vec2, Vec3};
use hitscan::{
    Aabb, Capsule, Cone, Cylinder, Diagonal, Disc, OrientedBox, Plane, Quad, Shape, Sphere, Torus, Triangle,
};

/// Vertices, and three of them for each triangle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// The vertices.
    pub positions: Vec<Vec3>,
    /// Their numbers.
    pub triangles: Vec<[u32; 3]>,
    /// What cuts holes into it.
    pub cloth: Option<Cloth>,
}

/// A picture's alpha over a surface, repeated.
#[derive(Clone, Debug, PartialEq)]
pub struct Cloth {
    /// How many texels across.
    pub width: u32,
    /// Row after row.
    pub texels: Vec<u8>,
    /// Of each vertex.
    pub texcoords: Vec<Vec2>,
}

/// A grid of heights.
#[derive(Clone, Debug, PartialEq)]
pub struct Ground {
    /// How many rows of heights.
    pub rows: u32,
    /// How many columns.
    pub columns: u32,
    /// Along x and z.
    pub cell: Vec2,
    /// How cells are cut.
    pub diagonal: Diagonal,
    /// Row after row.
    pub heights: Vec<f32>,
    /// Cells that are not there, by row and column.
    pub holes: Vec<[u32; 2]>,
}

impl Ground {
    /// The corners of a cell.
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
    /// A surface without shared vertices.
    pub fn soup(corners: &[[Vec3; 3]]) -> Self {
        let triangles = (0..corners.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        Self { positions: corners.as_flattened().to_vec(), triangles, cloth: None }
    }

    /// Adds another surface with its vertices moved, and without its holes.
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
    /// One of the world's meshes.
    Mesh(u32),
    /// One of its height fields.
    Field(u32),
    /// One of its convex hulls.
    Hull(u32),
    /// One of the shapes that all contents have.
    Shape(u32),
}

/// An entity of a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed {
    /// What it is.
    pub form: Form,
    /// From its own space to the world's.
    pub place: DAffine3,
}

/// What rays are cast at.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// A mesh by itself.
    Mesh(Surface),
    /// A scene.
    Scene(World),
}

/// A scene before it is one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct World {
    /// What entities can be instances of.
    pub meshes: Vec<Surface>,
    /// Likewise.
    pub fields: Vec<Ground>,
    /// Likewise: of these points.
    pub hulls: Vec<Vec<Vec3>>,
    /// In the order in which they are inserted.
    pub entities: Vec<Placed>,
}

impl Content {
    /// How many triangles can be hit in it, and shapes.
    pub fn size(&self) -> u64 {
        match self {
            Self::Mesh(surface) => surface.triangles.len() as u64,
            Self::Scene(world) => world.entities.iter().map(|entity| world.size_of(entity.form)).sum(),
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

/// One of each shape, within -2 to 2 but for the plane.
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
