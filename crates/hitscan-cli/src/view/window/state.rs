//! The window's state, and its changes by inputs.

use super::gesture::{Gesture, Tool};
use super::handles::{Handles, Target};
use super::input::{Input, Key, Modifiers};
use super::refinement::Refinement;
use super::stage::{Reach, Stage};
use hitscan::Hit;
use hitscan::gizmo::{GizmoChange, GizmoMode};
use hitscan::glam::Vec2;
use hitscan::pointer::{
    PointerAction, PointerButton, PointerEvent, PointerEventKind, PointerId, PointerInput, Pointers,
};
use hitscan_io::EntityId;
use rayon::ThreadPool;
use std::collections::BTreeSet;

pub(super) struct State<'a> {
    pub(super) stage: Stage<'a>,
    pub(super) refinement: Refinement,
    /// The hit of the last click.
    pub(super) picked: Option<Hit<EntityId>>,
    pub(super) selected: BTreeSet<EntityId>,
    pub(super) gesture: Option<Gesture>,
    pub(super) tool: Tool,
    pub(super) reach: Reach,
    pub(super) handles: Option<Handles>,
    /// The kind of handles around a selection, if they are shown.
    mode: Option<GizmoMode>,
    pool: ThreadPool,
    pointers: Pointers<Target>,
    /// The last place of the cursor.
    cursor: Option<Vec2>,
    /// The state of the cursor: in the window or not.
    presence: Presence,
    time: f64,
    modifiers: Modifiers,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Presence {
    Inside,
    Gone,
}

/// The pointer.
const MOUSE: PointerId = PointerId::MOUSE;

impl<'a> State<'a> {
    pub(super) fn new(stage: Stage<'a>, pool: ThreadPool) -> Self {
        Self {
            stage,
            refinement: Refinement::new(),
            picked: None,
            selected: BTreeSet::new(),
            gesture: None,
            tool: Tool::Look,
            reach: Reach::Visible,
            handles: None,
            mode: None,
            pool,
            pointers: Pointers::new(),
            cursor: None,
            presence: Presence::Gone,
            time: 0.0,
            modifiers: Modifiers::default(),
        }
    }

    /// Applies an input at a time in seconds.
    pub(super) fn apply(&mut self, input: Input, time: f64) {
        self.time = time;
        match input {
            Input::Move(at) => {
                (self.cursor, self.presence) = (Some(at), Presence::Inside);
                self.point(PointerAction::Move);
            }
            Input::Press(button) => self.point(PointerAction::Press(button)),
            Input::Release(button) => self.point(PointerAction::Release(button)),
            Input::Leave => {
                self.presence = Presence::Gone;
                self.point(PointerAction::Leave);
            }
            Input::LostFocus => self.point(PointerAction::Cancel),
            Input::Wheel(lines) => self.zoom(lines),
            Input::Key(key) => self.press_key(key),
            Input::Modifiers(modifiers) => self.modifiers = modifiers,
            Input::Resize { size, scale } => {
                (self.stage.size, self.stage.scale) = (size, scale);
                let limits = &mut self.pointers.settings.mouse;
                limits.drag_threshold = DRAG_THRESHOLD * scale as f32;
                limits.multi_click_distance = DRAG_THRESHOLD * scale as f32;
                if let Some(handles) = &mut self.handles {
                    handles.resize(&self.stage);
                }
                self.seen_anew();
            }
        }
    }

    /// Refines the picture for a moment, and returns whether there is a new picture.
    pub(super) fn advance(&mut self) -> bool {
        self.refinement.advance(&self.stage, &self.pool)
    }

    /// Returns the entity under the cursor, unless a drag is under way.
    pub(super) fn hovered(&self) -> Option<EntityId> {
        match self.pointers.hovered(MOUSE) {
            Some(Target::Entity(id)) if !self.pointers.is_dragging(MOUSE) => Some(*id),
            _ => None,
        }
    }

    /// Passes an action at the cursor to the pointer.
    fn point(&mut self, action: PointerAction) {
        let Some(position) = self.cursor else { return };
        let target = self.target(position);
        let mut events = Vec::new();
        let input = PointerInput { pointer: MOUSE, time: self.time, action, position, target };
        self.pointers.handle(&input, &mut events);
        events.iter().for_each(|event| self.react(event));
    }

    /// Returns the target under a cursor. Handles are in front of everything. With alt they are ignored, so that drags
    /// over them look around, too.
    fn target(&self, cursor: Vec2) -> Option<Target> {
        let handles = self.handles.as_ref().filter(|_| !self.modifiers.alt);
        let handle = handles.and_then(|handles| handles.pick(&self.stage, cursor));
        handle.map(Target::Handle).or_else(|| self.stage.pick(cursor).map(|hit| Target::Entity(hit.id)))
    }

    fn react(&mut self, event: &PointerEvent<Target>) {
        if self.is_taken_by_handles(event) {
            return;
        }
        match event.kind {
            PointerEventKind::Click { button: PointerButton::Primary, count } => self.click(event.position, count),
            PointerEventKind::DragStart { button, from } if self.gesture.is_none() => {
                let how = (self.tool, self.modifiers);
                self.gesture = Some(Gesture::begin(&mut self.stage, button, from, how));
            }
            PointerEventKind::DragMove { button, previous, .. } => {
                let Some(gesture) = self.gesture.as_mut().filter(|gesture| gesture.button == button) else { return };
                if gesture.follow(&mut self.stage, previous, event.position) {
                    self.draw_anew();
                }
            }
            PointerEventKind::DragEnd { button, .. } => {
                if let Some(gesture) = self.gesture.take_if(|gesture| gesture.button == button) {
                    self.end(gesture);
                }
            }
            PointerEventKind::Cancel { button, .. } => {
                let gesture = self.gesture.take_if(|gesture| gesture.button == button);
                if gesture.is_some_and(|gesture| gesture.undo(&mut self.stage)) {
                    self.draw_anew();
                }
            }
            _ => {}
        }
    }

    /// Lets the handles follow the pointer, and returns whether they use the event.
    fn is_taken_by_handles(&mut self, event: &PointerEvent<Target>) -> bool {
        let Some(handles) = &mut self.handles else { return false };
        let change = handles.follow(event, &mut self.stage, &self.selected);
        self.follow_handles(change);
        let is_click = matches!(event.kind, PointerEventKind::Click { .. });
        change.is_some() || is_click && matches!(event.target, Some(Target::Handle(_)))
    }

    /// Draws the scene again if handles have moved the selection.
    fn follow_handles(&mut self, change: Option<GizmoChange>) {
        if matches!(change, Some(GizmoChange::Move(_) | GizmoChange::End { .. } | GizmoChange::Cancel(_))) {
            // The surface that was hit has moved.
            self.picked = None;
            self.refinement.restart();
        }
    }

    fn click(&mut self, at: Vec2, count: u32) {
        self.picked = self.stage.pick(at);
        let id = self.picked.map(|hit| hit.id);
        self.select(id.into_iter().collect());
        if count == 2 && id.is_some() {
            self.stage.frame(&self.selected);
            self.seen_anew();
        }
    }

    /// Selects these entities. With ctrl, entities that are not selected yet are added to the selection; if all are
    /// selected already, they are removed from it.
    fn select(&mut self, chosen: BTreeSet<EntityId>) {
        self.selected = match self.modifiers.ctrl {
            false => chosen,
            true if chosen.is_subset(&self.selected) => &self.selected - &chosen,
            true => &self.selected | &chosen,
        };
        self.show_handles();
    }

    /// Puts the handles around the selection. A drag of the previous handles is cancelled.
    fn show_handles(&mut self) {
        let change = self.handles.as_mut().and_then(|handles| handles.cancel(&mut self.stage));
        self.follow_handles(change);
        self.handles = self.mode.and_then(|mode| Handles::new(mode, &self.stage, &self.selected));
    }

    fn end(&mut self, gesture: Gesture) {
        if let Some(region) = gesture.region() {
            self.select(self.stage.within(&region, self.reach));
            self.picked = None;
            self.tool = Tool::Look;
        }
    }

    fn zoom(&mut self, lines: f64) {
        let Some(at) = self.cursor.filter(|_| self.presence == Presence::Inside) else { return };
        let to = self.stage.point(at);
        self.stage.orbit.zoom(to, lines);
        self.seen_anew();
    }

    fn press_key(&mut self, key: Key) {
        match key {
            Key::Cancel => self.cancel(),
            // During a drag, keys do not change the tool.
            _ if self.is_pressed() => {}
            Key::Lasso => self.tool = Tool::Lasso,
            Key::Through => {
                self.reach = match self.reach {
                    Reach::Visible => Reach::Through,
                    Reach::Through => Reach::Visible,
                }
            }
            Key::Frame => {
                self.stage.frame(&self.selected);
                self.seen_anew();
            }
            Key::Home => {
                self.stage.reset();
                self.seen_anew();
            }
            Key::Handles(mode) => {
                // The same key again hides them.
                self.mode = if self.mode == Some(mode) { None } else { Some(mode) };
                self.show_handles();
                self.look_again();
            }
        }
    }

    fn cancel(&mut self) {
        if self.is_pressed() {
            self.point(PointerAction::Cancel);
        } else if self.tool != Tool::Look {
            self.tool = Tool::Look;
        } else if self.mode.take().is_some() {
            self.handles = None;
            self.look_again();
        } else {
            self.selected.clear();
            (self.picked, self.handles) = (None, None);
        }
    }

    /// Returns whether a button is held.
    fn is_pressed(&self) -> bool {
        self.pointers.is_dragging(MOUSE) || self.pointers.captured(MOUSE).next().is_some()
    }

    /// Draws a changed view again, and updates the target under the cursor.
    fn seen_anew(&mut self) {
        self.draw_anew();
        self.look_again();
    }

    /// Draws a changed view again. A handle that is being dragged stays under the cursor.
    fn draw_anew(&mut self) {
        self.refinement.restart();
        let change = self.handles.as_mut().and_then(|handles| handles.update(&mut self.stage));
        self.follow_handles(change);
    }

    /// Updates the target under the cursor.
    fn look_again(&mut self) {
        if self.presence == Presence::Inside {
            self.point(PointerAction::Move);
        }
    }
}

/// A press that moves farther than this is a drag, in pixels of the design.
const DRAG_THRESHOLD: f32 = 4.0;
