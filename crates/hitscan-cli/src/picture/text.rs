//! Letters in the public-domain font of font8x8. Each pixel of the font is a square.

use super::canvas::{Canvas, Color};
use font8x8::{BASIC_FONTS, GREEK_FONTS, LATIN_FONTS, UnicodeFonts};
use hitscan::glam::DVec2;

/// The width and height of a letter before scaling, in pixels.
const LETTER: i64 = 8;
/// The image of all letters that the font lacks.
const UNKNOWN: [u8; 8] = [0x7e, 0x42, 0x42, 0x42, 0x42, 0x42, 0x7e, 0];

const PLATE: Color = [16, 20, 28];

impl Canvas {
    /// Draws a line of text from its top-left corner; each of the font's pixels is `scale` pixels wide.
    pub(crate) fn text(&mut self, at: DVec2, text: &str, scale: u32, color: Color) {
        let (scale, y) = (i64::from(scale), at.y.round() as i64);
        let mut x = at.x.round() as i64;
        for letter in text.chars() {
            for (row, bits) in (0..).zip(glyph(letter)) {
                for column in (0..LETTER).filter(|column| bits >> column & 1 == 1) {
                    self.square(x + column * scale, y + row * scale, scale, color);
                }
            }
            x += LETTER * scale;
        }
    }

    fn square(&mut self, left: i64, top: i64, side: i64, color: Color) {
        for y in top..top + side {
            for x in left..left + side {
                self.tint(x, y, color, 1.0);
            }
        }
    }

    /// Draws lines of text on a dark plate. The plate's top-left corner is at `at`, or as near to it as the picture
    /// allows.
    pub(crate) fn label(&mut self, at: DVec2, lines: &[(String, Color)], scale: u32) {
        let letter = f64::from(scale) * LETTER as f64;
        let leading = letter * 1.4;
        let widest = lines.iter().map(|(line, _)| line.chars().count()).max().unwrap_or(0) as f64;
        let plate = DVec2::new(widest * letter, lines.len() as f64 * leading) + letter;
        let room = DVec2::new(self.size().width.into(), self.size().height.into()) - plate;
        let corner = at.min(room).max(DVec2::ZERO).round();
        self.plate(corner, corner + plate, PLATE, 0.82);
        for (number, (line, color)) in lines.iter().enumerate() {
            let down = letter * 0.7 + number as f64 * leading;
            self.text(corner + DVec2::new(letter * 0.5, down), line, scale, *color);
        }
    }
}

fn glyph(letter: char) -> [u8; 8] {
    let found = BASIC_FONTS.get(letter).or_else(|| LATIN_FONTS.get(letter)).or_else(|| GREEK_FONTS.get(letter));
    found.unwrap_or(UNKNOWN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_has_a_form() {
        assert_eq!(glyph('\u{1f600}'), UNKNOWN);
        assert_eq!(glyph(' '), [0; 8]);
        for letter in ('!'..='~').chain(['ü', 'É', 'Ω']) {
            assert!(glyph(letter) != [0; 8] && glyph(letter) != UNKNOWN, "{letter}");
        }
    }
}
