//! The helpers of games: shots, spread, camera arms, explosions, ledges and jumps.

use hitscan::gameplay::{CameraArm, Impact, JumpInput, JumpWindow, LedgeProbe, blast, shoot, spread};
use hitscan::glam::{DQuat, DVec3, Vec3};
use hitscan::prelude::*;
use hitscan::{Geometry, Shape};

fn length_of(legs: &[hitscan::gameplay::ShotLeg<u32>]) -> f64 {
    legs.iter().map(|leg| (leg.to.as_dvec3() - leg.from.as_dvec3()).length()).sum()
}

/// Six boxes around a room of 4 x 3 x 6, which share their edges.
fn room() -> Scene<u32> {
    let mut scene = Scene::new();
    let walls = [
        ([-3.0, -1.0, -4.0], [3.0, 0.0, 4.0]),
        ([-3.0, 3.0, -4.0], [3.0, 4.0, 4.0]),
        ([-3.0, -1.0, -4.0], [-2.0, 4.0, 4.0]),
        ([2.0, -1.0, -4.0], [3.0, 4.0, 4.0]),
        ([-3.0, -1.0, -4.0], [3.0, 4.0, -3.0]),
        ([-3.0, -1.0, 3.0], [3.0, 4.0, 4.0]),
    ];
    for (id, (low, high)) in (0..).zip(walls) {
        scene.insert(id, Aabb::new(low, high), DVec3::ZERO).unwrap();
    }
    scene
}

#[test]
fn a_shot_stays_in_a_room_and_goes_as_far_as_its_range() {
    let scene = room();
    for (case, direction) in spread([1.0, 0.3, 0.2], 3.0, 400, 11).enumerate() {
        let legs = shoot(&scene, &Ray::new([0.0, 1.5, 0.0], direction * 7.0), 100.0, |_, _| Impact::Ricochet);
        assert!((length_of(&legs) - 100.0).abs() < 1e-3, "case {case}: {}", length_of(&legs));
        let is_in = |p: Vec3| p.x.abs() < 2.001 && (-0.001..3.001).contains(&p.y) && p.z.abs() < 3.001;
        assert!(legs.iter().all(|leg| is_in(leg.to)), "case {case}");
        assert!(legs[..legs.len() - 1].iter().all(|leg| leg.hit.is_some()) && legs.last().unwrap().hit.is_none());
        assert!(legs.windows(2).all(|pair| pair[0].to == pair[1].from));
    }
}

#[test]
fn shots_end() {
    let scene = room();
    let ray = Ray::new([0.0, 1.5, 0.0], Vec3::X);
    let stopped = shoot(&scene, &ray, 100.0, |_, _| Impact::Stop);
    assert_eq!(stopped.iter().map(|leg| leg.hit.map(|hit| hit.id)).collect::<Vec<_>>(), [Some(3)]);
    // A range that ends exactly at a surface still reaches it.
    assert!(shoot(&scene, &ray, 2.0, |_, _| Impact::Stop)[0].hit.is_some());
    assert!(shoot(&scene, &ray, 1.999, |_, _| Impact::Stop)[0].hit.is_none());
    // A shot between two walls ends when it has the largest number of legs.
    assert_eq!(shoot(&scene, &ray, f32::INFINITY, |_, _| Impact::Ricochet).len(), 1024);
    let away = shoot(&Scene::<u32>::new(), &ray, f32::INFINITY, |_, _| Impact::Stop);
    assert_eq!(away.last().unwrap().to, Vec3::new(f32::INFINITY, 1.5, 0.0));
    let through = shoot(&scene, &ray, 50.0, |_, _| Impact::PassThrough);
    let hits: Vec<_> = through.iter().map(|leg| leg.hit.map(|hit| (hit.id, hit.side))).collect();
    assert_eq!(hits, [Some((3, Side::Front)), Some((3, Side::Back)), None]);
    assert_eq!(through.last().unwrap().to, Vec3::new(50.0, 1.5, 0.0));
    for (ray, range) in
        [(Ray::new(Vec3::NAN, Vec3::X), 9.0), (Ray::new(Vec3::ZERO, Vec3::ZERO), 9.0), (ray, f32::NAN), (ray, -1.0)]
    {
        assert!(shoot(&scene, &ray, range, |_, _| Impact::Stop).is_empty(), "{ray:?} {range}");
    }
}

/// Heights along the axis are spread evenly, and so are the angles around it.
#[test]
fn spread_is_even_in_the_cone() {
    for (axis, angle) in [(Vec3::Y, 0.2f32), (Vec3::new(3.0, -2.0, 0.5), 1.0), (Vec3::NEG_X, core::f32::consts::PI)] {
        let all: Vec<Vec3> = spread(axis, angle, 20_000, 5).collect();
        let lowest = f64::from(angle).cos();
        let height = |p: &Vec3| p.as_dvec3().dot(axis.as_dvec3().normalize());
        let mean = all.iter().map(height).sum::<f64>() / all.len() as f64;
        assert!((mean - (1.0 + lowest) * 0.5).abs() < 0.01 * (1.0 - lowest), "{axis}: {mean}");
        assert!(all.iter().all(|p| height(p) >= lowest - 1e-6 && (p.length() - 1.0).abs() < 1e-6));
        let sideways = all.iter().map(|p| p.as_dvec3()).sum::<DVec3>().reject_from(axis.as_dvec3()) / all.len() as f64;
        assert!(sideways.length() < 0.02, "{axis}: {sideways}");
    }
    assert_ne!(spread(Vec3::Y, 0.5, 5, 1).collect::<Vec<_>>(), spread(Vec3::Y, 0.5, 5, 2).collect::<Vec<_>>());
    assert!(spread(Vec3::Y, 0.0, 3, 9).all(|p| p == Vec3::Y));
    for (axis, angle) in [(Vec3::ZERO, 0.5), (Vec3::NAN, 0.5), (Vec3::Y, f32::NAN), (Vec3::Y, -0.1), (Vec3::Y, 4.0)] {
        assert_eq!(spread(axis, angle, 3, 9).count(), 0, "{axis} {angle}");
    }
}

#[test]
fn a_camera_never_touches_what_is_behind_it() {
    let scene = room();
    let arm = CameraArm { length: 5.0, radius: 0.25 };
    for direction in spread(Vec3::Y, core::f32::consts::PI, 500, 3) {
        let end = arm.end(&scene, [0.3, 1.2, -0.4], direction.as_dvec3());
        assert!(end.length < 5.0 && end.blocked_by.is_some());
        assert!(scene.penetration(Sphere::new(0.25), end.position).is_none_or(|way| way.depth < 1e-5), "{end:?}");
    }
    // The target's back is nearer to a wall than the radius, so the camera moves away from that wall.
    let end = arm.end(&scene, [1.9, 1.2, 0.0], DVec3::NEG_X);
    assert_eq!((end.blocked_by, (end.length - 3.65).abs() < 1e-6), (Some(2), true), "{end:?}");
    for bad in [CameraArm { length: f64::NAN, ..arm }, CameraArm { radius: -1.0, ..arm }] {
        let end = bad.end(&scene, [0.0, 1.0, 0.0], DVec3::X);
        assert_eq!((end.position, end.length), (DVec3::new(0.0, 1.0, 0.0), 0.0));
    }
    assert_eq!(arm.end(&scene, [0.0, 1.0, 0.0], DVec3::ZERO).length, 0.0);
    // An arm that starts in a solid has length 0, and so has an arm with an invalid length or origin.
    let end = arm.end(&scene, [2.5, 1.0, 0.0], DVec3::NEG_X);
    assert_eq!((end.length, end.blocked_by), (0.0, Some(3)));
    for bad in [CameraArm { length: -1.0, ..arm }, CameraArm { length: 1e80, ..arm }] {
        assert_eq!(bad.end(&scene, DVec3::ZERO, DVec3::Y).length, 0.0);
    }
    assert_eq!(arm.end(scene.relative_to([f64::NAN, 0.0, 0.0]), DVec3::ZERO, DVec3::Y).length, 0.0);
}

#[test]
fn a_blast_tells_who_is_covered() {
    let mut scene = Scene::new();
    scene.insert(0, Aabb::new([-1.0, -1.0, -1.0], [1.0, 1.0, 1.0]), DVec3::ZERO).unwrap();
    scene.insert(1, Sphere::new(0.5), DVec3::new(3.0, 0.0, 0.0)).unwrap();
    scene
        .insert(2, Mesh::from_soup(&[[0.0, 2.0, -1.0], [0.0, 2.0, 1.0], [1.0, 3.0, 0.0]]).unwrap(), DVec3::ZERO)
        .unwrap();
    let seen = |center: DVec3, radius: f32| {
        let hits = blast(&scene, center, radius);
        hits.into_iter()
            .map(|hit| (hit.id, (hit.distance * 1000.0).round() / 1000.0, hit.is_covered))
            .collect::<Vec<_>>()
    };
    // The walls of a box cover everything outside of it from a blast inside.
    assert_eq!(seen(DVec3::ZERO, 3.0), [(0, 0.0, false), (2, 2.0, true), (1, 2.5, true)]);
    assert_eq!(seen(DVec3::new(6.0, 0.0, 0.0), 20.0), [(1, 2.5, false), (0, 5.0, true), (2, 5.831, false)]);
    assert_eq!(seen(DVec3::new(6.0, 0.0, 0.0), 1.0), []);
    for (center, radius) in
        [(DVec3::NAN, 1.0), (DVec3::ZERO, f32::NAN), (DVec3::ZERO, 0.0), (DVec3::ZERO, f32::INFINITY)]
    {
        assert!(blast(&scene, center, radius).is_empty(), "{center} {radius}");
    }
    // A floor does not cover an entity on the floor from an explosion that is on the floor, or a rounding below it. A
    // wall that the explosion touches covers the entities behind it.
    let mut scene = Scene::new();
    scene.insert(0, Aabb::new([-9.0, -1.0, -9.0], [9.0, 0.0, 9.0]), DVec3::ZERO).unwrap();
    scene.insert(1, Aabb::new([9.0, -1.0, -9.0], [27.0, 0.0, 9.0]), DVec3::ZERO).unwrap();
    scene.insert(2, Capsule::new(0.3, 1.8), [3.0, 0.9, 1.0]).unwrap();
    scene.insert(3, Aabb::new([-1.5, 0.0, -9.0], [-1.0, 3.0, 9.0]), DVec3::ZERO).unwrap();
    scene.insert(4, Capsule::new(0.3, 1.8), [-3.0, 0.9, 0.0]).unwrap();
    for y in [0.0, 1e-7, -1e-7] {
        let hits = blast(&scene, [-1.0, y, 0.0], 12.0);
        let covered = hits.iter().map(|hit| (hit.id, hit.is_covered)).collect::<std::collections::BTreeMap<_, _>>();
        assert_eq!(covered, [(0, false), (1, false), (2, false), (3, false), (4, true)].into(), "{y}");
    }
    // Without an origin for the view, positions far away are still as exact as f64.
    let far = DVec3::new(1e7, 0.0, 3e6);
    let mut there = Scene::new();
    for (id, entity) in scene.iter() {
        let moved = hitscan::glam::DAffine3::from_translation(far) * entity.transform();
        there.insert(id, entity.geometry().clone(), moved).unwrap();
    }
    let hits = blast(&there, far + DVec3::new(-1.0, 0.5, 0.0), 12.0);
    assert_eq!(hits.iter().filter(|hit| hit.is_covered).map(|hit| hit.id).collect::<Vec<_>>(), [4], "{hits:?}");
    // A solid around the center is reached, however far its surface is.
    let mut scene = Scene::new();
    scene.insert(0, Aabb::new([-4.0; 3], [5.0; 3]), DVec3::ZERO).unwrap();
    let hits = blast(&scene, DVec3::ZERO, 1.0);
    assert_eq!(hits.iter().map(|hit| (hit.distance, hit.is_covered)).collect::<Vec<_>>(), [(0.0, false)], "{hits:?}");
    // The nearest surface does not belong to the part around the center.
    let parts = [
        (Geometry::from(Shape::from(Sphere::new(5.0))), DVec3::ZERO.into()),
        (Shape::from(Sphere::new(1.0)).into(), DVec3::new(1.5, 0.0, 0.0).into()),
    ];
    let mut scene = Scene::new();
    scene.insert(0, hitscan::Compound::new(parts).unwrap(), DVec3::ZERO).unwrap();
    assert_eq!(blast(&scene, DVec3::ZERO, 9.0)[0].distance, 0.0);
}

#[test]
fn a_blast_reaches_targets_behind_what_covers() {
    let mut scene = Scene::new();
    scene.insert(0, Aabb::new([1.0, -9.0, -9.0], [1.1, 9.0, 9.0]), DVec3::ZERO).unwrap(); // glass
    scene.insert(1, Aabb::new([2.0, -1.0, -9.0], [2.5, 1.0, 9.0]), DVec3::ZERO).unwrap(); // a wall
    scene.insert(2, Sphere::new(0.5), DVec3::new(4.0, 0.0, 0.0)).unwrap();
    scene.insert(3, Sphere::new(0.5), DVec3::new(6.0, 0.0, 0.0)).unwrap();
    scene.insert(4, Sphere::new(0.5), DVec3::new(3.0, 5.0, 0.0)).unwrap();
    let targets = Filter::new().entities(|id| id >= 2);
    let (all, walls, no_glass) = (Filter::new(), Filter::new().entities(|id| id == 1), Filter::new().exclude(0));
    let reached = |sight: hitscan::query::SightView<'_, u32>| {
        let hits = blast(sight, DVec3::ZERO, 9.0);
        hits.into_iter().map(|hit| (hit.id, hit.is_covered)).collect::<Vec<_>>()
    };
    assert_eq!(reached(scene.with(&targets).into()), [(2, false), (4, false), (3, true)]);
    assert_eq!(reached(scene.with(&targets).hidden_by(&walls)), [(2, true), (4, false), (3, true)]);
    assert_eq!(reached(scene.with(&targets).hidden_by(&all)), [(2, true), (4, true), (3, true)]);
    let glass_is_open = [(0, false), (1, false), (2, true), (4, false), (3, true)];
    assert_eq!(reached(scene.hidden_by(&no_glass)), glass_is_open);
    // The view's origin is used, whatever its other options are.
    let far = DVec3::new(1e7, 0.0, -3e6);
    let mut there = Scene::new();
    for (id, entity) in scene.iter() {
        let moved = hitscan::glam::DAffine3::from_translation(far) * entity.transform();
        there.insert(id, entity.geometry().clone(), moved).unwrap();
    }
    assert_eq!(reached(there.relative_to(far).hidden_by(&no_glass)), glass_is_open);
}

#[test]
fn a_blast_far_away_is_as_exact_as_near() {
    let mut scene = Scene::new();
    scene.insert(0, Aabb::new([-1.0, -1.0, -1.0], [1.0, 1.0, 1.0]), DVec3::ZERO).unwrap();
    scene.insert(1, Sphere::new(0.5), DVec3::new(3.0, 0.0, 0.0)).unwrap();
    // The view is relative to a place far from the origin.
    let far = DVec3::new(1e7, 0.0, -3e6);
    let mut there = Scene::new();
    for (id, entity) in scene.iter() {
        let moved = hitscan::glam::DAffine3::from_translation(far) * entity.transform();
        there.insert(id, entity.geometry().clone(), moved).unwrap();
    }
    let hits = blast(there.relative_to(far), [6.0, 0.0, 0.0], 20.0);
    assert_eq!(hits, blast(&scene, [6.0, 0.0, 0.0], 20.0));
}

#[test]
fn ledges_of_roofs_railings_and_slopes() {
    let probe = LedgeProbe { reach: 1.0, lowest: 1.2, highest: 2.4, radius: 0.05, max_slope: 0.6 };
    let find = |scene: &Scene<u32>, feet: [f64; 3]| probe.find(scene, feet, [0.0, 0.5, 2.0], DVec3::Y * 3.0);
    let mut scene = Scene::new();
    scene.insert(0, Aabb::new([-5.0, 0.0, 1.0], [5.0, 2.0, 1.15]), DVec3::ZERO).unwrap();
    let ledge = find(&scene, [0.25, 0.0, 0.3]).expect("a railing");
    assert!((ledge.point - DVec3::new(0.25, 2.0, 1.0)).length() < 1e-6, "{ledge:?}");
    assert_eq!(ledge.top_normal, DVec3::Y);
    // The ledge is too far away, too high, and too low.
    assert_eq!(find(&scene, [0.25, 0.0, -0.5]), None);
    assert_eq!(find(&scene, [0.25, -0.5, 0.3]), None);
    assert_eq!(find(&scene, [0.25, 1.0, 0.3]), None);
    // A ceiling is between the hand and the edge.
    scene.insert(1, Aabb::new([-5.0, 2.2, -5.0], [5.0, 2.3, 0.6]), DVec3::ZERO).unwrap();
    assert_eq!(find(&scene, [0.25, 0.0, 0.3]), None);
    // One roof is flat enough to be held, and the other one is too steep.
    for (angle, is_held) in [(0.4, true), (0.8, false)] {
        let mut scene = Scene::new();
        let slope = (DVec3::new(0.0, 2.0, 1.0), DQuat::from_rotation_x(-angle));
        scene.insert(0, Aabb::new([-5.0, -0.2, 0.0], [5.0, 0.0, 4.0]), slope).unwrap();
        assert_eq!(find(&scene, [0.0, 0.0, 0.3]).is_some(), is_held, "{angle}");
    }
    // The ledge is also found relative to a distant origin.
    let far = DVec3::new(3e6, -2e6, 5e6);
    let mut there = Scene::new();
    there.insert(0, Aabb::new([-5.0, 0.0, 1.0], [5.0, 2.0, 1.15]), far).unwrap();
    let ledge = probe.find(there.relative_to(far), [0.25, 0.0, 0.3], [0.0, 0.5, 2.0], DVec3::Y).expect("a railing");
    assert!((ledge.point - DVec3::new(0.25, 2.0, 1.0)).length() < 1e-6, "{ledge:?}");
    // Neither a floor nor a ramp is a ledge.
    let low = LedgeProbe { lowest: 0.0, ..probe };
    let mut flat = Scene::new();
    flat.insert(0, Aabb::new([-9.0, -1.0, -9.0], [9.0, 0.0, 9.0]), DVec3::ZERO).unwrap();
    assert_eq!(low.find(&flat, DVec3::ZERO, DVec3::Z, DVec3::Y), None);
    let slope = (DVec3::new(0.0, -0.1, 0.0), DQuat::from_rotation_x(-0.4));
    flat.insert(1, Aabb::new([-5.0, -5.0, 0.0], [5.0, 0.0, 9.0]), slope).unwrap();
    assert_eq!(low.find(&flat, DVec3::ZERO, DVec3::Z, DVec3::Y), None);
    for bad in [f64::NAN, f64::INFINITY] {
        assert_eq!(LedgeProbe { max_slope: bad, ..probe }.find(&scene, [0.25, 0.0, 0.3], DVec3::Z, DVec3::Y), None);
    }
    let tilted = DVec3::new(0.3, 0.5, 0.7);
    assert_eq!(probe.find(&scene, [0.25, 0.0, 0.3], tilted, tilted), None);
    let nothing = LedgeProbe { radius: f32::NAN, ..probe };
    assert_eq!(nothing.find(&scene, DVec3::ZERO, DVec3::Z, DVec3::Y), None);
    assert_eq!(probe.find(&scene, DVec3::ZERO, DVec3::Y, DVec3::Y), None);
    assert_eq!(LedgeProbe { reach: f64::INFINITY, ..probe }.find(&scene, DVec3::ZERO, DVec3::Z, DVec3::Y), None);
}

#[test]
fn jumps_count_a_little_late_and_a_little_early() {
    let idle = JumpInput::default();
    let [grounded, pressed] = [JumpInput { is_grounded: true, ..idle }, JumpInput { is_pressed: true, ..idle }];
    let both = JumpInput { is_grounded: true, is_pressed: true };
    for rate in [30.0, 60.0, 144.0] {
        let dt = 1.0 / rate;
        let steps = |seconds: f64| (seconds * rate).round() as usize;
        // The character walks off a ledge, and the jump is pressed this many seconds later.
        let late = |seconds: f64| {
            let mut jumps = JumpWindow::new(0.1, 0.1);
            jumps.step(grounded, dt);
            (1..steps(seconds)).for_each(|_| assert!(!jumps.step(idle, dt)));
            jumps.step(pressed, dt)
        };
        assert!(late(0.05) && !late(0.2), "{rate}");
        // The jump is pressed in the air, and the character lands this many seconds later.
        let early = |seconds: f64| {
            let mut jumps = JumpWindow::new(0.1, 0.1);
            assert!(!jumps.step(pressed, dt));
            (1..steps(seconds)).for_each(|_| assert!(!jumps.step(idle, dt)));
            jumps.step(grounded, dt)
        };
        assert!(early(0.05) && !early(0.2), "{rate}");
        let mut jumps = JumpWindow::new(0.0, 0.0);
        assert!(jumps.step(both, dt) && !jumps.step(grounded, dt) && jumps.step(both, dt));
    }
}
