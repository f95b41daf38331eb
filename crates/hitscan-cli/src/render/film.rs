//! Makes pixels from samples.

use super::exposure::{self, Exposure};
use super::mode::Mode;
use super::pixel::Pixel;
use crate::args::Size;
use crate::picture::Canvas;
use hitscan::glam::Vec3;
use hitscan_io::EntityId;
use indicatif::ProgressBar;
use rayon::prelude::*;
use std::ops::Range;

/// The limits within which a pixel shares its neighbour's sky. They are the largest relative difference of the depths, and the least cosine between the
/// normals.
const SAME_DEPTH: f32 = 0.02;
const SAME_NORMAL: f32 = 0.9;

/// The perceived brightness of red, green and blue (ITU-R BT.709).
const LUMINANCE: Vec3 = Vec3::new(0.2126, 0.7152, 0.0722);
/// The film is exposed for longer if the mean brightness of a picture is below [`USUAL`], by a factor of at most
/// [`LONGEST`]. The mean is taken over the logarithm of the brightness, as the eye perceives it (Reinhard et al. 2002).
/// Pixels that are darker than [`BLACK`] are treated as black.
const USUAL: f32 = 0.2;
const LONGEST: f32 = 5.0;
const BLACK: f32 = 1e-3;

pub(crate) struct Film {
    pub(crate) size: Size,
    pub(super) pixels: Vec<Pixel>,
}

impl Film {
    /// Makes a film of this size that is not exposed.
    pub(crate) fn blank(size: Size) -> Self {
        Self { size, pixels: vec![Pixel::default(); size.width as usize * size.height as usize] }
    }

    /// Takes the samples of these rows of pixels.
    pub(crate) fn expose(&mut self, exposure: &Exposure<'_>, rows: Range<usize>, bar: &ProgressBar) {
        let width = self.size.width as usize;
        let chosen = &mut self.pixels[rows.start * width..rows.end * width];
        chosen.par_chunks_mut(width).enumerate().for_each(|(row, pixels)| {
            for (x, pixel) in pixels.iter_mut().enumerate() {
                *pixel = exposure.pixel(x, rows.start + row);
            }
            bar.inc(1);
        });
    }

    /// Returns the entities that the pixels show, row by row.
    #[cfg_attr(not(feature = "window"), expect(dead_code, reason = "only a window needs it"))]
    pub(crate) fn entities(&self) -> Vec<Option<EntityId>> {
        self.pixels.iter().map(|pixel| pixel.entity).collect()
    }

    pub(super) fn at(&self, x: i64, y: i64) -> Option<&Pixel> {
        let (width, height) = (i64::from(self.size.width), i64::from(self.size.height));
        let is_inside = (0..width).contains(&x) && (0..height).contains(&y);
        self.pixels.get((y * width + x) as usize).filter(|_| is_inside)
    }

    pub(crate) fn develop(&self, mode: Mode) -> Option<Canvas> {
        let lights: Vec<Vec3> = (0..self.pixels.len()).into_par_iter().map(|place| self.light(place, mode)).collect();
        let exposure = if mode == Mode::Shaded { self.exposure(&lights) } else { 1.0 };
        let depths = self.depths();
        let color = |(pixel, light): (&Pixel, Vec3)| {
            // The exposure applies only to the part of a pixel that is not background.
            let exposed = light * (1.0 + (exposure - 1.0) * pixel.covered);
            mode.color(pixel, exposed, depths)
        };
        Canvas::of_pixels(self.size, self.pixels.par_iter().zip(lights).map(color).collect())
    }

    /// Returns the light that a pixel sends.
    fn light(&self, place: usize, mode: Mode) -> Vec3 {
        let (pixel, width) = (&self.pixels[place], self.size.width as usize);
        let sky = || self.sky((place % width) as i64, (place / width) as i64);
        if mode == Mode::Shaded { pixel.direct + pixel.ambient * sky() } else { pixel.direct }
    }

    /// Returns the factor by which the film is exposed for longer than usual. It is above 1 if the picture is dark on the
    /// whole, as in rooms.
    fn exposure(&self, lights: &[Vec3]) -> f32 {
        let seen = self.pixels.iter().zip(lights).filter(|(pixel, _)| pixel.covered == 1.0);
        let (sum, count) = seen.fold((0.0, 0u32), |(sum, count), (_, light)| {
            (sum + f64::from(light.dot(LUMINANCE).max(BLACK)).ln(), count + 1)
        });
        let mean = (sum / f64::from(count.max(1))).exp() as f32;
        (USUAL / mean).clamp(1.0, LONGEST)
    }

    /// Returns the nearest and the farthest depth.
    fn depths(&self) -> [f32; 2] {
        let seen = self.pixels.iter().filter(|pixel| pixel.covered > 0.0);
        seen.fold([f32::INFINITY, f32::NEG_INFINITY], |[near, far], pixel| {
            [near.min(pixel.depth), far.max(pixel.depth)]
        })
    }

    /// Returns the fraction of the sky that a pixel sees. It is the mean over the pixels of a square around it that
    /// show the same surface.
    fn sky(&self, x: i64, y: i64) -> f32 {
        let Some(center) = self.at(x, y) else { return 1.0 };
        let reach = exposure::SQUARE as i64 / 2;
        let (mut sum, mut count) = (0.0, 0.0f32);
        for pixel in (-reach..reach).flat_map(|dy| (-reach..reach).map(move |dx| (dx, dy))) {
            let Some(other) = self.at(x + pixel.0, y + pixel.1) else { continue };
            let is_same = other.covered > 0.0
                && (other.depth - center.depth).abs() <= SAME_DEPTH * center.depth
                && other.normal.dot(center.normal) >= SAME_NORMAL;
            if is_same {
                sum += other.open;
                count += 1.0;
            }
        }
        if count > 0.0 { sum / count } else { center.open }
    }
}
