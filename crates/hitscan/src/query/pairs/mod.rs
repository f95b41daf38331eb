//! Two entities, and all pairs of entities that overlap.

pub(super) mod overlapping;
pub(super) mod pair;
pub(super) mod pair_distance;
pub(super) mod pair_penetration;
pub(super) mod tracker;

pub use overlapping::{PairFilter, PairTest};
pub use pair::Pair;
pub use pair_distance::PairDistance;
pub use pair_penetration::PairPenetration;
pub use tracker::{PairChange, PairEvent, PairTracker};
