//! Every pair of convex shapes, and volumes with them. Each answer is verified by itself.

use crate::common::Random;
use crate::touch::oracle::{Kind, Placing, Subject, rotation_of};
use crate::touch::{count, each};
use hitscan::glam::DVec3;
use hitscan::{Filter, ProximityQueries, Scene};

/// The relative resolution of the support function search, including the rounding errors of this file.
const RESOLUTION: f64 = 1e-10;

/// The relative accuracy of the proof for round shapes if planes near the optimal plane are about as good.
const ROUND: f64 = 1e-7;

/// Places the second subject so that the two are apart, near, touching or deep.
fn arrange(random: &mut Random, a: &Subject, b: &mut Subject) {
    let (direction, size) = (random.direction(), a.size.min(b.size).max(1e-3));
    let aside = match random.below(4) {
        0 => return,
        1 => random.cube() * (0.5 * size),
        // One centre is above the other, and a plane between the subjects touches both of them, or nearly.
        2 => direction * (size * 1e-9 * random.unit()),
        _ => direction * (size * 0.3 * random.unit()),
    };
    b.moved(a.middle() - b.middle());
    let gap = -a.reach(direction) - b.reach(-direction);
    let is_deep = aside.dot(direction).abs() < aside.length() * 0.999;
    b.moved(if is_deep { aside } else { aside - direction * gap });
}

/// Asserts that these are the closest points, or common points.
fn prove(a: &Subject, b: &Subject, [p, q]: [DVec3; 2], said: &dyn Fn() -> String) -> f64 {
    let slack = RESOLUTION * (a.size + b.size + a.to_world.translation.length() + b.to_world.translation.length());
    let is_straight = a.is_flat_sided() && b.is_flat_sided();
    let bound = if is_straight { 2.0 * slack } else { slack * (ROUND / RESOLUTION) };
    for (of, place) in [(a, p), (b, q)] {
        assert!(of.outside(place) <= bound, "{place} is {:e} outside: {}", of.outside(place), said());
    }
    let apart = p.distance(q);
    if apart > slack {
        let first = (q - p) / apart;
        let mut least = -b.reach(-first) - a.reach(first);
        if apart - least > bound {
            // Points within this distance of each other determine no direction. A search from an arbitrary direction
            // along a flat side ends at an edge, so each side is tried, too.
            let sides = a.normals().into_iter().chain(b.normals());
            least = sides.chain([first]).map(|n| certain(a, b, n)).fold(f64::NEG_INFINITY, f64::max);
        }
        assert!(apart - least <= bound, "{apart} apart, but for certain {least} only: {}", said());
    }
    slack
}

/// Returns a lower bound of the distance between the two subjects. The bound is by a plane between them, rotated from
/// a first direction to the best one. The direction between two points may be off by the square root of f64's
/// roundoff. On a flat side, this changes the bound by as much.
fn certain(a: &Subject, b: &Subject, first: DVec3) -> f64 {
    let of = |n: DVec3| -b.reach(-n) - a.reach(n);
    let (mut n, mut most, mut step) = (first, of(first), 1e-6);
    while step > 1e-15 {
        let (u, v) = n.any_orthonormal_pair();
        let around = [u, -u, v, -v].map(|side| (n + side * step).normalize());
        match around.into_iter().map(|n| (n, of(n))).reduce(|a, b| if b.1 > a.1 { b } else { a }) {
            Some((better, more)) if more > most => (n, most) = (better, more),
            _ => step *= 0.5,
        }
    }
    most
}

/// The first seed once gave a nearest point of a needle beside the disc. With the second seed, the proof was not tight
/// enough.
const WRONG_ONCE: [([Kind; 2], Placing, u64); 2] = [
    ([Kind::Disc, Kind::Triangle], Placing::Sheared, 0x9867838eacf5f9b6),
    ([Kind::Sphere, Kind::Quad], Placing::Turned, 0x6b7591481314d7ad),
];

fn run(kinds: [Kind; 2], placing: Placing, cases: usize) {
    for (.., seed) in WRONG_ONCE.iter().filter(|of| (of.0, of.1) == (kinds, placing)) {
        run_from(*seed, kinds, placing, 1);
    }
    run_from(100 + 10 * kinds[0] as u64 + kinds[1] as u64, kinds, placing, cases);
}

fn run_from(seed: u64, kinds: [Kind; 2], placing: Placing, cases: usize) {
    let mut random = Random(seed);
    let (mut apart, mut together) = (0, 0);
    let mut scene = Scene::new();
    for case in 0..cases {
        let seed = random.0;
        let a = Subject::random(&mut random, kinds[0], placing);
        let mut b = Subject::random(&mut random, kinds[1], placing);
        arrange(&mut random, &a, &mut b);
        scene.insert(0, a.geometry.clone(), a.to_world).unwrap();
        scene.insert(1, b.geometry.clone(), b.to_world).unwrap();
        let found = scene.pair(&0, &1).distance().unwrap();
        let said = || {
            format!(
                "{kinds:?} {placing:?} {case}, seed {seed:#x}: {found:?} of {:?} {:?} and {:?} {:?}",
                a.form, a.to_world, b.form, b.to_world
            )
        };
        let points = found.points_f64();
        let slack = prove(&a, &b, points, &said);
        let distance = points[0].distance(points[1]);
        assert!((f64::from(found.distance) - distance).abs() <= 1e-7 * distance + slack, "{}", said());
        if found.distance > 0.0 {
            apart += 1
        } else {
            together += 1
        }
        if let (Some(volume), Placing::Turned) = (&a.volume, placing) {
            let pose = (a.to_world.translation, rotation_of(&a.to_world));
            let overlaps = scene.with(&Filter::new().exclude(0)).overlaps(volume, pose);
            // Either verdict is right within the resolution of f64.
            assert!(overlaps == (found.distance == 0.0) || distance <= 4.0 * slack, "{overlaps}: {}", said());
        }
    }
    assert!(
        cases < 100 || (apart * 50 > cases && together * 50 > cases),
        "{kinds:?}: {apart} apart, {together} together"
    );
}

#[test]
fn of_volumes_and_shapes() {
    let kinds: Vec<_> = Kind::VOLUMES.into_iter().flat_map(|a| Kind::ALL.map(|b| [a, b])).collect();
    each("turned", &kinds, |kinds| run(*kinds, Placing::Turned, count(400)));
}

#[test]
fn of_any_two_shapes_by_any_transform() {
    let from = |number: usize| Kind::ALL[number..].iter().map(move |b| [Kind::ALL[number], *b]);
    let kinds: Vec<_> = (0..Kind::ALL.len()).flat_map(from).collect();
    each("sheared", &kinds, |kinds| run(*kinds, Placing::Sheared, count(200)));
}
