//! The nearest point of a box that a transform has sheared, and of a parallelogram.

use super::foot_point::SurfaceFoot;
use crate::math::float::{UNIT_ROUNDOFF, largest, unit};
use crate::math::perpendicular::{beside, plane_normal};
use glam::DVec3;

/// A box around a centre by its half edges, some of which may be zero.
pub(super) struct Parallelepiped {
    pub(super) center: DVec3,
    pub(super) half: [DVec3; 3],
}

impl Parallelepiped {
    pub(super) fn foot(&self) -> SurfaceFoot {
        self.inside_foot().unwrap_or_else(|| self.outside_foot())
    }

    /// Returns the half edges along a face, and the half edge from the centre to it.
    fn face(&self, across: usize) -> [DVec3; 3] {
        [self.half[(across + 1) % 3], self.half[(across + 2) % 3], self.half[across]]
    }

    /// Finds the foot by the planes of the faces; `None` if the origin is not behind all of them.
    fn inside_foot(&self) -> Option<SurfaceFoot> {
        let mut deepest: Option<SurfaceFoot> = None;
        for across in 0..3 {
            let [u, v, half] = self.face(across);
            let normal = plane_normal(u, v)?;
            let middle = normal.dot(self.center);
            let outwards = if middle > 0.0 { -normal } else { normal };
            let plane = SurfaceFoot::below(middle.abs() - normal.dot(half).abs(), outwards);
            if !plane.is_inside {
                return None;
            }
            deepest = Some(deepest.map_or(plane, |best| best.nearer(plane)));
        }
        deepest
    }

    /// Finds the foot on a face if it is within one, and else on the edges.
    fn outside_foot(&self) -> SurfaceFoot {
        let normal = self.highest_normal();
        let mut best = SurfaceFoot::outside(self.corner([1.0; 3]), normal);
        for across in 0..3 {
            let [u, v, half] = self.face(across);
            for side in [-1.0, 1.0] {
                let middle = self.center + half * side;
                if let Some(foot) = foot_within(middle, [u, v], half * side) {
                    best = best.nearer(foot);
                }
                for other in [-1.0, 1.0] {
                    best = best.nearer(foot_on_edge(middle + u * other, v, normal));
                }
            }
        }
        // If the distance is within rounding, the direction between the points is meaningless.
        let size = largest(self.center.abs() + self.half.iter().map(|half| half.abs()).sum::<DVec3>());
        if best.distance() <= 16.0 * UNIT_ROUNDOFF * size { SurfaceFoot { normal, ..best } } else { best }
    }

    /// Returns the outward normal of the plane that the origin is highest above.
    fn highest_normal(&self) -> DVec3 {
        let planes = (0..3).filter_map(|across| {
            let [u, v, half] = self.face(across);
            let normal = plane_normal(u, v)?;
            let middle = normal.dot(self.center);
            Some((middle.abs() - normal.dot(half).abs(), if middle > 0.0 { -normal } else { normal }))
        });
        planes.reduce(|a, b| if b.0 > a.0 { b } else { a }).map_or(DVec3::Y, |(_, normal)| normal)
    }

    fn corner(&self, [x, y, z]: [f64; 3]) -> DVec3 {
        self.center + self.half[0] * x + self.half[1] * y + self.half[2] * z
    }
}

/// Returns the foot in a parallelogram's plane, if it is inside. The normal points along `outwards`, or if that is zero, to the side of the origin.
fn foot_within(middle: DVec3, [u, v]: [DVec3; 2], outwards: DVec3) -> Option<SurfaceFoot> {
    let normal = plane_normal(u, v)?;
    let area = normal.dot(u.cross(v));
    let place = -middle;
    let (x, y) = (normal.dot(place.cross(v)), normal.dot(u.cross(place)));
    let side = if outwards == DVec3::ZERO { normal.dot(place) } else { normal.dot(outwards) };
    let normal = if side < 0.0 { -normal } else { normal };
    let height = normal.dot(place);
    let is_within = x.abs() <= area && y.abs() <= area;
    is_within.then(|| SurfaceFoot { point: -normal * height, normal, is_inside: false })
}

/// Returns the nearest point of an edge, given by its middle and half of it. Between the ends, the normal is perpendicular to the edge, even if the edge is
/// long and the origin is near.
fn foot_on_edge(middle: DVec3, half: DVec3, otherwise: DVec3) -> SurfaceFoot {
    let along = -middle.dot(half) / half.length_squared();
    if along.abs() < 1.0 {
        let foot = SurfaceFoot::outside(middle + half * along, otherwise);
        let across = unit(half).and_then(|axis| beside(axis, -foot.point));
        return SurfaceFoot { normal: across.unwrap_or(foot.normal), ..foot };
    }
    SurfaceFoot::outside(if along > 0.0 { middle + half } else { middle - half }, otherwise)
}
