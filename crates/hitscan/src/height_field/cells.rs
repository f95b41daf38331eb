//! The division of a field's cells into triangles, and the cells that are open.

use alloc::vec::Vec;

/// The diagonal along which each cell is divided into two triangles, as seen from above with x to the right and z downwards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Diagonal {
    /// The diagonal from the corner of smallest x and z to the corner of largest x and z.
    #[default]
    Falling,
    /// The diagonal from the corner of largest x and smallest z to the corner of smallest x and largest z.
    Rising,
}

/// The cells that are holes, as one bit for each cell; empty if there are no holes.
#[derive(Clone, Debug, Default)]
pub(super) struct Holes(Vec<u64>);

impl Holes {
    const BITS: usize = u64::BITS as usize;

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn contains(&self, cell: usize) -> bool {
        self.0.get(cell / Self::BITS).is_some_and(|bits| bits >> (cell % Self::BITS) & 1 == 1)
    }

    /// Returns the memory of the bits.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.0[..])
    }

    pub(super) fn insert(&mut self, cell: usize, cells: usize) {
        self.0.resize(cells.div_ceil(Self::BITS), 0);
        if let Some(bits) = self.0.get_mut(cell / Self::BITS) {
            *bits |= 1 << (cell % Self::BITS);
        }
    }
}
