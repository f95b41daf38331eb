//! The first contacts of entities that move at the same time.

use super::motion::{EntityMotion, MovingEntity, speed_of_approach};
use super::{PairDistance, PairFilter, PairTest};
use crate::collections::sort::SharedSort;
use crate::geom::aabb::Extent;
use crate::math::float::{larger, unit};
use crate::parallel;
use crate::scene::{Geometry, Scene};
use alloc::vec::Vec;
use core::hash::Hash;
use glam::{DAffine3, DVec3};
use hashbrown::HashMap;

/// The first contact of two entities in a step in which at least one of them moves.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct EntityImpact<K> {
    /// The entity of the two that was inserted first.
    pub first: K,
    /// The other one.
    pub second: K,
    /// The fraction of the motions at which they touch, from 0 to 1.
    pub time: f64,
    /// Their distance and nearest points at that time, in world space. The distance is at most the tolerance, unless the search ended early.
    pub between: PairDistance,
}

/// The maximum number of distances that are measured for one pair.
const MOST_STEPS: usize = 4096;

/// The fraction of the tolerance that a step leaves between two things, so that rounding does not let a step end behind the contact.
const LEFT_OF_TOLERANCE: f64 = 0.5;

/// The number of pairs that one thread follows at a time.
const GRAIN: usize = 4;

impl<K: Clone + Eq + Hash + Send + Sync> Scene<K> {
    /// Collects the first contact of every two entities that come to touch while all of the given entities move at the same time, into a buffer that is
    /// cleared first. The contacts are in the order of their times; equal times are in the order of [`overlap_pairs`](Self::overlap_pairs). The scene does not
    /// change. This uses all threads with the feature `parallel`; the answers are the same on any number.
    ///
    /// Each entity moves along a straight line and rotates about its origin, both at constant speed. Entities that are not listed stay where they are. Two
    /// entities that stay are no pair. Every geometry may move and rotate: meshes, height fields and compounds too, and a mesh is only its surface.
    ///
    /// - **A contact is never late**, and nothing is passed through, however fast it is. At the reported time, the two are at most `tolerance` apart,
    ///   in world units. So things that pass each other at less than `tolerance` may be a contact, and a contact may be early by the time in which the two come
    ///   nearer by `tolerance`.
    /// - Entities that touch or overlap at the start, or are no farther apart than `tolerance`, have the time 0.
    /// - The search measures at most 4,096 distances for each pair whose swept boxes overlap. If it needs more, because two things slide along each other at
    ///   little more than `tolerance`, it reports the time that it has reached, as an early contact; `between.distance` is then above `tolerance`.
    ///   Convex things that do not rotate need a few distances, others about the length of the motion divided by the gap.
    ///   [`sweep`](crate::SweepQueries::sweep) is faster for one convex volume, and can leave out the ground that it slides on.
    /// - Of an entity that is listed twice, the last motion counts. An absent key is left out. An entity whose motion is not finite or whose rotation is
    ///   0 is in no pair. A `tolerance` that is negative or NaN counts as 0, which most searches do not reach within their steps.
    ///
    /// The layers, exclusions and choices of the filter matter, not its [`PairTest`]. The method is conservative advancement (B. Mirtich, 1996).
    ///
    /// ```
    /// use hitscan::pairs::{EntityMotion, PairFilter};
    /// use hitscan::{Aabb, Scene, Sphere, glam::DVec3};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("wall", Aabb::new([4.0, 0.0, -4.0], [5.0, 4.0, 4.0]), DVec3::ZERO)?;
    /// scene.insert("red", Sphere::new(0.5), DVec3::new(0.0, 1.0, 0.0))?;
    /// scene.insert("blue", Sphere::new(0.5), DVec3::new(3.0, 1.0, 0.0))?;
    /// let moves = [EntityMotion::new("red", [4.0, 0.0, 0.0]), EntityMotion::new("blue", [-4.0, 0.0, 0.0])];
    /// let mut impacts = Vec::new();
    /// scene.first_impacts(&moves, &PairFilter::new(), 1e-4, &mut impacts);
    /// assert_eq!((impacts[0].first, impacts[0].second), ("red", "blue"));
    /// assert!((impacts[0].time - 0.25).abs() < 1e-4);
    /// # Ok::<(), hitscan::error::SceneError>(())
    /// ```
    #[doc = include_str!("../edges/pair.md")]
    #[doc(alias("continuous_collide", "continuous_collision", "ccd", "time_of_impact", "toi"))]
    pub fn first_impacts(
        &self,
        motions: &[EntityMotion<K>],
        filter: &PairFilter<'_, K>,
        tolerance: f64,
        impacts: &mut Vec<EntityImpact<K>>,
    ) {
        impacts.clear();
        let movers = self.movers(motions);
        let mut pairs = self.swept_pairs(&movers, filter);
        parallel::fill(&mut pairs, GRAIN, &|_, piece: &mut [SweptPair<K>]| {
            for pair in piece {
                pair.contact = first_contact([&pair.entities[0], &pair.entities[1]], larger(tolerance, 0.0));
            }
        });
        let contact = |pair: SweptPair<K>| {
            let ([first, second], (time, between)) = (pair.keys, pair.contact?);
            Some(EntityImpact { first, second, time, between })
        };
        impacts.extend(pairs.into_iter().filter_map(contact));
        // Pairs at the same time stay in the order of the entities.
        impacts.sort_shared_stable_by(|a, b| a.time.total_cmp(&b.time));
    }

    /// Returns the entities that move, by their keys; `None` for an entity whose motion is unusable.
    fn movers(&self, motions: &[EntityMotion<K>]) -> Movers<K> {
        let mover = |motion: &EntityMotion<K>| {
            let EntityMotion { id, translation, rotation } = motion;
            let (entity, bounds) = self.get(id).zip(self.bounds_of(id))?;
            Some((id.clone(), MovingEntity::new(entity, &bounds, *translation, *rotation)))
        };
        motions.iter().filter_map(mover).collect()
    }

    /// Returns the pairs that count and whose swept boxes overlap.
    fn swept_pairs(&self, movers: &Movers<K>, filter: &PairFilter<'_, K>) -> Vec<SweptPair<K>> {
        let mut boxes = Scene::new();
        let usable = |(key, mover): (&K, &Option<MovingEntity>)| Some((key.clone(), mover.clone()?));
        for (key, mover) in movers.iter().filter_map(usable) {
            let swept = self.bounds_of(&key).and_then(|bounds| mover.swept(&bounds));
            let (geometry, transform) = swept.map_or((mover.geometry, mover.start), placed_box);
            // A box that cannot be placed belongs to an entity so far away that nothing touches it.
            let _ = boxes.insert(key, geometry, transform);
        }
        let by_boxes = PairFilter::new().test(PairTest::Boxes);
        let (mut moving, mut others) = (Vec::new(), Vec::new());
        boxes.overlap_pairs(&by_boxes, &mut moving);
        boxes.against(self).overlap_pairs(&by_boxes, &mut others);
        others.retain(|(_, other)| !movers.contains_key(other));
        moving.append(&mut others);
        let mut pairs: Vec<_> = moving.into_iter().filter_map(|keys| self.swept_pair(keys, movers, filter)).collect();
        pairs.sort_shared_by_key(|pair| pair.orders);
        pairs
    }

    fn swept_pair(&self, (one, other): (K, K), movers: &Movers<K>, filter: &PairFilter<'_, K>) -> Option<SweptPair<K>> {
        let order = |key: &K| self.parts_of(key).first().and_then(|&part| self.part(part)).map(|part| part.order);
        let (orders, keys) = match [order(&one)?, order(&other)?] {
            [a, b] if a < b => ([a, b], [one, other]),
            [a, b] => ([b, a], [other, one]),
        };
        let [first, second] = [self.get(&keys[0])?, self.get(&keys[1])?];
        let counts = filter.takes_layers(first.layers(), second.layers()) && filter.takes_keys([&keys[0], &keys[1]]);
        let moving = |key: &K| {
            let resting = || MovingEntity::resting(self.get(key)?, &self.bounds_of(key)?);
            movers.get(key).map_or_else(resting, Option::clone)
        };
        let entities = [moving(&keys[0])?, moving(&keys[1])?];
        counts.then_some(SweptPair { orders, keys, entities, contact: None })
    }
}

type Movers<K> = HashMap<K, Option<MovingEntity>>;

/// Two entities whose swept boxes overlap.
struct SweptPair<K> {
    orders: [u64; 2],
    keys: [K; 2],
    entities: [MovingEntity; 2],
    contact: Option<(f64, PairDistance)>,
}

/// Returns a box around an extent, and its transform. Its sizes are rounded outwards.
fn placed_box(extent: Extent) -> (Geometry, DAffine3) {
    let middle = (extent.low + extent.high) * 0.5;
    let half = Extent { low: extent.low - middle, high: extent.high - middle }.rounded();
    (Geometry::from(half), DAffine3::from_translation(middle))
}

/// Returns the time at which two entities are within the tolerance, with their distance then. Until then, each step is so short that they cannot touch in it.
fn first_contact([first, second]: [&MovingEntity; 2], tolerance: f64) -> Option<(f64, PairDistance)> {
    let mut stage = Scene::new();
    stage.insert(0, first.geometry.clone(), first.start).ok()?;
    stage.insert(1, second.geometry.clone(), second.start).ok()?;
    let mut time = 0.0;
    for step in 1.. {
        stage.set_transform(&0, first.at(time)).ok()?;
        stage.set_transform(&1, second.at(time)).ok()?;
        let between = stage.pair(&0, &1).distance()?;
        let gap = between.distance_f64();
        let [from, to] = between.points_f64();
        let speed = speed_of_approach([first, second], unit(to - from).unwrap_or(DVec3::ZERO), gap);
        if gap <= tolerance || step == MOST_STEPS || speed == f64::INFINITY {
            return Some((time, between));
        }
        time += (gap - tolerance * LEFT_OF_TOLERANCE) / speed;
        if speed <= 0.0 || time > 1.0 {
            return None;
        }
    }
    None
}
