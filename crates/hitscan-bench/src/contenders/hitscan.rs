//! hitscan itself.

use super::{Contender, Hit, Refit, Tree, Workers, World};
use crate::scenes::{Content, Instances, Scene, Soup};
use anyhow::Result;
use hitscan::glam::{DAffine3, Vec3};
use hitscan::{Mesh, Quality, Ray};

pub(crate) struct Hitscan(pub(crate) Quality);

impl Contender for Hitscan {
    fn name(&self) -> &'static str {
        match self.0 {
            Quality::Balanced => "hitscan",
            Quality::Fast => "hitscan Fast",
            Quality::Best => "hitscan Best",
        }
    }

    fn build<'a>(&self, soup: &'a Soup, workers: &Workers) -> Result<Box<dyn Tree + 'a>> {
        Ok(Box::new(workers.pool.install(|| Mesh::with_quality(&soup.positions, &soup.indices, self.0))?))
    }

    fn refittable<'a>(&self, soup: &'a Soup, workers: &Workers) -> Result<Option<Box<dyn Refit + 'a>>> {
        Ok(Some(Box::new(workers.pool.install(|| Mesh::with_quality(&soup.positions, &soup.indices, self.0))?)))
    }

    fn world<'a>(&self, instances: &'a Instances, workers: &Workers) -> Result<Option<Box<dyn World + 'a>>> {
        if self.0 != Quality::Balanced {
            return Ok(None);
        }
        Ok(Some(Box::new(workers.pool.install(|| placed(instances))?)))
    }
}

impl Tree for Mesh {
    fn closest(&self, ray: &Ray) -> Option<Hit> {
        self.cast(ray).map(|hit| Hit { t: hit.t, triangle: hit.triangle })
    }

    fn any(&self, ray: &Ray) -> bool {
        self.is_blocked(ray)
    }

    fn shared(&self) -> Option<&(dyn Tree + Sync)> {
        Some(self)
    }

    fn copied_input(&self) -> usize {
        size_of_val(self.positions()) + self.triangle_count() * size_of::<[u32; 3]>()
    }
}

impl Refit for Mesh {
    fn refit(&mut self, positions: &[[f32; 3]], workers: &Workers) {
        let fitted = workers.pool.install(|| Mesh::refit(self, positions));
        assert!(fitted.is_ok(), "the benchmark's positions are finite, one for each vertex");
    }
}

/// Keyed by the instance's index.
type Placed = hitscan::Scene<u32>;

fn placed(instances: &Instances) -> Result<Placed> {
    let meshes = instances.meshes.iter().map(|soup| Mesh::new(&soup.positions, &soup.indices));
    let meshes = meshes.collect::<Result<Vec<Mesh>, _>>()?;
    let mut scene = Placed::new();
    let entities = (0..).zip(&instances.placements);
    scene.insert_all(entities.map(|(key, placed)| (key, meshes[placed.mesh].clone(), placed.transform)))?;
    Ok(scene)
}

impl Tree for Placed {
    fn closest(&self, ray: &Ray) -> Option<Hit> {
        self.cast(ray).and_then(|hit| Some(Hit { t: hit.t, triangle: hit.triangle? }))
    }

    fn any(&self, ray: &Ray) -> bool {
        self.is_blocked(ray)
    }

    fn shared(&self) -> Option<&(dyn Tree + Sync)> {
        Some(self)
    }
}

impl World for Placed {
    fn move_all(&mut self, transforms: &[DAffine3], workers: &Workers) {
        let placed = (0..).zip(transforms.iter().copied());
        let moved = workers.pool.install(|| self.set_transforms(placed));
        assert_eq!(moved.ok(), Some(transforms.len()), "the benchmark's transforms can be inverted");
    }
}

/// Where a ray hits: the point, and the normal against the ray.
type Surface = dyn Fn(&Ray) -> Option<(Vec3, Vec3)>;

/// What a scene answers to the rays that others start from.
pub(crate) fn surface(scene: &Scene) -> Result<Box<Surface>> {
    match &scene.content {
        Content::Mesh(soup) => {
            let mesh = Mesh::new(&soup.positions, &soup.indices)?;
            Ok(Box::new(move |ray| mesh.cast(ray).map(|hit| (hit.point(), hit.facing_normal()))))
        }
        Content::Instances(instances) => {
            let placed = placed(instances)?;
            Ok(Box::new(move |ray| placed.cast(ray).map(|hit| (hit.point, hit.facing_normal()))))
        }
    }
}
