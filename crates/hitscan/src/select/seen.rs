//! The parts and triangles that rays through the samples of a region see, and the points and lines that nothing hides.

use super::volume::RegionVolume;
use crate::camera::{Camera, Viewport};
use crate::query::{FirstPart, RayView};
use crate::scene::{Part, PartPlace};
use alloc::vec::Vec;
use core::hash::Hash;
use glam::{DVec2, DVec3, Vec2};

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

    /// Returns the middles of the columns of samples between two pixels, or of the rows, in window pixels.
    fn middles(&self, axis: usize, low: f64, high: f64) -> impl Iterator<Item = f64> {
        let (origin, spacing) = (self.origin[axis], self.spacing);
        let cell = |pixel: f64| ((pixel - origin) / spacing).clamp(self.first[axis], self.end[axis]);
        let (first, end) = (libm::floor(cell(low)), libm::ceil(cell(high)));
        let middle = move |cell: u64| origin + (first + cell as f64 + 0.5) * spacing;
        (0..(end - first) as u64).map(middle).filter(move |middle| (low..=high).contains(middle))
    }

    /// Returns what rays through the samples in the region hit first, in order and each once.
    ///
    /// The rays are relative to the eye, so that f32 resolves them as well far from the origin as near it.
    pub(super) fn seen<K: Clone + Eq + Hash>(
        &self,
        volume: &RegionVolume<'_>,
        (camera, viewport): (&Camera, &Viewport),
        view: &RayView<'_, K>,
    ) -> Vec<FirstPart> {
        let eye = camera.position();
        let (camera, view) = (camera.relative_to(eye), view.moved_by(eye));
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

/// The points and segments of a view that no surface hides. Points and lines hide nothing.
pub(super) struct WireSight<'q, K> {
    view: &'q RayView<'q, K>,
    volume: &'q RegionVolume<'q>,
    grid: SampleGrid,
    /// The eye in the world.
    eye: DVec3,
}

impl<'q, K: Clone + Eq + Hash> WireSight<'q, K> {
    pub(super) fn new(view: &'q RayView<'q, K>, volume: &'q RegionVolume<'q>, grid: SampleGrid, eye: DVec3) -> Self {
        Self { view, volume, grid, eye }
    }

    /// Returns whether a point of a part, in pixel space and in the world, is in the region and not hidden.
    pub(super) fn sees_point(&self, part: &Part, [pixels, world]: [DVec3; 2]) -> bool {
        if !self.volume.shows(pixels) {
            return false;
        }
        let space = &self.volume.space;
        let near = space.depth[0];
        let start = if space.is_perspective() {
            self.eye + (world - self.eye) * (near / pixels.z)
        } else {
            // The near depth of a camera with parallel rays may be anywhere.
            let (_, step) = space.ray(space.pixel(pixels));
            self.view.entry_of_sight(world - step * (pixels.z - near), world)
        };
        !self.view.hides(start, world, Some(part))
    }

    /// Returns whether a segment, each end of which is given in pixel space and in the world, is seen: one of its ends, or a point at which it crosses the
    /// middle of a column of samples, or of a row if it is steep.
    pub(super) fn sees_segment(&self, part: &Part, [a, b]: [[DVec3; 2]; 2]) -> bool {
        let Some([low, high]) = self.volume.places_between_planes([a[0], b[0]]) else { return false };
        let between = |place: f64| [0, 1].map(|space| a[space] + (b[space] - a[space]) * place);
        let pixel = |place: f64| self.volume.space.pixel(between(place)[0]);
        let (from, to) = (pixel(low), pixel(high));
        let way = (to - from).abs();
        let axis = usize::from(way.y > way.x);
        let crossing = |middle: f64| {
            let weight = |end: DVec3| if self.volume.space.is_perspective() { end.z } else { 1.0 };
            let [start, end] = [a[0], b[0]].map(|end| end[axis] - middle * weight(end));
            (start / (start - end)).clamp(low, high)
        };
        let middles = self.grid.middles(axis, from[axis].min(to[axis]), from[axis].max(to[axis]));
        self.sees_point(part, a)
            || self.sees_point(part, b)
            || middles.map(crossing).any(|place| self.sees_point(part, between(place)))
    }
}

/// Returns a number in the same order, which sorts faster.
fn packed((part, triangle): FirstPart) -> u128 {
    u128::from(part.number()) << 64 | triangle.map_or(0, |triangle| u128::from(triangle) + 1)
}

fn unpacked(number: u128) -> FirstPart {
    (PartPlace::of_number((number >> 64) as u64), (number as u64).checked_sub(1).map(|triangle| triangle as u32))
}
