//! Instances: rays at them, moving them, and rays after many frames of motion.

use super::{Lane, Part, Plan, all_answers, tabulate};
use crate::contenders::{Contender, Tree, Workers, World};
use crate::measure::{Job, compare, interleave};
use crate::rays::{RaySet, Rays, View};
use crate::report::{Cell, Report};
use crate::scenes::{Content, Instances, Move, Moving, Paths, Scene};
use anyhow::{Context, Result, ensure};

/// The number of frames in a sequence. The time of a frame in which few instances move is too short for a
/// single measurement. So such a frame is measured alone, with cold caches, and as a part of a sequence.
const RUN: usize = 10;

type Worlds<'a> = Vec<Lane<Box<dyn World + 'a>>>;

/// Worlds after many frames of motion, and newly built worlds of the same contenders in the final state.
struct Ended<'a> {
    moving: Moving,
    moved: Worlds<'a>,
    fresh: Worlds<'a>,
}

impl Plan {
    pub(super) fn instances(
        &self,
        scene: &'static str,
        instances: &Instances,
        rays: &Rays,
        report: &mut Report,
    ) -> Result<()> {
        if ![Part::Rays, Part::Picks, Part::Update].iter().any(|&part| self.does(part)) {
            return Ok(());
        }
        for (turn, &threads) in self.threads.iter().enumerate() {
            let workers = self.workers(threads)?;
            let mut lanes = self.worlds(instances, &workers, &|_| true)?;
            if turn == 0 {
                let trees: Vec<Lane<&dyn Tree>> = lanes.iter().map(|(name, world)| (*name, &**world as _)).collect();
                self.rays(scene, &trees, rays, report)?;
                self.picks(scene, &trees, rays, report);
            }
            if self.does(Part::Update) {
                lanes.retain(|(name, _)| self.contender(name).is_some_and(|contender| contender.updates()));
                note_readiness(&lanes, report);
                self.update(scene, instances, &workers, &mut lanes, report);
            }
        }
        Ok(())
    }

    /// Returns the worlds of the contenders that have instances and are selected.
    fn worlds<'a>(
        &'a self,
        instances: &'a Instances,
        workers: &Workers,
        is_wanted: &dyn Fn(&dyn Contender) -> bool,
    ) -> Result<Worlds<'a>> {
        // The padding is computed now, so that no build includes it.
        for mesh in &instances.meshes {
            mesh.padded();
        }
        let mut lanes = Vec::new();
        for contender in self.contenders.iter().filter(|contender| is_wanted(&***contender)) {
            lanes.extend(contender.world(instances, workers)?.map(|world| (contender.name(), world)));
        }
        Ok(lanes)
    }

    fn update(
        &self,
        scene: &'static str,
        instances: &Instances,
        workers: &Workers,
        lanes: &mut Worlds<'_>,
        report: &mut Report,
    ) {
        let threads = workers.threads;
        let mut measure = |case: &'static str, rounds: usize, run: usize, frames: &[Vec<Move>]| {
            eprintln!("{scene}: update, {case}, {threads} threads");
            let jobs = lanes.iter_mut().map(|(_, world)| {
                let mut frames = frames.iter().cycle();
                let update = move || {
                    let run_of = frames.by_ref().take(run);
                    workers.seconds(|| run_of.for_each(|frame| world.update(frame))) / run as f64
                };
                Box::new(update) as Job<'_>
            });
            let times = interleave(rounds, &mut jobs.collect::<Vec<_>>());
            let cell = Cell::new(Part::Update, scene, threads, frames[0].len()).case(case);
            tabulate(report, cell, lanes, &times, &[]);
        };
        let rounds = self.effort.rounds;
        measure("all aside", rounds, 1, &[instances.moved(0), instances.moved(1)]);
        let paths = Paths::new(instances);
        let frames = |moving: Moving, from: usize| {
            let frames = (from..from + rounds * RUN).map(|frame| paths.frame(moving, frame));
            frames.collect::<Vec<_>>()
        };
        let (others, same) = (Moving::Hundredth, Moving::SameHundredth);
        measure(others.name(), rounds * RUN, 1, &frames(others, 0));
        measure(same.name(), rounds, RUN, &frames(same, rounds * RUN));
    }

    /// Moves everything along its path, and casts rays at the result and at a newly built world, by one thread.
    pub(super) fn motion(
        &self,
        scene: &'static str,
        view: View,
        instances: &Instances,
        report: &mut Report,
    ) -> Result<()> {
        for moving in [Moving::All, Moving::Tenth].into_iter().filter(|_| self.does(Part::Motion)) {
            eprintln!("{scene}: motion, {}", moving.name());
            let workers = self.workers(1)?;
            let updates = |contender: &dyn Contender| contender.updates();
            let mut moved = self.worlds(instances, &workers, &updates)?;
            note_readiness(&moved, report);
            report.note(format!("rays after motion: after {} frames", self.effort.frames));
            let paths = Paths::new(instances);
            let frames = (0..self.effort.frames).map(|frame| paths.frame(moving, frame));
            let times = run(&mut moved, &workers, frames);
            let count = paths.frame(moving, 0).len();
            tabulate(report, Cell::new(Part::Update, scene, 1, count).case(moving.name()), &moved, &times, &[]);

            let ends = paths.end(moving, self.effort.frames);
            let ends = Scene { content: Content::Instances(ends), view };
            let Content::Instances(end) = &ends.content else { unreachable!("it was made so") };
            let fresh = self.worlds(end, &workers, &updates)?;
            let rays = self.rays_of(&ends)?;
            let ended = Ended { moving, moved, fresh };
            self.sets.iter().try_for_each(|&set| self.rays_after(scene, &ended, &workers, &rays, set, report))?;
        }
        Ok(())
    }

    fn rays_after(
        &self,
        scene: &'static str,
        Ended { moving, moved, fresh }: &Ended<'_>,
        workers: &Workers,
        rays: &Rays,
        set: RaySet,
        report: &mut Report,
    ) -> Result<()> {
        let rays = rays.of(set);
        let cell = Cell::new(Part::Motion, scene, 1, rays.len()).of(set).case(moving.name());
        let lanes: Vec<Lane<&dyn Tree>> =
            moved.iter().chain(fresh).map(|(name, world)| (*name, &**world as _)).collect();
        let mut answers = all_answers(&lanes, workers, set, &rays);
        let (after, anew) = answers.split_at(moved.len());
        let differences = after.iter().map(|own| own.differences(&after[0])).collect::<Vec<_>>();
        let from_fresh: Vec<_> = after.iter().zip(anew).map(|(own, anew)| own.differences(anew)).collect();
        for ((name, _), (own, anew)) in moved.iter().zip(after.iter().zip(anew)) {
            let is_exact = self.contender(name).is_some_and(|contender| contender.is_exact());
            let is_as_promised = own == anew || !is_exact;
            ensure!(is_as_promised, "{name}: {} answers otherwise after motion than built anew", set.name());
        }
        let times = self.time_rays(&lanes, workers, &rays, &mut answers);
        let (after, anew) = times.split_at(moved.len());
        tabulate(report, cell, &lanes[..moved.len()], after, &differences);
        for ((name, _), ((after, anew), differences)) in lanes.iter().zip(after.iter().zip(anew).zip(from_fresh)) {
            let timing = compare(anew, after).context("there is no round")?;
            report.push(cell.beside("a fresh build"), name, after.len(), timing, differences);
        }
        Ok(())
    }

    fn contender(&self, name: &str) -> Option<&dyn Contender> {
        self.contenders.iter().map(|contender| &**contender).find(|contender| contender.name() == name)
    }
}

/// Runs all frames, with the contenders taking turns in each frame. Returns the seconds of each contender in each
/// frame.
fn run(lanes: &mut Worlds<'_>, workers: &Workers, frames: impl Iterator<Item = Vec<Move>>) -> Vec<Vec<f64>> {
    let mut times = vec![Vec::new(); lanes.len()];
    for (number, frame) in frames.enumerate() {
        for turn in 0..lanes.len() {
            let lane = (number + turn) % lanes.len();
            times[lane].push(workers.seconds(|| lanes[lane].1.update(&frame)));
        }
    }
    times
}

fn note_readiness(lanes: &Worlds<'_>, report: &mut Report) {
    lanes.iter().for_each(|(name, world)| report.note(format!("{name}: {}", world.readiness())));
}
