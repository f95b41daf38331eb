//! The library for JavaScript. The package in `npm/` has classes around the exports of this module.
//!
//! Questions take numbers and answer in numbers: the answer is a record at a fixed place in the module's memory, where the
//! package reads it. So a question makes no object that the caller has to free, and takes little more time than in Rust.

mod answer;
mod batch;
mod camera;
mod character;
mod custom;
mod drag;
mod filter;
mod gameplay;
mod height_field;
mod inside;
mod mesh;
mod mesh_points;
mod pairs;
mod path;
#[rustfmt::skip]
mod plain_shapes;
mod plane_world;
mod pointer;
mod positions;
mod question;
#[rustfmt::skip]
mod records;
mod scene;
mod scene_rays;
mod scene_volumes;
mod select;
mod shape;
mod snap;

use wasm_bindgen::JsError;

/// Turns an error of the library into a JavaScript error with its message.
fn thrown(error: impl core::fmt::Display) -> JsError {
    JsError::new(&error.to_string())
}
