//! Scenes in which other controllers fail, by the numbers of their reports.

use crate::jolt::{Actor, hero};
use hitscan::glam::DVec3;
use hitscan::prelude::*;
use hitscan::{Character, CharacterState};

/// rapier#809: on a flat floor the character jitters and jumps.
#[test]
fn the_height_on_a_flat_floor_is_constant_to_the_bit() {
    let mut scene = Scene::new();
    scene.insert(0, Aabb::new([-7.5, -0.1, -7.5], [7.5, 0.0, 7.5]), DVec3::ZERO).unwrap();
    let mut hero = Character::new(Capsule::new(0.35, 2.2)).unwrap();
    hero.skin = 0.01;
    let mut state = CharacterState::<u32>::new([0.0, 1.3, 0.0]);
    let dt = 1.0 / 30.0;
    let mut fall = 0.0;
    let mut height = None;
    for step in 0..100_000 {
        fall = if state.is_grounded() { 0.0 } else { fall - 30.0 * dt };
        let turn = f64::from(step) * 0.11;
        let velocity = DVec3::new(9.0 * turn.cos(), fall - 30.0 * dt, 9.0 * turn.sin());
        let moved = hero.move_and_slide(&scene, &mut state, velocity, dt);
        if height.is_some() || moved.ground.is_some() {
            assert!(moved.ground.is_some(), "{step}: in the air at {}", state.position);
            let rest = *height.get_or_insert(state.position.y);
            assert_eq!(state.position.y.to_bits(), f64::to_bits(rest), "{step}: {}", state.position);
        }
    }
    assert!((height.unwrap() - 1.11).abs() < 1e-6);
}

/// bevy_rapier#520 and Godot#85971: falling along a wall while it is pressed against.
#[test]
fn a_fall_along_a_wall_is_as_fast_as_a_free_one() {
    let mut scene = Scene::new();
    scene.insert(0, Aabb::new([0.3, -100.0, -10.0], [1.0, 100.0, 10.0]), DVec3::ZERO).unwrap();
    let mut actor = Actor::at(DVec3::new(-0.1, 0.0, 0.0), 1.0 / 60.0);
    for _ in 0..60 {
        actor.step(&scene, DVec3::new(3.0, 0.0, 0.0), 0.0);
    }
    let free = 0.5 * 9.81 * (60.0 * 61.0) / 3600.0;
    assert!((actor.feet().y + free).abs() < 1e-9, "{}", actor.feet());
    let hero = hero();
    assert!((actor.feet().x + hero.skin).abs() < 1e-6, "{}", actor.feet());
}
