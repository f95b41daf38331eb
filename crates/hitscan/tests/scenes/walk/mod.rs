//! The whole life of a scene in random steps, compared with a naive list. Entities are inserted, moved, deformed,
//! removed, refused, saved, read and cloned. All answers after each step are compared bit for bit.
//!
//! A failing step is repeated with fewer and fewer of the changes before it, and the remaining changes are printed.

mod change;
mod form;
mod history;
mod list;
mod memory;
mod number;
mod question;
mod walker;
mod world;

use hitscan_random::effort;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use walker::Walk;

const SEED: u64 = 20_261_122;

/// The memory of the whole process is measured, so only one test runs at a time.
static ALONE: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

#[test]
fn every_answer_of_a_living_scene_is_that_of_a_naive_list() {
    let _alone = alone();
    let steps = effort::size(6_000, 60_000, 1_000_000) as u64;
    let mut walk = Walk::new(effort::seed(SEED));
    let start = Instant::now();
    walk.go(steps);
    println!("{walk}, in {:.1} s", start.elapsed().as_secs_f64());
    assert!(walk.hits > steps / 2, "the questions say nothing");
}

/// Walks for ten minutes in a long run.
#[test]
fn a_living_scene_takes_no_more_memory_with_time() {
    let _alone = alone();
    let length = Duration::from_secs(effort::size(2, 2, 600) as u64);
    memory::soak(Walk::new(effort::seed(SEED + 1)), length);
}
