//! One entity of a scene, as it was given.

use super::Geometry;
use glam::DAffine3;

/// An entity's form, place and layers.
#[derive(Clone, Debug)]
#[repr(C)]
pub struct Entity {
    // What moves do not need comes last: see the scene's records.
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
