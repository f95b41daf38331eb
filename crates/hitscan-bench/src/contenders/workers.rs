//! The threads that a build may use.

use crate::shared::clock::seconds;
use anyhow::{Context, Result};

/// The threads that a build may use.
pub(crate) struct Workers {
    pub(crate) threads: usize,
    pub(crate) pool: rayon::ThreadPool,
}

impl Workers {
    pub(crate) fn new(threads: usize) -> Result<Self> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        Ok(Self { threads, pool: pool.with_context(|| format!("no pool of {threads} threads"))? })
    }

    /// Returns the seconds that a job takes on one of the threads with the help of the others. The time to wake this
    /// thread is not included, because it is not part of any library's work.
    pub(crate) fn seconds(&self, work: impl FnOnce() + Send) -> f64 {
        self.pool.install(|| seconds(work).0)
    }
}
