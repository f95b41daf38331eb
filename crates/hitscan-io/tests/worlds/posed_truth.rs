//! Rays at real models in poses of their animations, against answers recorded by an independent program
//! (truth/poses.py). It evaluates the animation, deforms the mesh and tests every triangle in f64, in Python, and
//! shares nothing with this library.

use crate::common;
use crate::truth;
use crate::truth::{Answer, Tally};
use hitscan::glam::DVec3;
use hitscan::{Ray, RayQueries, Scene};
use hitscan_io::{EntityId, Model};
use serde_json::Value;
use std::path::Path;

/// Another joint has nearly the same weight.
const JOINT: u8 = 8;

/// A pose as recorded.
struct Posed {
    animation: usize,
    time: f64,
    rays: Vec<Ray>,
    answers: Vec<Answer>,
    /// The joint's node at each ray's hit.
    joints: Vec<Option<u32>>,
}

fn recorded(model: &Model, path: &Path) -> Vec<Posed> {
    let record = truth::folder().join(format!("{}.poses", path.file_stem().unwrap().to_str().unwrap()));
    let bytes = std::fs::read(&record).unwrap_or_else(|error| panic!("{}: {error}", record.display()));
    let json = miniz_oxide::inflate::decompress_to_vec_zlib(&bytes).unwrap();
    let json: Value = serde_json::from_slice(&json).unwrap();
    let name = path.file_name().unwrap().to_str().unwrap();
    let poses = json["poses"].as_array().unwrap().iter().enumerate();
    poses.map(|(number, pose)| posed(model, &format!("{name}@{number}"), pose)).collect()
}

fn posed(model: &Model, name: &str, pose: &Value) -> Posed {
    let corner = |key: &str| DVec3::from_array([0, 1, 2].map(|axis| pose[key][axis].as_f64().unwrap()));
    let column = |key: &str| pose[key].as_array().unwrap().iter();
    let whole = |value: &Value| u32::try_from(value.as_i64().unwrap()).ok();
    let answers = column("entity").zip(column("triangle")).zip(column("t")).zip(column("flags"));
    let answers: Vec<Answer> = answers
        .map(|(((entity, triangle), t), flags)| {
            let hit = whole(entity).map(|entity| truth::Hit {
                entity: entity as usize,
                triangle: whole(triangle).unwrap(),
                t: t.as_f64().unwrap() as f32,
            });
            Answer { hit, flags: flags.as_u64().unwrap() as u8 }
        })
        .collect();
    let wanted = pose["animation"].as_str().unwrap();
    Posed {
        animation: model.animation(wanted).unwrap_or_else(|| wanted.parse().unwrap()),
        time: pose["time"].as_f64().unwrap(),
        rays: truth::rays(truth::fnv1a(name), [corner("low"), corner("high")], answers.len()),
        answers,
        joints: column("joint").map(whole).collect(),
    }
}

/// Casts the rays at a scene in the pose, and panics at the first wrong answer. Returns the comparison and the number
/// of joints that were compared.
fn compare(file: &str, model: &Model, scene: &Scene<EntityId>, posed: &Posed) -> (Tally, usize) {
    let (mut tally, mut joints) = (Tally::default(), 0);
    for ((ray, answer), joint) in posed.rays.iter().zip(&posed.answers).zip(&posed.joints) {
        let hit = scene.cast(ray);
        let found = hit.map(|hit| truth::Hit { entity: hit.id.0 as usize, triangle: hit.triangle.unwrap(), t: hit.t });
        let at = || format!("{file}, animation {} at {}: {ray:?}", posed.animation, posed.time);
        assert!(tally.add(found, answer), "{}: {hit:?}, should be {:?}", at(), answer.hit);
        let is_certain = answer.flags == 0 && found.map(|hit| hit.triangle) == answer.hit.map(|hit| hit.triangle);
        if let (Some(hit), true) = (&hit, is_certain) {
            assert_eq!(model.joint(hit).map(|joint| joint.node), *joint, "{}: {hit:?}", at());
            joints += usize::from(joint.is_some());
        }
        assert!(answer.flags & JOINT == 0 || joint.is_some());
    }
    (tally, joints)
}

/// One pose is applied to one scene repeatedly, and to the model itself, which is inserted into a new scene. The
/// answers are right in both.
#[test]
fn posed_models_are_hit_where_another_program_has_them() {
    let Some(models) = common::models() else { return };
    for file in truth::POSED {
        let path = models.join(file);
        let model = Model::load(&path).unwrap();
        let (mut scene, mut pose) = (model.scene().unwrap(), model.pose());
        let recorded = recorded(&model, &path);
        assert_eq!(recorded.len(), 5, "{file}");
        for posed in &recorded {
            pose.animate(posed.animation, posed.time).unwrap();
            pose.apply(&mut scene).unwrap();
            let (tally, joints) = compare(file, &model, &scene, posed);
            println!("{file}, animation {} at {}: {tally:?}, {joints} joints", posed.animation, posed.time);
            assert!(tally.hits > 100 && tally.undecided * 50 < posed.rays.len(), "{file}: {tally:?}");
            assert!(file.contains("morph") == (joints == 0), "{file}: {joints} joints");

            let mut own = model.clone();
            own.set_pose(&pose).unwrap();
            let fresh = own.scene().unwrap();
            for ray in &posed.rays {
                assert_eq!(scene.cast(ray), fresh.cast(ray), "{file}: {ray:?}");
            }
        }
        pose.rest();
        pose.apply(&mut scene).unwrap();
        let at_rest = model.scene().unwrap();
        for ray in recorded.iter().flat_map(|posed| &posed.rays) {
            assert_eq!(scene.cast(ray), at_rest.cast(ray), "{file} is back at rest: {ray:?}");
        }
    }
}

#[test]
fn every_animation_of_every_model_plays() {
    let Some(models) = common::models() else { return };
    let mut played = 0;
    for file in truth::files().filter(|file| file.ends_with(".glb") || file.ends_with(".gltf")) {
        let model = Model::load(models.join(file)).unwrap();
        let (mut scene, mut pose) = (model.scene().unwrap(), model.pose());
        for (index, animation) in model.animations.iter().enumerate() {
            assert_eq!(animation.fault, None, "{file}");
            for part in [-0.1, 0.0, 0.13, 0.5, 0.77, 1.0, 1.5] {
                pose.animate(index, part * animation.duration).unwrap_or_else(|error| panic!("{file}: {error}"));
                pose.apply(&mut scene).unwrap_or_else(|error| panic!("{file}: {error}"));
                played += 1;
            }
        }
    }
    assert_eq!(played, 7 * (3 + 10 + 3 + 8 + 1), "the animations of the five");
}
