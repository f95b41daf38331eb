//! Meshes with joints or morph targets before any animation, and nodes that show a mesh many times.

use crate::file;
use crate::file::{file, floats, mesh, mesh_of, read, triangles};
use hitscan::glam::{DAffine3, DQuat, DVec3, Vec2, Vec3};
use hitscan::{Ray, RayQueries, Side};
use hitscan_io::{Model, Warning};
use serde_json::{Value, json};

const CORNERS: [f32; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
const UP: [f32; 9] = [0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0];

fn vectors(view: usize) -> Value {
    json!({"bufferView": view, "componentType": 5126, "count": 3, "type": "VEC3"})
}

/// Returns a triangle with normals in the plane z = 0 and four morph targets. The first moves it by (1, 0, 0), and the
/// second moves its first corner by (0, 2, 0). The third does the same as the second and moves the other corners by
/// (0.5, 0, 0). The fourth does nothing.
fn morphed() -> Value {
    let sparse = json!({
        "count": 1,
        "indices": {"bufferView": 3, "componentType": 5121},
        "values": {"bufferView": 4},
    });
    let mut last = vectors(5);
    last["sparse"] = sparse.clone();
    let accessors = json!([
        vectors(0),
        vectors(1),
        vectors(2),
        {"componentType": 5126, "count": 3, "type": "VEC3", "sparse": sparse},
        last,
    ]);
    let along = floats(&[1.0, 0.0, 0.0].repeat(3));
    let buffers =
        [floats(&CORNERS), floats(&UP), along, vec![0], floats(&[0.0, 2.0, 0.0]), floats(&[0.5, 0.0, 0.0].repeat(3))];
    let primitive = json!({
        "attributes": {"POSITION": 0, "NORMAL": 1},
        "targets": [{"POSITION": 2, "NORMAL": 2}, {"POSITION": 3}, {"POSITION": 4}, {"TANGENT": 2}],
    });
    file(&buffers, accessors, json!([primitive]))
}

fn corners(file: &Value) -> [[f32; 3]; 3] {
    triangles(&read(file).unwrap())[0].map(|corner| corner.to_array())
}

#[test]
fn default_weights_morph() {
    let mut file = morphed();
    assert_eq!(corners(&file), [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], "none is 0");
    file["meshes"][0]["weights"] = json!([1, 0, 0, 0]);
    assert_eq!(corners(&file), [[1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [1.0, 1.0, 0.0]], "the mesh's");
    file["nodes"][0]["weights"] = json!([0, 0.25]);
    assert_eq!(corners(&file), [[0.0, 0.5, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], "the node's, and a sparse target");
    file["nodes"][0]["weights"] = json!([-2, 1, 0, 7, 9]);
    assert_eq!(corners(&file), [[-2.0, 2.0, 0.0], [-1.0, 0.0, 0.0], [-2.0, 1.0, 0.0]], "all of them, and some beyond");
    file["nodes"][0]["weights"] = json!([0, 0, 1]);
    assert_eq!(corners(&file), [[0.0, 2.0, 0.0], [1.5, 0.0, 0.0], [0.5, 1.0, 0.0]], "sparse over others");
    // The normal is (0, 0, 1) + 0.75 (1, 0, 0), normalised.
    file["nodes"][0]["weights"] = json!([0.75]);
    let normal = mesh(&read(&file).unwrap()).normal_at(0, Vec2::ZERO).unwrap();
    assert!(normal.distance(Vec3::new(0.6, 0.0, 0.8)) < 1e-6, "{normal}");
}

#[test]
fn nodes_of_one_mesh_stand_each_by_its_weights() {
    let mut file = morphed();
    file["meshes"][0]["weights"] = json!([1]);
    file["nodes"] = json!([
        {"mesh": 0},
        {"mesh": 0, "weights": [0]},
        {"mesh": 0, "weights": [1, 0], "translation": [5, 0, 0]},
        {"mesh": 0, "weights": []},
    ]);
    let model = read(&file).unwrap();
    let first = |entity: usize| mesh_of(&model, entity).positions()[0].x;
    assert_eq!([0, 1, 2, 3].map(first), [1.0, 0.0, 1.0, 0.0]);
    let data = |entity: usize| mesh_of(&model, entity).positions().as_ptr();
    assert_eq!([data(0), data(1)], [data(2), data(3)], "what stands alike is one mesh");
    assert_eq!(model.warnings, []);
}

#[test]
fn quantized_targets_morph() {
    let bytes = |values: [i16; 9]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    let buffers = [bytes([0, 0, 0, 32767, 0, 0, 0, 32767, 0]), vec![0, 0, 127, 0, 0, 127, 0, 0, 127]];
    let accessors = json!([
        {"bufferView": 0, "componentType": 5122, "normalized": true, "count": 3, "type": "VEC3"},
        {"bufferView": 1, "componentType": 5120, "normalized": true, "count": 3, "type": "VEC3"},
    ]);
    let primitives = json!([{"attributes": {"POSITION": 0}, "targets": [{"POSITION": 1}]}]);
    let mut file = file(&buffers, accessors, primitives);
    file["meshes"][0]["weights"] = json!([0.5]);
    assert_eq!(corners(&file), [[0.0, 0.0, 0.5], [1.0, 0.0, 0.5], [0.0, 1.0, 0.5]]);
}

const WEIGHTS: [f32; 12] = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.25, 0.25, 0.0, 0.0];

/// Returns a triangle on three joints. The first corner follows the first joint, and the second corner follows the
/// second joint. The third corner follows these two joints with weights of a quarter. By its second set of joints, it
/// follows the third joint with a weight of about a half.
fn skinned() -> Value {
    let bind = DAffine3::from_translation(DVec3::new(0.0, -1.0, 0.0));
    let matrix = |m: DAffine3| {
        let columns = [m.matrix3.x_axis, m.matrix3.y_axis, m.matrix3.z_axis, m.translation];
        let column = |at: usize| columns[at].extend(if at == 3 { 1.0 } else { 0.0 }).as_vec4().to_array();
        (0..4).flat_map(column).collect::<Vec<f32>>()
    };
    let binds: Vec<f32> = [DAffine3::IDENTITY, bind, DAffine3::IDENTITY].into_iter().flat_map(matrix).collect();
    let buffers = [
        floats(&CORNERS),
        floats(&UP),
        vec![0, 0, 0, 0, 9, 1, 0, 0, 0, 1, 9, 9],
        floats(&WEIGHTS),
        vec![2; 24].into_iter().enumerate().map(|(i, b)| if i % 2 == 0 { b } else { 0 }).collect(),
        vec![0, 0, 0, 0, 0, 0, 0, 0, 128, 0, 0, 0],
        floats(&binds),
    ];
    let accessors = json!([
        vectors(0),
        vectors(1),
        {"bufferView": 2, "componentType": 5121, "count": 3, "type": "VEC4"},
        {"bufferView": 3, "componentType": 5126, "count": 3, "type": "VEC4"},
        {"bufferView": 4, "componentType": 5123, "count": 3, "type": "VEC4"},
        {"bufferView": 5, "componentType": 5121, "normalized": true, "count": 3, "type": "VEC4"},
        {"bufferView": 6, "componentType": 5126, "count": 3, "type": "MAT4"},
    ]);
    let attributes = json!({
        "POSITION": 0, "NORMAL": 1, "JOINTS_0": 2, "WEIGHTS_0": 3, "JOINTS_1": 4, "WEIGHTS_1": 5,
    });
    let mut file = file(&buffers, accessors, json!([{"attributes": attributes}]));
    file["skins"] = json!([{"joints": [1, 2, 3], "inverseBindMatrices": 6}]);
    let half_turn_about_z = [0.0, 0.0, 1.0, 0.0];
    file["nodes"] = json!([
        {"mesh": 0, "skin": 0, "translation": [100, 200, 300], "name": "Body"},
        {"translation": [0, 0, 1], "children": [2]},
        {"translation": [0, 1, 0], "rotation": half_turn_about_z},
        {"translation": [0, 0, 9]},
    ]);
    file
}

#[test]
fn joints_place_a_skinned_mesh() {
    let model = read(&skinned()).unwrap();
    assert_eq!(model.entities[0].transform, DAffine3::IDENTITY, "and its node does not");
    let [a, b, c] = triangles(&model)[0];
    assert_eq!(a, Vec3::new(0.0, 0.0, 1.0));
    // The point (1, 0, 0) is (1, -1, 0) in the space of the second joint. That joint is at (0, 1, 1), and rotates the
    // point to (-1, 1, 0).
    assert_eq!(b, Vec3::new(-1.0, 2.0, 1.0));
    // (0, 1, 0) is (0, 1, 1) by the first joint, (0, 1, 1) by the second, and (0, 1, 9) by the third. Its weights are
    // 0.25, 0.25 and 128 / 255, which is a little more than the missing half. So the mean is a little more than 5.
    let [near, far] = [0.5, f64::from(128.0_f32 / 255.0)];
    let z = (near * 1.0 + far * 9.0) / (near + far);
    assert_eq!(c, Vec3::new(0.0, 1.0, z as f32));
    assert_eq!(mesh(&model).normal_at(0, Vec2::ZERO), Some(Vec3::Z));
    assert_eq!(model.warnings, []);
}

#[test]
fn a_skin_takes_morphed_vertices_and_moves_the_normals() {
    let mut file = skinned();
    file["meshes"][0]["primitives"][0]["targets"] = json!([{"POSITION": 1}]);
    file["nodes"][0]["weights"] = json!([10]);
    let stretched = json!([2, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1]);
    file["nodes"][1] = json!({"matrix": stretched, "children": [2]});
    let model = read(&file).unwrap();
    assert_eq!(triangles(&model)[0][0], Vec3::new(10.0, 0.0, 10.0), "z is sheared into x after it was morphed");
    // The inverse transpose of the shear x' = 2x + z leaves the normal (0, 0, 1), and tilts the normal (1, 0, 0).
    assert_eq!(mesh(&model).normal_at(0, Vec2::ZERO), Some(Vec3::Z));
    let primitive = &mut file["meshes"][0]["primitives"][0];
    primitive["attributes"]["NORMAL"] = 0.into();
    let normal = mesh(&read(&file).unwrap()).normal_at(0, Vec2::X).unwrap();
    // This is the normal (1, 0, 0) by the second joint, which rotates it to (-1, 0, 0) first.
    let expected = Vec3::new(-0.5, 0.0, 0.5).normalize();
    assert!(normal.distance(expected) < 1e-6, "{normal} {expected}");
}

#[test]
fn without_bind_matrices_joints_are_where_they_are() {
    let mut file = skinned();
    file["skins"][0].as_object_mut().unwrap().remove("inverseBindMatrices");
    assert_eq!(triangles(&read(&file).unwrap())[0][1], Vec3::new(-1.0, 1.0, 1.0));
}

#[test]
fn joints_may_be_outside_of_the_scene() {
    let mut file = skinned();
    file["scenes"] = json!([{"nodes": [0]}]);
    let model = read(&file).unwrap();
    assert_eq!(model.entities.len(), 1);
    assert_eq!(triangles(&model), triangles(&read(&skinned()).unwrap()));
}

#[test]
fn one_mesh_with_and_without_a_skin_is_two() {
    let mut file = skinned();
    let nodes = file["nodes"].as_array_mut().unwrap();
    nodes.push(json!({"mesh": 0, "translation": [7, 0, 0]}));
    nodes.push(json!({"mesh": 0, "skin": 0}));
    let model = read(&file).unwrap();
    let first = |entity: usize| mesh_of(&model, entity).positions()[0];
    assert_eq!([0, 1, 2].map(first), [Vec3::Z, Vec3::ZERO, Vec3::Z]);
    let data = |entity: usize| mesh_of(&model, entity).positions().as_ptr();
    assert_eq!(data(0), data(2), "one skin makes one mesh");
    assert_eq!(model.entities[1].transform.translation, DVec3::new(7.0, 0.0, 0.0));
}

#[test]
fn a_mirrored_skinned_mesh_shows_the_side_that_is_drawn() {
    for (mirrored, side) in [(false, Side::Front), (true, Side::Back)] {
        let mut file = skinned();
        // All joints are at rest, so that the triangle is not moved, and faces +z.
        file["skins"][0] = json!({"joints": [1, 1, 1]});
        file["nodes"][1] = json!({});
        file["nodes"][2] = json!({});
        file["nodes"][0]["scale"] = json!([if mirrored { -1 } else { 1 }, 1, 1]);
        let model = read(&file).unwrap();
        let scene = model.scene().unwrap();
        let hit = scene.cast(&Ray::new([0.25, 0.5, 1.0], [0.0, 0.0, -1.0])).unwrap();
        assert_eq!((hit.side, hit.uv.unwrap()), (side, Vec2::new(0.25, 0.5)), "as glTF has it: the node's determinant");
        assert_eq!(hit.point, Vec3::new(0.25, 0.5, 0.0), "but where it is, the joints say");
    }
}

#[test]
fn weights_are_taken_by_their_sum() {
    let mut file = skinned();
    let primitive = &mut file["meshes"][0]["primitives"][0];
    primitive["attributes"].as_object_mut().unwrap().remove("JOINTS_1");
    let c = triangles(&read(&file).unwrap())[0][2];
    assert_eq!(c, Vec3::new(0.0, 1.0, 1.0), "0.25 and 0.25 are halves; a set without joints is none");
    // A vertex without any weight follows the first joint.
    file["accessors"][3] = json!({"componentType": 5126, "count": 3, "type": "VEC4"});
    file["buffers"][2]["uri"] = file::uri(&[1, 9, 9, 9, 0, 0, 0, 0, 0, 0, 0, 0]).into();
    let [a, b, _] = triangles(&read(&file).unwrap())[0];
    assert_eq!([a, b], [Vec3::new(0.0, 2.0, 1.0), Vec3::new(1.0, 0.0, 1.0)]);
}

#[test]
fn a_skin_on_a_mesh_without_joints_is_said() {
    let mut file = skinned();
    file["meshes"][0]["primitives"][0]["attributes"].as_object_mut().unwrap().remove("WEIGHTS_0");
    let model = read(&file).unwrap();
    assert_eq!(model.entities[0].transform.translation, DVec3::new(100.0, 200.0, 300.0));
    assert!(matches!(&model.warnings[..], [Warning::NoJoints(node)] if node.index == 0), "{:?}", model.warnings);
}

/// Checks that a file with this fault in the skin or its streams is refused, and that the message names it.
fn refuse(name: &str, change: impl FnOnce(&mut Value), expected: &[&str]) {
    let mut file = skinned();
    change(&mut file);
    let message = read(&file).err().unwrap_or_else(|| panic!("{name} is read")).to_string();
    for part in expected {
        assert!(message.contains(part), "{name}: {message}");
    }
}

#[test]
fn faults_of_skins_and_targets_are_named() {
    refuse("no such skin", |f| f["nodes"][0]["skin"] = 3.into(), &["skin 3"]);
    refuse("no such joint node", |f| f["skins"][0]["joints"][1] = 8.into(), &["skin 0", "node 8", "4 nodes"]);
    refuse("too few joints", |f| f["skins"][0]["joints"] = json!([1]), &["mesh 0", "joint 1 at vertex 1", "1 joints"]);
    refuse("no joints", |f| f["skins"][0]["joints"] = json!([]), &["mesh 0", "joint 0 at vertex 0", "0 joints"]);
    refuse("too few matrices", |f| f["accessors"][6]["count"] = 2.into(), &["skin 0", "2 inverse bind", "3 joints"]);
    refuse("no matrices", |f| f["skins"][0]["inverseBindMatrices"] = 0.into(), &["accessor 0", "VEC3", "MAT4"]);
    refuse("a loop of joints", |f| f["nodes"][2]["children"] = json!([1]), &["node 1", "ancestor"]);
    refuse("float joints", |f| f["accessors"][2]["componentType"] = 5126.into(), &["accessor 2", "F32", "U8 or U16"]);
    refuse("few joints", |f| f["accessors"][2]["count"] = 2.into(), &["mesh 0", "2 joints for 3 positions"]);
    let nan = |f: &mut Value| {
        f["buffers"][3]["uri"] = file::uri(&floats(&[&[f32::NAN], &WEIGHTS[1..]].concat())).into();
    };
    refuse("weights that are no numbers", nan, &["mesh 0", "vertex 0"]);
    let target = |f: &mut Value, count: usize| {
        f["accessors"][1]["count"] = count.into();
        f["meshes"][0]["primitives"][0]["targets"] = json!([{}, {"POSITION": 1}]);
        f["meshes"][0]["primitives"][0]["attributes"].as_object_mut().unwrap().remove("NORMAL");
        f["meshes"][0]["weights"] = json!([1, 1]);
    };
    refuse("a short target", |f| target(f, 2), &["mesh 0", "2 positions in morph target 1 for 3 positions"]);
}

/// Returns a triangle that its only node shows many times.
fn instanced(attributes: Value, accessors: &[Value], buffers: &[Vec<u8>]) -> Value {
    let all: Vec<Vec<u8>> = std::iter::once(floats(&CORNERS)).chain(buffers.iter().cloned()).collect();
    let accessors: Vec<Value> = std::iter::once(vectors(0)).chain(accessors.iter().cloned()).collect();
    let mut file = file(&all, accessors.into(), json!([{"attributes": {"POSITION": 0}}]));
    file["extensionsRequired"] = json!(["EXT_mesh_gpu_instancing"]);
    file["nodes"] = json!([{"children": [1], "translation": [0, 0, 5]}, {
        "mesh": 0, "name": "Leaf", "scale": [2, 2, 2],
        "extensions": {"EXT_mesh_gpu_instancing": {"attributes": attributes}},
    }]);
    file
}

fn stream(view: usize, shape: &str, component: u32, count: usize) -> Value {
    json!({"bufferView": view, "componentType": component, "normalized": component != 5126, "count": count, "type": shape})
}

fn places(model: &Model, point: Vec3) -> Vec<[f64; 3]> {
    model.entities.iter().map(|entity| entity.transform.transform_point3(point.as_dvec3()).to_array()).collect()
}

#[test]
fn instances_are_entities_of_one_mesh() {
    let translations = floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let file = instanced(json!({"TRANSLATION": 1}), &[stream(1, "VEC3", 5126, 3)], &[translations]);
    let model = read(&file).unwrap();
    let names: Vec<_> = model.entities.iter().map(|entity| (entity.name.as_str(), entity.node)).collect();
    assert_eq!(names, [("Leaf#0", Some(1)), ("Leaf#1", Some(1)), ("Leaf#2", Some(1))]);
    assert_eq!(places(&model, Vec3::X), [[2.0, 0.0, 5.0], [4.0, 0.0, 5.0], [2.0, 2.0, 5.0]], "within the node's space");
    let data = |entity: usize| mesh_of(&model, entity).positions().as_ptr();
    assert_eq!([data(0), data(0)], [data(1), data(2)]);
    assert_eq!(model.warnings, []);
    let hit = model.scene().unwrap().cast(&Ray::new([2.5, 0.5, 9.0], [0.0, 0.0, -1.0])).unwrap();
    assert_eq!(model.entity(hit.id).unwrap().name, "Leaf#1");
}

#[test]
fn instances_turn_by_floats_and_by_integers() {
    let turn = DQuat::from_xyzw(0.0, 0.0, 0.6, 0.8);
    let expected = (turn * DVec3::X * 2.0 + DVec3::new(0.0, 0.0, 5.0)).to_array();
    let quaternion = [0.0, 0.0, 0.6, 0.8];
    let short: Vec<u8> = quaternion.iter().flat_map(|&x: &f64| ((x * 32767.0).round() as i16).to_le_bytes()).collect();
    let byte: Vec<u8> = quaternion.iter().map(|x| (x * 127.0).round() as u8).collect();
    let float = floats(&quaternion.map(|x| x as f32));
    for (component, bytes, tolerance) in [(5126, float, 1e-6), (5122, short, 1e-4), (5120, byte, 2e-2)] {
        let file = instanced(json!({"ROTATION": 1}), &[stream(1, "VEC4", component, 1)], &[bytes]);
        let found = places(&read(&file).unwrap(), Vec3::X)[0];
        let off = DVec3::from(found).distance(DVec3::from(expected));
        assert!(off < tolerance, "{component}: {found:?}");
        let length = DVec3::from(found).distance(DVec3::new(0.0, 0.0, 5.0));
        assert!((length - 2.0).abs() < 1e-12, "a rotation does not stretch: {length}");
    }
}

#[test]
fn instances_that_cannot_be_placed_keep_their_numbers() {
    let scales = floats(&[0.0, 1.0, 1.0, 1.0, 1.0, 1.0, -1.0, 1.0, 1.0, 1.0, 0.0, 1.0]);
    let turns = floats(&[0.0, 0.0, 0.0, 1.0].repeat(4));
    let accessors = [stream(1, "VEC3", 5126, 4), stream(2, "VEC4", 5126, 4)];
    let mut file = instanced(json!({"SCALE": 1, "ROTATION": 2}), &accessors, &[scales, turns]);
    let model = read(&file).unwrap();
    let names: Vec<_> = model.entities.iter().map(|entity| entity.name.as_str()).collect();
    assert_eq!(names, ["Leaf#1", "Leaf#2"]);
    let [warning] = &model.warnings[..] else { panic!("{:?}", model.warnings) };
    let said = warning.to_string();
    assert!(said.contains("2 instances of node 1 \"Leaf\"") && said.contains("\"Leaf#0\""), "{said}");
    // A quaternion of zeros turns nothing, as in a node.
    let still = model.entities.iter().map(|entity| entity.transform).collect::<Vec<_>>();
    file["accessors"][2] = json!({"componentType": 5126, "count": 4, "type": "VEC4"});
    let model = read(&file).unwrap();
    assert_eq!(model.entities.iter().map(|entity| entity.transform).collect::<Vec<_>>(), still);
    let expected = [Warning::InstanceRotations { node: node_of(&model), count: 4, instance: 0, length: 0.0 }];
    assert_eq!(model.warnings[..1], expected);
    assert!(matches!(model.warnings[1..], [Warning::UnplaceableInstances { count: 2, .. }]), "{:?}", model.warnings);
}

/// Returns the node that the warnings of a model are about.
fn node_of(model: &Model) -> hitscan_io::Item {
    let about = model.warnings.iter().find_map(|warning| match warning {
        Warning::UnplaceableInstances { node, .. } => Some(node.clone()),
        _ => None,
    });
    about.expect("a warning about instances")
}

#[test]
fn instances_with_rotations_of_odd_length_turn_as_nodes_do() {
    let turns = [[0.0, 0.0, 0.6, 0.8], [0.0, 0.0, 6e20, 8e20], [0.0, 0.0, 6e-20, 8e-20], [0.0; 4]];
    let bytes = floats(turns.map(|turn| turn.map(|number: f64| number as f32)).as_flattened());
    let file = instanced(json!({"ROTATION": 1}), &[stream(1, "VEC4", 5126, 4)], &[bytes]);
    let model = read(&file).unwrap();
    let places = places(&model, Vec3::X);
    assert_eq!(places.len(), 4);
    for place in &places[1..3] {
        assert!(DVec3::from(*place).distance(DVec3::from(places[0])) < 1e-6, "{places:?}");
    }
    assert_eq!(places[3], [2.0, 0.0, 5.0]);
    let [warning] = &model.warnings[..] else { panic!("{:?}", model.warnings) };
    let said = warning.to_string();
    assert!(said.contains("3 instances of node 1 \"Leaf\"") && said.contains("number 1"), "{said}");
    // The instances of the baked model have the same rotations.
    let baked = Model::from_bytes(&model.bake(hitscan_io::Detail::Hits).unwrap(), None).unwrap();
    assert_eq!(self::places(&baked, Vec3::X), places);
}

#[test]
fn instance_counts_agree() {
    let two = floats(&[0.0; 6]);
    let accessors = [stream(1, "VEC3", 5126, 2), stream(1, "VEC3", 5126, 1)];
    let file = |attributes: Value| instanced(attributes, &accessors, std::slice::from_ref(&two));
    let message = read(&file(json!({"TRANSLATION": 1, "SCALE": 2}))).unwrap_err().to_string();
    for part in ["node 1 \"Leaf\"", "2 by TRANSLATION", "1 instances by SCALE"] {
        assert!(message.contains(part), "{message}");
    }
    // Other attributes give the number of instances, and no transforms.
    assert_eq!(places(&read(&file(json!({"_ID": 1}))).unwrap(), Vec3::X), [[2.0, 0.0, 5.0]; 2]);
    assert_eq!(read(&file(json!({}))).unwrap().entities[0].name, "Leaf");
}

/// Data that needs no bytes in a file must not need memory either.
#[test]
fn instances_and_poses_stay_in_proportion() {
    let endless = json!({"componentType": 5126, "count": 1_000_000, "type": "VEC3"});
    let message = read(&instanced(json!({"TRANSLATION": 1}), &[endless], &[])).unwrap_err().to_string();
    assert!(message.contains("node 1 \"Leaf\"") && message.contains("larger than its file"), "{message}");

    let mut file = morphed();
    file["accessors"] = json!([{"componentType": 5126, "count": 90_000, "type": "VEC3"}]);
    file["meshes"][0]["primitives"][0] = json!({"attributes": {"POSITION": 0}, "targets": [{"POSITION": 0}]});
    let node = |number: usize| json!({"mesh": 0, "weights": [number]});
    file["nodes"] = (0..100).map(node).collect();
    let message = read(&file).unwrap_err().to_string();
    assert!(message.contains("mesh 0") && message.contains("larger than its file"), "{message}");
}

#[test]
fn a_skinned_node_is_not_instanced() {
    let mut file = skinned();
    file["nodes"][0]["extensions"] = json!({"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": 0}}});
    let model = read(&file).unwrap();
    assert_eq!(model.entities.len(), 1);
    assert!(matches!(model.warnings[..], [Warning::SkinnedInstances(_)]), "{:?}", model.warnings);
}

/// A long name of many entities, cameras or warnings is counted as memory.
#[test]
fn names_stay_in_proportion() {
    let refused = |file: &Value| {
        let message = read(file).unwrap_err().to_string();
        assert!(message.contains("larger than its file") && message.len() < 500, "{message}");
    };
    let name = || Value::from("x".repeat(100_000));
    let mut file = morphed();
    file["meshes"][0]["name"] = name();
    file["nodes"] = vec![json!({"mesh": 0}); 2_000].into();
    refused(&file);

    let mut file = morphed();
    file["cameras"] = json!([{"name": name(), "perspective": {"yfov": 1, "znear": 1}}]);
    file["nodes"] = vec![json!({"camera": 0}); 2_000].into();
    refused(&file);

    let mut file = instanced(json!({"_ID": 1}), &[stream(1, "VEC4", 5120, 10_000)], &[vec![0; 40_000]]);
    file["nodes"][1]["name"] = name();
    refused(&file);

    let mut file = morphed();
    file["meshes"][0]["name"] = name();
    file["accessors"].as_array_mut().unwrap().push(json!({"componentType": 5121, "count": 1, "type": "SCALAR"}));
    file["meshes"][0]["primitives"] = vec![json!({"attributes": {"POSITION": 0}, "indices": 5}); 1_000].into();
    let warnings = read(&file).unwrap().warnings;
    assert_eq!(warnings.len(), 1_002, "of so many remainders, of a mesh without triangles, of nothing to hit");
    assert!(warnings.iter().map(|warning| warning.to_string().len()).sum::<usize>() < 500_000);
}

/// Damaged files are read or refused, without a panic.
#[test]
fn damage_never_panics() {
    let mut moving = skinned();
    moving["meshes"][0]["primitives"][0]["targets"] = json!([{"POSITION": 1, "NORMAL": 0}]);
    moving["meshes"][0]["weights"] = json!([0.5]);
    let extension = json!({"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": 0, "SCALE": 1, "ROTATION": 3}}});
    moving["nodes"].as_array_mut().unwrap().push(json!({"mesh": 0, "weights": [2], "extensions": extension}));
    assert_eq!(read(&moving).unwrap().entities.len(), 1, "whose instances have no extent");
    let (read, refused) = file::damaged(moving.to_string().as_bytes());
    assert!(read > 1000 && refused > 1000, "{read} read, {refused} refused");
}
