//! The questions about a world, one file each.

mod batch;
mod cast;
mod entities;
mod explain;
mod filter;
mod first;
mod hit;
mod motion;
mod options;
mod pick;
#[cfg(test)]
mod tests;

pub use explain::Explanation;
pub use filter::Filter;
pub use hit::Hit;
pub use motion::{Ground, PointMove};
pub use options::{Candidate, Query};
pub use pick::{Camera, Projected, Viewport};
