//! Makes pixels from samples.

use super::light::Light;
use super::mode::Mode;
use super::surface::View;
use crate::args::Size;
use crate::picture::Canvas;
use hitscan::glam::Vec3;
use hitscan_io::EntityId;
use indicatif::ProgressBar;
use rayon::prelude::*;
use std::collections::HashSet;

/// The side of squares of pixels, each of which looks for the sky in other directions; the mean of a square has all directions.
const SQUARE: usize = 4;
/// The order in which the pixels of a square take their directions: neighbours take distant ones (Bayer 1973).
const ORDER: [u32; SQUARE * SQUARE] = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5];

/// The limits for a pixel to lend its sky: how much farther it may be, relative to its depth, and how much its normal may differ.
const SAME_DEPTH: f32 = 0.02;
const SAME_NORMAL: f32 = 0.9;

/// The brightness of red, green and blue to the eye (ITU-R BT.709).
const LUMINANCE: Vec3 = Vec3::new(0.2126, 0.7152, 0.0722);
/// The film is exposed for longer if the mean brightness of a picture, that of its logarithm as the eye has it
/// (Reinhard et al. 2002), is below this; the next number is the largest factor. Pixels that are darker than black
/// count as black.
const USUAL: f32 = 0.2;
const LONGEST: f32 = 5.0;
const BLACK: f32 = 1e-3;

/// The average of a pixel's samples.
#[derive(Clone, Copy, Default)]
pub(super) struct Pixel {
    /// The linear direct light.
    pub(super) direct: Vec3,
    pub(super) ambient: Vec3,
    /// The part of the sky that reaches it.
    open: f32,
    /// The fraction of samples that met something: 0 to 1.
    pub(super) covered: f32,
    /// The depth of the samples that met something.
    pub(super) depth: f32,
    normal: Vec3,
    /// The fraction of samples that met a marked entity: 0 to 1.
    pub(super) marked: f32,
}

pub(super) struct Film {
    pub(super) size: Size,
    pub(super) pixels: Vec<Pixel>,
}

impl Film {
    /// Takes `samples` x `samples` samples of each pixel.
    pub(super) fn expose(
        view: &View<'_>,
        mode: Mode,
        samples: u32,
        marked: &HashSet<EntityId>,
        bar: &ProgressBar,
    ) -> Self {
        let Size { width, height } = view.size;
        let exposure = Exposure { view, mode, samples, light: Light::of(view), marked };
        let mut pixels = vec![Pixel::default(); width as usize * height as usize];
        pixels.par_chunks_mut(width as usize).enumerate().for_each(|(y, row)| {
            for (x, pixel) in row.iter_mut().enumerate() {
                *pixel = exposure.pixel(x, y);
            }
            bar.inc(1);
        });
        Self { size: view.size, pixels }
    }

    pub(super) fn at(&self, x: i64, y: i64) -> Option<&Pixel> {
        let (width, height) = (i64::from(self.size.width), i64::from(self.size.height));
        let is_inside = (0..width).contains(&x) && (0..height).contains(&y);
        self.pixels.get((y * width + x) as usize).filter(|_| is_inside)
    }

    pub(super) fn develop(&self, mode: Mode) -> Option<Canvas> {
        let lights: Vec<Vec3> = (0..self.pixels.len()).into_par_iter().map(|place| self.light(place, mode)).collect();
        let exposure = if mode == Mode::Shaded { self.exposure(&lights) } else { 1.0 };
        let depths = self.depths();
        let color = |(pixel, light): (&Pixel, Vec3)| {
            // This applies only to the part that is not background.
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

    /// Returns the factor by which the film is exposed longer than usual: if the picture is dark on the whole, as in rooms.
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

    /// Returns the part of the sky that a pixel sees: the mean of the square of pixels around it that show the same surface.
    fn sky(&self, x: i64, y: i64) -> f32 {
        let Some(center) = self.at(x, y) else { return 1.0 };
        let reach = SQUARE as i64 / 2;
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

struct Exposure<'a> {
    view: &'a View<'a>,
    mode: Mode,
    samples: u32,
    light: Light,
    marked: &'a HashSet<EntityId>,
}

impl Exposure<'_> {
    fn pixel(&self, x: usize, y: usize) -> Pixel {
        let count = self.samples * self.samples;
        let mut sum = Pixel::default();
        for sample in 0..count {
            let [across, down] = [sample % self.samples, sample / self.samples]
                .map(|place| (f64::from(place) + 0.5) / f64::from(self.samples));
            let seen = self.sample([x as f64 + across, y as f64 + down], (x, y), sample);
            sum = sum.plus(&seen);
        }
        sum.mean(count as f32)
    }

    fn sample(&self, at: [f64; 2], (x, y): (usize, usize), sample: u32) -> Pixel {
        let ray = self.view.ray(at);
        let Some(surface) = self.view.surface(&ray) else {
            let height = 1.0 - at[1] / f64::from(self.view.size.height);
            return Pixel { direct: self.mode.background(height as f32), ..Pixel::default() };
        };
        let seen = Pixel {
            covered: 1.0,
            depth: surface.hit.t,
            normal: surface.normal,
            marked: if self.marked.contains(&surface.hit.id) { 1.0 } else { 0.0 },
            ..Pixel::default()
        };
        match self.mode {
            Mode::Shaded => {
                let lit = self.light.lit(self.view, &surface, -ray.direction);
                let sets = ORDER.len() as u32;
                let set = ORDER[(y % SQUARE) * SQUARE + x % SQUARE] + sets * sample;
                let open = Light::openness(self.view, &surface, set, sets * self.samples * self.samples);
                Pixel { direct: lit.direct, ambient: lit.ambient, open, ..seen }
            }
            mode => Pixel { direct: mode.flat(&surface, -ray.direction), ..seen },
        }
    }
}

impl Pixel {
    fn plus(&self, other: &Self) -> Self {
        Self {
            direct: self.direct + other.direct,
            ambient: self.ambient + other.ambient,
            open: self.open + other.open,
            covered: self.covered + other.covered,
            depth: self.depth + other.depth,
            normal: self.normal + other.normal,
            marked: self.marked + other.marked,
        }
    }

    /// Makes the mean from the sum of `count` samples. Depth, normal and sky are those of the samples that met something.
    fn mean(&self, count: f32) -> Self {
        let met = self.covered.max(1.0);
        Self {
            direct: self.direct / count,
            ambient: self.ambient / count,
            open: self.open / met,
            covered: self.covered / count,
            depth: self.depth / met,
            normal: self.normal.normalize_or_zero(),
            marked: self.marked / count,
        }
    }
}
