//! The choice of splits: the surface area heuristic over equal bins of all three axes (I. Wald, "On fast Construction of SAH-based Bounding Volume
//! Hierarchies", 2007).

use super::LEAF_SIZE;
use super::bounds::{Bounds, half_areas};
use super::negated_min_box::{NegatedMinBox, size};
use super::reference::{self, Reference};
use crate::math::float::smaller;
use crate::parallel;
use crate::simd::{FloatLanes, Simd, dispatch, f32x8};
use core::ops::Range;
use glam::Vec4;

/// Twice as many bins change the expected cost by less than one in a hundred.
const MOST_BINS: usize = 16;
/// The numbers of bins for up to [`FEW`] and for up to [`VERY_FEW`] references. Evaluating more bins would take longer
/// than filling them.
const FEWER_BINS: usize = 8;
const FEW: usize = 24;
const LEAST_BINS: usize = 4;
const VERY_FEW: usize = 8;
/// From this number of references on, every other one goes into a second set of bins.
const WORTH_TWO: usize = 96;
/// More references than this are worth binning on several threads.
const GRAIN: usize = 16_384;

/// The grid of bins: references are assigned by twice their centers, whose spread is divided into equal parts.
#[derive(Clone, Copy)]
pub(super) struct BinGrid<const BINS: usize> {
    /// A point half a bin above the lowest center. The last lane is 1: when it is subtracted from an item's number, which may be subnormal, the number
    /// vanishes. So there is no slow product with a subnormal number.
    base: Vec4,
    /// The number of bins in one unit; 0 along an axis without spread.
    scale: Vec4,
}

/// Added to a number below 2^22, this leaves its nearest integer in the lowest bits. A conversion of each lane takes longer.
const TO_INTEGER: f32 = (1 << 23) as f32;

impl<const BINS: usize> BinGrid<BINS> {
    /// Returns `None` if all middles are equal, or nearly equal.
    fn new(centers: &Bounds) -> Option<Self> {
        let extent = centers.high - centers.low;
        // A spread so small that its inverse is infinite is treated as none.
        let scale = extent.to_array().map(|extent| if extent > 0.0 { BINS as f32 / extent } else { 0.0 });
        let [x, y, z, _] = scale.map(|scale| if scale.is_finite() { scale } else { 0.0 });
        let base = centers.low + extent * (0.5 / BINS as f32);
        (x + y + z > 0.0).then_some(Self { base: base.with_w(1.0), scale: Vec4::new(x, y, z, 0.0) })
    }

    /// Returns the bin by axis, as an integer plus [`TO_INTEGER`]. It increases with the middle, and the lowest and highest middle fall into the first and the
    /// last bin.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn places(&self, reference: &Reference) -> Vec4 {
        let place = (reference.bounds.center() - self.base) * self.scale;
        place.max(Vec4::ZERO).min(Vec4::splat((BINS - 1) as f32)) + Vec4::splat(TO_INTEGER)
    }
}

/// The references on one side of a split.
#[derive(Clone, Copy)]
pub(super) struct SplitSide {
    pub(super) bounds: Bounds,
    pub(super) count: usize,
}

/// Reorders the references around the plane between two bins, the left side first, and returns both sides; `None` if
/// all middles are equal.
pub(super) fn divide(references: &mut [Reference]) -> Option<[SplitSide; 2]> {
    match references.len() {
        0..=VERY_FEW => dispatch!(simd => divide_by::<LEAST_BINS, _>(simd, references)),
        count if count <= FEW => dispatch!(simd => divide_by::<FEWER_BINS, _>(simd, references)),
        _ => dispatch!(simd => divide_by::<MOST_BINS, _>(simd, references)),
    }
}

#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn divide_by<const BINS: usize, S: Simd>(simd: S, references: &mut [Reference]) -> Option<[SplitSide; 2]> {
    let grid = BinGrid::<BINS>::new(&reference::center_bounds(simd, references))?;
    let mut bins = Bins::EMPTY;
    bins.add(simd, references, &grid);
    let (axis, first_right) = bins.cheapest(simd).or_else(|| bins.most_even(&grid))?;
    // The plane is infinite along the other axes.
    let mut plane = Vec4::INFINITY;
    plane[axis] = first_right as f32 + TO_INTEGER;
    reference::partition(
        simd,
        references,
        #[cfg_attr(target_family = "wasm", inline)]
        #[cfg_attr(not(target_family = "wasm"), inline(always))]
        |reference| grid.places(reference).cmplt(plane).all(),
    );
    Some([bins.side(simd, axis, 0..first_right), bins.side(simd, axis, first_right..BINS)])
}

/// The contents of bins, by axis and bin.
struct Bins<const BINS: usize> {
    bounds: [[NegatedMinBox; BINS]; 3],
    counts: [[i32; BINS]; 3],
}

impl<const BINS: usize> Bins<BINS> {
    const EMPTY: Self = Self { bounds: [[NegatedMinBox::EMPTY; BINS]; 3], counts: [[0; BINS]; 3] };

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn add<S: Simd>(&mut self, simd: S, references: &[Reference], grid: &BinGrid<BINS>) {
        if references.len() > GRAIN && parallel::is_available() {
            return self.add_halves(references, grid);
        }
        if references.len() < WORTH_TWO {
            for reference in references {
                self.add_one(simd, reference, grid);
            }
            return;
        }
        // Neighbouring references often fall into the same bin, where the second would wait for the first. So every
        // other reference goes into a second set of bins.
        let mut others = Self::EMPTY;
        let (pairs, rest) = references.as_chunks();
        for [reference, other] in pairs {
            self.add_one(simd, reference, grid);
            others.add_one(simd, other, grid);
        }
        for reference in rest {
            self.add_one(simd, reference, grid);
        }
        self.merge(simd, &others);
    }

    #[inline(never)]
    fn add_halves(&mut self, references: &[Reference], grid: &BinGrid<BINS>) {
        let (left, right) = references.split_at(references.len() / 2);
        let mut others = Self::EMPTY;
        let half = |bins: &mut Self, references| dispatch!(simd => bins.add(simd, references, grid));
        parallel::join(|| half(self, left), || half(&mut others, right));
        dispatch!(simd => self.merge(simd, &others));
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn add_one<S: Simd>(&mut self, simd: S, reference: &Reference, grid: &BinGrid<BINS>) {
        let reach = reference.bounds.reach(simd);
        let [x, y, z, _] = grid.places(reference).to_array();
        for (axis, place) in [x, y, z].into_iter().enumerate() {
            let place = place.to_bits() as usize % BINS;
            let own = &mut self.bounds[axis][place];
            *own = NegatedMinBox::new(own.load(simd).larger(reach));
            self.counts[axis][place] += 1;
        }
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn merge<S: Simd>(&mut self, simd: S, other: &Self) {
        for (own, other) in self.bounds.as_flattened_mut().iter_mut().zip(other.bounds.as_flattened()) {
            *own = NegatedMinBox::new(own.load(simd).larger(other.load(simd)));
        }
        for (own, other) in self.counts.as_flattened_mut().iter_mut().zip(other.counts.as_flattened()) {
            *own += other;
        }
    }

    /// Returns the axis and the first bin on the right of the split with the least cost. Returns `None` if the areas
    /// underflow in f32 and decide nothing, because the items lie on a line, or almost.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn cheapest<S: Simd>(&self, simd: S) -> Option<(usize, usize)> {
        let mut right_costs = [Vec4::ZERO; BINS];
        let mut right = BinSweep::empty(simd);
        for (bin, cost) in right_costs.iter_mut().enumerate().skip(1).rev() {
            right.add(self, bin);
            *cost = right.costs();
        }
        let (mut least, mut chosen) = (Vec4::INFINITY, Vec4::ZERO);
        let mut left = BinSweep::empty(simd);
        for (bin, right_cost) in (1..).zip(&right_costs[1..]) {
            left.add(self, bin - 1);
            // The cost is NaN, which is not less, if a side is empty.
            let cost = left.costs() + *right_cost;
            let is_less = cost.cmplt(least);
            least = Vec4::select(is_less, cost, least);
            chosen = Vec4::select(is_less, Vec4::splat(bin as f32), chosen);
        }
        // The first of several equal costs is taken. No cost is NaN or -0.
        let [x, y, z, _] = least.to_array();
        let axis = if z < smaller(x, y) { 2 } else { usize::from(y < x) };
        let least = smaller(smaller(x, y), z);
        (least > 0.0 && least < f32::INFINITY).then_some((axis, chosen[axis] as usize))
    }

    /// Returns the axis on which the centers are spread most, and a split. The split divides the number of references
    /// most evenly, and is given as the first bin on its right.
    fn most_even(&self, grid: &BinGrid<BINS>) -> Option<(usize, usize)> {
        let axes = (0..3).filter(|&axis| grid.scale[axis] > 0.0);
        let widest = axes.min_by(|&a, &b| grid.scale[a].total_cmp(&grid.scale[b]))?;
        let count = |bins: Range<usize>| self.counts[widest][bins].iter().sum::<i32>();
        let uneven = |bin: usize| count(0..bin).abs_diff(count(bin..BINS));
        // The first and the last bin are not empty, so a split at any of these bins divides the references.
        Some((widest, (1..BINS).min_by_key(|&bin| uneven(bin))?))
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn side<S: Simd>(&self, simd: S, axis: usize, bins: Range<usize>) -> SplitSide {
        let (mut reach, mut count) = (NegatedMinBox::EMPTY.load(simd), 0);
        for (bounds, own) in self.bounds[axis][bins.clone()].iter().zip(&self.counts[axis][bins]) {
            reach = reach.larger(bounds.load(simd));
            count += *own as usize;
        }
        SplitSide { bounds: NegatedMinBox::new(reach).bounds(), count }
    }
}

/// The contents of some bins in a row, along three axes at once.
struct BinSweep<S: Simd> {
    bounds: [f32x8<S>; 3],
    counts: [i32; 4],
}

impl<S: Simd> BinSweep<S> {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn empty(simd: S) -> Self {
        Self { bounds: [NegatedMinBox::EMPTY.load(simd); 3], counts: [0; 4] }
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn add<const BINS: usize>(&mut self, bins: &Bins<BINS>, bin: usize) {
        for axis in 0..3 {
            let own = self.bounds[axis];
            self.bounds[axis] = own.larger(bins.bounds[axis][bin].load(own.simd));
            self.counts[axis] += bins.counts[axis][bin];
        }
    }

    /// Returns the area multiplied by the number of required leaves, by axis.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn costs(&self) -> Vec4 {
        let [x, y, z] = [size(self.bounds[0]), size(self.bounds[1]), size(self.bounds[2])];
        let areas = half_areas([x, y, z, z]);
        let [a, b, c, _] = self.counts;
        let counts = Vec4::new(a as f32, b as f32, c as f32, 0.0);
        // The quotient is rounded up to an integer: the added number is just large enough to bring the smallest
        // fraction to the next integer. If that is not exact, the counts are so large that the error does not matter.
        const PART: f32 = 1.0 / LEAF_SIZE as f32;
        let blocks = (counts * PART + (0.5 - PART / 2.0) + TO_INTEGER) - TO_INTEGER;
        areas * blocks
    }
}
