//! The crate parry3d: its triangle mesh, its height field, and its tree over boxes with instances of meshes.

mod height_field;
mod nearest;
mod pairs;
mod sweeps;
mod world;

pub(crate) use height_field::height_field;
pub(crate) use pairs::Boxes;
pub(crate) use sweeps::{obstacle, obstacles};

use super::{Contender, Hit, Refit, Surface, Tree, Workers, World};
use crate::scenes::{Instances, Soup};
use anyhow::Result;
use parry3d::math::Vector;
use parry3d::query::{Ray as ParryRay, RayCast};
use parry3d::shape::{CompositeShapeRef, TriMesh};
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

pub(super) fn mesh(soup: &Soup) -> Result<TriMesh> {
    let positions = soup.positions.iter().map(|&[x, y, z]| Vector::new(x, y, z));
    Ok(TriMesh::new(positions.collect(), soup.triangles().collect())?)
}

/// Converts a ray. The library has no smallest t, and that of the rays is 0.
pub(super) fn converted(ray: &hitscan::Ray) -> ParryRay {
    let vector = |v: hitscan::glam::Vec3| Vector::new(v.x, v.y, v.z);
    ParryRay::new(vector(ray.origin), vector(ray.direction))
}

impl Tree for TriMesh {
    fn closest(&self, ray: &hitscan::Ray) -> Option<Hit> {
        let hit = CompositeShapeRef(self).cast_local_ray(&converted(ray), ray.t_max, true);
        hit.map(|(triangle, t)| Hit { t, triangle })
    }

    fn any(&self, ray: &hitscan::Ray) -> bool {
        self.intersects_local_ray(&converted(ray), ray.t_max)
    }

    fn shared(&self) -> Option<&(dyn Tree + Sync)> {
        Some(self)
    }

    fn copied_input(&self) -> usize {
        size_of_val(self.vertices()) + size_of_val(self.indices())
    }
}

impl Refit for TriMesh {
    fn refit(&mut self, positions: &[[f32; 3]]) {
        self.update_vertices(|vertices| {
            for (vertex, &[x, y, z]) in vertices.iter_mut().zip(positions) {
                *vertex = Vector::new(x, y, z);
            }
        });
    }
}
