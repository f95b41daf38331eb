//! Jolt's obstacle course, rebuilt from its numbers (`CharacterBaseTest.cpp`, "ObstacleCourse"). Each station is walked
//! at four update rates, and so is the course of all stations that the example `course` draws.

#[path = "../../../examples/course/stations.rs"]
mod stations;
#[path = "../../../examples/course/walk.rs"]
mod walk;

use crate::character::jolt::{Actor, FEET};
use hitscan::character::ContactResponse;
use hitscan::glam::{DAffine3, DQuat, DVec3};
use hitscan::prelude::*;
use stations::{BELT, Course, PLATFORMS};

const SPEED: f64 = 6.0;
const RATES: [f64; 4] = [30.0, 60.0, 144.0, 360.0];

/// Builds a single station on wide ground.
fn station(build: impl FnOnce(&mut Course)) -> Scene<u32> {
    let mut course = Course::new([-60.0, -60.0], [60.0, 60.0]);
    build(&mut course);
    course.scene()
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
        let scene = station(|course| course.ramp(degrees));
        // A ramp of 100 degrees or more leans over the ground in front of it.
        at_rates(DVec3::X * if degrees > 90 { -4.0 } else { 0.0 }, |actor, rate| {
            walks_to(actor, &scene, [4.5, 0.0], 3.0);
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
        let scene = station(|course| course.leaning_slope(degrees));
        at_rates(DVec3::ZERO, |actor, _| {
            walks_to(actor, &scene, [5.0, 0.3], 2.0);
            let (first, dt) = (actor.feet(), actor.dt);
            for _ in 0..(0.5 / dt) as usize {
                actor.step(&scene, DVec3::new(SPEED, 0.0, 0.0), 0.0);
            }
            assert!((actor.feet() - first).length() < 0.2, "{degrees} degrees: {} after {first}", actor.feet());
        });
    }
}

#[test]
fn a_wall_of_pillars() {
    let scene = station(Course::pillars);
    at_rates(DVec3::new(0.0, 0.0, -3.2), |actor, rate| {
        // The character is pressed against the wall and moves along it.
        let steps = (1.5 * rate) as usize;
        for _ in 0..steps {
            actor.step(&scene, DVec3::new(2.0, 0.0, 4.0), 0.0);
        }
        assert!(actor.feet().z > 1.0, "{} at {rate} Hz", actor.feet());
    });
}

#[test]
fn stairs_of_boxes_and_of_triangles_up_and_down() {
    for is_mesh in [false, true] {
        for has_wall in [false, true] {
            let scene = station(|course| {
                course.stairs(0.3, 0.3, is_mesh);
                if has_wall {
                    course.wall_beside_stairs();
                }
            });
            at_rates(DVec3::ZERO, |actor, rate| {
                let what = format!("mesh {is_mesh}, wall {has_wall}, {rate} Hz");
                assert!(walks_to(actor, &scene, [6.0, -0.05], 3.0), "{what}: up to {}", actor.feet());
                assert!((actor.feet().y - 3.0).abs() < 0.01, "{what}: {}", actor.feet());
                let grounded = actor.state.is_grounded();
                assert!(walks_to(actor, &scene, [0.0, -0.05], 3.0) && grounded, "{what}: down to {}", actor.feet());
                assert!(actor.feet().y < 0.02, "{what}: {}", actor.feet());
            });
        }
    }
}

#[test]
fn stairs_that_are_too_narrow_are_a_wall() {
    let scene = station(|course| course.stairs(0.05, 0.3, false));
    at_rates(DVec3::ZERO, |actor, rate| {
        walks_to(actor, &scene, [4.0, 0.0], 3.0);
        assert!(actor.feet().y < 1.0, "{} at {rate} Hz", actor.feet());
    });
}

#[test]
fn bumps_are_walked_over() {
    let scene = station(Course::bumps);
    at_rates(DVec3::ZERO, |actor, rate| {
        assert!(walks_to(actor, &scene, [18.0, 0.0], 6.0), "{} at {rate} Hz", actor.feet());
    });
}

#[test]
fn funnels_of_two_three_and_four_walls() {
    for walls in 2..=4 {
        let scene = station(|course| course.funnel(walls));
        for rate in RATES {
            let mut actor = walker(DVec3::new(0.3, 4.0, 0.2), rate);
            for _ in 0..(3.0 * rate) as usize {
                actor.step(&scene, DVec3::ZERO, 0.0);
            }
            let rest = actor.feet();
            let mut most = 0.0f64;
            for _ in 0..rate as usize {
                actor.step(&scene, DVec3::ZERO, 0.0);
                most = most.max((actor.feet() - rest).length());
            }
            assert!(most < 1e-2, "{walls} walls at {rate} Hz: it moves by {most} around {rest}");
        }
    }
}

#[test]
fn a_zigzag_wall_and_an_acute_wedge() {
    let scene = station(|course| {
        course.zigzag();
        course.at([0.0, 0.0, -3.2], 0.0).wedge();
    });
    at_rates(DVec3::new(1.0, 0.0, -6.5), |actor, rate| {
        for _ in 0..(3.0 * rate) as usize {
            actor.step(&scene, DVec3::new(1.0, 0.0, SPEED), 0.0);
        }
        assert!(actor.feet().z > 5.0, "{} at {rate} Hz", actor.feet());
        // The character walks into the wedge as far as there is room, and out again.
        let mut actor = walker(DVec3::new(0.0, 0.0, -3.2), rate);
        walks_to(&mut actor, &scene, [-9.0, -3.2], 3.0);
        let deep = actor.feet();
        assert!(deep.x < -4.0 && deep.x > -8.0, "{deep} at {rate} Hz");
        assert!(walks_to(&mut actor, &scene, [0.0, -3.2], 3.0), "{} at {rate} Hz", actor.feet());
    });
}

#[test]
fn a_crouch_gate() {
    // The beam is at 1.5. The character is 1.95 tall, and 1.4 when it crouches.
    let scene = station(Course::crouch_gate);
    at_rates(DVec3::ZERO, |actor, rate| {
        assert!(!walks_to(actor, &scene, [5.0, 0.0], 2.0), "it walks through standing, at {rate} Hz");
        let standing = actor.hero.volume.clone();
        let lower = DVec3::Y * 0.275;
        actor.hero.volume = Capsule::new(0.3, 1.4).into();
        actor.state.position -= lower;
        for _ in 0..(0.6 * rate) as usize {
            actor.step(&scene, DVec3::X * 3.0, 0.0);
        }
        let feet = actor.state.position.x;
        assert!(feet > 2.0, "{feet} at {rate} Hz");
        // Under the beam there is no room to stand up.
        let stand = |state: &hitscan::CharacterState<u32>| (state.position + lower, state.rotation);
        assert!(scene.overlaps(&standing, stand(&actor.state)));
        for _ in 0..rate as usize {
            actor.step(&scene, DVec3::X * 3.0, 0.0);
        }
        assert!(!scene.overlaps(&standing, stand(&actor.state)), "{} at {rate} Hz", actor.state.position);
    });
}

/// The conveyor carries a character that stands on it. It stops a character that walks against it at its speed. It adds
/// its velocity to the velocity of a character that walks along it. In the air it has no effect.
#[test]
fn a_conveyor() {
    let mut course = Course::new([-60.0, -60.0], [60.0, 60.0]);
    course.conveyor();
    let (scene, belt) = (course.scene(), course.belt);
    at_rates(DVec3::new(3.0, 0.1, 0.0), |actor, rate| {
        let mut walk = |wanted: DVec3, seconds: f64, jump: f64| {
            let before = actor.feet();
            for step in 0..(seconds * rate) as u32 {
                actor.fall = match actor.state.is_grounded() {
                    true if step == 0 => jump,
                    true => 0.0,
                    false => actor.fall - 9.81 * actor.dt,
                };
                let velocity = wanted + DVec3::Y * actor.fall;
                let moved = actor.hero.move_and_respond(&scene, &mut actor.state, velocity, actor.dt, |contact| {
                    if Some(contact.id) == belt { ContactResponse::Conveyor(BELT) } else { ContactResponse::Solid }
                });
                actor.fall = moved.velocity.y;
                assert!(actor.hero.has_room(&scene, &actor.state), "{rate} Hz: {}", actor.state.position);
            }
            (actor.feet() - before, actor.state.ground().copied())
        };
        walk(DVec3::ZERO, 0.5, 0.0);
        let carried = [
            (DVec3::ZERO, DVec3::X),
            (-BELT, DVec3::ZERO),
            (BELT, 2.0 * DVec3::X),
            (DVec3::Z, DVec3::new(1.0, 0.0, 0.5)),
        ];
        for (wanted, expected) in carried {
            let (way, ground) = walk(wanted, 0.5, 0.0);
            assert!((way - expected).length() < 1e-6, "{rate} Hz, {wanted}: {way} instead of {expected}");
            assert_eq!(ground, belt, "{rate} Hz, {wanted}");
        }
        let (way, ground) = walk(DVec3::ZERO, 0.5, 3.0);
        assert!(way.x.abs() < 1e-6 + BELT.x / rate && ground.is_none(), "{rate} Hz: {way} in the air");
        // The belt carries the character over its end, where it rests.
        walk(DVec3::ZERO, 3.0, 0.0);
        let (way, ground) = walk(DVec3::ZERO, 0.5, 0.0);
        assert!(way == DVec3::ZERO && ground == Some(0), "{rate} Hz: {way} on {ground:?}");
    });
}

/// Platforms with the six motions of the course carry a character that stands on them. They push a character
/// beside them, and never pass through it.
#[test]
fn six_platforms() {
    let tau = core::f64::consts::TAU;
    for (number, way) in PLATFORMS.into_iter().enumerate() {
        for rate in RATES {
            let mut course = Course::new([-60.0, -60.0], [-50.0, -50.0]);
            course.platform(number);
            let (platform, mut scene) = (course.platforms[0].0, course.scene());
            let mut actor = Actor::at(way(0.0).transform_point3(DVec3::new(1.0, 0.01, 0.5)), 1.0 / rate);
            for _ in 0..rate as usize {
                actor.step(&scene, DVec3::ZERO, 0.0);
            }
            let own = way(0.0).inverse().transform_point3(actor.feet());
            for step in 1..(tau * rate) as usize {
                let place = way(step as f64 / rate);
                scene.set_transform(&platform, place).unwrap();
                actor.step(&scene, DVec3::ZERO, 0.0);
                let apart = place.inverse().transform_point3(actor.feet()) - own;
                assert!(apart.length() < 1e-6, "platform {number}, {rate} Hz, step {step}: off by {apart}");
            }
        }
    }
}

/// The course that the documents show has every station, and is walked from its start to its end.
#[test]
fn the_whole_course() {
    let course = walk::course();
    let count = |station: &str| course.pieces.iter().filter(|piece| piece.station == station).count();
    assert_eq!([count("ramps"), count("ramps that meet a leaning slope"), count("platforms")], [18, 2 * 9, 6]);
    assert_eq!([count("pillars"), count("funnels"), count("stairs"), count("bumps")], [30, 2 + 3 + 4, 4 * 11 + 2, 15]);
    assert_eq!([count("stairs that are too narrow"), count("crouch gate"), count("conveyor")], [11, 1, 1]);
    assert_eq!([count("zigzag wall"), count("half cylinder"), count("acute wedge")], [1, 1, 1]);
    for rate in RATES {
        let paths = walk::walk(&course, rate).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(paths.len(), 1 + 3, "a path, and one for each funnel");
        let length: f64 = paths[0].windows(2).map(|ends| ends[0].distance(ends[1])).sum();
        assert!(length > 500.0, "{rate} Hz: {length}");
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
