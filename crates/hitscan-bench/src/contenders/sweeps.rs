//! Sweeps of volumes, in the libraries with this query.

use super::workers::Workers;
use crate::scenes::{Instances, Soup};
use ::hitscan::glam::{DAffine3, DVec3, Vec3};
use ::hitscan::{Capsule, Mesh, Scene, Sphere, SweepQueries, Volume};
use anyhow::Result;

/// The volume that moves.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Body {
    Ball {
        radius: f32,
    },
    /// An upright capsule of this total height.
    Capsule {
        radius: f32,
        height: f32,
    },
}

/// The start of the volume's centre, and its motion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    pub(crate) from: Vec3,
    pub(crate) motion: Vec3,
}

/// An obstacle for sweeps.
///
/// The loop is a provided method, so that it is compiled for each library.
pub(crate) trait Obstacle {
    /// Returns the fraction of the motion up to the first contact.
    fn sweep(&self, body: Body, way: &Way) -> Option<f32>;

    fn sweep_all(&self, body: Body, ways: &[Way], answers: &mut [Option<f32>]) {
        for (way, answer) in ways.iter().zip(answers) {
            *answer = self.sweep(body, way);
        }
    }
}

impl Body {
    fn volume(self) -> Volume {
        match self {
            Self::Ball { radius } => Sphere::new(radius).into(),
            Self::Capsule { radius, height } => Capsule::new(radius, height).into(),
        }
    }

    pub(crate) fn radius(self) -> f32 {
        match self {
            Self::Ball { radius } | Self::Capsule { radius, .. } => radius,
        }
    }
}

impl Obstacle for Mesh {
    fn sweep(&self, body: Body, way: &Way) -> Option<f32> {
        Mesh::sweep(self, body.volume(), way.from, way.motion.as_dvec3()).map(|contact| contact.t)
    }
}

impl Obstacle for Scene<usize> {
    fn sweep(&self, body: Body, way: &Way) -> Option<f32> {
        SweepQueries::sweep(self, body.volume(), way.from, way.motion.as_dvec3()).map(|contact| contact.t)
    }
}

pub(crate) fn mesh(soup: &Soup, workers: &Workers) -> Result<Mesh> {
    Ok(workers.pool.install(|| Mesh::new(&soup.positions, &soup.indices))?)
}

/// Returns a scene of the instances without their scale, because other libraries have no scale.
pub(crate) fn rigid_scene(instances: &Instances, workers: &Workers) -> Result<Scene<usize>> {
    let meshes = instances.meshes.iter().map(|soup| mesh(soup, workers)).collect::<Result<Vec<_>>>()?;
    let mut scene = Scene::new();
    for (key, placement) in instances.placements.iter().enumerate() {
        let (turn, position) = (placement.pose.turn.as_quat().as_dquat().normalize(), rounded(placement.pose.position));
        scene.insert(key, meshes[placement.mesh].clone(), DAffine3::from_rotation_translation(turn, position))?;
    }
    Ok(scene)
}

/// Rounds a vector to f32, as other libraries store it.
fn rounded(v: DVec3) -> DVec3 {
    v.as_vec3().as_dvec3()
}
