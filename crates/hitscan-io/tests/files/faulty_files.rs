//! Files with a fault whose effect is limited to a mesh, an attribute, or a message with a remedy. Each kind is generated.

use crate::file::{file as gltf, floats, mesh_of, read, uri};
use hitscan::glam::DVec3;
use hitscan::{Ray, RayQueries};
use hitscan_io::{Detail, Faults, Format, LoadOptions, Model, Problem, Warning};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

const CORNERS: [f32; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];

/// Returns a triangle in the plane z = 0 with further attributes: each a name, a type and the numbers.
fn triangle_with(more: &[(&str, &str, &[f32])]) -> Value {
    let mut buffers = vec![floats(&CORNERS)];
    let mut accessors = vec![json!({"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"})];
    let mut attributes = json!({"POSITION": 0});
    for (name, kind, numbers) in more {
        attributes[*name] = accessors.len().into();
        accessors.push(json!({"bufferView": buffers.len(), "componentType": 5126, "count": 3, "type": kind}));
        buffers.push(floats(numbers));
    }
    gltf(&buffers, accessors.into(), json!([{"attributes": attributes}]))
}

fn triangle() -> Value {
    triangle_with(&[])
}

/// Returns the t at which a ray straight down from height 5 at a place of the plane z = 0 hits the model.
fn down(model: &Model, x: f32, y: f32) -> Option<f32> {
    let scene = model.scene().unwrap();
    scene.cast(&Ray::new([x, y, 5.0], [0.0, 0.0, -1.0])).map(|hit| hit.t)
}

fn lenient(file: &Value) -> Result<Model, Problem> {
    let options = LoadOptions::new().faults(Faults::LeaveOut);
    Model::from_bytes_with(Format::Gltf, file.to_string().as_bytes(), None, options)
}

fn warnings(model: &Model) -> Vec<String> {
    model.warnings.iter().map(Warning::to_string).collect()
}

/// Makes an empty folder for a test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

const POINTER: &str = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345678\n";

#[test]
fn pointers_of_git_lfs_say_what_to_do() {
    let folder = folder("lfs");
    let refused = |name: &str, content: &str| {
        fs::write(folder.join(name), content).unwrap();
        let message = Model::load(folder.join(name)).unwrap_err().to_string();
        assert!(message.contains("git lfs pull") && message.contains(name), "{message}");
    };
    for name in ["a.glb", "a.gltf", "a.obj", "a.stl", "a.ply", "a.bake", "a"] {
        refused(name, POINTER);
    }
    for format in [Format::Gltf, Format::Obj, Format::Stl, Format::Ply, Format::Baked] {
        let problem = Model::from_bytes_as(format, POINTER.as_bytes(), None).unwrap_err();
        assert!(matches!(problem, Problem::LfsPointer), "{format}: {problem}");
    }
    assert!(matches!(Model::from_bytes(POINTER.as_bytes(), None), Err(Problem::LfsPointer)));
    // The buffer is shorter than the pointer, as long, and longer.
    fs::write(folder.join("data.bin"), POINTER).unwrap();
    for length in [36, POINTER.len(), 5000] {
        let mut file = triangle();
        file["buffers"] = json!([{"byteLength": length, "uri": "data.bin"}]);
        refused("buffer.gltf", &file.to_string());
    }
    // A picture and a library of materials cost no more than a warning, which names the same remedy.
    let mut file = triangle_with(&[("TEXCOORD_0", "VEC2", &[0.0; 6])]);
    file["meshes"][0]["primitives"][0]["material"] = 0.into();
    file["materials"] = json!([{"alphaMode": "MASK", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]);
    (file["textures"], file["images"]) = (json!([{"source": 0}]), json!([{"uri": "data.bin"}]));
    fs::write(folder.join("picture.gltf"), file.to_string()).unwrap();
    fs::write(folder.join("lib.obj"), "mtllib data.bin\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    for (name, options) in [("picture.gltf", Detail::Hits), ("lib.obj", Detail::Colors)] {
        let model = Model::load_with(folder.join(name), options).unwrap();
        assert!(warnings(&model).iter().any(|warning| warning.contains("git lfs pull")), "{:?}", model.warnings);
        assert_eq!(down(&model, 0.25, 0.25), Some(5.0));
    }
}

#[test]
fn attributes_that_are_not_finite_cost_themselves() {
    let (nan, infinite) = (f32::NAN, f32::INFINITY);
    let cases: [(&str, &str, &[f32], &str, usize); 4] = [
        ("NORMAL", "VEC3", &[0.0, 0.0, 1.0, nan, 0.0, 1.0, 0.0, 0.0, infinite], "normals", 2),
        ("TEXCOORD_0", "VEC2", &[0.0, 0.0, 1.0, nan, 0.0, 1.0], "texture coordinates", 1),
        ("NORMAL", "VEC3", &[nan; 9], "normals", 3),
        ("TEXCOORD_0", "VEC2", &[-infinite; 6], "texture coordinates", 3),
    ];
    for (name, kind, numbers, what, count) in cases {
        let mut file = triangle_with(&[(name, kind, numbers)]);
        file["meshes"][0]["name"] = "shed".into();
        file["nodes"] = json!([{"mesh": 0}, {"mesh": 0, "translation": [5, 0, 0]}]);
        let model = read(&file).unwrap();
        assert_eq!((down(&model, 0.25, 0.25), down(&model, 5.25, 0.25)), (Some(5.0), Some(5.0)));
        let [warning] = &warnings(&model)[..] else { panic!("once for both nodes: {:?}", model.warnings) };
        assert!(warning.contains("mesh 0 \"shed\"") && warning.contains(what), "{warning}");
        assert!(warning.contains(&format!(": {count}, the first")), "{warning}");
        let scene = model.scene().unwrap();
        let hit = scene.cast(&Ray::new([0.25, 0.25, 5.0], [0.0, 0.0, -1.0])).unwrap();
        assert!(hit.normal.is_finite());
        assert!(model.bake(Detail::Colors).is_ok());
    }
    // Holes and pictures read these attributes too.
    let mut file = triangle_with(&[
        ("TEXCOORD_0", "VEC2", &[nan; 6]),
        ("COLOR_0", "VEC4", &[nan, 1.0, 1.0, nan, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, infinite, 1.0]),
    ]);
    file["meshes"][0]["primitives"][0]["material"] = 0.into();
    file["materials"] = json!([{"alphaMode": "MASK", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]);
    let pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
    (file["textures"], file["images"]) =
        (json!([{"source": 0}]), json!([{"uri": format!("data:image/png;base64,{pixel}")}]));
    for detail in [Detail::Hits, Detail::Colors] {
        let model = Model::from_bytes_with(Format::Gltf, file.to_string().as_bytes(), None, detail).unwrap();
        assert!(model.scene().is_ok(), "{:?}", model.warnings);
    }
    // A position is needed.
    let mut file = triangle();
    file["buffers"][0]["uri"] = uri(&floats(&[nan, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0])).into();
    assert!(read(&file).is_err());
}

/// Returns three meshes, of which the second is changed; it is shown twice.
fn three(change: impl FnOnce(&mut Value)) -> Value {
    let mut file = triangle();
    let indices: Vec<u8> = [0_u16, 1, 2].iter().flat_map(|index| index.to_le_bytes()).collect();
    let buffer = json!({"byteLength": 6, "uri": uri(&indices)});
    file["buffers"].as_array_mut().unwrap().push(buffer);
    file["bufferViews"].as_array_mut().unwrap().push(json!({"buffer": 1, "byteLength": 6}));
    let accessor = json!({"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"});
    file["accessors"].as_array_mut().unwrap().push(accessor);
    let mesh = |name: &str| json!({"name": name, "primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]});
    file["meshes"] = json!([mesh("first"), mesh("second"), mesh("third")]);
    file["nodes"] = json!([{"mesh": 0}, {"mesh": 1, "translation": [2, 0, 0]}, {"mesh": 2, "translation": [4, 0, 0]},
        {"mesh": 1, "translation": [6, 0, 0]}]);
    change(&mut file);
    file
}

/// A change that makes a file faulty.
type Fault = Box<dyn FnOnce(&mut Value)>;

/// Changes the second mesh of a file.
fn primitive(file: &mut Value, name: &str, value: Value) {
    file["meshes"][1]["primitives"][0][name] = value;
}

#[test]
fn one_faulty_mesh_costs_itself_and_is_named_once() {
    let sound = lenient(&three(|_| {})).unwrap();
    assert_eq!((sound.entities.len(), &sound.warnings[..]), (4, &[][..]));
    let far: Vec<u8> = [0_u16, 1, 9].iter().flat_map(|index| index.to_le_bytes()).collect();
    let faults: [Fault; 6] = [
        Box::new(|file| primitive(file, "indices", 7.into())),
        Box::new(|file| primitive(file, "mode", 9.into())),
        Box::new(|file| primitive(file, "attributes", json!({"POSITION": 5}))),
        Box::new(|file| primitive(file, "indices", 0.into())),
        Box::new(move |file| {
            file["buffers"].as_array_mut().unwrap().push(json!({"byteLength": 6, "uri": uri(&far)}));
            file["bufferViews"].as_array_mut().unwrap().push(json!({"buffer": 2, "byteLength": 6}));
            let accessor = json!({"bufferView": 2, "componentType": 5123, "count": 3, "type": "SCALAR"});
            file["accessors"].as_array_mut().unwrap().push(accessor);
            primitive(file, "indices", 2.into());
        }),
        Box::new(|file| {
            let bytes = floats(&[f32::NAN; 9]);
            file["buffers"].as_array_mut().unwrap().push(json!({"byteLength": 36, "uri": uri(&bytes)}));
            file["bufferViews"].as_array_mut().unwrap().push(json!({"buffer": 2, "byteLength": 36}));
            let accessor = json!({"bufferView": 2, "componentType": 5126, "count": 3, "type": "VEC3"});
            file["accessors"].as_array_mut().unwrap().push(accessor);
            primitive(file, "attributes", json!({"POSITION": 2}));
        }),
    ];
    for fault in faults {
        let file = three(fault);
        assert!(read(&file).is_err(), "{file}");
        let model = lenient(&file).unwrap();
        let hits = [0.25, 2.25, 4.25, 6.25].map(|x| down(&model, x, 0.25).is_some());
        assert_eq!(hits, [true, false, true, false]);
        let [warning] = &warnings(&model)[..] else { panic!("{:?}", model.warnings) };
        assert!(warning.starts_with("mesh 1 \"second\" is left out: "), "{warning}");
        assert_eq!(warning.matches("second").count(), 1, "{warning}");
    }
}

#[test]
fn what_is_flattened_is_flat_and_hit() {
    let shown = |node: Value| {
        let mut file = triangle();
        file["nodes"] = json!([node]);
        read(&file).unwrap()
    };
    let flat = shown(json!({"mesh": 0, "scale": [1, 1, 0], "translation": [0, 0, 2]}));
    assert_eq!((down(&flat, 0.25, 0.25), &flat.warnings[..]), (Some(3.0), &[][..]));
    assert_eq!(flat.entities[0].transform.translation, DVec3::new(0.0, 0.0, 2.0));
    // A tetrahedron is flattened into two layers. It keeps its position, also in a baked file.
    let solid = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.25, 0.25, 1.0_f32];
    let sides: Vec<u8> = [0_u16, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3].iter().flat_map(|at| at.to_le_bytes()).collect();
    let accessors = json!([
        {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
        {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"},
    ]);
    let mut file = gltf(&[floats(&solid), sides], accessors, json!([{"attributes": {"POSITION": 0}, "indices": 1}]));
    file["nodes"] = json!([{"mesh": 0, "scale": [2, 2, 0], "translation": [10, 0, 1], "rotation": [0, 0, 1, 0]}]);
    let model = read(&file).unwrap();
    let baked = Model::from_bytes(&model.bake(Detail::Hits).unwrap(), None).unwrap();
    for model in [&model, &baked] {
        assert_eq!(down(model, 9.5, -0.5), Some(4.0));
        let (mut scene, pose) = (model.scene().unwrap(), model.pose());
        pose.apply(&mut scene).unwrap();
        assert_eq!(scene.cast(&Ray::new([9.5, -0.5, 5.0], [0.0, 0.0, -1.0])).map(|hit| hit.t), Some(4.0));
        assert_eq!(mesh_of(model, 0).triangle_count(), 4);
    }
    // The parent of a rotated node flattens it.
    let mut file = triangle();
    file["nodes"] = json!([{"scale": [1, 1, 0], "children": [1]}, {"mesh": 0, "rotation": [0, 0, 0.6, 0.8]}]);
    assert!(down(&read(&file).unwrap(), 0.05, 0.2).is_some());
    // Only a line or a point remains, which no ray hits.
    for node in [
        json!({"mesh": 0, "scale": [1, 0, 1]}),
        json!({"mesh": 0, "scale": [0, 0, 0]}),
        json!({"mesh": 0, "matrix": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]}),
    ] {
        let model = shown(node);
        assert!(model.entities.is_empty());
        let left_out = |warning: &&Warning| matches!(warning, Warning::Unplaceable { .. });
        assert_eq!(model.warnings.iter().filter(left_out).count(), 1, "{:?}", model.warnings);
    }
}

#[test]
fn rotations_that_are_no_unit_quaternions_are_normalised() {
    let shown = |rotation: Value| {
        let mut file = triangle();
        file["nodes"] = json!([{"mesh": 0, "rotation": rotation}]);
        read(&file).unwrap()
    };
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let unit = shown(json!([0, 0, half, half]));
    assert!(unit.warnings.is_empty());
    for length in [1.4, 2.0, 0.9, 1e-12, 1e200, 1e-310, 5e-324] {
        let model = shown(json!([0, 0, length, length]));
        let [warning] = &warnings(&model)[..] else { panic!("{:?}", model.warnings) };
        assert!(warning.contains("node 0") && warning.contains("normalised"), "{warning}");
        let (one, other) = (model.entities[0].transform, unit.entities[0].transform);
        assert!((one.matrix3 - other.matrix3).to_cols_array().iter().all(|off| off.abs() < 1e-12), "{one}");
    }
    let still = shown(json!([0, 0, 0, 0]));
    assert_eq!((still.entities[0].transform, still.warnings.len()), (triangle_at_rest(), 1));
    // A rotation that is off by the rounding of f32, or of integers, is as the file has it.
    let given = [0.0, 0.0, half + 3e-7, half - 7e-7];
    let model = shown(json!(given));
    let raw = hitscan::glam::DMat3::from_quat(hitscan::glam::DQuat::from_array(given));
    assert_eq!((model.entities[0].transform.matrix3, model.warnings.len()), (raw, 0));
}

fn triangle_at_rest() -> hitscan::glam::DAffine3 {
    read(&triangle()).unwrap().entities[0].transform
}

#[test]
fn skin_weights_that_do_not_add_up_to_1_are_told() {
    let skinned = |weights: [f32; 12]| {
        let weights = floats(&weights);
        let accessors = json!([
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5126, "count": 3, "type": "VEC4"},
            {"bufferView": 2, "componentType": 5121, "count": 3, "type": "VEC4"},
        ]);
        let attributes = json!({"POSITION": 0, "WEIGHTS_0": 1, "JOINTS_0": 2});
        let mut file = gltf(&[floats(&CORNERS), weights, vec![0; 12]], accessors, json!([{"attributes": attributes}]));
        file["skins"] = json!([{"joints": [1]}]);
        file["nodes"] = json!([{"mesh": 0, "skin": 0}, {}, {"mesh": 0, "skin": 0}]);
        read(&file).unwrap()
    };
    let [one, two] = [[1.0, 0.0, 0.0, 0.0], [2.0, 0.0, 0.0, 0.0]];
    let weights = |vertices: [[f32; 4]; 3]| -> [f32; 12] { vertices.as_flattened().try_into().unwrap() };
    assert!(skinned(weights([one, one, [0.5, 0.25, 0.25, 0.001]])).warnings.is_empty());
    let model = skinned(weights([one, two, two]));
    let [warning] = &warnings(&model)[..] else { panic!("{:?}", model.warnings) };
    assert!(warning.contains("mesh 0") && warning.contains("at 2 vertices, the first of them 1"), "{warning}");
    assert_eq!(down(&model, 0.25, 0.25), Some(5.0));
}

#[test]
fn versions_that_are_numbers_are_versions() {
    let message = |version: Value| {
        let mut file = triangle();
        file["asset"]["version"] = version;
        read(&file).map(drop).map_err(|problem| problem.to_string())
    };
    for version in [json!(2), json!(2.0), json!("2.1")] {
        assert_eq!(message(version), Ok(()));
    }
    for version in [json!(1), json!(1.0), json!("1.0")] {
        let said = message(version).unwrap_err();
        assert!(said.contains("is glTF of version \"1.0\"") && said.contains("gltf-pipeline"), "{said}");
    }
}

#[test]
fn comments_before_an_stl_are_named() {
    let solid = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n";
    for comment in ["# made by hand\n", "; made by hand\n\n", "// made by hand\n// twice\n"] {
        let text = format!("{comment}{solid}");
        let said = Model::from_bytes_as(Format::Stl, text.as_bytes(), None).unwrap_err().to_string();
        assert!(said.contains("made by hand") && said.contains("remove what is before `solid`"), "{said}");
    }
    let said = Model::from_bytes_as(Format::Stl, b"# nothing else\n", None).unwrap_err().to_string();
    assert!(!said.contains("solid`"), "{said}");
}

#[test]
fn a_file_that_is_not_found_is_named_with_one_that_is_near() {
    let folder = folder("near");
    fs::write(folder.join("my büf.bin"), floats(&CORNERS)).unwrap();
    let said = |uri: &str| {
        let mut file = triangle();
        file["buffers"][0]["uri"] = uri.into();
        fs::write(folder.join("a.gltf"), file.to_string()).unwrap();
        Model::load(folder.join("a.gltf")).map(drop).map_err(|error| error.to_string())
    };
    assert_eq!(said("my%20b%C3%BCf.bin"), Ok(()));
    for uri in ["My%20b%C3%BCf.BIN", "MY%20B%C3%9CF.bin"] {
        let said = said(uri).unwrap_err();
        assert!(said.contains(&format!("{uri:?}")) && said.contains("there is no file"), "{said}");
        assert!(said.contains("my büf.bin is there"), "{said}");
    }
    let back = said(".\\my büf.bin");
    if cfg!(windows) {
        assert_eq!(back, Ok(()));
    } else {
        let said = back.unwrap_err();
        assert!(said.contains(".\\my büf.bin") && said.contains("my büf.bin is there"), "{said}");
    }
    // Folders may be in another case, too.
    fs::create_dir_all(folder.join("Textures/Wood")).unwrap();
    fs::write(folder.join("Textures/Wood/a.bin"), floats(&CORNERS)).unwrap();
    assert_eq!(said("Textures/Wood/a.bin"), Ok(()));
    for uri in ["textures/wood/A.bin", "TEXTURES\\Wood\\a.BIN", "./textures/../Textures/WOOD/a.bin"] {
        let said = said(uri).unwrap_err();
        assert!(said.contains("is there") && said.contains("a.bin"), "{said}");
    }
    let missing = said("other.bin").unwrap_err();
    assert!(missing.contains("other.bin") && !missing.contains("is there"), "{missing}");
    let missing = said("textures/other.bin").unwrap_err();
    assert!(missing.contains("other.bin") && !missing.contains("is there"), "{missing}");
}

#[test]
fn a_model_names_the_files_that_it_was_made_from() {
    let folder = folder("files");
    let names = |model: &Model| {
        let relative = |path: &std::path::PathBuf| path.strip_prefix(&folder).unwrap().to_str().unwrap().to_owned();
        model.files.iter().map(relative).collect::<Vec<_>>()
    };
    fs::write(folder.join("a.bin"), floats(&CORNERS)).unwrap();
    let mut file = triangle();
    file["buffers"][0]["uri"] = "a.bin".into();
    fs::write(folder.join("a.gltf"), file.to_string()).unwrap();
    let model = Model::load(folder.join("a.gltf")).unwrap();
    assert_eq!(names(&model), ["a.bin", "a.gltf"]);
    // A model in memory has no file of its own.
    let bytes = fs::read(folder.join("a.gltf")).unwrap();
    assert_eq!(names(&Model::from_bytes(&bytes, Some(&folder)).unwrap()), ["a.bin"]);
    assert!(Model::demo().files.is_empty());

    fs::write(folder.join("b.obj"), "mtllib no.mtl b.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl m\nf 1 2 3\n").unwrap();
    fs::write(folder.join("b.mtl"), "newmtl m\nmap_Kd b.png\n").unwrap();
    fs::write(folder.join("b.png"), "no picture").unwrap();
    assert_eq!(names(&Model::load(folder.join("b.obj")).unwrap()), ["b.mtl", "b.obj"]);
    let colored = Model::load_with(folder.join("b.obj"), Detail::Colors).unwrap();
    assert_eq!(names(&colored), ["b.mtl", "b.obj", "b.png"]);
    fs::write(folder.join("b.bake"), colored.bake(Detail::Hits).unwrap()).unwrap();
    assert_eq!(names(&Model::load(folder.join("b.bake")).unwrap()), ["b.bake"]);
}
