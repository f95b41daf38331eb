//! The questions one can ask a scene: one file each.

mod cast;
mod hit;
mod motion;
mod options;

pub use hit::Hit;
pub use motion::{Ground, PointMove};
pub use options::{Candidate, Query};
