//! Handles to move, rotate and scale an object with a cursor.
//!
//! A [`Gizmo`] has the handles of a [`GizmoMode`] around an object's [`GizmoTransform`]. [`Gizmo::pick`] finds the
//! handle under a cursor. [`Gizmo::follow`] follows the events of [`Pointers`](crate::pointer::Pointers) from hover to
//! the end of a drag. [`Gizmo::drawing`] gives lines and triangles in world space to the user's renderer. Programs
//! with pointer events of their own use [`Gizmo::start_drag`].
//!
//! Handles have the same size on the screen wherever the object is. They work with each [`Camera`](crate::Camera):
//! perspective, orthographic and from matrices of any depth range, in any part of a window. An object that is not in
//! front of a perspective camera has no handles.
//!
//! # Which handle is picked
//!
//! A handle is within reach if one of its pixels is at most [`Gizmo::tolerance`] away from the cursor. Inside a filled
//! part (a plane, the middle, the tip of an arrow or the box of a bar), the distance is 0 pixels. Among the handles
//! within reach, the nearest in pixels is picked. Among equally near handles, the nearest point with the smallest
//! depth decides. If the depths are equal too, the order of [`GizmoMode::handles`] decides.
//!
//! # What is faded
//!
//! An arrow that points at the camera, and a plane that is seen edge-on, cannot be dragged well. Both are opaque above
//! an angle of 14.5 degrees to the view, and fade below it. They cannot be picked below a quarter of their opacity (9.6
//! degrees), and are not drawn below 8 degrees. Rings never fade. The rings of the three axes show the half that is
//! nearer to the camera, and a ring that is seen edge-on is [pulled](crate::drag::TurnDrag).
//!
//! The square of each plane is in the quadrant that is nearest to the camera, where it covers no arrow, and stays there during a drag.
//!
//! # Double clicks
//!
//! The first click of a double click may show the gizmo under the cursor. Then the second click is a single click on a
//! handle. A program that wants the double click returns the object itself as the target until
//! [`PressLimits::multi_click_time`](crate::pointer::PressLimits::multi_click_time) is over.
//!
//! # What a drag does
//!
//! The point that was grabbed stays under the cursor where that is possible. Elsewhere its motion is bounded, as the
//! module [`drag`](crate::drag) describes. A cancelled drag returns the transform of its start.
//! [`GizmoChange::End`] has both transforms, which is all that an undo history needs.
//!
//! To move several objects together, use one gizmo with a transform of its own. The new transform of each
//! object is [`GizmoTransform::change_since`] the start of the drag, times the transform that the object had
//! then.
//!
//! ```
//! use hitscan::drag::Picture;
//! use hitscan::gizmo::{Gizmo, GizmoAxis, GizmoHandle, GizmoMode, GizmoTransform};
//! use hitscan::{Camera, glam::DVec3};
//!
//! let camera = Camera::perspective(Camera::look_at([3.0, 4.0, 8.0], [0.0; 3], [0.0, 1.0, 0.0])?, 1.0)?;
//! let picture = Picture::new(camera, [800.0, 600.0]);
//! let gizmo = Gizmo::new(GizmoMode::Translate);
//! let thing = GizmoTransform::from_translation(DVec3::ZERO);
//!
//! // A cursor on the red arrow, and one farther on.
//! let pixel = |x: f64| camera.project([x, 0.0, 0.0], [800.0, 600.0]).unwrap().pixel;
//! let hit = gizmo.pick(&picture, &thing, pixel(0.6)).unwrap();
//! assert_eq!(hit.handle, GizmoHandle::TranslateAxis(GizmoAxis::X));
//! let mut drag = gizmo.start_drag(hit.handle, &picture, &thing, pixel(0.6)).unwrap();
//! let moved = drag.advance(&picture, pixel(2.6));
//! assert!((moved.translation - DVec3::new(2.0, 0.0, 0.0)).length() < 1e-4);
//! # Ok::<(), hitscan::error::CameraError>(())
//! ```

mod control;
mod drawing;
mod handle;
mod layout;
mod manipulation;
mod outline;
mod transform;

pub use control::{Gizmo, GizmoChange, GizmoHit};
pub use drawing::{GizmoDrawing, GizmoLine, GizmoTriangle};
pub use handle::{GizmoAxis, GizmoFrame, GizmoHandle, GizmoMode, GizmoSnap};
pub use manipulation::GizmoDrag;
pub use transform::GizmoTransform;
