//! Scenes: their entities, and the filter of their questions.

use crate::filter::{self, Role};
use crate::height_field::HeightField;
use crate::mesh::Mesh;
use crate::positions::positions;
use crate::question::{Choices, transform};
use crate::shape::Shape;
use crate::thrown;
use hitscan::glam::DVec3;
use hitscan::query::{RayView, SightView};
use hitscan::{Cull, Filter, Geometry, RayQueries, Transform, View};
use wasm_bindgen::prelude::*;

/// A scene. Its keys are numbers, which the package translates to the caller's keys.
#[wasm_bindgen]
#[derive(Default)]
pub struct Scene {
    pub(crate) scene: hitscan::Scene<u32>,
    /// The filter of the next questions; `None` includes everything.
    filter: Option<Filter<'static, u32>>,
    /// The filter of the entities that hide others in the next questions; `None` means the entities that pass `filter`.
    hides: Option<Filter<'static, u32>>,
    origin: DVec3,
}

/// The parts of one entity.
#[wasm_bindgen]
#[derive(Default)]
pub struct Parts(Vec<(Geometry, Transform)>);

#[wasm_bindgen]
impl Parts {
    /// Makes an empty list of parts.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a mesh.
    pub fn push_mesh(&mut self, mesh: &Mesh, matrix: &[f64]) -> Result<(), JsError> {
        self.push(mesh.0.clone().into(), matrix)
    }

    /// Adds a shape or a hull.
    pub fn push_shape(&mut self, shape: &Shape, matrix: &[f64]) -> Result<(), JsError> {
        self.push(shape.geometry()?, matrix)
    }

    /// Adds a height field.
    pub fn push_height_field(&mut self, field: &HeightField, matrix: &[f64]) -> Result<(), JsError> {
        self.push(field.0.clone().into(), matrix)
    }

    fn push(&mut self, geometry: Geometry, matrix: &[f64]) -> Result<(), JsError> {
        self.0.push((geometry, transform(matrix)?));
        Ok(())
    }
}

#[wasm_bindgen]
impl Scene {
    /// Makes an empty scene.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads a saved scene.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, JsError> {
        let key = |bytes: &[u8]| Some(u32::from_le_bytes(bytes.try_into().ok()?));
        let scene = hitscan::Scene::from_bytes(bytes, key).map_err(thrown)?;
        Ok(Self { scene, ..Self::default() })
    }

    /// Saves the scene.
    pub fn to_bytes(&self) -> Result<Vec<u8>, JsError> {
        self.scene.to_bytes(|key| key.to_le_bytes()).map_err(thrown)
    }

    /// Returns the number of entities.
    pub fn len(&self) -> usize {
        self.scene.len()
    }

    /// Returns whether there are no entities.
    pub fn is_empty(&self) -> bool {
        self.scene.is_empty()
    }

    /// Inserts or replaces an entity that is a mesh.
    pub fn insert_mesh(&mut self, key: u32, mesh: &Mesh, matrix: &[f64]) -> Result<(), JsError> {
        self.insert(key, mesh.0.clone().into(), matrix)
    }

    /// Inserts or replaces an entity that is a shape or a hull.
    pub fn insert_shape(&mut self, key: u32, shape: &Shape, matrix: &[f64]) -> Result<(), JsError> {
        self.insert(key, shape.geometry()?, matrix)
    }

    /// Inserts or replaces an entity that is a height field.
    pub fn insert_height_field(&mut self, key: u32, field: &HeightField, matrix: &[f64]) -> Result<(), JsError> {
        self.insert(key, field.0.clone().into(), matrix)
    }

    /// Inserts or replaces an entity of several parts.
    pub fn insert_parts(&mut self, key: u32, parts: &Parts, matrix: &[f64]) -> Result<(), JsError> {
        let compound = hitscan::Compound::new(parts.0.iter().cloned()).map_err(thrown)?;
        self.insert(key, compound.into(), matrix)
    }

    fn insert(&mut self, key: u32, geometry: Geometry, matrix: &[f64]) -> Result<(), JsError> {
        self.scene.insert(key, geometry, transform(matrix)?).map(drop).map_err(thrown)
    }

    /// Removes an entity, and returns whether it was there.
    pub fn remove(&mut self, key: u32) -> bool {
        self.scene.remove(&key).is_some()
    }

    /// Removes all entities.
    pub fn clear(&mut self) {
        self.scene.clear();
    }

    /// Moves an entity, and returns whether it is there.
    pub fn set_transform(&mut self, key: u32, matrix: &[f64]) -> Result<bool, JsError> {
        self.scene.set_transform(&key, transform(matrix)?).map(|before| before.is_some()).map_err(thrown)
    }

    /// Moves many entities, each with 16 numbers, and returns the number of keys that exist.
    pub fn set_transforms(&mut self, keys: &[u32], matrices: &[f64]) -> Result<usize, JsError> {
        if matrices.len() != keys.len() * 16 {
            return Err(JsError::new(&format!(
                "{} entities need {} numbers, 16 each, not {}",
                keys.len(),
                keys.len() * 16,
                matrices.len()
            )));
        }
        let transforms = matrices.chunks_exact(16).map(transform).collect::<Result<Vec<_>, _>>()?;
        self.scene.set_transforms(keys.iter().copied().zip(transforms)).map_err(thrown)
    }

    /// Sets the layers that an entity is on, and returns whether it is there.
    pub fn set_layers(&mut self, key: u32, layers: u32) -> bool {
        self.scene.set_layers(&key, layers).is_some()
    }

    /// Moves the vertices of a part, and returns whether the part is a mesh.
    pub fn refit(&mut self, key: u32, part: u32, numbers: &[f32]) -> Result<bool, JsError> {
        self.scene.refit(&key, part, positions(numbers)?).map(|mesh| mesh.is_some()).map_err(thrown)
    }

    /// Returns the least and greatest coordinates of all entities.
    pub fn bounds(&self) -> Vec<f32> {
        let bounds = self.scene.bounds();
        [bounds.min.to_array(), bounds.max.to_array()].concat()
    }

    /// Returns the least and greatest coordinates of an entity, or nothing.
    pub fn bounds_of(&self, key: u32) -> Option<Vec<f32>> {
        self.scene.bounds_of(&key).map(|bounds| [bounds.min.to_array(), bounds.max.to_array()].concat())
    }

    /// Lets the next questions include everything.
    pub fn clear_filter(&mut self) {
        self.filter = None;
        self.origin = DVec3::ZERO;
    }

    /// Sets the filter and the origin of the next questions.
    pub fn set_filter(
        &mut self,
        layers: u32,
        bits: u32,
        excluded: &[u32],
        entities: bool,
        hits: bool,
        x: f64,
        y: f64,
        z: f64,
    ) {
        self.filter = Some(made(layers, bits, excluded, Role::Counts, entities, hits));
        self.origin = DVec3::new(x, y, z);
    }

    /// Lets all entities that pass the filter hide others in the next questions.
    pub fn clear_hides(&mut self) {
        self.hides = None;
    }

    /// Sets the filter of the entities that hide others in the next questions.
    pub fn set_hides(&mut self, layers: u32, bits: u32, excluded: &[u32], entities: bool, hits: bool) {
        self.hides = Some(made(layers, bits, excluded, Role::Hides, entities, hits));
    }
}

/// Makes a filter from its choices.
fn made(layers: u32, bits: u32, excluded: &[u32], role: Role, entities: bool, hits: bool) -> Filter<'static, u32> {
    let cull: Cull = Choices::new(bits).cull();
    let filter = Filter::new().layers(layers).cull(cull);
    let filter = excluded.iter().fold(filter, |filter, &key| filter.exclude(key));
    filter::with_callbacks(filter, role, entities, hits)
}

impl Scene {
    /// Returns the view of the scene with the filter.
    #[inline(never)]
    pub(crate) fn view(&self) -> View<'_, u32> {
        match &self.filter {
            None => (&self.scene).into(),
            Some(filter) => self.scene.with(filter).relative_to(self.origin),
        }
    }

    /// Returns the view of the scene with the filter and the choices of rays.
    #[inline(never)]
    pub(crate) fn ray_view(&self, choices: Choices) -> RayView<'_, u32> {
        self.view().when_inside(choices.inside()).cut_outs(choices.cut_outs())
    }

    /// Returns the view of the scene with both filters, for cursors and explosions.
    pub(crate) fn sight(&self) -> SightView<'_, u32> {
        self.hides.as_ref().map_or(self.view().into(), |hides| self.view().hidden_by(hides))
    }

    /// Returns the view of the scene with both filters and the choices of rays, for selections.
    pub(crate) fn ray_sight(&self, choices: Choices) -> SightView<'_, u32, RayView<'_, u32>> {
        let view = self.ray_view(choices);
        self.hides.as_ref().map_or(view.into(), |hides| view.hidden_by(hides))
    }
}
