//! The record of all calls: their counts, their durations and the faults found.

use crate::clock::thread_time;
use std::collections::BTreeMap;
use std::fmt::{Debug, Write as _};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The time limit of a call on a small scene.
const MOST: Duration = Duration::from_millis(10);
/// The number of times a slow call is repeated, to rule out delays by the system.
const REPEATS: usize = 2;
/// The number of seeds that the report names for each kind of fault.
const EXAMPLES: usize = 4;
/// The number of characters after which a printed answer is cut off.
const LONGEST: usize = 1500;

/// States whether calls have a time limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Timing {
    Ignored,
    Checked,
}

/// The seed and step that the fuzzer is at, for the thread that reports progress.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position {
    pub(crate) seed: u64,
    pub(crate) step: usize,
    pub(crate) call: &'static str,
    pub(crate) since: Instant,
    pub(crate) calls: u64,
    pub(crate) faults: usize,
}

#[derive(Default)]
struct Calls {
    count: u64,
    total: Duration,
    longest: Duration,
    seed: u64,
}

#[derive(Default)]
struct Fault {
    count: u64,
    examples: Vec<String>,
}

pub(crate) struct Log {
    position: Arc<Mutex<Position>>,
    seed: u64,
    step: usize,
    timing: Timing,
    /// Prints every call, for looking at a single seed.
    is_verbose: bool,
    calls: BTreeMap<&'static str, Calls>,
    faults: BTreeMap<(&'static str, &'static str), Fault>,
    call: &'static str,
    /// All answers so far, if they are recorded.
    answers: Option<Vec<Answer>>,
}

/// An answer as text, which shows every bit of a number that is not a NaN.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) seed: u64,
    pub(crate) step: usize,
    pub(crate) call: &'static str,
    pub(crate) text: String,
}

impl Log {
    pub(crate) fn new(timing: Timing, is_verbose: bool) -> Self {
        let since = Instant::now();
        let position = Position { seed: 0, step: 0, call: "start", since, calls: 0, faults: 0 };
        Self {
            position: Arc::new(Mutex::new(position)),
            seed: 0,
            step: 0,
            timing,
            is_verbose,
            calls: BTreeMap::new(),
            faults: BTreeMap::new(),
            call: "start",
            answers: None,
        }
    }

    /// Makes a log that records all answers.
    pub(crate) fn recording() -> Self {
        Self { answers: Some(Vec::new()), ..Self::new(Timing::Ignored, false) }
    }

    /// Returns the answers that were recorded.
    pub(crate) fn into_answers(self) -> Vec<Answer> {
        self.answers.unwrap_or_default()
    }

    pub(crate) fn position(&self) -> Arc<Mutex<Position>> {
        self.position.clone()
    }

    pub(crate) fn at(&mut self, seed: u64, step: usize) {
        (self.seed, self.step) = (seed, step);
    }

    /// Makes a call that changes nothing, and checks its duration.
    pub(crate) fn call<T>(&mut self, name: &'static str, input: &dyn Debug, call: impl Fn() -> T) -> T {
        let (answer, took) = self.first(name, input, &call);
        if took > MOST && self.timing == Timing::Checked {
            let again = (0..REPEATS).map(|_| timed(&call).1);
            self.check_time(again.fold(took, Duration::min));
        }
        answer
    }

    /// Makes a call that changes something, and checks its duration.
    pub(crate) fn change<S: Clone, T>(
        &mut self,
        name: &'static str,
        input: &dyn Debug,
        changed: &mut S,
        change: impl Fn(&mut S) -> T,
    ) -> T {
        let before = changed.clone();
        let mut first = Some(changed);
        let (answer, took) = self.first(name, input, &mut || first.take().map(&change));
        if took > MOST && self.timing == Timing::Checked {
            let again = (0..REPEATS).map(|_| {
                let mut copy = before.clone();
                timed(|| change(&mut copy)).1
            });
            self.check_time(again.fold(took, Duration::min));
        }
        answer.expect("it was called once")
    }

    /// Calls a query whose answer must not contain NaN.
    pub(crate) fn ask<T: Debug>(&mut self, name: &'static str, input: &dyn Debug, question: impl Fn() -> T) -> T {
        let answer = self.call(name, input, question);
        self.sound(&answer);
        answer
    }

    /// Calls a function that is composed of many queries, each of which is quick by itself.
    pub(crate) fn ask_many<T: Debug>(&mut self, name: &'static str, input: &dyn Debug, question: impl Fn() -> T) -> T {
        let (answer, _) = self.first(name, input, question);
        self.sound(&answer);
        answer
    }

    fn first<T>(&mut self, name: &'static str, input: &dyn Debug, call: impl FnMut() -> T) -> (T, Duration) {
        self.call = name;
        if self.is_verbose {
            println!("step {}: {name} {}", self.step, shortened(&format!("{input:?}")));
        }
        if let Ok(mut position) = self.position.lock() {
            *position = Position {
                seed: self.seed,
                step: self.step,
                call: name,
                since: Instant::now(),
                calls: position.calls + 1,
                faults: self.faults.len(),
            };
        }
        let (answer, took) = timed(call);
        if self.is_verbose {
            println!("    in {:.3} ms", took.as_secs_f64() * 1e3);
        }
        let calls = self.calls.entry(name).or_default();
        calls.count += 1;
        calls.total += took;
        if took > calls.longest {
            (calls.longest, calls.seed) = (took, self.seed);
        }
        (answer, took)
    }

    fn check_time(&mut self, least: Duration) {
        self.check(least <= MOST, "slow", || format!("{:.1} ms", least.as_secs_f64() * 1e3));
    }

    /// Checks that an answer contains no NaN.
    pub(crate) fn sound(&mut self, answer: &impl Debug) {
        let printed = format!("{answer:?}");
        if self.is_verbose {
            println!("    {}", shortened(&printed));
        }
        self.check(!printed.contains("NaN"), "NaN", || printed.clone());
        self.record(printed);
    }

    /// Records the last call's answer as text, if answers are recorded.
    pub(crate) fn record(&mut self, text: String) {
        if let Some(answers) = &mut self.answers {
            answers.push(Answer { seed: self.seed, step: self.step, call: self.call, text });
        }
    }

    /// Checks a rule that must hold for the last call.
    pub(crate) fn check(&mut self, holds: bool, rule: &'static str, detail: impl FnOnce() -> String) {
        if !holds {
            self.fault(rule, &detail());
        }
    }

    /// Records the last call as wrong.
    pub(crate) fn fault(&mut self, rule: &'static str, detail: &str) {
        let example = format!("seed {} step {}: {}", self.seed, self.step, shortened(detail));
        if self.is_verbose {
            println!("FAULT {}: {rule}: {example}", self.call);
        }
        let fault = self.faults.entry((self.call, rule)).or_default();
        fault.count += 1;
        if fault.examples.len() < EXAMPLES {
            fault.examples.push(example);
        }
    }

    /// Returns all faults as text, empty if there are none.
    pub(crate) fn faults(&self) -> String {
        self.faults.iter().fold(String::new(), |mut text, ((call, rule), fault)| {
            let _ = write!(text, "\n{call}: {rule}, {} times", fault.count);
            fault.examples.iter().for_each(|example| {
                let _ = write!(text, "\n    {example}");
            });
            text
        })
    }

    /// Returns a table of how often each call was made and how long it took.
    pub(crate) fn summary(&self) -> String {
        let header =
            format!("{:28} {:>10} {:>12} {:>12}  seed of the longest", "call", "times", "mean us", "longest us");
        self.calls.iter().fold(header, |mut text, (name, calls)| {
            let mean = calls.total.as_secs_f64() * 1e6 / calls.count as f64;
            let longest = calls.longest.as_secs_f64() * 1e6;
            let _ = write!(text, "\n{name:28} {:>10} {mean:>12.2} {longest:>12.1}  {}", calls.count, calls.seed);
            text
        })
    }
}

fn timed<T>(mut call: impl FnMut() -> T) -> (T, Duration) {
    let start = thread_time();
    let answer = call();
    (answer, thread_time().saturating_sub(start))
}

fn shortened(text: &str) -> &str {
    text.char_indices().nth(LONGEST).map_or(text, |(end, _)| &text[..end])
}
