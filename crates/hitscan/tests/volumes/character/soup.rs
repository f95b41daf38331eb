//! Random walks: the character never enters or passes through anything, and no number becomes NaN.
//!

use crate::common::{Random, icosphere};
use hitscan::glam::{DQuat, DVec3, Vec3};
use hitscan::prelude::*;
use hitscan::{Cylinder, HeightField, Pose, Torus};
use hitscan_random::effort;

/// Returns hills around the origin.
pub(crate) fn hills(random: &mut Random) -> HeightField {
    let heights: Vec<f32> = (0..41 * 41).map(|_| (0.4 * random.unit()) as f32).collect();
    HeightField::new(41, 41, [1.0, 1.0], &heights).unwrap()
}

/// The place of the first corner of the hills.
pub(crate) const CORNER: DVec3 = DVec3::new(-20.0, 0.0, -20.0);

/// Returns a mesh of arbitrary triangles.
pub(crate) fn triangles(random: &mut Random) -> Mesh {
    let corner = |random: &mut Random| {
        let v = random.cube() * 18.0;
        Vec3::new(v.x as f32, (0.1 * v.y) as f32, v.z as f32)
    };
    let soup: Vec<Vec3> = (0..60)
        .flat_map(|_| {
            let at = corner(random);
            [at, at + random.cube().as_vec3() * 3.0, at + random.cube().as_vec3() * 3.0]
        })
        .collect();
    Mesh::from_soup(&soup).unwrap()
}

/// Returns a place among the hills and a rotation. Some things are upright, and others have any rotation.
pub(crate) fn somewhere(random: &mut Random) -> Pose {
    let position = DVec3::new(18.0 * random.unit(), 0.6 * random.unit(), 18.0 * random.unit());
    let rotation = match random.below(3) {
        0 => DQuat::IDENTITY,
        1 => DQuat::from_rotation_y(3.0 * random.unit()),
        _ => random.rotation(),
    };
    Pose { position, rotation }
}

/// Returns a scene of hills, boxes, balls, cylinders, rings and arbitrary triangles.
fn world(random: &mut Random) -> Scene<u32> {
    let mut scene = Scene::new();
    scene.insert(0, hills(random), CORNER).unwrap();
    for id in 1..120 {
        let place = somewhere(random);
        let size = (1.0 + 0.7 * random.unit()) as f32;
        match random.below(6) {
            0 => scene.insert(id, Sphere::new(size), place).unwrap(),
            1 | 2 => scene
                .insert(id, Aabb::new([-size, -0.3 * size, -0.5 * size], [size, 0.3 * size, 0.5 * size]), place)
                .unwrap(),
            3 => scene.insert(id, Cylinder::new(0.5 * size, 2.0 * size), place).unwrap(),
            4 => scene.insert(id, Torus::new(size, 0.3 * size), place).unwrap(),
            _ => {
                let ball = icosphere(1).map(|p| p * size);
                scene.insert(id, ball.mesh(), place).unwrap()
            }
        };
    }
    scene.insert(1000, triangles(random), DVec3::ZERO).unwrap();
    scene
}

pub(crate) fn volume(random: &mut Random) -> Volume {
    match random.below(4) {
        0 => Capsule::new(0.3, 1.8).into(),
        1 => Sphere::new(0.5).into(),
        2 => Cylinder::new(0.3, 1.8).into(),
        _ => Aabb::new([-0.3, -0.9, -0.3], [0.3, 0.9, 0.3]).into(),
    }
}

#[test]
fn a_walk_is_never_in_or_through_anything() {
    let seed = effort::seed(1);
    let steps = effort::size(6_000, 6_000, 1_000_000);
    let (mut grounded, mut slow) = (0, 0);
    for walk in 0..steps.div_ceil(300) {
        let mut random = Random(seed * 1_000_003 + walk as u64);
        let scene = world(&mut random);
        let mut hero = Character::new(volume(&mut random)).unwrap();
        hero.step_up = 0.4;
        hero.step_down = 0.4;
        let dt = [1.0 / 30.0, 1.0 / 60.0, 1.0 / 144.0][random.below(3)];
        let mut state = CharacterState::new([10.0 * random.unit(), 6.0, 10.0 * random.unit()]);
        if scene.overlaps(&hero.volume, state.pose()) {
            continue;
        }
        let (mut fall, mut wanted) = (0.0, DVec3::ZERO);
        for step in 0..300 {
            let what = format!("seed {seed}, walk {walk}, step {step}: {:?} at {}", hero.volume, state.position);
            if step % 25 == 0 {
                let v = random.cube();
                wanted = DVec3::new(v.x, 0.0, v.z) * 8.0;
            }
            fall = match state.is_grounded() {
                true if random.below(40) == 0 => 5.0,
                true => 0.0,
                false => fall - 9.81 * dt,
            };
            let (before, before_fall) = (state.position, fall);
            let moved = hero.move_and_slide(&scene, &mut state, wanted + DVec3::Y * fall, dt);
            fall = moved.velocity.y;
            assert!(state.position.is_finite() && moved.velocity.is_finite(), "{what}");
            // A step goes no farther than the speed allows, and no higher than the step height.
            let most = (wanted.length() + before_fall.abs()) * dt;
            let (way, room) = (state.position - before, hero.step_up.max(hero.step_down) + 2.0 * hero.skin);
            assert!(way.length() <= most + room + 1.2 * most, "{what}: it moves by {way}");
            let mut inside = Vec::new();
            scene.penetration_all(&hero.volume, state.pose(), &mut inside);
            inside.retain(|way| way.depth > 0.0);
            assert!(inside.is_empty(), "{what}, now at {}: {inside:?}", state.position);
            // The middle has passed through nothing. The volume is wider than a step is long, so a segment is enough.
            if (state.position - before).length() < 0.25 {
                let way = scene
                    .relative_to(before)
                    .is_blocked(&Ray::between(Vec3::ZERO, (state.position - before).as_vec3()));
                assert!(!way || state.position == before, "{what}, now at {}", state.position);
            }
            grounded += usize::from(state.is_grounded());
            slow += usize::from(moved.motion.length() < 1e-3 * dt);
        }
    }
    assert!(grounded > steps / 4 && slow < steps / 2, "{grounded} on the ground and {slow} at rest of {steps}");
}

/// Lets a capsule walk beside triangles for some steps, and returns how far it gets.
fn way_beside(corners: &[[f32; 3]], velocity: DVec3, steps: usize) -> f64 {
    let mut scene = Scene::new();
    let corners: Vec<Vec3> = corners.iter().map(|corner| Vec3::from_array(*corner)).collect();
    scene.insert(0, Mesh::from_soup(&corners).unwrap(), DVec3::ZERO).unwrap();
    let hero = Character::new(Capsule::new(0.3, 1.8)).unwrap();
    let mut state = CharacterState::new(DVec3::ZERO);
    for _ in 0..steps {
        hero.move_and_slide(&scene, &mut state, velocity, 1.0 / 60.0);
    }
    assert!(state.is_grounded(), "{state:?}");
    state.position.length()
}

/// The side of the head touches the edge of a rail, far from level with its upper face, and near the corner of another
/// triangle of that face.
#[test]
fn the_edge_of_a_rail_is_no_ceiling() {
    let rail = [
        [-9.0, -0.903, 9.0],
        [9.0, -0.903, 9.0],
        [0.0, -0.903, -20.0],
        [0.49357113, 0.5569303, -0.9271248],
        [0.39375576, 0.5569303, -0.9367855],
        [0.30107388, 0.60997415, 0.032956306],
        [0.40088924, 0.5103276, 0.04865665],
        [0.30107388, 0.60997415, 0.032956306],
        [0.39375576, 0.5569303, -0.9367855],
        [0.30107388, 0.60997415, 0.032956306],
        [0.40088924, 0.60997415, 0.04140968],
        [0.49357113, 0.5569303, -0.9271248],
    ];
    let way = way_beside(&rail, DVec3::new(2.2175788, 0.0, -4.4813328), 6);
    assert!(way > 0.4, "{way}");
}
