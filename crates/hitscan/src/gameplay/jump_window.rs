//! The timing of jumps: a press that is a little too late or a little too early still counts.

/// Decides when a character jumps. It may still jump for a moment after it has left the ground ("coyote time").
/// A press shortly before it lands is kept ("jump buffer").
///
/// It is plain data, so that a rollback is a copy. Times are in seconds.
///
/// ```
/// use hitscan::gameplay::{JumpInput, JumpWindow};
///
/// let dt = 1.0 / 60.0;
/// let idle = JumpInput::default();
/// let grounded = JumpInput { is_grounded: true, ..idle };
/// let pressed = JumpInput { is_pressed: true, ..idle };
/// let mut jumps = JumpWindow::new(0.1, 0.1);
/// assert!(!jumps.step(grounded, dt));
/// assert!(!jumps.step(idle, dt)); // It has just walked off a ledge.
/// assert!(jumps.step(pressed, dt)); // The press is still in time,
/// assert!(!jumps.step(pressed, dt)); // but counts only once.
/// assert!(!jumps.step(idle, dt));
/// assert!(!jumps.step(pressed, dt)); // This press is too early,
/// assert!(jumps.step(grounded, dt)); // and is kept until the character lands.
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct JumpWindow {
    /// The time for which a jump is still possible after the character has left the ground.
    pub coyote: f64,
    /// The time for which a press is kept.
    pub buffer: f64,
    since_ground: Option<f64>,
    since_press: Option<f64>,
}

/// The state and the input of one step of a [`JumpWindow`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JumpInput {
    /// The character is on the ground before the step.
    pub is_grounded: bool,
    /// The button goes down in the step.
    pub is_pressed: bool,
}

impl JumpWindow {
    /// Creates a window with these times, for a character in the air.
    pub fn new(coyote: f64, buffer: f64) -> Self {
        Self { coyote, buffer, since_ground: None, since_press: None }
    }

    /// Advances by a step of `dt` seconds, and returns whether the character jumps now. A jump uses up the ground and
    /// the press; a character that is grounded again in the next step's input can jump again.
    ///
    /// If `dt` is NaN, the ground and the press of earlier steps are forgotten.
    pub fn step(&mut self, input: JumpInput, dt: f64) -> bool {
        let older = |since: Option<f64>, most: f64| since.map(|since| since + dt).filter(|since| *since <= most);
        self.since_ground = if input.is_grounded { Some(0.0) } else { older(self.since_ground, self.coyote) };
        self.since_press = if input.is_pressed { Some(0.0) } else { older(self.since_press, self.buffer) };
        let jumps = self.since_ground.is_some() && self.since_press.is_some();
        if jumps {
            (self.since_ground, self.since_press) = (None, None);
        }
        jumps
    }
}
