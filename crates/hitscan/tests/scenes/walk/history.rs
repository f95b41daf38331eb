//! The changes that led to a wrong answer, reduced as far as possible in limited time.

use crate::walk::change::Change;
use crate::walk::question::Question;
use crate::walk::walker::attempt;
use crate::walk::world::World;
use std::time::{Duration, Instant};

/// The time limit for reducing a history.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Short {
    pub(crate) changes: Vec<Change>,
    /// The fault after these changes. It may differ from the original fault.
    pub(crate) what: String,
}

/// Leaves out the changes, and the items of bulk changes, that are not needed.
pub(crate) fn shortened(history: &[Change], question: Option<&Question>) -> Short {
    let end = Instant::now() + PATIENCE;
    let mut changes = history.to_vec();
    let is_wrong = |changes: &[Change]| Instant::now() < end && goes_wrong(changes, question).is_some();
    if is_wrong(&changes) {
        let kept = needed(changes.len(), &mut |kept| is_wrong(&picked(&changes, kept)));
        changes = picked(&changes, &kept);
        for number in 0..changes.len() {
            let whole = changes[number].clone();
            let kept = needed(whole.items(), &mut |kept| {
                changes[number] = whole.with_only(kept);
                is_wrong(&changes)
            });
            changes[number] = whole.with_only(&kept);
        }
    }
    let what = goes_wrong(&changes, question).unwrap_or("it does not go wrong again".to_owned());
    Short { changes, what }
}

/// Removes halves of the items, and then smaller and smaller parts, as long as the predicate holds for the rest (A.
/// Zeller, R. Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002).
fn needed(count: usize, holds: &mut dyn FnMut(&[usize]) -> bool) -> Vec<usize> {
    let mut kept: Vec<usize> = (0..count).collect();
    let mut piece = count.div_ceil(2);
    while piece > 0 {
        let mut from = 0;
        while from < kept.len() {
            let to = (from + piece).min(kept.len());
            let fewer = [&kept[..from], &kept[to..]].concat();
            if holds(&fewer) { kept = fewer } else { from = to }
        }
        piece /= 2;
    }
    kept
}

fn picked<T: Clone>(items: &[T], kept: &[usize]) -> Vec<T> {
    kept.iter().map(|&number| items[number].clone()).collect()
}

fn goes_wrong(changes: &[Change], question: Option<&Question>) -> Option<String> {
    let mut world = World::new();
    for change in changes {
        if let Err(what) = attempt(|| world.apply(change)) {
            return Some(what);
        }
    }
    attempt(|| world.check_contents()).and_then(|()| question.map_or(Ok(0), |question| world.ask(question))).err()
}

impl Change {
    /// Returns the number of items in a bulk change.
    fn items(&self) -> usize {
        match self {
            Self::InsertAll(entities) => entities.len(),
            Self::MoveAll(moves) => moves.len(),
            Self::RemoveAll(keys) => keys.len(),
            _ => 0,
        }
    }

    fn with_only(&self, kept: &[usize]) -> Self {
        match self {
            Self::InsertAll(entities) => Self::InsertAll(picked(entities, kept)),
            Self::MoveAll(moves) => Self::MoveAll(picked(moves, kept)),
            Self::RemoveAll(keys) => Self::RemoveAll(picked(keys, kept)),
            single => single.clone(),
        }
    }
}
