//! Tells whether a place is inside of a closed mesh, by the fronts and backs that lines through it hit: exactly, like
//! solid intervals.

use crate::collections::sort::SharedSort;
use crate::geom::hit::Side;
use crate::geom::ray::LocalRay;
use crate::math::exact_predicates;
use crate::math::filtered_predicates::Bounded;
use crate::math::float::largest;
use crate::mesh::Mesh;
use crate::shape::is_crossed;
use crate::tri::TriangleSet;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::ops::ControlFlow;
use glam::{DVec3, Vec3};

/// The position of a point with respect to the object that it is nearest to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Containment {
    /// The point is outside of a solid or a closed mesh, or on its surface. A closed mesh whose triangles face inwards encloses no solid: every point is
    /// outside of it, as no [interval](crate::RayQueries::solid_intervals) is in it.
    Outside,
    /// The point is in the interior of a solid or a closed mesh.
    Inside,
    /// There is no interior: a plane, a quad, a disc, a triangle, a height field and a mesh that is not closed have none.
    Open,
}

impl Containment {
    /// Returns a distance with this sign.
    pub(crate) fn signed(self, distance: f32) -> Option<f32> {
        match self {
            Self::Outside => Some(distance),
            Self::Inside => Some(-distance),
            Self::Open => None,
        }
    }
}

/// Returns where a local point is, given another one on the surface, by lines through the point: one through the other
/// point, some through triangles here and there, and some along fixed directions.
///
/// Each line of a closed mesh hits as many fronts as backs, and all lines agree on how many more backs than fronts are
/// ahead: that is the winding number of the point. They need not agree on the surface, as each line takes the point to
/// one side, so that case is tested first. The lines of a mesh with a hole agree only if none passes through the hole.
pub(crate) fn containment(surface: &Mesh, point: DVec3, on_it: DVec3) -> Containment {
    let bounds = surface.bounds();
    let size = largest((bounds.max.as_dvec3() - bounds.min.as_dvec3()).abs());
    // These are three perpendicular directions, which models do not use.
    let anywhere = [[0.36, 0.48, 0.8], [0.8, -0.6, 0.0], [0.48, 0.64, -0.6]].map(|v| DVec3::from_array(v) * size);
    let count = surface.triangle_count();
    let some = (0..SOME).filter_map(|number| surface.triangle((number * count / SOME) as u32));
    let there = some.map(|corners| middle(corners) - point);
    let towards = [on_it - point].into_iter().chain(there).filter(|towards| *towards != DVec3::ZERO);
    let mut winding = None;
    let mut is_closed = true;
    for direction in towards.chain(anywhere) {
        let line = LocalRay { origin: point, direction, t_min: f32::NEG_INFINITY, t_max: f32::INFINITY };
        let Some(Balance { all, ahead }) = look(surface, &line) else { return on_surface(surface, point) };
        is_closed &= all == 0 && *winding.get_or_insert(ahead) == ahead;
    }
    match winding {
        Some(winding) if is_closed && winding > 0 => Containment::Inside,
        Some(_) if is_closed => Containment::Outside,
        _ => Containment::Open,
    }
}

/// Returns where a local point is that is not on the surface of a closed mesh: the same as [`containment`], by half a
/// line.
pub(crate) fn containment_in_closed(surface: &Mesh, point: DVec3) -> Containment {
    let bounds = surface.bounds();
    let (low, high) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
    // The way out is short away from the middle. It is turned, because models have planes along lines through the middle.
    let aside = DVec3::new(0.36, 0.48, 0.8) * (largest(high - low) / 16.0);
    let outwards = point - (low + high) * 0.5 + aside;
    let direction = if outwards == DVec3::ZERO { aside } else { outwards };
    let line = LocalRay { origin: point, direction, t_min: 0.0, t_max: f32::INFINITY };
    match look(surface, &line) {
        Some(Balance { ahead, .. }) if ahead > 0 => Containment::Inside,
        Some(_) => Containment::Outside,
        None => on_surface(surface, point),
    }
}

/// Returns the position of a point on the surface: it is outside, if there is an inside at all, which is tested at a
/// place beside the mesh.
pub(crate) fn on_surface(surface: &Mesh, point: DVec3) -> Containment {
    let bounds = surface.bounds();
    let beside = bounds.max.as_dvec3() * 2.0 - bounds.min.as_dvec3();
    containment(surface, beside, point)
}

/// The number of triangles here and there.
const SOME: usize = 4;

/// Returns the middle of a triangle, rounded.
pub(crate) fn middle([a, b, c]: [Vec3; 3]) -> DVec3 {
    (a.as_dvec3() + b.as_dvec3() + c.as_dvec3()) / 3.0
}

/// The number of backs minus that of fronts that a line through a point hits: in all, and ahead of the point.
struct Balance {
    all: i64,
    ahead: i64,
}

/// Counts what a line through a point hits; `None` if a triangle contains the point.
fn look(surface: &Mesh, line: &LocalRay) -> Option<Balance> {
    let mut crossings: Vec<(u32, Side, Ordering)> = Vec::new();
    let flow = TriangleSet::each(surface, line, 0.0, &[], &mut |found| {
        if let Some(corners) = surface.triangle(found.triangle).map(|corners| corners.map(|corner| corner.as_dvec3())) {
            let above = side_of_plane(line.origin, corners);
            if above == Ordering::Equal {
                return ControlFlow::Break(());
            }
            if is_crossed(line, corners) {
                crossings.push((found.triangle, found.verdict.side, above));
            }
        }
        ControlFlow::Continue(f32::INFINITY)
    });
    if flow.is_break() {
        return None;
    }
    // A triangle may be in several leaves.
    crossings.sort_shared_by_key(|&(triangle, ..)| triangle);
    crossings.dedup_by_key(|&mut (triangle, ..)| triangle);
    let outwards = |side: Side| if side == Side::Back { 1 } else { -1 };
    let is_ahead = |side: Side, above: Ordering| (above == Ordering::Greater) == (side == Side::Front);
    let all: i64 = crossings.iter().map(|&(_, side, _)| outwards(side)).sum();
    let ahead =
        crossings.iter().filter(|&&(_, side, above)| is_ahead(side, above)).map(|&(_, side, _)| outwards(side)).sum();
    Some(Balance { all, ahead })
}

/// Returns on which side of a triangle's plane a point is, exactly: `Greater` in front of it.
fn side_of_plane(point: DVec3, [a, b, c]: [DVec3; 3]) -> Ordering {
    let (u, v, w) = (b - a, c - a, point - a);
    let value = w.dot(u.cross(v));
    let (x, y, z) = (u.abs(), v.abs(), w.abs());
    let magnitude = z.x * (x.y * y.z + x.z * y.y) + z.y * (x.z * y.x + x.x * y.z) + z.z * (x.x * y.y + x.y * y.x);
    Bounded::new(value, magnitude).sign_or(|| {
        let product =
            |i: usize, j: usize, k: usize, sign: f64| [(point[i], a[i]), (b[j], a[j]), (c[k], a[k]), (sign, 0.0)];
        exact_predicates::sign_of_differences(&[
            product(0, 1, 2, 1.0),
            product(0, 2, 1, -1.0),
            product(1, 2, 0, 1.0),
            product(1, 0, 2, -1.0),
            product(2, 0, 1, 1.0),
            product(2, 1, 0, -1.0),
        ])
    })
}
