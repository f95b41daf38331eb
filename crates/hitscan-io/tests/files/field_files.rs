//! Files of kinds on which other readers have failed. Each file is generated, with similar files.

use crate::file;
use crate::file::{file as gltf, floats, mesh_of, read};
use hitscan::glam::DVec3;
use hitscan::{Geometry, Mesh, Ray, RayQueries};
use hitscan_io::{Detail, Format, Model, Problem, Warning};
use serde_json::{Value, json};

/// Returns a triangle in the plane z = 0, shown by one node.
fn triangle() -> Value {
    let corners = floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let accessors = json!([{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}]);
    gltf(&[corners], accessors, json!([{"attributes": {"POSITION": 0}}]))
}

fn names(model: &Model) -> Vec<&str> {
    model.entities.iter().map(|entity| entity.name.as_str()).collect()
}

fn triangles(model: &Model) -> usize {
    (0..model.entities.len()).map(|entity| mesh_of(model, entity).triangle_count()).sum()
}

fn text(format: Format, text: &str) -> Result<Model, Problem> {
    Model::from_bytes_as(format, text.as_bytes(), None)
}

/// Returns a file of `meshes` meshes of the same 6,000 triangles, one node for each. `change` gets the number of each
/// mesh, and the mesh.
fn sharing(meshes: usize, change: impl Fn(usize, &mut Value)) -> Value {
    let positions: Vec<f32> = (0..1000).flat_map(|i| [i as f32 * 1e-3, (i % 7) as f32, (i % 13) as f32]).collect();
    let corner = |i: u32| [i * 7919 % 1000, i * 104_729 % 997, (i * 31 + 17) % 991].map(|corner| corner as u16);
    let indices: Vec<u8> = (0..6000).flat_map(corner).flat_map(u16::to_le_bytes).collect();
    let accessors = json!([
        {"bufferView": 0, "componentType": 5126, "count": 1000, "type": "VEC3"},
        {"bufferView": 1, "componentType": 5123, "count": 18_000, "type": "SCALAR"},
    ]);
    let mut file = gltf(&[floats(&positions), indices], accessors, json!([]));
    let mesh = |number: usize| {
        let mut mesh = json!({"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]});
        change(number, &mut mesh);
        mesh
    };
    file["meshes"] = (0..meshes).map(mesh).collect();
    let node = |number: usize| json!({"mesh": number, "name": format!("s{number}"), "translation": [3 * number, 0, 0]});
    file["nodes"] = (0..meshes).map(node).collect();
    file
}

fn are_clones(model: &Model) -> bool {
    (1..model.entities.len()).all(|entity| mesh_of(model, 0).is_clone_of(mesh_of(model, entity)))
}

#[test]
fn meshes_of_the_same_accessors_share_one_mesh() {
    let plain = read(&sharing(90, |_, _| {})).unwrap();
    assert_eq!((plain.entities.len(), triangles(&plain), are_clones(&plain)), (90, 540_000, true));
    assert_eq!(plain.entities[89].transform.translation, DVec3::new(267.0, 0.0, 0.0));

    // Ten thousand meshes of shared data are ten thousand references.
    let many = read(&sharing(10_000, |_, _| {})).unwrap();
    assert_eq!((triangles(&many), are_clones(&many)), (60_000_000, true));

    let mut painted = sharing(90, |number, mesh| mesh["primitives"][0]["material"] = number.into());
    painted["materials"] = (0..90).map(|number| json!({"name": format!("m{number}")})).collect();
    let painted = read(&painted).unwrap();
    assert!(are_clones(&painted), "a material changes no triangle");
    for (number, entity) in painted.entities.iter().enumerate() {
        assert_eq!(entity.primitives[0].material, Some(number));
    }

    // Meshes that share some accessors and not others each have triangles of their own. The shared accessors are decoded once.
    let variants = read(&sharing(60, |number, mesh| {
        let primitives = mesh["primitives"].as_array_mut().unwrap();
        primitives.push(json!({"attributes": {"POSITION": 0}, "mode": 5 + number % 2}));
    }));
    let variants = variants.unwrap();
    assert_eq!(triangles(&variants), 60 * (6000 + 998));
    assert!(mesh_of(&variants, 0).is_clone_of(mesh_of(&variants, 58)));
    assert!(!mesh_of(&variants, 0).is_clone_of(mesh_of(&variants, 1)));
}

#[test]
fn shared_meshes_survive_baking_and_warn_for_each() {
    let model = read(&sharing(90, |_, _| {})).unwrap();
    let baked = Model::from_bytes(&model.bake(Detail::Hits).unwrap(), None).unwrap();
    assert_eq!((baked.entities.len(), triangles(&baked), are_clones(&baked)), (90, 540_000, true));

    let mut file = triangle();
    file["accessors"][0]["count"] = 2.into();
    file["meshes"] = json!([{"name": "a", "primitives": file["meshes"][0]["primitives"]}]);
    let mut twin = file["meshes"][0].clone();
    twin["name"] = "b".into();
    file["meshes"].as_array_mut().unwrap().push(twin);
    file["nodes"] = json!([{"mesh": 0}, {"mesh": 1}]);
    let warnings = read(&file).unwrap().warnings;
    let left_out = |warning: &&Warning| matches!(warning, Warning::NoTriangles(_));
    assert_eq!(warnings.iter().filter(left_out).count(), 2, "{warnings:?}");
}

/// Checks that a file is refused because it describes more than its bytes can.
fn is_refused(file: &Value) {
    let message = read(file).unwrap_err().to_string();
    assert!(message.contains("larger than its file can mean"), "{message}");
}

#[test]
fn zeros_that_no_buffer_holds_are_still_refused() {
    let mut zeros = triangle();
    zeros["accessors"][0] = json!({"componentType": 5126, "count": 1e12, "type": "VEC3"});
    is_refused(&zeros);
}

#[test]
fn many_combinations_of_one_long_list_are_still_refused() {
    // The 4,000 meshes have 150 different combinations of the same long list.
    is_refused(&sharing(4000, |number, mesh| {
        let primitive = mesh["primitives"][0].clone();
        let count = 1 + number % 50;
        mesh["primitives"] = vec![primitive; count].into();
        mesh["primitives"].as_array_mut().unwrap().push(json!({"attributes": {"POSITION": 0}, "mode": 4 + number % 3}));
    }));
}

#[test]
fn many_accessors_of_the_same_bytes_are_still_refused() {
    let mut views = sharing(2000, |number, mesh| mesh["primitives"][0]["indices"] = (1 + number).into());
    let list = views["accessors"].as_array_mut().unwrap();
    let copy = list[1].clone();
    list.extend(std::iter::repeat_n(copy, 2000));
    is_refused(&views);
}

#[test]
fn a_root_that_is_a_child_is_shown_once() {
    let shown = |nodes: Value, roots: Value| {
        let mut file = triangle();
        (file["nodes"], file["scenes"]) = (nodes, json!([{"nodes": roots}]));
        file["scene"] = 0.into();
        read(&file).unwrap()
    };
    let gun = || json!({"mesh": 0, "name": "gun", "translation": [-0.15, 0, 0]});
    let holder = |translation: Value| json!({"name": "holder", "children": [1], "translation": translation});
    let model = shown(json!([holder(json!([0, 0, 0])), gun()]), json!([1]));
    assert_eq!((names(&model), triangles(&model)), (vec!["gun"], 1));
    assert_eq!(model.entities[0].transform.translation, DVec3::new(-0.15, 0.0, 0.0));
    let [warning] = &model.warnings[..] else { panic!("{:?}", model.warnings) };
    let warning = warning.to_string();
    assert!(warning.contains("node 1 \"gun\"") && warning.contains("child of node 0"), "{warning}");

    // A node is placed by its parent, whether the parent is listed or not, and in any order.
    for roots in [json!([1]), json!([0, 1]), json!([1, 0]), json!([0, 0, 1, 1])] {
        let model = shown(json!([holder(json!([0, 5, 0])), gun()]), roots.clone());
        assert_eq!(names(&model), ["gun"], "{roots}");
        assert_eq!(model.entities[0].transform.translation, DVec3::new(-0.15, 5.0, 0.0), "{roots}");
        assert!(!model.warnings.is_empty(), "{roots}");
    }
    // The node is a grandchild, below a node that shows another mesh.
    let nodes = json!([{"mesh": 0, "name": "a", "children": [1]}, {"children": [2]}, {"mesh": 0, "name": "c"}]);
    assert_eq!(names(&shown(nodes.clone(), json!([2, 0]))), ["a", "c"]);
    assert_eq!(names(&shown(nodes, json!([2]))), ["c"]);
}

#[test]
fn hidden_nodes_are_not_shown() {
    let visible = |value: Value| json!({"KHR_node_visibility": {"visible": value}});
    let file = |required: bool| {
        let mut file = triangle();
        file["nodes"] = json!([
            {"name": "ghost", "mesh": 0, "extensions": visible(false.into()), "children": [1]},
            {"name": "child of ghost", "mesh": 0, "extensions": visible(true.into()), "children": [3]},
            {"name": "solid", "mesh": 0, "extensions": visible(true.into()), "translation": [0, 0, -1]},
            {"name": "grandchild", "mesh": 0, "camera": 0},
            {"name": "unsaid", "mesh": 0, "extensions": {"KHR_node_visibility": {}}},
        ]);
        file["cameras"] = json!([{"type": "perspective", "perspective": {"yfov": 1, "znear": 1}}]);
        file["extensionsUsed"] = json!(["KHR_node_visibility"]);
        if required {
            file["extensionsRequired"] = json!(["KHR_node_visibility"]);
        }
        file
    };
    for required in [false, true] {
        let model = read(&file(required)).unwrap();
        assert_eq!((names(&model), &model.warnings[..]), (vec!["solid", "unsaid"], &[][..]));
        assert_eq!(model.cameras.len(), 1, "visibility does not affect cameras");
        assert_eq!(model.scene().unwrap().len(), 2);
    }
    // A skinned mesh and instances are hidden as well, and hidden joints still place visible meshes.
    let mut instanced = file(false);
    instanced["nodes"] = json!([{"mesh": 0, "extensions": {
        "KHR_node_visibility": {"visible": false}, "EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": 0}},
    }}]);
    assert_eq!(read(&instanced).unwrap().entities.len(), 0);
    // An animation of the visibility is ignored, with a warning.
    let mut animated = file(false);
    animated["animations"] = json!([{"channels": [{"sampler": 0, "target": {"path": "pointer"}}], "samplers": []}]);
    let model = read(&animated).unwrap();
    assert_eq!((names(&model).len(), model.warnings.len()), (2, 1), "{:?}", model.warnings);
}

#[test]
fn required_extensions_that_move_nothing_are_passed_over() {
    let loads = |name: &str| {
        let mut file = triangle();
        file["extensionsUsed"] = json!([name]);
        file["extensionsRequired"] = json!([name]);
        file["extensions"] = json!({name: {}});
        read(&file)
    };
    let harmless = [
        "GOOGLE_texture_basis",
        "KHR_techniques_webgl",
        "KHR_xmp_json_ld",
        "KHR_materials_variants",
        "KHR_node_selectability",
        "MSFT_packing_occlusionRoughnessMetallic",
        "MSFT_lod",
        "MSFT_audio_emitter",
        "EXT_structural_metadata",
        "EXT_mesh_features",
        "EXT_mesh_manifold",
        "FB_geometry_metadata",
        "NV_materials_mdl",
        "GODOT_single_root",
        "AGI_articulations",
        "VRMC_materials_mtoon",
        "EXT_image_webp",
        "MOZ_lightmap",
    ];
    for name in harmless {
        assert_eq!(loads(name).map(|model| triangles(&model)).unwrap_or_else(|error| panic!("{error}")), 1, "{name}");
    }
    let harmful = [
        "KHR_draco_mesh_compression",
        "EXT_meshopt_compression",
        "KHR_accessor_float64",
        "CESIUM_RTC",
        "BENTLEY_primitive_restart",
        "EXT_mesh_primitive_restart",
        "MPEG_accessor_timed",
        "CESIUM_z_up",
        "KHR_materials_displacement",
        "ACME_unheard_of",
        "GOOGLE_texture_basis_of_another_kind",
    ];
    for name in harmful {
        let message = loads(name).unwrap_err().to_string();
        assert!(message.contains(&format!("requires the extension {name}: ")), "{message}");
    }
}

#[test]
fn null_members_are_absent() {
    let mut file = triangle();
    file["nodes"] = json!([{"mesh": 0, "name": "t", "children": null, "skin": null, "extras": null, "rotation": null}]);
    assert_eq!(triangles(&read(&file).unwrap()), 1);
    file["scenes"] = json!([{"nodes": [0], "name": null}]);
    (file["cameras"], file["extensionsRequired"], file["bufferViews"][0]["byteOffset"]) =
        (Value::Null, Value::Null, Value::Null);
    file["meshes"][0]["primitives"][0]["mode"] = Value::Null;
    file["meshes"][0]["primitives"][0]["attributes"]["NORMAL"] = Value::Null;
    file["accessors"][0]["normalized"] = Value::Null;
    assert_eq!(triangles(&read(&file).unwrap()), 1);
    // Text in names that looks like a null member is not one, and elements of lists are not members.
    file["nodes"][0]["name"] = "\"a\": null, \\".into();
    assert_eq!(names(&read(&file).unwrap()), ["\"a\": null, \\"]);
    file["nodes"][0]["children"] = json!([null]);
    assert!(read(&file).unwrap_err().to_string().contains("null"));
    let all = br#"{ "a" :null , "asset":{"x":null,"version":"2.0","y":null},"scenes" : null,"nodes":null}"#;
    assert_eq!(Model::from_bytes(all, None).unwrap().warnings, [Warning::Nothing]);
    for broken in [r#"{"asset":{"version":"2.0"},"nodes":nullx}"#, r#"{"asset":{"version":"2.0"},"nodes":null"#] {
        assert!(Model::from_bytes(broken.as_bytes(), None).is_err(), "{broken}");
    }
}

#[test]
fn base64_as_decoders_take_it() {
    // The buffer has three corners and four bytes of zeros, so that its base64 ends in padding.
    let bytes = floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let uri = file::uri(&[&bytes[..], &[0; 4]].concat());
    let loads = |uri: &str| {
        let mut file = triangle();
        file["buffers"][0]["uri"] = uri.into();
        read(&file).map(|model| triangles(&model))
    };
    assert!(uri.ends_with("AA=="), "{uri}");
    let (start, data) = uri.split_once(',').unwrap();
    let trailing = uri.replace("AA==", "AB==");
    assert_eq!(loads(&trailing).unwrap(), 1, "bits that are not used need not be zero");
    assert_eq!(loads(trailing.trim_end_matches('=')).unwrap(), 1);
    assert_eq!(loads(&format!("{start}, {}\n {}\t", &data[..20], &data[20..])).unwrap(), 1, "white space is no data");
    assert_eq!(loads(&uri.replace('=', "%3D")).unwrap(), 1, "a URI may be percent-encoded");
    for broken in [format!("{start},{}!", &data[..20]), format!("{start},A")] {
        assert!(loads(&broken).unwrap_err().to_string().contains("base64"), "{broken}");
    }
}

const FACET: &str = "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n";

#[test]
fn ends_of_solids_in_two_words() {
    let read = |end: &str| text(Format::Stl, &format!("solid part\n{FACET}{end}"));
    for end in ["end solid part\n", "end solid", "END SOLID part", "end\tsolid part two", "endsolid part"] {
        let model = read(end).unwrap_or_else(|error| panic!("{end:?}: {error}"));
        assert_eq!((names(&model), triangles(&model)), (vec!["part"], 1), "{end:?}");
    }
    let two = read(&format!("end solid part\nsolid other\n{FACET}end solid other")).unwrap();
    assert_eq!(names(&two), ["part", "other"]);
    let spaced = FACET.replace("endloop", "end loop").replace("endfacet", "end facet");
    assert_eq!(triangles(&text(Format::Stl, &format!("solid\n{spaced}{FACET}end solid")).unwrap()), 2);
    for wrong in ["end", "end of part", "end facet"] {
        assert!(read(wrong).unwrap_err().to_string().contains("line 9"), "{wrong}");
    }
}

#[test]
fn every_face_element_counts() {
    let header = |elements: &str| {
        format!(
            "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n\
             {elements}end_header\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n"
        )
    };
    let face = |count: usize| format!("element face {count}\nproperty list uchar int vertex_indices\n");
    let read = |elements: &str, body: &str| text(Format::Ply, &format!("{}{body}", header(elements))).unwrap();
    let two = read(&(face(1) + &face(1)), "3 0 1 2\n3 0 2 3\n");
    assert_eq!((triangles(&two), &two.warnings[..]), (2, &[][..]));
    let three = read(
        &(face(1) + "element tristrips 1\nproperty list int int vertex_indices\n" + &face(1)),
        "3 0 1 2\n4 0 1 3 2\n3 0 2 3\n",
    );
    assert_eq!(triangles(&three), 4);
    let strips = "element tristrips 1\nproperty list int int vertex_indices\n";
    assert_eq!(triangles(&read(&(strips.to_owned() + strips), "3 0 1 2\n3 0 2 3\n")), 2);
    // Texture coordinates of a later element are separate.
    let textured = "element face 1\nproperty list uchar int vertex_indices\nproperty list uchar float texcoord\n";
    let both = read(&textured.repeat(2), "3 0 1 2 6 0 0 0 0 0 0\n3 0 2 3 6 0 0 1 0 1 1\n");
    let scene = both.scene().unwrap();
    let hit = scene.cast(&Ray::new([0.2, 0.8, 1.0], [0.0, 0.0, -1.0])).unwrap();
    let at = scene.surface(&hit).texcoord().unwrap();
    assert!(hit.triangle == Some(1) && (at.x - 0.8).abs() < 1e-6, "{at}");
    let mixed = read(&(face(1) + textured), "3 0 1 2\n3 0 2 3 6 0 0 1 0 1 1\n");
    assert!(triangles(&mixed) == 2 && !mixed.entities[0].primitives[0].has_texcoords);
    // Vertex elements after the first are reported.
    let vertices = "element vertex 1\nproperty float x\nproperty float y\nproperty float z\n";
    let model = read(&(vertices.to_owned() + &face(1)), "9 9 9\n3 0 1 2\n");
    assert_eq!(triangles(&model), 1);
    assert!(model.warnings[0].to_string().contains("element 1 \"vertex\""), "{:?}", model.warnings);
}

#[test]
fn white_space_is_that_of_c() {
    let spaces = ["\x0B", "\x0C", "\t", " \x0B \x0C", "  "];
    for space in spaces {
        let obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\no a b\nf 1 2 3".replace(' ', space);
        let model = text(Format::Obj, &obj).unwrap_or_else(|error| panic!("{space:?}: {error}"));
        assert_eq!(triangles(&model), 1, "{space:?}");
        let stl = format!("{space}solid a\n{FACET}endsolid").replace(' ', space);
        assert_eq!(names(&Model::from_bytes(stl.as_bytes(), None).unwrap()), ["a"], "{space:?}");
        let ply = "ply \nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
                   element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n \n1 0 0\n0 1 0\n3 0 1 2\n";
        let ply = ply.replace(' ', space);
        assert_eq!(triangles(&Model::from_bytes(ply.as_bytes(), None).unwrap()), 1, "{space:?}");
        let name = text(Format::Obj, &format!("v 0 0 0\nv 1 0 0\nv 0 1 0\no{space}a{space}\nf 1 2 3\n")).unwrap();
        assert_eq!(names(&name), ["a"], "{space:?}");
    }
    // A no-break space is not white space: in C's own locale only six characters are.
    assert!(text(Format::Obj, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\u{A0}3\n").is_err());
}

#[test]
fn continued_lines_may_have_blanks_behind_the_backslash() {
    for end in ["\\\n", "\\ \n", "\\\t \x0B\n", "\\ \r\n", " \\\x0C\n"] {
        let obj = format!("v 0 {end} 0 0\nv 1 0 0\nv 0 1 0\nf 1 {end} 2 {end}3\n");
        let model = text(Format::Obj, &obj).unwrap_or_else(|error| panic!("{end:?}: {error}"));
        assert_eq!(triangles(&model), 1, "{end:?}");
    }
    let comment = text(Format::Obj, "v 0 0 0\nv 1 0 0\nv 0 1 0\n# C:\\models\\ \nf 1 2 3\n").unwrap();
    assert_eq!(triangles(&comment), 1, "comments do not go on");
    let inside = text(Format::Obj, "v 0 0 0\nv 1 0 0\nv 0 1 0\no a\\ b\nf 1 2 3\n").unwrap();
    assert_eq!(names(&inside), ["a\\ b"]);
}

/// Returns the corners of a cube of 0.2 from this corner.
fn cube([x, y, z]: [f64; 3]) -> Vec<[f64; 3]> {
    (0..8).map(|i| [x + 0.2 * f64::from(i & 1), y + 0.2 * f64::from(i >> 1 & 1), z + 0.2 * f64::from(i >> 2)]).collect()
}

/// The sides of the cube as indices of its corners from 0, counter-clockwise from outside.
const SIDES: [[usize; 4]; 6] = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];

fn obj_cube(corner: [f64; 3], first: usize) -> String {
    let vertices: String = cube(corner).iter().map(|[x, y, z]| format!("v {x:.3} {y:.3} {z:.3}\n")).collect();
    let faces: String =
        SIDES.iter().map(|side| format!("f {}\n", side.map(|i| (first + i).to_string()).join(" "))).collect();
    vertices + &faces
}

fn ply_cube(corner: [f64; 3], kind: &str) -> String {
    let vertices: String = cube(corner).iter().map(|[x, y, z]| format!("{x:.3} {y:.3} {z:.3}\n")).collect();
    let faces: String = SIDES.iter().map(|side| format!("4 {}\n", side.map(|i| i.to_string()).join(" "))).collect();
    format!(
        "ply\nformat ascii 1.0\nelement vertex 8\nproperty {kind} x\nproperty {kind} y\nproperty {kind} z\n\
         element face 6\nproperty list uchar int vertex_indices\nend_header\n{vertices}{faces}"
    )
}

fn binary_ply_cube(corner: [f64; 3]) -> Vec<u8> {
    let header =
        ply_cube(corner, "double").split("end_header\n").next().unwrap().replace("ascii", "binary_little_endian");
    let mut bytes = format!("{header}end_header\n").into_bytes();
    bytes.extend(cube(corner).as_flattened().iter().flat_map(|number| number.to_le_bytes()));
    for side in SIDES {
        bytes.push(4);
        bytes.extend(side.iter().flat_map(|&i| (i as i32).to_le_bytes()));
    }
    bytes
}

fn stl_cube(corner: [f64; 3]) -> String {
    let corners = cube(corner);
    let facet = |three: [usize; 3]| {
        let vertices: String =
            three.iter().map(|&i| corners[i]).map(|[x, y, z]| format!("vertex {x:.3} {y:.3} {z:.3}\n")).collect();
        format!("facet normal 0 0 0\nouter loop\n{vertices}endloop\nendfacet\n")
    };
    let facets: String = SIDES.iter().flat_map(|&[a, b, c, d]| [facet([a, b, c]), facet([a, c, d])]).collect();
    format!("solid\n{facets}endsolid\n")
}

/// Returns the corners of an entity in the world.
fn corners(model: &Model, entity: usize) -> Vec<DVec3> {
    let Geometry::Mesh(mesh) = &model.entities[entity].geometry else { panic!("it is a mesh") };
    let corners = |mesh: &Mesh| (0..).map_while(|i| mesh.triangle(i)).flatten().collect::<Vec<_>>();
    corners(mesh).iter().map(|corner| model.entities[entity].transform.transform_point3(corner.as_dvec3())).collect()
}

/// Asserts that an entity is the cube of 0.2 from this corner.
#[track_caller]
fn assert_cube(model: &Model, entity: usize, corner: [f64; 3], tolerance: f64) {
    let corners = corners(model, entity);
    let low = corners.iter().copied().fold(DVec3::INFINITY, DVec3::min);
    let high = corners.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
    let off = (high - low - DVec3::splat(0.2)).abs().max((low - DVec3::from(corner)).abs()).max_element();
    assert!(off <= tolerance, "off by {off:e}: {low} to {high}");
}

const UTM: [f64; 3] = [448_262.35, 5_411_932.67, 120.0];

#[test]
fn shapes_far_from_the_origin_keep_their_form() {
    let models = [
        ("obj", text(Format::Obj, &obj_cube(UTM, 1))),
        ("ascii ply", text(Format::Ply, &ply_cube(UTM, "double"))),
        ("binary ply", Model::from_bytes_as(Format::Ply, &binary_ply_cube(UTM), None)),
        ("stl", text(Format::Stl, &stl_cube(UTM))),
    ];
    for (name, model) in models {
        let model = model.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_cube(&model, 0, UTM, 2e-8);
        assert_eq!(triangles(&model), 12, "{name}");
        // A ray from above hits the top at its true position.
        let scene = model.scene().unwrap();
        let eye = DVec3::from(UTM) + DVec3::new(0.05, 0.05, 10.0);
        let down = Ray::new([0.0; 3], [0.0, 0.0, -1.0]);
        let hit = scene.relative_to(eye).cast(&down).unwrap();
        assert!((hit.point_f64().z - 120.2).abs() < 1e-7 && (hit.t - 9.8).abs() < 1e-6, "{name}: {hit:?}");
        let baked = Model::from_bytes(&model.bake(Detail::Hits).unwrap(), None).unwrap();
        assert_eq!(baked.entities[0].transform, model.entities[0].transform, "{name}");
        assert_cube(&baked, 0, UTM, 2e-8);
    }
    // The corners are ECEF coordinates in metres, UTM coordinates in millimetres, and a point on one axis.
    for corner in
        [[4_155_000.123, 672_000.456, 4_774_000.789], [4.4826235e8, -5.41193267e9, 0.0], [0.0, 0.0, 1e7 + 0.001]]
    {
        let tolerance = 1e-7 + 3.0 * f64::EPSILON * DVec3::from(corner).abs().max_element();
        assert_cube(&text(Format::Obj, &obj_cube(corner, 1)).unwrap(), 0, corner, tolerance);
    }
}

#[test]
fn things_far_apart_keep_their_forms_and_neighbours_their_seams() {
    // The cubes are one kilometre apart, and then 500 kilometres.
    for apart in [1000.0, 500_000.0] {
        let other = [UTM[0] + apart, UTM[1], UTM[2]];
        let obj = format!("o a\n{}o b\n{}", obj_cube(UTM, 1), obj_cube(other, 9));
        let model = text(Format::Obj, &obj).unwrap();
        assert_cube(&model, 0, UTM, 1e-5);
        assert_cube(&model, 1, other, 1e-5);
    }
    // Two tiles that share an edge have the ends of this edge at the same positions.
    let obj = "v 448262.123 5411932.457 0.1\nv 448362.123 5411932.457 0.2\nv 448262.123 5412032.457 0.3\n\
               v 448362.321 5412032.654 0.4\no a\nf 1 2 3\no b\nf 3 2 4\n";
    let model = text(Format::Obj, obj).unwrap();
    let [a, b] = [0, 1].map(|entity| corners(&model, entity));
    assert_eq!((a[2], a[1]), (b[0], b[1]));
    assert!((a[1] - DVec3::new(448_362.123, 5_411_932.457, 0.2)).abs().max_element() < 1e-5);
}

#[test]
fn what_f32_holds_stays_as_it_is() {
    // The cases are whole numbers at any distance, ordinary numbers near the origin, and distant and large ones.
    let cases = [
        "v 1000000 2000000 0\nv 1000001 2000000 0\nv 1000000 2000001 0\n",
        "v 0.1 0.2 0.3\nv 1.1 0.2 0.3\nv 0.1 1.2 0.3\n",
        "v 10.1 20.2 30.3\nv 11.1 20.2 30.3\nv 10.1 21.2 30.3\n",
        "v 1e30 0 0.1\nv 2e30 0 0.1\nv 1e30 1e30 0.1\n",
    ];
    for vertices in cases {
        let model = text(Format::Obj, &format!("{vertices}f 1 2 3\n")).unwrap();
        assert_eq!(model.entities[0].transform, hitscan::glam::DAffine3::IDENTITY, "{vertices}");
        let expected: Vec<f32> = vertices.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let found: Vec<f32> = mesh_of(&model, 0).positions().iter().flat_map(|corner| corner.to_array()).collect();
        assert_eq!(found, expected, "as f32 parses them");
    }
    // A number just above the midpoint of two f32 is rounded once.
    let tie = "1.000000059604644775390625000000000000001";
    let model = text(Format::Obj, &format!("v 0 0 0\nv {tie} 0 0\nv 0 1 0\nf 1 2 3\n")).unwrap();
    assert_eq!(mesh_of(&model, 0).positions()[1].x, 1.000_000_1);
    // A float of a binary file keeps its value.
    let float = ply_cube(UTM, "float");
    assert_eq!(text(Format::Ply, &float).unwrap().entities[0].transform, hitscan::glam::DAffine3::IDENTITY);
    // A vertex that no face uses has no effect.
    let stray = text(Format::Obj, &format!("v 0 0 0\n{}", obj_cube(UTM, 2))).unwrap();
    assert_cube(&stray, 0, UTM, 2e-8);
    // A number that overflows f32 is still refused.
    assert!(text(Format::Obj, "v 1e39 0 0\nv 2e39 0 0\nv 0 1 0\nf 1 2 3\n").is_err());
}

#[test]
fn skinned_meshes_far_from_the_origin_keep_their_form() {
    let corners = floats(&[0.0, 0.0, 0.0, 0.2, 0.0, 0.0, 0.0, 0.2, 0.0]);
    let weights = floats(&[1.0, 0.0, 0.0, 0.0].repeat(3));
    let accessors = json!([
        {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
        {"bufferView": 1, "componentType": 5126, "count": 3, "type": "VEC4"},
        {"bufferView": 2, "componentType": 5121, "count": 3, "type": "VEC4"},
    ]);
    let attributes = json!({"POSITION": 0, "WEIGHTS_0": 1, "JOINTS_0": 2});
    let mut file = gltf(&[corners, weights, vec![0; 12]], accessors, json!([{"attributes": attributes}]));
    file["skins"] = json!([{"joints": [1]}]);
    file["nodes"] = json!([{"mesh": 0, "skin": 0}, {"translation": UTM}]);
    let model = read(&file).unwrap();
    let places = self::corners(&model, 0);
    for (place, offset) in places.iter().zip([DVec3::ZERO, DVec3::X * 0.2, DVec3::Y * 0.2]) {
        let off = (*place - DVec3::from(UTM) - offset).abs().max_element();
        assert!(off < 2e-8, "off by {off:e}: {place}");
    }
    let baked = Model::from_bytes(&model.bake(Detail::Hits).unwrap(), None).unwrap();
    assert_eq!(self::corners(&baked, 0), places);
    let (mut scene, pose) = (baked.scene().unwrap(), baked.pose());
    pose.apply(&mut scene).unwrap();
    let view = scene.relative_to(DVec3::from(UTM) + DVec3::new(0.05, 0.05, 1.0));
    let hit = view.cast(&Ray::new([0.0; 3], [0.0, 0.0, -1.0])).unwrap();
    assert!((hit.t - 1.0).abs() < 1e-6, "{hit:?}");
}
