//! A character with arbitrary settings in an arbitrary place.

use crate::world::World;
use hitscan::glam::DVec3;
use hitscan::{Character, CharacterState};

/// Moves a character for a few steps.
pub(crate) fn walk(world: &mut World<'_>) {
    let at = world.point();
    let volume = world.numbers.volume();
    let Ok(mut hero) = Character::new(&volume) else { return };
    if world.numbers.one_in(3) {
        hero.up = world.numbers.dvec3().normalize_or(DVec3::Z);
        hero.skin = world.numbers.f64();
        hero.max_slope = world.numbers.f64();
        hero.step_up = world.numbers.f64();
        hero.step_depth = world.numbers.f64();
        hero.step_down = world.numbers.f64();
        hero.escape_speed = world.numbers.f64();
        hero.keeps_speed_on_slopes = world.numbers.one_in(2);
    }
    let (choice, words) = world.choice();
    if !at.is_finite() {
        return;
    }
    let mut state = CharacterState::new(at);
    for _ in 0..3 {
        let velocity = if world.numbers.one_in(2) { world.numbers.dvec3() } else { world.point() - state.position };
        let dt = if world.numbers.one_in(4) { world.numbers.f64() } else { 1.0 / 60.0 };
        let view = choice.view(&world.scene);
        let input = (&hero, state, velocity, dt, &words);
        let (moved, after) = world.log.ask_many("move_and_slide", &input, || {
            let mut after = state;
            (hero.move_and_slide(view, &mut after, velocity, dt), after)
        });
        world
            .log
            .check(after.position.is_finite() && moved.motion.is_finite(), "finite", || format!("{moved:?} {after:?}"));
        let stays = hero.validate().is_ok() || after.position == state.position;
        world.log.check(stays, "not moved", || format!("{:?} {moved:?}", hero.validate()));
        world.log.ask("has_room", &input, || hero.has_room(view, &after));
        state = after;
    }
}
