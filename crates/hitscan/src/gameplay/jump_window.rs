//! The timing of jumps: a little too late and a little too early both count.

/// Decides when a character jumps: it may still jump for a moment after it has left the ground ("coyote time"),
/// and a press shortly before it lands is kept ("jump buffer").
///
/// It is plain data, so that a rollback is a copy. Times are in seconds.
///
/// ```
/// use hitscan::gameplay::JumpWindow;
///
/// let dt = 1.0 / 60.0;
/// let mut jumps = JumpWindow::new(0.1, 0.1);
/// assert!(!jumps.step(true, false, dt)); // on the ground, no press
/// assert!(!jumps.step(false, false, dt)); // it has just walked off a ledge
/// assert!(jumps.step(false, true, dt)); // still in time
/// assert!(!jumps.step(false, true, dt)); // but only once
/// for _ in 0..3 {
///     assert!(!jumps.step(false, false, dt));
/// }
/// assert!(!jumps.step(false, true, dt)); // too early
/// assert!(jumps.step(true, false, dt)); // and kept until it lands
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct JumpWindow {
    /// The time after the ground was left in which a jump is still possible.
    pub coyote: f64,
    /// The time for which a press is kept.
    pub buffer: f64,
    since_ground: Option<f64>,
    since_press: Option<f64>,
}

impl JumpWindow {
    /// Creates a window with these times, for a character in the air.
    pub fn new(coyote: f64, buffer: f64) -> Self {
        Self { coyote, buffer, since_ground: None, since_press: None }
    }

    /// Goes on by a step of time, and returns whether the character jumps now. `is_grounded` is the state before
    /// the step, `is_pressed` whether the button went down in
    /// it. A jump uses up the ground and the press; a character that still counts as grounded in the step after it can jump again.
    pub fn step(&mut self, is_grounded: bool, is_pressed: bool, dt: f64) -> bool {
        let older = |since: Option<f64>, most: f64| since.map(|since| since + dt).filter(|since| *since <= most);
        self.since_ground = if is_grounded { Some(0.0) } else { older(self.since_ground, self.coyote) };
        self.since_press = if is_pressed { Some(0.0) } else { older(self.since_press, self.buffer) };
        let jumps = self.since_ground.is_some() && self.since_press.is_some();
        if jumps {
            (self.since_ground, self.since_press) = (None, None);
        }
        jumps
    }
}
