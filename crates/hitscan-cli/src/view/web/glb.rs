//! A model as a GLB file: triangles, names, transforms and the colours of materials, without textures.

use crate::model::indices;
use crate::model_extent::parts;
use anyhow::{Context, Result, ensure};
use hitscan::glam::{DAffine3, DMat4, Vec3};
use hitscan::{Geometry, Mesh};
use hitscan_io::{Alpha, Entity, Material, Model};
use serde_json::{Value, json};
use std::collections::HashMap;

const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;

/// Returns the bytes of a GLB file with a model.
pub(super) fn write(model: &Model) -> Result<Vec<u8>> {
    let mut writer = Writer::default();
    for entity in &model.entities {
        for (part, (geometry, inner)) in (0..).zip(parts(&entity.geometry)) {
            if let Geometry::Mesh(mesh) = geometry {
                writer.add(entity, part, &mesh, entity.transform * inner);
            }
        }
    }
    ensure!(!writer.nodes.is_empty(), "it has no triangles that the page could show");
    writer.finish(&model.materials)
}

/// The file so far.
#[derive(Default)]
struct Writer {
    bin: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    meshes: Vec<Value>,
    nodes: Vec<Value>,
    /// The meshes that were written, by their positions and the materials of the entity.
    known: HashMap<(*const Vec3, *const u8, u32), usize>,
}

impl Writer {
    fn add(&mut self, entity: &Entity, part: u32, mesh: &Mesh, to_world: DAffine3) {
        if mesh.triangle_count() == 0 {
            return;
        }
        let key = (mesh.positions().as_ptr(), entity.primitives.as_ptr().cast(), part);
        let index = match self.known.get(&key) {
            Some(&index) => index,
            None => {
                let index = self.mesh(entity, part, mesh);
                self.known.insert(key, index);
                index
            }
        };
        let matrix = DMat4::from(to_world).to_cols_array();
        self.nodes.push(json!({ "name": entity.name, "mesh": index, "matrix": matrix }));
    }

    fn mesh(&mut self, entity: &Entity, part: u32, mesh: &Mesh) -> usize {
        let positions = self.positions(mesh);
        let corners = indices(mesh);
        let runs = entity.primitives.iter().filter(|primitive| primitive.part == part && primitive.triangles > 0);
        let mut primitives: Vec<Value> = runs
            .map(|run| {
                let first = 3 * run.first_triangle as usize;
                let corners = corners.iter().skip(first).take(3 * run.triangles as usize);
                let mut primitive =
                    json!({ "attributes": { "POSITION": positions }, "indices": self.indices(corners) });
                if let Some(material) = run.material {
                    primitive["material"] = json!(material);
                }
                primitive
            })
            .collect();
        if primitives.is_empty() {
            primitives
                .push(json!({ "attributes": { "POSITION": positions }, "indices": self.indices(corners.iter()) }));
        }
        self.meshes.push(json!({ "primitives": primitives }));
        self.meshes.len() - 1
    }

    fn positions(&mut self, mesh: &Mesh) -> usize {
        // A vertex that no triangle uses may be infinite or NaN, which JSON cannot express.
        let finite = mesh.positions().iter().map(|at| if at.is_finite() { *at } else { Vec3::ZERO });
        let (min, max) = finite.clone().fold((Vec3::MAX, Vec3::MIN), |(min, max), at| (min.min(at), max.max(at)));
        let count = finite.len();
        let view = self.view(finite.flat_map(|at| at.to_array()).flat_map(f32::to_le_bytes));
        self.accessor(json!({
            "bufferView": view, "componentType": FLOAT, "count": count, "type": "VEC3",
            "min": min.to_array(), "max": max.to_array(),
        }))
    }

    fn indices<'a>(&mut self, corners: impl ExactSizeIterator<Item = &'a u32>) -> usize {
        let count = corners.len();
        let view = self.view(corners.flat_map(|corner| corner.to_le_bytes()));
        self.accessor(json!({ "bufferView": view, "componentType": UNSIGNED_INT, "count": count, "type": "SCALAR" }))
    }

    fn accessor(&mut self, accessor: Value) -> usize {
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    /// Adds bytes, which are a multiple of four, to the buffer.
    fn view(&mut self, bytes: impl Iterator<Item = u8>) -> usize {
        let start = self.bin.len();
        self.bin.extend(bytes);
        self.views.push(json!({ "buffer": 0, "byteOffset": start, "byteLength": self.bin.len() - start }));
        self.views.len() - 1
    }

    fn finish(self, materials: &[Material]) -> Result<Vec<u8>> {
        let nodes: Vec<usize> = (0..self.nodes.len()).collect();
        let materials: Vec<Value> = materials.iter().map(described).collect();
        let mut document = json!({
            "asset": { "version": "2.0", "generator": "hitscan" },
            "scene": 0,
            "scenes": [{ "nodes": nodes }],
            "nodes": self.nodes,
            "meshes": self.meshes,
            "accessors": self.accessors,
            "bufferViews": self.views,
            "buffers": [{ "byteLength": self.bin.len() }],
        });
        if !materials.is_empty() {
            document["materials"] = json!(materials);
        }
        let mut text = serde_json::to_vec(&document)?;
        text.resize(text.len().next_multiple_of(4), b' ');
        let whole = 12 + 8 + text.len() + 8 + self.bin.len();
        let size = |bytes: usize| u32::try_from(bytes).context("a GLB has at most 4 GiB");
        let mut file = Vec::with_capacity(whole);
        for word in [0x4654_6c67, 2, size(whole)?, size(text.len())?, 0x4e4f_534a] {
            file.extend(word.to_le_bytes());
        }
        file.extend(text);
        for word in [size(self.bin.len())?, 0x004e_4942] {
            file.extend(word.to_le_bytes());
        }
        file.extend(self.bin);
        Ok(file)
    }
}

/// Returns a material as JSON. Both sides of a triangle are shown, as rays hit both.
fn described(material: &Material) -> Value {
    let mut described = json!({
        "doubleSided": true,
        "pbrMetallicRoughness": { "baseColorFactor": material.base_color, "metallicFactor": 0 },
    });
    if let Some(name) = &material.name {
        described["name"] = json!(name);
    }
    if material.alpha == Alpha::Blend {
        described["alphaMode"] = json!("BLEND");
    }
    described
}
