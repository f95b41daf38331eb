//! The first few hits of a ray.

use super::cast::RaySearch;
use super::hit::Hit;
use super::part_hit::FoundPart;
use super::query_ray::QueryRay;
use crate::geom::ray::Ray;
use crate::query::collect::{HitCollector, HitKey, Question, RayCollector};
use crate::query::view::RayView;
use alloc::vec::Vec;
use core::hash::Hash;
use core::ops::ControlFlow;

impl<K: Clone + Eq + Hash> RayView<'_, K> {
    /// Collects the first `n` hits in order, into a buffer that is cleared first.
    pub(in crate::query) fn cast_first_hits(&self, ray: &Ray, n: usize, hits: &mut Vec<Hit<K>>) {
        hits.clear();
        let query_ray = if n > 0 { QueryRay::new(self, ray) } else { None };
        if let Some(query_ray) = query_ray {
            let search = RaySearch::new(self, &query_ray);
            search.search_part_by_part(&mut FirstN { n, hits, report: |key, found| search.report(ray, &key, &found) });
        }
    }
}

/// Keeps the first `n` hits in order; `n` is at least 1.
struct FirstN<'v, K, R> {
    n: usize,
    hits: &'v mut Vec<Hit<K>>,
    report: R,
}

impl<K, R> FirstN<'_, K, R> {
    /// Returns the key of the last hit if `n` hits are kept.
    fn last_of_all(&self) -> Option<&HitKey> {
        self.hits.get(self.n - 1).map(|hit| &hit.key)
    }
}

impl<'a, K, R: Fn(HitKey, FoundPart<'a>) -> Option<Hit<K>>> RayCollector<FoundPart<'a>> for FirstN<'_, K, R> {
    const QUESTION: Question = Question::Several;
}

impl<'a, K, R: Fn(HitKey, FoundPart<'a>) -> Option<Hit<K>>> HitCollector<FoundPart<'a>> for FirstN<'_, K, R> {
    fn wants(&self, key: &HitKey) -> bool {
        self.last_of_all().is_none_or(|last| key.cmp(last).is_lt())
    }

    fn take(&mut self, key: HitKey, found: FoundPart<'a>) -> ControlFlow<()> {
        // A triangle may be in several leaves of its mesh's tree, so it may be in the list already.
        if let Err(place) = self.hits.binary_search_by(|hit| hit.key.cmp(&key))
            && let Some(hit) = (self.report)(key, found)
        {
            self.hits.truncate(self.n - 1);
            self.hits.insert(place, hit);
        }
        ControlFlow::Continue(())
    }

    fn limit(&self) -> f32 {
        self.last_of_all().map_or(f32::INFINITY, |last| last.t)
    }
}
