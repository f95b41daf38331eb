//! The penetration depth of a volume in an obstacle, or of one part in another, and the separation.

use super::convex_core::{ConvexCore, ConvexPart};
use super::dispatch::{NearestPair, Touching, as_a_point, contact, contact_of_triangles, deepest, nearest, touching};
use super::distance::Distance;
use super::mesh_pairs::{PairsWanted, near_pairs};
use super::minkowski_faces::directions;
use super::placed_mesh::PlacedMesh;
use super::placed_shape::PlacedShape;
use super::point_query::round_foot;
use super::separation_bounds::{
    SeparationBounds, SupportExtents, are_apart_across_edges, highest, normal_of, separate_boxes, separate_triangles,
    triangle_depth,
};
use super::torus_arcs::{self, PlacedTorus};
use crate::collections::sort::SharedSort;
use crate::convex::{
    MinimumTranslation, RESOLUTION, SearchBudget, Separation, SupportPoint, minimum_translation,
    minimum_translation_along, point_triangle, separation,
};
use crate::math::float::{larger, largest, sqrt, unit};
use alloc::vec::Vec;
use core::ops::ControlFlow;
use glam::DVec3;

/// The penetration depth of a volume in a convex shape, and the separation: the shortest motion of the volume out of the shape.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Depth {
    /// The depth, at least 0: after moving by this distance along the normal, the volume only touches the shape.
    pub(crate) depth: f64,
    /// The unit normal.
    pub(crate) normal: DVec3,
    /// The point on the shape where the volume is deepest.
    pub(crate) point: DVec3,
}

impl Depth {
    /// Returns the motion that takes the volume out.
    pub(crate) fn separation(&self) -> DVec3 {
        self.normal * self.depth
    }

    /// Returns the points on the shape and on the volume.
    pub(crate) fn points(&self) -> [DVec3; 2] {
        [self.point, self.point - self.separation()]
    }

    /// Converts the point, which is relative to an origin, to the world.
    pub(crate) fn in_world(self, origin: DVec3) -> Self {
        Self { point: origin + self.point, ..self }
    }
}

/// A limit that is less than every depth, so that all of them matter.
pub(crate) const ANY: f64 = f64::NEG_INFINITY;

/// Returns the depth of a volume around the origin in a part that it touches, or in the touched triangle of the part.
///
/// A search for the separation of a round volume evaluates many support points, so all of these searches share the
/// budget of the question.
pub(crate) fn depth(
    form: &PlacedShape<'_>,
    volume: &ConvexPart<'_>,
    touching: &Touching,
    shared: &SearchBudget,
) -> Depth {
    let own = SearchBudget::of_question();
    let looks = if matches!(volume.core, ConvexCore::Round { .. }) { shared } else { &own };
    if let Some((_, corners, _)) = touching.triangle {
        return of_pieces(&ConvexPart::new(ConvexCore::Triangle(corners), 0.0), volume, &touching.gap, ANY, looks);
    }
    match form {
        PlacedShape::Convex(piece) => of_pieces(piece, volume, &touching.gap, ANY, looks),
        PlacedShape::Torus(ring) => of_torus(ring, volume, &touching.gap, ANY, looks),
        PlacedShape::Plane(_) | PlacedShape::Surface(_) => of_gap(&touching.gap, 0.0),
    }
}

/// Returns the separation away from the nearest arc of a torus, unless that leads into another arc, as it may in the hole. In that case, and also if the circle
/// in the middle of the torus's tube intersects the volume, it returns the separation from the torus's hull or along the axis. This separation is valid, but
/// while the volume is in the torus it is not the shortest.
fn of_torus(
    ring: &PlacedTorus<'_>,
    volume: &ConvexPart<'_>,
    gap: &Distance,
    least: f64,
    looks: &SearchBudget,
) -> Depth {
    let hull = ring.hull();
    let out_of_hull = || {
        let out = out_of(&hull, volume, gap, least, looks);
        if out.depth < least {
            return out;
        }
        // Separations from the hull that are equally long may be of different lengths after they are shortened. Separations along the axis are tried too,
        // because the axis leads through the hole.
        let along = unit(ring.to_world.matrix3.z_axis.cross(ring.to_world.matrix3.x_axis));
        let ways = along.into_iter().flat_map(|axis| [axis, -axis]).map(|axis| out_along(&hull, volume, axis));
        let back = [out].into_iter().chain(ways).map(|way| back_to_torus(ring, volume, way));
        back.reduce(|a, b| if b.depth < a.depth { b } else { a }).unwrap_or(out)
    };
    if !are_cores_apart(&hull, volume, gap) {
        return out_of_hull();
    }
    let way = of_gap(gap, hull.radius);
    if way.depth < least {
        let out = out_of_hull();
        if out.depth < least {
            return out;
        }
    }
    if leads_out(ring, volume, &way) { way } else { out_of_hull() }
}

/// Returns the separation of a volume from a convex part along a unit direction.
fn out_along(piece: &ConvexPart<'_>, volume: &ConvexPart<'_>, direction: DVec3) -> Depth {
    let farthest = piece.core.farthest(direction);
    let overlap = direction.dot(farthest - volume.core.farthest(-direction));
    let depth = larger(overlap + piece.radius + volume.radius, 0.0);
    Depth { depth, normal: direction, point: farthest + direction * piece.radius }
}

/// Returns the distance up to which a volume counts as touching a torus.
fn torus_slack(ring: &PlacedTorus<'_>, volume: &ConvexPart<'_>) -> f64 {
    torus_arcs::SAGITTA_RESOLUTION * (ring.hull().reach() + volume.reach())
}

/// Returns a torus relative to a volume that has moved along a separation.
fn left_behind<'a>(ring: &PlacedTorus<'a>, way: &Depth) -> PlacedShape<'a> {
    let mut moved = *ring;
    moved.to_world.translation -= way.separation();
    PlacedShape::Torus(moved)
}

/// Returns whether a volume that has moved along a separation is out of a torus, within the accuracy of the search.
fn leads_out(ring: &PlacedTorus<'_>, volume: &ConvexPart<'_>, way: &Depth) -> bool {
    let slack = torus_slack(ring, volume);
    if ring.hull().radius + volume.radius <= slack {
        // The clearance of a shape without a radius cannot be below 0.
        return true;
    }
    let left = deepest(&left_behind(ring, way), &PlacedShape::Convex(*volume), 0.0);
    left.is_none_or(|left| left.gap.clearance >= -slack)
}

/// The maximum number of positions that are tried as a volume moves back to a torus.
const MOST_RETURNS: usize = 32;
/// A step divides the gap by the cosine between the gap and the separation, or by this if the cosine is smaller.
const LEAST_APPROACH: f64 = 1.0 / 1024.0;

/// Shortens the separation from a torus's hull, which may lead far past the torus, to the place where the volume
/// touches the torus as it moves back, so that the point is on both. The secant method takes a few steps. Each moves the volume back by the length of the last
/// gap, measured along the separation, or halfway to a position where the two overlap.
fn back_to_torus(ring: &PlacedTorus<'_>, volume: &ConvexPart<'_>, way: Depth) -> Depth {
    let (slack, piece) = (torus_slack(ring, volume), PlacedShape::Convex(*volume));
    let (mut inside, mut out, mut found) = (0.0, way.depth, way);
    let mut depth = way.depth;
    for _ in 0..MOST_RETURNS {
        let tried = Depth { depth, ..way };
        let Some(NearestPair { gap, .. }) = nearest(&left_behind(ring, &tried), &piece, f64::INFINITY) else { break };
        // The separation certainly leads out, so the volume only touches the torus at its end, if at all.
        if gap.is_contact() && depth < way.depth {
            inside = depth;
            depth = 0.5 * (inside + out);
            continue;
        }
        (out, found) = (depth, Depth { point: gap.points[0] + tried.separation(), ..tried });
        if gap.clearance <= slack {
            break;
        }
        let back = out - gap.clearance / larger(gap.normal.dot(way.normal), LEAST_APPROACH);
        depth = if back > inside { back } else { 0.5 * (inside + out) };
    }
    found
}

/// Returns the depth of two shapes that may overlap, but whose cores are apart.
pub(super) fn of_gap(gap: &Distance, radius: f64) -> Depth {
    Depth { depth: larger(-gap.clearance, 0.0), normal: gap.normal, point: gap.cores[0] + gap.normal * radius }
}

/// Returns whether the cores are apart. The direction between points whose distance is within rounding is meaningless.
fn are_cores_apart(piece: &ConvexPart<'_>, volume: &ConvexPart<'_>, gap: &Distance) -> bool {
    gap.normal != DVec3::ZERO && gap.clearance + piece.radius + volume.radius > gap.error
}

fn of_pieces(
    piece: &ConvexPart<'_>,
    volume: &ConvexPart<'_>,
    gap: &Distance,
    least: f64,
    looks: &SearchBudget,
) -> Depth {
    if are_cores_apart(piece, volume, gap) {
        return of_gap(gap, piece.radius);
    }
    of_ball(piece, volume).unwrap_or_else(|| out_of(piece, volume, gap, least, looks))
}

/// Returns the separation of a ball from a round solid that contains its centre, in closed form.
fn of_ball(piece: &ConvexPart<'_>, volume: &ConvexPart<'_>) -> Option<Depth> {
    let (ConvexCore::Round { shape, to_world }, ConvexCore::Point(DVec3::ZERO)) = (piece.core, volume.core) else {
        return None;
    };
    let foot = round_foot(shape, &to_world)?;
    let depth = sqrt(foot.point.length_squared());
    let normal = unit(foot.point).filter(|_| foot.is_inside)?;
    Some(Depth { depth: depth + volume.radius, normal, point: foot.point })
}

/// Returns the separation from a convex shape, for any overlap. If the shortest one is shorter than `least`, any shorter separation may be returned.
fn out_of(piece: &ConvexPart<'_>, volume: &ConvexPart<'_>, gap: &Distance, least: f64, looks: &SearchBudget) -> Depth {
    let resolution = RESOLUTION * (piece.reach() + volume.reach());
    let farthest = |direction: DVec3| {
        let core = piece.core.farthest(direction);
        SupportPoint { at: core - volume.core.farthest(-direction), core }
    };
    let radius = piece.radius + volume.radius;
    let sum = MinkowskiSum { farthest: &farthest, radius, of_piece: piece.radius, resolution };
    // A triangle's normal is preferred even if the separation along it is longer by the resolution. The depth along the normal must be below `least` then too.
    let enough = least - radius - 2.0 * resolution;
    let along =
        directions(&piece.core, &volume.core).and_then(|ways| minimum_translation_along(ways, &farthest, resolution));
    let found = along.or_else(|| minimum_translation(&farthest, resolution, [enough, f64::INFINITY], looks));
    let depth = found.map_or(0.0, |way| larger(way.depth, 0.0));
    if let ConvexCore::Triangle(corners) = piece.core
        && let Some(out) = sum.out_of_plane(corners, volume, depth)
    {
        return out;
    }
    match found {
        Some(way) if way.depth >= enough && sum.is_off(&way) => sum.shortened(&way),
        // Any direction leads a point out of a point.
        found => {
            let (normal, point) = found.map_or((DVec3::Y, gap.cores[0]), |way| (way.normal, way.foot.core));
            Depth { depth: depth + radius, normal, point: point + normal * piece.radius }
        }
    }
}

/// The positions of a volume at which it overlaps a convex piece, relative to its present position.
struct MinkowskiSum<'a> {
    /// The support function of the places at which the cores overlap.
    farthest: &'a dyn Fn(DVec3) -> SupportPoint,
    /// The sum of both radii, and the radius of the piece.
    radius: f64,
    of_piece: f64,
    resolution: f64,
}

/// A separation is shortened if its end is farther than this, relative to the sizes, from the place where the two shapes touch.
const OFF: f64 = 1.0 / (1 << 18) as f64;
/// The maximum number of planes to which a volume is moved while a separation is shortened.
const MOST_PLANES: usize = 16;
/// The nearest point of the set is searched from a place at this distance, relative to the sizes, beyond the end of a separation.
const BEYOND: f64 = 1.0 / 16.0;

impl MinkowskiSum<'_> {
    fn from(&self, place: DVec3, direction: DVec3) -> Separation {
        let seen = |direction: DVec3| {
            let corner = (self.farthest)(direction);
            SupportPoint { at: corner.at - place, ..corner }
        };
        separation(seen, direction, self.resolution * 0.25)
    }

    /// Returns the separation across the plane of a triangle, if that is the shortest, given the depth of the cores. If
    /// both sides are equally near, it is the separation to the side of the volume's centre.
    fn out_of_plane(&self, corners: [DVec3; 3], volume: &ConvexPart<'_>, depth: f64) -> Option<Depth> {
        let [a, b, c] = corners;
        let across = unit((b - a).cross(c - a))?;
        let side = if across.dot(a - volume.middle()) > 0.0 { -across } else { across };
        let at = (self.farthest)(side).at;
        let behind = side.dot(at);
        if behind > depth + self.resolution {
            return None;
        }
        // If an edge of the volume is parallel to the plane, the point below the volume's deepest point may be beside the triangle.
        let below = volume_foot(volume, side, a);
        let is_on = largest(point_triangle(DVec3::ZERO, corners.map(|corner| corner - below)).point) <= self.resolution;
        let point = if is_on { below } else { self.from(side * (behind + largest(at) * BEYOND), side).nearest.core };
        Some(Depth { depth: larger(behind, 0.0) + self.radius, normal: side, point: point + side * self.of_piece })
    }

    /// Returns whether a separation ends away from the place where the two touch, as it may if its search ended early.
    fn is_off(&self, way: &MinimumTranslation) -> bool {
        largest(way.foot.at - way.normal * way.depth) > OFF * largest(way.foot.at)
    }

    /// Shortens a separation to the place where the volume first touches the piece as it moves back. The volume is moved back to planes that separate the two,
    /// and passes none of them. The separation need not be perpendicular to these planes.
    fn shortened(&self, way: &MinimumTranslation) -> Depth {
        let (normal, point) = (way.normal, way.foot.core + way.normal * self.of_piece);
        let mut out = Depth { depth: larger(way.depth, 0.0) + self.radius, normal, point };
        for _ in 0..MOST_PLANES {
            let found = self.from(normal * out.depth, normal);
            let across = found.normal.unwrap_or(normal);
            out.point = found.nearest.core + across * self.of_piece;
            let approach = across.dot(normal);
            let apart = sqrt(found.nearest.at.length_squared()) - self.radius;
            if found.normal.is_none() || apart <= self.resolution || !(approach > 0.0) {
                break;
            }
            // At its present position, where the depth is 0, the volume is in the piece or touches it. So a plane that
            // it reaches only beyond that position is due to rounding.
            let shorter = larger(out.depth - (found.least - self.radius) / approach, 0.0);
            if !(shorter < out.depth) {
                break;
            }
            out.depth = shorter;
        }
        out
    }
}

/// Returns the point below the volume's deepest point, in the plane through a place.
fn volume_foot(volume: &ConvexPart<'_>, normal: DVec3, on_it: DVec3) -> DVec3 {
    let deepest = volume.core.farthest(-normal);
    deepest + normal * normal.dot(on_it - deepest)
}

/// The penetration of two parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PartPenetration {
    /// The depth of the second part in the first.
    pub(crate) of: Depth,
    /// The triangles of each, if it is made of them.
    pub(crate) triangles: [Option<u32>; 2],
}

impl PartPenetration {
    pub(super) fn swapped(self) -> Self {
        let ([_, point], [a, b]) = (self.of.points(), self.triangles);
        Self { of: Depth { normal: -self.of.normal, point, ..self.of }, triangles: [b, a] }
    }

    /// Returns the deeper of two penetrations; at equal depths, the one with the lower triangle numbers.
    fn deeper(self, other: Self) -> Self {
        let is_deeper =
            other.of.depth > self.of.depth || (other.of.depth == self.of.depth && other.triangles < self.triangles);
        if is_deeper { other } else { self }
    }
}

/// Returns the deepest pair of convex shapes, each a triangle or a whole part without triangles, in two parts that are
/// relative to the same origin. Returns `None` if no pair [touches](contact), and for two intersecting planes, which no direction separates. Depths below
/// `least` do not matter: any of them may be returned. All searches share the budget of the question.
pub(crate) fn between(
    a: &PlacedShape<'_>,
    b: &PlacedShape<'_>,
    least: f64,
    looks: &SearchBudget,
) -> Option<PartPenetration> {
    if is_turned(a, b) {
        return between(b, a, least, looks).map(PartPenetration::swapped);
    }
    // If neither is a torus, any contact will do, and one search shows whether there is any.
    let touch = touching(a, b)?;
    let is_torus = matches!(a, PlacedShape::Torus(_)) || matches!(b, PlacedShape::Torus(_));
    let first = if is_torus { contact(a, b).unwrap_or(touch) } else { touch };
    match (a, b) {
        (PlacedShape::Plane(_), _) => {
            let NearestPair { gap, triangles } = nearest(a, b, first.gap.error)?;
            (gap.normal != DVec3::ZERO).then(|| PartPenetration { of: of_gap(&gap, 0.0), triangles })
        }
        // Within the rounding of f64, the hull of an arc may touch a surface although each triangle by itself is too far away.
        (PlacedShape::Surface(placed), _) => of_surface(placed, b, least, looks).or_else(|| Some(of_touch(&first))),
        _ => Some(PartPenetration { of: of_solids(a, b, &first.gap, least, looks), triangles: [None; 2] }),
    }
}

/// Returns whether two parts are measured in the other order: planes come first, then surfaces.
pub(super) fn is_turned(a: &PlacedShape<'_>, b: &PlacedShape<'_>) -> bool {
    match b {
        PlacedShape::Plane(_) => !matches!(a, PlacedShape::Plane(_)),
        PlacedShape::Surface(_) => matches!(a, PlacedShape::Convex(_) | PlacedShape::Torus(_)),
        PlacedShape::Convex(_) | PlacedShape::Torus(_) => false,
    }
}

/// Returns the deepest contact of a surface's triangles with a part that is not a plane. Triangles that are certainly less deep than a known one are skipped.
fn of_surface(
    placed: &PlacedMesh<'_>,
    other: &PlacedShape<'_>,
    least: f64,
    looks: &SearchBudget,
) -> Option<PartPenetration> {
    let found = |a: &PlacedShape<'_>,
                 b: &PlacedShape<'_>,
                 triangles: [Option<u32>; 2],
                 deepest: Option<PartPenetration>,
                 looks: &SearchBudget| {
        let least = deepest.map_or(least, |deepest| larger(deepest.of.depth, least));
        contact(a, b).map(|touch| PartPenetration { of: of_solids(a, b, &touch.gap, least, looks), triangles })
    };
    let triangle = |corners: [DVec3; 3]| PlacedShape::Convex(ConvexPart::new(ConvexCore::Triangle(corners), 0.0));
    let size = placed.size + other.reach();
    let error = RESOLUTION * size;
    let mut known = DeepestPair { deepest: None, slack: SEARCHED * size, ways: Vec::new() };
    if let PlacedShape::Surface(_) = other {
        // The separation that is found for two triangles is the shortest up to rounding.
        known.slack = 8.0 * error;
    }
    if let PlacedShape::Surface(theirs) = other {
        let _ = near_pairs([placed, theirs], PairsWanted::All, error, &mut |(ours, p), (theirs, q)| {
            let triangles = [Some(ours), Some(theirs)];
            let piece = ConvexPart::new(ConvexCore::Triangle(q), 0.0);
            let far = contact_of_triangles(&p, &q);
            let along = |way: DVec3, reach: f64| highest(&p, way) + highest(&q, -way) + reach;
            if separate_boxes(&p, &q) <= far
                && separate_triangles(&p, &q, DVec3::ZERO) <= far
                && !are_apart_across_edges(&p, &q, far)
                && !known.is_less_deep(triangles, far, along)
                && known.may_be_deeper(triangles, || out_of_plane(&p, &piece), || triangle_depth(&p, &q))
            {
                // A pair of triangles needs few evaluations. The budget is not shared, because the order of the pairs depends on the trees.
                let looks = SearchBudget::of_question();
                let found = found(&triangle(p), &PlacedShape::Convex(piece), triangles, known.deepest, &looks);
                found.iter().for_each(|found| known.add_way(found.of.normal, |_| 0.0));
                known.keep(found);
            }
            ControlFlow::Continue(error)
        });
    } else {
        let (hull, is_convex) = (other.hull()?, other.convex().is_some());
        let against = |way: DVec3| hull.radius - way.dot(hull.core.farthest(-way));
        let mut points = MOST_POINTS;
        for (least, number, corners) in by_depth(placed, &hull, error) {
            let is_stretched = matches!(other, PlacedShape::Torus(ring) if ring.similar.is_none());
            if is_stretched && as_a_point(&triangle(corners), hull.reach()).is_some() {
                if points == 0 {
                    continue;
                }
                points -= 1;
            }
            let plane = || if is_convex { out_of_plane(&corners, &hull) } else { f64::INFINITY };
            let along = |way: DVec3, reach: f64| highest(&corners, way) + reach;
            let error = RESOLUTION * (ConvexPart::new(ConvexCore::Triangle(corners), 0.0).size + other.reach());
            let triangles = [Some(number), None];
            if known.may_be_deeper(triangles, plane, || least) && !known.is_less_deep(triangles, error, along) {
                let found = found(&triangle(corners), other, triangles, known.deepest, looks);
                found.iter().for_each(|found| known.add_way(found.of.normal, against));
                known.keep(found);
            }
        }
    }
    known.deepest
}

/// The maximum number of triangles that are measured against a stretched torus, if the torus is so large that they are points relative to it. Each takes a
/// search, and all are about equally deep.
const MOST_POINTS: usize = 4;

/// Returns the triangles of a surface that may touch something inside a hull, each with an upper bound of its depth. They are
/// ordered from the deepest to the least deep, and by number at equal depths.
pub(super) fn by_depth(placed: &PlacedMesh<'_>, hull: &ConvexPart<'_>, error: f64) -> Vec<(f64, u32, [DVec3; 3])> {
    let (apart, reaches) = (SeparationBounds::of_piece(hull), SupportExtents::of_piece(hull));
    let mut found = Vec::new();
    let _ = placed.near(hull, error, &mut |number, corners| {
        if !apart.is_farther(&corners, 2.0 * error) {
            found.push((SupportExtents::of_triangle(&corners).depth(&reaches), number, corners));
        }
        ControlFlow::Continue(error)
    });
    found.sort_shared_stable_by(|(a, first, _), (b, second, _)| b.total_cmp(a).then(first.cmp(second)));
    // A triangle may be in several leaves of its tree.
    found.dedup_by_key(|(_, number, _)| *number);
    found
}

/// The deepest pair so far.
struct DeepestPair {
    deepest: Option<PartPenetration>,
    /// The amount by which a searched separation may be longer than the shortest.
    slack: f64,
    /// The directions of the separations that were found, each with the extent of the other part against it; for two surfaces, this extent is 0.
    ways: Vec<(DVec3, f64)>,
}

/// The maximum number of directions that are tried for each triangle.
const MOST_WAYS: usize = 16;

/// A searched separation of round shapes is expected to be longer than the shortest one by at most this relative amount. A larger amount only costs work: an
/// answer is within its bound whatever the amount is (docs/robustness/penetration.md, "Bounds that leave out").
const SEARCHED: f64 = 1.0 / (1 << 14) as f64;

impl DeepestPair {
    /// Returns whether a triangle is less deep along some known direction, or equally deep with a higher number. Most triangles are less deep along the
    /// direction of the deepest one.
    fn is_less_deep(&self, triangles: [Option<u32>; 2], error: f64, along: impl Fn(DVec3, f64) -> f64) -> bool {
        let Some(PartPenetration { of, triangles: found }) = &self.deepest else { return false };
        let slack = if triangles > *found { error } else { -error };
        self.ways.iter().any(|&(way, reach)| along(way, reach) <= of.depth + slack)
    }

    fn keep(&mut self, found: Option<PartPenetration>) {
        self.deepest = self.deepest.into_iter().chain(found).reduce(PartPenetration::deeper);
    }

    /// Adds a direction that led out of a triangle, if it is new, so that it is tried for others.
    fn add_way(&mut self, way: DVec3, against: impl Fn(DVec3) -> f64) {
        let is_known = self.ways.iter().any(|&(known, _)| known == way);
        if !is_known && self.ways.len() < MOST_WAYS {
            self.ways.push((way, against(way)));
        }
    }

    /// Returns whether a pair may be deeper than the deepest so far, given two upper bounds: one of the depth that the search would return, and one of the true
    /// depth.
    fn may_be_deeper(
        &self,
        triangles: [Option<u32>; 2],
        answered: impl FnOnce() -> f64,
        least: impl FnOnce() -> f64,
    ) -> bool {
        let Some(PartPenetration { of, triangles: found }) = &self.deepest else { return true };
        let most = answered();
        (most > of.depth || most == of.depth && triangles < *found) && least() + self.slack >= of.depth
    }
}

/// Returns an upper bound of the depth of a convex shape in a triangle that it touches: the depth along the triangle's normal, which is preferred to other
/// directions.
fn out_of_plane(corners: &[DVec3; 3], piece: &ConvexPart<'_>) -> f64 {
    let Some(normal) = normal_of(corners) else { return f64::INFINITY };
    let side = if normal.dot(corners[0] - piece.middle()) > 0.0 { -normal } else { normal };
    let core = ConvexCore::Triangle(*corners).farthest(side);
    larger(side.dot(core - piece.core.farthest(-side)), 0.0) + piece.radius
}

/// Returns an upper bound of the depth of two parts in each other, which is infinite for surfaces and planes.
pub(crate) fn at_most(a: &PlacedShape<'_>, b: &PlacedShape<'_>) -> f64 {
    let hulls = a.hull().zip(b.hull());
    hulls.map_or(f64::INFINITY, |(p, q)| {
        SupportExtents::of_piece(&p).depth(&SupportExtents::of_piece(&q)) + SEARCHED * (p.reach() + q.reach())
    })
}

/// Returns the depth for parts that only touch.
fn of_touch(NearestPair { gap, triangles }: &NearestPair) -> PartPenetration {
    let normal = if gap.normal == DVec3::ZERO { DVec3::Y } else { gap.normal };
    let of = Depth { depth: larger(-gap.clearance, 0.0), normal, point: gap.points[0] };
    PartPenetration { of, triangles: *triangles }
}

/// Returns the depth for convex shapes and tori that are in contact.
pub(super) fn of_solids(
    a: &PlacedShape<'_>,
    b: &PlacedShape<'_>,
    gap: &Distance,
    least: f64,
    looks: &SearchBudget,
) -> Depth {
    let swapped =
        || PartPenetration { of: of_solids(b, a, &gap.swapped(), least, looks), triangles: [None; 2] }.swapped().of;
    match (a, b) {
        (PlacedShape::Convex(p), PlacedShape::Convex(q)) => match (p.core, q.core) {
            // A triangle must come first, so that the other shape leaves it on the side of that shape's centre.
            (core, ConvexCore::Triangle(_)) if !matches!(core, ConvexCore::Triangle(_)) => swapped(),
            _ => of_pieces(p, q, gap, least, looks),
        },
        (PlacedShape::Torus(ring), PlacedShape::Convex(piece)) => of_torus(ring, piece, gap, least, looks),
        (PlacedShape::Torus(p), PlacedShape::Torus(q)) => of_pieces(&p.hull(), &q.hull(), gap, least, looks),
        (PlacedShape::Convex(_), PlacedShape::Torus(_)) => swapped(),
        // These are not solids.
        (PlacedShape::Plane(_) | PlacedShape::Surface(_), _) | (_, PlacedShape::Plane(_) | PlacedShape::Surface(_)) => {
            of_gap(gap, 0.0)
        }
    }
}
