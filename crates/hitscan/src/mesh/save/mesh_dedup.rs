//! The meshes of a scene, each saved once: first their trees, then the meshes, which may share trees.

use crate::error::ReadError;
use crate::mesh::data::attributes::Attributes;
use crate::mesh::{Mesh, MeshData};
use crate::save::{Reader, Value, Writer};
use alloc::sync::Arc;
use alloc::vec::Vec;
use hashbrown::HashMap;

/// Meshes, numbered in the order in which they are added.
#[derive(Default)]
pub(crate) struct SavedMeshes<'a> {
    shared: Vec<&'a MeshData>,
    /// The number of the tree and the attributes of each mesh.
    meshes: Vec<(u32, &'a Attributes)>,
    numbers: HashMap<usize, u32>,
    /// The numbers of the meshes, by the addresses of all of their data. Two meshes with equal data at different
    /// addresses are both saved.
    known: HashMap<[usize; 4], u32>,
}

impl<'a> SavedMeshes<'a> {
    /// Returns the number of a mesh, which is added if it is new.
    pub(crate) fn number(&mut self, mesh: &'a Mesh) -> u32 {
        let place = mesh.place();
        *self.known.entry(place).or_insert_with(|| {
            let tree = *self.numbers.entry(place[0]).or_insert_with(|| {
                self.shared.push(&mesh.shared);
                self.shared.len() as u32 - 1
            });
            self.meshes.push((tree, &mesh.attributes));
            self.meshes.len() as u32 - 1
        })
    }

    pub(crate) fn write(&self, to: &mut Writer) {
        to.count(self.shared.len());
        self.shared.iter().for_each(|shared| shared.write(to));
        to.count(self.meshes.len());
        for (tree, attributes) in &self.meshes {
            tree.write(to);
            attributes.write(to);
        }
    }
}

impl Mesh {
    /// Returns the addresses of all its data.
    pub(in crate::mesh) fn place(&self) -> [usize; 4] {
        let Self { shared, attributes: Attributes { normals, texcoords, cut_outs } } = self;
        [
            Arc::as_ptr(shared).addr(),
            place_of(normals.as_ref()),
            place_of(texcoords.as_ref()),
            place_of(cut_outs.0.as_ref()),
        ]
    }
}

/// Returns 0 if there is no data, because nothing is at that address.
fn place_of<T>(attribute: Option<&Arc<[T]>>) -> usize {
    attribute.map_or(0, |attribute| attribute.as_ptr().addr())
}

/// Reads the data that [`SavedMeshes::write`] wrote, in the order of its numbers.
pub(crate) fn read(from: &mut Reader<'_>) -> Result<Vec<Mesh>, ReadError> {
    let count = from.count(MeshData::LEAST_BYTES)?;
    let shared: Vec<Arc<MeshData>> =
        (0..count).map(|index| MeshData::read(from, index).map(Arc::new)).collect::<Result<_, _>>()?;
    let count = from.count(Attributes::LEAST_BYTES)?;
    let mesh = |index: usize| {
        let tree = u32::read(from)?;
        let no_tree = ReadError::Invalid { item: "mesh", index, fault: "has a tree that is not there" };
        Mesh::with_attributes(shared.get(tree as usize).ok_or(no_tree)?.clone(), from, index)
    };
    (0..count).map(mesh).collect()
}
