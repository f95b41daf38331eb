//! glTF 2.0 and GLB.

mod accessor;
mod animation;
mod buffers;
mod camera;
mod container;
mod deformer;
mod document;
mod entity;
mod extensions;
mod instances;
mod material;
mod mesh;
mod moved;
mod node;
mod nulls;
mod primitive_mode;
mod skin;
mod streams;
mod vertices;

use crate::error::{Problem, Warning};
use crate::file::Folder;
use crate::model::Model;
use crate::options::LoadOptions;
use crate::rig::Rig;
use accessor::Accessors;
use animation::Animations;
use buffers::Buffers;
use document::{Asset, Document, Preamble};
use mesh::Meshes;
use moved::Moved;
use std::sync::Arc;

pub(crate) use container::is_gltf;

/// Reads a file's bytes; the files that they refer to are in `folder`.
pub(crate) fn read(bytes: &[u8], folder: &Folder<'_>, options: LoadOptions) -> Result<Model, Problem> {
    let container = container::open(bytes)?;
    let preamble: Preamble = serde_json::from_slice(&container.json).map_err(Problem::Json)?;
    check_version(&preamble.asset)?;
    extensions::check_required(&preamble.extensions_required)?;
    let document: Document = serde_json::from_slice(&container.json).map_err(Problem::Json)?;

    let mut warnings = Vec::new();
    let buffers = Buffers::new(&document, folder, &container);
    let accessors = Accessors::new(&document, &buffers);
    let animations = moved::parse(&document);
    let moved = Moved::by(&animations);
    let placement = node::place(&document, |node| moved.places.contains(&node), &mut warnings)?;
    let cameras = camera::load(&document, &placement.shown, &accessors, &mut warnings)?;
    let materials = material::load(&document, &buffers, options.detail, &mut warnings);
    let meshes = Meshes::new(&document, &accessors, &materials);
    let mut shown = entity::load(&meshes, &placement, &moved, options.faults, &mut warnings)?;
    if shown.entities.is_empty() {
        warnings.push(Warning::Nothing);
    }
    let reader = Animations::new(&accessors, &placement.tree, &shown);
    let (animations, clips) = reader.read(&animations, &mut warnings).into_iter().unzip();
    let entities = std::mem::take(&mut shown.entities);
    let rig = Rig { tree: placement.tree, bodies: shown.bodies, bindings: shown.bindings, clips };
    Ok(Model {
        entities,
        cameras,
        materials: materials.list,
        animations,
        warnings,
        rig: Arc::new(rig),
        ..Model::default()
    })
}

fn check_version(asset: &Asset) -> Result<(), Problem> {
    let is_two = |version: &str| version.split('.').next() == Some("2");
    match [Some(&asset.version), asset.min_version.as_ref()].into_iter().flatten().find(|version| !is_two(version)) {
        Some(version) => Err(Problem::Version(version.clone())),
        None => Ok(()),
    }
}
