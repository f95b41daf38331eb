//! Pairs of entities in the form for output.

use super::models::{Both, Keys};
use crate::model::Loaded;
use crate::precision::{Point, Precision};
use crate::report::numbered_through;
use hitscan::glam::DVec3;
use hitscan::pairs::{NearPair, PairPenetration};
use hitscan_io::EntityId;
use serde::Serialize;

/// The output of `--json`.
#[derive(Serialize)]
pub(super) struct Answer<'a> {
    pub(super) overlaps: Vec<OverlapReport<'a>>,
    pub(super) inside: Vec<InsideReport<'a>>,
    pub(super) near: Vec<NearReport<'a>>,
    pub(super) nearest: Option<NearReport<'a>>,
}

impl Answer<'_> {
    pub(super) fn is_clear(&self) -> bool {
        self.overlaps.is_empty() && self.inside.is_empty() && self.near.is_empty()
    }
}

/// An entity of a pair, and its triangle at the place.
#[derive(Serialize)]
pub(super) struct Side<'a> {
    pub(super) entity: &'a str,
    pub(super) node: Option<u32>,
    pub(super) triangle: Option<u64>,
}

impl<'a> Side<'a> {
    fn new(loaded: &'a Loaded, id: EntityId, at: Option<(u32, Option<u32>)>) -> Self {
        let entity = loaded.model.entity(id);
        let numbered = |(part, triangle): (u32, Option<u32>)| Some(numbered_through(entity?, part, triangle?));
        Self {
            entity: entity.map_or("", |entity| &entity.name),
            node: entity.and_then(|entity| entity.node),
            triangle: at.and_then(numbered),
        }
    }

    fn pair(both: Both<'a>, (first, second): Keys, places: Option<([u32; 2], [Option<u32>; 2])>) -> [Self; 2] {
        let at = |side: usize| places.map(|(parts, triangles)| (parts[side], triangles[side]));
        [Self::new(both.first, first, at(0)), Self::new(both.second(), second, at(1))]
    }
}

/// Two entities that overlap or touch. The depth and the place are `None` if no motion separates the two.
#[derive(Serialize)]
pub(super) struct OverlapReport<'a> {
    pub(super) first: Side<'a>,
    pub(super) second: Side<'a>,
    pub(super) depth: Option<f32>,
    pub(super) normal: Option<[f32; 3]>,
    pub(super) points: Option<[Point; 2]>,
    #[serde(skip)]
    pub(super) places: Option<[DVec3; 2]>,
}

impl<'a> OverlapReport<'a> {
    pub(super) fn new(both: Both<'a>, keys: Keys, deep: Option<&PairPenetration>) -> Self {
        let [first, second] = Side::pair(both, keys, deep.map(|deep| (deep.parts, deep.triangles)));
        let places = deep.map(PairPenetration::points_f64);
        Self {
            first,
            second,
            depth: deep.map(|deep| deep.depth),
            normal: deep.map(|deep| deep.normal.to_array()),
            points: places.map(|places| written(both, places)),
            places,
        }
    }
}

/// Two entities of which the first is wholly inside the second.
#[derive(Serialize)]
pub(super) struct InsideReport<'a> {
    pub(super) first: Side<'a>,
    pub(super) second: Side<'a>,
    /// A corner of the first.
    pub(super) point: Point,
    #[serde(skip)]
    pub(super) place: DVec3,
}

/// Says which entity of a pair is inside the other one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inner {
    First,
    Second,
}

impl<'a> InsideReport<'a> {
    /// Makes the report of two entities, given a corner of the inner one.
    pub(super) fn new(both: Both<'a>, keys: Keys, inner: Inner, place: DVec3) -> Self {
        let [mut first, mut second] = Side::pair(both, keys, None);
        if inner == Inner::Second {
            std::mem::swap(&mut first, &mut second);
        }
        let [point, _] = written(both, [place; 2]);
        Self { first, second, point, place }
    }
}

/// Two entities that are apart.
#[derive(Serialize)]
pub(super) struct NearReport<'a> {
    pub(super) first: Side<'a>,
    pub(super) second: Side<'a>,
    pub(super) distance: f32,
    pub(super) normal: [f32; 3],
    pub(super) points: [Point; 2],
    #[serde(skip)]
    pub(super) places: [DVec3; 2],
}

impl<'a> NearReport<'a> {
    pub(super) fn new(both: Both<'a>, pair: &NearPair<EntityId>) -> Self {
        let between = &pair.between;
        let [first, second] = Side::pair(both, (pair.first, pair.second), Some((between.parts, between.triangles)));
        let places = between.points_f64();
        Self {
            first,
            second,
            distance: between.distance,
            normal: between.normal.to_array(),
            points: written(both, places),
            places,
        }
    }
}

/// Returns two places in the precision that both models need.
fn written(both: Both<'_>, places: [DVec3; 2]) -> [Point; 2] {
    let is_far = [both.first, both.second()].iter().any(|loaded| loaded.precision == Precision::Double);
    places.map(|place| Point::new(place, if is_far { Precision::Double } else { Precision::Single }))
}
