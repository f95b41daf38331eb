//! First contacts of moving entities, compared with dense samples of every pair and with formulas.

use crate::common::{Random, grid_cube, icosphere};
use crate::pairs::mixed::{Layout, mixed};
use hitscan::glam::{DAffine3, DQuat, DVec3};
use hitscan::pairs::{EntityImpact, EntityMotion, PairFilter};
use hitscan::{Aabb, Capsule, Compound, Geometry, Mesh, Plane, Scene, Sphere};
use hitscan_random::{effort, levels};

fn impacts(
    scene: &Scene<u32>,
    moves: &[EntityMotion<u32>],
    filter: &PairFilter<'_, u32>,
    tolerance: f64,
) -> Vec<EntityImpact<u32>> {
    let mut found = Vec::new();
    scene.first_impacts(moves, filter, tolerance, &mut found);
    assert!(found.is_sorted_by(|a, b| a.time <= b.time));
    found
}

/// Returns the transform of an entity at a time, by interpolation of quaternions.
fn placed(start: DAffine3, motion: Option<&EntityMotion<u32>>, time: f64) -> DAffine3 {
    let Some(motion) = motion else { return start };
    let rotation = DQuat::IDENTITY.slerp(motion.rotation.normalize(), time);
    let origin = start.translation;
    DAffine3 {
        matrix3: DAffine3::from_quat(rotation).matrix3 * start.matrix3,
        translation: origin + motion.translation * time,
    }
}

/// Returns the distance of two entities at a time.
fn apart(scene: &Scene<u32>, pair: [u32; 2], moves: &[EntityMotion<u32>], time: f64) -> Option<f64> {
    let mut stage = Scene::new();
    for key in pair {
        let entity = scene.get(&key)?;
        let motion = moves.iter().find(|motion| motion.id == key);
        stage.insert(key, entity.geometry().clone(), placed(entity.transform(), motion, time)).ok()?;
    }
    Some(stage.pair(&pair[0], &pair[1]).distance()?.distance_f64())
}

/// Counts of a test.
#[derive(Debug, Default)]
struct Seen {
    at_start: usize,
    later: usize,
    early_ends: usize,
    none: usize,
}

/// Compares the contact of a pair with the distances at samples.
fn compare(
    scene: &Scene<u32>,
    pair: [u32; 2],
    moves: &[EntityMotion<u32>],
    (tolerance, samples): (f64, usize),
    found: Option<&EntityImpact<u32>>,
    seen: &mut Seen,
    context: &str,
) {
    let time = found.map_or(f64::INFINITY, |found| found.time);
    for sample in 0..=samples {
        let at = sample as f64 / samples as f64;
        let Some(gap) = apart(scene, pair, moves, at) else {
            assert!(found.is_none(), "{context}: nothing can touch");
            return;
        };
        // A step leaves half of the tolerance.
        assert!(gap > 0.45 * tolerance || at >= time, "{context}: late, {gap} at {at}, but {found:?}");
    }
    let Some(found) = found else {
        seen.none += 1;
        return;
    };
    let gap = apart(scene, pair, moves, found.time).unwrap();
    let error = 1e-6 * tolerance + 1e-9;
    assert!((gap - found.between.distance_f64()).abs() <= error, "{context}: {gap}, {found:?}");
    let ended_early = found.between.distance_f64() > tolerance;
    seen.early_ends += usize::from(ended_early);
    seen.at_start += usize::from(found.time == 0.0);
    seen.later += usize::from(found.time > 0.0);
}

/// Makes a motion that mostly leads towards another entity.
fn motion(random: &mut Random, scene: &Scene<u32>, id: u32) -> EntityMotion<u32> {
    let [from, to] = [id, random.below(scene.len()) as u32].map(|key| scene.get(&key).unwrap().transform().translation);
    let way = (to - from) * (2.0 * random.fraction()) + random.cube();
    match random.below(4) {
        0 => EntityMotion::new(id, way),
        1 => EntityMotion::new(id, DVec3::ZERO).rotating(random.rotation()),
        _ => EntityMotion::new(id, way).rotating(random.rotation()),
    }
}

#[test]
fn contacts_of_mixed_scenes_are_never_late() {
    let (seed, cases) = (effort::seed(1), effort::size(30, 120, 20_000));
    let mut seen = Seen::default();
    for case in 0..cases {
        let mut random = Random(seed * 7_000_003 + case as u64);
        let layout = [Layout::Loose, Layout::Grid, Layout::Dense, Layout::Far][case % 4];
        let (scene, keys) = mixed(&mut random, layout, 0..5);
        let tolerance = random.pick(&[1e-2, 1e-3]);
        let moves: Vec<_> =
            keys.iter().filter(|key| *key % 3 != 2).map(|&key| motion(&mut random, &scene, key)).collect();
        let found = impacts(&scene, &moves, &PairFilter::new(), tolerance);
        let is_moving = |key: u32| moves.iter().any(|motion| motion.id == key);
        for (index, &first) in keys.iter().enumerate() {
            for &second in &keys[index + 1..] {
                let context = format!("seed {seed}, case {case}, {first} and {second}");
                let contact = found.iter().find(|found| (found.first, found.second) == (first, second));
                if is_moving(first) || is_moving(second) {
                    compare(&scene, [first, second], &moves, (tolerance, 50), contact, &mut seen, &context);
                } else {
                    assert_eq!(contact, None, "{context}: both stay");
                }
            }
        }
    }
    println!("{seen:?}");
    assert!(seen.at_start > 20 && seen.later > 20 && seen.none > 50, "{seen:?}");
    assert!(seen.early_ends * 20 < seen.later, "{seen:?}");
}

#[test]
fn balls_touch_when_the_formula_says() {
    let (seed, cases) = (effort::seed(2), effort::size(2_000, 10_000, 1_000_000));
    let mut hits = 0;
    for case in 0..cases {
        let mut random = Random(seed * 9_000_011 + case as u64);
        let radii = [(); 2].map(|()| 0.25 + random.below(8) as f64 * 0.125);
        let places = [(); 2].map(|()| random.cube() * 4.0);
        // Most of them move towards the middle.
        let ways = places.map(|place| random.cube() * 2.0 - place * (2.0 * random.fraction()));
        let mut scene = Scene::new();
        for key in [0, 1] {
            scene.insert(key as u32, Sphere::new(radii[key] as f32), places[key]).unwrap();
        }
        // A ball that rotates about its centre stays as it is.
        let moves = [0, 1].map(|key| EntityMotion::new(key as u32, ways[key]).rotating(random.rotation()));
        let tolerance = 1e-6;
        let found = impacts(&scene, &moves, &PairFilter::new(), tolerance);
        let (between, way) = (places[0] - places[1], ways[0] - ways[1]);
        let at = |reach: f64| {
            let (a, b, c) = (way.length_squared(), 2.0 * between.dot(way), between.length_squared() - reach * reach);
            let root = b * b - 4.0 * a * c;
            if c <= 0.0 {
                0.0
            } else if root < 0.0 || b >= 0.0 {
                f64::INFINITY
            } else {
                (-b - root.sqrt()) / (2.0 * a)
            }
        };
        let (reach, context) = (radii[0] + radii[1], format!("seed {seed}, case {case}: {found:?}"));
        let time = found.first().map_or(f64::INFINITY, |found| found.time);
        assert!(time <= at(reach) + 1e-9 || at(reach) > 1.0, "late, {context}, {}", at(reach));
        assert!(time >= at(reach + 1.01 * tolerance) - 1e-9, "early, {context}, {}", at(reach + tolerance));
        hits += usize::from(time <= 1.0);
    }
    assert!(hits > cases / 20, "{hits}");
}

/// A bar of length 4 rotates about its middle onto a floor at depth 1: its end is down after 30 degrees.
#[test]
fn what_rotates_touches_when_its_end_is_down() {
    let bar = Aabb::new([-2.0, 0.0, 0.0], [2.0, 0.0, 0.0]);
    let boards: [Geometry; 3] = [
        Aabb::new([-9.0, -2.0, -9.0], [9.0, -1.0, 9.0]).into(),
        Plane::new([0.0, -1.0, 0.0], [0.0, 1.0, 0.0]).unwrap().into(),
        grid_cube(4).map(|p| p * 9.0 - hitscan::glam::Vec3::Y * 10.0).mesh().into(),
    ];
    let bars: [Geometry; 3] = [
        bar.into(),
        Mesh::from_soup(&[[-2.0f32, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 0.0, 0.5]]).unwrap().into(),
        Compound::new([(bar.into(), DVec3::ZERO.into()), (Aabb::new([-0.5; 3], [0.5; 3]).into(), DVec3::ZERO.into())])
            .unwrap()
            .into(),
    ];
    for (which, (bar, board)) in bars.iter().flat_map(|bar| boards.iter().map(move |board| (bar, board))).enumerate() {
        let mut scene = Scene::new();
        scene.insert(0, bar.clone(), DVec3::ZERO).unwrap();
        scene.insert(1, board.clone(), DVec3::ZERO).unwrap();
        let quarter = DQuat::from_rotation_z(core::f64::consts::FRAC_PI_2);
        for rotation in [quarter, quarter * 7.0, -quarter, quarter.conjugate()] {
            let moves = [EntityMotion::new(0, DVec3::ZERO).rotating(rotation)];
            let found = impacts(&scene, &moves, &PairFilter::new(), 1e-4);
            assert!((found[0].time - 1.0 / 3.0).abs() < 1e-3, "{which}: {found:?}");
            // The board may rotate the other way instead, seen from the bar's middle.
            let moves = [EntityMotion::new(1, DVec3::ZERO).rotating(rotation)];
            let found = impacts(&scene, &moves, &PairFilter::new(), 1e-4);
            assert!((found[0].time - 1.0 / 3.0).abs() < 1e-3, "{which}, the board rotates: {found:?}");
        }
    }
}

#[test]
fn nothing_is_passed_through_however_fast() {
    let mut scene = Scene::new();
    let sheet = Mesh::from_soup(&[[0.0f32, -9.0, -9.0], [0.0, 9.0, -9.0], [0.0, 0.0, 9.0]]).unwrap();
    scene.insert(0, sheet.clone(), DVec3::ZERO).unwrap();
    scene.insert(1, icosphere(2).mesh(), [-1000.0, 0.0, 0.0]).unwrap();
    scene.insert(2, Capsule::new(0.01, 0.02), [1000.0, 0.5, 0.0]).unwrap();
    let spin = DQuat::from_rotation_x(3.0);
    let moves = [
        EntityMotion::new(1, [2000.0, 0.0, 0.0]).rotating(spin),
        EntityMotion::new(2, [-4000.0, 0.0, 0.0]).rotating(spin),
    ];
    let found = impacts(&scene, &moves, &PairFilter::new(), 1e-3);
    let pairs: Vec<_> = found.iter().map(|found| (found.first, found.second)).collect();
    assert_eq!(pairs, [(0, 2), (1, 2), (0, 1)]);
    assert!((found[0].time - 0.25).abs() < 1e-4 && (found[2].time - 0.4995).abs() < 1e-4, "{found:?}");
}

#[test]
fn filters_order_and_threads_are_as_for_other_pairs() {
    let (seed, cases) = (effort::seed(3), effort::size(10, 40, 2_000));
    for case in 0..cases {
        let mut random = Random(seed * 5_000_011 + case as u64);
        let (scene, keys) = mixed(&mut random, Layout::Loose, 0..24);
        let moves: Vec<_> =
            keys.iter().filter(|key| *key % 2 == 0).map(|&key| motion(&mut random, &scene, key)).collect();
        let all = impacts(&scene, &moves, &PairFilter::new(), 1e-2);
        let excluded = all.first().map_or([0, 1], |found| [found.second, found.first]);
        let layers = |key: u32| 1 << (key % 3);
        type Counts<'a> = &'a dyn Fn(u32, u32) -> bool;
        let filters: [(PairFilter<'_, u32>, Counts<'_>); 3] = [
            (PairFilter::new().exclude(excluded[0], excluded[1]), &|a, b| [b, a] != excluded),
            (PairFilter::new().pairs(|a: u32, b: u32| (a + b) % 3 != 1), &|a, b| (a + b) % 3 != 1),
            (PairFilter::new().layers(0b001, 0b110), &|a, b| (layers(a) == 1) != (layers(b) == 1)),
        ];
        for (filter, counts) in filters {
            let chosen: Vec<_> = all.iter().filter(|found| counts(found.first, found.second)).copied().collect();
            assert_eq!(impacts(&scene, &moves, &filter, 1e-2), chosen, "seed {seed}, case {case}");
        }
        // The order of the motions, other threads and levels change nothing.
        let mut reversed = moves.clone();
        reversed.reverse();
        assert_eq!(impacts(&scene, &reversed, &PairFilter::new(), 1e-2), all, "seed {seed}, case {case}");
        let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let by_one = alone.install(|| impacts(&scene, &moves, &PairFilter::new(), 1e-2));
        assert_eq!(by_one, all, "seed {seed}, case {case}");
        for level in levels::each() {
            assert_eq!(impacts(&scene, &moves, &PairFilter::new(), 1e-2), all, "seed {seed}, case {case}, {level:?}");
        }
        // Each pair alone has the same contact.
        for found in all.iter().take(5) {
            let pair = [found.first, found.second];
            let mut two = Scene::new();
            for key in pair {
                two.insert(key, scene.get(&key).unwrap().geometry().clone(), scene.get(&key).unwrap().transform())
                    .unwrap();
            }
            let alone = impacts(&two, &moves, &PairFilter::new(), 1e-2);
            assert_eq!(alone, [*found], "seed {seed}, case {case}");
        }
    }
}

#[test]
fn unusable_motions_are_in_no_pair() {
    let mut scene = Scene::new();
    for (key, x) in [(0, 0.0), (1, 2.0), (2, 4.0)] {
        scene.insert(key, Sphere::new(0.5), [x, 0.0, 0.0]).unwrap();
    }
    let right = EntityMotion::new(0, [1.5, 0.0, 0.0]);
    let none = PairFilter::new();
    assert_eq!(impacts(&scene, &[right], &none, 1e-3).len(), 1);
    let unusable = [
        EntityMotion::new(1, [f64::NAN, 0.0, 0.0]),
        EntityMotion::new(1, [0.0, f64::INFINITY, 0.0]),
        EntityMotion::new(1, DVec3::ZERO).rotating(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0)),
        EntityMotion::new(1, DVec3::ZERO).rotating(DQuat::NAN),
    ];
    for wrong in unusable {
        assert_eq!(impacts(&scene, &[right, wrong], &none, 1e-3), [], "{wrong:?}");
        // The last motion of an entity counts.
        assert_eq!(impacts(&scene, &[right, wrong, EntityMotion::new(1, DVec3::ZERO)], &none, 1e-3).len(), 1);
    }
    assert_eq!(impacts(&scene, &[EntityMotion::new(9, [1.0, 0.0, 0.0])], &none, 1e-3), []);
    assert_eq!(impacts(&scene, &[], &none, 1e-3), []);
    for tolerance in [0.0, -1.0, f64::NAN, 1e-300] {
        let found = impacts(&scene, &[right], &none, tolerance);
        assert!((found[0].time - 2.0 / 3.0).abs() < 1e-9 && found.len() == 1, "{tolerance}: {found:?}");
    }
    // Within the tolerance at the start.
    assert_eq!(impacts(&scene, &[right], &none, 1.5)[0].time, 0.0);
    // Very far motions end.
    let far = impacts(
        &scene,
        &[EntityMotion::new(0, [1e60, 0.0, 0.0]), EntityMotion::new(2, [1e300, 1.0, 0.0])],
        &none,
        1e-3,
    );
    assert!(far.iter().all(|found| found.time < 1e-3), "{far:?}");
}
