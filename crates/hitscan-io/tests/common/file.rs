//! Small glTF files, made in the test that reads them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hitscan::glam::Vec3;
use hitscan::{Geometry, Mesh};
use hitscan_io::{Model, Problem};
use serde_json::{Value, json};

pub(crate) fn uri(bytes: &[u8]) -> String {
    format!("data:application/octet-stream;base64,{}", STANDARD.encode(bytes))
}

pub(crate) fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// A file of buffers (one view each), accessors and primitives of its only mesh, shown by its only node.
pub(crate) fn file(buffers: &[Vec<u8>], accessors: Value, primitives: Value) -> Value {
    let buffer = |bytes: &Vec<u8>| json!({"byteLength": bytes.len(), "uri": uri(bytes)});
    let view = |(index, bytes): (usize, &Vec<u8>)| json!({"buffer": index, "byteLength": bytes.len()});
    json!({
        "asset": {"version": "2.0"},
        "buffers": buffers.iter().map(buffer).collect::<Vec<_>>(),
        "bufferViews": buffers.iter().enumerate().map(view).collect::<Vec<_>>(),
        "accessors": accessors,
        "meshes": [{"primitives": primitives}],
        "nodes": [{"mesh": 0}],
    })
}

pub(crate) fn read(file: &Value) -> Result<Model, Problem> {
    Model::from_bytes(file.to_string().as_bytes(), None)
}

pub(crate) fn mesh(model: &Model) -> &Mesh {
    mesh_of(model, 0)
}

pub(crate) fn mesh_of(model: &Model, entity: usize) -> &Mesh {
    match &model.entities[entity].geometry {
        Geometry::Mesh(mesh) => mesh,
        other => panic!("a glTF entity is a mesh, not {other:?}"),
    }
}

/// Every triangle's corners.
pub(crate) fn triangles(model: &Model) -> Vec<[Vec3; 3]> {
    (0..mesh(model).triangle_count() as u32).map(|i| mesh(model).triangle(i).unwrap()).collect()
}
