//! Timing. Contenders alternate. The ratio of two times is taken in each round, and the reported figure is the median of
//! these ratios. So the load of the machine affects all contenders equally.

use crate::contenders::{Division, Hit, Tree, Workers};
use crate::rays::Question;
use crate::shared::clock::{median, seconds};
use hitscan::Ray;

/// A job that runs once in each round, and returns its time in seconds.
pub(crate) type Job<'a> = Box<dyn FnMut() -> f64 + 'a>;

/// Returns the seconds of each job in each round. All jobs run once in a round, and each round begins with another job.
pub(crate) fn interleave(rounds: usize, jobs: &mut [Job<'_>]) -> Vec<Vec<f64>> {
    let count = jobs.len();
    let mut seconds = vec![Vec::with_capacity(rounds); count];
    for job in (0..rounds).flat_map(|round| (0..count).map(move |turn| (round + turn) % count)) {
        seconds[job].push(jobs[job]());
    }
    seconds
}

/// Returns the geometric mean; `None` without any values.
pub(crate) fn geometric_mean(values: &[f64]) -> Option<f64> {
    let logarithms: f64 = values.iter().map(|value| value.ln()).sum();
    (!values.is_empty()).then(|| (logarithms / values.len() as f64).exp())
}

/// The time of a contender, and its speed relative to the reference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Timing {
    /// The median time.
    pub(crate) seconds: f64,
    /// The median over the rounds of the reference's time divided by the contender's time. More than 1 is faster than
    /// the reference.
    pub(crate) speed: f64,
    /// The smallest and the largest ratio.
    pub(crate) spread: [f64; 2],
}

/// Compares the seconds of the rounds of the reference and of a contender; `None` without any rounds.
pub(crate) fn compare(reference: &[f64], own: &[f64]) -> Option<Timing> {
    let ratios: Vec<f64> = reference.iter().zip(own).map(|(reference, own)| reference / own).collect();
    let spread = [ratios.iter().copied().fold(f64::INFINITY, f64::min), ratios.iter().copied().fold(0.0, f64::max)];
    Some(Timing { seconds: median(own)?, speed: median(&ratios)?, spread })
}

/// A contender's answers to a set of rays.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Answers {
    Closest(Vec<Option<Hit>>),
    Any(Vec<bool>),
}

/// The number of answers that differ from the reference's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Differences {
    /// The number of rays whose verdict differs from the reference. They hit where it misses, or miss where it hits.
    pub(crate) verdicts: usize,
    /// The number of hits whose t has a relative difference of more than 1e-4.
    pub(crate) distances: usize,
}

impl Answers {
    pub(crate) fn new(question: Question, rays: usize) -> Self {
        match question {
            Question::Closest => Self::Closest(vec![None; rays]),
            Question::Any => Self::Any(vec![false; rays]),
        }
    }

    pub(crate) fn differences(&self, reference: &Self) -> Differences {
        let mut found = Differences::default();
        match (self, reference) {
            (Self::Closest(own), Self::Closest(reference)) => {
                for pair in own.iter().zip(reference) {
                    match pair {
                        (Some(own), Some(reference)) => found.distances += usize::from(!near(own.t, reference.t)),
                        (own, reference) => found.verdicts += usize::from(own.is_some() != reference.is_some()),
                    }
                }
            }
            (Self::Any(own), Self::Any(reference)) => {
                found.verdicts = own.iter().zip(reference).filter(|(own, reference)| own != reference).count();
            }
            _ => unreachable!("a set of rays asks one question"),
        }
        found
    }
}

fn near(a: f32, b: f32) -> bool {
    (a - b).abs() <= 1e-4 * a.abs().max(b.abs())
}

/// Casts all rays with all of these threads, and returns the time in seconds.
pub(crate) fn ask(tree: &dyn Tree, workers: &Workers, rays: &[Ray], answers: &mut Answers) -> f64 {
    match (tree.shared(), tree.division()) {
        (Some(tree), Division::Own) => workers.seconds(|| ask_alone(tree, rays, answers)),
        (Some(tree), Division::Shares) if workers.threads > 1 => ask_in_shares(tree, workers.threads, rays, answers),
        _ => seconds(|| ask_alone(tree, rays, answers)).0,
    }
}

fn ask_alone(tree: &dyn Tree, rays: &[Ray], answers: &mut Answers) {
    match answers {
        Answers::Closest(hits) => tree.closest_all(rays, hits),
        Answers::Any(blocked) => tree.any_all(rays, blocked),
    }
}

fn ask_in_shares(tree: &(dyn Tree + Sync), threads: usize, rays: &[Ray], answers: &mut Answers) -> f64 {
    let share = rays.len().div_ceil(threads).max(1);
    let ask = || match answers {
        Answers::Closest(hits) => std::thread::scope(|scope| {
            for (rays, hits) in rays.chunks(share).zip(hits.chunks_mut(share)) {
                scope.spawn(move || tree.closest_all(rays, hits));
            }
        }),
        Answers::Any(blocked) => std::thread::scope(|scope| {
            for (rays, blocked) in rays.chunks(share).zip(blocked.chunks_mut(share)) {
                scope.spawn(move || tree.any_all(rays, blocked));
            }
        }),
    };
    seconds(ask).0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means() {
        assert_eq!(geometric_mean(&[]), None);
        assert!((geometric_mean(&[0.5, 2.0, 8.0]).unwrap() - 2.0).abs() < 1e-12);
    }

    #[test]
    fn a_ratio_is_taken_within_each_round() {
        // The machine is ten times slower in the second round, and only the reference is disturbed in the third.
        let timing = compare(&[1.0, 10.0, 9.0], &[2.0, 20.0, 2.0]).unwrap();
        assert_eq!(timing, Timing { seconds: 2.0, speed: 0.5, spread: [0.5, 4.5] });
        assert_eq!(compare(&[], &[]), None);
    }

    #[test]
    fn every_job_runs_once_a_round_and_begins_in_turn() {
        let order = std::cell::RefCell::new(Vec::new());
        let mut jobs: Vec<Job<'_>> = (0..3)
            .map(|job| {
                let order = &order;
                Box::new(move || {
                    order.borrow_mut().push(job);
                    f64::from(job)
                }) as Job<'_>
            })
            .collect();
        let seconds = interleave(2, &mut jobs);
        drop(jobs);
        assert_eq!(order.into_inner(), [0, 1, 2, 1, 2, 0]);
        assert_eq!(seconds, [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]);
    }

    #[test]
    fn differences_are_counted_by_kind() {
        let hit = |t| Some(Hit { t, triangle: 0 });
        let reference = Answers::Closest(vec![hit(1.0), hit(1.0), None, None]);
        let own = Answers::Closest(vec![hit(1.000_05), hit(1.001), None, hit(1.0)]);
        assert_eq!(own.differences(&reference), Differences { verdicts: 1, distances: 1 });
        let (own, reference) = (Answers::Any(vec![true, false]), Answers::Any(vec![true, true]));
        assert_eq!(own.differences(&reference), Differences { verdicts: 1, distances: 0 });
    }
}
