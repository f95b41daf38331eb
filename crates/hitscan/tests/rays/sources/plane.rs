//! (1) t = (p - o) . n / (d . n), and the quantities in it.

use crate::sources::exact::*;
use crate::sources::input::{cases, line, numbers, range, ranges_around, vec3};
use hitscan::{Plane, Side};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use proptest::prelude::*;
use std::cmp::Ordering;

/// Returns whether `x` is within an ulp of `n / sqrt(square)`, by squares of integers alone.
fn within_an_ulp(x: f32, n: &BigInt, square: &BigInt) -> bool {
    // n / sqrt(square) is in units of 2^-149.
    let not_above = |f: f32| f.is_infinite() || n * n <= fixed(f) * fixed(f) * square;
    let not_below = |f: f32| f.is_finite() && n * n >= fixed(f) * fixed(f) * square;
    let magnitude = x.abs();
    let lower = if magnitude == 0.0 { true } else { not_below(magnitude.next_down()) };
    let sign_is_right = x == 0.0 || (sign(n) == Ordering::Less) == (x < 0.0);
    lower && not_above(if magnitude.is_finite() { magnitude.next_up() } else { magnitude }) && sign_is_right
}

proptest! {
    #![proptest_config(cases(20_000))]

    #[test]
    fn plane_agrees_with_exact_arithmetic(input in numbers::<12>(), (t_min, t_max) in range()) {
        let (Some(ray), Ok(plane)) = (line(&input), Plane::new(vec3(&input, 2), vec3(&input, 3))) else { return Ok(()) };
        let (o, d) = (vector(ray.origin), vector(ray.direction));
        let (p, n) = (vector(vec3(&input, 2)), vector(vec3(&input, 3)));
        let (height, speed, square) = (dot(&sub(&p, &o), &n), dot(&d, &n), dot(&n, &n));

        let distance = plane.signed_distance(ray.origin);
        prop_assert!(within_an_ulp(distance, &-&height, &square), "distance {distance}");
        prop_assert!(!height.is_zero() || distance.to_bits() == 0);
        let approach = plane.approach_speed(ray.direction);
        prop_assert!(within_an_ulp(approach, &-&speed, &square), "approach {approach}");
        prop_assert!(!speed.is_zero() || approach.to_bits() == 0);

        let t = plane.cast_t(&ray);
        prop_assert_eq!(plane.time_to_reach(ray.origin, ray.direction), t);
        if speed.is_zero() {
            prop_assert_eq!(t, None);
            prop_assert!(!plane.is_blocked(&ray));
            return Ok(());
        }
        let exact_t = quotient(height, speed.clone());
        let overflow = if exact_t.is_negative() { -1.0 } else { 1.0 };
        prop_assert!(ulps_apart(t, nearest_f32(&exact_t), overflow) <= 1, "{:?} for {:?}", t, nearest_f32(&exact_t));

        let limited = ray.with_range(t_min, t_max);
        prop_assert_eq!(plane.cast_t(&limited), t.filter(|&t| t_min <= t && t <= t_max));
        let Some(t) = t else { return Ok(()) };
        for ((t_min, t_max), hits) in ranges_around(t) {
            prop_assert_eq!(plane.is_blocked(&ray.with_range(t_min, t_max)), hits);
        }
        let hit = plane.cast(&ray).unwrap();
        prop_assert_eq!(hit.side, if sign(&speed) == Ordering::Less { Side::Front } else { Side::Back });

        // The point is o + t d, projected onto the plane. Its t has a relative error of 2^-39, and three operations
        // round.
        let point = plane.collision_point(&ray).unwrap();
        let at = |i: usize| rational(ray.origin[i].into()) + rational(ray.direction[i].into()) * &exact_t;
        let sizes = (0..3).map(|i| at(i).abs() + rational(ray.origin[i].into()).abs() + rational(plane.point()[i].into()).abs());
        let size = sizes.max().unwrap();
        for i in 0..3 {
            let exact = rational(ray.origin[i].into()) + rational(ray.direction[i].into()) * &exact_t;
            let step = (rational(ray.direction[i].into()) * &exact_t).abs();
            let error = exact.abs() * rational(2f64.powi(-24))
                + step * rational(2f64.powi(-38))
                + rational(ray.origin[i].into()).abs() * rational(2f64.powi(-51))
                + &size * rational(2f64.powi(-38))
                + rational(2f64.powi(-150));
            match point[i].is_finite() {
                true => prop_assert!((rational(point[i].into()) - &exact).abs() <= error, "{point}"),
                false => prop_assert!(exact.abs() + error >= rational(f32::MAX.into())),
            }
        }
    }
}

#[test]
fn a_dot_product_that_f64_loses_still_counts() {
    // d . n = 1 + 2^-60 - 1.
    let plane = Plane::new([0.0, 0.0, 1.0], [1.0, 2f32.powi(-30), 1.0]).unwrap();
    let ray = hitscan::Ray::with_direction([0.0; 3], [1.0, 2f32.powi(-30), -1.0]);
    assert_eq!(plane.cast_t(&ray), Some(2f32.powi(60)));
    // A point of the plane is at distance 0 although the unit normal is irrational.
    let tilted = Plane::new([0.0; 3], [1.0, 2.0, 3.0]).unwrap();
    assert_eq!(tilted.signed_distance([1.0, 1.0, -1.0]), 0.0);
    assert_eq!(tilted.approach_speed([3.0, 0.0, -1.0]).to_bits(), 0);
}
