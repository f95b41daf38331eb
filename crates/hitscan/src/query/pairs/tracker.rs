//! Changes of the pairs of a scene over time.

use super::pair_filter::PairFilter;
use crate::scene::Scene;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::hash::Hash;
use hashbrown::HashMap;

/// Tells which entities begin to overlap, still overlap, and no longer do: for triggers, sensors and contacts.
///
/// Call [`update`](Self::update) once a frame with the scene, which may have changed in any way in between, or with a clone of it. Pairs are identified by
/// their keys. An entity that is replaced, or removed and inserted again under its key, is the same one. An entity that is removed has left.
///
/// ```
/// use hitscan::glam::DVec3;
/// use hitscan::pairs::{PairChange, PairTracker};
/// use hitscan::{Aabb, Scene, Sphere};
///
/// let mut scene = Scene::new();
/// scene.insert("door", Aabb::new([-1.0, 0.0, -1.0], [1.0, 2.0, 1.0]), DVec3::ZERO)?;
/// scene.insert("guard", Sphere::new(0.5), DVec3::new(3.0, 1.0, 0.0))?;
/// let mut tracker = PairTracker::new();
/// let mut said = Vec::new();
/// for x in [3.0, 1.25, 0.0, 2.0] {
///     scene.set_transform(&"guard", DVec3::new(x, 1.0, 0.0))?;
///     said.push(tracker.update(&scene).iter().map(|event| event.change).collect::<Vec<_>>());
/// }
/// assert_eq!(said, [vec![], vec![PairChange::Enter], vec![PairChange::Stay], vec![PairChange::Leave]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PairTracker<K> {
    filter: PairFilter<'static, K>,
    pairs: Vec<TrackedPair<K>>,
    /// The pairs before, whose memory is reused.
    former: Vec<TrackedPair<K>>,
    events: Vec<PairEvent<K>>,
}

/// A pair, and how it has changed since the last update.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct PairEvent<K> {
    /// The entity of the two that was inserted first.
    pub first: K,
    /// The other one.
    pub second: K,
    /// The change of the pair.
    pub change: PairChange,
}

/// The change of a pair since the last update.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PairChange {
    /// The pair overlaps, and did not before.
    Enter,
    /// The pair overlaps, as it did before.
    Stay,
    /// The pair no longer overlaps, or one of the two entities is gone.
    Leave,
}

/// A pair that overlaps, with the places of its entities in the scene's order.
#[derive(Clone, Copy, Debug)]
struct TrackedPair<K> {
    orders: [u64; 2],
    keys: (K, K),
}

impl<K> TrackedPair<K> {
    fn both(&self) -> (&K, &K) {
        (&self.keys.0, &self.keys.1)
    }
}

impl<K> Default for PairTracker<K> {
    fn default() -> Self {
        Self::with(PairFilter::new())
    }
}

impl<K> PairTracker<K> {
    /// Makes a tracker of all pairs. At first there are none.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes a tracker of the pairs that a filter selects, for example by layers.
    pub fn with(filter: PairFilter<'static, K>) -> Self {
        Self { filter, pairs: Vec::new(), former: Vec::new(), events: Vec::new() }
    }

    /// Returns the events of the last update; see [`update`](Self::update).
    pub fn events(&self) -> &[PairEvent<K>] {
        &self.events
    }
}

impl<K: Clone> PairTracker<K> {
    /// Returns the pairs at the last update, in the order of [`Scene::overlap_pairs`].
    pub fn pairs(&self) -> impl ExactSizeIterator<Item = (K, K)> {
        self.pairs.iter().map(|known| known.keys.clone())
    }
}

impl<K: Clone + Eq + Hash + Send + Sync> PairTracker<K> {
    /// Looks at the scene and returns an event for every pair that overlaps now or did at the last update. Pairs that leave come first, in their former order.
    /// Then come those that enter or stay, in the order of [`Scene::overlap_pairs`]. The same scenes give the same events on every platform, and on any number
    /// of threads.
    pub fn update(&mut self, scene: &Scene<K>) -> &[PairEvent<K>] {
        core::mem::swap(&mut self.pairs, &mut self.former);
        let Self { filter, pairs: now, former, events } = self;
        now.clear();
        scene.each_pair(filter, |orders, keys| now.push(TrackedPair { orders, keys }));
        let (mut gone, mut come) = differences(former, now);
        settle(former, &mut gone, now, &mut come);
        events.clear();
        events.extend(gone.iter().map(|&left| event(&former[left], PairChange::Leave)));
        let mut come = come.into_iter().peekable();
        events.extend(now.iter().enumerate().map(|(index, known)| {
            let change = if come.next_if_eq(&index).is_some() { PairChange::Enter } else { PairChange::Stay };
            event(known, change)
        }));
        events
    }
}

fn event<K: Clone>(known: &TrackedPair<K>, change: PairChange) -> PairEvent<K> {
    let (first, second) = known.keys.clone();
    PairEvent { first, second, change }
}

/// Returns the pairs of each list that the other list lacks at the same places in the order, or has there with other keys.
fn differences<K: PartialEq>(before: &[TrackedPair<K>], now: &[TrackedPair<K>]) -> (Vec<usize>, Vec<usize>) {
    let (mut gone, mut come) = (Vec::new(), Vec::new());
    let (mut old, mut new) = (0, 0);
    loop {
        let order = match (before.get(old), now.get(new)) {
            (Some(old), Some(new)) => old.orders.cmp(&new.orders),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return (gone, come),
        };
        let is_same = order.is_eq() && before[old].keys == now[new].keys;
        if order.is_le() {
            gone.extend((!is_same).then_some(old));
            old += 1;
        }
        if order.is_ge() {
            come.extend((!is_same).then_some(new));
            new += 1;
        }
    }
}

/// Removes pairs that are in both lists because their keys were inserted again. Each such pair is once on each side.
fn settle<K: Eq + Hash>(
    before: &[TrackedPair<K>],
    gone: &mut Vec<usize>,
    now: &[TrackedPair<K>],
    come: &mut Vec<usize>,
) {
    if gone.is_empty() || come.is_empty() {
        return;
    }
    let mut left: HashMap<(&K, &K), usize> = gone.iter().map(|&index| (before[index].both(), index)).collect();
    let count = left.len();
    come.retain(|&index| {
        let (a, b) = now[index].both();
        left.remove(&(a, b)).or_else(|| left.remove(&(b, a))).is_none()
    });
    if left.len() < count {
        gone.retain(|&index| left.contains_key(&before[index].both()));
    }
}
