//! The questions to a scene that are asked with rays.

use crate::answer::{self, NONE, Record, place, vector};
use crate::batch::{self, Batch};
use crate::question::Choices;
use crate::scene::Scene;
use crate::thrown;
use hitscan::glam::Vec3;
use hitscan::query::SolidInterval;
use hitscan::{Hit, RayQueries, Trajectory};
use std::cell::RefCell;
use wasm_bindgen::prelude::*;

thread_local! {
    static HITS: RefCell<Vec<Hit<u32>>> = const { RefCell::new(Vec::new()) };
}

/// A hit with additional numbers.
struct More<F>(Hit<u32>, F);

impl<F: Fn(&mut dyn FnMut(usize, f64))> Record for More<F> {
    fn put(&self, mut put: impl FnMut(usize, f64)) {
        self.0.put(&mut put);
        (self.1)(&mut put);
    }
}

impl Record for SolidInterval<u32> {
    fn put(&self, mut put: impl FnMut(usize, f64)) {
        put(place::T, self.t_enter.into());
        put(place::EXTRA, self.t_exit.into());
        put(place::ID, self.id.into());
        put(place::PART, self.part.into());
    }
}

#[wasm_bindgen]
impl Scene {
    /// Finds the first hit.
    pub fn cast(
        &self,
        ox: f32,
        oy: f32,
        oz: f32,
        dx: f32,
        dy: f32,
        dz: f32,
        t_min: f32,
        t_max: f32,
        bits: u32,
    ) -> bool {
        let choices = Choices::new(bits);
        let ray = choices.frequent_ray([ox, oy, oz], [dx, dy, dz], t_min, t_max);
        answer::one(self.ray_view(choices).cast(&ray))
    }

    /// Returns whether anything is hit.
    pub fn is_blocked(
        &self,
        ox: f32,
        oy: f32,
        oz: f32,
        dx: f32,
        dy: f32,
        dz: f32,
        t_min: f32,
        t_max: f32,
        bits: u32,
    ) -> bool {
        let choices = Choices::new(bits);
        let ray = choices.frequent_ray([ox, oy, oz], [dx, dy, dz], t_min, t_max);
        self.ray_view(choices).is_blocked(&ray)
    }

    /// Finds the first `most` hits, or all hits for `u32::MAX`; for 0, the first hit of each entity.
    pub fn cast_many(
        &self,
        ox: f32,
        oy: f32,
        oz: f32,
        dx: f32,
        dy: f32,
        dz: f32,
        t_min: f32,
        t_max: f32,
        bits: u32,
        most: u32,
    ) -> usize {
        let choices = Choices::new(bits);
        let ray = choices.ray([ox, oy, oz], [dx, dy, dz], t_min, t_max);
        let view = self.ray_view(choices);
        // A function of the program that is called during the cast may ask for hits, too, and uses another buffer.
        let mut hits = HITS.take();
        match most {
            0 => view.cast_entities(&ray, &mut hits),
            u32::MAX => view.cast_all(&ray, &mut hits),
            _ => view.cast_first_n(&ray, most as usize, &mut hits),
        }
        let count = answer::many(&hits);
        HITS.set(hits);
        count
    }

    /// Finds the first hit of each ray of the batch's input.
    pub fn cast_batch(&self, count: usize, stride: usize, bits: u32, columns: u32) -> Result<(), JsError> {
        batch::with(|Batch { input, rays, scene_hits, output, .. }| {
            let choices = Choices::new(bits);
            batch::read(input, count, stride, choices, rays)?;
            scene_hits.clear();
            scene_hits.resize(count, None);
            self.ray_view(choices).cast_batch(&*rays, scene_hits).map_err(thrown)?;
            output.write(scene_hits, columns);
            Ok(())
        })
    }

    /// Finds all hits of each ray of the batch's input, and returns their number.
    pub fn cast_all_batch(&self, count: usize, stride: usize, bits: u32, columns: u32) -> Result<usize, JsError> {
        batch::with(|Batch { input, rays, scene_hits, output, .. }| {
            let choices = Choices::new(bits);
            batch::read(input, count, stride, choices, rays)?;
            let view = self.ray_view(choices);
            Ok(output.write_every(rays, scene_hits, columns, |ray, found| view.cast_all(ray, found)))
        })
    }

    /// Finds whether each ray of the batch's input hits anything.
    pub fn is_blocked_batch(&self, count: usize, stride: usize, bits: u32) -> Result<(), JsError> {
        batch::with(|Batch { input, rays, blocked, output, .. }| {
            let choices = Choices::new(bits);
            batch::read(input, count, stride, choices, rays)?;
            blocked.clear();
            blocked.resize(count, false);
            self.ray_view(choices).is_blocked_batch(&*rays, blocked).map_err(thrown)?;
            output.write_verdicts(blocked);
            Ok(())
        })
    }

    /// Finds the first hit of a path through points.
    pub fn cast_path(&self, numbers: &[f32], bits: u32) -> Result<bool, JsError> {
        let points = crate::positions::positions(numbers)?;
        let met = self.ray_view(Choices::new(bits)).cast_path(points);
        Ok(answer::one(met.map(|met| {
            let segment = met.segment as f64;
            More(met.hit, move |put: &mut dyn FnMut(usize, f64)| put(place::EXTRA, segment))
        })))
    }

    /// Finds the first hit of a thrown point, given its origin, velocity and acceleration.
    pub fn cast_trajectory(
        &self,
        numbers: &[f32],
        t_min: f32,
        t_max: f32,
        tolerance: f32,
        bits: u32,
    ) -> Result<bool, JsError> {
        let [origin, velocity, acceleration] = crate::positions::positions(numbers)? else {
            return Err(JsError::new("a trajectory is an origin, a velocity and an acceleration"));
        };
        let trajectory = Trajectory::new(*origin, *velocity, *acceleration).with_range(t_min, t_max);
        trajectory.validate(tolerance).map_err(thrown)?;
        let met = self.ray_view(Choices::new(bits)).cast_trajectory(&trajectory, tolerance);
        Ok(answer::one(met.map(|met| {
            More(met.hit, move |put: &mut dyn FnMut(usize, f64)| {
                put(place::EXTRA, met.time.into());
                vector(&mut |at, value| put(at, value), place::SECOND, met.velocity);
            })
        })))
    }

    /// Finds the intervals in which a ray is inside solids and closed meshes.
    pub fn solid_intervals(
        &self,
        ox: f32,
        oy: f32,
        oz: f32,
        dx: f32,
        dy: f32,
        dz: f32,
        t_min: f32,
        t_max: f32,
        bits: u32,
    ) -> usize {
        let choices = Choices::new(bits);
        let ray = choices.ray([ox, oy, oz], [dx, dy, dz], t_min, t_max);
        let mut intervals = Vec::new();
        self.ray_view(choices).solid_intervals(&ray, &mut intervals);
        answer::many(&intervals)
    }

    /// Finds the ground below a point.
    pub fn ground_below(&self, x: f32, y: f32, z: f32, ux: f32, uy: f32, uz: f32, reach: f32, bits: u32) -> bool {
        let ground = self.ray_view(Choices::new(bits)).ground_below([x, y, z], [ux, uy, uz], reach);
        answer::one(ground.map(|ground| {
            let slope: f64 = ground.slope_cos.into();
            More(ground.hit, move |put: &mut dyn FnMut(usize, f64)| put(place::EXTRA, slope))
        }))
    }

    /// Returns the texture coordinates and the smooth normal at the first hit of a ray, five numbers. They are NaN if the mesh has no such data. A miss returns
    /// no numbers.
    pub fn surface(
        &self,
        ox: f32,
        oy: f32,
        oz: f32,
        dx: f32,
        dy: f32,
        dz: f32,
        t_min: f32,
        t_max: f32,
        bits: u32,
    ) -> Vec<f32> {
        let choices = Choices::new(bits);
        let ray = choices.ray([ox, oy, oz], [dx, dy, dz], t_min, t_max);
        let view = self.ray_view(choices);
        let Some(hit) = view.cast(&ray) else { return Vec::new() };
        let surface = view.surface(&hit);
        let texcoord = surface.texcoord().map_or([f32::NAN; 2], |at| at.to_array());
        let normal = surface.interpolated_normal().unwrap_or(Vec3::NAN).to_array();
        [&texcoord[..], &normal].concat()
    }

    /// Explains in words why an entity is not hit.
    pub fn explain(
        &self,
        ox: f32,
        oy: f32,
        oz: f32,
        dx: f32,
        dy: f32,
        dz: f32,
        t_min: f32,
        t_max: f32,
        bits: u32,
        key: u32,
    ) -> String {
        let choices = Choices::new(bits);
        let ray = choices.ray([ox, oy, oz], [dx, dy, dz], t_min, t_max);
        self.ray_view(choices).explain(&ray, &key).to_string()
    }

    /// Returns the fraction of the points that can be seen from an eye.
    pub fn visibility(&self, x: f32, y: f32, z: f32, numbers: &[f32], bits: u32) -> Result<f64, JsError> {
        let seen = self.ray_view(Choices::new(bits)).visibility([x, y, z], crate::positions::positions(numbers)?);
        Ok(f64::from(seen.fraction()))
    }

    /// Returns whether nothing is on the segment between two points.
    pub fn sees(&self, x: f32, y: f32, z: f32, px: f32, py: f32, pz: f32, bits: u32) -> bool {
        self.ray_view(Choices::new(bits)).sees([x, y, z], [px, py, pz])
    }

    /// Returns whether no entity other than `viewer` and the target is on the segment between two points.
    pub fn line_of_sight(
        &self,
        viewer: u32,
        x: f32,
        y: f32,
        z: f32,
        target: u32,
        px: f32,
        py: f32,
        pz: f32,
        bits: u32,
    ) -> bool {
        self.ray_view(Choices::new(bits)).line_of_sight((viewer, [x, y, z]), (target, [px, py, pz]))
    }

    /// Moves a point to its first hit. Returns the fraction of the motion, the entity that stops it or -1, the position and the motion to try next.
    pub fn move_point(&self, x: f32, y: f32, z: f32, mx: f32, my: f32, mz: f32, skin: f32, bits: u32) -> Vec<f32> {
        let moved = self.ray_view(Choices::new(bits)).move_point([x, y, z], [mx, my, mz], skin);
        let hit = moved.hit.as_ref().map_or(NONE as f32, |hit| hit.id as f32);
        [&[moved.fraction, hit][..], &moved.position.to_array(), &moved.slide.to_array()].concat()
    }
}
