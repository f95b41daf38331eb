//! The point of a part's surface that is nearest to the origin, and whether the origin is inside.

use super::expand::way_out;
use super::form::{Flat, Form};
use super::gap::{Gap, RESOLUTION, separate};
use super::piece::{Core, Piece};
use super::placed::Placed;
use super::revolved::Revolved;
use super::ring::{OfArc, Ring};
use crate::float::{larger, length, smaller, sqrt, unit};
use crate::hull::ConvexHull;
use crate::sweep::Feature;
use crate::sweep::closest::point_triangle;
use crate::sweep::gjk::Corner;
use core::ops::ControlFlow;
use glam::{DAffine3, DVec3, Vec3};

/// The nearest point of one part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    /// From the origin; not negative.
    pub(crate) distance: f64,
    pub(crate) point: DVec3,
    /// Outwards, of unit length: from the point to the origin, unless that is inside. Where they are one, that of the surface.
    pub(crate) normal: DVec3,
    pub(crate) feature: Feature,
    pub(crate) triangle: Option<u32>,
    /// Whether the origin is in front of the triangle.
    pub(crate) is_in_front: bool,
    /// Whether it is in the inside of a convex solid or a ring.
    pub(crate) is_inside: bool,
}

impl Spot {
    /// Outside, or on one side of what has none.
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

    /// Inside, so deep below the surface.
    fn inside(depth: f64, outwards: DVec3) -> Self {
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

    /// At a distance from the surface of a core, the rest of the way being a radius.
    fn at_radius(core: DVec3, radius: f64, otherwise: DVec3) -> Self {
        let away = unit(-core).unwrap_or(otherwise);
        let apart = sqrt(core.length_squared());
        if apart >= radius { Self::outside(core + away * radius, away) } else { Self::inside(radius - apart, away) }
    }
}

/// What is asked about a spot that is nearer than all before: whether it counts.
pub(crate) type Counts<'a> = dyn FnMut(&Spot) -> bool + 'a;

/// The nearest spot of a part up to a distance, of those that count; of equally near triangles the lowest.
pub(crate) fn closest(form: &Form<'_>, limit: f64, counts: &mut Counts<'_>) -> Option<Spot> {
    let spot = match form {
        Form::Surface(placed) => return of_surface(placed, limit, counts),
        Form::Convex(piece) => of_piece(piece),
        Form::Plane(flat) => of_plane(flat),
        Form::Ring(ring) => of_ring(ring)?,
    };
    (spot.distance <= limit && counts(&spot)).then_some(spot)
}

fn of_surface(placed: &Placed<'_>, limit: f64, counts: &mut Counts<'_>) -> Option<Spot> {
    let mut best: Option<Spot> = None;
    let mirrors = placed.to_world.matrix3.determinant() < 0.0;
    let _ = placed.near(&Piece::new(Core::Point(DVec3::ZERO), 0.0), limit, &mut |triangle, corners| {
        let spot = of_triangle(corners, triangle, mirrors);
        let is_nearer = |best: &Spot| (spot.distance, triangle) < (best.distance, best.triangle.unwrap_or(u32::MAX));
        if spot.distance <= limit && best.as_ref().is_none_or(is_nearer) && counts(&spot) {
            best = Some(spot);
        }
        ControlFlow::Continue(best.map_or(limit, |best| best.distance))
    });
    best
}

pub(super) fn of_triangle(corners: [DVec3; 3], triangle: u32, mirrors: bool) -> Spot {
    let [a, b, c] = corners;
    let pair = point_triangle(DVec3::ZERO, corners);
    let across = (b - a).cross(c - a);
    let front = if mirrors { -across } else { across };
    let spot = Spot::outside(pair.point, unit(front).unwrap_or(DVec3::ZERO));
    Spot { feature: pair.feature, triangle: Some(triangle), is_in_front: -front.dot(a) >= 0.0, ..spot }
}

fn of_plane(flat: &Flat) -> Spot {
    Spot::outside(flat.normal * flat.height, flat.normal)
}

fn of_piece(piece: &Piece<'_>) -> Spot {
    match &piece.core {
        Core::Point(point) => Spot::at_radius(*point, piece.radius, DVec3::Y),
        Core::Segment([a, b]) => {
            let around = unit(*b - *a).map_or(DVec3::Y, |along| along.any_orthonormal_vector());
            Spot::at_radius(super::gap::on_segment(DVec3::ZERO, *a, *b), piece.radius, around)
        }
        Core::Triangle(corners) => Spot { triangle: None, ..of_triangle(*corners, 0, false) },
        Core::Box { center, half } => of_box(*center, *half).unwrap_or_else(|| of_convex(piece)),
        Core::Hull { hull, to_world } => of_hull(hull, to_world, piece),
        Core::Round { shape, to_world } => match Revolved::new(shape, to_world) {
            Some(revolved) => of_revolved(&revolved),
            None => of_convex(piece),
        },
        Core::Corners(_) | Core::Arc { .. } | Core::Custom { .. } => of_convex(piece),
    }
}

fn of_revolved(revolved: &Revolved) -> Spot {
    let foot = revolved.foot();
    if foot.is_inside {
        let depth = sqrt(foot.point.length_squared());
        return Spot { point: foot.point, ..Spot::inside(depth, unit(foot.point).unwrap_or(foot.normal)) };
    }
    Spot::outside(foot.point, foot.normal)
}

/// Of a box whose edges are at right angles; `None` for others.
fn of_box(center: DVec3, half: [DVec3; 3]) -> Option<Spot> {
    let lengths = half.map(length);
    let product = |a: usize, b: usize| half[a].dot(half[b]).abs() <= 8.0 * f64::EPSILON * lengths[a] * lengths[b];
    if !(product(0, 1) && product(1, 2) && product(2, 0)) {
        return None;
    }
    let mut axes = half.map(|half| unit(half).unwrap_or(DVec3::ZERO));
    fill_axes(&mut axes);
    let places = axes.map(|axis| -axis.dot(center));
    let (mut point, mut deepest, mut is_outside) = (center, (f64::NEG_INFINITY, DVec3::ZERO), false);
    let mut on_it = DVec3::ZERO;
    for ((axis, place), length) in axes.into_iter().zip(places).zip(lengths) {
        let over = place.abs() - length;
        let towards = if place < 0.0 { -axis } else { axis };
        is_outside |= over > 0.0;
        point += axis * smaller(larger(place, -length), length);
        if over > deepest.0 {
            (deepest, on_it) = ((over, towards), towards);
        }
    }
    if is_outside {
        return Some(Spot::outside(point, on_it));
    }
    Some(Spot::inside(-deepest.0, deepest.1))
}

/// Directions for the edges that have none.
fn fill_axes(axes: &mut [DVec3; 3]) {
    for number in 0..3 {
        if axes[number] != DVec3::ZERO {
            continue;
        }
        let (next, last) = (axes[(number + 1) % 3], axes[(number + 2) % 3]);
        axes[number] = match (next != DVec3::ZERO, last != DVec3::ZERO) {
            (true, true) => unit(next.cross(last)).unwrap_or(DVec3::ZERO),
            (true, false) => next.any_orthonormal_vector(),
            (false, true) => last.any_orthonormal_vector(),
            (false, false) => DVec3::AXES[number],
        };
    }
}

/// Of a hull: outside by its triangles, inside by the planes of its faces.
fn of_hull(hull: &ConvexHull, to_world: &DAffine3, piece: &Piece<'_>) -> Spot {
    let mesh = hull.mesh();
    let mirrors = to_world.matrix3.determinant() < 0.0;
    let mut deepest: Option<(f64, DVec3)> = None;
    let mut nearest: Option<Spot> = None;
    for triangle in 0..mesh.triangle_count() as u32 {
        let Some(local) = mesh.triangle(triangle) else { continue };
        let [a, b, c] = local.map(|corner: Vec3| to_world.transform_point3(corner.as_dvec3()));
        let across = (b - a).cross(c - a);
        let Some(normal) = unit(if mirrors { -across } else { across }) else { continue };
        let above = -normal.dot(a);
        if deepest.is_none_or(|(height, _)| above > height) {
            deepest = Some((above, normal));
        }
        if above > 0.0 {
            let spot = of_triangle([a, b, c], triangle, mirrors);
            if nearest.is_none_or(|best| spot.distance < best.distance) {
                nearest = Some(spot);
            }
        }
    }
    match (nearest, deepest) {
        (Some(spot), _) => Spot { feature: Feature::Face, triangle: None, ..spot },
        (None, Some((height, normal))) => Spot::inside(-height, normal),
        (None, None) => of_convex(piece),
    }
}

/// Of what is known by its farthest points.
fn of_convex(piece: &Piece<'_>) -> Spot {
    let origin = Piece::new(Core::Point(DVec3::ZERO), 0.0);
    let resolution = RESOLUTION * piece.reach();
    let found = separate(&origin.core, &piece.core, 0.0);
    if found.normal.is_some() && found.nearest.at.length_squared() > 0.0 {
        let gap = Gap::between(&origin, piece);
        if gap.clearance > 0.0 {
            return Spot::outside(gap.points[1], -gap.normal);
        }
        return Spot::at_radius(gap.cores[1], piece.radius, DVec3::Y);
    }
    let farthest = |direction: DVec3| Corner { at: piece.core.farthest(direction), core: DVec3::ZERO };
    match way_out(&farthest, resolution) {
        Some(way) => Spot::inside(way.depth.max(0.0) + piece.radius, way.normal),
        None => Spot::at_radius(DVec3::ZERO, piece.radius, DVec3::Y),
    }
}

fn of_ring(ring: &Ring<'_>) -> Option<Spot> {
    if let Some(revolved) = Revolved::of_ring(ring) {
        return Some(of_revolved(&revolved));
    }
    if ring.contains_origin() {
        let point = ring.way_out();
        return unit(point).map(|normal| Spot { point, ..Spot::inside(sqrt(point.length_squared()), normal) });
    }
    let origin = Piece::new(Core::Point(DVec3::ZERO), 0.0);
    ring.least(&mut |piece| {
        let gap = Gap::between(&origin, piece);
        let found = Spot::outside(gap.points[1], -gap.normal);
        Some(OfArc { least: gap.nearness(), error: gap.error, point: gap.cores[1], found })
    })
}
