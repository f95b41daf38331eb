//! The loop that a user without a library would write. It tests every triangle with the algorithm of Möller and
//! Trumbore ("Fast, minimum storage ray-triangle intersection", Journal of Graphics Tools 2, 1997), in f32.

use super::contender::{Contender, Hit, Tree};
use super::workers::Workers;
use crate::scenes::Soup;
use anyhow::Result;
use hitscan::Ray;
use hitscan::glam::Vec3;

pub(super) struct Naive;

/// The largest number of triangles: more would take minutes.
const MOST_TRIANGLES: usize = 6_000;

impl Contender for Naive {
    fn name(&self) -> &'static str {
        "naive loop"
    }

    fn takes(&self, triangles: usize) -> bool {
        triangles <= MOST_TRIANGLES
    }

    fn build<'a>(&self, soup: &'a Soup, _workers: &Workers) -> Result<Box<dyn Tree + 'a>> {
        Ok(Box::new(Loop(soup)))
    }
}

struct Loop<'a>(&'a Soup);

impl Tree for Loop<'_> {
    fn closest(&self, ray: &Ray) -> Option<Hit> {
        let mut closest: Option<Hit> = None;
        for (triangle, corners) in (0..).zip(self.0.corners()) {
            let t_max = closest.map_or(ray.t_max, |hit| hit.t);
            if let Some(t) = moller_trumbore(ray, corners.map(Vec3::from)).filter(|&t| t <= t_max) {
                closest = Some(Hit { t, triangle });
            }
        }
        closest
    }

    fn any(&self, ray: &Ray) -> bool {
        self.0.corners().any(|corners| moller_trumbore(ray, corners.map(Vec3::from)).is_some())
    }

    fn shared(&self) -> Option<&(dyn Tree + Sync)> {
        Some(self)
    }
}

/// Returns t in the ray's range, for both sides of a triangle.
#[inline]
pub(super) fn moller_trumbore(ray: &Ray, [a, b, c]: [Vec3; 3]) -> Option<f32> {
    let (ab, ac) = (b - a, c - a);
    let p = ray.direction.cross(ac);
    let inverse = 1.0 / ab.dot(p);
    let s = ray.origin - a;
    let u = s.dot(p) * inverse;
    if !(0.0..=1.0).contains(&u) {
        return None;
    }
    let q = s.cross(ab);
    let v = ray.direction.dot(q) * inverse;
    let t = ac.dot(q) * inverse;
    (v >= 0.0 && u + v <= 1.0 && ray.t_min <= t && t <= ray.t_max).then_some(t)
}
