//! The references that are sorted into a tree: items with their boxes.

use super::bounds::Bounds;
use super::{MAX_ITEMS, Primitives};
use crate::parallel;
use crate::simd::{Simd, dispatch};
use alloc::vec::Vec;

/// An item with its box, or with a part of the box, in 32 bytes. The item's number is in the fourth lane of the box.
///
/// Read as an f32, the number is finite (see [`MAX_ITEMS`]), so moves keep its bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reference {
    pub(super) bounds: Bounds,
}

const _: () = assert!(f32::from_bits(2 * MAX_ITEMS as u32) < f32::INFINITY);

/// The number of pieces of work that are worth handing to another thread.
const GRAIN: usize = 4096;
const PIECE: usize = 1024;
const PARTITION_GRAIN: usize = 32_768;

impl Reference {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn new(item: u32, mut bounds: Bounds) -> Self {
        bounds.low.w = f32::from_bits(item);
        Self { bounds }
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn of(primitives: &impl Primitives, item: u32) -> Self {
        Self::new(item, Bounds::new(&primitives.bounds(item)))
    }

    /// Returns the box without the item's number, which would be a subnormal operand of sums.
    pub(super) fn plain_bounds(&self) -> Bounds {
        Bounds { low: self.bounds.low.with_w(0.0), ..self.bounds }
    }

    pub(super) fn item(&self) -> u32 {
        self.bounds.low.w.to_bits()
    }
}

/// Makes one reference for each item, in their order.
pub(super) fn all(primitives: &impl Primitives) -> Vec<Reference> {
    parallel::collect(primitives.len(), PIECE, |item| Reference::of(primitives, item as u32))
}

pub(super) fn bounds_of(references: &[Reference]) -> Bounds {
    if references.len() > GRAIN && parallel::is_available() {
        let (left, right) = references.split_at(references.len() / 2);
        let (left, right) = parallel::join(|| bounds_of(left), || bounds_of(right));
        return left.union(&right);
    }
    references.iter().fold(Bounds::EMPTY, |bounds, reference| bounds.union(&reference.bounds))
}

/// Returns the box around twice the centers of the boxes. The parameter only makes the compiler use the instruction set of `S`, here and in the functions
/// below.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn center_bounds<S: Simd>(_simd: S, references: &[Reference]) -> Bounds {
    if references.len() > GRAIN && parallel::is_available() {
        return center_bounds_of_halves(references);
    }
    // References are read in pairs; otherwise each would wait for the previous one.
    let (pairs, rest) = references.as_chunks();
    let mut bounds = [Bounds::EMPTY; 2];
    for [a, b] in pairs {
        bounds = [bounds[0].with(a.bounds.center()), bounds[1].with(b.bounds.center())];
    }
    let mut bounds = bounds[0].union(&bounds[1]);
    for reference in rest {
        bounds = bounds.with(reference.bounds.center());
    }
    bounds
}

#[inline(never)]
fn center_bounds_of_halves(references: &[Reference]) -> Bounds {
    let (left, right) = references.split_at(references.len() / 2);
    let half = |references: &[Reference]| dispatch!(simd => center_bounds(simd, references));
    let (left, right) = parallel::join(|| half(left), || half(right));
    left.union(&right)
}

/// Reorders the references so that the ones for which `is_left` holds come first. Returns their number.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn partition<S: Simd>(
    _simd: S,
    references: &mut [Reference],
    is_left: impl Fn(&Reference) -> bool + Copy + Send + Sync,
) -> usize {
    // A single thread uses the same method. Otherwise the order would depend on the number of threads.
    if references.len() > PARTITION_GRAIN {
        return partition_halves(references, is_left);
    }
    // This is N. Lomuto's partition, which needs no branch. A branch would be mispredicted half of the time.
    let mut lefts = 0;
    for i in 0..references.len() {
        let left = is_left(&references[i]);
        references.swap(i, lefts);
        lefts += usize::from(left);
    }
    lefts
}

#[inline(never)]
fn partition_halves(references: &mut [Reference], is_left: impl Fn(&Reference) -> bool + Copy + Send + Sync) -> usize {
    let middle = references.len() / 2;
    let (near, far) = references.split_at_mut(middle);
    let half = |references: &mut [Reference]| dispatch!(simd => partition(simd, references, is_left));
    let (near, far) = parallel::join(|| half(near), || half(far));
    // Items in the wrong half are swapped with items in the wrong part of the other half.
    let moved = (middle - near).min(far);
    let (head, tail) = references.split_at_mut(middle);
    head[near..near + moved].swap_with_slice(&mut tail[far - moved..far]);
    near + far
}
