//! Geometries with other trees.

use hitscan::{Compound, Geometry, Mesh, Quality};
use std::collections::HashMap;

/// The meshes that were rebuilt.
pub(super) struct Rebuilt {
    quality: Quality,
    /// Pairs of a mesh before and after it was rebuilt, by the address of its vertices.
    known: HashMap<*const u8, Vec<[Mesh; 2]>>,
}

impl Rebuilt {
    pub(super) fn new(quality: Quality) -> Self {
        Self { quality, known: HashMap::new() }
    }

    pub(super) fn geometry(&mut self, geometry: &Geometry) -> Geometry {
        match geometry {
            Geometry::Mesh(mesh) => self.mesh(mesh).into(),
            Geometry::Compound(compound) => {
                let parts = compound.iter().map(|(part, place)| (self.geometry(&part), place.into()));
                // The parts could be placed before.
                Compound::new(parts).map_or_else(|_| geometry.clone(), Into::into)
            }
            _ => geometry.clone(),
        }
    }

    pub(super) fn mesh(&mut self, mesh: &Mesh) -> Mesh {
        if mesh.quality() == self.quality {
            return mesh.clone();
        }
        let alike = self.known.entry(mesh.positions().as_ptr().cast()).or_default();
        if let Some([_, rebuilt]) = alike.iter().find(|[known, _]| known.is_clone_of(mesh)) {
            return rebuilt.clone();
        }
        let rebuilt = mesh.rebuilt(self.quality);
        alike.push([mesh.clone(), rebuilt.clone()]);
        rebuilt
    }
}
