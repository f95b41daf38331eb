//! Lines and segments.

use crate::d2::numbers::{Regime, number, ray, regime, vector};
use crate::d2::oracle::{P, Q, area2, in_range, is_unit_of, nearest, p, q};
use hitscan::Side;
use hitscan::d2::{Line, Ray2, Segment, ShapeHit2};
use hitscan::glam::Vec2;
use num_traits::{One, Signed, Zero};
use proptest::prelude::*;

/// Returns the crossing of the ray's line with the line from `a` along `e`, as (t, u, side).
fn crossing(ray: &Ray2, a: &P, e: &P) -> Option<(Q, Q, Side)> {
    let (from_origin, d) = (a.minus(&p(ray.origin)), p(ray.direction));
    let det = d.cross(e);
    if det.is_zero() {
        return None;
    }
    let side = if d.dot(&e.right()).is_negative() { Side::Front } else { Side::Back };
    Some((from_origin.cross(e) / &det, from_origin.cross(&d) / &det, side))
}

fn check(ray: &Ray2, hit: Option<ShapeHit2>, expected: Option<(f32, Option<f32>, Side)>, e: &P) {
    let found = hit.map(|hit| (hit.t.to_bits(), hit.u.map(f32::to_bits), hit.side));
    let expected = expected.filter(|(t, ..)| in_range(ray, *t));
    assert_eq!(found, expected.map(|(t, u, side)| (t.to_bits(), u.map(f32::to_bits), side)), "{ray:?}");
    assert!(hit.is_none_or(|hit| is_unit_of(hit.normal, &e.right())), "{hit:?}");
}

fn line_case(regime: Regime) -> impl Strategy<Value = (Ray2, Vec2, Vec2)> {
    (ray(regime), vector(regime), vector(regime)).prop_filter("a direction", |(_, a, b)| a != b)
}

/// Generates a point near the line and often on it: a corner, a fraction of the segment, or any point.
fn point_near(a: Vec2, b: Vec2, regime: Regime) -> impl Strategy<Value = Vec2> {
    prop_oneof![Just(a), Just(b), Just((a + b) * 0.5), Just(b + (b - a)), vector(regime)]
        .prop_filter("finite", |v| v.is_finite())
}

fn point_case() -> impl Strategy<Value = (Vec2, Vec2, Vec2)> {
    regime().prop_flat_map(|regime| {
        (vector(regime), vector(regime))
            .prop_filter("a direction", |(a, b)| a != b)
            .prop_flat_map(move |(a, b)| (Just(a), Just(b), point_near(a, b, regime)))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn segment_is_exact((ray, a, b) in regime().prop_flat_map(line_case)) {
        let segment = Segment::new(a, b);
        let e = p(b).minus(&p(a));
        let expected = crossing(&ray, &p(a), &e)
            .filter(|(_, u, _)| !u.is_negative() && *u <= Q::one())
            .map(|(t, u, side)| (nearest(&t), Some(nearest(&u)), side));
        let hit = segment.cast(&ray);
        check(&ray, hit, expected, &e);
        prop_assert_eq!(hit.map(|hit| hit.t), segment.cast_t(&ray));
        prop_assert_eq!(hit.is_some(), segment.is_blocked(&ray));
    }

    #[test]
    fn line_through_two_points_is_exact((ray, a, b) in regime().prop_flat_map(line_case)) {
        let line = Line::through(a, b).unwrap();
        let e = p(b).minus(&p(a));
        let hit = line.cast(&ray);
        check(&ray, hit, crossing(&ray, &p(a), &e).map(|(t, _, side)| (nearest(&t), None, side)), &e);
        prop_assert_eq!(hit.map(|hit| hit.t), line.cast_t(&ray));
        prop_assert_eq!(hit.is_some(), line.is_blocked(&ray));
        prop_assert!(is_unit_of(line.normal(), &e.right()));
    }

    #[test]
    fn line_with_normal_is_exact((ray, a, n) in regime().prop_flat_map(|r| (ray(r), vector(r), vector(r)))) {
        prop_assume!(n != Vec2::ZERO);
        let line = Line::new(a, n).unwrap();
        let e = p(n.perp());
        check(&ray, line.cast(&ray), crossing(&ray, &p(a), &e).map(|(t, _, side)| (nearest(&t), None, side)), &e);
        prop_assert!(is_unit_of(line.normal(), &p(n)));
    }

    #[test]
    fn points_on_lines_are_found_exactly((a, b, point) in point_case()) {
        let on_line = area2(&p(a), &p(b), &p(point)).is_zero();
        prop_assert_eq!(Line::through(a, b).unwrap().contains(point), on_line);
        let (from_a, e) = (p(point).minus(&p(a)), p(b).minus(&p(a)));
        let along = from_a.dot(&e);
        let expected = on_line && !along.is_negative() && along <= e.dot(&e);
        prop_assert_eq!(Segment::new(a, b).contains(point), expected);
        prop_assert_eq!(Segment::new(b, a).contains(point), expected);
    }

    /// Two segments that share an end have no gap. A ray that separates their far ends hits one of them.
    #[test]
    fn nothing_slips_between_neighbours((ray, a, corner, b) in regime().prop_flat_map(|r| {
        (ray(r), vector(r), vector(r), vector(r))
    })) {
        prop_assume!(a != corner && corner != b);
        let ray = ray.with_range(f32::NEG_INFINITY, f32::INFINITY);
        let side = |v: Vec2| p(ray.direction).cross(&p(v).minus(&p(ray.origin)));
        let separated = (side(a) * side(b)).is_negative();
        let crossed = [Segment::new(a, corner), Segment::new(corner, b)].map(|segment| {
            let e = p(segment.b).minus(&p(segment.a));
            // A crossing beyond the range of f32 cannot be reported.
            let beyond = crossing(&ray, &p(segment.a), &e).is_some_and(|(t, ..)| !nearest(&t).is_finite());
            beyond || segment.is_blocked(&ray)
        });
        prop_assert!(!separated || crossed[0] || crossed[1]);
    }

    #[test]
    fn a_collinear_ray_misses(
        [a, e] in [vector(Regime::Small), vector(Regime::Small)],
        k in -3i32..4,
        x in number(Regime::Small),
    ) {
        prop_assume!(e != Vec2::ZERO && k != 0);
        let ray = Ray2::with_direction(a + e * x, e * k as f32).with_range(f32::NEG_INFINITY, f32::INFINITY);
        prop_assert_eq!(Segment::new(a, a + e).cast(&ray), None);
        prop_assert_eq!(Line::through(a, a + e).unwrap().cast(&ray), None);
    }

    #[test]
    fn signed_distance_is_that_of_the_nearest_point(
        [a, n, v] in [vector(Regime::Uniform), vector(Regime::Uniform), vector(Regime::Uniform)],
    ) {
        prop_assume!(n != Vec2::ZERO);
        let line = Line::new(a, n).unwrap();
        let distance = line.signed_distance(v);
        let exact = p(n).dot(&p(v).minus(&p(a)));
        // |distance|^2 |n|^2 = (n . (v - a))^2 up to the rounding to f32.
        let (square, n2) = (q(distance) * q(distance) * p(n).dot(&p(n)), &exact * &exact);
        let slack = q(f32::EPSILON) * (&n2 + q(1e-12));
        prop_assert!((&square - &n2).abs() <= slack * q(2.0));
        prop_assert!(distance == 0.0 || (distance > 0.0) == exact.is_positive() || exact.abs() < q(1e-12));
    }
}

#[test]
fn motion_relative_to_a_line() {
    let floor = Line::new([0.0, 1.0], [0.0, 3.0]).unwrap();
    assert_eq!(floor.normal(), Vec2::Y);
    assert_eq!(floor.point(), Vec2::Y);
    assert_eq!(floor.signed_distance([9.0, 3.0]), 2.0);
    assert_eq!(floor.signed_distance([9.0, -1.0]), -2.0);
    assert_eq!(floor.approach_speed([7.0, -4.0]), 4.0);
    assert_eq!(floor.approach_speed([7.0, 0.0]), 0.0);
    assert_eq!(floor.time_to_reach([0.0, 3.0], [1.0, -4.0]), Some(0.5));
    assert_eq!(floor.time_to_reach([0.0, 3.0], [1.0, 4.0]), Some(-0.5));
    assert_eq!(floor.time_to_reach([0.0, 3.0], [1.0, 0.0]), None);
    assert_eq!(floor.time_to_reach([0.0, 1.0], [1.0, 0.0]), None);
}
