//! Convex hulls against exact arithmetic: planes through three points, rationals, and boxes.

use crate::common::Random;
use hitscan::error::HullError;
use hitscan::glam::{DAffine3, DQuat, DVec3, Vec3};
use hitscan::{Aabb, ConvexHull, Hit, Inside, Ray, RayQueries, Scene, Side};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, Zero};
use std::collections::BTreeSet;

type Exact = [BigRational; 3];

fn rational(x: f32) -> BigRational {
    BigRational::from_float(x).unwrap()
}

fn exact(v: Vec3) -> Exact {
    v.to_array().map(rational)
}

fn minus(a: &Exact, b: &Exact) -> Exact {
    [0, 1, 2].map(|i| &a[i] - &b[i])
}

fn cross(a: &Exact, b: &Exact) -> Exact {
    [(1, 2), (2, 0), (0, 1)].map(|(j, k)| &a[j] * &b[k] - &a[k] * &b[j])
}

fn dot(a: &Exact, b: &Exact) -> BigRational {
    (0..3).map(|i| &a[i] * &b[i]).sum()
}

/// A plane; the points behind it have n . p <= d.
struct Plane {
    n: Exact,
    d: BigRational,
}

impl Plane {
    /// Returns the plane through three points; `None` if they are collinear.
    fn through(a: &Exact, b: &Exact, c: &Exact) -> Option<Self> {
        let n = cross(&minus(b, a), &minus(c, a));
        let d = dot(&n, a);
        (!n.iter().all(Zero::is_zero)).then_some(Self { n, d })
    }

    fn height(&self, p: &Exact) -> BigRational {
        dot(&self.n, p) - &self.d
    }

    fn flipped(self) -> Self {
        Self { n: self.n.map(|x| -x), d: -self.d }
    }

    /// Returns a key that is equal for equal planes.
    fn key(&self) -> Vec<String> {
        let scale = self.n.iter().find(|x| !x.is_zero()).unwrap().abs();
        self.n.iter().chain([&self.d]).map(|x| (x / &scale).to_string()).collect()
    }
}

/// Returns every plane through three of the points that has all points on or behind it.
fn supporting_planes(points: &[Exact]) -> Vec<Plane> {
    let mut planes = Vec::new();
    let mut keys = BTreeSet::new();
    for (i, a) in points.iter().enumerate() {
        for (j, b) in points.iter().enumerate().skip(i + 1) {
            for c in &points[j + 1..] {
                let Some(plane) = Plane::through(a, b, c) else { continue };
                let heights: Vec<_> = points.iter().map(|p| plane.height(p)).collect();
                let plane = match (heights.iter().any(Signed::is_positive), heights.iter().any(Signed::is_negative)) {
                    (true, true) | (false, false) => continue,
                    (false, true) => plane,
                    (true, false) => plane.flipped(),
                };
                if keys.insert(plane.key()) {
                    planes.push(plane);
                }
            }
        }
    }
    planes
}

/// Returns whether an f32 is the one nearest to a number.
fn is_nearest(t: f32, exact: &BigRational) -> bool {
    let middle = |other: f32| (rational(t) + rational(other)) / BigRational::from_integer(BigInt::from(2));
    middle(t.next_down()) <= *exact && *exact <= middle(t.next_up())
}

/// Returns the interval of a line between the planes; `None` if it is empty.
fn interval(planes: &[Plane], ray: &Ray) -> Option<(BigRational, BigRational)> {
    let (o, d) = (exact(ray.origin), exact(ray.direction));
    let (mut enter, mut exit): (Option<BigRational>, Option<BigRational>) = (None, None);
    for plane in planes {
        let (height, pace) = (plane.height(&o), dot(&plane.n, &d));
        if pace.is_zero() {
            if height.is_positive() {
                return None;
            }
            continue;
        }
        let t = -height / &pace;
        if pace.is_negative() {
            enter = Some(enter.map_or(t.clone(), |enter| enter.max(t)));
        } else {
            exit = Some(exit.map_or(t.clone(), |exit| exit.min(t)));
        }
    }
    enter.zip(exit).filter(|(enter, exit)| enter <= exit)
}

fn check_form(hull: &ConvexHull, points: &[Vec3], planes: &[Plane], context: &str) {
    let vertices: Vec<Exact> = hull.vertices().iter().map(|&v| exact(v)).collect();
    assert_eq!(hull.face_count(), planes.len(), "{context}");
    let given: BTreeSet<Vec<u32>> =
        points.iter().map(|p| (*p + Vec3::ZERO).to_array().map(f32::to_bits).to_vec()).collect();
    assert!(hull.vertices().iter().all(|v| given.contains(v.to_array().map(f32::to_bits).as_slice())), "{context}");
    // A corner is in three planes with linearly independent normals, and every such point of the hull is a corner.
    let is_corner = |p: &Exact| {
        let normals: Vec<&Exact> =
            planes.iter().filter(|plane| plane.height(p).is_zero()).map(|plane| &plane.n).collect();
        let pairs = || normals.iter().flat_map(|a| normals.iter().map(move |b| cross(a, b)));
        pairs().any(|along| normals.iter().any(|n| !dot(n, &along).is_zero()))
    };
    assert!(vertices.iter().all(is_corner), "{context}");
    let corners: BTreeSet<String> =
        points.iter().map(|&p| exact(p)).filter(is_corner).map(|p| format!("{p:?}")).collect();
    assert_eq!(corners.len(), vertices.len(), "{context}");
    let mut edges = Vec::new();
    let mut keys: BTreeSet<Vec<String>> = planes.iter().map(Plane::key).collect();
    for face in 0..hull.face_count() {
        let corners: Vec<Exact> = hull.face(face).map(exact).collect();
        let plane = Plane::through(&corners[0], &corners[1], &corners[2]).expect(context);
        assert!(keys.remove(&plane.key()), "{context}: a face that should not be, or twice");
        for i in 0..corners.len() {
            let [a, b, c] = [0, 1, 2].map(|next| &corners[(i + next) % corners.len()]);
            let turn = dot(&cross(&minus(b, a), &minus(c, b)), &plane.n);
            assert!(plane.height(a).is_zero() && turn.is_positive(), "{context}: a face turns back");
            edges.push([format!("{a:?}"), format!("{b:?}")]);
        }
    }
    let all: BTreeSet<_> = edges.iter().cloned().collect();
    assert!(all.len() == edges.len() && edges.iter().all(|[a, b]| all.contains(&[b.clone(), a.clone()])), "{context}");
    assert_eq!(hull.vertices().len() + hull.face_count(), edges.len() / 2 + 2, "{context}: Euler");
    assert_eq!(hull.face(hull.face_count()).count(), 0);
}

fn check_rays(hull: &ConvexHull, points: &[Vec3], planes: &[Plane], random: &mut Random, context: &str) {
    let some = |random: &mut Random| points[random.below(points.len())].as_dvec3();
    for _ in 0..30 {
        let aim =
            [some(random), (some(random) + some(random)) / 2.0, some(random).lerp(some(random), 1.3)][random.below(3)];
        let from = match random.below(4) {
            0 => some(random),
            1 => aim + (some(random) - some(random)) * 3.0,
            2 => aim + DVec3::AXES[random.below(3)] * 8.0,
            _ => aim + random.cube() * 20.0,
        };
        let ray =
            Ray::with_direction(from.as_vec3(), (aim - from).as_vec3()).with_range(f32::NEG_INFINITY, f32::INFINITY);
        if ray.validate().is_err() {
            continue;
        }
        let context = format!("{context}, {ray:?}");
        let expected = interval(planes, &ray);
        let hit = hull.cast(&ray);
        assert_eq!(hit.is_some(), expected.is_some(), "{context}: {hit:?}");
        assert_eq!(hull.is_blocked(&ray), expected.is_some(), "{context}");
        let Some((hit, (enter, exit))) = hit.zip(expected) else { continue };
        assert!(is_nearest(hit.t, &enter) && hit.side == Side::Front, "{context}: {hit:?}, {enter} to {exit}");
        // A ray from inside hits the exit.
        let from_inside = ray.with_range(hit.t.next_up(), f32::INFINITY);
        if rational(from_inside.t_min) < exit {
            let out = hull.cast(&from_inside).expect(&context);
            assert!(is_nearest(out.t, &exit) && out.side == Side::Back, "{context}: {out:?}");
            assert_eq!(hull.when_inside(Inside::Solid).cast(&from_inside).map(|hit| hit.t), Some(from_inside.t_min));
            assert!(hull.when_inside(Inside::Ignore).cast(&from_inside).is_none());
        }
        assert!(hull.cast(&ray.with_range(f32::NEG_INFINITY, hit.t.next_down())).is_none(), "{context}");
    }
    for _ in 0..30 {
        let point = [some(random), (some(random) + some(random)) / 2.0, some(random) * 1.1][random.below(3)].as_vec3();
        let p = exact(point);
        let is_in = planes.iter().all(|plane| !plane.height(&p).is_positive());
        assert_eq!(hull.contains(point), is_in, "{context}, {point}");
    }
}

#[test]
fn hulls_of_few_points_are_exact() {
    let seed = 21;
    let mut random = Random(seed);
    let mut flat = 0;
    for i in 0..60 {
        let count = 4 + random.below(11);
        let kind = i % 5;
        let points: Vec<Vec3> = (0..count)
            .map(|_| match kind {
                // Many points are coplanar, collinear or equal.
                0 => Vec3::from_array([(); 3].map(|()| random.below(3) as f32)),
                1 => Vec3::from_array([(); 3].map(|()| random.below(5) as f32 * 0.1)),
                2 => random.cube().as_vec3(),
                3 => (random.cube() * 10f64.powi(random.below(12) as i32 - 6)).as_vec3(),
                // The points are almost coplanar: only the last bit differs.
                _ => {
                    let (x, y) = (random.unit() as f32, random.unit() as f32);
                    let z = x + y;
                    Vec3::new(x, y, if random.below(2) == 0 { z } else { z.next_up() })
                }
            })
            .collect();
        let context = format!("seed {seed}, {i}: {points:?}");
        let all: Vec<Exact> = points.iter().map(|&p| exact(p)).collect();
        let planes = supporting_planes(&all);
        match ConvexHull::new(&points) {
            Ok(hull) => {
                check_form(&hull, &points, &planes, &context);
                check_rays(&hull, &points, &planes, &mut random, &context);
                // The order of the points does not matter.
                let mut turned = points.clone();
                turned.rotate_left(count / 2);
                turned.swap(0, count - 1);
                turned.push(turned[1]);
                let again = ConvexHull::new(&turned).unwrap();
                assert_eq!(again.vertices(), hull.vertices(), "{context}");
                let faces = |hull: &ConvexHull| -> Vec<Vec<Vec3>> {
                    (0..hull.face_count()).map(|face| hull.face(face).collect()).collect()
                };
                assert_eq!(faces(&again), faces(&hull), "{context}");
            }
            // Every plane through three of the points contains all of them.
            Err(error) => {
                flat += 1;
                assert!(planes.is_empty(), "{context}: {error}");
            }
        }
    }
    assert!((1..40).contains(&flat), "{flat} were flat");
}

#[test]
fn a_box_of_corners_is_a_box() {
    let seed = 22;
    let mut random = Random(seed);
    let (min, max) = (Vec3::new(-1.0, 0.5, -2.0), Vec3::new(1.5, 2.0, 3.0));
    let mut points = Vec::new();
    for i in 0..27 {
        let along = |place: i32, axis: usize| [min[axis], (min[axis] + max[axis]) / 2.0, max[axis]][place as usize];
        points.push(Vec3::new(along(i % 3, 0), along(i / 3 % 3, 1), along(i / 9, 2)));
    }
    let (hull, solid) = (ConvexHull::new(&points).unwrap(), Aabb::new(min, max));
    assert_eq!((hull.vertices().len(), hull.face_count(), hull.bounds()), (8, 6, solid));
    let transform = DAffine3::from_scale_rotation_translation(
        DVec3::new(0.5, 2.0, -1.0),
        DQuat::from_rotation_x(0.7),
        DVec3::new(3.0, -1.0, 2.0),
    );
    let scene = |transform: DAffine3| {
        let (mut a, mut b) = (Scene::new(), Scene::new());
        a.insert(0, &hull, transform).unwrap();
        b.insert(0, solid, transform).unwrap();
        (a, b)
    };
    let scenes = [scene(DAffine3::IDENTITY), scene(transform)];
    let (mut mine, mut theirs) = (Vec::new(), Vec::new());
    for i in 0..20_000 {
        // Points are on faces, edges, corners and grid lines, or anywhere.
        let lattice = |random: &mut Random| {
            let axis = |axis: usize, random: &mut Random| {
                let (low, high) = (min[axis], max[axis]);
                [low, high, (low + high) / 2.0, low - 1.0, high + 1.5][random.below(5)]
            };
            Vec3::new(axis(0, random), axis(1, random), axis(2, random))
        };
        let (from, to) = if random.below(3) == 0 {
            ((random.cube() * 4.0).as_vec3(), (random.cube() * 4.0).as_vec3())
        } else {
            (lattice(&mut random), lattice(&mut random))
        };
        let ray = Ray::with_direction(from, to - from);
        let inside = [Inside::Exit, Inside::Solid, Inside::Ignore][random.below(3)];
        let context = format!("seed {seed}, {i}, {ray:?}, {inside:?}");
        let (a, b) = (hull.when_inside(inside).cast(&ray), solid.when_inside(inside).cast(&ray));
        assert_eq!(a.map(|hit| (hit.t, hit.side)), b.map(|hit| (hit.t, hit.side)), "{context}");
        assert_eq!(
            (hull.is_blocked(&ray), hull.cast_t(&ray)),
            (solid.is_blocked(&ray), solid.cast_t(&ray)),
            "{context}"
        );
        assert_eq!(hull.contains(from), solid.contains(from), "{context}");
        let said = |hit: &Hit<i32>| (hit.t, hit.side);
        let (a, b) = &scenes[0];
        a.when_inside(inside).cast_all(&ray, &mut mine);
        b.when_inside(inside).cast_all(&ray, &mut theirs);
        assert_eq!(mine.iter().map(said).collect::<Vec<_>>(), theirs.iter().map(said).collect::<Vec<_>>(), "{context}");
        // If neither point is on an edge, the ray continues in the same way from the hull and from the box. This holds
        // in an instance, too.
        for (a, b) in &scenes {
            let ray = Ray::new((random.cube() * 6.0).as_vec3(), random.direction().as_vec3());
            let (mut mine, mut theirs) = (a.cast(&ray), b.cast(&ray));
            for step in 0..4 {
                assert_eq!(
                    mine.as_ref().map(|h| h.side),
                    theirs.as_ref().map(|h| h.side),
                    "{context}, {ray:?}, {step}"
                );
                let Some((a_hit, b_hit)) = mine.zip(theirs) else { break };
                assert!(
                    (a_hit.t - b_hit.t).abs() <= 1e-5 * b_hit.t.abs() + 1e-5,
                    "{context}, {ray:?}: {a_hit:?}, {b_hit:?}"
                );
                assert!((a_hit.normal - b_hit.normal).length() < 1e-5, "{context}, {ray:?}: {a_hit:?}, {b_hit:?}");
                let next = if step % 2 == 0 { b_hit.onward() } else { b_hit.bounce() };
                mine = a.after(&a_hit).cast(&Ray { origin: a_hit.point, ..next });
                theirs = b.after(&b_hit).cast(&next);
            }
        }
    }
}

#[test]
fn hulls_of_many_points() {
    let seed = 23;
    let mut random = Random(seed);
    let points: Vec<Vec3> =
        (0..20_000).map(|i| (random.direction() * if i % 2 == 0 { 1.0 } else { 0.999 }).as_vec3()).collect();
    let hull = ConvexHull::new(&points).unwrap();
    assert!(hull.vertices().len() > 9_000 && hull.face_count() > 15_000, "{}", hull.face_count());
    assert!(points.iter().step_by(97).all(|&point| hull.contains(point)));
    assert!(!hull.contains([0.99, 0.3, 0.0]));
    for _ in 0..2000 {
        let ray = Ray::new((random.direction() * 3.0).as_vec3(), (random.direction() - random.direction()).as_vec3());
        let foot = ray.origin.as_dvec3().cross(ray.direction.as_dvec3()).length();
        if foot < 0.99 && ray.origin.dot(ray.direction) < 0.0 {
            let hit = hull.cast(&ray).unwrap();
            let reach = ray.at(hit.t).length();
            assert!((0.995..=1.000001).contains(&reach) && hit.side == Side::Front, "seed {seed}, {ray:?}: {hit:?}");
        } else if foot > 1.0 {
            assert!(hull.cast(&ray).is_none(), "seed {seed}, {ray:?}");
        }
    }
}

#[test]
fn what_has_no_volume_is_named() {
    let error = |points: &[[f32; 3]]| ConvexHull::new(points).unwrap_err();
    assert_eq!(error(&[]), HullError::Empty);
    assert_eq!(error(&[[1.0; 3]; 9]), HullError::OnePoint);
    assert_eq!(error(&[[0.0, 0.0, 0.0], [-0.0, 0.0, 0.0]]), HullError::OnePoint);
    assert_eq!(error(&[[0.0; 3], [1.0; 3], [0.5; 3], [7.0; 3]]), HullError::OneLine);
    assert_eq!(error(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [5.0, 7.0, 0.0]]), HullError::OnePlane);
    let broken = error(&[[0.0; 3], [0.0, f32::NAN, 0.0]]);
    assert!(matches!(broken, HullError::Point { index: 1, .. }), "{broken}");
    // The hulls are as flat as f32 allows, and not flat.
    let least = f32::from_bits(1);
    let thin = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, least]];
    let hull = ConvexHull::new(&thin).unwrap();
    assert!(hull.contains([0.1, 0.1, 0.0]) && !hull.contains([0.9, 0.9, 0.0]));
    assert!(hull.is_blocked(&Ray::new([0.1, 0.1, 1.0], Vec3::NEG_Z)));
    let huge = thin.map(|p| Vec3::from_array(p) * 3e38 + Vec3::new(0.0, 0.0, p[2] * 2e38));
    assert_eq!(ConvexHull::new(&huge).unwrap().face_count(), 4);
}
