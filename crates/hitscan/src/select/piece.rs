//! Convex pieces of a region, and the parts of space that they show.

use super::lasso::Lasso;
use super::outline::Outline;
use super::pixel_rect::PixelRect;
use super::volume::RegionVolume;
use crate::camera::PixelSpace;
use crate::convex::SupportMap;
use crate::math::float::sqrt;
use alloc::vec::Vec;
use glam::{DVec2, DVec3};

/// A convex piece of the window. It is the hull of some pixels, and of the arc of a circle within a rectangle.
pub(super) struct Piece {
    corners: Vec<DVec2>,
    arc: Option<(DVec2, f64, PixelRect)>,
}

/// The part of space that a piece shows between two depths, relative to the eye.
pub(super) struct PieceVolume<'p> {
    piece: &'p Piece,
    space: PixelSpace,
    depths: [f64; 2],
    steps: [DVec3; 2],
}

/// Returns all of a convex region within the viewport; `None` for a lasso, and if no part of the region is in the viewport.
pub(super) fn whole(volume: &RegionVolume<'_>) -> Option<Piece> {
    match volume.outline {
        Outline::Rect(_) => Some(Piece::of_rect(&volume.bounds)),
        Outline::Circle { center, radius } => disc(*center, *radius, &volume.bounds),
        Outline::Lasso(_) => None,
    }
}

/// Returns the intersection of a circle and a rectangle, if there is any.
fn disc(center: DVec2, radius: f64, rect: &PixelRect) -> Option<Piece> {
    is_in(center.clamp(rect.min, rect.max), center, radius).then_some(())?;
    let mut corners: Vec<DVec2> = rect.corners().into_iter().filter(|&corner| is_in(corner, center, radius)).collect();
    for axis in 0..2 {
        for at in [rect.min[axis], rect.max[axis]] {
            let off = at - center[axis];
            let across = sqrt((radius * radius - off * off).max(0.0));
            for other in [center[1 - axis] - across, center[1 - axis] + across] {
                let mut point = DVec2::splat(at);
                point[1 - axis] = other;
                if off.abs() <= radius && rect.contains(point) {
                    corners.push(point);
                }
            }
        }
    }
    Some(Piece { corners, arc: Some((center, radius, *rect)) })
}

fn is_in(pixel: DVec2, center: DVec2, radius: f64) -> bool {
    (pixel - center).length_squared() <= radius * radius
}

/// Returns the parts of a lasso's edges that are in a rectangle.
pub(super) fn line(lasso: &Lasso, rect: &PixelRect) -> Vec<Piece> {
    let parts = lasso.edges().filter_map(|edge| rect.part_of(edge));
    parts.map(|ends| Piece { corners: ends.into(), arc: None }).collect()
}

impl Piece {
    /// Makes the piece of a whole rectangle.
    pub(super) fn of_rect(rect: &PixelRect) -> Self {
        Self { corners: rect.corners().into(), arc: None }
    }

    /// Returns whether the piece may have a point in a rectangle.
    pub(super) fn may_meet(&self, rect: &PixelRect) -> bool {
        self.arc.is_some() || PixelRect::around(&self.corners).intersection(rect).is_some()
    }

    /// Returns the pixel that is farthest along a direction.
    fn farthest(&self, direction: DVec2) -> DVec2 {
        let length = sqrt(direction.length_squared());
        let on_arc = self.arc.map(|(center, radius, rect)| {
            let step = if length > 0.0 { direction * (radius / length) } else { DVec2::ZERO };
            (center + step, rect)
        });
        let arc = on_arc.filter(|(at, rect)| rect.contains(*at)).map(|(at, _)| at);
        let farther = |a: DVec2, b: DVec2| if b.dot(direction) > a.dot(direction) { b } else { a };
        let farthest = self.corners.iter().copied().chain(arc).reduce(farther);
        // A whole circle that touches the rectangle from within may be beyond it by rounding.
        let nearly = || on_arc.map(|(at, rect)| at.clamp(rect.min, rect.max));
        farthest.or_else(nearly).unwrap_or(DVec2::ZERO)
    }

    pub(super) fn between(&self, space: &PixelSpace, depths: [f64; 2]) -> PieceVolume<'_> {
        PieceVolume { piece: self, space: *space, depths, steps: space.steps() }
    }
}

impl SupportMap for PieceVolume<'_> {
    fn farthest(&self, direction: DVec3) -> DVec3 {
        let [x, y] = self.steps;
        let across = DVec2::new(x.dot(direction), y.dot(direction));
        // The same pixel is the farthest one along the direction at every depth. With perspective, the step from pixel to pixel is proportional to the depth,
        // which is not negative.
        let pixel = self.piece.farthest(across);
        let (start, step) = self.space.ray(pixel);
        let [near, far] = self.depths.map(|depth| start + step * depth);
        if far.dot(direction) > near.dot(direction) { far } else { near }
    }
}
