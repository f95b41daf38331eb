//! The state machine.

use super::event::{CancelReason, PointerEvent, PointerEventKind as Kind};
use super::input::{PointerAction, PointerButton, PointerId, PointerInput};
use super::press::{HeldPress, PressPhase};
use super::settings::{PointerSettings, PressLimits};
use alloc::vec::Vec;
use glam::Vec2;

/// All pointers of a window, with the objects that they hover over and hold. The [module](super) describes how inputs
/// become events.
///
/// It is plain data. A clone is a snapshot, and with the feature `serde` it can be saved. Pointers are independent of
/// each other, with one exception. The second tap of a double tap may have another number than the first, so multiple
/// clicks are counted over all touch pointers. A press of any other pointer between two clicks separates them.
///
/// ```
/// use hitscan::pointer::{PointerAction, PointerButton, PointerEventKind, PointerId, PointerInput, Pointers};
/// use hitscan::glam::Vec2;
///
/// let (mut pointers, mut events, mut kinds) = (Pointers::new(), Vec::new(), Vec::new());
/// let press = PointerAction::Press(PointerButton::Primary);
/// let release = PointerAction::Release(PointerButton::Primary);
/// for (time, action, x, target) in [(0.0, press, 10.0, "crate"), (0.1, PointerAction::Move, 60.0, "shelf"), (0.2, release, 60.0, "shelf")] {
///     let position = Vec2::new(x, 20.0);
///     pointers.handle(&PointerInput { pointer: PointerId::MOUSE, time, action, position, target: Some(target) }, &mut events);
///     kinds.extend(events.drain(..).filter(|event| event.target == Some("crate")).map(|event| (event.kind, event.over)));
/// }
/// let (button, from) = (PointerButton::Primary, Vec2::new(10.0, 20.0));
/// assert_eq!(kinds[1], (PointerEventKind::Press { button, count: 1 }, Some("crate")));
/// assert_eq!(kinds[5], (PointerEventKind::DragEnd { button, from }, Some("shelf")));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pointers<K> {
    /// The limits of clicks and drags. A change takes effect with the next input.
    pub settings: PointerSettings,
    tracked: Vec<TrackedPointer<K>>,
    /// The click that the next press may repeat.
    last_click: Option<(PointerId, HeldPress<K>)>,
}

/// A pointer that hovers or holds an object, in the state after its last usable input.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct TrackedPointer<K> {
    id: PointerId,
    time: f64,
    position: Vec2,
    over: Option<K>,
    presence: Presence,
    presses: Vec<HeldPress<K>>,
}

/// The presence of a mouse in the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Presence {
    Inside,
    /// The mouse left, and may still be outside. Moves have a position, but do not say whether the mouse came back.
    Left,
}

impl<K: Clone + PartialEq> Default for Pointers<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Clone + PartialEq> Pointers<K> {
    /// Creates a machine without pointers, with the default settings.
    pub fn new() -> Self {
        Self { settings: PointerSettings::default(), tracked: Vec::new(), last_click: None }
    }

    /// Takes an input, clears `events`, and fills it with the events that follow from the input.
    ///
    /// An input with a NaN or an infinite number cancels the presses of its pointer and does nothing else. An input that is earlier than the previous input of
    /// its pointer is treated as simultaneous with it. Without a press, a release is treated as a move, and a cancel as a move to the same position.
    pub fn handle(&mut self, input: &PointerInput<K>, events: &mut Vec<PointerEvent<K>>) {
        events.clear();
        let Some(index) = self.track(input) else { return };
        let limits = self.limits(input.pointer);
        let pointer = &mut self.tracked[index];
        if !input.is_usable() {
            pointer.lose_all(CancelReason::NotFinite, events);
        } else {
            pointer.pass_time(input.time, &limits, events);
            if input.is_somewhere() {
                pointer.move_to(input.position, input.target.clone(), &limits, events);
            }
            self.act(index, input.action, &limits, events);
        }
        self.forget_gone(index, events);
    }

    /// Returns the object under a pointer, by its last input.
    pub fn hovered(&self, pointer: PointerId) -> Option<&K> {
        self.tracked(pointer)?.over.as_ref()
    }

    /// Returns the objects that a pointer has pressed or drags, each once for every button, in the order of the
    /// presses.
    pub fn captured(&self, pointer: PointerId) -> impl Iterator<Item = &K> {
        self.tracked(pointer).into_iter().flat_map(|tracked| &tracked.presses).filter_map(|press| press.target.as_ref())
    }

    /// Returns whether a pointer drags an object, or drags from the background.
    pub fn is_dragging(&self, pointer: PointerId) -> bool {
        let presses = self.tracked(pointer).map_or(&[][..], |tracked| &tracked.presses);
        presses.iter().any(|press| press.phase == PressPhase::Dragging)
    }

    /// Returns the pointers that are in the window or hold a button, to cancel them all, for example.
    pub fn ids(&self) -> impl Iterator<Item = PointerId> {
        self.tracked.iter().map(|tracked| tracked.id)
    }

    fn tracked(&self, pointer: PointerId) -> Option<&TrackedPointer<K>> {
        self.tracked.iter().find(|tracked| tracked.id == pointer)
    }

    fn limits(&self, pointer: PointerId) -> PressLimits {
        match pointer {
            PointerId::Mouse(_) => self.settings.mouse,
            PointerId::Touch(_) => self.settings.touch,
        }
    }

    /// Returns the index of an input's pointer, which is added if it appears with this input. Returns `None` if there is nothing to do.
    fn track(&mut self, input: &PointerInput<K>) -> Option<usize> {
        if let Some(index) = self.tracked.iter().position(|tracked| tracked.id == input.pointer) {
            return Some(index);
        }
        let begins = match input.pointer {
            PointerId::Mouse(_) => input.is_somewhere(),
            PointerId::Touch(_) => matches!(input.action, PointerAction::Press(_)),
        };
        (begins && input.is_usable()).then(|| {
            let &PointerInput { pointer: id, time, position, .. } = input;
            self.tracked.push(TrackedPointer {
                id,
                time,
                position,
                over: None,
                presence: Presence::Inside,
                presses: Vec::new(),
            });
            self.tracked.len() - 1
        })
    }

    /// Performs the rest of an action, after its time and motion.
    fn act(&mut self, index: usize, action: PointerAction, limits: &PressLimits, events: &mut Vec<PointerEvent<K>>) {
        let pointer = &mut self.tracked[index];
        match (action, pointer.id) {
            (PointerAction::Move, _) => {}
            (PointerAction::Press(button), _) => {
                pointer.lose(|press| press.button == button, CancelReason::PressedAgain, events);
                let mut press = pointer.press(button);
                let repeats = |(id, last): &(PointerId, HeldPress<K>)| {
                    id.may_repeat(pointer.id) && last.is_repeated_by(&press, limits)
                };
                let last = self.last_click.take().filter(repeats);
                press.count = last.map_or(1, |(_, last)| last.count.saturating_add(1));
                events.push(pointer.event(&press, Kind::Press { button, count: press.count }));
                pointer.presses.push(press);
            }
            (PointerAction::Release(button), _) => {
                let clicked = pointer.release(button, events).map(|press| (pointer.id, press));
                self.last_click = clicked.or(self.last_click.take());
            }
            (PointerAction::Cancel, _) => pointer.lose_all(CancelReason::Cancelled, events),
            (PointerAction::Leave, PointerId::Mouse(_)) => {
                pointer.presence = Presence::Left;
                pointer.hover(None, events);
            }
            (PointerAction::Leave, PointerId::Touch(_)) => pointer.lose_all(CancelReason::Left, events),
        }
    }

    /// Removes a pointer that holds no button, if it is a finger, or a mouse that left.
    fn forget_gone(&mut self, index: usize, events: &mut Vec<PointerEvent<K>>) {
        let left = match self.tracked[index].id {
            PointerId::Mouse(_) => self.tracked[index].presence == Presence::Left,
            PointerId::Touch(_) => true,
        };
        if left && self.tracked[index].presses.is_empty() {
            self.tracked[index].hover(None, events);
            self.tracked.remove(index);
        }
    }
}

impl<K: Clone + PartialEq> TrackedPointer<K> {
    fn event(&self, press: &HeldPress<K>, kind: Kind) -> PointerEvent<K> {
        self.event_of(press.target.clone(), kind)
    }

    fn event_of(&self, target: Option<K>, kind: Kind) -> PointerEvent<K> {
        PointerEvent {
            pointer: self.id,
            time: self.time,
            position: self.position,
            target,
            over: self.over.clone(),
            kind,
        }
    }

    /// Returns a press that begins here and now.
    fn press(&self, button: PointerButton) -> HeldPress<K> {
        let target = self.over.clone();
        HeldPress { button, target, from: self.position, time: self.time, count: 1, phase: PressPhase::Open }
    }

    /// Lets time pass at the pointer's present position.
    fn pass_time(&mut self, time: f64, limits: &PressLimits, events: &mut Vec<PointerEvent<K>>) {
        let time = time.max(self.time);
        for index in 0..self.presses.len() {
            let press = &mut self.presses[index];
            let deadline = press.deadline(limits);
            if press.phase == PressPhase::Open && time >= deadline {
                press.phase = PressPhase::LongPressed;
                self.time = deadline.clamp(self.time, time);
                let press = &self.presses[index];
                events.push(self.event(press, Kind::LongPress { button: press.button }));
            }
        }
        self.time = time;
    }

    fn move_to(&mut self, to: Vec2, over: Option<K>, limits: &PressLimits, events: &mut Vec<PointerEvent<K>>) {
        let previous = core::mem::replace(&mut self.position, to);
        self.hover(over, events);
        for index in 0..self.presses.len() {
            let press = &mut self.presses[index];
            let (button, from) = (press.button, press.from);
            let starts = press.phase != PressPhase::Dragging && press.is_far(to, limits);
            if starts {
                press.phase = PressPhase::Dragging;
                let start = self.event(&self.presses[index], Kind::DragStart { button, from });
                events.push(start);
            }
            let press = &self.presses[index];
            if press.phase == PressPhase::Dragging && (starts || previous != to) {
                let previous = if starts { from } else { previous };
                events.push(self.event(press, Kind::DragMove { button, from, previous }));
            }
        }
    }

    fn hover(&mut self, over: Option<K>, events: &mut Vec<PointerEvent<K>>) {
        if self.over == over {
            return;
        }
        let before = core::mem::replace(&mut self.over, over);
        events.extend(before.map(|left| self.event_of(Some(left), Kind::Leave)));
        events.extend(self.over.clone().map(|entered| self.event_of(Some(entered), Kind::Enter)));
    }

    /// Ends the press of a button, and returns it if it was a click.
    fn release(&mut self, button: PointerButton, events: &mut Vec<PointerEvent<K>>) -> Option<HeldPress<K>> {
        let index = self.presses.iter().position(|press| press.button == button)?;
        let press = self.presses.remove(index);
        let outcome = match press.phase {
            PressPhase::Open => Some(Kind::Click { button, count: press.count }),
            PressPhase::LongPressed => None,
            PressPhase::Dragging => Some(Kind::DragEnd { button, from: press.from }),
        };
        events.extend(outcome.map(|kind| self.event(&press, kind)));
        events.push(self.event(&press, Kind::Release { button }));
        Some(press).filter(|press| press.phase == PressPhase::Open)
    }

    fn lose_all(&mut self, reason: CancelReason, events: &mut Vec<PointerEvent<K>>) {
        self.lose(|_| true, reason, events);
    }

    /// Ends the presses that a condition chooses. A long press is only released.
    fn lose(
        &mut self,
        is_lost: impl Fn(&HeldPress<K>) -> bool,
        reason: CancelReason,
        events: &mut Vec<PointerEvent<K>>,
    ) {
        let presses = core::mem::take(&mut self.presses);
        let (lost, kept) = presses.into_iter().partition(is_lost);
        self.presses = kept;
        let lost: Vec<HeldPress<K>> = lost;
        for press in lost {
            let button = press.button;
            if press.phase != PressPhase::LongPressed {
                events.push(self.event(&press, Kind::Cancel { button, reason }));
            }
            events.push(self.event(&press, Kind::Release { button }));
        }
    }
}
