//! The library as native code, with given trees, instruction set and threads.

use anyhow::{Context, Result, anyhow};
use hitscan::simd::SimdLevel;
use hitscan::{Quality, Ray};
use hitscan_digest::{Content, Digest, QUALITIES, Subject};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::fmt;

/// Threads that build trees and cast rays.
pub(crate) struct Threads(ThreadPool);

impl Threads {
    pub(crate) fn new(count: usize) -> Result<Self> {
        let pool = ThreadPoolBuilder::new().num_threads(count).build();
        pool.map(Self).context("the threads cannot be started")
    }

    /// Builds trees of every quality.
    pub(crate) fn build_all<'a>(&'a self, content: &Content) -> Result<[Built<'a>; 3]> {
        let [a, b, c] = QUALITIES.map(|quality| self.build(content, quality));
        Ok([a?, b?, c?])
    }

    pub(crate) fn build<'a>(&'a self, content: &Content, quality: Quality) -> Result<Built<'a>> {
        let subject = self.0.install(|| Subject::new(content, quality)).map_err(|error| anyhow!(error))?;
        Ok(Built { threads: self, quality, subject })
    }
}

/// The number of rays in a work item.
const GRAIN: usize = 509;

/// Returns the digest of all rays. The three trees take turns with the work items, on the threads of the first tree.
/// The first turn is of the tree `start`. Every other work item is cast in batches.
pub(crate) fn digest_in_turns(built: &[Built<'_>; 3], start: usize, level: SimdLevel, rays: &[Ray]) -> Result<Digest> {
    level.select()?;
    let digest = |(piece, rays): (usize, &[Ray])| {
        let (subject, first) = (&built[(start + piece) % built.len()].subject, (piece * GRAIN) as u64);
        if piece % 2 == 0 { subject.digest_in_batches(first, rays) } else { subject.digest(first, rays) }
    };
    Ok(built[0].threads.0.install(|| rays.par_chunks(GRAIN).enumerate().map(digest).sum()))
}

/// Trees, and the threads that built them.
pub(crate) struct Built<'a> {
    threads: &'a Threads,
    quality: Quality,
    pub(crate) subject: Subject,
}

impl Built<'_> {
    /// Returns the digest with an available instruction set.
    pub(crate) fn digest(&self, level: SimdLevel, first: u64, rays: &[Ray]) -> Result<Digest> {
        level.select()?;
        let pieces = rays.par_chunks(GRAIN).enumerate();
        let digest = |(piece, rays): (usize, &[Ray])| self.subject.digest(first + (piece * GRAIN) as u64, rays);
        Ok(self.threads.0.install(|| pieces.map(digest).sum()))
    }

    /// Returns the same digest as [`digest`](Self::digest), but casts the rays in batches.
    pub(crate) fn digest_in_batches(&self, level: SimdLevel, first: u64, rays: &[Ray]) -> Result<Digest> {
        level.select()?;
        Ok(self.threads.0.install(|| self.subject.digest_in_batches(first, rays)))
    }

    /// Returns the number of rays that hit anything.
    pub(crate) fn hits(&self, rays: &[Ray]) -> usize {
        let is_hit = |&(index, ray): &(usize, &Ray)| self.subject.is_hit(index as u64, ray);
        self.threads.0.install(|| rays.par_iter().enumerate().filter(is_hit).count())
    }
}

impl fmt::Display for Built<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} by {} threads", self.quality, self.threads.0.current_num_threads())
    }
}
