//! All questions about two entities, or about all pairs.

use crate::world::{Key, World};
use hitscan::pairs::{PairFilter, PairTest, PairTracker};
use hitscan::{Geometry, Shape};

pub(crate) fn two(world: &mut World<'_>) {
    let (a, b) = (world.present_key(), world.present_key());
    let scene = &world.scene;
    let input = (a, b, scene.get(&a), scene.get(&b));
    let distance = world.log.ask("pair_distance", &input, || scene.pair(&a, &b).distance());
    let touches = world.log.ask("pair_overlaps", &input, || scene.pair(&a, &b).overlaps());
    let deep = world.log.ask("pair_penetration", &input, || scene.pair(&a, &b).penetration());
    if let Some(distance) = &distance {
        world.log.sound(&distance.points_f64());
        let is_right = distance.distance >= 0.0 && distance.points_f64().iter().all(|point| point.is_finite());
        world.log.check(is_right, "distance and points", || format!("{distance:?}"));
        let is_right = !touches || distance.distance == 0.0;
        world.log.check(is_right, "as pair_overlaps", || format!("{touches} {distance:?}"));
    }
    // Two planes cannot be separated, nor can an entity be separated from itself.
    let has_plane = |key: &Key| scene.get(key).is_some_and(|entity| has_plane(entity.geometry()));
    let is_right = match a == b {
        true => deep.is_none() && touches == distance.is_some(),
        false => touches == deep.is_some() || has_plane(&a) && has_plane(&b),
    };
    world.log.check(is_right, "as pair_overlaps", || format!("{touches} {deep:?} {distance:?}"));
    let all = world.log.ask("pair_penetration_all", &input, || {
        let mut all = Vec::new();
        scene.pair(&a, &b).penetration_all(&mut all);
        all
    });
    let is_sorted = all.is_sorted_by(|a, b| a.depth >= b.depth);
    world
        .log
        .check(is_sorted && all.is_empty() == deep.is_none(), "as pair_penetration", || format!("{deep:?} {all:?}"));
    for penetration in &all {
        world.log.sound(&(penetration.separation(), penetration.points_f64()));
        let is_right = penetration.depth >= 0.0 && (penetration.normal.length() - 1.0).abs() < 1e-5;
        world.log.check(is_right, "depth and normal", || format!("{penetration:?}"));
    }
    if let Some(deep) = &deep {
        world.log.sound(&(deep.separation(), deep.points_f64()));
        let is_right = deep.depth >= 0.0 && (deep.normal.length() - 1.0).abs() < 1e-5;
        world.log.check(is_right, "depth and normal", || format!("{deep:?}"));
    }
}

fn has_plane(geometry: &Geometry) -> bool {
    match geometry {
        Geometry::Shape(shape) => matches!(shape, Shape::Plane(_)),
        Geometry::Compound(compound) => compound.iter().any(|(part, _)| has_plane(&part)),
        _ => false,
    }
}

pub(crate) fn all(world: &mut World<'_>) {
    let layers = [1, u32::MAX, 2, 3];
    let (one, other) = (world.numbers.pick(&layers), world.numbers.pick(&layers));
    let test = world.numbers.pick(&[PairTest::Shapes, PairTest::Boxes]);
    let filter = PairFilter::new().layers(one, other).test(test);
    let scene = &world.scene;
    let pairs = world.log.ask("overlap_pairs", &(one, other, test), || {
        let mut pairs: Vec<(Key, Key)> = Vec::new();
        scene.overlap_pairs(&filter, &mut pairs);
        pairs
    });
    let mut sorted: Vec<(Key, Key)> = pairs.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
    sorted.sort_unstable();
    sorted.dedup();
    world.log.check(sorted.len() == pairs.len(), "each once", || format!("{pairs:?}"));
    if test == PairTest::Shapes {
        let apart = pairs.iter().find(|(a, b)| !scene.pair(a, b).overlaps());
        world.log.check(apart.is_none(), "as pair_overlaps", || format!("{apart:?}"));
    }
}

pub(crate) fn track(world: &mut World<'_>) {
    if world.numbers.one_in(8) {
        world.tracker = PairTracker::with(PairFilter::new().test(PairTest::Boxes));
    }
    let scene = &world.scene;
    let events = world
        .log
        .change("PairTracker::update", &scene.len(), &mut world.tracker, |tracker| tracker.update(scene).len());
    let count = world.tracker.pairs().len();
    let is_right = world.tracker.events().len() == events && count <= events;
    world.log.check(is_right, "count", || format!("{events} events, {count} pairs"));
}
