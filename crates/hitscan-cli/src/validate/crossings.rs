//! The triangles of a mesh that intersect each other, with progress.

use super::listed::Listed;
use hitscan::Mesh;
use indicatif::ProgressBar;

/// The number of triangles after which progress is shown. It bounds the memory for pairs.
const PIECE: u32 = 1 << 14;

/// Finds the pairs of triangles that intersect beyond what they share.
pub(super) fn crossings(mesh: &Mesh, most: usize, bar: &ProgressBar) -> Listed<[u32; 2]> {
    let (mut found, mut pairs) = (Listed::new(most), Vec::new());
    let count = mesh.triangle_count() as u32;
    for first in (0..count).step_by(PIECE as usize) {
        let end = first.saturating_add(PIECE).min(count);
        mesh.self_intersections_in(first..end, &mut pairs);
        found.extend(pairs.drain(..));
        bar.inc(u64::from(end - first));
    }
    found
}
