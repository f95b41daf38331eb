//! The same bits from the tree and from every triangle alone, and on every instruction set.

use crate::common::{Random, icosphere, instance_transform};
use hitscan::glam::{DQuat, DVec3, Vec3};
use hitscan::{Capsule, Contacts, HeightField, Mesh, MeshContact, Query, Scene, SimdLevel, Sphere, SweepHit, Volume};

fn volume(random: &mut Random) -> Volume {
    let radius = 10f32.powf(-1.5 + 1.5 * random.unit() as f32);
    match random.below(5) {
        0 => Volume::Point,
        1 | 2 => Sphere::new(radius).into(),
        _ => Capsule::between(random.cube().as_vec3(), random.cube().as_vec3(), radius).into(),
    }
}

fn bits(contact: &MeshContact) -> [u32; 7] {
    let MeshContact { t, point: p, normal: n, .. } = contact;
    [*t, p.x, p.y, p.z, n.x, n.y, n.z].map(f32::to_bits)
}

#[test]
fn the_tree_loses_nothing() {
    let mut random = Random(21);
    let surface = icosphere(2).map(|p| (p * 4.0).round() / 4.0 * 2.0);
    let whole = surface.mesh();
    let alone = |[a, b, c]: [u32; 3]| Mesh::from_soup(&[a, b, c].map(|i| surface.positions[i as usize])).unwrap();
    let alone: Vec<Mesh> = surface.triangles.iter().map(|&triangle| alone(triangle)).collect();
    let mut met = 0;
    for number in 0..1500 {
        let volume = volume(&mut random);
        let mut from = random.cube() * 5.0;
        if number % 3 == 0 {
            from = (from * 2.0).round() / 2.0;
        }
        let motion = if number % 7 == 0 { DVec3::ZERO } else { random.cube() * 6.0 - from };
        let pose = (from, random.rotation());
        let expected = (0..).zip(&alone).filter_map(|(triangle, mesh)| {
            let contact = mesh.sweep(&volume, pose, motion)?;
            Some(MeshContact { triangle, ..contact })
        });
        let expected = expected.min_by(|a, b| a.t.total_cmp(&b.t).then(a.triangle.cmp(&b.triangle)));
        let found = whole.sweep(&volume, pose, motion);
        assert_eq!(found, expected, "sweep {number}: {volume:?} from {pose:?} by {motion}");
        assert_eq!(found.as_ref().map(bits), expected.as_ref().map(bits), "sweep {number}");
        met += usize::from(found.is_some());
    }
    assert!(met > 300, "{met}");
}

fn world(random: &mut Random) -> Scene<usize> {
    let mut scene = Scene::new();
    let ball = icosphere(2).mesh();
    let heights: Vec<f32> = (0..900).map(|_| random.unit() as f32).collect();
    scene
        .insert(1000, HeightField::new(30, 30, [2.0, 2.0], &heights).unwrap(), DVec3::new(-30.0, -20.0, -30.0))
        .unwrap();
    for i in 0..60 {
        scene.insert(i, ball.clone(), instance_transform(random, i, 25.0)).unwrap();
    }
    scene
}

#[test]
fn every_instruction_set_answers_the_same() {
    let scene = world(&mut Random(31));
    let run = || {
        let mut random = Random(32);
        let mut hits: Vec<SweepHit<usize>> = Vec::new();
        let (mut all, mut buffer) = (Vec::new(), Vec::new());
        for number in 0..400 {
            let volume = volume(&mut random);
            let from = (random.cube() * 40.0, random.rotation());
            let motion = random.cube() * 60.0;
            let query = Query::new().contacts(if number % 2 == 0 { Contacts::All } else { Contacts::Ahead });
            let hit = scene.sweep_with(&volume, from, motion, &query);
            scene.sweep_all_with(&volume, from, motion, &query, &mut buffer);
            assert_eq!(buffer.first(), hit.as_ref(), "sweep {number}");
            hits.extend(hit);
            all.extend_from_slice(&buffer);
        }
        (hits, all)
    };
    let expected = run();
    assert!(expected.0.len() > 50, "{}", expected.0.len());
    for level in SimdLevel::available() {
        level.select().unwrap();
        assert!(run() == expected, "{level:?}");
    }
    SimdLevel::best().select().unwrap();
}

#[test]
fn an_origin_loses_nothing() {
    let far = DVec3::new(4e9, -3e9, 1e9);
    let mut scene = Scene::new();
    let mesh = icosphere(2).mesh();
    scene.insert("ball", mesh.clone(), far).unwrap();
    let query = Query::new().relative_to(far);
    let pose = ([0.0, 3.0, 0.1], DQuat::from_xyzw(0.0, 0.0, 1.0, 1.0));
    let hit = scene.sweep_with(Capsule::new(0.25, 1.0), pose, Vec3::new(0.0, -4.0, 0.0), &query).unwrap();
    let near = mesh.sweep(Capsule::new(0.25, 1.0), pose, Vec3::new(0.0, -4.0, 0.0)).unwrap();
    assert!((hit.t - near.t).abs() < 1e-6 && hit.point.distance(near.point) < 1e-6, "{hit:?} {near:?}");
}
