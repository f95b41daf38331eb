//! The gizmo and its state.

use super::handle::{GizmoFrame, GizmoHandle, GizmoMode, GizmoSnap};
use super::layout::GizmoLayout;
use super::manipulation::GizmoDrag;
use super::transform::GizmoTransform;
use crate::drag::Picture;
use crate::pointer::{PointerButton, PointerEvent, PointerEventKind, PointerId};
use glam::{DVec3, Vec2};

/// The least opacity at which a handle can be picked: a quarter, which is visible on most backgrounds.
const PICKED_ALPHA: u8 = 64;

/// A gizmo: its handles, and the state of a drag. The [module](super) describes how it works.
///
/// It is plain data, and stores neither the object's transform nor the camera. Both are arguments of each method.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Gizmo {
    /// The handles.
    pub mode: GizmoMode,
    /// The axes of the handles that move and rotate the object.
    pub frame: GizmoFrame,
    /// The steps to which drags snap; by default there are none. A change takes effect at the next event or
    /// [`update`](Self::update), also during a drag.
    pub snap: GizmoSnap,
    /// The length of an arrow in pixels of the viewport; by default 90. The radius of the outer ring is 1.2 times this. If the pixels are physical pixels,
    /// multiply the size and the tolerance by the scale of the display.
    pub size: f32,
    /// The distance in pixels within which a handle is picked; by default 8.
    pub tolerance: f32,
    hovered: Option<(PointerId, GizmoHandle)>,
    held: Option<HeldHandle>,
}

/// A drag with the pointer and the button that hold it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct HeldHandle {
    pointer: PointerId,
    button: PointerButton,
    /// The cursor of the last event.
    cursor: Vec2,
    drag: GizmoDrag,
}

/// The handle under a cursor.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct GizmoHit {
    /// The handle.
    pub handle: GizmoHandle,
    /// The distance of the handle from the cursor in pixels, which is 0 inside of a filled part.
    pub pixels: f64,
    /// The point of the handle that is nearest to the cursor, in world space.
    pub point: DVec3,
    /// The depth of that point, to compare with the depths of other objects under the cursor.
    pub depth: f64,
}

/// The effect of a pointer's event on the object.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum GizmoChange {
    /// A drag of a handle began; nothing has changed yet.
    Start(GizmoHandle),
    /// The object should get this transform.
    Move(GizmoTransform),
    /// The drag ended: time for an entry in an undo history.
    End {
        /// The transform that the object had when the drag began.
        from: GizmoTransform,
        /// The transform that the object should keep.
        to: GizmoTransform,
    },
    /// The drag was cancelled, and the object should get the transform that it had before.
    Cancel(GizmoTransform),
}

impl Default for Gizmo {
    fn default() -> Self {
        Self::new(GizmoMode::default())
    }
}

impl Gizmo {
    /// Creates a gizmo in the world's frame, without steps.
    pub fn new(mode: GizmoMode) -> Self {
        let (frame, snap) = (GizmoFrame::default(), GizmoSnap::default());
        Self { mode, frame, snap, size: 90.0, tolerance: 8.0, hovered: None, held: None }
    }

    /// Returns the handle under a cursor, by the order that the [module](super) states. Returns `None` if no handle is within the tolerance, or if the cursor
    /// is not in the viewport ([`Viewport::contains`](crate::Viewport::contains)). It also returns `None` if an input is not finite or beyond 1e70.
    pub fn pick(&self, picture: &Picture, transform: &GizmoTransform, cursor: impl Into<Vec2>) -> Option<GizmoHit> {
        let layout = self.layout(picture, transform)?;
        let cursor = Some(cursor.into()).filter(|cursor| picture.viewport.contains(*cursor))?.as_dvec2();
        let shown = self.mode.handles().iter().filter(|handle| layout.alpha(**handle) >= PICKED_ALPHA);
        let hits = shown.filter_map(|&handle| {
            let (pixels, point) = layout.distance(handle, cursor)?;
            let depth = layout.depth_of(point);
            (pixels <= f64::from(self.tolerance)).then_some(GizmoHit { handle, pixels, point, depth })
        });
        // Among equal handles, `min_by` returns the first.
        hits.min_by(|a, b| a.pixels.total_cmp(&b.pixels).then(a.depth.total_cmp(&b.depth)))
    }

    /// Begins a drag of a handle at a cursor. Returns `None` if the object is not in front of the camera, or if an
    /// input is not finite or beyond 1e70.
    pub fn start_drag(
        &self,
        handle: GizmoHandle,
        picture: &Picture,
        transform: &GizmoTransform,
        cursor: impl Into<Vec2>,
    ) -> Option<GizmoDrag> {
        let layout = self.layout(picture, transform)?;
        GizmoDrag::start(handle, &layout, *transform, self.snap, (picture, cursor.into()))
    }

    /// Takes an event of a pointer, and returns the change of the object. `handle_of` returns the handle for the
    /// caller's key, if the key is a handle.
    ///
    /// A handle is hovered from the pointer's enter event to its leave event, and dragged with the primary button of
    /// one pointer. `transform` is the present transform of the object; a drag starts from it.
    ///
    /// While a handle is dragged, pass every event of that pointer to this function; [`cancel`](Self::cancel) ends the
    /// drag without an event. If the pointer and button that hold a handle begin a new drag, the old drag ends without
    /// an answer.
    ///
    /// ```
    /// use hitscan::drag::Picture;
    /// use hitscan::gizmo::{Gizmo, GizmoChange, GizmoMode, GizmoTransform};
    /// use hitscan::pointer::{PointerAction, PointerButton, PointerId, PointerInput, Pointers};
    /// use hitscan::{Camera, glam::{DAffine3, DVec3, Vec2}};
    ///
    /// let camera = Camera::perspective(DAffine3::from_translation(DVec3::new(0.0, 0.0, 8.0)), 1.0)?;
    /// let picture = Picture::new(camera, [800.0, 600.0]);
    /// let (mut pointers, mut events) = (Pointers::new(), Vec::new());
    /// let mut gizmo = Gizmo::new(GizmoMode::Translate);
    /// let before = GizmoTransform::from_translation(DVec3::ZERO);
    /// let (mut thing, mut changes) = (before, Vec::new());
    ///
    /// let press = PointerAction::Press(PointerButton::Primary);
    /// for (time, action, x) in [(0.0, press, 450.0), (0.1, PointerAction::Move, 500.0), (0.2, PointerAction::Cancel, 0.0)] {
    ///     let position = Vec2::new(x, 300.0);
    ///     let target = gizmo.pick(&picture, &thing, position).map(|hit| hit.handle);
    ///     pointers.handle(&PointerInput { pointer: PointerId::MOUSE, time, action, position, target }, &mut events);
    ///     for event in &events {
    ///         let change = gizmo.follow(event, |handle| Some(*handle), &picture, &thing);
    ///         if let Some(GizmoChange::Move(to) | GizmoChange::Cancel(to)) = change {
    ///             thing = to;
    ///         }
    ///         changes.extend(change);
    ///     }
    /// }
    /// assert!(matches!(changes[..], [GizmoChange::Start(_), GizmoChange::Move(_), GizmoChange::Cancel(_)]));
    /// assert_eq!(thing, before);
    /// # Ok::<(), hitscan::error::CameraError>(())
    /// ```
    pub fn follow<K>(
        &mut self,
        event: &PointerEvent<K>,
        handle_of: impl Fn(&K) -> Option<GizmoHandle>,
        picture: &Picture,
        transform: &GizmoTransform,
    ) -> Option<GizmoChange> {
        let handle = event.target.as_ref().and_then(handle_of);
        match event.kind {
            PointerEventKind::Enter | PointerEventKind::Leave => {
                self.hovered.take_if(|(pointer, _)| *pointer == event.pointer);
                let entered = handle.filter(|_| event.kind == PointerEventKind::Enter);
                self.hovered = entered.map(|handle| (event.pointer, handle)).or(self.hovered);
                None
            }
            PointerEventKind::DragStart { button: button @ PointerButton::Primary, from } => {
                // The previous drag is over, although its end was not passed to this function.
                self.let_go(event.pointer, button);
                if self.held.is_some() {
                    return None;
                }
                let drag = self.start_drag(handle?, picture, transform, from)?;
                let handle = drag.handle();
                self.held = Some(HeldHandle { pointer: event.pointer, button, cursor: from, drag });
                Some(GizmoChange::Start(handle))
            }
            PointerEventKind::DragMove { button, .. } => {
                let held = self.held.as_mut().filter(|held| held.is_by(event.pointer, button))?;
                Some(GizmoChange::Move(held.move_to(event.position, self.snap, picture)))
            }
            PointerEventKind::DragEnd { button, .. } => {
                let mut held = self.let_go(event.pointer, button)?;
                let to = held.move_to(event.position, self.snap, picture);
                Some(GizmoChange::End { from: held.drag.start_transform(), to })
            }
            PointerEventKind::Cancel { button, .. } => {
                self.let_go(event.pointer, button).map(|held| GizmoChange::Cancel(held.drag.start_transform()))
            }
            _ => None,
        }
    }

    /// Moves the dragged object to the cursor after the picture or the steps have changed. Returns `None` if
    /// nothing is dragged, or if the object does not move.
    ///
    /// Call it once a frame if the camera or the viewport can move during a drag, or [`snap`](Self::snap) can change.
    /// Otherwise the object lags until the cursor moves.
    pub fn update(&mut self, picture: &Picture) -> Option<GizmoChange> {
        let held = self.held.as_mut()?;
        let before = held.drag.transform();
        let after = held.move_to(held.cursor, self.snap, picture);
        (after != before).then_some(GizmoChange::Move(after))
    }

    /// Ends the drag in progress, if any, and returns [`GizmoChange::Cancel`] for it. Later events of the pointer's
    /// drag do nothing.
    ///
    /// Call it before another object is selected, before another [`mode`](Self::mode) or [`frame`](Self::frame) is set,
    /// when the object is deleted, and when the events of the pointer go elsewhere. Otherwise the drag goes on with the
    /// old object and handle.
    pub fn cancel(&mut self) -> Option<GizmoChange> {
        self.held.take().map(|held| GizmoChange::Cancel(held.drag.start_transform()))
    }

    /// Returns the handle that a pointer is over, if the mode has it. If several pointers are over handles, it is the
    /// handle of the pointer that came last.
    pub fn hovered(&self) -> Option<GizmoHandle> {
        self.hovered.map(|(_, handle)| handle).filter(|handle| self.mode.handles().contains(handle))
    }

    /// Returns the drag in progress.
    pub fn dragged(&self) -> Option<&GizmoDrag> {
        self.held.as_ref().map(|held| &held.drag)
    }

    pub(super) fn layout(&self, picture: &Picture, transform: &GizmoTransform) -> Option<GizmoLayout> {
        let layout = GizmoLayout::new(picture, transform, self.frame, self.size)?;
        Some(self.held.as_ref().map_or(layout, |held| layout.with_away(held.drag.away())))
    }

    fn let_go(&mut self, pointer: PointerId, button: PointerButton) -> Option<HeldHandle> {
        self.held.take_if(|held| held.is_by(pointer, button))
    }
}

impl HeldHandle {
    /// Moves the drag to a cursor, and returns the transform that the object should have.
    fn move_to(&mut self, cursor: Vec2, snap: GizmoSnap, picture: &Picture) -> GizmoTransform {
        (self.cursor, self.drag.snap) = (cursor, snap);
        self.drag.advance(picture, cursor)
    }

    fn is_by(&self, pointer: PointerId, button: PointerButton) -> bool {
        (self.pointer, self.button) == (pointer, button)
    }
}
