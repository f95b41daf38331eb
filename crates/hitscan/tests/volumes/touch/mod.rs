//! Closest points, overlaps and distances, compared with results that are computed in another way. No code is
//! shared with the library.
//!
//! In a long run each pair of shapes reports on stderr when it is done.

mod agree;
mod all_depths;
mod bits;
mod depths;
mod edges;
mod manifolds;
mod meshes;
mod on_both;
mod oracle;
mod pairs;
mod parallel;
mod pierced;
mod points;
mod self_intersections;
mod two_meshes;

use hitscan_random::effort::{self, Effort};
use std::fmt::Debug;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Returns the number of cases of each kind, given the number in the gate.
fn count(full: usize) -> usize {
    effort::size(full, full, 1_000_000)
}

/// Checks every kind, on all threads. A failure of one does not keep the others from being checked.
fn each<K: Debug + Sync>(what: &str, kinds: &[K], prove: impl Fn(&K) + Sync) {
    let (next, wrong) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        while let Some(kind) = kinds.get(next.fetch_add(1, Ordering::Relaxed)) {
            let start = Instant::now();
            let is_proved = catch_unwind(AssertUnwindSafe(|| prove(kind))).is_ok();
            wrong.fetch_add(usize::from(!is_proved), Ordering::Relaxed);
            // The output is not captured, so that it is visible while others run.
            if Effort::get().is_long() {
                let (seconds, verdict) = (start.elapsed().as_secs_f64(), if is_proved { "holds" } else { "WRONG" });
                let _ = writeln!(std::io::stderr(), "{what}: {kind:?}: {verdict}, {seconds:.1} s");
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get());
    std::thread::scope(|scope| (0..threads.min(kinds.len())).for_each(|_| drop(scope.spawn(work))));
    let wrong = wrong.into_inner();
    assert!(wrong == 0, "{what}: {wrong} of {} kinds are wrong", kinds.len());
}
