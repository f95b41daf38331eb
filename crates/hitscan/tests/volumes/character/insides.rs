//! Characters inside closed meshes: there is no room there, and a mesh that is passed through is listed.

use crate::common::{Random, grid_cube};
use hitscan::character::{CharacterContact, ContactResponse};
use hitscan::glam::{DAffine3, DQuat, DVec3, Vec3};
use hitscan::prelude::*;
use hitscan::{Compound, Shape, Transform};
use hitscan_random::effort;

type State = CharacterState<u32>;

/// Returns the closed mesh of the box with these half sizes.
fn boxed(half: Vec3) -> Mesh {
    grid_cube(3).map(|corner| corner * half).mesh()
}

/// The oracle is the distance of the ball's middle from the box, whose faces are farther from each other than the ball is wide.
#[test]
fn there_is_no_room_inside_a_closed_mesh() {
    let mut random = Random(40_301);
    let (mut free, mut within) = (0, 0);
    for case in 0..effort::size(500, 5_000, 100_000) {
        let half = Vec3::new(1.0, 2.0, 3.0);
        let turn = if case % 2 == 0 { DQuat::IDENTITY } else { random.rotation() };
        let place = DAffine3::from_rotation_translation(turn, random.cube() * 10.0);
        let mut scene = Scene::new();
        let mesh = boxed(half);
        if case % 3 == 0 {
            // The mesh is the second part of a compound whose first part is far away.
            let far: Transform = [90.0f32, 0.0, 0.0].into();
            let parts = [(Shape::from(Sphere::new(1.0)).into(), far), (mesh.into(), Transform::IDENTITY)];
            scene.insert(1, Compound::new(parts).unwrap(), place).unwrap();
        } else {
            scene.insert(1, mesh, place).unwrap();
        }
        let radius = 0.25;
        let hero = Character::new(Sphere::new(radius)).unwrap();
        let local = random.cube() * 4.0;
        let beside = (local.abs() - half.as_dvec3()).max(DVec3::ZERO).length();
        if (beside - f64::from(radius)).abs() < 1e-3 {
            continue;
        }
        let state = State::new(place.transform_point3(local));
        let expected = beside > f64::from(radius);
        assert_eq!(hero.has_room(&scene, &state), expected, "case {case}: {local} of {half}");
        let without = Filter::new().exclude(1);
        assert!(hero.has_room(scene.with(&without), &state));
        free += usize::from(expected);
        within += usize::from((half.as_dvec3() - local.abs()).min_element() > f64::from(radius));
    }
    assert!(free > 100 && within > 20, "{free} {within}");
}

#[test]
fn a_room_and_an_open_mesh_have_room_inside() {
    let hero = Character::new(Capsule::new(0.3, 1.8)).unwrap();
    let state = State::new([0.0, 0.1, 0.0]);
    let outwards = boxed(Vec3::splat(5.0));
    let triangles = grid_cube(3).triangles;
    let inwards: Vec<[u32; 3]> = triangles.iter().map(|[a, b, c]| [*a, *c, *b]).collect();
    let mesh = |triangles: &[[u32; 3]]| Mesh::new(outwards.positions(), triangles.as_flattened()).unwrap();
    for (mesh, has_room) in [(mesh(&triangles), false), (mesh(&inwards), true), (mesh(&triangles[1..]), true)] {
        let mut scene = Scene::new();
        scene.insert(1, mesh, DVec3::ZERO).unwrap();
        assert_eq!(hero.has_room(&scene, &state), has_room);
        // A move leaves the place if and only if there is no room.
        let mut moved = state;
        hero.move_and_slide(&scene, &mut moved, DVec3::ZERO, 0.1);
        assert_eq!(moved.position == state.position, has_room, "{moved:?}");
        assert!(hero.has_room(&scene, &moved));
    }
}

/// A mesh around the whole character is passed through and listed just as a box is, once, and does not change the path.
#[test]
fn a_closed_mesh_that_is_passed_through_is_listed() {
    let hero = Character::new(Capsule::new(0.3, 1.8)).unwrap();
    let passes = |contact: &CharacterContact<u32>| match contact.id {
        1 => ContactResponse::PassThrough,
        _ => ContactResponse::Solid,
    };
    let of = |scene: &mut Scene<u32>, velocity: [f64; 3]| {
        scene.insert(2, Aabb::new([-9.0, -2.0, -9.0], [9.0, 0.0, 9.0]), DVec3::ZERO).unwrap();
        let mut state = State::new([0.0, 0.9 + hero.skin, 0.0]);
        let mut moves = Vec::new();
        for _ in 0..3 {
            let moved = hero.move_and_respond(&*scene, &mut state, velocity, 0.1, passes);
            moves.push((moved.motion, moved.passed, moved.contacts, moved.crushed));
        }
        (state, moves)
    };
    for velocity in [[0.0; 3], [2.0, -1.0, 0.0], [0.0, 4.0, 1.0]] {
        let mut with_mesh = Scene::new();
        with_mesh.insert(1, boxed(Vec3::splat(6.0)), DVec3::ZERO).unwrap();
        let mut with_box = Scene::new();
        with_box.insert(1, Aabb::new([-6.0; 3], [6.0; 3]), DVec3::ZERO).unwrap();
        let (mesh, solid) = (of(&mut with_mesh, velocity), of(&mut with_box, velocity));
        assert_eq!(mesh, solid);
        assert!(mesh.1.iter().all(|(_, passed, ..)| passed == &[1]), "{:?}", mesh.1);
    }
}
