//! Splits items into several parts, so that the boxes of large slanting items do not overlap everything else (M. Ernst, G. Greiner, "Early Split Clipping for
//! Bounding Volume Hierarchies", 2007). They are split at the planes of a regular grid, and the items with the largest gain are split first (T. Karras, T.
//! Aila, "Fast Parallel Construction of High-Quality Bounding Volume Hierarchies", 2013).

use super::bounds::Bounds;
use super::reference::{self, Reference};
use super::{MAX_ITEMS, Primitives};
use crate::geom::aabb::Aabb;
use crate::parallel;
use alloc::collections::BinaryHeap;
use alloc::vec;
use alloc::vec::Vec;

/// The gain must be more than this fraction of the reference's area, because an additional reference has a cost. A
/// triangle with two edges along axes gains a quarter, although its box cannot be improved much.
const LEAST_GAIN: f32 = 0.3;
/// The gain must also be more than this fraction of the mean area of all references. If it is less, as for most
/// triangles of a scan, the additional parts cost more than they gain.
const LEAST_AREA: f32 = 0.6;
/// The number of pieces of work that are worth handing to another thread.
const GRAIN: usize = 1024;

/// Returns references to all items, and additional references, at most `extra` times the number of items.
pub(super) fn split(primitives: &impl Primitives, extra: f64) -> Vec<Reference> {
    let mut references = reference::all(primitives);
    let room = (extra * references.len() as f64) as usize;
    let most = (references.len() + room).min(MAX_ITEMS);
    references.reserve_exact(most - references.len());
    let sum = references.iter().fold(0f64, |sum, reference| sum + f64::from(reference.bounds.half_area()));
    let least = (f64::from(LEAST_AREA) * sum / references.len() as f64) as f32;
    let parts = |reference: &Reference| parts(primitives, reference).filter(|parts| parts.gain > least);
    let mut gains = vec![0f32; references.len()];
    parallel::fill(&mut gains, GRAIN, &|start, piece| {
        for (gain, reference) in piece.iter_mut().zip(&references[start..]) {
            // If the whole area is no more than `least`, the gain cannot be large enough.
            let is_large = reference.bounds.half_area() > least;
            *gain = if is_large { parts(reference).map_or(0.0, |parts| parts.gain) } else { 0.0 };
        }
    });
    // Gains are not negative. So their bits have the same order. Of equal gains, the last reference comes first.
    let key = |gain: f32, reference: usize| u64::from(gain.to_bits()) << 32 | reference as u64;
    let useful = gains.iter().enumerate().filter(|(_, gain)| **gain > 0.0);
    let mut heap: BinaryHeap<u64> = useful.map(|(reference, gain)| key(*gain, reference)).collect();
    drop(gains);
    while references.len() < most
        && let Some(first) = heap.pop()
    {
        let divided = first as u32 as usize;
        let Some(divided_parts) = parts(&references[divided]) else { continue };
        let others = [divided, references.len()];
        references[divided] = divided_parts.references[0];
        references.push(divided_parts.references[1]);
        for (place, part) in others.into_iter().zip(divided_parts.references) {
            if let Some(parts) = parts(&part) {
                heap.push(key(parts.gain, place));
            }
        }
    }
    references
}

/// The parts on both sides of a plane.
struct SplitReference {
    references: [Reference; 2],
    /// The amount by which the sum of the areas decreases.
    gain: f32,
}

/// Splits a reference in two. Returns `None` if the split is not worth it.
fn parts(primitives: &impl Primitives, reference: &Reference) -> Option<SplitReference> {
    let item = reference.item();
    let cell = reference.bounds.aabb();
    let (axis, plane) = grid_plane(&cell)?;
    let mut sides = [cell; 2];
    sides[0].max[axis] = plane;
    sides[1].min[axis] = plane;
    let area = reference.bounds.half_area();
    let clipped = sides.map(|side| primitives.clipped(item, &side));
    // An item touches an empty side only by rounding. The other part would then be as large as the item.
    if clipped.iter().any(Aabb::is_empty) {
        return None;
    }
    let references = clipped.map(|bounds| Reference::new(item, Bounds::new(&bounds)));
    let gain = area - (references[0].bounds.half_area() + references[1].bounds.half_area());
    (gain > LEAST_GAIN * area).then_some(SplitReference { references, gain })
}

/// Returns the axis and the position of a plane through the inside of a box, in the coarsest grid that has one. The position is a multiple of a power of
/// two, so neighbours are divided at the same planes.
fn grid_plane(cell: &Aabb) -> Option<(usize, f32)> {
    // The result is from -2^30 to 2^30.
    let place = |x: f32| (f64::from(x) * f64::from(1 << 30)) as i64;
    let planes = (0..3).filter_map(|axis| {
        let (low, high) = (place(cell.min[axis]), place(cell.max[axis]));
        // This is the number of the highest bit in which they differ. It is 63 if their signs differ; then the plane is 0.
        let level = ((low ^ high) as u64).checked_ilog2().filter(|_| high - low > 1)?.min(31);
        let plane = high >> level << level;
        let size = cell.max[axis] - cell.min[axis];
        // If the upper face is in that plane, finer planes of the axis are not used. With them, rays would visit more
        // boxes.
        (low < plane && plane < high).then_some((level, size, axis, (plane as f64 / f64::from(1 << 30)) as f32))
    });
    let coarsest = planes.max_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)))?;
    let (_, _, axis, plane) = coarsest;
    (cell.min[axis] < plane && plane < cell.max[axis]).then_some((axis, plane))
}

#[cfg(test)]
mod tests {
    use super::grid_plane;
    use crate::geom::aabb::Aabb;

    #[test]
    fn a_box_is_divided_at_its_coarsest_plane() {
        let long = |low: f32, high: f32| Aabb::new([low, 0.51, -0.74], [high, 0.52, -0.73]);
        for (low, high, plane) in [(-1.0, 1.0, 0.0), (-0.001, 0.7, 0.0), (0.1, 0.7, 0.5), (-0.7, -0.1, -0.5)] {
            assert_eq!(grid_plane(&long(low, high)), Some((0, plane)), "{low} to {high}");
        }
        // The next coarsest plane is across z: its upper face is not in the plane.
        assert_eq!(grid_plane(&Aabb::new([0.0, 0.5, -0.75], [0.5, 0.5, -0.3])), Some((2, -0.5)));
        assert_eq!(grid_plane(&Aabb::new([0.5; 3], [0.5; 3])), None);
    }
}
