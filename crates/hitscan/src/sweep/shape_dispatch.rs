//! Sweeps of a volume against each shape, placed by any affine transform.

use super::conservative_advancement::ConvexObstacle;
use super::contact::{Contact, ContactFilter, SweepStart};
use super::mover::Mover;
use super::separating_plane::{ContactState, FlatFaces};
use super::torus::TorusObstacle;
use crate::collections::sort::SharedSort;
use crate::convex::{Feature, RESOLUTION, normal_of_polygon, point_edge, reach, similar};
use crate::geom::aabb::Aabb;
use crate::geom::hit::Side;
use crate::geom::transform::Placement;
use crate::hull::ConvexHull;
use crate::math::float::{UNIT_ROUNDOFF, larger, largest, unit};
use crate::math::perpendicular::across;
use crate::math::support::{farther, farthest_of};
use crate::shape::{Custom, Shape, ShapeForm};
use crate::tri::degenerate::has_area;
use alloc::vec::Vec;
use glam::{DAffine3, DMat3, DVec3, Vec3};

/// Returns the first contact up to t = `limit` with a shape whose placement is relative to the volume's start.
pub(crate) fn meet_shape(shape: &Shape, mover: &Mover, to_world: &DAffine3, limit: f64) -> Option<Contact> {
    match shape.form() {
        ShapeForm::Box { aabb, radius: 0.0 } => meet_box(&aabb, mover, to_world, limit),
        ShapeForm::Box { aabb, radius } => match similar(&to_world.matrix3) {
            Some(scale) => {
                let corners = aabb.corners().map(|corner| to_world.transform_point3(corner.as_dvec3()));
                let (farthest, radius) = (|direction: DVec3| farthest_of(&corners, direction), radius * scale);
                ConvexObstacle { farthest, radius, size: reach(&shape.bounds(), to_world) }.meet(mover, limit)
            }
            None => meet_support(shape, mover, to_world, limit),
        },
        ShapeForm::OrientedBox { aabb, to_local } => {
            let placed = Placement::new(*to_local).ok()?.to_local;
            meet_box(&aabb, mover, &(*to_world * placed), limit)
        }
        ShapeForm::Parallelogram { corner, edges } => meet_parallelogram(corner, edges, mover, to_world, limit),
        ShapeForm::Triangle(corners) => {
            has_area(corners).then_some(())?;
            let corners = corners.map(|corner| to_world.transform_point3(corner.as_dvec3()));
            mover.meet_triangle(corners, limit).map(|met| unmirrored(met, to_world))
        }
        ShapeForm::Plane { point, normal } => meet_plane([point, normal], mover, to_world),
        ShapeForm::Torus => TorusObstacle { torus: shape.torus()?, to_world: *to_world, mover }.meet(limit),
        ShapeForm::Segment { ends, radius } => match similar(&to_world.matrix3) {
            // A shape that stays round has a separate radius. Its core is a segment, whose support function needs only
            // a few steps.
            Some(scale) => {
                let ends = ends.map(|end| to_world.transform_point3(end));
                let (farthest, radius) = (|direction: DVec3| farther(ends, direction), radius * scale);
                ConvexObstacle { farthest, radius, size: reach(&shape.bounds(), to_world) }.meet(mover, limit)
            }
            None => meet_support(shape, mover, to_world, limit),
        },
        ShapeForm::Revolved(_) => {
            let met = meet_support(shape, mover, to_world, limit)?;
            Some(shape.test().front().map_or(met, |(_, normal)| sided(met, normal, to_world)))
        }
    }
}

fn meet_parallelogram(
    corner: Vec3,
    edges: [Vec3; 2],
    mover: &Mover,
    to_world: &DAffine3,
    limit: f64,
) -> Option<Contact> {
    has_area([corner, corner + edges[0], corner + edges[1]]).then_some(())?;
    let [corner, u, v] = [corner, edges[0], edges[1]].map(|v| v.as_dvec3());
    let corners = [corner, corner + u, corner + u + v, corner + v].map(|v| to_world.transform_point3(v));
    let [u, v] = [u, v].map(|edge| to_world.matrix3 * edge);
    let normal = unit(across(u, v)).unwrap_or_else(|| normal_of_needle([u, v]));
    let of_parts = |limit: f64| {
        if mover.is_round() {
            mover.meet_polygon(&corners, normal, limit)
        } else {
            on_faces(mover, &corners, &[[0, 1, 2], [0, 2, 3]], limit)
        }
    };
    let flats = |_| FlatFaces::polygon(&corners, normal);
    let met = mover.meet_whole(&corners, limit, of_parts, |met| mover.at_whole(met, &corners, flats))?;
    Some(Contact { feature: Feature::Face, ..unmirrored(met, to_world) })
}

/// Returns a normal of a parallelogram whose edges are parallel as far as f64 can tell.
fn normal_of_needle(edges: [DVec3; 2]) -> DVec3 {
    let [u, v] = edges.map(|edge| unit(edge).unwrap_or(DVec3::ZERO));
    let along = if u == DVec3::ZERO { v } else { u };
    along.any_orthonormal_vector()
}

/// Does the same as [`meet_shape`] for a hull.
pub(crate) fn meet_hull(hull: &ConvexHull, mover: &Mover, to_world: &DAffine3, limit: f64) -> Option<Contact> {
    let corners: Vec<DVec3> =
        hull.vertices().iter().map(|corner| to_world.transform_point3(corner.as_dvec3())).collect();
    let first = if mover.turning.is_some() {
        mover.meet_corners(&corners, limit)
    } else if mover.is_round() {
        let flats = |contact: ContactPlace| match contact {
            ContactPlace::First(point) | ContactPlace::Start(point) => hull_at(hull, &corners, (point, None), mover),
        };
        let of_parts = |limit: f64| mover.meet_corners(&corners, limit);
        mover.meet_whole(&corners, limit, of_parts, |met| mover.at_whole(met, &corners, flats))
    } else {
        first_of_hull(hull, mover, &corners, limit)
    };
    let to_local = Placement::new(*to_world).ok()?.to_local;
    let center = to_local.translation;
    // A volume that touches the hull is not inside, unless it touches the surface from inside. In that case, its centre
    // is farther from the surface than the rounding of f32.
    let is_clear = |met: Contact| {
        let inwards = met.normal * met.normal.dot(met.point);
        let is_surface = largest(inwards) <= mover.body.rounding(largest(met.point));
        !is_surface && largest(to_local.matrix3 * inwards) > f64::from(f32::EPSILON) * largest(center)
    };
    let may_be_inside = |met: Contact| met.t > 0.0 || met.start == SweepStart::Penetrating || is_clear(met);
    let is_inside = first.is_none_or(may_be_inside) && hull.contains(center.as_vec3());
    solid(first, is_inside, mover)
}

/// Returns the first contact with a hull's triangles, with the normal of the plane between the volume and the whole
/// hull.
fn first_of_hull(hull: &ConvexHull, mover: &Mover, corners: &[DVec3], limit: f64) -> Option<Contact> {
    let at = |number: u32| corners.get(number as usize).copied().unwrap_or_default();
    let of_parts = |limit: f64| {
        let triangles = (0..).map_while(|number| Some((hull.mesh().indices(number)?.map(at), number)));
        let met = triangles.filter_map(|(corners, number)| Some((mover.meet_triangle(corners, limit)?, number)));
        met.reduce(|a, b| if is_earlier(&b.0, &a.0) { b } else { a })
    };
    mover.meet_whole(corners, limit, of_parts, |(met, triangle)| {
        mover.at_whole(met, corners, |contact| match contact {
            ContactPlace::First(point) => hull_at(hull, corners, (point, Some(triangle)), mover),
            ContactPlace::Start(point) => hull_at(hull, corners, (point, None), mover),
        })
    })
}

/// Returns the faces and edges of a hull at a point of its surface. The triangle of the point is given if it is known.
fn hull_at<'a>(
    hull: &ConvexHull,
    corners: &'a [DVec3],
    (point, triangle): (DVec3, Option<u32>),
    mover: &Mover,
) -> FlatFaces<'a> {
    let at = |number: u32| corners.get(number as usize).copied().unwrap_or_default();
    let polygon = |face: usize| hull.polygon(face).map(at).collect::<Vec<DVec3>>();
    let normal = |face: usize| normal_of_polygon(&polygon(face));
    let size = corners.iter().fold(0.0, |most, &corner| larger(most, largest(corner)));
    let reach = NEAR * (mover.body.rounding(size) + 64.0 * UNIT_ROUNDOFF * largest(mover.motion));
    let mut faces: Vec<usize> = match triangle {
        Some(triangle) => Vec::from([hull.face_of(triangle as usize)]),
        None => {
            let is_at = |face: &usize| {
                let on_it = polygon(*face).first().copied().unwrap_or_default();
                normal(*face).is_some_and(|normal| normal.dot(point - on_it).abs() <= reach)
            };
            (0..hull.face_count()).filter(is_at).collect()
        }
    };
    let mut edges = Vec::new();
    for edge in hull.edges() {
        let [p, q] = edge.corners.map(at);
        if point_edge(point, p, q, 0).square <= reach * reach {
            faces.extend(edge.faces.map(|face| face as usize));
            edges.extend(unit(q - p));
        }
    }
    faces.sort_shared();
    faces.dedup();
    FlatFaces { corners, normals: faces.into_iter().filter_map(normal).collect(), edges }
}

/// A face or an edge at a distance up to this multiple of the f64 error may still be in contact (docs/robustness/sweeps.md, "The plane between").
const NEAR: f64 = 1024.0;

/// Does the same as [`meet_shape`] for a custom shape, if it has a support function.
pub(crate) fn meet_custom(custom: &Custom, mover: &Mover, to_world: &DAffine3, limit: f64) -> Option<Contact> {
    let shape = custom.shape();
    shape.farthest(DVec3::X)?;
    let linear = to_world.matrix3;
    let farthest = |direction: DVec3| {
        let local = unit(linear.transpose() * direction).unwrap_or(DVec3::X);
        let point = shape.farthest(local).filter(|point| point.is_finite());
        to_world.transform_point3(point.unwrap_or(DVec3::ZERO))
    };
    let size = reach(&custom.bounds(), to_world);
    ConvexObstacle { farthest, radius: 0.0, size }.meet(mover, limit)
}

/// Returns the first contact with a convex shape by its support function.
fn meet_support(shape: &Shape, mover: &Mover, to_world: &DAffine3, limit: f64) -> Option<Contact> {
    let linear = to_world.matrix3;
    let farthest = |direction| to_world.transform_point3(shape.form().farthest(linear.transpose() * direction));
    ConvexObstacle { farthest, radius: 0.0, size: reach(&shape.bounds(), to_world) }.meet(mover, limit)
}

const BOX_FACES: [[usize; 3]; 12] = [
    [0, 4, 6],
    [0, 6, 2],
    [1, 3, 7],
    [1, 7, 5],
    [0, 1, 5],
    [0, 5, 4],
    [2, 6, 7],
    [2, 7, 3],
    [0, 2, 3],
    [0, 3, 1],
    [4, 5, 7],
    [4, 7, 6],
];

fn meet_box(aabb: &Aabb, mover: &Mover, to_world: &DAffine3, limit: f64) -> Option<Contact> {
    let (low, high) = (aabb.min.as_dvec3(), aabb.max.as_dvec3());
    let flat = low.cmpeq(high);
    let corner = |number: usize| {
        let pick = |axis: usize| if number >> axis & 1 == 1 { high[axis] } else { low[axis] };
        DVec3::new(pick(0), pick(1), pick(2))
    };
    // Only a box with at least two dimensions has faces. A box that is a segment or a point has none.
    if flat.bitmask().count_ones() >= 2 {
        let ends = [low, high].map(|end| to_world.transform_point3(end));
        let farthest = |direction: DVec3| farther(ends, direction);
        return ConvexObstacle { farthest, radius: 0.0, size: reach(aabb, to_world) }.meet(mover, limit);
    }
    let corners: [DVec3; 8] = core::array::from_fn(|number| to_world.transform_point3(corner(number)));
    let first = if mover.turning.is_some() {
        mover.meet_corners(&corners, limit)
    } else {
        let DMat3 { x_axis, y_axis, z_axis } = to_world.matrix3;
        let of_parts = |limit: f64| {
            if mover.is_round() {
                mover.meet_corners(&corners, limit)
            } else {
                on_faces(mover, &corners, &BOX_FACES, limit)
            }
        };
        let flats = |_| FlatFaces::boxed(&corners, [x_axis, y_axis, z_axis]);
        mover.meet_whole(&corners, limit, of_parts, |met| mover.at_whole(met, &corners, flats))
    };
    let center = Placement::new(*to_world).ok()?.to_local.translation;
    let is_inside = low.cmplt(center).all() && center.cmplt(high).all();
    solid(first, is_inside, mover)
}

/// Returns the first contact with triangles, given by the numbers of their corners. Triangles of a flat box that have
/// no area are skipped.
fn on_faces(mover: &Mover, corners: &[DVec3], faces: &[[usize; 3]], limit: f64) -> Option<Contact> {
    let triangles = faces.iter().map(|face| face.map(|at| corners[at]));
    let first = triangles.filter(|[a, b, c]| a != b && b != c && c != a);
    first.filter_map(|corners| mover.meet_triangle(corners, limit)).reduce(earlier)
}

/// The t at the end of a motion.
const WHOLE: f64 = 1.0;

/// Two normals that differ by less than this are equal within the accuracy of normals from support functions. That
/// accuracy is the root of 2^-40 (docs/robustness/sweep-round.md).
const SAME_NORMAL: f64 = 1e-6;

/// The point where a volume touches a convex shape.
#[derive(Clone, Copy)]
enum ContactPlace {
    /// The point of the first contact with a part of the shape.
    First(DVec3),
    /// The point of the contact at the start.
    Start(DVec3),
}

impl Mover {
    /// Returns the first contact up to t = `limit` with a convex shape. `of_parts` returns the first contact with its parts up to some t, and `at_whole` turns
    /// that contact into the contact with the whole shape.
    ///
    /// If the volume is in contact with the shape at its start, a later contact with a part becomes a contact at the
    /// start with the whole shape. The limit is therefore not used for the parts of such a shape. Otherwise the limit
    /// would affect the answer, and so would the order in which shapes are tested.
    fn meet_whole<T>(
        &self,
        corners: &[DVec3],
        limit: f64,
        of_parts: impl Fn(f64) -> Option<T>,
        at_whole: impl Fn(T) -> Option<Contact>,
    ) -> Option<Contact> {
        let may_touch = || self.contacts == ContactFilter::Ahead && limit < WHOLE && self.may_touch_at_start(corners);
        let met = of_parts(limit).or_else(|| if may_touch() { of_parts(WHOLE) } else { None })?;
        at_whole(met).filter(|met| met.t <= limit)
    }

    /// Returns whether the boxes around the volume at its start and around these points overlap, including rounding.
    fn may_touch_at_start(&self, corners: &[DVec3]) -> bool {
        let (low, high) = corners
            .iter()
            .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), &corner| (low.min(corner), high.max(corner)));
        let slack = RESOLUTION * (largest(low.abs().max(high.abs())) + self.body.size() + self.body.radius);
        let half = self.half_extents() + DVec3::splat(slack);
        low.cmple(half).all() && high.cmpge(-half).all()
    }

    /// Returns the contact with a convex shape, given the first contact with a part of it. Returns `None` if the
    /// contact is not reported.
    ///
    /// A volume may start in contact and move along a flat face or away from it. Such a volume never goes deeper
    /// into a convex shape. So the contact with the whole shape decides, and not the contacts with the triangles of
    /// the face.
    fn at_whole<'a>(
        &self,
        met: Contact,
        corners: &[DVec3],
        flats: impl Fn(ContactPlace) -> FlatFaces<'a>,
    ) -> Option<Contact> {
        let start = if self.contacts == ContactFilter::Ahead { self.start_at_whole(met.point, corners) } else { None };
        let Some((start, is_ahead)) = start else {
            return Some(self.with_normal(met, || flats(ContactPlace::First(met.point))));
        };
        if start.point != DVec3::ZERO && self.is_sharp(largest(met.point)) {
            let flats = || flats(ContactPlace::Start(start.point));
            if self.slides_along(&flats(), start.point) {
                return None;
            }
            if let ContactState::Beside(normal) = self.lie(&flats(), 0.0, start.point) {
                return Some(Contact { normal, ..start });
            }
        }
        // If both are the same contact, the contact with the part is more accurate.
        let is_same = met.t == 0.0 && largest(met.normal - start.normal) <= SAME_NORMAL;
        is_ahead.then_some(if is_same { met } else { start })
    }

    fn start_at_whole(&self, point: DVec3, corners: &[DVec3]) -> Option<(Contact, bool)> {
        let size = corners.iter().fold(0.0, |most, &corner| larger(most, largest(corner)));
        let farthest = |direction: DVec3| farthest_of(corners, direction);
        ConvexObstacle { farthest, radius: 0.0, size }.contact_at_start(self, largest(point))
    }

    /// Returns a contact with a part of a convex shape. If the volume is sharp, the closest points give no normal. The contact then gets the normal of a plane
    /// that separates the volume from the whole shape. A volume that touches only a part, and is not separated from the whole, penetrates the shape.
    fn with_normal<'a>(&self, met: Contact, flats: impl FnOnce() -> FlatFaces<'a>) -> Contact {
        if met.start == SweepStart::Penetrating || !self.is_sharp(largest(met.point)) {
            return met;
        }
        match self.lie(&flats(), met.t, met.point) {
            ContactState::Beside(normal) => Contact { normal, ..met },
            // The tested edges do not include the edges of a round volume.
            ContactState::Across if met.start == SweepStart::Touching && !self.is_round() => {
                Contact { start: SweepStart::Penetrating, ..met }
            }
            ContactState::Across => met,
        }
    }
}

/// Returns the earlier contact. At the same t, penetrating comes before touching. Otherwise the first contact is returned, because the depths of contacts at
/// the start are unknown.
fn earlier(a: Contact, b: Contact) -> Contact {
    if is_earlier(&b, &a) { b } else { a }
}

/// Returns whether a contact replaces another one, which was found before it.
fn is_earlier(met: &Contact, found: &Contact) -> bool {
    let is_deeper = met.t == found.t && found.start == SweepStart::Touching && met.start == SweepStart::Penetrating;
    met.t < found.t || is_deeper
}

/// Returns a contact with a solid's surface, or the start inside it.
fn solid(first: Option<Contact>, is_inside: bool, mover: &Mover) -> Option<Contact> {
    let (feature, side) = (Feature::Face, Side::Front);
    if is_inside {
        let normal = unit(-mover.motion).unwrap_or(DVec3::ZERO);
        return Some(Contact { t: 0.0, start: SweepStart::Penetrating, point: DVec3::ZERO, normal, feature, side });
    }
    first.map(|met| Contact { feature, side, ..met })
}

/// Returns the contact with a two-sided plane.
fn meet_plane([point, normal]: [Vec3; 2], mover: &Mover, to_world: &DAffine3) -> Option<Contact> {
    let placed = Placement::new(*to_world).ok()?;
    let normal = unit(placed.world_normal(normal.as_dvec3()))?;
    let point = to_world.transform_point3(point.as_dvec3());
    let height = -normal.dot(point);
    let rounding = mover.body.rounding(largest(point));
    let side = if height < 0.0 { Side::Back } else { Side::Front };
    let away = if height < 0.0 { -normal } else { normal };
    let lowest = |t: f64| mover.turned(t).farthest(-away) + mover.motion * t;
    let gap = |t: f64| away.dot(lowest(t)) + height.abs() - mover.body.radius;
    let met = |t: f64, start: SweepStart| {
        let foot = lowest(t) - normal * (normal.dot(lowest(t)) + height);
        Contact { t, start, point: foot, normal: away, feature: Feature::Face, side }
    };
    let speed = mover.speed(-away);
    let slight = larger(rounding, 8.0 * f64::EPSILON * largest(mover.motion));
    let is_ahead = speed > slight || mover.contacts == ContactFilter::All;
    let start_gap = gap(0.0);
    if start_gap <= rounding {
        let start = if start_gap >= -rounding { SweepStart::Touching } else { SweepStart::Penetrating };
        let is_pierced = height.abs() <= rounding && height.abs() - start_gap > rounding;
        return (is_ahead || is_pierced).then(|| met(0.0, start));
    }
    let t = mover.arrival(gap, speed, rounding).filter(|_| is_ahead)?;
    Some(met(t, SweepStart::Apart))
}

/// Restores the front of a mirrored triangle.
pub(super) fn unmirrored(met: Contact, to_world: &DAffine3) -> Contact {
    if to_world.matrix3.determinant() < 0.0 { Contact { side: flipped(met.side), ..met } } else { met }
}

fn sided(met: Contact, normal: DVec3, to_world: &DAffine3) -> Contact {
    let normal = Placement::new(*to_world).map_or(DVec3::ZERO, |placed| placed.world_normal(normal));
    Contact { side: if met.normal.dot(normal) < 0.0 { Side::Back } else { Side::Front }, ..met }
}

pub(crate) fn flipped(side: Side) -> Side {
    match side {
        Side::Front => Side::Back,
        Side::Back => Side::Front,
        Side::Inside => Side::Inside,
    }
}
