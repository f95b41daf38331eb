//! The threads that questions are answered on.
//!
//! Large work is divided inside of [`Threads::run`] alone, among the number of threads that the call or the environment names. Threads do not survive a
//! fork, so each process has its own.

use crate::arguments::ThreadCount;
use crate::error;
use crate::interrupt;
use hitscan::internal::PerProcess;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::collections::HashMap;
use std::fmt::Display;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

/// The variable of the environment that caps the threads of every call without `threads=`.
const VARIABLE: &str = "HITSCAN_NUM_THREADS";
/// A call with fewer questions is answered by the calling thread, because waking other threads takes longer.
pub(crate) const FEW: usize = 256;
/// A mesh of fewer triangles is made by the calling thread. The library does not divide the work for such a mesh either.
pub(crate) const SMALL: usize = 768;
/// A larger number of threads is refused as a mistake.
const MOST: usize = 4096;

/// The pools of a process, by their number of threads.
type Pools = Mutex<HashMap<usize, Arc<ThreadPool>>>;

static POOLS: PerProcess<Pools> = PerProcess::new();

/// Returns the number of threads that a call uses without `threads=`: the number in `HITSCAN_NUM_THREADS`, otherwise one for each processor.
#[pyfunction]
pub(crate) fn thread_count() -> PyResult<usize> {
    match std::env::var(VARIABLE) {
        Ok(text) if !text.trim().is_empty() => text.trim().parse().ok().and_then(usable).ok_or_else(|| {
            error::value(format!("{VARIABLE} is {text:?}, but must be a number of threads from 1 to {MOST}"))
        }),
        _ => Ok(std::thread::available_parallelism().map_or(1, NonZeroUsize::get)),
    }
}

fn usable(count: usize) -> Option<usize> {
    (1..=MOST).contains(&count).then_some(count)
}

/// The number of threads that a call may use.
#[derive(Clone, Copy)]
pub(crate) struct Threads {
    /// The number that the call names.
    count: Option<usize>,
    /// True if a single question takes less time than releasing the interpreter's lock.
    is_brief: bool,
}

impl Threads {
    /// Takes the argument `threads`, for which `None` and 0 mean the usual number.
    pub(crate) fn new(threads: Option<ThreadCount>) -> PyResult<Self> {
        match threads {
            None | Some(ThreadCount(0)) => Ok(Self { count: None, is_brief: false }),
            Some(ThreadCount(count)) => match usize::try_from(count).ok().and_then(usable) {
                Some(count) => Ok(Self { count: Some(count), is_brief: false }),
                None => Err(error::value(format!(
                    "threads is {count}, but must be from 1 to {MOST}, or 0 or None for {VARIABLE} or all processors"
                ))),
            },
        }
    }

    /// Returns the threads for brief questions, such as the first hit of a ray: a single question keeps the interpreter's lock.
    pub(crate) fn brief(self) -> Self {
        Self { is_brief: true, ..self }
    }

    /// Runs work for this many questions without the interpreter's lock, on the pool's threads if they are many. A signal ends it. If no threads can be
    /// started and the call does not name a number of threads, the calling thread does all the work.
    pub(crate) fn run<A: Send>(self, py: Python<'_>, questions: usize, work: impl FnOnce() -> A + Send) -> PyResult<A> {
        if questions < FEW {
            return interrupt::caught(|| if self.is_brief && questions <= 1 { work() } else { py.detach(work) });
        }
        match self.pool()? {
            Some(pool) => interrupt::caught(|| py.detach(|| interrupt::in_pool(&pool, work))),
            None => interrupt::caught(|| py.detach(work)),
        }
    }

    /// Runs work for this many questions without the interpreter, on the pool's threads if the questions are many and threads can be started. A
    /// signal unwinds to [`interrupt::caught`].
    pub(crate) fn install<A: Send>(self, questions: usize, work: impl FnOnce() -> A + Send) -> A {
        match questions {
            0..FEW => work(),
            _ => match self.pool() {
                Ok(Some(pool)) => interrupt::in_pool(&pool, work),
                _ => work(),
            },
        }
    }

    /// Runs work on this many triangles, such as a build, on the pool's threads if they are many.
    pub(crate) fn run_for_mesh<A: Send>(
        self,
        py: Python<'_>,
        triangles: usize,
        work: impl FnOnce() -> A + Send,
    ) -> PyResult<A> {
        if triangles < SMALL {
            return Ok(py.detach(work));
        }
        self.run(py, usize::MAX, work)
    }

    /// Does the same as [`run_for_mesh`](Self::run_for_mesh) for work that borrows nothing, so that the call need not wait for its end after a signal.
    pub(crate) fn run_apart<A: Send + 'static>(
        self,
        py: Python<'_>,
        triangles: usize,
        work: impl FnOnce() -> A + Send + 'static,
    ) -> PyResult<A> {
        if triangles < SMALL {
            return interrupt::caught(|| py.detach(work));
        }
        match self.pool()? {
            Some(pool) => interrupt::caught(|| py.detach(|| interrupt::apart(&pool, work))),
            None => interrupt::caught(|| py.detach(work)),
        }
    }

    /// Returns the pool, or `None` if no threads can be started and the call does not name a number of threads.
    fn pool(self) -> PyResult<Option<Arc<ThreadPool>>> {
        match (pool(self.count.map_or_else(thread_count, Ok)?), self.count) {
            (Ok(pool), _) => Ok(Some(pool)),
            (Err(_), None) => Ok(None),
            (Err(error), Some(_)) => Err(error),
        }
    }
}

fn pool(count: usize) -> PyResult<Arc<ThreadPool>> {
    let cannot = |why: &dyn Display| {
        PyRuntimeError::new_err(format!("cannot start {count} threads ({why}): give a smaller `threads`"))
    };
    let pools =
        POOLS.get(|_| Mutex::default()).ok_or_else(|| cannot(&"the parent was starting its own at the fork"))?;
    let mut pools = pools.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(pool) = pools.get(&count) {
        return Ok(pool.clone());
    }
    let builder = ThreadPoolBuilder::new().num_threads(count).thread_name(|index| format!("hitscan-{index}"));
    let pool = builder.build().map_err(|error| cannot(&error))?;
    Ok(pools.entry(count).or_insert(Arc::new(pool)).clone())
}
