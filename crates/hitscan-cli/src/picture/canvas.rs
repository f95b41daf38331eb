//! Pixels, and the file to which they are written.

use crate::args::Size;
use crate::file::NewFile;
use anyhow::{Context, Result, ensure};
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder};
use rayon::prelude::*;
use rayon::slice::ChunksExactMut;
use std::collections::BTreeSet;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Red, green and blue in sRGB.
pub(crate) type Color = [u8; 3];

/// The largest number of pixels of a picture. It allows pictures of 7680x4320 (8K).
const MAX_PIXELS: u64 = 1 << 25;

/// A PNG that is to be made.
pub(crate) struct Picture {
    file: NewFile,
}

impl Picture {
    /// Begins a picture. Fails at once if a picture of this size cannot be made at this path, which is the value of
    /// `option`.
    pub(crate) fn create(option: &str, path: &Path, inputs: &[&Path], size: Size) -> Result<Self> {
        let extension = path.extension().and_then(|extension| extension.to_str());
        ensure!(
            extension.is_some_and(|extension| extension.eq_ignore_ascii_case("png")),
            "{option} {}: pictures are written to .png files",
            path.display()
        );
        let pixels = u64::from(size.width) * u64::from(size.height);
        ensure!(pixels <= MAX_PIXELS, "--size {size} has {pixels} pixels, and a picture at most {MAX_PIXELS}");
        Ok(Self { file: NewFile::create(path, inputs)? })
    }

    /// Fails if the picture would replace one of the files that the command has read.
    pub(crate) fn keep_apart(&self, read: &BTreeSet<PathBuf>) -> Result<()> {
        self.file.keep_apart(read)
    }

    pub(crate) fn write(self, canvas: &Canvas) -> Result<()> {
        let mut out = BufWriter::new(self.file.file());
        let encoder = PngEncoder::new_with_quality(&mut out, CompressionType::Best, FilterType::Adaptive);
        let Size { width, height } = canvas.size;
        let written = encoder.write_image(canvas.pixels.as_flattened(), width, height, ExtendedColorType::Rgb8);
        written.with_context(|| self.file.cannot_write())?;
        out.flush().with_context(|| self.file.cannot_write())?;
        drop(out);
        self.file.keep()
    }
}

/// Pixels to draw on, row by row from the top.
pub(crate) struct Canvas {
    size: Size,
    pixels: Vec<Color>,
}

impl Canvas {
    /// Makes a canvas of one color.
    pub(crate) fn filled(size: Size, color: Color) -> Self {
        Self { size, pixels: vec![color; size.width as usize * size.height as usize] }
    }

    /// Returns `None` if the number of pixels does not match the size.
    pub(crate) fn of_pixels(size: Size, pixels: Vec<Color>) -> Option<Self> {
        (pixels.len() == size.width as usize * size.height as usize).then_some(Self { size, pixels })
    }

    pub(crate) fn size(&self) -> Size {
        self.size
    }

    /// Returns an enlarged copy of this size, in which each pixel is a square of `step` pixels, beginning at the
    /// top-left corner.
    #[cfg_attr(not(feature = "window"), expect(dead_code, reason = "only a window needs it"))]
    pub(crate) fn enlarged(&self, step: u32, size: Size) -> Self {
        let [width, height] = [self.size.width, self.size.height].map(|length| length as usize);
        let mut enlarged = Self::filled(size, [0; 3]);
        if width == 0 || height == 0 {
            return enlarged;
        }
        let place = |place: usize, length: usize| (place / step as usize).min(length - 1);
        enlarged.rows().enumerate().for_each(|(y, row)| {
            let from = &self.pixels[place(y, height) * width..][..width];
            for (x, pixel) in row.iter_mut().enumerate() {
                *pixel = from[place(x, width)];
            }
        });
        enlarged
    }

    #[cfg_attr(not(feature = "window"), expect(dead_code, reason = "only a window needs it"))]
    pub(crate) fn pixels(&self) -> &[Color] {
        &self.pixels
    }

    /// Returns the rows of pixels, from the top.
    pub(super) fn rows(&mut self) -> ChunksExactMut<'_, Color> {
        self.pixels.par_chunks_exact_mut(self.size.width as usize)
    }

    /// Replaces the colors of pixels, given their columns and rows from the top-left corner. A pixel for which `color` returns `None` stays.
    pub(crate) fn recolor(&mut self, color: &(impl Fn([u32; 2], Color) -> Option<Color> + Sync)) {
        self.rows().enumerate().for_each(|(y, row)| {
            for (x, pixel) in row.iter_mut().enumerate() {
                *pixel = color([x as u32, y as u32], *pixel).unwrap_or(*pixel);
            }
        });
    }

    /// Blends a color over a pixel with this coverage. Pixels outside of the picture are ignored.
    pub(crate) fn tint(&mut self, x: i64, y: i64, color: Color, coverage: f64) {
        let (width, height) = (i64::from(self.size.width), i64::from(self.size.height));
        if !(0..width).contains(&x) || !(0..height).contains(&y) {
            return;
        }
        if let Some(pixel) = self.pixels.get_mut((y * width + x) as usize) {
            *pixel = mixed(*pixel, color, coverage);
        }
    }
}

/// Mixes two colors, with a fraction from 0 to 1 of the second.
pub(super) fn mixed(from: Color, to: Color, way: f64) -> Color {
    let way = way.clamp(0.0, 1.0);
    [0, 1, 2].map(|channel| {
        let [from, to] = [from, to].map(|color| f64::from(color[channel]));
        (from + (to - from) * way).round() as u8
    })
}
