//! The rules that every stream of events obeys for any inputs.

use hitscan::glam::Vec2;
use hitscan::pointer::{PointerButton, PointerEvent, PointerEventKind as Kind, PointerId};
use std::collections::BTreeMap;

/// The progress of a press.
#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    Held,
    /// The press was a long press, and may be dragged or released.
    LongPressed,
    /// A drag, with its last position.
    Dragged(Vec2),
    /// The press has its outcome, and waits for its release.
    Decided,
}

/// Follows a stream of events, and panics if an event breaks the rules.
#[derive(Debug, Default)]
pub(crate) struct Grammar {
    presses: BTreeMap<(PointerId, PointerButton), (State, Option<u8>)>,
    over: BTreeMap<PointerId, u8>,
    pub(crate) clicks: u64,
    pub(crate) multiple_clicks: u64,
    pub(crate) long_presses: u64,
    pub(crate) drags: u64,
    pub(crate) cancels: u64,
}

impl Grammar {
    /// Returns the number of presses that have no release.
    pub(crate) fn open(&self) -> usize {
        self.presses.len()
    }

    pub(crate) fn follow(&mut self, event: &PointerEvent<u8>) {
        assert!(event.position.is_finite() && event.time.is_finite(), "{event:?}");
        match event.kind {
            Kind::Enter => {
                assert!(self.over.insert(event.pointer, event.target.unwrap()).is_none(), "two at once: {event:?}");
                assert_eq!(event.over, event.target);
            }
            Kind::Leave => assert_eq!(self.over.remove(&event.pointer), event.target, "{event:?}"),
            Kind::Press { button, .. } => {
                let before = self.presses.insert((event.pointer, button), (State::Held, event.target));
                assert_eq!(before, None, "a lost release: {event:?}");
                assert_eq!(event.over, event.target);
            }
            Kind::DragStart { button, from } => {
                let before = self.state(event, button);
                assert!(matches!(before, State::Held | State::LongPressed), "{event:?}");
                self.step(event, button, before, State::Dragged(from));
            }
            Kind::DragMove { button, previous, .. } => {
                assert_ne!(event.position, previous, "no motion: {event:?}");
                self.step(event, button, State::Dragged(previous), State::Dragged(event.position));
            }
            Kind::Click { button, count } => {
                self.clicks += 1;
                self.multiple_clicks += u64::from(count > 1);
                self.step(event, button, State::Held, State::Decided);
            }
            Kind::LongPress { button } => {
                self.long_presses += 1;
                self.step(event, button, State::Held, State::LongPressed);
            }
            Kind::DragEnd { button, .. } => {
                self.drags += 1;
                self.step(event, button, State::Dragged(event.position), State::Decided);
            }
            Kind::Cancel { button, .. } => {
                self.cancels += 1;
                let state = self.state(event, button);
                assert!(!matches!(state, State::Decided | State::LongPressed), "a second outcome: {event:?}");
                self.step(event, button, state, State::Decided);
            }
            Kind::Release { button } => {
                let state = self.state(event, button);
                assert!(matches!(state, State::Decided | State::LongPressed), "no outcome: {event:?}");
                let press = self.presses.remove(&(event.pointer, button));
                assert_eq!(press, Some((state, event.target)), "{event:?}");
            }
            other => panic!("{other:?} is not known to this test"),
        }
        assert_eq!(
            self.over.get(&event.pointer).copied(),
            event.over.filter(|_| event.kind != Kind::Leave),
            "{event:?}"
        );
    }

    fn state(&self, event: &PointerEvent<u8>, button: PointerButton) -> State {
        self.presses.get(&(event.pointer, button)).unwrap_or_else(|| panic!("no press: {event:?}")).0
    }

    fn step(&mut self, event: &PointerEvent<u8>, button: PointerButton, from: State, to: State) {
        let press = self.presses.get_mut(&(event.pointer, button)).unwrap_or_else(|| panic!("no press: {event:?}"));
        assert_eq!((press.0, press.1), (from, event.target), "{event:?}");
        press.0 = to;
    }
}
