//! The shape casts of the crate parry3d at a mesh, and at instances of meshes through its tree over boxes.

use super::mesh::mesh;
use crate::contenders::{Body, Obstacle, Way, Workers};
use crate::scenes::{Instances, Soup};
use anyhow::Result;
use hitscan::glam::{DQuat, Vec3};
use parry3d::bounding_volume::Aabb;
use parry3d::math::{Pose, Rotation, Vector};
use parry3d::partitioning::{Bvh, BvhBuildStrategy};
use parry3d::query::{Ray, RayCast, ShapeCastHit, ShapeCastOptions, cast_shapes};
use parry3d::shape::{Ball, Capsule, Shape, TriMesh};

/// Makes an obstacle of one mesh.
pub(crate) fn obstacle(soup: &Soup, workers: &Workers) -> Result<Box<dyn Obstacle>> {
    Ok(Box::new(workers.pool.install(|| mesh(soup))?))
}

/// Makes the same instances as for hitscan, without their scale.
pub(crate) fn obstacles(instances: &Instances, workers: &Workers) -> Result<Box<dyn Obstacle>> {
    let meshes = workers.pool.install(|| instances.meshes.iter().map(mesh).collect::<Result<Vec<_>>>())?;
    let placed = instances
        .placements
        .iter()
        .map(|placement| (placement.mesh, pose(placement.pose.turn, placement.pose.position.as_vec3())));
    let placed: Vec<(usize, Pose)> = placed.collect();
    let boxes: Vec<Aabb> = placed.iter().map(|(mesh, pose)| meshes[*mesh].compute_aabb(pose)).collect();
    Ok(Box::new(Placed { meshes, tree: Bvh::from_leaves(BvhBuildStrategy::default(), &boxes), placed }))
}

struct Placed {
    meshes: Vec<TriMesh>,
    placed: Vec<(usize, Pose)>,
    tree: Bvh,
}

fn pose(turn: DQuat, position: Vec3) -> Pose {
    let [x, y, z, w] = turn.as_quat().to_array();
    Pose::from_parts(vector(position), Rotation::from_xyzw(x, y, z, w))
}

fn vector(v: Vec3) -> Vector {
    Vector::new(v.x, v.y, v.z)
}

/// Calls a closure with the body as a shape of the library.
fn with_shape<R>(body: Body, call: impl FnOnce(&dyn Shape) -> R) -> R {
    match body {
        Body::Ball { radius } => call(&Ball::new(radius)),
        Body::Capsule { radius, height } => call(&Capsule::new_y(height / 2.0 - radius, radius)),
    }
}

/// Returns the options: the motion is from 0 to 1, and no geometry is computed for starts in contact.
fn options() -> ShapeCastOptions {
    ShapeCastOptions {
        max_time_of_impact: 1.0,
        compute_impact_geometry_on_penetration: false,
        ..ShapeCastOptions::default()
    }
}

fn cast(mesh: &TriMesh, place: &Pose, shape: &dyn Shape, way: &Way) -> Option<ShapeCastHit> {
    let from = Pose::from_translation(vector(way.from));
    cast_shapes(place, Vector::ZERO, mesh, &from, vector(way.motion), shape, options()).ok().flatten()
}

impl Obstacle for TriMesh {
    fn sweep(&self, body: Body, way: &Way) -> Option<f32> {
        with_shape(body, |shape| cast(self, &Pose::IDENTITY, shape, way)).map(|hit| hit.time_of_impact)
    }
}

impl Obstacle for Placed {
    /// Traverses the tree like the library's own shape casts at composite shapes.
    fn sweep(&self, body: Body, way: &Way) -> Option<f32> {
        with_shape(body, |shape| {
            let around = shape.compute_aabb(&Pose::from_translation(vector(way.from)));
            let ray = Ray::new(Vector::ZERO, vector(way.motion));
            let (shift, margin) = (-around.center(), around.half_extents());
            let (_, hit) = self.tree.find_best(
                1.0,
                |node, best| {
                    let sum = Aabb::new(node.mins() + shift - margin, node.maxs() + shift + margin);
                    sum.cast_local_ray(&ray, best, true).unwrap_or(f32::MAX)
                },
                |leaf, _| {
                    let (mesh, place) = &self.placed[leaf as usize];
                    cast(&self.meshes[*mesh], place, shape, way)
                },
            )?;
            Some(hit.time_of_impact)
        })
    }
}
