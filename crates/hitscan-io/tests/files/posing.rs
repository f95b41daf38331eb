//! Models in poses: entities that move and deform, in a scene and in the model itself, and faulty animations.

use crate::file;
use crate::file::{file, floats, mesh_of, read};
use crate::moving;
use crate::moving::{CORNERS, Curve, add_accessor, add_bytes, add_floats, animate, at, still};
use hitscan::glam::{DAffine3, DVec3, Vec2, Vec3};
use hitscan::{Filter, Geometry, Mesh, Ray, RayQueries, Scene, Side};
use hitscan_io::{Detail, EntityId, Model, Pose, PoseError, Warning};
use serde_json::{Value, json};
use twox_hash::XxHash3_64;

const DOWN: [f32; 3] = [0.0, 0.0, -1.0];

/// Returns a ray along -z from far in front of a point of the triangle, near its first corner.
fn ray(x: f32, y: f32) -> Ray {
    Ray::new([x + 0.25, y + 0.25, 100.0], DOWN)
}

fn curve<'a>(node: usize, path: &'a str, times: &'a [f32], values: &'a [f32]) -> Curve<'a> {
    Curve { interpolation: "LINEAR", node, path, times, values }
}

/// Returns a row of triangles at x = 0, 10, 20. The second triangle and a camera are children of the third, which
/// moves from y = 0 to y = 8 in a second.
fn row() -> Value {
    let mut file = still();
    file["cameras"] = json!([{"type": "perspective", "perspective": {"yfov": 1, "znear": 1}}]);
    file["nodes"] = json!([
        {"mesh": 0},
        {"mesh": 0, "translation": [-10, 0, 0]},
        {"mesh": 0, "translation": [20, 0, 0], "children": [1, 3]},
        {"camera": 0},
    ]);
    animate(&mut file, "up", &[curve(2, "translation", &[0.0, 1.0], &[20.0, 0.0, 0.0, 20.0, 8.0, 0.0])]);
    file
}

#[test]
fn a_node_takes_along_what_is_below_it() {
    let mut model = read(&row()).unwrap();
    let mut scene = model.scene().unwrap();
    let pose = at(&model, 0.5);
    pose.apply(&mut scene).unwrap();
    let hit = |x: f32, y: f32| scene.cast(&ray(x, y)).map(|hit| hit.id);
    // The order is depth first: node 0, then 2, then 1.
    assert_eq!([hit(0.0, 0.0), hit(20.0, 4.0), hit(10.0, 4.0)], [0, 1, 2].map(|id| Some(EntityId(id))));
    assert_eq!([hit(20.0, 0.0), hit(10.0, 0.0)], [None; 2]);
    let moving: Vec<EntityId> = pose.entities().map(|entity| entity.id).collect();
    assert_eq!(moving, [EntityId(1), EntityId(2)], "the first one moves in no animation");
    assert!(pose.entities().all(|entity| entity.positions.is_none() && entity.normals.is_none()));
    assert_eq!(model.cameras[0].transform.translation, DVec3::new(20.0, 0.0, 0.0));
    model.set_pose(&pose).unwrap();
    assert_eq!(model.cameras[0].transform.translation, DVec3::new(20.0, 4.0, 0.0));
    assert_eq!(pose.node(3).unwrap().translation, DVec3::new(20.0, 4.0, 0.0));
    assert_eq!(pose.node(4), None);
    let data = |entity: usize| mesh_of(&model, entity).positions().as_ptr();
    assert_eq!([data(0), data(1)], [data(1), data(2)], "what moves and keeps its form shares it");
}

#[test]
fn nothing_is_left_of_the_pose_before() {
    let mut file = row();
    animate(&mut file, "grow", &[curve(0, "scale", &[0.0, 1.0], &[1.0, 1.0, 1.0, 3.0, 3.0, 3.0])]);
    let model = read(&file).unwrap();
    assert_eq!(["up", "grow", "down"].map(|name| model.animation(name)), [Some(0), Some(1), None]);
    let mut scene = model.scene().unwrap();
    let mut pose = model.pose();
    let hit = |scene: &Scene<EntityId>, x: f32, y: f32| scene.cast(&ray(x, y)).is_some();
    pose.animate(0, 1.0).unwrap();
    pose.apply(&mut scene).unwrap();
    assert!(hit(&scene, 20.0, 8.0) && !hit(&scene, 20.0, 0.0) && !hit(&scene, 1.0, 1.0));
    pose.animate(1, 1.0).unwrap();
    pose.apply(&mut scene).unwrap();
    assert!(!hit(&scene, 20.0, 8.0) && hit(&scene, 20.0, 0.0) && hit(&scene, 1.0, 1.0));
    pose.rest();
    pose.apply(&mut scene).unwrap();
    assert!(hit(&scene, 20.0, 0.0) && !hit(&scene, 1.0, 1.0));
}

/// The entity gets its layers, its order and its geometry back when it can be hit again.
#[test]
fn what_is_scaled_to_nothing_is_not_hit_and_comes_back() {
    let mut file = still();
    file["nodes"] = json!([{"mesh": 0, "name": "first"}, {"mesh": 0, "name": "second"}]);
    let sizes = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0];
    animate(&mut file, "blink", &[curve(0, "scale", &[0.0, 1.0, 2.0], &sizes)]);
    let model = read(&file).unwrap();
    let mut scene = model.scene().unwrap();
    scene.set_layers(&EntityId(0), 6);
    let mut pose = model.pose();
    let first = |scene: &Scene<EntityId>| scene.with(&Filter::new().layers(7)).cast(&ray(0.0, 0.0)).unwrap().id;
    for (time, expected) in [(0.0, 0), (1.0, 1), (1.0, 1), (1.5, 0), (1.0, 1), (3.0, 0)] {
        pose.animate(0, time).unwrap();
        assert_eq!(pose.entities().next().unwrap().transform.is_none(), time == 1.0);
        pose.apply(&mut scene).unwrap();
        assert_eq!(first(&scene), EntityId(expected), "at {time}: the first wins where both are");
        assert_eq!(scene.get(&EntityId(0)).unwrap().layers(), 6);
        let mut own = model.clone();
        own.set_pose(&pose).unwrap();
        assert_eq!(first(&own.scene().unwrap()), EntityId(expected));
    }
}

/// A flat entity has no transform in the pose, like an entity that is scaled to nothing. With a negative scale, it is
/// mirrored.
#[test]
fn what_moves_through_a_flat_scale_comes_out_mirrored() {
    let mut file = still();
    file["nodes"] = json!([{"mesh": 0}]);
    for (name, end) in [("depth", [1.0, 1.0, -1.0]), ("width", [-1.0, 1.0, 1.0])] {
        let sizes = [[1.0; 3], end].concat();
        animate(&mut file, name, &[curve(0, "scale", &[0.0, 1.0], &sizes)]);
    }
    let model = read(&file).unwrap();
    for (animation, mirrored) in [(0, ray(0.0, 0.0)), (1, Ray::new([-0.25, 0.25, 100.0], DOWN))] {
        let mut scene = model.scene().unwrap();
        let mut pose = model.pose();
        let mut at = |time: f64, ray: &Ray| {
            pose.animate(animation, time).unwrap();
            pose.apply(&mut scene).unwrap();
            let hit = scene.cast(ray).map(|hit| hit.side);
            (pose.entities().next().unwrap().transform.is_none(), hit)
        };
        assert_eq!(at(0.0, &ray(0.0, 0.0)), (false, Some(Side::Front)));
        assert_eq!(at(0.5, &ray(0.0, 0.0)), (true, None));
        // A triangle that is mirrored along z turns its back to the ray. Mirrored along x, it still turns its front to
        // the ray.
        let side = if animation == 0 { Side::Back } else { Side::Front };
        assert_eq!(at(1.0, &mirrored), (false, Some(side)), "animation {animation}");
        assert_eq!(at(0.25, &ray(0.0, 0.0)), (false, Some(Side::Front)));
    }
}

#[test]
fn what_is_nothing_at_rest_is_there_when_it_grows() {
    let mut file = still();
    file["nodes"] = json!([{"mesh": 0, "scale": [0, 0, 0]}, {"mesh": 0, "scale": [0, 0, 0]}]);
    animate(&mut file, "grow", &[curve(0, "scale", &[0.0, 1.0], &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0])]);
    let model = read(&file).unwrap();
    assert_eq!(model.entities.len(), 1, "the other one never is anything");
    assert!(model.warnings.iter().all(|warning| matches!(warning, Warning::Unplaceable { .. })));
    assert!(matches!(&model.entities[0].geometry, Geometry::Compound(compound) if compound.is_empty()));
    let mut scene = model.scene().unwrap();
    assert_eq!(scene.cast(&ray(0.0, 0.0)), None);
    at(&model, 1.0).apply(&mut scene).unwrap();
    assert_eq!(scene.cast(&ray(0.0, 0.0)).map(|hit| hit.id), Some(EntityId(0)));
}

/// Returns two nodes that show a mesh with two morph targets. They move the mesh by (0, 0, 1) and by (10, 0, 0), and
/// change its normals to (1, 0, 1) and (0, 0, 1). An animation changes the weights of the second node.
fn morphed() -> Value {
    let along = |x: f32, z: f32| [x, 0.0, z].repeat(3);
    let buffers = [&CORNERS[..], &along(0.0, 1.0), &along(10.0, 0.0), &along(1.0, 0.0)].map(floats);
    let vectors = |view: usize| json!({"bufferView": view, "componentType": 5126, "count": 3, "type": "VEC3"});
    let primitive = json!({
        "attributes": {"POSITION": 0, "NORMAL": 1},
        "targets": [{"POSITION": 1, "NORMAL": 3}, {"POSITION": 2}],
    });
    let mut file = file(&buffers, json!([vectors(0), vectors(1), vectors(2), vectors(3)]), json!([primitive]));
    file["nodes"] = json!([{"mesh": 0}, {"mesh": 0, "translation": [0, 50, 0], "weights": [0, 0.5]}]);
    animate(&mut file, "morph", &[curve(1, "weights", &[0.0, 2.0], &[0.0, 0.0, 1.0, 1.0])]);
    file
}

#[test]
fn one_of_two_that_share_a_mesh_morphs() {
    let model = read(&morphed()).unwrap();
    assert_eq!(model.warnings, []);
    let mut scene = model.scene().unwrap();
    let shared = mesh_of(&model, 0).positions().as_ptr();
    let pose = at(&model, 1.0);
    pose.apply(&mut scene).unwrap();
    let form = |id: u32| match scene.get(&EntityId(id)).unwrap().geometry() {
        Geometry::Mesh(mesh) => mesh.clone(),
        _ => panic!("a mesh"),
    };
    assert_eq!(form(0).positions().as_ptr(), shared, "this one did not");
    assert_eq!(form(1).positions()[0], Vec3::new(5.0, 0.0, 0.5));
    let hit = scene.cast(&ray(5.0, 50.0)).unwrap();
    assert_eq!((hit.id, hit.t, hit.normal), (EntityId(1), 99.5, Vec3::Z));
    // The normal is (0, 0, 1) + 0.5 (1, 0, 0), normalised.
    let smooth = scene.surface(&hit).interpolated_normal().unwrap();
    assert!(smooth.distance(Vec3::new(1.0, 0.0, 2.0).normalize()) < 1e-6, "{smooth}");
    assert_eq!(pose.entities().next().unwrap().normals.unwrap()[0], smooth);
    assert_eq!(mesh_of(&model, 1).positions()[0].x, 5.0, "its own weights at rest");

    let mut own = model.clone();
    own.set_pose(&pose).unwrap();
    assert_eq!(mesh_of(&own, 1).positions(), form(1).positions());
    assert_eq!(mesh_of(&own, 1).normal_at(0, Vec2::ZERO), form(1).normal_at(0, Vec2::ZERO));
    own.set_pose(&model.pose()).unwrap();
    assert_eq!(mesh_of(&own, 1).positions(), mesh_of(&model, 1).positions());
}

#[test]
fn weights_step_and_bend() {
    let times = [0.0, 1.0];
    let cases = [
        ("STEP", &[0.25, 0.0, 1.0, 0.0][..], 0.25),
        // The value halfway between 0 and 0 is an eighth of the out-tangent minus an eighth of the in-tangent.
        ("CUBICSPLINE", &[9.0, 9.0, 0.0, 0.0, 4.0, 0.0, -2.0, 0.0, 0.0, 0.0, 9.0, 9.0], 0.75),
    ];
    for (interpolation, values, z) in cases {
        let mut file = morphed();
        file["animations"] = Value::Null;
        animate(&mut file, "", &[Curve { interpolation, node: 1, path: "weights", times: &times, values }]);
        let model = read(&file).unwrap();
        assert_eq!(model.animations[0].name, None);
        let pose = at(&model, 0.5);
        assert_eq!(pose.entities().next().unwrap().positions.unwrap()[0], Vec3::new(0.0, 0.0, z), "{interpolation}");
    }
}

#[test]
fn instances_move_and_morph_with_their_node() {
    let mut file = morphed();
    let places = add_floats(&mut file, "VEC3", &[0.0, 0.0, 0.0, 0.0, 20.0, 0.0]);
    file["extensionsRequired"] = json!(["EXT_mesh_gpu_instancing"]);
    file["nodes"][1]["extensions"] = json!({"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": places}}});
    let mut model = read(&file).unwrap();
    let mut scene = model.scene().unwrap();
    let pose = at(&model, 2.0);
    pose.apply(&mut scene).unwrap();
    model.set_pose(&pose).unwrap();
    for scene in [scene, model.scene().unwrap()] {
        let ids = [50.0, 70.0].map(|y| scene.cast(&ray(10.0, y)).map(|hit| (hit.id, hit.t)));
        assert_eq!(ids, [Some((EntityId(1), 99.0)), Some((EntityId(2), 99.0))]);
    }
    assert_eq!(mesh_of(&model, 1).positions().as_ptr(), mesh_of(&model, 2).positions().as_ptr(), "one form for both");
}

/// Returns a triangle on two joints, nodes 1 "Head" and 2 without a name, in their bind pose. Its corners follow the
/// first joint, the second joint, and both joints with weights of 1 and 3. The animation "nod" moves the first by 4 in
/// z.
fn skinned() -> Value {
    let mut file = still();
    let joints = add_bytes(&mut file, &[0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
    let joints = json!({"bufferView": joints, "componentType": 5121, "count": 3, "type": "VEC4"});
    let joints = add_accessor(&mut file, joints);
    let weights = add_floats(&mut file, "VEC4", &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 3.0, 1.0, 0.0, 0.0]);
    let attributes = &mut file["meshes"][0]["primitives"][0]["attributes"];
    attributes["JOINTS_0"] = joints.into();
    attributes["WEIGHTS_0"] = weights.into();
    file["skins"] = json!([{"joints": [1, 2]}]);
    file["nodes"] = json!([{"mesh": 0, "skin": 0}, {"name": "Head"}, {}]);
    animate(&mut file, "nod", &[curve(1, "translation", &[0.0, 1.0], &[0.0, 0.0, 0.0, 0.0, 0.0, 4.0])]);
    file
}

#[test]
fn joints_carry_vertices() {
    let model = read(&skinned()).unwrap();
    let pose = at(&model, 0.5);
    let positions = pose.entities().next().unwrap().positions.unwrap().to_vec();
    assert_eq!(positions, [Vec3::new(0.0, 0.0, 2.0), Vec3::X, Vec3::new(0.0, 1.0, 0.5)]);
    let mut scene = model.scene().unwrap();
    pose.apply(&mut scene).unwrap();
    let hit = scene.cast(&ray(0.0, 0.0)).unwrap();
    assert_eq!(hit.uv, Some(Vec2::splat(0.25)));
    assert_eq!(hit.point.z, 0.5 * 2.0 + 0.25 * 0.5);
}

#[test]
fn the_joint_of_the_largest_weight_is_named() {
    let model = read(&skinned()).unwrap();
    let joint = |u: f32, v: f32| {
        let joint = model.joint_at(EntityId(0), 0, Vec2::new(u, v)).unwrap();
        (joint.node, joint.name.to_owned(), joint.weight)
    };
    assert_eq!(joint(0.0, 0.0), (1, "Head".into(), 1.0));
    assert_eq!(joint(1.0, 0.0), (2, "node2".into(), 1.0));
    assert_eq!(joint(0.0, 1.0), (2, "node2".into(), 0.75), "by the corner's own sum");
    assert_eq!(joint(0.25, 0.25), (1, "Head".into(), 0.5 + 0.0625));
    assert_eq!(joint(0.5, 0.0), (1, "Head".into(), 0.5), "the first of equal ones");
    assert_eq!(joint(0.0, 0.75), (2, "node2".into(), 0.5625));
    let at = |entity: u32, triangle: u32| model.joint_at(EntityId(entity), triangle, Vec2::ZERO);
    assert_eq!([at(1, 0), at(0, 1)], [None; 2]);

    // The joint depends on the place of the hit on the mesh, which is the same in every pose.
    let mut scene = model.scene().unwrap();
    moving::at(&model, 1.0).apply(&mut scene).unwrap();
    let hit = scene.cast(&ray(0.0, 0.0)).unwrap();
    assert_eq!(model.joint(&hit).unwrap().name, "Head");
    let rigid = read(&still()).unwrap();
    assert_eq!(rigid.joint(&rigid.scene().unwrap().cast(&ray(0.0, 0.0)).unwrap()), None);
    let morphing = read(&morphed()).unwrap();
    assert_eq!(morphing.joint_at(EntityId(1), 0, Vec2::ZERO), None);
}

#[test]
fn a_vertex_without_weights_is_of_the_joint_that_is_named_first() {
    let mut file = skinned();
    let none = add_floats(&mut file, "VEC4", &[0.0; 12]);
    file["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = none.into();
    let model = read(&file).unwrap();
    let joint = model.joint_at(EntityId(0), 0, Vec2::X).unwrap();
    assert_eq!((joint.node, joint.weight), (2, 1.0));
}

/// The determinant of a skinned mesh's own node decides the sides, as glTF specifies. The joints place the mesh.
#[test]
fn a_skinned_mesh_is_mirrored_for_as_long_as_its_node_is() {
    let mut file = skinned();
    animate(&mut file, "mirror", &[curve(0, "scale", &[0.0, 1.0], &[1.0, 1.0, 1.0, -1.0, 1.0, 1.0])]);
    let mut model = read(&file).unwrap();
    let mut scene = model.scene().unwrap();
    let mut pose = model.pose();
    for (time, side) in [(0.0, Side::Front), (1.0, Side::Back), (0.25, Side::Front)] {
        pose.animate(1, time).unwrap();
        pose.apply(&mut scene).unwrap();
        model.set_pose(&pose).unwrap();
        for hit in [scene.cast(&ray(0.0, 0.0)), model.scene().unwrap().cast(&ray(0.0, 0.0))] {
            let hit = hit.unwrap();
            assert_eq!((hit.side, hit.point, hit.uv), (side, Vec3::new(0.25, 0.25, 0.0), Some(Vec2::splat(0.25))));
        }
    }
}

#[test]
fn figures_of_one_model_each_have_a_pose_and_a_place() {
    let model = read(&skinned()).unwrap();
    let place = |x: f64| DAffine3::from_translation(DVec3::new(x, 0.0, 0.0));
    let mut scene: Scene<(u8, EntityId)> = Scene::new();
    for figure in 0..3 {
        for (id, entity) in (0..).map(EntityId).zip(&model.entities) {
            scene.insert((figure, id), entity.geometry.clone(), place(10.0 * f64::from(figure))).unwrap();
        }
    }
    let mut pose = model.pose();
    for (figure, time) in [(0, 0.0), (2, 1.0)] {
        pose.animate(0, time).unwrap();
        pose.apply_as(&mut scene, place(10.0 * f64::from(figure) + 5.0), |id| (figure, id)).unwrap();
    }
    pose.apply_as(&mut scene, DAffine3::IDENTITY, |id| (7, id)).unwrap();
    let ts = [5.0, 10.0, 25.0].map(|x| scene.cast(&ray(x, 0.0)).map(|hit| (hit.id.0, hit.t)));
    assert_eq!(ts, [Some((0, 100.0)), Some((1, 100.0)), Some((2, 100.0 - 2.25))]);
    let flat = DAffine3::from_scale(DVec3::new(1.0, 1.0, 0.0));
    let error = pose.apply_as(&mut scene, flat, |id| (0, id)).unwrap_err();
    assert!(matches!(&error, PoseError::Scene { node, .. } if node.index == 0), "{error}");
    scene.insert((0, EntityId(0)), Mesh::new(&[[0.0; 3]; 2], &[]).unwrap(), DVec3::ZERO).unwrap();
    let error = pose.apply_as(&mut scene, DAffine3::IDENTITY, |id| (0, id)).unwrap_err();
    assert!(matches!(&error, PoseError::Mesh { node, .. } if node.index == 0), "{error}");
}

#[test]
fn poses_that_cannot_be_are_errors_and_leave_the_rest() {
    let mut file = skinned();
    let far = [0.0, 0.0, 0.0, 0.0, 0.0, f32::MAX];
    animate(
        &mut file,
        "far",
        &[
            curve(1, "translation", &[0.0, 1.0], &far),
            curve(1, "scale", &[0.0, 1.0], &[1.0, 1.0, 1.0, f32::MAX, f32::MAX, f32::MAX]),
            curve(2, "translation", &[0.0, 1.0], &far),
            curve(2, "scale", &[0.0, 1.0], &[1.0, 1.0, 1.0, f32::MAX, 8.0, f32::MAX]),
            curve(2, "rotation", &[0.0], &[0.3, 0.3, 0.3, 0.1]),
        ],
    );
    let mut model = read(&file).unwrap();
    let mut pose = model.pose();
    let rest = |pose: &Pose| pose.entities().next().unwrap().positions.unwrap()[0] == Vec3::ZERO;
    pose.animate(0, 1.0).unwrap();
    assert!(!rest(&pose));
    assert_eq!(pose.animate(2, 0.0), Err(PoseError::NoAnimation { index: 2, count: 2 }));
    assert!(rest(&pose));
    assert_eq!(pose.animate(0, f64::NAN), Err(PoseError::Time));
    let error = pose.animate(1, 1.0).unwrap_err();
    assert!(matches!(&error, PoseError::NotFinite { node, vertex: 1 } if node.index == 0), "{error}");
    assert!(rest(&pose));
    let other = read(&skinned()).unwrap();
    assert_eq!(model.set_pose(&other.pose()), Err(PoseError::AnotherModel));
    assert_eq!(model.clone().set_pose(&pose), Ok(()), "a clone is the same model");
}

#[test]
fn models_that_nothing_moves_in_have_a_pose_too() {
    let mut demo = Model::demo();
    assert_eq!(demo.animations, []);
    let mut pose = demo.pose();
    assert_eq!(pose.animate(0, 0.0), Err(PoseError::NoAnimation { index: 0, count: 0 }));
    assert_eq!(pose.entities().count(), 0);
    let mut scene = demo.scene().unwrap();
    pose.apply(&mut scene).unwrap();
    demo.set_pose(&pose).unwrap();
    assert_eq!(scene.len(), demo.entities.len());
}

#[test]
fn channels_of_others_are_passed_over() {
    let mut file = row();
    let channels = file["animations"][0]["channels"].as_array_mut().unwrap();
    channels
        .insert(0, json!({"sampler": 7, "target": {"path": "pointer", "extensions": {"KHR_animation_pointer": {}}}}));
    channels.push(json!({"sampler": 7, "target": {"node": 0, "path": "visible"}}));
    channels.push(json!({"sampler": 7, "target": {"node": 0, "path": "weights"}}));
    let model = read(&file).unwrap();
    let said: Vec<String> = model.warnings.iter().map(ToString::to_string).collect();
    let expected =
        r#"3 channels of animation 0 "up" are passed over, the first of them channel 0, which names no node"#;
    assert_eq!(said, [expected]);
    assert_eq!((model.animations[0].channels, model.animations[0].fault.as_deref()), (4, None));
    assert_eq!(at(&model, 1.0).node(2).unwrap().translation.y, 8.0, "the other one is played");
}

/// Checks that a fault in the animation of the row is reported, and that the message names it.
fn refuse(name: &str, change: impl FnOnce(&mut Value), expected: &[&str]) {
    let mut file = row();
    change(&mut file);
    let model = read(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(model.entities.len(), 3, "{name}");
    let [Warning::Animation { animation, fault }] = &model.warnings[..] else { panic!("{name}: {:?}", model.warnings) };
    assert_eq!(model.animations.iter().find_map(|animation| animation.fault.as_ref()), Some(fault), "{name}");
    let mut pose = model.pose();
    let error = pose.animate(animation.index, 0.5).unwrap_err();
    assert_eq!(error, PoseError::Animation { animation: animation.clone(), fault: fault.clone() }, "{name}");
    for part in expected {
        assert!(error.to_string().contains(part), "{name}: {error}");
    }
    assert_eq!(pose.node(2).unwrap().translation, DVec3::new(20.0, 0.0, 0.0), "{name}: at rest");
}

/// Replaces the times or the values of the row's animation.
fn floats_of(file: &mut Value, which: &str, values: &[f32]) {
    let accessor = file["animations"][0]["samplers"][0][which].as_u64().unwrap() as usize;
    let view = add_bytes(file, &floats(values));
    file["accessors"][accessor]["bufferView"] = view.into();
}

#[test]
fn faults_of_animations_are_named_and_cost_nothing_else() {
    let sampler = |f: &mut Value, key: &str, value: Value| f["animations"][0]["samplers"][0][key] = value;
    let target = |f: &mut Value, key: &str, value: Value| f["animations"][0]["channels"][0]["target"][key] = value;
    refuse(
        "no such sampler",
        |f| f["animations"][0]["channels"][0]["sampler"] = 5.into(),
        &[r#"animation 0 "up""#, "channel 0", "sampler 5, of 1"],
    );
    refuse("no such node", |f| target(f, "node", 9.into()), &["channel 0", "node 9, of 4 nodes"]);
    refuse("no such times", |f| sampler(f, "input", 99.into()), &["channel 0", "accessor 99"]);
    refuse("no such values", |f| sampler(f, "output", 99.into()), &["channel 0", "accessor 99"]);
    refuse("no known interpolation", |f| sampler(f, "interpolation", "BEZIER".into()), &["channel 0", "BEZIER"]);
    refuse("times that are vectors", |f| sampler(f, "input", 0.into()), &["accessor 0", "VEC3"]);
    refuse("values of another shape", |f| target(f, "path", "rotation".into()), &["accessor 2", "VEC4"]);
    refuse("times that are integers", |f| f["accessors"][1]["componentType"] = 5125.into(), &["accessor 1", "U32"]);
    refuse("plain integers", |f| f["accessors"][2]["componentType"] = 5122.into(), &["accessor 2", "I16"]);
    refuse("times that fall", |f| floats_of(f, "input", &[1.0, 0.5]), &["back in time after key 0", "accessor 1"]);
    refuse("times that are none", |f| floats_of(f, "input", &[0.0, f32::NAN]), &["NaN at key 1", "accessor 1"]);
    let infinite = [0.0, 0.0, 0.0, 0.0, f32::INFINITY, 0.0];
    refuse("values that are none", |f| floats_of(f, "output", &infinite), &["inf at place 4 of accessor 2"]);
    refuse("too few values", |f| f["accessors"][2]["count"] = 1.into(), &["3 numbers for 2 keys", "accessors 2 and 1"]);
    refuse("no tangents", |f| sampler(f, "interpolation", "CUBICSPLINE".into()), &["6 numbers for 2 keys", "needs 9"]);
    let none = |f: &mut Value| {
        ["1", "2"].iter().for_each(|index| f["accessors"][index.parse::<usize>().unwrap()]["count"] = 0.into())
    };
    refuse("no keys", none, &["no keys", "accessor 1"]);
    let matrix = json!([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 20, 0, 0, 1]);
    let with_matrix = |f: &mut Value| {
        f["nodes"][2] = json!({"mesh": 0, "matrix": matrix, "children": [1, 3]});
    };
    refuse("a node with a matrix", with_matrix, &["translation of node 2", "matrix"]);
    let twice = |f: &mut Value| {
        let channel = f["animations"][0]["channels"][0].clone();
        f["animations"][0]["channels"].as_array_mut().unwrap().push(channel);
    };
    refuse("two channels for one thing", twice, &["channel 1", "already"]);
    refuse(
        "no quaternion",
        |f| {
            let zero = add_floats(f, "VEC4", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
            sampler(f, "output", zero.into());
            target(f, "path", "rotation".into());
        },
        &["no length at key 1"],
    );
    refuse("no animation at all", |f| f["animations"][0] = 5.into(), &["animation 0"]);
    refuse("not even a list", |f| f["animations"] = json!({"a": 1}), &["animation 0", "no list"]);
    refuse("a short buffer", |f| f["accessors"][2]["count"] = 20.into(), &["accessor 2", "ends after"]);
    refuse(
        "one that is broken among sound ones",
        |f| {
            let sound = f["animations"][0].clone();
            f["animations"] =
                json!([sound, {"channels": [{"sampler": 0, "target": {"node": 0, "path": "scale"}}]}, sound]);
        },
        &["animation 1 cannot", "sampler 0, of 0"],
    );
}

#[test]
fn targets_that_animations_need_and_cannot_have_break_these_alone() {
    let mut file = morphed();
    file["accessors"][3]["count"] = 2.into();
    let model = read(&file).unwrap();
    assert_eq!(model.entities.len(), 2);
    let error = model.pose().animate(0, 0.5).unwrap_err().to_string();
    for part in ["animation 0 \"morph\"", "weights of node 1", "mesh 0", "2 normals in morph target 0"] {
        assert!(error.contains(part), "{error}");
    }
    let mut few = morphed();
    few["meshes"][0]["primitives"][0]["targets"].as_array_mut().unwrap().pop();
    let error = read(&few).unwrap().pose().animate(0, 0.5).unwrap_err().to_string();
    assert!(error.contains("4 numbers for 2 keys") && error.contains("each needs 1"), "{error}");
}

#[test]
fn damaged_animations_are_played_or_refused() {
    for sound in [skinned(), morphed()] {
        let (read, refused) = file::damaged(sound.to_string().as_bytes());
        println!("{read} damaged files are read, {refused} refused");
        assert!(read > 1000 && refused > 1000, "{read} {refused}");
    }
}

/// Returns a model whose entity is scaled to nothing before any animation, and grows.
fn growing() -> Value {
    let mut file = still();
    file["nodes"] = json!([{"mesh": 0, "scale": [0, 0, 0]}]);
    animate(&mut file, "grow", &[curve(0, "scale", &[0.0, 1.0], &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0])]);
    file
}

fn bake(model: &Model) -> Vec<u8> {
    model.bake(Detail::Hits).unwrap()
}

fn assert_move_alike(model: &Model, baked: &Model, context: &str) {
    assert_eq!(model.animations, baked.animations, "{context}");
    let (mut pose, mut again) = (model.pose(), baked.pose());
    for time in [-1.0, 0.0, 0.3, 0.5, 1.0, 2.0, 9.0] {
        pose.animate(0, time).unwrap();
        again.animate(0, time).unwrap();
        assert!(pose.entities().eq(again.entities()), "{context}, at {time}");
        assert!((0..5).all(|node| pose.node(node) == again.node(node)), "{context}, at {time}");
        let [mut own, mut others] = [model.clone(), baked.clone()];
        own.set_pose(&pose).unwrap();
        others.set_pose(&again).unwrap();
        assert_eq!(own.cameras, others.cameras, "{context}, at {time}");
        for (id, (own, other)) in (0..).map(EntityId).zip(own.entities.iter().zip(&others.entities)) {
            assert_eq!(own.transform, other.transform, "{context}, at {time}");
            let corners = Vec2::new(0.2, 0.7);
            assert_eq!(model.joint_at(id, 0, corners), baked.joint_at(id, 0, corners), "{context}, at {time}");
            if let (Geometry::Mesh(own), Geometry::Mesh(other)) = (&own.geometry, &other.geometry) {
                assert_eq!(own.positions(), other.positions(), "{context}, at {time}");
            }
        }
    }
}

#[test]
fn baked_models_move_alike() {
    for (name, file) in [("row", row()), ("morphed", morphed()), ("skinned", skinned()), ("growing", growing())] {
        let model = read(&file).unwrap();
        let bytes = bake(&model);
        let baked = Model::from_bytes(&bytes, None).unwrap();
        assert_move_alike(&model, &baked, name);
        assert_eq!(bake(&baked), bytes, "{name}: baked again");
        // A posed model can be set to other poses.
        let mut posed = model.clone();
        posed.set_pose(&at(&model, 0.5)).unwrap();
        let baked = Model::from_bytes(&bake(&posed), None).unwrap();
        let hits = [&posed, &baked].map(|model| model.scene().unwrap().cast(&ray(0.1, 0.1)).map(|hit| hit.point));
        assert_eq!(hits[0], hits[1], "{name}");
        assert_move_alike(&model, &baked, &format!("{name}, posed"));
    }
}

#[test]
fn animations_that_cannot_be_played_are_baked_with_their_fault() {
    let mut file = row();
    floats_of(&mut file, "output", &[1.0]);
    let model = read(&file).unwrap();
    let baked = Model::from_bytes(&bake(&model), None).unwrap();
    assert!(model.animations[0].fault.is_some());
    assert_eq!(model.animations, baked.animations);
    let played = [model, baked].map(|model| model.pose().animate(0, 0.0).unwrap_err().to_string());
    assert_eq!(played[0], played[1]);
}

/// Altered contents with a valid checksum are refused, or give poses without a panic.
#[test]
fn forged_rigs_are_refused_or_harmless() {
    let (mut read_again, mut refused) = (0, 0);
    for (name, file) in [("row", row()), ("morphed", morphed()), ("skinned", skinned())] {
        let baked = bake(&read(&file).unwrap());
        let contents = u64::from_le_bytes(baked[12..20].try_into().unwrap()) as usize;
        for place in 28..28 + contents {
            for by in [1u8, 2, 0x7f, 0x80, 0xff] {
                let mut forged = baked.clone();
                forged[place] = forged[place].wrapping_add(by);
                let checksum = XxHash3_64::oneshot(&forged[..28 + contents]);
                forged[28 + contents..36 + contents].copy_from_slice(&checksum.to_le_bytes());
                let Ok(model) = Model::from_bytes(&forged, None) else {
                    refused += 1;
                    continue;
                };
                read_again += 1;
                let Ok(mut scene) = model.scene() else { continue };
                let mut pose = model.pose();
                for time in [0.0, 0.4, 2.0] {
                    if pose.animate(0, time).is_ok() {
                        let _ = (pose.apply(&mut scene), model.clone().set_pose(&pose));
                    }
                    let _ = scene.cast(&ray(0.0, 0.0)).and_then(|hit| model.joint(&hit).map(|joint| joint.weight));
                }
            }
        }
        println!("{name}: {read_again} were read, {refused} refused");
    }
    assert!(read_again > 100 && refused > 100);
}
