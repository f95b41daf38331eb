//! Random walks of characters that are treated as games treat them: velocities are fed back, places are written, solids appear and push. Whatever happens, a
//! character is in nothing or says that it is crushed, and stands on what it says that it stands on.

use super::soup::{volume, world};
use crate::common::Random;
use hitscan::glam::DVec3;
use hitscan::prelude::*;
use hitscan::{Character, CharacterState, Moved};
use hitscan_random::effort;

const STEPS_OF_A_WALK: usize = 250;
const RATES: [f64; 6] = [30.0, 60.0, 90.0, 144.0, 360.0, 1000.0];
const GRAVITY: f64 = 9.81;
/// The first key of what appears.
const SOLIDS: u32 = 2000;

struct Walk {
    random: Random,
    scene: Scene<u32>,
    hero: Character,
    state: CharacterState<u32>,
    velocity: DVec3,
    dt: f64,
    crushed: usize,
    grounded: usize,
}

impl Walk {
    fn new(seed: u64) -> Self {
        let mut random = Random(seed);
        let scene = world(&mut random);
        let mut hero = Character::new(volume(&mut random)).unwrap();
        hero.step_up *= [0.0, 1.0][random.below(2)];
        hero.keeps_speed_on_slopes = random.below(2) == 0;
        let state = CharacterState::new([10.0 * random.unit(), 6.0, 10.0 * random.unit()]);
        let dt = 1.0 / RATES[random.below(RATES.len())];
        Self { random, scene, hero, state, velocity: DVec3::ZERO, dt, crushed: 0, grounded: 0 }
    }

    /// Does to the character what a game may do between two frames.
    fn disturb(&mut self) {
        let here = self.state.position;
        let wanted = self.random.cube() * 8.0;
        match self.random.below(200) {
            0 => self.state.position += self.random.cube(),
            1 => self.state.teleport(here + self.random.cube() * 4.0),
            2 => self.state = CharacterState::new(here),
            3 => self.velocity = self.random.cube() * 15.0, // knocked back
            4 => {
                self.state.leave_ground();
                self.velocity.y = 4.0;
            }
            5 => self.state.ground_was_placed(),
            6 => {
                let size = 0.6 + 0.4 * self.random.unit() as f32;
                let at = here + self.random.cube() * 0.5;
                self.scene.insert(SOLIDS, Aabb::new([-size; 3], [size; 3]), at).unwrap();
            }
            7 => {
                self.scene.insert(SOLIDS + 1, self.hero_shape(), here).unwrap();
            }
            8 => {
                // A piston of any speed.
                let at = here + self.random.cube() * 2.0;
                self.scene.insert(SOLIDS + 2, Aabb::new([-0.7; 3], [0.7; 3]), at).unwrap();
            }
            9..=20 => self.velocity = DVec3::new(wanted.x, self.velocity.y, wanted.z),
            _ => {}
        }
    }

    fn hero_shape(&self) -> Sphere {
        Sphere::new(0.4)
    }

    fn step(&mut self, what: &str) {
        self.disturb();
        let before = self.state.position;
        let wanted = self.velocity - DVec3::Y * GRAVITY * self.dt;
        let moved = self.hero.move_and_slide(&self.scene, &mut self.state, wanted, self.dt);
        self.check(&moved, before, &format!("{what}: {:?} from {before} to {}", self.hero.volume, self.state.position));
        self.velocity = moved.velocity.clamp_length_max(30.0);
        self.crushed += usize::from(!moved.crushed.is_empty());
        self.grounded += usize::from(moved.ground.is_some());
    }

    fn check(&self, moved: &Moved<u32>, before: DVec3, what: &str) {
        let skin = self.hero.skin;
        assert!(self.state.position.is_finite() && moved.velocity.is_finite(), "{what}");
        assert!((self.state.position - before - moved.motion).length() < 1e-9, "{what}: {}", moved.motion);
        let mut inside = Vec::new();
        self.scene.penetration_all(&self.hero.volume, self.state.pose(), &mut inside);
        inside.retain(|way| f64::from(way.depth) > 1e-2 * skin);
        assert!(inside.is_empty() || !moved.crushed.is_empty(), "{what}: in {inside:?}");
        assert!(
            moved.crushed.is_empty() || moved.crushed.iter().any(|contact| contact.depth > 0.0),
            "{what}: {moved:?}"
        );
        assert_eq!(moved.ground.is_some(), self.state.is_grounded(), "{what}");
        if let Some(ground) = moved.ground.filter(|_| moved.crushed.is_empty()) {
            let nearer = self.hero.volume.clone().with_margin((1.01 * skin) as f32);
            let mut touched = Vec::new();
            self.scene.overlap_entities(&nearer, self.state.pose(), &mut touched);
            assert!(touched.contains(&ground.id), "{what}: stands on {ground:?}, and touches {touched:?}");
            assert!(moved.velocity.y.abs() < 1e-9, "{what}: {}", moved.velocity);
        }
    }
}

#[test]
fn whatever_a_game_does_to_it_a_character_is_in_nothing() {
    let (seed, steps) = (effort::seed(1), effort::size(10_000, 100_000, 10_000_000));
    let (mut crushed, mut grounded) = (0, 0);
    for walk in 0..(steps / STEPS_OF_A_WALK) as u64 {
        let mut it = Walk::new(seed * 7_000_003 + walk);
        for step in 0..STEPS_OF_A_WALK {
            it.step(&format!("seed {seed}, walk {walk}, step {step}"));
        }
        crushed += it.crushed;
        grounded += it.grounded;
    }
    assert!(grounded > steps / 8 && crushed < steps / 20, "{grounded} on the ground, {crushed} crushed");
}
