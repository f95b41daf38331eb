//! A character on the ground.

use super::body::{AT_REST, LEAST_SUPPORT, MOST_SLIDES, Move, Stop};
use super::grade::{AT_EDGE, Grade};
use super::pace::OpenLeg;
use super::planes::{along, over};
use crate::math::float::{larger, length, smaller, unit};
use alloc::vec::Vec;
use core::hash::Hash;
use glam::DVec3;

/// The steepest ground that is followed down beyond `step_down`, whatever slope the character can walk on: 80 degrees.
const STEEPEST: f64 = 80.0 / 180.0 * core::f64::consts::PI;

impl<K: Clone + Eq + Hash> Move<'_, '_, K> {
    /// Moves over the ground and stays on it, if there is walkable ground.
    pub(super) fn walk(&mut self, motion: DVec3) {
        let up = self.character.up;
        let (from, normal) = (self.position, self.ground.unwrap_or(up));
        let leg = self.slide_on_ground(motion.reject_from_normalized(up));
        self.walls.push(self.ground.unwrap_or(normal));
        let before = self.position;
        if self.follow(self.position - from) {
            self.stepped += (self.position - before).dot(up);
            if let Some(leg) = leg.filter(|_| self.keeps_speed) {
                self.even_out(&leg);
            }
        }
    }

    /// Finds the ground below after a motion over ground, and stands on it. Returns whether there is walkable ground.
    pub(super) fn follow(&mut self, motion: DVec3) -> bool {
        // Beyond the end of a slope, the character follows ground that falls at most as steeply as the steepest
        // walkable slope.
        let moved = length(motion.reject_from_normalized(self.character.up));
        let steepest = moved * libm::tan(smaller(self.character.max_slope, STEEPEST));
        let below = self.character.step_down;
        let reach = if below > 0.0 { larger(below, steepest) } else { 0.0 };
        self.ground = None;
        self.settle(reach + self.character.skin, Some(self.character.step_up))
    }

    /// Moves sideways over ground, along walls, up slopes and over steps. After each contact, the rest of the path is computed from
    /// the wanted motion and all contacts so far. So the order of the contacts does not matter, and the character rests in a corner.
    /// Returns the last part of the path, if nothing was hit during that part.
    fn slide_on_ground(&mut self, lateral: DVec3) -> Option<OpenLeg> {
        let mut time = 1.0;
        for _ in 0..MOST_SLIDES {
            let (from, grade) = (self.position, self.grade);
            let motion = self.course(lateral, grade) * time;
            let Some(stop) = self.advance(motion) else { return Some(OpenLeg { from, grade, motion }) };
            time *= 1.0 - stop.made;
            let face = self.walkable_face(&stop, None);
            if let Some(face) = face
                && !self.is_step_too_high(&stop)
            {
                self.stand(&stop, face);
            } else if let Some(left) = self.step_up(&stop, lateral * time) {
                time *= left;
            } else {
                self.fence(stop.normal);
            }
        }
        None
    }

    /// Returns the motion over a slope with the given lateral component, along all contacts so far.
    fn course(&self, lateral: DVec3, grade: Grade) -> DVec3 {
        let beside = along(lateral, &self.fences);
        let stretch = length(beside) / length(over(beside, grade.pace, self.character.up));
        self.path(lateral, grade.normal, if self.keeps_speed && stretch < 1.0 { stretch } else { 1.0 })
    }

    /// Returns the motion over a slope that has a given lateral component, multiplied by `part`, and made along all contacts so far.
    pub(super) fn path(&self, lateral: DVec3, slope: DVec3, part: f64) -> DVec3 {
        // A wall does not lift a walking character, because it is treated as vertical.
        let motion = over(along(lateral, &self.fences), slope, self.character.up) * part;
        // If the ground rises towards a surface that leans over it, the motion is along the intersection line of the two.
        let walls: Vec<DVec3> = self.walls.iter().copied().chain([slope]).collect();
        let motion = along(motion, &walls);
        // An edge that is hit on the way down deflects a part of the motion. That must not make the character faster.
        let (wanted, made) = (length(lateral), length(motion.reject_from_normalized(self.character.up)));
        if made > wanted { motion * (wanted / made) } else { motion }
    }

    /// Returns whether a contact is with an edge next to a steep face. The edge must be higher above the ground than a step may be.
    fn is_step_too_high(&mut self, stop: &Stop<K>) -> bool {
        let (up, most) = (self.character.up, self.character.step_up + AT_REST * self.character.skin);
        let Some(feet) = self.feet() else { return false };
        let edge = stop.hit.point_f64();
        if length(stop.normal - stop.surface) <= AT_EDGE || (edge - feet).dot(up) <= most {
            return false;
        }
        let faces = self.faces_at(stop);
        if faces.iter().all(|face| self.character.is_walkable(*face)) {
            return false;
        }
        // An edge on which the character already stands is not a step, nor is an edge in the plane of the ground.
        let below = self.stop(-up * (2.0 * self.character.skin + most));
        below.is_none_or(|below| self.height_above(&below, edge) > most)
    }

    /// Returns how high a point is above a contact, along up. It is the height above the plane of the contact if that is walkable, and above its point
    /// otherwise. On a slope, the plane is known better than the point. An error of the gap by `AT_REST` of the skin moves the point much farther along the
    /// slope.
    fn height_above(&self, contact: &Stop<K>, point: DVec3) -> f64 {
        let (up, way) = (self.character.up, point - contact.hit.point_f64());
        if self.character.is_walkable(contact.normal) {
            way.dot(contact.normal) / contact.normal.dot(up)
        } else {
            way.dot(up)
        }
    }

    /// Climbs a step that stops a lateral motion, if its top is walkable. Returns the fraction of the motion that is left.
    fn step_up(&mut self, stop: &Stop<K>, lateral: DVec3) -> Option<f64> {
        let (up, height, skin) = (self.character.up, self.character.step_up, self.character.skin);
        let into = unit((-stop.normal).reject_from_normalized(up))?;
        if !(height > 0.0 && lateral.dot(into) > 0.0) {
            return None;
        }
        let (from, before, grade) = (self.position, self.ground, self.grade);
        let rise = self.stop(up * height).map_or(height, |above| above.made * height);
        self.position += up * rise;
        if self.stop(into * self.character.step_depth).is_some() {
            self.position = from;
            return None;
        }
        let (raised, left) = (self.position, self.slide_above(self.at_least_onto(lateral, into, stop)));
        self.ground = None;
        let is_forward = (self.position - raised).dot(stop.normal) < 0.0;
        let is_landed = is_forward && self.settle(rise + skin, Some(height));
        let is_landed = is_landed && !self.is_too_high_above(from, before.unwrap_or(up));
        // A slide over a slope is not a step: a step is above the plane of the ground.
        let way = self.position - from;
        if is_landed && way.dot(before.unwrap_or(up)) > AT_REST * skin {
            self.stepped += way.dot(up);
            return Some(left);
        }
        (self.position, self.ground, self.grade) = (from, before, grade);
        None
    }

    /// Returns whether the present ground is higher than a step may be. It must be higher both above the feet at the position `from` and above the plane of the
    /// ground there. A round volume that is raised by less than the height of an edge may come to rest on the edge.
    fn is_too_high_above(&self, from: DVec3, ground: DVec3) -> bool {
        let (up, skin) = (self.character.up, self.character.skin);
        let height = |normal: DVec3| {
            let lowest = self.lowest(normal)? + from - self.position;
            Some((self.found.as_ref()?.point - lowest).dot(normal) / normal.dot(up) + skin)
        };
        let lower = height(up).zip(height(ground)).map(|(a, b)| smaller(a, b));
        lower.is_some_and(|height| height > self.character.step_up + AT_REST * skin)
    }

    /// Returns a lateral motion in the direction `into`, however short the wanted motion is. It is long enough for the edge of a step to support a round volume
    /// afterwards.
    fn at_least_onto(&self, lateral: DVec3, into: DVec3, stop: &Stop<K>) -> DVec3 {
        let Some(placed) = self.placed() else { return lateral };
        let skin = self.character.skin;
        // A volume that the edge supports already, for example after an earlier frame, only has to rise by more than a gap
        // at rest.
        let least = if stop.normal.dot(self.character.up) >= LEAST_SUPPORT {
            4.0 * AT_REST * skin
        } else {
            // If a ball of radius r extends over an edge by d, the normal at the edge has the component sqrt(2 d / r) along up. The distance
            // here makes this component twice `LEAST_SUPPORT`.
            2.0 * skin + 2.0 * LEAST_SUPPORT * LEAST_SUPPORT * placed.body.half_extents().min_element()
        };
        lateral + into * larger(least - lateral.dot(into), 0.0)
    }

    /// Moves a raised character sideways, along the walls that it hits there. Returns the fraction of the motion that is left at the last wall; 0 if the
    /// motion was completed.
    fn slide_above(&mut self, lateral: DVec3) -> f64 {
        let up = self.character.up;
        let (mut time, mut fences) = (1.0, self.fences.clone());
        for _ in 0..MOST_SLIDES {
            let way = along(lateral, &fences) * time;
            let Some(stop) = self.stop(way) else {
                self.position += way;
                return 0.0;
            };
            self.position += way * stop.made;
            time *= 1.0 - stop.made;
            match unit(stop.normal.reject_from_normalized(up)) {
                Some(fence) => fences.push(fence),
                None => break,
            }
        }
        time
    }
}
