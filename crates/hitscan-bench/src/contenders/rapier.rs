//! The crate rapier3d: its broad phase, through its query pipeline. Its colliders can only be rotated and translated,
//! so a scaled mesh is a custom shape. No collider has a body, so that no pairs are computed.

use super::contender::{Contender, Hit, Tree, World};
use super::parry::{converted, mesh};
use super::workers::Workers;
use crate::scenes::{Instances, Move, Pose, Soup};
use anyhow::{Result, bail};
use rapier3d::glamx;
use rapier3d::parry::bounding_volume::BoundingSphere;
use rapier3d::parry::mass_properties::MassProperties;
use rapier3d::parry::query::{PointProjection, PointQuery, Ray, RayCast, RayIntersection};
use rapier3d::parry::shape::{FeatureId, Shape, ShapeType, TriMesh, TypedShape};
use rapier3d::prelude::*;
use std::sync::Arc;

pub(super) struct Rapier;

impl Contender for Rapier {
    fn name(&self) -> &'static str {
        "rapier3d"
    }

    fn takes(&self, _triangles: usize) -> bool {
        false
    }

    fn build<'a>(&self, _soup: &'a Soup, _workers: &Workers) -> Result<Box<dyn Tree + 'a>> {
        bail!("its mesh is the same as in parry3d")
    }

    fn world<'a>(&self, instances: &'a Instances, workers: &Workers) -> Result<Option<Box<dyn World + 'a>>> {
        Ok(Some(Box::new(workers.pool.install(|| Colliders::new(instances))?)))
    }
}

struct Colliders {
    bodies: RigidBodySet,
    colliders: ColliderSet,
    islands: IslandManager,
    broad_phase: BroadPhaseBvh,
    narrow_phase: NarrowPhase,
    pipeline: CollisionPipeline,
    /// The handles of the instances.
    handles: Vec<ColliderHandle>,
}

impl Colliders {
    fn new(instances: &Instances) -> Result<Self> {
        let meshes: Vec<Arc<TriMesh>> =
            instances.meshes.iter().map(|soup| mesh(soup).map(Arc::new)).collect::<Result<_>>()?;
        let mut colliders = ColliderSet::new();
        let insert = |placement: &crate::scenes::Placement| {
            let shape = Scaled::new(meshes[placement.mesh].clone(), placement.scale.as_vec3().to_array().into());
            colliders.insert(ColliderBuilder::new(SharedShape::new(shape)).position(pose(&placement.pose)))
        };
        let handles = instances.placements.iter().map(insert).collect();
        let mut built = Self {
            bodies: RigidBodySet::new(),
            colliders,
            islands: IslandManager::new(),
            broad_phase: BroadPhaseBvh::new(),
            narrow_phase: NarrowPhase::new(),
            pipeline: CollisionPipeline::new(),
            handles,
        };
        built.step();
        Ok(built)
    }

    fn step(&mut self) {
        let Self { bodies, colliders, islands, broad_phase, narrow_phase, pipeline, .. } = self;
        pipeline.step(0.0, islands, broad_phase, narrow_phase, bodies, colliders, &(), &());
    }

    fn cast(&self, ray: &hitscan::Ray) -> Option<f32> {
        let dispatcher = self.narrow_phase.query_dispatcher();
        let queries =
            self.broad_phase.as_query_pipeline(dispatcher, &self.bodies, &self.colliders, QueryFilter::default());
        queries.cast_ray(&converted(ray), ray.t_max, true).map(|(_, t)| t)
    }
}

fn pose(pose: &Pose) -> glamx::Pose3 {
    let [x, y, z, w] = pose.turn.as_quat().to_array();
    let position = pose.position.as_vec3().to_array();
    glamx::Pose3::from_parts(position.into(), Rotation::from_xyzw(x, y, z, w))
}

impl Tree for Colliders {
    /// Returns a hit, with 0 as the triangle. The library reports the collider that was hit, but not the triangle.
    fn closest(&self, ray: &hitscan::Ray) -> Option<Hit> {
        self.cast(ray).map(|t| Hit { t, triangle: 0 })
    }

    fn any(&self, ray: &hitscan::Ray) -> bool {
        self.cast(ray).is_some()
    }

    fn shared(&self) -> Option<&(dyn Tree + Sync)> {
        Some(self)
    }
}

impl World for Colliders {
    fn update(&mut self, moves: &[Move]) {
        for moved in moves {
            if let Some(collider) = self.colliders.get_mut(self.handles[moved.instance]) {
                collider.set_position(pose(&moved.pose));
            }
        }
        self.step();
    }

    fn readiness(&self) -> &'static str {
        "set_position of each collider; CollisionPipeline::step, whose broad phase leaves what moves by less than 0.04 in its box, \
         fits and optimises; no pairs"
    }
}

/// A mesh that is scaled along its axes.
#[derive(Clone)]
struct Scaled {
    mesh: Arc<TriMesh>,
    scale: Vector,
    bounds: Aabb,
}

impl Scaled {
    fn new(mesh: Arc<TriMesh>, scale: Vector) -> Self {
        let bounds = mesh.local_aabb();
        let [a, b] = [bounds.mins * scale, bounds.maxs * scale];
        Self { mesh, scale, bounds: Aabb::new(a.min(b), a.max(b)) }
    }

    fn unscaled(&self, ray: &Ray) -> Ray {
        Ray::new(ray.origin / self.scale, ray.dir / self.scale)
    }
}

impl RayCast for Scaled {
    fn cast_local_ray(&self, ray: &Ray, max_time_of_impact: Real, solid: bool) -> Option<Real> {
        self.mesh.cast_local_ray(&self.unscaled(ray), max_time_of_impact, solid)
    }

    fn cast_local_ray_and_get_normal(
        &self,
        ray: &Ray,
        max_time_of_impact: Real,
        solid: bool,
    ) -> Option<RayIntersection> {
        let mut hit = self.mesh.cast_local_ray_and_get_normal(&self.unscaled(ray), max_time_of_impact, solid)?;
        hit.normal = (hit.normal / self.scale).normalize();
        Some(hit)
    }
}

/// The trait is required, but is not used. It projects points onto the box.
impl PointQuery for Scaled {
    fn project_local_point(&self, point: Vector, solid: bool) -> PointProjection {
        self.bounds.project_local_point(point, solid)
    }

    fn project_local_point_and_get_feature(&self, point: Vector) -> (PointProjection, FeatureId) {
        self.bounds.project_local_point_and_get_feature(point)
    }
}

impl Shape for Scaled {
    fn compute_local_aabb(&self) -> Aabb {
        self.bounds
    }

    fn compute_local_bounding_sphere(&self) -> BoundingSphere {
        BoundingSphere::new(self.bounds.center(), self.bounds.half_extents().length())
    }

    fn clone_dyn(&self) -> Box<dyn Shape> {
        Box::new(self.clone())
    }

    fn scale_dyn(&self, scale: Vector, _num_subdivisions: u32) -> Option<Box<dyn Shape>> {
        Some(Box::new(Self::new(self.mesh.clone(), self.scale * scale)))
    }

    fn mass_properties(&self, _density: Real) -> MassProperties {
        MassProperties::default()
    }

    fn shape_type(&self) -> ShapeType {
        ShapeType::Custom
    }

    fn as_typed_shape(&self) -> TypedShape<'_> {
        TypedShape::Custom(self)
    }

    fn ccd_thickness(&self) -> Real {
        0.0
    }

    fn ccd_angular_thickness(&self) -> Real {
        0.0
    }
}
