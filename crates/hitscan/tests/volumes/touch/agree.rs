//! Consistency of questions. They are asked about the same entities in another order, with the two entities of a pair
//! exchanged, or at another scale.

use crate::common::{Random, grid_cube, icosphere};
use crate::touch::count;
use hitscan::glam::{DAffine3, DMat3, DQuat, DVec3, Vec3};
use hitscan::pairs::PairFilter;
use hitscan::query::{ContactPoint, Penetration};
use hitscan::{
    Aabb, Capsule, Cone, ConvexHull, Cylinder, Disc, Geometry, HeightField, Mesh, OrientedBox, ProximityQueries, Quad,
    Scene, Shape, Sphere, Torus, Triangle, Volume,
};

/// Returns a number of about 1, with few bits, so that many features are exactly aligned, or with arbitrary bits.
fn number(random: &mut Random) -> f32 {
    match random.below(3) {
        0 => (random.below(9) as f32 - 4.0) * 0.25,
        _ => random.unit() as f32,
    }
}

fn point(random: &mut Random) -> Vec3 {
    Vec3::new(number(random), number(random), number(random))
}

fn size(random: &mut Random) -> f32 {
    match random.below(12) {
        0 => 0.0,
        1 => 1e-4,
        _ => number(random).abs(),
    }
}

fn shape(random: &mut Random, kind: usize) -> Option<Shape> {
    let (a, b, c) = (point(random), point(random), point(random));
    let (r, s, t) = (size(random), size(random), size(random));
    Some(match kind {
        0 => Sphere::at(a, r).into(),
        1 => Capsule::between(a, b, r).into(),
        2 => Aabb::new(a, a + Vec3::new(r, s, t)).into(),
        3 => OrientedBox::from_rotation(a, Vec3::new(r, s, t), random.rotation().as_quat()).ok()?.into(),
        4 => Cylinder::between(a, b, r).into(),
        5 => Cone::between(a, b, r).into(),
        6 => Disc::new(a, b, r).into(),
        7 => Quad { corner: a, edge_u: b, edge_v: c }.into(),
        8 => Triangle::new(a, b, c).into(),
        _ => Torus::new(r.max(s), r.min(s)).into(),
    })
}

const KINDS: usize = 14;

fn geometry(random: &mut Random, kind: usize) -> Option<Geometry> {
    Some(match kind {
        10 => {
            ConvexHull::new(&[point(random), point(random), point(random), point(random), point(random)]).ok()?.into()
        }
        11 => grid_cube(2).mesh().into(),
        12 => icosphere(1).mesh().into(),
        13 => {
            let heights: Vec<f32> = (0..16).map(|_| number(random)).collect();
            HeightField::new(4, 4, [0.5, 0.5], &heights).ok()?.into()
        }
        _ => shape(random, kind)?.into(),
    })
}

fn volume(random: &mut Random) -> Option<Volume> {
    let (a, b) = (point(random), point(random));
    let (r, s, t) = (size(random), size(random), size(random));
    Some(match random.below(6) {
        0 => Volume::Point,
        1 => Sphere::at(a, r).into(),
        2 => Capsule::between(a, b, r).into(),
        3 => Aabb::new(a, a + Vec3::new(r, s, t)).into(),
        4 => OrientedBox::from_rotation(a, Vec3::new(r, s, t), random.rotation().as_quat()).ok()?.into(),
        _ => ConvexHull::new(&[point(random), point(random), point(random), point(random), point(random)]).ok()?.into(),
    })
}

fn rotation(random: &mut Random) -> DQuat {
    match random.below(3) {
        0 => DQuat::IDENTITY,
        1 => DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2),
        _ => random.rotation(),
    }
}

/// Returns a transform that rotates, stretches, mirrors, shears, flattens or elongates.
fn transform(random: &mut Random) -> DAffine3 {
    let linear = DMat3::from_quat(rotation(random));
    let scale = |s: DVec3| DMat3::from_diagonal(s);
    let linear = match random.below(6) {
        0 | 1 => linear,
        2 => linear * scale(DVec3::new(-1.0, 1.0, 1.0)),
        3 => linear * scale(DVec3::new(2.0, -0.5, 1.0)) * DMat3::from_quat(random.rotation()),
        4 => linear * scale(DVec3::new(1.0, 1e-6, 1.0)),
        _ => linear * scale(DVec3::new(1.0, 30.0, 0.1)) * DMat3::from_quat(random.rotation()),
    };
    DAffine3::from_mat3_translation(linear, point(random).as_dvec3())
}

/// Returns the magnitude to which the rounding errors of a scene are relative.
fn size_of(scene: &Scene<usize>) -> f64 {
    let bounds = scene.bounds();
    f64::from(bounds.min.abs().max(bounds.max.abs()).max_element()) + 4.0
}

/// Returns whether a kind is convex, and neither a compound nor a surface. Then its separation is the shortest of
/// the whole geometry.
fn is_convex(kind: usize) -> bool {
    kind != 9 && kind < 11
}

#[test]
fn two_entities_in_either_order() {
    let mut random = Random(1000);
    let (mut together, mut apart) = (0, 0);
    for case in 0..count(1500) {
        let seed = random.0;
        let kinds = [random.below(KINDS), random.below(KINDS)];
        let mut scene = Scene::new();
        for (key, kind) in kinds.into_iter().enumerate() {
            let (geometry, to_world) = (geometry(&mut random, kind), transform(&mut random));
            // Some geometries have no area, or are flattened so far that their transform is singular.
            let _ = geometry.map(|geometry| scene.insert(key, geometry, to_world));
        }
        if scene.len() < 2 {
            continue;
        }
        let size = size_of(&scene);
        let [ab, ba] = [[0, 1], [1, 0]].map(|[a, b]| scene.pair(&a, &b).penetration());
        let [there, back] = [[0, 1], [1, 0]].map(|[a, b]| scene.pair(&a, &b).distance());
        let touches = scene.pair(&0, &1).overlaps();
        let mut pairs = Vec::new();
        scene.overlap_pairs(&PairFilter::new(), &mut pairs);
        let said = || format!("{case}, seed {seed:#x}: {kinds:?}: {ab:?}, {ba:?}, {there:?}, {back:?}, {pairs:?}");
        assert!(touches == scene.pair(&1, &0).overlaps() && touches != pairs.is_empty(), "{}", said());
        assert!(touches == ab.is_some() && touches == ba.is_some(), "{}", said());
        // An overlap has distance 0, and separate entities do not.
        assert!(there.is_some_and(|there| there.distance == 0.0) == touches, "{}", said());
        let off = there.map(|of| of.distance).unwrap_or(0.0) - back.map(|of| of.distance).unwrap_or(0.0);
        assert!(there.is_some() == back.is_some() && f64::from(off.abs()) <= 1e-6 * size, "{}", said());
        apart += usize::from(!touches);
        let Some((ab, ba)) = ab.zip(ba) else { continue };
        together += 1;
        assert!((ab.normal.length() - 1.0).abs() < 1e-6 && ab.depth >= 0.0, "{}", said());
        assert!((ab.separation().length() - ba.separation().length()).abs() <= 2e-5 * size, "{}", said());
        if kinds.into_iter().all(is_convex) {
            let mut to_world = scene.get(&1).unwrap().transform();
            to_world.translation += ab.separation() + ab.normal.as_dvec3() * 1e-6 * size;
            scene.set_transform(&1, to_world).unwrap();
            let left = scene.pair(&0, &1).distance().unwrap().distance;
            assert!(left > 0.0 && f64::from(left) < 2e-6 * size, "{left}: {}", said());
        }
    }
    println!("{together} together, {apart} apart");
    assert!(together * 10 > count(1500) && apart * 10 > count(1500), "{together}, {apart}");
}

/// Returns a scene of these entities in the given order.
fn scene_of(things: &[(usize, usize, Geometry, DAffine3)], order: impl Iterator<Item = usize>) -> Scene<usize> {
    let mut scene = Scene::new();
    for number in order {
        let (key, _, geometry, to_world) = &things[number];
        scene.insert(*key, geometry.clone(), *to_world).unwrap();
    }
    scene
}

fn things(random: &mut Random) -> Vec<(usize, usize, Geometry, DAffine3)> {
    let many = 1 + random.below(4);
    let made = (0..many).filter_map(|key| {
        let kind = random.below(KINDS);
        let (geometry, to_world) = (geometry(random, kind), transform(random));
        Some((key, kind, geometry?, to_world))
    });
    // Entities that cannot be placed are left out.
    made.filter(|(key, _, geometry, to_world)| Scene::new().insert(*key, geometry.clone(), *to_world).is_ok()).collect()
}

#[test]
fn every_question_about_a_volume() {
    let mut random = Random(1001);
    let (mut found, mut manifolds) = (0, 0);
    for case in 0..count(1500) {
        let seed = random.0;
        let things = things(&mut random);
        let scene = scene_of(&things, 0..things.len());
        let Some(volume) = volume(&mut random) else { continue };
        let pose = (point(&mut random).as_dvec3(), rotation(&mut random));
        let (mut all, mut contacts, mut overlaps, mut keys, mut again) = (vec![], vec![], vec![], vec![], vec![]);
        scene.penetration_all(&volume, pose, &mut all);
        scene.contact_points(&volume, pose, &mut contacts);
        scene.overlap_all(&volume, pose, &mut overlaps);
        scene.overlap_entities(&volume, pose, &mut keys);
        let said = || format!("{case}, seed {seed:#x}: {volume:?} {pose:?} {all:?} {contacts:?}");
        assert_eq!(scene.overlaps(&volume, pose), !all.is_empty(), "{}", said());
        let place = |of: &Penetration<usize>| (of.id, of.part, of.triangle);
        let mut places: Vec<_> = all.iter().map(place).collect();
        places.sort_unstable();
        // Triangles that other triangles of their surface hide are ignored.
        let touched: Vec<_> = overlaps.iter().map(|of| (of.id, of.part, of.triangle)).collect();
        assert!(places.iter().all(|place| touched.contains(place)), "{}", said());
        let parts = |of: &[(usize, u32, Option<u32>)]| {
            let mut parts: Vec<_> = of.iter().map(|of| (of.0, of.1)).collect();
            parts.dedup();
            parts
        };
        assert_eq!(parts(&places), parts(&touched), "{}", said());
        places.dedup_by_key(|of| of.0);
        assert_eq!(places.iter().map(|of| of.0).collect::<Vec<_>>(), keys, "{}", said());
        // The order of the entities is reversed.
        scene_of(&things, (0..things.len()).rev()).penetration_all(&volume, pose, &mut again);
        let mut sorted = all.clone();
        sorted.sort_by_key(place);
        again.sort_by_key(place);
        assert_eq!(sorted, again, "{}", said());
        // The points of each entity are consecutive, and no two coincide.
        let mut rest = contacts.as_slice();
        for thing in &all {
            let many = rest.iter().take_while(|of| (of.id, of.part, of.triangle) == place(thing)).count();
            let (points, others) = rest.split_at(many);
            rest = others;
            assert!((1..=4).contains(&many), "{many}: {}", said());
            assert_eq!((points[0].depth, points[0].normal), (thing.depth, thing.normal), "{}", said());
            for (number, of) in points.iter().enumerate() {
                assert!(of.depth >= 0.0 && of.depth <= thing.depth && of.normal == thing.normal, "{}", said());
                let apart = |other: &ContactPoint<usize>| of.points_f64()[0].distance(other.points_f64()[0]);
                let nearest = points[..number].iter().map(apart).fold(f64::INFINITY, f64::min);
                assert!(nearest > 0.9 * ONE_PLACE * reach(&volume), "{nearest:e}: {of:?}: {}", said());
            }
            manifolds += usize::from(many > 1);
        }
        assert!(rest.is_empty(), "{}", said());
        found += all.len();
        if let ([(_, kind, ..)], [thing]) = (things.as_slice(), all.as_slice())
            && is_convex(*kind)
        {
            let slight = 1e-6 * size_of(&scene);
            let moved = |by: f64| (pose.0 + thing.separation() + thing.normal.as_dvec3() * by, pose.1);
            assert!(!scene.overlaps(&volume, moved(slight)), "{}", said());
            let is_deep = thing.separation().length() > 4.0 * slight;
            assert!(!is_deep || scene.overlaps(&volume, moved(-2.0 * slight)), "{}", said());
        }
    }
    println!("{found} things, {manifolds} with more points than one");
    assert!(found > count(1500) && manifolds * 5 > count(1500), "{found}, {manifolds}");
}

/// The distance, relative to the volume's size, within which two points are the same.
const ONE_PLACE: f64 = 1.0 / (1 << 20) as f64;

/// Returns a lower bound of the extent of a volume from its centre along an axis, for any rotation.
fn reach(volume: &Volume) -> f64 {
    let (bounds, least) = match volume {
        Volume::Sphere(ball) => return ball.radius.into(),
        Volume::Capsule(capsule) => return f64::from(capsule.height()) * 0.5 / 3f64.sqrt(),
        Volume::Cylinder(cylinder) => return f64::from(cylinder.height()) * 0.5 / 3f64.sqrt(),
        Volume::Cone(cone) => return f64::from(cone.height()) * 0.5 / 3f64.sqrt(),
        Volume::Aabb(aabb) => (*aabb, 0.5 / 3f64.sqrt()),
        Volume::OrientedBox(turned) => (turned.aabb(), 0.5 / 3f64.sqrt()),
        // The centre of a hull is the mean of its corners. The farthest corner is at least half of the longest edge
        // away.
        Volume::ConvexHull(hull) => (hull.bounds(), 0.5 / 3f64.sqrt()),
        _ => return 0.0,
    };
    f64::from((bounds.max - bounds.min).max_element()) * least
}

#[test]
fn a_power_of_two_larger() {
    let mut random = Random(1002);
    let mut found = 0;
    for case in 0..count(600) {
        let seed = random.0;
        let things = things(&mut random);
        let scene = scene_of(&things, 0..things.len());
        let Some(volume) = volume(&mut random) else { continue };
        let pose = (point(&mut random).as_dvec3(), rotation(&mut random));
        for power in [-40, 60] {
            let scale = 2f64.powi(power);
            let larger = |transform: &DAffine3| DAffine3::from_scale(DVec3::splat(scale)) * *transform;
            let mut scaled = Scene::new();
            for (key, _, geometry, to_world) in &things {
                scaled.insert(*key, geometry.clone(), larger(to_world)).unwrap();
            }
            let (mut all, mut all_scaled) = (vec![], vec![]);
            let (mut contacts, mut contacts_scaled) = (vec![], vec![]);
            let Some(large) = scaled_volume(&volume, scale as f32) else { continue };
            let place = (pose.0 * scale, pose.1);
            scene.penetration_all(&volume, pose, &mut all);
            scaled.penetration_all(&large, place, &mut all_scaled);
            scene.contact_points(&volume, pose, &mut contacts);
            scaled.contact_points(&large, place, &mut contacts_scaled);
            let said = || format!("{case} {power}, seed {seed:#x}: {all:?}, {all_scaled:?}");
            assert_eq!((all.len(), contacts.len()), (all_scaled.len(), contacts_scaled.len()), "{}", said());
            for (of, large) in all.iter().zip(&all_scaled) {
                assert_eq!((of.id, of.triangle, of.normal), (large.id, large.triangle, large.normal), "{}", said());
                assert_eq!(of.separation() * scale, large.separation(), "{}", said());
                assert_eq!(of.point_f64() * scale, large.point_f64(), "{}", said());
            }
            for (of, large) in contacts.iter().zip(&contacts_scaled) {
                assert_eq!(of.points_f64().map(|point| point * scale), large.points_f64(), "{}", said());
            }
            found += all.len();
        }
    }
    assert!(found > count(600), "{found}");
}

/// Returns the scaled volume; `None` for an oriented box, which has no constructor from its parts.
fn scaled_volume(volume: &Volume, scale: f32) -> Option<Volume> {
    Some(match volume {
        Volume::Sphere(ball) => Sphere::at(ball.center * scale, ball.radius * scale).into(),
        Volume::Capsule(capsule) => {
            let [a, b] = capsule.ends();
            Capsule::between(a * scale, b * scale, capsule.radius() * scale).into()
        }
        Volume::Aabb(aabb) => Aabb::new(aabb.min * scale, aabb.max * scale).into(),
        Volume::ConvexHull(hull) => {
            let corners: Vec<Vec3> = hull.vertices().iter().map(|corner| *corner * scale).collect();
            ConvexHull::new(&corners).unwrap().into()
        }
        Volume::Point => Volume::Point,
        _ => return None,
    })
}

/// Returns triangles of very different sizes: the rounding error of one triangle is larger than another triangle.
fn soup_of_all_sizes(random: &mut Random) -> Option<Mesh> {
    let mut corners = Vec::new();
    for _ in 0..2 + random.below(5) {
        let sizes = [1e29, 1e6, 1.0, 1e-3, 1e-9];
        let at = if random.below(2) == 0 { Vec3::ZERO } else { point(random) };
        // Two of the three corners may be far larger or smaller than the first, and all of them may have the same
        // offset.
        let (near, far) = (sizes[random.below(5)], sizes[random.below(5)]);
        corners.extend([near, far, far].map(|size| at + random.cube().as_vec3() * size));
    }
    Mesh::from_soup(&corners).ok()
}

#[test]
fn whether_and_how_deep_are_one_question() {
    let mut random = Random(1003);
    let (mut together, mut apart) = (0, 0);
    for case in 0..count(4000) {
        let seed = random.0;
        let mut scene = Scene::new();
        for key in 0..2 {
            let kind = random.below(KINDS);
            let geometry = match random.below(4) {
                0 => geometry(&mut random, kind),
                _ => soup_of_all_sizes(&mut random).map(Geometry::from),
            };
            let at = point(&mut random).as_dvec3() * [0.0, 1.0, 1e-6][random.below(3)];
            let to_world = DAffine3::from_rotation_translation(rotation(&mut random), at);
            let _ = geometry.map(|geometry| scene.insert(key, geometry, to_world));
        }
        for (a, b) in [(0, 1), (1, 0)] {
            let touch = scene.pair(&a, &b).overlaps();
            let (deep, near) = (scene.pair(&a, &b).penetration(), scene.pair(&a, &b).distance());
            let said = || format!("{case}, seed {seed:#x}: {touch}, {deep:?}, {near:?}");
            assert_eq!(touch, deep.is_some(), "{}", said());
            assert_eq!(touch, near.is_some_and(|near| near.distance == 0.0), "{}", said());
            if touch { together += 1 } else { apart += 1 }
        }
    }
    println!("{together} together, {apart} apart");
    assert!(together * 10 > count(4000) && apart * 10 > count(4000), "{together}, {apart}");
}
