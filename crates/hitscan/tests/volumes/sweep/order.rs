//! The first contact of a sweep does not depend on the other entities of the scene, or on the order in which they are tested.

use crate::common::Random;
use hitscan::glam::{DAffine3, DMat3, DQuat, Vec3};
use hitscan::{
    Aabb, Capsule, ContactFilter, ConvexHull, Cylinder, Filter, Geometry, HeightField, Mesh, Quad, Scene, Sphere,
    SweepHit, SweepQueries, Volume,
};
use hitscan_random::effort::{seed, size};

const WILD_CASES: [usize; 3] = [4_000, 10_000, 5_000_000];

fn solid(random: &mut Random) -> Geometry {
    let size = |random: &mut Random| 0.25 * (1 + random.below(8)) as f32;
    let half = Vec3::new(size(random), size(random), size(random));
    let corners = |random: &mut Random| [(); 9].map(|()| (random.cube().as_vec3() * 4.0).round() * 0.5);
    match random.below(4) {
        0 => Aabb::new(-half, half).into(),
        1 => Quad::new(-half, Vec3::X * half.x, Vec3::new(0.0, half.y, half.z)).into(),
        _ => ConvexHull::new(&corners(random)).map_or_else(|_| Aabb::new(-half, half).into(), Geometry::from),
    }
}

/// Returns a volume. Many are flat or have no radius, and their contacts at the start are the least certain.
fn volume(random: &mut Random) -> Volume {
    let half = Vec3::new(0.25, 0.5, 0.75);
    match random.below(7) {
        0 => Volume::Point,
        1 => Sphere::new(0.25).into(),
        2 => Capsule::new(0.25, 1.0).into(),
        3 => Cylinder::new(0.25, 1.0).into(),
        4 => Aabb::new(half.with_x(0.0) * -1.0, half.with_x(0.0)).into(),
        5 => Aabb::new(-half, half).into(),
        _ => ConvexHull::new(&[Vec3::ZERO, half, half.with_x(-0.5), half.with_y(-0.25), half.with_z(-1.0)])
            .unwrap()
            .into(),
    }
}

fn rotation(random: &mut Random) -> DQuat {
    if random.below(2) == 0 { DQuat::IDENTITY } else { random.rotation() }
}

/// Returns solids around the origin, most of which touch or overlap others.
fn scene(random: &mut Random) -> Scene<usize> {
    let mut scene = Scene::new();
    for id in 0..5 {
        let place = (random.cube() * 4.0).round() * 0.5;
        let stretched = DMat3::from_cols(random.cube(), random.cube(), random.cube());
        let linear = if random.below(2) == 0 { stretched } else { DMat3::from_quat(rotation(random)) };
        let to_world = DAffine3::from_mat3_translation(linear, place);
        scene.insert(id, solid(random), to_world).unwrap();
    }
    scene
}

#[test]
fn a_first_contact_is_that_of_all_contacts_and_of_its_entity_alone() {
    let cases = size(4_000, 10_000, 2_000_000);
    let mut random = Random(71);
    let (mut hits, mut starts) = (0, 0);
    for number in 0..cases {
        let (scene, volume, turn) = (scene(&mut random), volume(&mut random), rotation(&mut random));
        let motion = (random.cube() * 4.0).round();
        let mut from = (random.cube() * 6.0).round() * 0.5;
        // Half of the volumes start at a contact, as the volumes of a game do.
        if number % 2 == 0
            && let Some(landed) = scene.sweep(&volume, (from, turn), motion)
        {
            from += motion * f64::from(landed.t);
        }
        let motion = if number % 3 == 0 { motion } else { 3.0 * random.cube() };
        for filter in [ContactFilter::Ahead, ContactFilter::All] {
            let view = scene.contact_filter(filter);
            let first = view.sweep(&volume, (from, turn), motion);
            let mut all = Vec::new();
            view.sweep_all(&volume, (from, turn), motion, &mut all);
            let case = || format!("{number}: {volume:?} from {from} by {motion}, {filter:?}");
            assert_eq!(first.as_ref(), all.first(), "{}", case());
            let Some(first) = first else { continue };
            let of_it = Filter::new().entities(|id: usize| id == first.id);
            let only = scene.with(&of_it);
            let alone = only.contact_filter(filter).sweep(&volume, (from, turn), motion);
            assert_eq!(Some(&first), alone.as_ref(), "{} alone", case());
            hits += 1;
            starts += usize::from(is_at_start(&first));
        }
    }
    assert!(hits > cases / 2 && starts > cases / 8, "{hits} hits, {starts} of them at the start");
}

fn is_at_start(hit: &SweepHit<usize>) -> bool {
    hit.t == 0.0
}

/// Returns a placement whose axes and place have sizes of up to 60 orders of magnitude.
fn wild_place(random: &mut Random) -> DAffine3 {
    let size = |random: &mut Random| 10f64.powf(30.0 * random.unit() * random.fraction());
    let linear = match random.below(3) {
        0 => DMat3::from_quat(rotation(random)) * size(random),
        1 => DMat3::from_quat(rotation(random)) * DMat3::from_diagonal([(); 3].map(|()| size(random)).into()),
        _ => DMat3::from_cols(random.cube(), random.cube(), random.cube()) * size(random),
    };
    DAffine3::from_mat3_translation(linear, random.cube() * size(random))
}

fn wild_solid(random: &mut Random) -> Geometry {
    if random.below(3) > 0 {
        return solid(random);
    }
    let corners = [(); 9].map(|()| (random.cube().as_vec3() * 4.0).round() * 0.5);
    let far = corners.map(|corner| if random.below(8) == 0 { corner * 1e9 } else { corner });
    if random.below(2) == 0 {
        return HeightField::new(3, 3, [0.5, 0.25], &far.map(|corner| corner.y)).unwrap().into();
    }
    Mesh::from_soup(&far).unwrap().into()
}

fn wild_scene(random: &mut Random) -> Scene<usize> {
    let mut scene = Scene::new();
    for id in 0..6 {
        // Some placements are refused.
        let _ = scene.insert(id, wild_solid(random), wild_place(random));
    }
    scene
}

/// The first contact is also the first of all contacts among things of any size, whose distances are rounded by more
/// than the whole motion.
#[test]
fn a_first_contact_is_that_of_all_contacts_in_wild_scenes() {
    let [quick, full, long] = WILD_CASES;
    let cases = size(quick, full, long);
    let mut random = Random(seed(72));
    let (mut hits, mut all) = (0, Vec::new());
    for number in 0..cases {
        let scene = wild_scene(&mut random);
        let (volume, turn) = (volume(&mut random), rotation(&mut random));
        let from = wild_place(&mut random).translation;
        let motion = random.pick(&[1.0, 1e-6, 1e9]) * 3.0 * random.cube();
        for filter in [ContactFilter::Ahead, ContactFilter::All] {
            let view = scene.contact_filter(filter);
            let first = view.sweep(&volume, (from, turn), motion);
            view.sweep_all(&volume, (from, turn), motion, &mut all);
            assert_eq!(first.as_ref(), all.first(), "{number}: {volume:?} from {from} by {motion}, {filter:?}");
            hits += usize::from(first.is_some());
        }
    }
    println!("{hits} hits in {cases} cases");
    assert!(hits > cases / 8, "{hits}");
}

/// The first contact of a rotating sweep is the first of its contacts with each entity alone. This holds among things of any size, too.
#[test]
fn a_first_contact_of_a_rotating_volume_is_the_first_of_its_entities_in_wild_scenes() {
    let cases = size(1_000, 4_000, 400_000);
    let mut random = Random(seed(73));
    let mut hits = 0;
    for number in 0..cases {
        let scene = wild_scene(&mut random);
        let volume = volume(&mut random);
        let from = wild_place(&mut random).translation;
        let motion = random.pick(&[1.0, 1e-6, 1e9]) * 3.0 * random.cube();
        let poses = [(from, rotation(&mut random)), (from + motion, rotation(&mut random))];
        let first = scene.sweep_rotating(&volume, poses[0], poses[1]);
        let alone = (0..6).filter_map(|id| {
            let of_it = Filter::new().entities(move |other: usize| other == id);
            scene.with(&of_it).sweep_rotating(&volume, poses[0], poses[1])
        });
        let earliest = alone.reduce(|a, b| if b.t < a.t { b } else { a });
        let said = || format!("{number}: {volume:?} from {poses:?}");
        assert_eq!(first.as_ref().map(|hit| hit.t), earliest.map(|hit| hit.t), "{}", said());
        if let Some(first) = &first {
            let of_it = Filter::new().entities(|id: usize| id == first.id);
            let alone = scene.with(&of_it).sweep_rotating(&volume, poses[0], poses[1]);
            assert_eq!(Some(first), alone.as_ref(), "{} alone", said());
            hits += 1;
        }
    }
    println!("{hits} hits in {cases} cases");
    assert!(hits > cases / 16, "{hits}");
}
