//! (2) a t^2 - 2 b t + c = 0 with a = d.d, b = L.d, c = L.L - r^2, L = center - origin.

use crate::sources::exact::*;
use crate::sources::input::{cases, line, numbers, range, ranges_around, vec3};
use hitscan::glam::Vec3;
use hitscan::{Inside, Ray, Side, Sphere};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Signed;
use proptest::prelude::*;
use std::cmp::Ordering;

struct Quadratic {
    a: BigInt,
    b: BigInt,
    c: BigInt,
    /// The sign of the discriminant.
    discriminant: Ordering,
    /// A bound of the error of a reported root, without its rounding to f32.
    error: f64,
}

/// Bounds the error of a root. Let u = 2^-53, and let lengths be in units of the direction. The distance to the centre is m, half the chord is s, and the
/// distance of the line from the centre is f. The error of f^2 is at most e = 96 u f m + 768 u^2 m^2 + 8 u (r^2 + f^2). So the error of s is at most min(sqrt
/// e, e / s). The error of g, the root of larger magnitude, is this error plus 8 u m. The other root is c / (a g). Its error is the error of c, 8 u (m^2 +
/// r^2), divided by g, plus the relative error of g times the root.
fn root_error(a: &BigInt, b: &BigInt, l: &Vector, r: &BigInt, discriminant: &BigInt) -> f64 {
    let u = 2f64.powi(-53);
    let (m2, r2) = (ratio(&dot(l, l), a), ratio(&(r * r), a));
    let s2 = ratio(discriminant, &(a * a));
    let (m, s, middle) = (m2.sqrt(), s2.sqrt(), ratio(b, a).abs());
    let f2 = (r2 - s2).max(0.0);
    let e = 96.0 * u * (f2.sqrt() + 2e-16 * m) * m + 768.0 * u * u * m2 + 8.0 * u * (r2 + f2);
    let s_error = if s2 == 0.0 { 0.0 } else { e.sqrt().min(e / s) };
    let larger = middle + s;
    if larger == 0.0 {
        return 0.0;
    }
    let larger_error = 8.0 * u * m + s_error + 8.0 * u * larger;
    let smaller = (middle - s).abs();
    larger_error + (8.0 * u * (m2 + r2) / larger + smaller * larger_error / larger) * 1.001
}

impl Quadratic {
    fn new(ray: &Ray, sphere: &Sphere) -> Self {
        let (d, r) = (vector(ray.direction), fixed(sphere.radius));
        let l = sub(&vector(sphere.center), &vector(ray.origin));
        let (a, b, c) = (dot(&d, &d), dot(&l, &d), dot(&l, &l) - &r * &r);
        let discriminant = &b * &b - &a * &c;
        let error = if discriminant.is_negative() { 0.0 } else { root_error(&a, &b, &l, &r, &discriminant) };
        Self { discriminant: sign(&discriminant), error, a, b, c }
    }

    fn value(&self, x: &BigRational) -> BigInt {
        // The inequality is multiplied by the square of the denominator, which is positive.
        let (n, d) = (x.numer(), x.denom());
        &self.a * n * n - BigInt::from(2) * &self.b * n * d + &self.c * d * d
    }

    /// Compares the middle b / a with x.
    fn middle(&self, x: &BigRational) -> Ordering {
        (&self.b * x.denom()).cmp(&(&self.a * x.numer()))
    }

    fn near_at_least(&self, x: &BigRational) -> bool {
        self.middle(x) != Ordering::Less && !self.value(x).is_negative()
    }

    fn near_at_most(&self, x: &BigRational) -> bool {
        self.middle(x) != Ordering::Greater || !self.value(x).is_positive()
    }

    fn far_at_least(&self, x: &BigRational) -> bool {
        self.middle(x) != Ordering::Less || !self.value(x).is_positive()
    }

    fn far_at_most(&self, x: &BigRational) -> bool {
        self.middle(x) != Ordering::Greater && !self.value(x).is_negative()
    }

    /// Returns the ends of the interval that contains the true root.
    fn around(&self, t: f32) -> [BigRational; 2] {
        let ulp = f64::from(t.abs().next_up() - t.abs()).min(2f64.powi(104));
        let error = rational((self.error * 2.0 + ulp).min(f64::MAX));
        [rational(t.into()) - &error, rational(t.into()) + error]
    }

    fn near_is(&self, t: f32) -> bool {
        let [low, high] = self.around(t);
        self.near_at_least(&low) && self.near_at_most(&high)
    }

    fn far_is(&self, t: f32) -> bool {
        let [low, high] = self.around(t);
        self.far_at_least(&low) && self.far_at_most(&high)
    }
}

/// Returns the limit beyond which a root need not be reported.
fn beyond_f32(error: f64) -> BigRational {
    rational((f64::from(f32::MAX) - 2.0 * error).max(0.0))
}

proptest! {
    #![proptest_config(cases(20_000))]

    #[test]
    fn sphere_agrees_with_exact_arithmetic(input in numbers::<10>(), (t_min, t_max) in range()) {
        let Some(ray) = line(&input) else { return Ok(()) };
        let sphere = Sphere::at(vec3(&input, 2), input[9].abs());
        let exact = Quadratic::new(&ray, &sphere);
        let hit = sphere.cast(&ray);

        let Some(hit) = hit else {
            // The verdict is exact, except that a hit may overflow f32.
            let limit = beyond_f32(exact.error);
            let reportable = exact.discriminant != Ordering::Less
                && (exact.near_at_least(&-&limit) && exact.near_at_most(&limit)
                    || exact.far_at_least(&-&limit) && exact.far_at_most(&limit));
            prop_assert!(!reportable, "missed");
            return Ok(());
        };
        prop_assert_ne!(exact.discriminant, Ordering::Less);
        match hit.side {
            Side::Front => prop_assert!(exact.near_is(hit.t), "near root {}", hit.t),
            // The entry is below the range of f32.
            _ => prop_assert!(exact.far_is(hit.t), "far root {}", hit.t),
        }

        for ((t_min, t_max), hits) in ranges_around(hit.t) {
            if hits || t_min == f32::NEG_INFINITY {
                prop_assert_eq!(sphere.is_blocked(&ray.with_range(t_min, t_max)), hits);
            }
        }

        // The exit follows the entry, unless the line only touches.
        if hit.side == Side::Front {
            let behind = ray.with_range(hit.t.next_up(), f32::INFINITY);
            let [_, high] = exact.around(hit.t);
            match sphere.cast(&behind) {
                Some(exit) => {
                    prop_assert_ne!(exact.discriminant, Ordering::Equal);
                    prop_assert_eq!(exit.side, Side::Back);
                    prop_assert!(exact.far_is(exit.t), "far root {}", exit.t);
                    let from_inside = sphere.when_inside(Inside::Solid).cast(&behind).unwrap();
                    prop_assert_eq!((from_inside.t, from_inside.side), (behind.t_min + 0.0, Side::Inside));
                    prop_assert_eq!(sphere.when_inside(Inside::Ignore).cast(&behind), None);
                }
                None => prop_assert!(exact.far_at_most(&high) || !exact.far_at_most(&beyond_f32(exact.error))),
            }
        }

        let limited = ray.with_range(t_min, t_max);
        let answer = sphere.cast(&limited);
        prop_assert_eq!(sphere.is_blocked(&limited), answer.is_some());
        prop_assert_eq!(sphere.cast_t(&limited), answer.map(|hit| hit.t));
        if let Some(hit) = answer {
            prop_assert!(t_min <= hit.t && hit.t <= t_max);
            prop_assert!((hit.normal.length() - 1.0).abs() < 1e-6);
        }
    }
}

#[test]
fn exact_tangents_are_one_hit() {
    // The directions are along a 3-4-5 triangle. The distance from the centre is 5 k, and t is not a dyadic number.
    for k in [1.0, 3.0, 7.0, 1e20, 1e-20] {
        for along in [0.0, 1.0, 7.0, 1000.0] {
            let origin = Vec3::new(-4.0 * k - 3.0 * along * k, 3.0 * k - 4.0 * along * k, 0.0);
            let ray = Ray::with_direction(origin, [3.0 * k, 4.0 * k, 0.0]);
            for (radius, hits) in [(5.0 * k, true), ((5.0 * k).next_down(), false), ((5.0 * k).next_up(), true)] {
                let exact = Quadratic::new(&ray, &Sphere::new(radius));
                assert_eq!(exact.discriminant != Ordering::Less, Sphere::new(radius).is_blocked(&ray));
                if origin.x as f64 == f64::from(-4.0 * k) - f64::from(3.0 * along * k) && (1.0..1e10).contains(&k) {
                    assert_eq!(Sphere::new(radius).is_blocked(&ray), hits, "{k} {along} {radius}");
                }
            }
        }
    }
}

#[test]
fn blocked_is_cast_where_t_leaves_f32() {
    // t would be 1e50, which neither query reports.
    let ray = Ray::with_direction([-1e30, 0.0, 0.0], [1e-20, 0.0, 0.0]);
    let ball = Sphere::new(1.0);
    assert!(ball.cast(&ray).is_none() && !ball.is_blocked(&ray));
    // t is -1e-60, which is reported as 0.
    let behind = Ray::with_direction([1.0f32.next_up() * 1e-20, 0.0, 0.0], [1e38, 0.0, 0.0]);
    let small = Sphere::new(1e-20);
    assert_eq!(small.cast(&behind).is_some(), small.is_blocked(&behind));
}

#[test]
fn from_inside_the_exit() {
    let hit = Sphere::at(Vec3::new(1.0, 2.0, 3.0), 2.0).cast(&Ray::new([1.0, 2.0, 3.0], [0.0, 0.0, -1.0])).unwrap();
    assert_eq!((hit.t, hit.side, hit.normal), (2.0, Side::Back, Vec3::NEG_Z));
    // A sphere of radius 0 is hit with the normal against the ray, however the point on the ray is rounded.
    let point = Sphere::at(Vec3::ONE, 0.0);
    let hit = point.cast(&Ray::with_direction([-6.0, -6.0, -6.0], [3.0, 3.0, 3.0])).unwrap();
    assert_eq!((hit.side, hit.normal.dot(Vec3::ONE) < -1.7), (Side::Front, true));
}
