//! The class `Scene`: its entities, and the methods that change them. Questions are in the other files of this folder.

mod answers;
mod ask;
mod choice;
mod entity_pairs;
mod extent;
mod gameplay;
mod hits;
mod near_pairs;
mod paths;
mod points;
mod rays;
mod save;
mod select;
mod snap;
mod volume_answers;
mod volumes;
mod world;

pub(crate) use answers::{ScenePoints, SolidIntervals};
pub(crate) use choice::Choice;
pub(crate) use gameplay::{ArmEnds, BlastHits, Ledges, ShotHit};
pub(crate) use hits::{
    Grounds, PathHits, PointMoves, SceneAllHits, SceneHits, ShotLegs, SurfacePoints, TrajectoryHits,
};
pub(crate) use near_pairs::{Impacts, NearPairs, pair_test};
pub(crate) use paths::{Explanation, HitSurfaces};
pub(crate) use select::Selection;
pub(crate) use snap::{AllSnaps, Cursor, Snaps};
pub(crate) use volume_answers::{
    AllOverlaps, AllPairPenetrations, AllPenetrations, AllSweeps, ContactPoints, Distances, Overlaps, PairPenetrations,
    Penetrations, Sweeps,
};
pub(crate) use world::World;

use crate::answers::counted;
use crate::arguments::{Column, Key, Layers, Part, Row, keys, transform, transforms};
use crate::error;
use crate::form::{Form, form};
use crate::input::Vectors;
use crate::matrix::matrix;
use hitscan::glam::{DAffine3, DVec3, Vec3};
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySequence};
use std::sync::{Arc, Mutex, PoisonError};

/// Entities under integer keys: meshes, shapes, height fields and compounds, each placed by a transform, and a tree over them.
///
/// `Scene()` is empty; `Scene({key: geometry})` and `Scene([geometry, ..])` hold these geometries, without a transform.
/// An entity that shares its mesh with others takes no memory for triangles of its own.
///
/// A question sees all changes made before it. A question that runs in another thread goes on with the scene as it was when the question began.
#[pyclass(frozen, module = "hitscan")]
pub(crate) struct Scene {
    /// A question takes this version and releases the lock; a change makes a new version if a question still has this one.
    world: Mutex<Arc<World>>,
}

impl Scene {
    pub(crate) fn of(world: World) -> Self {
        Self { world: Mutex::new(Arc::new(world)) }
    }

    /// Returns the scene as it is now.
    pub(crate) fn world(&self) -> Arc<World> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Changes the scene. The interpreter's lock is kept meanwhile, so that no thread waits for both locks.
    pub(crate) fn change<A>(&self, change: impl FnOnce(&mut World) -> A) -> A {
        Arc::make_mut(&mut self.world.lock().unwrap_or_else(PoisonError::into_inner)).change(change)
    }

    /// Changes one entity, as [`change`](Self::change) does.
    fn change_entity<A>(&self, Key(key): Key, change: impl FnOnce(&mut World) -> A) -> A {
        Arc::make_mut(&mut self.world.lock().unwrap_or_else(PoisonError::into_inner)).change_entity(key, change)
    }
}

impl Scene {
    /// Puts the entities of another scene into this one. They replace entities under the same keys.
    pub(crate) fn take_in(&self, other: hitscan::Scene<i64>) -> PyResult<()> {
        let entities: Vec<(i64, hitscan::Entity)> =
            other.iter().map(|(key, entity)| (key, entity.to_owned())).collect();
        let mut forms: Vec<(i64, Form, DAffine3)> = entities
            .into_iter()
            .map(|(key, entity)| (key, Form::from(entity.geometry().clone()), entity.transform()))
            .collect();
        forms.sort_by_key(|(key, ..)| *key);
        self.change(|world| world.insert_all(forms)).map_err(|fault| error::of_scene(&fault.error))
    }
}

fn absent(key: i64) -> PyErr {
    PyKeyError::new_err(format!("there is no entity {key} in the scene"))
}

#[pymethods]
impl Scene {
    #[new]
    #[pyo3(signature = (entities = None))]
    fn new(entities: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let mut listed = Vec::new();
        if let Some(entities) = entities {
            if let Ok(entities) = entities.cast::<PyDict>() {
                for (name, geometry) in entities {
                    listed.push((name.extract::<Key>()?.0, form(&geometry)?, DAffine3::IDENTITY));
                }
            } else {
                for (name, geometry) in entities.try_iter()?.enumerate() {
                    listed.push((name as i64, form(&geometry?)?, DAffine3::IDENTITY));
                }
            }
        }
        let mut world = World::default();
        world.insert_all(listed).map_err(|fault| error::of_scene(&fault.error))?;
        Ok(Self::of(world))
    }

    /// Puts a geometry into the scene under a key, an integer that is not negative, and returns whether it replaced another geometry.
    ///
    /// `geometry` is a `Mesh`, `Shape`, `HeightField` or `Compound`. `transform` is a translation of shape (3,), or a
    /// matrix of shape (4, 4) or (3, 4). `layers` are bits, 1 by default; an entity that is replaced keeps its layers, and
    /// its place in the order that decides ties. An entity that is removed and inserted again comes last in that order.
    #[pyo3(signature = (key, geometry, transform = None, *, layers = None))]
    fn insert(
        &self,
        key: Key,
        geometry: &Bound<'_, PyAny>,
        transform: Option<&Bound<'_, PyAny>>,
        layers: Option<Layers>,
    ) -> PyResult<bool> {
        let (form, given) = (form(geometry)?, self::transform(transform, "transform")?);
        self.change_entity(key, |world| {
            let replaced = world.insert(key.0, form, given).map_err(|fault| error::of_scene(&fault))?;
            if let Some(layers) = layers {
                world.scene.set_layers(&key.0, layers.0);
            }
            Ok(replaced)
        })
    }

    /// Puts many entities into the scene: one geometry for all keys, or a list with one geometry for each key.
    /// `transforms` has a transform for each key, of shape (n, 3), (n, 4, 4) or (n, 3, 4). All are put in, or none.
    #[pyo3(signature = (keys, geometry, transforms = None, *, layers = None))]
    fn insert_all(
        &self,
        keys: &Bound<'_, PyAny>,
        geometry: &Bound<'_, PyAny>,
        transforms: Option<&Bound<'_, PyAny>>,
        layers: Option<Layers>,
    ) -> PyResult<()> {
        let keys = self::keys(keys, "keys")?.values;
        let forms = match geometry.cast::<PySequence>() {
            Ok(list) if list.len()? == keys.len() => {
                list.try_iter()?.map(|item| form(&item?)).collect::<PyResult<Vec<Form>>>()?
            }
            Ok(list) => {
                let (forms, keys) = (list.len()?, keys.len());
                return Err(error::value(format!(
                    "there are {forms} geometries for {keys} keys: give as many, or one for all"
                )));
            }
            Err(_) => vec![form(geometry)?; keys.len()],
        };
        let given = self::transforms(transforms, keys.len(), "transforms")?;
        let entities = keys.iter().zip(forms).zip(given).map(|((&key, form), given)| (key, form, given)).collect();
        self.change(|world| {
            world.insert_all(entities).map_err(|fault| error::of_row("transforms", &fault))?;
            if let Some(layers) = layers {
                keys.iter().for_each(|key| _ = world.scene.set_layers(key, layers.0));
            }
            Ok(())
        })
    }

    /// Takes an entity out, and returns whether it was there.
    fn remove(&self, key: Key) -> bool {
        self.change_entity(key, |world| world.remove(key.0))
    }

    /// Takes many entities out, and returns how many were there.
    fn remove_all(&self, keys: &Bound<'_, PyAny>) -> PyResult<usize> {
        let keys = self::keys(keys, "keys")?.values;
        Ok(self.change(|world| keys.into_iter().filter(|&key| world.remove(key)).count()))
    }

    /// Takes all entities out.
    fn clear(&self) {
        self.change(|world| *world = World::default());
    }

    /// Moves an entity, and returns whether it is there.
    fn set_transform(&self, key: Key, transform: &Bound<'_, PyAny>) -> PyResult<bool> {
        let given = self::transform(Some(transform), "transform")?;
        self.change_entity(key, |world| world.set_transform(key.0, given))
            .map_err(|fault| error::of_scene(&fault.into()))
    }

    /// Moves many entities: all of them, or none if a transform is invalid. Absent keys are ignored. Returns how many were moved. If
    /// more than an eighth of all parts move, the tree is refitted or built once, rather than once for each entity.
    fn set_transforms(&self, keys: &Bound<'_, PyAny>, transforms: &Bound<'_, PyAny>) -> PyResult<usize> {
        let keys = self::keys(keys, "keys")?.values;
        let given = self::transforms(Some(transforms), keys.len(), "transforms")?;
        let moves: Vec<(i64, DAffine3)> = keys.into_iter().zip(given).collect();
        self.change(|world| world.set_transforms(&moves)).map_err(|fault| error::of_row("transforms", &fault))
    }

    /// Sets the layers of an entity, 32 bits, and returns whether it is there.
    fn set_layers(&self, key: Key, layers: Layers) -> bool {
        self.change_entity(key, |world| world.scene.set_layers(&key.0, layers.0).is_some())
    }

    /// Moves the vertices of the mesh of this entity alone. `vertices` are as many as before, in the space in which the
    /// mesh was given; `part` is the index of a part of a compound. The tree is refitted, which takes a small part of
    /// the time of a build.
    #[pyo3(signature = (key, vertices, *, part = Part(0)), text_signature = "($self, key, vertices, *, part=0)")]
    fn refit(&self, key: Key, vertices: &Bound<'_, PyAny>, part: Part) -> PyResult<()> {
        let (vertices, Part(part)) = (Vectors::rows(vertices, "vertices")?, part);
        let slice = vertices.slice()?;
        let found = self.change_entity(key, |world| {
            let origin = world.origin_of(key.0, part);
            let positions: Vec<Vec3> = (0..slice.count).map(|place| (slice.get(place) - origin).as_vec3()).collect();
            world.scene.refit(&key.0, part, &positions).map(|mesh| mesh.is_some())
        });
        match found.map_err(error::of_mesh)? {
            true => Ok(()),
            false => Err(PyKeyError::new_err(format!(
                "there is no mesh that is part {part} of an entity {} in the scene",
                key.0
            ))),
        }
    }

    /// Sets new heights for a rectangle of a height field in the scene: `heights` is an array of shape (rows, columns) that begins at `row` and `column`.
    #[pyo3(signature = (key, row, column, heights, *, part = Part(0)), text_signature = "($self, key, row, column, heights, *, part=0)")]
    fn set_heights(&self, key: Key, row: Row, column: Column, heights: &Bound<'_, PyAny>, part: Part) -> PyResult<()> {
        let heights = crate::height_field::Heights::new(heights)?;
        let ([rows, columns], Part(part)) = (heights.ranges(row.0, column.0), part);
        let set = |world: &mut World| {
            world.scene.set_heights(&key.0, part, rows, columns, &heights.values).map(|field| field.is_some())
        };
        match self.change_entity(key, set).map_err(|fault| error::value(fault.to_string()))? {
            true => Ok(()),
            false => Err(PyKeyError::new_err(format!(
                "there is no height field that is part {part} of an entity {} in the scene",
                key.0
            ))),
        }
    }

    /// Returns the transform that was given for an entity, a matrix of shape (4, 4).
    fn transform<'py>(&self, py: Python<'py>, key: Key) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let given = self.world().transform(key.0).ok_or_else(|| absent(key.0))?;
        matrix(py, &given)
    }

    /// Returns the layers of an entity.
    fn layers(&self, key: Key) -> PyResult<u32> {
        let world = self.world();
        world.scene.get(&key.0).map(|entity| entity.layers()).ok_or_else(|| absent(key.0))
    }

    /// Returns the box around an entity, or around all bounded entities: its least and greatest corner, of shape (2, 3). The box around all is the
    /// union of the boxes of the entities, which takes time in proportion to their number.
    #[pyo3(signature = (key = None))]
    fn bounds<'py>(&self, py: Python<'py>, key: Option<Key>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let world = self.world();
        let bounds = match key {
            None => world.bounds(),
            Some(Key(key)) => world.scene.bounds_of(&key).ok_or_else(|| absent(key))?,
        };
        let is_empty = !(bounds.min.x <= bounds.max.x);
        let corners = [bounds.min, bounds.max].map(|corner| if is_empty { DVec3::NAN } else { corner.as_dvec3() });
        crate::arrays::table(py, corners.map(|corner| corner.to_array()).to_vec())
    }

    /// Returns the keys of all entities, in no particular order.
    fn keys<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        PyArray1::from_vec(py, self.world().scene.keys().collect())
    }

    fn __len__(&self) -> usize {
        self.world().scene.len()
    }

    /// A value that cannot be a key is not in the scene, as in a dictionary.
    fn __contains__(&self, key: &Bound<'_, PyAny>) -> bool {
        key.extract::<Key>().is_ok_and(|Key(key)| self.world().scene.get(&key).is_some())
    }

    fn __repr__(&self) -> String {
        let bounds = self.world().bounds();
        let count = counted(self.__len__(), "entity");
        let is_empty = !(bounds.min.x <= bounds.max.x);
        let place = if is_empty { String::new() } else { format!(", from {} to {}", bounds.min, bounds.max) };
        format!("<hitscan.Scene: {count}{place}>")
    }

    /// Returns a copy that can be changed independently. Until one of the two is changed, they share memory.
    fn __copy__(&self) -> Self {
        Self { world: Mutex::new(self.world()) }
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.__copy__()
    }
}
