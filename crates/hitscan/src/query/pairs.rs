//! All pairs of entities that overlap.

mod tracker;

pub use tracker::{PairChange, PairEvent, PairTracker};

use super::form::parts_touch;
use crate::bvh::{BeforeRounding, CloseItems};
use crate::parallel;
use crate::scene::{Owner, Part, Scene};
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
    /// If boxes of a part of each do: those around the corners of its own box in world space, in f64, as [`Scene::bounds_of`] has them of an entity of one part
    /// before it rounds them to f32. For those who have a test of their own for what follows. A part without finite bounds is everywhere.
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
        let tags = self.tags();
        let mut close = self.close_parts(&tags, query);
        close.sort_unstable_by_key(|close| close.orders);
        self.test(&mut close, query.test);
        for group in close.chunk_by(|a, b| a.orders == b.orders) {
            let found = group.iter().find(|close| close.overlap == Overlap::Yes);
            if let Some(&Close { orders, parts, .. }) = found
                && let [Some(a), Some(b)] = parts.map(|part| tags.get(part as usize).copied().flatten())
            {
                show(orders, (a.key, b.key));
            }
        }
    }

    /// Pairs of parts of different entities whose boxes overlap.
    fn close_parts(&self, tags: &[Option<Tag<K>>], query: &PairQuery) -> Vec<Close> {
        let pairs = self.tree().pairs();
        let mut close = Vec::with_capacity(pairs.len());
        for CloseItems { items, before_rounding } in pairs {
            close.extend(Close::new(items, before_rounding, tags, query));
        }
        for (index, &unbounded) in self.loose().iter().enumerate() {
            let bounded = (0..tags.len() as u32).filter(|&part| self.tree().contains(part));
            let others = bounded.chain(self.loose()[index + 1..].iter().copied());
            close.extend(
                others.filter_map(|other| Close::new([unbounded, other], BeforeRounding::Unknown, tags, query)),
            );
        }
        close
    }

    /// What is asked of every part in a pair, under its number: for each pair by itself that would be walks through memory.
    fn tags(&self) -> Vec<Option<Tag<K>>> {
        let (count, parts) = self.parts();
        let mut tags = alloc::vec![None; count];
        for (number, part) in parts {
            let tag = |owner: Owner<K>| Tag { key: owner.key, order: part.order, layers: part.layers };
            tags[number as usize] = self.owner(part).map(tag);
        }
        tags
    }

    /// Decides on pairs that are in order; of the parts of two entities no more than need be, or some.
    fn test(&self, close: &mut [Close], test: PairTest) {
        parallel::fill(close, GRAIN, &|_, piece: &mut [Close]| {
            let mut decided = None;
            for close in piece.iter_mut().filter(|close| test == PairTest::Shapes || close.overlap == Overlap::Unknown)
            {
                if decided == Some(close.orders) {
                    continue;
                }
                let overlap = self.both(close.parts).is_some_and(|[a, b]| match test {
                    // What f64 takes for a contact has boxes that are in contact, or what is tested would depend on how the tree rounds them.
                    PairTest::Shapes => parts_touch(a, b) && (close.overlap == Overlap::Yes || boxes_overlap(a, b)),
                    PairTest::Boxes => boxes_overlap(a, b),
                });
                close.overlap = if overlap { Overlap::Yes } else { Overlap::No };
                decided = overlap.then_some(close.orders);
            }
        });
    }

    fn both(&self, [a, b]: [u32; 2]) -> Option<[&Part; 2]> {
        Some([self.part(a)?, self.part(b)?])
    }
}

fn boxes_overlap(a: &Part, b: &Part) -> bool {
    let (a, b) = (a.extent(), b.extent());
    a.low.cmple(b.high).all() && b.low.cmple(a.high).all()
}

/// Pairs that one thread tests at a time.
const GRAIN: usize = 64;

/// Of a part: its entity's.
#[derive(Clone, Copy)]
struct Tag<K> {
    key: K,
    order: u64,
    layers: u32,
}

/// Of what is asked about; first of boxes alone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Overlap {
    Yes,
    No,
    Unknown,
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
    fn new<K>([a, b]: [u32; 2], boxes: BeforeRounding, tags: &[Option<Tag<K>>], query: &PairQuery) -> Option<Self> {
        let [first, second] = [a, b].map(|part| tags.get(part as usize)?.as_ref());
        let (first, second) = (first?, second?);
        if first.order == second.order || !query.takes_layers(first.layers, second.layers) {
            return None;
        }
        let (orders, parts) = ([first.order, second.order], [a, b]);
        let (orders, parts) = if orders[0] < orders[1] { (orders, parts) } else { ([orders[1], orders[0]], [b, a]) };
        let overlap = match boxes {
            BeforeRounding::Overlap => Overlap::Yes,
            BeforeRounding::Unknown => Overlap::Unknown,
        };
        Some(Self { orders, parts, overlap })
    }
}
