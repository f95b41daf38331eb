//! Single queries and batches of the same queries, measured alternately.

use crate::contenders::Workers;
use crate::measure::{Job, compare, interleave};
use crate::shared::clock::{median, seconds};
use anyhow::{Context, Result, ensure};
use hitscan::batch::BatchLists;

/// The target time of a round in seconds, and the number of questions whose time is measured first.
const ROUND: f64 = 0.02;
const TRIED: usize = 64;

/// The threads, and the number of rounds in which batches and single questions alternate.
pub(super) struct Rounds {
    workers: Workers,
    rounds: usize,
    /// True if each batch has only one question.
    by_one: bool,
}

/// The speed of batches relative to single questions, and the time of a single question.
pub(super) struct Compared {
    pub(super) speed: f64,
    pub(super) nanoseconds: f64,
}

impl Rounds {
    pub(super) fn new(threads: usize, rounds: usize) -> Result<Self> {
        Ok(Self { workers: Workers::new(threads)?, rounds, by_one: false })
    }

    /// Makes batches of one question each, by one thread.
    pub(super) fn of_one(rounds: usize) -> Result<Self> {
        Ok(Self { by_one: true, ..Self::new(1, rounds)? })
    }

    /// Compares questions with one answer each.
    pub(super) fn answers<Q: Sync, A: Clone + Default + PartialEq + Send>(
        &self,
        questions: &[Q],
        single: impl Fn(&Q) -> A + Sync,
        batch: impl Fn(&[Q], &mut [A]) + Sync,
    ) -> Result<Compared> {
        let questions = self.some_of(questions, |question| drop(single(question)));
        let mut answers = [vec![A::default(); questions.len()], vec![A::default(); questions.len()]];
        let [alone, together] = &mut answers;
        let share = questions.len().div_ceil(self.workers.threads);
        let one_by_one = || {
            let fill = |questions: &[Q], answers: &mut [A]| {
                questions.iter().zip(answers).for_each(|(question, answer)| *answer = single(question));
            };
            self.workers.pool.scope(|scope| {
                let shares = questions.chunks(share).zip(alone.chunks_mut(share));
                // This thread answers the first share.
                let mut shares = shares.collect::<Vec<_>>().into_iter();
                let first = shares.next();
                shares.for_each(|(questions, answers)| scope.spawn(move |_| fill(questions, answers)));
                first.into_iter().for_each(|(questions, answers)| fill(questions, answers));
            });
        };
        let size = if self.by_one { 1 } else { questions.len() };
        let batches = || {
            questions
                .chunks(size)
                .zip(together.chunks_mut(size))
                .for_each(|(questions, answers)| batch(questions, answers));
        };
        let compared = self.times(questions.len(), one_by_one, batches)?;
        ensure!(answers[0] == answers[1], "a batch answers otherwise than single questions");
        Ok(compared)
    }

    /// Compares questions with a list of answers each.
    pub(super) fn lists<Q: Sync, A: Clone + PartialEq + Send>(
        &self,
        questions: &[Q],
        single: impl Fn(&Q, &mut Vec<A>) + Sync,
        batch: impl Fn(&[Q], &mut BatchLists<A>) + Sync,
    ) -> Result<Compared> {
        let questions = self.some_of(questions, |question| single(question, &mut Vec::new()));
        let share = questions.len().div_ceil(self.workers.threads);
        // Each thread collects the answers of its share. Then all shares are joined as in a batch: the items of all lists, and
        // the end of each list.
        let mut kept: Vec<(Vec<usize>, Vec<A>)> = questions.chunks(share).map(|_| Default::default()).collect();
        let (mut ends, mut items) = (Vec::new(), Vec::new());
        let mut lists = BatchLists::new();
        let one_by_one = || {
            let fill = |questions: &[Q], (ends, items): &mut (Vec<usize>, Vec<A>)| {
                ends.clear();
                items.clear();
                let mut found = Vec::new();
                for question in questions {
                    single(question, &mut found);
                    items.append(&mut found);
                    ends.push(items.len());
                }
            };
            self.workers.pool.scope(|scope| {
                let mut shares = questions.chunks(share).zip(&mut kept);
                let first = shares.next();
                shares.for_each(|(questions, kept)| scope.spawn(move |_| fill(questions, kept)));
                first.into_iter().for_each(|(questions, kept)| fill(questions, kept));
            });
            ends.clear();
            items.clear();
            for (share_ends, share_items) in &mut kept {
                ends.extend(share_ends.iter().map(|end| items.len() + end));
                if items.is_empty() {
                    std::mem::swap(&mut items, share_items);
                } else {
                    items.append(share_items);
                }
            }
        };
        let size = if self.by_one { 1 } else { questions.len() };
        let compared = self
            .times(questions.len(), one_by_one, || questions.chunks(size).for_each(|some| batch(some, &mut lists)))?;
        let same = self.by_one || lists.items() == items && lists.offsets()[1..] == ends;
        ensure!(same, "a batch answers otherwise than single questions");
        Ok(compared)
    }

    /// Returns the first questions: enough of them for the time of a round.
    fn some_of<'a, Q>(&self, questions: &'a [Q], ask: impl Fn(&Q)) -> &'a [Q] {
        let tried = TRIED.min(questions.len());
        let (taken, ()) = seconds(|| questions[..tried].iter().for_each(&ask));
        let wanted = ROUND * self.workers.threads as f64 * tried as f64 / taken.max(1e-9);
        &questions[..(wanted as usize).clamp(tried, questions.len())]
    }

    fn times(&self, count: usize, mut single: impl FnMut() + Send, mut batch: impl FnMut() + Send) -> Result<Compared> {
        let workers = &self.workers;
        let mut jobs: [Job<'_>; 2] =
            [Box::new(|| workers.seconds(&mut single)), Box::new(|| workers.seconds(&mut batch))];
        // The first round warms the caches.
        jobs.iter_mut().for_each(|job| _ = job());
        let [singles, batches] = &interleave(self.rounds, &mut jobs)[..] else { unreachable!("there are two jobs") };
        let timing = compare(singles, batches).context("there are no rounds")?;
        let single = median(singles).context("there are no rounds")?;
        Ok(Compared { speed: timing.speed, nanoseconds: single / count as f64 * 1e9 })
    }
}
