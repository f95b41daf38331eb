//! The inside of a mesh's tree: the boxes that a ray visits.

use crate::mesh::Mesh;
use crate::question::Choices;
use hitscan::Ray;
use hitscan::debug::{Role, mesh_tree, mesh_visits};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Mesh {
    /// Returns the boxes that a cast visits, in the order of the visits. Each box is eight numbers: the least coordinates, the greatest coordinates, the depth,
    /// and 1 for a leaf or 0.
    pub fn visits(
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
    ) -> Vec<f32> {
        let ray = Choices::new(bits).ray([ox, oy, oz], [dx, dy, dz], t_min, t_max);
        let numbers = mesh_visits(&self.0, &ray).into_iter().flat_map(|visit| {
            let ([a, b, c], [d, e, f]) = (visit.bounds.min.to_array(), visit.bounds.max.to_array());
            [a, b, c, d, e, f, visit.depth as f32, if visit.is_leaf { 1.0 } else { 0.0 }]
        });
        numbers.collect()
    }

    /// Returns the edges of the boxes of the mesh's tree at one depth: six numbers for each edge, which are its ends.
    pub fn level_lines(&self, depth: usize) -> Vec<f32> {
        let lines = mesh_tree(&self.0, depth);
        let level = lines.iter().filter(|line| line.role == Role::Tree { depth });
        level.flat_map(|line| [line.from.to_array(), line.to.to_array()].concat()).collect()
    }

    /// Returns the number of boxes that the cast of each ray visits. A ray is six numbers.
    pub fn visit_counts(&self, rays: &[f32]) -> Result<Vec<u32>, JsError> {
        let (rays, rest) = rays.as_chunks::<6>();
        if !rest.is_empty() {
            return Err(JsError::new(&format!("a ray is six numbers: {} are left over", rest.len())));
        }
        let count = |&[ox, oy, oz, dx, dy, dz]: &[f32; 6]| {
            mesh_visits(&self.0, &Ray::with_direction([ox, oy, oz], [dx, dy, dz])).len() as u32
        };
        Ok(rays.iter().map(count).collect())
    }
}
