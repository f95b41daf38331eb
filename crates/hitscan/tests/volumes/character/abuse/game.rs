//! A game that disturbs its characters as real games do.

use super::depth::{Placed, Points};
use super::oracle::Step;
use crate::character::soup::{CORNER, hills, somewhere, triangles};
use crate::character::volumes::{SOLIDS, VOLUMES, body, solid, volume};
use crate::common::Random;
use hitscan::glam::{DQuat, DVec3};
use hitscan::prelude::*;
use hitscan::{HeightField, Pose};

const RATES: [f64; 6] = [30.0, 60.0, 90.0, 144.0, 360.0, 1000.0];
const GRAVITY: f64 = 9.81;
/// The length in seconds of a frame in which a game loads something.
const HITCH: f64 = 0.1;
/// The number of solids on the hills.
const STATIC: u32 = 110;
/// The first keys of solids that appear, of solids that move and of characters, and the key of the triangles.
const APPEARING: u32 = 2000;
const MOVING: u32 = 3000;
const HEROES: u32 = 4000;
const TRIANGLES: u32 = 1000;
/// The largest number of things that have appeared and stay.
const MOST_APPEARING: usize = 6;

pub(super) struct Hero {
    pub(super) id: u32,
    /// The number of the character's volume.
    pub(super) volume: usize,
    pub(super) points: Points,
    /// The volume alone at the origin, without its margin.
    pub(super) own: Scene<()>,
    pub(super) form: Character,
    pub(super) state: CharacterState<u32>,
    velocity: DVec3,
}

/// The motion of a solid that moves and turns evenly: a piston, a lift, a crusher or a platform.
struct Motion {
    /// The number of the solid.
    solid: usize,
    velocity: DVec3,
    /// The rotation in a second, by its axis and angle.
    spin: DVec3,
}

pub(super) struct Game {
    random: Random,
    pub(super) scene: Scene<u32>,
    pub(super) hills: HeightField,
    pub(super) solids: Vec<Placed>,
    moving: Vec<Motion>,
    heroes: Vec<Hero>,
    spawn: DVec3,
    dt: f64,
    pub(super) crushed: usize,
    pub(super) grounded: usize,
}

impl Hero {
    fn new(id: u32, spawn: DVec3, random: &mut Random) -> Self {
        let number = random.below(VOLUMES);
        let mut form = Character::new(volume(number)).unwrap();
        form.step_up *= [0.0, 1.0][random.below(2)];
        form.keeps_speed_on_slopes = random.below(2) == 0;
        form.escape_speed = random.pick(&[f64::INFINITY, f64::INFINITY, 10.0, 1.0]);
        let mut own = Scene::new();
        let core =
            if number == VOLUMES - 1 { Aabb::new([-0.2, -0.8, -0.2], [0.2, 0.8, 0.2]).into() } else { body(number) };
        own.insert((), core, DVec3::ZERO).unwrap();
        let (points, state) = (Points::of(number), CharacterState::new(spawn));
        Self { id, volume: number, points, own, form, state, velocity: DVec3::ZERO }
    }
}

impl Game {
    pub(super) fn new(seed: u64, heroes: usize) -> Self {
        let mut random = Random(seed);
        let spawn = DVec3::new(10.0 * random.unit(), 4.0, 10.0 * random.unit());
        let mut game = Self {
            scene: Scene::new(),
            hills: hills(&mut random),
            solids: Vec::new(),
            moving: Vec::new(),
            heroes: (HEROES..).take(heroes).map(|id| Hero::new(id, spawn, &mut random)).collect(),
            spawn,
            dt: 1.0 / random.pick(&RATES),
            random,
            crushed: 0,
            grounded: 0,
        };
        game.scene.insert(0, game.hills.clone(), CORNER).unwrap();
        game.scene.insert(TRIANGLES, triangles(&mut game.random), DVec3::ZERO).unwrap();
        for id in 1..=STATIC {
            let (place, size) = (somewhere(&mut game.random), 1.0 + 0.7 * game.random.unit());
            game.put(id, size, place);
        }
        for id in (MOVING..).take(game.random.below(5)) {
            let size = 0.5 + 0.4 * game.random.unit();
            let at = spawn + game.random.cube() * 3.0 - DVec3::Y * 3.0;
            let solid = game.put(id, size, at.into());
            game.moving.push(Motion { solid, velocity: game.random.cube(), spin: DVec3::ZERO });
        }
        for hero in &game.heroes {
            game.scene.insert(hero.id, body(hero.volume), spawn).unwrap();
        }
        game
    }

    /// Puts a solid of any kind somewhere, in place of the solid that had this key. Returns its number.
    fn put(&mut self, id: u32, size: f64, pose: Pose) -> usize {
        let (kind, size) = (self.random.below(SOLIDS), size as f32);
        self.scene.insert(id, solid(kind, size), pose).unwrap();
        let placed = Placed::new(id, kind, size, pose);
        if let Some(number) = self.solids.iter().position(|solid| solid.id == id) {
            self.solids[number] = placed;
            return number;
        }
        self.solids.push(placed);
        self.solids.len() - 1
    }

    /// Moves all moving solids for a frame. Their speeds are random, from a crawl to the speed of a train. A solid that has moved away from the first character
    /// turns back towards it.
    pub(super) fn push(&mut self) {
        let here = self.heroes[0].state.position;
        for number in 0..self.moving.len() {
            let Motion { solid, velocity, spin } = &mut self.moving[number];
            let (random, pose) = (&mut self.random, &mut self.solids[*solid].pose);
            if (pose.position - here).length() > 4.0 || random.below(300) == 0 {
                let speed = 0.05 * 2f64.powf(11.0 * random.fraction());
                let aim = here + random.cube() - pose.position;
                *velocity = (aim * random.pick(&[DVec3::X, DVec3::Y, DVec3::ONE])).normalize_or_zero() * speed;
                *spin = random.cube() * random.pick(&[0.0, 0.0, 1.0, 4.0]);
            }
            pose.position += *velocity * self.dt;
            pose.rotation = (DQuat::from_scaled_axis(*spin * self.dt) * pose.rotation).normalize();
            if (pose.position - here).length() > 20.0 {
                pose.position = here + random.direction() * 4.0;
            }
            self.settle(number);
        }
        if self.moving.len() > 1 && self.random.below(200) == 0 {
            self.close(here);
        }
    }

    /// Makes the first two moving solids a crusher: they come from opposite sides.
    fn close(&mut self, here: DVec3) {
        let (way, speed) = (self.random.direction() * 2.0, 4.0 * self.random.fraction());
        for (number, way) in [way, -way].into_iter().enumerate() {
            let Motion { solid, velocity, spin } = &mut self.moving[number];
            self.solids[*solid].pose.position = here + way;
            (*velocity, *spin) = (-way * speed, DVec3::ZERO);
            self.settle(number);
        }
    }

    /// Writes the position of a moving solid to the scene.
    fn settle(&mut self, number: usize) {
        let solid = &self.solids[self.moving[number].solid];
        self.scene.set_transform(&solid.id, solid.pose).unwrap();
    }

    /// Disturbs a character as a game may between two frames. Returns whether it has been teleported.
    fn disturb(&mut self, number: usize) -> bool {
        let here = self.heroes[number].state.position;
        let way = self.random.cube();
        let choice = if here.y < -8.0 { 0 } else { 1 + self.random.below(200) };
        let (hero, random) = (&mut self.heroes[number], &mut self.random);
        match choice {
            0 => hero.state.teleport(self.spawn),
            1 => hero.state.position += way,
            2 => hero.state.teleport(here + way * 4.0),
            3 => hero.state = CharacterState::new(here),
            4 => hero.velocity = way * 15.0, // knocked back
            5 => {
                hero.state.leave_ground();
                hero.velocity.y = 4.0;
            }
            6 => hero.state.ground_was_placed(),
            7 => hero.state.rotation = DQuat::from_rotation_y(3.0 * way.x),
            8..=10 => {
                let spread = random.pick(&[0.0, 0.5, 2.0]);
                let rotation = if random.below(3) == 0 { DQuat::IDENTITY } else { random.rotation() };
                let id = APPEARING + random.below(MOST_APPEARING) as u32;
                let size = 0.7 + 0.5 * random.unit();
                self.put(id, size, Pose { position: here + way * spread, rotation });
            }
            11 if !self.moving.is_empty() => self.place(here + way, number),
            12..=23 => hero.velocity = DVec3::new(8.0 * way.x, hero.velocity.y, 8.0 * way.z),
            _ => {}
        }
        choice < 3
    }

    /// Teleports a platform, and informs the character in half of the cases.
    fn place(&mut self, at: DVec3, number: usize) {
        let moving = self.random.below(self.moving.len());
        self.solids[self.moving[moving].solid].pose.position = at;
        self.settle(moving);
        if self.random.below(2) == 0 {
            self.heroes[number].state.ground_was_placed();
        }
    }

    pub(super) fn step(&mut self, number: usize, what: &str) {
        let is_put = self.disturb(number);
        let dt = if self.random.below(100) == 0 { HITCH } else { self.dt };
        let others = Filter::new().exclude(self.heroes[number].id);
        let view = self.scene.with(&others);
        let hero = &mut self.heroes[number];
        let (before, velocity) = (hero.state.position, hero.velocity - DVec3::Y * GRAVITY * dt);
        let moved = hero.form.move_and_slide(view, &mut hero.state, velocity, dt);
        let what = format!("{what}, volume {}, from {before} to {}", hero.volume, hero.state.position);
        Step { hero, view, solids: &self.solids, hills: &self.hills, before, velocity, dt, moved: &moved, what: &what }
            .check(is_put);
        hero.velocity = moved.velocity.clamp_length_max(30.0);
        self.crushed += usize::from(!moved.crushed.is_empty());
        self.grounded += usize::from(moved.ground.is_some());
        self.scene.set_transform(&hero.id, hero.state.pose()).unwrap();
    }
}
