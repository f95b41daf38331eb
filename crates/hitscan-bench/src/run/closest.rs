//! Closest points of a mesh, by one thread.

use super::{Lane, Part, Plan, tabulate};
use crate::contenders::{Hitscan, Surface};
use crate::measure::{Differences, Job, interleave};
use crate::random::Random;
use crate::report::{Cell, Report};
use crate::scenes::Soup;
use crate::shared::clock::seconds;
use anyhow::{Result, ensure};
use hitscan::glam::Vec3;

/// The distance of points near the surface, relative to the scene.
const NEAR: f32 = 0.002;
/// The time limit in seconds for all rounds of a case. A slower case is timed once.
const BUDGET: f64 = 10.0;
/// Distances that differ by more than this fraction of the scene's size are counted.
const TOLERANCE: f32 = 1e-5;

/// The kinds of query points.
#[derive(Clone, Copy)]
enum Places {
    /// The points are anywhere in the bounds.
    Random,
    /// The points are beside random triangles.
    Near,
}

impl Places {
    fn name(self) -> &'static str {
        match self {
            Self::Random => "random points",
            Self::Near => "points near the surface",
        }
    }

    fn place(self, random: &mut Random, soup: &Soup) -> Vec3 {
        let (min, max) = soup.bounds();
        if let Self::Random = self {
            return random.point(min, max).as_vec3();
        }
        let triangles = soup.triangle_count();
        let first = 3 * (random.between(0.0, triangles as f64) as usize).min(triangles - 1);
        let [a, b, c] = [0, 1, 2].map(|next| Vec3::from_array(soup.positions[soup.indices[first + next] as usize]));
        let [mut u, mut v] = [random.between(0.0, 1.0) as f32, random.between(0.0, 1.0) as f32];
        if u + v > 1.0 {
            [u, v] = [1.0 - u, 1.0 - v];
        }
        let side = NEAR.copysign(random.between(-1.0, 1.0) as f32) * (max - min).max_element() as f32;
        a + (b - a) * u + (c - a) * v + (b - a).cross(c - a).normalize_or_zero() * side
    }
}

impl Plan {
    pub(super) fn closest(&self, scene: &'static str, soup: &Soup, report: &mut Report) -> Result<()> {
        if !self.does(Part::Closest) {
            return Ok(());
        }
        let workers = self.workers(1)?;
        let mut lanes: Vec<Lane<Box<dyn Surface + '_>>> = Vec::new();
        for contender in &self.contenders {
            if let Some(surface) = contender.surface(soup, &workers)? {
                lanes.push((contender.name(), surface));
            }
        }
        lanes.extend(Hitscan::surfaces(soup, &workers)?);
        for places in [Places::Random, Places::Near] {
            self.closest_to(scene, (places, soup), &lanes, report)?;
        }
        Ok(())
    }

    fn closest_to(
        &self,
        scene: &'static str,
        (places, soup): (Places, &Soup),
        lanes: &[Lane<Box<dyn Surface + '_>>],
        report: &mut Report,
    ) -> Result<()> {
        eprintln!("{scene}: closest points, {}", places.name());
        let mut random = Random::new(45);
        let points: Vec<Vec3> = (0..self.effort.sweeps).map(|_| places.place(&mut random, soup)).collect();
        let mut answers = vec![vec![0.0; points.len()]; lanes.len()];
        let first: Vec<f64> = lanes
            .iter()
            .zip(&mut answers)
            .map(|((_, surface), answers)| seconds(|| surface.distances(&points, answers)).0)
            .collect();
        let (min, max) = soup.bounds();
        let tolerance = TOLERANCE * (max - min).max_element() as f32;
        // The last contender is exact.
        let truth = answers[lanes.len() - 1].clone();
        let differences: Vec<Differences> = answers
            .iter()
            .map(|own| {
                let others =
                    own.iter().zip(&truth).filter(|(own, truth)| !((*own - *truth).abs() <= tolerance)).count();
                Differences { distances: others, ..Differences::default() }
            })
            .collect();
        let exact = lanes.iter().zip(&answers).filter(|((name, _), _)| name.starts_with("hitscan"));
        ensure!(exact.into_iter().all(|(_, own)| *own == truth), "{scene}: hitscan's closest points differ");
        let jobs = lanes.iter().zip(&mut answers).map(|((_, surface), answers)| {
            let points = &points;
            Box::new(move || seconds(|| surface.distances(points, answers)).0) as Job<'_>
        });
        let rounds = self.effort.rounds.min((BUDGET / first.iter().sum::<f64>()) as usize);
        let times = if rounds > 0 {
            interleave(rounds, &mut jobs.collect::<Vec<_>>())
        } else {
            first.iter().map(|&time| vec![time]).collect()
        };
        let cell = Cell::new(Part::Closest, scene, 1, points.len()).case(places.name()).beside(lanes[0].0);
        tabulate(report, cell, lanes, &times, &differences);
        Ok(())
    }
}
