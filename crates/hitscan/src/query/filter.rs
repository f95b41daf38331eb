//! The callers' own choice of entities and hits.

use super::Candidate;

/// What a [`Query`](super::Query) asks its caller: which entities and which hits count. Made by [`Query::filter`](super::Query::filter) and
/// [`Query::filter_entities`](super::Query::filter_entities), and every `Fn(&Candidate<'_, K>) -> bool` is one that takes all entities.
///
/// Name it where a query is passed on:
///
/// ```
/// use hitscan::{Filter, Hit, Query, Ray, Scene};
///
/// fn shoot(scene: &Scene<u32>, ray: &Ray, query: &Query<u32, impl Filter<u32>>) -> Option<Hit<u32>> {
///     scene.cast_with(ray, query)
/// }
/// assert!(shoot(&Scene::new(), &Ray::new([0.0; 3], [1.0, 0.0, 0.0]), &Query::new().filter_entities(|id| id > 7)).is_none());
/// ```
pub trait Filter<K> {
    /// Whether [`takes_entity`](Self::takes_entity) is to be asked at all.
    const CHOOSES_ENTITIES: bool;

    /// Whether hits on this entity may count.
    fn takes_entity(&self, id: K) -> bool;

    /// Whether this hit counts.
    fn takes_hit(&self, candidate: &Candidate<'_, K>) -> bool;
}

impl<K, F: Fn(&Candidate<'_, K>) -> bool> Filter<K> for F {
    const CHOOSES_ENTITIES: bool = false;

    #[inline(always)]
    fn takes_entity(&self, _: K) -> bool {
        true
    }

    #[inline(always)]
    fn takes_hit(&self, candidate: &Candidate<'_, K>) -> bool {
        self(candidate)
    }
}

/// Another filter's borrow: a reference would be a second kind of `Fn`.
pub(super) struct ByRef<'a, F>(pub(super) &'a F);

impl<K, F: Filter<K>> Filter<K> for ByRef<'_, F> {
    const CHOOSES_ENTITIES: bool = F::CHOOSES_ENTITIES;

    fn takes_entity(&self, id: K) -> bool {
        self.0.takes_entity(id)
    }

    fn takes_hit(&self, candidate: &Candidate<'_, K>) -> bool {
        self.0.takes_hit(candidate)
    }
}

/// What came before, and a choice of hits.
pub(super) struct Hits<F, G>(pub(super) F, pub(super) G);

impl<K, F: Filter<K>, G: Fn(&Candidate<'_, K>) -> bool> Filter<K> for Hits<F, G> {
    const CHOOSES_ENTITIES: bool = F::CHOOSES_ENTITIES;

    fn takes_entity(&self, id: K) -> bool {
        self.0.takes_entity(id)
    }

    fn takes_hit(&self, candidate: &Candidate<'_, K>) -> bool {
        self.0.takes_hit(candidate) && (self.1)(candidate)
    }
}

/// What came before, and a choice of entities.
pub(super) struct Entities<F, G>(pub(super) F, pub(super) G);

impl<K: Copy, F: Filter<K>, G: Fn(K) -> bool> Filter<K> for Entities<F, G> {
    const CHOOSES_ENTITIES: bool = true;

    fn takes_entity(&self, id: K) -> bool {
        self.0.takes_entity(id) && (self.1)(id)
    }

    fn takes_hit(&self, candidate: &Candidate<'_, K>) -> bool {
        self.0.takes_hit(candidate)
    }
}
