//! Custom shapes: a sphere and a box of this file compared with the library's, and shapes that break the rules.

use crate::common::Random;
use hitscan::custom::{Custom, CustomHit, CustomRay, CustomShape};
use hitscan::error::ShapeError;
use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::{Aabb, Cull, Filter, Hit, Inside, Plane, Ray, RayQueries, Scene, Side, Sphere};
use std::ops::ControlFlow;

/// A ball of radius 1.
struct Ball;

impl CustomShape for Ball {
    fn bounds(&self) -> Aabb {
        Aabb::new([-1.0; 3], [1.0; 3])
    }

    fn cast(&self, ray: &CustomRay, offer: &mut dyn FnMut(CustomHit) -> ControlFlow<()>) {
        let d = ray.direction / ray.direction.length();
        let foot = ray.origin - d * ray.origin.dot(d);
        let half = (1.0 - foot.length_squared()).sqrt(); // NaN on a miss
        let middle = -ray.origin.dot(d);
        for (distance, side) in [(middle - half, Side::Front), (middle + half, Side::Back)] {
            let t = distance / ray.direction.length();
            if ray.t_min <= t && t <= ray.t_max && offer(CustomHit::new(t, ray.at(t), side)).is_break() {
                return;
            }
        }
    }
}

fn placement(random: &mut Random) -> DAffine3 {
    let scale = DVec3::new(0.3 + random.unit().abs(), 0.3 + random.unit().abs(), -0.3 - random.unit().abs());
    DAffine3::from_scale_rotation_translation(scale, random.rotation(), random.cube() * 3.0)
}

fn said(hit: &Hit<u32>) -> (u32, Side) {
    (hit.id, hit.side)
}

fn assert_near(a: &[Hit<u32>], b: &[Hit<u32>], context: &str) {
    assert_eq!(a.iter().map(said).collect::<Vec<_>>(), b.iter().map(said).collect::<Vec<_>>(), "{context}");
    for (a, b) in a.iter().zip(b) {
        assert!((a.t - b.t).abs() <= 1e-5 * (1.0 + b.t.abs()), "{context}: {a:?} {b:?}");
        assert!((a.point - b.point).length() < 1e-4, "{context}: {a:?} {b:?}");
        assert!((a.normal - b.normal).length() < 1e-3 || b.side == Side::Inside, "{context}: {a:?} {b:?}");
    }
}

#[test]
fn a_custom_ball_answers_like_the_ball_of_the_library() {
    let seed = 11;
    let mut random = Random(seed);
    let (mut own, mut reference) = (Scene::new(), Scene::new());
    for id in 0..40 {
        let transform = placement(&mut random);
        own.insert(id, Custom::new(Ball), transform).unwrap();
        reference.insert(id, Sphere::new(1.0), transform).unwrap();
        own.set_layers(&id, 1 << (id % 3));
        reference.set_layers(&id, 1 << (id % 3));
    }
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for i in 0..4000 {
        let ray = Ray::new((random.cube() * 4.0).as_vec3(), random.direction().as_vec3());
        let ray = if random.below(2) == 0 { ray.with_range(0.0, 3.0 * random.unit().abs() as f32) } else { ray };
        let cull = [Cull::None, Cull::Back, Cull::Front][random.below(3)];
        let inside = [Inside::Exit, Inside::Solid, Inside::Ignore][random.below(3)];
        let layers = [u32::MAX, 0b011, 0b100][random.below(3)];
        let skipped = random.below(40) as u32;
        let filter = Filter::new().cull(cull).layers(layers).hits(|c| c.id != skipped);
        let [mine, theirs] = [&own, &reference].map(|scene| scene.with(&filter).when_inside(inside));
        let context = format!("seed {seed}, ray {i}, {ray:?}, {cull:?}, {inside:?}");
        mine.cast_all(&ray, &mut a);
        theirs.cast_all(&ray, &mut b);
        assert_near(&a, &b, &context);
        assert_eq!(mine.cast(&ray), a.first().copied(), "{context}");
        assert_eq!(mine.is_blocked(&ray), !a.is_empty(), "{context}");
        // The same ray continues after each hit.
        for (i, hit) in a.iter().enumerate() {
            let next = mine.after(hit).cast(&ray);
            assert_eq!(next, a.get(i + 1).copied(), "{context}, after {i}");
        }
    }
}

#[test]
fn rays_leave_it_without_an_epsilon() {
    let seed = 12;
    let mut random = Random(seed);
    for scale in [1e-3, 1.0, 1e4] {
        let (mut own, mut reference) = (Scene::new(), Scene::new());
        for id in 0..20 {
            let transform = DAffine3::from_scale(DVec3::splat(scale)) * placement(&mut random);
            own.insert(id, Custom::new(Ball), transform).unwrap();
            reference.insert(id, Sphere::new(1.0), transform).unwrap();
        }
        for i in 0..1500 {
            let ray = Ray::new((random.cube() * 4.0 * scale).as_vec3(), random.direction().as_vec3());
            let (mut mine, mut theirs) = (own.cast(&ray), reference.cast(&ray));
            for step in 0..6 {
                let context = format!("seed {seed}, scale {scale}, ray {i}, step {step}: {mine:?}, {theirs:?}");
                assert_eq!(mine.as_ref().map(said), theirs.as_ref().map(said), "{context}");
                let Some((a, b)) = mine.zip(theirs) else { break };
                // The library's ball decides how both rays continue, so that the two do not drift apart.
                assert!((a.point_f64() - b.point_f64()).length() < 1e-4 * scale, "{context}");
                let ray = if step % 2 == 0 { b.onward() } else { b.bounce() };
                let back = Ray { origin: a.point, ..ray };
                mine = own.after(&a).cast(&back);
                theirs = reference.after(&b).cast(&ray);
                let touches =
                    [mine, theirs].into_iter().flatten().any(|hit| hit.normal.dot(ray.direction).abs() < 0.05);
                if touches {
                    break;
                }
            }
        }
    }
}

/// A shape that offers arbitrary hits.
struct Broken(Vec<CustomHit>);

impl CustomShape for Broken {
    fn bounds(&self) -> Aabb {
        Aabb::new([-1.0; 3], [1.0; 3])
    }

    fn cast(&self, _: &CustomRay, offer: &mut dyn FnMut(CustomHit) -> ControlFlow<()>) {
        // The shape ignores the result of the visitor.
        for &hit in &self.0 {
            let _ = offer(hit);
        }
    }
}

#[test]
fn what_breaks_the_rules_is_passed_over() {
    let seed = 13;
    let mut random = Random(seed);
    let strange =
        [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300, 4.0, 4.5, 5.0, 6.0, 3.9999999999, 6.1, 0.0, -0.0];
    for i in 0..4000 {
        let hits = (0..random.below(6)).map(|_| {
            let t = if random.below(3) == 0 { 5.0 + random.unit() } else { strange[random.below(strange.len())] };
            let normal = [DVec3::Y, DVec3::ZERO, DVec3::NAN, DVec3::splat(1e300)][random.below(4)];
            CustomHit::new(t, normal, [Side::Front, Side::Back, Side::Inside][random.below(3)])
        });
        let hits: Vec<CustomHit> = hits.collect();
        let mut scene = Scene::new();
        scene.insert(0, Custom::new(Broken(hits.clone())), DVec3::ZERO).unwrap();
        scene.insert(1, Plane::new([0.0, -1.0, 0.0], [0.0, 1.0, 0.0]).unwrap(), DVec3::ZERO).unwrap();
        scene.insert(2, Sphere::new(0.25), DVec3::new(0.0, 0.25, 0.0)).unwrap();
        let ray = Ray::new([0.0, 5.0, 0.0], Vec3::NEG_Y);
        let context = format!("seed {seed}, {i}: {hits:?}");
        let mut all = Vec::new();
        for inside in [Inside::Exit, Inside::Solid, Inside::Ignore] {
            let view = scene.when_inside(inside);
            view.cast_all(&ray, &mut all);
            assert_eq!(all.iter().filter(|hit| hit.id == 1).map(|hit| hit.t).collect::<Vec<_>>(), [6.0], "{context}");
            assert_eq!(all.iter().filter(|hit| hit.id == 2).map(|hit| hit.t).collect::<Vec<_>>(), [4.5, 5.0]);
            let own: Vec<_> = all.iter().filter(|hit| hit.id == 0).collect();
            assert!(
                own.iter().all(|hit| (4.0..=6.0).contains(&hit.t) || hit.side == Side::Inside),
                "{context}: {own:?}"
            );
            assert!(
                all.is_sorted_by(|a, b| a.t <= b.t) && all.iter().all(|hit| hit.normal.is_normalized()),
                "{context}"
            );
            assert_eq!(view.cast(&ray), all.first().copied(), "{context}");
            for (i, hit) in all.iter().enumerate() {
                let next = view.after(hit).cast(&ray);
                assert_eq!(next, all.get(i + 1).copied(), "{context}, after {i}");
            }
        }
        let mut intervals = Vec::new();
        scene.solid_intervals(&ray, &mut intervals);
        assert!(intervals.iter().any(|interval| interval.id == 2 && interval.thickness() == 0.5), "{context}");
        assert!(intervals.iter().all(|interval| interval.t_enter < interval.t_exit), "{context}: {intervals:?}");
        let _ = scene.when_inside(Inside::Solid).cast(&ray.with_range(4.5, 4.5));
    }
}

/// A shape that fills its bounds.
struct Filled(Aabb);

impl CustomShape for Filled {
    fn bounds(&self) -> Aabb {
        self.0
    }

    fn cast(&self, ray: &CustomRay, offer: &mut dyn FnMut(CustomHit) -> ControlFlow<()>) {
        let _ = offer(CustomHit { feature: u32::MAX, ..CustomHit::new(ray.t_min + 1.0, DVec3::X, Side::Front) });
    }
}

#[test]
fn bounds_of_all_kinds() {
    let mut scene = Scene::new();
    let everywhere = Aabb { min: Vec3::NEG_INFINITY, max: Vec3::INFINITY };
    scene.insert(0, Custom::new(Filled(everywhere)), DAffine3::from_rotation_x(0.3)).unwrap();
    let hit = scene.cast(&Ray::new([1.0, 2.0, 3.0], Vec3::Z)).unwrap();
    assert_eq!((hit.id, hit.t, hit.feature, hit.triangle), (0, 1.0, Some(u32::MAX), None));
    for bounds in [Aabb::EMPTY, Aabb { min: Vec3::NAN, ..everywhere }] {
        let broken = Custom::new(Filled(bounds));
        assert!(matches!(broken.validate(), Err(ShapeError::EmptyBox { .. })));
        assert!(broken.cast(&Ray::new([0.0; 3], Vec3::Z)).is_none());
        assert!(scene.insert(1, broken, DVec3::ZERO).is_err());
    }
    let ball = Custom::new(Ball);
    assert_eq!(ball.cast(&Ray::new([0.0, 0.0, 3.0], Vec3::NEG_Z)).unwrap().t, 2.0);
    let inside = Ray::new([0.0; 3], Vec3::NEG_Z);
    assert_eq!(ball.cast(&inside).unwrap().side, Side::Back);
    let solid = ball.when_inside(Inside::Solid).cast(&inside).unwrap();
    assert_eq!((solid.t, solid.side, solid.normal), (0.0, Side::Inside, Vec3::Z));
    // This holds even if the exit is out of range.
    assert_eq!(ball.when_inside(Inside::Solid).cast(&inside.with_range(0.0, 0.5)).unwrap().t, 0.0);
    assert!(ball.when_inside(Inside::Ignore).cast(&inside).is_none());
}
