//! Measurements with the clock.

use std::hint::black_box;
use std::time::Instant;

/// Returns the median: the middle value, or the mean of the two middle values. Returns `None` without values.
pub(crate) fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let upper = *sorted.get(sorted.len() / 2)?;
    let lower = sorted[(sorted.len() - 1) / 2];
    Some((lower + upper) / 2.0)
}

/// Returns the seconds that some work takes, and its result.
pub(crate) fn seconds<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let result = work();
    (start.elapsed().as_secs_f64(), result)
}

/// Measures work with cold caches, which it first fills with other data.
pub(crate) struct Cold {
    others: Vec<u64>,
    /// The time to read the clock twice, which is long compared with a single ray.
    clock: f64,
}

impl Cold {
    const BYTES: usize = 64 << 20;
    const LINE: usize = 64;
    /// The clock's resolution is the smallest time that can be measured.
    const LEAST: f64 = 1e-9;

    pub(crate) fn new() -> Self {
        let clock: Vec<f64> = (0..1001).map(|_| seconds(|| ()).0).collect();
        Self { others: vec![1; Self::BYTES / size_of::<u64>()], clock: median(&clock).unwrap_or(0.0) }
    }

    pub(crate) fn seconds<T>(&mut self, work: impl FnOnce() -> T) -> f64 {
        for line in self.others.chunks_mut(Self::LINE / size_of::<u64>()) {
            line[0] = line[0].wrapping_add(1);
        }
        black_box(&self.others);
        let (seconds, result) = seconds(work);
        black_box(result);
        (seconds - self.clock).max(Self::LEAST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0]), Some(3.0));
        assert_eq!(median(&[9.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 100.0]), Some(3.0));
    }
}
