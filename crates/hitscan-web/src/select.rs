//! Regions of the window, and the questions about their contents.

use crate::answer;
use crate::camera::{Camera, viewport};
use crate::question::Choices;
use crate::scene::Scene;
use crate::thrown;
use hitscan::glam::Vec2;
use hitscan::select::{Region as LibraryRegion, Rule, Selector};
use wasm_bindgen::prelude::*;

/// A region of the window.
#[wasm_bindgen]
pub struct Region(LibraryRegion);

#[wasm_bindgen]
impl Region {
    /// Makes a rectangle from two opposite corners.
    pub fn rect(ax: f32, ay: f32, bx: f32, by: f32) -> Result<Self, JsError> {
        LibraryRegion::rect([ax, ay], [bx, by]).map(Self).map_err(thrown)
    }

    /// Makes a circle.
    pub fn circle(x: f32, y: f32, radius: f32) -> Result<Self, JsError> {
        LibraryRegion::circle([x, y], radius).map(Self).map_err(thrown)
    }

    /// Makes a lasso from its corners, two numbers each.
    pub fn lasso(numbers: &[f32]) -> Result<Self, JsError> {
        let (corners, rest) = numbers.as_chunks::<2>();
        if !rest.is_empty() {
            return Err(JsError::new("the corners of a lasso are two numbers each"));
        }
        LibraryRegion::lasso(corners).map(Self).map_err(thrown)
    }

    /// Returns whether a pixel is in the region.
    pub fn contains(&self, x: f32, y: f32) -> bool {
        self.0.contains(Vec2::new(x, y))
    }
}

#[wasm_bindgen]
impl Scene {
    /// Finds the entities (0), triangles (1), vertices (2) or edges (3) in a region, by the number `what`. If the spacing of the samples is NaN, hidden things
    /// count, too.
    pub fn select(
        &self,
        camera: &Camera,
        left: f32,
        top: f32,
        width: f32,
        height: f32,
        region: &Region,
        rule: u8,
        spacing: f32,
        what: u8,
        bits: u32,
    ) -> Result<usize, JsError> {
        let rule = match rule {
            0 => Rule::Touching,
            1 => Rule::Inside,
            _ => Rule::Center,
        };
        let mut selector = Selector::new(&camera.0, viewport(left, top, width, height), &region.0).rule(rule);
        if !spacing.is_nan() {
            selector = selector.visible(spacing).map_err(thrown)?;
        }
        let view = self.ray_sight(Choices::new(bits));
        Ok(match what {
            0 => {
                let mut ids = Vec::new();
                selector.entities(view, &mut ids);
                answer::numbers(ids.into_iter())
            }
            1 => {
                let mut found = Vec::new();
                selector.triangles(view, &mut found);
                answer::numbers(found.iter().flat_map(|at| [at.id, at.part, at.triangle]))
            }
            2 => {
                let mut found = Vec::new();
                selector.vertices(view, &mut found);
                answer::numbers(found.iter().flat_map(|at| [at.id, at.part, at.vertex]))
            }
            _ => {
                let mut found = Vec::new();
                selector.edges(view, &mut found);
                answer::numbers(found.iter().flat_map(|at| [at.id, at.part, at.vertices[0], at.vertices[1]]))
            }
        })
    }
}
