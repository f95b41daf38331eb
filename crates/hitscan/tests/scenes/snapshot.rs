//! Clones of a scene as snapshots: their answers stay the same while the scene changes.

use crate::common::Random;
use hitscan::glam::{DVec3, Vec3};
use hitscan::{Compound, Filter, Hit, Mesh, Plane, Ray, RayQueries, Scene, Sphere};
use std::sync::Arc;
use std::thread;

const COUNT: u32 = 3_000;

fn place(random: &mut Random) -> DVec3 {
    random.cube() * 40.0
}

fn pyramid(random: &mut Random) -> Mesh {
    let corners: Vec<Vec3> = (0..4).map(|_| random.cube().as_vec3()).collect();
    Mesh::new(&corners, &[0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 2, 3]).unwrap()
}

fn world(random: &mut Random) -> Scene<u32> {
    let mut scene = Scene::new();
    scene.insert(COUNT, Plane::new([0.0, -50.0, 0.0], [0.0, 1.0, 0.0]).unwrap(), DVec3::ZERO).unwrap();
    for key in 0..COUNT {
        match key % 3 {
            0 => scene.insert(key, Sphere::new(0.7), place(random)),
            1 => scene.insert(key, pyramid(random), place(random)),
            _ => {
                let parts = [DVec3::X, DVec3::NEG_X].map(|at| (Sphere::new(0.5).into(), at.into()));
                scene.insert(key, Compound::new(parts).unwrap(), place(random))
            }
        }
        .unwrap();
    }
    scene
}

fn rays(random: &mut Random) -> Vec<Ray> {
    (0..500).map(|_| Ray::between(place(random).as_vec3(), place(random).as_vec3())).collect()
}

/// All hits, and the closest hit of some entities.
type Answer = (Vec<Hit<u32>>, Option<Hit<u32>>);

fn answers(scene: &Scene<u32>, rays: &[Ray]) -> Vec<Answer> {
    let filter = Filter::new().layers(2);
    let answer = |ray: &Ray| {
        let mut hits = Vec::new();
        scene.cast_all(ray, &mut hits);
        (hits, scene.with(&filter).cast(ray))
    };
    rays.iter().map(answer).collect()
}

/// Makes a random change to a scene.
fn change(scene: &mut Scene<u32>, random: &mut Random) {
    let key = random.below(COUNT as usize) as u32;
    match random.below(8) {
        0 => drop(scene.remove(&key)),
        1 => drop(scene.insert(key, pyramid(random), place(random)).unwrap()),
        2 => drop(scene.set_layers(&key, 1 + random.below(3) as u32)),
        3 => {
            let corners: Vec<Vec3> = (0..4).map(|_| random.cube().as_vec3()).collect();
            scene.refit(&key, 0, &corners).map(drop).ok().unwrap_or_default();
        }
        4 => drop(scene.set_transforms((0..COUNT).map(|key| (key, place(random)))).unwrap()),
        5 => scene.insert_all((0..20).map(|more| (COUNT + more, Sphere::new(1.0), place(random)))).unwrap(),
        _ => drop(scene.set_transform(&key, place(random)).unwrap()),
    }
}

#[test]
fn clones_answer_as_the_scene_did_when_they_were_made() {
    let seed = 5;
    let mut random = Random(seed);
    let mut scene = world(&mut random);
    let rays = rays(&mut random);
    let mut kept = Vec::new();
    for step in 0..200 {
        change(&mut scene, &mut random);
        if step % 20 == 0 {
            kept.push((step, scene.clone(), answers(&scene, &rays)));
        }
    }
    for (step, snapshot, then) in &mut kept {
        assert_eq!(&answers(snapshot, &rays), then, "seed {seed}, of step {step}");
        // A clone is an independent scene, which can be changed by itself.
        let now = answers(&scene, &rays);
        (0..20).for_each(|_| change(snapshot, &mut random));
        assert_eq!(answers(&scene, &rays), now, "seed {seed}, after changes of the clone of step {step}");
    }
}

#[test]
fn threads_ask_one_version_while_the_next_is_made() {
    let mut random = Random(6);
    let mut scene = world(&mut random);
    let rays: Arc<Vec<Ray>> = rays(&mut random).into();
    thread::scope(|threads| {
        for _ in 0..8 {
            let (version, rays, then) = (scene.clone(), rays.clone(), answers(&scene, &rays));
            threads.spawn(move || assert_eq!(answers(&version, &rays), then));
            (0..10).for_each(|_| change(&mut scene, &mut random));
        }
    });
}

#[test]
fn nothing_has_moved_when_the_callers_moves_panic() {
    let at = |x: u32| DVec3::new(4.0 * f64::from(x), 0.0, 0.0);
    let mut scene = Scene::new();
    scene.insert_all((0..4000u32).map(|key| (key, Sphere::new(1.0), at(key)))).unwrap();
    let moves = (0..4000u32).map(|key| {
        assert!(key < 3500, "the caller's own");
        (key, at(key) + DVec3::Y * 100.0)
    });
    let moved = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| scene.set_transforms(moves)));
    assert!(moved.is_err());
    for key in 0..4000u32 {
        assert_eq!(scene.get(&key).map(|entity| entity.transform().translation), Some(at(key)), "{key}");
        let x = at(key).x as f32;
        let hit = scene.cast(&Ray::new([x, 0.0, 9.0], [0.0, 0.0, -1.0])).map(|hit| hit.id);
        assert_eq!(hit, Some(key));
    }
}
