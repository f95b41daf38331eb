//! Closest points of meshes, in the libraries with this query.

use super::contender::Surface;
use super::hitscan::Hitscan;
use super::sweeps::mesh;
use super::workers::Workers;
use crate::scenes::Soup;
use ::hitscan::glam::Vec3;
use ::hitscan::{
    Mesh,
    batch::Threads,
    query::{Containment, MeshPoint, TrianglePoint},
};
use anyhow::Result;
use std::sync::{Mutex, PoisonError};

impl Surface for Mesh {
    fn distance(&self, point: Vec3) -> f32 {
        distance_of(self.closest_on_surface(point, f64::INFINITY))
    }
}

fn distance_of(found: Option<TrianglePoint>) -> f32 {
    found.map_or(f32::INFINITY, |found| found.distance)
}

/// A mesh that also finds whether points are inside.
struct WithInside(Mesh);

impl Surface for WithInside {
    fn distance(&self, point: Vec3) -> f32 {
        signed(self.0.closest_point(point))
    }
}

fn signed(found: Option<MeshPoint>) -> f32 {
    // Only the distance is compared, but the compiler must not remove the test whether the point is inside.
    found.map_or(f32::INFINITY, |found| match found.containment {
        Containment::Inside => (-found.distance).abs(),
        Containment::Outside | Containment::Open => found.distance,
    })
}

/// A mesh that receives many points at once, with a reused buffer.
struct InBatches<A>(Mesh, Mutex<Vec<Option<A>>>);

impl Surface for InBatches<TrianglePoint> {
    fn distance(&self, point: Vec3) -> f32 {
        self.0.distance(point)
    }

    fn distances(&self, points: &[Vec3], answers: &mut [f32]) {
        let mut found = self.1.lock().unwrap_or_else(PoisonError::into_inner);
        found.resize(points.len(), None);
        let done = self.0.closest_on_surface_batch(points, f64::INFINITY, Threads::AtMost(1), &mut found);
        assert_eq!(done, Ok(()));
        answers.iter_mut().zip(&*found).for_each(|(answer, found)| *answer = distance_of(*found));
    }
}

impl Surface for InBatches<MeshPoint> {
    fn distance(&self, point: Vec3) -> f32 {
        signed(self.0.closest_point(point))
    }

    fn distances(&self, points: &[Vec3], answers: &mut [f32]) {
        let mut found = self.1.lock().unwrap_or_else(PoisonError::into_inner);
        found.resize(points.len(), None);
        assert_eq!(self.0.closest_point_batch(points, Threads::AtMost(1), &mut found), Ok(()));
        answers.iter_mut().zip(&*found).for_each(|(answer, found)| *answer = signed(*found));
    }
}

impl Hitscan {
    /// Returns the functions that find closest points of a mesh.
    pub(crate) fn surfaces(soup: &Soup, workers: &Workers) -> Result<Vec<(&'static str, Box<dyn Surface>)>> {
        let mesh = mesh(soup, workers)?;
        Ok(vec![
            ("hitscan", Box::new(mesh.clone())),
            ("hitscan batch", Box::new(InBatches::<TrianglePoint>(mesh.clone(), Mutex::default()))),
            ("hitscan with inside", Box::new(WithInside(mesh.clone()))),
            ("hitscan with inside, batch", Box::new(InBatches::<MeshPoint>(mesh, Mutex::default()))),
        ])
    }
}
