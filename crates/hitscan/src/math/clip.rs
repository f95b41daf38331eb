//! Convex polygons.

use alloc::vec::Vec;
use glam::DVec3;

/// Returns the part of a convex polygon, a segment or a point where a height is not above 0 (I. Sutherland, G. Hodgman, "Reentrant Polygon Clipping", 1974). It
/// is written into a buffer that is cleared first.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn clip(corners: &[DVec3], height: impl Fn(DVec3) -> f64, kept: &mut Vec<DVec3>) {
    kept.clear();
    let Some(&last) = corners.last() else { return };
    let (mut from, mut above) = (last, height(last));
    for &to in corners {
        let next = height(to);
        if (above > 0.0) != (next > 0.0) {
            kept.push(from + (to - from) * (above / (above - next)));
        }
        if !(next > 0.0) {
            kept.push(to);
        }
        (from, above) = (to, next);
    }
}

/// Returns the part of a convex polygon, a segment or a point where a height is 0. It is written into a buffer that is cleared first.
///
/// Only signs decide whether there is such a part. So a section of a section is not lost by the rounding of the first
/// section.
pub(crate) fn section(corners: &[DVec3], height: impl Fn(DVec3) -> f64, kept: &mut Vec<DVec3>) {
    kept.clear();
    let Some(&last) = corners.last() else { return };
    let (mut from, mut above) = (last, height(last));
    for &to in corners {
        let next = height(to);
        if above > 0.0 && next < 0.0 || above < 0.0 && next > 0.0 {
            kept.push(from + (to - from) * (above / (above - next)));
        }
        if next == 0.0 {
            kept.push(to);
        }
        (from, above) = (to, next);
    }
}

/// Returns the first and the last place on a segment, between two places, at which no height is negative. Each height is given by its values at the places 0
/// and 1. Returns `None` if there is no such place.
pub(crate) fn places_above(
    [mut low, mut high]: [f64; 2],
    heights: impl IntoIterator<Item = [f64; 2]>,
) -> Option<[f64; 2]> {
    for [start, end] in heights {
        let place = start / (start - end);
        if end > start {
            low = if place > low { place } else { low };
        } else if end < start {
            high = if place < high { place } else { high };
        } else if start < 0.0 {
            return None;
        }
    }
    (low <= high).then_some([low, high])
}
