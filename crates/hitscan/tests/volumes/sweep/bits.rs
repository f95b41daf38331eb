//! The tree gives the same contacts as every triangle alone, and all instruction sets give the same bits.

use crate::common::{Random, icosphere, instance_transform};
use crate::sweep::bodies::{Kind, body};
use hitscan::glam::{DAffine3, DQuat, DVec3, Vec3};
use hitscan::query::{Feature, MeshContact};
use hitscan::{
    Capsule, ContactFilter, Geometry, HeightField, Mesh, Scene, Sphere, SweepHit, SweepQueries, SweepStart, Triangle,
    Volume,
};
use hitscan_random::levels;

fn volume(random: &mut Random) -> Volume {
    let radius = 10f32.powf(-1.5 + 1.5 * random.unit() as f32);
    match random.below(9) {
        0 => Volume::Point,
        1 | 2 => Sphere::new(radius).into(),
        3 => body(random, Kind::Box, radius.into()).volume,
        4 => body(random, Kind::Plate, radius.into()).volume,
        5 => body(random, Kind::Sheared, radius.into()).volume,
        6 => body(random, Kind::Hull, radius.into()).volume,
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
        let contacts = (0..).zip(&alone).filter_map(|(triangle, mesh)| {
            let contact = mesh.sweep(&volume, pose, motion)?;
            Some(MeshContact { triangle, ..contact })
        });
        let contacts: Vec<MeshContact> = contacts.collect();
        let found = whole.sweep(&volume, pose, motion);
        // Several contacts may have the least reported t: the first is the contact whose t was least before rounding.
        let first = contacts.iter().map(|contact| contact.t).min_by(f32::total_cmp);
        let expected =
            contacts.iter().copied().find(|contact| found.is_none_or(|found| contact.triangle == found.triangle));
        assert_eq!(found.map(|found| found.t), first, "sweep {number}");
        assert_eq!(found, expected, "sweep {number}: {volume:?} from {pose:?} by {motion}");
        assert_eq!(found.as_ref().map(bits), expected.as_ref().map(bits), "sweep {number}");
        met += usize::from(found.is_some());
    }
    assert!(met > 300, "{met}");
}

/// Beyond a limit, the tree does not test motions in f32. The motions here are around that limit. Their starts are
/// distant, or their volumes are about as large as the obstacle.
#[test]
fn nothing_is_lost_from_afar_or_of_what_is_large() {
    let mut random = Random(77);
    let surface = icosphere(1).map(|p| p * 2.0);
    let mut whole = Scene::new();
    whole.insert(0, surface.mesh(), DVec3::ZERO).unwrap();
    let corners = surface.triangles.iter().map(|triangle| triangle.map(|i| surface.positions[i as usize]));
    let alone: Vec<Scene<u32>> = (0..)
        .zip(corners)
        .map(|(number, [a, b, c])| {
            let mut scene = Scene::new();
            scene.insert(number, Triangle::new(a, b, c), DVec3::ZERO).unwrap();
            scene
        })
        .collect();
    let mut met = 0;
    for number in 0..800 {
        // The frame of the mesh's tree scales 4 to 1. In frame units, a start at 4 is far away, and a volume of size 1
        // is thick.
        let size = 10f32.powf(-1.0 + 2.0 * random.unit() as f32);
        let volume: Volume = match number % 3 {
            0 => Sphere::new(size).into(),
            1 => Capsule::between(random.cube().as_vec3() * size, random.cube().as_vec3() * size, size * 0.1).into(),
            _ => body(&mut random, Kind::Box, size.into()).volume,
        };
        let from = random.cube() * if number % 2 == 0 { 24.0 } else { f64::from(size) + 3.0 };
        let motion = random.cube() * (f64::from(size) + 2.0) - from;
        let pose = (from, random.rotation());
        let contacts: Vec<SweepHit<u32>> =
            alone.iter().filter_map(|scene| scene.sweep(&volume, pose, motion)).collect();
        let found = whole.sweep(&volume, pose, motion);
        let first = contacts.iter().map(|hit| hit.t).min_by(f32::total_cmp);
        let expected = contacts.iter().find(|hit| found.is_none_or(|found| Some(hit.id) == found.triangle)).copied();
        assert_eq!(found.map(|found| found.t), first, "sweep {number}");
        let what = format!("sweep {number}: {volume:?} from {pose:?} by {motion}");
        assert_eq!(found.as_ref().map(said), expected.as_ref().map(said), "{what}");
        met += usize::from(found.is_some_and(|hit| hit.t > 0.0));
    }
    assert!(met > 200, "{met}");
}

/// Returns two scenes. One has a surface whose leaves are tested in f32 first. The other has all of its triangles as
/// shapes, which are not tested in f32.
fn twice(geometry: impl Into<Geometry>, triangles: &[[Vec3; 3]], to_world: DAffine3) -> [Scene<u32>; 2] {
    let (mut surface, mut shapes) = (Scene::new(), Scene::new());
    surface.insert(0, geometry, to_world).unwrap();
    for (number, &[a, b, c]) in (0..).zip(triangles) {
        // A triangle without area is not a valid shape, and no sweep hits it in a surface.
        let _ = shapes.insert(number, Triangle::new(a, b, c), to_world);
    }
    [surface, shapes]
}

fn said(hit: &SweepHit<u32>) -> (u32, [u32; 4], Feature, SweepStart) {
    let SweepHit { t, point, feature, start, .. } = hit;
    (hit.triangle.unwrap_or(hit.id), [*t, point.x, point.y, point.z].map(f32::to_bits), *feature, *start)
}

#[test]
fn what_f32_leaves_out_is_not_met() {
    let mut random = Random(41);
    let ball = icosphere(2).map(|p| (p * 4.0).round() / 4.0 * 2.0);
    let of_ball: Vec<_> = ball.triangles.iter().map(|triangle| triangle.map(|i| ball.positions[i as usize])).collect();
    let heights: Vec<f32> = (0..169).map(|_| random.unit() as f32).collect();
    let field = HeightField::new(13, 13, [0.5, 0.5], &heights).unwrap();
    let of_field: Vec<_> = (0..).map_while(|triangle| field.triangle(triangle)).collect();
    let (mut met, mut in_all) = (0, 0);
    let (mut own, mut others) = (Vec::new(), Vec::new());
    for number in 0..60 {
        let mut to_world = instance_transform(&mut random, number, 1.0);
        if number % 5 == 0 {
            to_world.translation += random.cube() * 1e5;
        }
        let [surface, shapes] = if number % 2 == 0 {
            twice(ball.mesh(), &of_ball, to_world)
        } else {
            twice(field.clone(), &of_field, to_world)
        };
        let reach = surface.bounds();
        let (low, high) = (reach.min.as_dvec3(), reach.max.as_dvec3());
        for sweep in 0..12 {
            let volume = volume(&mut random);
            let mut place = || low + (high - low) * (random.cube() + 1.0) * 0.5;
            let (from, to) = (place(), place());
            let motion = (to - from) * [0.0, 1.0, 30.0][sweep % 3];
            let pose = (from - motion * 0.5, random.rotation());
            surface.sweep_all(&volume, pose, motion, &mut own);
            shapes.sweep_all(&volume, pose, motion, &mut others);
            others.sort_by(|a, b| a.t.total_cmp(&b.t).then(a.id.cmp(&b.id)));
            let what = format!("{number}, {sweep}: {volume:?} from {pose:?} by {motion} at {to_world}");
            assert_eq!(own.len(), others.len(), "{what}");
            let first = surface.sweep(&volume, pose, motion);
            assert_eq!(first.as_ref().map(said), own.first().map(said), "{what}");
            // Contacts with the same reported t are ordered by t before rounding.
            own.sort_by(|a, b| a.t.total_cmp(&b.t).then(a.triangle.cmp(&b.triangle)));
            assert!(own.iter().zip(&others).all(|(a, b)| said(a) == said(b)), "{what}: {own:?}, but {others:?}");
            met += usize::from(first.is_some());
            in_all += own.len();
        }
    }
    assert!(met > 200 && in_all > 2_000, "{met} met, {in_all} in all");
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
            let view = scene.contact_filter(if number % 2 == 0 { ContactFilter::All } else { ContactFilter::Ahead });
            let hit = view.sweep(&volume, from, motion);
            view.sweep_all(&volume, from, motion, &mut buffer);
            assert_eq!(buffer.first(), hit.as_ref(), "sweep {number}");
            if number % 8 == 0 {
                let to = (from.0 + motion * 0.2, random.rotation());
                hits.extend(view.sweep_rotating(&volume, from, to));
            }
            hits.extend(hit);
            all.extend_from_slice(&buffer);
        }
        (hits, all)
    };
    let expected = run();
    assert!(expected.0.len() > 40, "{}", expected.0.len());
    for level in levels::each() {
        assert!(run() == expected, "{level:?}");
    }
}

#[test]
fn an_origin_loses_nothing() {
    let far = DVec3::new(4e9, -3e9, 1e9);
    let mut scene = Scene::new();
    let mesh = icosphere(2).mesh();
    scene.insert("ball", mesh.clone(), far).unwrap();
    let pose = ([0.0, 3.0, 0.1], DQuat::from_xyzw(0.0, 0.0, 1.0, 1.0));
    let hit = scene.relative_to(far).sweep(Capsule::new(0.25, 1.0), pose, Vec3::new(0.0, -4.0, 0.0)).unwrap();
    let near = mesh.sweep(Capsule::new(0.25, 1.0), pose, Vec3::new(0.0, -4.0, 0.0)).unwrap();
    assert!((hit.t - near.t).abs() < 1e-6 && hit.point.distance(near.point) < 1e-6, "{hit:?} {near:?}");
}
