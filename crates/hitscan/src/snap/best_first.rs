//! The search for the first candidate of a kind, which does not visit the candidates that come after it.

use super::candidate::SnapCandidate;
use super::edge_walk::{EdgeWalk, Walked};
use super::feature::{EdgePoint, NearEdge};
use super::feature_queue::{FeatureQueue, QueueOrder, Wanted};
use super::kind::SnapKind;
use super::search::SnapSearch;
use crate::collections::ordered::ordered_by_cmp;
use crate::collections::sort::SharedSort;
use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::hash::Hash;

/// Squared distances grow on a walk along an edge. Rounding decreases them by no more than this factor.
const BELOW_ROUNDINGS: f64 = 1.0 - 1.0 / (1u64 << 40) as f64;

impl<'a, K: Clone + Eq + Hash + 'a> SnapSearch<'_, 'a, K> {
    /// Returns the first accepted vertex that is not farther than a depth.
    pub(super) fn first_vertex(&self, farthest: f64) -> Option<SnapCandidate<'a>> {
        let mut queue = self.queue(Wanted::Vertices, QueueOrder::Pixels);
        while queue.first_key(f64::INFINITY).is_some() {
            let same = queue.take_vertices().iter().map(SnapCandidate::of_vertex).collect();
            if let Some(first) = self.first_of(same, farthest) {
                return Some(first);
            }
        }
        None
    }

    /// Returns the first point of a kind on an accepted edge that is not farther than a depth.
    pub(super) fn first_on_edge(&self, kind: SnapKind, point: EdgePoint, farthest: f64) -> Option<SnapCandidate<'a>> {
        let mut queue = self.queue(Wanted::Edges(point), QueueOrder::Pixels);
        let mut waiting = WaitingEdges::default();
        loop {
            let bound = waiting.first_bound();
            let key = queue.first_key(bound.unwrap_or(f64::INFINITY));
            let next = key.or(bound)?;
            while let Some(walk) = pop(&mut waiting.walks, next) {
                self.walk_on(walk, next, &mut waiting);
            }
            let mut same = Vec::new();
            while let Some(seen) = pop(&mut waiting.seen, next) {
                same.push((seen, None));
            }
            if key.is_some() {
                let edges = queue.take_edges().into_iter();
                same.extend(edges.map(|edge| (SnapCandidate::on_edge(kind, &edge, edge.spot), Some(edge))));
            }
            same.sort_shared_by(|(a, _), (b, _)| a.compare(b));
            for (candidate, unseen) in same {
                match unseen.filter(|_| !self.counts(&candidate)) {
                    Some(edge) => {
                        let walk = if kind == SnapKind::Edge { self.walk_along(&edge) } else { None };
                        waiting.walks.extend(walk.map(|edge| Waiting { bound: next, edge }));
                    }
                    None if candidate.spot.depth <= farthest => return Some(candidate),
                    None => {}
                }
            }
        }
    }

    /// Begins a walk along an edge whose nearest point is hidden, unless the whole edge is hidden.
    fn walk_along(&self, edge: &NearEdge<'a>) -> Option<EdgeWalk<'a>> {
        let walk = EdgeWalk::new(edge, &self.reach)?;
        let ends = walk.ends(&self.reach);
        let is_hidden = ends.is_some_and(|ends| self.sight().is_behind_one_triangle(ends, edge.part));
        (!is_hidden).then_some(walk)
    }

    /// Takes a step along an edge that is hidden up to the distance with this square.
    fn walk_on(&self, mut walk: EdgeWalk<'a>, square: f64, waiting: &mut WaitingEdges<'a>) {
        match walk.walk(&self.reach, &|spot, part| self.is_hidden(spot.point, Some(part))) {
            Walked::Over => {}
            Walked::Hidden(to) => {
                waiting.walks.push(Waiting { bound: square.max(to * BELOW_ROUNDINGS), edge: walk });
            }
            Walked::Seen(spot) => {
                let edge = SnapCandidate::on_edge(SnapKind::Edge, &walk.edge, spot);
                waiting.seen.push(Waiting { bound: square.max(spot.square), edge });
            }
        }
    }

    /// Returns the least depth of the accepted vertices, or `limit` if none is nearer.
    pub(super) fn least_vertex_depth(&self, mut limit: f64) -> f64 {
        let mut queue = self.queue(Wanted::Vertices, QueueOrder::Depth);
        while queue.first_key(limit).is_some() {
            let same = queue.take_vertices().iter().map(SnapCandidate::of_vertex).collect();
            limit = self.first_of(same, limit).map_or(limit, |first| first.spot.depth);
        }
        limit
    }

    /// Returns the least depth of the points of a kind on accepted edges, or `limit` if none is nearer.
    pub(super) fn least_edge_depth(&self, kind: SnapKind, point: EdgePoint, mut limit: f64) -> f64 {
        let mut queue = self.queue(Wanted::Edges(point), QueueOrder::Depth);
        while queue.first_key(limit).is_some() {
            let seen = queue.take_edges().into_iter().filter_map(|edge| self.seen_on_edge(kind, &edge));
            limit = seen.map(|candidate| candidate.spot.depth).fold(limit, f64::min);
        }
        limit
    }

    /// Returns the point of a kind on an edge, or the nearest part of the edge that is not hidden.
    pub(super) fn seen_on_edge(&self, kind: SnapKind, edge: &NearEdge<'a>) -> Option<SnapCandidate<'a>> {
        let candidate = SnapCandidate::on_edge(kind, edge, edge.spot);
        if self.counts(&candidate) {
            return Some(candidate);
        }
        let walk = if kind == SnapKind::Edge { self.walk_along(edge)? } else { return None };
        let spot = walk.finish(&self.reach, &|spot, part| self.is_hidden(spot.point, Some(part)))?;
        Some(SnapCandidate { spot, ..candidate })
    }

    pub(super) fn queue(&self, wanted: Wanted, order: QueueOrder) -> FeatureQueue<'_, 'a, K> {
        FeatureQueue::new(&self.view, &self.reach, wanted, order)
    }
}

/// The edges whose nearest point is hidden, and of which a farther part may be visible.
#[derive(Default)]
struct WaitingEdges<'a> {
    /// The edges that are hidden as far as the search has gone.
    walks: BinaryHeap<Waiting<EdgeWalk<'a>>>,
    /// The nearest visible points.
    seen: BinaryHeap<Waiting<SnapCandidate<'a>>>,
}

impl WaitingEdges<'_> {
    fn first_bound(&self) -> Option<f64> {
        let bounds = [self.walks.peek().map(|first| first.bound), self.seen.peek().map(|first| first.bound)];
        bounds.into_iter().flatten().min_by(f64::total_cmp)
    }
}

/// An item with a lower bound of the square of its distance. The item with the least bound is the greatest in the order.
struct Waiting<T> {
    bound: f64,
    edge: T,
}

impl<T> Ord for Waiting<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        other.bound.total_cmp(&self.bound)
    }
}

ordered_by_cmp!(Waiting<T>);

/// Takes the item with the least bound, if that is not above a limit.
fn pop<T>(heap: &mut BinaryHeap<Waiting<T>>, limit: f64) -> Option<T> {
    heap.peek().is_some_and(|first| first.bound <= limit).then(|| heap.pop()).flatten().map(|first| first.edge)
}
