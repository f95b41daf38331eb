//! The depth of the origin in a convex set that is given by its support function. A polytope inside the set grows where
//! its surface is nearest to the origin: the expanding polytope algorithm (G. van den Bergen, "Proximity Queries and
//! Penetration Depth Computation on 3D Game Objects", 2001).

use super::gjk::{SupportPoint, separation};
use super::triangle_plane::triangle_plane;
use crate::collections::sort::SharedSort;
use crate::math::float::{larger, largest, unit};
use crate::math::perpendicular::plane_normal;
use alloc::vec::Vec;
use core::cell::Cell;
use glam::DVec3;

/// The minimum translation that moves the origin out of the set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MinimumTranslation {
    /// The outward unit normal. No point of the set is farther along the normal than `depth`.
    pub(crate) normal: DVec3,
    /// The distance of the origin from the plane perpendicular to the normal that bounds the set. It may be negative by rounding, or if the origin is not in
    /// the set.
    pub(crate) depth: f64,
    /// The approximate point on the surface, and the corresponding point of the second set.
    pub(crate) foot: SupportPoint,
}

/// The maximum number of corners of a polytope, which is more than the Minkowski difference of a box with a box or triangle has. Round sets may need more;
/// beyond the limit the best direction is refined locally.
const MOST_CORNERS: usize = 128;

/// The maximum number of corners of all polytopes of one question, and of each further polytope when these corners are used up.
const MOST_CORNERS_OF_ALL: usize = 24 * MOST_CORNERS;
const FEWEST_CORNERS: usize = 24;

/// The remaining work for all minimum translations of one question. When it is used up, the result for a round set
/// without a radius comes from a coarse polytope.
#[derive(Debug)]
pub(crate) struct SearchBudget {
    looks: Cell<usize>,
    corners: Cell<usize>,
}

impl SearchBudget {
    /// Returns the budget of one question: a quarter more search steps than one minimum translation may use, and
    /// corners for 24 of them.
    pub(crate) fn of_question() -> Self {
        Self { looks: Cell::new((MOST_LOOKS_OF_ALL + MOST_LOOKS) * 5 / 4), corners: Cell::new(MOST_CORNERS_OF_ALL) }
    }

    /// Uses one search step, if there is one left.
    fn take_look(&self) -> bool {
        let left = self.looks.get();
        self.looks.set(left.saturating_sub(1));
        left > 0
    }

    /// Returns the number of corners that the next polytope may have.
    fn most_corners(&self) -> usize {
        self.corners.get().clamp(FEWEST_CORNERS, MOST_CORNERS)
    }

    fn take_corners(&self, count: usize) {
        self.corners.set(self.corners.get().saturating_sub(count));
    }
}

/// Returns the minimum translation to within `resolution` of the least depth. Returns `None` if the set is a point,
/// for which there is no direction. Translations shorter than the first number of `matters`, or longer than the
/// second one, do not matter: any such translation may be returned.
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
        StartPolytope::Solid => {
            growth.grow(resolution);
            looks.take_corners(growth.corners.len());
        }
    }
    if !growth.is_enough() {
        growth.put_foot(resolution);
    }
    growth.best
}

/// Returns the minimum translation among some directions of any length and their opposites; the first of equal ones.
/// Zero directions are ignored, and the result is `None` if all are zero.
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

/// The maximum number of directions from which the search starts, and the cosine above which two directions count as the same start.
const MOST_STARTS: usize = 16;
const SAME_SIDE: f64 = 0.97;
/// The nearest point is searched from a place beyond the surface. These are the first and the last distance of that
/// place, relative to the size, and the accuracy of the search, relative to the distance.
const FARTHEST_LOOK: f64 = 1.0 / 16.0;
const NEAREST_LOOK: f64 = 1.0 / (1 << 20) as f64;
const LOOK_RESOLUTION: f64 = 1.0 / (1 << 16) as f64;
/// The maximum number of these searches from one start, and from all starts.
const MOST_LOOKS: usize = 64;
const MOST_LOOKS_OF_ALL: usize = 256;
/// The maximum number of times that a rotation of the direction is doubled.
const MOST_DOUBLINGS: usize = 10;

enum StartPolytope {
    /// All points are in one plane, or nearly.
    Flat(DVec3),
    Solid,
}

#[derive(Clone, Copy)]
struct PolytopeFace {
    at: [usize; 3],
    normal: DVec3,
    height: f64,
}

impl PolytopeFace {
    fn sees(&self, corner: DVec3) -> bool {
        self.normal.dot(corner) > self.height
    }
}

struct Polytope<'a> {
    farthest: &'a dyn Fn(DVec3) -> SupportPoint,
    corners: Vec<SupportPoint>,
    faces: Vec<PolytopeFace>,
    best: Option<MinimumTranslation>,
    /// The mean of the first four corners.
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

    /// Returns the translation out of the set along a unit direction. The support point gives its length.
    fn way(&self, normal: DVec3) -> MinimumTranslation {
        let foot = (self.farthest)(normal);
        MinimumTranslation { normal, depth: normal.dot(foot.at), foot }
    }

    /// Returns an upper bound of the coordinates of the corners.
    fn size(&self) -> f64 {
        self.corners.iter().map(|corner| largest(corner.at)).fold(0.0, larger)
    }

    /// Returns whether a known translation is short enough not to matter.
    fn is_enough(&self) -> bool {
        self.best.is_some_and(|best| best.depth < self.enough)
    }

    fn keep(&mut self, way: MinimumTranslation) {
        if self.best.is_none_or(|best| way.depth < best.depth) {
            self.best = Some(way);
        }
    }

    /// Returns the support point along a direction, and keeps the translation along it if it is the shortest so far.
    fn try_out(&mut self, normal: DVec3) -> SupportPoint {
        let way = self.way(normal);
        self.keep(way);
        way.foot
    }

    /// Finds four corners that are not coplanar, if there are any.
    fn start(&mut self, resolution: f64) -> StartPolytope {
        let far_apart = |growth: &mut Self, direction: DVec3| {
            let (high, low) = (growth.try_out(direction), growth.try_out(-direction));
            let apart = (high.at - low.at).dot(direction);
            (high, low, apart)
        };
        let widest = DVec3::AXES.map(|axis| far_apart(self, axis));
        let widest = widest.into_iter().reduce(|a, b| if b.2 > a.2 { b } else { a });
        let Some((a, b, _)) = widest.filter(|widest| widest.2 > resolution) else {
            return StartPolytope::Flat(DVec3::X);
        };
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
        let Some(normal) = plane_normal(b.at - a.at, c.at - a.at).filter(|_| beyond(c) > resolution) else {
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

    /// Makes a face; `None` if its corners are collinear or it faces inwards, as far as f64 can tell.
    fn face(&self, at: [usize; 3]) -> Option<PolytopeFace> {
        let corners = at.map(|corner| self.corners[corner].at);
        let normal = triangle_plane(corners).filter(|normal| normal.dot(corners[0] - self.middle) > 0.0)?;
        Some(PolytopeFace { at, normal, height: normal.dot(corners[0]) })
    }

    fn grow(&mut self, resolution: f64) {
        // The faces that f64 cannot divide further. A round set has them where corners of the polytope become close to each other.
        let mut closed: Vec<PolytopeFace> = Vec::new();
        let most_corners = self.looks.most_corners();
        while let Some(number) = self.nearest_face() {
            let nearest = self.faces[number];
            // The polytope is inside the set, so no translation out of the set is shorter than the shortest one out of
            // the polytope.
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
            if self.corners.len() >= most_corners {
                break;
            }
            if self.add_corner(added).is_none() {
                closed.push(self.faces.swap_remove(number));
            }
        }
        closed.append(&mut self.faces);
        self.search(closed, resolution);
    }

    /// Searches in front of each face that may have a shorter translation than the known one, in the order of their
    /// lower bounds. All of them are needed, because different sides of a set have their own minima.
    fn search(&mut self, mut faces: Vec<PolytopeFace>, resolution: f64) {
        faces.sort_shared_stable_by(|a, b| a.height.total_cmp(&b.height));
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

    /// Improves the point on the surface. On a flat side, the support point may be far from the end of
    /// the minimum translation. So the point on the surface is the point that is nearest to a place
    /// beyond that end.
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

    /// Starts at a place slightly beyond the surface along the minimum translation, and finds the point of the set that is nearest to it. The direction from
    /// this point to the place gives a new translation. The new translation is not longer than the first one: the distance of the place from the set is at
    /// least its distance beyond the plane of the first translation. The search continues with the new translation, and if it is not shorter, with nearer
    /// places. It does so even if the known minimum is shorter, because this start may still lead to the shortest translation. Where two sides join, this
    /// follows the edge between them, and near a round surface it finds the minimum for which a polytope would need very many corners.
    ///
    /// If the set extends about equally far along many directions, each search rotates the direction by a small part of
    /// the remaining angle. Continuing the rotation costs one support point each time, and a search costs some twenty.
    /// (Rotating the direction along other axes, by smaller and smaller steps, found nothing more.)
    fn look_back(&mut self, from: MinimumTranslation, left_of_all: &mut usize, resolution: f64) {
        let size = self.size();
        let nearest = size * NEAREST_LOOK;
        let (mut way, mut beyond) = (from, size * FARTHEST_LOOK);
        let mut left = MOST_LOOKS.min(*left_of_all);
        while beyond > nearest && left > 0 && self.looks.take_look() {
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

    /// Continues the rotation from one direction to the next, by twice the angle each time, as long as the
    /// translation becomes shorter.
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

    /// Adds a corner: replaces the faces that see it by faces between it and its horizon. Returns `None` and changes nothing if the result is not a polytope.
    fn add_corner(&mut self, added: SupportPoint) -> Option<()> {
        self.corners.push(added);
        let fresh = self.fresh_faces();
        match &fresh {
            Some(fresh) => {
                self.faces.retain(|face| !face.sees(added.at));
                self.faces.extend(fresh);
            }
            None => drop(self.corners.pop()),
        }
        fresh.map(drop)
    }

    /// Returns the faces between the last corner and the horizon that it sees.
    fn fresh_faces(&self) -> Option<Vec<PolytopeFace>> {
        let number = self.corners.len() - 1;
        let seen = self.faces.iter().filter(|face| face.sees(self.corners[number].at));
        let mut edges: Vec<[usize; 2]> = Vec::new();
        for [a, b, c] in seen.map(|face| face.at) {
            edges.extend([[a, b], [b, c], [c, a]]);
        }
        let horizon = edges.iter().filter(|[a, b]| !edges.contains(&[*b, *a]));
        let fresh = horizon.map(|&[a, b]| self.face([a, b, number])).collect::<Option<Vec<PolytopeFace>>>()?;
        // Euler's formula limits the number of faces for these corners.
        let count = self.faces.len() - edges.len() / 3 + fresh.len();
        (count <= 2 * self.corners.len()).then_some(fresh)
    }

    /// If the nearest face gives the minimum translation, its point nearest to the origin gives the points in contact.
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
            // A flat side of the set may consist of several faces of the polytope, and the point may be in another face. Beyond the edges of this face,
            // interpolated points belong to neither shape.
            let is_in_face = s >= 0.0 && t >= 0.0 && s + t <= 1.0;
            if is_in_face && core.is_finite() {
                best.foot = SupportPoint { at: foot, core };
            }
        }
    }
}
