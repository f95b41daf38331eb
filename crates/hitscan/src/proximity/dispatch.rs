//! The distance between two parts, and whether they touch, for every pair of kinds.

use super::convex_core::{ConvexCore, ConvexPart};
use super::distance::Distance;
use super::mesh_pairs::{PairsWanted, near_pairs};
use super::placed_mesh::PlacedMesh;
use super::placed_shape::{PlacedPlane, PlacedShape};
use super::separation_bounds::{SeparationBounds, are_apart_across_edges, separate_boxes, separate_triangles};
use super::torus_arcs::{ArcResult, PlacedTorus};
use super::torus_torus::{self, TorusPairQuery};
use crate::convex::{Feature, RESOLUTION, is_apart, triangle_plane};
use crate::math::float::{UNIT_ROUNDOFF, larger, largest, length, smaller, unit};
use core::cell::Cell;
use core::ops::ControlFlow;
use glam::{DAffine3, DVec3};

/// The closest points of two parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NearestPair {
    pub(crate) gap: Distance,
    /// The triangle of each part that consists of triangles.
    pub(crate) triangles: [Option<u32>; 2],
}

impl NearestPair {
    fn swapped(self) -> Self {
        let [a, b] = self.triangles;
        Self { gap: self.gap.swapped(), triangles: [b, a] }
    }
}

/// The goal of a search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PairGoal {
    /// The closest points. For a torus in contact, any contact is an answer.
    Closest,
    /// The closest points. For a torus in contact, the deepest contact of an arc is the answer.
    Deepest,
    /// A contact of the nearest arc of a torus, or any contact of another part.
    Contact,
    /// Any contact.
    Touch,
}

impl PairGoal {
    fn wants_contact(self) -> bool {
        matches!(self, Self::Contact | Self::Touch)
    }

    /// Returns whether any place of a torus that is in contact is an answer.
    fn ends_at_touch(self) -> bool {
        matches!(self, Self::Closest | Self::Touch)
    }

    fn may_matter(self, gap: &Distance, limit: f64) -> bool {
        if self.wants_contact() { gap.is_contact() } else { gap.nearness() <= limit }
    }
}

/// Returns the closest points of two parts that are relative to the same origin, if they are no farther apart than
/// `limit`. The lowest of several equally near triangles answers.
pub(crate) fn nearest(a: &PlacedShape<'_>, b: &PlacedShape<'_>, limit: f64) -> Option<NearestPair> {
    let found = search(a, b, limit, PairGoal::Closest);
    let is_contact = |found: &NearestPair| found.gap.is_contact();
    // Each of the two searches divides a limited number of a torus's arcs, and they choose different arcs.
    let found = match found.filter(is_contact) {
        None if is_stretched_ring(a) || is_stretched_ring(b) => touching(a, b).or(found),
        _ => found,
    };
    found.filter(|found| found.gap.nearness() <= limit)
}

/// Returns whether a part is a torus that is not round in the world, whose arcs may be far longer than wide.
fn is_stretched_ring(form: &PlacedShape<'_>) -> bool {
    matches!(form, PlacedShape::Torus(ring) if ring.similar.is_none())
}

/// Returns the closest points as [`nearest`] does. But if arcs of a torus are in contact, it returns the contact of the deepest arc.
pub(super) fn deepest(a: &PlacedShape<'_>, b: &PlacedShape<'_>, limit: f64) -> Option<NearestPair> {
    search(a, b, limit, PairGoal::Deepest).filter(|found| found.gap.nearness() <= limit)
}

/// Returns whether two parts that are relative to the same origin touch or overlap, as far as f64 can tell.
pub(crate) fn touch(a: &PlacedShape<'_>, b: &PlacedShape<'_>) -> bool {
    search(a, b, 0.0, PairGoal::Touch).is_some_and(|found| found.gap.is_contact())
}

/// Returns a contact of two parts that are relative to the same origin, if they touch or overlap.
pub(super) fn contact(a: &PlacedShape<'_>, b: &PlacedShape<'_>) -> Option<NearestPair> {
    search(a, b, 0.0, PairGoal::Contact).filter(|found| found.gap.is_contact())
}

/// Finds the contact of two parts that [`touch`]. [`contact`] may find nothing if more arcs are in contact than are
/// divided.
pub(super) fn touching(a: &PlacedShape<'_>, b: &PlacedShape<'_>) -> Option<NearestPair> {
    search(a, b, 0.0, PairGoal::Touch).filter(|found| found.gap.is_contact())
}

/// Searches two parts for a goal. If a contact is wanted and there is none, the returned pair need not be the nearest.
fn search(a: &PlacedShape<'_>, b: &PlacedShape<'_>, limit: f64, goal: PairGoal) -> Option<NearestPair> {
    let swapped = || search(b, a, limit, goal).map(NearestPair::swapped);
    match (a, b) {
        (PlacedShape::Convex(a), PlacedShape::Convex(b)) => Some(of_pieces(a, b)),
        (PlacedShape::Surface(placed), PlacedShape::Convex(piece)) => {
            surface_piece(placed, piece, limit, goal, &|_| ())
        }
        (PlacedShape::Surface(a), PlacedShape::Surface(b)) => surfaces(a, b, limit, goal),
        (PlacedShape::Plane(flat), PlacedShape::Convex(piece)) => Some(plane_piece(flat, piece)),
        (PlacedShape::Plane(flat), PlacedShape::Surface(placed)) => plane_surface(flat, placed, limit, goal),
        (PlacedShape::Plane(a), PlacedShape::Plane(b)) => Some(planes(a, b)),
        (PlacedShape::Plane(flat), PlacedShape::Torus(ring)) => Some(plane_piece(flat, &ring.hull())),
        // A plane always comes first, so that every question measures it by the same arithmetic.
        (PlacedShape::Torus(_), PlacedShape::Plane(_)) => swapped(),
        (PlacedShape::Torus(ring), other) => of_torus(ring, other, limit, goal),
        (PlacedShape::Convex(_), _) | (PlacedShape::Surface(_), _) => swapped(),
    }
}

fn of_pieces(a: &ConvexPart<'_>, b: &ConvexPart<'_>) -> NearestPair {
    NearestPair { gap: Distance::between(a, b), triangles: [None; 2] }
}

/// The nearest pair so far.
struct BestPair {
    found: Option<NearestPair>,
    goal: PairGoal,
    /// An upper bound of the computed distance of a contact.
    error: f64,
}

impl BestPair {
    /// Offers a pair, and returns the largest distance that matters from now on.
    fn offer(&mut self, gap: Distance, triangles: [Option<u32>; 2]) -> ControlFlow<(), f64> {
        let is_better = |best: &NearestPair| (gap.nearness(), triangles) < (best.gap.nearness(), best.triangles);
        if self.found.as_ref().is_none_or(is_better) {
            self.found = Some(NearestPair { gap, triangles });
        }
        if self.goal.wants_contact() && gap.is_contact() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(match self.goal {
            PairGoal::Closest | PairGoal::Deepest => {
                self.found.map_or(f64::INFINITY, |best| larger(best.gap.nearness(), self.error))
            }
            PairGoal::Contact | PairGoal::Touch => f64::INFINITY,
        })
    }

    /// Returns whether a pair of these triangles may be better, for shapes with this radius. Among contacts without a
    /// radius, only lower triangles are better.
    fn may_change_by(&self, triangles: [Option<u32>; 2], radius: f64) -> bool {
        let is_touch = |best: &NearestPair| radius == 0.0 && best.gap.nearness() == 0.0 && best.triangles <= triangles;
        !self.found.as_ref().is_some_and(is_touch)
    }

    /// Returns whether the nearest pair so far comes before a pair of these triangles, which are not in contact and at least the distance `least` apart. That
    /// is so if the distance and the triangle numbers of the nearest pair are not larger.
    fn is_before(&self, triangles: [Option<u32>; 2], least: f64) -> bool {
        let is_first = |best: &NearestPair| best.gap.nearness() <= least && best.triangles <= triangles;
        !self.goal.wants_contact() && self.found.as_ref().is_some_and(is_first)
    }

    /// Returns the distance up to which to search.
    fn limit(&self, limit: f64) -> f64 {
        if self.goal.wants_contact() { self.error } else { larger(limit, self.error) }
    }
}

/// Finds the nearest triangle of a surface. `take` is called for each triangle that is measured.
fn surface_piece(
    placed: &PlacedMesh<'_>,
    piece: &ConvexPart<'_>,
    limit: f64,
    goal: PairGoal,
    take: &dyn Fn(usize),
) -> Option<NearestPair> {
    let mut best = BestPair { found: None, goal, error: RESOLUTION * (placed.size + piece.reach()) };
    let mut apart = SeparationBounds::of_piece(piece);
    let mut limit = best.limit(limit);
    let _ = placed.near(piece, limit, &mut |triangle, corners| {
        let triangles = [Some(triangle), None];
        if apart.is_farther(&corners, limit + best.error) || !best.may_change_by(triangles, piece.radius) {
            return ControlFlow::Continue(limit);
        }
        take(1);
        let gap = Distance::between(&ConvexPart::new(ConvexCore::Triangle(corners), 0.0), piece);
        apart.look_along(gap.normal, piece.core.farthest(-gap.normal), piece.radius);
        limit = smaller(best.offer(gap, triangles)?, limit);
        ControlFlow::Continue(limit)
    });
    best.found
}

fn surfaces(a: &PlacedMesh<'_>, b: &PlacedMesh<'_>, limit: f64, goal: PairGoal) -> Option<NearestPair> {
    let mut best = BestPair { found: None, goal, error: RESOLUTION * (a.size + b.size) };
    let mut limit = best.limit(limit);
    let mut along = DVec3::ZERO;
    let wanted = if goal.wants_contact() { PairsWanted::All } else { PairsWanted::Nearest { floor: best.error } };
    let _ = near_pairs([a, b], wanted, limit, &mut |(ours, p), (theirs, q)| {
        let triangles = [Some(ours), Some(theirs)];
        // Contacts are decided for each pair by the error of that pair. With the error of the whole sets, one corner that is very far away would make contacts
        // of all pairs of other triangles.
        let far = if goal.wants_contact() { contact_of_triangles(&p, &q) } else { limit + best.error };
        let least = separate_boxes(&p, &q);
        let may_touch = || least <= contact_of_triangles(&p, &q);
        if !best.may_change_by(triangles, 0.0) || least > far || best.is_before(triangles, least) && !may_touch() {
            return ControlFlow::Continue(limit);
        }
        if separate_triangles(&p, &q, along) > far {
            return ControlFlow::Continue(limit);
        }
        // This saves time for contacts only: a search for closest points has to measure most pairs of triangles that are this close anyway.
        if goal.wants_contact() && are_apart_across_edges(&p, &q, far) {
            return ControlFlow::Continue(limit);
        }
        let piece = |corners: [DVec3; 3]| ConvexPart::new(ConvexCore::Triangle(corners), 0.0);
        let gap = Distance::between(&piece(p), &piece(q));
        if gap.normal != DVec3::ZERO {
            along = gap.normal;
        }
        limit = smaller(best.offer(gap, triangles)?, limit);
        ControlFlow::Continue(limit)
    });
    best.found
}

/// Returns the distance beyond which two triangles are not in contact, including f64 rounding.
pub(super) fn contact_of_triangles(p: &[DVec3; 3], q: &[DVec3; 3]) -> f64 {
    let size = |[a, b, c]: &[DVec3; 3]| largest(a.abs().max(b.abs()).max(c.abs()));
    128.0 * UNIT_ROUNDOFF * (size(p) + size(q))
}

/// Returns the closest points of a plane and a part, which may be on both sides of the plane.
fn plane_piece(flat: &PlacedPlane, piece: &ConvexPart<'_>) -> NearestPair {
    let ends = [-flat.normal, flat.normal].map(|direction| piece.core.farthest(direction));
    let [low, high] = ends.map(|end| flat.normal.dot(end) - flat.height);
    let error = 32.0 * UNIT_ROUNDOFF * (piece.reach() + length(flat.point));
    let (core, height) = if low + high >= 0.0 { (ends[0], low) } else { (ends[1], high) };
    let away = if low + high >= 0.0 { flat.normal } else { -flat.normal };
    let above = away.dot(flat.normal) * height;
    let clearance = above - piece.radius;
    let foot = core - flat.normal * height;
    // The part is on both sides, so a point of it in the plane is chosen.
    let middle = if low < 0.0 && high > 0.0 { ends[0] + (ends[1] - ends[0]) * (low / (low - high)) } else { foot };
    let points = if clearance > 0.0 { [foot, core - away * piece.radius] } else { [middle; 2] };
    let gap = Distance { clearance, points, cores: [foot, core], normal: away, features: [Feature::Face; 2], error };
    NearestPair { gap, triangles: [None; 2] }
}

fn plane_surface(flat: &PlacedPlane, placed: &PlacedMesh<'_>, limit: f64, goal: PairGoal) -> Option<NearestPair> {
    let error = 32.0 * UNIT_ROUNDOFF * (placed.size + length(flat.point));
    let mut best = BestPair { found: None, goal, error };
    let limit = best.limit(limit) + error;
    let _ = placed.near_by(&|middle, half| height_of_box(flat, middle, half), limit, &mut |triangle, corners| {
        let found = plane_piece(flat, &ConvexPart::new(ConvexCore::Triangle(corners), 0.0));
        let left = best.offer(found.gap, [None, Some(triangle)])?;
        ControlFlow::Continue(smaller(left, limit) + error)
    });
    best.found
}

/// Shows every triangle of a surface that is in contact with a plane, with the gap between the two; some perhaps more than once.
pub(super) fn each_on_plane(flat: &PlacedPlane, placed: &PlacedMesh<'_>, show: &mut dyn FnMut(Distance, u32)) {
    let error = 32.0 * UNIT_ROUNDOFF * (placed.size + length(flat.point));
    let _ = placed.near_by(&|middle, half| height_of_box(flat, middle, half), error, &mut |number, corners| {
        let gap = plane_piece(flat, &ConvexPart::new(ConvexCore::Triangle(corners), 0.0)).gap;
        if gap.is_contact() {
            show(gap, number);
        }
        ControlFlow::Continue(error)
    });
}

/// Returns the distance of a box from a plane; below 0 if the box is on both sides.
fn height_of_box(flat: &PlacedPlane, middle: DVec3, half: DVec3) -> f64 {
    (flat.normal.dot(middle) - flat.height).abs() - flat.normal.abs().dot(half)
}

/// Returns the closest points of two planes. Planes that are not parallel intersect. Planes count as parallel if the cross product of their normals is within
/// its rounding error: unit normals are off by 4 u each, and their cross product by 4 u more.
fn planes(a: &PlacedPlane, b: &PlacedPlane) -> NearestPair {
    let across = a.normal.cross(b.normal);
    let is_parallel = length(across) <= 8.0 * f64::EPSILON;
    let foot = a.point - b.normal * (b.normal.dot(a.point) - b.height);
    let points = if is_parallel { [a.point, foot] } else { [common_point(a, b).unwrap_or(foot); 2] };
    let gap = Distance {
        clearance: length(points[1] - points[0]),
        points,
        cores: points,
        normal: unit(points[1] - points[0]).unwrap_or(DVec3::ZERO),
        features: [Feature::Face; 2],
        error: 32.0 * UNIT_ROUNDOFF * (length(a.point) + length(b.point)),
    };
    NearestPair { gap, triangles: [None; 2] }
}

/// Returns the point of the intersection line of two planes that is nearest to the origin.
fn common_point(a: &PlacedPlane, b: &PlacedPlane) -> Option<DVec3> {
    let across = a.normal.cross(b.normal);
    let point = (b.normal.cross(across) * a.height + across.cross(a.normal) * b.height) / across.length_squared();
    point.is_finite().then_some(point)
}

fn of_torus(ring: &PlacedTorus<'_>, other: &PlacedShape<'_>, limit: f64, goal: PairGoal) -> Option<NearestPair> {
    if let Some(middle) = as_a_point(other, ring.hull().reach()) {
        let place = ring.beside(middle).or_else(|| nearest_place(ring, other, middle, goal))?;
        return search(&PlacedShape::Convex(place), other, limit, goal);
    }
    if let PlacedShape::Torus(other) = other {
        let wanted =
            TorusPairQuery { may_matter: &|gap| goal.may_matter(gap, limit), ends_at_contact: goal.ends_at_touch() };
        return torus_torus::between([ring, other], &wanted).map(|gap| NearestPair { gap, triangles: [None; 2] });
    }
    let left = Cell::new(MOST_SEARCHES);
    let take = |searches: usize| left.set(left.get().saturating_sub(searches));
    let mut measure = |piece: &ConvexPart<'_>, known: f64| {
        let limit = smaller(limit, known);
        let found = match other {
            PlacedShape::Surface(placed) => {
                surface_piece(placed, piece, limit, goal, &take).map(NearestPair::swapped)?
            }
            other => {
                take(1);
                search(&PlacedShape::Convex(*piece), other, limit, goal)?
            }
        };
        let Distance { error, cores: [point, _], normal, .. } = found.gap;
        // A contact has distance 0, so no other arc can be nearer.
        let may_touch = goal.ends_at_touch() && found.gap.is_contact() && !piece.core.is_place();
        let place = if may_touch { ring.beside(point).map(PlacedShape::Convex) } else { None };
        let touching = place.filter(|place| touch(place, other)).and_then(|place| search(&place, other, 0.0, goal));
        let is_final = touching.is_some() || goal.ends_at_touch() && found.gap.is_contact() && piece.core.is_place();
        let least = found.gap.nearness();
        let found = touching.unwrap_or(found);
        goal.may_matter(&found.gap, limit).then_some(ArcResult { least, error, point, normal, found, is_final })
    };
    ring.least(&mut measure, &|| left.get() == 0)
}

/// The maximum number of searches, each of an arc of a torus and a convex part or a triangle. After that, the nearest known place is the answer. With a convex
/// part, all arcs together take no more than this, but a surface may have many triangles that are about equally near.
const MOST_SEARCHES: usize = 512;

/// Returns the point of a torus that is nearest to the centre of a part as small as a point, or that centre if it is inside. Returns `None` if a contact is
/// searched and the torus's hull is not in contact, because the test of the hull takes less time.
fn nearest_place<'a>(
    ring: &PlacedTorus<'_>,
    other: &PlacedShape<'_>,
    middle: DVec3,
    goal: PairGoal,
) -> Option<ConvexPart<'a>> {
    let translation = ring.to_world.translation - middle;
    let seen = PlacedTorus { to_world: DAffine3 { translation, ..ring.to_world }, ..*ring };
    let point = |point: DVec3| ConvexPart::new(ConvexCore::Point(point), 0.0);
    if seen.has_origin() {
        return Some(point(middle));
    }
    let is_apart = || !Distance::between(&ring.hull(), &other.convex().unwrap_or_else(|| point(middle))).is_contact();
    let is_useless = goal.wants_contact() && is_apart();
    (!is_useless).then(|| point(middle + seen.foot().point))
}

/// Returns the centre of a part that is like a point. Either its core is a point, as for a ball, or it is so small relative to the size `beside` that f64
/// cannot distinguish it from a point.
pub(super) fn as_a_point(form: &PlacedShape<'_>, beside: f64) -> Option<DVec3> {
    let piece = match form {
        PlacedShape::Convex(piece) => *piece,
        PlacedShape::Torus(ring) => ring.hull(),
        PlacedShape::Surface(placed) => {
            let (middle, half) = placed.image();
            return (2.0 * largest(half) <= RESOLUTION * (beside + placed.size)).then_some(middle);
        }
        PlacedShape::Plane(_) => return None,
    };
    let (low, high) = ConvexPart { radius: 0.0, ..piece }.extent(DVec3::AXES);
    (largest(high - low) <= RESOLUTION * (beside + piece.reach())).then(|| piece.middle())
}

/// A contact of a part with a convex shape around the origin.
pub(crate) struct Touching {
    /// The distance from the part to the shape.
    pub(crate) gap: Distance,
    /// If the part consists of triangles: the number of the triangle, its corners, and whether the origin is in front of it.
    pub(crate) triangle: Option<(u32, [DVec3; 3], bool)>,
}

/// Visits every triangle of a part that touches or overlaps a convex shape around the origin, as far as f64 can tell. A part without triangles is visited as a
/// whole. A triangle may be visited more than once.
pub(crate) fn each_touching(
    form: &PlacedShape<'_>,
    piece: &ConvexPart<'_>,
    show: &mut dyn FnMut(Touching) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let PlacedShape::Surface(placed) = form else {
        return match contact(form, &PlacedShape::Convex(*piece)) {
            Some(NearestPair { gap, .. }) => show(Touching { gap, triangle: None }),
            None => ControlFlow::Continue(()),
        };
    };
    let error = RESOLUTION * (placed.size + piece.reach());
    let apart = SeparationBounds::of_piece(piece);
    placed.near(piece, error, &mut |triangle, corners| {
        if apart.is_farther(&corners, 2.0 * error) || is_beside(&corners, piece, 2.0 * error) {
            return ControlFlow::Continue(error);
        }
        let gap = Distance::between(&ConvexPart::new(ConvexCore::Triangle(corners), 0.0), piece);
        if gap.is_contact() {
            let is_in_front = placed.is_in_front(corners);
            show(Touching { gap, triangle: Some((triangle, corners, is_in_front)) })?;
        }
        ControlFlow::Continue(error)
    })
}

/// Returns whether a part is certainly farther than a limit from a triangle. The part is that far on one side of the triangle's plane, or else a plane
/// separates the two: its normal is the direction from the triangle to the part's point nearest to the triangle's plane.
fn is_beside(corners: &[DVec3; 3], piece: &ConvexPart<'_>, limit: f64) -> bool {
    // The plane of a needle cannot be computed in f64.
    let Some(normal) = triangle_plane(*corners) else { return false };
    let [low, high] = [-normal, normal].map(|direction| piece.core.farthest(direction));
    let (above, below) = ((low - corners[0]).dot(normal), (corners[0] - high).dot(normal));
    let limit = piece.radius + limit;
    if above > limit || below > limit {
        return true;
    }
    let near = if above >= below { low } else { high };
    is_apart(near, |direction| piece.core.farthest(direction), *corners, limit)
}
