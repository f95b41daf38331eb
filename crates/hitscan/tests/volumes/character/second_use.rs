//! States that are saved, forked, and overwritten in the middle of a separation that takes several moves.

use super::volumes::{SOLIDS, VOLUMES, solid, volume};
use crate::common::Random;
use hitscan::glam::DVec3;
use hitscan::prelude::*;
use hitscan_random::effort;

type State = CharacterState<u32>;

const DT: f64 = 1.0 / 60.0;
const FRAMES: usize = 12;

/// Returns a floor with solids that overlap each other.
fn crowded(random: &mut Random, kind: usize) -> Scene<u32> {
    let mut scene = Scene::new();
    scene.insert(0, Aabb::new([-9.0, -1.0, -9.0], [9.0, 0.0, 9.0]), DVec3::ZERO).unwrap();
    for id in 1..4 {
        let (size, place) = (0.8 + 0.4 * random.unit(), random.cube() + DVec3::Y);
        scene.insert(id, solid((kind + id as usize) % SOLIDS, size as f32), (place, random.rotation())).unwrap();
    }
    scene
}

/// Moves the character once for each velocity, beginning at a state. Returns the result of each move, and the state
/// after it.
fn play(scene: &Scene<u32>, hero: &Character, mut state: State, velocities: &[DVec3]) -> Vec<(String, State)> {
    let frame = |velocity: &DVec3| {
        let moved = hero.move_and_slide(scene, &mut state, *velocity, DT);
        (format!("{moved:?}"), state)
    };
    velocities.iter().map(frame).collect()
}

#[cfg(feature = "serde")]
fn saved(state: &State) -> Vec<State> {
    let text = serde_json::to_string(state).unwrap();
    let bytes = postcard::to_allocvec(state).unwrap();
    vec![serde_json::from_str(&text).unwrap(), postcard::from_bytes(&bytes).unwrap()]
}

#[cfg(not(feature = "serde"))]
fn saved(_: &State) -> Vec<State> {
    Vec::new()
}

#[test]
fn saved_and_forked_states_go_on_alike() {
    let (seed, cases) = (effort::seed(1), effort::size(30, 600, 60_000));
    for case in 0..cases {
        let mut random = Random(seed * 17_000_023 + case as u64);
        let mut hero = Character::new(volume(case % VOLUMES)).unwrap();
        hero.escape_speed = random.pick(&[1.0, 4.0, 20.0]);
        let scene = crowded(&mut random, case / VOLUMES);
        let start = State::new(random.cube() * 0.5 + DVec3::Y);
        let velocities = [(); FRAMES].map(|()| random.cube() * 4.0);
        let straight = play(&scene, &hero, start, &velocities);
        let frame = random.below(FRAMES / 2);
        let state = straight[frame].1;
        for copy in saved(&state).into_iter().chain([state]) {
            let again = play(&scene, &hero, copy, &velocities[frame + 1..]);
            assert!(again == straight[frame + 1..], "seed {seed}, case {case} from frame {frame}: {copy:?}");
        }
    }
}

/// The rest of a separation from one solid is not used for a separation from another.
#[test]
fn a_position_that_is_written_forgets_an_unfinished_escape() {
    let mut hero = Character::new(Capsule::new(0.3, 1.8)).unwrap();
    hero.escape_speed = 3.0;
    let mut scene = Scene::new();
    for (id, (x, half)) in [(0.0, 2.0), (100.0, 1.0)].into_iter().enumerate() {
        scene.insert(id as u32, Aabb::new([-half, -2.0, -9.0], [half, 2.0, 9.0]), DVec3::X * x).unwrap();
    }
    // The shortest separation from the first solid is to the left, and from the second to the right. The rest of the first separation would lead out of the
    // second solid, too.
    let mut state = State::new(DVec3::X * -0.5);
    hero.move_and_slide(&scene, &mut state, DVec3::ZERO, DT);
    assert!((state.position.x + 0.55).abs() < 1e-9, "{state:?}");
    state.position = DVec3::X * 100.1;
    hero.move_and_slide(&scene, &mut state, DVec3::ZERO, DT);
    assert!((state.position.x - 100.15).abs() < 1e-9, "{state:?}");
}
