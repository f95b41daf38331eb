//! The questions about a world, one file each.

mod batch;
mod cast;
mod hit;
mod motion;
mod options;
mod pick;
mod spans;
#[cfg(test)]
mod tests;

pub use hit::Hit;
pub use motion::{Ground, PointMove};
pub use options::{Candidate, Query};
pub use pick::{Camera, Projected, Viewport};
pub use spans::{Span, SpanEnd};
