//! The window's state, and how what happens changes it.

use super::input::{Button, Input, Key, Modifiers};
use super::pointer::{Event, Pointer};
use super::refinement::Refinement;
use super::stage::Stage;
use hitscan::Hit;
use hitscan::glam::DVec2;
use hitscan_io::EntityId;
use rayon::ThreadPool;

pub(super) struct State<'a> {
    pub(super) stage: Stage<'a>,
    pub(super) refinement: Refinement,
    /// What is under the cursor.
    pub(super) hovered: Option<Hit<EntityId>>,
    /// Where the last click hit.
    pub(super) picked: Option<Hit<EntityId>>,
    pub(super) selected: Vec<EntityId>,
    pub(super) gesture: Option<Gesture>,
    pub(super) tool: Tool,
    pool: ThreadPool,
    pointer: Pointer,
    modifiers: Modifiers,
}

/// What a drag does.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Gesture {
    Orbit,
    Pan,
    /// A rectangle from here to the cursor.
    Marquee {
        from: DVec2,
        to: DVec2,
    },
    Lasso(Vec<DVec2>),
}

/// What the next drag of the left button does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tool {
    Select,
    Lasso,
}

impl<'a> State<'a> {
    pub(super) fn new(stage: Stage<'a>, pool: ThreadPool) -> Self {
        Self {
            stage,
            refinement: Refinement::new(),
            hovered: None,
            picked: None,
            selected: Vec::new(),
            gesture: None,
            tool: Tool::Select,
            pool,
            pointer: Pointer::default(),
            modifiers: Modifiers::default(),
        }
    }

    pub(super) fn apply(&mut self, input: Input) {
        let event = match input {
            Input::Move(at) => self.pointer.moved(at, self.stage.scale),
            Input::Press(button) => self.pointer.pressed(button),
            Input::Release(button) => self.pointer.released(button),
            Input::Leave => self.pointer.left(),
            Input::LostFocus => self.pointer.cancelled(),
            Input::Wheel(lines) => return self.zoom(lines),
            Input::Key(key) => return self.press_key(key),
            Input::Modifiers(modifiers) => {
                self.modifiers = modifiers;
                None
            }
            Input::Resize { size, scale } => return self.resize(Resized { size, scale }),
        };
        if let Some(event) = event {
            self.react(event);
        }
    }

    /// Works at the picture for a moment, and returns whether there is a new one.
    pub(super) fn advance(&mut self) -> bool {
        self.refinement.advance(&self.stage, &self.pool)
    }

    fn react(&mut self, event: Event) {
        match event {
            Event::Hover(at) => self.hovered = self.stage.pick(at),
            Event::Leave => self.hovered = None,
            Event::Click(Button::Left, at) => self.click(at),
            Event::Click(..) => {}
            Event::Start(button, from, at) => self.start(button, from, at),
            Event::Drag(from, to) => self.drag(from, to),
            Event::End => self.end(),
            Event::Cancel => self.gesture = None,
        }
    }

    fn click(&mut self, at: DVec2) {
        self.picked = self.stage.pick(at);
        let id = self.picked.map(|hit| hit.id);
        match id {
            Some(id) if self.modifiers.ctrl => match self.selected.iter().position(|&other| other == id) {
                Some(place) => drop(self.selected.remove(place)),
                None => self.selected.push(id),
            },
            None if self.modifiers.ctrl => {}
            id => self.selected = id.into_iter().collect(),
        }
    }

    fn start(&mut self, button: Button, from: DVec2, at: DVec2) {
        let Modifiers { shift, alt, .. } = self.modifiers;
        let gesture = match button {
            Button::Left if self.tool == Tool::Lasso => Gesture::Lasso(vec![from]),
            Button::Left if shift && !alt => Gesture::Marquee { from, to: from },
            _ if shift => Gesture::Pan,
            _ => Gesture::Orbit,
        };
        if matches!(gesture, Gesture::Orbit | Gesture::Pan) {
            let pivot = self.stage.point(from);
            self.stage.orbit.set_pivot(pivot);
            self.hovered = None;
        }
        self.gesture = Some(gesture);
        self.drag(from, at);
    }

    fn drag(&mut self, from: DVec2, to: DVec2) {
        let windows = (to - from) / f64::from(self.stage.size.height);
        match &mut self.gesture {
            Some(Gesture::Orbit) => self.stage.orbit.turn(windows),
            Some(Gesture::Pan) => self.stage.orbit.pan(windows),
            Some(Gesture::Marquee { to: corner, .. }) => return *corner = to,
            Some(Gesture::Lasso(points)) => return points.push(to),
            None => return,
        }
        self.refinement.restart();
    }

    fn end(&mut self) {
        self.gesture = None;
        self.hover();
    }

    fn zoom(&mut self, lines: f64) {
        let Some(at) = self.pointer.at() else { return };
        let to = self.stage.point(at);
        self.stage.orbit.zoom(to, lines);
        self.refinement.restart();
        self.hover();
    }

    /// Looks what is under the cursor, when what is below it has moved.
    fn hover(&mut self) {
        let at = self.pointer.at().filter(|_| self.gesture.is_none());
        self.hovered = at.and_then(|at| self.stage.pick(at));
    }

    fn press_key(&mut self, key: Key) {
        match key {
            Key::Lasso => self.tool = Tool::Lasso,
            Key::Frame => self.stage.frame(&self.selected),
            Key::Home => self.stage.reset(),
            Key::Cancel => return self.cancel(),
            Key::Translate | Key::Rotate | Key::Scale => {}
        }
        if matches!(key, Key::Frame | Key::Home) {
            self.refinement.restart();
            self.hover();
        }
    }

    fn cancel(&mut self) {
        if let Some(event) = self.pointer.cancelled() {
            self.react(event);
        } else if self.tool != Tool::Select {
            self.tool = Tool::Select;
        } else {
            self.selected.clear();
            self.picked = None;
        }
    }

    fn resize(&mut self, Resized { size, scale }: Resized) {
        if (size, scale) != (self.stage.size, self.stage.scale) {
            (self.stage.size, self.stage.scale) = (size, scale);
            self.refinement.restart();
        }
    }
}

struct Resized {
    size: crate::args::Size,
    scale: f64,
}
