//! A triangle on two joints that runs, as a small substitute for a fox.
//!
//! Its corners are (-1, -1, 0), (1, -1, 0) and (0, 1, 0). The first two follow the joint "Legs", and the third follows
//! the joint "Head". In the animation "Run" the legs move from z = 0 at 0 s to z = -4 at 2 s, and the head moves with
//! them. In another animation, without a name, the legs are at z = -1. The optional animation "Broken" cannot be
//! played. A camera, orthographic and 2 high, looks along -z from z = 1.

use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// Writes the file with the broken animation, for one test alone.
pub fn write_with_broken(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    fs::create_dir_all(&folder).unwrap();
    let mut document = document();
    let mut broken = document["animations"][0].clone();
    broken["name"] = "Broken".into();
    broken["samplers"][0]["output"] = 5.into();
    document["animations"].as_array_mut().unwrap().push(broken);
    write_document(&folder, &document)
}

/// Writes the file as `fox.glb`, and its buffer in the same folder.
pub fn write(folder: &Path) -> PathBuf {
    write_document(folder, &document())
}

fn write_document(folder: &Path, document: &Value) -> PathBuf {
    fs::write(folder.join("fox.bin"), buffer()).unwrap();
    let file = folder.join("fox.glb");
    fs::write(&file, document.to_string()).unwrap();
    file
}

fn buffer() -> Vec<u8> {
    let positions = [-1f32, -1.0, 0.0, 1.0, -1.0, 0.0, 0.0, 1.0, 0.0];
    let weights = [[1f32, 0.0, 0.0, 0.0]; 3];
    let (times, places) = ([0f32, 2.0], [0f32, 0.0, 0.0, 0.0, 0.0, -4.0, 0.0, 0.0, -1.0]);
    let floats = positions.iter().chain(weights.iter().flatten()).chain(&times).chain(&places);
    floats.flat_map(|float| float.to_le_bytes()).chain([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]).collect()
}

fn document() -> Value {
    let view = |offset: usize, length: usize| json!({"buffer": 0, "byteOffset": offset, "byteLength": length});
    let channel = |sampler: usize| json!({"sampler": sampler, "target": {"node": 1, "path": "translation"}});
    json!({
        "asset": {"version": "2.0"},
        "buffers": [{"uri": "fox.bin", "byteLength": 140}],
        "bufferViews": [view(0, 36), view(36, 48), view(84, 8), view(92, 36), view(128, 12)],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3},
            {"bufferView": 1, "componentType": 5126, "type": "VEC4", "count": 3},
            {"bufferView": 2, "componentType": 5126, "type": "SCALAR", "count": 2},
            {"bufferView": 3, "componentType": 5126, "type": "VEC3", "count": 2},
            {"bufferView": 2, "componentType": 5126, "type": "SCALAR", "count": 1},
            {"bufferView": 3, "byteOffset": 24, "componentType": 5126, "type": "VEC3", "count": 1},
            {"bufferView": 4, "componentType": 5121, "type": "VEC4", "count": 3},
        ],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "JOINTS_0": 6, "WEIGHTS_0": 1}}]}],
        "skins": [{"joints": [1, 2]}],
        "cameras": [{"type": "orthographic", "orthographic": {"xmag": 1.0, "ymag": 1.0, "znear": 0.0, "zfar": 100.0}}],
        "nodes": [
            {"name": "fox", "mesh": 0, "skin": 0},
            {"name": "Legs", "children": [2]},
            {"name": "Head"},
            {"camera": 0, "translation": [0, 0, 1]},
        ],
        "animations": [
            {"name": "Run", "channels": [channel(0)], "samplers": [{"input": 2, "output": 3}]},
            {"channels": [channel(0)], "samplers": [{"input": 4, "output": 5}]},
        ],
    })
}
