//! The parts and triangles that rays through the samples of a region see, and the points and lines that nothing hides.

use super::pixel_rect::PixelRect;
use super::volume::RegionVolume;
use crate::bvh::BoxPlace;
use crate::camera::{Camera, Viewport};
use crate::collections::sort::SharedSort;
use crate::query::{FirstPart, Hit, RayView, SightView};
use crate::scene::{Part, PartPlace};
use alloc::vec::Vec;
use core::hash::Hash;
use core::ops::Range;
use glam::{DVec2, DVec3, Vec2};

/// The samples of a viewport that lie in the rectangle around a region. They are a grid of pixels that are `spacing`
/// apart.
pub(super) struct SampleGrid {
    origin: DVec2,
    spacing: f64,
    /// The first column and row, and the column and row after the last.
    first: [f64; 2],
    end: [f64; 2],
}

/// The number of samples along a side of a tile.
const TILE: usize = 16;

impl SampleGrid {
    pub(super) fn new(volume: &RegionVolume<'_>, viewport: &Viewport, spacing: f32) -> Self {
        let (origin, spacing) = (viewport.origin.as_dvec2(), f64::from(spacing));
        let cell = |at: DVec2| ((at - origin) / spacing).to_array();
        // A cell that the bounds cut off may have its middle outside of them, so each sample is tested.
        let (first, end) = (cell(volume.bounds.min).map(libm::floor), cell(volume.bounds.max).map(libm::ceil));
        Self { origin, spacing, first, end }
    }

    /// Returns the number of samples, some of which may be outside of the region.
    pub(super) fn count(&self) -> f64 {
        (self.end[0] - self.first[0]) * (self.end[1] - self.first[1])
    }

    /// Returns the middles of the columns (axis 0) or rows (axis 1) of samples between two pixel coordinates, in window pixels.
    fn middles(&self, axis: usize, from: f64, to: f64) -> impl Iterator<Item = f64> {
        let (origin, spacing) = (self.origin[axis], self.spacing);
        let (low, high) = if from < to { (from, to) } else { (to, from) };
        let cell = |pixel: f64| ((pixel - origin) / spacing).clamp(self.first[axis], self.end[axis]);
        let (first, end) = (libm::floor(cell(low)), libm::ceil(cell(high)));
        let middle = move |cell: u64| origin + (first + cell as f64 + 0.5) * spacing;
        (0..(end - first) as u64).map(middle).filter(move |middle| (low..=high).contains(middle))
    }

    /// Returns the middle of a sample's square, given the column and the row, counted from the first.
    fn pixel(&self, column: u64, row: u64) -> Vec2 {
        let cell = DVec2::new(self.first[0] + column as f64, self.first[1] + row as f64);
        (self.origin + (cell + 0.5) * self.spacing).as_vec2()
    }

    /// Adds the results of the samples of a tile. A result that is also the result of the sample to the left or above is not added again. So most results are
    /// added only once.
    fn add_tile(&self, [columns, rows]: [Range<u64>; 2], sees: impl Fn(Vec2) -> Option<u128>, seen: &mut Vec<u128>) {
        let mut above = [None; TILE];
        for row in rows {
            let mut left = None;
            for (column, above) in columns.clone().zip(&mut above) {
                let first = sees(self.pixel(column, row));
                if first != left && first != *above {
                    seen.extend(first);
                }
                (left, *above) = (first, first);
            }
        }
    }

    /// Adds all results of the samples of a tile, each once.
    fn add_depths_of_tile(
        &self,
        [columns, rows]: [Range<u64>; 2],
        mut add: impl FnMut(Vec2, &mut Vec<u128>),
        seen: &mut Vec<u128>,
    ) {
        let mut of_tile = Vec::new();
        for row in rows {
            columns.clone().for_each(|column| add(self.pixel(column, row), &mut of_tile));
        }
        of_tile.sort_shared();
        of_tile.dedup();
        seen.append(&mut of_tile);
    }

    /// Returns the first hits of rays through the samples in the region, or all hits up to the first occluder, in order
    /// and each once.
    ///
    /// The rays are relative to the eye. So f32 resolves them far from the origin as well as near it. They are cast
    /// tile by tile, because the rays of a tile visit the same nodes of trees.
    pub(super) fn seen<K: Clone + Eq + Hash>(
        &self,
        volume: &RegionVolume<'_>,
        (camera, viewport): (&Camera, &Viewport),
        sight: &SightView<'_, K, RayView<'_, K>>,
    ) -> Vec<FirstPart> {
        let eye = camera.position();
        let (camera, sight) = (camera.relative_to(eye), sight.moved_by(eye));
        let (mut seen, mut hits): (Vec<u128>, Vec<Hit<K>>) = (Vec::new(), Vec::new());
        let [columns, rows] = [0, 1].map(|axis| (self.end[axis] - self.first[axis]) as u64);
        for row in (0..rows).step_by(TILE) {
            for column in (0..columns).step_by(TILE) {
                let [columns, rows] = [(column, columns), (row, rows)].map(|(at, end)| at..(at + TILE as u64).min(end));
                let ends = [(columns.start, rows.start), (columns.end - 1, rows.end - 1)];
                let [min, max] = ends.map(|(column, row)| self.pixel(column, row).as_dvec2());
                let place = volume.place(&PixelRect { min, max });
                if place == BoxPlace::Outside {
                    continue;
                }
                let ray = |pixel: Vec2| {
                    let is_in_region = place == BoxPlace::Inside || volume.contains(pixel.as_dvec2());
                    is_in_region.then(|| camera.ray(pixel, *viewport))
                };
                if sight.chooses_what_hides() {
                    let add = |pixel: Vec2, seen: &mut Vec<u128>| {
                        let Some(ray) = ray(pixel) else { return };
                        sight.seen_hits(&ray, &mut hits);
                        seen.extend(hits.iter().filter_map(|hit| sight.wanted.part_of_hit(hit)).map(packed));
                    };
                    self.add_depths_of_tile([columns, rows], add, &mut seen);
                } else {
                    let sees = |pixel: Vec2| sight.wanted.first_part(&ray(pixel)?).map(packed);
                    self.add_tile([columns, rows], sees, &mut seen);
                }
            }
        }
        seen.sort_shared();
        seen.dedup();
        seen.into_iter().map(unpacked).collect()
    }
}

/// The points and segments of a view that no surface hides. Points and lines hide nothing.
pub(super) struct WireSight<'q, K> {
    /// The view that selects the occluders.
    hiding: RayView<'q, K>,
    volume: &'q RegionVolume<'q>,
    grid: SampleGrid,
    /// The eye in the world.
    eye: DVec3,
}

impl<'q, K: Clone + Eq + Hash> WireSight<'q, K> {
    pub(super) fn new(hiding: RayView<'q, K>, volume: &'q RegionVolume<'q>, grid: SampleGrid, eye: DVec3) -> Self {
        Self { hiding, volume, grid, eye }
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
            // The near depth of a camera with parallel rays may be anywhere, so the ray begins at the bounds of the scene.
            let (_, step) = space.ray(space.pixel(pixels));
            self.hiding.entry_of_sight(world - step * (pixels.z - near), world)
        };
        self.hiding.hiding(start, world, Some(part)).is_none()
    }

    /// Returns whether a point of a segment is seen. The points that are tested are its ends, and its crossings with the middle of each column and of each row
    /// of samples. Each end is given in pixel space and in the world.
    pub(super) fn sees_segment(&self, part: &Part, [a, b]: [[DVec3; 2]; 2]) -> bool {
        let Some(ends) = self.volume.places_between_planes([a[0], b[0]]) else { return false };
        let between = |place: f64| [0, 1].map(|space| a[space] + (b[space] - a[space]) * place);
        let sees = |place: f64| self.sees_point(part, between(place));
        let is_perspective = self.volume.space.is_perspective();
        let sees_crossing = |axis: usize| {
            let [from, to] = ends.map(|place| self.volume.space.pixel(between(place)[0])[axis]);
            let crossing = |middle: f64| {
                let off = |end: DVec3| end[axis] - middle * if is_perspective { end.z } else { 1.0 };
                let [start, end] = [a[0], b[0]].map(off);
                (start / (start - end)).clamp(ends[0], ends[1])
            };
            from.is_finite() && to.is_finite() && self.grid.middles(axis, from, to).map(crossing).any(sees)
        };
        self.sees_point(part, a) || self.sees_point(part, b) || (0..2).any(sees_crossing)
    }
}

/// Packs a part and a triangle into a number with the same order, which sorts faster.
fn packed((part, triangle): FirstPart) -> u128 {
    u128::from(part.number()) << 64 | triangle.map_or(0, |triangle| u128::from(triangle) + 1)
}

fn unpacked(number: u128) -> FirstPart {
    (PartPlace::of_number((number >> 64) as u64), (number as u64).checked_sub(1).map(|triangle| triangle as u32))
}
