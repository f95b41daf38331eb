//! A script that plays the user, for tests and pictures.

use super::input::{Input, Key, Modifiers};
use super::overlay::composed;
use super::state::State;
use crate::args::{Size, distance, finite, numbers};
use crate::output::print_json;
use crate::picture::Picture;
use crate::report::HitReport;
use anyhow::{Context, Result, anyhow};
use hitscan::glam::{DVec2, DVec3, Vec2};
use hitscan::pointer::PointerButton;
use hitscan_io::EntityId;
use serde::Serialize;
use std::collections::VecDeque;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, io};

/// The duration of each line, in seconds.
const LINE: f64 = 1.0 / 60.0;

/// The lines that are still to be played.
pub(super) struct Script {
    commands: VecDeque<Command>,
    /// The time since the beginning of the script, in seconds, which only its lines advance.
    time: f64,
    modifiers: Modifiers,
    /// The time until which the user has the mouse.
    watch: Option<Instant>,
}

#[derive(Clone, Debug, PartialEq)]
enum Command {
    Input(Input),
    /// A modifier is held from now on, or no longer.
    Hold(Held, bool),
    /// This number of seconds passes.
    Wait(f64),
    /// The user controls the window for this many seconds.
    Watch(f64),
    /// The finished picture becomes a PNG.
    Shot(PathBuf),
    /// A line of JSON with the state is written to standard output.
    Print,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Held {
    Shift,
    Ctrl,
    Alt,
}

/// The longest time for which the user has control, in seconds.
const LONGEST: f64 = 86_400.0;

const COMMANDS: &str = "move X,Y, press BUTTON, release BUTTON (left, middle, right, shift, ctrl, alt), leave, wheel LINES, \
                        key NAME, resize WxH, wait SECONDS, watch SECONDS, shot FILE.png or print";

/// Reads a script: `-` is standard input.
pub(super) fn read(path: &Path) -> Result<Script> {
    let text = if path == Path::new("-") {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text).map(|_| text)
    } else {
        fs::read_to_string(path)
    };
    let name = path.display();
    let text = text.with_context(|| format!("{name}: cannot be read"))?;
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let commands = lines.map(|(number, line)| {
        command(line).ok_or_else(|| anyhow!("{name}, line {number}: {line:?} must be {COMMANDS}"))
    });
    Ok(Script { commands: commands.collect::<Result<_>>()?, time: 0.0, modifiers: Modifiers::default(), watch: None })
}

fn command(line: &str) -> Option<Command> {
    let (word, value) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
    let value = value.trim();
    let input = match word {
        "move" => Input::Move(DVec2::from_array(numbers::<2>(value).ok()?).as_vec2()),
        "press" | "release" => return pressed(value, word == "press"),
        "leave" => Input::Leave,
        "wheel" => Input::Wheel(finite(value).ok()?),
        "key" => Input::Key(Key::named(value)?),
        "resize" => Input::Resize { size: value.parse::<Size>().ok()?, scale: 1.0 },
        "wait" => {
            return distance(value).ok().map(Command::Wait);
        }
        "watch" => return distance(value).ok().map(Command::Watch),
        "shot" if !value.is_empty() => return Some(Command::Shot(value.into())),
        "print" if value.is_empty() => return Some(Command::Print),
        _ => return None,
    };
    Some(Command::Input(input))
}

fn pressed(name: &str, is_down: bool) -> Option<Command> {
    let button = |button| Command::Input(if is_down { Input::Press(button) } else { Input::Release(button) });
    Some(match name {
        "left" => button(PointerButton::Primary),
        "middle" => button(PointerButton::Middle),
        "right" => button(PointerButton::Secondary),
        "shift" => Command::Hold(Held::Shift, is_down),
        "ctrl" => Command::Hold(Held::Ctrl, is_down),
        "alt" => Command::Hold(Held::Alt, is_down),
        _ => return None,
    })
}

impl Script {
    /// Plays the next line, and breaks after the last one.
    pub(super) fn advance(&mut self, state: &mut State<'_>) -> Result<ControlFlow<()>> {
        if self.is_watching() {
            return Ok(ControlFlow::Continue(()));
        }
        let Some(command) = self.commands.pop_front() else { return Ok(ControlFlow::Break(())) };
        self.time += LINE;
        match command {
            Command::Input(input) => state.apply(input, self.time),
            Command::Hold(held, is_down) => state.apply(Input::Modifiers(self.hold(held, is_down)), self.time),
            Command::Wait(seconds) => self.time += seconds,
            Command::Watch(seconds) => {
                self.time += seconds;
                self.watch = Some(Instant::now() + Duration::from_secs_f64(seconds.min(LONGEST)));
            }
            Command::Shot(path) => shoot(state, &path)?,
            Command::Print => print_json(&Report::of(state))?,
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Returns whether the user has the mouse, rather than the script.
    pub(super) fn is_watching(&self) -> bool {
        self.watch.is_some_and(|end| Instant::now() < end)
    }

    fn hold(&mut self, held: Held, is_down: bool) -> Modifiers {
        match held {
            Held::Shift => self.modifiers.shift = is_down,
            Held::Ctrl => self.modifiers.ctrl = is_down,
            Held::Alt => self.modifiers.alt = is_down,
        }
        self.modifiers
    }
}

/// Writes the content of the window, when it is fully refined.
fn shoot(state: &mut State<'_>, path: &Path) -> Result<()> {
    while !state.refinement.is_done() {
        state.advance();
    }
    let canvas = composed(state, None).context("the window shows nothing yet")?;
    Picture::create("shot", path, &[], canvas.size())?.write(&canvas)
}

/// The state, for tests.
#[derive(Serialize)]
struct Report<'a> {
    hovered: Option<&'a str>,
    picked: Option<HitReport<'a>>,
    selected: Vec<&'a str>,
    /// The place of the handles, in the world and in the window.
    handles: Option<Place>,
}

#[derive(Serialize)]
struct Place {
    point: DVec3,
    pixel: Option<Vec2>,
}

impl<'a> Report<'a> {
    fn of(state: &'a State<'_>) -> Self {
        let loaded = &state.stage.loaded;
        let name = |id: EntityId| loaded.model.entity(id).map(|entity| entity.name.as_str());
        Self {
            hovered: state.hovered().and_then(name),
            picked: state.picked.as_ref().and_then(|hit| HitReport::new(loaded, hit)),
            handles: state.handles.as_ref().map(|handles| {
                let point = handles.place();
                Place { point, pixel: state.stage.pixel(point).map(|pixel| pixel.as_vec2()) }
            }),
            selected: state.selected.iter().filter_map(|&id| name(id)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_commands() {
        assert_eq!(command("move 3,4.5"), Some(Command::Input(Input::Move(Vec2::new(3.0, 4.5)))));
        assert_eq!(command(" press left"), Some(Command::Input(Input::Press(PointerButton::Primary))));
        assert_eq!(command("release shift"), Some(Command::Hold(Held::Shift, false)));
        assert_eq!(command("key L"), Some(Command::Input(Input::Key(Key::Lasso))));
        assert_eq!(command("wait 0.5"), Some(Command::Wait(0.5)));
        for line in ["", "move", "move 3", "press", "press up", "key q", "wait -1", "shot", "click 3,4", "print now"] {
            assert_eq!(command(line), None, "{line}");
        }
    }
}
