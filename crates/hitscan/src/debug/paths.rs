//! Lines for rays, paths and motions.

use super::{DebugLine, Role};
use crate::geom::ray::Ray;
use crate::query::{Ground, Hit, PathHit, PointMove, Trajectory, TrajectoryHit};
use alloc::vec::Vec;
use glam::Vec3;

/// Returns the path of a ray from `t_min` to its hit, and on to `t_max` or `reach`, whichever is less. All are in units of the ray's direction. Without a hit,
/// the ray's path is the whole range.
pub fn ray<K>(ray: &Ray, hit: Option<&Hit<K>>, reach: f32) -> Vec<DebugLine> {
    if ray.validate().is_err() {
        return Vec::new();
    }
    let (start, end) = (ray.at(ray.t_min.max(-reach)), ray.at(ray.t_max.min(reach)));
    let Some(hit) = hit else { return DebugLine::new(start, end, Role::Way).into_iter().collect() };
    let beyond = if hit.t < reach { DebugLine::new(hit.point, end, Role::Beyond) } else { None };
    DebugLine::new(start, hit.point, Role::Way).into_iter().chain(beyond).collect()
}

/// Returns the normal at a hit, with this length.
pub fn hit<K>(hit: &Hit<K>, length: f32) -> Vec<DebugLine> {
    DebugLine::new(hit.point, hit.point + hit.normal * length, Role::Normal).into_iter().collect()
}

/// Returns the segments of a path up to its hit, and the segments beyond.
pub fn path<K, P: Copy + Into<Vec3>>(points: &[P], hit: Option<&PathHit<K>>) -> Vec<DebugLine> {
    cut(points.windows(2).map(|ends| [ends[0].into(), ends[1].into()]), hit.map(|met| (met.segment, met.hit.point)))
}

/// Returns the chords along which a trajectory is cast with this tolerance, up to its hit, and the chords beyond.
pub fn trajectory<K>(trajectory: &Trajectory, tolerance: f32, hit: Option<&TrajectoryHit<K>>) -> Vec<DebugLine> {
    let points: Vec<Vec3> = trajectory.points(tolerance).collect();
    cut(points.windows(2).map(|ends| [ends[0], ends[1]]), hit.map(|met| (met.chord, met.hit.point)))
}

/// Returns segments, cut at a point on one of them.
fn cut(segments: impl Iterator<Item = [Vec3; 2]>, at: Option<(usize, Vec3)>) -> Vec<DebugLine> {
    let mut lines = Vec::new();
    for (number, [from, to]) in segments.enumerate() {
        match at {
            Some((hit, point)) if hit == number => {
                lines.extend(DebugLine::new(from, point, Role::Way));
                lines.extend(DebugLine::new(point, to, Role::Beyond));
            }
            Some((hit, _)) if hit < number => lines.extend(DebugLine::new(from, to, Role::Beyond)),
            _ => lines.extend(DebugLine::new(from, to, Role::Way)),
        }
    }
    lines
}

/// Returns lines from an eye to several points, seen or not; a point without an answer is not drawn.
pub fn sight<P: Copy + Into<Vec3>>(eye: impl Into<Vec3>, points: &[P], seen: &[bool]) -> Vec<DebugLine> {
    let eye = eye.into();
    let role = |seen: &bool| if *seen { Role::Seen } else { Role::Hidden };
    points.iter().zip(seen).filter_map(|(&point, seen)| DebugLine::new(eye, point.into(), role(seen))).collect()
}

/// Returns three lines. They are the motion of a point from its start, the remaining motion, and the normal of the
/// surface that stopped it.
pub fn motion<K>(from: impl Into<Vec3>, moved: &PointMove<K>, length: f32) -> Vec<DebugLine> {
    let made = DebugLine::new(from.into(), moved.position, Role::Way);
    let left =
        moved.hit.as_ref().and_then(|_| DebugLine::new(moved.position, moved.position + moved.remaining, Role::Beyond));
    made.into_iter().chain(left).chain(moved.hit.iter().flat_map(|met| hit(met, length))).collect()
}

/// Returns the line from a point to the ground below, and the ground's normal.
pub fn ground<K>(point: impl Into<Vec3>, ground: &Ground<K>, length: f32) -> Vec<DebugLine> {
    let down = DebugLine::new(point.into(), ground.hit.point, Role::Way);
    down.into_iter().chain(hit(&ground.hit, length)).collect()
}
