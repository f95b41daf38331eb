//! Window pixels and the picture that they show.

use glam::{DVec2, Vec2};

/// The part of the window that shows the camera's picture, in window pixels: origin top-left, y down.
///
/// Pixels may be physical or logical, as long as cursor and viewport agree. The picture fills the viewport. Its
/// top-left corner is at `origin`, and the middle of its first pixel is half a pixel further. `into()` makes a viewport
/// for a whole window from its size; split screens and letter boxes also have an origin. A viewport whose size is not
/// positive shows nothing.
///
/// ```
/// use hitscan::{Viewport, glam::Vec2};
///
/// let window = Viewport::new(1920.0, 1080.0);
/// assert_eq!(window, Viewport::from([1920u32, 1080]));
/// let right_half = Viewport { origin: Vec2::new(960.0, 0.0), size: Vec2::new(960.0, 1080.0) };
/// assert!(right_half.contains([1000.0, 50.0]) && !right_half.contains([10.0, 50.0]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Viewport {
    /// The top-left corner, in pixels from the window's top-left corner.
    pub origin: Vec2,
    /// Width and height in pixels.
    pub size: Vec2,
}

impl Viewport {
    /// Makes a viewport for a whole window of this size.
    pub const fn new(width: f32, height: f32) -> Self {
        Self { origin: Vec2::ZERO, size: Vec2::new(width, height) }
    }

    /// Returns whether a cursor is over the picture. The left and top edges belong to it, and the right and bottom
    /// edges do not. So adjacent viewports share no cursor.
    pub fn contains(&self, cursor: impl Into<Vec2>) -> bool {
        let cursor = cursor.into();
        self.origin.cmple(cursor).all() && cursor.cmplt(self.origin + self.size).all()
    }

    /// Returns width over height.
    pub(super) fn aspect(&self) -> f64 {
        f64::from(self.size.x) / f64::from(self.size.y)
    }

    /// Returns the position of a cursor in the picture: x from -1 (left) to 1 (right), y from -1 (bottom) to 1 (top).
    /// `None` for an unusable viewport or cursor.
    pub(super) fn to_picture(self, cursor: Vec2) -> Option<DVec2> {
        let from_corner = (cursor.as_dvec2() - self.origin.as_dvec2()) / self.usable_size()?;
        let picture = DVec2::new(2.0 * from_corner.x - 1.0, 1.0 - 2.0 * from_corner.y);
        picture.is_finite().then_some(picture)
    }

    /// Returns the inverse of [`to_picture`](Self::to_picture), rounded once; `None` also if the pixel is beyond f32.
    pub(super) fn to_pixel(self, picture: DVec2) -> Option<Vec2> {
        let from_corner = DVec2::new(1.0 + picture.x, 1.0 - picture.y) * 0.5 * self.usable_size()?;
        let pixel = (self.origin.as_dvec2() + from_corner).as_vec2();
        pixel.is_finite().then_some(pixel)
    }

    pub(super) fn usable_size(self) -> Option<DVec2> {
        (self.size.cmpgt(Vec2::ZERO).all() && self.size.is_finite()).then(|| self.size.as_dvec2())
    }
}

macro_rules! viewport_from_size {
    ($($size:ty, $parts:pat => ($width:expr, $height:expr);)*) => {
        $(impl From<$size> for Viewport {
            /// Makes a viewport for a whole window of this size.
            fn from($parts: $size) -> Self {
                Self::new($width, $height)
            }
        })*
    };
}

viewport_from_size! {
    Vec2, size => (size.x, size.y);
    [f32; 2], [width, height] => (width, height);
    (f32, f32), (width, height) => (width, height);
    [u32; 2], [width, height] => (width as f32, height as f32);
    (u32, u32), (width, height) => (width as f32, height as f32);
}
