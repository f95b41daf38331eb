//! Helpers of games: shots, explosions, the arm of a camera, and ledges.

use crate::answer::{self, Record, place, vector, vector_f64};
use crate::filter;
use crate::question::Choices;
use crate::scene::Scene;
use hitscan::gameplay::{ArmEnd, CameraArm, Impact, LedgeProbe, ShotLeg, blast, shoot};
use hitscan::{Hit, Ray};
use wasm_bindgen::prelude::*;

/// The hit at the end of a leg, with the ray of the leg.
struct LegEnd<'a>(&'a Ray, &'a Hit<u32>);

impl Record for LegEnd<'_> {
    fn put(&self, mut put: impl FnMut(usize, f64)) {
        self.1.put(&mut put);
        vector(&mut put, place::SECOND, self.0.direction);
    }
}

impl Record for ShotLeg<u32> {
    fn put(&self, mut put: impl FnMut(usize, f64)) {
        answer::hit_or_none(&mut put, self.hit.as_ref());
        vector(&mut put, place::SECOND, self.from);
        vector(&mut put, place::THIRD, self.to);
    }
}

impl Record for ArmEnd<u32> {
    fn put(&self, mut put: impl FnMut(usize, f64)) {
        put(place::T, self.length);
        put(place::ID, answer::index(self.blocked_by));
        vector_f64(&mut put, place::POINT, self.position);
    }
}

/// Asks how a shot goes on at a hit.
fn impact(ray: &Ray, hit: &Hit<u32>) -> Impact {
    match filter::decide(LegEnd(ray, hit)) {
        1 => Impact::Ricochet,
        2 => Impact::PassThrough,
        _ => Impact::Stop,
    }
}

#[wasm_bindgen]
impl Scene {
    /// Follows a shot, asks the decision at each hit how the shot goes on, and returns the number of legs.
    pub fn shoot(&self, ox: f32, oy: f32, oz: f32, dx: f32, dy: f32, dz: f32, range: f32, bits: u32) -> usize {
        let ray = Ray::with_direction([ox, oy, oz], [dx, dy, dz]);
        answer::many(&shoot(self.ray_view(Choices::new(bits)), &ray, range, impact))
    }

    /// Finds the entities within a radius of a center, and returns the number of entities.
    pub fn blast(&self, x: f64, y: f64, z: f64, radius: f32) -> usize {
        answer::many(&blast(self.sight(), [x, y, z], radius))
    }

    /// Finds the end of a camera's arm.
    pub fn camera_arm_end(&self, length: f64, radius: f32, x: f64, y: f64, z: f64, dx: f64, dy: f64, dz: f64) -> bool {
        answer::one(Some(CameraArm { length, radius }.end(self.view(), [x, y, z], [dx, dy, dz])))
    }

    /// Finds the nearest edge ahead of the feet.
    pub fn find_ledge(
        &self,
        reach: f64,
        lowest: f64,
        highest: f64,
        radius: f32,
        max_slope: f64,
        x: f64,
        y: f64,
        z: f64,
        fx: f64,
        fy: f64,
        fz: f64,
        ux: f64,
        uy: f64,
        uz: f64,
    ) -> bool {
        let probe = LedgeProbe { reach, lowest, highest, radius, max_slope };
        answer::one(probe.find(self.view(), [x, y, z], [fx, fy, fz], [ux, uy, uz]))
    }
}
