//! The triangle mesh and the rays of the crate parry3d.

use crate::contenders::contender::{Hit, Refit, Tree};
use crate::scenes::Soup;
use anyhow::Result;
use parry3d::math::Vector;
use parry3d::query::{Ray as ParryRay, RayCast};
use parry3d::shape::{CompositeShapeRef, TriMesh};

pub(in crate::contenders) fn mesh(soup: &Soup) -> Result<TriMesh> {
    let positions = soup.positions.iter().map(|&[x, y, z]| Vector::new(x, y, z));
    Ok(TriMesh::new(positions.collect(), soup.triangles().collect())?)
}

/// Converts a ray without its smallest t, which is 0 here and does not exist in the library.
pub(in crate::contenders) fn converted(ray: &hitscan::Ray) -> ParryRay {
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
