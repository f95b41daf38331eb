//! All pairs of entities that overlap.

mod tracker;

pub use tracker::{PairChange, PairEvent, PairTracker};

use super::form::parts_touch;
use crate::parallel;
use crate::scene::{Part, Scene};
use alloc::vec::Vec;
use core::hash::Hash;

/// Which pairs of entities count. The default is all that overlap.
///
/// ```
/// use hitscan::{PairQuery, Scene, Sphere, glam::DVec3};
///
/// const DOORS: u32 = 1 << 1;
/// let mut scene = Scene::new();
/// for (id, x) in [("door", 0.0), ("crate", 0.5), ("guard", 1.0)] {
///     scene.insert(id, Sphere::new(1.0), DVec3::new(x, 0.0, 0.0))?;
/// }
/// scene.set_layers(&"door", DOORS);
/// let mut pairs = Vec::new();
/// scene.overlapping_pairs_with(&PairQuery::new().layers(DOORS, !DOORS), &mut pairs);
/// assert_eq!(pairs, [("door", "crate"), ("door", "guard")]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairQuery {
    layers: [u32; 2],
    test: PairTest,
}

/// When two entities are a pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PairTest {
    /// If they touch or overlap, as far as f64 can tell.
    #[default]
    Shapes,
    /// If the boxes of a part of each do, in world space, rounded outwards to f32: as [`Scene::bounds_of`] has them of an entity of one part. For those who have
    /// a test of their own for what follows. A part without finite bounds is everywhere.
    Boxes,
}

impl Default for PairQuery {
    fn default() -> Self {
        Self { layers: [u32::MAX; 2], test: PairTest::Shapes }
    }
}

impl PairQuery {
    /// All pairs that overlap.
    pub fn new() -> Self {
        Self::default()
    }

    /// Only pairs of which one entity is on some of these layers (a bit each) and the other on some of those.
    #[must_use]
    pub fn layers(self, one: u32, other: u32) -> Self {
        Self { layers: [one, other], ..self }
    }

    /// What makes two entities a pair.
    #[must_use]
    pub fn test(self, test: PairTest) -> Self {
        Self { test, ..self }
    }

    fn takes_layers(&self, a: u32, b: u32) -> bool {
        let [one, other] = self.layers;
        a & one != 0 && b & other != 0 || a & other != 0 && b & one != 0
    }
}

impl<K: Copy + Eq + Hash + Send + Sync> Scene<K> {
    /// Every two entities that overlap or touch, once, into a buffer that is cleared first. The first of a pair was inserted before the other, and pairs are in
    /// the order of their first ones, then of their second ones. On all threads, with the feature `parallel`; the answers are the same on any number.
    ///
    /// - **Touching counts**, as far as f64 can tell.
    /// - Solids overlap if one is within the other. A mesh or a height field is its surface, so what is wholly inside of a closed mesh does not overlap it.
    /// - Parts of one entity are no pair. Planes are everywhere: each is tested with all there is.
    /// - Triangles without area touch nothing, and a shape of your own does if it [says how far it reaches](crate::CustomShape::farthest), by the hull of that.
    ///
    /// [`PairTracker`] tells what has changed since the last time.
    ///
    /// ```
    /// use hitscan::{Aabb, Scene, Sphere, glam::DVec3};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("room", Aabb::new([0.0, 0.0, 0.0], [4.0, 3.0, 4.0]), DVec3::ZERO)?;
    /// scene.insert("cat", Sphere::new(0.2), DVec3::new(2.0, 0.2, 2.0))?;
    /// scene.insert("dog", Sphere::new(0.4), DVec3::new(4.3, 0.4, 2.0))?;
    /// scene.insert("tree", Sphere::new(1.0), DVec3::new(9.0, 3.0, 2.0))?;
    /// let mut pairs = Vec::new();
    /// scene.overlapping_pairs(&mut pairs);
    /// assert_eq!(pairs, [("room", "cat"), ("room", "dog")]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overlapping_pairs(&self, pairs: &mut Vec<(K, K)>) {
        self.overlapping_pairs_with(&PairQuery::new(), pairs);
    }

    /// [`overlapping_pairs`](Self::overlapping_pairs) that the query lets count.
    pub fn overlapping_pairs_with(&self, query: &PairQuery, pairs: &mut Vec<(K, K)>) {
        pairs.clear();
        self.each_pair(query, |_, keys| pairs.push(keys));
    }

    /// Shows every pair, with the places of its entities in the order.
    fn each_pair(&self, query: &PairQuery, mut show: impl FnMut([u64; 2], (K, K))) {
        let mut close = self.close_parts(query);
        close.sort_unstable_by_key(|close| close.orders);
        if query.test == PairTest::Shapes {
            self.test_shapes(&mut close);
        }
        for group in close.chunk_by(|a, b| a.orders == b.orders) {
            let found = group.iter().find(|close| close.overlap == Overlap::Yes);
            if let Some(&Close { orders, parts, .. }) = found
                && let [Some(a), Some(b)] = parts.map(|part| Some(self.owner(self.part(part)?)?.key))
            {
                show(orders, (a, b));
            }
        }
    }

    /// Pairs of parts of different entities whose boxes overlap.
    fn close_parts(&self, query: &PairQuery) -> Vec<Close> {
        let tags = self.tags();
        let mut close = Vec::new();
        let mut offer = |parts: [u32; 2], trust: Boxes| {
            let found = Close::new(parts, &tags, query);
            close.extend(found.filter(|close| trust == Boxes::AreExact || self.boxes_overlap(close.parts)));
        };
        let of_tree = if self.tree().is_in_world() { Boxes::AreExact } else { Boxes::AreLarger };
        self.tree().pairs().into_iter().for_each(|parts| offer(parts, of_tree));
        for (index, &unbounded) in self.loose().iter().enumerate() {
            let bounded = (0..tags.len() as u32).filter(|&part| self.tree().contains(part));
            for other in bounded.chain(self.loose()[index + 1..].iter().copied()) {
                offer([unbounded, other], Boxes::AreLarger);
            }
        }
        close
    }

    /// What is asked of every part in a pair, under its number, where it does not take a walk through memory.
    fn tags(&self) -> Vec<Tag> {
        let (count, parts) = self.parts();
        let mut tags = alloc::vec![Tag::default(); count];
        for (number, part) in parts {
            tags[number as usize] = Tag { order: part.order, layers: part.layers };
        }
        tags
    }

    fn boxes_overlap(&self, parts: [u32; 2]) -> bool {
        self.both(parts).is_some_and(|[a, b]| {
            let (a, b) = (a.world_bounds(), b.world_bounds());
            a.min.cmple(b.max).all() && b.min.cmple(a.max).all()
        })
    }

    /// Decides on pairs that are in order; of the parts of two entities no more than need be, or some.
    fn test_shapes(&self, close: &mut [Close]) {
        parallel::fill(close, GRAIN, &|_, piece: &mut [Close]| {
            let mut decided = None;
            for close in piece {
                if decided == Some(close.orders) {
                    continue;
                }
                let touch = self.both(close.parts).is_some_and(|[a, b]| parts_touch(a, b));
                close.overlap = if touch { Overlap::Yes } else { Overlap::No };
                decided = touch.then_some(close.orders);
            }
        });
    }

    fn both(&self, [a, b]: [u32; 2]) -> Option<[&Part; 2]> {
        Some([self.part(a)?, self.part(b)?])
    }
}

/// Pairs that one thread tests at a time.
const GRAIN: usize = 64;

/// Of a part; on no layer if there is none under the number.
#[derive(Clone, Copy, Default)]
struct Tag {
    /// The entity's.
    order: u64,
    layers: u32,
}

/// Whether boxes of a tree are those that decide.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Boxes {
    AreExact,
    AreLarger,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Overlap {
    Yes,
    No,
}

/// Two parts that may overlap, and the places of their entities in the order, the lower one first.
#[derive(Clone, Copy)]
struct Close {
    orders: [u64; 2],
    parts: [u32; 2],
    overlap: Overlap,
}

impl Close {
    /// `None` for what the query does not let count.
    #[inline]
    fn new([a, b]: [u32; 2], tags: &[Tag], query: &PairQuery) -> Option<Self> {
        let (first, second) = (tags.get(a as usize)?, tags.get(b as usize)?);
        if first.order == second.order || !query.takes_layers(first.layers, second.layers) {
            return None;
        }
        let (orders, parts) = ([first.order, second.order], [a, b]);
        let (orders, parts) = if orders[0] < orders[1] { (orders, parts) } else { ([orders[1], orders[0]], [b, a]) };
        Some(Self { orders, parts, overlap: Overlap::Yes })
    }
}
