//! The helpers of games, entities that move, and callbacks for the contacts of characters, with any numbers.

use crate::world::World;
use hitscan::character::ContactResponse;
use hitscan::gameplay::{CameraArm, Impact, LedgeProbe, blast, shoot, spread};
use hitscan::glam::Vec3;
use hitscan::query::sweep_entity;
use hitscan::{Character, CharacterState};

/// Calls one of these helpers, chosen at random.
pub(crate) fn ask(world: &mut World<'_>) {
    match world.numbers.below(6) {
        0 => shots(world),
        1 => arm(world),
        2 => explosion(world),
        3 => ledge(world),
        4 => entity(world),
        _ => responses(world),
    }
}

fn shots(world: &mut World<'_>) {
    let (ray, range) = (world.ray(), world.numbers.f32());
    let (angle, count) = (world.numbers.f32(), world.numbers.below(8));
    let (choice, words) = world.choice();
    let pellets: Vec<Vec3> =
        world.log.ask("spread", &(ray, angle, count), || spread(ray.direction, angle, count, 7).collect());
    world
        .log
        .check(pellets.iter().all(|p| (p.length() - 1.0).abs() < 1e-5), "of unit length", || format!("{pellets:?}"));
    let impacts = [Impact::Ricochet, Impact::PassThrough, Impact::Ricochet, Impact::Stop];
    let legs = world.log.ask_many("shoot", &(ray, range, &words), || {
        let mut hits = 0;
        let impact = |_: &hitscan::Ray, _: &hitscan::Hit<u32>| {
            hits += 1;
            impacts[hits % 4]
        };
        shoot(choice.view(&world.scene), &ray, range, impact).len()
    });
    world.log.check(legs <= 4, "ends", || format!("{legs}"));
}

fn arm(world: &mut World<'_>) {
    let arm = CameraArm { length: world.numbers.f64(), radius: world.numbers.size() };
    let (target, direction) = (world.point(), world.numbers.dvec3());
    let (choice, words) = world.choice();
    let input = (arm, target, direction, &words);
    let end = world.log.ask("CameraArm::end", &input, || {
        let end = arm.end(choice.view(&world.scene), target, direction);
        (end.length, end.blocked_by)
    });
    world.log.check(end.0 >= 0.0, "a length", || format!("{end:?}"));
}

fn explosion(world: &mut World<'_>) {
    let (center, radius) = (world.point(), world.numbers.size());
    let (choice, words) = world.choice();
    let hits =
        world.log.ask_many("blast", &(center, radius, &words), || blast(choice.view(&world.scene), center, radius));
    world.log.check(hits.is_sorted_by(|a, b| a.distance <= b.distance), "sorted", || format!("{hits:?}"));
}

fn ledge(world: &mut World<'_>) {
    let numbers = &mut world.numbers;
    let (reach, lowest, highest) = (numbers.f64(), numbers.f64(), numbers.f64());
    let probe = LedgeProbe { reach, lowest, highest, radius: numbers.size(), max_slope: 0.7 };
    let (feet, forward, up) = (world.point(), world.numbers.dvec3(), world.numbers.dvec3());
    let (choice, words) = world.choice();
    let input = (probe, feet, forward, up, &words);
    world.log.ask_many("LedgeProbe::find", &input, || probe.find(choice.view(&world.scene), feet, forward, up));
}

fn entity(world: &mut World<'_>) {
    let key = world.present_key();
    let motion = world.numbers.dvec3();
    let (choice, words) = world.choice();
    let hit = world
        .log
        .ask_many("sweep_entity", &(key, motion, &words), || sweep_entity(choice.sweeps(&world.scene), &key, motion));
    world.log.check(hit.as_ref().is_none_or(|hit| hit.id != key), "not itself", || format!("{hit:?}"));
}

fn responses(world: &mut World<'_>) {
    let Ok(hero) = Character::new(world.numbers.volume()) else { return };
    let at = world.point();
    let (choice, words) = world.choice();
    let belt = world.numbers.dvec3();
    if !at.is_finite() {
        return;
    }
    let velocity = world.numbers.dvec3();
    let input = (&hero, at, velocity, belt, &words);
    let moved = world.log.ask_many("move_and_respond", &input, || {
        let mut state = CharacterState::new(at);
        let respond = |contact: &hitscan::character::CharacterContact<u32>| match contact.id % 3 {
            0 => ContactResponse::Conveyor(belt),
            1 => ContactResponse::PassThrough,
            _ => ContactResponse::Solid,
        };
        hero.move_and_respond(choice.view(&world.scene), &mut state, velocity, 1.0 / 60.0, respond)
    });
    let is_passed = |id: &u32| moved.passed.contains(id);
    world.log.check(!moved.contacts.iter().any(|contact| is_passed(&contact.id)), "passed", || format!("{moved:?}"));
}
