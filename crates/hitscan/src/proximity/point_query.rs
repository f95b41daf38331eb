//! The point of a part's surface that is nearest to the origin, and whether the origin is inside.

use super::convex_core::{ConvexCore, ConvexPart};
use super::distance::{Distance, separate};
use super::foot_point::SurfaceFoot;
use super::parallelepiped::Parallelepiped;
use super::penetration::ANY;
use super::placed_mesh::PlacedMesh;
use super::placed_shape::{PlacedPlane, PlacedShape};
use super::stretched_solids;
use super::surface_of_revolution::SurfaceOfRevolution;
use crate::convex::{
    Feature, RESOLUTION, SearchBudget, SupportPoint, minimum_translation, point_triangle, triangle_plane,
};
use crate::hull::ConvexHull;
use crate::math::float::{UNIT_ROUNDOFF, larger, largest, length, smaller, sqrt, unit};
use crate::math::perpendicular::{across, plane_normal};
use crate::shape::Shape;
use crate::tri::Counting;
use glam::{DAffine3, DVec3, Vec3};

/// The nearest point of one part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NearestPoint {
    /// The distance from the origin, at least 0.
    pub(crate) distance: f64,
    pub(crate) point: DVec3,
    /// The outward unit normal: the direction from the point to the origin, or the opposite one if the origin is
    /// inside. If the two coincide, it is the normal of the surface.
    pub(crate) normal: DVec3,
    pub(crate) feature: Feature,
    pub(crate) triangle: Option<u32>,
    /// Tells whether the origin is in front of the triangle.
    pub(crate) is_in_front: bool,
    /// Tells whether the origin is inside of a convex solid or a torus.
    pub(crate) is_inside: bool,
}

impl NearestPoint {
    /// Returns a point for an origin that is outside, or that is on one side of a part without an interior.
    fn outside(point: DVec3, on_it: DVec3) -> Self {
        Self {
            distance: sqrt(point.length_squared()),
            point,
            normal: unit(-point).unwrap_or(on_it),
            feature: Feature::Face,
            triangle: None,
            is_in_front: true,
            is_inside: false,
        }
    }

    /// Returns a point for an origin inside, at this depth below the surface.
    fn inside(depth: f64, outwards: DVec3) -> Self {
        // Adding +0 turns -0 into +0.
        let depth = depth + 0.0;
        let point = outwards * depth;
        let inside = depth > 0.0;
        Self {
            distance: depth,
            normal: outwards,
            is_in_front: !inside,
            is_inside: inside,
            ..Self::outside(point, outwards)
        }
    }

    /// Returns the nearest point of the solid expanded by a radius, given the nearest point of the solid itself.
    fn thickened(self, radius: f64) -> Self {
        match (radius == 0.0, self.is_inside) {
            (true, _) => self,
            (false, true) => Self::inside(self.distance + radius, self.normal),
            // For an origin at the surface of the core, the offset from the core is only rounding, so the normal is kept.
            (false, false) => Self { normal: self.normal, ..Self::at_radius(self.point, radius, self.normal) },
        }
    }

    /// Returns the nearest point of a core expanded by a radius, given the core's nearest point. The normal is the direction from the core to the origin. For
    /// an origin at the expanded surface, the offset from there is only rounding.
    fn at_radius(core: DVec3, radius: f64, otherwise: DVec3) -> Self {
        let normal = unit(-core).unwrap_or(otherwise);
        let apart = sqrt(core.length_squared());
        if apart >= radius {
            return Self { normal, ..Self::outside(core + normal * radius, normal) };
        }
        Self::inside(radius - apart, normal)
    }
}

/// A filter that is called for each point that is nearer than all points accepted before. It returns whether the point counts.
pub(crate) type Counts<'a> = dyn FnMut(&NearestPoint) -> bool + 'a;

/// Returns the nearest point of a part up to a distance. If `counts` is given, only points that it accepts count. The
/// lowest of several equally near triangles answers.
pub(crate) fn closest(form: &PlacedShape<'_>, limit: f64, counts: Option<&mut Counts<'_>>) -> Option<NearestPoint> {
    let spot = match form {
        PlacedShape::Surface(placed) => return of_surface(placed, limit, counts),
        PlacedShape::Convex(piece) => of_piece(piece, limit),
        PlacedShape::Plane(flat) => of_plane(flat),
        PlacedShape::Torus(ring) => of_foot(&ring.foot()),
    };
    (spot.distance <= limit && counts.is_none_or(|counts| counts(&spot))).then_some(spot)
}

fn of_surface(placed: &PlacedMesh<'_>, limit: f64, counts: Option<&mut Counts<'_>>) -> Option<NearestPoint> {
    let mirrors = placed.to_world.matrix3.determinant() < 0.0;
    match counts {
        None => nearest_of(placed, (limit, mirrors), Counting::All, &mut |_| true),
        Some(counts) => nearest_of(placed, (limit, mirrors), Counting::Some, counts),
    }
}

fn nearest_of(
    placed: &PlacedMesh<'_>,
    (limit, mirrors): (f64, bool),
    counting: Counting,
    counts: &mut Counts<'_>,
) -> Option<NearestPoint> {
    let mut best: Option<NearestPoint> = None;
    placed.nearest(limit, counting, &mut |triangle, corners| {
        let spot = of_triangle(corners, triangle, mirrors);
        let is_nearer =
            |best: &NearestPoint| (spot.distance, triangle) < (best.distance, best.triangle.unwrap_or(u32::MAX));
        if spot.distance <= limit && best.as_ref().is_none_or(is_nearer) && counts(&spot) {
            best = Some(spot);
        }
        best.map_or(limit, |best| best.distance)
    });
    best
}

pub(super) fn of_triangle(corners: [DVec3; 3], triangle: u32, mirrors: bool) -> NearestPoint {
    let [a, b, c] = corners;
    let pair = point_triangle(DVec3::ZERO, corners);
    let across = triangle_plane(corners).unwrap_or_else(|| needle_normal(corners));
    let front = if mirrors { -across } else { across };
    let height = -(b - a).cross(c - a).dot(a);
    let is_in_front = if mirrors { height <= 0.0 } else { height >= 0.0 };
    let spot = NearestPoint::outside(pair.point, front);
    // In the interior of the triangle, its plane gives a more accurate direction than a short offset, and an offset
    // that is due to rounding gives none.
    let rounding = 16.0 * UNIT_ROUNDOFF * larger(larger(largest(a), largest(b)), largest(c));
    let normal = match pair.feature {
        Feature::Face if spot.normal.dot(front) < 0.0 => -front,
        Feature::Edge(_) | Feature::Vertex(_) if spot.distance > rounding => spot.normal,
        _ => front,
    };
    NearestPoint { normal, feature: pair.feature, triangle: Some(triangle), is_in_front, ..spot }
}

/// Returns a normal of a triangle whose corners are collinear up to rounding: any direction perpendicular to its
/// longest edge.
fn needle_normal([a, b, c]: [DVec3; 3]) -> DVec3 {
    let edges = [b - a, c - b, a - c];
    let longest = edges.into_iter().reduce(|p, q| if largest(q) > largest(p) { q } else { p });
    longest.and_then(unit).map_or(DVec3::Y, |along| along.any_orthonormal_vector())
}

fn of_plane(flat: &PlacedPlane) -> NearestPoint {
    NearestPoint::outside(flat.normal * flat.height, flat.normal)
}

fn of_piece(piece: &ConvexPart<'_>, limit: f64) -> NearestPoint {
    match &piece.core {
        ConvexCore::Point(point) => NearestPoint::at_radius(*point, piece.radius, DVec3::Y),
        ConvexCore::Segment([a, b]) => {
            let around = unit(*b - *a).map_or(DVec3::Y, |along| along.any_orthonormal_vector());
            NearestPoint::at_radius(super::distance::on_segment(DVec3::ZERO, *a, *b), piece.radius, around)
        }
        ConvexCore::Triangle(corners) => NearestPoint { triangle: None, ..of_triangle(*corners, 0, false) },
        ConvexCore::Box { center, half } => {
            let of_core = of_box(*center, *half);
            of_core
                .unwrap_or_else(|| of_foot(&Parallelepiped { center: *center, half: *half }.foot()))
                .thickened(piece.radius)
        }
        ConvexCore::Hull { hull, to_world } => of_hull(hull, to_world, (piece, limit)),
        ConvexCore::Round { shape, to_world } => {
            round_foot(shape, to_world).map_or_else(|| of_convex(piece, limit), |foot| of_foot(&foot))
        }
        ConvexCore::Corners(_) | ConvexCore::Arc { .. } | ConvexCore::Set(_) | ConvexCore::Custom { .. } => {
            of_convex(piece, limit)
        }
    }
}

/// Returns the nearest point of a round solid under any transform; `None` for other shapes.
pub(super) fn round_foot(shape: &Shape, to_world: &DAffine3) -> Option<SurfaceFoot> {
    let form = shape.form();
    match SurfaceOfRevolution::new(&form, to_world) {
        Some(revolved) => Some(revolved.foot()),
        None => stretched_solids::foot(&form, to_world),
    }
}

fn of_foot(foot: &SurfaceFoot) -> NearestPoint {
    let is_inside = foot.is_inside && foot.point != DVec3::ZERO;
    let spot = NearestPoint::outside(foot.point, foot.normal);
    NearestPoint { normal: foot.normal, is_in_front: !is_inside, is_inside, ..spot }
}

/// Returns the nearest point of a box whose edges are perpendicular; `None` for other boxes. The cosine of two edges
/// may be 16 u: their coordinates are off by one or two u, and their dot product by gamma(3). Treating the box as rectangular
/// moves it by the same fraction of its sizes, and the answer by no more than the 32 u of all closed forms.
fn of_box(center: DVec3, half: [DVec3; 3]) -> Option<NearestPoint> {
    let lengths = half.map(length);
    let product = |a: usize, b: usize| half[a].dot(half[b]).abs() <= 8.0 * f64::EPSILON * lengths[a] * lengths[b];
    if !(product(0, 1) && product(1, 2) && product(2, 0)) {
        return None;
    }
    let mut axes = half.map(|half| unit(half).unwrap_or(DVec3::ZERO));
    fill_axes(&mut axes);
    let places = axes.map(|axis| -axis.dot(center));
    let (mut point, mut deepest) = (center, (f64::NEG_INFINITY, DVec3::ZERO));
    // This is the vector from the box to the origin along its axes. However short it is, no point of the box is in
    // front of the plane perpendicular to it.
    let mut away = DVec3::ZERO;
    for ((axis, place), length) in axes.into_iter().zip(places).zip(lengths) {
        let over = place.abs() - length;
        let towards = if place < 0.0 { -axis } else { axis };
        point += axis * smaller(larger(place, -length), length);
        away += towards * larger(over, 0.0);
        if over > deepest.0 {
            deepest = (over, towards);
        }
    }
    let (height, face) = deepest;
    if height > 0.0 {
        let normal = unit(away).unwrap_or(face);
        return Some(NearestPoint { normal, ..NearestPoint::outside(point, face) });
    }
    Some(NearestPoint::inside(-height, face))
}

/// Replaces the zero axes of a box, whose edges have no length, by directions perpendicular to the other axes.
fn fill_axes(axes: &mut [DVec3; 3]) {
    for number in 0..3 {
        if axes[number] != DVec3::ZERO {
            continue;
        }
        let (next, last) = (axes[(number + 1) % 3], axes[(number + 2) % 3]);
        axes[number] = match (next != DVec3::ZERO, last != DVec3::ZERO) {
            (true, true) => unit(across(next, last)).unwrap_or_else(|| next.any_orthonormal_vector()),
            (true, false) => next.any_orthonormal_vector(),
            (false, true) => last.any_orthonormal_vector(),
            (false, false) => DVec3::AXES[number],
        };
    }
}

/// Returns the nearest point of a hull: from outside by its triangles, from inside by the planes of its faces.
fn of_hull(hull: &ConvexHull, to_world: &DAffine3, (piece, limit): (&ConvexPart<'_>, f64)) -> NearestPoint {
    let mirrors = to_world.matrix3.determinant() < 0.0;
    let corners = |triangle: u32| {
        let local = hull.mesh().triangle(triangle)?;
        Some(local.map(|corner: Vec3| to_world.transform_point3(corner.as_dvec3())))
    };
    let nearer = |best: Option<NearestPoint>, triangles: &mut dyn Iterator<Item = u32>| {
        let with_corners = triangles.filter_map(|triangle| Some((triangle, corners(triangle)?)));
        let spots = with_corners.map(|(triangle, corners)| of_triangle(corners, triangle, mirrors));
        best.into_iter().chain(spots).reduce(|best, spot| if spot.distance < best.distance { spot } else { best })
    };
    let (mut deepest, mut nearest): (Option<(f64, DVec3)>, Option<NearestPoint>) = (None, None);
    let (mut is_above, mut is_complete) = (false, true);
    for face in 0..hull.face_count() {
        let Some((on_it, normal)) = plane_of(hull.triangles_of(face).filter_map(corners), mirrors) else {
            is_complete = false;
            nearest = nearer(nearest, &mut hull.triangles_of(face));
            continue;
        };
        let above = -normal.dot(on_it);
        if deepest.is_none_or(|(height, _)| above > height) {
            deepest = Some((above, normal));
        }
        if above > 0.0 {
            is_above = true;
            nearest = nearer(nearest, &mut hull.triangles_of(face));
        }
    }
    match (nearest, deepest) {
        (Some(spot), deepest) if is_above => {
            // The direction between points whose distance is within rounding is meaningless.
            let is_near = spot.distance <= 16.0 * UNIT_ROUNDOFF * piece.reach();
            let normal = deepest.filter(|_| is_near).map_or(spot.normal, |(_, normal)| normal);
            NearestPoint { normal, feature: Feature::Face, triangle: None, ..spot }
        }
        (_, Some((height, normal))) if is_complete => NearestPoint::inside(-height, normal),
        _ => {
            let mut all = (0..hull.face_count()).flat_map(|face| hull.triangles_of(face));
            nearer(None, &mut all).map_or_else(|| of_convex(piece, limit), |spot| of_faint_hull(spot, piece))
        }
    }
}

/// Completes the nearest point of all triangles of a hull, if the planes of the triangles do not decide whether the
/// origin is inside. Then some triangles are needles within the accuracy of their coordinates, and all others have the
/// origin behind them.
fn of_faint_hull(spot: NearestPoint, piece: &ConvexPart<'_>) -> NearestPoint {
    if is_apart(piece) {
        return NearestPoint { feature: Feature::Face, triangle: None, ..spot };
    }
    NearestPoint::inside(spot.distance, unit(spot.point).unwrap_or(spot.normal))
}

/// Returns whether a plane separates the origin from a part without its radius.
fn is_apart(piece: &ConvexPart<'_>) -> bool {
    let found = separate(&ConvexCore::Point(DVec3::ZERO), &piece.core, 0.0);
    found.normal.is_some() && found.least > RESOLUTION * piece.reach()
}

/// Returns a corner and the outward normal of a face, by the largest of its triangles.
fn plane_of(triangles: impl Iterator<Item = [DVec3; 3]>, mirrors: bool) -> Option<(DVec3, DVec3)> {
    let area = |[a, b, c]: &[DVec3; 3]| (*b - *a).cross(*c - *a).length_squared();
    let [a, b, c] = triangles.max_by(|a, b| area(a).total_cmp(&area(b)))?;
    let normal = plane_normal(b - a, c - a)?;
    Some((a, if mirrors { -normal } else { normal }))
}

/// Returns the nearest point of a shape that is given by its support function.
///
/// If the nearest point is farther than the limit, any point farther than the limit may be returned. Only a plane that separates the origin from the
/// shape proves that the origin is outside. The computed distance does not, because for a flat simplex it is a little
/// above 0 at places inside. Without such a plane, the separation decides.
fn of_convex(piece: &ConvexPart<'_>, limit: f64) -> NearestPoint {
    let origin = ConvexPart::new(ConvexCore::Point(DVec3::ZERO), 0.0);
    let resolution = RESOLUTION * piece.reach();
    let found = separate(&origin.core, &piece.core, 0.0);
    let outside = || {
        let gap = Distance::between(&origin, piece);
        if gap.clearance > 0.0 {
            return NearestPoint::outside(gap.points[1], -gap.normal);
        }
        NearestPoint::at_radius(gap.cores[1], piece.radius, DVec3::Y)
    };
    if found.normal.is_some() && found.least > resolution {
        return outside();
    }
    let farthest = |direction: DVec3| SupportPoint { at: piece.core.farthest(direction), core: DVec3::ZERO };
    match minimum_translation(&farthest, resolution, [ANY, limit - piece.radius], &SearchBudget::of_question()) {
        Some(way) if way.depth < 0.0 && found.nearest.at != DVec3::ZERO => outside(),
        Some(way) => NearestPoint::inside(way.depth.max(0.0) + piece.radius, way.normal),
        None => NearestPoint::at_radius(DVec3::ZERO, piece.radius, DVec3::Y),
    }
}
