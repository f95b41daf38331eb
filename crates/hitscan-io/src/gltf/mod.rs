//! glTF 2.0 and GLB.

mod accessor;
mod buffers;
mod camera;
mod container;
mod document;
mod entity;
mod extensions;
mod instances;
mod material;
mod mesh;
mod mode;
mod node;
mod pose;
mod skin;
mod vertices;

use crate::error::{Problem, Warning};
use crate::model::{Detail, Model};
use accessor::Accessors;
use buffers::Buffers;
use document::{Asset, Document, Preamble};
use mesh::Meshes;
use std::path::Path;

pub(crate) use container::is_gltf;

/// Reads a file's bytes; the files that they refer to are in `folder`.
pub(crate) fn read(bytes: &[u8], folder: Option<&Path>, detail: Detail) -> Result<Model, Problem> {
    let container = container::open(bytes)?;
    let preamble: Preamble = serde_json::from_slice(container.json).map_err(Problem::Json)?;
    check_version(&preamble.asset)?;
    extensions::check_required(&preamble.extensions_required)?;
    let document: Document = serde_json::from_slice(container.json).map_err(Problem::Json)?;

    let mut warnings = Vec::new();
    let buffers = Buffers::new(&document, folder, &container);
    let accessors = Accessors::new(&document, &buffers);
    let placement = node::place(&document)?;
    let cameras = camera::load(&document, &placement.shown, &accessors, &mut warnings)?;
    let materials = material::load(&document, &buffers, detail, &mut warnings);
    let meshes = Meshes { document: &document, accessors: &accessors, materials: &materials };
    let entities = entity::load(&meshes, &placement, &mut warnings)?;
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
