//! A character on the ground.

use super::body::{AT_REST, MOST_SLIDES, Move, Stop};
use super::planes::{across, along, over};
use crate::float::{larger, length, unit};
use alloc::vec::Vec;
use core::hash::Hash;
use glam::DVec3;

/// The normals of a contact and of its face differ by more than this at an edge.
const AT_EDGE: f64 = 1e-3;

impl<K: Clone + Eq + Hash> Move<'_, '_, K> {
    /// Moves over the ground and stays on it, if there is ground that can be walked on.
    pub(super) fn walk(&mut self, motion: DVec3) {
        let up = self.character.up;
        let lateral = across(motion, up);
        let (from, normal) = (self.position, self.ground.unwrap_or(up));
        self.slide_on_ground(self.on_slope(lateral, normal));
        self.walls.push(self.ground.unwrap_or(normal));
        // Over a slope that ends, the ground falls off by at most the steepest slope.
        let moved = length(across(self.position - from, up));
        let steepest = moved * libm::tan(self.character.max_slope);
        let below = self.character.step_down;
        let reach = if below > 0.0 { larger(below, steepest) } else { 0.0 };
        let before = self.position;
        self.ground = None;
        if self.settle(reach + self.character.skin, larger(self.character.step_up, 0.0)) {
            self.stepped += (self.position - before).dot(up);
        }
    }

    /// Returns the motion over a slope instead of a lateral one.
    fn on_slope(&self, lateral: DVec3, normal: DVec3) -> DVec3 {
        let motion = over(lateral, normal, self.character.up);
        let stretch = length(lateral) / length(motion);
        if self.character.keeps_speed_on_slopes && stretch < 1.0 { motion * stretch } else { motion }
    }

    /// Slides along walls, and climbs slopes and steps.
    pub(super) fn slide_on_ground(&mut self, motion: DVec3) {
        let up = self.character.up;
        let mut left = motion;
        for _ in 0..MOST_SLIDES {
            let Some((stop, rest)) = self.advance(left) else { return };
            if let Some(face) = self.walkable_face(&stop, 0.0) {
                self.stand(&stop, face);
                let next = over(along(across(rest, up), &self.fences), stop.normal, up);
                let shrink = length(rest) / length(next);
                let is_slope = length(face - stop.normal) <= AT_EDGE;
                let is_longer = self.character.keeps_speed_on_slopes && is_slope && shrink < 1.0;
                left = if is_longer { next * shrink } else { next };
                continue;
            }
            if let Some(next) = self.step_up(&stop, rest) {
                left = next;
                continue;
            }
            self.fence(stop.normal);
            left = self.beside_walls(rest);
        }
    }

    /// Returns a motion over the ground that goes into nothing that was met.
    fn beside_walls(&self, motion: DVec3) -> DVec3 {
        let up = self.character.up;
        let ground = self.ground.unwrap_or(up);
        let beside = over(along(across(motion, up), &self.fences), ground, up);
        // Where the ground rises under something that leans over it, the way is along the line between the two.
        let walls: Vec<DVec3> = self.walls.iter().copied().chain([ground]).collect();
        along(beside, &walls)
    }

    /// Climbs a step that is in the way, if its top can be walked on, and returns the motion that is left.
    fn step_up(&mut self, stop: &Stop<K>, rest: DVec3) -> Option<DVec3> {
        let (up, height, skin) = (self.character.up, self.character.step_up, self.character.skin);
        let lateral = across(rest, up);
        let into = unit(across(-stop.normal, up))?;
        if !(height > 0.0 && length(lateral) > 0.0 && lateral.dot(into) > 0.0) {
            return None;
        }
        let (from, before) = (self.position, self.ground);
        let rise = self.stop(up * height).map_or(height, |above| above.made * height);
        self.position += up * rise;
        if self.stop(into * self.character.step_depth).is_some() {
            self.position = from;
            return None;
        }
        let (raised, left) = (self.position, self.slide_above(lateral));
        self.ground = None;
        let is_forward = (self.position - raised).dot(stop.normal) < 0.0;
        let is_landed = is_forward && self.settle(rise + skin, height);
        // A slide over a slope is no step: that is above the plane of the ground.
        let way = self.position - from;
        if is_landed && way.dot(before.unwrap_or(up)) > AT_REST * skin {
            self.stepped += way.dot(up);
            return Some(left);
        }
        (self.position, self.ground) = (from, before);
        None
    }

    /// Moves a raised character sideways, along the walls that it meets up there, and returns the motion that is left in front of the last one.
    fn slide_above(&mut self, lateral: DVec3) -> DVec3 {
        let up = self.character.up;
        let (mut left, mut fences) = (lateral, self.fences.clone());
        for _ in 0..MOST_SLIDES {
            left = along(left, &fences);
            let Some(stop) = self.stop(left) else {
                self.position += left;
                return DVec3::ZERO;
            };
            self.position += left * stop.made;
            left *= 1.0 - stop.made;
            match unit(across(stop.normal, up)) {
                Some(fence) => fences.push(fence),
                None => break,
            }
        }
        left
    }
}
