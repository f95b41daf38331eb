//! How deep the origin is in a convex thing that is known by its farthest points: a polytope in it that grows where its surface is nearest (G. van den
//! Bergen, "Proximity Queries and Penetration Depth Computation on 3D Game Objects", 2001).

use crate::float::{larger, largest, unit};
use crate::sweep::gjk::{Corner, separation};
use alloc::vec::Vec;
use glam::DVec3;

/// The least way out.
#[derive(Clone, Copy, Debug)]
pub(super) struct WayOut {
    /// Outwards, of unit length. Nothing of the thing is farther along it than `depth`.
    pub(super) normal: DVec3,
    /// How far the origin is from there. It may be below 0 by rounding, or where the origin is not in the thing.
    pub(super) depth: f64,
    /// Where on the surface, as far as it is known; and which point of the second thing that is of.
    pub(super) foot: Corner,
}

/// Corners at most: more than a box has with a box or a triangle. Round things may want more; from there on the best way is turned to where it is shortest.
const MOST_CORNERS: usize = 128;

/// The way out to within `resolution` of the least depth; `None` where no direction is any way out: of a point.
pub(super) fn way_out(farthest: &dyn Fn(DVec3) -> Corner, resolution: f64) -> Option<WayOut> {
    let mut growth = Growth { farthest, corners: Vec::new(), faces: Vec::new(), best: None };
    match growth.start(resolution) {
        Start::Flat(normal) => {
            growth.try_out(normal);
            growth.try_out(-normal);
        }
        Start::Solid => growth.grow(resolution),
    }
    growth.best
}

/// Sines of angles below this are those of needles.
const LEAST_AREA: f64 = 1e-12;
/// How often a way is turned at most, how often in vain before steps are halved, and by how much first and last.
const MOST_TURNS: usize = 256;
const VAIN_TURNS: usize = 6;
const FIRST_STEP: f64 = 1.0 / 16.0;
const LAST_STEP: f64 = 1.0 / (1 << 28) as f64;
/// From how far beyond one looks back first and last, in sizes.
const FARTHEST_LOOK: f64 = 1.0 / 16.0;
const NEAREST_LOOK: f64 = 1.0 / (1 << 20) as f64;
/// Cosine and sine of an angle of which no small multiple is a right one.
const TURN: (f64, f64) = (0.8, 0.6);

enum Start {
    /// All in one plane, or nearly.
    Flat(DVec3),
    Solid,
}

#[derive(Clone, Copy)]
struct Face {
    at: [usize; 3],
    normal: DVec3,
    height: f64,
}

struct Growth<'a> {
    farthest: &'a dyn Fn(DVec3) -> Corner,
    corners: Vec<Corner>,
    faces: Vec<Face>,
    best: Option<WayOut>,
}

impl Growth<'_> {
    /// The farthest corner along a direction of unit length, which is a way out, as far as that corner is.
    fn try_out(&mut self, normal: DVec3) -> Corner {
        let foot = (self.farthest)(normal);
        let depth = normal.dot(foot.at);
        if self.best.is_none_or(|best| depth < best.depth) {
            self.best = Some(WayOut { normal, depth, foot });
        }
        foot
    }

    /// Four corners that are not in one plane, if there are such.
    fn start(&mut self, resolution: f64) -> Start {
        let far_apart = |growth: &mut Self, direction: DVec3| {
            let (high, low) = (growth.try_out(direction), growth.try_out(-direction));
            let apart = (high.at - low.at).dot(direction);
            (high, low, apart)
        };
        let widest = DVec3::AXES.map(|axis| far_apart(self, axis));
        let widest = widest.into_iter().reduce(|a, b| if b.2 > a.2 { b } else { a });
        let Some((a, b, apart)) = widest.filter(|widest| widest.2 > resolution) else {
            return Start::Flat(DVec3::X);
        };
        let _ = apart;
        let Some(along) = unit(b.at - a.at) else { return Start::Flat(DVec3::X) };
        let beside = along.any_orthonormal_pair();
        let beyond = |corner: Corner| {
            let off = corner.at - a.at;
            largest(off - along * off.dot(along))
        };
        let around = [beside.0, beside.1].map(|direction| {
            let (high, low, _) = far_apart(self, direction);
            if beyond(high) >= beyond(low) { high } else { low }
        });
        let c = if beyond(around[0]) >= beyond(around[1]) { around[0] } else { around[1] };
        let Some(normal) = unit((b.at - a.at).cross(c.at - a.at)).filter(|_| beyond(c) > resolution) else {
            return Start::Flat(beside.0);
        };
        let (high, low, _) = far_apart(self, normal);
        let (above, below) = (normal.dot(high.at - a.at), -normal.dot(low.at - a.at));
        if larger(above, below) <= resolution {
            return Start::Flat(normal);
        }
        self.corners = if above >= below { alloc::vec![a, c, b, high] } else { alloc::vec![a, b, c, low] };
        for at in [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]] {
            let _ = self.add_face(at);
        }
        if self.faces.len() == 4 { Start::Solid } else { Start::Flat(normal) }
    }

    /// `None` if its corners are in one line, as far as f64 can tell.
    fn add_face(&mut self, at: [usize; 3]) -> Option<()> {
        let [a, b, c] = at.map(|corner| self.corners[corner].at);
        let (u, v) = (b - a, c - a);
        let across = u.cross(v);
        let is_flat = across.length_squared() <= LEAST_AREA * LEAST_AREA * u.length_squared() * v.length_squared();
        let normal = unit(across).filter(|_| !is_flat)?;
        self.faces.push(Face { at, normal, height: normal.dot(a) });
        Some(())
    }

    fn grow(&mut self, resolution: f64) {
        while let Some(number) = self.nearest_face() {
            let nearest = self.faces[number];
            let added = self.try_out(nearest.normal);
            let is_certain = self.best.is_some_and(|best| best.depth - nearest.height <= resolution);
            if is_certain || nearest.normal.dot(added.at) - nearest.height <= resolution {
                return self.settle(&nearest);
            }
            // Of what is round, corners come so close to each other that f64 knows no more which faces are where.
            if self.corners.len() >= MOST_CORNERS || self.add_corner(added).is_none() {
                break;
            }
        }
        for face in core::mem::take(&mut self.faces) {
            self.try_out(face.normal);
        }
        self.improve();
        self.look_back(resolution);
    }

    fn nearest_face(&self) -> Option<usize> {
        (0..self.faces.len()).min_by(|&a, &b| self.faces[a].height.total_cmp(&self.faces[b].height))
    }

    /// Turns the best way to where it is shorter, by smaller and smaller steps. Each time along other directions: where two sides of the thing
    /// meet, few of them lead on.
    fn improve(&mut self) {
        let (mut step, mut vain) = (FIRST_STEP, 0);
        let (mut cosine, mut sine) = (1.0, 0.0);
        for _ in 0..MOST_TURNS {
            let Some(best) = self.best.filter(|_| step > LAST_STEP) else { return };
            let (u, v) = best.normal.any_orthonormal_pair();
            let (u, v) = (u * cosine + v * sine, v * cosine - u * sine);
            for side in [u, -u, v, -v] {
                if let Some(normal) = unit(best.normal + side * step) {
                    self.try_out(normal);
                }
            }
            (cosine, sine) = (cosine * TURN.0 - sine * TURN.1, cosine * TURN.1 + sine * TURN.0);
            vain = if self.best.is_some_and(|now| now.depth < best.depth) { 0 } else { vain + 1 };
            if vain == VAIN_TURNS {
                (step, vain) = (step * 0.5, 0);
            }
        }
    }

    /// From a place outside, a little way beyond the best way out, to the nearest point: about along the shortest one, and the nearer, the closer. Near the
    /// surface of what is round this finds what a polytope would need very many corners for.
    fn look_back(&mut self, resolution: f64) {
        let size = self.corners.iter().map(|corner| largest(corner.at)).fold(0.0, larger);
        let mut beyond = size * FARTHEST_LOOK;
        while let Some(best) = self.best.filter(|_| beyond > size * NEAREST_LOOK) {
            let place = best.normal * (best.depth + beyond);
            let seen = |direction: DVec3| {
                let corner = (self.farthest)(direction);
                Corner { at: corner.at - place, ..corner }
            };
            let Some(normal) = separation(seen, best.normal, resolution).normal else { return };
            self.try_out(normal);
            if self.best.is_none_or(|now| best.depth - now.depth <= resolution) {
                beyond *= 0.25;
            }
        }
    }

    /// Faces that see the corner are replaced by those from its horizon; `None` if that makes no polytope.
    fn add_corner(&mut self, added: Corner) -> Option<()> {
        let number = self.corners.len();
        self.corners.push(added);
        let sees = |face: &Face| face.normal.dot(added.at) > face.height;
        let mut edges: Vec<[usize; 2]> = Vec::new();
        for face in self.faces.iter().filter(|face| sees(face)) {
            let [a, b, c] = face.at;
            edges.extend([[a, b], [b, c], [c, a]]);
        }
        self.faces.retain(|face| !sees(face));
        for &[a, b] in &edges {
            if !edges.contains(&[b, a]) {
                self.add_face([a, b, number])?;
            }
        }
        // As many as corners allow (Euler).
        (self.faces.len() <= 2 * self.corners.len()).then_some(())
    }

    /// The point of the nearest face that is nearest to the origin says which points are in contact, if that face is the way out.
    fn settle(&mut self, nearest: &Face) {
        let [a, b, c] = nearest.at.map(|corner| self.corners[corner]);
        if let Some(best) = &mut self.best
            && best.normal == nearest.normal
        {
            let foot = nearest.normal * nearest.height;
            let (u, v, w) = (b.at - a.at, c.at - a.at, foot - a.at);
            let across = u.cross(v);
            let square = across.length_squared();
            let (s, t) = (across.dot(w.cross(v)) / square, across.dot(u.cross(w)) / square);
            let core = a.core + (b.core - a.core) * s + (c.core - a.core) * t;
            if core.is_finite() {
                best.foot = Corner { at: foot, core };
            }
        }
    }
}
