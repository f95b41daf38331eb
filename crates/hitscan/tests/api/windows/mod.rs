//! The questions of programs with a window: regions, snaps, pointers, drags and handles, with any numbers.

mod drags;
mod handles;
mod pointers;
mod regions;
mod snaps;
mod wires;

use crate::camera::camera;
use crate::world::World;
use hitscan::drag::Picture;
use hitscan::glam::{DVec3, Vec2};
use hitscan::{Camera, Viewport};

pub(crate) use pointers::PressBook;

/// Calls one of these functions, chosen at random.
pub(crate) fn ask(world: &mut World<'_>) {
    match world.numbers.below(10) {
        0 => wires::build(world),
        1 | 2 => regions::select(world),
        3 | 4 => snaps::snap(world),
        5 | 6 => pointers::follow(world),
        7 => drags::paths(world),
        8 => drags::turns(world),
        _ => handles::drag(world),
    }
}

/// Returns a picture that often shows an entity, and a cursor that is often on an entity.
fn picture(world: &mut World<'_>) -> Option<(Picture, Vec2)> {
    let camera = if world.numbers.one_in(3) { camera(world)? } else { aimed(world)? };
    let picture = Picture::new(camera, viewport(world));
    Some((picture, cursor(world, &picture)))
}

/// Returns a camera in front of a point of the scene, with ordinary numbers if the numbers of the seed are ordinary.
fn aimed(world: &mut World<'_>) -> Option<Camera> {
    let target = world.point();
    let away = DVec3::new(world.numbers.f64(), world.numbers.f64(), 4.0 + world.numbers.f64());
    let up = world.numbers.pick(&[DVec3::Y, DVec3::Y, DVec3::Z, DVec3::ONE]);
    let transform = Camera::look_at(target + away, target, up).ok()?;
    let camera = match world.numbers.below(2) {
        0 => Camera::perspective(transform, 1.0),
        _ => Camera::orthographic(transform, world.numbers.pick(&[2.0, 4.0, 8.0])),
    };
    let camera = camera.ok()?;
    if world.numbers.one_in(4) { camera.with_clip(0.5, world.numbers.f64().abs()).ok() } else { Some(camera) }
}

/// Returns whether pixels and entities are of similar size, and pixels differ in f32. A pixel that is so wide that the world is below its f64 precision shows
/// everything in one place. A pixel that is narrower than the precision of f32 shows nothing.
fn is_ordinary(picture: &Picture) -> bool {
    let pixel = picture.pixel_size(DVec3::ZERO).unwrap_or(f64::NAN);
    let viewport = picture.viewport;
    (1e-4..1e8).contains(&pixel)
        && picture.camera.position().abs().max_element() < 1e8
        && (viewport.origin.abs() + viewport.size).max_element() < 1e5
}

fn viewport(world: &mut World<'_>) -> Viewport {
    let numbers = &mut world.numbers;
    match numbers.below(6) {
        0 => Viewport::new(numbers.size() * 100.0, numbers.size() * 100.0),
        1 => Viewport { origin: numbers.vec2() * 10.0, size: Vec2::new(32.0, 24.0) },
        2 | 3 => Viewport::new(1280.0, 720.0),
        _ => Viewport::new(32.0, 24.0),
    }
}

/// Returns a pixel: near the picture of a point of the scene, or anywhere.
fn cursor(world: &mut World<'_>, picture: &Picture) -> Vec2 {
    let point = world.point();
    let beside = if world.numbers.one_in(2) { Vec2::ZERO } else { world.numbers.vec2() * 4.0 };
    match picture.camera.project(point, picture.viewport).filter(|_| !world.numbers.one_in(4)) {
        Some(shown) => shown.pixel + beside,
        None => picture.viewport.origin + picture.viewport.size * 0.5 + beside * 10.0,
    }
}
