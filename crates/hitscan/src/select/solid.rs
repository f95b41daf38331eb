//! Shapes and hulls in a region: convex sets against convex pieces of the region, by their support functions.

use super::Rule;
use super::border::RegionBorder;
use super::lasso::Lasso;
use super::outline::Outline;
use super::piece::{self, Piece};
use super::pixel_rect::PixelRect;
use super::ring::{RingTest, TOLERANCE};
use super::volume::RegionVolume;
use crate::bvh::BoxPlace;
use crate::geom::aabb::Extent;
use crate::proximity::{ConvexCore, ConvexPart, PlacedShape, touch};
use crate::query::form_of;
use crate::scene::{Part, PartGeometry};
use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::cell::OnceCell;
use glam::{DAffine3, DVec2, DVec3};

/// The region, prepared for solids. Each piece of data is made when the first solid needs it.
pub(super) struct SolidTest<'r> {
    volume: &'r RegionVolume<'r>,
    /// The eye in the world.
    eye: DVec3,
    /// All of a convex region.
    whole: OnceCell<Option<Piece>>,
    /// The line of a lasso.
    line: OnceCell<Vec<Piece>>,
    border: OnceCell<RegionBorder>,
}

/// The most arcs of a circle that are halved. If a solid is equally near to all arcs, each arc is a 2,000th of the
/// circle after these halvings. The solid then extends out between two tangents by less than 2^-18 of the radius.
const MOST_ARCS: u32 = 1 << 11;

/// After this many halvings of its longer side, both sides of a rectangle are at most 2^-38 of the longer side that it had at first.
const MOST_HALVINGS: u32 = 2 * 38;

/// The amount by which the depths of a solid are widened, relative to the depths. The error of a solid's support is at
/// most 2^-38 of the distance from the eye (docs/robustness/regions.md). This constant is 2^8 times as much. The depths
/// only bound where the solid is searched for, so a larger amount costs nothing.
const DEPTH_DOUBT: f64 = 1.0 / (1u32 << 30) as f64;

impl<'r> SolidTest<'r> {
    pub(super) fn new(volume: &'r RegionVolume<'r>, eye: DVec3) -> Self {
        Self { volume, eye, whole: OnceCell::new(), line: OnceCell::new(), border: OnceCell::new() }
    }

    /// Returns whether a shape or a hull touches the region, or is inside, given the position of its box.
    pub(super) fn selects(&self, part: &Part, place: BoxPlace, rule: Rule) -> bool {
        let Some(form) = self.form(part) else { return false };
        match rule {
            Rule::Touching | Rule::Inside if place == BoxPlace::Inside => true,
            // A solid that is inside also touches. The test by distances may miss it if the solid or the region is too small.
            Rule::Touching => {
                let around = self.pixels_of(part);
                self.touches(&form, around) || self.holds(&form, around)
            }
            Rule::Inside => self.holds(&form, self.pixels_of(part)),
            // This rule only concerns the box around the entity.
            Rule::Center => false,
        }
    }

    /// Returns the shape of a part relative to the eye. A custom shape without support points is replaced by its bounds.
    fn form<'p>(&self, part: &'p Part) -> Option<PlacedShape<'p>> {
        form_of(part, self.eye.into()).or_else(|| match &part.geometry {
            PartGeometry::Custom(custom) if custom.bounds().is_finite() => {
                Some(PlacedShape::of_bounds(&custom.bounds(), &part.placement(), self.eye.into()))
            }
            _ => None,
        })
    }

    /// Returns a rectangle around the pixels of a part, if it is known.
    fn pixels_of(&self, part: &Part) -> Option<PixelRect> {
        let Extent { low, high } = part.extent();
        let (low, high) = (low - self.eye, high - self.eye);
        let is_finite = low.is_finite() && high.is_finite();
        is_finite.then(|| self.volume.framed(&DAffine3::IDENTITY, low.abs().max(high.abs())).pixels_of(low, high))?
    }

    fn touches(&self, form: &PlacedShape<'_>, around: Option<PixelRect>) -> bool {
        if let PlacedShape::Plane(plane) = form {
            return self.meets_plane(plane.normal, plane.height);
        }
        let Some(hull) = form.hull() else { return false };
        let Some(depths) = self.depths(&hull) else { return false };
        let is_beyond = |&(height, constant): &(DVec3, f64)| self.support(&hull, height) + constant < 0.0;
        if self.volume.planes.iter().any(is_beyond) {
            return false;
        }
        if let PlacedShape::Torus(ring) = form {
            return RingTest::new(self.volume, ring, depths).touches(self.border(), around);
        }
        if let Outline::Lasso(lasso) = self.volume.outline {
            return self.touches_line(form, around, lasso, depths) || self.is_within(form, lasso, depths);
        }
        let whole = self.whole.get_or_init(|| piece::whole(self.volume));
        self.touches_any(form, around, whole.as_slice(), depths)
    }

    fn border(&self) -> &RegionBorder {
        self.border.get_or_init(|| RegionBorder::new(self.volume))
    }

    fn touches_any(
        &self,
        form: &PlacedShape<'_>,
        around: Option<PixelRect>,
        pieces: &[Piece],
        depths: [f64; 2],
    ) -> bool {
        let mut near = pieces.iter().filter(|piece| around.is_none_or(|around| piece.may_meet(&around)));
        near.any(|piece| {
            let shown = piece.between(&self.volume.space, depths);
            touch(form, &PlacedShape::Convex(ConvexPart::new(ConvexCore::Set(&shown), 0.0)))
        })
    }

    fn touches_line(&self, form: &PlacedShape<'_>, around: Option<PixelRect>, lasso: &Lasso, depths: [f64; 2]) -> bool {
        let line = self.line.get_or_init(|| piece::line(lasso, &self.volume.bounds));
        self.touches_any(form, around, line, depths)
    }

    /// Returns whether a solid is within a lasso, given that its visible part is connected and does not touch the line.
    /// Then it is enough to test one point of that part.
    ///
    /// Rectangles that are halved repeatedly converge to a point. The rectangles need not become smaller than the
    /// distance within which solids touch them.
    fn is_within(&self, form: &PlacedShape<'_>, lasso: &Lasso, depths: [f64; 2]) -> bool {
        let touches = |rect: &PixelRect| self.touches_any(form, None, &[Piece::of_rect(rect)], depths);
        let mut rect = self.volume.bounds;
        if !touches(&rect) {
            return false;
        }
        for _ in 0..MOST_HALVINGS {
            let corners = rect.corners();
            if !lasso.meets(&corners) {
                return false;
            }
            if lasso.holds(&corners) {
                return true;
            }
            let [low, high] = rect.halves();
            rect = if touches(&low) { low } else { high };
        }
        lasso.contains(rect.min + (rect.max - rect.min) * 0.5)
    }

    /// Returns the depths between which a solid is, limited to the range of the rays.
    fn depths(&self, hull: &ConvexPart<'_>) -> Option<[f64; 2]> {
        let [near, far] = self.volume.space.depth;
        let [least, most] = [-self.support(hull, DVec3::NEG_Z), self.support(hull, DVec3::Z)];
        // The ends must not cut off the part that rounding adds to the solid.
        let margin = (most - least) * 0.5 + (least.abs() + most.abs()) * DEPTH_DOUBT;
        let [least, most] = [(least - margin).max(near), (most + margin).min(far)];
        (least <= most).then_some([least, most])
    }

    /// Returns the largest height of a solid along a direction of pixel space.
    fn support(&self, hull: &ConvexPart<'_>, height: DVec3) -> f64 {
        let of_offset = &self.volume.space.of_offset;
        let direction = of_offset.matrix3.transpose() * height;
        hull.core.farthest(direction).dot(direction)
            + hull.radius * crate::math::float::length(direction)
            + height.dot(of_offset.translation)
    }

    /// Returns whether all of a solid is in the region.
    fn holds(&self, form: &PlacedShape<'_>, around: Option<PixelRect>) -> bool {
        let Some(hull) = form.hull() else { return false };
        let is_within = |&(height, constant): &(DVec3, f64)| constant - self.support(&hull, -height) >= 0.0;
        if !self.volume.planes.iter().all(is_within) {
            return false;
        }
        let is_in_front = !self.volume.space.is_perspective() || self.support(&hull, DVec3::NEG_Z) < 0.0;
        is_in_front
            && match self.volume.outline {
                Outline::Rect(_) => true,
                Outline::Circle { center, radius } => self.circle_holds(*center, *radius, &hull),
                Outline::Lasso(lasso) => self.depths(&hull).is_some_and(|depths| match form {
                    PlacedShape::Torus(ring) => RingTest::new(self.volume, ring, depths).is_within(self.border()),
                    _ => !self.touches_line(form, around, lasso, depths) && self.is_within(form, lasso, depths),
                }),
            }
    }

    /// Returns whether a solid is on the inner side of every tangent plane of the region of a circle.
    ///
    /// The largest height of the solid above the plane of a direction is a convex function of the direction. The
    /// tangents between two directions are on an arc. This arc is inside the triangle of its ends and the point where
    /// the tangents at the ends intersect. So the heights at these three points bound all others, and the bound
    /// converges with the square of the angle. An arc is decided when its bound is within twice the tolerance.
    fn circle_holds(&self, center: DVec2, radius: f64, hull: &ConvexPart<'_>) -> bool {
        let space = &self.volume.space;
        let height = |normal: DVec2| {
            let (height, constant) = space.plane(normal, normal.dot(center) + radius);
            self.support(hull, height) + constant
        };
        let depth = if space.is_perspective() { self.support(hull, DVec3::Z) } else { 1.0 };
        let tolerance = (crate::math::float::sqrt(center.length_squared()) + radius) * depth * TOLERANCE;
        if !tolerance.is_finite() {
            return false;
        }
        let is_outside = |normal: DVec2, limit: f64| !(height(normal) <= limit);
        let mut open = VecDeque::from([DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y].map(|axis| [axis, axis.perp()]));
        if open.iter().any(|&[axis, _]| is_outside(axis, tolerance)) {
            return false;
        }
        let mut left = MOST_ARCS;
        while let Some([from, to]) = open.pop_front() {
            let sum = from + to;
            let cosine = 0.5 * crate::math::float::sqrt(sum.length_squared());
            let middle = sum * (0.5 / cosine);
            if left == 0 || !is_outside(middle / cosine, 2.0 * tolerance) {
                continue;
            }
            if is_outside(middle, tolerance) {
                return false;
            }
            left -= 1;
            open.extend([[from, middle], [middle, to]]);
        }
        true
    }

    /// Returns whether a plane is visible in the region. The plane is the set of points at a height along a unit
    /// normal, relative to the eye.
    ///
    /// A ray through a pixel reaches the plane at a depth that is the quotient of two linear functions of the
    /// pixel. (With parallel rays, the divisor is a number.) So the pixels that show the plane between two depths
    /// are a strip. No parallel ray hits a plane that is seen edge-on.
    fn meets_plane(&self, normal: DVec3, height: f64) -> bool {
        let space = &self.volume.space;
        let [near, far] = space.depth;
        if !space.is_perspective() && normal.dot(space.ray(self.volume.bounds.min).1) == 0.0 {
            return false;
        }
        // The first value has the sign of the plane's distance behind a depth, along the ray through a pixel.
        let behind = |depth: f64| {
            move |pixel: DVec2| {
                let (start, step) = space.ray(pixel);
                let (reached, slope) = (height - normal.dot(start), normal.dot(step));
                if depth.is_finite() { (reached - slope * depth, slope) } else { (-slope, slope) }
            }
        };
        let side = |at: fn((f64, f64)) -> f64, depth: f64| move |pixel: DVec3| at(behind(depth)(pixel.truncate()));
        // A rising ray hits the plane if the plane is behind the near end and in front of the far end. For falling rays
        // it is the reverse.
        let rising = [side(|(gap, _)| -gap, near), side(|(gap, _)| gap, far)];
        let falling = [side(|(gap, _)| gap, near), side(|(gap, _)| -gap, far)];
        [(rising, 1.0), (falling, -1.0)].into_iter().any(|([near, far], sign)| {
            let slope = |pixel: DVec3| -sign * behind(0.0)(pixel.truncate()).1;
            let mut polygon: Vec<DVec3> = self.volume.bounds.corners().map(|corner| corner.extend(0.0)).into();
            let mut kept = Vec::new();
            for height in [&near as &dyn Fn(DVec3) -> f64, &far, &slope] {
                crate::math::clip::clip(&polygon, height, &mut kept);
                core::mem::swap(&mut polygon, &mut kept);
            }
            // No ray hits a plane that is parallel to it. So a region that only reaches the horizon does not show the
            // plane.
            if polygon.iter().all(|&pixel| slope(pixel) == 0.0) {
                return false;
            }
            let pixels: Vec<DVec2> = polygon.into_iter().map(DVec3::truncate).collect();
            !pixels.is_empty() && self.volume.outline.meets(&pixels)
        })
    }
}
