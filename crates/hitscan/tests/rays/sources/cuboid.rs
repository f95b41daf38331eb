//! (3) Slabs: each pair of planes is crossed at (plane - origin) / direction.

use crate::sources::exact::*;
use crate::sources::input::{cases, line, numbers, range, ranges_around, vec3};
use hitscan::glam::Vec3;
use hitscan::{Aabb, Inside, Ray, Side};
use num_rational::BigRational;
use proptest::prelude::*;

/// A crossing with the outward normal of its face.
type Crossing = (BigRational, Vec3);

fn slabs(aabb: &Aabb, ray: &Ray) -> Option<(Crossing, Crossing)> {
    let (mut enter, mut exit): (Option<Crossing>, Option<Crossing>) = (None, None);
    for i in 0..3 {
        let (low, high, o, d) = (aabb.min[i], aabb.max[i], ray.origin[i], ray.direction[i]);
        if d == 0.0 {
            if o < low || o > high {
                return None;
            }
            continue;
        }
        let at = |plane: f32| quotient(fixed(plane) - fixed(o), fixed(d));
        let out = Vec3::AXES[i] * d.signum();
        let (near, far) = if d > 0.0 { (at(low), at(high)) } else { (at(high), at(low)) };
        if enter.as_ref().is_none_or(|e| near > e.0) {
            enter = Some((near, -out));
        }
        if exit.as_ref().is_none_or(|e| far < e.0) {
            exit = Some((far, out));
        }
    }
    let (enter, exit) = (enter?, exit?);
    (enter.0 <= exit.0).then_some((enter, exit))
}

/// Returns the reported crossings: t, side and normal.
fn crossings(aabb: &Aabb, ray: &Ray) -> Vec<(f32, Side, Vec3)> {
    let Some((enter, exit)) = slabs(aabb, ray) else { return Vec::new() };
    let touching = enter.0 == exit.0;
    let report = |(t, normal): Crossing, side| nearest_f32(&t).map(|t| (t, side, normal));
    let exit = if touching { None } else { report(exit, Side::Back) };
    report(enter, Side::Front).into_iter().chain(exit).collect()
}

fn or_infinite(t: &BigRational) -> f32 {
    nearest_f32(t).unwrap_or(if *t < rational(0.0) { f32::NEG_INFINITY } else { f32::INFINITY })
}

fn check(aabb: &Aabb, ray: &Ray) -> Result<(), TestCaseError> {
    let contains = |t: f32| ray.t_min <= t && t <= ray.t_max;
    let expected = crossings(aabb, ray).into_iter().find(|hit| contains(hit.0));
    let given = aabb.cast(ray);
    prop_assert_eq!(given.map(|hit| (hit.t, hit.side, hit.normal)), expected);
    prop_assert_eq!(aabb.is_blocked(ray), expected.is_some());
    prop_assert_eq!(aabb.cast_t(ray).map(f32::to_bits), expected.map(|hit| hit.0.to_bits()));

    let ends = slabs(aabb, ray).map(|(enter, exit)| (or_infinite(&enter.0), or_infinite(&exit.0)));
    let in_range = ends.filter(|&(enter, exit)| enter <= ray.t_max && ray.t_min <= exit);
    prop_assert_eq!(aabb.interval(ray), in_range);

    let starts_inside = ends.is_some_and(|(enter, exit)| enter < ray.t_min && ray.t_min <= exit);
    let solid = aabb.when_inside(Inside::Solid).cast(ray);
    let ignore = aabb.when_inside(Inside::Ignore).cast(ray);
    if starts_inside && ray.t_min.is_finite() {
        prop_assert_eq!(solid.map(|hit| (hit.t, hit.side)), Some((ray.t_min, Side::Inside)));
        prop_assert_eq!(ignore, None);
    } else if !starts_inside {
        prop_assert_eq!((solid, ignore), (given, given));
    }
    Ok(())
}

/// Returns a box that is flat along some axes.
fn aabb(input: &[f32], flat: [bool; 3]) -> Aabb {
    let (p, q) = (vec3(input, 2), vec3(input, 3));
    let (min, mut max) = (p.min(q), p.max(q));
    (0..3).filter(|&i| flat[i]).for_each(|i| max[i] = min[i]);
    Aabb::new(min, max)
}

proptest! {
    #![proptest_config(cases(20_000))]

    #[test]
    fn box_agrees_with_exact_arithmetic(
        input in numbers::<12>(),
        flat in [prop::bool::weighted(0.2), prop::bool::weighted(0.2), prop::bool::weighted(0.2)],
        (t_min, t_max) in range(),
    ) {
        let Some(ray) = line(&input) else { return Ok(()) };
        let aabb = aabb(&input, flat);
        check(&aabb, &ray)?;
        check(&aabb, &ray.with_range(0.0, f32::INFINITY))?;
        check(&aabb, &ray.with_range(t_min, t_max))?;
        for hit in crossings(&aabb, &ray) {
            for ((t_min, t_max), _) in ranges_around(hit.0) {
                check(&aabb, &ray.with_range(t_min, t_max))?;
            }
        }
    }

    /// The rays start and end at points on faces, edges and corners.
    #[test]
    fn box_agrees_at_its_features(
        input in numbers::<12>(),
        from in [0..3usize, 0..3, 0..3],
        to in [0..3usize, 0..3, 0..3],
        (t_min, t_max) in range(),
    ) {
        let aabb = aabb(&input, [false; 3]);
        let pick = |which: [usize; 3], free: Vec3| {
            Vec3::from_array([0, 1, 2].map(|i| [aabb.min[i], aabb.max[i], free[i]][which[i]]))
        };
        let (start, target) = (pick(from, vec3(&input, 0)), pick(to, vec3(&input, 1)));
        let ray = Ray::with_direction(start, target - start).with_range(t_min, t_max);
        if ray.validate().is_ok() {
            check(&aabb, &ray)?;
            check(&aabb, &ray.with_range(0.0, f32::INFINITY))?;
        }
    }
}

/// ```text
///        y
///      2 +     +---------+
///        |     |    4 -> |     1: from (-2,-2,-2) along the diagonal: hits
///    0.5 +     +---------+     2, 3: from the origin along y and -x: miss
///        |   5 <               4: from inside: hits
///    ----2-----+---------+ x   5: away from the box: misses
///   3 <- |    0.5        2
/// ```
#[test]
fn the_worked_example() {
    let aabb = Aabb::new([0.5, 0.5, 0.5], [2.0, 2.0, 2.0]);
    let ray = |o: [f32; 3], d: [f32; 3]| Ray::with_direction(o, d);
    type Expected = Option<(f32, [f32; 3], Side, [f32; 3], (f32, f32))>;
    let examples: [(Ray, Expected); 5] = [
        (
            ray([-2.0, -2.0, -2.0], [2.0, 2.0, 2.0]),
            Some((1.25, [0.5, 0.5, 0.5], Side::Front, [-1.0, 0.0, 0.0], (1.25, 2.0))),
        ),
        (ray([0.0, 0.0, 0.0], [0.0, 1.0, 0.0]), None),
        (ray([0.0, 0.0, 0.0], [-1.0, 0.0, 0.0]), None),
        (ray([1.0, 1.0, 1.0], [1.0, 1.0, 0.0]), Some((1.0, [2.0, 2.0, 1.0], Side::Back, [1.0, 0.0, 0.0], (-0.5, 1.0)))),
        (ray([0.4, 1.0, 1.0], [-1.0, 0.0, 0.0]), None),
    ];
    for (i, (ray, expected)) in examples.into_iter().enumerate() {
        assert_eq!(aabb.is_blocked(&ray), expected.is_some(), "bool of ray {i}");
        assert_eq!(aabb.cast_t(&ray), expected.map(|e| e.0), "t of ray {i}");
        assert_eq!(aabb.cast_t(&ray).map(|t| ray.at(t).to_array()), expected.map(|e| e.1), "point of ray {i}");
        let hit = aabb.cast(&ray).map(|hit| (hit.side, hit.normal.to_array(), hit.uv));
        assert_eq!(hit, expected.map(|e| (e.2, e.3, None)), "full hit of ray {i}");
        assert_eq!(aabb.interval(&ray), expected.map(|e| e.4), "interval of ray {i}");
    }
}

#[test]
fn zeros_of_either_sign_are_inside_a_slab_whose_plane_holds_the_origin() {
    for zero in [0.0, -0.0] {
        for plane in [0.0, -0.0, 1.0] {
            let on_face = Ray::with_direction([-1.0, plane, 0.5], [1.0, zero, zero]);
            assert_eq!(Aabb::new([0.0; 3], [1.0; 3]).cast_t(&on_face), Some(1.0), "{zero} {plane}");
        }
        let flat = Aabb::new([0.0, 0.25, 0.0], [1.0, 0.25, 1.0]);
        assert_eq!(flat.interval(&Ray::with_direction([-1.0, 0.25, 1.0], [0.5, zero, zero])), Some((2.0, 4.0)));
        assert!(!flat.is_blocked(&Ray::with_direction([-1.0, 0.25f32.next_up(), 1.0], [0.5, zero, zero])));
    }
}
