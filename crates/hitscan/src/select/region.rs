//! Regions of the window, as callers give them.

use super::lasso::Lasso;
use super::outline::Outline;
use super::pixel_rect::PixelRect;
use crate::error::RegionError;
use alloc::sync::Arc;
use alloc::vec::Vec;
use glam::{DVec2, Vec2};

/// A part of the window: a rectangle, a circle or a lasso, in window pixels (origin top-left, y down).
///
/// A region is closed: its border belongs to it. It may be as small as a point, and extend beyond the picture. The part
/// outside of the viewport is always ignored. A clone is cheap.
///
/// ```
/// use hitscan::select::Region;
///
/// let marquee = Region::rect([200.0, 150.0], [40.0, 30.0])?;
/// assert!(marquee.contains([100.0, 100.0]) && !marquee.contains([100.0, 200.0]));
/// let brush = Region::circle([100.0, 100.0], 25.0)?;
/// assert!(brush.contains([125.0, 100.0]));
/// // A bow tie: the lasso crosses itself.
/// let lasso = Region::lasso(&[[0.0, 0.0], [10.0, 10.0], [10.0, 0.0], [0.0, 10.0]])?;
/// assert!(lasso.contains([1.0, 5.0]) && !lasso.contains([5.0, 1.0]));
/// # Ok::<(), hitscan::select::RegionError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    pub(super) outline: Outline,
}

impl Region {
    /// Makes a rectangle from two opposite corners, in any order: where a drag began, and where it is now.
    ///
    /// # Errors
    /// Returns an error if a corner is not finite.
    #[doc(alias("marquee", "box_select", "rubber_band"))]
    pub fn rect(a: impl Into<Vec2>, b: impl Into<Vec2>) -> Result<Self, RegionError> {
        let [a, b] = [finite(0, a.into())?, finite(1, b.into())?];
        Ok(Self { outline: Outline::Rect(PixelRect { min: a.min(b), max: a.max(b) }) })
    }

    /// Makes a circle from its centre and its radius, which may be 0.
    ///
    /// # Errors
    /// Returns an error if the centre is not finite, or if the radius is negative or not finite.
    #[doc(alias("brush", "circle_select"))]
    pub fn circle(center: impl Into<Vec2>, radius: f32) -> Result<Self, RegionError> {
        let center = finite(0, center.into())?;
        if !(radius >= 0.0 && radius.is_finite()) {
            return Err(RegionError::Radius { radius });
        }
        Ok(Self { outline: Outline::Circle { center, radius: radius.into() } })
    }

    /// Makes a lasso from its corners: the last corner is joined to the first. A lasso may be concave and cross itself. A point is inside if a ray from it
    /// crosses the line an odd number of times (the even-odd rule), or if it is on the line.
    ///
    /// # Errors
    /// Returns an error if there are fewer than three corners, or more than 2^31, or if a corner is not
    /// finite.
    #[doc(alias("polygon", "freehand", "fence"))]
    pub fn lasso<P: Copy + Into<Vec2>>(corners: &[P]) -> Result<Self, RegionError> {
        if corners.len() < 3 || corners.len() > 1 << 31 {
            return Err(RegionError::Corners { count: corners.len() });
        }
        let corners = corners.iter().enumerate().map(|(i, &corner)| finite(i, corner.into()));
        let corners = corners.collect::<Result<Vec<DVec2>, _>>()?;
        Ok(Self { outline: Outline::Lasso(Arc::new(Lasso::new(&corners))) })
    }

    /// Returns whether a window pixel is in the region; `false` for a pixel that is not finite.
    pub fn contains(&self, pixel: impl Into<Vec2>) -> bool {
        self.outline.contains(pixel.into().as_dvec2())
    }
}

fn finite(corner: usize, at: Vec2) -> Result<DVec2, RegionError> {
    if at.is_finite() { Ok(at.as_dvec2()) } else { Err(RegionError::NotFinite { corner, at }) }
}
