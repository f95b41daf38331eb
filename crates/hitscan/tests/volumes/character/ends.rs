//! Characters get out of solids. They end a skin away from everything where there is room, also from other parts of the same solid.

use super::volumes::{VOLUMES, rock, volume};
use crate::common::Random;
use hitscan::HeightField;
use hitscan::glam::{DQuat, DVec3, Vec3};
use hitscan::prelude::*;
use hitscan_random::effort;

type State = CharacterState<u32>;

const DT: f64 = 1.0 / 60.0;
/// The fraction of the skin that is the tolerance of a gap.
const SLIGHT: f64 = 3e-3;
/// The frames after which a character that is not crushed is out.
const FRAMES: usize = 150;
const KINDS: usize = 4;

/// The state of a character at the end of its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    WasFree,
    Crushed,
    /// It was not out after all frames.
    Late,
    /// It is out, in a place that is too narrow for its skin.
    Narrow,
    Whole,
}

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

/// Moves a character without a wanted velocity until it overlaps nothing, and checks the gap then. The next move must find no room for a wider gap.
fn leaves(scene: &Scene<u32>, hero: &Character, mut state: State, what: &str) -> Outcome {
    let most = hero.escape_speed * DT;
    for frame in 0..FRAMES {
        let moved = hero.move_and_slide(scene, &mut state, DVec3::ZERO, DT);
        let (length, what) = (moved.motion.length(), format!("{what}, frame {frame} to {}: {moved:?}", state.position));
        assert!(length <= most + 1e-9, "{what}");
        let is_in = moved.contacts.iter().any(|contact| contact.depth > 0.0);
        if !moved.crushed.is_empty() {
            return Outcome::Crushed;
        }
        if frame == 0 && !is_in {
            return Outcome::WasFree;
        }
        let mut next = state;
        let after = hero.move_and_slide(scene, &mut next, DVec3::ZERO, DT);
        let is_out = after.crushed.is_empty() && after.contacts.iter().all(|contact| contact.depth == 0.0);
        // A bent path is longer than the distance from its start to its end.
        if is_out && length < 0.5 * most {
            let [now, later] = [state, next].map(|state| gap(scene, hero, &state) / hero.skin);
            assert!(now >= later - SLIGHT, "{now} of the skin, and {later} after {what}");
            return if now >= 1.0 - SLIGHT { Outcome::Whole } else { Outcome::Narrow };
        }
    }
    Outcome::Late
}

/// Returns the kind of the scene of a case, and the outcome.
fn leaves_in(seed: u64, case: u64) -> (usize, Outcome) {
    let mut random = Random(seed * 11_000_027 + case);
    let (kind, number) = (case as usize % KINDS, case as usize / KINDS % VOLUMES);
    let scene = around(kind, &mut random);
    let mut hero = Character::new(volume(number)).unwrap();
    // Only the separation moves a character without a wanted velocity. It does not come down to ground.
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
    let (seed, cases) = (effort::seed(1), effort::size(200, 2_000, 100_000) as u64);
    let mut counts = [[0; 5]; KINDS];
    for case in 0..cases {
        let (kind, outcome) = leaves_in(seed, case);
        counts[kind][outcome as usize] += 1;
    }
    println!("free, crushed, late, in a narrow place and with the whole skin in each kind of scene: {counts:?}");
    let is_right = |[_, _, late, narrow, whole]: &[u64; 5]| *late == 0 && *whole > cases / 8 && narrow * 20 < *whole;
    assert!(counts.iter().all(is_right), "{counts:?}");
}

/// These characters stayed nearer than the skin, although there was room for the whole skin.
#[test]
fn ways_that_ended_too_near_end_at_the_skin() {
    for case in [357, 697, 1020, 1210, 1382, 1550, 1689, 2305, 2587, 2877, 2953] {
        assert_eq!(leaves_in(1, case).1, Outcome::Whole, "case {case}");
    }
}
