//! The search for the points that a cursor snaps to.

use super::candidate::{CrossedEdge, SnapCandidate, SnapFeature};
use super::cursor::{Cursor, Hidden};
use super::gather::{InReach, NearEdge, Wanted};
use super::kind::{Snap, SnapKind, SnapTarget};
use super::reach::{Reach, Spot};
use super::visibility::Sight;
use super::{crossings, flat_face};
use crate::query::{Hit, RayQueries, View};
use alloc::vec::Vec;
use core::cell::OnceCell;
use core::hash::Hash;
use glam::{DVec2, DVec3};

/// One question of a cursor to a view. Everything in it is in the world.
pub(super) struct SnapSearch<'c, 'a, K> {
    cursor: &'c Cursor,
    view: View<'a, K>,
    reach: Reach,
    start: Option<DVec3>,
}

impl<'c, 'a, K: Clone + Eq + Hash + 'a> SnapSearch<'c, 'a, K> {
    pub(super) fn new(cursor: &'c Cursor, view: View<'a, K>) -> Option<Self> {
        let reach = cursor.reach.filter(|_| view.origin.is_finite())?.relative_to(view.origin);
        Some(Self { cursor, view, reach, start: cursor.start.map(|start| start + view.origin) })
    }

    pub(super) fn nearest(&self, kinds: &[SnapKind]) -> Option<Snap<K>> {
        let first = match self.cursor.depth_tolerance {
            Some(_) => self.first(self.candidates(kinds)),
            None => self.first_by_kind(kinds),
        };
        self.snap(&first?)
    }

    pub(super) fn all(&self, kinds: &[SnapKind], snaps: &mut Vec<Snap<K>>) {
        let mut found = self.candidates(kinds);
        found.retain(|candidate| self.counts(candidate));
        let depths = found.iter().filter(|candidate| is_on_something(candidate)).map(|candidate| candidate.spot.depth);
        let front = depths.min_by(f64::total_cmp);
        self.sort(&mut found, front);
        snaps.extend(found.iter().filter_map(|candidate| self.snap(candidate)));
    }

    /// Returns the candidates of these kinds, in no particular order.
    fn candidates(&self, kinds: &[SnapKind]) -> Vec<SnapCandidate<'a>> {
        let edges = OnceCell::new();
        let asked = SnapKind::ALL.into_iter().filter(|kind| kinds.contains(kind));
        asked.flat_map(|kind| self.candidates_of(kind, &edges)).collect()
    }

    /// Returns the first candidate of the first of these kinds that has one that counts. The kinds that come after it are never computed.
    fn first_by_kind(&self, kinds: &[SnapKind]) -> Option<SnapCandidate<'a>> {
        let edges = OnceCell::new();
        let asked = SnapKind::ALL.into_iter().filter(|kind| kinds.contains(kind));
        asked.map(|kind| self.candidates_of(kind, &edges)).find_map(|found| self.first(found))
    }

    /// Returns the candidates of a kind. The edges in reach are found when a kind first needs them.
    fn candidates_of(&self, kind: SnapKind, edges: &OnceCell<Vec<NearEdge<'a>>>) -> Vec<SnapCandidate<'a>> {
        let in_reach = |vertices, edges| InReach::of(&self.view, &self.reach, Wanted { vertices, edges });
        let edges = || edges.get_or_init(|| in_reach(false, true).edges).iter();
        match kind {
            SnapKind::Vertex => in_reach(true, false).vertices.iter().map(SnapCandidate::of_vertex).collect(),
            SnapKind::Midpoint => edges().filter_map(|edge| self.midpoint(edge)).collect(),
            SnapKind::Center => self.centers(),
            SnapKind::Crossing => {
                let mut found = Vec::new();
                crossings::add(edges().as_slice(), &self.reach, &mut found);
                found
            }
            SnapKind::Perpendicular => edges().filter_map(|edge| self.perpendicular(edge)).collect(),
            SnapKind::Edge => edges().map(|edge| SnapCandidate::on_edge(kind, edge, edge.spot)).collect(),
            SnapKind::Axis => (0..3).filter_map(|axis| self.on_axis(axis)).collect(),
            SnapKind::Face => self.faces(),
        }
    }

    fn midpoint(&self, edge: &NearEdge<'a>) -> Option<SnapCandidate<'a>> {
        let [a, b] = edge.ends;
        Some(SnapCandidate::on_edge(SnapKind::Midpoint, edge, self.reach.point((a + b) * 0.5)?))
    }

    fn perpendicular(&self, edge: &NearEdge<'a>) -> Option<SnapCandidate<'a>> {
        let [a, b] = edge.ends;
        let way = b - a;
        let place = (self.start? - a).dot(way) / way.length_squared();
        let foot = (0.0 < place && place < 1.0).then(|| a + way * place)?;
        Some(SnapCandidate::on_edge(SnapKind::Perpendicular, edge, self.reach.point(foot)?))
    }

    fn on_axis(&self, axis: usize) -> Option<SnapCandidate<'a>> {
        let start = self.start?;
        let spot = self.reach.line([start, start + DVec3::AXES[axis]])?;
        Some(SnapCandidate { kind: SnapKind::Axis, spot, feature: SnapFeature::Axis(axis), crossed: None })
    }

    /// Returns the points of the surfaces under the cursor.
    fn faces(&self) -> Vec<SnapCandidate<'a>> {
        let face = |(number, hit): (u32, Hit<K>)| {
            let part = self.view.scene.part_of(&hit.id, hit.part)?;
            let feature = SnapFeature::Face { part, triangle: hit.triangle, hit: number };
            let point = hit.point_f64();
            let depth = self.reach.map.project(point).depth;
            let spot = Spot { point, offset: DVec2::ZERO, square: 0.0, depth };
            Some(SnapCandidate { kind: SnapKind::Face, spot, feature, crossed: None })
        };
        (0..).zip(self.hits()).filter_map(face).collect()
    }

    /// Returns the centres of the flat faces under the cursor, each once.
    fn centers(&self) -> Vec<SnapCandidate<'a>> {
        let center = |hit: Hit<K>| {
            let part = self.view.scene.part_of(&hit.id, hit.part)?;
            let local = part.to_local.affine().transform_point3(hit.point_f64());
            let (center, triangle) = flat_face::center(&part.geometry, hit.triangle, local)?;
            let spot = self.reach.point(part.to_world.transform_point3(center))?;
            // A ray along a face, or through a side inside of it, may meet several of its triangles.
            let feature = SnapFeature::Face { part, triangle: Some(triangle), hit: 0 };
            Some(SnapCandidate { kind: SnapKind::Center, spot, feature, crossed: None })
        };
        let mut found: Vec<_> = self.hits().into_iter().filter_map(center).collect();
        found.sort_unstable_by(SnapCandidate::compare);
        found.dedup_by(|a, b| a.compare(b).is_eq());
        found
    }

    /// Returns the hits of the ray under the cursor that count.
    fn hits(&self) -> Vec<Hit<K>> {
        if !self.reach.shows(DVec2::ZERO) {
            return Vec::new();
        }
        let eye = self.cursor.camera.position();
        let ray = self.cursor.camera.relative_to(eye).ray(self.cursor.pixel, self.cursor.viewport);
        let rays = self.view.relative_to(self.view.origin + eye).cut_outs(self.cursor.cut_outs);
        let mut hits = Vec::new();
        match self.cursor.hidden {
            Hidden::Skip => hits.extend(rays.cast(&ray)),
            Hidden::Keep => rays.cast_all(&ray, &mut hits),
        }
        hits
    }

    /// Returns whether a candidate is not hidden, or may be.
    fn counts(&self, candidate: &SnapCandidate<'a>) -> bool {
        let may_be_hidden = self.cursor.hidden == Hidden::Keep;
        may_be_hidden || matches!(candidate.kind, SnapKind::Axis | SnapKind::Face) || {
            let sight = Sight { view: &self.view, reach: &self.reach, cut_outs: self.cursor.cut_outs };
            let is_seen = |crossed: CrossedEdge<'_>| {
                !crossed.beside.into_iter().all(|point| sight.is_hidden(point, crossed.feature.part()))
            };
            !sight.is_hidden(candidate.spot.point, candidate.feature.part()) && candidate.crossed.is_none_or(is_seen)
        }
    }

    /// Returns the first candidate that counts. Few of them are asked for whether they are hidden.
    fn first(&self, mut found: Vec<SnapCandidate<'a>>) -> Option<SnapCandidate<'a>> {
        let mut front = None;
        if self.cursor.depth_tolerance.is_some() {
            found.sort_unstable_by(|a, b| a.spot.depth.total_cmp(&b.spot.depth));
            let nearest = found.iter().find(|candidate| is_on_something(candidate) && self.counts(candidate));
            front = nearest.map(|candidate| candidate.spot.depth);
        }
        self.sort(&mut found, front);
        found.into_iter().find(|candidate| self.counts(candidate))
    }

    /// Sorts candidates, given the least depth of all that count.
    fn sort(&self, found: &mut [SnapCandidate<'a>], front: Option<f64>) {
        let farthest = front.zip(self.cursor.depth_tolerance).map(|(front, tolerance)| front + tolerance);
        let is_behind =
            |candidate: &SnapCandidate<'_>| farthest.is_some_and(|farthest| candidate.spot.depth > farthest);
        found.sort_unstable_by(|a, b| is_behind(a).cmp(&is_behind(b)).then_with(|| a.compare(b)));
    }

    fn snap(&self, candidate: &SnapCandidate<'a>) -> Option<Snap<K>> {
        let SnapCandidate { kind, spot, feature, crossed } = candidate;
        let axis = if let SnapFeature::Axis(axis) = feature { Some(DVec3::AXES[*axis]) } else { None };
        Some(Snap {
            kind: *kind,
            point: spot.point - self.view.origin,
            pixel: self.reach.map.window_pixel(spot.offset),
            distance: spot.distance() as f32,
            depth: spot.depth,
            target: if axis.is_some() { None } else { Some(self.target(feature)?) },
            crossed: crossed.and_then(|edge| self.target(&edge.feature)),
            axis,
        })
    }

    fn target(&self, feature: &SnapFeature<'a>) -> Option<SnapTarget<K>> {
        let part = feature.part()?;
        let (triangle, edge, vertex) = match *feature {
            SnapFeature::Vertex { vertex, triangle, .. } => (triangle, None, Some(vertex)),
            SnapFeature::Edge { vertices, triangle, .. } => (triangle, Some(vertices), None),
            SnapFeature::Face { triangle, .. } => (triangle, None, None),
            SnapFeature::Axis(_) => (None, None, None),
        };
        Some(SnapTarget { id: self.view.scene.owner(part)?.key.clone(), part: part.index, triangle, edge, vertex })
    }
}

/// Returns whether a candidate belongs to an entity. The depth tolerance is measured from the nearest of these: a point on an axis may be anywhere.
fn is_on_something(candidate: &SnapCandidate<'_>) -> bool {
    candidate.kind != SnapKind::Axis
}
