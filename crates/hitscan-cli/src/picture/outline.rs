//! Lines around covered pixels.

use super::canvas::{Canvas, Color, mixed};
use rayon::prelude::*;

/// A line around the covered pixels, and a tint over them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outline {
    pub(crate) color: Color,
    /// The width of the line in pixels. The line is outside of the covered pixels.
    pub(crate) width: i64,
    /// The coverage of the tint: 0 to 1.
    pub(crate) tint: f64,
}

/// The pixels of a rectangle, each with its coverage: 0 to 1. Nothing else is covered.
pub(crate) struct Coverage<F> {
    /// The first column and row of the rectangle, and in `high` the column and row after the last.
    pub(crate) low: [i64; 2],
    pub(crate) high: [i64; 2],
    /// The coverage of a pixel by its column and row. It may also be asked about pixels outside of the rectangle.
    pub(crate) of: F,
}

impl Canvas {
    /// Draws an outline around the covered pixels.
    pub(crate) fn outline<F: Fn(i64, i64) -> f64 + Sync>(&mut self, outline: Outline, covered: &Coverage<F>) {
        let Outline { color, width, tint } = outline;
        let offsets: Vec<(i64, i64)> = (-width..=width)
            .flat_map(|dy| (-width..=width).map(move |dx| (dx, dy)))
            .filter(|(dx, dy)| dx * dx + dy * dy <= width * width)
            .collect();
        let near = |place: i64, axis: usize| (covered.low[axis] - width..covered.high[axis] + width).contains(&place);
        let coverage = |x: i64, y: i64| {
            let own = (covered.of)(x, y);
            let around = || offsets.iter().map(|(dx, dy)| (covered.of)(x + dx, y + dy)).fold(0.0, f64::max);
            let line = if own < 1.0 { around() } else { 0.0 };
            tint * own + (1.0 - own) * line
        };
        self.rows().enumerate().filter(|(y, _)| near(*y as i64, 1)).for_each(|(y, row)| {
            for (x, pixel) in row.iter_mut().enumerate().filter(|(x, _)| near(*x as i64, 0)) {
                let coverage = coverage(x as i64, y as i64);
                if coverage > 0.0 {
                    *pixel = mixed(*pixel, color, coverage);
                }
            }
        });
    }
}
