//! All contenders give the same answers. The rays are random, because only hitscan guarantees the answers at edges.

use super::*;
use crate::measure::{Answers, Differences, ask};
use crate::rays::{Choice, RaySet, Rays};
use crate::scenes::{Moving, Paths, SCENES, Scene};
use ::hitscan::Ray;

const FEW: Choice = Choice { side: 32, seed: Choice::SEED };

fn scene(name: &str) -> Scene {
    let entry = SCENES.iter().find(|entry| entry.name == name).unwrap();
    (entry.load)().unwrap()
}

fn contenders() -> Vec<Box<dyn Contender>> {
    let library = find_library(None);
    if library.is_none() {
        println!("skipped: Embree, as there is no library (`cargo xtask bench` brings it, or set EMBREE_LIB)");
    }
    all(library.as_deref()).unwrap()
}

/// Returns the answers, and checks that one thread and two threads give the same.
fn answers(tree: &dyn Tree, set: RaySet, rays: &[Ray]) -> Answers {
    let mut answers = Answers::new(set.question(), rays.len());
    ask(tree, &Workers::new(1).unwrap(), rays, &mut answers);
    if tree.shared().is_some() {
        let mut by_two = Answers::new(set.question(), rays.len());
        ask(tree, &Workers::new(2).unwrap(), rays, &mut by_two);
        assert_eq!(by_two, answers);
    }
    answers
}

fn hits(answers: &Answers) -> usize {
    match answers {
        Answers::Closest(hits) => hits.iter().flatten().count(),
        Answers::Any(blocked) => blocked.iter().filter(|&&blocked| blocked).count(),
    }
}

fn one_by_one() -> hitscan::Hitscan {
    hitscan::Hitscan { quality: Quality::Balanced, layout: Layout::Packed, calls: hitscan::Calls::OneByOne }
}

#[test]
fn all_agree_on_a_room() {
    let scene = scene("room");
    let crate::scenes::Content::Mesh(soup) = &scene.content else { panic!("a room is one mesh") };
    let rays = Rays::new(scene.view, soup.bounds(), FEW, surface(&scene).unwrap());
    let workers = Workers::new(2).unwrap();
    let own = one_by_one().build(soup, &workers).unwrap();
    for contender in contenders() {
        let tree = match contender.build(soup, &workers) {
            Ok(tree) => tree,
            Err(error) => {
                println!("skipped: {}: {error}", contender.name());
                continue;
            }
        };
        for set in RaySet::ALL {
            let rays = rays.of(set);
            let expected = answers(&*own, set, &rays);
            let found = answers(&*tree, set, &rays);
            assert!((10..rays.len()).contains(&hits(&expected)) || set != RaySet::Random);
            // Contenders in f32 may lose a ray at an edge.
            let Differences { verdicts, distances } = found.differences(&expected);
            assert!(
                verdicts + distances <= rays.len() / 300,
                "{}, {}: {verdicts}, {distances}",
                contender.name(),
                set.name()
            );
        }
    }
}

#[test]
fn refitted_trees_answer_for_the_new_positions() {
    let scene = scene("room");
    let crate::scenes::Content::Mesh(soup) = &scene.content else { panic!("a room is one mesh") };
    let rays = Rays::new(scene.view, soup.bounds(), FEW, surface(&scene).unwrap()).of(RaySet::Random);
    let workers = Workers::new(1).unwrap();
    let mut moved = soup.clone();
    moved.positions.iter_mut().for_each(|[x, y, z]| (*x, *y, *z) = (*x * 0.5, *y * 0.75, *z + 0.25));
    let built = one_by_one().build(&moved, &workers).unwrap();
    let expected = answers(&*built, RaySet::Random, &rays);
    for contender in contenders() {
        let Some(mut tree) = contender.refittable(soup, &workers).unwrap() else { continue };
        let before = answers(&*tree, RaySet::Random, &rays);
        assert!(before.differences(&expected).distances > 100, "{}: nothing moved", contender.name());
        tree.refit(&moved.positions);
        let Differences { verdicts, distances } = answers(&*tree, RaySet::Random, &rays).differences(&expected);
        assert!(verdicts + distances <= rays.len() / 300, "{}: {verdicts}, {distances}", contender.name());
    }
}

#[test]
fn all_agree_on_instances_before_and_after_they_move() {
    let scene = scene("instances");
    let crate::scenes::Content::Instances(instances) = &scene.content else { panic!("instances are instances") };
    let rays = Rays::new(scene.view, instances.bounds(), FEW, surface(&scene).unwrap()).of(RaySet::Random);
    let workers = Workers::new(1).unwrap();
    let mut own = one_by_one().world(instances, &workers).unwrap().unwrap();
    for contender in contenders() {
        let Some(mut world) = contender.world(instances, &workers).unwrap() else { continue };
        for frame in [0, 1] {
            let moves = instances.moved(frame);
            own.update(&moves);
            world.update(&moves);
            let expected = answers(&*own, RaySet::Random, &rays);
            assert!(hits(&expected) > 100);
            let Differences { verdicts, distances } = answers(&*world, RaySet::Random, &rays).differences(&expected);
            assert!(verdicts + distances <= rays.len() / 100, "{}: {verdicts}, {distances}", contender.name());
        }
    }
}

/// After moves of many instances, of a few, and of both in sequence, the answers are the answers of a newly built
/// scene.
#[test]
fn moved_worlds_answer_for_where_everything_is() {
    let scene = scene("instances");
    let crate::scenes::Content::Instances(instances) = &scene.content else { panic!("instances are instances") };
    let rays = Rays::new(scene.view, instances.bounds(), FEW, surface(&scene).unwrap()).of(RaySet::Random);
    let (workers, paths) = (Workers::new(1).unwrap(), Paths::new(instances));
    let mut worlds: Vec<_> = contenders()
        .iter()
        .filter(|contender| contender.updates())
        .filter_map(|contender| {
            Some((contender.name(), contender.is_exact(), contender.world(instances, &workers).unwrap()?))
        })
        .collect();
    // In these frames each instance moves, and is far from its place in earlier frames.
    for (moving, frames) in [(Moving::All, 300..303), (Moving::Tenth, 500..520), (Moving::Hundredth, 700..800)] {
        let ends = paths.end(moving, frames.end);
        let expected = answers(&*one_by_one().world(&ends, &workers).unwrap().unwrap(), RaySet::Random, &rays);
        let before = answers(&*worlds[0].2, RaySet::Random, &rays).differences(&expected);
        assert!(hits(&expected) > 100 && before.distances > 100, "{}: nothing moved", moving.name());
        for frame in frames {
            let moves = paths.frame(moving, frame);
            worlds.iter_mut().for_each(|(_, _, world)| world.update(&moves));
        }
        for (name, is_exact, world) in &worlds {
            let found = answers(&**world, RaySet::Random, &rays);
            let Differences { verdicts, distances } = found.differences(&expected);
            // The relative error of a short distance in f32 sometimes exceeds 1e-4.
            let is_near = verdicts <= rays.len() / 300 && distances <= rays.len() / 50;
            assert!(is_near, "{name}, {}: {verdicts}, {distances}", moving.name());
            assert!(!is_exact || found == expected, "{name}, {}: other bits", moving.name());
        }
    }
}
