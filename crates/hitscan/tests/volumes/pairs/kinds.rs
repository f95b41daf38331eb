//! Cases by hand: which kinds of entities form pairs.

use crate::common::{Random, icosphere};
use hitscan::glam::{DAffine3, DVec3};
use hitscan::pairs::{PairFilter, PairTest};
use hitscan::{Aabb, Compound, Mesh, Plane, Scene, Sphere};
use hitscan_random::effort;

fn all(scene: &Scene<&'static str>) -> Vec<(&'static str, &'static str)> {
    let mut pairs = vec![("left", "over")];
    scene.overlap_pairs(&PairFilter::new(), &mut pairs);
    pairs
}

#[test]
fn nothing_and_one_are_no_pair() {
    let mut scene = Scene::new();
    assert_eq!(all(&scene), []);
    scene.insert("one", Sphere::new(1.0), DVec3::ZERO).unwrap();
    assert_eq!(all(&scene), []);
    let twins = [(Sphere::new(1.0).into(), DVec3::ZERO.into()), (Sphere::new(1.0).into(), DVec3::ZERO.into())];
    scene.insert("one", Compound::new(twins).unwrap(), DVec3::ZERO).unwrap();
    assert_eq!(all(&scene), [], "parts of one entity");
    scene.remove(&"one");
    assert_eq!(all(&scene), []);
}

#[test]
fn touching_is_overlapping_and_a_hair_less_is_not() {
    let mut scene = Scene::new();
    scene.insert("ball", Sphere::new(1.0), DVec3::ZERO).unwrap();
    scene.insert("box", Aabb::new([-1.0; 3], [1.0; 3]), DVec3::new(2.0, 0.0, 0.0)).unwrap();
    assert_eq!(all(&scene), [("ball", "box")]);
    scene.set_transform(&"box", DVec3::new(2.0 + 1e-9, 0.0, 0.0)).unwrap();
    assert_eq!(all(&scene), []);
    scene.set_transform(&"box", DVec3::new(2.0 - 1e-9, 0.0, 0.0)).unwrap();
    assert_eq!(all(&scene), [("ball", "box")]);
}

#[test]
fn solids_are_full_and_meshes_are_empty() {
    let mut scene = Scene::new();
    let room = DAffine3::from_scale(DVec3::splat(9.0));
    scene.insert("shell", icosphere(2).mesh(), room).unwrap();
    scene.insert("cat", Sphere::new(0.5), DVec3::ZERO).unwrap();
    assert_eq!(all(&scene), []);
    scene.insert("shell", Sphere::new(1.0), room).unwrap();
    assert_eq!(all(&scene), [("shell", "cat")]);
}

#[test]
fn planes_are_everywhere() {
    let mut scene = Scene::new();
    let plane = |normal: [f32; 3]| Plane::new([0.0; 3], normal).unwrap();
    scene.insert("floor", plane([0.0, 1.0, 0.0]), DVec3::ZERO).unwrap();
    scene.insert("on it", Sphere::new(1.0), DVec3::new(1e9, 1.0, 0.0)).unwrap();
    scene.insert("above", Sphere::new(1.0), DVec3::new(0.0, 1.001, 0.0)).unwrap();
    scene.insert("wall", plane([1.0, 0.0, 0.0]), DVec3::ZERO).unwrap();
    scene.insert("ceiling", plane([0.0, 1.0, 0.0]), DVec3::new(0.0, 3.0, 0.0)).unwrap();
    assert_eq!(all(&scene), [("floor", "on it"), ("floor", "wall"), ("above", "wall"), ("wall", "ceiling")]);
    let mut boxes = Vec::new();
    scene.overlap_pairs(&PairFilter::new().test(PairTest::Boxes), &mut boxes);
    assert_eq!(boxes.len(), 9, "each plane with all, and the balls are far from each other: {boxes:?}");
}

#[test]
fn what_has_no_surface_touches_nothing() {
    let mut scene = Scene::new();
    scene.insert("ball", Sphere::new(1.0), DVec3::ZERO).unwrap();
    scene.insert("empty", Mesh::new::<[f32; 3]>(&[], &[]).unwrap(), DVec3::ZERO).unwrap();
    let flat = Mesh::from_soup(&[[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]]).unwrap();
    scene.insert("flat", flat, DVec3::ZERO).unwrap();
    scene.insert("floor", Plane::new([0.0; 3], [0.0, 1.0, 0.0]).unwrap(), DVec3::ZERO).unwrap();
    assert_eq!(all(&scene), [("ball", "floor")]);
}

/// f64 distinguishes the entities whatever their sizes.
#[test]
fn of_all_sizes() {
    for size in [1e-15, 1e-6, 1.0, 1e6, 1e15] {
        let mut scene = Scene::new();
        let at = |x: f64| {
            DAffine3::from_scale_rotation_translation(DVec3::splat(size), Default::default(), DVec3::X * x * size)
        };
        scene.insert("a", Sphere::new(1.0), at(0.0)).unwrap();
        scene.insert("b", Sphere::new(1.0), at(1.999)).unwrap();
        scene.insert("c", Sphere::new(1.0), at(4.0)).unwrap();
        assert_eq!(all(&scene), [("a", "b")], "{size}");
    }
}

#[test]
fn hundreds_in_one_place() {
    let mut scene = Scene::new();
    for id in 0..300 {
        scene.insert(id, Sphere::new(1.0), DVec3::ZERO).unwrap();
    }
    let mut pairs = Vec::new();
    scene.overlap_pairs(&PairFilter::new(), &mut pairs);
    let expected: Vec<_> = (0..300).flat_map(|a| (a + 1..300).map(move |b| (a, b))).collect();
    assert!(pairs == expected, "{}", pairs.len());
}

/// A ball may have its own centre far away, and a placement that brings it back. Then its place is known only up to the rounding error of the sum.
#[test]
fn balls_whose_places_cancel_are_pairs_as_they_overlap() {
    let seed = effort::seed(0x5ca1e);
    let mut random = Random(seed);
    let (mut apart, mut together) = (0, 0);
    for case in 0..effort::size(1000, 4000, 400_000) {
        let far = 10f64.powf(random.fraction() * 9.0 + 3.0);
        let first = random.cube();
        let second = first + random.direction() * (2.0 + random.unit() * 4e-16 * far);
        let turned = DAffine3::from_quat(random.rotation());
        let own = (random.direction() * far).as_vec3();
        let shift = DAffine3::from_translation(second - turned.transform_vector3(own.as_dvec3()));
        let mut scene = Scene::new();
        scene.insert("one", Sphere::new(1.0), first).unwrap();
        scene.insert("other", Sphere { center: own, ..Sphere::new(1.0) }, shift * turned).unwrap();
        let overlap = scene.pair(&"one", &"other").overlaps();
        assert_eq!(all(&scene).is_empty(), !overlap, "seed {seed}, case {case}, at {far:e}");
        (apart, together) = (apart + usize::from(!overlap), together + usize::from(overlap));
    }
    assert!(apart > 200 && together > 200, "{apart} apart, {together} together");
}
