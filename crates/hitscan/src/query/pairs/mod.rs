//! Two entities, and pairs of entities that overlap or are near each other, within a scene and between two.

pub(super) mod entity_parts;
pub(super) mod impacts;
mod motion;
pub(super) mod near_pairs;
mod near_search;
pub(super) mod overlapping;
pub(super) mod pair;
pub(super) mod pair_distance;
pub(super) mod pair_filter;
pub(super) mod pair_penetration;
mod part_distance;
pub(super) mod scene_pair;
pub(super) mod tracker;

pub use impacts::EntityImpact;
pub use motion::EntityMotion;
pub use near_pairs::NearPair;
pub use pair::Pair;
pub use pair_filter::{PairFilter, PairTest};
pub use pair_penetration::PairPenetration;
pub use part_distance::PairDistance;
pub use scene_pair::ScenePair;
pub use tracker::{PairChange, PairEvent, PairTracker};
