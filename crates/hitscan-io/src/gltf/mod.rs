//! glTF 2.0 and GLB.

mod accessor;
mod buffers;
mod camera;
mod container;
mod document;
mod extensions;
mod material;
mod mesh;
mod mode;
mod node;
mod vertices;

use crate::error::{Problem, Warning};
use crate::model::{Entity, Model};
use accessor::Accessors;
use buffers::Buffers;
use document::{Asset, Document, Preamble};
use hitscan::Transform;
use mesh::{Loaded, Meshes};
use node::Placed;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::Path;

pub(crate) use container::is_gltf;

/// Reads a file's bytes; the files that they refer to are in `folder`.
pub(crate) fn read(bytes: &[u8], folder: Option<&Path>) -> Result<Model, Problem> {
    let container = container::open(bytes)?;
    let preamble: Preamble = serde_json::from_slice(container.json).map_err(Problem::Json)?;
    check_version(&preamble.asset)?;
    extensions::check_required(&preamble.extensions_required)?;
    let document: Document = serde_json::from_slice(container.json).map_err(Problem::Json)?;

    let mut warnings = Vec::new();
    let buffers = Buffers::new(&document, folder, &container);
    let accessors = Accessors::new(&document, &buffers);
    let placed = node::placed(&document)?;
    let cameras = camera::load(&document, &placed, &mut warnings)?;
    let materials = material::load(&document, &buffers, &mut warnings);
    let meshes = Meshes { document: &document, accessors: &accessors, materials: &materials };
    let entities = entities(&meshes, &placed, &mut warnings)?;
    if entities.is_empty() {
        warnings.push(Warning::Nothing);
    }
    Ok(Model { entities, cameras, materials: materials.list, warnings })
}

fn check_version(asset: &Asset) -> Result<(), Problem> {
    let is_two = |version: &str| version.split('.').next() == Some("2");
    match [Some(&asset.version), asset.min_version.as_ref()].into_iter().flatten().find(|version| !is_two(version)) {
        Some(version) => Err(Problem::Version(version.clone())),
        None => Ok(()),
    }
}

/// One for each node that shows triangles and can be placed; each mesh is read once.
fn entities(meshes: &Meshes<'_>, placed: &[Placed<'_>], warnings: &mut Vec<Warning>) -> Result<Vec<Entity>, Problem> {
    let mut read: HashMap<usize, Option<Loaded>> = HashMap::new();
    let mut entities = Vec::new();
    for place in placed {
        let Some(index) = place.node.mesh else { continue };
        let loaded = match read.entry(index.0) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(meshes.load(index, warnings)?),
        };
        let Some(loaded) = loaded else { continue };
        if let Err(cause) = Transform::from(place.to_world).validate() {
            warnings.push(Warning::Unplaceable { node: place.item(), cause });
            continue;
        }
        warn_of_pose(place, warnings);
        entities.push(Entity {
            name: name(place, meshes.document),
            node: Some(place.index as u32),
            geometry: loaded.mesh.clone().into(),
            transform: place.to_world,
            primitives: loaded.primitives.clone(),
        });
    }
    Ok(entities)
}

/// What is at rest here, and would not be in a viewer.
fn warn_of_pose(place: &Placed<'_>, warnings: &mut Vec<Warning>) {
    if place.node.skin.is_some() {
        warnings.push(Warning::Skinned(place.item()));
    }
    if place.node.extensions.contains_key("EXT_mesh_gpu_instancing") {
        warnings.push(Warning::Instanced(place.item()));
    }
}

fn name(place: &Placed<'_>, document: &Document) -> String {
    let mesh = place.node.mesh.and_then(|mesh| document.meshes.get(mesh.0)).and_then(|mesh| mesh.name.as_ref());
    let given = [place.node.name.as_ref(), mesh].into_iter().flatten().find(|name| !name.is_empty());
    given.cloned().unwrap_or_else(|| format!("node{}", place.index))
}
