//! Pointers: each press has one outcome and one release, for any input.

use crate::numbers::Numbers;
use crate::world::{Key, World};
use hitscan::glam::Vec2;
use hitscan::pointer::{
    PointerAction, PointerButton, PointerEvent, PointerEventKind as Kind, PointerId, PointerInput, Pointers,
    PressLimits,
};
use std::collections::BTreeMap;

const IDS: [PointerId; 4] = [PointerId::MOUSE, PointerId::MOUSE, PointerId::Mouse(7), PointerId::Touch(0)];
const BUTTONS: [PointerButton; 3] = [PointerButton::Primary, PointerButton::Secondary, PointerButton::Other(9)];

/// The pointers, and the state that follows from their events so far.
#[derive(Default)]
pub(crate) struct PressBook {
    pointers: Pointers<Key>,
    time: f64,
    held: BTreeMap<(PointerId, PointerButton), Held>,
    over: BTreeMap<PointerId, Key>,
}

/// A press that is not released yet.
#[derive(Clone, Copy, Debug)]
struct Held {
    target: Option<Key>,
    from: Vec2,
    phase: Phase,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Phase {
    Open,
    LongPressed,
    /// The press is dragged, and was last at this position.
    Dragging(Vec2),
    /// The press has its outcome, and is about to be released.
    Over,
}

impl Numbers {
    /// Returns a random input: a pointer, a time, an action and a position. The returned time follows `time`, and
    /// `time` is set to it.
    pub(super) fn pointer_step(&mut self, time: &mut f64) -> (PointerId, f64, PointerAction, Vec2) {
        let button = if self.one_in(4) { self.pick(&BUTTONS) } else { PointerButton::Primary };
        let action = match self.below(12) {
            0..4 => PointerAction::Move,
            4..7 => PointerAction::Press(button),
            7..10 => PointerAction::Release(button),
            10 => PointerAction::Cancel,
            _ => PointerAction::Leave,
        };
        let passed = if self.one_in(8) { self.f64() } else { self.pick(&[0.0, 0.01, 0.1, 0.6]) };
        let now = *time + passed;
        if now.is_finite() {
            *time = now.clamp(-1e9, 1e9);
        }
        (self.pick(&IDS), now, action, self.vec2() * self.pick(&[1.0, 5.0, 100.0]))
    }
}

/// Gives inputs to the pointers of the world.
pub(super) fn follow(world: &mut World<'_>) {
    if world.numbers.one_in(8) {
        let limits = |numbers: &mut Numbers| PressLimits {
            drag_threshold: numbers.f32(),
            long_press: numbers.f64(),
            multi_click_time: numbers.f64(),
            multi_click_distance: numbers.f32(),
        };
        let settings = &mut world.presses.pointers.settings;
        (settings.mouse, settings.touch) = (limits(&mut world.numbers), limits(&mut world.numbers));
    }
    for _ in 0..1 + world.numbers.below(12) {
        let mut clock = world.presses.time;
        let (pointer, time, action, position) = world.numbers.pointer_step(&mut clock);
        world.presses.time = clock;
        let target = (!world.numbers.one_in(3)).then(|| world.numbers.below(4) as Key);
        give(world, &PointerInput { pointer, time, action, position, target });
    }
}

fn give(world: &mut World<'_>, input: &PointerInput<Key>) {
    let mut copy = world.presses.pointers.clone();
    let events = world.log.change("Pointers::handle", input, &mut world.presses.pointers, |pointers| {
        let mut events = Vec::new();
        pointers.handle(input, &mut events);
        events
    });
    world.log.sound(&events);
    let mut again = Vec::new();
    copy.handle(input, &mut again);
    world.log.check(again == events, "replayed", || format!("{events:?} {again:?}"));
    for event in &events {
        let is_finite = event.time.is_finite() && event.position.is_finite();
        world.log.check(is_finite && event.pointer == input.pointer, "finite", || format!("{event:?}"));
        let is_right = world.presses.takes(event);
        world.log.check(is_right, "the course of a press", || format!("{event:?} of {input:?}: {events:?}"));
    }
    check_state(world, input.pointer);
}

/// Checks that the state of a pointer follows from its events.
fn check_state(world: &mut World<'_>, pointer: PointerId) {
    let PressBook { pointers, held, over, .. } = &world.presses;
    let of_pointer = || held.iter().filter(|((id, _), _)| *id == pointer).map(|(_, held)| held);
    let is_right = pointers.hovered(pointer) == over.get(&pointer)
        && pointers.captured(pointer).count() == of_pointer().filter(|held| held.target.is_some()).count()
        && pointers.is_dragging(pointer) == of_pointer().any(|held| matches!(held.phase, Phase::Dragging(_)))
        && of_pointer().all(|held| held.phase != Phase::Over)
        && held.keys().all(|(id, _)| pointers.ids().any(|other| other == *id));
    let words = format!("{:?}", (pointers, held, over));
    world.log.check(is_right, "the state of events", || words);
}

impl PressBook {
    /// Records an event, and returns whether it may follow the earlier ones.
    fn takes(&mut self, event: &PointerEvent<Key>) -> bool {
        let key = |button| (event.pointer, button);
        match event.kind {
            Kind::Enter => {
                event.target.is_some_and(|target| self.over.insert(event.pointer, target).is_none())
                    && event.over == event.target
            }
            Kind::Leave => event.target.is_some() && self.over.remove(&event.pointer) == event.target,
            Kind::Press { button, count } => {
                let held = Held { target: event.target, from: event.position, phase: Phase::Open };
                count >= 1 && event.over == event.target && self.held.insert(key(button), held).is_none()
            }
            Kind::Release { button } => {
                let held = self.held.remove(&key(button)).filter(|held| held.target == event.target);
                held.is_some_and(|held| matches!(held.phase, Phase::Over | Phase::LongPressed))
            }
            Kind::Click { button, count } => {
                count >= 1 && self.goes_on(event, button, Phase::Over, |held| held.phase == Phase::Open)
            }
            Kind::LongPress { button } => {
                self.goes_on(event, button, Phase::LongPressed, |held| held.phase == Phase::Open)
            }
            Kind::DragStart { button, from } => self.goes_on(event, button, Phase::Dragging(from), |held| {
                matches!(held.phase, Phase::Open | Phase::LongPressed) && held.from == from
            }),
            Kind::DragMove { button, from, previous } => {
                self.goes_on(event, button, Phase::Dragging(event.position), |held| {
                    held.phase == Phase::Dragging(previous) && held.from == from
                })
            }
            Kind::DragEnd { button, from } => self.goes_on(event, button, Phase::Over, |held| {
                held.phase == Phase::Dragging(event.position) && held.from == from
            }),
            Kind::Cancel { button, .. } => {
                self.goes_on(event, button, Phase::Over, |held| matches!(held.phase, Phase::Open | Phase::Dragging(_)))
            }
            _ => false,
        }
    }

    /// Moves a press to a phase, and returns whether it is held, has the target of the event, and may change to the phase.
    fn goes_on(
        &mut self,
        event: &PointerEvent<Key>,
        button: PointerButton,
        phase: Phase,
        may: impl Fn(&Held) -> bool,
    ) -> bool {
        let Some(held) = self.held.get_mut(&(event.pointer, button)) else { return false };
        let is_right = held.target == event.target && may(held);
        held.phase = phase;
        is_right
    }
}
