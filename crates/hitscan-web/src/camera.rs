//! Cameras.

use crate::answer::{self, Record, place, vector};
use crate::question::matrix;
use crate::thrown;
use hitscan::glam::{DAffine3, DVec3, Vec2};
use hitscan::{Projected, Ray, Viewport};
use wasm_bindgen::prelude::*;

/// A camera.
#[wasm_bindgen]
pub struct Camera(pub(crate) hitscan::Camera);

impl Record for Ray {
    fn put(&self, mut put: impl FnMut(usize, f64)) {
        vector(&mut put, place::POINT, self.origin);
        vector(&mut put, place::NORMAL, self.direction);
        put(place::T, self.t_min.into());
        put(place::EXTRA, self.t_max.into());
    }
}

impl Record for Projected {
    fn put(&self, mut put: impl FnMut(usize, f64)) {
        put(place::UV, self.pixel.x.into());
        put(place::UV + 1, self.pixel.y.into());
        put(place::T, self.depth.into());
    }
}

pub(crate) fn viewport(x: f32, y: f32, width: f32, height: f32) -> Viewport {
    Viewport { origin: Vec2::new(x, y), size: Vec2::new(width, height) }
}

#[wasm_bindgen]
impl Camera {
    /// Makes a perspective camera from its camera-to-world transform and its vertical field of view in radians.
    pub fn perspective(numbers: &[f64], fov_y: f64) -> Result<Self, JsError> {
        hitscan::Camera::perspective(DAffine3::from_mat4(matrix(numbers)?), fov_y).map(Self).map_err(thrown)
    }

    /// Makes an orthographic camera from its camera-to-world transform and the visible height in world units.
    pub fn orthographic(numbers: &[f64], height: f64) -> Result<Self, JsError> {
        hitscan::Camera::orthographic(DAffine3::from_mat4(matrix(numbers)?), height).map(Self).map_err(thrown)
    }

    /// Makes a camera from the matrices that draw its picture: world to view, and view to clip space.
    pub fn from_matrices(view: &[f64], projection: &[f64]) -> Result<Self, JsError> {
        hitscan::Camera::from_matrices(matrix(view)?, matrix(projection)?).map(Self).map_err(thrown)
    }

    /// Limits the camera's rays to the depths from `near` to `far`.
    pub fn set_clip(&mut self, near: f64, far: f64) -> Result<(), JsError> {
        self.0 = self.0.with_clip(near, far).map_err(thrown)?;
        Ok(())
    }

    /// Returns the transform of a camera at an eye that looks at a target.
    pub fn look_at(
        ex: f64,
        ey: f64,
        ez: f64,
        tx: f64,
        ty: f64,
        tz: f64,
        ux: f64,
        uy: f64,
        uz: f64,
    ) -> Result<Vec<f64>, JsError> {
        let [eye, target, up] = [[ex, ey, ez], [tx, ty, tz], [ux, uy, uz]].map(DVec3::from);
        let transform = hitscan::Camera::look_at(eye, target, up).map_err(thrown)?;
        let columns = hitscan::glam::DMat4::from(transform).to_cols_array();
        Ok(columns.to_vec())
    }

    /// Writes the ray through a cursor.
    pub fn ray(&self, x: f32, y: f32, left: f32, top: f32, width: f32, height: f32) -> bool {
        answer::one(Some(self.0.ray([x, y], viewport(left, top, width, height))))
    }

    /// Writes the pixel that shows a point.
    pub fn project(&self, x: f64, y: f64, z: f64, left: f32, top: f32, width: f32, height: f32) -> bool {
        answer::one(self.0.project([x, y, z], viewport(left, top, width, height)))
    }
}
