//! Motion on a plane, along an axis, and in the plane of the screen.

use super::bounded_plane::{BoundedPlane, view_of};
use super::{MAX_GAIN, Picture};
use crate::camera::PixelSpace;
use crate::math::float::unit;
use crate::math::perpendicular::beside;
use glam::{DVec2, DVec3, Vec2};

/// The path that a dragged object stays on. Directions need not be of unit length.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum DragPath {
    /// A plane. The point under the cursor is where the cursor's ray hits the plane.
    Plane {
        /// A point of the plane: the position of the object when the drag begins.
        point: DVec3,
        /// The normal of the plane, on either side. A plane that is seen exactly edge-on is treated as seen from this
        /// side.
        normal: DVec3,
    },
    /// A straight line. The point under the cursor is the point of the line whose picture is nearest to the cursor. A
    /// cursor that moves along the line's picture never moves the point back. Past the vanishing point of the line, the
    /// point stays where it is.
    Axis {
        /// A point of the line: the position of the object when the drag begins.
        point: DVec3,
        /// The direction of the line.
        direction: DVec3,
    },
    /// The plane through a point, facing the camera: the depth does not change. A point behind the camera moves like a
    /// point at the same distance in front of it.
    Screen {
        /// The point.
        point: DVec3,
    },
}

impl DragPath {
    /// Returns the point of the path under a cursor, which is bounded as the [module](super) describes.
    ///
    /// A path that the camera sees edge-on, or end-on, also has a point for each cursor. But that point is not under
    /// the cursor. So move an object by the difference of two such points, as [`Drag`] does, rather than to the point
    /// itself.
    ///
    /// Returns `None` for a point, direction or cursor that is not finite, and for a direction of length 0. The viewport's size must be positive and finite.
    pub fn point_at(&self, picture: &Picture, cursor: impl Into<Vec2>) -> Option<DVec3> {
        let space = picture.space()?;
        let pixel = cursor.into().as_dvec2();
        let found = self.point_of(&space, pixel).filter(|_| self.point().is_finite() && pixel.is_finite())?;
        found.is_finite().then_some(found)
    }

    pub(super) fn point(&self) -> DVec3 {
        match *self {
            Self::Plane { point, .. } | Self::Axis { point, .. } | Self::Screen { point } => point,
        }
    }

    fn point_of(&self, space: &PixelSpace, pixel: DVec2) -> Option<DVec3> {
        match *self {
            Self::Plane { point, normal } => {
                let normal = unit(normal)?;
                let found = BoundedPlane::new(space, point, normal, MAX_GAIN).point(space, pixel);
                Some(found - normal * (found - point).dot(normal))
            }
            Self::Axis { point, direction } => {
                let direction = unit(direction)?;
                let view = view_of(space, point);
                // The plane through the axis that faces the camera most.
                let normal = beside(direction, view).unwrap_or_else(|| direction.any_orthonormal_vector());
                let pixel = on_line(space, pixel, point, direction.cross(normal));
                let found = BoundedPlane::new(space, point, normal, MAX_GAIN).point_of_line(space, pixel, direction);
                Some(point + direction * (found - point).dot(direction))
            }
            Self::Screen { point } => {
                let (start, step) = space.ray(pixel);
                let depth = (point - space.eye).dot(space.forward());
                let depth = if space.is_perspective() { depth.abs() } else { depth };
                Some(space.eye + start + step * depth)
            }
        }
    }
}

/// Returns the pixel nearest to a given pixel whose ray is in the plane with this normal through `point` and the eye.
/// Returns the given pixel itself if the plane is shown nowhere.
fn on_line(space: &PixelSpace, pixel: DVec2, point: DVec3, normal: DVec3) -> DVec2 {
    let (start, step) = space.ray(pixel);
    let off = if space.is_perspective() { normal.dot(step) } else { normal.dot(start - (point - space.eye)) };
    let [x, y] = space.steps();
    let slope = DVec2::new(normal.dot(x), normal.dot(y));
    let nearest = pixel - slope * (off / slope.length_squared());
    if nearest.is_finite() { nearest } else { pixel }
}

/// A drag along a path, from the point that was grabbed.
///
/// It is plain data that does not change. The translation depends on the present position of the cursor alone.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Drag {
    path: DragPath,
    grabbed: DVec3,
}

impl Drag {
    /// Begins a drag at a cursor; `None` under the conditions of [`DragPath::point_at`].
    pub fn start(path: DragPath, picture: &Picture, cursor: impl Into<Vec2>) -> Option<Self> {
        Some(Self { path, grabbed: path.point_at(picture, cursor)? })
    }

    /// Returns the translation of the object since the drag began, in world space. Returns `None` under the conditions
    /// of [`DragPath::point_at`]; the object should stay in place then.
    pub fn translation(&self, picture: &Picture, cursor: impl Into<Vec2>) -> Option<DVec3> {
        let moved = self.path.point_at(picture, cursor)? - self.grabbed;
        moved.is_finite().then_some(moved)
    }

    /// Returns the path.
    pub fn path(&self) -> DragPath {
        self.path
    }

    /// Returns the point of the path where the drag began.
    pub fn grabbed(&self) -> DVec3 {
        self.grabbed
    }
}
