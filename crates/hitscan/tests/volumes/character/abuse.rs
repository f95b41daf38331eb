//! Random walks of characters that are treated as games treat them: velocities are fed back, places are written, solids appear, pistons push, and ten share one
//! spawn point. Whatever happens, a character is in nothing or says that it is crushed, and stands on what it says that it stands on.
//! A walk ends with its first fault, and the run counts the faults of each kind.

use super::soup::world;
use super::volumes::{SOLIDS, VOLUMES, body, solid, volume};
use crate::common::Random;
use hitscan::glam::{DQuat, DVec3, Vec3};
use hitscan::prelude::*;
use hitscan::{Character, CharacterGround, CharacterState, Moved};
use hitscan_random::effort;
use std::collections::BTreeMap;

/// The steps of a walk, of one character or of a party.
const STEPS_OF_A_WALK: usize = 250;
const PARTY: usize = 10;
const RATES: [f64; 6] = [30.0, 60.0, 90.0, 144.0, 360.0, 1000.0];
const GRAVITY: f64 = 9.81;
/// The keys of what appears, and the first key of pistons and of characters.
const APPEARING: [u32; 3] = [2000, 2001, 2002];
const PISTONS: u32 = 3000;
const HEROES: u32 = 4000;

/// The kind of a fault, and where it was found.
type Fault = (&'static str, String);

fn ensure(is_so: bool, kind: &'static str, what: impl FnOnce() -> String) -> Result<(), Fault> {
    if is_so { Ok(()) } else { Err((kind, what())) }
}

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
    made: usize,
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
                let hero = Hero::new(id, spawn, &mut random);
                scene.insert(id, body(hero.volume), spawn).unwrap();
                hero
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
        Self { random, scene, heroes, pistons, dt, made: 0, crushed: 0, grounded: 0 }
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
            6..=8 => {
                let (number, size) = (self.random.below(SOLIDS), 0.6 + 0.4 * self.random.unit());
                let at = here + self.random.cube() * [0.0, 0.5, 2.0][choice - 6];
                let turn = [DQuat::IDENTITY, self.random.rotation()][self.random.below(2)];
                self.scene.insert(APPEARING[choice - 6], solid(number, size as f32), (at, turn)).unwrap();
            }
            9..=20 => hero.velocity = DVec3::new(wanted.x, hero.velocity.y, wanted.z),
            _ => {}
        }
        choice < 2
    }

    fn step(&mut self, number: usize) -> Result<(), Fault> {
        let is_put = self.disturb(number);
        let others = Filter::new().exclude(self.heroes[number].id);
        let view = self.scene.with(&others);
        let hero = &mut self.heroes[number];
        let before = hero.state.position;
        let wanted = hero.velocity - DVec3::Y * GRAVITY * self.dt;
        let moved = hero.form.move_and_slide(view, &mut hero.state, wanted, self.dt);
        let is_outside = !is_put && moved.contacts.iter().all(|contact| contact.depth == 0.0);
        let checked = hero.check(view, &moved, before).and_then(|()| {
            ensure(!is_outside || !is_through(view, before, moved.motion), "through something", String::new)
        });
        checked.map_err(|(kind, what)| {
            let what = format!("volume {}, from {before} to {}: {what}", hero.volume, hero.state.position);
            (kind, what)
        })?;
        hero.velocity = moved.velocity.clamp_length_max(30.0);
        self.made += 1;
        self.crushed += usize::from(!moved.crushed.is_empty());
        self.grounded += usize::from(moved.ground.is_some());
        self.scene.set_transform(&hero.id, hero.state.pose()).unwrap();
        Ok(())
    }

    fn walk(&mut self) -> Result<(), Fault> {
        let heroes = self.heroes.len();
        for frame in 0..STEPS_OF_A_WALK / heroes {
            self.push();
            for number in 0..heroes {
                self.step(number)
                    .map_err(|(kind, what)| (kind, format!("frame {frame}, character {number}, {what}")))?;
            }
        }
        Ok(())
    }
}

/// Returns whether the middle of what was in nothing has passed through something. The volume is wider than such a motion, so a segment is enough.
fn is_through(view: View<'_, u32>, before: DVec3, motion: DVec3) -> bool {
    motion != DVec3::ZERO
        && motion.length() < 0.2
        && view.relative_to(before).is_blocked(&Ray::between(Vec3::ZERO, motion.as_vec3()))
}

impl Hero {
    fn check(&self, view: View<'_, u32>, moved: &Moved<u32>, before: DVec3) -> Result<(), Fault> {
        let skin = self.form.skin;
        ensure(self.state.position.is_finite() && moved.velocity.is_finite(), "not finite", String::new)?;
        let made = self.state.position - before;
        ensure((made - moved.motion).length() < 1e-9, "another motion", || format!("{}", moved.motion))?;
        let mut inside = Vec::new();
        view.penetration_all(&self.form.volume, self.state.pose(), &mut inside);
        inside.retain(|way| f64::from(way.depth) > 1e-2 * skin);
        ensure(inside.is_empty() || !moved.crushed.is_empty(), "in something", || format!("{inside:?}"))?;
        let is_deep = moved.crushed.iter().any(|contact| contact.depth > 0.0);
        ensure(moved.crushed.is_empty() || is_deep, "crushed by nothing", || format!("{moved:?}"))?;
        ensure(moved.ground.is_some() == self.state.is_grounded(), "another ground", || format!("{moved:?}"))?;
        match moved.ground.filter(|_| moved.crushed.is_empty()) {
            Some(ground) => self.check_ground(view, moved, &ground),
            None => Ok(()),
        }
    }

    /// The point of the ground is on its surface, and at the skin from the volume along the normal.
    fn check_ground(
        &self,
        view: View<'_, u32>,
        moved: &Moved<u32>,
        ground: &CharacterGround<u32>,
    ) -> Result<(), Fault> {
        let skin = self.form.skin;
        let volume = |part: f64| self.form.volume.clone().with_margin((part * skin) as f32);
        let mut touched = Vec::new();
        view.overlap_entities(&volume(1.01), self.state.pose(), &mut touched);
        ensure(touched.contains(&ground.id), "ground that is not touched", || format!("{ground:?}, {touched:?}"))?;
        ensure(moved.velocity.y.abs() < 1e-9, "a velocity off the ground", || format!("{}", moved.velocity))?;
        let speck = |at: DVec3| {
            let mut scene = Scene::new();
            scene.insert(0, Sphere::new((2e-3 * skin) as f32), at).unwrap();
            scene
        };
        let on_ground = Filter::new().entities(|id: u32| id == ground.id);
        let nearest = view.with(&on_ground).relative_to(ground.point).closest_point(DVec3::ZERO);
        let is_on_it = nearest.is_some_and(|nearest| nearest.distance_f64() < 1e-2 * skin);
        ensure(is_on_it, "a point that is not on the ground", || format!("{ground:?}, {nearest:?}"))?;
        let (at, foot) = (speck(ground.point), speck(ground.point + ground.normal * skin));
        let is_apart = at.overlaps(volume(1.01), self.state.pose()) && !at.overlaps(volume(0.98), self.state.pose());
        ensure(is_apart, "a point that is not below the feet", || format!("{ground:?}"))?;
        ensure(foot.overlaps(volume(0.02), self.state.pose()), "another normal of the ground", || format!("{ground:?}"))
    }
}

#[test]
fn whatever_a_game_does_to_it_a_character_is_in_nothing() {
    let (seed, steps) = (effort::seed(1), effort::size(10_000, 100_000, 10_000_000));
    let (mut made, mut crushed, mut grounded) = (0, 0, 0);
    // The number of each kind of fault, and the first one.
    let mut faults: BTreeMap<&str, (usize, String)> = BTreeMap::new();
    for walk in 0..steps.div_ceil(STEPS_OF_A_WALK) as u64 {
        let mut game = Game::new(seed * 7_000_003 + walk, if walk % 4 == 3 { PARTY } else { 1 });
        if let Err((kind, what)) = game.walk() {
            faults.entry(kind).or_insert((0, format!("seed {seed}, walk {walk}, {what}"))).0 += 1;
        }
        made += game.made;
        crushed += game.crushed;
        grounded += game.grounded;
        if effort::Effort::get().is_long() && walk % 400 == 399 {
            println!("{made} steps, {grounded} on the ground, {crushed} crushed, {faults:?}");
        }
    }
    assert!(faults.is_empty(), "{made} steps: {faults:#?}");
    assert!(grounded > made / 8 && crushed < made / 8, "{grounded} on the ground, {crushed} crushed of {made}");
}
