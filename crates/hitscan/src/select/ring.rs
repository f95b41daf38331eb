//! A ring (torus) in a region. It is not convex, but its intersection with lines and flat sheets is computed in closed form.
//!
//! A ring is connected. So it has a point in the region if it intersects the border of the region, or if any of its
//! points is inside. The border consists of sheets, and of caps at the nearest and the farthest depth. A sheet is
//! behind each straight piece of the outline, between these depths. The intersection of a ring and a plane has one or
//! two connected pieces. So the ring intersects a flat polygon if it intersects an edge of it, or if a point of such
//! a piece is in the polygon.

use super::border::RegionBorder;
use super::pixel_rect::PixelRect;
use super::volume::RegionVolume;
use crate::geom::ray::LocalRay;
use crate::math::float::{length, sqrt, unit};
use crate::proximity::PlacedTorus;
use crate::shape::Torus;
use alloc::collections::VecDeque;
use glam::{DMat3, DVec2, DVec3};

/// A ring relative to a region.
pub(super) struct RingTest<'r> {
    volume: &'r RegionVolume<'r>,
    torus: &'r Torus,
    /// The centre relative to the eye, the transform of vectors from the ring's own space, and its inverse.
    center: DVec3,
    to_world: DMat3,
    to_local: DMat3,
    /// The depths between which the ring is, limited to the range of the rays.
    depths: [f64; 2],
    /// The distance in the ring's own space up to which objects touch it. It is the sum of the roundings of a point
    /// relative to the eye.
    tolerance: f64,
}

/// The tolerance for circles is this fraction, 2^-38, of a sum. The sum is the radius plus the centre's distance from the origin of the window.
pub(super) const TOLERANCE: f64 = 1.0 / (1u64 << 38) as f64;

/// A bound on the roundings of a point of a sheet, relative to its distance from the eye. A point has fewer than 32 operations, and some 90 more in the ring's
/// own space.
const ROUNDINGS: f64 = 128.0 * crate::math::float::UNIT_ROUNDOFF;

/// The most arcs of a circle that are halved. If the ring is equally near to all arcs, each arc is a 2,000th of the circle after these halvings. The arc is
/// then less than 2^-19 of the radius away from its chord.
const MOST_HALVINGS: usize = 1 << 11;

/// An arc of a circle between two directions from its centre.
type ArcOfCircle = [DVec2; 2];

impl<'r> RingTest<'r> {
    /// Makes the test of a ring that is relative to the eye, and lies between two depths.
    pub(super) fn new(volume: &'r RegionVolume<'r>, ring: &PlacedTorus<'r>, depths: [f64; 2]) -> Self {
        let (to_world, center) = (ring.to_world.matrix3, ring.to_world.translation);
        let to_local = to_world.inverse();
        let size = |matrix: &DMat3| length(matrix.x_axis) + length(matrix.y_axis) + length(matrix.z_axis);
        let outer = f64::from(ring.torus.major) + f64::from(ring.torus.minor);
        let tolerance = (length(center) + size(&to_world) * outer) * size(&to_local) * ROUNDINGS;
        Self { volume, torus: ring.torus, center, to_world, to_local, depths, tolerance }
    }

    /// Returns whether the ring has a point in the region, given the region's border and a rectangle around the ring's pixels, if that is known.
    pub(super) fn touches(&self, border: &RegionBorder, around: Option<PixelRect>) -> bool {
        border.segments(around).any(|segment| self.meets_sheet(segment))
            || self.meets_caps()
            || self.has_its_point_inside()
            || border.circle.is_some_and(|(center, radius)| self.meets_arcs(center, radius, &border.arcs))
    }

    /// Returns whether the ring is within the line of a lasso, given that it is in the viewport and between the depths.
    pub(super) fn is_within(&self, border: &RegionBorder) -> bool {
        self.has_its_point_inside() && !border.line.iter().any(|&segment| self.meets_sheet(segment))
    }

    /// Returns whether an arbitrary point of the ring is in the region.
    fn has_its_point_inside(&self) -> bool {
        self.is_shown(DVec3::X * f64::from(self.torus.major))
    }

    fn is_shown(&self, local: DVec3) -> bool {
        let offset = self.center + self.to_world * local;
        self.volume.shows(self.volume.space.of_offset.transform_point3(offset))
    }

    /// Returns whether the ring has a point in the region at the depth where rays begin, or at the depth where they
    /// end. It must be known that the ring intersects no sheet.
    fn meets_caps(&self) -> bool {
        let depth_row = self.volume.space.of_offset.matrix3.transpose() * DVec3::Z;
        let normal = self.to_world.transpose() * depth_row;
        // An end of the rays' range that is beyond the ring is not among the ring's depths.
        let mut ends = self.volume.space.depth.into_iter().filter(|depth| self.depths.contains(depth));
        ends.any(|depth| {
            let height = depth - depth_row.dot(self.center);
            self.places_in_plane(normal, height).into_iter().flatten().any(|place| {
                let offset = self.center + self.to_world * place;
                let point = self.volume.space.of_offset.transform_point3(offset);
                // The point is at this depth up to rounding.
                self.volume.shows(point.truncate().extend(depth))
            })
        })
    }

    /// Returns whether the ring intersects the sheet behind a segment of pixels.
    fn meets_sheet(&self, [from, to]: [DVec2; 2]) -> bool {
        let [near, far] = self.depths;
        let at = |pixel: DVec2, depth: f64| {
            let (start, step) = self.volume.space.ray(pixel);
            self.to_local * (start + step * depth - self.center)
        };
        let corners = [at(from, near), at(from, far), at(to, far), at(to, near)];
        let sides = |side: usize| [corners[side], corners[(side + 1) % 4]];
        if (0..4).any(|side| self.meets_segment(sides(side))) {
            return true;
        }
        let normal = (corners[2] - corners[0]).cross(corners[3] - corners[1]);
        let is_inside = |place: DVec3| {
            (0..4).all(|side| {
                let [a, b] = sides(side);
                (b - a).cross(place - a).dot(normal) >= 0.0
            })
        };
        self.places_in_plane(normal, normal.dot(corners[0])).into_iter().flatten().any(is_inside)
    }

    /// Returns whether the ring intersects a segment in its own space.
    fn meets_segment(&self, [from, to]: [DVec3; 2]) -> bool {
        let (origin, direction) = (from, to - from);
        let line = LocalRay { origin, direction, t_min: f32::NEG_INFINITY, t_max: f32::INFINITY };
        if direction == DVec3::ZERO {
            let off = sqrt(from.x * from.x + from.z * from.z) - f64::from(self.torus.major);
            return sqrt(off * off + from.y * from.y) <= f64::from(self.torus.minor) + self.tolerance;
        }
        self.torus.near(&line, self.tolerance).any(|(enter, exit)| enter <= 1.0 && exit >= 0.0)
    }

    /// Returns a point in each piece of the intersection of the ring and a plane. For this, it projects the points of
    /// the ring's central circle that are nearest to the plane onto the plane.
    ///
    /// The intersection consists of the sections of the balls around the points of that circle. The centres of the
    /// balls that the plane cuts are on one arc around the nearest point. If the circle goes through the plane, they
    /// are on an arc around each of the two crossings.
    fn places_in_plane(&self, normal: DVec3, height: f64) -> [Option<DVec3>; 2] {
        let size = length(normal);
        let (Some(normal), height) = (unit(normal), height / size) else { return [None; 2] };
        let major = f64::from(self.torus.major);
        let tilt = sqrt(normal.x * normal.x + normal.z * normal.z);
        let toward = if tilt > 0.0 { DVec3::new(normal.x, 0.0, normal.z) / tilt } else { DVec3::X };
        let aside = DVec3::new(-toward.z, 0.0, toward.x);
        // No point of the circle is higher than `major * tilt` above the plane through its centre.
        let cosine = height / (major * tilt);
        let (cosine, sine) = match cosine {
            _ if cosine.abs() < 1.0 => (cosine, sqrt(1.0 - cosine * cosine)),
            _ if height < 0.0 => (-1.0, 0.0),
            _ => (1.0, 0.0),
        };
        [sine, -sine].map(|sine| {
            let place = (toward * cosine + aside * sine) * major;
            let gap = height - normal.dot(place);
            (gap.abs() <= f64::from(self.torus.minor) + self.tolerance).then_some(place + normal * gap)
        })
    }

    /// Returns whether the ring touches any of these arcs of a circle. It must be known that not all points of the
    /// ring are in the region.
    ///
    /// An arc lies between its chord, which belongs to the region, and the tangents at its ends. If the ring may touch
    /// an arc but does not intersect its chord, the arc is halved. The halving ends when the distance of the arc from
    /// the chord is within the tolerance of solids.
    fn meets_arcs(&self, center: DVec2, radius: f64, arcs: &[ArcOfCircle]) -> bool {
        let tolerance = (sqrt(center.length_squared()) + radius) * TOLERANCE;
        let mut open: VecDeque<ArcOfCircle> = arcs.iter().copied().collect();
        let mut left = MOST_HALVINGS;
        while let Some([from, to]) = open.pop_front() {
            let [start, end] = [from, to].map(|direction| center + direction * radius);
            if self.meets_sheet([start, end]) {
                return true;
            }
            let sum = from + to;
            let cosine = 0.5 * sqrt(sum.length_squared());
            let middle = sum * (0.5 / cosine);
            let apex = center + middle * (radius / cosine);
            let may_touch = self.meets_sheet([start, apex])
                || self.meets_sheet([apex, end])
                || self.has_its_point_in_triangle([start, apex, end]);
            if !may_touch {
                continue;
            }
            if (1.0 - cosine) * radius <= tolerance || left == 0 {
                return true;
            }
            left -= 1;
            open.extend([[from, middle], [middle, to]]);
        }
        false
    }

    fn has_its_point_in_triangle(&self, corners: [DVec2; 3]) -> bool {
        let offset = self.center + self.to_world * (DVec3::X * f64::from(self.torus.major));
        let space = &self.volume.space;
        let point = space.of_offset.transform_point3(offset);
        let pixel = space.pixel(point);
        let sides = [0, 1, 2].map(|side| {
            let [a, b] = [corners[side], corners[(side + 1) % 3]];
            (b - a).perp_dot(pixel - a)
        });
        (!space.is_perspective() || point.z > 0.0)
            && (sides.iter().all(|&side| side >= 0.0) || sides.iter().all(|&side| side <= 0.0))
    }
}
