//! The class `Model`: a file with its entities, and their poses in scenes.

use crate::arguments::{Animation, FirstKey, ThreadCount, transform};
use crate::error;
use crate::scene::{Scene, World};
use crate::threads::Threads;
use hitscan::glam::DAffine3;
use hitscan_io::{Detail, EntityId, Format};
use pyo3::prelude::*;
use std::path::PathBuf;

/// A model of glTF, GLB, OBJ, STL or PLY, or one that `hitscan bake` wrote, with its entities as they are in the file. `load` makes one mesh of them instead.
///
/// Rays in its scenes go through the holes of cut-out textures.
#[pyclass(frozen, module = "hitscan")]
pub(crate) struct Model {
    model: hitscan_io::Model,
}

fn refused(fault: impl std::fmt::Display) -> PyErr {
    error::value(fault.to_string())
}

/// Returns a function from the entities of a model to their keys, given the key of the first.
fn key_from(first: i64) -> impl Fn(EntityId) -> i64 {
    move |id| first + i64::from(id.0)
}

impl Model {
    /// Checks that the keys of all entities fit into an i64.
    fn check(&self, first_key: i64) -> PyResult<()> {
        let is_usable = first_key.checked_add(self.model.entities.len() as i64).is_some();
        if is_usable {
            Ok(())
        } else {
            Err(refused(format!("first_key is {first_key}, but keys are from 0 to below 2^63")))
        }
    }

    fn animation(&self, animation: &Bound<'_, PyAny>) -> PyResult<usize> {
        if let Ok(name) = animation.extract::<String>() {
            return self.model.animation(&name).ok_or_else(|| {
                let names: Vec<&str> = self.model.animations.iter().filter_map(|one| one.name.as_deref()).collect();
                refused(format!("there is no animation {name:?}; there are {names:?}"))
            });
        }
        animation.extract::<Animation>().map(|animation| animation.0)
    }
}

#[pymethods]
impl Model {
    #[new]
    #[pyo3(signature = (path, *, lenient = false, threads = None))]
    fn new(py: Python<'_>, path: PathBuf, lenient: bool, threads: Option<ThreadCount>) -> PyResult<Self> {
        let threads = Threads::new(threads)?;
        let model = threads.run_apart(py, usize::MAX, move || crate::load::read(&path, lenient))??;
        crate::load::warn(py, &model.warnings)?;
        Ok(Self { model })
    }

    /// The names of its entities; the key of each in `scene()` is its index in this list.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.model.entities.iter().map(|entity| entity.name.clone()).collect()
    }

    /// A line for each part of the file that is left out, or that is not read as the file says.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.model.warnings.iter().map(ToString::to_string).collect()
    }

    /// The name, or `None`, and the duration in seconds of each animation.
    #[getter]
    fn animations(&self) -> Vec<(Option<String>, f64)> {
        self.model.animations.iter().map(|animation| (animation.name.clone(), animation.duration)).collect()
    }

    /// Returns a scene of its entities, whose keys count from 0.
    fn scene(&self, py: Python<'_>) -> PyResult<Scene> {
        let scene = Scene::of(World::default());
        self.insert_into(py, &scene, None, FirstKey(0))?;
        Ok(scene)
    }

    /// Puts its entities into a scene, under keys that count from `first_key`; `transform` leads from the model's space to the world's.
    #[pyo3(
        signature = (scene, transform = None, *, first_key = FirstKey(0)),
        text_signature = "($self, scene, transform=None, *, first_key=0)"
    )]
    fn insert_into(
        &self,
        py: Python<'_>,
        scene: &Scene,
        transform: Option<&Bound<'_, PyAny>>,
        first_key: FirstKey,
    ) -> PyResult<()> {
        let FirstKey(first_key) = first_key;
        self.check(first_key)?;
        let place = self::transform(transform, "transform")?;
        // Cutting holes takes a while; the scene is changed at once when that is done.
        let mut own = hitscan::Scene::new();
        py.detach(|| self.model.insert_into(&mut own, place, key_from(first_key))).map_err(refused)?;
        scene.take_in(own)
    }

    /// Moves its entities in a scene to a time, in seconds, of an animation: its name, or its index in `animations`.
    /// Meshes that follow joints get new vertices. Everything that the animation does not move is in its rest pose.
    /// `transform` and `first_key` are as for `insert_into`.
    #[pyo3(
        signature = (scene, animation, time, transform = None, *, first_key = FirstKey(0)),
        text_signature = "($self, scene, animation, time, transform=None, *, first_key=0)"
    )]
    fn pose(
        &self,
        scene: &Scene,
        animation: &Bound<'_, PyAny>,
        time: f64,
        transform: Option<&Bound<'_, PyAny>>,
        first_key: FirstKey,
    ) -> PyResult<()> {
        let FirstKey(first_key) = first_key;
        self.check(first_key)?;
        let place: DAffine3 = self::transform(transform, "transform")?;
        let mut pose = self.model.pose();
        pose.animate(self.animation(animation)?, time).map_err(refused)?;
        let keys = first_key..first_key + self.model.entities.len() as i64;
        scene.change(|world| {
            pose.apply_as(&mut world.scene, place, key_from(first_key)).map_err(refused)?;
            world.forget_origins(keys);
            Ok(())
        })
    }

    /// Returns the model as the bytes that `hitscan bake` writes: entities, holes and animations.
    fn to_bytes(&self, py: Python<'_>) -> PyResult<Vec<u8>> {
        py.detach(|| self.model.bake(Detail::Hits)).map_err(refused)
    }

    /// Makes a model of the bytes of `to_bytes`, in any object with the buffer protocol.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<Self> {
        let data = crate::input::bytes(data)?;
        let slice = data.as_slice()?;
        let read = || hitscan_io::Model::from_bytes_as(Format::Baked, slice, None);
        // A triangle takes 12 bytes or more.
        let model = Threads::new(None)?.run_for_mesh(py, slice.len() / 12, read)?;
        Ok(Self { model: model.map_err(refused)? })
    }

    fn __reduce_ex__<'py>(
        slf: &Bound<'py, Self>,
        protocol: i32,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyAny>,))> {
        let data = slf.get().to_bytes(slf.py())?;
        Ok((slf.get_type().getattr("from_bytes")?, (crate::mesh::pickled(slf.py(), data, protocol)?,)))
    }

    /// The number of its entities.
    fn __len__(&self) -> usize {
        self.model.entities.len()
    }

    fn __repr__(&self) -> String {
        let (entities, animations) = (self.model.entities.len(), self.model.animations.len());
        format!("<hitscan.Model: {entities} entities, {animations} animations>")
    }
}
