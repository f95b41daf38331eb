//! The crate bvh. The benchmark supplies the triangle test, because the crate's own test culls back faces.

use super::contender::{Contender, Hit, Tree};
use super::naive::moller_trumbore;
use super::workers::Workers;
use crate::scenes::Soup;
use anyhow::Result;
use bvh::aabb::{Aabb, Bounded};
use bvh::bounding_hierarchy::{BHShape, BoundingHierarchy};
use bvh::ray::Ray as BvhRay;
use hitscan::Ray;
use hitscan::glam::Vec3;
use nalgebra::{Point3, Vector3};

pub(super) struct Bvh;

impl Contender for Bvh {
    fn name(&self) -> &'static str {
        "bvh"
    }

    fn build<'a>(&self, soup: &'a Soup, workers: &Workers) -> Result<Box<dyn Tree + 'a>> {
        Ok(Box::new(workers.pool.install(|| {
            let triangle = |(index, corners): (u32, [[f32; 3]; 3])| {
                let corners = corners.map(Vec3::from);
                Triangle { corners, index, node: 0 }
            };
            let mut triangles: Vec<Triangle> = (0..).zip(soup.corners()).map(triangle).collect();
            let bvh = match workers.threads {
                1 => bvh::bvh::Bvh::build(&mut triangles),
                _ => bvh::bvh::Bvh::build_par(&mut triangles),
            };
            Built { bvh, triangles }
        })))
    }
}

struct Triangle {
    corners: [Vec3; 3],
    index: u32,
    node: usize,
}

impl Bounded<f32, 3> for Triangle {
    fn aabb(&self) -> Aabb<f32, 3> {
        let [a, b, c] = self.corners;
        let point = |v: Vec3| Point3::new(v.x, v.y, v.z);
        Aabb::with_bounds(point(a.min(b).min(c)), point(a.max(b).max(c)))
    }
}

impl BHShape<f32, 3> for Triangle {
    fn set_bh_node_index(&mut self, index: usize) {
        self.node = index;
    }

    fn bh_node_index(&self) -> usize {
        self.node
    }
}

struct Built {
    bvh: bvh::bvh::Bvh<f32, 3>,
    triangles: Vec<Triangle>,
}

impl Built {
    fn ray(ray: &Ray) -> BvhRay<f32, 3> {
        let (o, d) = (ray.origin, ray.direction);
        BvhRay::new(Point3::new(o.x, o.y, o.z), Vector3::new(d.x, d.y, d.z))
    }
}

impl Tree for Built {
    /// Triangles are visited in the order in which the ray enters their boxes. So the search ends at the first box
    /// behind the closest hit so far. (The crate's other iterators have a stack of 32, which is too small for deep
    /// trees.)
    fn closest(&self, ray: &Ray) -> Option<Hit> {
        let normalised = Self::ray(ray);
        let length = ray.direction.length();
        let mut closest: Option<Hit> = None;
        for triangle in self.bvh.nearest_traverse_iterator(&normalised, &self.triangles) {
            let limit = closest.map_or(ray.t_max, |hit| hit.t);
            let entry = normalised.intersection_slice_for_aabb(&triangle.aabb());
            if entry.is_some_and(|(entry, _)| entry > limit * length) {
                break;
            }
            if let Some(t) = moller_trumbore(ray, triangle.corners).filter(|&t| t <= limit) {
                closest = Some(Hit { t, triangle: triangle.index });
            }
        }
        closest
    }

    fn any(&self, ray: &Ray) -> bool {
        let normalised = Self::ray(ray);
        let reach = ray.t_max * ray.direction.length();
        let near = |triangle: &&Triangle| {
            let entry = normalised.intersection_slice_for_aabb(&triangle.aabb());
            entry.is_none_or(|(entry, _)| entry <= reach)
        };
        let mut candidates = self.bvh.nearest_traverse_iterator(&normalised, &self.triangles).take_while(near);
        candidates.any(|triangle| moller_trumbore(ray, triangle.corners).is_some())
    }

    fn shared(&self) -> Option<&(dyn Tree + Sync)> {
        Some(self)
    }
}
