//! How deep the origin is in a convex thing that is known by its farthest points: a polytope in it that grows where its surface is nearest (G. van den
//! Bergen, "Proximity Queries and Penetration Depth Computation on 3D Game Objects", 2001).

use super::gjk::{SupportPoint, separation};
use crate::math::float::{larger, largest, unit};
use alloc::vec::Vec;
use core::cell::Cell;
use glam::DVec3;

/// The least way out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MinimumTranslation {
    /// Outwards, of unit length. Nothing of the thing is farther along it than `depth`.
    pub(crate) normal: DVec3,
    /// How far the origin is from there. It may be below 0 by rounding, or where the origin is not in the thing.
    pub(crate) depth: f64,
    /// Where on the surface, as far as it is known; and which point of the second thing that is of.
    pub(crate) foot: SupportPoint,
}

/// Corners at most: more than a box has with a box or a triangle. Round things may want more; from there on the best way is turned to where it is shortest.
const MOST_CORNERS: usize = 128;

/// The looks that are left for all ways out that one question searches for. Where none is left, what is round without a radius has the way out that its
/// polytope tells.
#[derive(Debug)]
pub(crate) struct SearchBudget(Cell<usize>);

impl SearchBudget {
    /// Makes the budget of one question: a quarter more than one way out may take.
    pub(crate) fn of_question() -> Self {
        Self(Cell::new((MOST_LOOKS_OF_ALL + MOST_LOOKS) * 5 / 4))
    }

    /// Takes one of them, if there is one.
    fn take(&self) -> bool {
        let left = self.0.get();
        self.0.set(left.saturating_sub(1));
        left > 0
    }
}

/// The way out to within `resolution` of the least depth; `None` where no direction is any way out: of a point. Ways that are shorter than the first number of
/// `matters`, or longer than the second one, do not matter: any of them is answered then.
pub(crate) fn minimum_translation(
    farthest: &dyn Fn(DVec3) -> SupportPoint,
    resolution: f64,
    matters: [f64; 2],
    looks: &SearchBudget,
) -> Option<MinimumTranslation> {
    let mut growth = Polytope::new(farthest, matters, looks);
    match growth.start(resolution) {
        StartPolytope::Flat(normal) => {
            growth.try_out(normal);
            growth.try_out(-normal);
        }
        StartPolytope::Solid => growth.grow(resolution),
    }
    if !growth.is_enough() {
        growth.put_foot(resolution);
    }
    growth.best
}

/// Returns the way out along the shortest of some directions of any length, and against them; of ways that are as short, the first. Zero directions are left
/// out, and the answer is `None` if all are zero.
pub(crate) fn minimum_translation_along(
    directions: impl Iterator<Item = DVec3>,
    farthest: &dyn Fn(DVec3) -> SupportPoint,
    resolution: f64,
) -> Option<MinimumTranslation> {
    let looks = SearchBudget::of_question();
    let mut growth = Polytope::new(farthest, [f64::NEG_INFINITY, f64::INFINITY], &looks);
    for normal in directions.filter_map(unit).flat_map(|normal| [normal, -normal]) {
        let way = growth.way(normal);
        if growth.best.is_none_or(|best| way.depth < best.depth - resolution) {
            growth.best = Some(way);
        }
    }
    growth.put_foot(resolution);
    growth.best
}

/// Sines of angles below this are those of needles.
const LEAST_AREA: f64 = 1e-12;
/// From how many faces ways are looked for at most, and how near the cosine of two may be to 1.
const MOST_STARTS: usize = 16;
const SAME_SIDE: f64 = 0.97;
/// From how far beyond one looks back first and last, in sizes; and to what part of that the nearest point is looked for.
const FARTHEST_LOOK: f64 = 1.0 / 16.0;
const NEAREST_LOOK: f64 = 1.0 / (1 << 20) as f64;
const LOOK_RESOLUTION: f64 = 1.0 / (1 << 16) as f64;
/// How often one looks back from one start, and from all of them.
const MOST_LOOKS: usize = 64;
const MOST_LOOKS_OF_ALL: usize = 256;
/// How many times a turn is doubled at most.
const MOST_DOUBLINGS: usize = 10;

enum StartPolytope {
    /// All in one plane, or nearly.
    Flat(DVec3),
    Solid,
}

#[derive(Clone, Copy)]
struct PolytopeFace {
    at: [usize; 3],
    normal: DVec3,
    height: f64,
}

struct Polytope<'a> {
    farthest: &'a dyn Fn(DVec3) -> SupportPoint,
    corners: Vec<SupportPoint>,
    faces: Vec<PolytopeFace>,
    best: Option<MinimumTranslation>,
    /// Of the first four corners.
    middle: DVec3,
    looks: &'a SearchBudget,
    enough: f64,
    most: f64,
}

impl<'a> Polytope<'a> {
    fn new(farthest: &'a dyn Fn(DVec3) -> SupportPoint, [enough, most]: [f64; 2], looks: &'a SearchBudget) -> Self {
        let (corners, faces) = (Vec::new(), Vec::new());
        Self { farthest, corners, faces, best: None, middle: DVec3::ZERO, looks, enough, most }
    }

    /// A direction of unit length is a way out, as far as the farthest corner along it is.
    fn way(&self, normal: DVec3) -> MinimumTranslation {
        let foot = (self.farthest)(normal);
        MinimumTranslation { normal, depth: normal.dot(foot.at), foot }
    }

    /// At least the largest coordinate of a corner.
    fn size(&self) -> f64 {
        self.corners.iter().map(|corner| largest(corner.at)).fold(0.0, larger)
    }

    /// Whether a way is known that is short enough not to matter.
    fn is_enough(&self) -> bool {
        self.best.is_some_and(|best| best.depth < self.enough)
    }

    fn keep(&mut self, way: MinimumTranslation) {
        if self.best.is_none_or(|best| way.depth < best.depth) {
            self.best = Some(way);
        }
    }

    /// The farthest corner along a direction.
    fn try_out(&mut self, normal: DVec3) -> SupportPoint {
        let way = self.way(normal);
        self.keep(way);
        way.foot
    }

    /// Four corners that are not in one plane, if there are such.
    fn start(&mut self, resolution: f64) -> StartPolytope {
        let far_apart = |growth: &mut Self, direction: DVec3| {
            let (high, low) = (growth.try_out(direction), growth.try_out(-direction));
            let apart = (high.at - low.at).dot(direction);
            (high, low, apart)
        };
        let widest = DVec3::AXES.map(|axis| far_apart(self, axis));
        let widest = widest.into_iter().reduce(|a, b| if b.2 > a.2 { b } else { a });
        let Some((a, b, apart)) = widest.filter(|widest| widest.2 > resolution) else {
            return StartPolytope::Flat(DVec3::X);
        };
        let _ = apart;
        let Some(along) = unit(b.at - a.at) else { return StartPolytope::Flat(DVec3::X) };
        let beside = along.any_orthonormal_pair();
        let beyond = |corner: SupportPoint| {
            let off = corner.at - a.at;
            largest(off - along * off.dot(along))
        };
        let around = [beside.0, beside.1].map(|direction| {
            let (high, low, _) = far_apart(self, direction);
            if beyond(high) >= beyond(low) { high } else { low }
        });
        let c = if beyond(around[0]) >= beyond(around[1]) { around[0] } else { around[1] };
        let Some(normal) = unit((b.at - a.at).cross(c.at - a.at)).filter(|_| beyond(c) > resolution) else {
            return StartPolytope::Flat(beside.0);
        };
        let (high, low, _) = far_apart(self, normal);
        let (above, below) = (normal.dot(high.at - a.at), -normal.dot(low.at - a.at));
        if larger(above, below) <= resolution {
            return StartPolytope::Flat(normal);
        }
        self.corners = if above >= below { alloc::vec![a, c, b, high] } else { alloc::vec![a, b, c, low] };
        self.middle = self.corners.iter().map(|corner| corner.at * 0.25).sum();
        for at in [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]] {
            self.faces.extend(self.face(at));
        }
        if self.faces.len() == 4 { StartPolytope::Solid } else { StartPolytope::Flat(normal) }
    }

    /// `None` if its corners are in one line, or it is inside out, as far as f64 can tell.
    fn face(&self, at: [usize; 3]) -> Option<PolytopeFace> {
        let [a, b, c] = at.map(|corner| self.corners[corner].at);
        let (u, v) = (b - a, c - a);
        let across = u.cross(v);
        let is_flat = across.length_squared() <= LEAST_AREA * LEAST_AREA * u.length_squared() * v.length_squared();
        let normal = unit(across).filter(|normal| !is_flat && normal.dot(a - self.middle) > 0.0)?;
        Some(PolytopeFace { at, normal, height: normal.dot(a) })
    }

    fn grow(&mut self, resolution: f64) {
        // Faces that cannot be divided as far as f64 can tell, as of what is round, of which corners come close to each other.
        let mut closed: Vec<PolytopeFace> = Vec::new();
        while let Some(number) = self.nearest_face() {
            let nearest = self.faces[number];
            // All of a polytope is in the thing, so no way out of that is shorter.
            if self.is_enough() || closed.is_empty() && nearest.height > self.most {
                return;
            }
            let added = self.try_out(nearest.normal);
            let is_certain = self.best.is_some_and(|best| best.depth - nearest.height <= resolution);
            if is_certain || nearest.normal.dot(added.at) - nearest.height <= resolution {
                if closed.is_empty() {
                    return self.settle(&nearest);
                }
                break;
            }
            if self.corners.len() >= MOST_CORNERS {
                break;
            }
            if self.add_corner(added).is_none() {
                closed.push(self.faces.swap_remove(number));
            }
        }
        closed.append(&mut self.faces);
        self.search(closed, resolution);
    }

    /// In front of each face that may have a shorter way than is known, those first that may have the shortest: sides of a thing have their own.
    fn search(&mut self, mut faces: Vec<PolytopeFace>, resolution: f64) {
        faces.sort_by(|a, b| a.height.total_cmp(&b.height));
        let mut starts: Vec<DVec3> = Vec::new();
        let mut left = MOST_LOOKS_OF_ALL;
        for face in &faces {
            // A face that could not be divided may be in front of more than one side.
            let aside =
                face.at.map(|corner| unit(self.corners[corner].at).and_then(|corner| unit(face.normal + corner)));
            for start in [Some(face.normal)].into_iter().chain(aside).flatten() {
                let may_be_shorter = self.best.is_none_or(|best| face.height < best.depth - resolution);
                let is_new = starts.iter().all(|other| other.dot(start) < SAME_SIDE);
                if self.is_enough() {
                    return;
                }
                if may_be_shorter && is_new && starts.len() < MOST_STARTS {
                    starts.push(start);
                    let way = self.way(start);
                    self.look_back(way, &mut left, resolution);
                }
            }
        }
        if let Some(best) = self.best {
            left = MOST_LOOKS;
            self.look_back(best, &mut left, resolution);
        }
    }

    fn nearest_face(&self) -> Option<usize> {
        (0..self.faces.len()).min_by(|&a, &b| self.faces[a].height.total_cmp(&self.faces[b].height))
    }

    /// Of a side that is flat, a farthest point may be far from where the way leads out: then its foot is the point nearest to a place beyond.
    fn put_foot(&mut self, resolution: f64) {
        let Some(best) = &mut self.best else { return };
        if largest(best.foot.at - best.normal * best.depth) <= resolution {
            return;
        }
        let place = best.normal * (best.depth + largest(best.foot.at) * FARTHEST_LOOK);
        let seen = |direction: DVec3| {
            let corner = (self.farthest)(direction);
            SupportPoint { at: corner.at - place, ..corner }
        };
        let found = separation(seen, best.normal, resolution * 0.25);
        if found.normal.is_some() {
            best.foot = SupportPoint { at: found.nearest.at + place, ..found.nearest };
        }
    }

    /// From a place outside, a little way beyond a way out, to the nearest point: along a way that is no longer. As the distance of the place is at least how far
    /// it is beyond, the way to the plane across its nearest point is at most what is left. It goes on from there, and nearer where that helps no more,
    /// even if what is known is shorter still: one that was left there was the shortest in the end, once in some 100,000. Where sides meet, this follows the edge
    /// between them, and near the surface of what is round it finds what a polytope would need very many corners for.
    ///
    /// Where the thing is about as far along many ways, each look turns the way by a small part of what is left. To go on as it was turned costs one farthest point each
    /// time, a look some twenty. (Without that the longest calls took three times as long. To turn ways along other directions, by smaller and smaller steps, found nothing more.)
    fn look_back(&mut self, from: MinimumTranslation, left_of_all: &mut usize, resolution: f64) {
        let size = self.size();
        let nearest = size * NEAREST_LOOK;
        let (mut way, mut beyond) = (from, size * FARTHEST_LOOK);
        let mut left = MOST_LOOKS.min(*left_of_all);
        while beyond > nearest && left > 0 && self.looks.take() {
            (left, *left_of_all) = (left - 1, *left_of_all - 1);
            let place = way.normal * (way.depth + beyond);
            let seen = |direction: DVec3| {
                let corner = (self.farthest)(direction);
                SupportPoint { at: corner.at - place, ..corner }
            };
            let resolution = larger(resolution, beyond * LOOK_RESOLUTION);
            let Some(normal) = separation(seen, way.normal, resolution).normal else { break };
            let next = self.turned_on(way.normal, self.way(normal));
            if way.depth - next.depth <= resolution {
                beyond *= 0.25;
            }
            if next.depth < way.depth {
                way = next;
            }
        }
        self.keep(way);
    }

    /// Turned on as from one way to the next, by twice as much each time, while that makes it shorter.
    fn turned_on(&self, from: DVec3, next: MinimumTranslation) -> MinimumTranslation {
        let turn = next.normal - from;
        let mut best = next;
        for doubling in 0..MOST_DOUBLINGS {
            let Some(normal) = unit(next.normal + turn * f64::from(1u32 << doubling)) else { break };
            let way = self.way(normal);
            if !(way.depth < best.depth) {
                break;
            }
            best = way;
        }
        best
    }

    /// Faces that see the corner are replaced by those from its horizon; `None`, and nothing is, if that makes no polytope.
    fn add_corner(&mut self, added: SupportPoint) -> Option<()> {
        let number = self.corners.len();
        self.corners.push(added);
        let next = self.seen_from(number);
        match next {
            Some(faces) => self.faces = faces,
            None => drop(self.corners.pop()),
        }
        (self.corners.len() > number).then_some(())
    }

    fn seen_from(&self, number: usize) -> Option<Vec<PolytopeFace>> {
        let added = self.corners[number].at;
        let sees = |face: &PolytopeFace| face.normal.dot(added) > face.height;
        let mut edges: Vec<[usize; 2]> = Vec::new();
        for face in self.faces.iter().filter(|face| sees(face)) {
            let [a, b, c] = face.at;
            edges.extend([[a, b], [b, c], [c, a]]);
        }
        let mut faces: Vec<PolytopeFace> = self.faces.iter().filter(|face| !sees(face)).copied().collect();
        for &[a, b] in &edges {
            if !edges.contains(&[b, a]) {
                faces.push(self.face([a, b, number])?);
            }
        }
        // As many as corners allow (Euler).
        (faces.len() <= 2 * self.corners.len()).then_some(faces)
    }

    /// The point of the nearest face that is nearest to the origin says which points are in contact, if that face is the way out.
    fn settle(&mut self, nearest: &PolytopeFace) {
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
                best.foot = SupportPoint { at: foot, core };
            }
        }
    }
}
