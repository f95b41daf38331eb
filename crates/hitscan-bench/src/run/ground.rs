//! A grid of heights, compared with the mesh of the same triangles.

use super::{Lane, Part, Plan, all_answers, seconds_again, tabulate};
#[cfg(feature = "peers")]
use crate::contenders::parry_height_field;
use crate::contenders::{Meter, Tree, Workers, height_field};
use crate::measure::{Differences, Job, interleave};
use crate::memory;
use crate::report::{Cell, Report};
use crate::scenes::{Content, Grid, Soup};
use anyhow::{Result, ensure};
use hitscan::{HeightField, Mesh};

/// The number of heights along a side.
const SIDE: usize = 1_024;
/// The number of heights along a side of a crater.
const CRATER: usize = 16;

/// Builds a structure.
type Build<'a> = Box<dyn Fn() -> Result<Box<dyn Tree>> + 'a>;

impl Plan {
    /// Measures height fields with one thread.
    pub(crate) fn ground(&self, report: &mut Report) -> Result<()> {
        if self.does(Part::HeightField) {
            self.grid("smooth hills", &Grid::smooth(SIDE), report)?;
            self.grid("rough hills", &Grid::rough(SIDE), report)?;
        }
        Ok(())
    }

    fn grid(&self, name: &'static str, grid: &Grid, report: &mut Report) -> Result<()> {
        eprintln!("{name}: {0} x {0} heights", grid.side);
        let scene = grid.scene();
        let Content::Mesh(soup) = &scene.content else { unreachable!("ground is one mesh") };
        let (workers, rays) = (self.workers(1)?, self.rays_of(&scene)?);
        let lanes = self.build_ground(name, grid, soup, &workers, report)?;
        let trees: Vec<Lane<&dyn Tree>> = lanes.iter().map(|(name, tree)| (*name, &**tree)).collect();
        for &set in &self.sets {
            let rays = rays.of(set);
            let mut answers = all_answers(&trees, &workers, set, &rays);
            let is_same = answers[1] == answers[0];
            ensure!(is_same, "{name}: {}: a height field answers otherwise than its mesh", set.name());
            let differences: Vec<Differences> = answers.iter().map(|own| own.differences(&answers[0])).collect();
            let times = self.time_rays(&trees, &workers, &rays, &mut answers);
            let cell = Cell::new(Part::HeightField, name, 1, rays.len()).of(set).beside(lanes[0].0);
            tabulate(report, cell, &trees, &times, &differences);
        }
        self.craters(name, grid, report)
    }

    /// Builds the mesh, the height field and the height fields of other libraries, and records the memory of each.
    fn build_ground(
        &self,
        scene: &'static str,
        grid: &Grid,
        soup: &Soup,
        workers: &Workers,
        report: &mut Report,
    ) -> Result<Vec<Lane<Box<dyn Tree>>>> {
        let mesh = || workers.pool.install(|| Mesh::new(&soup.positions, &soup.indices));
        let field = || workers.pool.install(|| height_field(grid));
        let builds: Vec<Lane<Build<'_>>> = vec![
            ("hitscan Mesh", Box::new(move || Ok(Box::new(mesh()?) as Box<dyn Tree>))),
            ("hitscan HeightField", Box::new(move || Ok(Box::new(field()?) as Box<dyn Tree>))),
            #[cfg(feature = "peers")]
            ("parry3d HeightField", Box::new(|| Ok(parry_height_field(grid)))),
        ];
        let (mut lanes, mut held) = (Vec::new(), Vec::new());
        for (name, build) in &builds {
            let (tree, bytes) = memory::of_build(Meter::Allocator, build)?;
            // The compared memory includes the heights or vertices.
            held.push(bytes.unwrap_or_default().held + tree.copied_input());
            lanes.push((*name, tree));
        }
        let jobs = builds.iter().map(|(_, build)| Box::new(move || seconds_again(build)) as Job<'_>);
        let times = interleave(self.effort.builds, &mut jobs.collect::<Vec<_>>());
        let cell = Cell::new(Part::HeightField, scene, 1, (grid.side - 1).pow(2)).case("build").beside(lanes[0].0);
        let first = report.rows.len();
        tabulate(report, cell, &lanes, &times, &[]);
        report.rows[first..].iter_mut().zip(held).for_each(|(row, held)| row.bytes = Some(held));
        Ok(lanes)
    }

    /// Measures the time to dig a crater, after which the field is ready for rays.
    fn craters(&self, name: &'static str, grid: &Grid, report: &mut Report) -> Result<()> {
        let mut field: HeightField = height_field(grid)?;
        let (deep, mut made) = ([-3.0; CRATER * CRATER], 0);
        let crater = || {
            made += 1;
            let at = made * 37 % (grid.side - CRATER);
            seconds_again(|| field.set_heights(at..at + CRATER, at..at + CRATER, &deep))
        };
        let times = interleave(self.effort.picks, &mut [Box::new(crater) as Job<'_>]);
        let cell = Cell::new(Part::HeightField, name, 1, CRATER * CRATER).case("crater").beside("itself");
        tabulate(report, cell, &[("hitscan HeightField", ())], &times, &[]);
        Ok(())
    }
}
