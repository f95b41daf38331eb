//! The whole life of a scene in random steps, against a naive list: entities are inserted, moved, deformed, removed,
//! refused, saved, read and cloned, and all answers after each step are compared to the bit.
//!
//! `HITSCAN_WALK_STEPS` sets the number of steps, and `HITSCAN_WALK_SEED` the seed. A failing step is repeated with
//! fewer and fewer of the changes before it, and the remaining ones are printed.

mod change;
#[path = "../common/mod.rs"]
mod common;
mod form;
mod history;
#[path = "../common/integer.rs"]
mod integer;
#[path = "../common/line.rs"]
mod line;
mod list;
mod memory;
mod number;
mod question;
mod walk;
mod world;

use std::str::FromStr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use walk::Walk;

/// The default number of steps.
const FEW_STEPS: u64 = 100_000;
const SEED: u64 = 20_261_122;

/// The memory is that of the process, so only one test runs at a time.
static ALONE: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn from_environment<T: FromStr>(name: &str) -> Option<T> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name}={text} is no number")))
}

#[test]
fn every_answer_of_a_living_scene_is_that_of_a_naive_list() {
    let _alone = alone();
    let steps = from_environment("HITSCAN_WALK_STEPS").unwrap_or(FEW_STEPS);
    let mut walk = Walk::new(from_environment("HITSCAN_WALK_SEED").unwrap_or(SEED));
    let start = Instant::now();
    walk.go(steps);
    println!("{walk}, in {:.1} s", start.elapsed().as_secs_f64());
    assert!(walk.hits > steps / 2, "the questions say nothing");
}

/// Walks for as long as `HITSCAN_SOAK_MINUTES` says.
#[test]
fn a_living_scene_takes_no_more_memory_with_time() {
    let _alone = alone();
    let minutes: Option<f64> = from_environment("HITSCAN_SOAK_MINUTES");
    let length = minutes.map_or(Duration::from_secs(2), |minutes| Duration::from_secs_f64(60.0 * minutes));
    let seed = from_environment("HITSCAN_WALK_SEED").unwrap_or(SEED + 1);
    memory::soak(Walk::new(seed), length);
}
