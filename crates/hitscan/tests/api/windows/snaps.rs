//! Points near a cursor.

use super::{is_ordinary, picture};
use crate::numbers::Mood;
use crate::world::{Choice, Key, World};
use hitscan::CutOuts;
use hitscan::drag::Picture;
use hitscan::glam::Vec2;
use hitscan::snap::{Cursor, Hidden, Snap, SnapKind};

/// The relative error of a pixel's coordinates, and the absolute error in pixels, that rounding may cause.
const ROUNDING: (f32, f32) = (1e-5, 1e-3);

pub(super) fn snap(world: &mut World<'_>) {
    let Some((picture, at)) = picture(world) else { return };
    let radius =
        if world.numbers.one_in(4) { world.numbers.f32() } else { world.numbers.pick(&[0.0, 5.0, 12.0, 40.0]) };
    let mut cursor = Cursor::new(&picture.camera, picture.viewport, at, radius);
    cursor = cursor.cut_outs(world.numbers.pick(&[CutOuts::Open, CutOuts::Solid]));
    let tolerance = world.numbers.one_in(4).then(|| world.numbers.f64());
    cursor = tolerance.map_or(cursor, |tolerance| cursor.depth_tolerance(tolerance));
    if world.numbers.one_in(2) {
        cursor = cursor.from_start(world.point());
    }
    let kinds: Vec<SnapKind> = match world.numbers.below(3) {
        0 => SnapKind::ALL.to_vec(),
        _ => (0..world.numbers.below(4)).map(|_| world.numbers.pick(&SnapKind::ALL)).collect(),
    };
    let choice = world.choice();
    let seen = find(world, &cursor, &choice, &kinds);
    let all = find(world, &cursor.hidden(Hidden::Keep), &choice, &kinds);
    let is_vertex = |snap: &&Snap<Key>| snap.kind == SnapKind::Vertex;
    let lost = seen.iter().filter(is_vertex).find(|snap| !all.contains(snap));
    world.log.check(lost.is_none(), "among all", || format!("{lost:?} {all:?}"));
    let order = |snap: &Snap<Key>| (snap.kind, f64::from(snap.distance));
    let is_right = tolerance.is_some() || all.is_sorted_by(|a, b| order(a) <= order(b));
    world.log.check(is_right, "in order", || format!("{all:?}"));
    for snap in &all {
        check(world, snap, &kinds, (&picture, at, radius));
    }
}

/// Queries all points, of which the nearest is the first.
fn find(
    world: &mut World<'_>,
    cursor: &Cursor,
    (choice, words): &(Choice, String),
    kinds: &[SnapKind],
) -> Vec<Snap<Key>> {
    let view = choice.view(&world.scene);
    let input = (cursor, kinds, words);
    // Many rays test whether edges are hidden.
    let nearest = world.log.ask_many("Cursor::nearest", &input, || cursor.nearest(view, kinds));
    let all = world.log.ask_many("Cursor::all", &input, || {
        let mut snaps = Vec::new();
        cursor.all(view, kinds, &mut snaps);
        snaps
    });
    world.log.check(all.first() == nearest.as_ref(), "as nearest", || format!("{nearest:?} {:?}", all.first()));
    let repeated = (1..all.len()).find(|&i| all[i].kind != SnapKind::Face && all[..i].contains(&all[i]));
    world.log.check(repeated.is_none(), "each once", || format!("{:?}", repeated.map(|i| &all[i])));
    all
}

/// Checks that a point is of a requested kind, and at the stated position.
fn check(world: &mut World<'_>, snap: &Snap<Key>, kinds: &[SnapKind], (picture, at, radius): (&Picture, Vec2, f32)) {
    let is_finite = snap.point.is_finite() && snap.pixel.is_finite() && snap.depth.is_finite();
    world.log.check(is_finite, "finite", || format!("{snap:?}"));
    let is_right = kinds.contains(&snap.kind) && (0.0..=radius).contains(&snap.distance);
    world.log.check(is_right, "kind and distance", || format!("{snap:?}, {radius}"));
    let (is_axis, is_crossing) = (snap.kind == SnapKind::Axis, snap.kind == SnapKind::Crossing);
    let is_right = snap.target.is_none() == is_axis
        && snap.axis.is_some() == is_axis
        && snap.crossed.is_some() == is_crossing
        && snap.target.iter().chain(&snap.crossed).all(|of| world.scene.get(&of.id).is_some());
    world.log.check(is_right, "target", || format!("{snap:?}"));
    let slack = |pixel: Vec2| ROUNDING.0 * (pixel.abs() + at.abs()).max_element() + ROUNDING.1;
    // The square of a distance may be beyond f32.
    let off = (snap.pixel.as_dvec2().distance(at.as_dvec2()) - f64::from(snap.distance)).abs();
    world.log.check(off <= slack(snap.pixel).into(), "pixels from the cursor", || format!("{snap:?} {at}"));
    // If numbers are ordinary, the camera projects the point to the pixel of the snap, unless the point is in the eye.
    let shown = picture.camera.project(snap.point, picture.viewport);
    let is_right = world.numbers.mood != Mood::Tame
        || !is_ordinary(picture)
        || snap.depth.abs() < 1e-6
        || shown.is_some_and(|shown| shown.pixel.distance(snap.pixel) <= slack(snap.pixel) + 0.01);
    world.log.check(is_right, "as project", || format!("{snap:?} {shown:?}"));
}
