//! The tight extents of models and their entities: the bounds of the triangles' corners.

use crate::extent::Extent;
use crate::mesh_extent::{MeshExtent, Within};
use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::{Aabb, Geometry, Mesh};
use hitscan_io::{Entity, Model};
use std::collections::HashMap;

/// The meshes of a model as [`MeshExtent`]s. Each is made once, even if several entities show the mesh.
#[derive(Default)]
pub(crate) struct Extents {
    meshes: HashMap<*const Vec3, MeshExtent>,
}

impl Extents {
    /// Returns `None` for an entity without triangles or shapes, and for an infinite one.
    pub(crate) fn of_entity(&mut self, entity: &Entity) -> Option<Extent> {
        Some(self.extended(entity, Within::Everywhere, Extent::EMPTY)).filter(Extent::is_box)
    }

    /// Returns `None` for a model without extent.
    pub(crate) fn of_model(&mut self, model: &Model) -> Option<Extent> {
        // Most entities are within the known extent of the others. Each of these needs only one test.
        let add = |known, entity| {
            Some(self.extended(entity, Within::Everywhere, known)).filter(Extent::is_box).unwrap_or(known)
        };
        Some(model.entities.iter().fold(Extent::EMPTY, add)).filter(Extent::is_box)
    }

    /// Returns the union of a known extent and the extent of the included pieces of an entity.
    pub(crate) fn extended(&mut self, entity: &Entity, within: Within, known: Extent) -> Extent {
        let mut extent = known;
        for (geometry, inner) in parts(&entity.geometry) {
            let to_world = entity.transform * inner;
            match geometry {
                Geometry::Mesh(mesh) => extent = self.of_mesh(&mesh).extended(&to_world, within, extent),
                Geometry::Shape(shape) => {
                    let piece = around(shape.bounds(), &to_world);
                    extent = if within.holds(&piece) { extent.union(piece) } else { extent };
                }
                // No reader makes any other geometry.
                _ => {}
            }
        }
        extent
    }

    /// Returns the [`MeshExtent`] of a mesh, by the address of its positions. Clones of a mesh share the positions, and
    /// the clone in the map keeps their address valid.
    fn of_mesh(&mut self, mesh: &Mesh) -> &MeshExtent {
        self.meshes.entry(mesh.positions().as_ptr()).or_insert_with(|| MeshExtent::new(mesh))
    }

    /// Returns the number of triangles that were tested.
    #[cfg(test)]
    pub(crate) fn opened(&self) -> u64 {
        self.meshes.values().map(MeshExtent::opened).sum()
    }
}

/// Returns the number of pieces of an entity, and the number of triangles. Pieces are triangles and shapes, and a shape is treated as a box of 12 triangles.
pub(crate) fn count_pieces(entity: &Entity) -> (usize, u64) {
    parts(&entity.geometry).iter().fold((0, 0), |(pieces, weight), (geometry, _)| match geometry {
        Geometry::Mesh(mesh) => (pieces + mesh.triangle_count(), weight + mesh.triangle_count() as u64),
        Geometry::Shape(_) => (pieces + 1, weight + 12),
        _ => (pieces, weight),
    })
}

/// Returns the extents of pieces of an entity at intervals of `stride`, beginning with the first.
pub(crate) fn every_piece(entity: &Entity, stride: usize) -> Vec<Extent> {
    let (mut found, mut before) = (Vec::new(), 0usize);
    for (geometry, inner) in parts(&entity.geometry) {
        let to_world = entity.transform * inner;
        let skipped = before.next_multiple_of(stride) - before;
        match geometry {
            Geometry::Mesh(mesh) => {
                let numbers = (skipped..mesh.triangle_count()).step_by(stride);
                let triangles = numbers.filter_map(|number| mesh.triangle(number as u32));
                found.extend(triangles.map(|triangle| {
                    Extent::of_points(triangle.map(|corner| to_world.transform_point3(corner.as_dvec3())))
                }));
                before += mesh.triangle_count();
            }
            Geometry::Shape(shape) => {
                found.extend((skipped == 0).then(|| around(shape.bounds(), &to_world)));
                before += 1;
            }
            _ => {}
        }
    }
    found
}

/// Returns the box around the corners of a transformed box.
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
