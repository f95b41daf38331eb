//! One model or two, and the pairs of their entities.

use crate::model::Loaded;
use hitscan::pairs::{NearPair, Pair, PairFilter};
use hitscan_io::EntityId;

/// A model whose entities are compared with each other, or two models.
#[derive(Clone, Copy)]
pub(super) struct Both<'a> {
    pub(super) first: &'a Loaded,
    pub(super) other: Option<&'a Loaded>,
}

/// The keys of two entities.
pub(super) type Keys = (EntityId, EntityId);

impl<'a> Both<'a> {
    pub(super) fn second(self) -> &'a Loaded {
        self.other.unwrap_or(self.first)
    }

    pub(super) fn pair(self, (first, second): Keys) -> Pair<'a, EntityId> {
        match self.other {
            Some(other) => self.first.scene.against(&other.scene).pair(&first, &second),
            None => self.first.scene.pair(&first, &second),
        }
    }

    pub(super) fn overlaps(self, filter: &PairFilter<'_, EntityId>) -> Vec<Keys> {
        let mut pairs = Vec::new();
        match self.other {
            Some(other) => self.first.scene.against(&other.scene).overlap_pairs(filter, &mut pairs),
            None => self.first.scene.overlap_pairs(filter, &mut pairs),
        }
        pairs
    }

    pub(super) fn near(self, filter: &PairFilter<'_, EntityId>, clearance: f64) -> Vec<NearPair<EntityId>> {
        let mut pairs = Vec::new();
        match self.other {
            Some(other) => self.first.scene.against(&other.scene).distance_pairs(filter, clearance, &mut pairs),
            None => self.first.scene.distance_pairs(filter, clearance, &mut pairs),
        }
        pairs
    }

    pub(super) fn nearest(self, filter: &PairFilter<'_, EntityId>) -> Option<NearPair<EntityId>> {
        match self.other {
            Some(other) => self.first.scene.against(&other.scene).closest_pair(filter),
            None => self.first.scene.closest_pair(filter),
        }
    }
}
