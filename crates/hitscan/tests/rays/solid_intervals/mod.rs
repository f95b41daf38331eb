//! Solid intervals against the containment of points in their middles and between them.

mod crossings;

use crate::common::{Random, Surface, grid_cube, icosphere};
use hitscan::custom::{Custom, CustomHit, CustomRay, CustomShape};
use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::query::{IntervalEnd, SolidInterval};
use hitscan::{
    Aabb, Capsule, Compound, Cone, ConvexHull, Cylinder, Disc, Filter, HeightField, Mesh, Plane, Ray, RayQueries,
    RoundedBox, Scene, Side, Sphere, Torus,
};
use std::collections::HashSet;
use std::ops::ControlFlow;

fn intervals_of(scene: &Scene<u32>, ray: &Ray) -> Vec<SolidInterval<u32>> {
    let mut intervals = Vec::new();
    scene.solid_intervals(ray, &mut intervals);
    intervals
}

fn one(geometry: impl Into<hitscan::Geometry>, transform: DAffine3) -> Scene<u32> {
    let mut scene = Scene::new();
    scene.insert(0, geometry, transform).unwrap();
    scene
}

/// Returns the surface of voxels, with two triangles that face outwards for each face, and edges and corners shared by
/// up to eight voxels.
fn skin(voxels: &HashSet<[i32; 3]>) -> Surface {
    let mut surface = Surface { positions: Vec::new(), triangles: Vec::new() };
    for &voxel in voxels {
        for (axis, sign) in (0..3).flat_map(|axis| [(axis, 1), (axis, -1)]) {
            let mut beyond = voxel;
            beyond[axis] += sign;
            if voxels.contains(&beyond) {
                continue;
            }
            let corner = |u: i32, v: i32| {
                let mut corner = voxel;
                corner[axis] += i32::from(sign == 1);
                corner[(axis + 1) % 3] += u;
                corner[(axis + 2) % 3] += v;
                Vec3::from_array(corner.map(|x| x as f32))
            };
            let quad = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
            let first = surface.positions.len() as u32;
            surface.positions.extend(quad);
            let turns = if sign == 1 { [[0, 1, 2], [0, 2, 3]] } else { [[0, 2, 1], [0, 3, 2]] };
            surface.triangles.extend(turns.map(|triangle| triangle.map(|corner: u32| first + corner)));
        }
    }
    surface
}

/// Checks that points of the intervals are inside and points between them outside, wherever the oracle can decide. The
/// `intervals` must not overlap.
fn check_middles(intervals: &[SolidInterval<u32>], ray: &Ray, is_inside: impl Fn(DVec3) -> bool, context: &str) {
    let at = |t: f64| is_inside(ray.origin.as_dvec3() + ray.direction.as_dvec3() * t);
    // Differences between the ray and the offset line at a corner are ignored.
    let around = |t: f64| [t - 5e-3, t, t + 5e-3].map(at);
    let mut t = f64::from(ray.t_min);
    let mut outside = Vec::new();
    for interval in intervals {
        let (enter, exit) = (f64::from(interval.t_enter), f64::from(interval.t_exit));
        assert!(enter < exit && t <= enter, "{context}: {intervals:?}");
        outside.push([t, enter]);
        for part in [0.5, 0.23, 0.77] {
            let middle = enter + (exit - enter) * part;
            assert!(
                exit - enter < 5e-2 || around(middle).contains(&true),
                "{context}: outside at {middle}: {intervals:?}"
            );
        }
        t = exit;
    }
    outside.push([t, f64::from(ray.t_max)]);
    for [from, to] in outside.into_iter().filter(|[from, to]| to - from > 1e-2) {
        for step in 1..40 {
            let middle = from + (to - from) * f64::from(step) / 40.0;
            let is_clear = (middle - from).min(to - middle) > 6e-3;
            assert!(!is_clear || around(middle).contains(&false), "{context}: inside at {middle}: {intervals:?}");
        }
    }
    for interval in intervals {
        let said = [
            (interval.enter, interval.t_enter, Side::Front, ray.t_min),
            (interval.exit, interval.t_exit, Side::Back, ray.t_max),
        ];
        for (end, t, side, limit) in said {
            match end {
                IntervalEnd::Surface(hit) => {
                    assert!(hit.t == t && hit.side == side && hit.id == interval.id, "{context}")
                }
                IntervalEnd::Range => assert_eq!(t, limit, "{context}"),
                IntervalEnd::Open => panic!("{context}: it is closed"),
            }
        }
    }
}

#[test]
fn a_ray_along_edges_and_through_corners_counts_each_crossing_once() {
    let seed = 31;
    let mut random = Random(seed);
    let (mut hits, mut rays) = (0, 0);
    for i in 0..60 {
        let count = 1 + random.below(30);
        let voxels: HashSet<[i32; 3]> = (0..count).map(|_| [(); 3].map(|()| random.below(4) as i32)).collect();
        let scene = one(skin(&voxels).mesh(), DAffine3::IDENTITY);
        for _ in 0..150 {
            // Most rays go through corners and along edges and faces of voxels.
            let point = |random: &mut Random| Vec3::from_array([(); 3].map(|()| random.below(13) as f32 * 0.5 - 1.0));
            let (from, to) = (point(&mut random), point(&mut random));
            if from == to {
                continue;
            }
            let ray = Ray::with_direction(from, to - from).with_range(-4.0, 6.0);
            // The line is moved a little aside, mostly along x, less along y and least along z.
            let aside = DVec3::new(1e-3, 1e-5, 1e-7);
            let is_inside = |p: DVec3| voxels.contains(&(p + aside).to_array().map(|x| x.floor() as i32));
            let intervals = intervals_of(&scene, &ray);
            check_middles(&intervals, &ray, is_inside, &format!("seed {seed}, {i}, {ray:?}, {voxels:?}"));
            rays += 1;
            hits += usize::from(!intervals.is_empty());
        }
    }
    assert!(hits * 4 > rays, "{hits} of {rays} rays had intervals");
}

#[test]
fn curved_meshes_and_instances() {
    let seed = 32;
    let mut random = Random(seed);
    for i in 0..300 {
        let scale = DVec3::new(0.5 + random.unit().abs(), 2.0, if i % 2 == 0 { -1.0 } else { 0.7 });
        let transform = DAffine3::from_scale_rotation_translation(scale, random.rotation(), random.cube() * 5.0);
        let surface = icosphere(2);
        let corners = surface.positions.clone();
        let scene = one(surface.mesh(), transform);
        // The rays go through vertices, from outside, from inside, and from the surface itself.
        let image = |local: DVec3| transform.transform_point3(local);
        let from = [random.direction() * 4.0, random.cube() * 0.3, corners[random.below(corners.len())].as_dvec3()];
        let to = corners[random.below(corners.len())].as_dvec3() * random.unit();
        let from = image(from[i % 3]).as_vec3();
        let ray = Ray::new(from, image(to).as_vec3() - from).with_range(-0.5, 30.0);
        let inverse = transform.inverse();
        // The verdict is unknown between the two radii.
        let radius = |p: DVec3| inverse.transform_point3(p).length();
        let intervals = intervals_of(&scene, &ray);
        let context = format!("seed {seed}, {i}, {ray:?}: {intervals:?}");
        assert!(intervals.len() <= 1, "{context}");
        for step in 0..200 {
            let t = -0.5 + 30.5 * f64::from(step) / 200.0;
            let p = ray.origin.as_dvec3() + ray.direction.as_dvec3() * t;
            let is_in =
                intervals.iter().any(|interval| f64::from(interval.t_enter) <= t && t <= f64::from(interval.t_exit));
            assert!(radius(p) > 0.93 || is_in, "{context}: {t}");
            assert!(radius(p) < 1.01 || !is_in, "{context}: {t}");
        }
    }
}

#[test]
fn solids_of_all_kinds() {
    let seed = 33;
    let mut random = Random(seed);
    let pyramid = [[-1.0f32, 0.0, -1.0], [1.0, 0.0, -1.0], [1.0, 0.0, 1.0], [-1.0, 0.0, 1.0], [0.0, 2.0, 0.0]];
    type Known = (hitscan::Geometry, fn(DVec3) -> bool);
    let solids: Vec<Known> = vec![
        (Sphere::new(1.0).into(), |p| p.length() < 1.0),
        (Aabb::new([-1.0; 3], [1.0; 3]).into(), |p| p.abs().max_element() < 1.0),
        (Capsule::new(0.5, 2.0).into(), |p| (p - DVec3::Y * p.y.clamp(-0.5, 0.5)).length() < 0.5),
        (Cylinder::new(0.5, 2.0).into(), |p| p.y.abs() < 1.0 && p.x.hypot(p.z) < 0.5),
        (RoundedBox::new(Aabb::new([-0.5; 3], [0.5; 3]), 0.5).into(), |p| {
            (p.abs() - 0.5).max(DVec3::ZERO).length() < 0.5
        }),
        (Torus::new(1.0, 0.25).into(), |p| (p.x.hypot(p.z) - 1.0).hypot(p.y) < 0.25),
        (ConvexHull::new(&pyramid).unwrap().into(), |p| p.y > 0.0 && p.x.abs().max(p.z.abs()) < 1.0 - p.y / 2.0),
        (Custom::new(Ball).into(), |p| p.length() < 1.0),
    ];
    for (number, (solid, is_inside)) in solids.into_iter().enumerate() {
        let scene = one(solid, DAffine3::IDENTITY);
        for i in 0..400 {
            let from = (random.cube() * if i % 2 == 0 { 3.0 } else { 0.7 }).as_vec3();
            let ray = Ray::new(from, (random.cube() * 1.2).as_vec3() - from)
                .with_range(0.0, 1.0 + random.unit().abs() as f32 * 5.0);
            let intervals = intervals_of(&scene, &ray);
            check_middles(&intervals, &ray, is_inside, &format!("seed {seed}, solid {number}, {i}, {ray:?}"));
        }
    }
    let cone = one(Cone::new(1.0, 2.0), DAffine3::IDENTITY);
    let through = intervals_of(&cone, &Ray::new([5.0, 0.0, 0.0], Vec3::NEG_X));
    assert!(through.len() == 1 && (through[0].thickness() - 1.0).abs() < 1e-6, "{through:?}");
}

/// A ball of radius 1.
struct Ball;

impl CustomShape for Ball {
    fn bounds(&self) -> Aabb {
        Aabb::new([-1.0; 3], [1.0; 3])
    }

    fn cast(&self, ray: &CustomRay, offer: &mut dyn FnMut(CustomHit) -> ControlFlow<()>) {
        let d = ray.direction / ray.direction.length();
        let half = (1.0 - (ray.origin - d * ray.origin.dot(d)).length_squared()).sqrt();
        for (distance, side) in [(-half, Side::Front), (half, Side::Back)] {
            let t = (distance - ray.origin.dot(d)) / ray.direction.length();
            if ray.t_min <= t && t <= ray.t_max {
                let _ = offer(CustomHit::new(t, ray.at(t), side));
            }
        }
    }
}

#[test]
fn order_ranges_and_choices() {
    let cube = Aabb::new([-1.0; 3], [1.0; 3]);
    let mut scene = Scene::new();
    let parts = [-6.0, -6.5].map(|z| (cube.into(), DVec3::new(0.0, 0.0, z).into()));
    scene.insert(7, Compound::new(parts).unwrap(), DVec3::ZERO).unwrap();
    scene.insert(3, grid_cube(3).mesh(), DVec3::new(0.0, 0.0, -2.5)).unwrap();
    scene.insert(5, cube, DVec3::new(0.0, 0.0, -2.5)).unwrap();
    scene.insert(9, cube, DVec3::new(0.0, 0.0, -40.0)).unwrap();
    // None of these has an inside.
    scene.insert(20, Plane::new([0.0, 0.0, -4.0], [0.0, 0.0, 1.0]).unwrap(), DVec3::ZERO).unwrap();
    scene.insert(21, Disc::new([0.0, 0.0, -4.0], [0.0, 0.0, 1.0], 2.0), DVec3::ZERO).unwrap();
    scene.insert(22, HeightField::new(2, 2, [9.0, 9.0], &[-9.0, -9.0, 9.0, 9.0]).unwrap(), DVec3::splat(-4.0)).unwrap();
    let half = grid_cube(3).mesh().bounds().max.z;
    let ray = Ray::new([0.0, 0.0, 0.0], Vec3::NEG_Z);
    let said = |interval: &SolidInterval<u32>| (interval.id, interval.part, interval.t_enter, interval.t_exit);
    let intervals = intervals_of(&scene, &ray);
    let expected =
        [(3, 0, 2.5 - half, 2.5 + half), (5, 0, 1.5, 3.5), (7, 0, 5.0, 7.0), (7, 1, 5.5, 7.5), (9, 0, 39.0, 41.0)];
    let mut expected = expected.to_vec();
    expected.sort_by(|a, b| a.2.total_cmp(&b.2).then((a.0 == 5).cmp(&(b.0 == 5))));
    assert_eq!(intervals.iter().map(said).collect::<Vec<_>>(), expected);
    assert!(intervals.iter().all(|interval| interval.enter.hit().is_some() && interval.exit.hit().is_some()));

    // The range begins and ends inside.
    let within = intervals_of(&scene, &ray.with_range(6.0, 6.25));
    assert_eq!(within.iter().map(said).collect::<Vec<_>>(), [(7, 0, 6.0, 6.25), (7, 1, 6.0, 6.25)]);
    assert!(within.iter().all(|interval| (interval.enter, interval.exit) == (IntervalEnd::Range, IntervalEnd::Range)));
    // A solid that only touches the range has an interval without length.
    assert_eq!(intervals_of(&scene, &ray.with_range(7.5, 39.0)), []);
    assert_eq!(intervals_of(&scene, &Ray::new([1.0, 1.0, 9.0], Vec3::new(1.0, -1.0, 0.0))), []);

    let mut some = Vec::new();
    let far = Filter::new().exclude(5).hits(|candidate| candidate.id != 3 && candidate.part == 0);
    scene.with(&far).solid_intervals(&ray, &mut some);
    assert_eq!(some.iter().map(|interval| interval.id).collect::<Vec<_>>(), [7, 9]);
    scene.set_layers(&9, 2);
    scene.with(&Filter::new().layers(2)).solid_intervals(&ray, &mut some);
    assert_eq!(some.iter().map(|interval| interval.id).collect::<Vec<_>>(), [9]);
    // The ray in a large world is relative to an origin.
    let origin = DVec3::new(0.0, 0.0, -39.5);
    scene.relative_to(origin).solid_intervals(&ray, &mut some);
    assert_eq!(some.iter().map(said).collect::<Vec<_>>(), [(9, 0, 0.0, 1.5)]);
    assert_eq!(some[0].enter, IntervalEnd::Range);
    scene.solid_intervals(&Ray::new(Vec3::ZERO, Vec3::ZERO), &mut some);
    assert!(some.is_empty());
}

#[test]
fn a_mesh_that_is_not_closed_says_so() {
    let surface = grid_cube(2);
    let half = f64::from(surface.mesh().bounds().max.x);
    let facing = |normal: Vec3| {
        let kept = surface.triangles.iter().filter(|triangle| {
            let [a, b, c] = triangle.map(|i| surface.positions[i as usize]);
            (b - a).cross(c - a).normalize().dot(normal) < 0.9
        });
        Surface { positions: surface.positions.clone(), triangles: kept.copied().collect() }.mesh()
    };
    let ray = Ray::new([0.1, 0.2, 5.0], Vec3::NEG_Z);
    let ends = |mesh: Mesh| {
        let intervals = intervals_of(&one(mesh, DAffine3::IDENTITY), &ray);
        intervals
            .iter()
            .map(|interval| {
                (interval.t_enter, interval.t_exit, interval.enter.hit().is_some(), interval.exit.hit().is_some())
            })
            .collect::<Vec<_>>()
    };
    let [front, back] = [5.0 - half, 5.0 + half].map(|t| t as f32);
    assert_eq!(ends(surface.mesh()), [(front, back, true, true)]);
    assert_eq!(ends(facing(Vec3::NEG_Z)), [(front, front, true, false)]);
    assert_eq!(ends(facing(Vec3::Z)), [(back, back, false, true)]);
    // The surface is inside out, so that neither hit has a counterpart.
    let mut turned = surface.clone();
    turned.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
    assert_eq!(ends(turned.mesh()), [(front, front, false, true), (back, back, true, false)]);
    let intervals = intervals_of(&one(facing(Vec3::Z), DAffine3::IDENTITY), &ray);
    assert!(intervals[0].enter == IntervalEnd::Open && intervals[0].thickness() == 0.0);
}
