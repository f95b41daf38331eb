//! All pairs of entities that overlap.

use super::pair_filter::{PairFilter, PairTest};
use crate::bvh::{BeforeRounding, BoxGap, CloseItems};
use crate::collections::sort::SharedSort;
use crate::convex::similar;
use crate::math::float::{larger, largest, length};
use crate::parallel;
use crate::query::overlap::proximity_parts::{is_within_reach, parts_touch};
use crate::scene::{Owner, Part, PartGeometry, Scene};
use crate::shape::Shape;
use alloc::vec::Vec;
use core::hash::Hash;
use glam::DVec3;

impl<K: Clone + Eq + Hash + Send + Sync> Scene<K> {
    /// Collects every two entities that overlap or touch, once, into a buffer that is cleared first. The first entity of a pair was inserted before the second.
    /// Pairs are ordered by their first entities, then by their second ones. This uses all threads with the feature `parallel`; the answers are the same on any
    /// number.
    ///
    /// - **Touching is an overlap**, as far as f64 can tell, as in [`Pair::overlaps`](crate::pairs::Pair::overlaps) of the first and the second.
    /// - Solids overlap if one is within the other. A mesh or a height field is only its surface, so a thing that is wholly inside a closed mesh does not
    ///   overlap it.
    /// - Parts of one entity are not a pair. Planes are infinite, so each is tested against every entity.
    /// - Triangles without area touch nothing. A custom shape is tested by its convex hull, if it [says how far it
    ///   reaches](crate::custom::CustomShape::farthest). Otherwise it touches nothing.
    ///
    /// [`PairTracker`](crate::pairs::PairTracker) reports the changes since the last call.
    ///
    /// ```
    /// use hitscan::glam::DVec3;
    /// use hitscan::pairs::PairFilter;
    /// use hitscan::{Aabb, Scene, Sphere};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("room", Aabb::new([0.0, 0.0, 0.0], [4.0, 3.0, 4.0]), DVec3::ZERO)?;
    /// scene.insert("cat", Sphere::new(0.2), DVec3::new(2.0, 0.2, 2.0))?;
    /// scene.insert("dog", Sphere::new(0.4), DVec3::new(4.3, 0.4, 2.0))?;
    /// scene.insert("tree", Sphere::new(1.0), DVec3::new(9.0, 3.0, 2.0))?;
    /// let mut pairs = Vec::new();
    /// scene.overlap_pairs(&PairFilter::new(), &mut pairs);
    /// assert_eq!(pairs, [("room", "cat"), ("room", "dog")]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc = include_str!("../edges/pair.md")]
    #[doc(alias("broad_phase", "collision_pairs", "contact_pairs"))]
    pub fn overlap_pairs(&self, filter: &PairFilter<'_, K>, pairs: &mut Vec<(K, K)>) {
        pairs.clear();
        self.each_pair(filter, |_, keys| pairs.push(keys));
    }

    /// Shows every pair, with the places of its entities in the order.
    pub(super) fn each_pair(&self, filter: &PairFilter<'_, K>, mut show: impl FnMut([u64; 2], (K, K))) {
        let tags = self.tags(filter.test);
        let mut close = in_order(&self.close_parts(&tags, filter), tags.len());
        self.test(&mut close, filter.test);
        for group in close.chunk_by(|a, b| a.ranks == b.ranks) {
            let found = group.iter().find(|close| close.overlap == OverlapVerdict::Yes);
            if let Some(&ClosePair { parts, .. }) = found
                && let [Some(a), Some(b)] = parts.map(|part| tags.get(part as usize)?.as_ref())
            {
                show([a.order, b.order], (a.key.clone(), b.key.clone()));
            }
        }
    }

    /// Returns pairs of parts of different entities that may pass the test. Their boxes overlap, or are near enough for a contact within rounding.
    fn close_parts(&self, tags: &[Option<PartTag<K>>], filter: &PairFilter<'_, K>) -> Vec<ClosePair> {
        let gap = match filter.test {
            PairTest::Shapes => BoxGap::Contact,
            PairTest::Boxes => BoxGap::None,
        };
        let pairs = self.tree().pairs(gap);
        let mut close = Vec::with_capacity(pairs.len());
        for CloseItems { items, before_rounding } in pairs {
            close.extend(ClosePair::new(items, before_rounding, tags, filter));
        }
        for (index, &unbounded) in self.unbounded().iter().enumerate() {
            let bounded = (0..tags.len() as u32).filter(|&part| self.tree().contains(part));
            let others = bounded.chain(self.unbounded()[index + 1..].iter().copied());
            close.extend(
                others.filter_map(|other| ClosePair::new([unbounded, other], BeforeRounding::Unknown, tags, filter)),
            );
        }
        close
    }

    /// Collects the data of every part in a pair, by its number. Looking it up for each pair would access memory in no
    /// order.
    fn tags(&self, test: PairTest) -> Vec<Option<PartTag<K>>> {
        let (count, parts) = self.parts();
        let mut tags = alloc::vec![None; count];
        let mut orders = Vec::with_capacity(count);
        for (number, part) in parts {
            let ball = if test == PairTest::Shapes { BoundingBall::around_part(part) } else { None };
            let Part { order, layers, .. } = *part;
            let tag = |owner: Owner<'_, K>| PartTag { key: owner.key.clone(), order, layers, rank: 0, ball };
            tags[number as usize] = self.owner(part).map(tag);
            orders.push((order, number));
        }
        // They most often are sorted already.
        orders.sort_shared();
        for (rank, entity) in (0..).zip(orders.chunk_by(|a, b| a.0 == b.0)) {
            for &(_, number) in entity {
                tags[number as usize].iter_mut().for_each(|tag| tag.rank = rank);
            }
        }
        tags
    }

    /// Decides on pairs that are in order. For two entities it tests no more pairs of parts than needed, or few more.
    fn test(&self, close: &mut [ClosePair], test: PairTest) {
        parallel::fill(close, GRAIN, &|_, piece: &mut [ClosePair]| {
            let mut decided = None;
            for close in piece.iter_mut() {
                if close.overlap == OverlapVerdict::Yes {
                    decided = Some(close.ranks);
                }
                if close.overlap != OverlapVerdict::Unknown || decided == Some(close.ranks) {
                    continue;
                }
                let overlap = self.both(close.parts).is_some_and(|parts| passes(parts, test));
                close.overlap = if overlap { OverlapVerdict::Yes } else { OverlapVerdict::No };
                decided = overlap.then_some(close.ranks);
            }
        });
    }

    fn both(&self, [a, b]: [u32; 2]) -> Option<[&Part; 2]> {
        Some([self.part(a)?, self.part(b)?])
    }
}

/// Returns whether two parts pass a test.
pub(super) fn passes([a, b]: [&Part; 2], test: PairTest) -> bool {
    match test {
        PairTest::Shapes => parts_touch(a, b),
        PairTest::Boxes => boxes_overlap(a, b),
    }
}

fn boxes_overlap(a: &Part, b: &Part) -> bool {
    let (a, b) = (a.extent(), b.extent());
    a.low.cmple(b.high).all() && b.low.cmple(a.high).all()
}

/// The number of pairs that one thread tests at a time.
const GRAIN: usize = 64;

/// Data of a part, and of its entity.
#[derive(Clone)]
struct PartTag<K> {
    key: K,
    order: u64,
    layers: u32,
    /// The number of entities that come before its entity in the order.
    rank: u32,
    ball: Option<BoundingBall>,
}

/// A part that is about a ball in the world. For most pairs of balls, this decides whether they touch.
#[derive(Clone, Copy)]
struct BoundingBall {
    center: DVec3,
    radius: f64,
    /// The largest number that its centre is computed from, which may be far larger than the centre.
    reach: f64,
}

impl BoundingBall {
    /// Returns `None` for other parts, and for balls that are stretched or out of reach.
    fn around_part(part: &Part) -> Option<Self> {
        let PartGeometry::Shape(Shape::Sphere(ball)) = &part.geometry else { return None };
        is_within_reach(part).then_some(())?;
        let scale = similar(&part.to_world.matrix3)?;
        let local = ball.center.as_dvec3();
        let center = part.to_world.transform_point3(local);
        let reach = largest(part.to_world.translation) + scale * length(local);
        Some(Self { center, radius: f64::from(ball.radius) * scale, reach })
    }

    /// A multiple of the bound on all errors here (docs/robustness/distances.md, "Pairs of balls"). A larger one only costs work: more pairs are tested one by
    /// one.
    const SPHERE_DOUBT: f64 = 1.0 / (1u64 << 30) as f64;

    fn overlap(self, other: Self) -> OverlapVerdict {
        let square = (self.center - other.center).length_squared();
        let sum = self.radius + other.radius;
        let doubt = Self::SPHERE_DOUBT * (sum + self.reach + other.reach);
        let (least, most) = (larger(sum - doubt, 0.0), sum + doubt);
        if square < least * least {
            OverlapVerdict::Yes
        } else if square > most * most {
            OverlapVerdict::No
        } else {
            OverlapVerdict::Unknown
        }
    }
}

/// The answer whether two parts overlap.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OverlapVerdict {
    Yes,
    No,
    Unknown,
}

/// Two parts that may overlap, and the ranks of their entities, the lower one first.
#[derive(Clone, Copy)]
struct ClosePair {
    ranks: [u32; 2],
    parts: [u32; 2],
    overlap: OverlapVerdict,
}

impl ClosePair {
    /// Returns `None` for pairs that the filter does not accept.
    #[inline]
    fn new<K: Clone + Eq + Hash>(
        [a, b]: [u32; 2],
        boxes: BeforeRounding,
        tags: &[Option<PartTag<K>>],
        filter: &PairFilter<'_, K>,
    ) -> Option<Self> {
        let [first, second] = [a, b].map(|part| tags.get(part as usize)?.as_ref());
        let (first, second) = (first?, second?);
        if first.rank == second.rank || !filter.takes_layers(first.layers, second.layers) {
            return None;
        }
        let (ranks, parts) = ([first.rank, second.rank], [a, b]);
        let (ranks, parts) = if ranks[0] < ranks[1] { (ranks, parts) } else { ([ranks[1], ranks[0]], [b, a]) };
        let keys = if first.rank < second.rank { [&first.key, &second.key] } else { [&second.key, &first.key] };
        if !filter.takes_keys(keys) {
            return None;
        }
        let overlap = match (filter.test, boxes, first.ball.zip(second.ball)) {
            (PairTest::Boxes, BeforeRounding::Overlap, _) => OverlapVerdict::Yes,
            (PairTest::Shapes, _, Some((one, other))) => one.overlap(other),
            _ => OverlapVerdict::Unknown,
        };
        Some(Self { ranks, parts, overlap })
    }
}

/// Sorts by the ranks, all of which are below `count`. The first ranks are sorted in one pass, because there are many.
fn in_order(close: &[ClosePair], count: usize) -> Vec<ClosePair> {
    let mut ends = alloc::vec![0; count + 1];
    close.iter().for_each(|close| ends[close.ranks[0] as usize + 1] += 1);
    for rank in 0..count {
        ends[rank + 1] += ends[rank];
    }
    let mut sorted = close.to_vec();
    for close in close {
        let place: &mut usize = &mut ends[close.ranks[0] as usize];
        sorted[*place] = *close;
        *place += 1;
    }
    for of_first in sorted.chunk_by_mut(|a, b| a.ranks[0] == b.ranks[0]) {
        of_first.sort_shared_by_key(|close| (close.ranks[1], close.parts));
    }
    sorted
}
