//! Casts along paths of segments.

use super::common::Random;
use super::world::{meets, scattered};
use hitscan::glam::{DVec3, Vec3};
use hitscan::query::PathHit;
use hitscan::{Aabb, Mesh, Plane, Ray, RayQueries, Scene};

fn random_path(random: &mut Random, count: usize) -> Vec<Vec3> {
    (0..count).map(|_| (random.cube() * 7.0).as_vec3()).collect()
}

/// The result is the first segment that hits a triangle well inside of its edges, by a test of every triangle against
/// every segment in f64.
#[test]
fn a_path_meets_what_its_segments_meet() {
    let mut met = 0;
    for seed in 0..300 {
        let mut random = Random(seed);
        let (scene, things) = scattered(&mut random, 30);
        let points = random_path(&mut random, 6);
        let mut all = Vec::new();
        let mut is_close = false;
        for (segment, ends) in points.windows(2).enumerate() {
            let [from, to] = [ends[0], ends[1]].map(|end| end.as_dvec3());
            for (thing, triangle) in
                things.iter().flat_map(|thing| thing.triangles.iter().map(move |t| (thing.key, *t)))
            {
                let Some((t, inside)) = meets(from, to - from, triangle) else { continue };
                is_close |= inside.abs() < 1e-9 && (-1e-9..1.0 + 1e-9).contains(&t);
                if inside >= 0.0 && (0.0..=1.0).contains(&t) {
                    all.push((segment, t, thing));
                }
            }
        }
        if is_close {
            continue;
        }
        all.sort_by(|a, b| (a.0, a.1).partial_cmp(&(b.0, b.1)).unwrap());
        let context = format!("seed {seed}");
        // The hits are found one by one, with `after`.
        let mut last: Option<PathHit<u32>> = None;
        for &(segment, t, key) in &all {
            let next = scene.after(last.as_ref().map(|last| &last.hit)).cast_path(&points);
            let next = next.unwrap_or_else(|| panic!("{context}: {all:?}"));
            assert_eq!((next.segment, next.hit.id), (segment, key), "{context}");
            assert!((f64::from(next.hit.t) - t).abs() < 1e-6, "{context}: {} {t}", next.hit.t);
            let before: f64 =
                points.windows(2).take(segment).map(|ends| ends[0].as_dvec3().distance(ends[1].as_dvec3())).sum();
            let within = points[segment].as_dvec3().distance(points[segment + 1].as_dvec3()) * t;
            assert!((f64::from(next.distance) - before - within).abs() < 1e-4, "{context}");
            (met, last) = (met + 1, Some(next));
        }
        let end = scene.after(last.as_ref().map(|last| &last.hit)).cast_path(&points);
        assert_eq!(end, None, "{context}: {all:?}");
    }
    assert!(met > 300, "{met}");
}

/// The joints are within two ulps of the wall x = y, on either side of it, and the segments are nearly parallel to it.
/// A segment between two such points, rounded to f32, would end next to the second point. Some of these paths would
/// leak.
#[test]
fn nothing_slips_through_a_joint() {
    let far = 1000.0;
    let corners = [[-far, -far, -far], [far, far, -far], [far, far, far], [-far, -far, far]];
    let mut scene = Scene::new();
    scene.insert("wall", Mesh::new(&corners, &[0, 1, 2, 0, 2, 3]).unwrap(), DVec3::ZERO).unwrap();
    let mut gaps = 0;
    for seed in 0..20_000 {
        let mut random = Random(seed);
        let mut beside = |off: f32, ulps: usize| {
            let y = (random.unit() * 300.0) as f32;
            let x =
                (0..random.below(ulps)).fold(y + off, |x, _| if seed % 2 == 0 { x.next_up() } else { x.next_down() });
            Vec3::new(x, y, (random.unit() * 300.0) as f32)
        };
        let mut path = vec![beside(-0.01, 1), beside(0.0, 3), beside(0.0, 3), beside(0.01, 1)];
        for _ in 0..2 {
            assert!(scene.cast_path(&path).is_some(), "seed {seed}: {path:?}");
            gaps += u32::from(!path.windows(2).any(|ends| scene.is_blocked(&Ray::between(ends[0], ends[1]))));
            path.reverse();
        }
    }
    println!("segment by segment, {gaps} of 40000 go through the wall");
    assert!(gaps > 0);
}

#[test]
fn a_joint_on_a_surface_is_met_once() {
    let mut scene = Scene::new();
    scene.insert(1, Aabb::new([1.0, -1.0, -1.0], [2.0, 1.0, 1.0]), DVec3::ZERO).unwrap();
    scene.insert(2, Plane::new([5.0, 0.0, 0.0], [-1.0, 0.0, 0.0]).unwrap(), DVec3::ZERO).unwrap();
    let points = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [5.0, 0.0, 0.0], [9.0, 3.0, 0.0]];
    let (mut hits, mut last) = (Vec::new(), None);
    while let Some(met) = scene.after(last.as_ref()).cast_path(&points) {
        hits.push((met.segment, met.hit.t, met.hit.id));
        last = Some(met.hit);
        assert!(hits.len() < 9);
    }
    assert_eq!(hits, [(0, 1.0, 1), (1, 0.25, 1), (1, 1.0, 2)]);
}

#[test]
fn bad_paths_hit_nothing() {
    let mut scene = Scene::new();
    scene.insert(1, Aabb::new([-1.0; 3], [1.0; 3]), DVec3::ZERO).unwrap();
    let through = [[-3.0, 0.0, 0.0], [3.0, 0.0, 0.0]];
    assert_eq!(scene.cast_path(&through).map(|met| (met.segment, met.distance)), Some((0, 2.0)));
    let still = [[-3.0, 0.0, 0.0], [-3.0, 0.0, 0.0], [3.0, 0.0, 0.0]];
    assert_eq!(scene.cast_path(&still).map(|met| (met.segment, met.distance)), Some((1, 2.0)));
    assert_eq!(scene.cast_path::<Vec3>(&[]), None);
    assert_eq!(scene.cast_path(&through[..1]), None);
    assert_eq!(scene.cast_path(&[[0.0; 3], [0.0; 3]]), None);
    assert_eq!(scene.cast_path(&[through[0], through[1], [f32::NAN, 0.0, 0.0]]), None);
    assert_eq!(scene.cast_path(&[[-f32::MAX, 0.0, 0.0], [f32::MAX, 0.0, 0.0]]), None);
    // The path is relative to an origin, at which f32 cannot represent the difference of such points.
    let origin = DVec3::splat(1e8);
    scene.insert(2, Aabb::new([-1.0; 3], [1.0; 3]), origin).unwrap();
    let far = scene.relative_to(origin).cast_path(&through).unwrap();
    assert_eq!((far.hit.id, far.hit.point), (2, Vec3::NEG_X));
}
