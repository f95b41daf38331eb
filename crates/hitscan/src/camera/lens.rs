//! Projections as a linear map and its inverse. Every kind of projection matrix is one of two cases: rays from an eye, or parallel rays.

use crate::error::CameraError;
use crate::math::float::{gamma, length, unit};
use glam::{DMat3, DMat4, DVec2, DVec3, Vec4Swizzles};

/// Three unit rows whose determinant is below this may be in one plane, within the rounding error of f64. It is a bound
/// on the sum of two rounding errors. In each of 3 rows, the product of a rigid view with a projection adds an error
/// of 3 in each of 3 components. The normalisation adds an error of 6 to each row. The error of the determinant is 5,
/// on a sum of absolute values below 2.
const FLAT: f64 = gamma(3 * (3 * 3 + 6) + 2 * 5);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Rays {
    /// All rays start at the eye.
    FromEye,
    /// All rays have one direction, and start in the plane of depth 0.
    Parallel,
}

/// A projection in world directions, relative to the eye.
///
/// A 4x4 projection matrix contains more than a ray needs: its depth row only determines how depth is stored. Without
/// it, the other three rows are an invertible linear map of the space around the centre of projection (R. Hartley, A.
/// Zisserman, "Multiple View Geometry", 6.1), whatever the depth range, its order, or the position of its far plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lens {
    rays: Rays,
    /// Picture x and y (times depth if the rays come from the eye), and depth in world units.
    rows: [DVec3; 3],
    /// The inverse of the matrix with these rows.
    columns: DMat3,
}

impl Lens {
    /// Makes a lens from orthonormal right, up and forward axes.
    pub(super) fn perspective([right, up, forward]: [DVec3; 3], half_height_at_depth_1: f64) -> Option<Self> {
        Self::new(Rays::FromEye, [right / half_height_at_depth_1, up / half_height_at_depth_1, forward])
    }

    /// Makes a lens from orthonormal right, up and forward axes.
    pub(super) fn orthographic([right, up, forward]: [DVec3; 3], half_height: f64) -> Option<Self> {
        Self::new(Rays::Parallel, [right / half_height, up / half_height, forward])
    }

    fn new(rays: Rays, rows: [DVec3; 3]) -> Option<Self> {
        Some(Self { rays, rows, columns: inverse_of_rows(rows)? })
    }

    /// Returns the eye and the lens from two finite matrices; the view's last row is (0, 0, 0, w).
    pub(super) fn from_matrices(view: DMat4, projection: DMat4) -> Result<(DVec3, Self), CameraError> {
        let view_rows = [0, 1, 2].map(|i| view.row(i).xyz());
        let weight = view.w_axis.w;
        let view_inverse = inverse_of_rows(view_rows).ok_or(CameraError::Singular { what: "view matrix" })?;
        // Relative to this point, the view is its linear part and (0, 0, 0, weight).
        let view_eye = -(view_inverse * view.w_axis.xyz());
        let linear = |row: usize| {
            let factors = projection.row(row);
            view_rows[0] * factors.x + view_rows[1] * factors.y + view_rows[2] * factors.z
        };
        let [x, y, w] = [0, 1, 3].map(linear);
        let constants = projection.w_axis.xyw() * weight;
        let found = if w == DVec3::ZERO {
            Self::parallel([x, y], constants, -view_rows[2] / weight)
        } else {
            Self::from_eye([x, y, w], constants)
        };
        let (offset, lens) = found.ok_or(CameraError::Singular { what: "projection matrix" })?;
        Ok((view_eye + offset, lens))
    }

    /// Makes a lens whose rays come from an eye. The clip x of an offset is the dot product of its row and the offset, plus its constant. The same holds for y
    /// and w. Also returns the offset of the eye, where x, y and w are 0.
    fn from_eye(rows: [DVec3; 3], constants: DVec3) -> Option<(DVec3, Self)> {
        let scale = length(rows[2]);
        Self::new(Rays::FromEye, rows.map(|row| row / scale))?.centered(constants / scale)
    }

    /// Makes a lens with parallel rays. The clip x of an offset is the dot product of its row and the offset, plus its constant, and so is y. Both are then
    /// divided by w, which is the last constant. Also returns the offset in the plane of depth 0 where x and y are 0.
    fn parallel([x, y]: [DVec3; 2], constants: DVec3, forward: DVec3) -> Option<(DVec3, Self)> {
        let w = constants.z;
        Self::new(Rays::Parallel, [x / w, y / w, unit(forward)?])?.centered((constants / w).with_z(0.0))
    }

    /// Returns the lens, and the offset at which each row times the offset, plus its constant, is 0.
    fn centered(self, constants: DVec3) -> Option<(DVec3, Self)> {
        let center = -(self.columns * constants);
        center.is_finite().then_some((center, self))
    }

    /// Returns the data from which the lens is made.
    #[cfg(feature = "serde")]
    pub(super) fn rows(&self) -> (Rays, [DVec3; 3]) {
        (self.rays, self.rows)
    }

    /// Makes a lens from the data that [`rows`](Self::rows) returns; `None` if it is not a projection.
    #[cfg(feature = "serde")]
    pub(super) fn of_rows(rays: Rays, rows: [DVec3; 3]) -> Option<Self> {
        // The length of a vector that was divided by its length differs from 1 by at most this rounding error.
        let is_unit = (length(rows[2]) - 1.0).abs() <= gamma(2 * 6);
        if is_unit { Self::new(rays, rows) } else { None }
    }

    /// Returns the lens with the picture upside down.
    pub(super) fn flipped_y(mut self) -> Self {
        self.rows[1] = -self.rows[1];
        self.columns.y_axis = -self.columns.y_axis;
        self
    }

    /// Returns the same lens with parallel rays in the other direction. A perspective lens does not change, because its
    /// rows determine the side that it sees.
    pub(super) fn with_view_left_handed(mut self) -> Self {
        if self.rays == Rays::Parallel {
            self.rows[2] = -self.rows[2];
            self.columns.z_axis = -self.columns.z_axis;
        }
        self
    }

    /// Returns picture x and y (times depth if the rays come from the eye), and depth, as linear functions of an offset.
    pub(super) fn rows_of_picture(&self) -> [DVec3; 3] {
        self.rows
    }

    pub(super) fn is_perspective(&self) -> bool {
        self.rays == Rays::FromEye
    }

    /// Returns the direction in which depth is measured, of unit length.
    pub(super) fn forward(&self) -> DVec3 {
        self.rows[2]
    }

    /// Returns the ray through a point of the picture. Its start is relative to the eye, and depth grows by 1 along its direction.
    pub(super) fn ray(&self, picture: DVec2) -> (DVec3, DVec3) {
        match self.rays {
            Rays::FromEye => (DVec3::ZERO, self.columns * picture.extend(1.0)),
            Rays::Parallel => (self.columns * picture.extend(0.0), self.columns.z_axis),
        }
    }

    /// Returns the derivatives of a ray's point with respect to picture x and y. With perspective, they are for each unit of depth.
    pub(super) fn steps(&self) -> [DVec3; 2] {
        [self.columns.x_axis, self.columns.y_axis]
    }

    /// Maps a point relative to the eye to picture and depth; `None` if it is not in front of an eye. The result may be infinite or NaN.
    pub(super) fn project(&self, offset: DVec3) -> Option<(DVec2, f64)> {
        let [x, y, depth] = self.rows.map(|row| row.dot(offset));
        match self.rays {
            Rays::FromEye if depth > 0.0 => Some((DVec2::new(x / depth, y / depth), depth)),
            Rays::FromEye => None,
            Rays::Parallel => Some((DVec2::new(x, y), depth)),
        }
    }
}

/// Returns the inverse of the matrix with these rows; `None` if they are in one plane, or the inverse is beyond f64.
fn inverse_of_rows(rows: [DVec3; 3]) -> Option<DMat3> {
    let [x, y, z] = [unit(rows[0])?, unit(rows[1])?, unit(rows[2])?];
    let determinant = Some(x.dot(y.cross(z))).filter(|determinant| determinant.abs() > FLAT)?;
    let column = |cofactor: DVec3, row: DVec3| cofactor / determinant / length(row);
    let inverse =
        DMat3::from_cols(column(y.cross(z), rows[0]), column(z.cross(x), rows[1]), column(x.cross(y), rows[2]));
    inverse.is_finite().then_some(inverse)
}
