//! Extreme states and settings of characters: invalid rotations, nearly vertical slopes, and changes of the up direction.

use crate::common::Random;
use hitscan::glam::{DQuat, DVec3};
use hitscan::prelude::*;
use hitscan_random::effort;
use std::f64::consts::FRAC_PI_2;

type State = CharacterState<u32>;

const DT: f64 = 1.0 / 60.0;

fn floor() -> Scene<u32> {
    let mut scene = Scene::new();
    scene.insert(0, Aabb::new([-50.0, -1.0, -50.0], [50.0, 0.0, 50.0]), DVec3::ZERO).unwrap();
    scene
}

fn landed(scene: &Scene<u32>, hero: &Character) -> State {
    let mut state = State::new([0.0, 1.0, 0.0]);
    for _ in 0..20 {
        hero.move_and_slide(scene, &mut state, [0.0, -5.0, 0.0], DT);
    }
    assert!(state.is_grounded(), "{state:?}");
    state
}

/// With a rotation that is zero or not finite, a character has no room anywhere. It passes through nothing, because it does not move.
#[test]
fn a_character_without_a_rotation_does_not_move() {
    let mut scene = floor();
    scene.insert(1, Aabb::new([1.0, 0.0, -9.0], [1.1, 9.0, 9.0]), DVec3::ZERO).unwrap();
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    let bad = [[0.0; 4], [nan, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, nan], [inf, 0.0, 0.0, 0.0], [0.0, -inf, 0.0, 1.0]];
    for volume in [Volume::from(Capsule::new(0.3, 1.8)), Aabb::new([-0.3, -0.9, -0.3], [0.3, 0.9, 0.3]).into()] {
        let hero = Character::new(volume).unwrap();
        for rotation in bad.map(DQuat::from_array) {
            for mut state in [landed(&scene, &hero), State::new([0.0, 3.0, 0.0])] {
                state.rotation = rotation;
                let (before, ground) = (state.position, state.ground().copied());
                assert!(!hero.has_room(&scene, &state));
                let moved = hero.move_and_slide(&scene, &mut state, [20.0, -9.0, 0.0], 0.5);
                assert_eq!((state.position, state.ground().copied()), (before, ground), "{rotation}");
                assert_eq!((moved.motion, moved.velocity, moved.ground), (DVec3::ZERO, DVec3::ZERO, None));
                assert!(moved.contacts.is_empty() && moved.crushed.is_empty() && moved.passed.is_empty());
            }
        }
        // The length of a rotation does not matter.
        let (mut unit, mut long) = (landed(&scene, &hero), landed(&scene, &hero));
        unit.rotation = DQuat::from_xyzw(0.0, 0.5f64.sqrt(), 0.0, 0.5f64.sqrt());
        long.rotation = unit.rotation * 1e-200;
        for _ in 0..60 {
            hero.move_and_slide(&scene, &mut unit, [2.0, -1.0, 0.5], DT);
            hero.move_and_slide(&scene, &mut long, [2.0, -1.0, 0.5], DT);
        }
        assert!((unit.position - long.position).length() < 1e-9 && unit.position.x < 1.0, "{unit:?} {long:?}");
    }
}

/// A wall that leans back by nearly nothing is no ground, although the steepest slope is a quarter turn. The rise of a frame is at most 20 times its horizontal
/// motion, beside a step.
#[test]
fn a_wall_lifts_nobody() {
    let mut random = Random(40_411);
    for case in 0..effort::size(300, 3_000, 100_000) {
        // The component of the wall's normal along up.
        let lean = 10f64.powf(-17.0 * random.fraction()) * 0.2;
        let turn = DQuat::from_rotation_y(random.unit() * 4.0) * DQuat::from_rotation_z(-lean.asin());
        let mut scene = floor();
        let away = turn * DVec3::NEG_X;
        scene.insert(1, Aabb::new([-0.5, -40.0, -40.0], [0.5, 40.0, 40.0]), (-away * 2.0, turn)).unwrap();
        let mut hero = Character::new(Capsule::new(0.3, 1.8)).unwrap();
        hero.max_slope = FRAC_PI_2;
        hero.keeps_speed_on_slopes = case % 2 == 0;
        let mut state = landed(&scene, &hero);
        let into = -away.reject_from_normalized(DVec3::Y).normalize();
        let velocity = into * 5.0 + DVec3::new(random.unit(), -1.0, random.unit());
        let is_wall = lean < 0.0499;
        for _ in 0..60 {
            let before = state.position;
            let moved = hero.move_and_slide(&scene, &mut state, velocity, DT);
            let made = state.position - before;
            let level = made.reject_from_normalized(DVec3::Y).length();
            let what = format!("case {case}, lean {lean:e}: {made} {moved:?}");
            assert!(made.is_finite() && made.y <= 20.0 * level + hero.step_up + 1e-6, "{what}");
            assert!(!is_wall || state.position.y < 0.92, "{what}");
        }
    }
}

/// A character keeps its motion when its up direction changes, whatever the ground was.
#[test]
fn an_up_direction_that_changes_loses_and_adds_no_motion() {
    let mut random = Random(40_427);
    for case in 0..effort::size(500, 5_000, 100_000) {
        let scene = floor();
        let mut hero = Character::new(Capsule::new(0.3, 1.8)).unwrap();
        hero.keeps_speed_on_slopes = case % 2 == 0;
        hero.max_slope = if case % 3 == 0 { FRAC_PI_2 } else { hero.max_slope };
        let mut state = landed(&scene, &hero);
        // The new direction has a small component along the old one, of either sign, or none. So the old ground is a
        // wall.
        let lean = if case % 5 == 0 { 0.0 } else { 0.0499 * 10f64.powf(-17.0 * random.fraction()) };
        let lean = if random.below(2) == 0 { lean } else { -lean };
        let aside = DQuat::from_rotation_y(random.unit() * 4.0) * DVec3::X;
        hero.up = (aside * (1.0 - lean * lean).sqrt() + DVec3::Y * lean).normalize();
        let velocity = random.direction() * 3.0;
        let velocity = velocity + DVec3::Y * (velocity.y.abs() - velocity.y + 0.1);
        let before = state.position;
        let moved = hero.move_and_slide(&scene, &mut state, velocity, DT);
        let what = format!("case {case}: {velocity} under {}: {moved:?}", hero.up);
        // The gap to the old ground may be a little less than the skin, which adds a motion of a fraction of it.
        assert!((moved.motion - velocity * DT).length() <= 2.0 * hero.skin, "{what}");
        assert!((state.position - before).is_finite() && moved.velocity.is_finite(), "{what}");
    }
}
