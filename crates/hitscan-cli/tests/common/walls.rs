//! Three square walls, one behind the other, and two cameras before them that look along -z:
//!
//! ```text
//!   y ^  3---2      depth   1: "near"    (the node's name)
//!     |  | / |      depth   5: "wall"    (the mesh's name)
//!     |  0---1      depth  20: "node2"   (neither has one)
//!     +--> x -1 to 1
//! ```
//!
//! The first two walls share a mesh of two primitives. The first primitive has a triangle without area and the triangle
//! 0 1 2, without material and texture coordinates. The second primitive is the triangle 0 2 3 of an unnamed material,
//! with texture coordinates from 0 to 1. The third wall has the same triangles as the first primitive, of the material
//! "Paint". Camera 0, "Clipped", is perspective and sees depths 2 to 10. Camera 1 has no name, is orthographic, and its
//! picture is 2 high.

use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};

/// Writes the file, for one test alone.
pub fn write(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("walls.bin"), buffer()).unwrap();
    let file = folder.join("walls.gltf");
    fs::write(&file, document().to_string()).unwrap();
    file
}

fn buffer() -> Vec<u8> {
    let positions = [[-1f32, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]];
    let texcoords = [[0f32, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let indices = [0u16, 0, 0, 0, 1, 2, 0, 2, 3];
    let floats = positions.iter().flatten().chain(texcoords.iter().flatten());
    floats.flat_map(|float| float.to_le_bytes()).chain(indices.iter().flat_map(|index| index.to_le_bytes())).collect()
}

fn document() -> serde_json::Value {
    json!({
        "asset": {"version": "2.0"},
        "buffers": [{"uri": "walls.bin", "byteLength": 98}],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": 48},
            {"buffer": 0, "byteOffset": 48, "byteLength": 32},
            {"buffer": 0, "byteOffset": 80, "byteLength": 18},
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 4, "min": [-1, -1, 0], "max": [1, 1, 0]},
            {"bufferView": 1, "componentType": 5126, "type": "VEC2", "count": 4},
            {"bufferView": 2, "byteOffset": 0, "componentType": 5123, "type": "SCALAR", "count": 6},
            {"bufferView": 2, "byteOffset": 12, "componentType": 5123, "type": "SCALAR", "count": 3},
        ],
        "materials": [{"name": "Paint"}, {}],
        "meshes": [
            {"name": "wall", "primitives": [
                {"attributes": {"POSITION": 0}, "indices": 2},
                {"attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "indices": 3, "material": 1},
            ]},
            {"primitives": [{"attributes": {"POSITION": 0}, "indices": 2, "material": 0}]},
        ],
        "cameras": [
            {"name": "Clipped", "type": "perspective",
             "perspective": {"yfov": 1.0, "aspectRatio": 3.0, "znear": 2.0, "zfar": 10.0}},
            {"type": "orthographic", "orthographic": {"xmag": 7.0, "ymag": 1.0, "znear": 0.0, "zfar": 100.0}},
        ],
        "nodes": [
            {"name": "near", "mesh": 0, "translation": [0, 0, -1]},
            {"mesh": 0, "translation": [0, 0, -5]},
            {"mesh": 1, "translation": [0, 0, -20]},
            {"camera": 0, "scale": [5, 5, 5]},
            {"camera": 1},
        ],
        "scenes": [{"nodes": [0, 1, 2, 3, 4]}],
        "scene": 0,
    })
}
