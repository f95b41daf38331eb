//! Where to split: the surface area heuristic over equal bins of all three axes (I. Wald, "On fast Construction of SAH-based
//! Bounding Volume Hierarchies", 2007).

use super::bounds::Bounds;
use super::packets;
use super::reference::{self, Reference};
use crate::parallel;
use glam::Vec4;

const BINS: usize = 16;
/// More references than this are worth binning on several threads.
const GRAIN: usize = 16_384;

/// How references fall into bins: by twice their middles, in equal parts of their spread.
#[derive(Clone, Copy)]
pub(super) struct Grid {
    /// Half a bin above the lowest.
    base: Vec4,
    /// Bins in one unit; 0 along an axis without spread.
    scale: Vec4,
}

/// Added to a number below 2^22, it leaves its nearest integer in the lowest bits. A conversion of each lane takes longer.
const TO_INTEGER: f32 = (1 << 23) as f32;

impl Grid {
    /// `None` if all middles are equal, or as good as that.
    fn new(centers: &Bounds) -> Option<Self> {
        let extent = centers.high - centers.low;
        // So small a spread that its inverse is infinite is none.
        let scale = extent.to_array().map(|extent| if extent > 0.0 { BINS as f32 / extent } else { 0.0 });
        let [x, y, z, _] = scale.map(|scale| if scale.is_finite() { scale } else { 0.0 });
        let base = centers.low + extent * (0.5 / BINS as f32);
        (x + y + z > 0.0).then_some(Self { base: base.with_w(0.0), scale: Vec4::new(x, y, z, 0.0) })
    }

    /// The bin by axis, as an integer plus [`TO_INTEGER`]. It rises with the middle, and the lowest and highest middle fall
    /// into the first and the last bin.
    #[inline(always)]
    fn places(&self, reference: &Reference) -> Vec4 {
        let place = (reference.bounds.center() - self.base) * self.scale;
        place.max(Vec4::ZERO).min(Vec4::splat((BINS - 1) as f32)) + Vec4::splat(TO_INTEGER)
    }
}

/// A plane between two bins.
#[derive(Clone, Copy)]
pub(super) struct Split {
    grid: Grid,
    axis: usize,
    /// [`Grid::places`] of the first bin on the right.
    first_right: f32,
    pub(super) left: Side,
    pub(super) right: Side,
}

/// What lies on one side.
#[derive(Clone, Copy)]
pub(super) struct Side {
    pub(super) bounds: Bounds,
    pub(super) count: usize,
}

impl Side {
    const EMPTY: Self = Self { bounds: Bounds::EMPTY, count: 0 };

    #[inline(always)]
    fn grow(&mut self, bounds: &Bounds, count: u32) {
        self.bounds = self.bounds.union(bounds);
        self.count += count as usize;
    }

    /// Area times packets.
    #[inline(always)]
    fn cost(&self) -> f32 {
        self.bounds.half_area() * packets(self.count) as f32
    }
}

impl Split {
    pub(super) fn is_left(&self, reference: &Reference) -> bool {
        let low = reference.bounds.low[self.axis] + reference.bounds.high[self.axis];
        let place = (low - self.grid.base[self.axis]) * self.grid.scale[self.axis];
        place.max(0.0).min((BINS - 1) as f32) + TO_INTEGER < self.first_right
    }

    /// The cheapest split of these references; `None` if their middles do not differ.
    pub(super) fn best(references: &[Reference]) -> Option<Self> {
        let grid = Grid::new(&reference::center_bounds(references))?;
        let bins = Bins::of(references, &grid);
        bins.cheapest(references.len(), grid).or_else(|| bins.most_even(references.len(), grid))
    }
}

struct Bins {
    bounds: [[Bounds; BINS]; 3],
    counts: [[u32; BINS]; 3],
}

impl Bins {
    const EMPTY: Self = Self { bounds: [[Bounds::EMPTY; BINS]; 3], counts: [[0; BINS]; 3] };

    fn of(references: &[Reference], grid: &Grid) -> Self {
        if references.len() > GRAIN && parallel::is_available() {
            let (left, right) = references.split_at(references.len() / 2);
            let (mut left, right) = parallel::join(|| Self::of(left, grid), || Self::of(right, grid));
            left.merge(&right);
            return left;
        }
        let mut bins = Self::EMPTY;
        for reference in references {
            let [x, y, z, _] = grid.places(reference).to_array();
            for (axis, place) in [x, y, z].into_iter().enumerate() {
                let place = place.to_bits() as usize % BINS;
                let bounds = &mut bins.bounds[axis][place];
                *bounds = bounds.union(&reference.bounds);
                bins.counts[axis][place] += 1;
            }
        }
        bins
    }

    fn merge(&mut self, other: &Self) {
        for (own, other) in self.bounds.as_flattened_mut().iter_mut().zip(other.bounds.as_flattened()) {
            *own = own.union(other);
        }
        for (own, other) in self.counts.as_flattened_mut().iter_mut().zip(other.counts.as_flattened()) {
            *own += other;
        }
    }

    /// By cost; `None` if areas say nothing, because they vanish in f32: the items lie on a line, or almost.
    fn cheapest(&self, count: usize, grid: Grid) -> Option<Split> {
        let mut best = (f32::INFINITY, 0, 0);
        for axis in 0..3 {
            let mut right_costs = [0.0; BINS];
            let mut right = Side::EMPTY;
            for bin in (1..BINS).rev() {
                right.grow(&self.bounds[axis][bin], self.counts[axis][bin]);
                right_costs[bin] = right.cost();
            }
            let mut left = Side::EMPTY;
            for (bin, right_cost) in right_costs.into_iter().enumerate().skip(1) {
                left.grow(&self.bounds[axis][bin - 1], self.counts[axis][bin - 1]);
                // Infinite or not a number where a side is empty.
                let cost = left.cost() + right_cost;
                if cost < best.0 {
                    best = (cost, axis, bin);
                }
            }
        }
        (best.0 > 0.0 && best.0 < f32::INFINITY).then(|| self.split(count, grid, best.1, best.2))
    }

    /// By number of references, along the axis on which they differ most.
    fn most_even(&self, count: usize, grid: Grid) -> Option<Split> {
        let widest =
            (0..3).filter(|&axis| grid.scale[axis] > 0.0).min_by(|&a, &b| grid.scale[a].total_cmp(&grid.scale[b]))?;
        let boundaries = (1..BINS).map(|bin| (self.counts[widest][..bin].iter().sum::<u32>() as usize, bin));
        let divided = boundaries.filter(|&(left, _)| left > 0 && left < count);
        let (_, bin) = divided.min_by_key(|&(left, _)| left.abs_diff(count - left))?;
        Some(self.split(count, grid, widest, bin))
    }

    fn split(&self, count: usize, grid: Grid, axis: usize, first_right: usize) -> Split {
        let side = |bins: core::ops::Range<usize>| {
            let mut side = Side::EMPTY;
            bins.for_each(|bin| side.grow(&self.bounds[axis][bin], self.counts[axis][bin]));
            side
        };
        let (left, right) = (side(0..first_right), side(first_right..BINS));
        debug_assert_eq!(left.count + right.count, count);
        Split { grid, axis, first_right: first_right as f32 + TO_INTEGER, left, right }
    }
}
