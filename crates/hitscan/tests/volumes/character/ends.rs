//! Characters get out of solids. They end a skin away from everything where there is room, also from other parts of the same solid.

use super::volumes::{VOLUMES, rock, volume};
use crate::common::Random;
use hitscan::glam::{DQuat, DVec3, Vec3};
use hitscan::prelude::*;
use hitscan::{Character, CharacterState, HeightField, Mesh};
use hitscan_random::effort;

type State = CharacterState<u32>;

const DT: f64 = 1.0 / 60.0;
/// The part of the skin by which a gap may be off.
const SLIGHT: f64 = 3e-3;
/// The frames after which a character is out, or does not get out: at a finite speed, the way that is the shortest may be another one in each frame.
const FRAMES: usize = 30;
const KINDS: usize = 4;

/// Returns a scene around the origin: hills, an open mesh, closed meshes, or boxes that make corners.
fn around(kind: usize, random: &mut Random) -> Scene<u32> {
    let mut scene = Scene::new();
    match kind {
        0 => drop(scene.insert(0, steep(random), DVec3::new(-2.0, 0.0, -2.0)).unwrap()),
        1 => drop(scene.insert(0, sheets(random), DVec3::ZERO).unwrap()),
        2 => (0..3).for_each(|id| {
            let size = (0.8 + 0.3 * random.unit()) as f32;
            scene.insert(id, rock(size).mesh(), (random.cube() * 1.5, random.rotation())).unwrap();
        }),
        _ => (0..3).for_each(|id| {
            let chest = Aabb::new([-2.0, -1.0, -2.0], [2.0, 1.0, 2.0]);
            let turn = random.rotation();
            scene.insert(id, chest, (turn * DVec3::Y * (1.3 + 0.3 * random.unit()), turn)).unwrap();
        }),
    }
    scene
}

/// Returns hills that are as narrow as a character.
fn steep(random: &mut Random) -> HeightField {
    let heights: Vec<f32> = (0..100).map(|_| (0.7 * random.unit()) as f32).collect();
    HeightField::new(10, 10, [0.45; 2], &heights).unwrap()
}

/// Returns an open mesh of a few triangles in any directions.
fn sheets(random: &mut Random) -> Mesh {
    let corners = (0..12).flat_map(|_| {
        let at = random.cube() * 1.2;
        [(); 3].map(|()| (at + random.cube()).as_vec3())
    });
    Mesh::from_soup(&corners.collect::<Vec<Vec3>>()).unwrap()
}

/// Returns the gap to the nearest thing, at most the skin.
fn gap(scene: &Scene<u32>, hero: &Character, state: &State) -> f64 {
    let mut near = Vec::new();
    let wider = hero.volume.clone().with_margin(hero.skin as f32);
    scene.penetration_all(&wider, state.pose(), &mut near);
    near.iter().fold(hero.skin, |gap, way| gap.min(hero.skin - f64::from(way.depth)))
}

/// Moves a character that wants to stay until it is out of everything, and checks the gap then: the next move finds no room for a wider one. Returns whether
/// it has the whole skin; `None` for a character that is in nothing at the start, crushed, or not out in time.
fn leaves(scene: &Scene<u32>, hero: &Character, mut state: State, what: &str) -> Option<bool> {
    let most = hero.escape_speed * DT;
    for frame in 0..FRAMES {
        let moved = hero.move_and_slide(scene, &mut state, DVec3::ZERO, DT);
        let (length, what) = (moved.motion.length(), format!("{what}, frame {frame} to {}: {moved:?}", state.position));
        assert!(length <= most + 1e-9, "{what}");
        let is_in = moved.contacts.iter().any(|contact| contact.depth > 0.0);
        if !moved.crushed.is_empty() || (frame == 0 && !is_in) {
            return None;
        }
        let mut next = state;
        let after = hero.move_and_slide(scene, &mut next, DVec3::ZERO, DT);
        let is_out = after.crushed.is_empty() && after.contacts.iter().all(|contact| contact.depth == 0.0);
        // A way that bends is longer than the motion.
        if is_out && length < 0.5 * most {
            let [now, later] = [state, next].map(|state| gap(scene, hero, &state) / hero.skin);
            assert!(now >= later - SLIGHT, "{now} of the skin, and {later} after {what}");
            return Some(now >= 1.0 - SLIGHT);
        }
    }
    None
}

/// Returns the kind of the scene of a case, and what came out.
fn leaves_in(seed: u64, case: u64) -> (usize, Option<bool>) {
    let mut random = Random(seed * 11_000_027 + case);
    let (kind, number) = (case as usize % KINDS, case as usize / KINDS % VOLUMES);
    let scene = around(kind, &mut random);
    let mut hero = Character::new(volume(number)).unwrap();
    // Nothing but the way out moves a character that wants to stay: it does not come down to ground.
    hero.max_slope = 0.0;
    hero.escape_speed = random.pick(&[f64::INFINITY, 20.0, 4.0]);
    let height = if kind == 0 { 0.6 + 0.4 * random.unit() } else { 0.3 * random.unit() };
    let mut state = State::new(DVec3::new(random.unit(), height, random.unit()));
    state.rotation = if random.below(2) == 0 { DQuat::IDENTITY } else { random.rotation() };
    let what = format!("seed {seed}, case {case}: volume {number} in {kind} at {}", hero.escape_speed);
    (kind, leaves(&scene, &hero, state, &what))
}

#[test]
fn a_way_out_ends_at_the_skin_of_everything() {
    let (seed, cases) = (effort::seed(1), effort::size(400, 2_000, 100_000) as u64);
    let mut counts = [[0; 2]; KINDS];
    for case in 0..cases {
        let (kind, ends) = leaves_in(seed, case);
        if let Some(is_whole) = ends {
            counts[kind][usize::from(is_whole)] += 1;
        }
    }
    println!("narrow places and whole skins in each kind of scene: {counts:?}");
    assert!(counts.iter().all(|[narrow, whole]| *whole as u64 > cases / 8 && narrow * 20 < *whole), "{counts:?}");
}

/// These characters stayed nearer than the skin, although there was room for all of it.
#[test]
fn ways_that_ended_too_near_end_at_the_skin() {
    for case in [357, 697, 1020, 1210, 1382, 1550, 1689, 2305, 2587, 2877, 2953] {
        assert_eq!(leaves_in(1, case).1, Some(true), "case {case}");
    }
}
