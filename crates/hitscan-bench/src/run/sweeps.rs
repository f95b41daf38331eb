//! Sweeps of volumes at a mesh and at many instances, by one thread.

use super::{Lane, Part, Plan, tabulate};
use crate::contenders::{Body, Obstacle, Way, mesh_obstacle, rigid_scene};
#[cfg(feature = "peers")]
use crate::contenders::{parry_obstacle, parry_obstacles};
use crate::measure::{Differences, Job, interleave};
use crate::random::Random;
use crate::report::{Cell, Report};
use crate::scenes::{Content, Grid, Instances, Soup};
use crate::shared::clock::seconds;
use anyhow::{Result, ensure};
use hitscan::glam::DVec3;

/// The radii relative to the size of the scene: about the sizes of a marble and of a person in a hall.
const SMALL: f64 = 0.001;
const LARGE: f64 = 0.01;
/// The length of the motion, relative to the scene.
const MOTION: f64 = 0.1;
/// The number of quads along a side of the floor.
const FLOOR: usize = 256;

/// The time limit in seconds for all rounds of a case. A slower case is timed once.
const BUDGET: f64 = 10.0;

/// Returns the cases of a scene of some size.
fn cases(size: f64) -> [(&'static str, Body); 4] {
    let ball = |of: f64| Body::Ball { radius: (size * of) as f32 };
    let capsule = |of: f64| Body::Capsule { radius: (size * of) as f32, height: (size * of * 4.0) as f32 };
    [
        ("small sphere", ball(SMALL)),
        ("large sphere", ball(LARGE)),
        ("small capsule", capsule(SMALL)),
        ("large capsule", capsule(LARGE)),
    ]
}

type Obstacles = Vec<Lane<Box<dyn Obstacle>>>;

impl Plan {
    pub(super) fn sweeps_at_mesh(&self, scene: &'static str, soup: &Soup, report: &mut Report) -> Result<()> {
        if !self.does(Part::Sweep) {
            return Ok(());
        }
        let lanes = self.at_mesh(soup)?;
        self.sweeps(scene, soup.bounds(), &lanes, report)
    }

    pub(super) fn sweeps_at_instances(
        &self,
        scene: &'static str,
        instances: &Instances,
        report: &mut Report,
    ) -> Result<()> {
        if !self.does(Part::Sweep) {
            return Ok(());
        }
        let workers = self.workers(1)?;
        let lanes: Obstacles = vec![
            #[cfg(feature = "peers")]
            ("parry3d", parry_obstacles(instances, &workers)?),
            ("hitscan", Box::new(rigid_scene(instances, &workers)?)),
        ];
        self.sweeps(scene, instances.bounds(), &lanes, report)
    }

    /// Measures sweeps at a floor of many coplanar triangles.
    pub(crate) fn floor(&self, report: &mut Report) -> Result<()> {
        let scene = Grid::flat(FLOOR + 1).scene();
        let Content::Mesh(soup) = &scene.content else { unreachable!("a floor is one mesh") };
        if !self.does(Part::Sweep) {
            return Ok(());
        }
        let lanes = self.at_mesh(soup)?;
        let (min, max) = soup.bounds();
        self.sweeps("flat", (min, max + DVec3::Y * 0.05 * (max.x - min.x)), &lanes, report)
    }

    fn at_mesh(&self, soup: &Soup) -> Result<Obstacles> {
        let workers = self.workers(1)?;
        Ok(vec![
            #[cfg(feature = "peers")]
            ("parry3d", parry_obstacle(soup, &workers)?),
            ("hitscan", Box::new(mesh_obstacle(soup, &workers)?)),
        ])
    }

    fn sweeps(
        &self,
        scene: &'static str,
        bounds: (DVec3, DVec3),
        lanes: &Obstacles,
        report: &mut Report,
    ) -> Result<()> {
        let size = (bounds.1 - bounds.0).max_element();
        for (case, body) in cases(size) {
            eprintln!("{scene}: sweeps, {case}");
            // The last contender is exact. Starts in contact are not compared.
            let (_, exact) = &lanes[lanes.len() - 1];
            let starts_free = |way: &Way| exact.sweep(body, way).is_none_or(|t| t > 0.0);
            let ways: Vec<Way> =
                Ways::new(bounds, size * MOTION).filter(starts_free).take(self.effort.sweeps).collect();
            let mut answers = vec![vec![None; ways.len()]; lanes.len()];
            let first: Vec<f64> = lanes
                .iter()
                .zip(&mut answers)
                .map(|((_, obstacle), answers)| seconds(|| obstacle.sweep_all(body, &ways, answers)).0)
                .collect();
            let truth = answers[lanes.len() - 1].clone();
            let met = truth.iter().flatten().count();
            ensure!(met * 20 > ways.len(), "{scene}: {case}: only {met} of {} sweeps hit anything", ways.len());
            let differences: Vec<Differences> = lanes
                .iter()
                .zip(&answers)
                .map(|((name, _), own)| {
                    let found = Timeliness::new(own, &truth, body, size * MOTION);
                    if found.is_notable() {
                        report.note(format!(
                            "{name}, sweeps, {scene}, {case}: {found}, of {} sweeps, {met} contacts",
                            ways.len()
                        ));
                    }
                    found.differences()
                })
                .collect();
            let jobs = lanes.iter().zip(&mut answers).map(|((_, obstacle), answers)| {
                let ways = &ways;
                Box::new(move || seconds(|| obstacle.sweep_all(body, ways, answers)).0) as Job<'_>
            });
            let rounds = self.effort.rounds.min((BUDGET / first.iter().sum::<f64>()) as usize);
            let times = if rounds > 0 {
                interleave(rounds, &mut jobs.collect::<Vec<_>>())
            } else {
                first.iter().map(|&time| vec![time]).collect()
            };
            let cell = Cell::new(Part::Sweep, scene, 1, ways.len()).case(case).beside(lanes[0].0);
            tabulate(report, cell, lanes, &times, &differences);
        }
        Ok(())
    }
}

/// Generates motions from random points of a box in random directions.
struct Ways {
    random: Random,
    bounds: (DVec3, DVec3),
    length: f64,
}

impl Ways {
    fn new(bounds: (DVec3, DVec3), length: f64) -> Self {
        Self { random: Random::new(71), bounds, length }
    }
}

impl Iterator for Ways {
    type Item = Way;

    fn next(&mut self) -> Option<Way> {
        let from = self.random.point(self.bounds.0, self.bounds.1).as_vec3();
        Some(Way { from, motion: (self.random.direction() * self.length).as_vec3() })
    }
}

/// The numbers of wrong contacts. A contact is early or late if it differs from the truth by more than a thousandth of the radius and four ulps of t. A contact
/// is missed if only the truth has it, and invented if the truth has none.
#[derive(Default)]
struct Timeliness {
    early: usize,
    late: usize,
    missed: usize,
    invented: usize,
}

impl Timeliness {
    fn new(own: &[Option<f32>], truth: &[Option<f32>], body: Body, length: f64) -> Self {
        let slack = 1e-3 * f64::from(body.radius()) / length;
        let mut found = Self::default();
        for pair in own.iter().zip(truth) {
            match pair {
                (Some(own), Some(truth)) => {
                    let late = f64::from(*own) - f64::from(*truth);
                    let allowed = slack + 4.0 * f64::from(truth.next_up() - truth);
                    found.late += usize::from(late > allowed);
                    found.early += usize::from(late < -allowed);
                }
                (None, Some(_)) => found.missed += 1,
                (Some(_), None) => found.invented += 1,
                (None, None) => {}
            }
        }
        found
    }

    fn is_notable(&self) -> bool {
        self.early + self.late + self.missed + self.invented > 0
    }

    fn differences(&self) -> Differences {
        Differences { verdicts: self.missed + self.invented, distances: self.early + self.late }
    }
}

impl std::fmt::Display for Timeliness {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { early, late, missed, invented } = self;
        write!(f, "{early} early, {late} late, {missed} missed, {invented} where there is nothing")
    }
}
