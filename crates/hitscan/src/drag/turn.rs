//! Rotation around an axis.

use super::bounded_plane::{BoundedPlane, view_of};
use super::{DragPath, MAX_TURN_GAIN, Picture};
use crate::math::float::{quadratic_roots, unit};
use glam::{DVec2, DVec3, Vec2};

/// The sine of 14.5 degrees. If a ring is seen at this angle or a larger one, its grabbed point follows the cursor around
/// the center. Below it, the cursor pulls the ring like a wheel's rim.
const MIN_RING_INCIDENCE: f64 = 0.25;

/// The hub is the part of a ring within this fraction of its radius. In the hub, a pixel of the cursor's motion rotates
/// the ring no more than at the hub's rim.
const HUB: f64 = 0.1;

/// A rotation around an axis through a center, by a ring that the cursor has grabbed.
///
/// The grabbed point of the ring follows the cursor around the center, and the angle counts whole turns. A ring that is
/// seen at less than 14.5 degrees when the drag begins is pulled instead. Then the angle is the cursor's motion along
/// the ring divided by the ring's radius.
///
/// The angle is bounded too. For each pixel of the cursor's motion, the product of angle and radius changes by at
/// most [`MAX_TURN_GAIN`] pixels. A pixel here is [`Picture::pixel_size`] at the center. So if a cursor passes
/// within a tenth of the ring's radius from the center, the object rotates by a smaller angle than the cursor.
///
/// ```
/// use hitscan::drag::{Picture, TurnDrag};
/// use hitscan::{Camera, glam::{DAffine3, DVec3}};
/// use core::f64::consts::FRAC_PI_2;
///
/// let camera = Camera::perspective(DAffine3::from_translation(DVec3::new(0.0, 0.0, 5.0)), 1.0)?;
/// let picture = Picture::new(camera, [800.0, 600.0]);
/// let mut drag = TurnDrag::start(DVec3::ZERO, DVec3::Z, 1.0, &picture, [500.0, 300.0]).unwrap();
/// for _ in 0..3 {
///     for cursor in [[400.0, 200.0], [300.0, 300.0], [400.0, 400.0], [500.0, 300.0]] {
///         drag.advance(&picture, cursor);
///     }
/// }
/// assert!((drag.angle() - 12.0 * FRAC_PI_2).abs() < 1e-9);
/// # Ok::<(), hitscan::error::CameraError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TurnDrag {
    center: DVec3,
    axis: DVec3,
    radius: f64,
    grip: Grip,
    angle: f64,
}

/// The way in which the cursor holds a ring.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Grip {
    /// The cursor goes around the center in a plane. Its last point in that plane, relative to the center, is `at`.
    Around { plane: RingPlane, at: DVec2 },
    /// The cursor pulls the near side of the ring along a direction; `at` is its last distance along it.
    Pull { direction: DVec3, at: f64 },
}

/// The plane on which a cursor goes around.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum RingPlane {
    /// The plane of the ring.
    Ring,
    /// The plane through the center that faces the camera.
    Picture,
}

impl TurnDrag {
    /// Begins a rotation of a ring of a radius in world units, at a cursor. The axis need not be of unit length; angles grow
    /// counter-clockwise as seen from the tip of the axis.
    ///
    /// Returns `None` for input that is not finite, an axis of length 0, or a radius that is not positive. The viewport's size must be positive and finite too.
    pub fn start(
        center: impl Into<DVec3>,
        axis: impl Into<DVec3>,
        radius: f64,
        picture: &Picture,
        cursor: impl Into<Vec2>,
    ) -> Option<Self> {
        let (center, axis) = (center.into(), unit(axis.into())?);
        if !(center.is_finite() && radius > 0.0 && radius.is_finite()) {
            return None;
        }
        let view = view_of(&picture.space()?, center);
        // The nearest point of the ring moves in this direction, when the angle grows.
        let pull = unit(view.cross(axis)).filter(|_| axis.dot(view).abs() < MIN_RING_INCIDENCE);
        let around = Grip::Around { plane: RingPlane::Ring, at: DVec2::ZERO };
        let grip = pull.map_or(around, |direction| Grip::Pull { direction, at: 0.0 });
        Self { center, axis, radius, grip, angle: 0.0 }.held_at(picture, cursor.into())
    }

    /// Begins a rotation in the picture: around the camera's view axis, by a ring whose plane faces the camera. The cursor goes around the center wherever the
    /// center is shown. The angle grows counter-clockwise.
    ///
    /// Returns `None` under the conditions of [`start`](Self::start).
    pub fn start_in_picture(
        center: impl Into<DVec3>,
        radius: f64,
        picture: &Picture,
        cursor: impl Into<Vec2>,
    ) -> Option<Self> {
        let (center, axis) = (center.into(), -picture.space()?.forward());
        if !(center.is_finite() && radius > 0.0 && radius.is_finite()) {
            return None;
        }
        let grip = Grip::Around { plane: RingPlane::Picture, at: DVec2::ZERO };
        Self { center, axis, radius, grip, angle: 0.0 }.held_at(picture, cursor.into())
    }

    fn held_at(self, picture: &Picture, cursor: Vec2) -> Option<Self> {
        Some(Self { grip: self.grip_at(picture, cursor)?, ..self })
    }

    /// Moves the cursor, and returns the whole angle since the drag began, in radians. An invalid cursor or viewport changes nothing.
    pub fn advance(&mut self, picture: &Picture, cursor: impl Into<Vec2>) -> f64 {
        if let Some(grip) = self.grip_at(picture, cursor.into()) {
            let turned = match (self.grip, grip) {
                (Grip::Around { at: from, .. }, Grip::Around { at: to, .. }) => swept(from, to, HUB * self.radius),
                (Grip::Pull { at: from, .. }, Grip::Pull { at: to, .. }) => (to - from) / self.radius,
                // The grip of a ring does not change during a drag.
                (Grip::Around { .. }, Grip::Pull { .. }) | (Grip::Pull { .. }, Grip::Around { .. }) => 0.0,
            };
            if (self.angle + turned).is_finite() {
                (self.angle, self.grip) = (self.angle + turned, grip);
            }
        }
        self.angle
    }

    /// Returns the whole angle since the drag began, in radians.
    pub fn angle(&self) -> f64 {
        self.angle
    }

    /// Returns the point of a plane under a cursor.
    fn point_on(&self, plane: RingPlane, picture: &Picture, cursor: Vec2) -> Option<DVec3> {
        match plane {
            RingPlane::Ring => {
                let space = picture.space()?;
                let pixel = Some(cursor.as_dvec2()).filter(|pixel| pixel.is_finite())?;
                // A point in the hub rotates the ring by its motion divided by the hub's radius.
                Some(BoundedPlane::new(&space, self.center, self.axis, MAX_TURN_GAIN * HUB).point(&space, pixel))
            }
            // The gain of the plane is at most 1, so the gain of the hub's angle is at most 1 / HUB.
            RingPlane::Picture => DragPath::Screen { point: self.center }.point_at(picture, cursor),
        }
    }

    /// Returns the grip of a cursor on the ring.
    fn grip_at(&self, picture: &Picture, cursor: Vec2) -> Option<Grip> {
        match self.grip {
            Grip::Around { plane, .. } => {
                let from_center = self.point_on(plane, picture, cursor)? - self.center;
                let x = self.axis.any_orthonormal_vector();
                let at = DVec2::new(from_center.dot(x), from_center.dot(self.axis.cross(x)));
                at.is_finite().then_some(Grip::Around { plane, at })
            }
            Grip::Pull { direction, .. } => {
                let at = DragPath::Screen { point: self.center }.point_at(picture, cursor)?;
                Some(Grip::Pull { direction, at: (at - self.center).dot(direction) })
            }
        }
    }
}

/// Returns the angle by which a point p goes around the origin on a straight path. It is the integral of (p cross dp) / |p|^2. Inside a hub, |p| is replaced by
/// the hub's radius.
fn swept(from: DVec2, to: DVec2, hub: f64) -> f64 {
    let is_in_hub = |point: DVec2| point.length_squared() <= hub * hub;
    let way = to - from;
    let (a, b, c) = (way.length_squared(), -way.dot(from), from.length_squared() - hub * hub);
    let crossing = if a > 0.0 { quadratic_roots(a, b, c, b * b - a * c) } else { None };
    let [enters, leaves] = match crossing {
        Some((enters, leaves)) => [enters, leaves].map(|t| t.clamp(0.0, 1.0)),
        None => [0.0; 2],
    };
    // The test whether an end of the path is in the hub uses the end itself, and a computed crossing is clamped to the
    // hub. So rounding errors of the roots have no effect.
    let entry = if is_in_hub(from) { from } else { (from + way * enters).clamp_length_max(hub) };
    let exit = if is_in_hub(to) { to } else { (from + way * leaves).clamp_length_max(hub) };
    around(from, entry) + entry.perp_dot(exit) / (hub * hub) + around(exit, to)
}

/// Returns the angle between two points as seen from the origin.
fn around(from: DVec2, to: DVec2) -> f64 {
    libm::atan2(from.perp_dot(to), from.dot(to))
}
