//! The part of space that a region of the window shows: a pyramid or a prism between two depths.

use super::outline::Outline;
use super::pixel_rect::PixelRect;
use super::{Region, Rule};
use crate::bvh::{BoxPlace, BoxRegion, RegionPlane, SUBNORMAL_STEP};
use crate::camera::{Camera, PixelSpace, Viewport};
use crate::geom::aabb::Aabb;
use crate::math::clip::{clip, places_above, section};
use crate::math::float::{UNIT_ROUNDOFF, gamma, inverse_power_of_two};
use crate::scene::Part;
use alloc::vec::Vec;
use glam::{DAffine3, DVec2, DVec3};

/// A region as a camera shows it, within the camera's viewport.
pub(super) struct RegionVolume<'r> {
    pub(super) outline: &'r Outline,
    pub(super) space: PixelSpace,
    /// The rectangle around the intersection of the region and the viewport.
    pub(super) bounds: PixelRect,
    /// The planes around that rectangle, and the planes of the depths, in pixel space: normals and constants.
    /// Heights inside are not negative.
    pub(super) planes: [(DVec3, f64); 6],
    /// The rectangle and the planes that clip triangles. They are `bounds` and `planes`, except for a lasso, which uses
    /// the viewport and its planes. Parts of the lasso's line may lie on the border of the rectangle around it, where
    /// rounding would move a cut off the line.
    frame: PixelRect,
    cuts: [(DVec3, f64); 6],
    /// The plane through the middle of the rectangle, across each axis along which its extent is too small for
    /// clipping.
    lines: [Option<(DVec3, f64)>; 2],
}

/// A region in the coordinates of a tree or of a part.
pub(super) struct RegionFrame<'v> {
    volume: &'v RegionVolume<'v>,
    /// The transform to pixel space.
    to_pixels: DAffine3,
    planes: [RegionPlane; 6],
    /// A bound on the error of coordinates in pixel space.
    error: DVec3,
}

/// Buffers for clipping.
#[derive(Default)]
pub(super) struct Buffers {
    kept: Vec<DVec3>,
    from: Vec<DVec3>,
    pixels: Vec<DVec2>,
}

/// An upper bound of the relative error of values in pixel space. A product of transforms takes 5 roundings, applying it 5, and a plane 5. The constants take
/// fewer than the remaining 17.
const ERROR: f64 = gamma(32);

impl<'r> RegionVolume<'r> {
    /// Returns `None` if nothing can be in the region.
    pub(super) fn new(region: &'r Region, camera: &Camera, viewport: &Viewport) -> Option<Self> {
        let space = camera.pixel_space(viewport)?;
        let (origin, size) = (viewport.origin.as_dvec2(), viewport.size.as_dvec2());
        let picture = PixelRect { min: origin, max: origin + size };
        let bounds = region.outline.bounds().intersection(&picture)?;
        // The right and bottom edges do not belong to a viewport, because an adjacent viewport may begin there.
        if bounds.min.cmpge(picture.max).any() {
            return None;
        }
        let [near, far] = space.depth;
        let is_lasso = matches!(region.outline, Outline::Lasso(_));
        let line = |axis: DVec2| {
            if is_lasso {
                return None;
            }
            let [least, most] = [bounds.min, bounds.max].map(|at| at.dot(axis));
            // The error of a cut's pixel has three parts. They are the roundings of a transform, of the heights at
            // its ends and of a quotient.
            let reach = least.abs().max(most.abs()) + size.dot(axis);
            (most - least <= 64.0 * UNIT_ROUNDOFF * reach).then(|| space.plane(axis, least + (most - least) * 0.5))
        };
        let lines = [line(DVec2::X), line(DVec2::Y)];
        // Without a farthest depth, everything is above the last plane.
        let last = if far.is_finite() { (DVec3::NEG_Z, far) } else { (DVec3::ZERO, 1.0) };
        let planes_around = |rect: &PixelRect| {
            [
                space.plane(DVec2::X, rect.min.x),
                space.plane(DVec2::NEG_X, -rect.max.x),
                space.plane(DVec2::Y, rect.min.y),
                space.plane(DVec2::NEG_Y, -rect.max.y),
                (DVec3::Z, -near),
                last,
            ]
        };
        let frame = if is_lasso { picture } else { bounds };
        let (planes, cuts) = (planes_around(&bounds), planes_around(&frame));
        Some(Self { outline: &region.outline, space, bounds, planes, frame, cuts, lines })
    }

    /// Returns the region in the coordinates of a part or tree, given their transform to offsets from the eye, and an
    /// upper bound of the coordinates.
    pub(super) fn framed(&self, to_offset: &DAffine3, reach: DVec3) -> RegionFrame<'_> {
        let to_pixels = self.space.of_offset * *to_offset;
        let absolute = |affine: &DAffine3, reach: DVec3| {
            let DAffine3 { matrix3: m, translation } = affine;
            m.x_axis.abs() * reach.x + m.y_axis.abs() * reach.y + m.z_axis.abs() * reach.z + translation.abs()
        };
        let sizes = absolute(&self.space.of_offset, absolute(to_offset, reach));
        let plane = |(height, constant): (DVec3, f64)| {
            RegionPlane::new(
                to_pixels.matrix3.transpose() * height,
                height.dot(to_pixels.translation) + constant,
                (height.abs().dot(sizes) + constant.abs()) * ERROR,
            )
        };
        let columns = to_pixels.matrix3;
        let steps = (columns.x_axis.abs() + columns.y_axis.abs() + columns.z_axis.abs()) * SUBNORMAL_STEP;
        RegionFrame { volume: self, to_pixels, planes: self.planes.map(plane), error: sizes * ERROR + steps }
    }

    /// Returns the region in the coordinates of a part's tree. `scale` is the number of the tree's units in one of the
    /// part's units, `eye` is in the world, and `bounds` are the bounds of the part.
    pub(super) fn framed_for(&self, part: &Part, eye: DVec3, scale: f64, bounds: &Aabb) -> RegionFrame<'_> {
        let DAffine3 { matrix3, translation } = part.to_world;
        let to_offset = DAffine3 { matrix3: matrix3 * inverse_power_of_two(scale), translation: translation - eye };
        let reach = bounds.min.abs().max(bounds.max.abs()).as_dvec3();
        self.framed(&to_offset, reach * scale)
    }

    /// Returns whether a pixel is in the region and in the viewport.
    pub(super) fn contains(&self, pixel: DVec2) -> bool {
        self.bounds.contains(pixel) && self.outline.contains(pixel)
    }

    /// Returns the position of a rectangle relative to the region within the viewport.
    pub(super) fn place(&self, rect: &PixelRect) -> BoxPlace {
        match self.bounds.intersection(rect) {
            None => BoxPlace::Outside,
            Some(common) => match self.outline.place(rect) {
                BoxPlace::Inside if common != *rect => BoxPlace::Crossing,
                place => place,
            },
        }
    }

    /// Returns whether a point, segment or triangle in pixel space is selected.
    pub(super) fn selects(&self, corners: &[DVec3], rule: Rule, buffers: &mut Buffers) -> bool {
        match rule {
            Rule::Touching => self.touches(corners, buffers),
            Rule::Inside => self.holds(corners, buffers),
            Rule::Center => self.shows(corners.iter().sum::<DVec3>() / corners.len() as f64),
        }
    }

    /// Returns whether a point in pixel space is in the region.
    pub(super) fn shows(&self, point: DVec3) -> bool {
        self.are_between_planes(&[point]) && self.has_pixel_in_outline(point)
    }

    /// Returns whether the pixel of a point between the planes is in the region.
    fn has_pixel_in_outline(&self, point: DVec3) -> bool {
        let is_in_front = !self.space.is_perspective() || point.z > 0.0;
        is_in_front && self.outline.contains(self.pixel_within(point))
    }

    /// Returns the two fractions, from 0 to 1, between which a segment in pixel space is above all planes. Returns
    /// `None` if no part of it is.
    pub(super) fn places_between_planes(&self, ends: [DVec3; 2]) -> Option<[f64; 2]> {
        places_above([0.0, 1.0], self.planes.map(|(height, constant)| ends.map(|end| height.dot(end) + constant)))
    }

    fn touches(&self, corners: &[DVec3], buffers: &mut Buffers) -> bool {
        if !corners.iter().all(|corner| corner.is_finite()) {
            return false;
        }
        let (below, all) = (corners_below(&self.planes, corners), (1 << corners.len()) - 1);
        if below.contains(&all) {
            return false;
        }
        let is_rect = matches!(self.outline, Outline::Rect(_));
        let below_any = below.iter().fold(0, |any, bits| any | bits);
        let is_shown = |(place, &corner): (usize, &DVec3)| {
            below_any >> place & 1 == 0 && (is_rect || self.has_pixel_in_outline(corner))
        };
        // Testing one corner is often enough.
        if corners.iter().rev().enumerate().any(is_shown) {
            return true;
        }
        let Buffers { kept, from, pixels } = buffers;
        let below = if self.frame == self.bounds { below } else { corners_below(&self.cuts, corners) };
        if below == [0; 6] {
            return !self.to_pixels(corners, pixels) || self.outline.meets(pixels);
        }
        kept.clear();
        kept.extend_from_slice(corners);
        for (index, &(height, constant)) in self.cuts.iter().enumerate().filter(|&(index, _)| below[index] != 0) {
            let line = self.lines.get(index / 2).copied().flatten();
            // One section by the plane in the middle replaces the clips by the planes on both sides.
            if line.is_some() && index % 2 == 1 && below[index - 1] != 0 {
                continue;
            }
            core::mem::swap(kept, from);
            match line {
                Some((height, constant)) => section(from, |point| height.dot(point) + constant, kept),
                None => clip(from, |point| -(height.dot(point) + constant), kept),
            }
            if kept.is_empty() {
                return false;
            }
        }
        if is_rect {
            return true;
        }
        // Every ray hits an object at the eye.
        !self.to_pixels(kept, pixels) || self.outline.meets(pixels)
    }

    /// Returns whether a point, segment or triangle in pixel space is wholly in the region.
    fn holds(&self, corners: &[DVec3], buffers: &mut Buffers) -> bool {
        self.are_between_planes(corners)
            && self.to_pixels(corners, &mut buffers.pixels)
            && self.outline.holds(&buffers.pixels)
    }

    fn are_between_planes(&self, corners: &[DVec3]) -> bool {
        let is_above =
            |&(height, constant): &(DVec3, f64)| corners.iter().all(|&corner| height.dot(corner) + constant >= 0.0);
        corners.iter().all(|corner| corner.is_finite()) && self.planes.iter().all(is_above)
    }

    /// Writes the pixels of points between the planes; returns `false` if one of them is at the eye.
    fn to_pixels(&self, points: &[DVec3], pixels: &mut Vec<DVec2>) -> bool {
        pixels.clear();
        pixels.extend(points.iter().map(|&point| self.pixel_within(point)));
        !self.space.is_perspective() || points.iter().all(|point| point.z > 0.0)
    }

    /// Returns the pixel of a point between the planes of the cuts, clamped to the frame because rounding may move it
    /// out.
    fn pixel_within(&self, point: DVec3) -> DVec2 {
        self.space.pixel(point).clamp(self.frame.min, self.frame.max)
    }
}

/// Returns, for each plane, the corners that are below it, a bit each.
fn corners_below(planes: &[(DVec3, f64); 6], corners: &[DVec3]) -> [u8; 6] {
    planes.each_ref().map(|&(height, constant)| {
        let is_below = |corner: &DVec3| height.dot(*corner) + constant < 0.0;
        corners.iter().fold(0u8, |bits, corner| bits << 1 | u8::from(is_below(corner)))
    })
}

impl RegionFrame<'_> {
    /// Converts a point to pixel space.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn to_pixels(&self, point: DVec3) -> DVec3 {
        self.to_pixels.transform_point3(point)
    }

    /// Returns the rectangle around all pixels of a box that is in front of the eye, widened by the rounding error.
    /// Returns `None` if part of the box may not be in front of the eye.
    pub(super) fn pixels_of(&self, low: DVec3, high: DVec3) -> Option<PixelRect> {
        let space = &self.volume.space;
        // This does not use `array::from_fn` and `array::map`, because they are not inlined.
        let (base, size) = (self.to_pixels(low), high - low);
        let matrix = &self.to_pixels.matrix3;
        let edges = [matrix.x_axis * size.x, matrix.y_axis * size.y, matrix.z_axis * size.z];
        let mut corners = [base; 8];
        for (index, corner) in corners.iter_mut().enumerate() {
            for (axis, edge) in edges.iter().enumerate() {
                *corner += if index >> axis & 1 == 1 { *edge } else { DVec3::ZERO };
            }
        }
        let mut rect = PixelRect { min: DVec2::INFINITY, max: DVec2::NEG_INFINITY };
        for &corner in &corners {
            let pixel = space.pixel(corner);
            rect = PixelRect { min: rect.min.min(pixel), max: rect.max.max(pixel) };
        }
        let mut margin = self.error.truncate();
        if space.is_perspective() {
            let least =
                corners.iter().fold(f64::INFINITY, |least, corner| if corner.z < least { corner.z } else { least });
            // Above this limit, the error of a quotient is below twice its first-order bound, and the margin has that factor 2.
            if !(least > 4.0 * self.error.z) {
                return None;
            }
            margin = (margin + rect.min.abs().max(rect.max.abs()) * self.error.z) * (2.0 / least);
        }
        rect.min.is_finite().then_some(())?;
        rect.max.is_finite().then_some(PixelRect { min: rect.min - margin, max: rect.max + margin })
    }
}

impl BoxRegion for RegionFrame<'_> {
    fn planes(&self) -> &[RegionPlane; 6] {
        &self.planes
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn place(&self, place: BoxPlace, low: DVec3, high: DVec3) -> BoxPlace {
        match self.volume.outline {
            Outline::Rect(_) => place,
            outline => self.place_in(outline, place, low, high),
        }
    }
}

impl RegionFrame<'_> {
    /// Returns the position of a box, given the position of the box relative to the rectangle around the outline.
    #[inline(never)]
    fn place_in(&self, outline: &Outline, place: BoxPlace, low: DVec3, high: DVec3) -> BoxPlace {
        let Some(rect) = self.pixels_of(low, high) else { return BoxPlace::Crossing };
        match outline.place(&rect) {
            // The depths may cut the box off.
            BoxPlace::Inside if place != BoxPlace::Inside => BoxPlace::Crossing,
            place => place,
        }
    }
}

/// The complement of a region. The search visits boxes wholly outside of the region first, and skips boxes inside.
pub(super) struct Complement<'f>(pub(super) &'f RegionFrame<'f>);

impl BoxRegion for Complement<'_> {
    fn planes(&self) -> &[RegionPlane; 6] {
        self.0.planes()
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn place(&self, place: BoxPlace, low: DVec3, high: DVec3) -> BoxPlace {
        self.0.place(place, low, high).complement()
    }

    fn beyond(&self) -> BoxPlace {
        BoxPlace::Inside
    }
}
