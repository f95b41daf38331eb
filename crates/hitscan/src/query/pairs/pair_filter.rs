//! The choice of the accepted pairs of entities.

use alloc::sync::Arc;
use core::fmt;
use core::hash::Hash;
use hashbrown::HashSet;

/// Selects which pairs of entities are accepted by [`Scene::overlap_pairs`](crate::Scene::overlap_pairs), [`Scene::closest_pair`](crate::Scene::closest_pair)
/// and [`Scene::distance_pairs`](crate::Scene::distance_pairs). By default all of them are accepted.
///
/// ```
/// use hitscan::glam::DVec3;
/// use hitscan::pairs::PairFilter;
/// use hitscan::{Scene, Sphere};
///
/// const DOORS: u32 = 1 << 1;
/// let mut scene = Scene::new();
/// for (id, x) in [("door", 0.0), ("crate", 0.5), ("guard", 1.0)] {
///     scene.insert(id, Sphere::new(1.0), DVec3::new(x, 0.0, 0.0))?;
/// }
/// scene.set_layers(&"door", DOORS);
/// let mut pairs = Vec::new();
/// scene.overlap_pairs(&PairFilter::new().layers(DOORS, !DOORS), &mut pairs);
/// assert_eq!(pairs, [("door", "crate"), ("door", "guard")]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A filter is a value. Store it, clone it, pass it on. It borrows what its closures borrow; `PairFilter<'static, K>` borrows nothing.
#[derive(Clone)]
pub struct PairFilter<'a, K> {
    layers: [u32; 2],
    pub(super) test: PairTest,
    /// The excluded pairs, each in both orders.
    excluded: HashSet<(K, K)>,
    choice: Option<PairChoice<'a, K>>,
}

type PairChoice<'a, K> = Arc<dyn Fn(K, K) -> bool + Send + Sync + 'a>;

/// The test that makes two entities a pair of [`Scene::overlap_pairs`](crate::Scene::overlap_pairs) and
/// [`PairTracker`](crate::pairs::PairTracker). Distances do not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PairTest {
    /// Two entities are a pair if they touch or overlap, as far as f64 can tell.
    #[default]
    Shapes,
    /// Two entities are a pair if the bounding boxes of a part of each overlap. The boxes are in world space, in f64:
    /// [`Scene::bounds_of`](crate::Scene::bounds_of) rounds them to f32 for an entity with one part. They are not the smallest; see there. This is for
    /// callers that have a test of their own. A part without finite bounds overlaps everything.
    Boxes,
}

impl<K> Default for PairFilter<'_, K> {
    fn default() -> Self {
        Self { layers: [u32::MAX; 2], test: PairTest::Shapes, excluded: HashSet::default(), choice: None }
    }
}

impl<'a, K> PairFilter<'a, K> {
    /// Creates a filter that accepts all pairs.
    pub fn new() -> Self {
        Self::default()
    }

    /// Selects only pairs of which one entity is on some of the layers `one` (a bit each) and the other on some of the layers `other`.
    #[must_use]
    pub fn layers(self, one: u32, other: u32) -> Self {
        Self { layers: [one, other], ..self }
    }

    /// Chooses the test that makes two entities a pair.
    #[must_use]
    pub fn test(self, test: PairTest) -> Self {
        Self { test, ..self }
    }

    /// Excludes a pair of entities, in either order, such as two links of a robot that a joint connects. Several calls exclude several pairs.
    ///
    /// ```
    /// use hitscan::glam::DVec3;
    /// use hitscan::pairs::PairFilter;
    /// use hitscan::{Scene, Sphere};
    ///
    /// let mut scene = Scene::new();
    /// for (id, x) in [("upper arm", 0.0), ("forearm", 1.0), ("hand", 1.5)] {
    ///     scene.insert(id, Sphere::new(1.0), DVec3::new(x, 0.0, 0.0))?;
    /// }
    /// let joints = PairFilter::new().exclude("upper arm", "forearm").exclude("hand", "forearm");
    /// let mut pairs = Vec::new();
    /// scene.overlap_pairs(&joints, &mut pairs);
    /// assert_eq!(pairs, [("upper arm", "hand")]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias("ignore", "allowed_collision_matrix", "disable_collisions"))]
    #[must_use]
    pub fn exclude(mut self, one: K, other: K) -> Self
    where
        K: Clone + Eq + Hash,
    {
        self.excluded.insert((other.clone(), one.clone()));
        self.excluded.insert((one, other));
        self
    }

    /// Accepts a pair only if `choice` returns true for it. With several choices, all of them must return true.
    ///
    /// It is called on the caller's thread, with the entities in the order of an answer. It is called only for pairs on matching layers that are not excluded.
    /// There is at most one call for each two parts whose boxes may be near enough, in no particular order. Each call gets clones of the keys.
    ///
    /// ```
    /// use hitscan::glam::DVec3;
    /// use hitscan::pairs::PairFilter;
    /// use hitscan::{Scene, Sphere};
    ///
    /// let mut scene = Scene::new();
    /// for id in 0..4 {
    ///     scene.insert(id, Sphere::new(1.0), DVec3::new(f64::from(id), 0.0, 0.0))?;
    /// }
    /// let not_joined = PairFilter::new().pairs(|a: i32, b: i32| b - a > 1);
    /// let mut pairs = Vec::new();
    /// scene.overlap_pairs(&not_joined, &mut pairs);
    /// assert_eq!(pairs, [(0, 2), (1, 3)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias("predicate"))]
    #[must_use]
    pub fn pairs(self, choice: impl Fn(K, K) -> bool + Send + Sync + 'a) -> Self
    where
        K: Clone + 'a,
    {
        let choice: PairChoice<'a, K> = match self.choice {
            None => Arc::new(choice),
            Some(earlier) => {
                Arc::new(move |one: K, other: K| earlier(one.clone(), other.clone()) && choice(one, other))
            }
        };
        Self { choice: Some(choice), ..self }
    }

    pub(super) fn takes_layers(&self, a: u32, b: u32) -> bool {
        let [one, other] = self.layers;
        a & one != 0 && b & other != 0 || a & other != 0 && b & one != 0
    }

    /// Returns whether more than layers decides which pairs are accepted.
    pub(super) fn chooses_keys(&self) -> bool {
        !self.excluded.is_empty() || self.choice.is_some()
    }

    /// Returns whether a pair is accepted, apart from its layers.
    pub(super) fn takes_keys(&self, [one, other]: [&K; 2]) -> bool
    where
        K: Clone + Eq + Hash,
    {
        (self.excluded.is_empty() || !self.excluded.contains(&(one.clone(), other.clone())))
            && self.choice.as_ref().is_none_or(|choice| choice(one.clone(), other.clone()))
    }
}

impl<K> fmt::Debug for PairFilter<'_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PairFilter")
            .field("layers", &self.layers)
            .field("test", &self.test)
            .field("excluded", &(self.excluded.len() / 2))
            .field("chooses_pairs", &self.choice.is_some())
            .finish()
    }
}
