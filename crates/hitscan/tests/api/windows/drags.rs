//! Drags on paths, around axes and over surfaces, which are bounded at every angle.

use super::{cursor, picture};
use crate::numbers::Mood;
use crate::world::World;
use hitscan::RayQueries;
use hitscan::drag::{Drag, DragPath, MAX_GAIN, MAX_TURN_GAIN, Picture, TurnDrag, snap, snap_point, surface_point};
use hitscan::glam::{DVec3, Vec2};

/// The largest relative error by which rounding may move the point of a drag.
const ROUNDING: f64 = 1e-9;

fn path(world: &mut World<'_>) -> DragPath {
    let point = world.point();
    match world.numbers.below(3) {
        0 => DragPath::Plane { point, normal: world.numbers.dvec3() },
        1 => DragPath::Axis { point, direction: world.numbers.dvec3() },
        _ => DragPath::Screen { point },
    }
}

fn point_of(path: &DragPath) -> DVec3 {
    match *path {
        DragPath::Plane { point, .. } | DragPath::Axis { point, .. } | DragPath::Screen { point } => point,
    }
}

/// Drags along a path from one cursor to another.
pub(super) fn paths(world: &mut World<'_>) {
    let Some((picture, from)) = picture(world) else { return };
    let to = if world.numbers.one_in(2) { from + world.numbers.vec2() } else { cursor(world, &picture) };
    let path = path(world);
    let input = (path, picture, from, to);
    let [a, b] = [from, to].map(|at| world.log.ask("DragPath::point_at", &input, || path.point_at(&picture, at)));
    let is_finite = a.iter().chain(&b).all(|point| point.is_finite());
    world.log.check(is_finite, "finite", || format!("{a:?} {b:?}"));
    if let (Some(a), Some(b)) = (a, b) {
        check_way(world, &path, &picture, (from, to), (a, b));
    }
    let moved = world.log.ask("Drag::translation", &input, || {
        let drag = Drag::start(path, &picture, from)?;
        Some((drag.translation(&picture, from), drag.translation(&picture, to)))
    });
    let is_right = moved.is_some() == a.is_some()
        && moved.is_none_or(|(none, some)| none == Some(DVec3::ZERO) && (b.is_some() || some.is_none()));
    world.log.check(is_right, "from the start", || format!("{a:?} {b:?} {moved:?}"));
    on_surface(world, &path, &picture, from);
    steps(world);
}

/// Checks that a point stays on its path, and moves no farther than the bound.
fn check_way(
    world: &mut World<'_>,
    path: &DragPath,
    picture: &Picture,
    (from, to): (Vec2, Vec2),
    (a, b): (DVec3, DVec3),
) {
    let point = point_of(path);
    let size = (point.abs() + a.abs() + b.abs() + picture.camera.position().abs()).max_element();
    let off = match *path {
        DragPath::Plane { normal, .. } => (a - point).dot(normal.normalize()).abs(),
        DragPath::Axis { direction, .. } => (a - point).cross(direction.normalize()).length(),
        DragPath::Screen { .. } => 0.0,
    };
    // If the length of the direction overflows f64, the distance is not finite, and is not checked.
    let is_right = !off.is_finite() || off <= ROUNDING * size;
    world.log.check(is_right, "on its path", || format!("{a} is {off} off {path:?}"));
    let Some(pixel) = picture.pixel_size(point) else { return };
    let most = MAX_GAIN * pixel * to.as_dvec2().distance(from.as_dvec2());
    let moved = a.distance(b);
    // The bound does not apply if the motion is not finite, or if the product is NaN.
    let is_right = !moved.is_finite() || most.is_nan() || moved <= most * (1.0 + 1e-6) + ROUNDING * size;
    world.log.check(is_right, "bounded", || {
        format!("{moved:e} of {most:e}, {pixel:e}: {path:?} {picture:?} {from:?} {to:?}")
    });
}

fn on_surface(world: &mut World<'_>, path: &DragPath, picture: &Picture, at: Vec2) {
    let (choice, words) = world.choice();
    let view = choice.rays(&world.scene);
    let input = (path, picture, at, &words);
    let found = world.log.ask("surface_point", &input, || surface_point(view, picture, at, path));
    let on_path = path.point_at(picture, at);
    world.log.check(found.is_some() == on_path.is_some(), "as the path", || format!("{found:?} {on_path:?}"));
    let Some(found) = found else { return };
    let hit = view.cast(&picture.camera.ray(at, picture.viewport));
    let is_right = match &found.hit {
        Some(_) => found.hit == hit && found.normal().is_some_and(|normal| (normal.length() - 1.0).abs() < 1e-5),
        None => Some(found.point) == on_path,
    };
    world.log.check(is_right, "as cast", || format!("{found:?} {hit:?} {on_path:?}"));
}

/// Snaps a number to steps.
fn steps(world: &mut World<'_>) {
    let (value, step, point) = (world.numbers.f64(), world.numbers.f64(), world.numbers.dvec3());
    let snapped = world.log.call("snap", &(value, step), || (snap(value, step), snap_point(point, step)));
    let is_right = !value.is_finite()
        || snapped.0.is_finite()
            && (!(step > 0.0) || (snapped.0 - value).abs() <= step * 0.5 * (1.0 + 1e-9) + value.abs() * 1e-15);
    world.log.check(is_right, "nearest", || format!("{value} {step} {snapped:?}"));
}

/// Turns around an axis from one cursor to another.
pub(super) fn turns(world: &mut World<'_>) {
    let Some((picture, mut from)) = picture(world) else { return };
    let (center, axis, radius) = (world.point(), world.numbers.dvec3(), world.numbers.f64());
    let input = (center, axis, radius, picture, from);
    let is_in_picture = world.numbers.one_in(3);
    let drag = world.log.ask("TurnDrag::start", &input, || match is_in_picture {
        true => TurnDrag::start_in_picture(center, radius, &picture, from),
        false => TurnDrag::start(center, axis, radius, &picture, from),
    });
    let is_plain = world.numbers.mood == Mood::Tame && radius > 0.0 && (is_in_picture || axis != DVec3::ZERO);
    let is_usable = picture.pixel_size(center).is_some() && from.is_finite();
    world.log.check(drag.is_some() || !is_plain || !is_usable, "taken", || format!("{input:?}"));
    let Some(mut drag) = drag else { return };
    for _ in 0..4 {
        let to = cursor(world, &picture);
        let before = drag.angle();
        let angle = world.log.change("TurnDrag::advance", &(&input, to), &mut drag, |drag| drag.advance(&picture, to));
        world.log.check(angle.is_finite() && angle == drag.angle(), "finite", || format!("{angle}"));
        let Some(pixel) = picture.pixel_size(center).filter(|_| to.is_finite()) else { continue };
        let most = MAX_TURN_GAIN * pixel * to.as_dvec2().distance(from.as_dvec2()) / radius;
        let size = (center.abs() + picture.camera.position().abs()).max_element();
        let rounding = ROUNDING * (1.0 + before.abs() + angle.abs() + size / radius);
        let is_right = most.is_nan() || (angle - before).abs() <= most * (1.0 + 1e-6) + rounding;
        world.log.check(is_right, "bounded", || format!("{before} to {angle}, at most {most}: {drag:?} {from} {to}"));
        from = to;
    }
}
