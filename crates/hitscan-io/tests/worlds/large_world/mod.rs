//! Picks far from the world's origin, and on a planet. With a query's origin near the camera, the right triangle is
//! picked, and the point is accurate to f32 there. The reference is a test of each triangle in f64 in the camera's own
//! space, which shares no code with the library.
//!

mod picks;
mod planet;
mod truth;
mod world;

use crate::common;
use hitscan::glam::DVec3;
use hitscan_io::Model;
use picks::Report;
use world::World;

/// The distance by which models are moved along each axis.
const FAR: f64 = 1e7;

fn picks() -> usize {
    hitscan_random::effort::size(1_000, 3_000, 100_000)
}

fn check(worlds: &[World]) {
    let reports: Vec<Report> = worlds.iter().map(|world| picks::sweep(world, picks())).collect();
    println!("{}", Report::HEAD);
    worlds.iter().zip(&reports).for_each(|(world, report)| println!("{report}  {}", world.name));
    assert!(reports.iter().all(|report| report.hits > report.picks / 2), "the picks say nothing");
    assert!(reports.iter().all(|report| report.wrong == 0), "wrong picks; the first ones are above");
}

#[test]
fn models_far_from_the_origin_are_picked_as_they_are() {
    let Some(models) = common::models() else { return };
    let files = ["scenes/tps-level-lights.glb", "scenes/truck-town.glb", "interiors/sponza.glb"];
    let world = |file: &str| {
        let model = Model::load(models.join(file)).unwrap_or_else(|error| panic!("{error}"));
        World::of_model(file, &model, DVec3::splat(FAR))
    };
    check(&files.map(world));
}

#[test]
fn small_things_on_a_planet_are_picked() {
    check(&[planet::world()]);
}
