//! The colours of hits: factors, textures and vertex colours. Each file is generated, with one square that is seen from
//! the front.

use crate::file;
use crate::file::floats;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hitscan::{Ray, RayQueries};
use hitscan_io::{Detail, Format, Model, Warning};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// 3---2   y up; x and y are 0 or 1
/// |   |
/// 0---1
const SQUARE: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
/// The texture has two by two texels: red, green; blue, and white with half alpha. In sRGB 188 is half of the light.
const TEXELS: [[u8; 4]; 4] = [[255, 0, 0, 255], [0, 188, 0, 255], [0, 0, 255, 255], [255, 255, 255, 128]];

const RED: [f32; 3] = [1.0, 0.0, 0.0];
const GREEN: [f32; 3] = [0.0, 0.5, 0.0];
const BLUE: [f32; 3] = [0.0, 0.0, 1.0];
const WHITE: [f32; 3] = [1.0; 3];

fn png() -> Vec<u8> {
    let mut png = Vec::new();
    let encoder = image::codecs::png::PngEncoder::new(&mut png);
    image::ImageEncoder::write_image(encoder, TEXELS.as_flattened(), 2, 2, image::ExtendedColorType::Rgba8).unwrap();
    png
}

/// Returns the colours in the middles of the square's quarters: top left, top right, bottom left, bottom right.
fn quarters(model: &Model) -> [[f32; 3]; 4] {
    [[0.25, 0.75], [0.75, 0.75], [0.25, 0.25], [0.75, 0.25]].map(|[x, y]| color(model, x, y).unwrap())
}

fn color(model: &Model, x: f32, y: f32) -> Option<[f32; 3]> {
    let hit = model.scene().unwrap().cast(&Ray::new([x, y, 1.0], [0.0, 0.0, -1.0])).unwrap();
    model.base_color(&hit).map(|[red, green, blue, _]| [red, green, blue])
}

#[track_caller]
fn assert_near(found: [[f32; 3]; 4], expected: [[f32; 3]; 4]) {
    let off = found.as_flattened().iter().zip(expected.as_flattened()).map(|(a, b)| (a - b).abs());
    // The tolerance is less than the difference of linear light between the sRGB bytes 187 and 188.
    assert!(off.fold(0.0, f32::max) < 0.005, "{found:?} should be {expected:?}");
}

/// Returns the square with the picture upright. Accessor 3 has vertex colours that a test can add.
fn gltf() -> Value {
    let texcoords: Vec<f32> = SQUARE.iter().flat_map(|[x, y, _]| [*x, 1.0 - y]).collect();
    let colors: Vec<f32> = SQUARE.iter().flat_map(|[x, _, _]| [1.0 - x, 1.0, 1.0]).collect();
    let accessors = json!([
        {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
        {"bufferView": 1, "componentType": 5126, "count": 4, "type": "VEC2"},
        {"bufferView": 2, "componentType": 5121, "count": 6, "type": "SCALAR"},
        {"bufferView": 3, "componentType": 5126, "count": 4, "type": "VEC3"},
    ]);
    let primitives = json!([{"attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "indices": 2, "material": 0}]);
    let buffers = [floats(SQUARE.as_flattened()), floats(&texcoords), vec![0, 1, 2, 0, 2, 3], floats(&colors)];
    let mut file = file::file(&buffers, accessors, primitives);
    let uri = format!("data:image/png;base64,{}", STANDARD.encode(png()));
    file["images"] = json!([{"uri": uri, "name": "Quarters"}]);
    file["textures"] = json!([{"source": 0}]);
    file["materials"] = json!([{"name": "Cloth", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]);
    file
}

fn colored(file: &Value) -> Model {
    Model::from_bytes_with(Format::Gltf, file.to_string().as_bytes(), None, Detail::Colors).unwrap()
}

#[test]
fn gltf_textures_factors_and_vertices_multiply() {
    let plain = colored(&gltf());
    assert_eq!(plain.warnings, []);
    assert_near(quarters(&plain), [RED, GREEN, BLUE, WHITE]);
    // The colours between the centres of texels are interpolated in linear light, and the picture repeats.
    assert_near([color(&plain, 0.5, 0.75).unwrap(); 4], [[0.5, 0.25, 0.0]; 4]);
    assert_near([color(&plain, 0.0, 0.75).unwrap(); 4], [[0.5, 0.25, 0.0]; 4]);

    let with = |change: &dyn Fn(&mut Value)| {
        let mut file = gltf();
        change(&mut file);
        quarters(&colored(&file))
    };
    let pbr = "/materials/0/pbrMetallicRoughness";
    let factor = |file: &mut Value| file.pointer_mut(pbr).unwrap()["baseColorFactor"] = json!([1, 0.5, 0.25, 1]);
    assert_near(with(&factor), [RED, [0.0, 0.25, 0.0], [0.0, 0.0, 0.25], [1.0, 0.5, 0.25]]);
    let vertices = |file: &mut Value| file["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"] = 3.into();
    assert_near(with(&vertices), [[0.75, 0.0, 0.0], GREEN, BLUE, [0.25, 1.0, 1.0]]);
    let moved = |file: &mut Value| {
        let transform = json!({"KHR_texture_transform": {"offset": [0.5, 0]}});
        file.pointer_mut(pbr).unwrap()["baseColorTexture"]["extensions"] = transform;
    };
    assert_near(with(&moved), [GREEN, RED, WHITE, BLUE]);
}

/// A model that is read without colours uses no memory for them. It gives no warnings about them.
#[test]
fn without_detail_there_are_factors_alone() {
    let mut file = gltf();
    file["images"][0]["uri"] = "absent.png".into();
    let plain = file::read(&file).unwrap();
    assert_eq!(plain.warnings, []);
    assert!(plain.materials[0].texture.is_none());
    assert_eq!(quarters(&plain), [WHITE; 4]);
    let broken = colored(&file);
    assert!(matches!(&broken.warnings[..], [Warning::Untextured { .. }]), "{:?}", broken.warnings);
    let said = broken.warnings[0].to_string();
    assert!(said.starts_with("material 0 \"Cloth\" is drawn without its texture: ") && said.contains("absent.png"));
    assert_eq!(quarters(&broken), [WHITE; 4]);
    file["materials"] = json!([]);
    file["meshes"][0]["primitives"][0].as_object_mut().unwrap().remove("material");
    assert_eq!(color(&colored(&file), 0.5, 0.6), None);
}

/// A temporary folder of one test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("hitscan-io-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> &Self {
        std::fs::write(self.0.join(name), bytes).unwrap();
        self
    }

    fn load(&self, name: &str) -> Model {
        Model::load_with(self.0.join(name), Detail::Colors).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn obj_has_pictures_in_its_library() {
    let obj = "mtllib a.mtl\nusemtl cloth\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n\
        f 1/1 2/2 3/3 4/4\n";
    let folder = Folder::new("obj-colors");
    folder.write("a.obj", obj.as_bytes()).write("my cloth.png", &png());
    let with = |library: &str| folder.write("a.mtl", library.as_bytes()).load("a.obj");
    let plain = with("newmtl cloth\nmap_Kd .\\my cloth.png\n");
    assert_eq!(plain.warnings, []);
    assert_near(quarters(&plain), [RED, GREEN, BLUE, WHITE]);
    let placed = with("newmtl cloth\nKd 1 0.5 0.5\nmap_Kd -o 0.5 0 0 my cloth.png\n");
    assert_near(quarters(&placed), [[0.0, 0.25, 0.0], RED, [1.0, 0.5, 0.5], [0.0, 0.0, 0.5]]);
    let missing = with("newmtl cloth\nKd 1 0.5 0.5\nmap_Kd none.png\n");
    let said: Vec<String> = missing.warnings.iter().map(ToString::to_string).collect();
    assert!(said.len() == 1 && said[0].contains("\"cloth\"") && said[0].contains("\"none.png\""), "{said:?}");
    assert_eq!(quarters(&missing), [[1.0, 0.5, 0.5]; 4]);
    assert_eq!(Model::load(folder.0.join("a.obj")).unwrap().warnings, []);
}

/// Missing pictures of many materials are reported, up to a limit.
#[test]
fn missing_pictures_have_an_end() {
    let library: String = (0..1000).map(|k| format!("newmtl m{k}\nmap_Kd {k}.png\n")).collect();
    let folder = Folder::new("missing-pictures");
    folder.write("a.mtl", library.as_bytes()).write("a.obj", b"mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    assert_eq!(folder.load("a.obj").warnings.len(), 20);
}

/// The colours of positions are in sRGB. A position without a colour is white if another has one.
#[test]
fn obj_and_ply_have_colors_of_vertices() {
    let obj = "v 0 0 0\nv 1 0 0 1 0 0\nv 1 1 0 1 0 0\nv 0 1 0 1\nf 1 2 3 4\n";
    let obj = Model::from_bytes_with(Format::Obj, obj.as_bytes(), None, Detail::Colors).unwrap();
    assert_near(quarters(&obj), [[1.0, 0.75, 0.75], [1.0, 0.25, 0.25], [1.0, 0.75, 0.75], [1.0, 0.25, 0.25]]);

    let ply = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n\
        property uchar red\nproperty uchar green\nproperty uchar blue\nelement face 1\n\
        property list uchar int vertex_indices\nend_header\n0 0 0 0 188 0\n1 0 0 0 188 0\n1 1 0 0 188 0\n0 1 0 0 188 0\n\
        4 0 1 2 3\n";
    let ply = |detail| Model::from_bytes_with(Format::Ply, ply.as_bytes(), None::<&Path>, detail).unwrap();
    assert_near(quarters(&ply(Detail::Colors)), [GREEN; 4]);
    assert_eq!(color(&ply(Detail::Hits), 0.5, 0.6), None);
}
