//! The scenes of Jolt's `CharacterVirtualTests.cpp` with their numbers. They have a capsule of radius 0.3 and height
//! 1.95 under a gravity of 9.81.

use hitscan::Moved;
use hitscan::glam::{DAffine3, DQuat, DVec3, Vec3};
use hitscan::prelude::*;

const GRAVITY: f64 = 9.81;
pub(crate) const FEET: f64 = 0.975;

pub(crate) fn hero() -> Character {
    Character::new(Capsule::new(0.3, 1.95)).unwrap()
}

/// A character with momentum as in a game: it accelerates towards a desired speed, and falls in the air.
pub(crate) struct Actor {
    pub(crate) hero: Character,
    pub(crate) state: CharacterState<u32>,
    pub(crate) fall: f64,
    pub(crate) dt: f64,
}

impl Actor {
    pub(crate) fn at(feet: DVec3, dt: f64) -> Self {
        Self { hero: hero(), state: CharacterState::new(feet + DVec3::Y * FEET), fall: 0.0, dt }
    }

    pub(crate) fn feet(&self) -> DVec3 {
        self.state.position - DVec3::Y * FEET
    }

    pub(crate) fn step(&mut self, scene: &Scene<u32>, wanted: DVec3, jump: f64) -> Moved<u32> {
        self.fall = match self.state.is_grounded() {
            true if jump > 0.0 => jump,
            true => 0.0,
            false => self.fall - GRAVITY * self.dt,
        };
        let moved = self.hero.move_and_slide(scene, &mut self.state, wanted + DVec3::Y * self.fall, self.dt);
        self.fall = moved.velocity.y;
        let inside: Vec<_> = {
            let mut all = Vec::new();
            scene.penetration_all(&self.hero.volume, self.state.pose(), &mut all);
            all.into_iter().filter(|way| way.depth > 0.0).collect()
        };
        assert!(inside.is_empty(), "at {}: {inside:?}", self.state.position);
        moved
    }
}

fn floor(scene: &mut Scene<u32>) {
    scene.insert(0, Aabb::new([-100.0, -1.0, -100.0], [100.0, 0.0, 100.0]), DVec3::ZERO).unwrap();
}

#[test]
fn falling_and_jumping() {
    let mut scene = Scene::new();
    floor(&mut scene);
    let dt = 1.0 / 60.0;
    let mut actor = Actor::at(DVec3::new(0.0, 2.0, 0.0), dt);
    assert!(!actor.state.is_grounded());
    for _ in 0..60 {
        actor.step(&scene, DVec3::ZERO, 0.0);
    }
    assert_eq!(actor.state.ground(), Some(&0));
    assert!((actor.feet() - DVec3::Y * actor.hero.skin).length() < 1e-7, "{}", actor.feet());
    // The character walks for a second.
    for _ in 0..60 {
        actor.step(&scene, DVec3::new(2.0, 0.0, 0.0), 0.0);
        assert!(actor.state.is_grounded());
    }
    assert!((actor.feet() - DVec3::new(2.0, actor.hero.skin, 0.0)).length() < 1e-7, "{}", actor.feet());
    // A jump at 1 m/s rises as high as its kinetic energy allows, and ends where it began.
    let mut highest = 0.0f64;
    actor.step(&scene, DVec3::ZERO, 1.0);
    for _ in 0..30 {
        highest = highest.max(actor.feet().y);
        actor.step(&scene, DVec3::ZERO, 0.0);
    }
    assert!((highest - 0.5 / GRAVITY).abs() < 0.02, "{highest}");
    assert!(actor.state.is_grounded() && (actor.feet().y - actor.hero.skin).abs() < 1e-7);
}

#[test]
fn moving_on_slopes() {
    for degrees in (5..=85).step_by(10) {
        let angle = f64::from(degrees).to_radians();
        let mut scene = Scene::new();
        let slope = DAffine3::from_rotation_translation(DQuat::from_rotation_z(angle), DVec3::ZERO);
        scene.insert(0, Aabb::new([-100.0, -1.0, -100.0], [100.0, 0.0, 100.0]), slope).unwrap();
        let normal = slope.transform_vector3(DVec3::Y);
        let mut actor = Actor::at(DVec3::ZERO, 1.0 / 60.0);
        actor.state.position = normal * 0.4 + DVec3::Y * (FEET - 0.3);
        let is_walkable = f64::from(degrees) < 50.0;
        for _ in 0..60 {
            actor.step(&scene, DVec3::ZERO, 0.0);
        }
        assert_eq!(actor.state.is_grounded(), is_walkable, "{degrees}");
        for wanted in [DVec3::X, DVec3::NEG_X, DVec3::Z] {
            let before = actor.feet();
            for _ in 0..90 {
                actor.step(&scene, wanted * 2.0, 0.0);
            }
            let way = actor.feet() - before;
            let along = wanted - normal * (wanted.dot(normal));
            let expected = along.normalize() * 3.0;
            if is_walkable {
                assert!((way - expected).length() < 1e-4, "{degrees} degrees, {wanted}: {way} instead of {expected}");
            } else {
                assert!(way.dot(DVec3::Y) < 0.0, "{degrees} degrees, {wanted}: it climbs by {way}");
            }
        }
    }
}

#[test]
fn sticking_to_the_floor() {
    // The character walks from a level floor down a slope of 45 degrees at 10 m/s.
    let mut scene = Scene::new();
    let positions = [
        [-50.0, 0.0, -50.0],
        [-50.0, 0.0, 50.0],
        [0.0, 0.0, -50.0],
        [0.0, 0.0, 50.0],
        [50.0, -50.0, -50.0],
        [50.0, -50.0, 50.0],
    ];
    let mesh = Mesh::new(&positions, &[0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5]).unwrap();
    scene.insert(0, mesh, DVec3::ZERO).unwrap();
    let mut actor = Actor::at(DVec3::new(-5.0, 0.1, 0.0), 1.0 / 60.0);
    actor.hero.step_down = 0.5;
    for number in 0..120 {
        actor.step(&scene, DVec3::new(10.0, 0.0, 0.0), 0.0);
        assert!(number < 10 || actor.state.is_grounded(), "step {number} at {}", actor.feet());
    }
    assert!(actor.feet().y < -5.0);
}

fn stairs(scene: &mut Scene<u32>, is_mesh: bool) {
    for step in 0..10u8 {
        let (x, y) = (2.0 + 0.3 * f32::from(step), 0.3 * f32::from(step));
        let bounds = Aabb::new([x, 0.0, -2.0], [9.0, y + 0.3, 2.0]);
        if !is_mesh {
            scene.insert(1 + u32::from(step), bounds, DVec3::ZERO).unwrap();
        }
    }
    if is_mesh {
        let mut positions = Vec::new();
        let mut indices = Vec::new();
        let mut quad = |corners: [[f32; 3]; 4]| {
            let first = positions.len() as u32;
            positions.extend(corners.map(Vec3::from));
            indices.extend([0, 1, 2, 0, 2, 3].map(|k| first + k));
        };
        for step in 0..10u8 {
            let (x, y) = (2.0 + 0.3 * f32::from(step), 0.3 * f32::from(step));
            quad([[x, y, -2.0], [x, y, 2.0], [x, y + 0.3, 2.0], [x, y + 0.3, -2.0]]);
            let end = if step == 9 { 9.0 } else { 2.0 + 0.3 * f32::from(step + 1) };
            quad([[x, y + 0.3, -2.0], [x, y + 0.3, 2.0], [end, y + 0.3, 2.0], [end, y + 0.3, -2.0]]);
        }
        scene.insert(1, Mesh::new(&positions, &indices).unwrap(), DVec3::ZERO).unwrap();
    }
}

#[test]
fn walking_stairs() {
    for is_mesh in [false, true] {
        let mut scene = Scene::new();
        floor(&mut scene);
        stairs(&mut scene, is_mesh);
        let mut times = Vec::new();
        for rate in [60.0, 120.0, 240.0, 360.0] {
            let mut actor = Actor::at(DVec3::new(0.0, 0.02, 0.0), 1.0 / rate);
            actor.hero.step_up = 0.4;
            actor.hero.step_down = 0.4;
            let mut steps = 0u32;
            let mut height = f64::NEG_INFINITY;
            for _ in 0..60 {
                actor.step(&scene, DVec3::ZERO, 0.0);
            }
            while actor.feet().x < 5.5 {
                let moved = actor.step(&scene, DVec3::new(4.0, 0.0, 0.0), 0.0);
                steps += 1;
                assert!(moved.ground.is_some(), "off the ground at {} with {rate} Hz, mesh {is_mesh}", actor.feet());
                assert!(actor.feet().y >= height - 1e-6, "down at {} with {rate} Hz, mesh {is_mesh}", actor.feet());
                height = actor.feet().y;
                assert!(steps < 3 * rate as u32, "stuck at {} with {rate} Hz, mesh {is_mesh}", actor.feet());
            }
            assert!((height - 3.0).abs() < 0.01, "{height}");
            times.push(f64::from(steps) / rate);
        }
        let (least, most) = (times.iter().copied().fold(9.0, f64::min), times.iter().copied().fold(0.0, f64::max));
        assert!(most < 1.05 * least && most < 1.5 * 5.5 / 4.0, "{times:?}");
    }
}

#[test]
fn a_rotating_platform_carries_without_a_lag() {
    let mut scene = Scene::new();
    let dt = 1.0 / 60.0;
    scene.insert(0, Aabb::new([-10.0, -0.5, -10.0], [10.0, 0.0, 10.0]), DVec3::ZERO).unwrap();
    let mut actor = Actor::at(DVec3::new(9.0, 0.1, 0.0), dt);
    for _ in 0..30 {
        actor.step(&scene, DVec3::ZERO, 0.0);
    }
    for step in 1..=60 {
        let turn = DQuat::from_rotation_y(core::f64::consts::TAU * f64::from(step) * dt);
        scene.set_transform(&0, DAffine3::from_quat(turn)).unwrap();
        let moved = actor.step(&scene, DVec3::ZERO, 0.0);
        let expected = turn * DVec3::new(9.0, actor.hero.skin, 0.0);
        assert!((actor.feet() - expected).length() < 1e-7, "{} instead of {expected}", actor.feet());
        assert!((moved.ground_velocity.length() - 9.0 * core::f64::consts::TAU).abs() < 0.03);
    }
}

#[test]
fn a_lift_carries_up_and_down() {
    let mut scene = Scene::new();
    let dt = 1.0 / 60.0;
    scene.insert(0, Aabb::new([-1.0, -0.5, -1.0], [1.0, 0.0, 1.0]), DVec3::ZERO).unwrap();
    let mut actor = Actor::at(DVec3::new(0.0, 0.1, 0.0), dt);
    for _ in 0..30 {
        actor.step(&scene, DVec3::ZERO, 0.0);
    }
    let mut height = 0.0;
    for step in 0..120 {
        height += if step < 60 { 0.5 * dt } else { -0.5 * dt };
        scene.set_transform(&0, DVec3::Y * height).unwrap();
        actor.step(&scene, DVec3::ZERO, 0.0);
        assert!(actor.state.is_grounded() && (actor.feet().y - height - actor.hero.skin).abs() < 1e-7, "{step}");
    }
}

#[test]
fn a_half_cylinder_of_many_segments() {
    let mut positions = Vec::new();
    let mut indices = Vec::new();
    let count = 768u32;
    for k in 0..=count {
        let angle = core::f64::consts::PI * f64::from(k) / f64::from(count);
        for z in [-20.0, 20.0] {
            positions.push(DVec3::new(-2.0 * angle.cos(), -2.0 * angle.sin(), z).as_vec3());
        }
    }
    for k in 0..count {
        let a = 2 * k;
        indices.extend([a, a + 1, a + 2, a + 2, a + 1, a + 3]);
    }
    let mut scene = Scene::new();
    scene.insert(0, Mesh::new(&positions, &indices).unwrap(), DVec3::ZERO).unwrap();
    let mut actor = Actor::at(DVec3::new(0.0, -1.9, 0.0), 1.0 / 60.0);
    for _ in 0..60 {
        actor.step(&scene, DVec3::ZERO, 0.0);
    }
    for number in 0..120 {
        actor.step(&scene, DVec3::new(0.0, 0.0, 5.0), 0.0);
        assert!(actor.state.is_grounded(), "{number}");
    }
    assert!((actor.feet().z - 10.0).abs() < 1e-4 && actor.feet().x.abs() < 1e-2, "{}", actor.feet());
}

#[test]
fn stairs_along_a_wall() {
    for rate in [60.0, 120.0, 240.0, 360.0] {
        let mut scene = Scene::new();
        floor(&mut scene);
        for step in 0..10u8 {
            let (x, y) = (0.3 * f32::from(step), 0.3 * f32::from(step));
            scene.insert(1 + u32::from(step), Aabb::new([x, 0.0, -2.0], [9.0, y + 0.3, 0.0]), DVec3::ZERO).unwrap();
        }
        scene.insert(20, Aabb::new([-9.0, 0.0, 0.0], [9.0, 9.0, 1.0]), DVec3::ZERO).unwrap();
        let mut actor = Actor::at(DVec3::new(-2.0, 0.02, -0.5), 1.0 / rate);
        (actor.hero.step_up, actor.hero.step_down) = (0.4, 0.4);
        for _ in 0..60 {
            actor.step(&scene, DVec3::ZERO, 0.0);
        }
        // The character also presses against the wall.
        for _ in 0..(1.25 * rate) as usize {
            actor.step(&scene, DVec3::new(4.0, 0.0, 1.0), 0.0);
        }
        assert!((actor.feet().x - 3.0).abs() < 0.05, "{} with {rate} Hz", actor.feet());
        assert!((actor.feet().z + 0.3 + actor.hero.skin).abs() < 1e-6, "{}", actor.feet());
    }
}

#[test]
fn starting_inside_of_something() {
    for speed in [0.0, 0.5, 0.75, 1.0] {
        let mut scene = Scene::new();
        floor(&mut scene);
        scene.insert(1, Aabb::new([0.0, 0.0, -2.0], [2.0, 4.0, 2.0]), DVec3::ZERO).unwrap();
        let mut hero = hero();
        hero.escape_speed = speed;
        let mut state = CharacterState::new([-0.25, FEET + hero.skin, 0.0]);
        let dt = 1.0 / 60.0;
        let start = state.position;
        hero.move_and_slide(&scene, &mut state, DVec3::ZERO, dt);
        let moved = start.x - state.position.x;
        assert!((moved - (speed * dt).min(0.05 + hero.skin)).abs() < 1e-6, "{speed}: {moved}");
        for _ in 0..30 {
            hero.move_and_slide(&scene, &mut state, DVec3::ZERO, dt);
        }
        let expected = if speed == 0.0 { -0.25 } else { -0.3 - hero.skin };
        assert!((state.position.x - expected).abs() < 1e-4, "{speed}: {}", state.position);
    }
}

#[test]
fn between_two_steep_walls() {
    // Two walls of 75 degrees touch in a line. A character between them comes to rest, and can leave.
    let mut scene = Scene::new();
    for (id, side) in [(0, 1.0), (1, -1.0)] {
        let turn = DQuat::from_rotation_z(side * 75f64.to_radians());
        scene.insert(id, Aabb::new([-100.0, -1.0, -100.0], [100.0, 0.0, 100.0]), DAffine3::from_quat(turn)).unwrap();
    }
    let mut actor = Actor::at(DVec3::new(0.0, 0.5, 0.0), 1.0 / 60.0);
    let mut last = actor.feet();
    for _ in 0..120 {
        last = actor.feet();
        actor.step(&scene, DVec3::ZERO, 0.0);
    }
    assert!((actor.feet() - last).length() < 1e-3, "{} after {last}", actor.feet());
    for _ in 0..60 {
        actor.step(&scene, DVec3::new(0.0, 0.0, 2.0), 0.0);
    }
    assert!((actor.feet().z - 2.0).abs() < 1e-2, "{}", actor.feet());
}

#[test]
fn character_against_character() {
    let mut scene = Scene::new();
    floor(&mut scene);
    let other = Capsule::new(0.3, 1.95);
    scene.insert(1, other, DVec3::new(2.0, FEET, 0.0)).unwrap();
    let mut actor = Actor::at(DVec3::new(0.0, 0.02, 0.0), 1.0 / 60.0);
    let mut met = false;
    for _ in 0..60 {
        let moved = actor.step(&scene, DVec3::new(4.0, 0.0, 0.0), 0.0);
        met |= moved.contacts.iter().any(|contact| contact.id == 1);
    }
    assert!(met && (actor.feet().x - 1.4 + actor.hero.skin).abs() < 1e-6, "{}", actor.feet());
}
