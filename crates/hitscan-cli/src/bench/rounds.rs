//! Repeated measurements.

use super::shared::clock::median;
use indicatif::ProgressBar;
use serde::Serialize;

/// A measurement that has taken this many seconds is not repeated again.
const ENOUGH: f64 = 10.0;

/// The seconds that some work took.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Timing {
    /// The median.
    pub(super) seconds: f64,
    pub(super) fastest: f64,
    pub(super) slowest: f64,
    pub(super) rounds: usize,
}

/// The number of repetitions of a measurement, and the progress bar.
pub(super) struct Rounds<'a> {
    count: u32,
    bar: &'a ProgressBar,
}

impl<'a> Rounds<'a> {
    pub(super) fn new(count: u32, bar: &'a ProgressBar) -> Self {
        Self { count, bar }
    }

    /// Repeats work that returns its own time in seconds, and returns the statistics of these times.
    pub(super) fn time(&self, what: String, work: impl FnMut() -> f64) -> Timing {
        self.repeat(self.count, what, work)
    }

    /// Repeats work `count` times instead of the usual number. It runs at least once, and not again after [`ENOUGH`]
    /// seconds.
    pub(super) fn repeat(&self, count: u32, what: String, mut work: impl FnMut() -> f64) -> Timing {
        self.bar.set_message(what);
        let end = self.bar.position() + u64::from(count);
        let mut seconds = vec![work()];
        self.bar.inc(1);
        while seconds.len() < count as usize && seconds.iter().sum::<f64>() < ENOUGH {
            seconds.push(work());
            self.bar.inc(1);
        }
        self.bar.set_position(end);
        Timing::of(&seconds)
    }
}

impl Timing {
    fn of(seconds: &[f64]) -> Self {
        Self {
            seconds: median(seconds).unwrap_or(f64::NAN),
            fastest: seconds.iter().copied().fold(f64::INFINITY, f64::min),
            slowest: seconds.iter().copied().fold(0.0, f64::max),
            rounds: seconds.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(count: u32, each: f64) -> (Timing, u64) {
        let bar = ProgressBar::hidden();
        let timing = Rounds::new(count, &bar).time("nothing".into(), || each);
        (timing, bar.position())
    }

    #[test]
    fn as_often_as_asked_or_until_it_is_enough() {
        assert_eq!(time(7, 1.0), (Timing { seconds: 1.0, fastest: 1.0, slowest: 1.0, rounds: 7 }, 7));
        assert_eq!((time(7, 4.0).0.rounds, time(7, 4.0).1), (3, 7));
        assert_eq!(time(7, 100.0).0.rounds, 1);
    }

    #[test]
    fn the_spread_is_from_end_to_end() {
        let timing = Timing::of(&[3.0, 1.0, 2.0, 9.0]);
        assert_eq!(timing, Timing { seconds: 2.5, fastest: 1.0, slowest: 9.0, rounds: 4 });
    }
}
