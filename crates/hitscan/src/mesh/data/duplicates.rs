//! Triangles that exist many times over. Only one copy of each, its representative, is in the tree.

use super::corners::Corners;
use crate::collections::sort;
use crate::parallel;
use crate::tri::Triangle8;
use alloc::vec::Vec;

/// If one triangle exists at least this many times, another build is worth its time.
const LEAST_TIMES: usize = 64;
/// The number of blocks that are worth handing to another thread.
const GRAIN: usize = 8192;
/// The number of different triangles with the same hash that are searched for. More triangles with one hash only
/// occur if they were made on purpose; the others stay in the tree, which costs only time.
const MOST_OF_A_HASH: usize = 16;

/// Returns a hash of a triangle's corners.
fn hash(corners: &[[u32; 3]; 3]) -> u32 {
    // The bits of round numbers differ only at the top. The product carries them up and the shift brings them down.
    let mixed = corners.as_flattened().iter().fold(0u64, |hash, &bits| {
        let mixed = (hash ^ u64::from(bits)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mixed ^ mixed >> 32
    });
    mixed as u32
}

/// Triangles with exactly the same corners as another one, their representative in the tree. No ray distinguishes them,
/// and if there are very many, boxes do not separate them either.
#[derive(Clone, Debug, Default)]
pub(in crate::mesh) struct Duplicates {
    /// Pairs of a representative, the first of equal triangles, and one of its duplicates, in order.
    pairs: Vec<[u32; 2]>,
}

impl Duplicates {
    /// Returns the duplicates in a tree over all triangles. They fill blocks, alone or with others that have the same
    /// box.
    pub(in crate::mesh) fn in_blocks(blocks: &[Triangle8], corners: &Corners<'_>) -> Self {
        let triangles = parallel::gather(blocks.len(), GRAIN, &|piece| {
            blocks[piece].iter().filter(|block| block.has_one_box()).flat_map(Triangle8::numbers).collect()
        });
        if triangles.len() < LEAST_TIMES {
            return Self::default();
        }
        let key = |triangle: u32| corners.unframed(triangle).map(|corner| corner.to_array().map(f32::to_bits));
        let hashed = triangles.into_iter().map(|triangle| [hash(&key(triangle)), triangle]);
        let mut triangles = sort::sorted_pairs(hashed);
        // One triangle may be in several blocks.
        triangles.dedup();
        let mut pairs = Vec::new();
        for alike in triangles.chunk_by(|a, b| a[0] == b[0]) {
            let mut left: Vec<u32> = alike.iter().map(|&[_, triangle]| triangle).collect();
            // Most often all triangles with one hash are equal.
            for _ in 0..MOST_OF_A_HASH {
                if left.len() < LEAST_TIMES {
                    break;
                }
                let first = left[0];
                let (same, others): (Vec<u32>, Vec<u32>) = left.iter().partition(|&&other| key(other) == key(first));
                if same.len() >= LEAST_TIMES {
                    pairs.extend(same[1..].iter().map(|&other| [first, other]));
                }
                left = others;
            }
        }
        Self { pairs: sort::sorted_pairs(pairs.into_iter()) }
    }

    /// Makes the duplicates from their [`pairs`](Self::pairs).
    pub(in crate::mesh) fn of_pairs(pairs: Vec<[u32; 2]>) -> Self {
        Self { pairs }
    }

    /// Returns pairs of a representative and one of its duplicates, in order.
    pub(in crate::mesh) fn pairs(&self) -> &[[u32; 2]] {
        &self.pairs
    }

    pub(in crate::mesh) fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Returns all triangles that are not in the tree, in no order.
    pub(in crate::mesh) fn all(&self) -> impl Iterator<Item = u32> {
        self.pairs.iter().map(|&[_, other]| other)
    }

    /// Returns the duplicates of a triangle of the tree, in order.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(in crate::mesh) fn of_triangle(&self, triangle: u32) -> impl Iterator<Item = u32> {
        // Most triangles have none.
        let start = if self.is_empty() { 0 } else { self.pairs.partition_point(|&[first, _]| first < triangle) };
        self.pairs[start..].iter().take_while(move |&&[first, _]| first == triangle).map(|&[_, other]| other)
    }
}
