//! The crate parry3d. It has a triangle mesh, a height field, and a tree over boxes with instances of meshes.

mod height_field;
mod mesh;
mod nearest;
mod pairs;
mod sweeps;
mod world;

pub(crate) use height_field::height_field;
pub(super) use mesh::{converted, mesh};
pub(crate) use pairs::Boxes;
pub(crate) use sweeps::{obstacle, obstacles};

use super::contender::{Contender, Refit, Surface, Tree, World};
use super::workers::Workers;
use crate::scenes::{Instances, Soup};
use anyhow::Result;
use world::InstanceTree;

pub(super) struct Parry;

impl Contender for Parry {
    fn name(&self) -> &'static str {
        "parry3d"
    }

    fn build<'a>(&self, soup: &'a Soup, workers: &Workers) -> Result<Box<dyn Tree + 'a>> {
        Ok(Box::new(workers.pool.install(|| mesh(soup))?))
    }

    fn surface<'a>(&self, soup: &'a Soup, workers: &Workers) -> Result<Option<Box<dyn Surface + 'a>>> {
        Ok(Some(Box::new(workers.pool.install(|| mesh(soup))?)))
    }

    fn refittable<'a>(&self, soup: &'a Soup, workers: &Workers) -> Result<Option<Box<dyn Refit + 'a>>> {
        Ok(Some(Box::new(workers.pool.install(|| mesh(soup))?)))
    }

    fn world<'a>(&self, instances: &'a Instances, workers: &Workers) -> Result<Option<Box<dyn World + 'a>>> {
        Ok(Some(Box::new(workers.pool.install(|| InstanceTree::new(instances))?)))
    }
}
