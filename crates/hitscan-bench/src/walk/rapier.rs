//! rapier's characters.

use super::course::Course;
use super::walkers::{DT, GRAVITY, HEIGHT, MAX_SLOPE_DEGREES, RADIUS, STEP, Walkers};
use ::hitscan::glam::DVec3;
use rapier3d::control::{CharacterAutostep, CharacterLength, KinematicCharacterController};
use rapier3d::prelude::*;

/// Characters, and the world in which they walk.
pub(super) struct Crowd {
    bodies: RigidBodySet,
    colliders: ColliderSet,
    broad_phase: BroadPhaseBvh,
    narrow_phase: NarrowPhase,
    hero: KinematicCharacterController,
    shape: SharedShape,
    walkers: Vec<Walker>,
}

struct Walker {
    middle: Vector,
    fall: f32,
    is_grounded: bool,
}

impl Crowd {
    pub(super) fn new(course: &Course, starts: &[DVec3]) -> Self {
        let vertices = course.positions.iter().map(|p| Vector::new(p.x, p.y, p.z)).collect();
        let mesh = ColliderBuilder::trimesh(vertices, course.triangles.clone()).expect("a course is a mesh");
        let (mut bodies, mut colliders) = (RigidBodySet::new(), ColliderSet::new());
        colliders.insert(mesh.build());
        let (mut broad_phase, mut narrow_phase) = (BroadPhaseBvh::new(), NarrowPhase::new());
        // A step of the world fills the broad phase.
        PhysicsPipeline::new().step(
            Vector::new(0.0, -GRAVITY as f32, 0.0),
            &IntegrationParameters::default(),
            &mut IslandManager::new(),
            &mut broad_phase,
            &mut narrow_phase,
            &mut bodies,
            &mut colliders,
            &mut ImpulseJointSet::new(),
            &mut MultibodyJointSet::new(),
            &mut SoftBodySet::new(),
            &mut CCDSolver::new(),
            &(),
            &(),
        );
        let step = CharacterLength::Absolute(STEP as f32);
        let min_width = CharacterLength::Absolute(0.5 * RADIUS as f32);
        let hero = KinematicCharacterController {
            autostep: Some(CharacterAutostep { max_height: step, min_width, include_dynamic_bodies: false }),
            snap_to_ground: Some(step),
            max_slope_climb_angle: (MAX_SLOPE_DEGREES as f32).to_radians(),
            ..Default::default()
        };
        let shape = SharedShape::capsule_y((0.5 * HEIGHT - RADIUS) as f32, RADIUS as f32);
        let walker = |start: &DVec3| Walker {
            middle: Vector::new(start.x as f32, start.y as f32, start.z as f32),
            fall: 0.0,
            is_grounded: false,
        };
        let walkers = starts.iter().map(walker).collect();
        Self { bodies, colliders, broad_phase, narrow_phase, hero, shape, walkers }
    }
}

impl Walkers for Crowd {
    fn name(&self) -> &'static str {
        "rapier"
    }

    fn count(&self) -> usize {
        self.walkers.len()
    }

    fn step(&mut self, number: usize, wanted: DVec3) {
        let Self { bodies, colliders, broad_phase, narrow_phase, hero, shape, walkers } = self;
        let world =
            broad_phase.as_query_pipeline(narrow_phase.query_dispatcher(), bodies, colliders, QueryFilter::default());
        let walker = &mut walkers[number];
        walker.fall = if walker.is_grounded { 0.0 } else { walker.fall - (GRAVITY * DT) as f32 };
        let motion = Vector::new(wanted.x as f32, walker.fall, wanted.z as f32) * DT as f32;
        let at = Pose::from_translation(walker.middle);
        let moved = hero.move_shape(DT as f32, &world, &**shape, &at, motion, |_| {});
        walker.middle += moved.translation;
        walker.is_grounded = moved.grounded;
    }

    fn place(&self, number: usize) -> (DVec3, bool) {
        let Walker { middle, is_grounded, .. } = &self.walkers[number];
        (DVec3::new(middle.x.into(), middle.y.into(), middle.z.into()), *is_grounded)
    }
}
