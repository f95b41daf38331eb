//! All queries with a volume or a point.

use crate::world::{Choice, Key, World};
use hitscan::glam::{DVec3, Vec3};
use hitscan::query::Penetration;
use hitscan::{Aabb, ProximityQueries, SweepHit, SweepQueries, SweepStart, Volume};

/// Returns whether a direction has unit length.
fn is_unit(normal: Vec3) -> bool {
    (normal.length() - 1.0).abs() < 1e-5
}

/// Checks a hit of a sweep. Its normal may be zero only if the volume starts inside something and does not move.
fn check_sweep(world: &mut World<'_>, hit: &SweepHit<Key>, motion: DVec3) {
    world.log.sound(&(hit, hit.point_f64()));
    world.log.check((0.0..=1.0).contains(&hit.t) && hit.point_f64().is_finite(), "t and point", || format!("{hit:?}"));
    let rests = motion.length() < 1e-30 && hit.start == SweepStart::Penetrating && hit.normal == Vec3::ZERO;
    world.log.check(is_unit(hit.normal) || rests, "unit normal", || format!("{hit:?}"));
}

pub(crate) fn sweep(world: &mut World<'_>) {
    let at = world.point();
    let (volume, from) = (world.numbers.volume(), world.numbers.pose(at));
    let motion = if world.numbers.one_in(2) { world.numbers.dvec3() } else { world.point() - at };
    let (choice, words) = world.choice();
    let input = (&volume, from, motion, &words);
    let view = choice.sweeps(&world.scene);
    let hit = world.log.ask("sweep", &input, || view.sweep(&volume, from, motion));
    let all = world.log.ask("sweep_all", &input, || {
        let mut hits = Vec::new();
        view.sweep_all(&volume, from, motion, &mut hits);
        hits
    });
    world.log.check(all.first() == hit.as_ref(), "as sweep", || format!("{hit:?} {:?}", all.first()));
    world.log.check(all.is_sorted_by(|a, b| a.t <= b.t), "sorted", || format!("{all:?}"));
    all.iter().take(8).for_each(|hit| check_sweep(world, hit, motion));
}

pub(crate) fn sweep_rotating(world: &mut World<'_>) {
    let (a, b) = (world.point(), world.point());
    let (volume, from, to) = (world.numbers.volume(), world.numbers.pose(a), world.numbers.pose(b));
    let (choice, words) = world.choice();
    let view = choice.sweeps(&world.scene);
    let hit = world.log.ask("sweep_rotating", &(&volume, from, to, &words), || view.sweep_rotating(&volume, from, to));
    hit.iter().for_each(|hit| check_sweep(world, hit, to.position - from.position));
}

pub(crate) fn overlaps(world: &mut World<'_>) {
    let at = world.point();
    let (volume, at) = (world.numbers.volume(), world.numbers.pose(at));
    let (choice, words) = world.choice();
    let input = (&volume, at, &words);
    let view = choice.view(&world.scene);
    let overlaps = world.log.ask("overlaps", &input, || view.overlaps(&volume, at));
    let entities = world.log.ask("overlap_entities", &input, || {
        let mut entities = Vec::new();
        view.overlap_entities(&volume, at, &mut entities);
        entities
    });
    let all = world.log.ask("overlap_all", &input, || {
        let mut all = Vec::new();
        view.overlap_all(&volume, at, &mut all);
        all
    });
    let is_right = overlaps != entities.is_empty() && overlaps != all.is_empty();
    world.log.check(is_right, "as overlaps", || format!("{overlaps} {entities:?} {all:?}"));
    let mut expected: Vec<Key> = Vec::new();
    for overlap in &all {
        if !expected.contains(&overlap.id) {
            expected.push(overlap.id);
        }
    }
    let mut sorted = entities.clone();
    sorted.sort_unstable();
    expected.sort_unstable();
    world.log.check(sorted == expected, "as overlap_all", || format!("{entities:?} {all:?}"));
    penetration(world, &choice, &input, overlaps);
}

fn penetration(world: &mut World<'_>, choice: &Choice, input: &(&Volume, hitscan::Pose, &String), overlaps: bool) {
    let &(volume, at, _) = input;
    let view = choice.view(&world.scene);
    let deepest = world.log.ask("penetration", input, || view.penetration(volume, at));
    let all = world.log.ask("penetration_all", input, || {
        let mut all = Vec::new();
        view.penetration_all(volume, at, &mut all);
        all
    });
    let is_right = deepest.is_some() == overlaps && all.is_empty() != overlaps;
    world.log.check(is_right, "as overlaps", || format!("{overlaps} {deepest:?} {all:?}"));
    world.log.check(deepest.as_ref() == all.first(), "as penetration", || format!("{deepest:?} {all:?}"));
    for penetration in all.iter().chain(&deepest) {
        let exact = (penetration.separation(), penetration.point_f64());
        world.log.sound(&exact);
        let is_right = penetration.depth >= 0.0 && is_unit(penetration.normal) && exact.0.is_finite();
        world.log.check(is_right, "depth and normal", || format!("{penetration:?}"));
    }
    let contacts = world.log.ask("contact_points", input, || {
        let mut contacts = Vec::new();
        view.contact_points(volume, at, &mut contacts);
        contacts
    });
    let place = |way: &Penetration<Key>| (way.id, way.part, way.triangle, way.depth, way.normal);
    let first = contacts.first().map(|of| (of.id, of.part, of.triangle, of.depth, of.normal));
    let is_right = first == all.first().map(place);
    world.log.check(is_right, "as penetration", || format!("{:?} {:?}", contacts.first(), all.first()));
    for contact in &contacts {
        let exact = (contact.points_f64(), contact.depth_f64(), contact.normal_f64());
        world.log.sound(&exact);
        let is_right = contact.depth >= 0.0 && is_unit(contact.normal) && exact.1.is_finite();
        world.log.check(is_right, "depth and normal", || format!("{contact:?}"));
    }
}

pub(crate) fn closest_point(world: &mut World<'_>) {
    let point = world.point();
    let most = if world.numbers.one_in(2) { f64::INFINITY } else { world.numbers.f64() };
    let (choice, words) = world.choice();
    let view = choice.view(&world.scene);
    let input = (point, most, &words);
    let nearest = world.log.ask("closest_point", &input, || view.closest_point_within(point, most));
    if let Some(nearest) = &nearest {
        let exact = (nearest.point_f64(), nearest.distance_f64(), nearest.signed_distance());
        world.log.sound(&exact);
        let is_right = nearest.distance >= 0.0 && nearest.distance_f64() <= most && is_unit(nearest.normal);
        world.log.check(is_right, "distance and normal", || format!("{nearest:?}"));
        let is_finite = nearest.point_f64().is_finite() && nearest.distance_f64().is_finite();
        world.log.check(is_finite, "finite", || format!("{nearest:?}"));
    }
}

/// Checks that the distances of two points from the scene differ by no more than the distance between the points.
pub(crate) fn lipschitz(world: &mut World<'_>) {
    let (a, step) = (world.point(), world.numbers.dvec3() * 1e-2);
    let scene = &world.scene;
    let find = |point: DVec3| Some((scene.closest_point(point)?.distance_f64(), scene.closest_point(point)?.id));
    let near = world.log.ask("closest_point", &a, || find(a));
    let far = world.log.ask("closest_point", &(a + step), || find(a + step));
    let (Some((near, id)), Some((far, other))) = (near, far) else { return };
    // The documented bounds are relative to the sizes of the nearby entities.
    let size = |id: Key| {
        let bounds = world.scene.bounds_of(&id).unwrap_or(Aabb::EMPTY);
        f64::from(bounds.min.abs().max(bounds.max.abs()).max_element())
    };
    let rounding = 1e-9 * (near + far + step.length());
    let most = step.length() + rounding + 1e-4 * (near.min(far) + a.length() + size(id) + size(other));
    let is_right = (near - far).abs() <= most || !most.is_finite();
    world.log.check(is_right, "1-Lipschitz", || format!("{near} {far}"));
}
