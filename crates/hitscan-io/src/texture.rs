//! The alpha channel of a picture, for telling where a cut-out material has holes.

use hitscan::glam::Vec2;
use std::io::Cursor;

/// How many texels the pictures of one model may have together: a quarter of a GiB at a byte each.
pub(crate) const MAX_TEXELS: u64 = 1 << 28;
/// The longest side of a picture.
const MAX_SIDE: u32 = 1 << 15;
/// What decoding one picture may take: a `MAX_TEXELS / 4` picture in four channels.
const MAX_DECODING: u64 = MAX_TEXELS;

/// What a sampler does with coordinates outside of 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Wrap {
    /// The picture repeats.
    #[default]
    Repeat,
    /// The picture repeats, every other time mirrored.
    MirroredRepeat,
    /// The outermost texels go on for ever.
    ClampToEdge,
}

impl Wrap {
    /// The texel at a coordinate of an axis with `size` texels.
    fn texel(self, coordinate: f64, size: u32) -> u32 {
        let size = f64::from(size);
        let texel = (coordinate * size).floor();
        let wrapped = match self {
            Self::Repeat => texel.rem_euclid(size),
            Self::MirroredRepeat => {
                let twice = texel.rem_euclid(2.0 * size);
                twice.min(2.0 * size - 1.0 - twice)
            }
            Self::ClampToEdge => texel.clamp(0.0, size - 1.0),
        };
        wrapped as u32
    }
}

/// The alpha channel of a picture, and how it is laid over the plane of texture coordinates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texture {
    width: u32,
    height: u32,
    /// Rows from the top, each from the left; 255 is opaque.
    alpha: Vec<u8>,
    wrap: [Wrap; 2],
}

impl Texture {
    /// From rows of alpha values, the top one first; 255 is opaque. `None` if their number is not `width * height`, or
    /// 0.
    pub fn from_alpha(width: u32, height: u32, alpha: Vec<u8>, wrap: [Wrap; 2]) -> Option<Self> {
        let is_whole = (width as usize).checked_mul(height as usize) == Some(alpha.len()) && !alpha.is_empty();
        is_whole.then_some(Self { width, height, alpha, wrap })
    }

    /// Reads a PNG or JPEG, whose texels, whether they can be read or not, are taken from `texels_left`.
    pub(crate) fn decode(bytes: &[u8], wrap: [Wrap; 2], texels_left: &mut u64) -> Result<Self, String> {
        let reader = || image::ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|e| e.to_string());
        let (width, height) = reader()?.into_dimensions().map_err(|e| e.to_string())?;
        *texels_left = texels_left.checked_sub(u64::from(width) * u64::from(height)).ok_or_else(|| {
            format!("{width} x {height} texels are more than the pictures of a model may have together ({MAX_TEXELS})")
        })?;
        let mut reader = reader()?;
        let mut limits = image::Limits::default();
        limits.max_image_width = Some(MAX_SIDE);
        limits.max_image_height = Some(MAX_SIDE);
        limits.max_alloc = Some(MAX_DECODING);
        reader.limits(limits);
        let alpha = alpha_of(&reader.decode().map_err(|e| e.to_string())?);
        Self::from_alpha(width, height, alpha, wrap).ok_or_else(|| "it has no texels".into())
    }

    /// Width and height in texels.
    pub fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// The alpha, from 0 to 1, of the texel nearest to texture coordinates: (0, 0) is the picture's top-left corner, v
    /// goes down. 1 at coordinates that are not finite.
    pub fn alpha(&self, coordinates: Vec2) -> f32 {
        if !coordinates.is_finite() {
            return 1.0;
        }
        let x = self.wrap[0].texel(f64::from(coordinates.x), self.width);
        let y = self.wrap[1].texel(f64::from(coordinates.y), self.height);
        f32::from(self.alpha[y as usize * self.width as usize + x as usize]) / 255.0
    }
}

/// Reads the alpha of any kind of picture without first turning it into another one.
fn alpha_of(picture: &image::DynamicImage) -> Vec<u8> {
    use image::DynamicImage as P;
    match picture {
        P::ImageLumaA8(p) => p.pixels().map(|pixel| pixel.0[1]).collect(),
        P::ImageRgba8(p) => p.pixels().map(|pixel| pixel.0[3]).collect(),
        P::ImageLumaA16(p) => p.pixels().map(|pixel| to_eight_bits(pixel.0[1])).collect(),
        P::ImageRgba16(p) => p.pixels().map(|pixel| to_eight_bits(pixel.0[3])).collect(),
        other => vec![255; other.width() as usize * other.height() as usize],
    }
}

/// Rounds to the nearest; 65535 is 257 times 255.
fn to_eight_bits(value: u16) -> u8 {
    ((u32::from(value) + 128) / 257) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapping() {
        // Texels of an axis with 4:  ... 2 3 | 0 1 2 3 | 0 1 ...   mirrored: ... 1 0 | 0 1 2 3 | 3 2 ...
        let cases = [
            (-0.01, [3, 0, 0]),
            (0.0, [0, 0, 0]),
            (0.249, [0, 0, 0]),
            (0.25, [1, 1, 1]),
            (0.999, [3, 3, 3]),
            (1.0, [0, 3, 3]),
            (1.3, [1, 2, 3]),
            (-1.01, [3, 3, 0]),
            (1e300, [0, 0, 3]),
        ];
        for (coordinate, expected) in cases {
            let wraps = [Wrap::Repeat, Wrap::MirroredRepeat, Wrap::ClampToEdge];
            assert_eq!(wraps.map(|wrap| wrap.texel(coordinate, 4)), expected, "{coordinate}");
        }
        assert_eq!(Wrap::ClampToEdge.texel(-1e300, 4), 0);
        assert!(Wrap::Repeat.texel(-1e-300, 4) < 4);
    }

    #[test]
    fn the_top_left_texel_is_at_zero() {
        let texture = Texture::from_alpha(2, 2, vec![0, 51, 102, 255], [Wrap::Repeat; 2]).unwrap();
        let alphas = [[0.2, 0.2], [0.7, 0.2], [0.2, 0.7], [0.7, 0.7]].map(|uv| texture.alpha(Vec2::from(uv)));
        assert_eq!(alphas, [0.0, 0.2, 0.4, 1.0]);
        assert_eq!(texture.alpha(Vec2::NAN), 1.0);
        assert!(Texture::from_alpha(2, 2, vec![0; 3], [Wrap::Repeat; 2]).is_none());
    }
}
