//! Faults that were found by walks through models, each as the smallest scene that shows it.

use crate::character::jolt::Actor;
use hitscan::glam::{DVec3, Vec3};
use hitscan::prelude::*;

const DT: f64 = 1.0 / 60.0;

fn scene(meshes: &[&[[f32; 3]]]) -> Scene<u32> {
    let mut scene = Scene::new();
    for (id, corners) in (0..).zip(meshes) {
        let indices: &[u32] = if corners.len() == 3 { &[0, 1, 2] } else { &[0, 1, 2, 0, 2, 3] };
        scene
            .insert(
                id,
                Mesh::new(&corners.iter().copied().map(Vec3::from).collect::<Vec<_>>(), indices).unwrap(),
                DVec3::ZERO,
            )
            .unwrap();
    }
    scene
}

fn land(scene: &Scene<u32>, feet: DVec3) -> Actor {
    let mut actor = Actor::at(feet, DT);
    // This is the capsule of the reports, whose middle is lower.
    actor.hero.volume = Capsule::new(0.3, 1.8).into();
    actor.state.position.y -= 0.075;
    actor.hero.step_up = 0.36;
    for _ in 0..30 {
        actor.step(scene, DVec3::ZERO, 0.0);
    }
    actor
}

/// A contact of the capsule's side with the corner of a walkable face does not lift the character.
#[test]
fn a_corner_at_the_side_is_no_ground() {
    let tip = [[1.0, 0.63, 0.17], [3.0, 0.63, 1.0], [3.0, 0.63, -1.0]];
    let floor = [[-9.0, 0.0, -9.0], [-9.0, 0.0, 9.0], [9.0, 0.0, 9.0], [9.0, 0.0, -9.0]];
    let scene = scene(&[&tip, &floor]);
    for height in [0.0, 0.3, 0.6, 1.2] {
        let mut actor = Actor::at(DVec3::new(0.5, height + 0.01, 0.0), DT);
        for step in 0..60 {
            let before = actor.feet();
            actor.step(&scene, DVec3::X * 2.0, 0.0);
            let way = actor.feet() - before;
            assert!(way.y <= actor.hero.step_up && way.length() < 0.5, "step {step} from {before} is {way}");
        }
    }
}

/// A character under a surface that leans over rising ground moves along the line where the surface and the ground
/// meet.
#[test]
fn an_overhang_over_rising_ground_is_slid_along() {
    let ground = [[-9.0, -0.18, -9.0], [-9.0, -0.18, 9.0], [9.0, 0.18, 9.0], [9.0, 0.18, -9.0]];
    let overhang = [
        [3.566_124_5, 4.103_327_3, 3.551_468],
        [-4.365_152_4, 4.103_327_3, 2.505_117_4],
        [-3.519_437_3, -0.607_364_95, -3.905_354_3],
        [4.411_839_5, -0.607_364_95, -2.859_003_8],
    ];
    let scene = scene(&[&ground, &overhang]);
    let mut actor = land(&scene, DVec3::new(0.0, 0.02, 0.0));
    let before = actor.feet();
    for _ in 0..30 {
        actor.step(&scene, DVec3::X * 1.5, 0.0);
    }
    assert!((actor.feet() - before).length() > 0.5, "{} after {before}", actor.feet());
}

/// A character that is pressed into a corner on a slope comes to rest.
#[test]
fn a_corner_on_a_slope_holds_still() {
    let ground = [[-9.0, 1.35, -9.0], [-9.0, 1.35, 9.0], [9.0, -1.35, 9.0], [9.0, -1.35, -9.0]];
    let wall = [
        [-1.994_827_6, -1.0, -4.594_831],
        [1.425_373_9, -1.0, 4.802_095],
        [1.425_373_9, 3.0, 4.802_095],
        [-1.994_827_6, 3.0, -4.594_831],
    ];
    let pole = [
        [-0.293_698_87, -1.0, -0.074_498_19],
        [-0.493_698_87, -1.0, -0.074_498_19],
        [-0.493_698_87, 3.0, -0.074_498_19],
        [-0.293_698_87, 3.0, -0.074_498_19],
    ];
    let scene = scene(&[&ground, &wall, &pole]);
    let mut actor = land(&scene, DVec3::new(0.01, 0.02, 0.0));
    for _ in 0..120 {
        actor.step(&scene, DVec3::new(-1.5, 0.0, 0.5), 0.0);
    }
    let rest = actor.feet();
    for step in 0..120 {
        let moved = actor.step(&scene, DVec3::new(-1.5, 0.0, 0.5), 0.0);
        assert!((actor.feet() - rest).length() < 1e-3, "step {step}: {} after {rest}", actor.feet());
        assert!(moved.velocity.length() < 0.1, "step {step}: {}", moved.velocity);
    }
}
