//! The referee, which counts the faults of a walk by the distance between the capsule and the triangles.

use super::course::Course;
use super::walkers::{DT, HEIGHT, RADIUS, SPEED, Walkers};
use ::hitscan::glam::DVec3;
use std::collections::HashMap;

/// The number of steps of all characters with each fault.
#[derive(Clone, Copy, Default)]
pub(super) struct Faults {
    /// The capsule is in the geometry by more than a thousandth of its radius, or has fallen through it.
    pub(super) penetrating: usize,
    /// The character wants to move, stands on the ground, and some direction is free. But it has moved by less than a hundredth of the wanted distance.
    pub(super) stuck: usize,
    /// The character has moved up or down by more than a ten-thousandth of its radius, on a flat floor on which it stood
    /// before.
    pub(super) jitter: usize,
    pub(super) grounded: usize,
}

/// The triangles of a course, in columns.
pub(super) struct Referee {
    columns: HashMap<(i32, i32), Vec<[DVec3; 3]>>,
    /// The height of the lowest triangle's lowest corner.
    lowest: f64,
}

/// The width of a column.
const CELL: f64 = 1.0;

fn cell(x: f64) -> i32 {
    (x / CELL).floor() as i32
}

impl Referee {
    pub(super) fn new(course: &Course) -> Self {
        let mut columns: HashMap<(i32, i32), Vec<[DVec3; 3]>> = HashMap::new();
        for triangle in &course.triangles {
            let corners = triangle.map(|corner| course.positions[corner as usize].as_dvec3());
            let low = corners[0].min(corners[1]).min(corners[2]);
            let high = corners[0].max(corners[1]).max(corners[2]);
            for x in cell(low.x)..=cell(high.x) {
                for z in cell(low.z)..=cell(high.z) {
                    columns.entry((x, z)).or_default().push(corners);
                }
            }
        }
        let lowest = course.positions.iter().map(|place| f64::from(place.y)).fold(f64::INFINITY, f64::min);
        Self { columns, lowest }
    }

    /// Returns the distance between a capsule's segment and the nearest triangle, or [`CELL`] if it is larger.
    fn distance(&self, middle: DVec3) -> f64 {
        let half = DVec3::Y * (0.5 * HEIGHT - RADIUS);
        let mut least = CELL;
        for x in cell(middle.x) - 1..=cell(middle.x) + 1 {
            for z in cell(middle.z) - 1..=cell(middle.z) + 1 {
                for corners in self.columns.get(&(x, z)).into_iter().flatten() {
                    least = least.min(segment_to_triangle([middle - half, middle + half], corners));
                }
            }
        }
        least
    }

    /// Walks a crowd over the course, and counts its faults.
    pub(super) fn judge(&self, crowd: &mut dyn Walkers, course: &Course, steps: usize) -> Faults {
        let count = crowd.count();
        let mut faults = Faults::default();
        for step in 0..steps {
            for number in 0..count {
                let (before, was_grounded) = crowd.place(number);
                crowd.step(number, course.wanted(number, step));
                let (after, is_grounded) = crowd.place(number);
                let moved = after - before;
                faults.grounded += usize::from(is_grounded);
                let is_through = after.y < self.lowest;
                faults.penetrating += usize::from(is_through || self.distance(after) < RADIUS * 0.999);
                faults.jitter += usize::from(course.is_flat && was_grounded && moved.y.abs() > 1e-4 * RADIUS);
                let rests = was_grounded && is_grounded && moved.length() < 0.01 * SPEED * DT;
                faults.stuck += usize::from(rests && self.is_free(after, course.wanted(number, step)));
            }
        }
        faults
    }

    /// Returns whether a character could continue along a wall. For a step, some direction at less than a right angle
    /// to the wanted direction must be free, perhaps a little higher.
    fn is_free(&self, middle: DVec3, wanted: DVec3) -> bool {
        (-4..=4).any(|turn| {
            let angle = f64::from(turn) * 0.35;
            let way = DVec3::new(
                wanted.x * libm::cos(angle) - wanted.z * libm::sin(angle),
                0.0,
                wanted.x * libm::sin(angle) + wanted.z * libm::cos(angle),
            );
            (1..=4).all(|part| self.distance(middle + way * (DT * 0.25 * f64::from(part)) + DVec3::Y * 0.01) > RADIUS)
        })
    }
}

/// Returns the distance between a segment and a triangle, which is 0 if they cross. Otherwise it is the least of the distances from an end to the triangle and
/// from the segment to an edge.
fn segment_to_triangle([p, q]: [DVec3; 2], corners: &[DVec3; 3]) -> f64 {
    let [a, b, c] = *corners;
    let normal = (b - a).cross(c - a);
    let (above, below) = (normal.dot(p - a), normal.dot(q - a));
    if above * below < 0.0 {
        let at = p + (q - p) * (above / (above - below));
        if is_inside(at, corners, normal) {
            return 0.0;
        }
    }
    let ends = [p, q].map(|end| point_to_triangle(end, corners, normal));
    let edges = [[a, b], [b, c], [c, a]].map(|edge| segment_to_segment([p, q], edge));
    ends.into_iter().chain(edges).fold(f64::INFINITY, f64::min)
}

fn is_inside(point: DVec3, [a, b, c]: &[DVec3; 3], normal: DVec3) -> bool {
    [[a, b], [b, c], [c, a]].iter().all(|[from, to]| (**to - **from).cross(point - **from).dot(normal) >= 0.0)
}

fn point_to_triangle(point: DVec3, corners: &[DVec3; 3], normal: DVec3) -> f64 {
    let unit = normal.normalize();
    let height = unit.dot(point - corners[0]);
    if is_inside(point - unit * height, corners, normal) { height.abs() } else { f64::INFINITY }
}

/// Returns the distance between two segments: finds the nearest points of their lines, clamps one to its segment, and projects it onto the other segment and
/// back (C. Ericson, "Real-Time Collision Detection", 5.1.9).
fn segment_to_segment([p, q]: [DVec3; 2], [r, s]: [DVec3; 2]) -> f64 {
    let (u, v, w) = (q - p, s - r, p - r);
    let (a, b, e) = (u.length_squared(), u.dot(v), v.length_squared());
    let (c, f) = (u.dot(w), v.dot(w));
    let across = a * e - b * b;
    let along = if across > 1e-12 * a * e { ((b * f - c * e) / across).clamp(0.0, 1.0) } else { 0.0 };
    let other = ((b * along + f) / e).clamp(0.0, 1.0);
    let along = ((b * other - c) / a).clamp(0.0, 1.0);
    (p + u * along).distance(r + v * other)
}
