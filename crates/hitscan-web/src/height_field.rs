//! Ground as a grid of heights.

use crate::answer::{self, PointRecord};
use crate::question::{Choices, pose};
use crate::shape::Shape;
use crate::thrown;
use hitscan::height_field::Diagonal;
use hitscan::{Cull, MeshHit};
use wasm_bindgen::prelude::*;

/// A height field.
#[wasm_bindgen]
pub struct HeightField(pub(crate) hitscan::HeightField);

#[wasm_bindgen]
impl HeightField {
    /// Makes a field from rows of heights.
    #[wasm_bindgen(constructor)]
    pub fn new(
        rows: usize,
        columns: usize,
        width: f32,
        depth: f32,
        heights: &[f32],
        rising: bool,
    ) -> Result<Self, JsError> {
        let field = hitscan::HeightField::new(rows, columns, [width, depth], heights).map_err(thrown)?;
        Ok(Self(field.with_diagonal(if rising { Diagonal::Rising } else { Diagonal::Falling })))
    }

    /// Cuts holes: a row and a column each.
    pub fn set_holes(&mut self, cells: &[u32]) -> Result<(), JsError> {
        let (pairs, _) = cells.as_chunks::<2>();
        let pairs = pairs.iter().map(|pair| pair.map(|number| number as usize));
        self.0 = self.0.clone().with_holes(pairs).map_err(thrown)?;
        Ok(())
    }

    /// Changes a rectangle of heights.
    pub fn set_heights(
        &mut self,
        row: usize,
        row_end: usize,
        column: usize,
        column_end: usize,
        heights: &[f32],
    ) -> Result<(), JsError> {
        self.0.set_heights(row..row_end, column..column_end, heights).map_err(thrown)
    }

    /// Returns the height at (x, z), or nothing if there is no ground.
    pub fn height_at(&self, x: f32, z: f32) -> Option<f32> {
        self.0.height_at(x, z)
    }

    /// Returns the number of triangles.
    pub fn triangle_count(&self) -> usize {
        self.0.triangle_count()
    }

    /// Returns the least and greatest coordinates.
    pub fn bounds(&self) -> Vec<f32> {
        let bounds = self.0.bounds();
        [bounds.min.to_array(), bounds.max.to_array()].concat()
    }

    /// Finds the first hit.
    pub fn cast(
        &self,
        ox: f32,
        oy: f32,
        oz: f32,
        dx: f32,
        dy: f32,
        dz: f32,
        t_min: f32,
        t_max: f32,
        bits: u32,
    ) -> bool {
        let choices = Choices::new(bits);
        let ray = choices.frequent_ray([ox, oy, oz], [dx, dy, dz], t_min, t_max);
        answer::one(match choices.cull() {
            Cull::None => self.0.cast(&ray),
            cull => self.0.culled(cull).cast(&ray),
        })
    }

    /// Returns whether anything is hit.
    pub fn is_blocked(
        &self,
        ox: f32,
        oy: f32,
        oz: f32,
        dx: f32,
        dy: f32,
        dz: f32,
        t_min: f32,
        t_max: f32,
        bits: u32,
    ) -> bool {
        let choices = Choices::new(bits);
        let ray = choices.frequent_ray([ox, oy, oz], [dx, dy, dz], t_min, t_max);
        self.0.culled(choices.cull()).is_blocked(&ray)
    }

    /// Finds all hits.
    pub fn cast_all(
        &self,
        ox: f32,
        oy: f32,
        oz: f32,
        dx: f32,
        dy: f32,
        dz: f32,
        t_min: f32,
        t_max: f32,
        bits: u32,
    ) -> usize {
        let choices = Choices::new(bits);
        let ray = choices.ray([ox, oy, oz], [dx, dy, dz], t_min, t_max);
        let mut hits: Vec<MeshHit> = Vec::new();
        self.0.culled(choices.cull()).cast_all(&ray, &mut hits);
        answer::many(&hits)
    }

    /// Finds the nearest point of the surface.
    pub fn closest_point(&self, x: f64, y: f64, z: f64) -> bool {
        answer::one(self.0.closest_point([x, y, z]).map(PointRecord::from))
    }

    /// Finds the first contact of a moving volume.
    pub fn sweep(
        &self,
        volume: &Shape,
        x: f64,
        y: f64,
        z: f64,
        qx: f64,
        qy: f64,
        qz: f64,
        qw: f64,
        mx: f64,
        my: f64,
        mz: f64,
    ) -> Result<bool, JsError> {
        let from = pose([x, y, z], [qx, qy, qz, qw]);
        Ok(answer::one(self.0.sweep(volume.volume()?, from, [mx, my, mz])))
    }
}
