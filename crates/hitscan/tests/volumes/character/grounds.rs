//! Slopes and steps of each kind of geometry, under each volume, at each rate. The correct result is the same on all kinds of geometry.

use super::volumes::{VOLUMES, volume};
use crate::common::{Random, grid_cube};
use hitscan::glam::{DQuat, DVec3, Vec3};
use hitscan::prelude::*;
use hitscan::{Compound, ConvexHull, Geometry, HeightField};
use hitscan_random::effort;

const RATES: [f64; 6] = [30.0, 60.0, 90.0, 144.0, 360.0, 1000.0];
const GRAVITY: f64 = 9.81;
/// The speed of a walk.
const SPEED: f64 = 3.0;

/// The kinds of slopes. They are a box, a mesh and a hull that are rotated as entities, a mesh and a hull with rotated vertices, a height field, and two boxes
/// next to each other.
const SLOPES: usize = 7;

/// Returns a plane through the origin that rises along +x by an angle.
fn slope(kind: usize, angle: f64) -> Scene<u32> {
    let turn = DQuat::from_rotation_z(angle);
    let turned = |p: &Vec3| (turn * p.as_dvec3()).as_vec3();
    let slab = |from: f32, to: f32| Aabb::new([from, -1.0, -10.0], [to, 0.0, 10.0]);
    let (grid, cells) = grid(9, 2.5);
    let corners: Vec<Vec3> = (0..8).map(|i| corner(i, [-10.0, -1.0, -10.0], [10.0, 0.0, 10.0])).collect();
    let mut scene = Scene::new();
    let geometry: Geometry = match kind {
        0 => slab(-10.0, 10.0).into(),
        1 => Mesh::new(&grid, &cells).unwrap().into(),
        2 => Mesh::new(&grid.iter().map(turned).collect::<Vec<_>>(), &cells).unwrap().into(),
        3 => ConvexHull::new(&corners).unwrap().into(),
        4 => ConvexHull::new(&corners.iter().map(turned).collect::<Vec<_>>()).unwrap().into(),
        5 => {
            let heights: Vec<f32> = grid.iter().map(|p| (f64::from(p.x) * angle.tan()) as f32).collect();
            let place = DVec3::new(-10.0, 0.0, -10.0);
            Compound::new([(HeightField::new(9, 9, [2.5; 2], &heights).unwrap().into(), place.into())]).unwrap().into()
        }
        _ => Compound::new([slab(-10.0, 0.3), slab(0.3, 10.0)].map(|half| (half.into(), DVec3::ZERO.into())))
            .unwrap()
            .into(),
    };
    let is_turned = [2, 4, 5].contains(&kind);
    scene.insert(0, geometry, (DVec3::ZERO, if is_turned { DQuat::IDENTITY } else { turn })).unwrap();
    scene
}

fn corner(i: usize, low: [f32; 3], high: [f32; 3]) -> Vec3 {
    Vec3::from_array([0, 1, 2].map(|axis| if i >> axis & 1 == 0 { low[axis] } else { high[axis] }))
}

/// Returns the vertices of a level grid around the origin, row after row along z, and its triangles, which face up.
fn grid(count: u16, cell: f32) -> (Vec<Vec3>, Vec<u32>) {
    let at = |i: u16| (f32::from(i) - f32::from(count / 2)) * cell;
    let vertices = (0..count).flat_map(|row| (0..count).map(move |column| Vec3::new(at(column), 0.0, at(row))));
    let count = u32::from(count);
    let cells = (0..count - 1).flat_map(|row| (0..count - 1).map(move |column| row * count + column));
    let sides = cells.flat_map(|a| [a, a + count, a + 1, a + 1, a + count, a + count + 1]);
    (vertices.collect(), sides.collect())
}

/// Returns whether an entity is nearer than a fraction of the skin.
fn is_within(scene: &Scene<u32>, hero: &Character, state: &CharacterState<u32>, part: f64) -> bool {
    scene.overlaps(hero.volume.clone().with_margin((part * hero.skin) as f32), state.pose())
}

/// Falls onto ground with a horizontal velocity. The gap equals the skin to a thousandth from the first frame on.
fn land(
    scene: &Scene<u32>,
    hero: &Character,
    (from, across): (DVec3, DVec3),
    rate: f64,
    what: &str,
) -> CharacterState<u32> {
    let mut state = CharacterState::new(from);
    let mut velocity = across;
    for _ in 0..(2.0 * rate) as usize {
        velocity = DVec3::new(across.x, velocity.y - GRAVITY / rate, across.z);
        velocity = hero.move_and_slide(scene, &mut state, velocity, 1.0 / rate).velocity;
        if state.is_grounded() {
            assert!(
                is_within(scene, hero, &state, 1.002) && !is_within(scene, hero, &state, 0.998),
                "{what}: {state:?}"
            );
            return state;
        }
    }
    panic!("{what}: it does not land: {state:?}");
}

#[test]
fn slopes_of_every_kind_are_one_to_walk_on() {
    let (seed, cases) = (effort::seed(1), effort::size(100, 400, 100_000));
    for case in 0..cases {
        let mut random = Random(seed * 9_000_011 + case as u64);
        let (kind, number, angle) = (case % SLOPES, case / SLOPES % VOLUMES, (45.0 * random.fraction()).to_radians());
        let rate = random.pick(&RATES);
        let mut hero = Character::new(volume(number)).unwrap();
        hero.keeps_speed_on_slopes = random.below(2) == 0;
        let heading = DQuat::from_rotation_y(core::f64::consts::TAU * random.fraction()) * DVec3::X;
        let what = format!(
            "seed {seed}, case {case}: slope {kind} of {} degrees, volume {number}, at {rate} Hz along {heading}, {}",
            angle.to_degrees(),
            hero.keeps_speed_on_slopes
        );
        let scene = slope(kind, angle);
        let from = DVec3::new(random.unit(), 3.5, random.unit());
        let across = heading * SPEED * random.unit();
        let mut state = land(&scene, &hero, (from, across), rate, &what);

        // A character whose velocity is fed back walks at one speed.
        let (start, mut velocity) = (state.position, heading * SPEED);
        let frames = (0.5 * rate) as usize;
        for frame in 0..frames {
            velocity =
                hero.move_and_slide(&scene, &mut state, velocity - DVec3::Y * GRAVITY / rate, 1.0 / rate).velocity;
            assert!(state.is_grounded(), "{what}, frame {frame}: {state:?}");
        }
        assert!((velocity - heading * SPEED).length() < 1e-6, "{what}: {velocity}");
        let gradient = angle.tan() * heading.x;
        let level = if hero.keeps_speed_on_slopes { SPEED / gradient.hypot(1.0) } else { SPEED };
        let (way, wanted) = ((state.position - start).dot(heading), level * frames as f64 / rate);
        assert!((way - wanted).abs() < 1e-2, "{what}: {way} rather than {wanted}");

        // If the upward part of the velocity is below the rise of the ground, the character walks; if it is above, it jumps.
        let rise = DVec3::Y * SPEED * f64::max(gradient, 0.0);
        for part in [1e-300, 1e-9, 0.5, 0.99] {
            let mut walking = state;
            let moved = hero.move_and_slide(&scene, &mut walking, heading * SPEED + rise * part, 1.0 / rate);
            assert!(walking.is_grounded(), "{what}, {part} of the rise: {moved:?}");
            assert!(moved.motion.dot(heading) * rate > level - 1e-2, "{what}, {part} of the rise: {moved:?}");
        }
        let moved = hero.move_and_slide(&scene, &mut state, heading * SPEED + rise + DVec3::Y, 1.0 / rate);
        assert!(moved.ground.is_none() && (moved.velocity.y - rise.y - 1.0).abs() < 1e-9, "{what}: {moved:?}");
    }
}

/// The kinds of steps: a box, a closed mesh, a hull, two boxes side by side, and a tread and a riser alone.
const STEPS: usize = 5;

/// Returns a floor with a step up along +x, whose edge is at a place.
fn step(kind: usize, at: f32, height: f32) -> Scene<u32> {
    let (low, high) = ([at, 0.0, -9.0], [at + 9.0, height, 9.0]);
    let corners: Vec<Vec3> = (0..8).map(|i| corner(i, low, high)).collect();
    let part = |from: f32, to: f32| (Aabb::new([at, 0.0, from], [at + 9.0, height, to]).into(), DVec3::ZERO.into());
    let geometry: Geometry = match kind {
        0 => Aabb::new(low, high).into(),
        1 => {
            let (middle, half) =
                (Vec3::from(low).midpoint(Vec3::from(high)), (Vec3::from(high) - Vec3::from(low)) * 0.5);
            grid_cube(4).map(|p| middle + p * half).mesh().into()
        }
        2 => ConvexHull::new(&corners).unwrap().into(),
        3 => Compound::new([part(-9.0, 0.1), part(0.1, 9.0)]).unwrap().into(),
        _ => Mesh::new(&corners, &[2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6]).unwrap().into(),
    };
    let mut scene = Scene::new();
    scene.insert(0, Aabb::new([-50.0, -1.0, -50.0], [50.0, 0.0, 50.0]), DVec3::ZERO).unwrap();
    scene.insert(1, geometry, DVec3::ZERO).unwrap();
    scene
}

#[test]
fn steps_of_every_kind_obey_step_up() {
    let (seed, cases) = (effort::seed(1), effort::size(15, 90, 20_000));
    for case in 0..cases {
        let mut random = Random(seed * 11_000_027 + case as u64);
        let (kind, number) = (case % STEPS, case / STEPS % VOLUMES);
        let (speed, rate) = (random.pick(&[0.1, 0.5, 1.5, 8.0]), random.pick(&RATES));
        let mut hero = Character::new(volume(number)).unwrap();
        let low = [0.01, 0.02, 0.05, 0.08][random.below(4)];
        let high = (hero.step_up * (0.5 + 0.49 * random.fraction())) as f32;
        let frames = (1.3 / speed * rate) as usize;
        for (height, step_up) in [(low, 0.0), (high, hero.step_up), ((1.1 * hero.step_up) as f32, hero.step_up)] {
            hero.step_up = step_up;
            let what = format!(
                "seed {seed}, case {case}: step {kind} of {height}, step_up {step_up}, volume {number}, {speed} at {rate} Hz"
            );
            let scene = step(kind, 0.6, height);
            let mut state = land(&scene, &hero, (DVec3::new(0.0, 1.2, 0.0), DVec3::ZERO), rate, &what);
            let rest = state.position.y;
            for frame in 0..frames {
                hero.move_and_slide(&scene, &mut state, [speed, -1.0, 0.0], 1.0 / rate);
                assert!(state.is_grounded(), "{what}, frame {frame}: {state:?}");
            }
            let (rise, wanted) =
                (state.position.y - rest, if f64::from(height) > step_up { 0.0 } else { f64::from(height) });
            assert!((rise - wanted).abs() < 2.0 * hero.skin, "{what}: {rise} rather than {wanted}, {state:?}");
        }
    }
}
