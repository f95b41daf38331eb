//! Loads the model that MODEL names.

use crate::animation;
use crate::args::{ChoiceArgs, ModelArg};
use crate::model_extent::parts;
use crate::output::Console;
use crate::precision::Precision;
use anyhow::{Context, Result, anyhow, ensure};
use hitscan::{Entity, Geometry, Mesh, Scene};
use hitscan_io::{Detail, EntityId, Faults, LoadError, LoadOptions, Model, Problem};
use std::borrow::Cow;
use std::collections::HashSet;
use std::io::ErrorKind;
use std::path::Path;

/// The name of the model that needs no file; a file of this name is `./demo`.
const DEMO: &str = "demo";

/// A model, and the scene that was made from it.
pub(crate) struct Loaded {
    pub(crate) model: Model,
    pub(crate) scene: Scene<EntityId>,
    pub(crate) precision: Precision,
}

/// The layer of entities that rays are to pass through.
const HIDDEN: u32 = Entity::DEFAULT_LAYERS << 1;

impl ModelArg {
    /// Returns the path of the model. The path of the built-in model is empty, and names no file.
    pub(crate) fn path(&self) -> &Path {
        Path::new(if self.model == DEMO { "" } else { &self.model })
    }

    /// Returns the same options for another model, which is at rest.
    pub(crate) fn another(&self, model: &str) -> Self {
        Self { model: model.to_owned(), animation: None, lenient: self.lenient, time: None }
    }

    /// Loads the model, and writes its warnings.
    pub(crate) fn load(&self, detail: Detail, console: &Console) -> Result<Loaded> {
        let faults = if self.lenient { Faults::LeaveOut } else { Faults::Refuse };
        let options = LoadOptions::from(detail).faults(faults);
        let mut model = console.during("loading", || match self.model.as_str() {
            DEMO => Ok(Model::demo()),
            path => Model::load_with(path, options).map_err(explained),
        })?;
        for warning in &model.warnings {
            console.warn(format_args!("{}: {warning}", self.model));
        }
        if let Some(wanted) = &self.animation {
            let animation = animation::choose(&model.animations, wanted, console)?;
            let mut pose = model.pose();
            let time = self.time.unwrap_or(0.0);
            let posed = pose.animate(animation, time).and_then(|()| model.set_pose(&pose));
            posed.with_context(|| format!("--animation {wanted} --time {time}"))?;
        }
        let scene = console.during("building", || model.scene()).with_context(|| self.model.clone())?;
        let precision = Precision::of(&model, &scene);
        Ok(Loaded { model, scene, precision })
    }
}

impl ChoiceArgs {
    /// Puts the entities that are passed through on a layer of their own.
    pub(crate) fn hide(&self, loaded: &mut Loaded) -> Result<()> {
        for name in &self.hide {
            let named = (0..).map(EntityId).zip(&loaded.model.entities).filter(|(_, entity)| entity.name == *name);
            let ids: Vec<EntityId> = named.map(|(id, _)| id).collect();
            ensure!(
                !ids.is_empty(),
                "--hide {name}: there is no entity of this name (`hitscan info MODEL --json` lists them all)"
            );
            ids.into_iter().for_each(|id| loaded.hide(id));
        }
        Ok(())
    }
}

impl Loaded {
    /// Removes an entity from the layer that all entities are on.
    pub(crate) fn hide(&mut self, id: EntityId) {
        self.scene.set_layers(&id, HIDDEN);
    }

    /// Returns each mesh once, even if several entities share it.
    pub(crate) fn meshes(&self) -> Vec<Mesh> {
        let mut seen = HashSet::new();
        let all = self.model.entities.iter().flat_map(|entity| parts(&entity.geometry));
        let meshes = all.filter_map(|(geometry, _)| match geometry {
            Geometry::Mesh(mesh) => Some(mesh),
            _ => None,
        });
        meshes.filter(|mesh| seen.insert(mesh.positions().as_ptr())).collect()
    }
}

/// Returns the indices from which the mesh was made, three for each triangle.
pub(crate) fn indices(mesh: &Mesh) -> Vec<u32> {
    (0..).map_while(|triangle| mesh.indices(triangle)).flatten().collect()
}

/// Converts an error of loading. Its message already contains the causes.
fn explained(error: LoadError) -> anyhow::Error {
    match &error.problem {
        Problem::Io(cause) if cause.kind() == ErrorKind::NotFound => missing(&error.path),
        _ => anyhow!("{error}"),
    }
}

fn missing(path: &Path) -> anyhow::Error {
    let path = path.display();
    anyhow!(
        "{path}: there is no such file; give the path of a .gltf, .glb, .obj, .stl, .ply or baked file, or `{DEMO}` for \
         the built-in village"
    )
}

/// Returns a material's name, or `material<N>` if it has none.
pub(crate) fn material_name(model: &Model, index: usize) -> Cow<'_, str> {
    let name = model.materials.get(index).and_then(|material| material.name.as_deref());
    name.filter(|name| !name.is_empty()).map_or_else(|| format!("material{index}").into(), Cow::Borrowed)
}
