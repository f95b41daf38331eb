//! What rays are cast at, before it has trees.

use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::{Aabb, Capsule, Cone, Cylinder, Disc, OrientedBox, Plane, Quad, Shape, Sphere, Torus, Triangle};

/// Vertices, and three of them for each triangle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// The vertices.
    pub positions: Vec<Vec3>,
    /// Their numbers.
    pub triangles: Vec<[u32; 3]>,
}

impl Surface {
    /// A surface without shared vertices.
    pub fn soup(corners: &[[Vec3; 3]]) -> Self {
        let triangles = (0..corners.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        Self { positions: corners.as_flattened().to_vec(), triangles }
    }

    /// Adds another surface with its vertices moved.
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
    /// One of the content's meshes.
    Mesh(u32),
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
    /// A scene of meshes and shapes.
    Scene {
        /// What entities can be instances of.
        meshes: Vec<Surface>,
        /// In the order in which they are inserted.
        entities: Vec<Placed>,
    },
}

impl Content {
    /// How many triangles can be hit in it, and shapes.
    pub fn size(&self) -> u64 {
        match self {
            Self::Mesh(surface) => surface.triangles.len() as u64,
            Self::Scene { meshes, entities } => {
                let size = |entity: &Placed| match entity.form {
                    Form::Mesh(mesh) => meshes[mesh as usize].triangles.len() as u64,
                    Form::Shape(_) => 1,
                };
                entities.iter().map(size).sum()
            }
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
