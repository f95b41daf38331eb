//! The properties of a surface that are shown, and their colors.

use super::light::Light;
use super::pixel::Pixel;
use super::surface::Surface;
use crate::picture::Color;
use clap::ValueEnum;
use hitscan::glam::Vec3;
use hitscan_io::Detail;

/// The content of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    Shaded,
    Normal,
    Depth,
    Entity,
}

/// The background, in modes that do not show the world realistically.
const NOTHING: Vec3 = Vec3::splat(0.012);
/// The brightness of the farthest surface, in the mode that shows depth.
const FARTHEST: f32 = 0.12;

impl Mode {
    /// Returns the detail of a model that the mode needs.
    pub(super) fn detail(self) -> Detail {
        match self {
            Self::Shaded => Detail::Colors,
            Self::Normal | Self::Depth | Self::Entity => Detail::Hits,
        }
    }

    pub(super) fn background(self, height: f32) -> Vec3 {
        match self {
            Self::Shaded => Light::background(height),
            Self::Normal | Self::Entity => NOTHING,
            Self::Depth => Vec3::ZERO,
        }
    }

    /// Returns the linear color of a surface in a mode without lighting.
    pub(super) fn flat(self, surface: &Surface, to_eye: Vec3) -> Vec3 {
        match self {
            Self::Normal => {
                let outward = if surface.hit.side == hitscan::Side::Back { -surface.normal } else { surface.normal };
                (outward * 0.5 + 0.5).map(linear)
            }
            Self::Entity => {
                let form = 0.35 + 0.65 * surface.normal.dot(to_eye).abs();
                hue(surface.hit.id.0) * form
            }
            Self::Depth | Self::Shaded => Vec3::ZERO,
        }
    }

    /// Returns the color of a pixel that sends this much light. The depths are the least and the greatest depth in the
    /// picture.
    pub(super) fn color(self, pixel: &Pixel, light: Vec3, [near, far]: [f32; 2]) -> Color {
        match self {
            Self::Shaded => {
                // The background keeps its intended brightness.
                encoded(filmic(light).lerp(light, 1.0 - pixel.covered))
            }
            Self::Normal | Self::Entity => encoded(light),
            Self::Depth => {
                let way = if far > near { (pixel.depth - near) / (far - near) } else { 0.0 };
                let brightness = (1.0 - way * (1.0 - FARTHEST)) * pixel.covered;
                [(brightness * 255.0).round() as u8; 3]
            }
        }
    }
}

/// Returns a saturated color for a number. Neighbouring numbers have very different hues, which differ by the golden
/// section of the hue circle.
fn hue(number: u32) -> Vec3 {
    let turn = (f64::from(number) * 0.618_033_988_749_894_9).fract() as f32;
    let channel = |shift: f32| (((turn + shift).fract() * 6.0 - 3.0).abs() - 1.0).clamp(0.0, 1.0);
    Vec3::new(channel(0.0), channel(2.0 / 3.0), channel(1.0 / 3.0)) * 0.75 + 0.12
}

/// Brings bright light into the range of a screen (Narkowicz 2015, ACES Filmic Tone Mapping Curve).
fn filmic(light: Vec3) -> Vec3 {
    let x = light * 0.6;
    ((x * (x * 2.51 + 0.03)) / (x * (x * 2.43 + 0.59) + 0.14)).clamp(Vec3::ZERO, Vec3::ONE)
}

fn encoded(color: Vec3) -> Color {
    let srgb = |value: f32| if value <= 0.003_130_8 { value * 12.92 } else { 1.055 * value.powf(1.0 / 2.4) - 0.055 };
    color.clamp(Vec3::ZERO, Vec3::ONE).to_array().map(|value| (srgb(value) * 255.0).round() as u8)
}

/// Inverts sRGB's curve.
fn linear(value: f32) -> f32 {
    if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}
