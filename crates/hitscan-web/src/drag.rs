//! The surface under a cursor.

use crate::answer::{self, Record, place, vector_f64};
use crate::camera::{Camera, viewport};
use crate::question::Choices;
use crate::scene::Scene;
use hitscan::drag::{DragPath, Picture, SurfacePoint, surface_point};
use hitscan::glam::DVec3;
use wasm_bindgen::prelude::*;

impl Record for SurfacePoint<u32> {
    fn put(&self, mut put: impl FnMut(usize, f64)) {
        answer::hit_or_none(&mut put, self.hit.as_ref());
        vector_f64(&mut put, place::SECOND, self.point);
    }
}

#[wasm_bindgen]
impl Scene {
    /// Finds the place on the first surface under a cursor. Without a surface, the place is on the path of this `kind` through a point: a plane (0), a line
    /// (1), or the plane that faces the camera (any other number).
    pub fn surface_point(
        &self,
        camera: &Camera,
        left: f32,
        top: f32,
        width: f32,
        height: f32,
        x: f32,
        y: f32,
        kind: u8,
        px: f64,
        py: f64,
        pz: f64,
        dx: f64,
        dy: f64,
        dz: f64,
        bits: u32,
    ) -> bool {
        let [point, direction] = [[px, py, pz], [dx, dy, dz]].map(DVec3::from_array);
        let otherwise = match kind {
            0 => DragPath::Plane { point, normal: direction },
            1 => DragPath::Axis { point, direction },
            _ => DragPath::Screen { point },
        };
        let picture = Picture::new(camera.0, viewport(left, top, width, height));
        answer::one(surface_point(self.ray_view(Choices::new(bits)), &picture, [x, y], &otherwise))
    }
}
