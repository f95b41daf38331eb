//! The frame rate.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The time over which the rate is averaged.
const SPAN: Duration = Duration::from_secs(1);

/// The times of the last frames.
#[derive(Debug, Default)]
pub(super) struct Pace {
    frames: VecDeque<Instant>,
}

impl Pace {
    /// Notes a frame.
    pub(super) fn tick(&mut self, now: Instant) {
        self.frames.push_back(now);
        while self.frames.front().is_some_and(|first| now.duration_since(*first) > SPAN) {
            self.frames.pop_front();
        }
    }

    /// Returns the number of frames per second, in the last second with frames.
    fn rate(&self) -> Option<f64> {
        let (first, last) = (self.frames.front()?, self.frames.back()?);
        let seconds = last.duration_since(*first).as_secs_f64();
        (seconds > 0.0).then(|| (self.frames.len() - 1) as f64 / seconds)
    }

    pub(super) fn shown(&self) -> String {
        self.rate().map_or_else(|| "- frames/s".into(), |rate| format!("{rate:.0} frames/s"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_is_that_of_the_last_second() {
        let mut pace = Pace::default();
        assert_eq!(pace.rate(), None);
        let start = Instant::now();
        for frame in 0..200 {
            pace.tick(start + Duration::from_millis(10) * frame);
        }
        assert!((pace.rate().unwrap() - 100.0).abs() < 1e-9);
    }
}
