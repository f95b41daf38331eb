//! Rows of boxes, divided into runs at the least cost, by dynamic programming.

use super::bounds::{Bounds, half_areas};
use alloc::vec::Vec;
use core::array::from_fn;
use core::ops::Range;
use glam::Vec4;

const QUAD: usize = 4;
/// More than a row may cost.
const FAR: f64 = 1e300;

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
        let mut last_lengths = Vec::with_capacity(boxes.len() - padding);
        // The least cost up to each of the last boxes, the last first; no run begins among those before the row. In f64, so that many
        // runs before them do not swallow small ones.
        let mut before = [[FAR; QUAD]; QUADS];
        before[0][0] = 0.0;
        for last in boxes.windows(most) {
            let costs = prices.of_last(last);
            let cost = |i: usize| before[i / QUAD][i % QUAD] + f64::from(costs[i / QUAD][i % QUAD]);
            let (mut least, mut length) = (cost(most - 1), most as u8);
            for i in (0..most - 1).rev() {
                let cost = cost(i);
                if cost < least {
                    (least, length) = (cost, i as u8 + 1);
                }
            }
            for i in (1..most).rev() {
                before[i / QUAD][i % QUAD] = before[(i - 1) / QUAD][(i - 1) % QUAD];
            }
            before[0][0] = least;
            last_lengths.push(length);
        }
        let mut lengths = Vec::with_capacity(last_lengths.len());
        while let Some(&length) = last_lengths.last() {
            lengths.push(length);
            last_lengths.truncate(last_lengths.len() - length as usize);
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
    #[inline(always)]
    fn of_last(&self, boxes: &[Bounds]) -> [[f32; QUAD]; QUADS] {
        let mut all = Bounds::EMPTY;
        let mut from_end = boxes.iter().rev();
        from_fn(|quad| {
            let unions = from_fn(|_| {
                if let Some(bounds) = from_end.next() {
                    all = all.union(bounds);
                }
                all
            });
            (half_areas(unions) * self.areas[quad] + self.runs[quad]).to_array()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
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
