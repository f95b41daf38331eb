//! The state machine of pointers.

use crate::answer::{self, Record, place};
use hitscan::glam::Vec2;
use hitscan::pointer::{
    CancelReason, PointerAction, PointerButton, PointerEvent, PointerEventKind, PointerId, PointerInput,
};
use js_sys::Array;
use wasm_bindgen::prelude::*;

/// The state of pointers. The targets are values of JavaScript, compared by `===`.
#[wasm_bindgen]
#[derive(Default)]
pub struct Pointers(hitscan::pointer::Pointers<JsValue>);

fn id(number: f64, touch: bool) -> PointerId {
    if touch { PointerId::Touch(number as u64) } else { PointerId::Mouse(number as u64) }
}

fn button(number: u16) -> PointerButton {
    match number {
        0 => PointerButton::Primary,
        1 => PointerButton::Middle,
        2 => PointerButton::Secondary,
        other => PointerButton::Other(other),
    }
}

/// Returns the number of a button in `MouseEvent.button`.
fn button_number(button: PointerButton) -> f64 {
    match button {
        PointerButton::Primary => 0.0,
        PointerButton::Middle => 1.0,
        PointerButton::Secondary => 2.0,
        PointerButton::Other(number) => number.into(),
    }
}

#[wasm_bindgen]
impl Pointers {
    /// Makes a state machine without a pointer.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Changes the limits for mice or for touches.
    pub fn set_limits(&mut self, touch: bool, drag: f32, long_press: f64, multi_time: f64, multi_distance: f32) {
        let settings = &mut self.0.settings;
        let limits = if touch { &mut settings.touch } else { &mut settings.mouse };
        (limits.drag_threshold, limits.long_press) = (drag, long_press);
        (limits.multi_click_time, limits.multi_click_distance) = (multi_time, multi_distance);
    }

    /// Handles an input, and writes its events: the list gets a record of each event. Returns an array with the target of each event and the thing under its
    /// pointer.
    pub fn handle(
        &mut self,
        number: f64,
        touch: bool,
        time: f64,
        action: u8,
        which: u16,
        x: f32,
        y: f32,
        target: Option<JsValue>,
    ) -> Array {
        let action = match action {
            0 => PointerAction::Move,
            1 => PointerAction::Press(button(which)),
            2 => PointerAction::Release(button(which)),
            3 => PointerAction::Cancel,
            _ => PointerAction::Leave,
        };
        let input = PointerInput { pointer: id(number, touch), time, action, position: Vec2::new(x, y), target };
        let mut events = Vec::new();
        self.0.handle(&input, &mut events);
        answer::many(&events);
        let targets = events.into_iter().flat_map(|event| [event.target, event.over]);
        targets.map(|target| target.unwrap_or(JsValue::UNDEFINED)).collect()
    }

    /// Returns the thing under a pointer.
    pub fn hovered(&self, number: f64, touch: bool) -> Option<JsValue> {
        self.0.hovered(id(number, touch)).cloned()
    }

    /// Returns whether a pointer drags something.
    pub fn is_dragging(&self, number: f64, touch: bool) -> bool {
        self.0.is_dragging(id(number, touch))
    }
}

impl Record for PointerEvent<JsValue> {
    fn put(&self, mut put: impl FnMut(usize, f64)) {
        let (number, touch) = match self.pointer {
            PointerId::Mouse(number) => (number, 0.0),
            PointerId::Touch(number) => (number, 1.0),
        };
        put(place::T, self.time);
        put(place::ID, number as f64);
        put(place::PART, touch);
        put(place::POINT, self.position.x.into());
        put(place::POINT + 1, self.position.y.into());
        let mut event = |kind: f64, button: Option<PointerButton>, count: u32, [from, previous]: [Vec2; 2]| {
            put(place::SIDE, kind);
            put(place::TRIANGLE, button.map_or(answer::NONE, button_number));
            put(place::FEATURE, count.into());
            put(place::NORMAL, from.x.into());
            put(place::NORMAL + 1, from.y.into());
            put(place::SECOND, previous.x.into());
            put(place::SECOND + 1, previous.y.into());
        };
        const NOWHERE: [Vec2; 2] = [Vec2::NAN; 2];
        match self.kind {
            PointerEventKind::Enter => event(0.0, None, 0, NOWHERE),
            PointerEventKind::Leave => event(1.0, None, 0, NOWHERE),
            PointerEventKind::Press { button, count } => event(2.0, Some(button), count, NOWHERE),
            PointerEventKind::Release { button } => event(3.0, Some(button), 0, NOWHERE),
            PointerEventKind::Click { button, count } => event(4.0, Some(button), count, NOWHERE),
            PointerEventKind::LongPress { button } => event(5.0, Some(button), 0, NOWHERE),
            PointerEventKind::DragStart { button, from } => event(6.0, Some(button), 0, [from, Vec2::NAN]),
            PointerEventKind::DragMove { button, from, previous } => event(7.0, Some(button), 0, [from, previous]),
            PointerEventKind::DragEnd { button, from } => event(8.0, Some(button), 0, [from, Vec2::NAN]),
            PointerEventKind::Cancel { button, reason } => {
                let reason = match reason {
                    CancelReason::Cancelled => 0,
                    CancelReason::Left => 1,
                    CancelReason::PressedAgain => 2,
                    _ => 3,
                };
                event(9.0, Some(button), reason, NOWHERE);
            }
            _ => {}
        }
    }
}
