//! Circles and capsules: the verdict against rationals, and t against rationals with a root and against bisection.

use crate::ask;
use crate::d2::numbers::{Regime, moderate, ray, regime, vector};
use crate::d2::oracle::{P, Q, key, nearest, p, q};
use hitscan::d2::{Capsule2, Circle, Ray2, ShapeHit2};
use hitscan::glam::{DVec2, Vec2};
use hitscan::{Inside, Side};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};
use proptest::prelude::*;

fn radius(regime: Regime) -> impl Strategy<Value = f32> {
    crate::d2::numbers::number(regime).prop_map(f32::abs)
}

/// Returns r^2 |d|^2 - (d cross (c - o))^2.
fn discriminant(ray: &Ray2, center: Vec2, radius: f32) -> Q {
    let d = p(ray.direction);
    let cross = d.cross(&p(center).minus(&p(ray.origin)));
    q(radius) * q(radius) * d.dot(&d) - &cross * &cross
}

/// Returns the square root to 2^-800, far below the root of the smallest product of four f32 numbers.
fn root(x: &Q) -> Q {
    let scale = BigInt::from(1) << 1600;
    let scaled = (x * Q::from_integer(scale)).to_integer();
    Q::new(scaled.sqrt(), BigInt::from(1) << 800)
}

/// Returns both crossings of the ray's line, and a bound of the f64 error in units of t.
///
/// Let n = |c - o| + r. Every product in b, c and the discriminant is below n |d|, n^2 and (n |d|)^2, respectively.
/// Each of the three has at most 16 roundings. The root turns an error e of the discriminant into at most sqrt(e).
/// The divisor of c is never smaller than the larger of |b| and that root.
fn crossings(ray: &Ray2, circle: &Circle) -> Option<([Q; 2], f64)> {
    let discriminant = discriminant(ray, circle.center, circle.radius);
    if discriminant.is_negative() {
        return None;
    }
    let to_center = p(circle.center).minus(&p(ray.origin));
    let (a, b) = (p(ray.direction).dot(&p(ray.direction)), to_center.dot(&p(ray.direction)));
    let s = root(&discriminant);
    let unit = 16.0 * f64::EPSILON;
    let d = ray.direction.as_dvec2().length();
    let n = (circle.center.as_dvec2() - ray.origin.as_dvec2()).length() + f64::from(circle.radius);
    let error = unit * (n * d) * (n * d);
    let (s64, b64) = (s.to_f64().unwrap(), b.to_f64().unwrap().abs());
    let root_error = if s64 > 0.0 { (error / s64).min(error.sqrt()) } else { error.sqrt() };
    let divisor = b64.max(s64).max(error.sqrt());
    let constant_error = if divisor > 0.0 { unit * n * n / divisor } else { 0.0 };
    let bound = (root_error + unit * n * d) / (d * d) + constant_error;
    Some(([(&b - &s) / &a, (&b + &s) / &a], bound))
}

/// Returns whether a number is within the bound and one rounding to f32.
fn is_close(reported: f32, exact: &Q, bound: f64) -> bool {
    let difference = (q(reported) - exact).abs().to_f64().unwrap();
    difference <= bound + f64::from(f32::EPSILON) * f64::from(reported.abs()) + f64::from(f32::MIN_POSITIVE)
}

fn everywhere(ray: Ray2) -> Ray2 {
    ray.with_range(f32::NEG_INFINITY, f32::INFINITY)
}

/// Generates rays of the regime, and small integer ones that are often tangent to a circle of radius 5 (3, 4, 5).
fn circle_case(regime: Regime) -> impl Strategy<Value = (Circle, Ray2)> {
    let random = (vector(regime), radius(regime), ray(regime)).prop_map(|(c, r, ray)| (Circle::new(c, r), ray));
    let tangent = (vector(Regime::Small), any::<[bool; 3]>(), -4i32..4, ray(Regime::Small)).prop_map(
        |(c, [flip, minus, back], along, ray)| {
            let (n, d) = if flip { (Vec2::new(3.0, 4.0), Vec2::new(4.0, -3.0)) } else { (Vec2::Y * 5.0, Vec2::X) };
            let n = if minus { -n } else { n };
            let d = if back { -d } else { d };
            (Circle::new(c, 5.0), Ray2 { origin: c + n + d * along as f32, direction: d, ..ray })
        },
    );
    prop_oneof![3 => random, 1 => tangent]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn a_line_meets_a_circle_exactly((circle, ray) in regime().prop_flat_map(circle_case)) {
        let ray = everywhere(ray);
        let hit = circle.cast(&ray);
        match crossings(&ray, &circle) {
            None => prop_assert_eq!(hit, None),
            // Crossings beyond the range of f32 cannot be reported.
            Some(([near, far], bound)) => match hit {
                None => prop_assert!(far.abs() + near.abs() > q(1e37)),
                Some(hit) => {
                    let expected = if hit.side == Side::Front { near } else { far };
                    prop_assert!(is_close(hit.t, &expected, bound), "{hit:?} {expected} {bound}");
                }
            },
        }
    }

    /// The first hit has the right side in all modes. The starts are on the rim, or far enough from it for f64 to
    /// decide on which side they are.
    #[test]
    fn a_ray_starts_in_on_or_out_of_a_circle((circle, ray) in moderate().prop_flat_map(circle_case)) {
        let ray = ray.with_range(0.0, f32::INFINITY);
        let to_center = p(circle.center).minus(&p(ray.origin));
        let c = to_center.dot(&to_center) - q(circle.radius) * q(circle.radius);
        prop_assume!((c.is_zero() || c.abs() > q(1e-12)) && ray.direction.length() > 1e-6);
        let b = to_center.dot(&p(ray.direction));
        // The other crossing of a ray from the rim is at 2 b / a, which may be reported as 0.
        prop_assume!(b.is_zero() || nearest(&(&b * q(2.0) / p(ray.direction).dot(&p(ray.direction)))) != 0.0);
        let discriminant = discriminant(&ray, circle.center, circle.radius);
        let leaves = |b: &Q, c: &Q| c.is_negative() || (c.is_zero() && b.is_negative());
        let expected = |inside| match inside {
            _ if discriminant.is_negative() => None,
            Inside::Exit if leaves(&b, &c) => Some(Side::Back),
            Inside::Solid if leaves(&b, &c) => Some(Side::Inside),
            Inside::Ignore if leaves(&b, &c) => None,
            _ => (c.is_zero() || b.is_positive()).then_some(Side::Front),
        };
        let hits = ask!(circle, ray);
        prop_assert_eq!(hits.map(|hit| hit.map(|hit| hit.side)), crate::d2::oracle::MODES.map(expected));
        prop_assert!(!c.is_zero() || hits[1].is_none_or(|hit| hit.t == 0.0), "a start on the rim: {hits:?}");
        check_circle_normal(&circle, &ray, hits[0]);
    }

    #[test]
    fn points_in_circles_are_found_exactly((circle, point) in regime().prop_flat_map(|r| {
        (circle_case(r), vector(r)).prop_map(|((circle, ray), v)| (circle, if v.x > v.y { ray.origin } else { v }))
    })) {
        let offset = p(point).minus(&p(circle.center));
        prop_assert_eq!(circle.contains(point), offset.dot(&offset) <= q(circle.radius) * q(circle.radius));
    }

    #[test]
    fn a_line_meets_a_capsule_exactly((capsule, ray) in regime().prop_flat_map(capsule_case)) {
        let ray = everywhere(ray);
        let side = |v: Vec2| p(ray.direction).cross(&p(v).minus(&p(ray.origin)));
        let separates = !(side(capsule.a) * side(capsule.b)).is_positive();
        let meets = |center| !discriminant(&ray, center, capsule.radius).is_negative();
        let expected = separates || meets(capsule.a) || meets(capsule.b);
        let reach = [capsule.a, capsule.b].map(|v| (v.as_dvec2() - ray.origin.as_dvec2()).length());
        let reach = reach[0].max(reach[1]) + f64::from(capsule.radius);
        // Crossings beyond the range of f32 cannot be reported.
        let reportable = reach / ray.direction.as_dvec2().length() < 1e37;
        let blocked = capsule.is_blocked(&ray);
        prop_assert!(blocked == expected || (!reportable && !blocked));
    }

    #[test]
    fn points_in_capsules_are_found_exactly((capsule, ray) in regime().prop_flat_map(capsule_case)) {
        let expected = squared_distance(&p(ray.origin), &capsule) <= q(capsule.radius) * q(capsule.radius);
        prop_assert_eq!(capsule.contains(ray.origin), expected);
    }

    /// The hit agrees with bisection of the distance, which is convex along the line, for lines that go deep inside.
    #[test]
    fn a_capsule_is_entered_and_left_at_its_radius((capsule, ray) in moderate().prop_flat_map(capsule_case)) {
        prop_assume!(ray.direction.length() > 1e-6 && (capsule.radius == 0.0 || capsule.radius > 1e-6));
        let Some((enter, exit)) = bisect(&capsule, &everywhere(ray)) else { return Ok(()) };
        for (mode, hit) in crate::d2::oracle::MODES.into_iter().zip(ask!(capsule, ray)) {
            let near_end = |t: f64| [ray.t_min, ray.t_max].iter().any(|&end| (f64::from(end) - t).abs() < 1e-5);
            if near_end(enter) || near_end(exit) {
                continue;
            }
            let expected = crate::d2::oracle::first_hit(&ray, enter as f32, exit as f32, false, mode);
            prop_assert_eq!(key(&hit).map(|(_, side)| side), expected.map(|(_, side)| side));
            if let (Some(hit), Some((t, _))) = (hit, expected) {
                prop_assert!((hit.t - t).abs() <= 1e-6 * (1.0 + t.abs()), "{hit:?} {t}");
                check_capsule_normal(&capsule, &ray, hit);
            }
        }
    }

    #[test]
    fn a_capsule_without_length_is_a_circle((circle, ray) in moderate().prop_flat_map(circle_case)) {
        let capsule = Capsule2::new(circle.center, circle.center, circle.radius);
        prop_assert_eq!(ask!(capsule, ray), ask!(circle, ray));
        prop_assert_eq!(capsule.bounds(), circle.bounds());
        prop_assert_eq!(capsule.contains(ray.origin), circle.contains(ray.origin));
    }
}

/// Checks that the normal points outwards from the centre, up to the error of the hit point.
fn check_circle_normal(circle: &Circle, ray: &Ray2, hit: Option<ShapeHit2>) {
    let Some(hit) = hit.filter(|_| circle.radius > 0.1) else { return };
    let point = ray.origin.as_dvec2() + ray.direction.as_dvec2() * f64::from(hit.t);
    let expected = (point - circle.center.as_dvec2()) / f64::from(circle.radius);
    assert!((hit.normal.as_dvec2() - expected).length() < 1e-3, "{hit:?} {expected}");
    assert!((hit.normal.length() - 1.0).abs() <= f32::EPSILON);
}

fn capsule_case(regime: Regime) -> impl Strategy<Value = (Capsule2, Ray2)> {
    (vector(regime), vector(regime), radius(regime), ray(regime))
        .prop_map(|(a, b, r, ray)| (Capsule2::new(a, b, r), ray))
}

fn squared_distance(point: &P, capsule: &Capsule2) -> Q {
    let (a, b) = (p(capsule.a), p(capsule.b));
    let (e, w) = (b.minus(&a), point.minus(&a));
    let e2 = e.dot(&e);
    let along = if e2.is_zero() { Q::zero() } else { (w.dot(&e) / e2).max(Q::zero()).min(q(1.0)) };
    let offset = P { x: w.x - e.x * &along, y: w.y - e.y * along };
    offset.dot(&offset)
}

fn nearest_on_segment(point: DVec2, capsule: &Capsule2) -> DVec2 {
    let (a, b) = (capsule.a.as_dvec2(), capsule.b.as_dvec2());
    let e = b - a;
    let along = if e == DVec2::ZERO { 0.0 } else { ((point - a).dot(e) / e.length_squared()).clamp(0.0, 1.0) };
    a + e * along
}

/// Returns the interval of the line inside the capsule. Returns `None` if no point of the line is deeper inside than a
/// tenth of the radius.
fn bisect(capsule: &Capsule2, ray: &Ray2) -> Option<(f64, f64)> {
    let (o, d) = (ray.origin.as_dvec2(), ray.direction.as_dvec2());
    let depth = |t: f64| {
        let point = o + d * t;
        f64::from(capsule.radius) - (point - nearest_on_segment(point, capsule)).length()
    };
    let far = 200.0 / d.length();
    let (mut low, mut high) = (-far, far);
    for _ in 0..200 {
        let (x, y) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if depth(x) < depth(y) { low = x } else { high = y }
    }
    let deepest = (low + high) / 2.0;
    if depth(deepest) <= 0.1 * f64::from(capsule.radius) {
        return None;
    }
    let edge = |mut outside: f64| {
        let mut within = deepest;
        for _ in 0..200 {
            let middle = (outside + within) / 2.0;
            if depth(middle) < 0.0 { outside = middle } else { within = middle }
        }
        within
    };
    Some((edge(-far), edge(far)))
}

fn check_capsule_normal(capsule: &Capsule2, ray: &Ray2, hit: ShapeHit2) {
    let point = ray.origin.as_dvec2() + ray.direction.as_dvec2() * f64::from(hit.t);
    let outward = match hit.side {
        Side::Inside => -ray.direction.as_dvec2(),
        _ => point - nearest_on_segment(point, capsule),
    };
    let unreliable = outward.length() < 0.1;
    assert!(unreliable || (hit.normal.as_dvec2() - outward.normalize()).length() < 1e-3, "{hit:?} {outward}");
}
