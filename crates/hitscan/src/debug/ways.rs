//! Lines that things go along.

use super::{Line, Role};
use crate::query::{Ground, Hit, PathHit, PointMove, Trajectory, TrajectoryHit};
use crate::ray::Ray;
use alloc::vec::Vec;
use glam::Vec3;

/// The ray's way from `t_min` to a hit of it, and on to `t_max` or `reach`, whichever is less; all in multiples of its direction. Without a hit all of it is the
/// way that it went.
pub fn ray<K>(ray: &Ray, hit: Option<&Hit<K>>, reach: f32) -> Vec<Line> {
    if ray.validate().is_err() {
        return Vec::new();
    }
    let (start, end) = (ray.at(ray.t_min.max(-reach)), ray.at(ray.t_max.min(reach)));
    let Some(hit) = hit else { return Line::new(start, end, Role::Way).into_iter().collect() };
    let beyond = if hit.t < reach { Line::new(hit.point, end, Role::Beyond) } else { None };
    Line::new(start, hit.point, Role::Way).into_iter().chain(beyond).collect()
}

/// The normal at a hit, so long.
pub fn hit<K>(hit: &Hit<K>, length: f32) -> Vec<Line> {
    Line::new(hit.point, hit.point + hit.normal * length, Role::Normal).into_iter().collect()
}

/// The segments of a path up to its hit, and those beyond.
pub fn path<K, P: Copy + Into<Vec3>>(points: &[P], hit: Option<&PathHit<K>>) -> Vec<Line> {
    cut(points.windows(2).map(|ends| [ends[0].into(), ends[1].into()]), hit.map(|met| (met.segment, met.hit.point)))
}

/// The chords that a trajectory is cast along with this tolerance, up to its hit, and those beyond.
pub fn trajectory<K>(trajectory: &Trajectory, tolerance: f32, hit: Option<&TrajectoryHit<K>>) -> Vec<Line> {
    let points: Vec<Vec3> = trajectory.points(tolerance).collect();
    cut(points.windows(2).map(|ends| [ends[0], ends[1]]), hit.map(|met| (met.chord, met.hit.point)))
}

/// Segments, cut at a point on one of them.
fn cut(segments: impl Iterator<Item = [Vec3; 2]>, at: Option<(usize, Vec3)>) -> Vec<Line> {
    let mut lines = Vec::new();
    for (number, [from, to]) in segments.enumerate() {
        match at {
            Some((hit, point)) if hit == number => {
                lines.extend(Line::new(from, point, Role::Way));
                lines.extend(Line::new(point, to, Role::Beyond));
            }
            Some((hit, _)) if hit < number => lines.extend(Line::new(from, to, Role::Beyond)),
            _ => lines.extend(Line::new(from, to, Role::Way)),
        }
    }
    lines
}

/// From an eye to each of several points, seen or not; a point without an answer is not drawn.
pub fn sight<P: Copy + Into<Vec3>>(eye: impl Into<Vec3>, points: &[P], seen: &[bool]) -> Vec<Line> {
    let eye = eye.into();
    let role = |seen: &bool| if *seen { Role::Seen } else { Role::Hidden };
    points.iter().zip(seen).filter_map(|(&point, seen)| Line::new(eye, point.into(), role(seen))).collect()
}

/// The motion of a point from where it began, what was left of it, and the normal of what stopped it.
pub fn motion<K>(from: impl Into<Vec3>, moved: &PointMove<K>, length: f32) -> Vec<Line> {
    let made = Line::new(from.into(), moved.position, Role::Way);
    let left =
        moved.hit.as_ref().and_then(|_| Line::new(moved.position, moved.position + moved.remaining, Role::Beyond));
    made.into_iter().chain(left).chain(moved.hit.iter().flat_map(|met| hit(met, length))).collect()
}

/// From a point to the ground below, and its normal.
pub fn ground<K>(point: impl Into<Vec3>, ground: &Ground<K>, length: f32) -> Vec<Line> {
    let down = Line::new(point.into(), ground.hit.point, Role::Way);
    down.into_iter().chain(hit(&ground.hit, length)).collect()
}
