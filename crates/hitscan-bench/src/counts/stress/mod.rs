//! Questions in scenes that break trees, with bounds on their instructions. The scenes are flat fans, slivers, instances, one far vertex, and many things at
//! one place.
//!
//! `docs/robustness/work.md` says how each bound grows with the scene.

mod questions;
mod scenes;

use super::casts::counted;
use anyhow::Result;
use questions::{Asked, CONTACTS, QUESTIONS, Question};
use scenes::Stressed;
use std::hint::black_box;

pub(super) use questions::PLACES;

/// A scene, and the questions to it.
struct Entry {
    name: &'static str,
    load: fn() -> Result<Stressed>,
    questions: &'static [&'static [Question]],
    /// The queries without a useful bound, which are not run: `docs/robustness/work.md` gives their cost.
    unbounded: &'static [&'static str],
}

impl Entry {
    fn asked(&self) -> impl Iterator<Item = &'static Question> {
        let questions = self.questions.iter().copied().flatten();
        questions.filter(|question| !self.unbounded.contains(&question.name))
    }
}

const ALL: &[&[Question]] = &[&QUESTIONS, &CONTACTS];
const MOVE: &str = "move_and_slide";
const SNAP: &str = "snap.nearest";

const SCENES: [Entry; 7] = [
    Entry { name: "fan", load: || scenes::fan(8192), questions: &[&QUESTIONS], unbounded: &[SNAP] },
    // In a fan, each contact that no other contact hides is compared with all triangles around it.
    Entry { name: "fan of 1024", load: || scenes::fan(1024), questions: &[&CONTACTS], unbounded: &[MOVE] },
    Entry { name: "slivers", load: scenes::slivers, questions: ALL, unbounded: &[MOVE] },
    Entry { name: "instances", load: scenes::instances, questions: ALL, unbounded: &[MOVE, SNAP] },
    Entry { name: "far vertex", load: scenes::far_vertex, questions: ALL, unbounded: &[] },
    Entry { name: "nested", load: scenes::nested, questions: ALL, unbounded: &[MOVE, SNAP] },
    Entry { name: "heap", load: scenes::heap, questions: ALL, unbounded: &[MOVE] },
];

/// Returns the names of the sets of questions in the order in which they are asked.
pub(super) fn names() -> Vec<String> {
    let of_scene = |entry: &'static Entry| entry.asked().map(|question| format!("{}, {}", entry.name, question.name));
    SCENES.iter().flat_map(of_scene).collect()
}

/// Runs every query at all places of every scene.
pub(super) fn ask_all() -> Result<()> {
    for entry in &SCENES {
        let asked = Asked::new((entry.load)()?)?;
        for question in entry.asked() {
            let mut answers = 0;
            counted(&mut || answers = (question.ask)(&asked));
            black_box(answers);
        }
    }
    Ok(())
}
