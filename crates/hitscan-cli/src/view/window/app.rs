//! The window itself: its events become [`Input`], and [`composed`] draws its content.

use super::input::{Input, Key, Modifiers};
use super::overlay::composed;
use super::pace::Pace;
use super::script::Script;
use super::state::State;
use crate::args::Size;
use anyhow::{Context as _, Result, anyhow};
use hitscan::glam::DVec2;
use hitscan::pointer::PointerButton;
use softbuffer::{Context, Surface};
use std::num::NonZeroU32;
use std::rc::Rc;
use std::time::Instant;
use winit::application::ApplicationHandler;
use winit::dpi::LogicalSize;
use winit::event::{ElementState, KeyEvent, MouseButton, MouseScrollDelta, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use winit::keyboard::{self, NamedKey};
use winit::window::{Window, WindowId};

/// Touchpads scroll by pixels. This number of design pixels is equal to a line of a mouse wheel.
const LINE: f64 = 40.0;

/// Shows the window until it is closed, or until its script has ended.
pub(super) fn run(state: State<'_>, title: &str, script: Option<Script>) -> Result<()> {
    let event_loop = EventLoop::new().map_err(|error| no_display(&error.to_string()))?;
    let mut app =
        App { state, title, script, surface: None, pace: Pace::default(), start: Instant::now(), failure: None };
    event_loop.run_app(&mut app).context("the window ended with an error")?;
    app.failure.map_or(Ok(()), Err)
}

/// Returns the error of a session without a display. Some texts of winit begin with a place in its source. This place is removed, because it does not help a
/// user.
fn no_display(error: &str) -> anyhow::Error {
    let cause = error.rsplit_once(".rs:").and_then(|(_, rest)| rest.split_once(": ")).map_or(error, |(_, cause)| cause);
    anyhow!(
        "no window can be opened, as there is no display: {}; `hitscan render` draws a picture without",
        cause.trim_end_matches(['.', ')'])
    )
}

struct App<'a> {
    state: State<'a>,
    title: &'a str,
    script: Option<Script>,
    /// The surface of the window; `None` before the window opens.
    surface: Option<Surface<Rc<Window>, Rc<Window>>>,
    pace: Pace,
    /// The start of the clock for the times of inputs.
    start: Instant,
    failure: Option<anyhow::Error>,
}

impl ApplicationHandler for App<'_> {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.surface.is_none() {
            let opened = self.open(event_loop).context("no window can be opened");
            self.end_if_failed(event_loop, opened);
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        match event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::RedrawRequested => {
                let drawn = self.draw();
                self.end_if_failed(event_loop, drawn);
            }
            WindowEvent::Resized(_) | WindowEvent::ScaleFactorChanged { .. } => self.resized(),
            // The mouse must not disturb a script.
            _ if self.script.as_ref().is_some_and(|script| !script.is_watching()) => {}
            event => {
                if let Some(input) = input(&event, self.state.stage.scale) {
                    self.apply(input);
                }
            }
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let played = self.play(event_loop);
        self.end_if_failed(event_loop, played);
        let is_new = !self.state.refinement.is_stale() && self.state.advance();
        if is_new || self.state.refinement.is_stale() {
            self.request_redraw();
        }
        // A hidden window may not be drawn for a long time. Then it waits, instead of requesting frames again and
        // again.
        let is_idle = self.state.refinement.is_done() || self.state.refinement.is_stale();
        let is_waiting = is_idle && self.script.is_none();
        event_loop.set_control_flow(if is_waiting { ControlFlow::Wait } else { ControlFlow::Poll });
    }
}

impl App<'_> {
    fn open(&mut self, event_loop: &ActiveEventLoop) -> Result<()> {
        let Size { width, height } = self.state.stage.size;
        let attributes =
            Window::default_attributes().with_title(self.title).with_inner_size(LogicalSize::new(width, height));
        let window = Rc::new(event_loop.create_window(attributes)?);
        let context = Context::new(window.clone()).map_err(|error| anyhow!("{error}"))?;
        self.surface = Some(Surface::new(&context, window).map_err(|error| anyhow!("{error}"))?);
        self.resized();
        Ok(())
    }

    fn window(&self) -> Option<&Rc<Window>> {
        self.surface.as_ref().map(Surface::window)
    }

    fn request_redraw(&self) {
        if let Some(window) = self.window() {
            window.request_redraw();
        }
    }

    fn apply(&mut self, input: Input) {
        self.state.apply(input, self.start.elapsed().as_secs_f64());
        self.request_redraw();
    }

    fn resized(&mut self) {
        let Some(window) = self.window() else { return };
        let (size, scale) = (window.inner_size(), window.scale_factor());
        // A minimised window has no pixels.
        if size.width > 0 && size.height > 0 {
            self.apply(Input::Resize { size: Size { width: size.width, height: size.height }, scale });
        }
    }

    fn draw(&mut self) -> Result<()> {
        if self.state.refinement.is_stale() {
            self.state.advance();
        }
        self.pace.tick(Instant::now());
        let (Some(surface), Some(canvas)) = (&mut self.surface, composed(&self.state, Some(&self.pace))) else {
            return Ok(());
        };
        let size = canvas.size();
        let [Some(width), Some(height)] = [size.width, size.height].map(NonZeroU32::new) else { return Ok(()) };
        let drawn = surface.resize(width, height).and_then(|()| {
            let mut buffer = surface.buffer_mut()?;
            for (pixel, [red, green, blue]) in buffer.iter_mut().zip(canvas.pixels()) {
                *pixel = u32::from_be_bytes([0, *red, *green, *blue]);
            }
            buffer.present()
        });
        drawn.map_err(|error| anyhow!("the window cannot be drawn to: {error}"))
    }

    /// Continues the script, one line at a time.
    fn play(&mut self, event_loop: &ActiveEventLoop) -> Result<()> {
        if self.surface.is_none() {
            return Ok(());
        }
        let Some(script) = &mut self.script else { return Ok(()) };
        if script.advance(&mut self.state)?.is_break() {
            event_loop.exit();
        }
        self.request_redraw();
        Ok(())
    }

    fn end_if_failed(&mut self, event_loop: &ActiveEventLoop, result: Result<()>) {
        if let Err(error) = result {
            self.failure.get_or_insert(error);
            event_loop.exit();
        }
    }
}

/// Returns the input for an event of the window.
fn input(event: &WindowEvent, scale: f64) -> Option<Input> {
    match event {
        WindowEvent::CursorMoved { position, .. } => Some(Input::Move(DVec2::new(position.x, position.y).as_vec2())),
        WindowEvent::CursorLeft { .. } => Some(Input::Leave),
        WindowEvent::MouseInput { state: ElementState::Pressed, button, .. } => known(*button).map(Input::Press),
        WindowEvent::MouseInput { state: ElementState::Released, button, .. } => known(*button).map(Input::Release),
        WindowEvent::MouseWheel { delta: MouseScrollDelta::LineDelta(_, lines), .. } => {
            Some(Input::Wheel((*lines).into()))
        }
        WindowEvent::MouseWheel { delta: MouseScrollDelta::PixelDelta(by), .. } => {
            Some(Input::Wheel(by.y / scale / LINE))
        }
        WindowEvent::ModifiersChanged(modifiers) => {
            let state = modifiers.state();
            let (shift, ctrl, alt) = (state.shift_key(), state.control_key() || state.super_key(), state.alt_key());
            Some(Input::Modifiers(Modifiers { shift, ctrl, alt }))
        }
        WindowEvent::KeyboardInput { event, is_synthetic: false, .. } => key(event).map(Input::Key),
        WindowEvent::Focused(false) => Some(Input::LostFocus),
        _ => None,
    }
}

fn known(button: MouseButton) -> Option<PointerButton> {
    match button {
        MouseButton::Left => Some(PointerButton::Primary),
        MouseButton::Middle => Some(PointerButton::Middle),
        MouseButton::Right => Some(PointerButton::Secondary),
        _ => None,
    }
}

fn key(event: &KeyEvent) -> Option<Key> {
    if event.state != ElementState::Pressed || event.repeat {
        return None;
    }
    match &event.logical_key {
        keyboard::Key::Character(letters) => Key::named(letters),
        keyboard::Key::Named(NamedKey::Home) => Some(Key::Home),
        keyboard::Key::Named(NamedKey::Escape) => Some(Key::Cancel),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_cause_alone() {
        let error = "os error at /a/winit-0.30/src/linux/mod.rs:765: neither WAYLAND_DISPLAY nor DISPLAY is set.";
        let expected = "no window can be opened, as there is no display: neither WAYLAND_DISPLAY nor DISPLAY is set; \
                        `hitscan render` draws a picture without";
        assert_eq!(no_display(error).to_string(), expected);
        assert!(no_display("not supported").to_string().contains("display: not supported;"));
    }
}
