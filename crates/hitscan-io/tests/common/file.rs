//! Small glTF files, made in the test that reads them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hitscan::glam::Vec3;
use hitscan::{Geometry, Mesh};
use hitscan_io::{Detail, Format, Model, Problem};
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

/// How many of the files that a sound one becomes by damage are read, and how many refused.
pub(crate) fn damaged(sound: &[u8]) -> (usize, usize) {
    let mut state = 0x5EED_u64;
    let mut below = |limit: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % limit
    };
    let (mut read, mut refused) = (0, 0);
    for _ in 0..20_000 {
        let mut bytes = sound.to_vec();
        for _ in 0..=below(3) {
            let at = below(bytes.len());
            match below(4) {
                0 => bytes[at] = below(256) as u8,
                1 => bytes[at] = b"0123456789-.eE{}[],:\"n"[below(22)],
                2 => bytes[at] ^= 1 << below(8),
                _ => bytes.truncate(at),
            }
            if bytes.is_empty() {
                break;
            }
        }
        if let Some(format) = Format::of(&bytes) {
            let _ = Model::from_bytes_with(format, &bytes, None, Detail::Colors);
        }
        match Model::from_bytes(&bytes, None) {
            Ok(model) => {
                read += 1;
                let (mut scene, mut pose) = (model.scene().unwrap(), model.pose());
                for (index, animation) in model.animations.iter().enumerate() {
                    let played = pose.animate(index, animation.duration / 3.0);
                    assert!(played.is_ok() || !played.unwrap_err().to_string().is_empty());
                    pose.apply(&mut scene).unwrap();
                }
            }
            Err(problem) => {
                refused += 1;
                assert!(!problem.to_string().is_empty());
            }
        }
    }
    (read, refused)
}
