//! Real models, read by hitscan-io and flattened into one mesh.

use super::scene::Scene;
use super::soup::Soup;
use anyhow::{Context, Result, ensure};
use hitscan::glam::DAffine3;
use hitscan::{Geometry, Mesh};
use hitscan_io::Model;
use std::path::{Path, PathBuf};

pub(super) fn truck_town() -> Result<Scene> {
    Ok(Scene::mesh(load("scenes/truck-town.glb")?, [0.2, 1.2, 0.2], [0.55, 0.0, 0.55], [0.5, 4.0, 0.4]))
}

pub(super) fn apartment() -> Result<Scene> {
    Ok(Scene::mesh(load("interiors/dream-apartment.glb")?, [0.4, 0.6, 0.45], [0.7, 0.2, 0.6], [0.5, 0.9, 0.5]))
}

pub(super) fn sponza() -> Result<Scene> {
    Ok(Scene::mesh(load("interiors/sponza.glb")?, [0.15, 0.2, 0.5], [0.8, 0.35, 0.48], [0.5, 0.8, 0.5]))
}

pub(super) fn bunny() -> Result<Scene> {
    Ok(Scene::mesh(load("scans/stanford-bunny.obj")?, [0.5, 0.7, 2.2], [0.5, 0.5, 0.5], [1.5, 2.5, 1.8]))
}

pub(super) fn igea() -> Result<Scene> {
    Ok(Scene::mesh(load("scans/igea.ply")?, [0.5, 0.6, 2.2], [0.5, 0.5, 0.5], [1.5, 2.5, 1.8]))
}

fn load(file: &str) -> Result<Soup> {
    let model = Model::load(folder()?.join(file))?;
    let mut soup = Soup::default();
    for entity in &model.entities {
        append(&mut soup, &entity.geometry, entity.transform);
    }
    ensure!(soup.triangle_count() > 0, "{file} has no triangles");
    Ok(soup)
}

/// Appends the meshes of a geometry. Shapes are left out, because they have no triangles.
fn append(soup: &mut Soup, geometry: &Geometry, place: DAffine3) {
    match geometry {
        Geometry::Mesh(mesh) => soup.append(&triangles(mesh), place),
        Geometry::Compound(compound) => {
            for (part, inner) in compound.iter() {
                append(soup, &part, place * inner);
            }
        }
        _ => {}
    }
}

fn triangles(mesh: &Mesh) -> Soup {
    let indices = (0..mesh.triangle_count() as u32).filter_map(|triangle| mesh.indices(triangle));
    let positions = mesh.positions().iter().map(|position| position.to_array());
    Soup::new(positions.collect(), indices.flatten().collect())
}

/// Returns the folder of real models: `HITSCAN_MODELS`, otherwise `shared/models` next to the workspace.
fn folder() -> Result<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models");
    let folder = std::env::var_os("HITSCAN_MODELS").map_or(beside, PathBuf::from);
    let there = folder.canonicalize();
    there.with_context(|| format!("no models in {} (set HITSCAN_MODELS to their folder)", folder.display()))
}
