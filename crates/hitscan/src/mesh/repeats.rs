//! Triangles that are there many times over: one of them is in the tree.

use super::build::Corners;
use super::packet::Packet;
use alloc::vec::Vec;

/// So many packets of one triangle alone are worth another build.
const MOST_PACKETS: usize = 16;

/// Triangles with the very corners of another one, which stands for them in the tree. No ray tells them apart, and where they are without
/// number no box does.
#[derive(Clone, Debug, Default)]
pub(super) struct Repeats {
    /// The one that stands, which is the first of them, and one that it stands for. In order.
    pairs: Vec<[u32; 2]>,
}

impl Repeats {
    /// Those of a tree over all triangles: they fill packets, as nothing else is between them.
    pub(super) fn of(packets: &[Packet], corners: &Corners<'_>) -> Self {
        let key = |triangle: u32| corners.of(triangle).map(|corner| corner.to_array().map(f32::to_bits));
        let mut full: Vec<_> = packets.iter().filter(|packet| packet.has_one_shape()).collect();
        if full.len() < MOST_PACKETS {
            return Self::default();
        }
        // What has no first triangle has no shape either.
        full.sort_by_cached_key(|packet| packet.numbers().next().map(key));
        let is_same = |a: &&Packet, b: &&Packet| a.numbers().next().map(key) == b.numbers().next().map(key);
        let mut pairs = Vec::new();
        for group in full.chunk_by(is_same).filter(|group| group.len() >= MOST_PACKETS) {
            let mut triangles: Vec<u32> = group.iter().flat_map(|packet| packet.numbers()).collect();
            triangles.sort_unstable();
            triangles.dedup();
            let (first, others) = triangles.split_first().map_or((0, &[][..]), |(first, others)| (*first, others));
            let shape = key(first);
            // In the packets corners may have lost bits.
            pairs.extend(others.iter().filter(|&&other| key(other) == shape).map(|&other| [first, other]));
        }
        pairs.sort_unstable();
        Self { pairs }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// All that are not in the tree, in no order.
    pub(super) fn all(&self) -> impl Iterator<Item = u32> {
        self.pairs.iter().map(|&[_, other]| other)
    }

    /// Those that a triangle of the tree stands for, in order.
    #[inline(always)]
    pub(super) fn of_triangle(&self, triangle: u32) -> impl Iterator<Item = u32> {
        // Most often there are none at all.
        let start = if self.is_empty() { 0 } else { self.pairs.partition_point(|&[first, _]| first < triangle) };
        self.pairs[start..].iter().take_while(move |&&[first, _]| first == triangle).map(|&[_, other]| other)
    }
}
