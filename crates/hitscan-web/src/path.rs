//! Rays that go on from their hits.

use crate::answer;
use crate::question::Choices;
use crate::scene::Scene;
use hitscan::{Hit, RayQueries};
use wasm_bindgen::prelude::*;

/// The last hit of a ray that goes on from its hits.
#[wasm_bindgen]
#[derive(Default)]
pub struct Path(Option<Hit<u32>>);

#[wasm_bindgen]
impl Path {
    /// Makes a path without a hit.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Finds the first hit of a ray after the last hit, and remembers it.
    pub fn cast(
        &mut self,
        scene: &Scene,
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
        let ray = choices.ray([ox, oy, oz], [dx, dy, dz], t_min, t_max);
        self.0 = scene.ray_view(choices).after(self.0.as_ref()).cast(&ray);
        answer::one(self.0)
    }

    /// Writes the ray that is reflected at the last hit.
    pub fn bounce(&self) -> bool {
        answer::one(self.0.map(|hit| hit.bounce()))
    }

    /// Writes the ray that goes straight on from the last hit.
    pub fn onward(&self) -> bool {
        answer::one(self.0.map(|hit| hit.onward()))
    }

    /// Forgets the last hit.
    pub fn reset(&mut self) {
        self.0 = None;
    }
}
