//! Outlines of regions in the window, and their intersections with convex polygons.

use super::lasso::Lasso;
use super::pixel_rect::{PixelRect, are_together, square_of_distance};
use crate::bvh::BoxPlace;
use alloc::sync::Arc;
use glam::DVec2;

/// The outline of a region.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Outline {
    Rect(PixelRect),
    Circle { center: DVec2, radius: f64 },
    Lasso(Arc<Lasso>),
}

impl Outline {
    /// Returns the rectangle around the region.
    pub(super) fn bounds(&self) -> PixelRect {
        match self {
            Self::Rect(rect) => *rect,
            Self::Circle { center, radius } => PixelRect { min: *center - *radius, max: *center + *radius },
            Self::Lasso(lasso) => lasso.bounds(),
        }
    }

    pub(super) fn contains(&self, pixel: DVec2) -> bool {
        match self {
            Self::Rect(rect) => rect.contains(pixel),
            Self::Circle { center, radius } => (pixel - *center).length_squared() <= radius * radius,
            Self::Lasso(lasso) => lasso.contains(pixel),
        }
    }

    /// Returns the position of a rectangle relative to the region.
    pub(super) fn place(&self, rect: &PixelRect) -> BoxPlace {
        match self {
            Self::Rect(own) => match own.intersection(rect) {
                None => BoxPlace::Outside,
                Some(common) if common == *rect => BoxPlace::Inside,
                Some(_) => BoxPlace::Crossing,
            },
            Self::Circle { center, radius } => {
                let nearest = center.clamp(rect.min, rect.max) - *center;
                let farthest = (*center - rect.min).abs().max((*center - rect.max).abs());
                match radius * radius {
                    square if nearest.length_squared() > square => BoxPlace::Outside,
                    square if farthest.length_squared() <= square => BoxPlace::Inside,
                    _ => BoxPlace::Crossing,
                }
            }
            Self::Lasso(lasso) => lasso.place(rect),
        }
    }

    /// Returns whether a convex polygon, segment or point has a point in common with the region.
    pub(super) fn meets(&self, polygon: &[DVec2]) -> bool {
        match self {
            Self::Rect(_) | Self::Circle { .. } => match self.place(&PixelRect::around(polygon)) {
                BoxPlace::Outside => false,
                BoxPlace::Inside => true,
                BoxPlace::Crossing => self.meets_across(polygon),
            },
            Self::Lasso(lasso) => lasso.meets(polygon),
        }
    }

    /// Returns whether a convex polygon, segment or point is wholly in the region. With a lasso, it must not touch the line.
    pub(super) fn holds(&self, polygon: &[DVec2]) -> bool {
        match self {
            Self::Rect(_) | Self::Circle { .. } => polygon.iter().all(|&corner| self.contains(corner)),
            Self::Lasso(lasso) => lasso.holds(polygon),
        }
    }

    fn meets_across(&self, polygon: &[DVec2]) -> bool {
        match self {
            Self::Rect(rect) => are_together(&rect.corners(), polygon),
            Self::Circle { center, radius } => square_of_distance(*center, polygon) <= radius * radius,
            Self::Lasso(lasso) => lasso.meets(polygon),
        }
    }
}
