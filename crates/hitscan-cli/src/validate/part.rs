//! The parts of a model: what its entities show, each once.

use super::listed::Listed;
use crate::model_extent::parts;
use crate::triangle_list::TriangleList;
use anyhow::{Context, Result};
use hitscan::glam::{DAffine3, DVec3};
use hitscan::{Geometry, Mesh};
use hitscan_io::{Entity, Model};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// The meshes that one or more entities show.
pub(super) struct Part<'a> {
    /// The first entity that shows them.
    pub(super) entity: &'a Entity,
    /// The number of entities that do.
    pub(super) instances: u64,
    meshes: Vec<(Mesh, DAffine3)>,
}

/// The identity of some meshes: the addresses of their positions, and their transforms. A model keeps all of its meshes, so no address is used again.
type Identity = Vec<(usize, usize, [u64; 12])>;

/// Returns the parts of a model, in the order of their first entities. Entities without triangles are in none.
pub(super) fn distinct(model: &Model) -> Vec<Part<'_>> {
    let (mut found, mut known): (Vec<Part<'_>>, HashMap<Identity, usize>) = (Vec::new(), HashMap::new());
    for entity in &model.entities {
        let meshes: Vec<(Mesh, DAffine3)> = parts(&entity.geometry)
            .into_iter()
            .filter_map(|(geometry, inner)| match geometry {
                Geometry::Mesh(mesh) => Some((mesh, inner)),
                _ => None,
            })
            .collect();
        if meshes.iter().all(|(mesh, _)| mesh.triangle_count() == 0) {
            continue;
        }
        match known.entry(meshes.iter().map(identity).collect()) {
            Entry::Occupied(known) => found[*known.get()].instances += 1,
            Entry::Vacant(new) => {
                new.insert(found.len());
                found.push(Part { entity, instances: 1, meshes });
            }
        }
    }
    found
}

fn identity((mesh, inner): &(Mesh, DAffine3)) -> (usize, usize, [u64; 12]) {
    (mesh.positions().as_ptr() as usize, mesh.triangle_count(), inner.to_cols_array().map(f64::to_bits))
}

impl Part<'_> {
    pub(super) fn triangle_count(&self) -> u64 {
        self.meshes.iter().map(|(mesh, _)| mesh.triangle_count() as u64).sum()
    }

    /// Returns the triangles as a list and as one mesh, in the entity's space. The mesh is the entity's own, if it has only one. Otherwise it is
    /// made of the corners, which are exact in f32 unless a part of a compound is placed by a transform.
    pub(super) fn triangles(&self) -> Result<(TriangleList, Mesh)> {
        let mut list = TriangleList::default();
        list.add(&self.entity.geometry, &DAffine3::IDENTITY)?;
        if let [(mesh, inner)] = &self.meshes[..]
            && *inner == DAffine3::IDENTITY
        {
            return Ok((list, mesh.clone()));
        }
        let mesh = list.mesh(DVec3::ZERO).with_context(|| self.entity.name.clone())?;
        Ok((list, mesh))
    }
}

/// Returns the triangles of all entities in world space, and the ones among them that have no area in their own space.
pub(super) fn whole(model: &Model, most: usize) -> Result<(TriangleList, Listed<u32>)> {
    let (mut list, mut degenerate) = (TriangleList::default(), Listed::new(most));
    let mut known: HashMap<usize, Vec<u32>> = HashMap::new();
    for entity in &model.entities {
        let mut first = list.triangles.len() as u32;
        list.add(&entity.geometry, &entity.transform)?;
        for (geometry, _) in parts(&entity.geometry) {
            let Geometry::Mesh(mesh) = geometry else { continue };
            let own = known.entry(mesh.positions().as_ptr() as usize).or_insert_with(|| mesh.degenerate_triangles());
            degenerate.extend(own.iter().map(|triangle| first + triangle));
            first += mesh.triangle_count() as u32;
        }
    }
    Ok((list, degenerate))
}
