//! Real models. Each is a scene of its entities, for rays and for characters, and also a single mesh.

use anyhow::{Context, Result};
use hitscan::glam::DAffine3;
use hitscan::{Geometry, Mesh, Quality};
use hitscan_digest::{Content, Form, Placed, Subject, Surface, World};
use hitscan_io::Model;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A content and its name.
pub(crate) type Case = (String, Content);

/// Returns the folder of models: `HITSCAN_MODELS`, otherwise `shared/models` next to the workspace; `None` if it does not exist.
pub(crate) fn folder() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/models");
    let folder = std::env::var_os("HITSCAN_MODELS").map_or(beside, PathBuf::from);
    folder.is_dir().then_some(folder)
}

/// Returns all models below a folder that can be read and have triangles, in the order of their names.
pub(crate) fn load(folder: &Path) -> Result<Vec<Case>> {
    let (mut files, mut cases) = (Vec::new(), Vec::new());
    collect(folder, &mut files)?;
    files.sort();
    let count = files.len();
    let mut unread = 0;
    for file in files {
        let name = file.strip_prefix(folder).unwrap_or(&file).display().to_string();
        match Model::load(&file) {
            Ok(model) => cases.extend(contents(&name, &model)),
            Err(_) => unread += 1,
        }
    }
    println!("{count} model files, of which {unread} cannot be read");
    Ok(cases)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in folder.read_dir().with_context(|| format!("cannot list {}", folder.display()))? {
        let path = entry?.path();
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
        if path.is_dir() {
            collect(&path, files)?;
        } else if extension.is_some_and(|extension| ["gltf", "glb", "obj", "stl", "ply"].contains(&&*extension)) {
            files.push(path);
        }
    }
    Ok(())
}

fn contents(name: &str, model: &Model) -> Vec<Case> {
    let mut scene = Collected::default();
    for entity in &model.entities {
        scene.add(&entity.geometry, entity.transform);
    }
    let mut flat = Surface::default();
    for Placed { form, place } in &scene.world.entities {
        if let Form::Mesh(mesh) = form {
            flat.append(&scene.world.meshes[*mesh as usize], place);
        }
    }
    let contents = [
        (format!("{name}, one mesh"), Content::Mesh(flat)),
        (format!("{name}, scene"), Content::Scene(scene.world.clone())),
        (format!("{name}, walks"), Content::Course(scene.world)),
    ];
    contents.into_iter().filter(is_well_formed).collect()
}

/// Returns whether a content can be built and is not empty. It cannot be built if its coordinates are too large for a
/// mesh in f32.
fn is_well_formed((name, content): &Case) -> bool {
    if content.size() == 0 {
        return false;
    }
    let built = Subject::new(content, Quality::Fast);
    if let Err(error) = &built {
        println!("skipped: {name}: {error}");
    }
    built.is_ok()
}

#[derive(Default)]
struct Collected {
    world: World,
    /// The numbers of meshes, by the addresses of their vertices. Clones of a mesh share these.
    numbers: HashMap<*const hitscan::glam::Vec3, u32>,
}

impl Collected {
    fn add(&mut self, geometry: &Geometry, place: DAffine3) {
        match geometry {
            Geometry::Mesh(mesh) if mesh.triangle_count() > 0 => {
                let form = Form::Mesh(self.number(mesh));
                self.world.entities.push(Placed { form, place });
            }
            Geometry::Compound(compound) => compound.iter().for_each(|(part, inner)| self.add(&part, place * inner)),
            // The readers produce no other geometries.
            _ => {}
        }
    }

    fn number(&mut self, mesh: &Mesh) -> u32 {
        let next = self.world.meshes.len() as u32;
        let number = *self.numbers.entry(mesh.positions().as_ptr()).or_insert(next);
        if number == next {
            let triangles = (0..mesh.triangle_count() as u32).filter_map(|triangle| mesh.indices(triangle)).collect();
            let positions = mesh.positions().to_vec();
            self.world.meshes.push(Surface { positions, triangles, cloth: None });
        }
        number
    }
}
