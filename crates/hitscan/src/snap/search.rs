//! The search for the points that a cursor snaps to.

use super::candidate::{CrossedEdge, SnapCandidate, SnapFeature};
use super::cursor::{Cursor, Hidden};
use super::feature::{EdgePoint, NearEdge};
use super::feature_queue::{QueueOrder, Wanted};
use super::kind::{Snap, SnapKind, SnapTarget};
use super::reach::{Reach, Spot};
use super::visibility::Sight;
use super::{crossings, flat_face};
use crate::collections::sort::SharedSort;
use crate::query::{Hit, RayQueries, SightView, View};
use crate::scene::Part;
use alloc::vec::Vec;
use core::hash::Hash;
use glam::{DVec2, DVec3};

/// One question of a cursor to a view. All its coordinates are in world space.
pub(super) struct SnapSearch<'c, 'a, K> {
    cursor: &'c Cursor,
    sight: SightView<'a, K>,
    /// The view that selects the targets.
    pub(super) view: View<'a, K>,
    /// The view that selects the occluders.
    hiding: View<'a, K>,
    pub(super) reach: Reach,
    start: Option<DVec3>,
}

impl<'c, 'a, K: Clone + Eq + Hash + 'a> SnapSearch<'c, 'a, K> {
    pub(super) fn new(cursor: &'c Cursor, sight: SightView<'a, K>) -> Option<Self> {
        let (view, hiding) = (sight.wanted, sight.hiding());
        let reach = cursor.reach.filter(|_| view.origin.is_finite())?.relative_to(view.origin);
        Some(Self { cursor, sight, view, hiding, reach, start: cursor.start.map(|start| start + view.origin) })
    }

    pub(super) fn nearest(&self, kinds: &[SnapKind]) -> Option<Snap<K>> {
        let front = self.cursor.depth_tolerance.map(|tolerance| self.least_depth(kinds) + tolerance);
        // Farther candidates come last, so none of them is first. The nearest candidate is not farther.
        let farthest = front.unwrap_or(f64::INFINITY);
        self.snap(&asked(kinds).find_map(|kind| self.first(kind, farthest))?)
    }

    pub(super) fn all(&self, kinds: &[SnapKind], snaps: &mut Vec<Snap<K>>) {
        let mut found = self.all_candidates(kinds);
        let depths = found.iter().filter(|candidate| is_on_something(candidate)).map(|candidate| candidate.spot.depth);
        let front = depths.min_by(f64::total_cmp);
        self.sort(&mut found, front);
        snaps.extend(found.iter().filter_map(|candidate| self.snap(candidate)));
    }

    /// Returns the accepted candidates of these kinds, in no particular order.
    fn all_candidates(&self, kinds: &[SnapKind]) -> Vec<SnapCandidate<'a>> {
        let mut found = Vec::new();
        for kind in asked(kinds) {
            match self.edge_point(kind) {
                Some(point) => {
                    let edges = self.all_edges(point);
                    found.extend(edges.iter().filter_map(|edge| self.seen_on_edge(kind, edge)));
                }
                None => found.extend(self.listed(kind).into_iter().filter(|candidate| self.counts(candidate))),
            }
        }
        found
    }

    /// Returns the first accepted candidate of a kind that is not farther than a depth.
    fn first(&self, kind: SnapKind, farthest: f64) -> Option<SnapCandidate<'a>> {
        match self.edge_point(kind) {
            _ if kind == SnapKind::Vertex => self.first_vertex(farthest),
            Some(point) => self.first_on_edge(kind, point, farthest),
            None => self.first_of(self.listed(kind), farthest),
        }
    }

    /// Returns the least depth of all candidates of these kinds that take part and belong to an entity. Returns infinity if there are none.
    fn least_depth(&self, kinds: &[SnapKind]) -> f64 {
        let on_something = asked(kinds).filter(|&kind| kind != SnapKind::Axis);
        on_something.fold(f64::INFINITY, |limit, kind| match self.edge_point(kind) {
            _ if kind == SnapKind::Vertex => self.least_vertex_depth(limit),
            Some(point) => self.least_edge_depth(kind, point, limit),
            None => {
                let mut found = self.listed(kind);
                found.retain(|candidate| candidate.spot.depth < limit);
                found.sort_shared_by(|a, b| a.spot.depth.total_cmp(&b.spot.depth));
                found.iter().find(|candidate| self.counts(candidate)).map_or(limit, |first| first.spot.depth)
            }
        })
    }

    /// Returns the point of an edge that a kind asks for. Returns `None` if the kind does not concern a single edge, or if its start point is missing.
    fn edge_point(&self, kind: SnapKind) -> Option<EdgePoint> {
        match kind {
            SnapKind::Midpoint => Some(EdgePoint::Middle),
            SnapKind::Perpendicular => self.start.map(EdgePoint::Foot),
            SnapKind::Edge => Some(EdgePoint::Nearest),
            _ => None,
        }
    }

    /// Returns all candidates of a kind that is not about one edge, including hidden candidates.
    fn listed(&self, kind: SnapKind) -> Vec<SnapCandidate<'a>> {
        match kind {
            SnapKind::Vertex => self.all_vertices(),
            SnapKind::Center => self.centers(),
            SnapKind::Crossing => crossings::crossings_in_reach(&self.all_edges(EdgePoint::Nearest), &self.reach),
            SnapKind::Axis => (0..3).filter_map(|axis| self.on_axis(axis)).collect(),
            SnapKind::Face => self.faces(),
            SnapKind::Midpoint | SnapKind::Perpendicular | SnapKind::Edge => Vec::new(),
        }
    }

    fn all_vertices(&self) -> Vec<SnapCandidate<'a>> {
        let (mut queue, mut found) = (self.queue(Wanted::Vertices, QueueOrder::Pixels), Vec::new());
        while queue.first_key(f64::INFINITY).is_some() {
            found.extend(queue.take_vertices().iter().map(SnapCandidate::of_vertex));
        }
        found
    }

    fn all_edges(&self, point: EdgePoint) -> Vec<NearEdge<'a>> {
        let (mut queue, mut found) = (self.queue(Wanted::Edges(point), QueueOrder::Pixels), Vec::new());
        while queue.first_key(f64::INFINITY).is_some() {
            found.append(&mut queue.take_edges());
        }
        found
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
            // A ray along a face, or through a side inside of it, may hit several of its triangles.
            let feature = SnapFeature::Face { part, triangle: Some(triangle), hit: 0 };
            Some(SnapCandidate { kind: SnapKind::Center, spot, feature, crossed: None })
        };
        let mut found: Vec<_> = self.hits().into_iter().filter_map(center).collect();
        found.sort_shared_by(SnapCandidate::compare);
        found.dedup_by(|a, b| a.compare(b).is_eq());
        found
    }

    /// Returns the accepted hits of the ray under the cursor.
    fn hits(&self) -> Vec<Hit<K>> {
        if !self.reach.shows(DVec2::ZERO) {
            return Vec::new();
        }
        let eye = self.cursor.camera.position();
        let ray = self.cursor.camera.relative_to(eye).ray(self.cursor.pixel, self.cursor.viewport);
        let rays = self.sight.cut_outs(self.cursor.cut_outs).moved_by(eye);
        let mut hits = Vec::new();
        match self.cursor.hidden {
            Hidden::Skip => rays.seen_hits(&ray, &mut hits),
            Hidden::Keep => rays.wanted.cast_all(&ray, &mut hits),
        }
        hits
    }

    /// Returns whether a candidate is visible, or hidden candidates are accepted.
    pub(super) fn counts(&self, candidate: &SnapCandidate<'a>) -> bool {
        let may_be_hidden = self.cursor.hidden == Hidden::Keep;
        may_be_hidden || matches!(candidate.kind, SnapKind::Axis | SnapKind::Face) || {
            let is_seen = |crossed: CrossedEdge<'_>| {
                !crossed.beside.into_iter().all(|point| self.is_hidden(point, crossed.feature.part()))
            };
            !self.is_hidden(candidate.spot.point, candidate.feature.part()) && candidate.crossed.is_none_or(is_seen)
        }
    }

    /// Returns whether a surface hides a point of a part.
    pub(super) fn is_hidden(&self, point: DVec3, part: Option<&Part>) -> bool {
        self.sight().is_hidden(point, part)
    }

    pub(super) fn sight(&self) -> Sight<'_, 'a, K> {
        Sight { view: &self.hiding, reach: &self.reach, cut_outs: self.cursor.cut_outs }
    }

    /// Returns the first accepted candidate of a kind that is not farther than a depth. Only few of the
    /// candidates are tested for visibility.
    pub(super) fn first_of(&self, mut found: Vec<SnapCandidate<'a>>, farthest: f64) -> Option<SnapCandidate<'a>> {
        found.retain(|candidate| candidate.spot.depth <= farthest);
        found.sort_shared_by(SnapCandidate::compare);
        found.into_iter().find(|candidate| self.counts(candidate))
    }

    /// Sorts candidates, given the least depth of all accepted ones.
    fn sort(&self, found: &mut [SnapCandidate<'a>], front: Option<f64>) {
        let farthest = front.zip(self.cursor.depth_tolerance).map(|(front, tolerance)| front + tolerance);
        let is_behind =
            |candidate: &SnapCandidate<'_>| farthest.is_some_and(|farthest| candidate.spot.depth > farthest);
        found.sort_shared_by(|a, b| is_behind(a).cmp(&is_behind(b)).then_with(|| a.compare(b)));
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

/// Iterates over these kinds in the order of their priority, each once.
fn asked(kinds: &[SnapKind]) -> impl Iterator<Item = SnapKind> {
    SnapKind::ALL.into_iter().filter(|kind| kinds.contains(kind))
}

/// Returns whether a candidate belongs to an entity. The depth tolerance is measured from the nearest such candidate: a point on an axis may be anywhere.
fn is_on_something(candidate: &SnapCandidate<'_>) -> bool {
    candidate.kind != SnapKind::Axis
}
