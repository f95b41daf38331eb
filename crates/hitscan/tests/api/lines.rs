//! Debug lines of questions and answers.

use crate::world::World;
use hitscan::debug::{self, DebugLine};
use hitscan::glam::{DVec3, Vec3};
use hitscan::{ProximityQueries, RayQueries, SweepQueries, Trajectory, Volume};

/// Checks that the lines of finite answers are finite.
fn check(world: &mut World<'_>, lines: &[DebugLine]) {
    world.log.sound(&lines);
}

pub(crate) fn rays(world: &mut World<'_>) {
    let (ray, reach) = (world.ray(), world.numbers.size());
    let hit = world.scene.cast(&ray);
    let lines = world.log.call("debug::ray", &(ray, reach), || debug::ray(&ray, hit.as_ref(), reach));
    if ray.validate().is_ok() && reach.is_finite() {
        check(world, &lines);
    }
    if let Some(hit) = &hit {
        let scene = &world.scene;
        let lines = world.log.call("debug::hit", hit, || [debug::hit(hit, 1.0), debug::triangle(scene, hit)].concat());
        check(world, &lines);
    }
    let points: Vec<Vec3> = (0..world.numbers.below(5)).map(|_| world.point().as_vec3()).collect();
    let path = world.scene.cast_path(&points);
    world.log.call("debug::path", &points, || debug::path(&points, path.as_ref()));
    let arc = Trajectory::new(world.point().as_vec3(), world.numbers.vec3(), world.numbers.vec3()).with_range(0.0, 1.0);
    if arc.validate(0.1).is_ok() && arc.points(0.1).take(300).count() < 300 {
        let met = world.scene.cast_trajectory(&arc, 0.1);
        world.log.call("debug::trajectory", &arc, || debug::trajectory(&arc, 0.1, met.as_ref()));
    }
    let seen = vec![true; points.len() / 2];
    world.log.call("debug::sight", &points, || debug::sight(Vec3::ZERO, &points, &seen));
}

pub(crate) fn volumes(world: &mut World<'_>) {
    let at = world.point();
    let (volume, pose, motion): (Volume, _, _) =
        (world.numbers.volume(), world.numbers.pose(at), world.numbers.dvec3());
    world.log.call("debug::volume", &(&volume, pose), || debug::volume(&volume, pose));
    let hit = world.scene.sweep(&volume, pose, motion);
    world.log.call("debug::sweep", &(&volume, pose), || debug::sweep(&volume, pose, motion, hit.as_ref()));
    if let Some(hit) = &hit {
        let lines = world.log.call("debug::contact", hit, || debug::contact(hit, 1.0));
        check(world, &lines);
    }
    if let Some(nearest) = world.scene.closest_point(at) {
        let lines = world.log.call("debug::closest", &nearest, || debug::closest(at.as_vec3(), &nearest));
        check(world, &lines);
    }
    if let Some(deepest) = world.scene.penetration(&volume, pose) {
        let lines = world.log.call("debug::penetration", &deepest, || debug::penetration(&deepest));
        check(world, &lines);
    }
    let (a, b) = (world.present_key(), world.present_key());
    if let Some(distance) = world.scene.pair(&a, &b).distance() {
        let lines = world.log.call("debug::distance", &distance, || debug::distance(&distance));
        check(world, &lines);
    }
}

pub(crate) fn trees(world: &mut World<'_>) {
    let (key, deepest) = (world.present_key(), world.numbers.index(9));
    let origin: DVec3 = world.numbers.dvec3();
    let bounds = world.numbers.aabb();
    let scene = &world.scene;
    world.log.call("debug::scene_tree", &(deepest, origin), || debug::scene_tree(scene, deepest, origin));
    let scene = &world.scene;
    world.log.call("debug::entity", &(key, origin), || debug::entity(scene, &key, origin));
    world.log.call("debug::bounds", &bounds, || debug::bounds(&bounds));
    if let Some(mesh) = world.numbers.mesh() {
        world.log.call("debug::mesh_tree", &(&mesh, deepest), || debug::mesh_tree(&mesh, deepest));
    }
    let (from, motion) = (world.point().as_vec3(), world.numbers.vec3());
    let moved = world.scene.move_point(from, motion, 0.0);
    world.log.call("debug::motion", &(from, motion), || debug::motion(from, &moved, 1.0));
    if let Some(ground) = world.scene.ground_below(from, motion, 10.0) {
        world.log.call("debug::ground", &ground, || debug::ground(from, &ground, 1.0));
    }
    let scene = &world.scene;
    let stats = world.log.call("tree_stats", &(), || hitscan::mesh::TreeStats::of(scene));
    world.log.sound(&(stats.leaves, stats.expected_visits, scene.bounds()));
}
