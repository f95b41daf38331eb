//! Dragging: the motion of an object that follows a cursor.
//!
//! A [`DragPath`] is the path on which the object stays. It is a plane, an axis, or the plane that faces the camera.
//! [`Drag`] moves an object along such a path, and [`TurnDrag`] rotates it around an axis. [`surface_point`] puts it on
//! the surface under the cursor. All take a [`Picture`], a camera with its viewport, for each cursor. So the camera may
//! move during a drag. A [`gizmo`](crate::gizmo) has handles that are dragged in this way.
//!
//! # Bounds
//!
//! The object stays under the cursor where its path allows that. It cannot for a plane seen edge-on, a horizon, or a
//! point behind the camera. Even there, the drag is a continuous function of the cursor, without a jump. A cursor that
//! moves by `n` pixels moves the object by at most [`MAX_GAIN`] times `n` pixels. A pixel is as large as
//! [`Picture::pixel_size`] says for the path's own point. This holds for every camera, and for cursors outside of the
//! window too.
//!
//! Two limits guarantee this. A plane may be seen at less than [`MIN_INCIDENCE`]. It is then used as if it were tilted towards the camera to that angle. The
//! second limit is for perspective cameras. The distance of a point from the eye is at most `sqrt(MAX_GAIN * incidence)` times the distance of the path's own
//! point. The incidence is the sine of the angle between the plane and the line of sight to the path's own point. So the factor is 16 for a plane that faces
//! the camera, and 8 for a plane that is seen at 14.5 degrees. To drag an object farther than that, several drags are needed.
//!
//! ```
//! use hitscan::drag::{Drag, DragPath, Picture, snap_point};
//! use hitscan::{Camera, glam::DVec3};
//!
//! let camera = Camera::perspective(Camera::look_at([0.0, 4.0, 6.0], [0.0, 0.0, 0.0], [0.0, 1.0, 0.0])?, 1.0)?;
//! let picture = Picture::new(camera, [800.0, 600.0]);
//! let crate_at = DVec3::ZERO;
//! let floor = DragPath::Plane { point: crate_at, normal: DVec3::Y };
//! let drag = Drag::start(floor, &picture, [400.0, 300.0]).unwrap();
//! let moved = crate_at + drag.translation(&picture, [480.0, 300.0]).unwrap();
//! assert!(moved.x > 1.0 && moved.y == 0.0);
//! let under = camera.project(moved, [800.0, 600.0]).unwrap();
//! assert!((under.pixel.x - 480.0).abs() < 1e-3);
//! assert_eq!(snap_point(moved, 0.5), DVec3::new(1.0, 0.0, 0.0));
//! // A cursor above the horizon is no more than far away.
//! assert!(drag.translation(&picture, [480.0, -900.0]).unwrap().length() < 16.0 * 7.3);
//! # Ok::<(), hitscan::error::CameraError>(())
//! ```

mod bounded_plane;
mod path;
mod picture;
mod snap;
mod surface;
mod turn;

pub(crate) use bounded_plane::view_of;
pub use path::{Drag, DragPath};
pub use picture::Picture;
pub use snap::{snap, snap_point};
pub use surface::{SurfacePoint, surface_point};
pub use turn::TurnDrag;

/// The largest motion for a cursor that moves by one pixel, in the pixels of [`Picture::pixel_size`].
pub const MAX_GAIN: f64 = 256.0;

/// The sine of the smallest angle (5.7 degrees) at which a plane is used without a change. A plane that is seen at a smaller angle is used as if it were tilted
/// to this angle.
pub const MIN_INCIDENCE: f64 = 0.1;

/// The largest product of angle (in radians) and radius for a cursor that moves by one pixel, in the pixels of
/// [`Picture::pixel_size`], when [`TurnDrag`] rotates something.
pub const MAX_TURN_GAIN: f64 = 160.0;
