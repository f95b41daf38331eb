//! Characters among solids of each kind, in front of rotated pistons, and in crowds.

use super::volumes::{SOLIDS, VOLUMES, body, solid, volume};
use crate::common::Random;
use hitscan::glam::{DQuat, DVec3};
use hitscan::prelude::*;
use hitscan::{Compound, Shape};
use hitscan_random::effort;

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

/// Returns level directions all around.
fn around(count: usize) -> impl Iterator<Item = DVec3> {
    (0..count).map(move |k| DQuat::from_rotation_y(core::f64::consts::TAU * k as f64 / count as f64) * DVec3::X)
}

#[test]
fn solids_of_every_kind_that_appear_are_left() {
    let (seed, cases) = (effort::seed(1), effort::size(250, 5_000, 1_000_000));
    for case in 0..cases {
        let mut random = Random(seed * 13_000_027 + case as u64);
        let (kind, number) = (case % SOLIDS, case / SOLIDS % VOLUMES);
        let hero = Character::new(volume(number)).unwrap();
        let mut scene = floor();
        let mut state = landed(&scene, &hero);
        let size = 0.8 + 0.5 * random.unit();
        let turn = if random.below(3) == 0 { DQuat::IDENTITY } else { random.rotation() };
        let place = [0.0, 0.05, 0.5][random.below(3)] * random.cube() + state.position;
        scene.insert(1, solid(kind, size as f32), (place, turn)).unwrap();
        let what = format!("seed {seed}, case {case}: solid {kind} of {size} at {place} around volume {number}");
        let moved = hero.move_and_slide(&scene, &mut state, DVec3::ZERO, DT);
        assert!(moved.crushed.is_empty() && hero.has_room(&scene, &state), "{what}: {moved:?}");
        let is_free = |heading: DVec3| {
            let (mut state, velocity) = (state, heading * 3.0);
            hero.move_and_slide(&scene, &mut state, velocity, DT).motion.length() > 0.9 * 3.0 * DT
        };
        // The character jumps out of a ring around it.
        assert!(around(8).chain([DVec3::Y]).any(is_free), "{what}: it is stuck at {}", state.position);
    }
}

/// A state keeps the sides of two entities. Two parts of one entity do not take both places.
#[test]
fn an_entity_whose_parts_crush_a_character_is_kept_once() {
    let jaw = |from: f32, to: f32| {
        (Shape::from(Aabb::new([from, -50.0, -50.0], [to, 50.0, 50.0])).into(), DVec3::ZERO.into())
    };
    let mut scene = Scene::new();
    scene.insert(31, Compound::new([jaw(-9.0, -0.3), jaw(0.3, 9.0)]).unwrap(), DVec3::ZERO).unwrap();
    // The end of the way up is in the ceiling, and the second entity that crushes keeps the first from pushing alone.
    scene.insert(32, Aabb::new([-90.0, 5.0, -90.0], [90.0, 60.0, 90.0]), DVec3::ZERO).unwrap();
    scene.insert(33, Aabb::new([-90.0, -60.0, 0.3], [90.0, 50.0, 90.0]), DVec3::ZERO).unwrap();
    let hero = Character::new(Sphere::new(0.5)).unwrap();
    let mut state = State::new([0.0; 3]);
    let moved = hero.move_and_slide(&scene, &mut state, DVec3::ZERO, DT);
    let parts: Vec<u32> = moved.crushed.iter().filter(|contact| contact.id == 31).map(|contact| contact.part).collect();
    assert!(parts.contains(&0) && parts.contains(&1), "{moved:?}");
    let kept = format!("{state:?}");
    assert_eq!(kept.matches("KeptSide { id: 31,").count(), 1, "{kept}");
}

/// A character stays on its side of a solid that crushes it, until it is put elsewhere.
#[test]
fn a_crusher_does_not_hold_a_character_that_is_put_on_its_other_side() {
    let mut scene = floor();
    scene.insert(1, Aabb::new([-2.0, 0.0, -9.0], [-0.1, 4.0, 9.0]), DVec3::ZERO).unwrap();
    scene.insert(2, Aabb::new([0.1, 0.0, -9.0], [2.0, 4.0, 9.0]), DVec3::ZERO).unwrap();
    scene.insert(3, Aabb::new([-9.0, 4.0, -9.0], [9.0, 5.0, 9.0]), DVec3::ZERO).unwrap();
    for volume in [Volume::from(Capsule::new(0.3, 1.8)), hitscan::Cylinder::new(0.3, 1.8).into()] {
        let hero = Character::new(volume).unwrap();
        for side in [-1.0, 1.0] {
            let mut state = State::new([0.0, 1.5, 0.0]);
            let moved = hero.move_and_slide(&scene, &mut state, DVec3::ZERO, DT);
            assert!(!moved.crushed.is_empty(), "{moved:?}");
            state.position = DVec3::new(side * (2.3 + 0.5 * hero.skin), 1.5, 0.0);
            let moved = hero.move_and_slide(&scene, &mut state, DVec3::ZERO, DT);
            assert!(moved.crushed.is_empty() && moved.motion.length() < 2.0 * hero.skin, "{moved:?}");
            assert!(moved.contacts.iter().all(|contact| contact.depth < 1e-6), "{moved:?}");
        }
    }
}

/// A block comes from any side, rotated around its path by any angle.
#[test]
fn turned_pistons_push() {
    let (seed, cases) = (effort::seed(1), effort::size(100, 1_000, 100_000));
    for case in 0..cases {
        let mut random = Random(seed * 17_000_023 + case as u64);
        let number = random.below(3);
        let hero = Character::new(volume(number)).unwrap();
        let speed = 0.5 * 2f64.powf(6.5 * random.fraction());
        let yaw = DQuat::from_rotation_y(core::f64::consts::TAU * random.fraction());
        let turn = yaw * DQuat::from_rotation_x(core::f64::consts::TAU * random.fraction());
        let mut scene = floor();
        scene.insert(1, Aabb::new([-4.0, -3.0, -3.0], [0.0, 3.0, 3.0]), (yaw * DVec3::X * -1.0, turn)).unwrap();
        let mut state = landed(&scene, &hero);
        let (start, mut front) = (state.position, -1.0);
        let what = format!("seed {seed}, case {case}: volume {number} before {speed} turned by {turn}");
        while front < 1.0 {
            front = f64::min(front + speed * DT, 1.0);
            scene.set_transform(&1, (yaw * DVec3::X * front, turn)).unwrap();
            let moved = hero.move_and_slide(&scene, &mut state, [0.0, -1.0, 0.0], DT);
            assert!(moved.crushed.is_empty(), "{what}: {moved:?}");
        }
        let (radius, way) = ([0.3, 0.5, 0.3][number], state.position - start);
        let expected = start + yaw * DVec3::X * (1.0 + radius + hero.skin) - start.with_y(0.0);
        assert!((state.position - expected).length() < 1e-4, "{what}: {way}");
    }
}

/// Returns the direction away from the common point of a crowd, or `own` for a character that is still there.
fn apart(state: &State, own: DVec3) -> DVec3 {
    let way = state.position.with_y(0.0);
    if way.length() > 0.01 { way.normalize() } else { own }
}

/// Characters that share a point have room within a second, whether they stand or walk apart, and walk away.
#[test]
fn crowds_of_every_volume_part() {
    for number in 0..=VOLUMES {
        for count in [2, 3, 10] {
            for speed in [0.0, 3.0] {
                // The last crowd has one character of each kind.
                let kind = |id: u32| if number < VOLUMES { number } else { id as usize % VOLUMES };
                let mut scene = floor();
                let heroes: Vec<Character> = (1..=count).map(|id| Character::new(volume(kind(id))).unwrap()).collect();
                let mut states = vec![State::new([0.0, 0.91, 0.0]); count as usize];
                for id in 1..=count {
                    scene.insert(id, body(kind(id)), DVec3::Y * 0.91).unwrap();
                }
                for _ in 0..60 {
                    for (((id, hero), state), heading) in
                        (1..).zip(&heroes).zip(&mut states).zip(around(count as usize))
                    {
                        let others = Filter::new().exclude(id);
                        let velocity = apart(state, heading) * speed - DVec3::Y;
                        hero.move_and_slide(scene.with(&others), state, velocity, DT);
                        scene.set_transform(&id, state.pose()).unwrap();
                    }
                }
                let what = format!("volume {number}, {count} at {speed}");
                for ((id, hero), state) in (1..).zip(&heroes).zip(&states) {
                    let others = Filter::new().exclude(id);
                    assert!(hero.has_room(scene.with(&others), state), "{what}: {id} at {}", state.position);
                    let way = state.position.with_y(0.0).length();
                    assert!(speed == 0.0 || way > 0.5 * speed, "{what}: {id} makes {way} at {}", state.position);
                }
            }
        }
    }
}
