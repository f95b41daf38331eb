//! The nearest pairs of random scenes, compared with the distance of every pair.

use crate::common::Random;
use crate::pairs::mixed::{Layout, mixed};
use hitscan::glam::{DAffine3, DQuat, DVec3, Vec3};
use hitscan::pairs::{NearPair, PairDistance, PairFilter, PairTest, ScenePair};
use hitscan::{Mesh, Scene};
use hitscan_random::{effort, levels};

/// All numbers of a pair, and the bits of these numbers.
type Said = (u32, u32, PairDistance, [u64; 7], [[u32; 3]; 3]);

fn said(first: u32, second: u32, between: PairDistance) -> Said {
    let [p, q] = between.points_f64();
    let exact = [p.x, p.y, p.z, q.x, q.y, q.z, between.distance_f64()].map(f64::to_bits);
    let rounded = [between.points[0], between.points[1], between.normal].map(|v| v.to_array().map(f32::to_bits));
    (first, second, between, exact, rounded)
}

fn of_pair(pair: &NearPair<u32>) -> Said {
    said(pair.first, pair.second, pair.between)
}

/// The distances of all pairs, in the order of their entities. `keys` are the entities of each side in their order.
struct Brute {
    pairs: Vec<(u32, u32, PairDistance)>,
}

impl Brute {
    fn within(scene: &Scene<u32>, keys: &[u32]) -> Self {
        let later = |index: usize| keys[index + 1..].iter().map(move |&other| (keys[index], other));
        let all = (0..keys.len()).flat_map(later);
        Self { pairs: all.filter_map(|(a, b)| Some((a, b, scene.pair(&a, &b).distance()?))).collect() }
    }

    fn between(scenes: ScenePair<'_, u32>, keys: [&[u32]; 2]) -> Self {
        let all = keys[0].iter().flat_map(|&a| keys[1].iter().map(move |&b| (a, b)));
        Self { pairs: all.filter_map(|(a, b)| Some((a, b, scenes.pair(&a, &b).distance()?))).collect() }
    }

    fn chosen(&self, counts: impl Fn(u32, u32) -> bool) -> Vec<(u32, u32, PairDistance)> {
        self.pairs.iter().filter(|(a, b, _)| counts(*a, *b)).copied().collect()
    }
}

/// Returns the first of the nearest pairs.
fn nearest(pairs: &[(u32, u32, PairDistance)]) -> Option<&(u32, u32, PairDistance)> {
    pairs.iter().reduce(|best, next| if next.2.distance_f64() < best.2.distance_f64() { next } else { best })
}

/// Compares all answers for the pairs that a filter selects.
fn compare(scenes: &Asked<'_>, filter: &PairFilter<'_, u32>, expected: &[(u32, u32, PairDistance)], context: &str) {
    let found = scenes.closest(filter);
    let wanted = nearest(expected);
    assert_eq!(
        found.as_ref().map(of_pair),
        wanted.map(|&(first, second, between)| said(first, second, between)),
        "{context}: closest"
    );
    let least = wanted.map_or(1.0, |(_, _, between)| between.distance_f64());
    for max_distance in [0.0, least, least * 1.5, 2.0, 20.0, f64::INFINITY] {
        let within: Vec<_> = expected.iter().filter(|pair| pair.2.distance_f64() <= max_distance).collect();
        let found = scenes.near(filter, max_distance);
        assert_eq!(found.len(), within.len(), "{context}: within {max_distance}");
        for (found, (first, second, between)) in found.iter().zip(within) {
            assert_eq!(of_pair(found), said(*first, *second, *between), "{context}: within {max_distance}");
        }
    }
    for max_distance in [-1.0, f64::NAN, f64::NEG_INFINITY] {
        assert_eq!(scenes.near(filter, max_distance), [], "{context}: within {max_distance}");
    }
}

/// One scene or two.
enum Asked<'a> {
    One(&'a Scene<u32>),
    Two(ScenePair<'a, u32>),
}

impl Asked<'_> {
    fn closest(&self, filter: &PairFilter<'_, u32>) -> Option<NearPair<u32>> {
        match self {
            Self::One(scene) => scene.closest_pair(filter),
            Self::Two(scenes) => scenes.closest_pair(filter),
        }
    }

    fn near(&self, filter: &PairFilter<'_, u32>, max_distance: f64) -> Vec<NearPair<u32>> {
        let mut pairs = self.closest(filter).into_iter().collect();
        match self {
            Self::One(scene) => scene.distance_pairs(filter, max_distance, &mut pairs),
            Self::Two(scenes) => scenes.distance_pairs(filter, max_distance, &mut pairs),
        }
        pairs
    }
}

/// Compares what a scene, or two, answer for several filters.
fn compare_filters(scenes: &Asked<'_>, brute: &Brute, layers: impl Fn(u32) -> u32, context: &str) {
    compare(scenes, &PairFilter::new(), &brute.pairs, context);
    let odd = PairFilter::new().pairs(|a: u32, b: u32| (a + b) % 3 != 1);
    compare(scenes, &odd, &brute.chosen(|a, b| (a + b) % 3 != 1), &format!("{context}, by a choice"));
    let masks = PairFilter::new().layers(0b001, 0b110);
    let counts = |a: u32, b: u32| {
        let (a, b) = (layers(a), layers(b));
        a & 0b001 != 0 && b & 0b110 != 0 || a & 0b110 != 0 && b & 0b001 != 0
    };
    compare(scenes, &masks, &brute.chosen(counts), &format!("{context}, by layers"));
    // The nearest pairs are excluded, one after another.
    let (mut filter, mut left) = (PairFilter::new(), brute.pairs.clone());
    for round in 0..3 {
        let Some(&(first, second, _)) = nearest(&left) else { break };
        filter = if round % 2 == 0 { filter.exclude(first, second) } else { filter.exclude(second, first) };
        left.retain(|pair| (pair.0, pair.1) != (first, second));
        compare(scenes, &filter, &left, &format!("{context}, without {round}"));
    }
}

#[test]
fn pairs_of_a_scene_are_the_nearest_of_all_pairs() {
    let seed = effort::seed(0x6401);
    for case in 0..effort::size(15, 300, 30_000) as u64 {
        let mut random = Random(seed + case);
        let layout = random.pick(&Layout::ALL);
        let count = 2 + random.below(14);
        let (mut scene, keys) = mixed(&mut random, layout, 0..count as u32);
        let context = format!("seed {seed}, case {case}, {layout:?}");
        let brute = Brute::within(&scene, &keys);
        compare_filters(&Asked::One(&scene), &brute, |key| 1 << (key % 3), &context);
        // An entity that is removed and inserted again comes last.
        let (first, rest) = keys.split_first().unwrap();
        let entity = scene.remove(first).unwrap();
        scene.insert(*first, entity.geometry().clone(), entity.transform()).unwrap();
        let keys = [rest, &[*first]].concat();
        compare(&Asked::One(&scene), &PairFilter::new(), &Brute::within(&scene, &keys).pairs, &context);
    }
}

#[test]
fn pairs_of_two_scenes_are_the_nearest_of_all_pairs_and_as_in_one_scene() {
    let seed = effort::seed(0x6402);
    for case in 0..effort::size(15, 300, 30_000) as u64 {
        let mut random = Random(seed + case);
        let layout = random.pick(&Layout::ALL);
        let counts = [random.below(9), random.below(9)].map(|count| count as u32);
        let (ours, our_keys) = mixed(&mut random, layout, 0..counts[0]);
        let (theirs, their_keys) = mixed(&mut random, layout, 100..100 + counts[1]);
        let context = format!("seed {seed}, case {case}, {layout:?}");
        let both = ours.against(&theirs);
        let brute = Brute::between(both, [&our_keys, &their_keys]);
        compare_filters(&Asked::Two(both), &brute, |key| 1 << (key % 3), &context);

        let mut merged = ours.clone();
        for key in &their_keys {
            let entity = theirs.get(key).unwrap().to_owned();
            merged.insert(*key, entity.geometry().clone(), entity.transform()).unwrap();
        }
        let across = PairFilter::new().pairs(|a: u32, b: u32| a < 100 && b >= 100);
        compare(&Asked::One(&merged), &across, &brute.pairs, &format!("{context}, merged"));
        for test in [PairTest::Shapes, PairTest::Boxes] {
            let (mut apart, mut together) = (vec![(0, 0)], Vec::new());
            both.overlap_pairs(&PairFilter::new().test(test), &mut apart);
            merged.overlap_pairs(&across.clone().test(test), &mut together);
            assert_eq!(apart, together, "{context}, {test:?}");
        }
    }
}

/// Most pairs are measured far from the answer, so pruning has to leave out the right ones.
#[test]
fn crowds_have_the_nearest_of_all_pairs() {
    let seed = effort::seed(0x6403);
    for case in 0..effort::size(2, 8, 400) as u64 {
        let mut random = Random(seed + case);
        let (scene, keys) = mixed(&mut random, Layout::Wide, 0..120);
        let brute = Brute::within(&scene, &keys);
        compare(&Asked::One(&scene), &PairFilter::new(), &brute.pairs, &format!("seed {seed}, case {case}"));
    }
}

#[test]
fn every_instruction_set_and_number_of_threads_gives_the_same() {
    let mut random = Random(0x6404);
    let (scene, keys) = mixed(&mut random, Layout::Wide, 0..150);
    let (other, _) = mixed(&mut random, Layout::Wide, 200..260);
    let filter = PairFilter::new();
    let all = || {
        let (one, two) = (Asked::One(&scene), Asked::Two(scene.against(&other)));
        let near = [one.near(&filter, 20.0), two.near(&filter, 20.0)].concat();
        [one.closest(&filter), two.closest(&filter)].iter().flatten().chain(&near).map(of_pair).collect::<Vec<_>>()
    };
    let expected = all();
    assert!(expected.len() > 200 && keys.len() == 150, "{}", expected.len());
    for level in levels::each() {
        assert!(all() == expected, "{level:?}");
    }
    #[cfg(feature = "parallel")]
    for threads in [1, 2, 3, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert!(pool.install(all) == expected, "{threads} threads");
    }
}

/// Returns a cube from -1 to 1, each face of which is a grid of n by n squares.
fn grid_cube(n: u32) -> Mesh {
    let at = |i: u32| f64::from(2 * i) / f64::from(n) - 1.0;
    let mut soup: Vec<Vec3> = Vec::new();
    for (axis, sign) in (0..3).flat_map(|axis| [(axis, 1.0), (axis, -1.0)]) {
        let corner = |i: u32, k: u32| {
            let mut corner = [sign; 3];
            (corner[(axis + 1) % 3], corner[(axis + 2) % 3]) = (at(i), at(k));
            DVec3::from(corner).as_vec3()
        };
        for (i, k) in (0..n).flat_map(|i| (0..n).map(move |k| (i, k))) {
            let [a, b, c, d] = [corner(i, k), corner(i + 1, k), corner(i, k + 1), corner(i + 1, k + 1)];
            soup.extend([a, b, c, c, b, d]);
        }
    }
    Mesh::from_soup(&soup).unwrap()
}

/// Corners of many triangles are equally near within rounding here. A limit that changed which of them are measured would lose an entity at its own distance.
#[test]
fn a_limit_does_not_change_the_distance_of_aligned_grids() {
    let mut random = Random(effort::seed(6405));
    let cubes = [3, 5, 7].map(grid_cube);
    for case in 0..effort::size(1_500, 4_000, 200_000) {
        let mut scene = Scene::new();
        let scale = [1.0, 0.5 + random.fraction(), 1.0 + random.fraction()][case % 3];
        let first =
            DAffine3::from_scale_rotation_translation(DVec3::splat(scale), DQuat::IDENTITY, random.cube() * 9.0);
        scene.insert(0, cubes[random.below(3)].clone(), first).unwrap();
        scene.insert(1, cubes[random.below(3)].clone(), random.cube() * 9.0).unwrap();
        let truth = scene.pair(&0, &1).distance().unwrap();
        let (distance, filter) = (truth.distance_f64(), PairFilter::new());
        let expected = [said(0, 1, truth)];
        assert_eq!(scene.closest_pair(&filter).iter().map(of_pair).collect::<Vec<_>>(), expected, "{case}");
        for limit in [distance, distance * (1.0 + 1e-7), 1.5 * distance, f64::INFINITY] {
            let mut pairs = Vec::new();
            scene.distance_pairs(&filter, limit, &mut pairs);
            assert_eq!(pairs.iter().map(of_pair).collect::<Vec<_>>(), expected, "{case}: within {limit}");
        }
    }
}
