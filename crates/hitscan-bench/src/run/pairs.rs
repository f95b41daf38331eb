//! Overlapping pairs in a moving crowd.

use super::{Lane, Part, Plan, tabulate};
#[cfg(feature = "peers")]
use crate::contenders::ParryBoxes;
use crate::contenders::{Overlaps, Pairs, Tracked};
use crate::measure::{Job, interleave};
use crate::random::Random;
use crate::report::{Cell, Report};
use anyhow::{Result, ensure};
use hitscan::glam::DVec3;
use hitscan::pairs::PairTest;

const COUNT: usize = 10_000;
/// The size of the cube that contains the balls, whose radii are from a quarter to three quarters.
const SIZE: f64 = 32.0;
/// The number of frames before the timing, after which the trees are in a steady state.
const EARLIER: usize = 30;

impl Plan {
    pub(crate) fn crowd(&self, report: &mut Report) -> Result<()> {
        if !self.does(Part::Pairs) {
            return Ok(());
        }
        for &threads in &self.threads {
            let workers = self.workers(threads)?;
            let crowd = Crowd::new();
            let balls: Vec<(DVec3, f64)> = crowd.places(0).into_iter().zip(crowd.radii.iter().copied()).collect();
            let mut lanes: Vec<Lane<Box<dyn Overlaps + Send>>> = vec![
                #[cfg(feature = "peers")]
                ("parry3d Bvh, boxes", Box::new(ParryBoxes::new(&balls))),
                ("hitscan, boxes", Box::new(Pairs::new(&balls, PairTest::Boxes)?)),
                ("hitscan, boxes, enter and leave", Box::new(Tracked::new(&balls, PairTest::Boxes)?)),
                ("hitscan, shapes", Box::new(Pairs::new(&balls, PairTest::Shapes)?)),
                ("hitscan, shapes, enter and leave", Box::new(Tracked::new(&balls, PairTest::Shapes)?)),
            ];
            for frame in 0..EARLIER {
                let places = crowd.places(frame);
                lanes.iter_mut().for_each(|(_, own)| own.set(&places));
            }
            let first = check(&mut lanes)?;
            report.note(format!("pairs: {COUNT} balls, {first} pairs by their boxes"));
            self.time("pairs alone", &crowd, &workers, &mut lanes, report, |own, _| own.find());
            self.time("moving all, and pairs", &crowd, &workers, &mut lanes, report, |own, places| {
                own.set(places);
                own.find()
            });
        }
        Ok(())
    }

    fn time(
        &self,
        case: &'static str,
        crowd: &Crowd,
        workers: &crate::contenders::Workers,
        lanes: &mut [Lane<Box<dyn Overlaps + Send>>],
        report: &mut Report,
        work: impl Fn(&mut dyn Overlaps, &[DVec3]) -> usize + Send + Sync,
    ) {
        eprintln!("crowd: {case}, {} threads", workers.threads);
        let rounds = self.effort.picks;
        let frames: Vec<Vec<DVec3>> = (0..rounds).map(|round| crowd.places(EARLIER + round)).collect();
        let jobs = lanes.iter_mut().map(|(_, own)| {
            let (work, mut frames) = (&work, frames.iter().cycle());
            let timed = move || frames.next().map_or(0.0, |places| workers.seconds(|| _ = work(&mut **own, places)));
            Box::new(timed) as Job<'_>
        });
        let mut jobs = jobs.collect::<Vec<_>>();
        let times = interleave(rounds, &mut jobs);
        drop(jobs);
        let reference = lanes[0].0;
        let cell = Cell::new(Part::Pairs, "crowd", workers.threads, COUNT).case(case).beside(reference);
        tabulate(report, cell, lanes, &times, &[]);
    }
}

/// Checks the numbers of pairs. The pairs of boxes must agree between the libraries, except for boxes that are rounded
/// differently.
fn check(lanes: &mut [Lane<Box<dyn Overlaps + Send>>]) -> Result<usize> {
    let counts: Vec<usize> = lanes.iter_mut().map(|(_, own)| own.find()).collect();
    let boxes: Vec<_> =
        lanes.iter().filter(|(name, _)| name.contains("boxes")).map(|(name, own)| (name, own.sorted())).collect();
    let (_, expected) = &boxes[0];
    for (name, pairs) in &boxes {
        let common = pairs.iter().filter(|pair| expected.binary_search(pair).is_ok()).count();
        let others = pairs.len() + expected.len() - 2 * common;
        ensure!(others * 1_000 <= expected.len(), "{name}: {others} of {} pairs are others", expected.len());
    }
    Ok(counts[0])
}

/// Balls that oscillate.
struct Crowd {
    radii: Vec<f64>,
    paths: Vec<(DVec3, DVec3, f64)>,
}

impl Crowd {
    fn new() -> Self {
        let mut random = Random::new(81);
        let radii = (0..COUNT).map(|_| f64::from(random.between(0.25, 0.75) as f32)).collect();
        let cube = (DVec3::ZERO, DVec3::splat(SIZE));
        let paths = (0..COUNT).map(|_| {
            (random.point(cube.0, cube.1), random.direction() * random.between(0.5, 4.0), random.between(0.02, 0.1))
        });
        Self { radii, paths: paths.collect() }
    }

    fn places(&self, frame: usize) -> Vec<DVec3> {
        self.paths.iter().map(|(from, way, pace)| *from + *way * libm::sin(pace * frame as f64)).collect()
    }
}
