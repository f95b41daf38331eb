//! Shipped games feed velocities back, reset characters, crush them, crowd them and have slow frames. Each case here was a fault.

use hitscan::glam::{DQuat, DVec3, Vec3};
use hitscan::prelude::*;
use hitscan::{ConvexHull, Cylinder, Moved};

type State = CharacterState<u32>;

const DT: f64 = 1.0 / 60.0;
const GRAVITY: f64 = 9.81;

fn hero() -> Character {
    Character::new(Capsule::new(0.3, 1.8)).unwrap()
}

fn volumes() -> [Volume; 5] {
    [
        Capsule::new(0.3, 1.8).into(),
        Sphere::new(0.9).into(),
        Cylinder::new(0.3, 1.8).into(),
        Aabb::new([-0.3, -0.9, -0.3], [0.3, 0.9, 0.3]).into(),
        Volume::from(Capsule::new(0.25, 1.7)).with_margin(0.05),
    ]
}

fn floor() -> Scene<u32> {
    let mut scene = Scene::new();
    scene.insert(0, Aabb::new([-50.0, -1.0, -50.0], [50.0, 0.0, 50.0]), DVec3::ZERO).unwrap();
    scene
}

fn slope(degrees: f64) -> (Scene<u32>, DQuat) {
    let turn = DQuat::from_rotation_z(degrees.to_radians());
    let mut scene = Scene::new();
    scene.insert(0, Aabb::new([-50.0, -1.0, -50.0], [50.0, 0.0, 50.0]), (DVec3::ZERO, turn)).unwrap();
    (scene, turn)
}

/// Puts a character on the ground near a place.
fn landed(scene: &Scene<u32>, hero: &Character, place: DVec3) -> State {
    let mut state = State::new(place);
    for _ in 0..12 {
        hero.move_and_slide(scene, &mut state, [0.0, -5.0, 0.0], DT);
    }
    assert!(state.is_grounded(), "{state:?}");
    state
}

fn on_slope(degrees: f64, volume: Volume) -> (Scene<u32>, Character, State) {
    let (scene, turn) = slope(degrees);
    let hero = Character::new(volume).unwrap();
    let mut state = State::new(DVec3::new(0.0, 3.0, 0.0));
    for _ in 0..60 {
        hero.move_and_slide(&scene, &mut state, [0.0, -3.0, 0.0], DT);
    }
    assert!(state.is_grounded(), "{turn:?} {state:?}");
    (scene, hero, state)
}

fn deepest(scene: &Scene<u32>, hero: &Character, state: &State) -> f64 {
    let mut inside = Vec::new();
    scene.penetration_all(&hero.volume, state.pose(), &mut inside);
    inside.iter().fold(0.0, |most: f64, way| most.max(f64::from(way.depth)))
}

#[test]
fn an_upward_part_below_the_rise_of_the_ground_walks() {
    for volume in volumes() {
        for degrees in [5.0, 20.0, 45.0] {
            let (scene, hero, state) = on_slope(degrees, volume.clone());
            let level = degrees.to_radians().cos() * 5.0;
            for rise in [0.0, 1e-300, 1e-9, 1e-3, -GRAVITY * DT] {
                let mut state = state;
                let moved = hero.move_and_slide(&scene, &mut state, [5.0, rise, 0.0], DT);
                assert!(
                    (moved.motion.x / DT - level).abs() < 1e-2,
                    "{volume:?} {degrees} {rise:e}: {:?}",
                    moved.motion / DT
                );
                assert!(state.is_grounded());
            }
            let mut state = state;
            let along = 5.0 * degrees.to_radians().tan();
            let moved = hero.move_and_slide(&scene, &mut state, [5.0, 0.99 * along, 0.0], DT);
            assert!(moved.motion.x > level * DT && moved.ground.is_some(), "{moved:?}");
            // Downhill and across the slope, the character walks too. A velocity that leads away from the slope is a
            // jump.
            let mut down = state;
            hero.move_and_slide(&scene, &mut down, [-5.0, 1e-9, 0.0], DT);
            assert!(down.is_grounded());
            let moved = hero.move_and_slide(&scene, &mut state, [5.0, along + 1.0, 0.0], DT);
            assert!(moved.ground.is_none() && (moved.velocity.y - along - 1.0).abs() < 1e-9, "{moved:?}");
        }
    }
}

#[test]
fn a_velocity_along_a_slope_slides() {
    let (scene, hero, state) = on_slope(45.0, Capsule::new(0.3, 1.8).into());
    let mut walking = state;
    let moved = hero.move_and_slide(&scene, &mut walking, [5.0, 4.0, 0.0], DT);
    assert!((moved.motion / DT - DVec3::new(4.5, 4.5, 0.0)).length() < 1e-3, "{:?}", moved.motion / DT);
    assert!(walking.is_grounded());
    // The same velocity is a jump after `leave_ground`: no ground holds the character until it falls.
    let mut jumping = state;
    jumping.leave_ground();
    let mut velocity = DVec3::new(5.0, 4.0, 0.0);
    let mut frames = 0;
    while velocity.y > 0.0 {
        velocity = hero.move_and_slide(&scene, &mut jumping, velocity, DT).velocity;
        assert!(!jumping.is_grounded() && velocity.y <= 4.0, "{velocity}");
        velocity.y -= GRAVITY * DT;
        frames += 1;
    }
    assert!(frames > 20, "{frames}");
    for _ in 0..90 {
        velocity = hero.move_and_slide(&scene, &mut jumping, velocity - DVec3::Y * GRAVITY * DT, DT).velocity;
    }
    assert!(jumping.is_grounded());
}

#[test]
fn what_comes_from_the_air_onto_a_slope_stands_there() {
    let (scene, turn) = slope(20.0);
    let mut state = State::new(DVec3::new(0.0, 0.6, 0.0) + turn * DVec3::new(0.0, 0.303, 0.0));
    let moved = hero().move_and_slide(&scene, &mut state, [5.0, 1.0, 0.0], DT);
    // The slide along the slope is 5 cos 20 + sin 20 = 5.0405 long, of which 4.7365 are across.
    assert!(state.is_grounded() && (moved.motion.x / DT - 4.7365).abs() < 1e-3, "{moved:?}");
}

#[test]
fn a_velocity_can_be_fed_back_on_every_slope() {
    for volume in volumes() {
        for degrees in [-40.0, -20.0, -5.0, 0.0, 5.0, 20.0, 40.0] {
            let (scene, hero, mut state) = on_slope(degrees, volume.clone());
            let (start, mut velocity) = (state.position, DVec3::X * 3.0);
            for frame in 0..120 {
                velocity = hero.move_and_slide(&scene, &mut state, velocity - DVec3::Y * GRAVITY * DT, DT).velocity;
                assert!(state.is_grounded(), "{volume:?} {degrees} {frame}");
            }
            let level = 6.0 * degrees.to_radians().cos();
            assert!(
                ((state.position - start).x - level).abs() < 1e-2,
                "{volume:?} {degrees}: {}",
                state.position - start
            );
            assert!((velocity - DVec3::X * 3.0).length() < 1e-6, "{velocity}");
        }
    }
}

#[test]
fn ground_at_the_end_is_ground_at_the_end() {
    let mut scene = Scene::new();
    scene.insert(0, Aabb::new([-50.0, -1.0, -50.0], [0.0, 0.0, 50.0]), DVec3::ZERO).unwrap();
    let mut state = State::new([-1.0, 0.95, 0.0]);
    let moved = hero().move_and_slide(&scene, &mut state, [60.0, -5.0, 0.0], 0.1);
    assert!(moved.ground.is_none() && !state.is_grounded(), "{moved:?}");
    assert_eq!(moved.velocity, DVec3::X * 60.0);
    // The ground point is the point below if the floor continues there.
    let mut state = State::new([-40.0, 0.95, 0.0]);
    let moved = hero().move_and_slide(&scene, &mut state, [60.0, -5.0, 0.0], 0.1);
    let ground = moved.ground.unwrap();
    assert!((ground.point - DVec3::new(state.position.x, 0.0, 0.0)).length() < 1e-6, "{ground:?} {state:?}");
    // The gap equals the skin on landing, for frames of any length.
    for rate in [30.0, 60.0, 144.0, 1000.0] {
        let (mut state, mut fall) = (State::new([-20.0, 2.0, 0.0]), 0.0);
        while !state.is_grounded() {
            fall -= GRAVITY / rate;
            fall = hero().move_and_slide(&scene, &mut state, [4.0, fall, 0.0], 1.0 / rate).velocity.y;
        }
        assert!((state.position.y - 0.9 - hero().skin).abs() <= 1.01e-3 * hero().skin, "{rate}: {state:?}");
    }
}

#[test]
fn a_written_position_is_kept() {
    let (scene, hero) = (floor(), hero());
    let mut state = landed(&scene, &hero, DVec3::new(20.0, 0.91, 0.0));
    state.position.x = 30.0;
    let moved = hero.move_and_slide(&scene, &mut state, [3.0, -1.0, 0.0], DT);
    assert!((state.position.x - 30.05).abs() < 1e-9 && moved.ground_velocity == DVec3::ZERO, "{moved:?}");
    assert_eq!(moved.motion.x, 3.0 * DT);
    // The motion of the ground still carries the character.
    let mut scene = floor();
    scene.set_transform(&0, DVec3::X * 0.5).unwrap();
    state.position.x = 10.0;
    let moved = hero.move_and_slide(&scene, &mut state, DVec3::ZERO, DT);
    assert!((state.position.x - 10.5).abs() < 1e-9 && (moved.ground_velocity.x - 30.0).abs() < 1e-6, "{moved:?}");
    scene.set_transform(&0, DVec3::X * 1.0).unwrap();
    state.teleport([-10.0, 0.91, 0.0]);
    let moved = hero.move_and_slide(&scene, &mut state, [0.0, -1.0, 0.0], DT);
    assert!(state.position.x == -10.0 && moved.ground_velocity == DVec3::ZERO && state.is_grounded());
}

#[test]
fn a_platform_that_was_placed_drags_nobody() {
    let hero = hero();
    let mut scene = floor();
    scene.insert(1, Aabb::new([-2.0, 0.0, -2.0], [2.0, 0.2, 2.0]), DVec3::ZERO).unwrap();
    let mut state = landed(&scene, &hero, DVec3::new(0.0, 1.11, 0.0));
    assert_eq!(state.ground(), Some(&1));
    scene.set_transform(&1, DVec3::X * 30.0).unwrap();
    state.ground_was_placed();
    let moved = hero.move_and_slide(&scene, &mut state, DVec3::ZERO, DT);
    assert!(moved.ground_velocity == DVec3::ZERO && state.position.x == 0.0, "{moved:?}");
}

#[test]
fn a_solid_that_appears_around_it_is_left() {
    for volume in volumes() {
        let hero = Character::new(volume).unwrap();
        for x in [0.0, 0.1, 0.5, 0.501, -0.3] {
            let mut scene = floor();
            let mut state = landed(&scene, &hero, DVec3::new(x, 0.95, 0.0));
            scene.insert(1, Aabb::new([-0.5; 3], [0.5; 3]), DVec3::new(0.0, 0.9, 0.0)).unwrap();
            let moved = hero.move_and_slide(&scene, &mut state, DVec3::ZERO, DT);
            assert!(moved.crushed.is_empty() && deepest(&scene, &hero, &state) < 1e-5, "{hero:?} {x}: {moved:?}");
            assert!(moved.contacts.iter().any(|contact| contact.id == 1 && contact.depth > 0.1), "{moved:?}");
            let before = state.position;
            let away = (before * DVec3::new(1.0, 0.0, 1.0)).normalize_or(DVec3::X) * 3.0 - DVec3::Y;
            hero.move_and_slide(&scene, &mut state, away, DT);
            assert!((state.position - before).length() > 0.9 * 3.0 * DT, "{hero:?} {x}: {before}");
        }
    }
}

#[test]
fn pistons_of_every_speed_push() {
    for speed in [1.0, 5.0, 17.0, 20.0, 40.0] {
        let mut scene = floor();
        scene.insert(1, Aabb::new([-4.0, 0.0, -1.0], [0.0, 2.0, 1.0]), DVec3::X * -1.0).unwrap();
        let mut state = landed(&scene, &hero(), DVec3::new(0.0, 0.91, 0.0));
        let mut front = -1.0;
        while front < 1.0 {
            front = f64::min(front + speed * DT, 1.0);
            scene.set_transform(&1, DVec3::X * front).unwrap();
            hero().move_and_slide(&scene, &mut state, [0.0, -1.0, 0.0], DT);
        }
        assert!((state.position.x - 1.303).abs() < 1e-4, "{speed}: {state:?}");
    }
}

/// A character is inside a closed mesh if `contains` says so. An open mesh has no inside.
#[test]
fn closed_meshes_are_solids() {
    let corners: Vec<Vec3> =
        (0..8).map(|i| Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2) as f32) * 8.0 - 4.0).collect();
    let sides =
        [0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5];
    let inwards: Vec<u32> = sides.chunks(3).flat_map(|side| [side[0], side[2], side[1]]).collect();
    for (indices, is_solid) in [(&sides[..], true), (&inwards[..], false), (&sides[..33], false)] {
        let mut scene = floor();
        let mut state = landed(&scene, &hero(), DVec3::new(1.0, 0.91, 0.5));
        scene.insert(1, Mesh::new(&corners, indices).unwrap(), DVec3::Y * 0.5).unwrap();
        let before = state.position;
        hero().move_and_slide(&scene, &mut state, DVec3::ZERO, DT);
        assert_eq!((state.position - before).length() > 1.0, is_solid, "{state:?}");
        assert!(deepest(&scene, &hero(), &state) < 1e-5);
    }
}

#[test]
fn characters_at_one_point_part() {
    for (count, at_once) in [(2, false), (2, true), (10, true), (10, false)] {
        let mut scene = floor();
        let hero = hero();
        let mut states: Vec<State> = (0..count).map(|_| State::new([0.0, 0.903, 0.0])).collect();
        for id in 1..=count {
            scene.insert(id, Capsule::new(0.3, 1.8), DVec3::Y * 0.903).unwrap();
        }
        for _ in 0..60 {
            for (id, state) in (1..).zip(&mut states) {
                let others = Filter::new().exclude(id);
                hero.move_and_slide(scene.with(&others), state, [0.0, -1.0, 0.0], DT);
                if !at_once {
                    scene.set_transform(&id, state.pose()).unwrap();
                }
            }
            for (id, state) in (1..).zip(&states) {
                scene.set_transform(&id, state.pose()).unwrap();
            }
        }
        for (id, state) in (1..).zip(&states) {
            let others = Filter::new().exclude(id);
            assert!(hero.has_room(scene.with(&others), state), "{count} {at_once}: {id} at {}", state.position);
        }
    }
}

#[test]
fn a_lift_under_a_ceiling_crushes() {
    for speed in [0.2, 1.0, 4.0, 12.0] {
        let mut scene = floor();
        scene.insert(1, Aabb::new([-2.0, -0.2, -2.0], [2.0, 0.0, 2.0]), DVec3::Y * 0.1).unwrap();
        scene.insert(2, Aabb::new([-9.0, 2.0, -9.0], [9.0, 3.0, 9.0]), DVec3::ZERO).unwrap();
        let mut state = landed(&scene, &hero(), DVec3::new(0.0, 1.01, 0.0));
        let mut top: f64 = 0.1;
        let mut moved: Option<Moved<u32>> = None;
        while top < 1.6 {
            top = (top + speed * DT).min(1.6);
            scene.set_transform(&1, DVec3::Y * top).unwrap();
            let now = hero().move_and_slide(&scene, &mut state, [1.0, -1.0, 0.0], DT);
            assert!(state.position.y + 0.9 <= 2.0 + 1e-9 && state.position.y > 0.9, "{speed} {top}: {state:?}");
            assert_eq!(now.crushed.is_empty(), top < 0.2 - 1e-5, "{speed} {top}: {now:?}");
            moved = Some(now);
        }
        let moved = moved.unwrap();
        let mut names: Vec<u32> = moved.crushed.iter().map(|contact| contact.id).collect();
        names.sort_unstable();
        assert_eq!(names, [1, 2], "{moved:?}");
        let depth = moved.crushed.iter().find(|contact| contact.id == 1).unwrap().depth;
        assert!((depth - (1.6 - (state.position.y - 0.9))).abs() < 1e-3, "{depth} {state:?}");
        // The character goes down with the lift again.
        while top > 0.1 {
            top = (top - speed * DT).max(0.1);
            scene.set_transform(&1, DVec3::Y * top).unwrap();
            hero().move_and_slide(&scene, &mut state, [0.0, -1.0, 0.0], DT);
        }
        assert!(
            state.ground() == Some(&1) && (state.position.y - 1.0 - hero().skin).abs() < 1e-4,
            "{speed}: {state:?}"
        );
    }
}

#[test]
fn no_step_up_is_no_step() {
    for volume in volumes() {
        for height in [0.01, 0.02, 0.05, 0.08] {
            for (speed, rate) in [(1.5, 60.0), (0.1, 240.0), (8.0, 30.0)] {
                let mut scene = floor();
                scene.insert(1, Aabb::new([2.0, 0.0, -9.0], [9.0, height as f32, 9.0]), DVec3::ZERO).unwrap();
                let mut hero = Character::new(volume.clone()).unwrap();
                hero.step_up = 0.0;
                let mut state = landed(&scene, &hero, DVec3::new(0.9, 0.91, 0.0));
                for _ in 0..(2.0 * rate) as usize {
                    hero.move_and_slide(&scene, &mut state, [speed, -1.0, 0.0], 1.0 / rate);
                }
                assert!(state.position.y < 0.9 + 2.0 * hero.skin, "{volume:?} {height} {speed}: {state:?}");
            }
        }
    }
}

/// A hull whose feet are half as wide as its middle. It touches an edge with its flank.
fn narrowing() -> Volume {
    let ring = |half: f32, y: f32| {
        [(-half, -half), (-half, half), (half, -half), (half, half)].map(|(x, z)| Vec3::new(x, y, z))
    };
    let points = [ring(0.15, -0.9), ring(0.3, -0.4), ring(0.3, 0.9)].concat();
    ConvexHull::new(&points).unwrap().into()
}

#[test]
fn a_slow_walk_climbs_a_step() {
    for volume in [volumes()[0].clone(), volumes()[2].clone(), volumes()[3].clone(), narrowing()] {
        for rate in [60.0, 240.0, 1000.0] {
            let mut scene = floor();
            scene.insert(1, Aabb::new([0.303, 0.0, -9.0], [9.0, 0.305, 9.0]), DVec3::ZERO).unwrap();
            let hero = Character::new(volume.clone()).unwrap();
            let mut state = landed(&scene, &hero, DVec3::new(0.0, 0.91, 0.0));
            let start = state.position.x;
            for _ in 0..(5.0 * rate) as usize {
                hero.move_and_slide(&scene, &mut state, [0.1, -1.0, 0.0], 1.0 / rate);
            }
            assert!((state.position.y - 0.9 - 0.305).abs() < 0.01, "{volume:?} {rate}: {state:?}");
            // The character is moved farther than its speed allows only once. The excess is the skin on both sides of the edge, and the width of its support at
            // the edge.
            let farther = state.position.x - start - 0.5;
            assert!(farther.abs() < 2.5 * hero.skin, "{volume:?} {rate}: {farther} too far");
        }
    }
}

/// A thin piston crushes a character against a wall, and goes on into the wall. When it comes back, the character is on the same side of it as before.
#[test]
fn a_crusher_does_not_come_through() {
    for (volume, speed) in volumes().into_iter().flat_map(|volume| [0.5, 3.0, 6.0].map(|speed| (volume.clone(), speed)))
    {
        let mut scene = floor();
        scene.insert(1, Aabb::new([-0.1, 0.0, -3.0], [0.1, 4.0, 3.0]), DVec3::X * -2.0).unwrap();
        scene.insert(2, Aabb::new([1.0, 0.0, -3.0], [3.0, 4.0, 3.0]), DVec3::ZERO).unwrap();
        scene.insert(3, Aabb::new([-9.0, 2.0, -9.0], [9.0, 3.0, 9.0]), DVec3::ZERO).unwrap();
        let hero = Character::new(volume.clone()).unwrap();
        let mut state = landed(&scene, &hero, DVec3::new(-0.5, 0.95, 0.0));
        let (mut at, mut crushed) = (-2.0, 0);
        for direction in [1.0, -1.0] {
            // The plate stops when the character's middle is behind it.
            while if direction > 0.0 { at < 1.05 } else { at > -2.0 } {
                at = (at + direction * speed * DT).min(1.05);
                scene.set_transform(&1, DVec3::X * at).unwrap();
                let moved = hero.move_and_slide(&scene, &mut state, [0.0, -1.0, 0.0], DT);
                crushed += usize::from(!moved.crushed.is_empty());
                let names = moved.crushed.iter().filter(|contact| contact.id > 0).count();
                assert!(moved.crushed.is_empty() || names > 0, "{moved:?}");
            }
        }
        assert!(crushed > 0 && state.position.x > at, "{volume:?} {speed}: {crushed} {state:?}");
        assert!(hero.has_room(&scene, &state) && state.is_grounded(), "{volume:?} {speed}: {state:?}");
    }
}
