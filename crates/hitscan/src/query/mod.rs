//! The questions one can ask a scene: one file each.

mod cast;
mod hit;
mod motion;
mod options;
#[cfg(test)]
mod tests;

pub use hit::Hit;
pub use motion::{Ground, PointMove};
pub use options::{Candidate, Query};
