//! Scenes in which other controllers fail, with the numbers of their reports. The character passes each case, and a
//! naive slide fails it.

use crate::character::jolt::{Actor, FEET};
use crate::common::Random;
use hitscan::glam::{DAffine3, DQuat, DVec3, Vec3};
use hitscan::prelude::*;
use hitscan::{Cylinder, HeightField};
use hitscan_random::effort;

const GRAVITY: f64 = 9.81;

/// A controller that walks.
trait Walker {
    fn step(&mut self, scene: &Scene<u32>, wanted: DVec3, jump: f64);
    fn feet(&self) -> DVec3;
    fn is_grounded(&self) -> bool;
}

impl Walker for Actor {
    fn step(&mut self, scene: &Scene<u32>, wanted: DVec3, jump: f64) {
        Actor::step(self, scene, wanted, jump);
    }

    fn feet(&self) -> DVec3 {
        Actor::feet(self)
    }

    fn is_grounded(&self) -> bool {
        self.state.is_grounded()
    }
}

/// The naive controller. It sweeps, stops at the hit, and slides along it.
struct Naive {
    volume: Volume,
    position: DVec3,
    fall: f64,
    is_grounded: bool,
    dt: f64,
}

impl Walker for Naive {
    fn step(&mut self, scene: &Scene<u32>, wanted: DVec3, jump: f64) {
        self.fall = if self.is_grounded { jump } else { self.fall } - GRAVITY * self.dt;
        let mut motion = (wanted + DVec3::Y * self.fall) * self.dt;
        self.is_grounded = false;
        for _ in 0..4 {
            let Some(hit) = scene.sweep(&self.volume, self.position, motion) else {
                self.position += motion;
                break;
            };
            self.position += motion * f64::from(hit.t);
            let normal = hit.normal.as_dvec3();
            motion *= 1.0 - f64::from(hit.t);
            motion -= normal * motion.dot(normal);
            self.is_grounded |= normal.y > 0.64;
        }
    }

    fn feet(&self) -> DVec3 {
        self.position - DVec3::Y * FEET
    }

    fn is_grounded(&self) -> bool {
        self.is_grounded
    }
}

/// A test case, which returns a description of the failure.
type Case = fn(&mut dyn Walker, f64) -> Result<(), String>;

fn check(name: &str, start: DVec3, dt: f64, case: Case) {
    let mut actor = Actor::at(start, dt);
    (actor.hero.step_up, actor.hero.step_down) = (0.4, 0.4);
    case(&mut actor, dt).unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
    let volume = actor.hero.volume.clone();
    let mut naive = Naive { volume, position: start + DVec3::Y * FEET, fall: 0.0, is_grounded: false, dt };
    assert!(case(&mut naive, dt).is_err(), "{name} passes with a naive slide, so it shows nothing");
}

fn ensure(is_so: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if is_so { Ok(()) } else { Err(what()) }
}

fn floor() -> Scene<u32> {
    let mut scene = Scene::new();
    scene.insert(0, Aabb::new([-100.0, -1.0, -100.0], [100.0, 0.0, 100.0]), DVec3::ZERO).unwrap();
    scene
}

fn land(walker: &mut dyn Walker, scene: &Scene<u32>) {
    for _ in 0..30 {
        walker.step(scene, DVec3::ZERO, 0.0);
    }
}

/// Checks that every step follows the desired velocity in length and direction, and stays on the ground.
fn walks_evenly(
    walker: &mut dyn Walker,
    scene: &Scene<u32>,
    wanted: DVec3,
    (steps, dt): (u32, f64),
) -> Result<(), String> {
    for step in 0..steps {
        let before = walker.feet();
        walker.step(scene, wanted, 0.0);
        let way = walker.feet() - before;
        ensure((way - wanted * dt).length() < 1e-9, || format!("step {step} from {before} is {way}"))?;
        ensure(walker.is_grounded(), || format!("off the ground in step {step} at {}", walker.feet()))?;
    }
    Ok(())
}

/// rapier#809: on a flat floor the character jitters and jumps. Radius 0.35, height 2.2, offset 0.01, 9 u/s, dt 1/30, gravity 30.
#[test]
fn the_height_on_a_flat_floor_is_constant_to_the_bit() {
    let mut scene = Scene::new();
    scene.insert(0, Aabb::new([-7.5, -0.1, -7.5], [7.5, 0.0, 7.5]), DVec3::ZERO).unwrap();
    let mut hero = Character::new(Capsule::new(0.35, 2.2)).unwrap();
    hero.skin = 0.01;
    let mut state = CharacterState::<u32>::new([0.0, 1.3, 0.0]);
    let dt = 1.0 / 30.0;
    let mut fall = 0.0;
    let mut height = None;
    let steps = effort::size(10_000, 100_000, 1_000_000) as u32;
    for step in 0..steps {
        fall = if state.is_grounded() { 0.0 } else { fall - 30.0 * dt };
        let turn = f64::from(step) * 0.11;
        let velocity = DVec3::new(9.0 * turn.cos(), fall - 30.0 * dt, 9.0 * turn.sin());
        let moved = hero.move_and_slide(&scene, &mut state, velocity, dt);
        if height.is_some() || moved.ground.is_some() {
            assert!(moved.ground.is_some(), "{step}: in the air at {}", state.position);
            let rest = *height.get_or_insert(state.position.y);
            assert_eq!(state.position.y.to_bits(), f64::to_bits(rest), "{step}: {}", state.position);
        }
    }
    assert!((height.unwrap() - 1.11).abs() < 1e-6);
}

/// rapier#488: on a platform that goes up and down, the character dips into it and falls through.
#[test]
fn a_vertical_platform_is_not_fallen_through() {
    check("rapier#488", DVec3::new(0.0, 0.1, 0.0), 1.0 / 60.0, |walker, dt| {
        let mut scene = Scene::new();
        scene.insert(0, Aabb::new([-2.0, -0.2, -2.0], [2.0, 0.0, 2.0]), DVec3::ZERO).unwrap();
        land(walker, &scene);
        let rest = walker.feet().y;
        for step in 0..600 {
            let height = 3.0 * (f64::from(step) * dt * 2.0).sin();
            scene.set_transform(&0, DVec3::Y * height).unwrap();
            walker.step(&scene, DVec3::ZERO, 0.0);
            let gap = walker.feet().y - height;
            ensure((gap - rest).abs() < 1e-9, || format!("step {step}: {gap} above the platform"))?;
        }
        Ok(())
    });
}

/// rapier#418: the offset to the surface along the path is not kept.
#[test]
fn the_skin_is_kept() {
    let mut scene = floor();
    scene.insert(1, Aabb::new([-50.0, 0.0, 1.0], [50.0, 4.0, 2.0]), DVec3::ZERO).unwrap();
    scene.insert(2, Cylinder::new(0.5, 4.0), DVec3::new(3.0, 0.0, -3.0)).unwrap();
    let mut actor = Actor::at(DVec3::new(0.0, 0.1, 0.0), 1.0 / 60.0);
    let mut random = Random(3);
    for step in 0..3000 {
        let v = random.cube() * 6.0;
        actor.step(&scene, DVec3::new(v.x, 0.0, v.z + 3.0), 0.0);
        let nearly = Capsule::new(0.3 + 0.998 * actor.hero.skin as f32, 1.95 + 1.996 * actor.hero.skin as f32);
        assert!(!scene.overlaps(nearly, actor.state.position), "step {step} at {}", actor.feet());
    }
}

/// rapier#182: a capsule sinks in at the seam of two height fields.
#[test]
fn the_seam_of_two_height_fields_is_no_gap() {
    check("rapier#182", DVec3::new(-6.0, 0.1, 0.2), 1.0 / 60.0, |walker, dt| {
        let mut scene = Scene::new();
        for (id, x) in [(0, -8.0), (1, 0.0)] {
            let field = HeightField::new(9, 9, [1.0, 1.0], &[0.0; 81]).unwrap();
            scene.insert(id, field, DVec3::new(x, 0.0, -4.0)).unwrap();
        }
        land(walker, &scene);
        walks_evenly(walker, &scene, DVec3::new(5.0, 0.0, 0.3), (120, dt))
    });
}

fn slope(degrees: f64) -> Scene<u32> {
    let mut scene = floor();
    let place =
        DAffine3::from_rotation_translation(DQuat::from_rotation_z(degrees.to_radians()), DVec3::new(1.0, 0.0, 0.0));
    scene.insert(1, Aabb::new([-50.0, -1.0, -50.0], [50.0, 0.0, 50.0]), place).unwrap();
    scene
}

/// rapier.js#274: the limit of slopes is ignored, and all slopes below 90 degrees are climbed.
#[test]
fn a_steep_slope_is_not_climbed() {
    check("rapier.js#274", DVec3::new(-3.0, 0.1, 0.0), 1.0 / 60.0, |walker, _| {
        let scene = slope(60.0);
        land(walker, &scene);
        for _ in 0..240 {
            walker.step(&scene, DVec3::new(5.0, 0.0, 1.0), 0.0);
        }
        ensure(walker.feet().y < 0.01, || format!("it climbs to {}", walker.feet()))?;
        ensure((walker.feet().z - 4.0).abs() < 1e-6, || {
            format!("it does not slide along the slope to {}", walker.feet())
        })
    });
}

/// rapier.js#313: the character is slower uphill.
#[test]
fn the_speed_uphill_is_that_on_the_flat() {
    check("rapier.js#313", DVec3::new(3.0, 2.0, 0.0), 1.0 / 60.0, |walker, dt| {
        let scene = slope(30.0);
        land(walker, &scene);
        for step in 0..120 {
            let before = walker.feet();
            walker.step(&scene, DVec3::X * 5.0, 0.0);
            let way = (walker.feet() - before).length();
            ensure((way - 5.0 * dt).abs() < 1e-9, || format!("step {step} is {way}"))?;
        }
        Ok(())
    });
}

/// bevy_rapier#520: a falling character that presses against a wall sticks to the wall.
#[test]
fn a_fall_along_a_wall_is_as_fast_as_a_free_one() {
    check("bevy_rapier#520", DVec3::new(-0.1, 0.0, 0.0), 1.0 / 60.0, |walker, dt| {
        let mut scene = Scene::new();
        scene.insert(0, Aabb::new([0.3, -100.0, -10.0], [1.0, 100.0, 10.0]), DVec3::ZERO).unwrap();
        for _ in 0..60 {
            walker.step(&scene, DVec3::new(3.0, 0.0, 0.0), 0.0);
        }
        let free = 0.5 * GRAVITY * 60.0 * 61.0 * dt * dt;
        ensure((walker.feet().y + free).abs() < 1e-6, || format!("{} instead of {}", walker.feet().y, -free))
    });
}

/// bevy_rapier#630: walking on a floor that moves is choppy.
#[test]
fn walking_on_a_moving_floor_is_even() {
    check("bevy_rapier#630", DVec3::new(0.0, 0.1, 0.0), 1.0 / 60.0, |walker, dt| {
        let mut scene = Scene::new();
        scene.insert(0, Aabb::new([-20.0, -1.0, -20.0], [20.0, 0.0, 20.0]), DVec3::ZERO).unwrap();
        land(walker, &scene);
        for step in 1..120 {
            scene.set_transform(&0, DVec3::new(0.0, 0.0, 4.0 * f64::from(step) * dt)).unwrap();
            let before = walker.feet();
            walker.step(&scene, DVec3::X * 2.0, 0.0);
            let way = walker.feet() - before;
            ensure((way - DVec3::new(2.0, 0.0, 4.0) * dt).length() < 1e-9, || format!("step {step} is {way}"))?;
        }
        Ok(())
    });
}

/// A flat floor of triangles.
fn mesh_floor() -> Scene<u32> {
    let positions: Vec<Vec3> =
        (0..21 * 21).map(|k| Vec3::new((k % 21) as f32 - 10.0, 0.0, (k / 21) as f32 - 10.0)).collect();
    let cell = |k: u32| [k, k + 21, k + 1, k + 1, k + 21, k + 22];
    let indices: Vec<u32> = (0..20 * 21).filter(|k| k % 21 < 20).flat_map(cell).collect();
    let mut scene = Scene::new();
    scene.insert(0, Mesh::new(&positions, &indices).unwrap(), DVec3::ZERO).unwrap();
    scene
}

/// bevy_rapier#377 and avian#705: on a triangle mesh, being on the ground flickers, and the character bounces.
#[test]
fn a_flat_mesh_is_walked_on_evenly() {
    check("bevy_rapier#377", DVec3::new(-8.0, 0.1, -7.0), 1.0 / 60.0, |walker, dt| {
        let scene = mesh_floor();
        land(walker, &scene);
        walks_evenly(walker, &scene, DVec3::new(6.0, 0.0, 5.3), (150, dt))
    });
}

/// Jolt#2122: the contact at the side of a capsule is treated as ground. The capsule has radius 0.3 and height 1.8, and is beside a box mesh of 0.1 x 2 x 1.
#[test]
fn the_side_of_a_thin_box_is_no_ground() {
    check("Jolt#2122", DVec3::new(-0.2, 0.5, 0.0), 1.0 / 60.0, |walker, _| {
        let corner = |k: usize| Vec3::new([0.15, 0.25][k & 1], [0.0, 2.0][k >> 1 & 1], [-0.5, 0.5][k >> 2]);
        let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let indices: Vec<u32> = faces.iter().flat_map(|&[a, b, c, d]| [a, b, c, a, c, d]).collect();
        let mut scene = Scene::new();
        scene.insert(0, Mesh::new(&[0, 1, 2, 3, 4, 5, 6, 7].map(corner), &indices).unwrap(), DVec3::ZERO).unwrap();
        for step in 0..30 {
            let before = walker.feet().y;
            walker.step(&scene, DVec3::X * 2.0, 0.0);
            ensure(!walker.is_grounded() && walker.feet().y < before, || {
                format!("step {step} holds at {}", walker.feet())
            })?;
        }
        Ok(())
    });
}

/// Jolt#2036: steps make the character faster than it wants to be.
#[test]
fn steps_add_no_speed() {
    check("Jolt#2036", DVec3::new(0.0, 0.1, 0.0), 1.0 / 60.0, |walker, dt| {
        let mut scene = floor();
        for step in 0..20u8 {
            let (x, y) = (1.0 + 0.3 * f32::from(step), 0.15 * f32::from(step));
            let tilt = DQuat::from_rotation_x(0.1);
            let place = DAffine3::from_rotation_translation(tilt, DVec3::ZERO);
            scene.insert(1 + u32::from(step), Aabb::new([x, -4.0, -5.0], [9.0, y + 0.15, 5.0]), place).unwrap();
        }
        land(walker, &scene);
        for step in 0..90 {
            let before = walker.feet();
            walker.step(&scene, DVec3::X * 4.0, 0.0);
            let way = walker.feet() - before;
            let lateral = DVec3::new(way.x, 0.0, way.z).length();
            ensure(lateral <= 4.0 * dt + 1e-9 && lateral > 2.0 * dt, || format!("step {step} at {before} is {way}"))?;
        }
        ensure(walker.feet().y > 1.0, || format!("it climbs to {}", walker.feet()))
    });
}

/// Jolt#1988: from a lift that goes down at 3 m/s nobody jumps at 3 m/s.
#[test]
fn a_jump_from_a_falling_lift() {
    check("Jolt#1988", DVec3::new(0.0, 0.1, 0.0), 1.0 / 60.0, |walker, dt| {
        let mut scene = Scene::new();
        scene.insert(0, Aabb::new([-2.0, -0.2, -2.0], [2.0, 0.0, 2.0]), DVec3::ZERO).unwrap();
        land(walker, &scene);
        let mut height = 0.0;
        for step in 0..20 {
            height -= 3.0 * dt;
            scene.set_transform(&0, DVec3::Y * height).unwrap();
            walker.step(&scene, DVec3::ZERO, if step == 10 { 3.0 } else { 0.0 });
            ensure(walker.is_grounded() == (step < 10), || format!("step {step} at {}", walker.feet()))?;
        }
        ensure(walker.feet().y - height > 0.2, || format!("{} above", walker.feet().y - height))
    });
}

/// Jolt#1514: on a platform that goes down and sideways the character jitters.
#[test]
fn a_platform_down_and_sideways_is_smooth() {
    check("Jolt#1514", DVec3::new(0.0, 0.1, 0.0), 1.0 / 60.0, |walker, dt| {
        let mut scene = Scene::new();
        scene.insert(0, Aabb::new([-2.0, -0.2, -2.0], [2.0, 0.0, 2.0]), DVec3::ZERO).unwrap();
        land(walker, &scene);
        let rest = walker.feet();
        for step in 1..240 {
            let place = DVec3::new(2.0, -1.5, 0.7) * (f64::from(step) * dt);
            scene.set_transform(&0, place).unwrap();
            walker.step(&scene, DVec3::ZERO, 0.0);
            let apart = walker.feet() - place;
            ensure((apart - rest).length() < 1e-9, || format!("step {step}: {apart} instead of {rest}"))?;
        }
        Ok(())
    });
}

/// Jolt#940: in a corner of a mesh the character is flung away. Godot#32182: it jitters there.
#[test]
fn a_corner_holds_still() {
    check("Jolt#940, Godot#32182", DVec3::new(-1.0, 0.1, -1.0), 1.0 / 60.0, |walker, dt| {
        let [low, high] = [-9.0f32, 3.0];
        let positions = [
            [-9.0, 0.0, -9.0],
            [0.0, 0.0, -9.0],
            [0.0, 0.0, 0.0],
            [-9.0, 0.0, 0.0],
            [0.0, high, low],
            [0.0, high, 0.0],
            [low, high, 0.0],
        ];
        let indices = [0, 2, 1, 0, 3, 2, 1, 2, 4, 4, 2, 5, 2, 3, 5, 5, 3, 6];
        let mut scene = Scene::new();
        scene.insert(0, Mesh::new(&positions, &indices).unwrap(), DVec3::ZERO).unwrap();
        land(walker, &scene);
        let mut last = walker.feet();
        for step in 0..240 {
            let turn = f64::from(step) * 0.005;
            last = walker.feet();
            walker.step(&scene, DVec3::new(4.0 * turn.cos(), 0.0, 4.0 * turn.sin()), 0.0);
            ensure((walker.feet() - last).length() <= 4.0 * dt + 1e-6, || {
                format!("step {step} from {last} to {}", walker.feet())
            })?;
            ensure(walker.is_grounded(), || format!("step {step}: off the ground"))?;
        }
        ensure(walker.feet() == last, || format!("{last} and {} in the corner", walker.feet()))?;
        ensure(last.x.max(last.z) > -0.32, || format!("{last} is not the corner"))
    });
}

/// PhysX#545: a step of 0.8 is climbed with a step height of 0.45, as a triangle's normal is 1e-8 off.
#[test]
fn a_step_that_is_too_high_is_not_climbed() {
    let mut scene = floor();
    // The wall leans by 1e-8.
    let positions = [
        [1.0, 0.0, -5.0],
        [1.0, 0.0, 5.0],
        [1.0 + 8e-8, 0.8, -5.0],
        [1.0 + 8e-8, 0.8, 5.0],
        [9.0, 0.8, -5.0],
        [9.0, 0.8, 5.0],
    ];
    let mesh = Mesh::new(&positions, &[0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5]).unwrap();
    scene.insert(1, mesh, DVec3::ZERO).unwrap();
    for rate in [30.0, 60.0, 144.0] {
        let mut actor = Actor::at(DVec3::new(0.0, 0.1, 0.0), 1.0 / rate);
        actor.hero.step_up = 0.45;
        for _ in 0..3 * rate as u32 {
            actor.step(&scene, DVec3::new(5.0, 0.0, 0.4), 0.0);
        }
        assert!(actor.feet().y < 0.01 && actor.feet().x < 0.7, "{} with {rate} Hz", actor.feet());
    }
}

/// Godot#85971: the character sticks when it walks along a wall.
#[test]
fn walking_along_a_wall_is_even() {
    check("Godot#85971", DVec3::new(-8.0, 0.1, 0.0), 1.0 / 60.0, |walker, dt| {
        let mut scene = floor();
        for k in 0..20u8 {
            let x = f32::from(k) - 10.0;
            scene.insert(1 + u32::from(k), Aabb::new([x, 0.0, 0.5], [x + 1.0, 3.0, 1.0]), DVec3::ZERO).unwrap();
        }
        land(walker, &scene);
        for _ in 0..30 {
            walker.step(&scene, DVec3::Z * 3.0, 0.0);
        }
        for step in 0..150 {
            let before = walker.feet();
            walker.step(&scene, DVec3::new(5.0, 0.0, 2.0), 0.0);
            let way = walker.feet() - before;
            ensure((way - DVec3::X * 5.0 * dt).length() < 1e-9, || format!("step {step} from {before} is {way}"))?;
        }
        Ok(())
    });
}

/// godot-jolt#952: at the seams between bodies of one flat floor the character is thrown off.
#[test]
fn a_floor_of_boxes_is_walked_on_evenly() {
    check("godot-jolt#952", DVec3::new(-8.0, 0.1, -7.0), 1.0 / 60.0, |walker, dt| {
        let mut scene = Scene::new();
        for i in 0..20u8 {
            for j in 0..20u8 {
                let at = DVec3::new(f64::from(i) - 10.0, 0.0, f64::from(j) - 10.0);
                scene
                    .insert(u32::from(i) * 20 + u32::from(j), Aabb::new([0.0, -0.5, 0.0], [1.0, 0.0, 1.0]), at)
                    .unwrap();
            }
        }
        land(walker, &scene);
        walks_evenly(walker, &scene, DVec3::new(6.0, 0.0, 5.3), (150, dt))
    });
}
