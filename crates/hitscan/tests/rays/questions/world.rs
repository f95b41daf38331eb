//! Random scenes of triangles, and their triangles in a list.

use super::common::Random;
use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::{Mesh, Ray, Scene};

/// The triangles of an entity in world space.
pub(crate) struct Thing {
    pub(crate) key: u32,
    pub(crate) triangles: Vec<[DVec3; 3]>,
}

pub(crate) fn soup(random: &mut Random, count: usize) -> Vec<Vec3> {
    (0..count)
        .flat_map(|_| {
            let c = random.cube();
            [0; 3].map(|_| (c + random.cube()).as_vec3())
        })
        .collect()
}

/// Returns entities of small triangles that are moved by whole numbers, so that the world corners are exact in f64.
pub(crate) fn scattered(random: &mut Random, count: u32) -> (Scene<u32>, Vec<Thing>) {
    let (mut scene, mut things) = (Scene::new(), Vec::new());
    for key in 0..count {
        let corners = soup(random, 12);
        let place = (random.cube() * 5.0).round();
        scene.insert(key, Mesh::from_soup(&corners).unwrap(), DAffine3::from_translation(place)).unwrap();
        let triangles = corners.as_chunks::<3>().0.iter().map(|t| t.map(|corner| corner.as_dvec3() + place)).collect();
        things.push(Thing { key, triangles });
    }
    (scene, things)
}

pub(crate) fn ray(random: &mut Random) -> Ray {
    let origin = (random.cube() * 8.0).as_vec3();
    Ray::new(origin, (random.cube() * 4.0).as_vec3() - origin)
}

/// Returns t and the least barycentric coordinate of a line and a triangle, by Cramer's rule.
pub(crate) fn meets(origin: DVec3, direction: DVec3, [a, b, c]: [DVec3; 3]) -> Option<(f64, f64)> {
    let (p, q, s) = (b - a, c - a, origin - a);
    let determinant = direction.dot(q.cross(p));
    if determinant == 0.0 {
        return None;
    }
    let u = direction.dot(q.cross(s)) / determinant;
    let v = direction.dot(s.cross(p)) / determinant;
    let t = s.dot(p.cross(q)) / determinant;
    Some((t, u.min(v).min(1.0 - u - v)))
}
