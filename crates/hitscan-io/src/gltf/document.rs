//! The parts of a glTF 2.0 document that matter to a ray, as they are in the JSON.
//!
//! Indices are not checked here: code that follows an index uses [`get`]. Properties that are not listed, such as
//! lights, are never read, so a fault in them does not matter. Nor does a fault in an animation, because each animation
//! is read by itself.
//!
//! These types exist because the `gltf` crate 1.4.1 cannot parse 6 of the 76 test files in which the Khronos validator
//! finds no error (whole numbers written as `1.0` are one reason), and its validation refuses 26 more.

use crate::error::{Item, Problem};
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// A count or an index: a whole number, which JSON may also write as `1.0` or `1e0`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(try_from = "f64")]
pub(super) struct Whole(pub(super) usize);

impl TryFrom<f64> for Whole {
    type Error = String;

    fn try_from(value: f64) -> Result<Self, String> {
        // Up to 2^53, every whole number is exact in f64, and no file is as long as that.
        if value.fract() == 0.0 && (0.0..=9_007_199_254_740_992.0).contains(&value) {
            Ok(Self(value as usize))
        } else {
            Err(format!("{value:e} is no whole number from 0 to 2^53"))
        }
    }
}

/// The parts that must be known before the rest can be understood.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Preamble {
    pub(super) asset: Asset,
    #[serde(default)]
    pub(super) extensions_required: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Asset {
    #[serde(deserialize_with = "version")]
    pub(super) version: String,
    pub(super) min_version: Option<String>,
}

/// Reads a version, which some files have as a number.
fn version<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Version {
        Text(String),
        Number(f64),
    }
    Ok(match Version::deserialize(from)? {
        Version::Text(text) => text,
        Version::Number(number) => format!("{number:?}"),
    })
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Document {
    pub(super) scene: Option<Whole>,
    pub(super) scenes: Vec<Scene>,
    pub(super) nodes: Vec<Node>,
    pub(super) meshes: Vec<Mesh>,
    pub(super) skins: Vec<Skin>,
    pub(super) accessors: Vec<Accessor>,
    pub(super) buffer_views: Vec<BufferView>,
    pub(super) buffers: Vec<Buffer>,
    pub(super) cameras: Vec<Camera>,
    pub(super) materials: Vec<Material>,
    pub(super) textures: Vec<Texture>,
    pub(super) images: Vec<Image>,
    pub(super) samplers: Vec<Sampler>,
    /// A list of [`Animation`]s, if it is valid.
    pub(super) animations: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
pub(super) struct Scene {
    #[serde(default)]
    pub(super) nodes: Vec<Whole>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Node {
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) children: Vec<Whole>,
    pub(super) mesh: Option<Whole>,
    pub(super) camera: Option<Whole>,
    pub(super) skin: Option<Whole>,
    /// The matrix, column by column. It replaces the translation, rotation and scale.
    pub(super) matrix: Option<[f64; 16]>,
    #[serde(default)]
    pub(super) translation: [f64; 3],
    /// A unit quaternion x, y, z, w.
    #[serde(default = "no_rotation")]
    pub(super) rotation: [f64; 4],
    #[serde(default = "no_scale")]
    pub(super) scale: [f64; 3],
    /// The weights of the mesh's morph targets, in place of the mesh's own.
    pub(super) weights: Option<Vec<f64>>,
    #[serde(default)]
    pub(super) extensions: NodeExtensions,
}

#[derive(Default, Deserialize)]
pub(super) struct NodeExtensions {
    #[serde(rename = "EXT_mesh_gpu_instancing")]
    pub(super) instancing: Option<Instancing>,
    #[serde(rename = "KHR_node_visibility")]
    pub(super) visibility: Option<Visibility>,
}

/// The extension that shows or hides a node and everything below it.
#[derive(Deserialize)]
pub(super) struct Visibility {
    #[serde(default = "is_visible")]
    pub(super) visible: bool,
}

fn is_visible() -> bool {
    true
}

/// The extension that places instances of a node's mesh in the node's space.
#[derive(Deserialize)]
pub(super) struct Instancing {
    pub(super) attributes: BTreeMap<String, Whole>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Skin {
    pub(super) name: Option<String>,
    pub(super) inverse_bind_matrices: Option<Whole>,
    #[serde(default)]
    pub(super) joints: Vec<Whole>,
}

fn no_rotation() -> [f64; 4] {
    [0.0, 0.0, 0.0, 1.0]
}

fn no_scale() -> [f64; 3] {
    [1.0; 3]
}

#[derive(Deserialize)]
pub(super) struct Mesh {
    pub(super) name: Option<String>,
    pub(super) primitives: Vec<Primitive>,
    /// The weights of the morph targets.
    pub(super) weights: Option<Vec<f64>>,
}

#[derive(Deserialize)]
pub(super) struct Primitive {
    pub(super) attributes: BTreeMap<String, Whole>,
    pub(super) indices: Option<Whole>,
    pub(super) material: Option<Whole>,
    #[serde(default = "triangles")]
    pub(super) mode: Whole,
    /// The morph targets.
    #[serde(default)]
    pub(super) targets: Vec<Target>,
    #[serde(default)]
    pub(super) extensions: BTreeMap<String, IgnoredAny>,
}

/// The displacements of a morph target, by attribute.
pub(super) type Target = BTreeMap<String, Whole>;

fn triangles() -> Whole {
    Whole(4)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub(super) buffer_view: Option<Whole>,
    #[serde(default)]
    pub(super) byte_offset: Whole,
    pub(super) component_type: Whole,
    #[serde(default)]
    pub(super) normalized: bool,
    pub(super) count: Whole,
    #[serde(rename = "type")]
    pub(super) shape: String,
    pub(super) sparse: Option<Sparse>,
}

/// Elements that replace some elements of an accessor.
#[derive(Deserialize)]
pub(super) struct Sparse {
    pub(super) count: Whole,
    pub(super) indices: SparseIndices,
    pub(super) values: SparseValues,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseIndices {
    pub(super) buffer_view: Whole,
    #[serde(default)]
    pub(super) byte_offset: Whole,
    pub(super) component_type: Whole,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseValues {
    pub(super) buffer_view: Whole,
    #[serde(default)]
    pub(super) byte_offset: Whole,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    pub(super) buffer: Whole,
    #[serde(default)]
    pub(super) byte_offset: Whole,
    pub(super) byte_length: Whole,
    pub(super) byte_stride: Option<Whole>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    pub(super) uri: Option<String>,
    pub(super) byte_length: Whole,
    #[serde(default)]
    pub(super) extensions: BTreeMap<String, IgnoredAny>,
}

#[derive(Deserialize)]
pub(super) struct Camera {
    pub(super) name: Option<String>,
    pub(super) perspective: Option<Perspective>,
    pub(super) orthographic: Option<Orthographic>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Perspective {
    pub(super) yfov: f64,
    pub(super) aspect_ratio: Option<f64>,
    pub(super) znear: f64,
    pub(super) zfar: Option<f64>,
}

#[derive(Deserialize)]
pub(super) struct Orthographic {
    pub(super) xmag: f64,
    pub(super) ymag: f64,
    pub(super) znear: f64,
    pub(super) zfar: f64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Material {
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) pbr_metallic_roughness: MetallicRoughness,
    pub(super) alpha_mode: Option<String>,
    pub(super) alpha_cutoff: Option<f32>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct MetallicRoughness {
    pub(super) base_color_factor: Option<[f32; 4]>,
    pub(super) base_color_texture: Option<TextureInfo>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TextureInfo {
    pub(super) index: Whole,
    #[serde(default)]
    pub(super) tex_coord: Whole,
    #[serde(default)]
    pub(super) extensions: TextureInfoExtensions,
}

#[derive(Default, Deserialize)]
pub(super) struct TextureInfoExtensions {
    #[serde(rename = "KHR_texture_transform")]
    pub(super) transform: Option<TextureTransform>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TextureTransform {
    #[serde(default)]
    pub(super) offset: [f64; 2],
    #[serde(default)]
    pub(super) rotation: f64,
    #[serde(default = "no_texture_scale")]
    pub(super) scale: [f64; 2],
    pub(super) tex_coord: Option<Whole>,
}

fn no_texture_scale() -> [f64; 2] {
    [1.0; 2]
}

#[derive(Deserialize)]
pub(super) struct Texture {
    pub(super) source: Option<Whole>,
    pub(super) sampler: Option<Whole>,
    #[serde(default)]
    pub(super) extensions: BTreeMap<String, IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Image {
    pub(super) name: Option<String>,
    pub(super) uri: Option<String>,
    pub(super) buffer_view: Option<Whole>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Sampler {
    pub(super) wrap_s: Option<Whole>,
    pub(super) wrap_t: Option<Whole>,
}

/// An animation: curves, and the properties that follow them.
#[derive(Deserialize)]
pub(super) struct Animation {
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) channels: Vec<Channel>,
    #[serde(default)]
    pub(super) samplers: Vec<AnimationSampler>,
}

#[derive(Deserialize)]
pub(super) struct Channel {
    pub(super) sampler: Whole,
    pub(super) target: ChannelTarget,
}

#[derive(Deserialize)]
pub(super) struct ChannelTarget {
    pub(super) node: Option<Whole>,
    pub(super) path: String,
}

#[derive(Deserialize)]
pub(super) struct AnimationSampler {
    /// The times of the keys.
    pub(super) input: Whole,
    /// The values at the keys.
    pub(super) output: Whole,
    pub(super) interpolation: Option<String>,
}

/// Returns the element with an index.
pub(super) fn get<'a, T>(list: &'a [T], kind: &'static str, index: Whole) -> Result<&'a T, Problem> {
    list.get(index.0)
        .ok_or_else(|| Item::new(kind, index.0).invalid(format!("is named, but there are {} of them", list.len())))
}
