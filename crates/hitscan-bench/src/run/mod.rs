//! The measurements of each scene.

mod closest;
mod ground;
mod load;
mod pairs;
mod sweeps;
mod worlds;

use crate::contenders::{self, Contender, Refit, Tree, Workers};
use crate::measure::{Answers, Differences, Job, ask, compare, interleave};
use crate::memory;
use crate::part::Part;
use crate::rays::{Choice, RaySet, Rays};
use crate::report::{Cell, Report};
use crate::scenes::{Content, Entry, Scene, Soup};
use crate::shared::clock::{Cold, seconds};
use anyhow::Result;
use hitscan::Ray;

/// The amount of work.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    /// The side of the square picture of a ray set, in pixels: a set has one ray for each pixel.
    side: u32,
    rounds: usize,
    builds: usize,
    picks: usize,
    sweeps: usize,
    /// The number of frames of motion.
    pub(crate) frames: usize,
}

pub(crate) const QUICK: Effort = Effort { side: 128, rounds: 7, builds: 1, picks: 31, sweeps: 2_000, frames: 100 };
pub(crate) const FULL: Effort = Effort { side: 512, rounds: 9, builds: 7, picks: 201, sweeps: 10_000, frames: 1_000 };

pub(crate) struct Plan {
    /// All contenders. In each scene, the first contender that takes part is the reference.
    pub(crate) contenders: Vec<Box<dyn Contender>>,
    pub(crate) sets: Vec<RaySet>,
    pub(crate) parts: Vec<Part>,
    pub(crate) threads: Vec<usize>,
    pub(crate) effort: Effort,
}

/// A built structure, and the name of its contender.
type Lane<T> = (&'static str, T);

impl Plan {
    pub(crate) fn scene(&self, entry: &Entry, report: &mut Report) -> Result<()> {
        eprintln!("{}: {}", entry.name, entry.what);
        let scene = match (entry.load)() {
            Ok(scene) => scene,
            Err(error) => {
                report.skip(format!("scene {}: {error:#}", entry.name));
                return Ok(());
            }
        };
        let rays = self.rays_of(&scene)?;
        match &scene.content {
            Content::Mesh(soup) => self.mesh(entry.name, soup, &rays, report),
            Content::Instances(instances) => {
                self.instances(entry.name, instances, &rays, report)?;
                self.sweeps_at_instances(entry.name, instances, report)?;
                self.motion(entry.name, scene.view, instances, report)
            }
        }
    }

    fn rays_of(&self, scene: &Scene) -> Result<Rays> {
        let choice = Choice { side: self.effort.side, seed: Choice::SEED };
        Ok(Rays::new(scene.view, scene.bounds(), choice, contenders::surface(scene)?))
    }

    fn does(&self, part: Part) -> bool {
        self.parts.contains(&part)
    }

    /// Starts this number of threads, and prepares the contenders for them.
    fn workers(&self, threads: usize) -> Result<Workers> {
        let workers = Workers::new(threads)?;
        self.contenders.iter().try_for_each(|contender| contender.prepare(&workers))?;
        Ok(workers)
    }

    fn mesh(&self, scene: &'static str, soup: &Soup, rays: &Rays, report: &mut Report) -> Result<()> {
        // The padding is computed here, so that the time of no build includes it.
        soup.padded();
        if [Part::Build, Part::Rays, Part::Picks].iter().any(|&part| self.does(part)) {
            let lanes = self.build(scene, soup, report)?;
            let trees: Vec<Lane<&dyn Tree>> = lanes.iter().map(|(name, tree)| (*name, &**tree)).collect();
            self.rays(scene, &trees, rays, report)?;
            self.picks(scene, &trees, rays, report);
        }
        self.sweeps_at_mesh(scene, soup, report)?;
        self.closest(scene, soup, report)?;
        self.refit(scene, soup, report)?;
        self.load(scene, soup, rays, report)
    }

    /// Builds with each number of threads, and keeps the first results.
    fn build<'a>(
        &'a self,
        scene: &'static str,
        soup: &'a Soup,
        report: &mut Report,
    ) -> Result<Vec<Lane<Box<dyn Tree + 'a>>>> {
        let (mut lanes, mut able, mut times) = (Vec::new(), Vec::new(), Vec::new());
        let triangles = soup.triangle_count();
        let workers = self.workers(self.threads[0])?;
        for contender in self.contenders.iter().filter(|contender| contender.takes(triangles)) {
            let name = contender.name();
            eprintln!("{scene}: build, {name}");
            let meter = contender.meter();
            match seconds(|| memory::of_build(meter, || contender.build(soup, &workers))) {
                (time, Ok((tree, bytes))) => {
                    bytes.into_iter().for_each(|bytes| report.push_memory(scene, name, triangles, bytes, meter));
                    lanes.push((name, tree));
                    able.push(&**contender);
                    // The build does not run on a thread of the pool, because the allocator counts the threads of the
                    // pool, too.
                    times.push(if self.does(Part::Build) { Vec::new() } else { vec![time] });
                }
                (_, Err(error)) => report.skip(format!("{name} on {scene}: {error:#}")),
            }
        }
        for &threads in &self.threads {
            let rounds = if self.does(Part::Build) { self.effort.builds } else { 0 };
            let workers = self.workers(threads)?;
            let again = rebuild(&able, soup, &workers, rounds);
            times.iter_mut().zip(again).for_each(|(times, again)| times.extend(again));
            let cell = Cell::new(Part::Build, scene, threads, triangles);
            tabulate(report, cell, &lanes, &times, &[]);
            times.iter_mut().for_each(Vec::clear);
        }
        Ok(lanes)
    }

    fn rays(&self, scene: &'static str, trees: &[Lane<&dyn Tree>], rays: &Rays, report: &mut Report) -> Result<()> {
        let workers = self.threads.iter().map(|&threads| Workers::new(threads)).collect::<Result<Vec<_>>>()?;
        for &set in self.sets.iter().filter(|_| self.does(Part::Rays)) {
            let rays = rays.of(set);
            for workers in &workers {
                let threads = workers.threads;
                eprintln!("{scene}: {}, {threads} threads", set.name());
                let is_able = |lane: &&Lane<&dyn Tree>| threads == 1 || lane.1.shared().is_some();
                let able: Vec<Lane<&dyn Tree>> = trees.iter().filter(is_able).copied().collect();
                let mut answers = all_answers(&able, workers, set, &rays);
                let differences = answers.iter().map(|own| own.differences(&answers[0])).collect::<Vec<_>>();
                let times = self.time_rays(&able, workers, &rays, &mut answers);
                let cell = Cell::new(Part::Rays, scene, threads, rays.len()).of(set);
                tabulate(report, cell, &able, &times, &differences);
            }
        }
        Ok(())
    }

    /// Returns the seconds of each contender in each round.
    fn time_rays(
        &self,
        lanes: &[Lane<&dyn Tree>],
        workers: &Workers,
        rays: &[Ray],
        answers: &mut [Answers],
    ) -> Vec<Vec<f64>> {
        let jobs = lanes.iter().zip(answers);
        let jobs = jobs.map(|((_, tree), answers)| Box::new(|| ask(*tree, workers, rays, answers)) as Job<'_>);
        interleave(self.effort.rounds, &mut jobs.collect::<Vec<_>>())
    }

    /// Times picks with cold caches. Every pick is another ray of the picture, and all contenders get the same rays.
    fn picks(&self, scene: &'static str, trees: &[Lane<&dyn Tree>], rays: &Rays, report: &mut Report) {
        if !self.does(Part::Picks) {
            return;
        }
        eprintln!("{scene}: cold picks");
        let rays = rays.of(RaySet::Primary);
        let chosen = |pick: usize| &rays[(pick * 2 + 1) * rays.len() / (2 * self.effort.picks)];
        let cold = std::cell::RefCell::new(Cold::new());
        let jobs = trees.iter().map(|(_, tree)| {
            let (cold, chosen, mut picks) = (&cold, &chosen, 0..);
            let pick = move || {
                let ray = chosen(picks.next().unwrap_or(0));
                cold.borrow_mut().seconds(|| tree.closest(ray))
            };
            Box::new(pick) as Job<'_>
        });
        let times = interleave(self.effort.picks, &mut jobs.collect::<Vec<_>>());
        let cell = Cell::new(Part::Picks, scene, 1, 1);
        tabulate(report, cell, trees, &times, &[]);
    }

    fn refit(&self, scene: &'static str, soup: &Soup, report: &mut Report) -> Result<()> {
        for &threads in self.threads.iter().filter(|_| self.does(Part::Refit)) {
            eprintln!("{scene}: refit, {threads} threads");
            let workers = self.workers(threads)?;
            let mut lanes: Vec<Lane<Box<dyn Refit + '_>>> = Vec::new();
            for contender in &self.contenders {
                lanes.extend(contender.refittable(soup, &workers)?.map(|built| (contender.name(), built)));
            }
            let frames = [waved(soup, 0.01), waved(soup, -0.01)];
            let jobs = lanes.iter_mut().map(|(_, built)| {
                let (workers, mut frames) = (&workers, frames.iter().cycle());
                let refit = move || frames.next().map_or(0.0, |frame| workers.seconds(|| built.refit(frame)));
                Box::new(refit) as Job<'_>
            });
            let times = interleave(self.effort.rounds, &mut jobs.collect::<Vec<_>>());
            let cell = Cell::new(Part::Refit, scene, threads, soup.triangle_count());
            tabulate(report, cell, &lanes, &times, &[]);
        }
        Ok(())
    }
}

/// Returns the answers of each contender. This also warms the caches.
fn all_answers(lanes: &[Lane<&dyn Tree>], workers: &Workers, set: RaySet, rays: &[Ray]) -> Vec<Answers> {
    let mut answers = vec![Answers::new(set.question(), rays.len()); lanes.len()];
    for ((_, tree), answers) in lanes.iter().zip(&mut answers) {
        ask(*tree, workers, rays, answers);
    }
    answers
}

/// Returns the seconds of each contender in each round. Structures are dropped after their builds are timed.
fn rebuild(able: &[&dyn Contender], soup: &Soup, workers: &Workers, rounds: usize) -> Vec<Vec<f64>> {
    let jobs = able.iter().map(|contender| {
        let build = || {
            eprintln!("  build by {}, {}", workers.threads, contender.name());
            // The build runs on a thread of the pool, like all work that [`Workers::seconds`] times.
            workers.pool.install(|| seconds_again(|| contender.build(soup, workers)))
        };
        Box::new(build) as Job<'_>
    });
    interleave(rounds, &mut jobs.collect::<Vec<_>>())
}

/// Repeats work that succeeded before, and returns NaN if it fails.
fn seconds_again<T, E>(work: impl FnOnce() -> Result<T, E>) -> f64 {
    let (seconds, done) = seconds(work);
    if done.is_ok() { seconds } else { f64::NAN }
}

/// Returns the soup's vertices, each moved along y by a fraction `height` of the scene.
fn waved(soup: &Soup, height: f64) -> Vec<[f32; 3]> {
    let (min, max) = soup.bounds();
    let (size, amplitude) = (max - min, (max.y - min.y) * height);
    let phase = |x: f32, z: f32| f64::from(x) / size.x.max(1e-30) * 9.0 + f64::from(z) / size.z.max(1e-30) * 7.0;
    let waved = |&[x, y, z]: &[f32; 3]| [x, y + (amplitude * libm::sin(phase(x, z))) as f32, z];
    soup.positions.iter().map(waved).collect()
}

/// Adds the times of all lanes to the report; the first is the reference. An empty list of differences means none.
fn tabulate<T>(report: &mut Report, cell: Cell, lanes: &[Lane<T>], times: &[Vec<f64>], differences: &[Differences]) {
    for (index, ((name, _), own)) in lanes.iter().zip(times).enumerate() {
        let timing = times.first().and_then(|reference| compare(reference, own));
        let differences = differences.get(index).copied().unwrap_or_default();
        if let Some(timing) = timing {
            report.push(cell, name, own.len(), timing, differences);
        }
    }
}
