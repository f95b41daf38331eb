//! Closest points, overlaps and distances, against results that are computed in another way: no code is shared with
//! what is tested.
//!
//! `HITSCAN_TOUCHES=1000000` sets the number of cases of each pair of shapes, and makes each pair report on stderr when
//! it is done. `HITSCAN_TOUCHES_OF='turned: [Sphere, Quad]'` selects one pair.

mod agree;
mod bits;
#[path = "../common/mod.rs"]
mod common;
mod depths;
mod edges;
mod manifolds;
mod meshes;
mod oracle;
mod pairs;
mod parallel;
mod points;

use std::fmt::Debug;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Returns the number of cases of each kind, if it is set.
fn told() -> Option<usize> {
    std::env::var("HITSCAN_TOUCHES").ok().and_then(|count| count.parse().ok())
}

/// Returns the number of cases of each kind.
fn count(by_default: usize) -> usize {
    told().unwrap_or(by_default)
}

/// Checks every kind, on all threads. A failure of one does not keep the others from being checked.
fn each<K: Debug + Sync>(what: &str, kinds: &[K], prove: impl Fn(&K) + Sync) {
    let only = std::env::var("HITSCAN_TOUCHES_OF").unwrap_or_default();
    let (next, wrong) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        while let Some(kind) = kinds.get(next.fetch_add(1, Ordering::Relaxed)) {
            if !format!("{what}: {kind:?}").contains(&only) {
                continue;
            }
            let start = Instant::now();
            let is_proved = catch_unwind(AssertUnwindSafe(|| prove(kind))).is_ok();
            wrong.fetch_add(usize::from(!is_proved), Ordering::Relaxed);
            // The output is not captured, so that it is visible while others run.
            if let Some(count) = told() {
                let (seconds, verdict) = (start.elapsed().as_secs_f64(), if is_proved { "hold" } else { "WRONG" });
                let _ = writeln!(std::io::stderr(), "{what}: {kind:?}: {count} {verdict}, {seconds:.1} s");
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get());
    std::thread::scope(|scope| (0..threads.min(kinds.len())).for_each(|_| drop(scope.spawn(work))));
    let wrong = wrong.into_inner();
    assert!(wrong == 0, "{what}: {wrong} of {} kinds are wrong", kinds.len());
}
