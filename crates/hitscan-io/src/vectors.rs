//! Decoded accessors of vectors.

use std::ops::Deref;
use std::sync::Arc;

/// Vectors of N numbers. Cloning is cheap.
#[derive(Clone, Debug)]
pub(crate) struct Vectors<const N: usize>(Arc<[f32]>);

impl<const N: usize> Vectors<N> {
    /// Makes one vector for each N numbers.
    pub(crate) fn new(flat: Arc<[f32]>) -> Self {
        Self(flat)
    }

    /// Returns the numbers one after the other.
    pub(crate) fn flat(self) -> Arc<[f32]> {
        self.0
    }

    /// Returns a reference to the numbers.
    pub(crate) fn numbers(&self) -> &Arc<[f32]> {
        &self.0
    }
}

impl<const N: usize> Deref for Vectors<N> {
    type Target = [[f32; N]];

    fn deref(&self) -> &Self::Target {
        self.0.as_chunks().0
    }
}
