//! Pictures: their alpha says where a cut-out material has holes, and their colours how a surface looks.

use crate::color::linear_byte;
use hitscan::glam::{Vec2, Vec4};
use hitscan::mesh::{AlphaMask, Wrap};
use serde::{Deserialize, Serialize};
use std::io::Cursor;

/// The amount of data that is read of a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Detail {
    /// Names, the base-colour factors of materials, and everything that decides where a ray hits.
    #[default]
    Hits,
    /// The data of [`Hits`](Self::Hits), base-colour textures and vertex colours, for pictures:
    /// [`Model::base_color`](crate::Model::base_color). Textures take up to half a GiB.
    Colors,
}

/// The number of bytes that the texels of one model's pictures may take together: for alpha alone, and for colours.
const MAX_BYTES: [u64; 2] = [1 << 28, 1 << 29];
/// The largest size of a picture's file.
pub(crate) const MAX_FILE: usize = 1 << 28;
/// The longest side of a picture.
const MAX_SIDE: u32 = 1 << 15;
/// The memory that decoding one picture may take: 64 million texels in four channels.
const MAX_DECODING: u64 = 1 << 28;

/// Returns the two texels whose middles enclose a coordinate, on an axis with `size` texels, and the distance of the coordinate from the first middle, from 0
/// to 1 texel.
fn between(wrap: Wrap, coordinate: f64, size: u32) -> ([u32; 2], f32) {
    let place = coordinate * f64::from(size) - 0.5;
    let first = place.floor();
    ([first, first + 1.0].map(|texel| wrap.wrapped(texel, size)), (place - first) as f32)
}

/// A picture, or only its alpha channel, and how it covers the plane of texture coordinates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texture {
    width: u32,
    height: u32,
    texels: Texels,
    wrap: [Wrap; 2],
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Texels {
    Alpha(AlphaMask),
    /// Red, green and blue in sRGB, and alpha: rows from the top, each from the left; an alpha of 255 is opaque.
    Color(Vec<[u8; 4]>),
}

/// Reads the pictures of one model.
pub(crate) struct Decoder {
    detail: Detail,
    bytes_left: u64,
}

impl Decoder {
    pub(crate) fn new(detail: Detail) -> Self {
        let [alpha, color] = MAX_BYTES;
        let bytes_left = if detail == Detail::Colors { color } else { alpha };
        Self { detail, bytes_left }
    }

    /// Reads a PNG or JPEG, whose texels are counted whether they can be read or not.
    pub(crate) fn decode(&mut self, bytes: &[u8], wrap: [Wrap; 2]) -> Result<Texture, String> {
        let reader = || image::ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|e| e.to_string());
        let (width, height) = reader()?.into_dimensions().map_err(|e| e.to_string())?;
        let size = u64::from(width) * u64::from(height) * if self.detail == Detail::Colors { 4 } else { 1 };
        self.bytes_left = self.bytes_left.checked_sub(size).ok_or_else(|| {
            format!("{width} x {height} texels are more than the pictures of a model may have together")
        })?;
        let mut reader = reader()?;
        let mut limits = image::Limits::default();
        limits.max_image_width = Some(MAX_SIDE);
        limits.max_image_height = Some(MAX_SIDE);
        limits.max_alloc = Some(MAX_DECODING);
        reader.limits(limits);
        let picture = reader.decode().map_err(|e| e.to_string())?;
        let texture = match self.detail {
            Detail::Hits => Texture::from_alpha(width, height, alpha_of(&picture), wrap),
            Detail::Colors => {
                Texture::from_rgba(width, height, picture.into_rgba8().into_raw().as_chunks().0.to_vec(), wrap)
            }
        };
        texture.ok_or_else(|| "it has no texels".into())
    }
}

impl Texture {
    /// Makes a texture from rows of alpha values, the top row first; 255 is opaque. Returns `None` if the number of values is not `width * height`, or is 0.
    pub fn from_alpha(width: u32, height: u32, alpha: Vec<u8>, wrap: [Wrap; 2]) -> Option<Self> {
        let [across, down] = wrap;
        let mask = AlphaMask::new(width, height, alpha).ok()?.wrap(across, down);
        Some(Self { width, height, texels: Texels::Alpha(mask), wrap })
    }

    /// Makes a texture from rows of sRGB red, green and blue, and alpha, the top row first; 255 is opaque. Returns
    /// `None` if the number of texels is not `width * height`, or is 0.
    pub fn from_rgba(width: u32, height: u32, texels: Vec<[u8; 4]>, wrap: [Wrap; 2]) -> Option<Self> {
        let is_whole = (width as usize).checked_mul(height as usize) == Some(texels.len()) && !texels.is_empty();
        is_whole.then_some(Self { width, height, texels: Texels::Color(texels), wrap })
    }

    /// Returns only the alpha of the texture, for cut-outs.
    pub fn mask(&self) -> Option<AlphaMask> {
        match &self.texels {
            Texels::Alpha(mask) => Some(mask.clone()),
            Texels::Color(texels) => {
                let alpha: Vec<u8> = texels.iter().map(|texel| texel[3]).collect();
                Some(AlphaMask::new(self.width, self.height, alpha).ok()?.wrap(self.wrap[0], self.wrap[1]))
            }
        }
    }

    /// Returns width and height in texels.
    pub fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// Returns the alpha, from 0 to 1, of the texel nearest to texture coordinates; 1 at coordinates that are not
    /// finite. (0, 0) is the picture's top-left corner, and v goes down.
    pub fn alpha(&self, coordinates: Vec2) -> f32 {
        let texels = match &self.texels {
            Texels::Alpha(mask) => return mask.alpha(coordinates),
            Texels::Color(_) if !coordinates.is_finite() => return 1.0,
            Texels::Color(texels) => texels,
        };
        let x = self.wrap[0].texel(f64::from(coordinates.x), self.width);
        let y = self.wrap[1].texel(f64::from(coordinates.y), self.height);
        f32::from(texels[self.place(x, y)][3]) / 255.0
    }

    /// Returns linear red, green and blue, and alpha, from 0 to 1, at texture coordinates as in [`alpha`](Self::alpha).
    /// They are interpolated between the middles of the four texels around; all are 1 at coordinates that are not
    /// finite. Returns `None` if only the alpha was read.
    pub fn color(&self, coordinates: Vec2) -> Option<[f32; 4]> {
        let Texels::Color(texels) = &self.texels else { return None };
        if !coordinates.is_finite() {
            return Some([1.0; 4]);
        }
        let ([left, right], across) = between(self.wrap[0], f64::from(coordinates.x), self.width);
        let ([above, below], down) = between(self.wrap[1], f64::from(coordinates.y), self.height);
        let texel = |x, y| {
            let [red, green, blue, alpha] = texels[self.place(x, y)];
            Vec4::new(linear_byte(red), linear_byte(green), linear_byte(blue), f32::from(alpha) / 255.0)
        };
        let row = |y| texel(left, y).lerp(texel(right, y), across);
        Some(row(above).lerp(row(below), down).to_array())
    }

    fn place(&self, x: u32, y: u32) -> usize {
        y as usize * self.width as usize + x as usize
    }
}

/// A texture to be baked, or a texture that was read and is not checked yet.
#[derive(Serialize, Deserialize)]
pub(crate) struct Stored {
    width: u32,
    height: u32,
    wrap: [Wrap; 2],
    detail: Detail,
    #[serde(with = "serde_bytes")]
    texels: Vec<u8>,
}

impl Stored {
    /// Stores all of a texture, or its alpha.
    pub(crate) fn new(texture: &Texture, detail: Detail) -> Self {
        let Texture { width, height, ref texels, wrap } = *texture;
        let (detail, texels) = match (texels, detail) {
            (Texels::Alpha(mask), _) => (Detail::Hits, mask.texels().to_vec()),
            (Texels::Color(texels), Detail::Hits) => (Detail::Hits, texels.iter().map(|texel| texel[3]).collect()),
            (Texels::Color(texels), Detail::Colors) => (Detail::Colors, texels.as_flattened().to_vec()),
        };
        Self { width, height, wrap, detail, texels }
    }

    /// Returns `None` if the number of texels does not match its size.
    pub(crate) fn texture(self) -> Option<Texture> {
        let Self { width, height, wrap, detail, texels } = self;
        match detail {
            Detail::Hits => Texture::from_alpha(width, height, texels, wrap),
            Detail::Colors => match texels.as_chunks() {
                (texels, []) => Texture::from_rgba(width, height, texels.to_vec(), wrap),
                _ => None,
            },
        }
    }
}

/// Reads the alpha of any kind of picture without first converting it.
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
        assert_eq!(texture.color(Vec2::ZERO), None);
    }

    /// The picture is black and white, with half of the light between the middles.
    #[test]
    fn colors_are_mixed_as_light() {
        let texels = vec![[0, 0, 0, 255], [255, 255, 255, 51]];
        let [clamped, repeated] = [Wrap::ClampToEdge, Wrap::Repeat]
            .map(|wrap| Texture::from_rgba(2, 1, texels.clone(), [wrap, Wrap::Repeat]).unwrap());
        let at = |texture: &Texture, x: f32| texture.color(Vec2::new(x, 0.5)).unwrap();
        assert_eq!(at(&clamped, 0.25), [0.0, 0.0, 0.0, 1.0]);
        assert_eq!(at(&clamped, 0.75), [1.0, 1.0, 1.0, 0.2]);
        assert_eq!(at(&clamped, 0.5), [0.5, 0.5, 0.5, 0.6]);
        assert_eq!(at(&clamped, 0.0), [0.0, 0.0, 0.0, 1.0]);
        assert_eq!(at(&repeated, 0.0), [0.5, 0.5, 0.5, 0.6]);
        assert_eq!(at(&repeated, -1.25), [1.0, 1.0, 1.0, 0.2]);
        assert_eq!([0.2, 0.7].map(|x| clamped.alpha(Vec2::new(x, 0.5))), [1.0, 0.2]);
        assert_eq!(clamped.color(Vec2::NAN), Some([1.0; 4]));
    }
}
