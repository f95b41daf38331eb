//! The whole course, and a walk from its start to its end.

use super::stations::{BELT, Course, PLATFORMS};
use hitscan::character::ContactResponse;
use hitscan::glam::DVec3;
use hitscan::{Capsule, Character, CharacterState, Scene};

const SPEED: f64 = 6.0;
const GRAVITY: f64 = 9.81;

/// The whole height of the character, standing and crouching.
const HEIGHTS: [f64; 2] = [1.95, 1.4];

/// The horizontal distance at which a place is reached.
const NEAR: f64 = 0.1;

/// The places of the stairs, from the stairs of boxes to the stairs that are too narrow.
const STAIRS: [f64; 5] = [2.0, 5.8, 9.6, 13.4, 17.2];
const FUNNELS: [[f64; 3]; 3] = [[33.0, 0.0, 39.0], [22.5, 0.0, 39.5], [22.5, 0.0, 30.5]];

/// The middles of the platforms' paths. Their heights let a character step onto the lowest part of each
/// platform.
const PLATFORM_PLACES: [[f64; 3]; 6] = [
    [55.0, 0.26, 8.0],
    [48.0, 0.26, 8.0],
    [36.0, 0.26, 12.0],
    [48.0, 1.77, 16.0],
    [55.0, 0.02, 16.0],
    [51.5, 0.26, 22.0],
];

fn ramp_place(number: u32) -> f64 {
    2.4 * f64::from(number)
}

fn slope_place(number: u32) -> f64 {
    40.8 - 4.8 * f64::from(number)
}

/// Builds all stations.
pub(crate) fn course() -> Course {
    let mut course = Course::new([-9.0, -3.0], [63.0, 47.5]);
    (0..18).for_each(|number| course.at([0.0, 0.0, ramp_place(number)], 0.0).ramp(10 * number));
    (0..9).for_each(|number| course.at([10.0, 0.0, slope_place(number)], 0.0).leaning_slope(10 * number));
    for (number, z) in STAIRS.into_iter().enumerate() {
        let depth = if number == 4 { 0.05 } else { 0.3 };
        course.at([17.0, 0.0, z], 0.0).stairs(depth, 0.3, number % 2 == 1);
        if [2, 3].contains(&number) {
            course.wall_beside_stairs();
        }
    }
    course.at([17.0, 0.0, 21.0], 0.0).crouch_gate();
    course.at([28.0, 0.0, 0.0], 0.0).bumps();
    course.at([46.0, 0.0, 0.0], 0.0).conveyor();
    (0..6).for_each(|number| course.at(PLATFORM_PLACES[number], 0.0).platform(number));
    course.at([41.0, 0.0, 31.5], 90.0).pillars();
    course.at([53.0, 0.0, 31.5], 90.0).zigzag();
    course.at([54.0, 0.02, 37.5], 90.0).half_cylinder(10.0);
    course.at([47.0, 0.0, 37.5], 0.0).wedge();
    for (place, walls) in FUNNELS.into_iter().zip(2..) {
        course.at(place, 0.0).funnel(walls);
    }
    course
}

/// A character that walks through the course.
pub(crate) struct Walker<'a> {
    course: &'a Course,
    scene: Scene<u32>,
    hero: Character,
    state: CharacterState<u32>,
    height: f64,
    fall: f64,
    rate: f64,
    steps: u32,
    station: &'static str,
    /// The feet after each step: a new path begins where the character is placed.
    paths: Vec<Vec<DVec3>>,
}

/// Walks through the whole course at a number of steps a second.
///
/// # Errors
///
/// Returns an error with the character's position if the character gets stuck, overlaps something, or gets to a
/// forbidden place.
pub(crate) fn walk(course: &Course, rate: f64) -> Result<Vec<Vec<DVec3>>, String> {
    let mut hero = hero(HEIGHTS[0]);
    (hero.step_up, hero.step_down) = (0.4, 0.5);
    let mut walker = Walker {
        course,
        scene: course.scene(),
        hero,
        state: CharacterState::new(DVec3::ZERO),
        height: HEIGHTS[0],
        fall: 0.0,
        rate,
        steps: 0,
        station: "start",
        paths: Vec::new(),
    };
    walker.put([-4.0, 0.01, -2.0]);
    walker.ramps()?;
    walker.stairs()?;
    walker.gate()?;
    walker.bumps_and_belt()?;
    walker.platforms()?;
    walker.walls()?;
    walker.funnels()?;
    Ok(walker.paths)
}

fn hero(height: f64) -> Character {
    Character::new(Capsule::new(0.3, height as f32)).expect("the capsule has a size")
}

impl Walker<'_> {
    fn feet(&self) -> DVec3 {
        self.state.position - DVec3::Y * (0.5 * self.height)
    }

    fn put(&mut self, feet: [f64; 3]) {
        self.state = CharacterState::new(DVec3::from(feet) + DVec3::Y * (0.5 * self.height));
        self.fall = 0.0;
        self.paths.push(vec![feet.into()]);
    }

    fn ensure(&self, is_right: bool, what: &str) -> Result<(), String> {
        let told = || format!("{}, {} Hz: it {what}, at {}", self.station, self.rate, self.feet());
        if is_right { Ok(()) } else { Err(told()) }
    }

    /// Moves the platforms, and then the character at a wanted velocity.
    fn step(&mut self, wanted: DVec3) -> Result<(), String> {
        self.steps += 1;
        let (time, dt) = (f64::from(self.steps) / self.rate, 1.0 / self.rate);
        for ((key, origin), way) in self.course.platforms.iter().zip(PLATFORMS) {
            self.scene.set_transform(key, *origin * way(time)).map_err(|error| error.to_string())?;
        }
        self.fall = if self.state.is_grounded() { 0.0 } else { self.fall - GRAVITY * dt };
        let velocity = wanted + DVec3::Y * self.fall;
        let moved = self.hero.move_and_respond(&self.scene, &mut self.state, velocity, dt, |contact| {
            match Some(contact.id) == self.course.belt {
                true => ContactResponse::Conveyor(BELT),
                false => ContactResponse::Solid,
            }
        });
        self.fall = moved.velocity.y;
        let feet = self.feet();
        self.paths.last_mut().into_iter().for_each(|path| path.push(feet));
        self.ensure(self.hero.has_room(&self.scene, &self.state), "is in something")?;
        self.ensure(feet.is_finite() && feet.y > -0.1, "has left the course")
    }

    /// Returns the horizontal vector to a place.
    fn way(&self, [x, z]: [f64; 2]) -> DVec3 {
        DVec3::new(x - self.feet().x, 0.0, z - self.feet().z)
    }

    /// Walks towards a place for a limited time. Returns whether the character arrived.
    fn tries(&mut self, goal: [f64; 2], seconds: f64) -> Result<bool, String> {
        for _ in 0..(seconds * self.rate) as u32 {
            let way = self.way(goal);
            if way.length() < NEAR {
                return Ok(true);
            }
            self.step(way.normalize() * SPEED.min(way.length() * self.rate))?;
        }
        Ok(false)
    }

    fn reaches(&mut self, goal: [f64; 2]) -> Result<(), String> {
        let seconds = 2.0 + 1.5 * self.way(goal).length() / SPEED;
        let arrives = self.tries(goal, seconds)?;
        self.ensure(arrives, &format!("does not arrive at {goal:?}"))
    }

    fn stands(&mut self, seconds: f64) -> Result<(), String> {
        (0..(seconds * self.rate) as u32).try_for_each(|_| self.step(DVec3::ZERO))
    }

    /// Pushes against a wall at a velocity, until the character has come as far as x.
    fn slides(&mut self, velocity: DVec3, x: f64, seconds: f64) -> Result<(), String> {
        for _ in 0..(seconds * self.rate) as u32 {
            if self.feet().x > x {
                return Ok(());
            }
            self.step(velocity)?;
        }
        self.ensure(false, "is stuck")
    }

    fn ramps(&mut self) -> Result<(), String> {
        self.station = "ramps";
        for number in 0..18 {
            let z = ramp_place(number);
            self.reaches([-4.0, z])?;
            self.tries([4.5, z], 3.0)?;
            let height = self.feet().y;
            let top = 2.5 * f64::from(10 * number).to_radians().tan();
            match number {
                0..5 => self.ensure(height >= 0.9 * top, "does not climb")?,
                // 50 degrees is the limit itself, which rounding may put on either side.
                5 => {}
                _ => self.ensure(height < 0.45, "climbs what is too steep")?,
            }
            self.reaches([-4.0, z])?;
        }
        self.station = "ramps that meet a leaning slope";
        self.reaches([-4.0, 44.0])?;
        self.reaches([9.0, 44.0])?;
        for number in 0..9 {
            let z = slope_place(number);
            self.reaches([9.0, z])?;
            self.tries([15.0, z + 0.3], 2.0)?;
            self.ensure(self.feet().x < 15.0, "goes through the slope")?;
            self.reaches([9.0, z])?;
        }
        self.reaches([9.0, -1.5])?;
        self.reaches([17.0, -1.5])
    }

    fn stairs(&mut self) -> Result<(), String> {
        self.station = "stairs";
        for z in &STAIRS[..4] {
            self.reaches([17.0, z - 0.05])?;
            self.reaches([23.5, z - 0.05])?;
            self.ensure((self.feet().y - 3.0).abs() < 0.01, "is not upstairs")?;
            self.reaches([17.0, z - 0.05])?;
            self.ensure(self.feet().y < 0.02, "is not downstairs")?;
        }
        self.station = "stairs that are too narrow";
        self.reaches([17.0, STAIRS[4]])?;
        self.tries([21.0, STAIRS[4]], 2.0)?;
        self.ensure(self.feet().y < 1.0, "climbs them")?;
        self.reaches([17.0, STAIRS[4]])
    }

    /// Changes the height of the character, which stays on its feet.
    fn crouches(&mut self, is_low: bool) {
        let height = HEIGHTS[usize::from(is_low)];
        self.hero.volume = hero(height).volume;
        self.state.position.y += 0.5 * (height - self.height);
        self.height = height;
    }

    fn gate(&mut self) -> Result<(), String> {
        self.station = "crouch gate";
        self.reaches([17.0, 21.0])?;
        let passes = self.tries([22.0, 21.0], 1.5)?;
        self.ensure(!passes && self.feet().x < 19.0, "walks through it standing")?;
        self.crouches(true);
        self.reaches([22.0, 21.0])?;
        self.crouches(false);
        self.ensure(self.hero.has_room(&self.scene, &self.state), "has no room to stand up")
    }

    fn bumps_and_belt(&mut self) -> Result<(), String> {
        self.station = "bumps";
        self.reaches([26.5, 21.0])?;
        self.reaches([26.5, 0.0])?;
        self.reaches([46.0, 0.0])?;
        self.station = "conveyor";
        self.reaches([49.0, 0.0])?;
        let before = self.feet();
        self.stands(2.0)?;
        let carried = self.feet() - before;
        self.ensure((carried - 2.0 * BELT).length() < 1e-6, &format!("is carried by {carried}"))?;
        self.reaches([58.0, 0.0])
    }

    /// Gets on a platform, once it is low enough, and rides on it.
    fn rides(&mut self, number: usize, seconds: f64) -> Result<(), String> {
        let (key, origin) = self.course.platforms[number];
        let mut waited = 0.0;
        loop {
            let middle = (origin * PLATFORMS[number](f64::from(self.steps) / self.rate)).translation;
            let way = self.way([middle.x, middle.z]);
            let is_on = self.state.ground() == Some(&key);
            if is_on && way.length() < 1.0 {
                break;
            }
            let is_low = is_on || middle.y - self.feet().y < 0.38;
            self.step(if is_low { way.normalize_or_zero() * SPEED } else { DVec3::ZERO })?;
            waited += 1.0 / self.rate;
            self.ensure(waited < 30.0, &format!("does not get on platform {number}"))?;
        }
        for _ in 0..(seconds * self.rate) as u32 {
            self.step(DVec3::ZERO)?;
            self.ensure(self.state.ground() == Some(&key), &format!("falls off platform {number}"))?;
        }
        Ok(())
    }

    fn platforms(&mut self) -> Result<(), String> {
        self.station = "platforms";
        let waits = [[58.5, 4.5], [51.5, 8.0], [45.0, 10.0], [45.3, 16.0], [52.3, 16.0], [51.5, 19.1]];
        for (number, wait) in waits.into_iter().enumerate() {
            self.reaches(wait)?;
            self.rides(number, 7.0)?;
        }
        self.reaches([51.5, 25.5])?;
        self.reaches([36.5, 25.5])?;
        self.reaches([36.5, 31.5])
    }

    fn walls(&mut self) -> Result<(), String> {
        self.station = "pillars";
        self.slides(DVec3::new(4.0, 0.0, -2.0), 43.5, 4.0)?;
        self.station = "zigzag wall";
        self.reaches([46.0, 31.5])?;
        self.slides(DVec3::new(SPEED, 0.0, -1.0), 58.5, 4.0)?;
        self.station = "half cylinder";
        self.reaches([60.5, 33.0])?;
        self.reaches([60.5, 37.5])?;
        self.reaches([48.5, 37.5])?;
        self.station = "acute wedge";
        self.reaches([47.0, 37.5])?;
        self.tries([38.0, 37.5], 3.0)?;
        let deep = self.feet().x;
        self.ensure(deep > 39.0 && deep < 43.0, "is not deep in the wedge")?;
        self.reaches([47.0, 37.5])?;
        self.reaches([47.0, 43.0])?;
        self.reaches([38.5, 43.0])
    }

    /// Drops the character into the funnels, because it can neither enter nor leave them by itself.
    fn funnels(&mut self) -> Result<(), String> {
        self.station = "funnels";
        for [x, y, z] in FUNNELS {
            self.put([x + 0.3, y + 4.0, z + 0.2]);
            self.stands(3.0)?;
            let rest = self.feet();
            self.stands(1.0)?;
            self.ensure((self.feet() - rest).length() < 1e-2, "does not come to rest")?;
        }
        Ok(())
    }
}
