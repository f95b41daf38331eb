//! The alpha of a picture, as far as a ray needs it.

use crate::error::CutOutError;
use alloc::sync::Arc;
use glam::Vec2;

/// The continuation of a picture beyond its edges, at texture coordinates outside of 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Wrap {
    /// The picture repeats.
    #[default]
    Repeat,
    /// The picture repeats, every other time mirrored.
    MirroredRepeat,
    /// The outermost texels continue without end.
    ClampToEdge,
}

impl Wrap {
    /// Returns the texel of an axis with `size` texels, from 0, that is nearest to a finite coordinate.
    ///
    /// ```
    /// use hitscan::mesh::Wrap;
    ///
    /// assert_eq!([Wrap::Repeat, Wrap::MirroredRepeat, Wrap::ClampToEdge].map(|wrap| wrap.texel(1.3, 4)), [1, 2, 3]);
    /// ```
    pub fn texel(self, coordinate: f64, size: u32) -> u32 {
        self.wrapped(libm::floor(coordinate * f64::from(size)), size)
    }

    /// Returns the texel, from 0 to `size` - 1, that is seen at this whole number of texels from the first edge.
    pub fn wrapped(self, texel: f64, size: u32) -> u32 {
        let size = f64::from(size);
        let wrapped = match self {
            Self::Repeat => remainder(texel, size),
            Self::MirroredRepeat => {
                let twice = remainder(texel, 2.0 * size);
                twice.min(2.0 * size - 1.0 - twice)
            }
            Self::ClampToEdge => texel.max(0.0).min(size - 1.0),
        };
        wrapped as u32
    }
}

/// Returns the remainder of a division of whole numbers. It is not negative.
fn remainder(number: f64, divisor: f64) -> f64 {
    let remainder = number % divisor;
    if remainder < 0.0 { remainder + divisor } else { remainder }
}

/// The alpha channel of a picture, and how it covers the plane of texture coordinates: the mask of a [`CutOut`](crate::mesh::CutOut). Clones share the texels.
///
/// Texture coordinates (0, 0) are the picture's top-left corner, and v goes down. The nearest texel is the answer; texels are not interpolated.
///
/// ```
/// use hitscan::mesh::{AlphaMask, Wrap};
///
/// let checkers = AlphaMask::new(2, 2, [255, 0, 0, 255])?.wrap(Wrap::Repeat, Wrap::ClampToEdge);
/// assert_eq!([[0.2, 0.2], [0.7, 0.2], [1.2, 1.2]].map(|at| checkers.alpha(at)), [1.0, 0.0, 0.0]);
/// # Ok::<(), hitscan::error::CutOutError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlphaMask {
    width: u32,
    height: u32,
    texels: Arc<[u8]>,
    wrap: [Wrap; 2],
}

impl AlphaMask {
    /// Makes a mask from rows of alpha values, the top one first, each from the left; 255 is opaque. It repeats in both directions unless [`wrap`](Self::wrap)
    /// says otherwise.
    ///
    /// # Errors
    /// Returns an error if there are not `width * height` texels, or none.
    pub fn new(width: u32, height: u32, alpha: impl Into<Arc<[u8]>>) -> Result<Self, CutOutError> {
        let texels: Arc<[u8]> = alpha.into();
        let is_whole = (width as usize).checked_mul(height as usize) == Some(texels.len()) && !texels.is_empty();
        let error = CutOutError::Texels { width, height, count: texels.len() };
        is_whole.then_some(Self { width, height, texels, wrap: [Wrap::Repeat; 2] }).ok_or(error)
    }

    /// Returns the same mask with another continuation beyond its edges, across and down.
    #[must_use]
    pub fn wrap(self, across: Wrap, down: Wrap) -> Self {
        Self { wrap: [across, down], ..self }
    }

    /// Returns width and height in texels.
    pub fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// Returns all alpha values, row after row, the top one first.
    pub fn texels(&self) -> &[u8] {
        &self.texels
    }

    /// Returns its continuation beyond its edges, across and down.
    pub(in crate::mesh) fn wraps(&self) -> [Wrap; 2] {
        self.wrap
    }

    /// Returns the alpha, from 0 to 1, of the texel nearest to texture coordinates; 1 at coordinates that are not finite.
    pub fn alpha(&self, coordinates: impl Into<Vec2>) -> f32 {
        let coordinates = coordinates.into();
        if !coordinates.is_finite() {
            return 1.0;
        }
        let x = self.wrap[0].texel(f64::from(coordinates.x), self.width);
        let y = self.wrap[1].texel(f64::from(coordinates.y), self.height);
        let texel = self.texels.get(y as usize * self.width as usize + x as usize);
        texel.map_or(1.0, |&alpha| f32::from(alpha) / 255.0)
    }
}
