//! Quickhull (C. B. Barber, D. P. Dobkin, H. Huhdanpaa, "The Quickhull Algorithm for Convex Hulls", 1996), with exact signs.
//! Rounding only affects the order in which points are added, never the decision on which side of a face a point is. A face whose plane contains a new point is
//! not visible from the point and stays. No sliver results, because a point on the line of an edge is in the planes of both faces there, so neither is visible
//! from it.

use crate::error::HullError;
use crate::shape::{side_of_plane, triangle_normal};
use alloc::vec::Vec;
use core::cmp::Ordering;
use glam::{DVec3, Vec3};

/// A triangle of the hull so far.
struct HullTriangle {
    /// The corners, counter-clockwise from outside.
    corners: [u32; 3],
    /// The faces beyond the edges from each corner to the next.
    neighbors: [u32; 3],
    /// The points that are assigned to this face, which is visible from them. No other face has them.
    outside: Vec<u32>,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Kept,
    /// The face is visible from the point that is being added.
    Seen,
    Gone,
}

/// Returns the hull of finite points, as triangles of their numbers that face outwards. Some may be in one plane.
pub(super) fn triangles(points: &[Vec3]) -> Result<Vec<[u32; 3]>, HullError> {
    let mut hull = Hull::new(points)?;
    let mut next = 0;
    // New faces are only added at the end.
    while let Some(face) = hull.faces.get(next) {
        if face.state == State::Kept
            && let Some(point) = hull.farthest(face)
        {
            hull.add(point, next as u32);
        } else {
            next += 1;
        }
    }
    let kept = hull.faces.iter().filter(|face| face.state == State::Kept);
    Ok(kept.map(|face| face.corners).collect())
}

struct Hull<'a> {
    points: &'a [Vec3],
    faces: Vec<HullTriangle>,
}

impl<'a> Hull<'a> {
    /// Makes a tetrahedron of four of the points, and assigns the points outside of it to its faces.
    fn new(points: &'a [Vec3]) -> Result<Self, HullError> {
        let [a, b, c, d] = tetrahedron(points)?;
        let corner = |i: u32| points[i as usize];
        let is_in_front = side_of_plane([a, b, c].map(corner), corner(d).as_dvec3()) == Ordering::Greater;
        let [b, c] = if is_in_front { [c, b] } else { [b, c] };
        let face = |corners, neighbors| HullTriangle { corners, neighbors, outside: Vec::new(), state: State::Kept };
        let faces = Vec::from([
            face([a, b, c], [1, 2, 3]),
            face([b, a, d], [0, 3, 2]),
            face([c, b, d], [0, 1, 3]),
            face([a, c, d], [0, 2, 1]),
        ]);
        let mut hull = Self { points, faces };
        hull.hand_out(0..points.len() as u32, 0);
        Ok(hull)
    }

    fn corners(&self, face: &HullTriangle) -> [Vec3; 3] {
        face.corners.map(|i| self.points[i as usize])
    }

    fn is_seen(&self, face: &HullTriangle, point: u32) -> bool {
        side_of_plane(self.corners(face), self.points[point as usize].as_dvec3()) == Ordering::Greater
    }

    /// Assigns each point to the first face, from `first` on, that is visible from it; a point from which none is
    /// visible is inside the hull.
    fn hand_out(&mut self, points: impl IntoIterator<Item = u32>, first: usize) {
        for point in points {
            let sees = self.faces[first..].iter().position(|face| self.is_seen(face, point));
            if let Some(place) = sees {
                self.faces[first + place].outside.push(point);
            }
        }
    }

    /// Returns the point outside of a face that is approximately farthest from its plane.
    fn farthest(&self, face: &HullTriangle) -> Option<u32> {
        let corners = self.corners(face).map(|corner| corner.as_dvec3());
        let normal = triangle_normal(corners);
        let distance = |point: u32| (self.points[point as usize].as_dvec3() - corners[0]).dot(normal);
        let measured = face.outside.iter().map(|&point| (distance(point), point));
        measured.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1))).map(|(_, point)| point)
    }

    /// Adds a point to the hull. The face `seen` is visible from this point.
    fn add(&mut self, point: u32, seen: u32) {
        let (horizon, left) = self.remove_seen(point, seen);
        let first = self.faces.len() as u32;
        let count = horizon.len() as u32;
        for (i, HorizonEdge { from, to, beyond }) in (0..).zip(horizon) {
            let number = first + i;
            let (next, previous) = (first + (i + 1) % count, first + (i + count - 1) % count);
            let face = &mut self.faces[beyond as usize];
            if let Some(place) =
                (0..3).find(|&place| face.corners[place] == to && face.corners[(place + 1) % 3] == from)
            {
                face.neighbors[place] = number;
            }
            let corners = [from, to, point];
            let neighbors = [beyond, next, previous];
            self.faces.push(HullTriangle { corners, neighbors, outside: Vec::new(), state: State::Kept });
        }
        self.hand_out(left.into_iter().filter(|&other| other != point), first as usize);
    }

    /// Removes the connected faces that are visible from a point. Returns the edges around them, in order, and the points that were
    /// outside of them.
    fn remove_seen(&mut self, point: u32, seen: u32) -> (Vec<HorizonEdge>, Vec<u32>) {
        let (mut horizon, mut left) = (Vec::new(), Vec::new());
        // The stack has the next edge of each face to be tested. The faces are visited in depth-first order, so the edges of the horizon are found in their
        // order around it.
        self.faces[seen as usize].state = State::Seen;
        let mut stack = Vec::from([(seen, 0, 0)]);
        let mut all = Vec::from([seen]);
        while let Some((number, first, done)) = stack.pop() {
            if done == 3 {
                continue;
            }
            stack.push((number, first, done + 1));
            let face = &self.faces[number as usize];
            let place = (first + done) % 3;
            let (from, to, beyond) = (face.corners[place], face.corners[(place + 1) % 3], face.neighbors[place]);
            let neighbor = &self.faces[beyond as usize];
            if neighbor.state != State::Kept {
                continue;
            }
            if self.is_seen(neighbor, point) {
                // The walk continues from the edge that was crossed.
                let entry =
                    (0..3).find(|&place| neighbor.corners[place] == to && neighbor.corners[(place + 1) % 3] == from);
                self.faces[beyond as usize].state = State::Seen;
                all.push(beyond);
                stack.push((beyond, entry.unwrap_or(0) + 1, 0));
            } else {
                horizon.push(HorizonEdge { from, to, beyond });
            }
        }
        for number in all {
            let face = &mut self.faces[number as usize];
            face.state = State::Gone;
            left.append(&mut face.outside);
        }
        (horizon, left)
    }
}

/// An edge between a visible face and one that is not visible.
struct HorizonEdge {
    from: u32,
    to: u32,
    beyond: u32,
}

/// Returns four of the points that are not in one plane.
fn tetrahedron(points: &[Vec3]) -> Result<[u32; 4], HullError> {
    let a = best(points, |p| Some(-f64::from(p.x))).ok_or(HullError::Empty)?;
    let from_a = |p: Vec3| p.as_dvec3() - points[a as usize].as_dvec3();
    let b =
        best(points, |p| (p != points[a as usize]).then(|| from_a(p).length_squared())).ok_or(HullError::OnePoint)?;
    let normal = |p: Vec3| triangle_normal([points[a as usize], points[b as usize], p].map(|p| p.as_dvec3()));
    let c = best(points, |p| Some(normal(p)).filter(|n| *n != DVec3::ZERO).map(|n| n.length_squared()));
    let c = c.ok_or(HullError::OneLine)?;
    let corners = [a, b, c].map(|i| points[i as usize]);
    let height = |p: Vec3| from_a(p).dot(normal(corners[2])).abs();
    let d = best(points, |p| (side_of_plane(corners, p.as_dvec3()) != Ordering::Equal).then(|| height(p)));
    Ok([a, b, c, d.ok_or(HullError::OnePlane)?])
}

/// Returns the first point with the largest measure, among the points that have one.
fn best(points: &[Vec3], measure: impl Fn(Vec3) -> Option<f64>) -> Option<u32> {
    let measured = (0..).zip(points).filter_map(|(i, &point)| Some((measure(point)?, i)));
    measured.max_by(|a: &(f64, u32), b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1))).map(|(_, i)| i)
}
