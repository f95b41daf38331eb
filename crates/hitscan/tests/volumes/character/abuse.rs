//! Random walks of characters that are treated as games treat them: velocities are fed back, places are written, solids appear, pistons push, and ten share one
//! spawn point. Whatever happens, a character is in nothing or says that it is crushed, and stands on what it says that it stands on.

use super::soup::world;
use super::volumes::{VOLUMES, volume};
use crate::common::Random;
use hitscan::glam::{DVec3, Vec3};
use hitscan::prelude::*;
use hitscan::{Character, CharacterState, Moved};
use hitscan_random::effort;

/// The steps of a walk, of one character or of a party.
const STEPS_OF_A_WALK: usize = 250;
const PARTY: usize = 10;
const RATES: [f64; 6] = [30.0, 60.0, 90.0, 144.0, 360.0, 1000.0];
const GRAVITY: f64 = 9.81;
/// The first key of what appears, of pistons, and of characters.
const SOLIDS: u32 = 2000;
const PISTONS: u32 = 3000;
const HEROES: u32 = 4000;

struct Hero {
    id: u32,
    /// The number of its volume.
    volume: usize,
    form: Character,
    state: CharacterState<u32>,
    velocity: DVec3,
}

/// A solid that moves evenly towards a character, and comes back.
struct Piston {
    id: u32,
    place: DVec3,
    velocity: DVec3,
}

struct Game {
    random: Random,
    scene: Scene<u32>,
    heroes: Vec<Hero>,
    pistons: Vec<Piston>,
    dt: f64,
    crushed: usize,
    grounded: usize,
}

impl Hero {
    fn new(id: u32, spawn: DVec3, random: &mut Random) -> Self {
        let number = random.below(VOLUMES);
        let mut form = Character::new(volume(number)).unwrap();
        form.step_up *= [0.0, 1.0][random.below(2)];
        form.keeps_speed_on_slopes = random.below(2) == 0;
        Self { id, volume: number, form, state: CharacterState::new(spawn), velocity: DVec3::ZERO }
    }
}

impl Game {
    fn new(seed: u64, heroes: usize) -> Self {
        let mut random = Random(seed);
        let mut scene = world(&mut random);
        let spawn = DVec3::new(10.0 * random.unit(), 4.0, 10.0 * random.unit());
        let heroes: Vec<Hero> = (HEROES..)
            .take(heroes)
            .map(|id| {
                scene.insert(id, Capsule::new(0.3, 1.8), spawn).unwrap();
                Hero::new(id, spawn, &mut random)
            })
            .collect();
        let pistons = (PISTONS..).take(random.below(4)).map(|id| {
            let size = (0.5 + 0.4 * random.unit()) as f32;
            let place = spawn + random.cube() * 3.0 - DVec3::Y * 3.0;
            match random.below(3) {
                0 => scene.insert(id, Sphere::new(size), place).unwrap(),
                1 => scene.insert(id, Aabb::new([-size; 3], [size; 3]), place).unwrap(),
                _ => scene.insert(id, Aabb::new([-0.1, -2.0, -2.0], [0.1, 2.0, 2.0]), place).unwrap(),
            };
            Piston { id, place, velocity: random.cube() }
        });
        let pistons = pistons.collect();
        let dt = 1.0 / RATES[random.below(RATES.len())];
        Self { random, scene, heroes, pistons, dt, crushed: 0, grounded: 0 }
    }

    /// Moves the pistons for a frame. Each has any speed from a crawl to the speed of a train, and turns back to a character that it has left.
    fn push(&mut self) {
        let here = self.heroes[0].state.position;
        for piston in &mut self.pistons {
            if (piston.place - here).length() > 4.0 || self.random.below(300) == 0 {
                let speed = 0.05 * 2f64.powf(11.0 * self.random.fraction());
                let aim = here + self.random.cube() - piston.place;
                piston.velocity =
                    (aim * [DVec3::X, DVec3::Y, DVec3::ONE][self.random.below(3)]).normalize_or_zero() * speed;
            }
            piston.place += piston.velocity * self.dt;
            if (piston.place - here).length() > 20.0 {
                piston.place = here + self.random.direction() * 4.0;
            }
            self.scene.set_transform(&piston.id, piston.place).unwrap();
        }
    }

    /// Does to a character what a game may do between two frames. Returns whether it has been put somewhere.
    fn disturb(&mut self, number: usize) -> bool {
        let hero = &mut self.heroes[number];
        let here = hero.state.position;
        let wanted = self.random.cube() * 8.0;
        let choice = self.random.below(200);
        match choice {
            0 => hero.state.position += self.random.cube(),
            1 => hero.state.teleport(here + self.random.cube() * 4.0),
            2 => hero.state = CharacterState::new(here),
            3 => hero.velocity = self.random.cube() * 15.0, // knocked back
            4 => {
                hero.state.leave_ground();
                hero.velocity.y = 4.0;
            }
            5 => hero.state.ground_was_placed(),
            6 => {
                let size = 0.6 + 0.4 * self.random.unit() as f32;
                let at = here + self.random.cube() * 0.5;
                self.scene.insert(SOLIDS, Aabb::new([-size; 3], [size; 3]), at).unwrap();
            }
            7 => {
                self.scene.insert(SOLIDS + 1, Sphere::new(0.4), here).unwrap();
            }
            8 => {
                let at = here + self.random.cube() * 2.0;
                self.scene.insert(SOLIDS + 2, Aabb::new([-0.7; 3], [0.7; 3]), at).unwrap();
            }
            9..=20 => hero.velocity = DVec3::new(wanted.x, hero.velocity.y, wanted.z),
            _ => {}
        }
        choice < 2
    }

    fn step(&mut self, number: usize, what: &str) {
        let is_put = self.disturb(number);
        let others = Filter::new().exclude(self.heroes[number].id);
        let view = self.scene.with(&others);
        let hero = &mut self.heroes[number];
        let before = hero.state.position;
        let wanted = hero.velocity - DVec3::Y * GRAVITY * self.dt;
        let moved = hero.form.move_and_slide(view, &mut hero.state, wanted, self.dt);
        let what = format!("{what}, volume {}, from {before} to {}", hero.volume, hero.state.position);
        hero.check(view, &moved, before, &what);
        if !is_put && moved.contacts.iter().all(|contact| contact.depth == 0.0) {
            is_not_through(view, before, moved.motion, &what);
        }
        hero.velocity = moved.velocity.clamp_length_max(30.0);
        self.crushed += usize::from(!moved.crushed.is_empty());
        self.grounded += usize::from(moved.ground.is_some());
        self.scene.set_transform(&hero.id, hero.state.pose()).unwrap();
    }
}

/// The middle of what was in nothing has passed through nothing. The volume is wider than such a motion, so a segment is enough.
fn is_not_through(view: View<'_, u32>, before: DVec3, motion: DVec3, what: &str) {
    if motion != DVec3::ZERO && motion.length() < 0.2 {
        let way = Ray::between(Vec3::ZERO, motion.as_vec3());
        assert!(!view.relative_to(before).is_blocked(&way), "{what}: through something");
    }
}

impl Hero {
    fn check(&self, view: View<'_, u32>, moved: &Moved<u32>, before: DVec3, what: &str) {
        let skin = self.form.skin;
        assert!(self.state.position.is_finite() && moved.velocity.is_finite(), "{what}");
        assert!((self.state.position - before - moved.motion).length() < 1e-9, "{what}: {}", moved.motion);
        let mut inside = Vec::new();
        view.penetration_all(&self.form.volume, self.state.pose(), &mut inside);
        inside.retain(|way| f64::from(way.depth) > 1e-2 * skin);
        assert!(inside.is_empty() || !moved.crushed.is_empty(), "{what}: in {inside:?}");
        let is_deep = moved.crushed.iter().any(|contact| contact.depth > 0.0);
        assert!(moved.crushed.is_empty() || is_deep, "{what}: {moved:?}");
        assert_eq!(moved.ground.is_some(), self.state.is_grounded(), "{what}");
        if let Some(ground) = moved.ground.filter(|_| moved.crushed.is_empty()) {
            let nearer = self.form.volume.clone().with_margin((1.01 * skin) as f32);
            let mut touched = Vec::new();
            view.overlap_entities(&nearer, self.state.pose(), &mut touched);
            assert!(touched.contains(&ground.id), "{what}: stands on {ground:?}, and touches {touched:?}");
            assert!(moved.velocity.y.abs() < 1e-9, "{what}: {}", moved.velocity);
        }
    }
}

#[test]
fn whatever_a_game_does_to_it_a_character_is_in_nothing() {
    let (seed, steps) = (effort::seed(1), effort::size(10_000, 100_000, 10_000_000));
    let (mut crushed, mut grounded) = (0, 0);
    for walk in 0..steps.div_ceil(STEPS_OF_A_WALK) as u64 {
        let heroes = if walk % 4 == 3 { PARTY } else { 1 };
        let mut game = Game::new(seed * 7_000_003 + walk, heroes);
        for frame in 0..STEPS_OF_A_WALK / heroes {
            game.push();
            for number in 0..heroes {
                game.step(number, &format!("seed {seed}, walk {walk}, frame {frame}, character {number}"));
            }
        }
        crushed += game.crushed;
        grounded += game.grounded;
    }
    println!("{steps} steps, {grounded} on the ground, {crushed} crushed");
    assert!(grounded > steps / 8 && crushed < steps / 8, "{grounded} on the ground, {crushed} crushed of {steps}");
}
