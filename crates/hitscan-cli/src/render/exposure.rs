//! Samples of a view: their density, and the light of each.

use super::light::Light;
use super::mode::Mode;
use super::pixel::Pixel;
use super::surface::{Surface, View};
use crate::args::Size;
use hitscan_io::EntityId;
use std::collections::HashSet;

/// The side of squares of pixels. Each pixel of a square tests different directions to the sky, and the mean over a square has all
/// directions.
pub(super) const SQUARE: usize = 4;
/// The order in which the pixels of a square get their directions. Neighbours get distant directions (Bayer 1973).
const ORDER: [u32; SQUARE * SQUARE] = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5];

/// The density of samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grain {
    /// The side, in pixels of the view, of the square that one pixel of the film covers.
    pub(crate) step: u32,
    /// The number of samples of a film's pixel in each direction.
    pub(crate) samples: u32,
    pub(crate) sky: Sky,
}

/// The source of the sky's light.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sky {
    /// Rays test whether the sky is visible.
    Sampled,
    /// Every surface sees the same fraction of the sky: [`USUAL`].
    Assumed,
}

/// The fraction of the sky that an ordinary surface sees.
const USUAL: f32 = 0.85;

impl Grain {
    /// Returns the size of a film for a view of this size. Its last row and column may reach beyond the view.
    #[cfg_attr(not(feature = "window"), expect(dead_code, reason = "only a window needs it"))]
    pub(crate) fn film(self, view: Size) -> Size {
        Size { width: view.width.div_ceil(self.step), height: view.height.div_ceil(self.step) }
    }
}

/// A view with its light, and the density of its samples.
pub(crate) struct Exposure<'a> {
    view: &'a View<'a>,
    mode: Mode,
    grain: Grain,
    light: Light,
    marked: &'a HashSet<EntityId>,
}

impl<'a> Exposure<'a> {
    pub(crate) fn new(view: &'a View<'a>, mode: Mode, grain: Grain, marked: &'a HashSet<EntityId>) -> Self {
        Self { view, mode, grain, light: Light::of(view), marked }
    }

    /// Returns a pixel of the film.
    pub(super) fn pixel(&self, x: usize, y: usize) -> Pixel {
        let samples = self.grain.samples;
        let sample = |number: u32| {
            let [across, down] =
                [number % samples, number / samples].map(|place| (f64::from(place) + 0.5) / f64::from(samples));
            let step = f64::from(self.grain.step);
            self.sample([(x as f64 + across) * step, (y as f64 + down) * step], (x, y), number)
        };
        let count = samples * samples;
        (1..count).fold(sample(0), |sum, number| sum.plus(&sample(number))).mean(count as f32)
    }

    fn sample(&self, at: [f64; 2], pixel: (usize, usize), number: u32) -> Pixel {
        let ray = self.view.ray(at);
        let Some(surface) = self.view.surface(&ray) else {
            let height = 1.0 - at[1] / f64::from(self.view.size.height);
            return Pixel { direct: self.mode.background(height as f32), ..Pixel::default() };
        };
        let seen = Pixel {
            entity: Some(surface.hit.id),
            covered: 1.0,
            depth: surface.hit.t,
            normal: surface.normal,
            marked: if self.marked.contains(&surface.hit.id) { 1.0 } else { 0.0 },
            ..Pixel::default()
        };
        match self.mode {
            Mode::Shaded => {
                let lit = self.light.lit(self.view, &surface, -ray.direction);
                let open = self.openness(&surface, pixel, number);
                Pixel { direct: lit.direct, ambient: lit.ambient, open, ..seen }
            }
            mode => Pixel { direct: mode.flat(&surface, -ray.direction), ..seen },
        }
    }

    /// Returns the fraction of the sky that a sample of a pixel sees.
    fn openness(&self, surface: &Surface, (x, y): (usize, usize), number: u32) -> f32 {
        if self.grain.sky == Sky::Assumed {
            return USUAL;
        }
        let sets = ORDER.len() as u32;
        let set = ORDER[(y % SQUARE) * SQUARE + x % SQUARE] + sets * number;
        Light::openness(self.view, surface, set, sets * self.grain.samples * self.grain.samples)
    }
}
