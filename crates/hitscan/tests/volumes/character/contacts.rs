//! The effects of contacts: conveyors, one-way ledges, triggers and pushes.

use hitscan::character::{CharacterContact, ContactResponse};
use hitscan::glam::{DQuat, DVec3};
use hitscan::prelude::*;
use hitscan::{Cylinder, Moved};

const RATES: [f64; 4] = [30.0, 60.0, 144.0, 360.0];

fn floor() -> Scene<&'static str> {
    let mut scene = Scene::new();
    scene.insert("floor", Aabb::new([-50.0, -1.0, -50.0], [50.0, 0.0, 50.0]), DVec3::ZERO).unwrap();
    scene
}

fn hero() -> Character {
    Character::new(Capsule::new(0.3, 1.8)).unwrap()
}

type State = CharacterState<&'static str>;

/// Places a standing character on the ground.
fn standing(scene: &Scene<&'static str>, hero: &Character, place: [f64; 3]) -> State {
    let mut state = State::new(place);
    hero.move_and_slide(scene, &mut state, [0.0, -1.0, 0.0], 0.5);
    assert!(state.is_grounded(), "{state:?}");
    state
}

fn solid(_: &CharacterContact<&'static str>) -> ContactResponse {
    ContactResponse::Solid
}

#[test]
fn a_belt_carries_at_its_speed_and_lets_go() {
    let hero = hero();
    for rate in RATES {
        let mut scene = floor();
        scene.insert("belt", Aabb::new([0.0, 0.0, -2.0], [6.0, 0.1, 2.0]), DVec3::ZERO).unwrap();
        let mut state = standing(&scene, &hero, [1.0, 1.1, 0.0]);
        let belt = |contact: &CharacterContact<&str>| match contact.id {
            "belt" => ContactResponse::Conveyor(DVec3::new(1.5, 0.0, 0.5)),
            _ => ContactResponse::Solid,
        };
        for _ in 0..(2.0 * rate) as usize {
            let moved = hero.move_and_respond(&scene, &mut state, DVec3::ZERO, 1.0 / rate, belt);
            assert!((moved.ground_velocity - DVec3::new(1.5, 0.0, 0.5)).length() < 1e-9, "{moved:?}");
            assert_eq!(moved.velocity, DVec3::ZERO);
        }
        let gone = state.position - DVec3::new(1.0, state.position.y, 0.0);
        assert!((gone - DVec3::new(3.0, 0.0, 1.0)).length() < 1e-9, "{rate}: {gone}");
        // A character that walks against the belt, at its speed, stays where it is.
        let before = state.position;
        for _ in 0..50 {
            hero.move_and_respond(&scene, &mut state, [-1.5, 0.0, -0.5], 1.0 / rate, belt);
        }
        assert!((state.position - before).length() < 1e-9);
        // It comes to rest behind the end of the belt.
        for _ in 0..(3.0 * rate) as usize {
            hero.move_and_respond(&scene, &mut state, DVec3::ZERO, 1.0 / rate, belt);
        }
        assert_eq!(state.ground(), Some(&"floor"), "{rate}");
        let before = state.position;
        hero.move_and_respond(&scene, &mut state, DVec3::ZERO, 1.0 / rate, belt);
        assert_eq!(state.position, before);
    }
}

#[test]
fn a_belt_stops_at_walls_and_climbs_with_its_slope() {
    let hero = hero();
    let mut scene = floor();
    let slope = DQuat::from_rotation_z(0.4);
    scene.insert("belt", Aabb::new([-1.0, -1.0, -2.0], [8.0, 0.0, 2.0]), (DVec3::new(0.0, 0.2, 0.0), slope)).unwrap();
    scene.insert("wall", Aabb::new([4.0, 0.0, -5.0], [5.0, 9.0, 5.0]), DVec3::ZERO).unwrap();
    let mut state = standing(&scene, &hero, [1.0, 2.0, 0.0]);
    let along = slope * DVec3::X * 2.0;
    let belt = |contact: &CharacterContact<&str>| match contact.id {
        "belt" => ContactResponse::Conveyor(along),
        _ => ContactResponse::Solid,
    };
    let before = state.position;
    for _ in 0..30 {
        hero.move_and_respond(&scene, &mut state, DVec3::ZERO, 1.0 / 60.0, belt);
    }
    assert!((state.position - before - along * 0.5).length() < 1e-6, "{}", state.position - before);
    let mut last = None;
    for _ in 0..120 {
        last = Some(hero.move_and_respond(&scene, &mut state, DVec3::ZERO, 1.0 / 60.0, belt));
    }
    assert!((state.position.x - 3.7 + hero.skin).abs() < 1e-6, "{state:?}");
    assert!(last.is_some_and(|moved: Moved<_>| moved.contacts.iter().any(|contact| contact.id == "wall")));
}

/// A character passes the ledge from below and lands on it from above, also with a cylinder, and at every rate.
#[test]
fn a_one_way_ledge() {
    let mut cylinder = Character::new(Cylinder::new(0.3, 1.8)).unwrap();
    cylinder.step_up = 0.3;
    for (hero, rate) in [hero(), cylinder].iter().flat_map(|hero| RATES.map(|rate| (hero, rate))) {
        let mut scene = floor();
        scene.insert("ledge", Aabb::new([-2.0, 2.4, -2.0], [2.0, 2.5, 2.0]), DVec3::ZERO).unwrap();
        let one_way = |contact: &CharacterContact<&str>| {
            let passes = contact.velocity.y > 0.0 || contact.depth > 0.0 || contact.normal.y < 0.5;
            if contact.id == "ledge" && passes { ContactResponse::PassThrough } else { ContactResponse::Solid }
        };
        let mut state = standing(&scene, hero, [0.0, 1.0, 0.0]);
        let (dt, mut fall, mut passed) = (1.0 / rate, 9.0, 0);
        for _ in 0..(3.0 * rate) as usize {
            let before = state.position;
            let moved = hero.move_and_respond(&scene, &mut state, [0.0, fall, 0.0], dt, one_way);
            fall = if moved.ground.is_some() { 0.0 } else { moved.velocity.y - 9.81 * dt };
            // The solid does not push the character while it passes through.
            assert!((state.position - before).y <= 9.0 * dt + 1e-9, "{rate}: {before} to {}", state.position);
            passed += usize::from(moved.passed.contains(&"ledge"));
        }
        assert!(passed > 0);
        assert_eq!(state.ground(), Some(&"ledge"), "{rate}: {state:?}");
        assert!((state.position.y - 2.5 - 0.9 - hero.skin).abs() < 1e-6, "{rate}: {state:?}");
        // The ledge is solid from both sides, and stops the head.
        let mut state = standing(&scene, hero, [0.0, 1.0, 0.0]);
        let moved = hero.move_and_respond(&scene, &mut state, [0.0, 9.0, 0.0], 0.5, solid);
        assert!(moved.passed.is_empty() && moved.contacts.iter().any(|contact| contact.id == "ledge"));
        assert!((state.position.y + 0.9 + hero.skin - 2.4).abs() < 1e-6);
    }
}

/// A trigger is reported once in each move that passes through it, and does not change the path.
#[test]
fn triggers_are_passed_and_told() {
    let hero = hero();
    let mut scene = floor();
    let mut plain = standing(&scene, &hero, [0.0, 1.0, 0.0]);
    let mut told = plain;
    let names = ["a", "b", "c"];
    for (name, x) in names.into_iter().zip([2.0, 2.5, 4.0]) {
        scene.insert(name, Sphere::new(0.8), [x, 1.0, 0.2]).unwrap();
    }
    let without = Filter::new().entities(|id| !names.contains(&id));
    let mut seen = Vec::new();
    for _ in 0..120 {
        hero.move_and_slide(scene.with(&without), &mut plain, [3.0, 0.0, 0.0], 1.0 / 60.0);
        let moved = hero.move_and_respond(&scene, &mut told, [3.0, 0.0, 0.0], 1.0 / 60.0, |contact| {
            if names.contains(&contact.id) { ContactResponse::PassThrough } else { ContactResponse::Solid }
        });
        assert_eq!(plain, told);
        assert!(moved.contacts.is_empty(), "{moved:?}");
        let each_once = moved.passed.iter().all(|id| moved.passed.iter().filter(|other| *other == id).count() == 1);
        assert!(each_once, "{moved:?}");
        seen.extend(moved.passed);
    }
    seen.dedup();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen, names);
}

#[test]
fn a_push_is_the_momentum_that_the_contact_takes() {
    let hero = hero();
    let mut scene = floor();
    scene.insert("crate", Aabb::new([1.0, 0.0, -1.0], [2.0, 2.0, 1.0]), DVec3::ZERO).unwrap();
    let mut state = standing(&scene, &hero, [0.0, 1.0, 0.0]);
    let moved = hero.move_and_slide(&scene, &mut state, [4.0, 0.0, 3.0], 0.5);
    let pushed = moved.contacts.iter().find(|contact| contact.id == "crate").unwrap();
    assert_eq!((pushed.part, pushed.triangle, pushed.depth), (0, None, 0.0));
    assert!((pushed.impulse(70.0) - DVec3::new(280.0, 0.0, 0.0)).length() < 1e-6, "{pushed:?}");
    // The remaining velocity has no component into the crate. Together with the push, it is the wanted velocity.
    assert!((moved.velocity + pushed.impulse(1.0) - DVec3::new(4.0, 0.0, 3.0)).length() < 1e-9, "{moved:?}");
    // An entity that the character moves away from is not pushed.
    let mut leaving = *pushed;
    leaving.velocity = DVec3::new(-1.0, 0.0, 0.0);
    assert_eq!(leaving.impulse(70.0), DVec3::ZERO);
}

/// An entity that the character passes through does not push the character, even if the entity has moved into it. A solid
/// entity pushes.
#[test]
fn ghosts_do_not_push() {
    let hero = hero();
    let mut scene = floor();
    let state = standing(&scene, &hero, [0.0, 1.0, 0.0]);
    scene.insert("ghost", Sphere::new(1.0), [1.0, 1.0, 0.0]).unwrap();
    let mut ghostly = state;
    let mut depth = 0.0;
    let moved = hero.move_and_respond(&scene, &mut ghostly, DVec3::ZERO, 0.1, |contact| {
        if contact.id == "ghost" {
            depth = contact.depth;
            ContactResponse::PassThrough
        } else {
            ContactResponse::Solid
        }
    });
    assert_eq!((ghostly, moved.passed), (state, vec!["ghost"]));
    assert!((depth - 0.3).abs() < 1e-3, "{depth}");
    let mut pushed = state;
    hero.move_and_respond(&scene, &mut pushed, DVec3::ZERO, 0.1, solid);
    assert!((pushed.position - state.position).x < -0.3, "{pushed:?}");
}

/// A state is in world space: the origin of a view changes nothing.
#[test]
fn the_origin_of_a_view_does_not_matter() {
    let hero = hero();
    let mut scene = floor();
    scene.insert("step", Aabb::new([1.0, 0.0, -9.0], [9.0, 0.2, 9.0]), DVec3::ZERO).unwrap();
    let mut plain = standing(&scene, &hero, [0.0, 1.0, 0.0]);
    let mut relative = plain;
    let view = scene.relative_to([7.0, -3.0, 2.0]);
    for _ in 0..60 {
        let moved = hero.move_and_slide(&scene, &mut plain, [3.0, 0.0, 0.5], 1.0 / 60.0);
        assert_eq!(hero.move_and_slide(view, &mut relative, [3.0, 0.0, 0.5], 1.0 / 60.0), moved);
        assert_eq!(plain, relative);
    }
    assert_eq!(plain.ground(), Some(&"step"));
    // A character that only touches has room, however its size is rounded. A character that cannot be at its place has
    // none.
    let touching = Character::new(Capsule::new(0.3, 1.7)).unwrap();
    assert!(touching.has_room(&scene, &State::new([-3.0, 0.85, 0.0])));
    assert!(!hero.has_room(&scene, &State::new([f64::NAN, 9.0, 0.0])));
    let mut bad = hero.clone();
    bad.step_down = f64::INFINITY;
    assert!(bad.validate().is_err() && !bad.has_room(&scene, &plain));
    plain.position.y -= 0.1;
    assert!(!hero.has_room(&scene, &plain) && !hero.has_room(view, &plain));
}
