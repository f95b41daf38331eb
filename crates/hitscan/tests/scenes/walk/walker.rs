//! A sequence of changes, each followed by questions.

use crate::common::Random;
use crate::walk::change::{Change, KEYS};
use crate::walk::history;
use crate::walk::question::Question;
use crate::walk::world::World;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The number of steps after which a new world begins. So a fault can be repeated in reasonable time.
const LIFE: usize = 20_000;

pub(crate) struct Walk {
    seed: u64,
    random: Random,
    world: World,
    /// The generator's state at which the world began, and the number of steps since then.
    beginning: (u64, u64),
    pub(crate) steps: u64,
    questions: u64,
    pub(crate) hits: u64,
    most: usize,
}

/// One step. It depends on the random numbers and on the content of the list, but not on the scene's answers.
struct Step {
    begins: Beginning,
    change: Change,
    questions: Vec<Question>,
}

#[derive(Clone, Copy, PartialEq)]
enum Beginning {
    Anew,
    GoesOn,
}

impl Step {
    fn random(random: &mut Random, world: &World) -> Self {
        let begins = if random.below(LIFE) == 0 { Beginning::Anew } else { Beginning::GoesOn };
        let change = Change::random(random, &world.list);
        let scenes = 1 + world.kept.len();
        let questions = (0..random.below(3)).map(|_| Question::random(random, &world.list, scenes, KEYS)).collect();
        Self { begins, change, questions }
    }
}

impl Walk {
    pub(crate) fn new(seed: u64) -> Self {
        let beginning = (seed, 0);
        Self { seed, random: Random(seed), world: World::new(), beginning, steps: 0, questions: 0, hits: 0, most: 0 }
    }

    /// Makes this many steps.
    ///
    /// # Panics
    /// Panics with a short history, if an answer is wrong.
    pub(crate) fn go(&mut self, steps: u64) {
        for _ in 0..steps {
            let state = self.random.0;
            let step = Step::random(&mut self.random, &self.world);
            if step.begins == Beginning::Anew {
                self.world = World::new();
                self.beginning = (state, 0);
            }
            self.steps += 1;
            self.beginning.1 += 1;
            self.take(&step);
            self.most = self.most.max(self.world.list.0.len());
        }
    }

    fn take(&mut self, step: &Step) {
        let changed = attempt(|| self.world.apply(&step.change)).and_then(|()| self.check_contents());
        if let Err(what) = changed {
            self.fail(&what, None);
        }
        for question in &step.questions {
            match attempt(|| self.world.ask(question)) {
                Ok(hits) => self.hits += hits as u64,
                Err(what) => self.fail(&what, Some(question)),
            }
            self.questions += 1;
        }
    }

    /// Checks the whole content once in a while.
    fn check_contents(&self) -> Result<(), String> {
        if self.steps.is_multiple_of(16) { self.world.check_contents() } else { Ok(()) }
    }

    fn fail(&self, what: &str, question: Option<&Question>) -> ! {
        println!("seed {}, step {}: {what}\nlooking for fewer changes that lead to it ...", self.seed, self.steps);
        let short = history::shortened(&self.history(), question);
        let changes: String = short.changes.iter().map(|change| format!("  {change:?}\n")).collect();
        panic!(
            "seed {}, step {}: {what}\nafter {} changes since the world began; {} are enough:\n{changes}{}\n{}",
            self.seed,
            self.steps,
            self.beginning.1,
            short.changes.len(),
            question.map_or(String::new(), |question| format!("asked: {question:?}")),
            short.what
        );
    }

    /// Returns all changes since the world began.
    fn history(&self) -> Vec<Change> {
        let (state, steps) = self.beginning;
        let (mut random, mut world) = (Random(state), World::new());
        let change = |_| {
            let Step { change, .. } = Step::random(&mut random, &world);
            // The last change may be the one that fails.
            let _ = attempt(|| world.apply(&change));
            change
        };
        (0..steps).map(change).collect()
    }
}

/// Runs a closure, and returns a panic as an error.
pub(crate) fn attempt<T>(f: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(f)).unwrap_or_else(|_| Err("a panic".to_owned()))
}

impl fmt::Display for Walk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seed, steps, questions, hits, most, .. } = self;
        write!(f, "seed {seed}: {steps} steps, {questions} questions, {hits} hits, up to {most} entities")
    }
}
