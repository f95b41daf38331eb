//! Cameras: rays under a cursor, and places on the screen.

use crate::world::World;
use hitscan::glam::{DMat4, DVec3, Vec2};
use hitscan::{Camera, RayQueries, Viewport};

/// Returns a camera that its constructor accepts; its origin may be anywhere.
pub(crate) fn camera(world: &mut World<'_>) -> Option<Camera> {
    let numbers = &mut world.numbers;
    let (eye, target, up) = (numbers.dvec3(), numbers.dvec3(), numbers.dvec3());
    let transform = match numbers.below(2) {
        0 => Camera::look_at(eye, target, up).ok()?,
        _ => numbers.affine(),
    };
    let camera = match numbers.below(3) {
        0 => Camera::perspective(transform, numbers.f64().abs()),
        1 => Camera::orthographic(transform, numbers.f64().abs()),
        _ => {
            let projection = DMat4::from_cols_array(&[(); 16].map(|()| numbers.f64()));
            Camera::from_matrices(DMat4::from(transform), projection)
        }
    };
    let camera = camera.ok()?;
    Some(match numbers.below(5) {
        0 => camera.with_aspect(numbers.f64().abs()).ok()?,
        1 => camera.with_clip(numbers.f64().abs(), numbers.f64().abs()).ok()?,
        2 => camera.with_clip_y_down(),
        3 => camera.relative_to(numbers.dvec3()),
        _ => camera,
    })
}

pub(crate) fn pick(world: &mut World<'_>) {
    let Some(camera) = camera(world) else { return };
    let viewport: Viewport = match world.numbers.below(2) {
        0 => Viewport::new(world.numbers.size(), world.numbers.size()),
        _ => [1280.0, 720.0].into(),
    };
    let cursor: Vec2 = world.numbers.vec2() * 100.0;
    let point = world.point();
    for camera in [camera.with_view_left_handed(), camera] {
        look(world, camera, viewport, (cursor, point));
    }
}

fn look(world: &mut World<'_>, camera: Camera, viewport: Viewport, (cursor, point): (Vec2, DVec3)) {
    let ray = world.log.call("Camera::ray", &(camera, cursor), || camera.ray(cursor, viewport));
    let is_usable = ray.validate().is_ok();
    if is_usable {
        world.log.sound(&ray);
        let scene = &world.scene;
        let hit = world.log.ask("cast", &ray, || scene.cast(&ray));
        world.hit = hit.or(world.hit);
    }
    let projected = world.log.ask("Camera::project", &(camera, point), || camera.project(point, viewport));
    let is_finite = projected.as_ref().is_none_or(|at| at.pixel.is_finite() && at.depth.is_finite());
    world.log.check(is_finite, "finite", || format!("{projected:?}"));
    let position = world.log.call("Camera::position", &camera, || camera.position());
    // A camera relative to an origin that is not finite is nowhere: its rays hit nothing.
    world.log.check(position.is_finite() || !is_usable, "position", || format!("{position}"));
    world.log.ask("Camera", &camera, || (camera.forward(), viewport.contains(Vec2::ZERO)));
}
