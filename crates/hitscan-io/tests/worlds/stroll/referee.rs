//! A capsule's distance from the triangles of a world, by brute force in f64.

use crate::stroll::world::World;
use hitscan::Capsule;
use hitscan::glam::DVec3;

/// Triangles within this distance of a position are cached. They are used until the character is farther from the position than half of this distance.
const REACH: f64 = 3.0;

/// An upright capsule and the triangles around it.
pub(crate) struct Referee<'w> {
    world: &'w World,
    radius: f64,
    half: DVec3,
    middle: Option<DVec3>,
    near: Vec<[DVec3; 3]>,
}

impl<'w> Referee<'w> {
    pub(crate) fn new(world: &'w World, capsule: Capsule) -> Self {
        let half = capsule.ends()[1].as_dvec3();
        Self { world, radius: capsule.radius().into(), half, middle: None, near: Vec::new() }
    }

    fn look_around(&mut self, at: DVec3) {
        if self.middle.is_some_and(|middle| at.distance(middle) <= 0.5 * REACH) {
            return;
        }
        self.middle = Some(at);
        let is_near = |corners: &&[DVec3; 3]| {
            let [a, b, c] = **corners;
            let (low, high) = (a.min(b).min(c), a.max(b).max(c));
            at.clamp(low, high).distance(at) <= REACH
        };
        self.near = self.world.triangles.iter().filter(is_near).copied().collect();
    }

    /// Returns the gap between a capsule with this middle and the nearest triangle, which is negative if they overlap. Triangles out
    /// of reach may be included or not.
    pub(crate) fn gap(&mut self, middle: DVec3) -> f64 {
        self.look_around(middle);
        let segment = [middle - self.half, middle + self.half];
        let distances = self.near.iter().map(|corners| segment_to_triangle(segment, corners));
        distances.fold(REACH, f64::min) - self.radius
    }

    /// Returns whether a point is inside an entity: the winding number of the entity's surface around the point is
    /// above 0.5.
    pub(crate) fn is_inside(&self, point: DVec3) -> bool {
        self.world.surfaces().any(|surface| winding_number(surface, point) > 0.5)
    }

    /// Returns whether the segment of a capsule has passed through a triangle. That is so if an end or the middle of
    /// the segment crosses a triangle on the line between the two positions.
    pub(crate) fn is_crossed(&mut self, from: DVec3, to: DVec3) -> bool {
        self.look_around(to);
        let ways = [-self.half, DVec3::ZERO, self.half].map(|end| [from + end, to + end]);
        self.near.iter().any(|corners| ways.iter().any(|way| crosses(*way, corners)))
    }

    /// Returns whether a capsule on the ground, with its skin, can make some motion of a third of its radius. The
    /// motions are rotations of the given motion by less than a right angle, and start higher by a fifth of the skin.
    /// Over that length, steep surfaces block the capsule.
    pub(crate) fn is_free(&mut self, middle: DVec3, motion: DVec3, skin: f64) -> bool {
        let raised = middle + DVec3::Y * (0.2 * skin);
        let motion = motion.normalize_or_zero() * (self.radius / 3.0);
        turns(motion).any(|way| self.has_way(raised, way, 0.999 * skin))
    }

    /// Returns whether a capsule in the air can be moved with its skin by some motion. The motion must be at less than a right angle to the given one, and
    /// horizontal or downwards.
    pub(crate) fn is_free_in_air(&mut self, middle: DVec3, motion: DVec3, skin: f64) -> bool {
        let level = DVec3::new(motion.x, 0.0, motion.z);
        turns(level).any(|way| {
            (0..5).any(|pitch| {
                let (sin, cos) = (f64::from(pitch) * 0.3).sin_cos();
                let way = way * cos - DVec3::Y * (sin * way.length());
                way.dot(motion) > 0.17 * way.length() * motion.length() && self.has_way(middle, way, 0.99 * skin)
            })
        })
    }

    fn has_way(&mut self, from: DVec3, way: DVec3, skin: f64) -> bool {
        (1..=4).all(|part| self.gap(from + way * (0.25 * f64::from(part))) >= skin)
    }
}

/// Returns turns of a level motion by up to 80 degrees.
fn turns(motion: DVec3) -> impl Iterator<Item = DVec3> {
    (-4..=4).map(move |turn| {
        let (sin, cos) = (f64::from(turn) * 0.35).sin_cos();
        DVec3::new(motion.x * cos - motion.z * sin, 0.0, motion.x * sin + motion.z * cos)
    })
}

fn crosses([p, q]: [DVec3; 2], corners: &[DVec3; 3]) -> bool {
    let [a, b, c] = *corners;
    let normal = (b - a).cross(c - a);
    let (above, below) = (normal.dot(p - a), normal.dot(q - a));
    above * below < 0.0 && is_inside(p + (q - p) * (above / (above - below)), corners, normal)
}

fn is_inside(point: DVec3, [a, b, c]: &[DVec3; 3], normal: DVec3) -> bool {
    [[a, b], [b, c], [c, a]].iter().all(|[from, to]| (**to - **from).cross(point - **from).dot(normal) >= 0.0)
}

/// Returns the distance between a segment and a triangle, which is 0 if they cross. Otherwise it is the least
/// distance of an end to the triangle, or of the segment to an edge.
fn segment_to_triangle([p, q]: [DVec3; 2], corners: &[DVec3; 3]) -> f64 {
    if crosses([p, q], corners) {
        return 0.0;
    }
    let [a, b, c] = *corners;
    let ends = [p, q].map(|end| point_to_face(end, corners));
    let edges = [[a, b], [b, c], [c, a]].map(|edge| segment_to_segment([p, q], edge));
    ends.into_iter().chain(edges).fold(f64::INFINITY, f64::min)
}

/// Returns the distance between a point and the plane of a triangle, infinite if the nearest point of the plane is outside the triangle.
fn point_to_face(point: DVec3, corners: &[DVec3; 3]) -> f64 {
    let [a, b, c] = *corners;
    let normal = (b - a).cross(c - a);
    let Some(unit) = normal.try_normalize() else { return f64::INFINITY };
    let height = unit.dot(point - a);
    if is_inside(point - unit * height, corners, normal) { height.abs() } else { f64::INFINITY }
}

/// Returns the distance between two segments, the second of which may be a point (C. Ericson, "Real-Time Collision Detection", 5.1.9).
fn segment_to_segment([p, q]: [DVec3; 2], [r, s]: [DVec3; 2]) -> f64 {
    let (u, v, w) = (q - p, s - r, p - r);
    let (a, b, e) = (u.length_squared(), u.dot(v), v.length_squared());
    let (c, f) = (u.dot(w), v.dot(w));
    if e == 0.0 {
        return (p + u * (-c / a).clamp(0.0, 1.0)).distance(r);
    }
    let across = a * e - b * b;
    let along = if across > 1e-12 * a * e { ((b * f - c * e) / across).clamp(0.0, 1.0) } else { 0.0 };
    let other = ((b * along + f) / e).clamp(0.0, 1.0);
    let along = ((b * other - c) / a).clamp(0.0, 1.0);
    let other = ((b * along + f) / e).clamp(0.0, 1.0);
    (p + u * along).distance(r + v * other)
}

/// Returns the winding number of a surface around a point. It is the sum of the solid angles of the triangles (van Oosterom and Strackee 1983), as a fraction
/// of the sphere.
fn winding_number(surface: &[[DVec3; 3]], point: DVec3) -> f64 {
    let angle = |corners: &[DVec3; 3]| {
        let [a, b, c] = corners.map(|corner| corner - point);
        let [x, y, z] = [a, b, c].map(|side| side.length());
        let cosine = x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y;
        2.0 * a.dot(b.cross(c)).atan2(cosine)
    };
    surface.iter().map(angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
}
