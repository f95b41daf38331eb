//! Lines around what is covered.

use super::canvas::{Canvas, Color, mixed};
use rayon::prelude::*;

/// A line around what is covered, and a tint over it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outline {
    pub(crate) color: Color,
    /// The width of the line in pixels; it lies outside.
    pub(crate) width: i64,
    /// The coverage of the tint: 0 to 1.
    pub(crate) tint: f64,
}

impl Canvas {
    /// Draws an outline around the pixels that `covered` answers 1 for; it may also answer a part of 1.
    pub(crate) fn outline(&mut self, outline: Outline, covered: impl Fn(i64, i64) -> f64 + Sync) {
        let Outline { color, width, tint } = outline;
        let offsets: Vec<(i64, i64)> = (-width..=width)
            .flat_map(|dy| (-width..=width).map(move |dx| (dx, dy)))
            .filter(|(dx, dy)| dx * dx + dy * dy <= width * width)
            .collect();
        self.rows().enumerate().for_each(|(y, row)| {
            let y = y as i64;
            for (x, pixel) in (0..).zip(row) {
                let own = covered(x, y);
                let line = if own < 1.0 {
                    offsets.iter().map(|(dx, dy)| covered(x + dx, y + dy)).fold(0.0, f64::max)
                } else {
                    0.0
                };
                let coverage = tint * own + (1.0 - own) * line;
                if coverage > 0.0 {
                    *pixel = mixed(*pixel, color, coverage);
                }
            }
        });
    }
}
