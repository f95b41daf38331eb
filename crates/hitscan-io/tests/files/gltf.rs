//! Small generated glTF files, each for one feature of the format.

use crate::file;
use crate::file::{file, floats, mesh, read, triangles, uri};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hitscan::glam::{DVec3, Vec2, Vec3};
use hitscan::{CutOuts, Ray, RayQueries};
use hitscan_io::{Model, Warning};
use serde_json::{Value, json};

//  3---2---5
//  | / | / |    in the plane z = 0, one apart
//  0---1---4
const GRID: [f32; 18] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0, 2.0, 0.0, 0.0, 2.0, 1.0, 0.0];

fn grid(corner: usize) -> Vec3 {
    Vec3::from_slice(&GRID[3 * corner..])
}

/// Returns the grid's vertices drawn with these indices, in each integer type.
fn indexed(mode: u32, indices: &[u8]) -> Vec<Model> {
    let wide = |indices: &[u8], size: usize| -> Vec<u8> {
        indices.iter().flat_map(|&index| std::iter::once(index).chain(vec![0; size - 1])).collect()
    };
    [(5121, 1), (5123, 2), (5125, 4)]
        .map(|(component, size)| {
            let accessors = json!([
                {"bufferView": 0, "componentType": 5126, "count": 6, "type": "VEC3"},
                {"bufferView": 1, "componentType": component, "count": indices.len(), "type": "SCALAR"},
            ]);
            let primitives = json!([{"attributes": {"POSITION": 0}, "indices": 1, "mode": mode}]);
            read(&file(&[floats(&GRID), wide(indices, size)], accessors, primitives)).unwrap()
        })
        .into()
}

#[test]
fn triangles_strips_and_fans_face_the_same_way() {
    for (mode, indices, expected) in [
        (4, &[0, 1, 2, 0, 2, 3][..], &[[0, 1, 2], [0, 2, 3]][..]),
        (5, &[3, 0, 2, 1, 5, 4], &[[3, 0, 2], [0, 1, 2], [2, 1, 5], [1, 4, 5]]),
        (6, &[0, 4, 5, 2, 3], &[[4, 5, 0], [5, 2, 0], [2, 3, 0]]),
    ] {
        let expected: Vec<[Vec3; 3]> = expected.iter().map(|corners| corners.map(grid)).collect();
        for model in indexed(mode, indices) {
            assert_eq!(triangles(&model), expected, "mode {mode}");
            for [a, b, c] in &expected {
                assert!((b - a).cross(c - a).z > 0.0, "mode {mode}: the example faces +z");
            }
        }
    }
    let plain = json!([{"bufferView": 0, "componentType": 5126, "count": 6, "type": "VEC3"}]);
    let model = read(&file(&[floats(&GRID)], plain, json!([{"attributes": {"POSITION": 0}}]))).unwrap();
    assert_eq!(triangles(&model), [[0, 1, 2], [3, 4, 5]].map(|corners| corners.map(grid)));
}

#[test]
fn primitives_are_counted_through_and_points_are_passed_over() {
    let accessors = json!([
        {"bufferView": 0, "componentType": 5126, "count": 6, "type": "VEC3"},
        {"bufferView": 1, "componentType": 5121, "count": 8, "type": "SCALAR"},
    ]);
    let primitives = json!([
        {"attributes": {"POSITION": 0}},
        {"attributes": {"POSITION": 0}, "mode": 0},
        {"attributes": {}},
        {"attributes": {"POSITION": 0}, "indices": 1},
    ]);
    let model = read(&file(&[floats(&GRID), vec![1, 4, 5, 1, 1, 2, 0, 0]], accessors, primitives)).unwrap();
    let runs: Vec<_> = model.entities[0].primitives.iter().map(|p| (p.index, p.first_triangle, p.triangles)).collect();
    assert_eq!(runs, [(0, 0, 2), (3, 2, 2)]);
    assert_eq!(mesh(&model).positions().len(), 6, "vertices that two primitives share are there once");
    assert_eq!(mesh(&model).degenerate_count(), 1, "and a triangle without area keeps its number");
    assert_eq!(triangles(&model)[2], [1, 4, 5].map(grid));
    assert!(matches!(model.warnings[..], [Warning::Remainder { primitive: 3, corners: 2, .. }]));
    for (triangle, index) in [(0, Some(0)), (1, Some(0)), (2, Some(3)), (3, Some(3)), (4, None)] {
        assert_eq!(model.entities[0].primitive(0, Some(triangle)).map(|primitive| primitive.index), index);
    }
}

#[test]
fn meshes_cut_from_one_buffer_take_their_part_of_it() {
    let accessors = json!([
        {"bufferView": 0, "componentType": 5126, "count": 6, "type": "VEC3"},
        {"bufferView": 1, "componentType": 5121, "count": 3, "type": "SCALAR"},
    ]);
    let primitives = json!([{"attributes": {"POSITION": 0, "NORMAL": 0}, "indices": 1}]);
    let model = read(&file(&[floats(&GRID), vec![5, 2, 4]], accessors, primitives)).unwrap();
    assert_eq!(mesh(&model).positions(), [5, 2, 4].map(grid));
    assert_eq!(triangles(&model), [[5, 2, 4].map(grid)]);
    assert_eq!(mesh(&model).normal_at(0, Vec2::X), Some(grid(2)));
}

#[test]
fn interleaved_sparse_and_quantized_positions() {
    let interleaved: Vec<f32> = GRID.chunks(3).flat_map(|p| [9.0, p[0], p[1], p[2], 9.0]).collect();
    let accessors = json!([{"bufferView": 0, "byteOffset": 4, "componentType": 5126, "count": 6, "type": "VEC3"}]);
    let mut strided = file(&[floats(&interleaved)], accessors, json!([{"attributes": {"POSITION": 0}}]));
    strided["bufferViews"][0]["byteStride"] = 20.into();
    assert_eq!(triangles(&read(&strided).unwrap()), [[0, 1, 2], [3, 4, 5]].map(|corners| corners.map(grid)));

    let sparse = json!({"count": 2, "indices": {"bufferView": 0, "componentType": 5123}, "values": {"bufferView": 1}});
    let accessors = json!([{"componentType": 5126, "count": 3, "type": "VEC3", "sparse": sparse}]);
    let buffers = [vec![1, 0, 2, 0], floats(&[1.0, 0.0, 0.0, 0.0, 1.0, 0.0])];
    let model = read(&file(&buffers, accessors, json!([{"attributes": {"POSITION": 0}}]))).unwrap();
    assert_eq!(triangles(&model), [[Vec3::ZERO, Vec3::X, Vec3::Y]]);

    let corners: Vec<u8> = [0, 0, 0, 32767, -32768, 0, 0, 16384, -1_i16].iter().flat_map(|c| c.to_le_bytes()).collect();
    for (normalized, expected) in [
        (false, [Vec3::new(32767.0, -32768.0, 0.0), Vec3::new(0.0, 16384.0, -1.0)]),
        (true, [Vec3::new(1.0, -1.0, 0.0), Vec3::new(0.0, 16384.0 / 32767.0, -1.0 / 32767.0)]),
    ] {
        let accessors =
            json!([{"bufferView": 0, "componentType": 5122, "normalized": normalized, "count": 3, "type": "VEC3"}]);
        let mut quantized = file(std::slice::from_ref(&corners), accessors, json!([{"attributes": {"POSITION": 0}}]));
        quantized["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
        assert_eq!(triangles(&read(&quantized).unwrap()), [[Vec3::ZERO, expected[0], expected[1]]]);
    }
}

/// Returns the first two triangles of the grid's vertices.
fn plain() -> Value {
    let accessors = json!([{"bufferView": 0, "componentType": 5126, "count": 6, "type": "VEC3"}]);
    file(&[floats(&GRID)], accessors, json!([{"attributes": {"POSITION": 0}}]))
}

#[test]
fn nodes_place_and_name() {
    let mut file = plain();
    file["meshes"][0]["name"] = "Sheet".into();
    let half_turn = [0.0, 1.0, 0.0, 0.0];
    file["nodes"] = json!([
        {"mesh": 0, "name": "Root", "translation": [1e6, 0, 0], "children": [1, 2, 3]},
        {"mesh": 0, "rotation": half_turn, "scale": [1, 2, 3]},
        {"mesh": 0, "name": "Flat", "scale": [1, 0, 1]},
        {"mesh": 0, "name": "", "matrix": [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.001, 5, 6, 1]},
    ]);
    let model = read(&file).unwrap();
    let names: Vec<_> = model.entities.iter().map(|entity| (entity.name.as_str(), entity.node)).collect();
    assert_eq!(names, [("Root", Some(0)), ("Sheet", Some(1)), ("Sheet", Some(3))]);
    assert_eq!(model.warnings.len(), 1);
    let warning = model.warnings[0].to_string();
    assert!(warning.contains("node 2 \"Flat\"") && warning.contains("no scale may be zero"), "{warning}");
    let place = |i: usize, p: [f64; 3]| model.entities[i].transform.transform_point3(DVec3::from(p)).to_array();
    assert_eq!(place(1, [1.0, 1.0, 1.0]), [1e6 - 1.0, 2.0, -3.0]);
    assert_eq!(place(2, [1.0, 0.0, 0.0]), [1e6 + 0.001 - 1.0, 5.0, 6.0], "f64 all the way");
    assert_eq!(model.scene().unwrap().len(), 3);
}

#[test]
fn scenes_are_chosen() {
    let mut file = plain();
    file["nodes"] = json!([{"mesh": 0, "name": "A"}, {"mesh": 0, "name": "B"}, {"mesh": 0, "name": "C"}]);
    let names = |file: &Value| read(file).unwrap().entities.into_iter().map(|entity| entity.name).collect::<String>();
    assert_eq!(names(&file), "ABC");
    file["scenes"] = json!([{"nodes": [1]}, {"nodes": [2, 0]}]);
    assert_eq!(names(&file), "B");
    file["scene"] = 1.into();
    assert_eq!(names(&file), "CA");
}

#[test]
fn required_extensions() {
    let mut file = plain();
    let harmless = [
        "KHR_lights_punctual",
        "KHR_texture_transform",
        "KHR_texture_basisu",
        "KHR_materials_unlit",
        "EXT_texture_webp",
        "EXT_mesh_gpu_instancing",
    ];
    file["extensionsRequired"] = json!(harmless);
    assert_eq!(read(&file).unwrap().entities.len(), 1);
    for name in ["KHR_draco_mesh_compression", "EXT_meshopt_compression", "ACME_unheard_of"] {
        file["extensionsRequired"] = json!(["KHR_lights_punctual", name]);
        let message = read(&file).unwrap_err().to_string();
        assert!(message.contains(name), "{message}");
    }
}

/// Checks that a file with this fault is refused, and that the message names it.
fn refuse(name: &str, change: impl FnOnce(&mut Value), expected: &[&str]) {
    let mut file = plain();
    change(&mut file);
    let message = read(&file).err().unwrap_or_else(|| panic!("{name} is read")).to_string();
    for part in expected {
        assert!(message.contains(part), "{name}: {message}");
    }
}

#[test]
fn faults_are_named() {
    refuse(
        "no such accessor",
        |f| f["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = 7.into(),
        &["accessor 7"],
    );
    refuse("no such view", |f| f["accessors"][0]["bufferView"] = 7.into(), &["buffer view 7"]);
    refuse("no such buffer", |f| f["bufferViews"][0]["buffer"] = 7.into(), &["buffer 7"]);
    refuse("no such mesh", |f| f["nodes"][0]["mesh"] = 7.into(), &["mesh 7"]);
    refuse("no such material", |f| f["meshes"][0]["primitives"][0]["material"] = 7.into(), &["material 7"]);
    refuse("too many elements", |f| f["accessors"][0]["count"] = 7.into(), &["accessor 0", "7 elements", "72 bytes"]);
    refuse("a wide offset", |f| f["accessors"][0]["byteOffset"] = 1e15.into(), &["accessor 0"]);
    refuse("a short stride", |f| f["bufferViews"][0]["byteStride"] = 4.into(), &["accessor 0", "every 4 bytes"]);
    refuse("a wrong shape", |f| f["accessors"][0]["type"] = "VEC2".into(), &["accessor 0", "VEC2", "VEC3"]);
    refuse("a wrong component", |f| f["accessors"][0]["componentType"] = 1.into(), &["accessor 0", "component type 1"]);
    refuse("a long view", |f| f["bufferViews"][0]["byteLength"] = 73.into(), &["buffer view 0", "72"]);
    refuse("a short buffer", |f| f["buffers"][0]["byteLength"] = 80.into(), &["buffer 0", "80 bytes", "72"]);
    refuse("an unknown mode", |f| f["meshes"][0]["primitives"][0]["mode"] = 9.into(), &["mesh 0", "mode 9"]);
    refuse(
        "a far URI",
        |f| f["buffers"][0]["uri"] = "http://example.com/a.bin".into(),
        &["buffer 0", "http://example.com"],
    );
    refuse("a file in memory", |f| f["buffers"][0]["uri"] = "a.bin".into(), &["buffer 0", "a.bin"]);
    refuse("version 3", |f| f["asset"]["version"] = "3.0".into(), &["3.0"]);
    let nan = |f: &mut Value| f["buffers"][0]["uri"] = uri(&floats(&[f32::NAN; 18])).into();
    refuse("not a number", nan, &["mesh 0", "vertex 0"]);
    // Elements that are not stored need no bytes in a file.
    let endless = |f: &mut Value| f["accessors"][0] = json!({"componentType": 5126, "count": 4e9, "type": "VEC3"});
    refuse("4e9 zeros", endless, &["accessor 0", "4000000000 elements"]);
}

/// Returns a sheet with a cut-out material and the texture coordinates of its grid: u and v are x and 1 - y.
fn cut_out() -> Value {
    // The picture has two texels. The left one has alpha 102 (0.4), and the right one 204 (0.8).
    let mut png = Vec::new();
    let encoder = image::codecs::png::PngEncoder::new(&mut png);
    let texels = [255, 255, 255, 102, 255, 255, 255, 204];
    image::ImageEncoder::write_image(encoder, &texels, 2, 1, image::ExtendedColorType::Rgba8).unwrap();
    let texcoords: Vec<f32> = GRID.chunks(3).flat_map(|p| [p[0], 1.0 - p[1]]).collect();
    let accessors = json!([
        {"bufferView": 0, "componentType": 5126, "count": 6, "type": "VEC3"},
        {"bufferView": 1, "componentType": 5126, "count": 6, "type": "VEC2"},
        {"bufferView": 2, "componentType": 5121, "count": 12, "type": "SCALAR"},
        {"bufferView": 3, "componentType": 5121, "normalized": true, "count": 6, "type": "VEC4"},
    ]);
    let primitives = json!([
        {"attributes": {"POSITION": 0, "TEXCOORD_0": 1, "TEXCOORD_1": 1}, "indices": 2, "material": 0},
    ]);
    let colors: Vec<u8> = (0..6).flat_map(|_| [255, 255, 255, 128]).collect();
    let buffers = [floats(&GRID), floats(&texcoords), vec![0, 1, 2, 0, 2, 3, 1, 4, 5, 1, 5, 2], colors];
    let mut file = file(&buffers, accessors, primitives);
    let uri = format!("data:image/png;base64,{}", STANDARD.encode(png));
    file["images"] = json!([{"uri": uri, "name": "Lattice"}]);
    file["textures"] = json!([{"source": 0, "sampler": 0}]);
    file["samplers"] = json!([{}]);
    file["materials"] = json!([{
        "name": "Cut", "alphaMode": "MASK", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}},
    }]);
    file
}

/// Returns a map of the rays that pass at x = 0.12, 0.32 ... 1.92 through the middle of the sheet, with `o` for a hole.
fn holes(file: &Value) -> String {
    let model = read(file).unwrap();
    let scene = model.scene().unwrap();
    let filled = scene.cut_outs(CutOuts::Solid);
    let hole = |i: u8| {
        let ray = Ray::new([0.12 + 0.2 * f32::from(i), 0.45, 1.0], [0.0, 0.0, -1.0]);
        assert!(filled.is_blocked(&ray), "where holes are filled every ray hits");
        if scene.is_blocked(&ray) { '#' } else { 'o' }
    };
    (0..10).map(hole).collect()
}

#[test]
fn a_triangle_of_two_materials_cannot_be_cut() {
    let mut model = read(&cut_out()).unwrap();
    let primitives = &model.entities[0].primitives;
    model.entities[0].primitives = primitives.iter().chain(primitives.iter()).cloned().collect();
    let error = model.scene().unwrap_err().to_string();
    assert!(error.contains("already has a cut-out"), "{error}");
}

#[test]
fn cut_outs_let_rays_through() {
    // Texels are half a unit wide and repeat.
    assert_eq!(holes(&cut_out()), "oo###oo###");
    let with = |change: &dyn Fn(&mut Value)| {
        let mut file = cut_out();
        change(&mut file);
        holes(&file)
    };
    assert_eq!(with(&|f| f["materials"][0]["alphaCutoff"] = 0.4.into()), "##########", "at the cutoff it is solid");
    assert_eq!(with(&|f| f["materials"][0]["alphaCutoff"] = 0.9.into()), "oooooooooo");
    assert_eq!(with(&|f| f["materials"][0]["alphaMode"] = "BLEND".into()), "##########");
    assert_eq!(with(&|f| f["materials"][0]["alphaMode"] = "OPAQUE".into()), "##########");
    assert_eq!(with(&|f| f["samplers"][0] = json!({"wrapS": 33071})), "oo########", "clamped");
    assert_eq!(with(&|f| f["samplers"][0] = json!({"wrapS": 33648})), "oo#####ooo", "mirrored");
    let base = |f: &mut Value, key: &str, value: Value| f["materials"][0]["pbrMetallicRoughness"][key] = value;
    assert_eq!(with(&|f| base(f, "baseColorFactor", json!([1, 1, 1, 0.6]))), "oooooooooo", "0.8 * 0.6 < 0.5");
    let colored = |f: &mut Value| {
        f["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"] = 3.into();
        f["materials"][0]["alphaCutoff"] = 0.3.into();
    };
    assert_eq!(with(&colored), "oo###oo###", "0.4 and 0.8, halved by the vertices");
    let transformed = |transform: Value, set: u8| {
        let texture = json!({"index": 0, "texCoord": set, "extensions": {"KHR_texture_transform": transform}});
        with(&|f| base(f, "baseColorTexture", texture.clone()))
    };
    assert_eq!(transformed(json!({"offset": [0.5, 0]}), 0), "##ooo##ooo");
    assert_eq!(transformed(json!({"scale": [0.5, 1]}), 0), "ooooo#####");
    // A quarter turn swaps u and v, and v is 0.55 for all rays.
    assert_eq!(transformed(json!({"rotation": std::f64::consts::FRAC_PI_2}), 0), "##########");
    assert_eq!(transformed(json!({"scale": [0.5, 1], "texCoord": 1}), 9), "ooooo#####", "the transform's set counts");
}

#[test]
fn pictures_that_cannot_be_read_are_solid_and_named() {
    type Change<'a> = &'a dyn Fn(&mut Value);
    let faults: [(&str, Change<'_>); 6] = [
        ("Lattice", &|f| f["images"][0]["uri"] = "data:image/png;base64,AAAA".into()),
        ("Lattice", &|f| f["images"][0]["uri"] = "lattice.png".into()),
        ("texture 0", &|f| f["textures"][0] = json!({"extensions": {"KHR_texture_basisu": {"source": 0}}})),
        ("image 7", &|f| f["textures"][0]["source"] = 7.into()),
        ("texture 7", &|f| f["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"]["index"] = 7.into()),
        ("TEXCOORD_3", &|f| f["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"]["texCoord"] = 3.into()),
    ];
    for (named, change) in faults {
        let mut file = cut_out();
        change(&mut file);
        let model = read(&file).unwrap();
        let warnings: Vec<String> = model.warnings.iter().map(ToString::to_string).collect();
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(warnings[0].contains(named) && warnings[0].contains("material 0 \"Cut\""), "{warnings:?}");
        assert_eq!(holes(&file), "##########", "{named}");
    }
}

#[test]
fn texture_coordinates_are_those_of_the_first_set() {
    let model = read(&cut_out()).unwrap();
    assert!(model.entities[0].primitives[0].has_texcoords);
    let scene = model.scene().unwrap();
    let hit = scene.cast(&Ray::new([0.75, 0.5, 1.0], [0.0, 0.0, -1.0])).unwrap();
    assert_eq!(scene.surface(&hit).texcoord(), Some(Vec2::new(0.75, 0.5)));
}

#[test]
fn glb_and_files_beside_it() {
    let folder = std::env::temp_dir().join(format!("hitscan-io-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("with space")).unwrap();
    std::fs::write(folder.join("with space/a b.bin"), floats(&GRID)).unwrap();
    let mut outside = plain();
    outside["buffers"][0]["uri"] = "with%20space/a%20b.bin".into();
    std::fs::write(folder.join("outside.gltf"), outside.to_string()).unwrap();
    assert_eq!(Model::load(folder.join("outside.gltf")).unwrap().entities.len(), 1);

    let mut inside = plain();
    inside["buffers"][0].as_object_mut().unwrap().remove("uri");
    assert_eq!(Model::from_bytes(&glb(&inside, &floats(&GRID)), None).unwrap().entities.len(), 1);
    let missing = read(&inside).unwrap();
    assert!(matches!(missing.warnings[..], [Warning::NoData { .. }, Warning::Nothing]), "{:?}", missing.warnings);

    let error = Model::load(folder.join("absent.glb")).unwrap_err().to_string();
    assert!(error.contains("absent.glb") && error.contains("cannot be read"), "{error}");
    let error = Model::load(&folder).unwrap_err().to_string();
    assert!(error.contains("no regular file"), "{error}");
    std::fs::remove_dir_all(folder).unwrap();
}

fn glb(json: &Value, binary: &[u8]) -> Vec<u8> {
    let mut text = json.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let chunk = |kind: &[u8; 4], data: &[u8]| [&(data.len() as u32).to_le_bytes()[..], kind, data].concat();
    let chunks = [chunk(b"JSON", &text), chunk(b"BIN\0", binary)].concat();
    [b"glTF", &2_u32.to_le_bytes()[..], &(12 + chunks.len() as u32).to_le_bytes(), &chunks].concat()
}

/// Damaged files are read or refused, without a panic.
#[test]
fn damage_never_panics() {
    let mut quantized = cut_out();
    quantized["bufferViews"][0]["byteStride"] = 12.into();
    let sound = glb(&quantized, &[1, 2, 3, 4]);
    let (read, refused) = file::damaged(&sound);
    assert!(read > 1000 && refused > 1000, "{read} read, {refused} refused");
}
