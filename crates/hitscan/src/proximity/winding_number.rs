//! Decides exactly whether a place is inside a closed mesh, by counting the fronts and backs that lines through the place hit, as for solid intervals.

use super::{PlacedShape, closest};
use crate::collections::sort::SharedSort;
use crate::convex::triangle_plane;
use crate::geom::hit::Side;
use crate::geom::ray::LocalRay;
use crate::geom::transform::Placement;
use crate::math::float::{UNIT_ROUNDOFF, largest};
use crate::mesh::Mesh;
use crate::shape::side_of_plane;
use crate::tri::{FoundTriangle, TriangleSet};
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

/// Tells whether a point is certainly not on a surface.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Clearance {
    /// The point is certainly not on it.
    Certain,
    /// The point may be on the surface: its distance is within rounding.
    Doubtful,
}

impl Clearance {
    pub(crate) fn certain_if(is_certain: bool) -> Self {
        if is_certain { Self::Certain } else { Self::Doubtful }
    }
}

/// Returns the containment of a local point, given the nearest triangle, by lines through the point: some through
/// arbitrary triangles, one through the nearest one, and some along fixed directions. The order only affects the time:
/// in a mesh with many holes, lines through distant triangles reveal a hole more often.
///
/// In a closed mesh, the halves of all lines agree on the number of backs minus the number of fronts ahead, which is the winding number of the point. For a
/// point on the surface they need not agree, because each line puts the point on one side. So the search ends at a triangle that contains the point. The lines
/// of a mesh with a hole agree only if none passes through the hole. No line through the point crosses a triangle whose plane contains the point, so another
/// line tests such a triangle. For a point that is certainly not on the surface, the search ends at the first line that reveals a hole. The halves are cast
/// from the point, because error bounds are smaller there than where a line enters the mesh's bounds. At edges and corners both halves are moved by the same
/// offset, so that they form one line.
pub(crate) fn containment(surface: &Mesh, point: DVec3, nearest: u32, clearance: Clearance) -> Containment {
    let size = size_of(surface);
    let count = surface.triangle_count();
    let sampled = (0..SOME).map(|number| (number * count / SOME) as u32).chain([nearest]);
    let through =
        sampled.filter_map(|triangle| surface.triangle(triangle)).map(|corners| HoleProbe::through(corners, point));
    let (mut winding, mut crossings) = (None, Crossings::default());
    let mut is_closed = true;
    for line in through.chain(ANYWHERE.map(|direction| HoleProbe::AtPoint(direction * size))) {
        match line {
            HoleProbe::Across { middle, normal } => {
                is_closed &= is_left_as_entered(surface, middle, normal, &mut crossings);
            }
            HoleProbe::AtPoint(DVec3::ZERO) => {}
            HoleProbe::AtPoint(direction) => {
                for direction in [direction, -direction] {
                    let half = LocalRay { origin: point, direction, t_min: 0.0, t_max: f32::INFINITY };
                    let Some(ahead) = look(surface, &half, &mut crossings) else { return on_surface(surface, nearest) };
                    is_closed &= *winding.get_or_insert(ahead) == ahead;
                }
            }
        }
        if clearance == Clearance::Certain && !is_closed {
            return Containment::Open;
        }
    }
    match winding {
        Some(winding) if is_closed && winding > 0 => Containment::Inside,
        Some(_) if is_closed => Containment::Outside,
        _ => Containment::Open,
    }
}

/// A line that reveals whether a mesh has a hole.
enum HoleProbe {
    /// A line through the point, by its direction.
    AtPoint(DVec3),
    /// A line along a normal, through the middle of a triangle whose plane contains the point.
    Across { middle: DVec3, normal: DVec3 },
}

impl HoleProbe {
    fn through(corners: [Vec3; 3], point: DVec3) -> Self {
        let middle = middle(corners);
        let is_in_plane = side_of_plane(corners, point) == Ordering::Equal;
        // A needle has no plane, so a line to it crosses other triangles as any line does.
        let normal = is_in_plane.then(|| triangle_plane(corners.map(|corner| corner.as_dvec3()))).flatten();
        normal.map_or(Self::AtPoint(middle - point), |normal| Self::Across { middle, normal })
    }
}

/// Returns whether the line through a point of a mesh along a unit vector leaves the mesh as often as it enters it.
fn is_left_as_entered(surface: &Mesh, point: DVec3, along: DVec3, crossings: &mut Crossings) -> bool {
    // It begins outside of the mesh's bounds.
    let beyond = along * (4.0 * size_of(surface));
    let line = LocalRay { origin: point + beyond, direction: -beyond, t_min: 0.0, t_max: f32::INFINITY };
    look(surface, &line, crossings).is_none_or(|winding| winding == 0)
}

/// Returns the largest extent of a mesh.
fn size_of(surface: &Mesh) -> f64 {
    let bounds = surface.bounds();
    largest((bounds.max.as_dvec3() - bounds.min.as_dvec3()).abs())
}

/// Returns the containment of a local point in a closed mesh. The answer is the same as from [`containment`], except for a point that counts as on the surface
/// only within rounding. `crossings` is a buffer.
pub(crate) fn containment_in_closed(
    surface: &Mesh,
    point: DVec3,
    clearance: Clearance,
    crossings: &mut Crossings,
) -> Containment {
    match winding_by_rays(&[surface], point, clearance, crossings) {
        Some(winding) if winding > 0 => Containment::Inside,
        _ => Containment::Outside,
    }
}

/// Returns the winding number of a local point with respect to surfaces that together are closed. The first surface is the largest. Returns `None` if the point
/// is on one of them.
pub(crate) fn closed_winding(surfaces: [&Mesh; 2], point: DVec3) -> Option<i64> {
    let clearance = Clearance::certain_if(surfaces.iter().all(|surface| surface.is_clear_of(point)));
    winding_by_rays(&surfaces, point, clearance, &mut Crossings::default())
}

/// Returns the winding number by counting crossings of half lines. One half line is enough for a point off the surface. Three perpendicular half lines detect a
/// point on the surface, because no triangle's plane contains all three.
fn winding_by_rays(surfaces: &[&Mesh], point: DVec3, clearance: Clearance, crossings: &mut Crossings) -> Option<i64> {
    let bounds = surfaces.first()?.bounds();
    let (low, high) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
    if !(low.cmple(point).all() && point.cmple(high).all()) {
        return Some(0);
    }
    let size = largest(high - low);
    let all = ANYWHERE.map(|way| way * size);
    let directions = match clearance {
        Clearance::Certain => &[way_out(point, low, high) * size][..],
        Clearance::Doubtful => &all,
    };
    let mut winding = 0;
    for &direction in directions.iter().filter(|way| **way != DVec3::ZERO) {
        let line = LocalRay { origin: point, direction, t_min: 0.0, t_max: f32::INFINITY };
        winding = surfaces.iter().try_fold(0, |sum, surface| Some(sum + look(surface, &line, crossings)?))?;
    }
    Some(winding)
}

/// Returns the direction to the nearest side of a box, turned a little, because models have planes and edges along the axes.
fn way_out(point: DVec3, low: DVec3, high: DVec3) -> DVec3 {
    let (below, above) = (point - low, high - point);
    let axis = below.min(above).min_position();
    let mut way = ANYWHERE[0] / 16.0;
    way[axis] = if below[axis] < above[axis] { -1.0 } else { 1.0 };
    way
}

impl Mesh {
    /// Returns a bound on the error of any distance from a local point, as f64 computes it.
    pub(crate) fn distance_error(&self, point: DVec3) -> f64 {
        let bounds = self.bounds();
        let size = f64::from(bounds.min.abs().max(bounds.max.abs()).max_element());
        ERROR * (size + largest(point))
    }

    /// Returns whether every triangle is so far from a local point that the point cannot be on the surface.
    pub(crate) fn is_clear_of(&self, point: DVec3) -> bool {
        let error = self.distance_error(point);
        // Usually f32 is enough to decide.
        self.is_clear_within(point, 2.0 * error) || {
            let form = PlacedShape::of_surface(self, &Placement::IDENTITY, point.into());
            form.is_none_or(|form| closest(&form, error, None).is_none())
        }
    }
}

/// Returns the containment of a point on the surface, given the nearest triangle: `Outside` for a closed mesh, and `Open` for another one. A point beyond the
/// mesh's bounds is tested for that.
pub(crate) fn on_surface(surface: &Mesh, nearest: u32) -> Containment {
    let beside = surface.bounds().max.as_dvec3() + size_of(surface);
    containment(surface, beside, nearest, Clearance::Doubtful)
}

/// A bound on the error of distances that are computed in f64, relative to coordinates; it is 30 times the derived bound, and a larger one only costs work
/// (docs/robustness/closest-points.md, "Closed meshes").
const ERROR: f64 = 1024.0 * UNIT_ROUNDOFF;
/// Three perpendicular directions, which models do not use.
const ANYWHERE: [DVec3; 3] = [DVec3::new(0.36, 0.48, 0.8), DVec3::new(0.8, -0.6, 0.0), DVec3::new(0.48, 0.64, -0.6)];
/// The capacity for crossings of a half line; few half lines cross more triangles.
const USUAL_CROSSINGS: usize = 64;
/// The number of arbitrary triangles.
const SOME: usize = 4;

/// Returns the middle of a triangle, rounded.
fn middle([a, b, c]: [Vec3; 3]) -> DVec3 {
    (a.as_dvec3() + b.as_dvec3() + c.as_dvec3()) / 3.0
}

/// The triangles that a half line crosses: a buffer that is used again for the next one.
#[derive(Debug, Default)]
pub(crate) struct Crossings(Vec<(u32, Side)>);

/// Returns the number of backs that a half line crosses minus the number of fronts; `None` if a triangle contains the
/// point that the half line begins at.
fn look(surface: &Mesh, line: &LocalRay, Crossings(crossings): &mut Crossings) -> Option<i64> {
    crossings.clear();
    crossings.reserve(USUAL_CROSSINGS);
    let flow = TriangleSet::each(surface, line, 0.0, &[], &mut |found, interior| {
        let Some(along) = along(surface, line, &found) else { return ControlFlow::Break(()) };
        if along == Along::Ahead && surface.is_crossed_at(line, found.triangle, interior) {
            crossings.push((found.triangle, found.verdict.side));
        }
        ControlFlow::Continue(f32::INFINITY)
    });
    if flow.is_break() {
        return None;
    }
    // A triangle may be in several leaves.
    crossings.sort_shared_by_key(|&(triangle, _)| triangle);
    crossings.dedup_by_key(|&mut (triangle, _)| triangle);
    Some(crossings.iter().map(|&(_, side)| if side == Side::Back { 1 } else { -1 }).sum())
}

/// The position of a triangle on a line through a point, relative to the point.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Along {
    Ahead,
    Behind,
}

/// Returns whether a triangle that a line hits is ahead of the point or behind it, decided exactly; `None` if the triangle contains the point.
fn along(surface: &Mesh, line: &LocalRay, found: &FoundTriangle) -> Option<Along> {
    // The value t is rounded once, so it has the true sign unless it is 0.
    let is_ahead = match found.verdict.t.partial_cmp(&0.0)? {
        Ordering::Greater => true,
        Ordering::Less => false,
        Ordering::Equal => {
            let corners = surface.triangle(found.triangle)?;
            match side_of_plane(corners, line.origin) {
                Ordering::Equal => return None,
                above => (above == Ordering::Greater) == (found.verdict.side == Side::Front),
            }
        }
    };
    Some(if is_ahead { Along::Ahead } else { Along::Behind })
}
