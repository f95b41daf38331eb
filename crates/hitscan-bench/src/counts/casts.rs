//! The rays that are counted, and their scenes.

use crate::contenders::{Calls, Contender, Hitscan, Tree, Workers, surface};
use crate::measure::{Answers, ask};
use crate::rays::{Choice, Question, RaySet, Rays};
use crate::scenes::{COUNTED as SCENES, Content, Scene};
use anyhow::{Context, Result};
use hitscan::Quality;
use hitscan::mesh::Layout;
use std::hint::black_box;

const CHOICE: Choice = Choice { side: 32, seed: Choice::SEED };
/// The number of rays in each set.
pub(super) const RAYS: usize = CHOICE.side as usize * CHOICE.side as usize;

/// Returns the names of the sets in the order in which they are cast.
pub(super) fn names() -> Vec<String> {
    let of_scene = |scene: &'static str| {
        CALLS.into_iter().flat_map(move |calls| sets(calls).map(move |set| name(scene, set, calls)))
    };
    SCENES.iter().flat_map(|scene| of_scene(scene.name)).collect()
}

const CALLS: [Calls; 3] = [Calls::OneByOne, Calls::Batch, Calls::Columns];

/// Returns the sets that are cast in this form. Only sets that ask for hits are cast in columns.
fn sets(calls: Calls) -> impl Iterator<Item = RaySet> {
    RaySet::ALL.into_iter().filter(move |set| calls != Calls::Columns || set.question() == Question::Closest)
}

fn name(scene: &str, set: RaySet, calls: Calls) -> String {
    let calls = match calls {
        Calls::OneByOne => "",
        Calls::Batch => ", in a batch",
        Calls::Columns => ", in columns",
    };
    format!("{scene}, {}{calls}", set.name())
}

pub(super) fn cast_all() -> Result<()> {
    let workers = Workers::new(1)?;
    // Only the instructions of the function's own thread are counted, and a thread of the pool casts the batches.
    workers.pool.install(|| {
        SCENES.iter().try_for_each(|entry| {
            let scene = (entry.load)()?;
            CALLS.into_iter().try_for_each(|calls| cast(&scene, calls, &workers))
        })
    })
}

fn cast(scene: &Scene, calls: Calls, workers: &Workers) -> Result<()> {
    let rays = Rays::new(scene.view, scene.bounds(), CHOICE, surface(scene)?);
    let hitscan = Hitscan { quality: Quality::Balanced, layout: Layout::Packed, calls };
    match &scene.content {
        Content::Mesh(soup) => cast_at(&*hitscan.build(soup, workers)?, workers, &rays, calls),
        Content::Instances(instances) => {
            let world = hitscan.world(instances, workers)?.context("hitscan has instances")?;
            cast_at(&*world, workers, &rays, calls);
        }
    }
    Ok(())
}

fn cast_at(tree: &dyn Tree, workers: &Workers, rays: &Rays, calls: Calls) {
    for set in sets(calls) {
        let rays = rays.of(set);
        let mut answers = Answers::new(set.question(), rays.len());
        counted(&mut || {
            ask(tree, workers, &rays, &mut answers);
        });
        black_box(&answers);
    }
}

/// The full name of [`counted`].
pub(super) const COUNTED: &str = concat!(module_path!(), "::counted");

/// Runs a closure, and only the instructions of this closure are counted. Callgrind finds this function by its name.
#[inline(never)]
pub(super) fn counted(work: &mut dyn FnMut()) {
    work();
    // A call in tail position would become a jump, which would leave this function before the work.
    black_box(());
}
