//! The queries of a scene, one file each.

mod cast;
mod cast_batch;
mod cast_columns;
mod cast_entities;
mod cast_first_n;
mod cast_path;
mod closest;
mod contacts;
mod explain;
mod filter;
mod hit;
mod hit_collector;
mod hit_report;
mod local_queries;
mod mesh_closest;
mod mesh_contact;
mod mesh_sweep;
mod move_point;
mod overlap;
mod pair;
mod pair_distance;
mod pair_penetration;
mod pairs;
mod penetration;
mod plain_cast;
mod proximity_parts;
mod proximity_queries;
mod query_ray;
mod ray_queries;
mod sealed;
mod seam;
mod self_hit;
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

pub use cast_path::PathHit;
pub use closest::ClosestPoint;
pub use contacts::ContactPoint;
pub use explain::Explanation;
pub use filter::{Candidate, Filter};
pub use hit::{Hit, HitSurface};
pub use local_queries::ShapePoint;
pub use move_point::{Ground, PointMove};
pub use overlap::Overlap;
pub use pair::Pair;
pub use pair_distance::PairDistance;
pub use pair_penetration::PairPenetration;
pub use pairs::{PairChange, PairEvent, PairFilter, PairTest, PairTracker};
pub use penetration::Penetration;

pub use proximity_queries::ProximityQueries;
pub use ray_queries::RayQueries;
pub use solid_intervals::{IntervalEnd, SolidInterval};
pub use sweep::SweepHit;
pub use sweep_queries::SweepQueries;
pub use trajectory::{Trajectory, TrajectoryError, TrajectoryHit};
pub use view::{RayView, SweepView, View};
pub use visibility::Visibility;
