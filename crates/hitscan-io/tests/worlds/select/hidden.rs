//! An oracle for the points and segments that surfaces hide, triangle by triangle, in f64.

use crate::select::oracle::{How, Picture, Shape};
use crate::select::scenes::{Contents, Subject};
use hitscan::glam::DVec3;
use hitscan_io::EntityId;

/// Decides which points of a picture are visible.
pub(crate) struct Sight<'a> {
    picture: &'a Picture,
    shape: &'a Shape,
    entities: Vec<(&'a Contents, Ball)>,
    spacing: f64,
}

/// A ball around the triangles of an entity.
type Ball = (DVec3, f64);

impl<'a> Sight<'a> {
    pub(crate) fn new(subject: &'a Subject, picture: &'a Picture, shape: &'a Shape, spacing: f64) -> Self {
        let ball = |of: &'a Contents| {
            let corners = || of.triangles.iter().flat_map(|(.., corners)| corners);
            let middle = corners().sum::<DVec3>() / corners().count().max(1) as f64;
            (of, (middle, corners().map(|corner| corner.distance(middle)).fold(0.0, f64::max)))
        };
        Self { picture, shape, entities: subject.entities.iter().map(ball).collect(), spacing }
    }

    /// Returns whether any point or segment of an entity is visible; `None` if this is undecided.
    pub(crate) fn sees_any(&self, id: EntityId) -> Option<bool> {
        let of = self.entities.iter().map(|(of, _)| of).find(|of| of.id == id)?;
        any(of
            .points
            .iter()
            .map(|&(.., at)| self.sees(at))
            .chain(of.segments.iter().map(|(.., ends)| self.sees_segment(*ends))))
    }

    /// Returns whether a point is in the region, and no surface is in front of it; `None` if this is undecided.
    pub(crate) fn sees(&self, point: DVec3) -> Option<bool> {
        if !self.picture.selects(&[point], self.shape, How::Touching) {
            return Some(false);
        }
        let towards = self.picture.towards();
        let start = if towards.w == 0.0 {
            point - towards.truncate() * (self.picture.project(point).w - self.picture.near)
        } else {
            towards.truncate()
        };
        let way = point - start;
        let mut is_sure = true;
        for (of, (middle, radius)) in &self.entities {
            let off = (*middle - start).cross(way).length() / way.length();
            if off > radius * 1.000_001 {
                continue;
            }
            for (.., corners) in &of.triangles {
                match self.crosses(start, way, corners) {
                    Some(true) => return Some(false),
                    Some(false) => {}
                    None => is_sure = false,
                }
            }
        }
        is_sure.then_some(true)
    }

    /// Returns whether the segment from `start` to `start + way` crosses a triangle behind the near plane of the
    /// picture; `None` if this is undecided.
    fn crosses(&self, start: DVec3, way: DVec3, &[a, b, c]: &[DVec3; 3]) -> Option<bool> {
        let normal = (b - a).cross(c - a).normalize();
        let slope = normal.dot(way);
        let place = normal.dot(a - start) / slope;
        let at = start + way * place;
        let depth = self.picture.project(at).w;
        let sides =
            [(a, b), (b, c), (c, a)].map(|(from, to)| normal.dot((to - from).cross(at - from)) / (to - from).length());
        let inmost = sides.into_iter().fold(f64::INFINITY, f64::min);
        // The library rounds directions to f32, and allows the same error of coordinates.
        let doubt = 1e-6 * way.length() + 1e-5;
        let behind = (normal.dot(start + way - a) * slope.signum()).min(depth - self.picture.near).min(inmost);
        if slope == 0.0 || behind < -doubt || place > 1.0 + 1e-6 {
            Some(false)
        } else if behind > doubt && place > 0.0 {
            Some(true)
        } else {
            None
        }
    }

    /// Returns whether an end of a segment is visible, or a point of it in the middle of a column or row of samples.
    pub(crate) fn sees_segment(&self, ends: [DVec3; 2]) -> Option<bool> {
        let [a, b] = ends.map(|end| self.picture.project(end));
        let [low, high] = self.picture.viewport;
        let mut places = vec![0.0, 1.0];
        for axis in 0..2 {
            let mut middle = low[axis] + self.spacing / 2.0;
            while middle < high[axis] {
                let [from, to] = [a, b].map(|end| end[axis] - middle * end.z);
                let place = from / (from - to);
                if (0.0..=1.0).contains(&place) {
                    places.push(place);
                }
                middle += self.spacing;
            }
        }
        any(places.into_iter().map(|place| self.sees(ends[0] + (ends[1] - ends[0]) * place)))
    }
}

/// Returns whether any of some answers is true; `None` if that is not known.
fn any(answers: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut found = Some(false);
    for answer in answers {
        match answer {
            Some(true) => return answer,
            Some(false) => {}
            None => found = None,
        }
    }
    found
}
