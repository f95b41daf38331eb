//! The parts and triangles that rays through the samples of a region see.

use super::volume::RegionVolume;
use crate::camera::{Camera, Viewport};
use crate::query::{FirstPart, RayView};
use crate::scene::PartPlace;
use alloc::vec::Vec;
use core::hash::Hash;
use glam::{DVec2, Vec2};

/// The samples of a viewport that lie in the rectangle around a region: a grid of pixels with this distance between them.
pub(super) struct SampleGrid {
    origin: DVec2,
    spacing: f64,
    /// The first column and row, and those after the last.
    first: [f64; 2],
    end: [f64; 2],
}

/// The most samples of a row that are remembered: what is forgotten only means more to sort.
const MOST_COLUMNS: usize = 4096;

impl SampleGrid {
    pub(super) fn new(volume: &RegionVolume<'_>, viewport: &Viewport, spacing: f32) -> Self {
        let (origin, spacing) = (viewport.origin.as_dvec2(), f64::from(spacing));
        let cell = |at: DVec2| ((at - origin) / spacing).to_array();
        // The middle of a cell is half a cell further, so a cell that is cut off may not count: this is decided for each sample.
        let (first, end) = (cell(volume.bounds.min).map(libm::floor), cell(volume.bounds.max).map(libm::ceil));
        Self { origin, spacing, first, end }
    }

    /// Returns the number of samples, some of which may be outside of the region.
    pub(super) fn count(&self) -> f64 {
        (self.end[0] - self.first[0]) * (self.end[1] - self.first[1])
    }

    /// Returns what rays through the samples in the region hit first, in order and each once.
    pub(super) fn seen<K: Clone + Eq + Hash>(
        &self,
        volume: &RegionVolume<'_>,
        (camera, viewport): (&Camera, &Viewport),
        view: &RayView<'_, K>,
    ) -> Vec<FirstPart> {
        let mut seen: Vec<u128> = Vec::new();
        let [columns, rows] = [0, 1].map(|axis| (self.end[axis] - self.first[axis]) as usize);
        // A sample often sees the same as the one to the left or the one above.
        let mut row_above = alloc::vec![None; columns.min(MOST_COLUMNS)];
        for row in 0..rows {
            let mut left = None;
            for column in 0..columns {
                let cell = DVec2::new(self.first[0] + column as f64, self.first[1] + row as f64);
                let pixel: Vec2 = (self.origin + (cell + 0.5) * self.spacing).as_vec2();
                if !volume.contains(pixel.as_dvec2()) {
                    continue;
                }
                let first = view.first_part(&camera.ray(pixel, *viewport)).map(packed);
                let above = &mut row_above[column % MOST_COLUMNS];
                if first != left && first != *above {
                    seen.extend(first);
                }
                (left, *above) = (first, first);
            }
        }
        seen.sort_unstable();
        seen.dedup();
        seen.into_iter().map(unpacked).collect()
    }
}

/// Returns a number in the same order, which sorts faster.
fn packed((part, triangle): FirstPart) -> u128 {
    u128::from(part.number()) << 64 | triangle.map_or(0, |triangle| u128::from(triangle) + 1)
}

fn unpacked(number: u128) -> FirstPart {
    (PartPlace::of_number((number >> 64) as u64), (number as u64).checked_sub(1).map(|triangle| triangle as u32))
}
