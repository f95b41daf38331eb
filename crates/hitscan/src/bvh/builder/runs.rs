//! Rows of boxes, divided into runs at the least cost, by dynamic programming.

use super::bounds::{Bounds, half_areas};
use crate::float::smaller;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;
use glam::{Vec4, Vec4Swizzles};

const QUAD: usize = 4;

/// What a run of 1, 2, ... `QUADS` times four boxes costs: by what the area of the box around it is multiplied, and what is added to that.
/// None has negative cost.
#[derive(Clone, Copy)]
pub(super) struct Prices<const QUADS: usize> {
    pub(super) areas: [Vec4; QUADS],
    pub(super) runs: [Vec4; QUADS],
}

/// A row that was divided.
pub(super) struct Runs {
    /// After as many empty ones as a run may have boxes, but for one.
    boxes: Vec<Bounds>,
    padding: usize,
    /// How long each is, the last first.
    lengths: Vec<u8>,
}

impl Runs {
    /// Of equal costs the one with the longest runs at the end.
    pub(super) fn cheapest<const QUADS: usize>(
        row: impl ExactSizeIterator<Item = Bounds>,
        prices: impl FnOnce(&[Bounds]) -> Prices<QUADS>,
    ) -> Self {
        let most = QUADS * QUAD;
        let padding = most - 1;
        // As if others came before them, so that every run could be the longest.
        let mut boxes = Vec::with_capacity(padding + row.len());
        boxes.resize(padding, Bounds::EMPTY);
        boxes.extend(row);
        let prices = prices(&boxes[padding..]);
        // Of the cheapest run that ends there.
        let mut lengths_at = vec![0; boxes.len() - padding];
        let mut before = Before::<QUADS>::ROW;
        for (length, last) in lengths_at.iter_mut().zip(boxes.windows(most)) {
            *length = before.add(prices.of_last(last));
        }
        let mut lengths = Vec::with_capacity(lengths_at.len());
        while let Some(&length) = lengths_at.last() {
            lengths.push(length);
            lengths_at.truncate(lengths_at.len() - length as usize);
        }
        Self { boxes, padding, lengths }
    }

    pub(super) fn len(&self) -> usize {
        self.lengths.len()
    }

    /// The places of each one's boxes, and the box around them.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Range<usize>, Bounds)> {
        let mut end = self.padding;
        self.lengths.iter().rev().map(move |&length| {
            let start = end;
            end += length as usize;
            let bounds = self.boxes[start..end].iter().fold(Bounds::EMPTY, |all, own| all.union(own));
            (start - self.padding..end - self.padding, bounds)
        })
    }
}

impl<const QUADS: usize> Prices<QUADS> {
    /// Of the runs of the last 1, 2, ... of these.
    // Loops, as the closures of `array::from_fn` are called and not inlined here: that took twice as long.
    #[inline(always)]
    fn of_last(&self, boxes: &[Bounds]) -> [Vec4; QUADS] {
        let mut costs = self.runs;
        let mut all = Bounds::EMPTY;
        let mut from_end = boxes.iter().rev();
        for (cost, areas) in costs.iter_mut().zip(&self.areas) {
            let mut unions = [Bounds::EMPTY; QUAD];
            for (union, bounds) in unions.iter_mut().zip(&mut from_end) {
                all = all.union(bounds);
                *union = all;
            }
            *cost += half_areas(unions) * *areas;
        }
        costs
    }
}

/// What everything before the last 1, 2, ... boxes costs at the least.
///
/// In f32: of costs that differ by less than what a row's sum rounds, either will do. They are sums and products of sizes of boxes: never NaN nor -0, which platforms would compare
/// and order in ways of their own.
struct Before<const QUADS: usize> {
    /// Of the last one. By itself, as the next one waits for it alone.
    one: f32,
    /// Of the others, in their lanes. Too much in the first lane, and where no run begins.
    more: [Vec4; QUADS],
}

impl<const QUADS: usize> Before<QUADS> {
    /// No run begins before the row.
    const ROW: Self = Self { one: 0.0, more: [Vec4::INFINITY; QUADS] };

    /// Given what runs of the last 1, 2, ... boxes cost, how long the cheapest is that ends here; of equal costs the longest. Then one more box is the last.
    #[inline(always)]
    fn add(&mut self, mut costs: [Vec4; QUADS]) -> u8 {
        let one = self.one + costs[0].x;
        let mut least = Vec4::INFINITY;
        for (cost, before) in costs.iter_mut().zip(&self.more) {
            *cost += *before;
            least = least.min(*cost);
        }
        let least = least.min(least.zwxy());
        let least = smaller(one, least.min(least.yxwz()).x);
        costs[0].x = one;
        let (mut are_least, mut next) = (0, self.one);
        for (quad, (cost, more)) in costs.iter().zip(&mut self.more).enumerate() {
            are_least |= cost.cmpeq(Vec4::splat(least)).bitmask() << (QUAD * quad);
            let [x, y, z, w] = more.to_array();
            *more = if quad == 0 { Vec4::new(f32::INFINITY, next, y, z) } else { Vec4::new(next, x, y, z) };
            next = w;
        }
        self.one = least;
        // Never 0, which would not be a run.
        are_least.checked_ilog2().map_or(1, |last| last as u8 + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::array::from_fn;
    use glam::Vec4;
    use proptest::prelude::*;

    fn bounds([x, y, width, height]: [u8; 4]) -> Bounds {
        let low = Vec4::new(f32::from(x), f32::from(y), 0.0, 0.0);
        Bounds { low, high: low + Vec4::new(f32::from(width), f32::from(height), 1.0, 0.0) }
    }

    /// The least cost of all divisions of a row, each looked at by itself. Small whole numbers: all sums are exact.
    fn least(row: &[Bounds], prices: &[(f32, f32)]) -> f32 {
        let first = |length: usize| {
            let all = row[..length].iter().fold(Bounds::EMPTY, |all, own| all.union(own));
            let (area, run) = prices[length - 1];
            all.half_area() * area + run + least(&row[length..], prices)
        };
        (1..=row.len().min(prices.len())).map(first).reduce(f32::min).unwrap_or(0.0)
    }

    fn check<const QUADS: usize>(boxes: &[[u8; 4]], prices: &[(u8, u8)]) {
        let row: Vec<Bounds> = boxes.iter().map(|&own| bounds(own)).collect();
        let prices: Vec<(f32, f32)> =
            prices[..QUADS * QUAD].iter().map(|&(area, run)| (area.into(), run.into())).collect();
        let price =
            |of: fn(&(f32, f32)) -> f32| from_fn(|quad| Vec4::from_array(from_fn(|i| of(&prices[quad * QUAD + i]))));
        let runs = Runs::cheapest(row.iter().copied(), |seen| {
            assert_eq!(seen, row);
            Prices::<QUADS> { areas: price(|price| price.0), runs: price(|price| price.1) }
        });
        let mut end = 0;
        let mut cost = 0.0;
        for (range, around) in runs.iter() {
            assert_eq!(range.start, end);
            end = range.end;
            assert_eq!(around, row[range.clone()].iter().fold(Bounds::EMPTY, |all, own| all.union(own)));
            let (area, run) = prices[range.len() - 1];
            cost += around.half_area() * area + run;
        }
        assert_eq!((end, cost), (row.len(), least(&row, &prices)));
    }

    proptest! {
        #[test]
        fn no_division_costs_less(
            boxes in prop::collection::vec(prop::array::uniform4(0u8..9), 0..13),
            prices in prop::collection::vec((0u8..4, 0u8..50), 2 * QUAD),
        ) {
            check::<1>(&boxes, &prices);
            check::<2>(&boxes, &prices);
        }
    }

    #[test]
    fn of_equal_costs_the_longest_runs() {
        let prices = |_: &[Bounds]| Prices { areas: [Vec4::ZERO], runs: [Vec4::ZERO] };
        let runs = Runs::cheapest(vec![bounds([0, 0, 1, 1]); 10].into_iter(), prices);
        let lengths: Vec<usize> = runs.iter().map(|(range, _)| range.len()).collect();
        assert_eq!(lengths, [2, 4, 4]);
    }
}
