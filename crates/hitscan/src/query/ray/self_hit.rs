//! Rays that leave a surface. This file finds the other surfaces through the point where the ray starts, and decides
//! which of them are ahead.

use super::hit::Hit;
use crate::bvh::QueryBox;
use crate::geom::culling::{CutOuts, Inside};
use crate::geom::hit::Side;
use crate::geom::ray::LocalRay;
use crate::math::float::{UNIT_ROUNDOFF, larger, largest, length, unit};
use crate::query::collect::HitKey;
use crate::query::overlap::proximity_parts::near_parts;
use crate::query::view::{RayView, View};
use crate::scene::{Part, PartGeometry};
use crate::shape::{
    Facet, Heading, PassageEnd, RayDirections, RayStart, RayTest, Shape, SurfacePassage, Vicinity,
    facet_with_barycentrics, passage, triangle_facet, triangle_verdict,
};
use crate::tri::TriangleSet;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::hash::Hash;
use core::ops::ControlFlow;
use glam::{DVec2, DVec3, Vec3};

/// A point at which one ray ended and another starts, with the surfaces that were passed there.
#[derive(Clone, Copy, Debug)]
pub(in crate::query) struct PathCorner {
    /// The last ray of positive length.
    leg: Leg,
    /// The surfaces up to this one, in the order of keys, have been passed at the point.
    passed: Option<SurfaceKey>,
}

/// A ray that reached a point.
#[derive(Clone, Copy, Debug)]
struct Leg {
    origin: DVec3,
    direction: Vec3,
    /// The reported t at which the ray reached the point.
    t: f32,
}

impl Leg {
    /// Returns the ray with a range that contains only the reported t of its end.
    fn end(&self) -> LocalRay {
        LocalRay { origin: self.origin, direction: self.direction.as_dvec3(), t_min: self.t, t_max: self.t }
    }

    /// Returns the largest distance between the end and other points at which the same t is reported.
    fn resolution(&self) -> f64 {
        f64::from(self.t.abs()) * f64::from(f32::EPSILON) * length(self.direction.as_dvec3())
    }
}

/// A [`HitKey`] without t.
type SurfaceKey = (u64, u32, u32);

/// A ray that starts at a hit, with the surfaces that it leaves.
pub(in crate::query) struct LeavingRay<'a> {
    /// The parts through the point; they always include the part that was hit.
    parts: Vec<LeftPart<'a>>,
    point: DVec3,
    /// Hits that are no farther from the point than this are at the same corner.
    cluster: f64,
    corner: PathCorner,
}

/// A part that passes through the point where a ray starts.
pub(in crate::query) struct LeftPart<'a> {
    part: &'a Part,
    /// The position of the ray's start with respect to a shape.
    pub(in crate::query) start: RayStart,
    /// The option for a ray that starts inside a solid, if the hit was on no surface. It replaces the query's option.
    pub(in crate::query) inside: Option<Inside>,
    /// The triangles that pass through the point.
    triangles: Vec<u32>,
    /// The surfaces that are ahead at the point itself.
    pub(in crate::query) ahead: Vec<SurfaceAhead>,
}

/// A surface that passes through the start of a ray and is ahead of the ray.
#[derive(Clone, Copy)]
pub(in crate::query) struct SurfaceAhead {
    pub(in crate::query) side: Side,
    pub(in crate::query) primitive: u32,
    pub(in crate::query) triangle: Option<u32>,
    /// The outward direction in local space, of any length.
    pub(in crate::query) outward: DVec3,
    /// The place of the hit in the world, if it is not where the ray starts.
    pub(in crate::query) point: Option<DVec3>,
    pub(in crate::query) uv: Option<DVec2>,
}

impl LeftPart<'_> {
    /// Returns the triangles that the ray hits only at its start.
    pub(in crate::query) fn triangles(&self) -> &[u32] {
        &self.triangles
    }

    /// Returns whether the ray hits a triangle only at its start.
    pub(in crate::query) fn leaves(&self, triangle: u32) -> bool {
        self.triangles.contains(&triangle)
    }
}

/// The surfaces at the point that are ignored, because the ray has already passed them.
enum PassedSurface {
    Nothing,
    /// The surfaces up to a hit, in the order of hits along the ray that made it.
    UpToHit(LocalRay, HitKey),
    UpTo(SurfaceKey),
}

/// A ray that leaves a hit, with the data that classifies the surfaces around the hit.
struct Departure<'h, 'a, K> {
    hit: &'h Hit<K>,
    /// The part of the entity that was hit.
    part: &'a Part,
    /// The point in the world, and the ray's path through it; `None` if the ray starts elsewhere.
    at: Option<Vicinity>,
    /// The side of the hit surface to which the ray goes.
    leaves_to: Side,
    /// The ray that reached the point.
    leg: Leg,
    /// A bound on the distance between the point and its exact place, without the error from placing nearby parts.
    error: f64,
    /// The factor by which that error may be larger along the surface.
    steepness: f64,
    passed: PassedSurface,
}

impl<'a> LeavingRay<'a> {
    /// Finds the surfaces that a ray in the world leaves at a hit. The ray starts at the hit, but its origin may be rounded,
    /// by at most `rounding`. Returns `None` if the hit surface no longer exists.
    pub(in crate::query) fn new<K: Clone + Eq + Hash>(
        query: &RayView<'a, K>,
        hit: &Hit<K>,
        ray: &LocalRay,
        rounding: DVec3,
    ) -> Option<Self> {
        let View { scene, .. } = query.view;
        let part = scene.part_of(&hit.id, hit.part)?;
        if scene.owner(part)?.revision != hit.revision {
            return None;
        }
        let leaves_to = leaving_to(hit, ray.direction);
        let passes = hit.side != Side::Inside && leaves_to != hit.side;
        let passed = match (&hit.corner, passes) {
            (None, false) => PassedSurface::Nothing,
            (None, true) => PassedSurface::UpToHit(hit.leg(), hit.key),
            (Some(corner), false) => corner.passed.map_or(PassedSurface::Nothing, PassedSurface::UpTo),
            (Some(_), true) => PassedSurface::UpTo(hit.key.surface()),
        };
        let passed_then = match &passed {
            PassedSurface::Nothing => None,
            PassedSurface::UpToHit(_, key) => Some(key.surface()),
            PassedSurface::UpTo(key) => Some(*key),
        };
        let own_leg = Leg { origin: hit.exact_origin, direction: hit.direction, t: hit.key.t };
        let leg = hit.corner.map_or(own_leg, |corner| corner.leg);
        let corner = PathCorner { leg, passed: passed_then };
        let normal = unit(hit.normal.as_dvec3())?;
        let came = -unit(leg.direction.as_dvec3())?;
        let goes = unit(ray.direction)?;
        let error = error_of(part, hit, ray.origin) + length(rounding);
        // If the ray grazes the surface, an error perpendicular to the surface becomes a larger one along it.
        let steepness = 1.0 / larger(came.dot(normal).abs(), LEAST_SINE);
        let is_there = largest((ray.origin - hit.exact_point).abs()) <= error && hit.side != Side::Inside;
        let vicinity = Vicinity::in_world(ray.origin, RayDirections { came, goes }, normal, (error, error * steepness));
        let at = is_there.then_some(vicinity);
        let departure = Departure { hit, part, at, leaves_to, leg, error, steepness, passed };
        let parts = departure.parts(query);
        let cluster = if is_there { 8.0 * error * steepness } else { -1.0 };
        Some(Self { parts, point: ray.origin, cluster, corner })
    }

    /// Returns the surfaces of a part that the ray leaves.
    pub(in crate::query) fn left_part(&self, part: &Part) -> Option<&LeftPart<'a>> {
        self.parts.iter().find(|left| core::ptr::eq(left.part, part))
    }

    /// Returns all parts that pass through the point.
    pub(in crate::query) fn parts(&self) -> impl Iterator<Item = (&'a Part, &LeftPart<'a>)> {
        self.parts.iter().map(|left| (left.part, left))
    }

    /// Returns the surfaces that were passed at the start, for a hit there.
    pub(in crate::query) fn corner(&self) -> PathCorner {
        self.corner
    }

    /// Returns the surfaces that were passed at the start, for a hit at this place; `None` if the place is not at the start.
    pub(in crate::query) fn corner_at(&self, place: DVec3) -> Option<PathCorner> {
        (largest((place - self.point).abs()) <= self.cluster).then_some(self.corner)
    }
}

/// The least sine of the angle between a ray and a surface. Rays that graze a surface at a lower sine are treated as if they had this sine.
const LEAST_SINE: f64 = 1.0 / 1024.0;

/// Returns a bound on the distance, in the world, between a surface and the computed point of a hit on the surface.
/// `origin` is the origin of the ray that starts at that point. The bound is the error of the part's placement, plus
/// the rounding of the ray that made the hit.
fn error_of<K>(part: &Part, hit: &Hit<K>, origin: DVec3) -> f64 {
    let way = hit.exact_origin.abs().max(origin.abs());
    placing_error(part, origin) + 16.0 * UNIT_ROUNDOFF * largest(way)
}

/// Bounds the error, in the world, of transforming a point between the part's space and the world.
fn placing_error(part: &Part, point: DVec3) -> f64 {
    part.slack * larger(largest(point.abs()), largest(part.to_world.translation.abs()))
}

/// Returns the side of a hit surface to which a ray leaves the surface. For a ray along the surface, as in a slide, it is
/// the side that was hit.
fn leaving_to<K>(hit: &Hit<K>, direction: DVec3) -> Side {
    let outwards = direction.dot(hit.normal.as_dvec3());
    // Rounding to f32 has changed each component of the normal by at most 2^-25, and may have changed the direction by
    // 2^-24 of its length. So the dot product of the two is off by less than (sqrt(3) / 2 + 1) 2^-24 < 2^-23 of that
    // length.
    let along = f64::from(f32::EPSILON) * length(direction);
    if outwards.abs() <= along {
        hit.side
    } else if outwards > 0.0 {
        Side::Front
    } else {
        Side::Back
    }
}

impl<'a, K: Clone + Eq + Hash> Departure<'_, 'a, K> {
    fn parts(&self, query: &RayView<'a, K>) -> Vec<LeftPart<'a>> {
        let mut parts = Vec::new();
        if let Some(at) = &self.at {
            let farthest = larger(largest(at.point.abs()), largest(self.part.to_world.translation.abs()));
            let reach = (self.error + query.view.scene.slack() * farthest) * (1.0 + self.steepness);
            let half = DVec3::splat(reach + self.leg.resolution());
            let _ = near_parts(&query.view, (at.point - half, at.point + half), 0.0, &mut |part| {
                parts.extend(self.left(part, at, query.cut_outs));
                ControlFlow::Continue(0.0)
            });
        }
        if !parts.iter().any(|left: &LeftPart<'_>| core::ptr::eq(left.part, self.part)) {
            parts.push(self.left_hit());
        }
        parts
    }

    /// Returns the part that was hit, with the data that follow from the hit alone.
    fn left_hit(&self) -> LeftPart<'a> {
        let heading = if self.leaves_to == Side::Front { Heading::Outwards } else { Heading::Inwards };
        let (start, inside) = match self.hit.side {
            // The hit was on no surface; the next hit is the exit.
            Side::Inside => (RayStart::Anywhere, Some(Inside::Exit)),
            Side::Front | Side::Back => (RayStart::OnSurface(heading), None),
        };
        LeftPart {
            part: self.part,
            start,
            inside,
            triangles: self.hit.triangle.into_iter().collect(),
            ahead: Vec::new(),
        }
    }

    fn is_hit(&self, part: &Part) -> bool {
        core::ptr::eq(part, self.part)
    }

    /// Finds the surfaces of a part that the ray leaves; `None` if the part does not pass through the point.
    fn left<'s>(&self, part: &'s Part, at: &Vicinity, cut_outs: CutOuts) -> Option<LeftPart<'s>> {
        let placing = placing_error(part, at.point);
        let error = self.error + placing;
        let at = Vicinity { error, drift: error * self.steepness, ..*at }.transformed(&part.to_local.affine());
        match &part.geometry {
            PartGeometry::Mesh(mesh) => self.left_surface(part, mesh, &at, cut_outs),
            PartGeometry::HeightField(field) => self.left_surface(part, field, &at, cut_outs),
            PartGeometry::Shape(shape) if is_flat(shape) => self.left_flat(part, shape.test(), &at),
            PartGeometry::Shape(shape) => self.left_solid(part, shape.test(), &at),
            PartGeometry::ConvexHull(hull) => self.left_solid(part, hull, &at),
            // A custom shape does not say where its surfaces are.
            PartGeometry::Custom(_) => None,
            PartGeometry::PointCloud(_) | PartGeometry::Polyline(_) => None,
        }
    }

    /// Returns the side of the hit surface to which the ray goes: `Greater` for the front, `Less` for the back.
    fn leaves(&self) -> Ordering {
        if self.leaves_to == Side::Front { Ordering::Greater } else { Ordering::Less }
    }

    fn left_surface<'s>(
        &self,
        part: &'s Part,
        surface: &'s dyn TriangleSet,
        at: &Vicinity,
        cut_outs: CutOuts,
    ) -> Option<LeftPart<'s>> {
        let mut left =
            LeftPart { part, start: RayStart::Anywhere, inside: None, triangles: Vec::new(), ahead: Vec::new() };
        if self.is_hit(part) {
            left.triangles.extend(self.hit.triangle);
        }
        let (tree, frame) = surface.tree();
        let reach = DVec3::splat(at.reach());
        let weight = DVec3::splat(1.0 / frame.scale);
        let around = QueryBox { low: (at.point - reach) * frame.scale, high: (at.point + reach) * frame.scale, weight };
        let _ = tree.approach(&around, at.reach() * at.reach(), &mut |leaf| {
            surface.leaf(leaf, &mut |number, corners| {
                if left.triangles.contains(&number) {
                    return;
                }
                let corners = corners.map(|corner| corner.as_dvec3());
                let Some(facet) = triangle_facet(at, number, corners) else { return };
                left.triangles.push(number);
                let Some(side) = facet.crossed(at, self.leaves()) else { return };
                let facet = facet_with_barycentrics(facet, at, corners);
                let uv = facet.uv.unwrap_or(DVec2::ZERO).as_vec2();
                let is_hole = cut_outs == CutOuts::Open && surface.has_cut_outs() && surface.is_hole(number, uv);
                let t = |leg: &LocalRay| triangle_verdict(leg, corners).map(|verdict| verdict.t);
                if !is_hole && self.counts(part, number, t) {
                    left.ahead.push(SurfaceAhead::new(&facet, side, number, Some(number)));
                }
            });
            ControlFlow::Continue(at.reach() * at.reach())
        });
        let end = self.leg.end().transformed(&part.to_local.affine());
        let skipped = left.triangles.clone();
        let _ = surface.each(&end, 0.0, &skipped, &mut |found, _| {
            let (point, normal, uv) = surface.surface_at(&end, found);
            if left.triangles.contains(&found.triangle) || !at.is_beyond(point, normal) {
                return ControlFlow::Continue(end.t_max);
            }
            left.triangles.push(found.triangle);
            let facet = Facet::smooth(found.triangle as usize, normal);
            let side = facet.crossed(at, self.leaves());
            let is_hole =
                cut_outs == CutOuts::Open && surface.has_cut_outs() && surface.is_hole(found.triangle, uv.as_vec2());
            if let Some(side) = side.filter(|_| !is_hole && self.counts(part, found.triangle, |_| Some(end.t_max))) {
                let point = Some(part.to_world.transform_point3(point));
                let ahead = SurfaceAhead::new(&facet, side, found.triangle, Some(found.triangle));
                left.ahead.push(SurfaceAhead { point, uv: Some(uv), ..ahead });
            }
            ControlFlow::Continue(end.t_max)
        });
        (!left.triangles.is_empty()).then_some(left)
    }

    fn left_flat<'s>(&self, part: &'s Part, shape: &dyn RayTest, at: &Vicinity) -> Option<LeftPart<'s>> {
        let Some(&facet) = shape.facets(at).first() else { return self.left_by_tie(part, shape, at) };
        let side = facet.crossed(at, self.leaves()).filter(|_| !self.is_hit(part));
        let side = side.filter(|&side| self.counts(part, 0, |leg| t_of(shape, leg, side)));
        Some(LeftPart {
            part,
            // A ray crosses a flat surface only once, so it hits this surface nowhere else.
            start: RayStart::OnSurface(Heading::Outwards),
            inside: None,
            triangles: Vec::new(),
            ahead: side.map(|side| SurfaceAhead::new(&facet, side, 0, None)).into_iter().collect(),
        })
    }

    fn left_solid<'s>(&self, part: &'s Part, solid: &dyn RayTest, at: &Vicinity) -> Option<LeftPart<'s>> {
        let facets = solid.facets(at);
        if facets.is_empty() {
            return self.left_by_tie(part, solid, at);
        }
        let is_hit = self.is_hit(part);
        let came_from =
            is_hit.then_some(if self.hit.side == Side::Back { PassageEnd::Inside } else { PassageEnd::Outside });
        let passage = passage(&facets, at, self.leaves(), came_from);
        let is_passed = is_hit && self.leaves_to != self.hit.side;
        let (heading, met) = match passage {
            SurfacePassage::Outside => (Heading::Outwards, None),
            SurfacePassage::Inside => (Heading::Inwards, None),
            SurfacePassage::Enters(_, PassageEnd::Outside) => (Heading::Outwards, passage.met()),
            SurfacePassage::Enters(_, PassageEnd::Inside) => (Heading::Inwards, passage.met()),
            SurfacePassage::Exits(_) => (Heading::Outwards, passage.met()),
        };
        // If the ray continues on the other side of the surface that it hit, the crossing found here is the crossing of
        // that hit. A ray that leaves the solid outwards has no crossing.
        let met = met.filter(|&(_, side)| !(is_passed || (is_hit && side == Side::Front)));
        let met = met.filter(|&(_, side)| self.counts(part, crossing(side), |leg| t_of(solid, leg, side)));
        let ahead = met.map(|(facet, side)| SurfaceAhead::new(&facets[facet], side, crossing(side), None));
        let start = RayStart::OnSurface(heading);
        Some(LeftPart { part, start, inside: None, triangles: Vec::new(), ahead: ahead.into_iter().collect() })
    }

    /// Finds the surfaces that the ray leaves on a shape that the previous ray hit just before the point. Both hits
    /// have the same reported t, so the order of entities decided which one was returned.
    fn left_by_tie<'s>(&self, part: &'s Part, shape: &dyn RayTest, at: &Vicinity) -> Option<LeftPart<'s>> {
        let end = self.leg.end().transformed(&part.to_local.affine());
        for raw in shape.hits(&end, Inside::Exit, RayStart::Anywhere).iter() {
            let (point, normal) = (shape.surface_point(&end, &raw), shape.outward_normal(&end, &raw));
            if !at.is_beyond(point, normal) || self.is_hit(part) {
                continue;
            }
            let facet = Facet::smooth(raw.feature, normal);
            let crossing = u32::from(raw.crossing);
            let side = facet.crossed(at, self.leaves());
            let side = side.filter(|_| self.counts(part, crossing, |_| Some(raw.t)));
            let point = Some(part.to_world.transform_point3(point));
            let ahead =
                side.map(|side| SurfaceAhead { point, uv: raw.uv, ..SurfaceAhead::new(&facet, side, crossing, None) });
            let goes_in = facet.side_of(at.way.goes) == Ordering::Less;
            let start = RayStart::OnSurface(if goes_in { Heading::Inwards } else { Heading::Outwards });
            return Some(LeftPart {
                part,
                start,
                inside: None,
                triangles: Vec::new(),
                ahead: ahead.into_iter().collect(),
            });
        }
        None
    }

    /// Returns whether a surface that is ahead is hit, because no earlier ray passed it. `t` returns the t of the
    /// surface on the ray that reached the point.
    fn counts(&self, part: &Part, primitive: u32, t: impl FnOnce(&LocalRay) -> Option<f32>) -> bool {
        let surface = (part.order, part.index, primitive);
        match &self.passed {
            PassedSurface::Nothing => true,
            PassedSurface::UpTo(last) => surface > *last,
            PassedSurface::UpToHit(leg, last) => {
                let t = t(&leg.transformed(&part.to_local.affine())).unwrap_or(last.t);
                HitKey::on(part, (t, ()), primitive).cmp(last).is_gt()
            }
        }
    }
}

impl SurfaceAhead {
    fn new(facet: &Facet, side: Side, primitive: u32, triangle: Option<u32>) -> Self {
        Self { side, primitive, triangle, outward: facet.normal, point: None, uv: facet.uv }
    }
}

impl SurfacePassage {
    /// Returns the facet that the ray crosses, and the side from which it crosses.
    fn met(self) -> Option<(usize, Side)> {
        match self {
            Self::Enters(facet, _) => Some((facet, Side::Front)),
            Self::Exits(facet) => Some((facet, Side::Back)),
            Self::Outside | Self::Inside => None,
        }
    }
}

/// Returns the number of a convex solid's crossing on this side: 0 for the entry, 1 for the exit.
fn crossing(side: Side) -> u32 {
    u32::from(side == Side::Back)
}

/// Returns the t at which a line crosses this side of a shape.
fn t_of(shape: &dyn RayTest, line: &LocalRay, side: Side) -> Option<f32> {
    let hits = shape.hits(line, Inside::Exit, RayStart::Anywhere);
    hits.iter().find(|hit| hit.side == side).map(|hit| hit.t)
}

fn is_flat(shape: &Shape) -> bool {
    !shape.is_solid()
}
