//! One entity, as it was given.

use super::Geometry;
use glam::DAffine3;

/// An entity's form, place and layers, taken out of a scene.
#[derive(Clone, Debug)]
pub struct Entity {
    pub(super) layers: u32,
    pub(super) transform: DAffine3,
    pub(super) geometry: Geometry,
}

impl Entity {
    /// The layers of an entity unless it is given others: the first bit alone.
    pub const DEFAULT_LAYERS: u32 = 1;

    /// Its form in its local space.
    pub fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// Its local-to-world transform.
    pub fn transform(&self) -> DAffine3 {
        self.transform
    }

    /// The layers that it is on, a bit each. A query meets it if they share a bit.
    pub fn layers(&self) -> u32 {
        self.layers
    }
}

/// An entity's form, place and layers, in a scene.
#[derive(Clone, Copy, Debug)]
pub struct EntityRef<'a> {
    pub(super) layers: u32,
    pub(super) transform: &'a DAffine3,
    pub(super) geometry: &'a Geometry,
}

impl<'a> EntityRef<'a> {
    /// Its form in its local space.
    pub fn geometry(self) -> &'a Geometry {
        self.geometry
    }

    /// Its local-to-world transform.
    pub fn transform(self) -> DAffine3 {
        *self.transform
    }

    /// The layers that it is on, a bit each. A query meets it if they share a bit.
    pub fn layers(self) -> u32 {
        self.layers
    }

    /// A copy that is of no scene. Meshes and the like are shared, not copied.
    pub fn to_owned(self) -> Entity {
        Entity { layers: self.layers, transform: *self.transform, geometry: self.geometry.clone() }
    }
}

impl<'a> From<&'a Entity> for EntityRef<'a> {
    fn from(entity: &'a Entity) -> Self {
        Self { layers: entity.layers, transform: &entity.transform, geometry: &entity.geometry }
    }
}
