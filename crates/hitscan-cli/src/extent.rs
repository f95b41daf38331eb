//! Boxes in f64 around everything that can be hit, tight to the triangles' corners: a scene's own boxes are f32, a little larger, and looser around rotated
//! things.

use hitscan::glam::{DAffine3, DVec3};
use hitscan::{Aabb, Geometry, Mesh};
use hitscan_io::{Entity, Model};
use serde::Serialize;

/// A box in world space.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Extent {
    pub(crate) min: DVec3,
    pub(crate) max: DVec3,
}

impl Extent {
    /// A box without points.
    pub(crate) const EMPTY: Self = Self { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };

    pub(crate) fn of_points(points: impl IntoIterator<Item = DVec3>) -> Self {
        let add = |extent: Self, point: DVec3| Self { min: extent.min.min(point), max: extent.max.max(point) };
        points.into_iter().fold(Self::EMPTY, add)
    }

    pub(crate) fn of_bounds(bounds: Aabb) -> Self {
        Self { min: bounds.min.as_dvec3(), max: bounds.max.as_dvec3() }
    }

    /// Returns `None` for an entity without triangles or shapes, and for an infinite one.
    pub(crate) fn of_entity(entity: &Entity) -> Option<Self> {
        let mut extent = Self::EMPTY;
        for_each_piece(entity, |piece, _| extent = extent.union(piece));
        extent.is_box().then_some(extent)
    }

    /// Returns `None` for a model without extent.
    pub(crate) fn of_model(model: &Model) -> Option<Self> {
        model.entities.iter().filter_map(Self::of_entity).reduce(Self::union)
    }

    pub(crate) fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Returns whether it has points and is finite.
    pub(crate) fn is_box(&self) -> bool {
        self.min.cmple(self.max).all() && self.min.is_finite() && self.max.is_finite()
    }

    pub(crate) fn center(&self) -> DVec3 {
        self.min * 0.5 + self.max * 0.5
    }

    pub(crate) fn half_size(&self) -> DVec3 {
        self.max * 0.5 - self.min * 0.5
    }

    pub(crate) fn contains(&self, other: &Self) -> bool {
        self.min.cmple(other.min).all() && other.max.cmple(self.max).all()
    }

    /// Returns the distance of its farthest corner from a point.
    pub(crate) fn farthest_from(&self, point: DVec3) -> f64 {
        (self.min - point).abs().max((self.max - point).abs()).length()
    }
}

/// Visits the pieces of an entity: each triangle, counted as one, and each shape, counted as the triangles of a box.
pub(crate) fn for_each_piece(entity: &Entity, mut visit: impl FnMut(Extent, u32)) {
    for (geometry, inner) in parts(&entity.geometry) {
        let to_world = entity.transform * inner;
        match geometry {
            Geometry::Mesh(mesh) => triangles(&mesh, &to_world).for_each(|triangle| visit(triangle, 1)),
            Geometry::Shape(shape) => visit(around(shape.bounds(), &to_world), 12),
            // No reader makes any other geometry.
            _ => {}
        }
    }
}

fn triangles(mesh: &Mesh, to_world: &DAffine3) -> impl Iterator<Item = Extent> {
    (0..)
        .map_while(|triangle| mesh.triangle(triangle))
        .map(|corners| Extent::of_points(corners.map(|corner| to_world.transform_point3(corner.as_dvec3()))))
}

/// Returns the box around the corners of a placed box.
fn around(bounds: Aabb, to_world: &DAffine3) -> Extent {
    let [low, high] = [bounds.min, bounds.max].map(|corner| corner.as_dvec3());
    let corner = |number: usize| {
        DVec3::from_array([0, 1, 2].map(|axis| if number >> axis & 1 == 0 { low[axis] } else { high[axis] }))
    };
    Extent::of_points((0..8).map(|number| to_world.transform_point3(corner(number))))
}

/// Returns the shapes and meshes of an entity, with their transforms to its space.
pub(crate) fn parts(geometry: &Geometry) -> Vec<(Geometry, DAffine3)> {
    match geometry {
        Geometry::Compound(compound) => compound.iter().collect(),
        single => vec![(single.clone(), DAffine3::IDENTITY)],
    }
}
