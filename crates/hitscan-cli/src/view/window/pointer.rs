//! From presses and moves to clicks and drags.

use super::input::Button;
use hitscan::glam::DVec2;

/// A press that moves farther than this is a drag, in pixels of the design.
const THRESHOLD: f64 = 4.0;

/// The mouse.
#[derive(Debug, Default)]
pub(super) struct Pointer {
    at: Option<DVec2>,
    press: Option<Press>,
}

#[derive(Clone, Copy, Debug)]
struct Press {
    button: Button,
    from: DVec2,
    is_drag: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Event {
    Hover(DVec2),
    Click(Button, DVec2),
    /// A drag that was pressed at the first point and is at the second.
    Start(Button, DVec2, DVec2),
    Drag(DVec2, DVec2),
    End,
    Cancel,
    Leave,
}

impl Pointer {
    pub(super) fn at(&self) -> Option<DVec2> {
        self.at
    }

    pub(super) fn moved(&mut self, at: DVec2, scale: f64) -> Option<Event> {
        let before = self.at.replace(at).unwrap_or(at);
        let Some(press) = &mut self.press else { return Some(Event::Hover(at)) };
        if press.is_drag {
            return Some(Event::Drag(before, at));
        }
        press.is_drag = at.distance(press.from) > THRESHOLD * scale;
        press.is_drag.then_some(Event::Start(press.button, press.from, at))
    }

    pub(super) fn pressed(&mut self, button: Button) -> Option<Event> {
        let from = self.at?;
        // A second button cancels what the first one does.
        match self.press {
            Some(_) => self.cancelled(),
            None => {
                self.press = Some(Press { button, from, is_drag: false });
                None
            }
        }
    }

    pub(super) fn released(&mut self, button: Button) -> Option<Event> {
        let press = self.press.take_if(|press| press.button == button)?;
        Some(if press.is_drag { Event::End } else { Event::Click(button, press.from) })
    }

    pub(super) fn cancelled(&mut self) -> Option<Event> {
        self.press.take().filter(|press| press.is_drag).map(|_| Event::Cancel)
    }

    pub(super) fn left(&mut self) -> Option<Event> {
        if self.press.is_some() {
            return None;
        }
        self.at = None;
        Some(Event::Leave)
    }
}
