//! Characters that walk at random through real levels and triangle soup. They never overlap a surface or pass through it, are never stuck if a direction is
//! free, and their positions are always finite. The referee is a brute force over triangles in f64, which shares no code with the library. The path is the same
//! to the bit on one thread and on two. Far from the origin, it is the same within rounding.

mod referee;
mod walk;
mod world;

use crate::common;
use hitscan::glam::DVec3;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use walk::{Faults, Place, STEPS, Walk};
use world::World;

/// The distance from the origin: 2^20 along each axis, which moves places of the world's grid without rounding.
const FAR: DVec3 = DVec3::splat(1_048_576.0);
/// This many faults are printed.
const TOLD: usize = 5;

/// Returns the paths of all walks on a number of threads, and their faults.
fn judged(world: &World, walks: &[Walk], threads: usize) -> (Vec<Vec<Place>>, Faults) {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started");
    pool.install(|| {
        let (scene, lowest) = (world.scene(DVec3::ZERO), world.low() - 3.0);
        let judge = |(number, walk): (usize, &Walk)| walk.judge(number as u64, world, &scene, lowest);
        let (paths, faults): (Vec<_>, Vec<_>) = walks.par_iter().enumerate().map(judge).unzip();
        (paths, faults.into_iter().fold(Faults::default(), Faults::add))
    })
}

/// The distances between paths near the origin and far from it.
struct Apart {
    /// The largest distance of each walk, in order.
    each: Vec<f64>,
    /// The steps at which a path forks. Before such a step, the positions are within the limit, and after it, they are a thousand limits apart.
    forks: usize,
}

impl Apart {
    const LIMIT: f64 = 1e-8;

    fn new(world: &World, walks: &[Walk], paths: &[Vec<Place>]) -> Self {
        let (scene, lowest) = (world.scene(FAR), world.low() - 3.0);
        let (mut each, mut forks) = (Vec::new(), 0);
        for (walk, path) in walks.iter().zip(paths) {
            let far = walk.run(&scene, FAR, lowest, |_, _, _, _| {});
            let apart = |(a, b): (&Place, &Place)| a.position.distance(b.position);
            let apart: Vec<f64> = far.iter().zip(path).map(apart).collect();
            let together = apart.iter().position(|apart| !(*apart <= Self::LIMIT));
            forks += usize::from(together.is_some_and(|first| !(apart[first] <= 1e3 * Self::LIMIT)));
            each.push(apart.into_iter().fold(0.0, f64::max));
        }
        each.sort_by(f64::total_cmp);
        Self { each, forks }
    }

    fn median(&self) -> f64 {
        self.each[self.each.len() / 2]
    }

    fn within(&self) -> usize {
        self.each.iter().filter(|apart| **apart <= Self::LIMIT).count()
    }
}

fn check(name: &str, world: &World) {
    let steps = hitscan_random::effort::size(500, 2_000, 100_000);
    let walks: Vec<Walk> = (0..steps.div_ceil(STEPS) as u64).map(|number| Walk::new(world, number)).collect();
    let (paths, faults) = judged(world, &walks, 2);
    let (alone, _) = judged(world, &walks, 1);
    let apart = Apart::new(world, &walks, &paths);
    let Faults { steps, grounded, touching, inside, through, stuck, nan, least_gap, told } = &faults;
    println!(
        "{name}: {steps} steps, {grounded} on the ground, {touching} touching; inside {inside}, through {through}, \
         stuck {stuck}, no number {nan}; least gap {:.6} of the skin; far away {} of {} walks within {:e}, median {:.1e}, {} forks",
        least_gap.unwrap_or(f64::NAN),
        apart.within(),
        walks.len(),
        Apart::LIMIT,
        apart.median(),
        apart.forks,
    );
    told.iter().take(TOLD).for_each(|fault| println!("  {fault}"));
    assert!(paths == alone, "{name}: paths that differ between one thread and two");
    assert_eq!(faults.count(), 0, "{name}: the first faults are above");
    assert!(least_gap.is_some_and(|gap| gap > 0.99), "{name}: the skin is not kept");
    assert!(*touching > steps / 4, "{name}: the walks say nothing");
    // The error of a capsule's position grows when the capsule rolls over an edge, so a few walks end farther apart.
    let missed = walks.len() - apart.within();
    assert!(apart.median() <= Apart::LIMIT / 10.0 && missed <= 1 + walks.len() / 50, "{name}: {:?}", apart.each);
    assert!(apart.forks <= 1 + steps / 50_000, "{name}: {} forks", apart.forks);
}

#[test]
fn a_stroll_through_a_town() {
    let Some(models) = common::models() else { return };
    check("truck town", &World::of_model(&models.join("scenes/truck-town.glb")));
}

#[test]
fn a_stroll_through_a_dungeon() {
    let Some(models) = common::models() else { return };
    check("dungeon", &World::of_model(&models.join("obj/dungeon.obj")));
}

#[test]
fn a_stroll_through_a_test_level() {
    let Some(models) = common::models() else { return };
    check("test level", &World::of_model(&models.join("obj/nav_test.obj")));
}

#[test]
fn a_stroll_through_soup() {
    check("soup", &World::soup());
}
