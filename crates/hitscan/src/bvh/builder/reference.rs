//! What is sorted into a tree: items with their boxes.

use super::Primitives;
use super::bounds::Bounds;
use crate::parallel;
use alloc::vec;
use alloc::vec::Vec;
use glam::Vec4;

/// An item with its box, or with a part of it; 32 bytes, as the item's number lives in the box's fourth lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reference {
    pub(super) bounds: Bounds,
}

/// Numbers below this are finite as the bits of an f32, so that moving them about keeps them.
pub(super) const MAX_ITEMS: usize = f32::INFINITY.to_bits() as usize;

/// Pieces of work that are worth handing to another thread.
const GRAIN: usize = 4096;

impl Reference {
    const NONE: Self = Self { bounds: Bounds { low: Vec4::ZERO, high: Vec4::ZERO } };

    pub(super) fn new(item: u32, mut bounds: Bounds) -> Self {
        bounds.low.w = f32::from_bits(item);
        Self { bounds }
    }

    pub(super) fn item(&self) -> u32 {
        self.bounds.low.w.to_bits()
    }
}

/// One of each item, in their order.
pub(super) fn all(primitives: &impl Primitives) -> Vec<Reference> {
    let mut references = blank(primitives.len());
    parallel::fill(&mut references, GRAIN, &|start, piece| {
        for (reference, item) in piece.iter_mut().zip(start as u32..) {
            *reference = Reference::new(item, Bounds::new(&primitives.bounds(item)));
        }
    });
    references
}

/// Room for so many.
pub(super) fn blank(len: usize) -> Vec<Reference> {
    vec![Reference::NONE; len]
}

pub(super) fn bounds_of(references: &[Reference]) -> Bounds {
    if references.len() > GRAIN && parallel::is_available() {
        let (left, right) = references.split_at(references.len() / 2);
        let (left, right) = parallel::join(|| bounds_of(left), || bounds_of(right));
        return left.union(&right);
    }
    references.iter().fold(Bounds::EMPTY, |bounds, reference| bounds.union(&reference.bounds))
}

/// The box around twice the boxes' middles.
pub(super) fn center_bounds(references: &[Reference]) -> Bounds {
    if references.len() > GRAIN && parallel::is_available() {
        let (left, right) = references.split_at(references.len() / 2);
        let (left, right) = parallel::join(|| center_bounds(left), || center_bounds(right));
        return left.union(&right);
    }
    references.iter().fold(Bounds::EMPTY, |bounds, reference| bounds.with(reference.bounds.center()))
}

/// Copies those for which `is_left` holds into the first slice and the others into the second, which are exactly as long as
/// that, in their order.
pub(super) fn partition(
    source: &[Reference],
    left: &mut [Reference],
    right: &mut [Reference],
    is_left: &(impl Fn(&Reference) -> bool + Sync),
) {
    if source.len() > GRAIN && parallel::is_available() {
        let (near, far) = source.split_at(source.len() / 2);
        let lefts = near.iter().filter(|reference| is_left(reference)).count();
        let (near_left, far_left) = left.split_at_mut(lefts);
        let (near_right, far_right) = right.split_at_mut(near.len() - lefts);
        parallel::join(
            || partition(near, near_left, near_right, is_left),
            || partition(far, far_left, far_right, is_left),
        );
        return;
    }
    // By index instead of a branch, which would be mispredicted half of the time.
    let sides = [left, right];
    let mut filled = [0; 2];
    for reference in source {
        let side = usize::from(!is_left(reference));
        sides[side][filled[side]] = *reference;
        filled[side] += 1;
    }
}
