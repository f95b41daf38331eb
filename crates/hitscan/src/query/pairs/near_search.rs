//! The search for the nearest pairs of entities, within one scene or between two. It does not know keys, so it is compiled in this crate.

use super::entity_parts::EntityParts;
use super::part_distance::{PairDistance, between, of_entities};
use crate::bvh::{DynamicBvh, ItemTrees};
use crate::collections::sort::SharedSort;
use crate::convex::{RESOLUTION, reach};
use crate::math::float::larger;
use crate::parallel;
use crate::scene::{Part, PartGeometry, PartTree};
use crate::shape::{Shape, ShapeForm};
use alloc::vec::Vec;
use core::ops::ControlFlow;
use hashbrown::HashSet;

/// The parts of a scene.
#[derive(Clone, Copy)]
pub(super) struct PartSide<'a> {
    pub(super) tree: &'a DynamicBvh,
    pub(super) parts: PartTree<'a>,
    /// A number that is above the number of every part.
    pub(super) count: usize,
    /// The parts that are not in the tree and may be anywhere.
    pub(super) unbounded: &'a [u32],
    /// A bound on the inaccuracy of the placements in the tree.
    pub(super) slack: f64,
    /// Returns the numbers of the parts of an entity.
    pub(super) numbers_of: &'a (dyn Fn(u32) -> &'a [u32] + Sync),
}

/// Says whose entities are paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PairedScenes {
    /// Different entities of one scene.
    One,
    /// An entity of each of two scenes.
    Two,
}

/// A part of each of two entities that may be a pair. The first one was inserted before the second, or is in the first of two scenes.
#[derive(Clone, Copy)]
pub(super) struct PartPair<'a> {
    orders: [u64; 2],
    parts: [&'a Part; 2],
}

/// Two entities whose distance is known, by their nearest parts.
pub(super) struct FoundPair<'a> {
    pub(super) pair: PartPair<'a>,
    pub(super) between: PairDistance,
}

/// The number of pairs that one thread measures at a time.
const GRAIN: usize = 32;

impl<'a> PartPair<'a> {
    pub(super) fn parts(&self) -> [&'a Part; 2] {
        self.parts
    }

    /// Returns the position in the order of equal distances.
    fn place(&self) -> ([u64; 2], [u32; 2]) {
        (self.orders, self.parts.map(|part| part.index))
    }

    fn entities(&self) -> [u32; 2] {
        self.parts.map(|part| part.place_in_order().1)
    }
}

impl FoundPair<'_> {
    fn key(&self) -> (f64, ([u64; 2], [u32; 2])) {
        (self.between.distance_f64(), self.pair.place())
    }
}

/// A search for accepted pairs of parts.
pub(super) struct PairsSearch<'a> {
    sides: [PartSide<'a>; 2],
    scenes: PairedScenes,
    accepts: &'a (dyn Fn(&PartPair<'_>) -> bool + Sync),
    surveys: [PartSurvey; 2],
    /// A bound by which a computed distance may be below the distance of the boxes (docs/robustness/distances.md, "Pairs of entities"). A larger bound only
    /// costs work: more pairs are measured.
    error: f64,
}

/// Facts about all parts of a scene.
#[derive(Clone, Debug, Default)]
struct PartSurvey {
    /// An upper bound of the numbers from which the places of the parts in the tree are computed.
    reach: f64,
    /// The entities with a torus, in order.
    with_torus: Vec<u32>,
}

impl PartSurvey {
    fn new(side: &PartSide<'_>) -> Self {
        let mut survey = Self::default();
        let parts = (0..side.count as u32).filter_map(|number| Some((number, side.parts.part(number)?)));
        for (number, part) in parts {
            if side.tree.contains(number) {
                survey.reach = larger(reach(&part.geometry.bounds(), &part.to_world), survey.reach);
            }
            if is_torus(part) {
                survey.with_torus.push(part.place_in_order().1);
            }
        }
        survey.with_torus.sort_shared();
        survey
    }
}

fn is_torus(part: &Part) -> bool {
    let form = |shape: &Shape| matches!(shape.form(), ShapeForm::Torus);
    matches!(&part.geometry, PartGeometry::Shape(shape) if form(shape))
}

impl<'a> PairsSearch<'a> {
    pub(super) fn new(
        sides: [PartSide<'a>; 2],
        scenes: PairedScenes,
        accepts: &'a (dyn Fn(&PartPair<'_>) -> bool + Sync),
    ) -> Self {
        let first = PartSurvey::new(&sides[0]);
        let second = if scenes == PairedScenes::One { first.clone() } else { PartSurvey::new(&sides[1]) };
        let relative = |side: usize, survey: &PartSurvey| (4.0 * sides[side].slack + 32.0 * RESOLUTION) * survey.reach;
        let error = relative(0, &first) + relative(1, &second);
        Self { sides, scenes, accepts, surveys: [first, second], error }
    }

    /// Returns the nearest pair that the filter accepts, and among equally near pairs the first. Its distance must be at most `max_distance`.
    pub(super) fn closest(&self, max_distance: f64) -> Option<FoundPair<'a>> {
        let mut best: Option<FoundPair<'a>> = None;
        let mut measured = HashSet::new();
        let mut offer = |items: [u32; 2]| {
            let limit = best.as_ref().map_or(max_distance, |best| best.between.distance_f64());
            if let Some(pair) = self.pair(items)
                // Nothing is nearer than a contact.
                && best.as_ref().is_none_or(|best| limit > 0.0 || pair.orders < best.pair.orders)
                && !measured.contains(&pair.orders)
                && (self.accepts)(&pair)
                && self.may_be_within(&pair, limit)
            {
                measured.insert(pair.orders);
                let found = self.measure(pair).filter(|found| found.between.distance_f64() <= limit);
                if let Some(found) = found.filter(|found| best.as_ref().is_none_or(|best| found.key() < best.key())) {
                    best = Some(found);
                }
            }
            best.as_ref().map_or(max_distance, |best| best.between.distance_f64())
        };
        let square = |limit: f64| (limit + self.error) * (limit + self.error);
        let _ =
            self.trees().nearest_first(square(max_distance), &mut |items| ControlFlow::Continue(square(offer(items))));
        self.each_unbounded(&mut |items| {
            offer(items);
        });
        best
    }

    /// Returns every accepted pair that is no farther than `max_distance`, in the order of their entities.
    pub(super) fn within(&self, max_distance: f64) -> Vec<FoundPair<'a>> {
        self.each_entity_pair(max_distance, &|parts: &[PartPair<'a>]| {
            let nearest = parts.iter().find(|pair| self.may_be_within(pair, max_distance))?;
            self.measure(*nearest).filter(|found| found.between.distance_f64() <= max_distance)
        })
    }

    /// Returns, for every two entities, the first pair of parts that belongs to the question and passes a test. The
    /// answers are in the order of the entities.
    pub(super) fn tested(&self, test: impl Fn([&Part; 2]) -> bool + Sync) -> Vec<PartPair<'a>> {
        self.each_entity_pair(0.0, &|parts: &[PartPair<'a>]| parts.iter().find(|pair| test(pair.parts)).copied())
    }

    /// Calls `ask` on all threads, once for every two entities. The call gets the pairs of parts that belong to the question and whose boxes may be as near as
    /// a distance. Returns the answers in the order of the entities.
    fn each_entity_pair<A: Send>(&self, distance: f64, ask: &(dyn Fn(&[PartPair<'a>]) -> Option<A> + Sync)) -> Vec<A> {
        let pairs = self.near(distance);
        let mut answers: Vec<(&[PartPair<'a>], Option<A>)> =
            pairs.chunk_by(|a, b| a.orders == b.orders).map(|parts| (parts, None)).collect();
        parallel::fill(&mut answers, GRAIN, &|_, piece| {
            for (parts, answer) in piece {
                *answer = ask(parts);
            }
        });
        answers.into_iter().filter_map(|(_, answer)| answer).collect()
    }

    /// Returns every pair of parts that belongs to the question and whose boxes may be as near as a distance. They are in the order of their entities and
    /// parts.
    fn near(&self, distance: f64) -> Vec<PartPair<'a>> {
        let mut pairs = Vec::new();
        let mut show = |items: [u32; 2]| pairs.extend(self.pair(items).filter(|pair| (self.accepts)(pair)));
        let reach = distance + self.error;
        self.trees().each_near(reach * reach, &mut show);
        self.each_unbounded(&mut show);
        pairs.sort_shared_by_key(PartPair::place);
        pairs
    }

    fn trees(&self) -> ItemTrees<'a> {
        let [ours, theirs] = self.sides.map(|side| side.tree);
        match self.scenes {
            PairedScenes::One => ItemTrees::One(ours),
            PairedScenes::Two => ItemTrees::Two([ours, theirs]),
        }
    }

    /// Shows every pair of a part that is not in a tree.
    fn each_unbounded(&self, show: &mut dyn FnMut([u32; 2])) {
        let [ours, theirs] = &self.sides;
        let bounded = |side: &PartSide<'a>| {
            let tree = side.tree;
            (0..side.count as u32).filter(move |&part| tree.contains(part))
        };
        for (index, &part) in ours.unbounded.iter().enumerate() {
            let later = if self.scenes == PairedScenes::One { index + 1 } else { 0 };
            bounded(theirs).chain(theirs.unbounded[later..].iter().copied()).for_each(|other| show([part, other]));
        }
        if self.scenes == PairedScenes::Two {
            for &part in theirs.unbounded {
                bounded(ours).for_each(|other| show([other, part]));
            }
        }
    }

    /// Returns the parts under two numbers in their order; `None` for parts of one entity.
    fn pair(&self, items: [u32; 2]) -> Option<PartPair<'a>> {
        let parts = [self.sides[0].parts.part(items[0])?, self.sides[1].parts.part(items[1])?];
        let orders = parts.map(|part| part.order);
        match self.scenes {
            PairedScenes::One if orders[0] == orders[1] => None,
            PairedScenes::One if orders[0] > orders[1] => {
                Some(PartPair { orders: [orders[1], orders[0]], parts: [parts[1], parts[0]] })
            }
            _ => Some(PartPair { orders, parts }),
        }
    }

    /// Returns whether two parts may be as near as a limit. The search for the distance of a torus divides a limited number of arcs. A limit of the distance
    /// may change where the search ends. So all entities with a torus are treated as near.
    fn may_be_within(&self, pair: &PartPair<'a>, limit: f64) -> bool {
        let [ours, theirs] = pair.parts;
        limit == f64::INFINITY || self.has_torus(pair) || between(ours, theirs, limit + self.error).is_some()
    }

    /// Measures the entities of two parts with all of their parts and without a limit. A limit may change the last bits of a distance. It changes which of the
    /// triangles that are equally near within rounding are measured.
    fn measure(&self, pair: PartPair<'a>) -> Option<FoundPair<'a>> {
        let [ours, theirs] = pair.parts;
        let between = of_entities(self.entity(0, ours), self.entity(1, theirs))?;
        Some(FoundPair { pair, between })
    }

    fn entity(&self, side: usize, part: &Part) -> EntityParts<'a> {
        let side = &self.sides[side];
        EntityParts { numbers: (side.numbers_of)(part.place_in_order().1), parts: side.parts }
    }

    fn has_torus(&self, pair: &PartPair<'_>) -> bool {
        pair.entities()
            .iter()
            .zip(&self.surveys)
            .any(|(entity, survey)| survey.with_torus.binary_search(entity).is_ok())
    }
}
