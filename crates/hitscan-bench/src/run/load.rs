//! Reading saved meshes, compared with building them.

use super::{Part, Plan, seconds_again};
use crate::contenders::Workers;
use crate::measure::{Job, compare, interleave};
use crate::rays::{RaySet, Rays};
use crate::report::{Cell, Report};
use crate::scenes::Soup;
use anyhow::{Context, Result, ensure};
use hitscan::{Mesh, Quality};

/// The qualities, the reference first, with the names of building and reading.
const QUALITIES: [(Quality, [&str; 2]); 3] = [
    (Quality::Balanced, ["building Balanced", "reading Balanced"]),
    (Quality::Fast, ["building Fast", "reading Fast"]),
    (Quality::Best, ["building Best", "reading Best"]),
];

/// A mesh of a quality, and its bytes.
struct Saved {
    quality: Quality,
    /// The names of building and of reading.
    names: [&'static str; 2],
    bytes: Vec<u8>,
}

impl Plan {
    pub(super) fn load(&self, scene: &'static str, soup: &Soup, rays: &Rays, report: &mut Report) -> Result<()> {
        for &threads in self.threads.iter().filter(|_| self.does(Part::Load)) {
            eprintln!("{scene}: load, {threads} threads");
            let workers = self.workers(threads)?;
            let saved = QUALITIES.map(|(quality, names)| Saved::new(quality, names, soup, rays));
            let saved = saved.into_iter().collect::<Result<Vec<_>>>()?;
            let jobs = saved.iter().flat_map(|saved| {
                let (build, read) = (|| saved.build(soup, &workers), || saved.read(&workers));
                [Box::new(build) as Job<'_>, Box::new(read) as Job<'_>]
            });
            let times = interleave(self.effort.builds, &mut jobs.collect::<Vec<_>>());
            let cell = Cell::new(Part::Load, scene, threads, soup.triangle_count()).beside(QUALITIES[0].1[0]);
            for (index, own) in times.iter().enumerate() {
                let saved = &saved[index / 2];
                let timing = compare(&times[0], own).context("there is no round")?;
                let row = report.push(cell, saved.names[index % 2], own.len(), timing, Default::default());
                row.bytes = (index % 2 == 1).then_some(saved.bytes.len());
            }
        }
        Ok(())
    }
}

impl Saved {
    /// Saves a mesh, and checks that the mesh read back gives the same answers to the bit.
    fn new(quality: Quality, names: [&'static str; 2], soup: &Soup, rays: &Rays) -> Result<Self> {
        let mesh = Mesh::with_quality(&soup.positions, &soup.indices, quality)?;
        let bytes = mesh.to_bytes();
        let read = Mesh::from_bytes(&bytes)?;
        for set in [RaySet::Primary, RaySet::Random] {
            let is_same = rays.of(set).iter().all(|ray| mesh.cast(ray) == read.cast(ray));
            ensure!(is_same, "{}: {} answers otherwise", names[1], set.name());
        }
        Ok(Self { quality, names, bytes })
    }

    fn build(&self, soup: &Soup, workers: &Workers) -> f64 {
        let build = || Mesh::with_quality(&soup.positions, &soup.indices, self.quality);
        workers.pool.install(|| seconds_again(build))
    }

    fn read(&self, workers: &Workers) -> f64 {
        workers.pool.install(|| seconds_again(|| Mesh::from_bytes(&self.bytes)))
    }
}
