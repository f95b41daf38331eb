//! Entities that move, and volumes with a margin.

use crate::common::Random;
use hitscan::glam::{DAffine3, DMat3, DQuat, DVec3, Vec3};
use hitscan::prelude::*;
use hitscan::query::sweep_entity;
use hitscan::{
    Compound, Cone, ConvexHull, Cylinder, Disc, Geometry, OrientedBox, Quad, RoundedBox, Shape, Torus, Triangle,
};
use hitscan_random::effort;

fn shapes() -> Vec<Shape> {
    let tilted = DAffine3::from_rotation_translation(DQuat::from_rotation_x(0.4), DVec3::new(0.1, 0.2, 0.0));
    vec![
        Sphere::new(0.4).into(),
        Capsule::new(0.2, 1.0).into(),
        Cylinder::new(0.3, 0.9).into(),
        Cone::new(0.4, 0.8).into(),
        Aabb::new([-0.3, -0.2, -0.4], [0.3, 0.4, 0.4]).into(),
        OrientedBox::new(Aabb::new([-0.3, -0.2, -0.1], [0.3, 0.2, 0.1]), tilted).unwrap().into(),
        Disc::new(Vec3::ZERO, Vec3::new(0.0, 0.6, 0.8), 0.5).into(),
        Quad::new([-0.4, 0.0, -0.3], [0.8, 0.1, 0.0], [0.0, 0.1, 0.6]).into(),
        Triangle::new([-0.4, 0.0, -0.3], [0.5, 0.0, -0.2], [0.0, 0.3, 0.5]).into(),
        RoundedBox::new(Aabb::new([-0.2, -0.1, -0.3], [0.2, 0.3, 0.3]), 0.1).into(),
    ]
}

/// Returns a rotation and a translation if `is_rigid`, or a transform that also stretches and shears.
fn place(random: &mut Random, is_rigid: bool) -> DAffine3 {
    let (turn, at) = (random.rotation(), random.direction() * 3.0);
    if is_rigid {
        return DAffine3::from_rotation_translation(turn, at);
    }
    let half = || DVec3::splat(1.2);
    let (a, b) = (random.cube() * 0.5, random.cube() * 0.3);
    let linear = DMat3::from_diagonal(half() + a) * DMat3::from_quat(random.rotation());
    let shear = DMat3::from_cols(DVec3::X, DVec3::new(b.x, 1.0, b.y), DVec3::new(b.z, 0.0, 1.0));
    DAffine3::from_mat3_translation(DMat3::from_quat(turn) * shear * linear, at)
}

fn obstacles(scene: &mut Scene<u32>) {
    scene.insert(1, Aabb::new([-0.6, -0.5, -0.4], [0.6, 0.5, 0.4]), DVec3::ZERO).unwrap();
    scene.insert(2, Sphere::new(0.5), [0.2, 0.9, 0.1]).unwrap();
    scene.insert(3, Quad::new([-1.0, -0.8, -1.0], [2.0, 0.1, 0.0], [0.0, 0.0, 2.0]), DVec3::ZERO).unwrap();
    let soup = [[0.3, 0.2, 0.9], [1.2, -0.4, 0.5], [0.7, 0.9, -0.3]];
    scene.insert(4, Mesh::from_soup(&soup).unwrap(), DVec3::ZERO).unwrap();
}

/// An entity that is placed without a stretch has the same hit as the same volume in the same pose.
#[test]
fn a_rigid_entity_moves_as_its_volume() {
    let mut random = Random(4301);
    let mut hits = 0;
    for case in 0..600 {
        let mut scene = Scene::new();
        obstacles(&mut scene);
        let all = shapes();
        let shape = &all[case % all.len()];
        let Some(volume) = shape.volume() else { continue };
        let to_world = place(&mut random, true);
        scene.insert(0, *shape, to_world).unwrap();
        let motion = random.cube() - to_world.translation * 1.6;
        let others = Filter::new().exclude(0);
        let rotation = DQuat::from_mat3(&to_world.matrix3);
        let expected = scene.with(&others).sweep(&volume, (to_world.translation, rotation), motion);
        let found = sweep_entity(&scene, &0, motion);
        assert_eq!(found.map(|hit| hit.id), expected.map(|hit| hit.id), "case {case}: {found:?} {expected:?}");
        if let (Some(found), Some(expected)) = (found, expected) {
            assert!((found.t_f64() - expected.t_f64()).abs() < 1e-9, "case {case}: {found:?} {expected:?}");
            hits += 1;
        }
    }
    assert!(hits > 200, "{hits}");
}

/// A stretched entity touches where it stops, and overlaps a little later, as the questions about two entities confirm.
#[test]
fn a_stretched_entity_stops_where_it_touches() {
    let mut random = Random(4302);
    let mut hits = 0;
    for case in 0..900 {
        let mut scene = Scene::new();
        obstacles(&mut scene);
        let all = shapes();
        let mirror = DVec3::new(if case % 2 == 0 { 1.0 } else { -1.0 }, 1.0, 1.0);
        let to_world = place(&mut random, false) * DAffine3::from_scale(mirror);
        let corners = [[0.0, 0.5, 0.0], [0.6, -0.2, 0.1], [-0.3, -0.2, 0.5], [-0.3, -0.3, -0.4]].map(Vec3::from);
        let geometry: Geometry = match all.get(case / 2 % (all.len() + 1)) {
            Some(shape) => (*shape).into(),
            None => ConvexHull::new(&corners).unwrap().into(),
        };
        scene.insert(0, geometry, to_world).unwrap();
        let motion = random.cube() - to_world.translation * 1.6;
        let Some(hit) = sweep_entity(&scene, &0, motion) else {
            for step in 0..=40 {
                scene
                    .set_transform(&0, DAffine3::from_translation(motion * (f64::from(step) / 40.0)) * to_world)
                    .unwrap();
                for other in 1..=4 {
                    let depth = scene.pair(&0, &other).penetration().map_or(0.0, |found| found.depth);
                    assert!(depth < 1e-5, "case {case}: {depth} deep in {other} after {step} of 40");
                }
            }
            continue;
        };
        hits += 1;
        let mut at = |t: f64| {
            scene.set_transform(&0, DAffine3::from_translation(motion * t) * to_world).unwrap();
            let distance = scene.pair(&0, &hit.id).distance().map_or(f64::INFINITY, |found| f64::from(found.distance));
            let nearest = (1..=4).filter_map(|other| scene.pair(&0, &other).distance());
            (distance, nearest.map(|found| f64::from(found.distance)).fold(f64::INFINITY, f64::min))
        };
        let (touched, _) = at(hit.t_f64());
        assert!(touched < 1e-6, "case {case}: {touched} apart at {hit:?}");
        if hit.start == SweepStart::Apart {
            // A hundredth of a unit before that, nothing is touched.
            let (_, nearest) = at(hit.t_f64() - 0.01 / motion.length());
            assert!(nearest > 0.0, "case {case}: {hit:?}");
        }
    }
    assert!(hits > 400, "{hits}");
}

#[test]
fn an_entity_moves_with_all_its_parts_but_itself() {
    let mut scene = Scene::new();
    scene.insert("wall", Aabb::new([5.0, -9.0, -9.0], [6.0, 9.0, 9.0]), DVec3::ZERO).unwrap();
    scene.insert("low", Aabb::new([3.0, -9.0, -9.0], [3.5, -1.0, 9.0]), DVec3::ZERO).unwrap();
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, -2.0, 0.0], [0.0, 0.0, 1.0]].map(Vec3::from);
    let parts = [
        (Shape::from(Sphere::new(1.0)).into(), DVec3::ZERO.into()),
        (ConvexHull::new(&corners).unwrap().into(), DVec3::ZERO.into()),
        (Geometry::from(Shape::from(Torus::new(9.0, 0.1))), DVec3::ZERO.into()),
    ];
    scene.insert("thing", Compound::new(parts).unwrap(), DVec3::ZERO).unwrap();
    let hit = sweep_entity(&scene, &"thing", [8.0, 0.0, 0.0]).unwrap();
    // The hull reaches 0.5 to the side at y = -1.
    assert_eq!((hit.id, hit.t), ("low", 2.5 / 8.0));
    let high = Filter::new().exclude("low");
    let hit = sweep_entity(scene.with(&high), &"thing", [8.0, 0.0, 0.0]).unwrap();
    assert_eq!((hit.id, hit.t), ("wall", 0.5));
    assert_eq!(sweep_entity(&scene, &"nothing", [8.0, 0.0, 0.0]), None);
    assert_eq!(sweep_entity(&scene, &"thing", [f64::NAN, 0.0, 0.0]), None);
    scene.insert("flat", Mesh::from_soup(&corners[..3]).unwrap(), DVec3::ZERO).unwrap();
    assert_eq!(sweep_entity(&scene, &"flat", [8.0, 0.0, 0.0]), None);
    // A contact at the start can be left out.
    scene.remove(&"flat");
    scene.insert("roof", Aabb::new([-2.0, 1.0, -2.0], [2.0, 2.0, 2.0]), DVec3::ZERO).unwrap();
    assert_eq!(sweep_entity(&scene, &"thing", [-1.0, 0.0, 0.0]).map(|hit| hit.id), Some("roof"));
    let ahead = scene.contact_filter(ContactFilter::Ahead);
    assert_eq!(sweep_entity(ahead, &"thing", [-1.0, 0.0, 0.0]), None);
}

/// Contacts of parts of different sizes are ordered by their times, also where these are equal in f32. The oracle is the time at which a ball touches a wall.
#[test]
fn the_earliest_of_all_parts_wins_within_f32() {
    let mut random = Random(40_603);
    let mut ties = 0;
    for number in 0..effort::size(500, 5_000, 100_000) {
        let mut scene = Scene::new();
        let motion = DVec3::X * 8.0;
        let mut balls = Vec::new();
        let mut times = Vec::new();
        let mut ids: Vec<u32> = (0..3).collect();
        if random.below(2) == 0 {
            ids.reverse();
        }
        // Each ball touches a wall of its own, a little after half of the way.
        for id in ids {
            let radius = 2f64.powi(random.below(8) as i32 - 4);
            let place = DVec3::new(0.0, 100.0 * f64::from(id), 0.0);
            balls.push((Shape::from(Sphere::new(radius as f32)).into(), place.into()));
            let late = 1e-12 * 10f64.powf(5.0 * random.fraction());
            times.push((0.5 + late, id));
            let wall = Aabb::new([0.0, -40.0, -40.0], [1.0, 40.0, 40.0]);
            scene.insert(id, wall, place + DVec3::X * (radius + (0.5 + late) * motion.x)).unwrap();
        }
        scene.insert(9, Compound::new(balls).unwrap(), DVec3::ZERO).unwrap();
        times.sort_by(|a, b| a.0.total_cmp(&b.0));
        // Times of 1e-13 and less may be equal in f64, for the largest ball.
        if times[1].0 - times[0].0 < 1e-12 {
            continue;
        }
        let hit = sweep_entity(&scene, &9, motion).unwrap();
        assert_eq!(hit.id, times[0].1, "{number}: {hit:?} of {times:?}");
        ties += usize::from(times[0].0 as f32 == times[1].0 as f32);
    }
    assert!(ties > 100, "{ties}");
}

/// A volume with a margin stops as far in front of everything as the margin is wide, and a box's corner is then round.
#[test]
fn a_margin_is_a_distance() {
    let mut random = Random(4303);
    let volumes: [Volume; 6] = [
        Volume::Point,
        Sphere::new(0.3).into(),
        Capsule::new(0.2, 1.0).into(),
        Aabb::new([-0.3, -0.2, -0.4], [0.3, 0.4, 0.4]).into(),
        Cylinder::new(0.3, 0.8).into(),
        ConvexHull::new(&[[0.0, 0.5, 0.0], [0.5, -0.2, 0.0], [-0.3, -0.2, 0.4], [-0.3, -0.2, -0.4]].map(Vec3::from))
            .unwrap()
            .into(),
    ];
    let mut hits = 0;
    for case in 0..600 {
        let volume = &volumes[case % volumes.len()];
        let margin = [0.125, 0.01, 1e-4][case % 3];
        let mut scene = Scene::new();
        obstacles(&mut scene);
        let (rotation, from) = (random.rotation(), random.direction() * 3.0);
        let motion = random.cube() - from * 1.6;
        let thick = volume.clone().with_margin(margin);
        let Some(hit) = scene.sweep(&thick, (from, rotation), motion) else {
            assert!(scene.sweep(volume, (from, rotation), motion).is_none(), "case {case}");
            continue;
        };
        hits += 1;
        let at = (from + motion * hit.t_f64(), rotation);
        assert!(!scene.overlaps(volume, at), "case {case}: {hit:?}");
        let nearly = |factor: f32| scene.overlaps(volume.clone().with_margin(margin * factor), at);
        assert!(nearly(1.001) && !nearly(0.999), "case {case}: {hit:?}");
        assert!(scene.sweep(volume, (from, rotation), motion).is_none_or(|bare| bare.t >= hit.t));
    }
    assert!(hits > 200, "{hits}");
    let twice = volumes[3].clone().with_margin(0.25).with_margin(0.5);
    assert_eq!(twice, volumes[3].clone().with_margin(0.75));
    let bad = Volume::from(Sphere::new(1.0)).with_margin(-0.5);
    assert_eq!(bad.validate().unwrap_err().to_string(), "the margin -0.5 must be finite and not negative");
    assert_eq!(Scene::<u32>::new().sweep(&bad, DVec3::ZERO, DVec3::X), None);
}

/// A stretched ball or capsule without a radius is a point or a segment, whatever its transform is.
#[test]
fn stretched_shapes_without_radius_touch_at_points() {
    let shapes: [Geometry; 2] = [Sphere::new(-0.0).into(), Capsule::new(0.0, 0.5).into()];
    let obstacles: [Geometry; 2] = [Sphere::new(1.0).into(), crate::common::grid_cube(1).mesh().into()];
    for (scale, (shape, obstacle)) in
        [DVec3::new(0.1, 0.01, -2.0), DVec3::new(1e300, 1.0, 1.0 / 3.0)].into_iter().flat_map(|scale| {
            shapes
                .iter()
                .flat_map(|shape| obstacles.iter().map(move |obstacle| (shape, obstacle)))
                .map(move |pair| (scale, pair))
        })
    {
        let mut scene = Scene::new();
        let place = DVec3::new(-0.375, -0.375, -0.375);
        scene
            .insert(0, shape.clone(), DAffine3::from_scale_rotation_translation(scale, DQuat::IDENTITY, place))
            .unwrap();
        scene.insert(1, obstacle.clone(), DVec3::ZERO).unwrap();
        for motion in [DVec3::new(0.0, 0.0, -0.5), DVec3::new(0.0, -5.0, 0.0), DVec3::X * 5.0, DVec3::ZERO] {
            let Some(hit) = sweep_entity(&scene, &0, motion) else { continue };
            let case = || format!("{shape:?} scaled by {scale} by {motion}: {hit:?}");
            assert!(hit.point.is_finite() && hit.normal.is_normalized(), "{}", case());
        }
    }
}
