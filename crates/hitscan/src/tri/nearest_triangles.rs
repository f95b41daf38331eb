//! The search for the triangles that may be nearest to a point, through a tree with triangles in its leaves, in f32.

use super::leaves::{Leaves, TrianglePlace};
use crate::bvh::{TreePoint, Visitor, take_lowest};
use crate::math::float::smaller;
use crate::simd::{Axes, Simd, f32x8};
use core::ops::ControlFlow;
use glam::Vec3;

/// The callback for a triangle that may be the nearest, given its number and its local corners. It returns the largest distance that matters from now on,
/// as computed in f64 in the tree's coordinates.
pub(crate) type NearestVisitor<'a> = dyn FnMut(u32, [Vec3; 3]) -> f64 + 'a;

/// Says which triangles are accepted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counting {
    /// All triangles with an area are accepted. Triangles that are farther than an upper bound of the distance to one
    /// of them may be skipped.
    All,
    /// Only the visitor knows which triangles are accepted.
    Some,
}

/// Calls `show` with the triangles within a distance that may be nearest to a point, approximately the nearest first, with some more than once. Some of them
/// may have no area.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn show_nearest<S: Simd, L: Leaves>(
    simd: S,
    leaves: &L,
    (point, limit): (&TreePoint, f64),
    counting: Counting,
    show: &mut NearestVisitor<'_>,
) {
    let reach = point.reach_of(limit);
    let mut search = NearestSearch {
        leaves,
        simd,
        point,
        slack: point.slack(),
        place: point.in_lanes(simd),
        reach,
        counting,
        waiting: Candidates::default(),
        show,
    };
    let _ = leaves.tree().around(simd, point, || leaves.row(), TreePoint::limit(reach), &mut search);
    search.show_waiting();
}

struct NearestSearch<'a, 'b, L: Leaves, S: Simd> {
    leaves: &'a L,
    simd: S,
    point: &'a TreePoint,
    slack: f32,
    place: Axes<f32x8<S>>,
    /// Everything that matters is within this distance from the rounded point.
    reach: f32,
    counting: Counting,
    waiting: Candidates,
    show: &'a mut NearestVisitor<'b>,
}

impl<L: Leaves, S: Simd> Visitor for NearestSearch<'_, '_, L, S> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn visit(&mut self, leaf: u32, _: f32, limit: f32) -> ControlFlow<(), f32> {
        let bounds = self.leaves.distances(self.simd, leaf, &self.place, self.reach);
        if bounds.which == 0 {
            return ControlFlow::Continue(limit);
        }
        let before = self.reach;
        if self.counting == Counting::All {
            let mut which = bounds.which;
            while let Some(lane) = take_lowest(&mut which) {
                let reach = TreePoint::reach_by(self.slack, bounds.high[lane]);
                // The comparison is false for NaN.
                if reach < self.reach && self.leaves.has_area(TrianglePlace::new(leaf, lane)) {
                    self.reach = reach;
                }
            }
        }
        let mut which = bounds.which;
        while let Some(lane) = take_lowest(&mut which) {
            // A bound that is NaN says nothing.
            if !(bounds.low[lane] > self.reach) {
                self.wait(bounds.low[lane], TrianglePlace::new(leaf, lane));
            }
        }
        if self.counting == Counting::Some {
            self.show_waiting();
        }
        ControlFlow::Continue(if self.reach < before { smaller(TreePoint::limit(self.reach), limit) } else { limit })
    }
}

impl<L: Leaves, S: Simd> NearestSearch<'_, '_, L, S> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn wait(&mut self, low: f32, place: TrianglePlace) {
        if self.waiting.is_full() {
            self.make_room();
        }
        self.waiting.push(low, place);
    }

    /// Removes the candidates that no longer matter, or shows all if every one matters.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self) {
        self.waiting.keep_up_to(self.reach);
        if self.waiting.is_full() {
            self.show_waiting();
        }
    }

    /// Shows all candidates that matter, approximately the nearest first.
    #[inline(never)]
    fn show_waiting(&mut self) {
        while let Some((low, place)) = self.waiting.take_nearest() {
            if low > self.reach {
                self.waiting = Candidates::default();
                return;
            }
            let (show, mut left) = (&mut *self.show, f64::INFINITY);
            self.leaves.show(place, &mut |triangle, corners| {
                left = smaller(show(triangle, corners), left);
                0.0
            });
            self.reach = smaller(self.point.reach_of(left), self.reach);
        }
    }
}

/// Places of triangles that may be the nearest, with lower bounds of their distances.
struct Candidates {
    keys: [(f32, u32); Self::MOST],
    len: usize,
}

impl Default for Candidates {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn default() -> Self {
        Self { keys: [(0.0, 0); Self::MOST], len: 0 }
    }
}

impl Candidates {
    const MOST: usize = 32;

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn is_full(&self) -> bool {
        self.len == Self::MOST
    }

    /// Adds a place; there must be room. A bound that is NaN is no bound.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn push(&mut self, low: f32, place: TrianglePlace) {
        debug_assert!(!self.is_full());
        self.keys[self.len % Self::MOST] = (if low > 0.0 { low } else { 0.0 }, place.0);
        self.len += 1;
    }

    fn keep_up_to(&mut self, reach: f32) {
        let mut kept = 0;
        for place in 0..self.len {
            if self.keys[place].0 <= reach {
                self.keys[kept] = self.keys[place];
                kept += 1;
            }
        }
        self.len = kept;
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn take_nearest(&mut self) -> Option<(f32, TrianglePlace)> {
        let waiting = self.keys.get_mut(..self.len)?;
        let nearest = (0..waiting.len()).reduce(|a, b| if waiting[b].0 < waiting[a].0 { b } else { a })?;
        let (low, place) = waiting[nearest];
        waiting[nearest] = waiting[self.len - 1];
        self.len -= 1;
        Some((low, TrianglePlace(place)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_are_taken_by_their_bounds() {
        let lows = [3.0, 0.5, f32::NAN, 7.5, -1.0, 2.0];
        let mut waiting = Candidates::default();
        for (low, place) in lows.into_iter().zip(0..) {
            waiting.push(low, TrianglePlace(place));
        }
        waiting.keep_up_to(3.0);
        let mut taken: [u32; 5] = core::array::from_fn(|_| waiting.take_nearest().map_or(u32::MAX, |found| found.1.0));
        taken[..2].sort_unstable();
        assert_eq!((taken, waiting.len), ([2, 4, 1, 5, 0], 0));
    }

    #[test]
    fn no_candidate_is_lost_when_all_places_are_taken() {
        let mut waiting = Candidates::default();
        (0..Candidates::MOST as u32).for_each(|place| waiting.push(place as f32, TrianglePlace(place)));
        assert!(waiting.is_full());
        waiting.keep_up_to(10.0);
        assert_eq!(waiting.len, 11);
    }
}
