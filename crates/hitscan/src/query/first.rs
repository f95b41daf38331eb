//! The first few hits of a ray.

use super::cast::{Found, Search};
use super::outset::Outset;
use super::{Filter, Hit, Query};
use crate::collect::{Collect, Key, Question};
use crate::ray::Ray;
use crate::scene::Scene;
use alloc::vec::Vec;
use core::hash::Hash;
use core::ops::ControlFlow;

impl<K: Copy + Eq + Hash> Scene<K> {
    /// The first `n` hits in order, or all if there are fewer, into a buffer that is cleared first: what [`cast_all`](Self::cast_all) would
    /// begin with, without looking behind them.
    ///
    /// It keeps no more than `n` hits in between, so a buffer with room for so many is not reallocated. Meant for a few: each of them takes
    /// a time of the order of `n` besides. None for an `n` of 0 or an unusable ray.
    ///
    /// ```
    /// use hitscan::{Ray, Scene, Sphere, glam::DVec3};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("near", Sphere::new(1.0), DVec3::new(0.0, 0.0, -5.0))?;
    /// scene.insert("far", Sphere::new(1.0), DVec3::new(0.0, 0.0, -9.0))?;
    /// let mut hits = Vec::new();
    /// scene.cast_first_n(&Ray::new([0.0, 0.0, 0.0], [0.0, 0.0, -1.0]), 3, &mut hits);
    /// assert_eq!(hits.iter().map(|hit| (hit.id, hit.t)).collect::<Vec<_>>(), [("near", 4.0), ("near", 6.0), ("far", 8.0)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias("raycast_non_alloc", "max_hits"))]
    pub fn cast_first_n(&self, ray: &Ray, n: usize, hits: &mut Vec<Hit<K>>) {
        self.cast_first_n_with(ray, n, &Query::new(), hits);
    }

    /// The first `n` hits in order that the query lets count, as [`cast_first_n`](Self::cast_first_n).
    pub fn cast_first_n_with<F: Filter<K>>(&self, ray: &Ray, n: usize, query: &Query<K, F>, hits: &mut Vec<Hit<K>>) {
        hits.clear();
        let outset = if n > 0 { Outset::new(self, ray, query) } else { None };
        if let Some(outset) = outset {
            let search = Search::new(self, query, &outset);
            search.run(&mut FirstN { n, hits, report: |key, found| search.report(ray, &key, &found) });
        }
    }
}

/// Keeps the first `n`, at least one, in order.
struct FirstN<'v, K, R> {
    n: usize,
    hits: &'v mut Vec<Hit<K>>,
    report: R,
}

impl<K, R> FirstN<'_, K, R> {
    /// The last hit of as many as may be kept.
    fn last_of_all(&self) -> Option<&Key> {
        self.hits.get(self.n - 1).map(|hit| &hit.key)
    }
}

impl<'a, K, R: Fn(Key, Found<'a>) -> Option<Hit<K>>> Collect<Found<'a>> for FirstN<'_, K, R> {
    const QUESTION: Question = Question::Several;

    fn wants(&self, key: &Key) -> bool {
        self.last_of_all().is_none_or(|last| key.cmp(last).is_lt())
    }

    fn take(&mut self, key: Key, found: Found<'a>) -> ControlFlow<()> {
        // A triangle may be in several leaves of its mesh's tree, and then it is here already.
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
