//! The contact manifold of a volume and an obstacle: the corners of the intersection of their faces.
//!
//! The face that is less inclined to the separation is the reference. The other face is clipped by the planes that contain a side of the reference and are
//! parallel to the separation. The depth of each corner in the obstacle is measured along the separation too, so that no corner is deeper than the separation
//! is long.

use super::contact_face::ContactFace;
use super::convex_core::{ConvexCore, ConvexPart};
use super::dispatch::Touching;
use super::penetration::Depth;
use super::placed_shape::PlacedShape;
use crate::collections::sort::SharedSort;
use crate::convex::RESOLUTION;
use crate::hull::ConvexHull;
use crate::math::clip::clip;
use crate::math::float::{larger, largest, smaller, sqrt, unit};
use alloc::vec::Vec;
use glam::DVec3;

/// A point of the manifold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ManifoldPoint {
    /// The depth, which is at least 0 and at most the length of the separation.
    pub(crate) depth: f64,
    /// The point on the obstacle. The point on the volume is this much deeper, against the normal.
    pub(crate) point: DVec3,
}

/// The maximum number of points.
const MOST_POINTS: usize = 4;
/// The cosine between the normal of the steepest usable face and the separation. The error of depths is the error of the faces divided by this cosine.
const LEAST_SLOPE: f64 = 1.0 / 1024.0;
/// The distance, relative to the volume's size, below which two points count as one. The relative accuracy of positions is the square root of the relative
/// accuracy of distances.
const ONE_PLACE: f64 = 1.0 / (1 << 20) as f64;

/// Returns the contact manifold of a volume around the origin and a part that it touches. If `touching` has a triangle of the part, this triangle replaces the
/// part. It has one to four points, the deepest first. `hull` is the hull whose corners the volume has, if there is one.
pub(crate) fn manifold(
    form: &PlacedShape<'_>,
    (volume, hull): (&ConvexPart<'_>, Option<&ConvexHull>),
    touching: &Touching,
    way: &Depth,
) -> Vec<ManifoldPoint> {
    let deepest = ManifoldPoint { depth: way.depth, point: way.point };
    let triangle = touching
        .triangle
        .map(|(_, corners, _)| PlacedShape::Convex(ConvexPart::new(ConvexCore::Triangle(corners), 0.0)));
    let form = triangle.as_ref().unwrap_or(form);
    let error = RESOLUTION * (form.reach() + volume.reach());
    let own = ContactFace::of_form(form, way.normal, error);
    let other = ContactFace::of_piece(volume, hull, -way.normal, error);
    let most = if matches!(own, ContactFace::Segment(_)) || matches!(other, ContactFace::Segment(_)) {
        2
    } else {
        MOST_POINTS
    };
    let mut common = ManifoldBuilder { normal: way.normal, error, found: Vec::new() };
    common.add(&own, &other);
    let mut found = common.found;
    let is_whole = found.iter().any(|rest| rest.depth >= way.depth - error);
    if !is_whole {
        // The deepest place may be on neither face: for a tilted capsule, it is on the round end. The deepest place then replaces the end of the line there.
        let of_volume = |rest: &ManifoldPoint| rest.point - way.normal * rest.depth;
        let ends = [own.end_passed_by(deepest.point), other.end_passed_by(of_volume(&deepest))];
        let is_at = |place: DVec3, end: Option<DVec3>| end.is_some_and(|end| largest(place - end) <= error);
        found.retain(|rest| !is_at(rest.point, ends[0]) && !is_at(of_volume(rest), ends[1]));
        found.push(deepest);
    }
    let kept = spread(distinct(found, ONE_PLACE * volume.reach() + error), most, way.normal);
    kept.into_iter().enumerate().map(|(number, rest)| limited(rest, way.depth, number == 0)).collect()
}

/// Returns the points that are farther than a distance from all deeper ones. The deepest comes first, and equally deep ones keep their order.
fn distinct(mut all: Vec<ManifoldPoint>, apart: f64) -> Vec<ManifoldPoint> {
    all.sort_shared_stable_by(|a, b| b.depth.total_cmp(&a.depth));
    let mut kept: Vec<ManifoldPoint> = Vec::with_capacity(all.len());
    for rest in all {
        if kept.iter().all(|of| largest(of.point - rest.point) > apart) {
            kept.push(rest);
        }
    }
    kept
}

/// Limits the depth of a point: the deepest point gets the length of the separation as its depth, and no other point is deeper.
fn limited(rest: ManifoldPoint, depth: f64, is_deepest: bool) -> ManifoldPoint {
    let limited = if is_deepest { depth } else { smaller(larger(rest.depth, 0.0), depth) };
    ManifoldPoint { depth: limited, ..rest }
}

/// A collector of the points that two faces contribute.
struct ManifoldBuilder {
    /// The normal from the obstacle to the volume.
    normal: DVec3,
    error: f64,
    found: Vec<ManifoldPoint>,
}

impl ManifoldBuilder {
    fn add(&mut self, own: &ContactFace, other: &ContactFace) {
        let slopes = [own.slope(self.normal), other.slope(-self.normal)];
        match (own, other) {
            (ContactFace::Plane(at, normal), ContactFace::Segment(_) | ContactFace::Polygon(..)) => {
                corners_of(other).into_iter().for_each(|corner| self.rest_on(corner, *at, *normal));
            }
            (ContactFace::Disc(center, axes, normal), ContactFace::Segment(_) | ContactFace::Polygon(..))
                if slopes[0] >= LEAST_SLOPE =>
            {
                for corner in self.within_disc((*center, *axes), &corners_of(other)) {
                    self.rest_on(corner, *center, *normal);
                }
                if let ContactFace::Polygon(corners, below) = other
                    && slopes[1] >= LEAST_SLOPE
                {
                    self.rim((*center, *axes), corners, *below);
                }
            }
            (ContactFace::Polygon(corners, normal), ContactFace::Segment(_) | ContactFace::Polygon(..))
                if slopes[0] >= LEAST_SLOPE && slopes[0] >= slopes[1] =>
            {
                for corner in self.within(&corners_of(other), corners) {
                    self.rest_on(corner, corners[0], *normal);
                }
            }
            (ContactFace::Segment(_) | ContactFace::Polygon(..), ContactFace::Polygon(corners, normal))
                if slopes[1] >= LEAST_SLOPE =>
            {
                for corner in self.within(&corners_of(own), corners) {
                    self.rest_below(corner, corners[0], *normal);
                }
            }
            _ => {}
        }
    }

    /// Adds a corner of the volume above the obstacle's plane.
    fn rest_on(&mut self, corner: DVec3, at: DVec3, normal: DVec3) {
        let depth = normal.dot(at - corner) / normal.dot(self.normal);
        self.keep(ManifoldPoint { depth, point: corner + self.normal * depth });
    }

    /// Adds a corner of the obstacle below the volume's plane.
    fn rest_below(&mut self, corner: DVec3, at: DVec3, normal: DVec3) {
        let depth = normal.dot(corner - at) / -normal.dot(self.normal);
        self.keep(ManifoldPoint { depth: -depth, point: corner });
    }

    /// Keeps a point unless the volume and the obstacle are apart there. Corners that are on sides of both faces are found more than once.
    fn keep(&mut self, rest: ManifoldPoint) {
        if rest.depth >= -self.error {
            self.found.push(rest);
        }
    }

    /// Returns the part of a polygon or segment that is, as seen along the normal, inside another polygon or outside it by no more than rounding.
    fn within(&self, corners: &[DVec3], of: &[DVec3]) -> Vec<DVec3> {
        let middle = of.iter().sum::<DVec3>() / of.len() as f64;
        let (mut part, mut kept) = (Vec::from(corners), Vec::new());
        for (number, &from) in of.iter().enumerate() {
            let to = of[(number + 1) % of.len()];
            let Some(side) = unit((to - from).cross(self.normal)) else { continue };
            let outwards = if side.dot(middle - from) > 0.0 { -side } else { side };
            clip(&part, |p| outwards.dot(p - from) - self.error, &mut kept);
            core::mem::swap(&mut part, &mut kept);
        }
        part
    }

    /// Returns the coordinates of a place, projected along the normal, in terms of the two vectors of a disc.
    fn on_disc(&self, (center, [u, v]): (DVec3, [DVec3; 2]), place: DVec3) -> [f64; 2] {
        let (along_u, along_v) = (v.cross(self.normal), self.normal.cross(u));
        let off = place - center;
        [off.dot(along_u) / u.dot(along_u), off.dot(along_v) / v.dot(along_v)]
    }

    /// Returns the corners within a disc, and the points where the sides cross the rim.
    fn within_disc(&self, disc: (DVec3, [DVec3; 2]), corners: &[DVec3]) -> Vec<DVec3> {
        let mut found = Vec::new();
        for (number, &from) in corners.iter().enumerate() {
            let to = corners[(number + 1) % corners.len()];
            let ([x, y], [p, q]) = (self.on_disc(disc, from), self.on_disc(disc, to));
            if x * x + y * y <= 1.0 {
                found.push(from);
            }
            // These are the coefficients of a s^2 + 2 b s + c = 0, which is |(x, y) + (p - x, q - y) s|^2 = 1.
            let (a, b, c) = ((p - x) * (p - x) + (q - y) * (q - y), x * (p - x) + y * (q - y), x * x + y * y - 1.0);
            let root = b * b - a * c;
            if a > 0.0 && root > 0.0 {
                let ways = [(-b - sqrt(root)) / a, (-b + sqrt(root)) / a];
                found.extend(ways.into_iter().filter(|s| (0.0..=1.0).contains(s)).map(|s| from + (to - from) * s));
            }
        }
        found
    }

    /// Adds each of four points of a disc's rim that is above a polygon.
    fn rim(&mut self, (center, [u, v]): (DVec3, [DVec3; 2]), corners: &[DVec3], normal: DVec3) {
        for place in [center + u, center + v, center - u, center - v] {
            if !self.within(&[place], corners).is_empty() {
                self.rest_below(place, corners[0], normal);
            }
        }
    }
}

fn corners_of(face: &ContactFace) -> Vec<DVec3> {
    match face {
        ContactFace::Segment(ends) => Vec::from(*ends),
        ContactFace::Polygon(corners, _) => corners.clone(),
        ContactFace::Point | ContactFace::Disc(..) | ContactFace::Plane(..) => Vec::new(),
    }
}

/// Returns the first point, and those other points with which it spans the largest area as seen along a normal, or the largest length if `most` is 2. The first
/// of several equal choices wins.
fn spread(all: Vec<ManifoldPoint>, most: usize, normal: DVec3) -> Vec<ManifoldPoint> {
    let Some((&deepest, others)) = all.split_first() else { return all };
    let off = |rest: &ManifoldPoint| {
        let off = rest.point - deepest.point;
        off - normal * off.dot(normal)
    };
    let most_of = |measure: &dyn Fn(&ManifoldPoint) -> f64| {
        let places = others.iter().map(|rest| (measure(rest), *rest)).filter(|of| of.0 > 0.0);
        places.reduce(|a, b| if b.0 > a.0 { b } else { a })
    };
    if most == 2 || others.len() < 2 {
        let far = most_of(&|rest| off(rest).length_squared());
        return [deepest].into_iter().chain(far.map(|(_, rest)| rest)).collect();
    }
    // For each diagonal from the deepest point, the candidates are the point on each side that is farthest from the diagonal. Its own end is excluded, since
    // rounding may put it on one side.
    let mut best = (f64::NEG_INFINITY, Vec::new());
    for across in others {
        let beside = normal.cross(off(across));
        let area = |rest: &ManifoldPoint| if rest.point == across.point { 0.0 } else { beside.dot(off(rest)) };
        let sides = [most_of(&area), most_of(&|rest| -area(rest))];
        let area: f64 = sides.iter().flatten().map(|(area, _)| area).sum();
        if area > best.0 {
            let [left, right] = sides.map(|side| side.map(|(_, rest)| rest));
            best = (area, [Some(deepest), left, Some(*across), right].into_iter().flatten().collect());
        }
    }
    best.1
}
