//! The queries of a scene, one file each.

mod batch;
mod cast;
mod closest;
mod columns;
mod contacts;
mod entities;
mod explain;
mod filter;
mod first;
mod form;
mod hit;
mod hit_collector;
mod leaving;
mod mesh_closest;
mod mesh_contact;
mod mesh_sweep;
mod motion;
mod outset;
mod overlap;
mod own_space;
mod pair;
mod pair_distance;
mod pair_penetration;
mod pairs;
mod parts;
mod path;
mod penetration;
mod proximity_queries;
mod ray_queries;
mod report;
mod sealed;
mod seam;
mod solid_intervals;
mod sweep;
mod sweep_queries;
#[cfg(test)]
mod tests;
mod trajectory;
mod view;
mod visibility;

pub use mesh_closest::MeshPoint;
pub use mesh_contact::MeshContact;

pub use closest::ClosestPoint;
pub use contacts::ContactPoint;
pub use explain::Explanation;
pub use filter::{Candidate, Filter};
pub use hit::{Hit, HitSurface};
pub use motion::{Ground, PointMove};
pub use overlap::Overlap;
pub use own_space::ShapePoint;
pub use pair::Pair;
pub use pair_distance::PairDistance;
pub use pair_penetration::PairPenetration;
pub use pairs::{PairChange, PairEvent, PairFilter, PairTest, PairTracker};
pub use path::PathHit;
pub use penetration::Penetration;

pub use proximity_queries::ProximityQueries;
pub use ray_queries::RayQueries;
pub use solid_intervals::{IntervalEnd, SolidInterval};
pub use sweep::SweepHit;
pub use sweep_queries::SweepQueries;
pub use trajectory::{Trajectory, TrajectoryError, TrajectoryHit};
pub use view::{RayView, SweepView, View};
pub use visibility::Visibility;
