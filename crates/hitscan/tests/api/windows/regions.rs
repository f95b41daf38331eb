//! Regions of the window, and their selections.

use super::{is_ordinary, picture};
use crate::world::{Choice, Key, World};
use hitscan::glam::Vec2;
use hitscan::select::{Region, RegionError, Rule, SelectedTriangle, Selector};
use std::collections::BTreeSet;

/// The largest number of samples of a visible selection in the test. With it, a query stays within the time limit of a call.
const MOST_SAMPLES: f32 = 1000.0;

pub(super) fn select(world: &mut World<'_>) {
    let Some((picture, cursor)) = picture(world) else { return };
    let Some(region) = region(world, cursor) else { return };
    let (choice, words) = world.choice();
    let selector = Selector::new(&picture.camera, picture.viewport, &region);
    let ids = entities(world, &selector, &choice, &words);
    let triangles = triangles(world, &selector, &choice, &words);
    let unseen = triangles.iter().find(|of| !ids.contains(&of.id));
    world.log.check(unseen.is_none(), "as entities", || format!("{unseen:?} {ids:?} in {region:?}"));
    elements(world, &selector, &choice);
    if is_ordinary(&picture) {
        inside(world, &selector, &choice, (&ids, &triangles));
    }
    visible(world, &selector, &choice, picture.viewport.size);
}

fn region(world: &mut World<'_>, cursor: Vec2) -> Option<Region> {
    let reach = world.numbers.pick(&[0.0, 2.0, 10.0, 1000.0]);
    let mut corner = || cursor + world.numbers.vec2() * reach;
    let [a, b] = [corner(), corner()];
    let corners: Vec<Vec2> = (0..9).map(|_| corner()).collect();
    let corners = &corners[..world.numbers.below(10)];
    let radius = world.numbers.size() * reach;
    let (region, is_sound, inside) = match world.numbers.below(3) {
        0 => {
            let region = world.log.call("Region::rect", &(a, b), || Region::rect(a, b));
            (region, a.is_finite() && b.is_finite(), vec![a, b])
        }
        1 => {
            let region = world.log.call("Region::circle", &(a, radius), || Region::circle(a, radius));
            (region, a.is_finite() && radius >= 0.0 && radius.is_finite(), vec![a])
        }
        _ => {
            let region = world.log.call("Region::lasso", &corners, || Region::lasso(corners));
            (region, corners.len() >= 3 && corners.iter().all(|corner| corner.is_finite()), corners.to_vec())
        }
    };
    world.log.check(region.is_ok() == is_sound, "taken if sound", || format!("{:?}", region.as_ref().err()));
    let region = region.ok()?;
    let outside = inside.iter().find(|&&corner| !region.contains(corner));
    world.log.check(outside.is_none(), "corners", || format!("{outside:?} {region:?}"));
    world.log.check(!region.contains(Vec2::NAN), "NaN is outside", || format!("{region:?}"));
    Some(region)
}

/// Checks the selected entities: each is in the scene, and none is selected twice.
fn entities(world: &mut World<'_>, selector: &Selector, choice: &Choice, words: &str) -> Vec<Key> {
    let view = choice.rays(&world.scene);
    let input = (selector, words);
    let ids = world.log.ask("Selector::entities", &input, || {
        let mut ids = vec![Key::MAX];
        selector.entities(view, &mut ids);
        ids
    });
    let once: BTreeSet<Key> = ids.iter().copied().collect();
    world.log.check(once.len() == ids.len(), "each once", || format!("{ids:?}"));
    let strange = ids.iter().find(|id| world.scene.get(id).is_none());
    world.log.check(strange.is_none(), "entity exists", || format!("{strange:?}"));
    ids
}

fn triangles(world: &mut World<'_>, selector: &Selector, choice: &Choice, words: &str) -> Vec<SelectedTriangle<Key>> {
    let view = choice.rays(&world.scene);
    let found = world.log.ask("Selector::triangles", &(selector, words), || {
        let mut triangles = Vec::new();
        selector.triangles(view, &mut triangles);
        triangles
    });
    let groups: Vec<Key> = found.chunk_by(|a, b| a.id == b.id).map(|group| group[0].id).collect();
    let once: BTreeSet<Key> = groups.iter().copied().collect();
    let in_order = |a: &SelectedTriangle<Key>, b: &SelectedTriangle<Key>| {
        a.id != b.id || (a.part, a.triangle) < (b.part, b.triangle)
    };
    let is_right = groups.len() == once.len() && found.is_sorted_by(in_order);
    world.log.check(is_right, "in order", || format!("{found:?}"));
    found
}

/// Checks that each vertex and edge that the stricter rule selects is also selected by touching.
fn elements(world: &mut World<'_>, selector: &Selector, choice: &Choice) {
    let view = choice.rays(&world.scene);
    let [touching, inside] = [Rule::Touching, Rule::Inside].map(|rule| {
        let selector = selector.clone().rule(rule);
        world.log.ask("Selector::vertices and edges", &selector, || {
            let (mut vertices, mut edges) = (Vec::new(), Vec::new());
            selector.vertices(view, &mut vertices);
            selector.edges(view, &mut edges);
            (vertices, edges)
        })
    });
    let is_right = inside.0.iter().all(|vertex| touching.0.contains(vertex))
        && inside.1.iter().all(|edge| touching.1.contains(edge))
        && touching.1.iter().all(|edge| edge.vertices[0] < edge.vertices[1]);
    world.log.check(is_right, "inside touches", || format!("{touching:?} {inside:?}"));
}

/// Checks that all entities and triangles that are wholly inside, and all triangles whose centre is inside, also touch
/// the region.
fn inside(
    world: &mut World<'_>,
    selector: &Selector,
    choice: &Choice,
    (ids, triangles): (&[Key], &[SelectedTriangle<Key>]),
) {
    let view = choice.rays(&world.scene);
    let [inside, center] = [Rule::Inside, Rule::Center].map(|rule| {
        let selector = selector.clone().rule(rule);
        world.log.ask("Selector by rule", &selector, || {
            let (mut ids, mut triangles) = (Vec::new(), Vec::new());
            selector.entities(view, &mut ids);
            selector.triangles(view, &mut triangles);
            (ids, triangles)
        })
    });
    let is_right = inside.0.iter().all(|id| ids.contains(id))
        && [&inside, &center].iter().all(|of| of.1.iter().all(|triangle| triangles.contains(triangle)));
    world.log.check(is_right, "inside touches", || format!("{ids:?} {triangles:?} {inside:?} {center:?}"));
}

/// Checks a visible selection of few samples, and that a selection of too many samples is refused.
fn visible(world: &mut World<'_>, selector: &Selector, choice: &Choice, size: Vec2) {
    let spacing = if world.numbers.one_in(3) { world.numbers.f32() } else { 1.0 };
    let made = world.log.call("Selector::visible", &(selector, spacing), || selector.clone().visible(spacing));
    let is_right = match &made {
        Ok(_) => spacing > 0.0 && spacing.is_finite(),
        Err(RegionError::Spacing { .. }) => !(spacing > 0.0 && spacing.is_finite()),
        Err(error) => matches!(error, RegionError::Samples { count } if !(*count <= (1u64 << 30) as f64)),
    };
    world.log.check(is_right, "spacing", || format!("{spacing}: {:?}", made.as_ref().err()));
    let Ok(visible) = made else { return };
    if !((size / spacing).element_product() <= MOST_SAMPLES) {
        return;
    }
    let view = choice.rays(&world.scene);
    let (ids, triangles) = world.log.ask_many("visible selection", &visible, || {
        let (mut ids, mut triangles) = (Vec::new(), Vec::new());
        visible.entities(view, &mut ids);
        visible.triangles(view, &mut triangles);
        (ids, triangles)
    });
    let unseen = triangles.iter().find(|of| !ids.contains(&of.id));
    world.log.check(unseen.is_none(), "as entities", || format!("{unseen:?} {ids:?}"));
}
