//! The threads among which work is divided.

use super::per_process::{Ancestry, PerProcess};
use rayon_core::{ThreadPool, ThreadPoolBuilder};
use std::error::Error;

/// A task without a type parameter: rayon's code is then compiled once, and not for every task. That code was a tenth of
/// the library.
pub(super) type Task<'a> = &'a mut (dyn FnMut() + Send);

/// The threads that help the calling thread.
enum Crew {
    /// The pool that the thread is in, or otherwise rayon's common pool.
    Rayon,
    /// A pool of this process. It is needed because the common pool has stayed in the parent from which this process
    /// was forked.
    Own(ThreadPool),
    /// There is no help, because no threads could be started.
    Nobody,
}

static CREWS: PerProcess<Crew> = PerProcess::new();

/// Returns the threads for the calling thread; they are started if no thread of this process has requested them yet.
fn crew() -> &'static Crew {
    // WebAssembly has no forks and no process numbers, and rayon handles its lack of threads.
    if cfg!(target_family = "wasm") || rayon_core::current_thread_index().is_some() {
        return &Crew::Rayon;
    }
    CREWS.get(Crew::start).unwrap_or(&Crew::Nobody)
}

impl Crew {
    fn start(ancestry: Ancestry) -> Self {
        match ancestry {
            // This fails for a reason of the system, or because the program has started the common pool already. In the second case, the common pool is used.
            Ancestry::First => match ThreadPoolBuilder::new().build_global() {
                Err(error) if error.source().is_some() => Self::Nobody,
                _ => Self::Rayon,
            },
            Ancestry::Forked => ThreadPoolBuilder::new().build().map_or(Self::Nobody, Self::Own),
        }
    }
}

/// Returns the number of threads; 1 if no thread could be started.
pub(super) fn size() -> usize {
    match crew() {
        Crew::Rayon => rayon_core::current_num_threads(),
        Crew::Own(pool) => pool.current_num_threads(),
        Crew::Nobody => 1,
    }
}

/// Runs both tasks, at the same time if a thread is free.
#[inline(never)]
pub(super) fn join(a: Task<'_>, b: Task<'_>) {
    match crew() {
        Crew::Rayon => _ = rayon_core::join(a, b),
        Crew::Own(pool) => _ = pool.join(a, b),
        Crew::Nobody => {
            a();
            b();
        }
    }
}

/// Runs both tasks, the first on the calling thread.
#[inline(never)]
pub(super) fn join_in_place(a: Task<'_>, b: Task<'_>) {
    match crew() {
        Crew::Rayon => rayon_core::in_place_scope(|scope| {
            scope.spawn(|_| b());
            a();
        }),
        Crew::Own(pool) => pool.in_place_scope(|scope| {
            scope.spawn(|_| b());
            a();
        }),
        Crew::Nobody => {
            a();
            b();
        }
    }
}

/// Runs work on one of the threads.
#[inline(never)]
pub(super) fn run_inside(work: Task<'_>) {
    match crew() {
        Crew::Rayon => rayon_core::scope(|_| work()),
        Crew::Own(pool) => pool.install(work),
        Crew::Nobody => work(),
    }
}
