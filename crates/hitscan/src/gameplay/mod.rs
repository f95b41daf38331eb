//! Helpers that many games build on queries. They are shots that ricochet, spread, a camera arm, explosions, ledges and the timing of jumps.
//!
//! Each is a small value or function that uses the queries of a view: read one before you write your own.

mod blast;
mod camera_arm;
mod jump_window;
mod ledge;
mod shot;
mod spread;

pub use blast::{BlastHit, blast};
pub use camera_arm::{ArmEnd, CameraArm};
pub use jump_window::{JumpInput, JumpWindow};
pub use ledge::{Ledge, LedgeProbe};
pub use shot::{Impact, ShotLeg, shoot};
pub use spread::spread;
