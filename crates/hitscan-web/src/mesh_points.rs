//! Nearest points, insides and distances of many points, and winding numbers.

use crate::batch::{self, Batch, PointRow};
use crate::mesh::Mesh;
use crate::positions::positions;
use crate::thrown;
use hitscan::batch::Threads;
use hitscan::query::MeshPoint;
use wasm_bindgen::prelude::*;

/// The winding numbers of a mesh.
#[wasm_bindgen]
pub struct WindingTree(hitscan::WindingTree);

/// Writes the nearest points of a batch.
fn write(found: Vec<Option<impl Into<PointRow>>>) {
    let rows: Vec<PointRow> = found.into_iter().map(|found| found.map_or(PointRow::NONE, Into::into)).collect();
    batch::with(|Batch { output, .. }| output.write_points(&rows));
}

#[wasm_bindgen]
impl Mesh {
    /// Finds the nearest point of the surface for each point, with its containment.
    pub fn closest_point_batch(&self, numbers: &[f64]) -> Result<(), JsError> {
        self.nearest(numbers).map(write)
    }

    /// Finds the nearest point of the surface within a distance for each point, with the side of its triangle.
    pub fn closest_on_surface_batch(&self, numbers: &[f64], most: f64) -> Result<(), JsError> {
        let points = positions(numbers)?;
        let mut found = vec![None; points.len()];
        self.0.closest_on_surface_batch(points, most, Threads::All, &mut found).map_err(thrown)?;
        write(found);
        Ok(())
    }

    /// Returns the distance of a point from the surface, negative inside, or nothing.
    pub fn signed_distance(&self, x: f64, y: f64, z: f64) -> Option<f32> {
        self.0.signed_distance([x, y, z])
    }

    /// Finds the signed distance of each point from the surface: negative inside, NaN where there is none.
    pub fn signed_distance_batch(&self, numbers: &[f64]) -> Result<(), JsError> {
        let found = self.nearest(numbers)?;
        let signed = |found: &Option<MeshPoint>| found.and_then(|found| found.signed_distance()).unwrap_or(f32::NAN);
        batch::with(|Batch { output, .. }| output.write_distances(found.iter().map(signed)));
        Ok(())
    }

    /// Finds whether each point is inside.
    pub fn contains_batch(&self, numbers: &[f64]) -> Result<(), JsError> {
        let points = positions(numbers)?;
        let mut inside = vec![false; points.len()];
        self.0.contains_batch(points, Threads::All, &mut inside).map_err(thrown)?;
        batch::with(|Batch { output, .. }| output.write_verdicts(&inside));
        Ok(())
    }
}

impl Mesh {
    fn nearest(&self, numbers: &[f64]) -> Result<Vec<Option<MeshPoint>>, JsError> {
        let points = positions(numbers)?;
        let mut found = vec![None; points.len()];
        self.0.closest_point_batch(points, Threads::All, &mut found).map_err(thrown)?;
        Ok(found)
    }
}

#[wasm_bindgen]
impl WindingTree {
    /// Prepares a mesh.
    #[wasm_bindgen(constructor)]
    pub fn new(mesh: &Mesh) -> Self {
        Self(hitscan::WindingTree::new(&mesh.0))
    }

    /// Returns the winding number of a point, up to an error, or nothing.
    pub fn winding_number(&self, x: f64, y: f64, z: f64, error_bound: f64) -> Option<f64> {
        self.0.winding_number([x, y, z], error_bound)
    }

    /// Returns the winding number of each point, up to an error; NaN where there is none.
    pub fn winding_numbers(&self, numbers: &[f64], error_bound: f64) -> Result<Vec<f64>, JsError> {
        let points = positions(numbers)?;
        let number = |&point: &[f64; 3]| self.0.winding_number(point, error_bound).unwrap_or(f64::NAN);
        Ok(points.iter().map(number).collect())
    }
}
