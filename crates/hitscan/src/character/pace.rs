//! The speed of a character over ridges. The path that it covers in a frame is as long there as on a single slope.

use super::body::{AT_REST, LEAST_SUPPORT, Move, Stop};
use super::grade::{AT_EDGE, Grade, is_between};
use super::planes::over;
use crate::math::float::{larger, length, smaller};
use core::hash::Hash;
use glam::DVec3;

/// The fraction of a path's length on a single slope by which the path of a frame over a ridge may be longer or
/// shorter. If the error of a gap at rest is larger, that error is the limit.
const EVEN: f64 = 1e-3;

/// The path of a frame over a ridge is corrected at most this many times. One correction is enough for a ridge
/// between two slopes.
const MOST_CORRECTIONS: usize = 4;

/// The last part of a walk, during which nothing was hit.
pub(super) struct OpenLeg {
    pub(super) from: DVec3,
    pub(super) grade: Grade,
    pub(super) motion: DVec3,
}

/// A vertical section through the ground, along a horizontal unit direction.
struct Section {
    direction: DVec3,
    up: DVec3,
}

impl Section {
    /// Returns the motion over a slope whose horizontal component has the length 1.
    fn way(&self, slope: DVec3) -> DVec3 {
        over(self.direction, slope, self.up)
    }

    fn gradient(&self, slope: DVec3) -> f64 {
        self.way(slope).dot(self.up)
    }

    fn stretch(&self, slope: DVec3) -> f64 {
        length(self.way(slope))
    }
}

impl<K: Clone + Eq + Hash> Move<'_, '_, K> {
    /// Returns the inclination of the ground at a contact with a walkable face.
    pub(super) fn grade_at(&self, stop: &Stop<K>, face: DVec3) -> Grade {
        let is_edge = length(face - stop.normal) > AT_EDGE;
        let is_ridge = is_edge && self.keeps_speed && self.is_ridge(stop, face);
        Grade { normal: stop.normal, pace: if is_ridge { stop.normal } else { face } }
    }

    /// Returns whether the edge at a contact is a ridge. Both sides of a ridge can be walked on.
    fn is_ridge(&self, stop: &Stop<K>, face: DVec3) -> bool {
        let is_walkable = |normal: &DVec3| self.character.is_walkable(*normal);
        is_walkable(&stop.normal) && {
            let mut faces = self.faces_at(stop);
            faces.retain(is_walkable);
            // The gap may be off by a fraction of the skin, which changes the normal at an edge, possibly beyond the
            // normal of the other face.
            let is_beside =
                |other: &DVec3| length(*other - face) > AT_EDGE && length(stop.normal - *other) <= LEAST_SUPPORT;
            faces.iter().any(is_beside) || is_between(stop.normal, face, &faces)
        }
    }

    /// Makes the last part of a walk as long as it would be on a single slope, if the ground has bent down under the character.
    pub(super) fn even_out(&mut self, leg: &OpenLeg) {
        let up = self.character.up;
        let level = leg.motion.reject_from_normalized(up);
        let wanted = length(over(level, leg.grade.pace, up));
        let slight = larger(EVEN * wanted, AT_REST * self.character.skin);
        for _ in 0..MOST_CORRECTIONS {
            let Some((section, end, made)) = self.made(leg) else { return };
            let missing = wanted - made;
            if missing.abs() <= slight || !self.go_on(section.way(end.normal) * (missing / section.stretch(end.pace))) {
                return;
            }
        }
    }

    /// Moves on along the ground, and returns whether the whole motion was made. If there is no ground below the end of the motion,
    /// the character does not move.
    fn go_on(&mut self, motion: DVec3) -> bool {
        let before = (self.position, self.ground);
        let made = self.stop(motion).map_or(1.0, |stop| stop.made);
        self.position += motion * made;
        let is_on_ground = self.follow(motion * made);
        if !is_on_ground {
            (self.position, self.ground) = before;
        }
        is_on_ground && made == 1.0
    }

    /// Returns the vertical section of the last part of a walk, the inclination at its end, and its length. Returns `None` unless the ground has bent down
    /// under the character. The path is along two slopes, and for a round volume also on an arc around the ridge between them. Over the edge of a step, only
    /// the horizontal component of the path is counted.
    fn made(&self, leg: &OpenLeg) -> Option<(Section, Grade, f64)> {
        let (up, start, end) = (self.character.up, leg.grade, self.grade);
        let way = self.position - leg.from;
        let (level, rise) = (length(way.reject_from_normalized(up)), way.dot(up));
        let section = Section { direction: way.reject_from_normalized(up) / level, up };
        let [before, after] = [start, end].map(|grade| section.gradient(grade.normal));
        let bend = before - after;
        if !(level > 0.0 && bend > 0.0) {
            return None;
        }
        let ridge = ((rise - after * level) / bend).clamp(0.0, level);
        let straight = ridge * section.stretch(start.pace) + (level - ridge) * section.stretch(end.pace);
        let corner = if start.is_step() || end.is_step() { 0.0 } else { self.corner(before, after) };
        Some((section, end, larger(straight - corner, smaller(straight, length(way)))))
    }

    /// Returns the difference in length between the arc around a ridge and the path along the two slopes. The gradients
    /// of the slopes are given, and the arc is shorter.
    fn corner(&self, before: f64, after: f64) -> f64 {
        let radius = self.placed().map_or(0.0, |placed| placed.body.radius) + self.character.skin;
        let turn = libm::atan(before) - libm::atan(after);
        radius * (2.0 * libm::tan(0.5 * turn) - turn)
    }
}
