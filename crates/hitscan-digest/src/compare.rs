//! Compares the digests of all cases, one case after the other.

use crate::native::{Built, Threads, digest_in_turns};
use crate::remote::Remote;
use anyhow::{Result, ensure};
use hitscan::simd::SimdLevel;
use hitscan::{Quality, Ray};
use hitscan_digest::{Aim, Content, Digest, QUALITIES};
use std::time::Instant;

/// The comparison and its results so far.
pub(crate) struct Comparison {
    pub(crate) remotes: Vec<Remote>,
    seed: u64,
    one: Threads,
    two: Threads,
    start: Instant,
    cases: usize,
    rays: u64,
    hits: usize,
    digest: Digest,
    differences: usize,
}

impl Comparison {
    pub(crate) fn new(seed: u64) -> Result<Self> {
        Ok(Self {
            remotes: Vec::new(),
            seed,
            one: Threads::new(1)?,
            two: Threads::new(2)?,
            start: Instant::now(),
            cases: 0,
            rays: 0,
            hits: 0,
            digest: Digest::default(),
            differences: 0,
        })
    }

    /// Casts this number of rays at a content with every instruction set, quality, number of threads and module, and prints a line.
    pub(crate) fn case(&mut self, name: &str, content: &Content, count: u64) -> Result<()> {
        let aim = Aim::new(content, self.seed);
        let rays: Vec<Ray> = (0..count).map(|index| aim.ray(index)).collect();
        let reference = self.one.build(content, Quality::default())?;
        let expected = reference.digest(SimdLevel::Scalar, 0, &rays)?;
        let hits = reference.hits(&rays);
        println!(
            "{:>9}  {count:>9}  {:>5.1}%  {expected}  {name}",
            content.size(),
            100.0 * hits as f64 / rays.len() as f64
        );
        let expected = Expected { reference: &reference, digest: expected, rays: &rays };
        // WebAssembly uses one quality for each case, because all qualities would take three times as long.
        let quality = QUALITIES[self.cases % QUALITIES.len()];
        let (remotes, one, two) = (&mut self.remotes, &self.one, &self.two);
        let (native, remote) = std::thread::scope(|scope| {
            // The processes that run WebAssembly work at the same time as this process.
            let remote = scope.spawn(|| {
                let digest = |remote: &mut Remote| {
                    remote.build(content, quality)?;
                    remote.digest(0, &rays)
                };
                remotes.iter_mut().map(digest).collect::<Vec<Result<Digest>>>()
            });
            let native = expected.compare_all_native(content, one, two);
            (native, remote.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        });
        let mut differences = native?;
        for (remote, digest) in remotes.iter_mut().zip(remote) {
            if digest? != expected.digest {
                let name = format!("{}, {quality:?}", remote.name);
                let found = expected.compare(&name, None, |first, rays| remote.digest(first, rays))?;
                ensure!(found > 0, "{name}: answers that differ from one time to the next");
                differences += found;
            }
        }
        let digest = expected.digest;
        self.cases += 1;
        self.rays += count;
        self.hits += hits;
        // The total digest depends on the order of the cases, too.
        self.digest = Digest(self.digest.0.rotate_left(1)) + digest;
        self.differences += differences;
        Ok(())
    }

    /// Prints the result, and returns whether everything is equal.
    pub(crate) fn conclude(&self) -> bool {
        let levels: Vec<String> = SimdLevel::available().map(|level| level.to_string()).collect();
        let remotes: String = self.remotes.iter().map(|remote| format!("; {}", remote.name)).collect();
        println!(
            "\n{} rays in {} cases, {} of them hit, in {} s\nby {}, each with trees of three qualities in turns, alone and in batches, by 2 threads, and by 1{remotes}",
            self.rays,
            self.cases,
            self.hits,
            self.start.elapsed().as_secs(),
            levels.join(", ")
        );
        match self.differences {
            0 => println!("all equal: {}", self.digest),
            count => println!("{count} DIFFERENCES"),
        }
        self.differences == 0
    }
}

/// The digest with which the others are compared.
struct Expected<'a> {
    reference: &'a Built<'a>,
    digest: Digest,
    rays: &'a [Ray],
}

impl Expected<'_> {
    /// Compares every instruction set, with one thread and with two.
    fn compare_all_native(&self, content: &Content, one: &Threads, two: &Threads) -> Result<usize> {
        let mut differences = self.compare_native(&one.build_all(content)?, 0, SimdLevel::best())?;
        let two = two.build_all(content)?;
        for (start, level) in SimdLevel::available().enumerate() {
            differences += self.compare_native(&two, start, level)?;
        }
        Ok(differences)
    }

    /// Compares the trees of all qualities. They take turns, so each instruction set is combined with all rays and
    /// all qualities. If the digest differs, all rays are cast with each quality.
    fn compare_native(&self, built: &[Built<'_>; 3], start: usize, level: SimdLevel) -> Result<usize> {
        if digest_in_turns(built, start, level, self.rays)? == self.digest {
            return Ok(0);
        }
        let compare = |built: &Built<'_>| {
            let (alone, batch) = (format!("{level}, {built}"), format!("{level}, {built}, in batches"));
            let found = self.compare(&alone, Some((built, level)), |first, rays| built.digest(level, first, rays))?;
            let digest = |first, rays: &[Ray]| built.digest_in_batches(level, first, rays);
            anyhow::Ok(found + self.compare(&batch, Some((built, level)), digest)?)
        };
        let found: usize = built.iter().map(compare).sum::<Result<_>>()?;
        ensure!(found > 0, "{level}: answers that differ from one time to the next");
        Ok(found)
    }

    /// Returns the number of differences, 0 or 1, and prints the first ray that differs.
    fn compare(
        &self,
        name: &str,
        built: Option<(&Built<'_>, SimdLevel)>,
        mut digest: impl FnMut(u64, &[Ray]) -> Result<Digest>,
    ) -> Result<usize> {
        if digest(0, self.rays)? == self.digest {
            return Ok(0);
        }
        let (mut first, mut rays) = (0, self.rays);
        while rays.len() > 1 {
            let (left, right) = rays.split_at(rays.len() / 2);
            let differs = digest(first, left)? != self.reference.digest(SimdLevel::Scalar, first, left)?;
            (first, rays) = if differs { (first, left) } else { (first + left.len() as u64, right) };
        }
        println!("DIFFERENT: {name}, first at ray {first}");
        for ray in rays {
            SimdLevel::Scalar.select()?;
            println!("  {ray:?}\n  expected {}", self.reference.subject.describe(first, ray));
            if let Some((built, level)) = built {
                level.select()?;
                println!("  but it is {}", built.subject.describe(first, ray));
            }
        }
        Ok(1)
    }
}
