//! What an entity is made of.

use crate::aabb::Aabb;
use crate::error::TransformError;
use crate::mesh::Mesh;
use crate::shape::Shape;
use crate::transform::{Placement, Transform};
use alloc::sync::Arc;
use alloc::vec::Vec;
use glam::DAffine3;

/// The form of an entity in its local space: a shape, a mesh, or several of them. Made by `into()` from each of them.
#[derive(Clone, Debug)]
pub enum Geometry {
    /// One shape.
    Shape(Shape),
    /// One mesh.
    Mesh(Mesh),
    /// Several parts.
    Compound(Compound),
}

impl<S: Into<Shape>> From<S> for Geometry {
    fn from(shape: S) -> Self {
        Self::Shape(shape.into())
    }
}

impl From<Mesh> for Geometry {
    fn from(mesh: Mesh) -> Self {
        Self::Mesh(mesh)
    }
}

impl From<&Mesh> for Geometry {
    fn from(mesh: &Mesh) -> Self {
        Self::Mesh(mesh.clone())
    }
}

impl From<Compound> for Geometry {
    fn from(compound: Compound) -> Self {
        Self::Compound(compound)
    }
}

/// Several shapes and meshes that are one entity; a hit says which part it is on. Cheap to clone.
///
/// ```
/// use hitscan::{Capsule, Compound, Ray, Scene, Sphere, glam::DVec3};
///
/// let person = Compound::new([
///     (Capsule::new(0.3, 1.4).into(), DVec3::new(0.0, 0.7, 0.0).into()),
///     (Sphere::new(0.15).into(), DVec3::new(0.0, 1.6, 0.0).into()),
/// ])?;
/// let mut scene = Scene::new();
/// scene.insert("guard", person, DVec3::ZERO)?;
/// let head = scene.cast(&Ray::new([0.0, 1.6, 5.0], [0.0, 0.0, -1.0])).unwrap();
/// assert_eq!((head.id, head.part), ("guard", 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Compound {
    parts: Arc<[(PartGeometry, Placement)]>,
}

impl Compound {
    /// From each part's geometry and its transform to the entity's space. A compound among them adds its parts one by
    /// one. Parts are numbered in this order.
    ///
    /// # Errors
    /// A transform that is not finite or cannot be inverted.
    pub fn new(parts: impl IntoIterator<Item = (Geometry, Transform)>) -> Result<Self, TransformError> {
        let mut flat = Vec::new();
        for (geometry, transform) in parts {
            let outer = Placement::new(transform)?;
            for (part, inner) in geometry.parts() {
                flat.push((part, outer.compose(&inner)?));
            }
        }
        Ok(Self { parts: flat.into() })
    }

    /// Of parts with their placement in the entity's space.
    pub(super) fn of_parts(parts: Vec<(PartGeometry, Placement)>) -> Self {
        Self { parts: parts.into() }
    }

    /// How many parts.
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// Whether it has no parts.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Its parts in the order of their numbers: the geometry of each, a shape or a mesh, and its transform to the
    /// entity's space.
    ///
    /// ```
    /// use hitscan::{Compound, Geometry, Sphere, glam::DVec3};
    ///
    /// let pair = Compound::new([DVec3::X, DVec3::Y].map(|place| (Sphere::new(1.0).into(), place.into())))?;
    /// let places: Vec<DVec3> = pair.iter().map(|(_, transform)| transform.translation).collect();
    /// assert_eq!(places, [DVec3::X, DVec3::Y]);
    /// assert!(pair.iter().all(|(geometry, _)| matches!(geometry, Geometry::Shape(_))));
    /// # Ok::<(), hitscan::TransformError>(())
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (Geometry, DAffine3)> {
        self.parts.iter().map(|(part, placement)| {
            let geometry = match part {
                PartGeometry::Shape(shape) => Geometry::Shape(*shape),
                PartGeometry::Mesh(mesh) => Geometry::Mesh(mesh.clone()),
            };
            (geometry, placement.to_world)
        })
    }

    /// The mesh that is one of its parts; first taken out of what other compounds share with it.
    pub(super) fn mesh_mut(&mut self, part: u32) -> Option<&mut Mesh> {
        let is_mesh = matches!(self.parts.get(part as usize), Some((PartGeometry::Mesh(_), _)));
        let parts = if is_mesh { Arc::make_mut(&mut self.parts) } else { return None };
        match parts.get_mut(part as usize) {
            Some((PartGeometry::Mesh(mesh), _)) => Some(mesh),
            _ => None,
        }
    }

    /// Its parts with their placement in the entity's space.
    pub(crate) fn parts(&self) -> &[(PartGeometry, Placement)] {
        &self.parts
    }
}

impl Geometry {
    /// Its parts with their placement in the entity's space.
    pub(super) fn parts(&self) -> Vec<(PartGeometry, Placement)> {
        let single = |part| alloc::vec![(part, Placement::IDENTITY)];
        match self {
            Self::Shape(shape) => single(PartGeometry::Shape(*shape)),
            Self::Mesh(mesh) => single(PartGeometry::Mesh(mesh.clone())),
            Self::Compound(compound) => compound.parts().to_vec(),
        }
    }

    /// Where its parts are, when the entity is placed like this.
    pub(super) fn placements(&self, world: &Placement) -> Result<Vec<Placement>, TransformError> {
        match self {
            Self::Shape(_) | Self::Mesh(_) => Ok(alloc::vec![*world]),
            Self::Compound(compound) => compound.parts().iter().map(|(_, inner)| world.compose(inner)).collect(),
        }
    }
}

/// The form of one part.
#[derive(Clone, Debug)]
pub(crate) enum PartGeometry {
    Shape(Shape),
    Mesh(Mesh),
}

impl PartGeometry {
    pub(super) fn bounds(&self) -> Aabb {
        match self {
            Self::Shape(shape) => shape.bounds(),
            Self::Mesh(mesh) => mesh.bounds(),
        }
    }

    /// The triangle that a hit's primitive is; `None` on a shape.
    pub(crate) fn triangle(&self, primitive: u32) -> Option<u32> {
        match self {
            Self::Shape(_) => None,
            Self::Mesh(_) => Some(primitive),
        }
    }
}
