//! The naive list: entities as balls, boxes and planes in f64, with a test of every pair.

use crate::common::Random;
use hitscan::glam::{DVec3, Vec3};
use hitscan::pairs::{PairChange, PairEvent};
use hitscan::{Aabb, Compound, ConvexHull, Geometry, HeightField, Mesh, Plane, Scene, Sphere};
use std::collections::BTreeMap;

/// The shape of a part. Either f64 computes with its coordinates exactly, or all parts are far enough from contact that
/// rounding does not decide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Solid {
    Ball {
        center: DVec3,
        radius: f64,
    },
    /// A box, which may be flat.
    Box {
        low: DVec3,
        high: DVec3,
    },
    /// All points with this coordinate along an axis.
    Plane {
        axis: usize,
        at: f64,
    },
}

impl Solid {
    pub(crate) fn touches(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Ball { center: a, radius: r }, Self::Ball { center: b, radius: s }) => {
                (*a - *b).length_squared() <= (r + s) * (r + s)
            }
            (Self::Ball { center, radius }, Self::Box { low, high }) => {
                let beside = (*low - *center).max(*center - *high).max(DVec3::ZERO);
                beside.length_squared() <= radius * radius
            }
            (Self::Box { low: a, high: b }, Self::Box { low: c, high: d }) => a.cmple(*d).all() && c.cmple(*b).all(),
            (Self::Ball { center, radius }, Self::Plane { axis, at }) => (center[*axis] - at).abs() <= *radius,
            (Self::Box { low, high }, Self::Plane { axis, at }) => (low[*axis]..=high[*axis]).contains(at),
            (Self::Plane { axis: a, at: p }, Self::Plane { axis: b, at: q }) => a != b || p == q,
            _ => other.touches(self),
        }
    }
}

/// An entity in the list: parts around a place.
#[derive(Clone, Debug)]
pub(crate) struct Thing {
    pub(crate) parts: Vec<Solid>,
    pub(crate) place: DVec3,
    pub(crate) layers: u32,
    /// The time of insertion, inherited by a replacement.
    pub(crate) order: u64,
}

impl Thing {
    fn touches(&self, other: &Self) -> bool {
        let placed = |thing: &Self| thing.parts.iter().map(|part| part.moved(thing.place)).collect::<Vec<_>>();
        let others = placed(other);
        placed(self).iter().any(|part| others.iter().any(|other| part.touches(other)))
    }
}

impl Solid {
    fn moved(&self, by: DVec3) -> Self {
        match *self {
            Self::Ball { center, radius } => Self::Ball { center: center + by, radius },
            Self::Box { low, high } => Self::Box { low: low + by, high: high + by },
            Self::Plane { axis, at } => Self::Plane { axis, at: at + by[axis] },
        }
    }
}

/// Returns all pairs, in the order that the library documents.
pub(crate) fn pairs(things: &BTreeMap<u32, Thing>, counts: impl Fn(u32, u32) -> bool) -> Vec<(u32, u32)> {
    let mut ordered: Vec<_> = things.iter().collect();
    ordered.sort_by_key(|(_, thing)| thing.order);
    let mut pairs = Vec::new();
    for (index, (a, one)) in ordered.iter().enumerate() {
        let others = ordered[index + 1..].iter().filter(|(_, other)| counts(one.layers, other.layers));
        pairs.extend(others.filter(|(_, other)| one.touches(other)).map(|(b, _)| (**a, **b)));
    }
    pairs
}

/// Returns the expected events of a tracker, with pairs as sets of two keys.
pub(crate) fn changes(before: &[(u32, u32)], now: &[(u32, u32)]) -> Vec<(u32, u32, PairChange)> {
    let set = |pairs: &[(u32, u32)]| {
        pairs.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect::<std::collections::HashSet<_>>()
    };
    let (old, new) = (set(before), set(now));
    let was = |&(a, b): &(u32, u32)| old.contains(&(a.min(b), a.max(b)));
    let is = |&(a, b): &(u32, u32)| new.contains(&(a.min(b), a.max(b)));
    let gone = before.iter().filter(|pair| !is(pair)).map(|&(a, b)| (a, b, PairChange::Leave));
    let here = now.iter().map(|pair| (pair.0, pair.1, if was(pair) { PairChange::Stay } else { PairChange::Enter }));
    gone.chain(here).collect()
}

pub(crate) fn said(events: &[PairEvent<u32>]) -> Vec<(u32, u32, PairChange)> {
    events.iter().map(|event| (event.first, event.second, event.change)).collect()
}

/// Returns a multiple of a quarter, so that contacts are often exact.
pub(crate) fn quarters(random: &mut Random, size: f64) -> DVec3 {
    (random.cube() * size * 4.0).round() / 4.0
}

/// Returns a geometry of the library, and the same geometry as parts of the list.
pub(crate) fn geometry(random: &mut Random) -> (Geometry, Vec<Solid>) {
    let kind = random.below(16);
    match kind {
        0 => {
            let (axis, at) = (random.below(3), quarters(random, 2.0).x);
            let normal = Vec3::from_array(std::array::from_fn(|i| if i == axis { 1.0 } else { 0.0 }));
            let plane = Plane::new(normal * at as f32, normal).unwrap();
            (plane.into(), vec![Solid::Plane { axis, at }])
        }
        1..=4 => {
            let (low, high) = corners(random);
            let geometry: Geometry = if kind < 4 {
                Aabb::new(low.as_vec3(), high.as_vec3()).into()
            } else {
                let corner =
                    |i: usize| Vec3::from_array(std::array::from_fn(|axis| [low, high][i >> axis & 1][axis] as f32));
                ConvexHull::new(&(0..8).map(corner).collect::<Vec<_>>()).unwrap().into()
            };
            (geometry, vec![Solid::Box { low, high }])
        }
        5 | 6 => {
            // Two triangles form a rectangle, which is a flat box.
            let (low, high) = corners(random);
            let [a, b] = [low, high].map(|v| v.as_vec3());
            let square = [[a.x, a.y, a.z], [a.x, a.y, b.z], [b.x, a.y, b.z], [b.x, a.y, a.z]];
            (
                Mesh::new(&square, &[0, 1, 2, 0, 2, 3]).unwrap().into(),
                vec![Solid::Box { low, high: DVec3::new(high.x, low.y, high.z) }],
            )
        }
        7 => {
            let (low, high) = (DVec3::ZERO, DVec3::new(3.0, 0.0, 1.5));
            let field = HeightField::new(4, 4, [1.0, 0.5], &[0.0; 16]).unwrap();
            (field.into(), vec![Solid::Box { low, high }])
        }
        8 | 9 => {
            let (mut parts, mut solids) = (Vec::new(), Vec::new());
            for _ in 0..1 + random.below(4) {
                let (at, (geometry, solid)) = (quarters(random, 1.5), ball(random));
                parts.push((geometry, at.into()));
                solids.push(solid.moved(at));
            }
            (Compound::new(parts).unwrap().into(), solids)
        }
        _ => {
            let (geometry, solid) = ball(random);
            (geometry, vec![solid])
        }
    }
}

fn ball(random: &mut Random) -> (Geometry, Solid) {
    let (center, radius) = (quarters(random, 0.5), (1 + random.below(6)) as f64 / 4.0);
    (Sphere { center: center.as_vec3(), radius: radius as f32 }.into(), Solid::Ball { center, radius })
}

/// Returns the corners of a box with edges of at least a quarter.
fn corners(random: &mut Random) -> (DVec3, DVec3) {
    let low = quarters(random, 1.0);
    (low, low + DVec3::splat(0.25) + quarters(random, 1.0).abs())
}

/// Inserts an entity into the list and the scene.
pub(crate) fn insert(
    scene: &mut Scene<u32>,
    things: &mut BTreeMap<u32, Thing>,
    key: u32,
    thing: (Geometry, Vec<Solid>),
    place: DVec3,
    next_order: &mut u64,
) {
    scene.insert(key, thing.0, place).unwrap();
    let (order, layers) = match things.get(&key) {
        Some(old) => (old.order, old.layers),
        None => (*next_order, hitscan::Entity::DEFAULT_LAYERS),
    };
    *next_order += 1;
    things.insert(key, Thing { parts: thing.1, place, layers, order });
}
