//! The questions about a world, one file each.

mod batch;
mod between;
mod cast;
mod closest;
mod columns;
mod contacts;
mod distance;
mod entities;
mod explain;
mod filter;
mod first;
mod form;
mod hit;
mod motion;
mod options;
mod overlap;
mod pairs;
mod parts;
mod path;
mod penetration;
mod pick;
mod report;
mod spans;
mod sweep;
#[cfg(test)]
mod tests;
mod trajectory;
mod visibility;

pub use between::PenetrationBetween;
pub use closest::ClosestPoint;
pub use contacts::ContactPoint;
pub use distance::Distance;
pub use explain::Explanation;
pub use filter::Filter;
pub use hit::Hit;
pub use motion::{Ground, PointMove};
pub use options::{Candidate, Query};
pub use overlap::Overlap;
pub use pairs::{PairChange, PairEvent, PairQuery, PairTest, PairTracker};
pub use path::PathHit;
pub use penetration::Penetration;
pub use pick::{Camera, Projected, Viewport};
pub use spans::{Span, SpanEnd};
pub use sweep::SweepHit;
pub use trajectory::{Trajectory, TrajectoryError, TrajectoryHit};
pub use visibility::Visibility;
