//! A file with many instances of a large mesh: `info` and `pick` answer after testing few of the 164 million triangles. Unit tests of the program
//! (`mesh_extent.rs`, `framing.rs`) count the tested triangles.

use crate::common::hitscan;
use crate::common::tables::folder;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

const INSTANCES: usize = 20_000;
/// The number of rows and of columns of quads in the mesh, which has 8,192 triangles.
const CELLS: usize = 64;
/// The number of instances along each axis of a grid, in which neighbours are 3 apart.
const SIDE: usize = 28;

fn place(instance: usize) -> [f32; 3] {
    [instance % SIDE, instance / SIDE % SIDE, instance / SIDE / SIDE].map(|cell| 3.0 * cell as f32)
}

/// Returns the vertices of a bowl. Its lowest point is at 0, and its rim is a square of side 2 at heights from 1 to 2.
fn vertices() -> impl Iterator<Item = [f32; 3]> {
    let along = |cell: usize| cell as f32 / CELLS as f32 * 2.0 - 1.0;
    let at = move |number: usize| (along(number % (CELLS + 1)), along(number / (CELLS + 1)));
    (0..(CELLS + 1) * (CELLS + 1)).map(at).map(|(x, z)| [x, x * x + z * z, z])
}

fn indices() -> impl Iterator<Item = u16> {
    let corners = |cell: usize| {
        let a = cell / CELLS * (CELLS + 1) + cell % CELLS;
        [a, a + CELLS + 1, a + 1, a + 1, a + CELLS + 1, a + CELLS + 2]
    };
    (0..CELLS * CELLS).flat_map(corners).map(|index| index as u16)
}

/// Writes a glTF file with a mesh and its instances, each turned by another angle around y.
fn write(folder: &Path) -> PathBuf {
    let turn = |instance: usize| {
        let (sin, cos) = (instance as f32 * 0.01).sin_cos();
        if instance == 0 { [0.0, 0.0, 0.0, 1.0] } else { [0.0, sin, 0.0, cos] }
    };
    let parts: [Vec<u8>; 4] = [
        vertices().flatten().flat_map(f32::to_le_bytes).collect(),
        indices().flat_map(u16::to_le_bytes).collect(),
        (0..INSTANCES).flat_map(place).flat_map(f32::to_le_bytes).collect(),
        (0..INSTANCES).flat_map(turn).flat_map(f32::to_le_bytes).collect(),
    ];
    let mut offset = 0;
    let views: Vec<Value> = parts
        .iter()
        .map(|part| {
            offset += part.len();
            json!({"buffer": 0, "byteOffset": offset - part.len(), "byteLength": part.len()})
        })
        .collect();
    let accessor = |view: usize, kind: &str, component: u32, count: usize| json!({"bufferView": view, "type": kind, "componentType": component, "count": count});
    let mut accessors = [
        accessor(0, "VEC3", 5126, vertices().count()),
        accessor(1, "SCALAR", 5123, indices().count()),
        accessor(2, "VEC3", 5126, INSTANCES),
        accessor(3, "VEC4", 5126, INSTANCES),
    ];
    accessors[0]["min"] = json!([-1.0, 0.0, -1.0]);
    accessors[0]["max"] = json!([1.0, 2.0, 1.0]);
    let instancing = json!({"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": 2, "ROTATION": 3}}});
    let document = json!({
        "asset": {"version": "2.0"},
        "extensionsUsed": ["EXT_mesh_gpu_instancing"],
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "bowls", "mesh": 0, "extensions": instancing}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "buffers": [{"uri": "bowls.bin", "byteLength": offset}],
        "bufferViews": views,
        "accessors": accessors,
    });
    fs::write(folder.join("bowls.bin"), parts.concat()).unwrap();
    let file = folder.join("bowls.gltf");
    fs::write(&file, document.to_string()).unwrap();
    file
}

/// The bounds of entities are the bounds of their placed vertices, and a pick from outside finds the bowl at the corner of the grid.
#[test]
fn many_instances_of_a_large_mesh_are_listed_and_picked() {
    let file = write(&folder("many_instances_of_a_large_mesh_are_listed_and_picked"));
    let file = file.to_str().unwrap();
    let info = hitscan(["info", file, "--json"]).json(0);
    let entities = info["entities"].as_array().unwrap();
    assert_eq!((entities.len(), &info["trees"]["mesh_count"]), (INSTANCES, &json!(1)));
    assert_eq!(info["triangles"], json!(INSTANCES * CELLS * CELLS * 2));
    for (instance, entity) in entities.iter().enumerate().step_by(499) {
        let (sin, cos) = if instance == 0 { (0.0, 1.0) } else { (instance as f64 * 0.02).sin_cos() };
        let [x, y, z] = place(instance).map(f64::from);
        // The corners of the rim are the farthest points of the bowl.
        let reach = f64::abs(sin) + f64::abs(cos);
        let expected = [x - reach, y, z - reach, x + reach, y + 2.0, z + reach];
        let bounds = [&entity["bounds"]["min"], &entity["bounds"]["max"]].map(|end| end.as_array().unwrap().clone());
        for (found, expected) in bounds.iter().flatten().zip(expected) {
            let found = found.as_f64().unwrap();
            assert!((found - expected).abs() < 1e-4 * (1.0 + expected.abs()), "{instance}: {entity}");
        }
    }
    let eye = ["--eye", "0,100,0", "--target", "0,0,0", "--up", "0,0,1"];
    let hits = hitscan(["pick", file, "--at", "640,360", "--json"].into_iter().chain(eye)).hits();
    let highest = place(SIDE * (SIDE - 1))[1];
    let point = hits[0]["point"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap());
    let expected = [0.0, f64::from(highest), 0.0];
    assert!(point.zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-5), "{hits:?}");
}
