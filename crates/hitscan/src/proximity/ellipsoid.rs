//! The nearest points of ellipses in space, of tubes with elliptic cross-sections, and of ellipsoids.

use super::foot_point::SurfaceFoot;
use super::principal_axes::{Orthogonal, frame_along};
use super::quadric::{Quadric, QuadricFoot};
use crate::math::float::{length, unit};
use crate::math::perpendicular::beside;
use glam::DVec3;

/// An ellipsoid, as the image of a ball.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ellipsoid {
    pub(super) frame: [DVec3; 3],
    pub(super) semi: [f64; 3],
}

impl Ellipsoid {
    /// Returns the image of the unit ball under a matrix of these columns.
    pub(super) fn new(columns: [DVec3; 3]) -> Self {
        let axes = Orthogonal::rotated(columns);
        Self { frame: frame_along(axes.columns), semi: axes.lengths() }
    }

    pub(super) fn coordinates(&self, v: DVec3) -> [f64; 3] {
        self.frame.map(|axis| axis.dot(v))
    }

    pub(super) fn in_space(&self, coordinates: [f64; 3]) -> DVec3 {
        self.frame.into_iter().zip(coordinates).map(|(axis, x)| axis * x).sum()
    }

    /// Returns the nearest point to the origin, for an ellipsoid around this centre.
    pub(super) fn foot(&self, center: DVec3) -> SurfaceFoot {
        if self.semi[2] == 0.0 {
            return SurfaceFoot::outside(center, DVec3::Y);
        }
        let foot = Quadric(self.semi).nearest(self.coordinates(-center));
        let point = self.in_space(foot.offset);
        let normal = unit(self.in_space(foot.normal)).unwrap_or(DVec3::Y);
        SurfaceFoot { point, normal, is_inside: foot.is_inside }
    }
}

/// An ellipse around its own origin, in the plane that some vectors span.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ellipse<const N: usize> {
    /// The directions of the longer axis and the shorter one, and the plane's normal.
    pub(super) frame: [DVec3; 3],
    pub(super) semi: [f64; 2],
    /// For each semi-axis, the coefficients of the spanning vectors whose sum it is.
    parts: [[f64; N]; 2],
}

impl Ellipse<2> {
    /// Returns the ellipse of all `p` cos + `q` sin.
    pub(super) fn spanned(p: DVec3, q: DVec3) -> Self {
        let axes = Orthogonal::rotated([p, q]);
        let [long, short] = axes.columns;
        Self { frame: frame_along([long, short, DVec3::ZERO]), semi: axes.lengths(), parts: axes.parts }
    }
}

impl<const N: usize> Ellipse<N> {
    /// Returns the outline of the image of a circle or a ball as seen along a unit vector.
    pub(super) fn outline(columns: [DVec3; N], along: DVec3) -> Self {
        let axes = Orthogonal::rotated(columns.map(|v| v - along * v.dot(along)));
        let long = beside(along, axes.columns[0]).unwrap_or_else(|| along.any_orthonormal_vector());
        // The shorter axis is perpendicular to both, and may itself be as short as its rounding error.
        let semi = [length(axes.columns[0]), length(axes.columns[1])];
        let short = along.cross(long);
        let sign = 1.0f64.copysign(short.dot(axes.columns[1]));
        Self { frame: [long, short * sign, along], semi, parts: [axes.parts[0], axes.parts[1]] }
    }

    /// Returns the coefficients of the spanning vectors at a point of the ellipse, given the corresponding point of the
    /// unit circle.
    pub(super) fn parts_at(&self, [x, y]: [f64; 2]) -> [f64; N] {
        core::array::from_fn(|i| self.parts[0][i] * x + self.parts[1][i] * y)
    }

    fn coordinates(&self, v: DVec3) -> [f64; 2] {
        [self.frame[0].dot(v), self.frame[1].dot(v)]
    }

    pub(super) fn in_space(&self, [x, y]: [f64; 2]) -> DVec3 {
        self.frame[0] * x + self.frame[1] * y
    }

    /// Returns the component of a vector along the plane's normal.
    pub(super) fn height(&self, v: DVec3) -> f64 {
        self.frame[2].dot(v)
    }

    /// Returns the nearest point of the curve to a place, as seen along the normal; `None` for an ellipse without an
    /// area.
    pub(super) fn foot(&self, place: DVec3) -> Option<QuadricFoot<2>> {
        (self.semi[1] > 0.0).then(|| Quadric(self.semi).nearest(self.coordinates(place)))
    }

    /// Returns the other point of the curve that is a local minimum of the distance to a place.
    pub(super) fn second(&self, place: DVec3) -> Option<QuadricFoot<2>> {
        (self.semi[1] > 0.0).then(|| Quadric(self.semi).second(self.coordinates(place))).flatten()
    }

    /// Returns the vector from a place to the nearest point of the filled ellipse.
    pub(super) fn to_filled(self, place: DVec3) -> DVec3 {
        let down = -self.frame[2] * self.height(place);
        match self.foot(place) {
            Some(foot) if foot.is_inside => down,
            Some(foot) => down + self.in_space(foot.offset),
            None => {
                let [x, y] = self.coordinates(place);
                down + self.in_space([x.clamp(-self.semi[0], self.semi[0]) - x, -y])
            }
        }
    }
}
