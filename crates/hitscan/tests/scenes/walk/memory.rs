//! The endless walk, and the memory that it uses.

use crate::walk::walker::Walk;
use std::time::{Duration, Instant};

/// The number of steps after which the number of entities is stationary.
const FIRST: u64 = 3_000;
/// After this fraction of the time, all memory that is ever needed has been allocated: allocator caches, buffers,
/// meshes.
const WARM_UP: f64 = 0.2;
/// The increase in MiB that is not a leak. The average memory of the last part of the time is compared with the average
/// of the first part after the warm-up. The content of a world varies, and allocators return pages late, so the margin
/// is fixed, while a leak grows with the steps.
const MARGIN: f64 = 4.0;
const COMPARED: f64 = 0.2;
/// The number of steps between two readings of the clock.
const STRIDE: u64 = 100;

/// # Panics
/// If an answer is wrong, or memory grows.
pub(crate) fn soak(mut walk: Walk, length: Duration) {
    walk.go(FIRST);
    let start = Instant::now();
    let mut samples: Vec<(f64, f64)> = Vec::new();
    let between = length.div_f64(600.0).max(Duration::from_millis(10));
    let mut said = Duration::ZERO;
    while start.elapsed() < length {
        walk.go(STRIDE);
        let passed = start.elapsed();
        if passed >= between * samples.len() as u32 {
            samples.extend(resident().map(|mebibytes| (passed.div_duration_f64(length), mebibytes)));
        }
        if passed >= said {
            let taken = samples.last().map_or("-".to_owned(), |(_, taken)| format!("{taken:.1} MiB"));
            println!("{:>5} s  {taken:>10}  {walk}", passed.as_secs());
            said += Duration::from_secs(15);
        }
    }
    conclude(&samples, &walk, start.elapsed());
}

fn conclude(samples: &[(f64, f64)], walk: &Walk, passed: Duration) {
    println!("{:>5} s  {walk}: every answer right", passed.as_secs());
    let average = |from: f64, to: f64| {
        let of: Vec<f64> = samples.iter().filter(|(at, _)| (from..to).contains(at)).map(|(_, taken)| *taken).collect();
        (!of.is_empty()).then(|| of.iter().sum::<f64>() / of.len() as f64)
    };
    let Some((before, after)) = average(WARM_UP, WARM_UP + COMPARED).zip(average(1.0 - COMPARED, 2.0)) else {
        return println!("memory was not looked at: it is known on Linux alone, from /proc/self/status");
    };
    let most = samples.iter().map(|(_, taken)| *taken).fold(0.0, f64::max);
    println!(
        "resident memory: {before:.2} MiB on average after the warm-up, {after:.2} MiB in the end, {most:.2} MiB at most"
    );
    assert!(after <= before + MARGIN, "memory grew by more than {MARGIN} MiB");
}

/// Returns the resident memory in MiB (`VmRSS`); `None` if it is not available.
fn resident() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes / 1024.0)
}
