//! Random inputs of several pointers.

use hitscan::glam::Vec2;
use hitscan::pointer::{PointerAction, PointerButton, PointerId, PointerInput};
use hitscan_random::Random;

pub(crate) const POINTERS: [PointerId; 5] =
    [PointerId::MOUSE, PointerId::Mouse(7), PointerId::Touch(0), PointerId::Touch(1), PointerId::Touch(u64::MAX)];
const BUTTONS: [PointerButton; 3] = [PointerButton::Primary, PointerButton::Secondary, PointerButton::Other(9)];
const BROKEN: [f64; 3] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];

/// The faults that a stream may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Faults {
    None,
    /// Numbers that are not finite, and times that run back.
    Some,
}

/// Makes inputs whose distances and pauses are often exactly at the limits. Positions are whole pixels near each other,
/// and times are multiples of 1/64 of a second.
pub(crate) struct Stream {
    random: Random,
    faults: Faults,
    time: f64,
    positions: [Vec2; POINTERS.len()],
}

impl Stream {
    pub(crate) fn new(seed: u64, faults: Faults) -> Self {
        Self { random: Random(seed), faults, time: 0.0, positions: [Vec2::splat(30.0); POINTERS.len()] }
    }

    fn is_one_in(&mut self, count: usize) -> bool {
        self.random.below(count) == 0
    }

    pub(crate) fn next(&mut self) -> PointerInput<u8> {
        let number = self.random.below(POINTERS.len());
        let faulty = self.faults == Faults::Some;
        self.time += self.random.pick(&[0.0, 0.0, 1.0, 1.0, 2.0, 9.0]) / 64.0;
        if faulty && self.is_one_in(300) {
            self.time -= self.random.pick(&[1.0, 8.0, 1e9]) / 64.0;
        }
        let reach = self.random.pick(&[0, 0, 0, 1, 2, 2, 4, 40]);
        let mut step = || self.random.below(2 * reach + 1) as f32 - reach as f32;
        let way = Vec2::new(step(), step());
        self.positions[number] = (self.positions[number] + way).clamp(Vec2::ZERO, Vec2::splat(60.0));
        let mut input = PointerInput {
            pointer: POINTERS[number],
            time: self.time,
            action: self.action(),
            position: self.positions[number],
            target: self.target(self.positions[number]),
        };
        if faulty && self.is_one_in(300) {
            let broken = self.random.pick(&BROKEN);
            match self.random.below(3) {
                0 => input.time = broken,
                1 => input.position.x = broken as f32,
                _ => input.position.y = broken as f32,
            }
        }
        input
    }

    fn action(&mut self) -> PointerAction {
        let button = if self.is_one_in(6) { self.random.pick(&BUTTONS) } else { PointerButton::Primary };
        match self.random.below(40) {
            0..15 => PointerAction::Move,
            15..26 => PointerAction::Press(button),
            26..37 => PointerAction::Release(button),
            37..39 => PointerAction::Leave,
            _ => PointerAction::Cancel,
        }
    }

    /// Returns the thing at a position. Sometimes it is not there.
    fn target(&mut self, position: Vec2) -> Option<u8> {
        if self.is_one_in(20) {
            return None;
        }
        let cell = (position / 16.0).floor();
        Some((cell.x * 4.0 + cell.y) as u8).filter(|cell| cell % 3 != 0)
    }
}
