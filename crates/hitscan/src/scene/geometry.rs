//! The geometry of an entity.

use crate::error::{ShapeError, TransformError};
use crate::geom::aabb::{Aabb, Extent};
use crate::geom::tight_bounds::TightBounds;
use crate::geom::transform::{Placement, Transform};
use crate::height_field::HeightField;
use crate::hull::ConvexHull;
use crate::mesh::Mesh;
use crate::shape::{Custom, RayTest, Shape};
use crate::wire::{PointCloud, Polyline};
use alloc::sync::Arc;
use alloc::vec::Vec;
use glam::{DAffine3, Vec3};

/// The geometry of an entity in its local space: a shape, a mesh, or several of them. `into()` converts each of the variants' types to it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Geometry {
    /// One shape.
    Shape(Shape),
    /// One mesh.
    Mesh(Mesh),
    /// One height field.
    HeightField(HeightField),
    /// One convex hull.
    ConvexHull(ConvexHull),
    /// One custom shape.
    Custom(Custom),
    /// One cloud of points, which no ray or volume hits.
    PointCloud(PointCloud),
    /// One polyline, which no ray or volume hits.
    Polyline(Polyline),
    /// Several parts.
    Compound(Compound),
}

impl<S: Into<Shape>> From<S> for Geometry {
    fn from(shape: S) -> Self {
        Self::Shape(shape.into())
    }
}

macro_rules! into_geometry {
    ($($variant:ident),* $(,)?) => {
        $(impl From<$variant> for Geometry {
            fn from(geometry: $variant) -> Self {
                Self::$variant(geometry)
            }
        }

        impl From<&$variant> for Geometry {
            fn from(geometry: &$variant) -> Self {
                Self::$variant(geometry.clone())
            }
        })*
    };
}

into_geometry!(Mesh, HeightField, ConvexHull, Custom, PointCloud, Polyline, Compound);

/// Several geometries that form one entity. A hit says which part it is on. Cloning is cheap.
///
/// ```
/// use hitscan::{Capsule, Compound, Ray, RayQueries, Scene, Sphere, glam::DVec3};
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
    /// Makes a compound from each part's geometry and its transform to the entity's space. If a geometry is a compound,
    /// its parts are added one by one. Parts are numbered in the order of the input.
    ///
    /// # Errors
    /// Returns an error if a transform is not finite or cannot be inverted.
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

    /// Makes a compound from parts and their placements in the entity's space.
    pub(super) fn of_parts(parts: Vec<(PartGeometry, Placement)>) -> Self {
        Self { parts: parts.into() }
    }

    /// Returns the number of parts.
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// Returns whether the compound has no parts.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Iterates over the parts in the order of their numbers. An item is the part's geometry, which is never a compound,
    /// and the part's transform to the entity's space.
    ///
    /// ```
    /// use hitscan::{Compound, Geometry, Sphere, glam::DVec3};
    ///
    /// let pair = Compound::new([DVec3::X, DVec3::Y].map(|place| (Sphere::new(1.0).into(), place.into())))?;
    /// let places: Vec<DVec3> = pair.iter().map(|(_, transform)| transform.translation).collect();
    /// assert_eq!(places, [DVec3::X, DVec3::Y]);
    /// assert!(pair.iter().all(|(geometry, _)| matches!(geometry, Geometry::Shape(_))));
    /// # Ok::<(), hitscan::error::TransformError>(())
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (Geometry, DAffine3)> {
        self.parts.iter().map(|(part, placement)| (part.clone().into(), placement.to_world))
    }

    /// Returns the geometry of a part, if it is of the requested kind. Copies the list of parts first if other compounds
    /// share it.
    pub(super) fn part_mut<T: Deformable>(&mut self, part: u32) -> Option<&mut T> {
        T::of_part(&self.parts.get(part as usize)?.0)?;
        T::of_part_mut(&mut Arc::make_mut(&mut self.parts).get_mut(part as usize)?.0)
    }

    /// Returns the parts of the compound with their placements in the entity's space.
    pub(crate) fn parts(&self) -> &[(PartGeometry, Placement)] {
        &self.parts
    }
}

impl Geometry {
    /// Returns the parts of the geometry with their placements in the entity's space.
    pub(super) fn parts(&self) -> Vec<(PartGeometry, Placement)> {
        let single = |part| alloc::vec![(part, Placement::IDENTITY)];
        match self {
            Self::Shape(shape) => single(PartGeometry::Shape(*shape)),
            Self::Mesh(mesh) => single(PartGeometry::Mesh(mesh.clone())),
            Self::HeightField(field) => single(PartGeometry::HeightField(field.clone())),
            Self::ConvexHull(hull) => single(PartGeometry::ConvexHull(hull.clone())),
            Self::Custom(custom) => single(PartGeometry::Custom(custom.clone())),
            Self::PointCloud(cloud) => single(PartGeometry::PointCloud(cloud.clone())),
            Self::Polyline(line) => single(PartGeometry::Polyline(line.clone())),
            Self::Compound(compound) => compound.parts().to_vec(),
        }
    }

    /// Returns the placements of the parts in the world, given the placement of the entity.
    pub(super) fn placements(&self, world: &Placement) -> Result<Vec<Placement>, TransformError> {
        match self {
            Self::Compound(compound) => compound.parts().iter().map(|(_, inner)| world.compose(inner)).collect(),
            _ => Ok(alloc::vec![*world]),
        }
    }
}

/// The geometry of one part.
#[derive(Clone, Debug)]
pub(crate) enum PartGeometry {
    Shape(Shape),
    Mesh(Mesh),
    HeightField(HeightField),
    ConvexHull(ConvexHull),
    Custom(Custom),
    PointCloud(PointCloud),
    Polyline(Polyline),
}

impl From<PartGeometry> for Geometry {
    fn from(part: PartGeometry) -> Self {
        match part {
            PartGeometry::Shape(shape) => Self::Shape(shape),
            PartGeometry::Mesh(mesh) => Self::Mesh(mesh),
            PartGeometry::HeightField(field) => Self::HeightField(field),
            PartGeometry::ConvexHull(hull) => Self::ConvexHull(hull),
            PartGeometry::Custom(custom) => Self::Custom(custom),
            PartGeometry::PointCloud(cloud) => Self::PointCloud(cloud),
            PartGeometry::Polyline(line) => Self::Polyline(line),
        }
    }
}

impl PartGeometry {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn bounds(&self) -> Aabb {
        // The bounds of a mesh, the most common kind, are read in place. For the other kinds they are stored and read back.
        if let Self::Mesh(mesh) = self {
            return mesh.bounds();
        }
        let Aabb { min, max } = self.bounds_of_others();
        Aabb { min: Vec3::new(min.x, min.y, min.z), max: Vec3::new(max.x, max.y, max.z) }
    }

    #[inline(never)]
    fn bounds_of_others(&self) -> Aabb {
        match self {
            Self::Shape(shape) => shape.bounds(),
            Self::Mesh(mesh) => mesh.bounds(),
            Self::HeightField(field) => field.bounds(),
            Self::ConvexHull(hull) => hull.bounds(),
            Self::Custom(custom) => custom.bounds(),
            Self::PointCloud(cloud) => cloud.bounds(),
            Self::Polyline(line) => line.bounds(),
        }
    }

    /// Returns bounds that are tighter than a box, if the geometry has them.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn closer(&self) -> Option<TightBounds<'_>> {
        match self {
            Self::Mesh(mesh) => mesh.dop().map(TightBounds::Dop),
            Self::ConvexHull(hull) => hull.dop().map(TightBounds::Dop),
            Self::Shape(shape) => shape.core().map(|(ends, radius)| TightBounds::Round { ends, radius }),
            Self::HeightField(_) | Self::Custom(_) | Self::PointCloud(_) | Self::Polyline(_) => None,
        }
    }

    /// Returns a box around the image of the geometry, given the geometry's bounds; see [`Aabb::image`].
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn image(&self, bounds: &Aabb, to_world: &DAffine3, slack: f64) -> Extent {
        match self.closer().filter(|_| bounds.is_finite()) {
            Some(closer) => closer.image(bounds, to_world, slack),
            None => bounds.image(to_world, slack),
        }
    }

    /// Checks whether the geometry can be used. Only shapes and custom shapes need this: the other kinds are checked when they are made.
    pub(super) fn validate(&self) -> Result<(), ShapeError> {
        match self {
            Self::Shape(shape) => shape.validate(),
            Self::Custom(custom) => custom.validate(),
            Self::Mesh(_) | Self::HeightField(_) | Self::ConvexHull(_) | Self::PointCloud(_) | Self::Polyline(_) => {
                Ok(())
            }
        }
    }

    /// Returns the ray test of a shape or hull, which has few crossings; `None` for other kinds.
    pub(crate) fn test(&self) -> Option<&dyn RayTest> {
        match self {
            Self::Shape(shape) => Some(shape.test()),
            Self::ConvexHull(hull) => Some(hull),
            Self::Mesh(_) | Self::HeightField(_) | Self::Custom(_) | Self::PointCloud(_) | Self::Polyline(_) => None,
        }
    }

    pub(crate) fn mesh(&self) -> Option<&Mesh> {
        if let Self::Mesh(mesh) = self { Some(mesh) } else { None }
    }

    /// Returns the numbers of the vertices of a triangle of a mesh or height field.
    pub(crate) fn indices(&self, number: u32) -> Option<[u32; 3]> {
        match self {
            Self::Mesh(mesh) => mesh.indices(number),
            Self::HeightField(field) => field.indices(number),
            Self::Shape(_) | Self::ConvexHull(_) | Self::Custom(_) | Self::PointCloud(_) | Self::Polyline(_) => None,
        }
    }

    /// Returns the local corners of a triangle of a mesh or height field.
    pub(crate) fn triangle(&self, number: u32) -> Option<[Vec3; 3]> {
        match self {
            Self::Mesh(mesh) => mesh.triangle(number),
            Self::HeightField(field) => field.triangle(number),
            Self::Shape(_) | Self::ConvexHull(_) | Self::Custom(_) | Self::PointCloud(_) | Self::Polyline(_) => None,
        }
    }
}

/// A kind of part whose form can be changed in place.
pub(super) trait Deformable: Clone {
    fn of_part(part: &PartGeometry) -> Option<&Self>;
    fn of_part_mut(part: &mut PartGeometry) -> Option<&mut Self>;
    fn of_geometry_mut(geometry: &mut Geometry) -> Option<&mut Self>;
    fn into_part(self) -> PartGeometry;
}

macro_rules! deformable {
    ($($variant:ident),*) => {
        $(impl Deformable for $variant {
            fn of_part(part: &PartGeometry) -> Option<&Self> {
                if let PartGeometry::$variant(own) = part { Some(own) } else { None }
            }

            fn of_part_mut(part: &mut PartGeometry) -> Option<&mut Self> {
                if let PartGeometry::$variant(own) = part { Some(own) } else { None }
            }

            fn of_geometry_mut(geometry: &mut Geometry) -> Option<&mut Self> {
                if let Geometry::$variant(own) = geometry { Some(own) } else { None }
            }

            fn into_part(self) -> PartGeometry {
                PartGeometry::$variant(self)
            }
        })*
    };
}

deformable!(Mesh, HeightField);
