//! Characters that walk along a ring. They walk round its inside, round its outside and on top of it, also from a place where their skin overlaps it.

use super::volumes::{VOLUMES, body, volume};
use hitscan::Torus;
use hitscan::glam::DVec3;
use hitscan::prelude::*;

const DT: f64 = 1.0 / 60.0;
const SPEED: f64 = 2.0;
const FRAMES: u32 = 40;
const MAJOR: f64 = 3.0;
const MINOR: f64 = 0.5;

/// The side of a ring on which a character starts.
#[derive(Clone, Copy, Debug)]
enum Side {
    Inside,
    Outside,
    Top,
}

fn half_extents(kind: usize) -> DVec3 {
    let mut scene = Scene::new();
    scene.insert((), body(kind), DVec3::ZERO).unwrap();
    let bounds = scene.bounds();
    0.5 * (bounds.max - bounds.min).as_dvec3()
}

/// Returns the place where a volume touches the ring from a side, at the angle 0, and the direction away from the ring.
fn place(side: Side, half: DVec3) -> (DVec3, DVec3) {
    match side {
        Side::Inside => (DVec3::new(MAJOR - MINOR - half.x, half.y, 0.0), DVec3::NEG_X),
        Side::Outside => (DVec3::new(MAJOR + MINOR + half.x, half.y, 0.0), DVec3::X),
        Side::Top => (DVec3::new(MAJOR, 2.0 * MINOR + half.y, 0.0), DVec3::Y),
    }
}

fn scene(side: Side) -> Scene<u32> {
    let mut scene = Scene::new();
    scene.insert(0, Torus::new(MAJOR as f32, MINOR as f32), DVec3::Y * MINOR).unwrap();
    if !matches!(side, Side::Top) {
        scene.insert(1, Aabb::new([-9.0, -1.0, -9.0], [9.0, 0.0, 9.0]), DVec3::ZERO).unwrap();
    }
    scene
}

#[test]
fn a_character_walks_along_a_ring() {
    for (side, kind) in
        [Side::Inside, Side::Outside, Side::Top].into_iter().flat_map(|s| (0..VOLUMES).map(move |k| (s, k)))
    {
        let hero = Character::new(volume(kind)).unwrap();
        let half = half_extents(kind);
        for sunk in [0.0, 0.1, 0.5, 0.9] {
            let scene = scene(side);
            let (touching, away) = place(side, half);
            let mut state = CharacterState::new(touching + away * hero.skin * (1.0 - sunk) + DVec3::Y * hero.skin);
            let mut way = 0.0;
            for _ in 0..FRAMES {
                let before = state.position;
                let tangent = DVec3::new(-before.z, 0.0, before.x).normalize();
                hero.move_and_slide(&scene, &mut state, tangent * SPEED - DVec3::Y, DT);
                assert!(hero.has_room(&scene, &state), "{side:?} {kind} {sunk}: {state:?}");
                way += (state.position - before).dot(tangent);
            }
            let wanted = SPEED * DT * f64::from(FRAMES);
            assert!((way - wanted).abs() < 0.02 * wanted, "{side:?} {kind} {sunk}: {way} of {wanted}");
        }
    }
}

/// A capsule in the hole of a ring has less room than its skin on both sides. It overlaps nothing, so it stays where it
/// is.
#[test]
fn a_hole_that_is_too_narrow_for_the_skin_crushes_nobody() {
    let mut hero = Character::new(Capsule::new(0.3, 1.8)).unwrap();
    hero.skin = 0.01;
    for gap in [0.002, 0.005, 0.009, 0.012, 0.018] {
        for (aside, height) in [0.0, 0.4, 0.8].into_iter().flat_map(|aside| [0.0, 0.3].map(|height| (aside, height))) {
            let mut scene = Scene::new();
            scene.insert((), Torus::new(1.0, 0.7 - gap as f32), DVec3::ZERO).unwrap();
            let start = DVec3::new(aside * gap, height, 0.0);
            let mut state = CharacterState::new(start);
            for velocity in [DVec3::ZERO, DVec3::X, DVec3::NEG_Z] {
                let moved = hero.move_and_slide(&scene, &mut state, velocity, DT);
                let is_free = moved.crushed.is_empty() && moved.contacts.iter().all(|contact| contact.depth == 0.0);
                assert!(is_free, "a gap of {gap}, from {start}: {moved:?}");
                assert!((state.position - start).length() < 2.0 * hero.skin, "a gap of {gap}, from {start}: {moved:?}");
            }
        }
    }
}
