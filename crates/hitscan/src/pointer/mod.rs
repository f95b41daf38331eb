//! The pointer's state machine: from presses, moves and releases to hovers, clicks and drags.
//!
//! Make one [`Pointers`] for a window. It takes plain data ([`PointerInput`]) and returns plain data
//! ([`PointerEvent`]), and depends on no window library and no scene. The caller picks: each input names the object
//! under the pointer, by a key of the caller's own type. The same inputs give the same events, so a recorded stream can
//! be replayed.
//!
//! Pass every input of a frame to [`Pointers::handle`] in its order, not only the last position. A press and its
//! release may be in one frame. Time advances only by inputs. So while a pointer rests, pass a move to the same
//! position once a frame to get a long press reported.
//!
//! # The outcome of a press
//!
//! Each [`Press`](PointerEventKind::Press) has exactly one outcome, and after it or with it exactly one
//! [`Release`](PointerEventKind::Release):
//!
//! | outcome | when |
//! | --- | --- |
//! | [`Click`](PointerEventKind::Click) | it is released before [`PressLimits::long_press`], and never was farther away than [`PressLimits::drag_threshold`] |
//! | [`LongPress`](PointerEventKind::LongPress) | it is still held after that time without a drag, and none follows |
//! | [`DragEnd`](PointerEventKind::DragEnd) | it moved farther away ([`DragStart`](PointerEventKind::DragStart)), also after a long press, and is released |
//! | [`Cancel`](PointerEventKind::Cancel) | it is lost before its release, for a [`CancelReason`]; a long press without a drag is not cancelled |
//!
//! # The order of events
//!
//! The events of one input come in this order. An input that is not finite only ends the presses of its pointer. For
//! other inputs, the long presses whose time came before the input are first. Then come
//! [`Leave`](PointerEventKind::Leave) and [`Enter`](PointerEventKind::Enter), if the object under the pointer has
//! changed. Drags follow, and then the outcome of the press, release, cancel or leave itself. The
//! [`Leave`](PointerEventKind::Leave) of a pointer that is gone comes last. Several presses of one pointer have their
//! events in the order in which they began.
//!
//! ```
//! use hitscan::pointer::{PointerAction, PointerButton, PointerEvent, PointerEventKind, PointerId, PointerInput, Pointers};
//! use hitscan::{Camera, RayQueries, Scene, Sphere, glam::{DAffine3, DVec3, Vec2}};
//!
//! let mut scene = Scene::new();
//! scene.insert("ball", Sphere::new(1.0), DVec3::new(0.0, 0.0, -5.0))?;
//! let camera = Camera::perspective(DAffine3::IDENTITY, 1.0)?;
//! let mut pointers = Pointers::new();
//! let mut events: Vec<PointerEvent<&str>> = Vec::new();
//! let mut clicked = Vec::new();
//!
//! let primary = PointerButton::Primary;
//! for (time, action) in [(0.0, PointerAction::Move), (0.1, PointerAction::Press(primary)), (0.2, PointerAction::Release(primary))] {
//!     let position = Vec2::new(400.0, 300.0);
//!     let target = scene.cast(&camera.ray(position, [800.0, 600.0])).map(|hit| hit.id);
//!     pointers.handle(&PointerInput { pointer: PointerId::MOUSE, time, action, position, target }, &mut events);
//!     clicked.extend(events.iter().filter(|event| matches!(event.kind, PointerEventKind::Click { .. })).map(|event| event.target));
//! }
//! assert_eq!((clicked, pointers.hovered(PointerId::MOUSE)), (vec![Some("ball")], Some(&"ball")));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod event;
mod input;
mod pointers;
mod press;
#[cfg(feature = "serde")]
mod saved;
mod settings;

pub use event::{CancelReason, PointerEvent, PointerEventKind};
pub use input::{PointerAction, PointerButton, PointerId, PointerInput};
pub use pointers::Pointers;
pub use settings::{PointerSettings, PressLimits};
