//! Jolt's obstacle course, rebuilt from its numbers (`CharacterBaseTest.cpp`, "ObstacleCourse"). Each station is walked
//! at four update rates.

use crate::jolt::{Actor, FEET};
use hitscan::glam::{DAffine3, DQuat, DVec3, Vec3};
use hitscan::prelude::*;

const SPEED: f64 = 6.0;
const RATES: [f64; 4] = [30.0, 60.0, 144.0, 360.0];

/// A scene that is assembled piece by piece.
struct Course {
    scene: Scene<u32>,
    next: u32,
}

impl Course {
    fn new() -> Self {
        let mut course = Self { scene: Scene::new(), next: 0 };
        course.block([-60.0, -1.0, -60.0], [60.0, 0.0, 60.0], DAffine3::IDENTITY);
        course
    }

    fn block(&mut self, low: [f32; 3], high: [f32; 3], place: DAffine3) -> u32 {
        self.scene.insert(self.next, Aabb::new(low, high), place).unwrap();
        self.next += 1;
        self.next - 1
    }

    fn mesh(&mut self, positions: &[Vec3], indices: &[u32]) {
        self.scene.insert(self.next, Mesh::new(positions, indices).unwrap(), DVec3::ZERO).unwrap();
        self.next += 1;
    }

    /// Adds an upright wall of triangles along a path on the ground.
    fn wall(&mut self, points: &[[f32; 2]], height: f32) {
        let positions: Vec<Vec3> =
            points.iter().flat_map(|[x, z]| [Vec3::new(*x, 0.0, *z), Vec3::new(*x, height, *z)]).collect();
        let quad = |k: u32| [2 * k, 2 * k + 1, 2 * k + 2, 2 * k + 2, 2 * k + 1, 2 * k + 3];
        let indices: Vec<u32> = (0..points.len() as u32 - 1).flat_map(quad).collect();
        self.mesh(&positions, &indices);
    }
}

fn walker(feet: DVec3, rate: f64) -> Actor {
    let mut actor = Actor::at(feet + DVec3::Y * 0.01, 1.0 / rate);
    (actor.hero.step_up, actor.hero.step_down) = (0.4, 0.5);
    actor
}

/// Walks towards a place for a limited time. Returns whether the character arrived there, as seen from above.
fn walks_to(actor: &mut Actor, scene: &Scene<u32>, goal: [f64; 2], seconds: f64) -> bool {
    let steps = (seconds / actor.dt) as usize;
    for _ in 0..steps {
        let way = DVec3::new(goal[0], 0.0, goal[1]) - actor.feet() * DVec3::new(1.0, 0.0, 1.0);
        if way.length() < 0.1 {
            return true;
        }
        let speed = SPEED.min(way.length() / actor.dt);
        actor.step(scene, way.normalize() * speed, 0.0);
    }
    false
}

/// Runs a station with a new actor at each rate.
fn at_rates(start: DVec3, mut walk: impl FnMut(&mut Actor, f64)) {
    for rate in RATES {
        walk(&mut walker(start, rate), rate);
    }
}

#[test]
fn ramps_of_every_angle() {
    // 50 degrees is the limit itself, which rounding may put on either side.
    for degrees in (0..180).step_by(10).filter(|degrees| *degrees != 50) {
        let mut course = Course::new();
        let turn = DQuat::from_rotation_z(f64::from(degrees).to_radians());
        course.block(
            [0.0, -0.1, -1.0],
            [5.0, 0.1, 1.0],
            DAffine3::from_rotation_translation(turn, DVec3::new(2.0, 0.0, 0.0)),
        );
        // A ramp of 100 degrees or more leans over the ground in front of it.
        at_rates(DVec3::X * if degrees > 90 { -4.0 } else { 0.0 }, |actor, rate| {
            walks_to(actor, &course.scene, [4.5, 0.0], 3.0);
            let top = 2.0 * f64::from(degrees).to_radians().tan();
            let climbs = degrees < 50 && actor.feet().y > 0.5 * top;
            assert!(climbs == (degrees < 50) || degrees == 0, "{degrees} degrees at {rate} Hz: {}", actor.feet());
            assert!(degrees < 50 || actor.feet().y < 0.45, "{degrees} degrees at {rate} Hz: {}", actor.feet());
        });
    }
}

#[test]
fn ramps_that_meet_a_leaning_slope() {
    for degrees in (0..90).step_by(10) {
        let mut course = Course::new();
        let angle = f64::from(degrees).to_radians();
        course.block(
            [0.0, -0.1, -2.0],
            [4.0, 0.0, 2.0],
            DAffine3::from_rotation_translation(DQuat::from_rotation_z(angle), DVec3::new(1.0, 0.0, 0.0)),
        );
        // This wall leans over the ramp by 20 degrees.
        course.block(
            [0.0, 0.0, -2.0],
            [0.2, 6.0, 2.0],
            DAffine3::from_rotation_translation(DQuat::from_rotation_z(20f64.to_radians()), DVec3::new(5.0, 0.0, 0.0)),
        );
        at_rates(DVec3::ZERO, |actor, _| {
            walks_to(actor, &course.scene, [5.0, 0.3], 2.0);
            let (first, dt) = (actor.feet(), actor.dt);
            for _ in 0..(0.5 / dt) as usize {
                actor.step(&course.scene, DVec3::new(SPEED, 0.0, 0.0), 0.0);
            }
            assert!((actor.feet() - first).length() < 0.2, "{degrees} degrees: {} after {first}", actor.feet());
        });
    }
}

#[test]
fn a_wall_of_pillars() {
    let mut course = Course::new();
    for k in 0..30u8 {
        let z = 0.2 * f32::from(k) - 3.0;
        let depth = if k % 2 == 0 { 0.0 } else { 0.05 };
        course.block([2.0 + depth, 0.0, z], [3.0, 3.0, z + 0.2], DAffine3::IDENTITY);
    }
    at_rates(DVec3::new(0.0, 0.0, -3.2), |actor, rate| {
        // The character is pressed against the wall and moves along it.
        let steps = (1.5 * rate) as usize;
        for _ in 0..steps {
            actor.step(&course.scene, DVec3::new(2.0, 0.0, 4.0), 0.0);
        }
        assert!(actor.feet().z > 1.0, "{} at {rate} Hz", actor.feet());
    });
}

fn steps(course: &mut Course, (x, z): (f32, f32), (depth, rise): (f32, f32), is_mesh: bool) {
    for k in 0..10u8 {
        let (from, top) = (x + depth * f32::from(k), rise * f32::from(k + 1));
        if is_mesh {
            let end = from + depth;
            let bottom = top - rise;
            let corners = [[from, bottom], [from, top], [end, top]];
            let positions: Vec<Vec3> =
                corners.iter().flat_map(|[x, y]| [Vec3::new(*x, *y, z - 1.0), Vec3::new(*x, *y, z + 1.0)]).collect();
            course.mesh(&positions, &[0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5]);
        } else {
            course.block([from, 0.0, z - 1.0], [x + 10.0 * depth, top, z + 1.0], DAffine3::IDENTITY);
        }
    }
    let top = 10.0 * rise;
    course.block([x + 10.0 * depth, top - 0.5, z - 1.0], [x + 10.0 * depth + 3.0, top, z + 1.0], DAffine3::IDENTITY);
}

#[test]
fn stairs_of_boxes_and_of_triangles_up_and_down() {
    for is_mesh in [false, true] {
        for has_wall in [false, true] {
            let mut course = Course::new();
            steps(&mut course, (2.0, 0.0), (0.3, 0.3), is_mesh);
            if has_wall {
                course.block([-9.0, 0.0, 0.31], [9.0, 9.0, 0.6], DAffine3::IDENTITY);
            }
            at_rates(DVec3::ZERO, |actor, rate| {
                let what = format!("mesh {is_mesh}, wall {has_wall}, {rate} Hz");
                assert!(walks_to(actor, &course.scene, [6.0, -0.05], 3.0), "{what}: up to {}", actor.feet());
                assert!((actor.feet().y - 3.0).abs() < 0.01, "{what}: {}", actor.feet());
                let grounded = actor.state.is_grounded();
                assert!(
                    walks_to(actor, &course.scene, [0.0, -0.05], 3.0) && grounded,
                    "{what}: down to {}",
                    actor.feet()
                );
                assert!(actor.feet().y < 0.02, "{what}: {}", actor.feet());
            });
        }
    }
}

#[test]
fn stairs_that_are_too_narrow_are_a_wall() {
    let mut course = Course::new();
    steps(&mut course, (2.0, 0.0), (0.05, 0.3), false);
    at_rates(DVec3::ZERO, |actor, rate| {
        walks_to(actor, &course.scene, [4.0, 0.0], 3.0);
        assert!(actor.feet().y < 1.0, "{} at {rate} Hz", actor.feet());
    });
}

#[test]
fn bumps_are_walked_over() {
    let mut course = Course::new();
    for k in 0..10u8 {
        let x = 1.0 + 0.5 * f32::from(k);
        course.block([x, 0.0, -2.0], [x + 0.01, 0.05, 2.0], DAffine3::IDENTITY);
    }
    for k in 0..5u8 {
        let x = 8.0 + 2.0 * f32::from(k);
        course.block([x, 0.0, -2.0], [x + 0.1, 0.3, 2.0], DAffine3::IDENTITY);
    }
    at_rates(DVec3::ZERO, |actor, rate| {
        assert!(walks_to(actor, &course.scene, [18.0, 0.0], 6.0), "{} at {rate} Hz", actor.feet());
    });
}

#[test]
fn funnels_of_two_three_and_four_walls() {
    for walls in 2..=4 {
        let mut course = Course::new();
        for k in 0..walls {
            let turn = DQuat::from_rotation_y(core::f64::consts::TAU * f64::from(k) / f64::from(walls));
            let lean = DQuat::from_rotation_z(-40f64.to_radians());
            // Each block leans outwards from the middle.
            let place = DAffine3::from_rotation_translation(turn * lean, turn * DVec3::new(0.25, 0.0, 0.0));
            course.block([0.0, 0.0, -4.0], [0.5, 6.0, 4.0], place);
        }
        for rate in RATES {
            let mut actor = walker(DVec3::new(0.3, 4.0, 0.2), rate);
            for _ in 0..(3.0 * rate) as usize {
                actor.step(&course.scene, DVec3::ZERO, 0.0);
            }
            let rest = actor.feet();
            let mut most = 0.0f64;
            for _ in 0..rate as usize {
                actor.step(&course.scene, DVec3::ZERO, 0.0);
                most = most.max((actor.feet() - rest).length());
            }
            assert!(most < 1e-2, "{walls} walls at {rate} Hz: it moves by {most} around {rest}");
        }
    }
}

#[test]
fn a_zigzag_wall_and_an_acute_wedge() {
    let mut course = Course::new();
    let points: Vec<[f32; 2]> =
        (0..=25u8).map(|k| [2.0 + if k % 2 == 0 { 0.0 } else { 0.5 }, -6.0 + 0.5 * f32::from(k)]).collect();
    course.wall(&points, 3.0);
    course.wall(&[[-2.0, -4.0], [-8.0, -3.2], [-2.0, -2.4]], 3.0);
    at_rates(DVec3::new(1.0, 0.0, -6.5), |actor, rate| {
        for _ in 0..(3.0 * rate) as usize {
            actor.step(&course.scene, DVec3::new(1.0, 0.0, SPEED), 0.0);
        }
        assert!(actor.feet().z > 5.0, "{} at {rate} Hz", actor.feet());
        // The character walks into the wedge as far as there is room, and out again.
        let mut actor = walker(DVec3::new(0.0, 0.0, -3.2), rate);
        walks_to(&mut actor, &course.scene, [-9.0, -3.2], 3.0);
        let deep = actor.feet();
        assert!(deep.x < -4.0 && deep.x > -8.0, "{deep} at {rate} Hz");
        assert!(walks_to(&mut actor, &course.scene, [0.0, -3.2], 3.0), "{} at {rate} Hz", actor.feet());
    });
}

#[test]
fn a_crouch_gate() {
    let mut course = Course::new();
    // The beam is at 1.5. The character is 1.95 tall, and 1.4 when it crouches.
    course.block([2.0, 1.5, -2.0], [4.0, 3.0, 2.0], DAffine3::IDENTITY);
    at_rates(DVec3::ZERO, |actor, rate| {
        assert!(!walks_to(actor, &course.scene, [5.0, 0.0], 2.0), "it walks through standing, at {rate} Hz");
        let standing = actor.hero.volume.clone();
        let lower = DVec3::Y * 0.275;
        actor.hero.volume = Capsule::new(0.3, 1.4).into();
        actor.state.position -= lower;
        for _ in 0..(0.6 * rate) as usize {
            actor.step(&course.scene, DVec3::X * 3.0, 0.0);
        }
        let feet = actor.state.position.x;
        assert!(feet > 2.0, "{feet} at {rate} Hz");
        // Under the beam there is no room to stand up.
        let stand = |state: &hitscan::CharacterState<u32>| (state.position + lower, state.rotation);
        assert!(course.scene.overlaps(&standing, stand(&actor.state)));
        for _ in 0..rate as usize {
            actor.step(&course.scene, DVec3::X * 3.0, 0.0);
        }
        assert!(!course.scene.overlaps(&standing, stand(&actor.state)), "{} at {rate} Hz", actor.state.position);
    });
}

/// Platforms that move in the six ways of the course carry a character that stands on them. They push a character
/// beside them, and never pass through it.
#[test]
fn six_platforms() {
    let tau = core::f64::consts::TAU;
    let ways: [fn(f64) -> DAffine3; 6] = [
        |t| DAffine3::from_rotation_translation(DQuat::from_rotation_y(3.0 * t.sin()), DVec3::ZERO),
        |t| DAffine3::from_rotation_translation(DQuat::from_rotation_y(t), DVec3::ZERO),
        |t| {
            DAffine3::from_rotation_translation(
                DQuat::from_rotation_y(t),
                DVec3::new(5.0 * t.cos(), 0.0, 5.0 * t.sin()),
            )
        },
        |t| DAffine3::from_translation(DVec3::Y * 1.75 * t.sin()),
        |t| DAffine3::from_translation(DVec3::Y * (5.0 - (3.0 * t % 10.0 - 5.0).abs())),
        |t| DAffine3::from_translation(DVec3::X * 3.0 * t.sin()),
    ];
    for (number, way) in ways.into_iter().enumerate() {
        for rate in RATES {
            let mut scene = Scene::new();
            scene.insert(0, Aabb::new([-2.0, -0.25, -2.0], [2.0, 0.0, 2.0]), way(0.0)).unwrap();
            let mut actor = Actor::at(way(0.0).transform_point3(DVec3::new(1.0, 0.01, 0.5)), 1.0 / rate);
            for _ in 0..rate as usize {
                actor.step(&scene, DVec3::ZERO, 0.0);
            }
            let own = way(0.0).inverse().transform_point3(actor.feet());
            for step in 1..(tau * rate) as usize {
                let place = way(step as f64 / rate);
                scene.set_transform(&0, place).unwrap();
                actor.step(&scene, DVec3::ZERO, 0.0);
                let apart = place.inverse().transform_point3(actor.feet()) - own;
                assert!(apart.length() < 1e-6, "platform {number}, {rate} Hz, step {step}: off by {apart}");
            }
        }
    }
}

#[test]
fn a_wall_that_turns_pushes() {
    for rate in RATES {
        let mut scene = Scene::new();
        scene.insert(0, Aabb::new([-30.0, -1.0, -30.0], [30.0, 0.0, 30.0]), DVec3::ZERO).unwrap();
        scene.insert(1, Aabb::new([-3.0, 0.1, -0.1], [3.0, 3.0, 0.1]), DVec3::ZERO).unwrap();
        let mut actor = Actor::at(DVec3::new(1.5, 0.01, 0.6), 1.0 / rate);
        for step in 0..(2.0 * rate) as usize {
            let turn = DQuat::from_rotation_y(-(step as f64) / rate);
            scene.set_transform(&1, DAffine3::from_quat(turn)).unwrap();
            actor.step(&scene, DVec3::ZERO, 0.0);
        }
        let turned = DQuat::from_rotation_y(2.0) * (actor.state.position - DVec3::Y * FEET);
        assert!(turned.z > 0.3, "{rate} Hz: {} is on the other side", actor.feet());
    }
}
