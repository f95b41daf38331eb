//! Division of rows of boxes into runs at the least cost, by dynamic programming.

use super::WIDTH;
use super::bounds::Bounds;
use crate::math::float::smaller;
use crate::simd::{Axes, FloatLanes, Select, Simd, SimdBase, SimdMask, difference, dispatch, f32x8, splat};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

/// The largest number of boxes of a run.
const MOST_BOXES: usize = WIDTH;

/// The prices of a run of 1, 2, ... boxes. A price has a factor for half the area of the box around the run, and a
/// constant. No cost is negative, and the cost of a single box is finite.
#[derive(Clone, Copy)]
pub(super) struct RunPrices {
    pub(super) areas: [f32; MOST_BOXES],
    pub(super) runs: [f32; MOST_BOXES],
}

/// A row that was divided.
pub(super) struct Runs {
    boxes: Vec<Bounds>,
    /// The length of each run, the last first.
    lengths: Vec<u8>,
}

impl Runs {
    /// Finds the cheapest runs. Among equal costs, the result has the longest runs at the end.
    pub(super) fn cheapest(
        row: impl ExactSizeIterator<Item = Bounds>,
        prices: impl FnOnce(&[Bounds]) -> RunPrices,
    ) -> Self {
        let boxes: Vec<Bounds> = row.collect();
        let turns = prices(&boxes).turns();
        // These are the lengths of the cheapest run that ends at each box.
        let mut lengths_at = vec![1; boxes.len()];
        {
            let (boxes, lengths, turns) = (&boxes[..], &mut lengths_at[..], &turns);
            dispatch!(simd => find_lengths(simd, turns, boxes, lengths));
        }
        let mut lengths = Vec::with_capacity(lengths_at.len());
        while let Some(&length) = lengths_at.last() {
            lengths.push(length);
            lengths_at.truncate(lengths_at.len() - length as usize);
        }
        Self { boxes, lengths }
    }

    pub(super) fn len(&self) -> usize {
        self.lengths.len()
    }

    /// Iterates over the runs: the range of each run's boxes, and the box around these.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Range<usize>, Bounds)> {
        let mut end = 0;
        self.lengths.iter().rev().map(move |&length| {
            let start = end;
            end += length as usize;
            let bounds = self.boxes[start..end].iter().fold(Bounds::EMPTY, |all, own| all.union(own));
            (start..end, bounds)
        })
    }
}

impl RunPrices {
    /// Returns the amounts by the place of a box in its row, modulo `MOST_BOXES`.
    fn turns(&self) -> [RunCosts; MOST_BOXES] {
        let mut turns =
            [RunCosts { fresh: [f32::NEG_INFINITY; MOST_BOXES], areas: self.areas, runs: self.runs, one: 0.0 };
                MOST_BOXES];
        for (place, turn) in turns.iter_mut().enumerate() {
            turn.fresh[place] = f32::INFINITY;
            for lane in 0..MOST_BOXES {
                let length = (place + MOST_BOXES - lane) % MOST_BOXES;
                (turn.areas[lane], turn.runs[lane]) = (self.areas[length], self.runs[length]);
            }
            turn.one = turn.runs[place];
            turn.runs[place] = f32::INFINITY;
        }
        turns
    }
}

/// The amounts that runs add to a row's cost if they end with a given box, one run in each lane. A run keeps its lane while it grows, so nothing is
/// moved between lanes.
#[derive(Clone, Copy)]
struct RunCosts {
    /// Infinity where a run begins with that box, otherwise minus infinity.
    fresh: [f32; MOST_BOXES],
    areas: [f32; MOST_BOXES],
    /// The prices; infinity for the run of that box alone, which is handled separately.
    runs: [f32; MOST_BOXES],
    /// The price of the run of that box alone.
    one: f32,
}

/// Finds the length of the cheapest run that ends at each of the boxes; among equal costs, the longest.
///
/// This is done in f32. If two costs differ by less than the rounding of a row's sum, either is acceptable. The costs
/// are sums and products of sizes of boxes, and never NaN nor -0. Platforms would compare and order NaN and -0 in
/// different ways. No product is fused with a sum, which not all platforms can do.
// Unrolling the loop over places makes it no faster.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn find_lengths<S: Simd>(simd: S, turns: &[RunCosts; MOST_BOXES], boxes: &[Bounds], lengths: &mut [u8]) {
    // This is the cost of all boxes before each lane's run. It is infinite while the lane has no run. The lane's box
    // then does not matter.
    let mut before = f32x8::splat(simd, f32::INFINITY);
    let (mut low, mut high) = ([f32x8::splat(simd, 0.0); 3], [f32x8::splat(simd, 0.0); 3]);
    // This is the cost of all previous boxes.
    let mut last = 0.0;
    for (boxes, lengths) in boxes.chunks(MOST_BOXES).zip(lengths.chunks_mut(MOST_BOXES)) {
        for (place, ((own, length), turn)) in boxes.iter().zip(lengths).zip(turns).enumerate() {
            let fresh = f32x8::from_slice(simd, &turn.fresh);
            let own_low: Axes<f32x8<S>> = splat(simd, own.low.to_array());
            let own_high: Axes<f32x8<S>> = splat(simd, own.high.to_array());
            for axis in 0..3 {
                low[axis] = low[axis].larger(fresh).smaller(own_low[axis]);
                high[axis] = high[axis].smaller(-fresh).larger(own_high[axis]);
            }
            let [x, y, z] = difference(&high, &low);
            let areas = f32x8::from_slice(simd, &turn.areas) * (x * (y + z) + y * z);
            let costs = f32x8::from_slice(simd, &turn.runs) + areas + before;
            // The run of this box alone is separate, because only its cost depends on the result for the previous box.
            // The other costs need not wait for that result.
            let one = last + (areas.as_slice()[place] + turn.one);
            let least = smaller(one, costs.reduce_min());
            let are_least = costs.simd_eq(f32x8::splat(simd, least)).to_bitmask() as u32;
            // The bits begin with the longest run, which began right after this lane.
            let are_least = (are_least | are_least << MOST_BOXES) >> (place + 1);
            *length = (MOST_BOXES as u32 - are_least.trailing_zeros().min(MOST_BOXES as u32 - 1)) as u8;
            before = fresh.simd_gt(f32x8::splat(simd, 0.0)).select(f32x8::splat(simd, last), before);
            last = least;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::SimdLevel;
    use core::array::from_fn;
    use glam::Vec4;
    use proptest::prelude::*;

    fn bounds([x, y, width, height]: [u8; 4]) -> Bounds {
        let low = Vec4::new(f32::from(x), f32::from(y), 0.0, 0.0);
        Bounds { low, high: low + Vec4::new(f32::from(width), f32::from(height), 1.0, 0.0) }
    }

    /// Returns the least cost of all divisions of a row, each computed separately. The numbers are small and whole: all sums are exact.
    fn least(row: &[Bounds], prices: &[(f32, f32)]) -> f32 {
        let first = |length: usize| {
            let all = row[..length].iter().fold(Bounds::EMPTY, |all, own| all.union(own));
            let (area, run) = prices[length - 1];
            all.half_area() * area + run + least(&row[length..], prices)
        };
        (1..=row.len().min(prices.len())).map(first).reduce(f32::min).unwrap_or(0.0)
    }

    fn check(boxes: &[[u8; 4]], prices: &[(u8, u8)]) {
        let row: Vec<Bounds> = boxes.iter().map(|&own| bounds(own)).collect();
        let prices: Vec<(f32, f32)> = prices.iter().map(|&(area, run)| (area.into(), run.into())).collect();
        let price = |of: fn(&(f32, f32)) -> f32| from_fn(|i| of(&prices[i]));
        let runs = Runs::cheapest(row.iter().copied(), |seen| {
            assert_eq!(seen, row);
            RunPrices { areas: price(|price| price.0), runs: price(|price| price.1) }
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
            boxes in prop::collection::vec(prop::array::uniform4(0u8..9), 0..17),
            prices in prop::collection::vec((0u8..4, 0u8..50), MOST_BOXES),
        ) {
            for level in SimdLevel::available() {
                level.select().unwrap();
                check(&boxes, &prices);
            }
        }

        #[test]
        fn the_same_by_every_instruction_set(corners in prop::collection::vec(prop::array::uniform6(0f32..1.0), 0..200)) {
            let row = corners.iter().map(|&[x, y, z, a, b, c]| {
                Bounds::EMPTY.with(Vec4::new(x, y, z, 0.0)).with(Vec4::new(x + a * 0.1, y + b * 0.1, z + c * 0.1, 0.0))
            });
            let prices = |_: &[Bounds]| RunPrices { areas: [1.0; MOST_BOXES], runs: [0.1; MOST_BOXES] };
            let of_level = |level: SimdLevel| {
                level.select().unwrap();
                Runs::cheapest(row.clone(), prices).lengths
            };
            let all: Vec<Vec<u8>> = SimdLevel::available().map(of_level).collect();
            prop_assert!(all.iter().all(|lengths| lengths == &all[0]), "{all:?}");
        }
    }

    #[test]
    fn of_equal_costs_the_longest_runs() {
        let prices = |_: &[Bounds]| RunPrices { areas: [0.0; MOST_BOXES], runs: [0.0; MOST_BOXES] };
        let runs = Runs::cheapest(vec![bounds([0, 0, 1, 1]); 18].into_iter(), prices);
        let lengths: Vec<usize> = runs.iter().map(|(range, _)| range.len()).collect();
        assert_eq!(lengths, [2, 8, 8]);
    }
}
