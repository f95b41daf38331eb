//! The window's state without a window.

mod handles;

use super::input::{Input, Key, Modifiers};
use super::state::State;
use crate::args::Size;
use crate::output::Console;
use crate::view::ViewArgs;
use clap::Parser;
use hitscan::gizmo::GizmoHandle;
use hitscan::glam::{DAffine3, Vec2};
use hitscan::pointer::PointerButton;
use hitscan_io::EntityId;
use std::collections::BTreeSet;

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    args: ViewArgs,
}

const LEFT: PointerButton = PointerButton::Primary;
const RIGHT: PointerButton = PointerButton::Secondary;
const CTRL: Modifiers = Modifiers { shift: false, ctrl: true, alt: false };
const ALT: Modifiers = Modifiers { shift: false, ctrl: false, alt: true };
const SHIFT: Modifiers = Modifiers { shift: true, ctrl: false, alt: false };
const NONE: Modifiers = Modifiers { shift: false, ctrl: false, alt: false };
/// The bakery, the ground in front of it, and the sky.
const BAKERY: Vec2 = Vec2::new(120.0, 67.0);
const GROUND: Vec2 = Vec2::new(100.0, 108.0);
const SKY: Vec2 = Vec2::new(120.0, 3.0);
/// A corner that no handle reaches.
const CORNER: Vec2 = Vec2::new(238.0, 132.0);

/// Calls `test` with the state of a small window of the demo village, and a clock that advances with each input.
fn with_state(test: impl FnOnce(&mut Player<'_>)) {
    let line = Line::parse_from(["view", "demo", "--size", "240x135", "--threads", "1"]);
    let state = super::state(&line.args, &Console::new(true)).unwrap();
    test(&mut Player { state, time: 0.0 });
}

struct Player<'a> {
    state: State<'a>,
    time: f64,
}

impl Player<'_> {
    fn play(&mut self, inputs: impl IntoIterator<Item = Input>) {
        for input in inputs {
            self.time += 0.02;
            self.state.apply(input, self.time);
        }
    }

    fn click(&mut self, at: Vec2) {
        self.time += 1.0;
        self.play([Input::Move(at), Input::Press(LEFT), Input::Release(LEFT)]);
    }

    /// Returns the entities that rays through the pixels of a rectangle hit.
    fn seen(&self, low: Vec2, high: Vec2) -> BTreeSet<EntityId> {
        let pixels = (0..135).flat_map(|y| (0..240).map(move |x| Vec2::new(x as f32 + 0.5, y as f32 + 0.5)));
        let inside = pixels.filter(|pixel| low.cmple(*pixel).all() && pixel.cmple(high).all());
        inside.filter_map(|pixel| self.state.stage.pick(pixel)).map(|hit| hit.id).collect()
    }

    fn transform(&self, id: EntityId) -> DAffine3 {
        self.state.stage.loaded.scene.get(&id).unwrap().transform()
    }

    /// Returns the pixel of the handles' middle.
    fn middle(&self) -> Vec2 {
        let handles = self.state.handles.as_ref().expect("there are handles");
        self.state.stage.pixel(handles.place()).expect("they are in front").as_vec2()
    }

    /// Returns a pixel on a handle.
    fn on(&self, handle: GizmoHandle) -> Vec2 {
        let mut pixels = (0..135).flat_map(|y| (0..240).map(move |x| Vec2::new(x as f32, y as f32)));
        let handles = self.state.handles.as_ref().expect("there are handles");
        pixels.find(|&pixel| handles.pick(&self.state.stage, pixel) == Some(handle)).expect("the handle is seen")
    }

    fn drag(&mut self, from: Vec2, by: Vec2) {
        let way = [0.3, 0.7, 1.0].map(|part| Input::Move(from + by * part));
        self.play([Input::Move(from), Input::Press(LEFT)].into_iter().chain(way).chain([Input::Release(LEFT)]));
    }

    fn names(&self) -> Vec<&str> {
        let name = |id: &EntityId| self.state.stage.loaded.model.entity(*id).unwrap().name.as_str();
        self.state.selected.iter().map(name).collect()
    }
}

#[test]
fn clicks_select() {
    with_state(|player| {
        player.click(BAKERY);
        assert_eq!(player.names(), ["Bakery"]);
        let hit = player.state.picked.unwrap();
        assert_eq!(Some(hit), player.state.stage.pick(BAKERY));
        player.click(GROUND);
        assert_eq!(player.names(), ["Ground"]);
        player.play([Input::Modifiers(CTRL)]);
        player.click(BAKERY);
        assert_eq!(player.names().len(), 2);
        player.click(GROUND);
        assert_eq!(player.names(), ["Bakery"]);
        player.click(SKY);
        assert_eq!(player.names(), ["Bakery"]);
        player.play([Input::Modifiers(NONE)]);
        player.click(SKY);
        assert!(player.names().is_empty() && player.state.picked.is_none());
        player.click(BAKERY);
        player.play([Input::Key(Key::Cancel)]);
        assert!(player.names().is_empty());
    });
}

#[test]
fn hovering_follows_the_cursor_and_the_camera() {
    with_state(|player| {
        let bakery = player.state.stage.pick(BAKERY).map(|hit| hit.id);
        assert_eq!(player.state.hovered(), None);
        player.play([Input::Move(BAKERY)]);
        assert_eq!(player.state.hovered(), bakery);
        player.play([Input::Move(SKY)]);
        assert_eq!(player.state.hovered(), None);
        player.play([Input::Move(BAKERY), Input::Leave, Input::Wheel(2.0)]);
        assert_eq!(player.state.hovered(), None);
        // In a window of half the height, another target is at the same cursor.
        player.play([Input::Move(BAKERY), Input::Resize { size: Size { width: 240, height: 68 }, scale: 1.0 }]);
        assert_eq!(player.state.hovered(), player.state.stage.pick(BAKERY).map(|hit| hit.id));
        assert_ne!(player.state.hovered(), bakery);
    });
}

#[test]
fn drags_orbit_and_are_undone_by_escape() {
    with_state(|player| {
        let camera = |player: &Player<'_>| player.state.stage.orbit.camera();
        let first = camera(player);
        for button in [LEFT, RIGHT, PointerButton::Middle] {
            let to = BAKERY + Vec2::new(30.0, 8.0);
            player.play([Input::Move(BAKERY), Input::Press(button), Input::Move(to)]);
            assert_ne!(camera(player), first, "{button:?}");
            assert_eq!(player.state.hovered(), None);
            player.play([Input::Key(Key::Cancel)]);
            assert_eq!(camera(player), first, "{button:?}");
            player.play([Input::Move(BAKERY), Input::Release(button)]);
            assert!(camera(player) == first && player.names().is_empty(), "{button:?}");
            player.play([Input::Press(button), Input::Move(to), Input::LostFocus]);
            assert_eq!(camera(player), first, "{button:?}");
            player.play([Input::Release(button), Input::Move(BAKERY), Input::Press(button), Input::Move(to)]);
            player.play([Input::Release(button)]);
            assert!(camera(player) != first && player.names().is_empty() && player.state.gesture.is_none());
            player.play([Input::Key(Key::Home)]);
            assert_eq!(camera(player), first, "{button:?}");
        }
    });
}

#[test]
fn a_click_may_tremble() {
    with_state(|player| {
        let tremble = Vec2::new(3.0, 2.0);
        player.play([Input::Move(BAKERY), Input::Press(LEFT), Input::Move(BAKERY + tremble), Input::Release(LEFT)]);
        assert_eq!(player.names(), ["Bakery"]);
        // The threshold is larger on a screen with small pixels.
        player.play([Input::Key(Key::Cancel), Input::Resize { size: Size { width: 240, height: 135 }, scale: 2.0 }]);
        player.play([
            Input::Move(BAKERY),
            Input::Press(LEFT),
            Input::Move(BAKERY + tremble * 2.0),
            Input::Release(LEFT),
        ]);
        assert_eq!(player.names(), ["Bakery"]);
    });
}

#[test]
fn a_double_click_looks_at_the_entity() {
    with_state(|player| {
        player.play([Input::Move(BAKERY), Input::Press(LEFT), Input::Release(LEFT)]);
        let before = player.state.stage.orbit.camera();
        player.play([Input::Press(LEFT), Input::Release(LEFT)]);
        assert_eq!(player.names(), ["Bakery"]);
        assert_ne!(player.state.stage.orbit.camera(), before);
    });
}

#[test]
fn the_picture_gets_finer_and_knows_its_entities() {
    with_state(|player| {
        let State { refinement, .. } = &player.state;
        assert!(refinement.is_stale() && refinement.canvas(player.state.stage.size).is_none());
        assert!(player.state.advance() && player.state.refinement.step() > 1);
        while !player.state.refinement.is_done() {
            player.state.advance();
        }
        let State { refinement, stage, .. } = &player.state;
        assert_eq!((refinement.step(), refinement.is_stale()), (1, false));
        let pixels: Vec<(i64, i64)> =
            (0..240).step_by(7).flat_map(|x| (0..135).step_by(5).map(move |y| (x, y))).collect();
        // The first of a pixel's four samples is at a quarter of the pixel in each direction.
        let hit = |&(x, y): &(i64, i64)| stage.pick(Vec2::new(x as f32 + 0.25, y as f32 + 0.25)).map(|hit| hit.id);
        let hits: Vec<_> = pixels.iter().map(hit).collect();
        for id in hits.iter().flatten() {
            let showing = refinement.showing(|other| other == *id).expect("it is seen");
            for (&(x, y), hit) in pixels.iter().zip(&hits) {
                let is_shown = (showing.of)(x, y) == 1.0;
                assert_eq!(is_shown, *hit == Some(*id), "{x},{y}");
                assert!(
                    !is_shown
                        || x >= showing.low[0] && y >= showing.low[1] && x < showing.high[0] && y < showing.high[1]
                );
            }
        }
        assert!(hits.contains(&None) && refinement.showing(|_| false).is_none());
        player.play([Input::Move(BAKERY), Input::Wheel(1.0)]);
        assert!(player.state.refinement.is_stale());
    });
}

#[test]
fn a_rectangle_and_a_lasso_select_what_they_touch() {
    with_state(|player| {
        let (low, high) = (Vec2::new(95.0, 40.0), Vec2::new(140.0, 80.0));
        let corners = [low, Vec2::new(low.x, high.y), high, Vec2::new(high.x, low.y)];
        let seen = player.seen(low, high);
        assert!(seen.len() > 3);
        player.play([
            Input::Modifiers(SHIFT),
            Input::Move(low),
            Input::Press(LEFT),
            Input::Move(BAKERY),
            Input::Move(high),
        ]);
        assert!(player.names().is_empty());
        player.play([Input::Release(LEFT), Input::Modifiers(NONE)]);
        assert_eq!(player.state.selected, seen);
        player.play([Input::Key(Key::Cancel), Input::Key(Key::Lasso), Input::Move(low), Input::Press(LEFT)]);
        player.play(corners.map(Input::Move).into_iter().chain([Input::Release(LEFT)]));
        assert_eq!(player.state.selected, seen);
        // A lasso is for one drag, so the key is pressed again. A lasso that is cancelled selects nothing.
        player.play([
            Input::Key(Key::Cancel),
            Input::Key(Key::Lasso),
            Input::Press(LEFT),
            Input::Move(low),
            Input::Move(high),
        ]);
        player.play([Input::Key(Key::Cancel), Input::Release(LEFT)]);
        assert!(player.names().is_empty());
    });
}

#[test]
fn what_is_hidden_is_selected_through_what_is_in_front() {
    with_state(|player| {
        let (low, high) = (Vec2::new(112.0, 55.0), Vec2::new(125.0, 66.0));
        let drag =
            [Input::Modifiers(SHIFT), Input::Move(low), Input::Press(LEFT), Input::Move(high), Input::Release(LEFT)];
        player.play(drag);
        let seen = player.state.selected.clone();
        player.play([Input::Key(Key::Through)].into_iter().chain(drag));
        assert!(seen.is_subset(&player.state.selected) && seen.len() < player.state.selected.len());
    });
}
