//! The data of one entity.

use super::Geometry;
use glam::DAffine3;

/// The geometry, transform and layers of an entity that was removed from a scene.
#[derive(Clone, Debug)]
pub struct Entity {
    pub(super) layers: u32,
    pub(super) transform: DAffine3,
    pub(super) geometry: Geometry,
}

impl Entity {
    /// The layers of an entity by default: only the first bit.
    pub const DEFAULT_LAYERS: u32 = 1;

    /// Returns the entity's geometry, in local space.
    pub fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// Returns the entity's local-to-world transform.
    pub fn transform(&self) -> DAffine3 {
        self.transform
    }

    /// Returns the entity's layers, a bit each. A query can hit the entity if the query's [`Filter`](crate::Filter) selects one of these layers.
    pub fn layers(&self) -> u32 {
        self.layers
    }
}

/// The geometry, transform and layers of an entity in a scene.
#[derive(Clone, Copy, Debug)]
pub struct EntityRef<'a> {
    pub(super) layers: u32,
    pub(super) transform: &'a DAffine3,
    pub(super) geometry: &'a Geometry,
}

impl<'a> EntityRef<'a> {
    /// Returns the entity's geometry, in local space.
    pub fn geometry(self) -> &'a Geometry {
        self.geometry
    }

    /// Returns the entity's local-to-world transform.
    pub fn transform(self) -> DAffine3 {
        *self.transform
    }

    /// Returns the entity's layers, a bit each. A query can hit the entity if the query's [`Filter`](crate::Filter) selects one of these layers.
    pub fn layers(self) -> u32 {
        self.layers
    }

    /// Returns a copy that belongs to no scene. The copy shares meshes, height fields, hulls, point clouds and polylines with the scene.
    pub fn to_owned(self) -> Entity {
        Entity { layers: self.layers, transform: *self.transform, geometry: self.geometry.clone() }
    }
}

impl<'a> From<&'a Entity> for EntityRef<'a> {
    fn from(entity: &'a Entity) -> Self {
        Self { layers: entity.layers, transform: &entity.transform, geometry: &entity.geometry }
    }
}
