//! Random walks of characters that are treated as games treat them. Velocities are fed back, places are written, solids appear, pistons push, lifts and
//! crushers close, and platforms turn and are placed. Ten characters share one spawn point. In all cases, a character overlaps nothing or reports that it is
//! crushed. It stands on the ground that it names.

mod depth;
mod game;
mod oracle;

use game::Game;
use hitscan_random::effort;
use rayon::prelude::*;

/// The number of steps of a walk, whether of one character or of a party.
const STEPS_OF_A_WALK: usize = 250;
const PARTY: usize = 10;

#[test]
fn whatever_a_game_does_to_it_a_character_is_in_nothing() {
    let (seed, steps) = (effort::seed(1), effort::size(4_000, 100_000, 10_000_000));
    let walks = (0..steps.div_ceil(STEPS_OF_A_WALK) as u64).into_par_iter();
    let counts = walks.map(|number| walk(seed, number));
    let [grounded, crushed] = counts.reduce(|| [0; 2], |[a, b], [c, d]| [a + c, b + d]);
    println!("{steps} steps, {grounded} on the ground, {crushed} crushed");
    assert!(grounded > steps / 8 && crushed < steps / 8, "{grounded} on the ground, {crushed} crushed of {steps}");
}

/// Returns the numbers of steps that ended on the ground, and crushed.
fn walk(seed: u64, walk: u64) -> [usize; 2] {
    let heroes = if walk % 4 == 3 { PARTY } else { 1 };
    let mut game = Game::new(seed * 7_000_003 + walk, heroes);
    for frame in 0..STEPS_OF_A_WALK / heroes {
        game.push();
        for number in 0..heroes {
            game.step(number, &format!("seed {seed}, walk {walk}, frame {frame}, character {number}"));
        }
    }
    [game.grounded, game.crushed]
}
