//! (4) Möller-Trumbore: u det = [s d e2], v det = [d s e1], t det = [e2 s e1], det = [e1 d e2].

use crate::sources::exact::*;
use crate::sources::input::{cases, line, numbers, range, ranges_around, vec3};
use hitscan::glam::Vec3;
use hitscan::{Cull, Ray, Side, Triangle};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, Zero};
use proptest::prelude::*;
use std::cmp::Ordering;

/// The exact intersection of a line with a closed triangle.
pub(crate) struct Truth {
    pub(crate) t: BigRational,
    pub(crate) u: BigRational,
    pub(crate) v: BigRational,
    pub(crate) side: Side,
    /// Is true if u, v and 1 - u - v are all at least 0.
    pub(crate) inside: bool,
}

/// Returns the intersection; `None` for a line parallel to the triangle's plane, or a triangle without area.
pub(crate) fn truth(o: &Vector, d: &Vector, [a, b, c]: &[Vector; 3]) -> Option<Truth> {
    let (e1, e2, s) = (sub(b, a), sub(c, a), sub(o, a));
    let (p, q) = (cross(d, &e2), cross(&s, &e1));
    let det = dot(&e1, &p);
    if det.is_zero() {
        return None;
    }
    let (u, v, t) = (dot(&s, &p), dot(d, &q), dot(&e2, &q));
    let outside = |x: &BigInt| sign(x) == sign(&det).reverse();
    let inside = !outside(&u) && !outside(&v) && !outside(&(&det - &u - &v));
    let side = if sign(&det) == Ordering::Greater { Side::Front } else { Side::Back };
    let [t, u, v] = [t, u, v].map(|x| quotient(x, det.clone()));
    Some(Truth { t, u, v, side, inside })
}

fn check(triangle: &Triangle, ray: &Ray) -> Result<(), TestCaseError> {
    let corners = [triangle.a, triangle.b, triangle.c].map(vector);
    let truth = truth(&vector(ray.origin), &vector(ray.direction), &corners).filter(|truth| truth.inside);
    let t = truth.as_ref().and_then(|truth| nearest_f32(&truth.t)).filter(|&t| ray.t_min <= t && t <= ray.t_max);
    let hit = triangle.cast(ray);
    prop_assert_eq!(hit.map(|hit| hit.t.to_bits()), t.map(f32::to_bits));
    prop_assert_eq!(triangle.is_blocked(ray), t.is_some());
    prop_assert_eq!(triangle.cast_t(ray), t);
    let (Some(hit), Some(truth)) = (hit, truth) else { return Ok(()) };

    prop_assert_eq!(hit.side, truth.side);
    prop_assert_eq!(triangle.culled(Cull::None).cast(ray), Some(hit));
    prop_assert_eq!(triangle.culled(Cull::Back).cast(ray).is_some(), hit.side == Side::Front);
    prop_assert_eq!(triangle.culled(Cull::Front).cast(ray).is_some(), hit.side == Side::Back);

    // The error is 2^-29 before rounding to f32, which changes a number up to 1 by at most 2^-25.
    let uv = hit.uv.unwrap();
    for (given, exact) in [(uv.x, &truth.u), (uv.y, &truth.v)] {
        let off = (f64::from(given) - approximate(exact)).abs();
        prop_assert!(off <= 2f64.powi(-25) + 2f64.powi(-29) + 2f64.powi(-50), "{} for {}", given, approximate(exact));
    }

    let [a, b, c] = &corners;
    let exact = cross(&sub(b, a), &sub(c, a));
    let given = vector(hit.normal);
    prop_assert!(dot(&exact, &given).is_positive(), "normal {}", hit.normal);
    let sine = cross(&exact, &given);
    // Half an ulp in each component is an angle of at most sqrt(3) 2^-25, to which the error of 2^-32 before rounding
    // is added.
    let (off, whole) = (dot(&sine, &sine), dot(&exact, &exact) * dot(&given, &given));
    prop_assert!(ratio(&off, &whole) <= (1.8 * 2f64.powi(-25)).powi(2), "normal {}", hit.normal);
    Ok(())
}

fn check_around(triangle: &Triangle, ray: &Ray) -> Result<(), TestCaseError> {
    check(triangle, ray)?;
    if let Some(t) = triangle.cast_t(ray) {
        for ((t_min, t_max), hits) in ranges_around(t) {
            prop_assert_eq!(triangle.is_blocked(&ray.with_range(t_min, t_max)), hits);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(20_000))]

    #[test]
    fn triangle_agrees_with_exact_arithmetic(input in numbers::<15>(), (t_min, t_max) in range()) {
        let Some(ray) = line(&input) else { return Ok(()) };
        let triangle = Triangle::new(vec3(&input, 2), vec3(&input, 3), vec3(&input, 4));
        check_around(&triangle, &ray)?;
        check(&triangle, &ray.with_range(t_min, t_max))?;
    }

    /// The rays are aimed at a corner, at a point of an edge, or at a point inside. If the direction is rounded, a ray
    /// passes only near that point.
    #[test]
    fn triangle_agrees_where_rays_are_aimed(input in numbers::<15>(), weights in [0u8..3, 0u8..3, 0u8..3], far in 0i32..40) {
        let [a, b, c] = [2, 3, 4].map(|i| vec3(&input, i));
        let triangle = Triangle::new(a, b, c);
        let [x, y, z] = weights.map(f32::from);
        let whole = (x + y + z).max(1.0);
        let target = a * (x / whole) + b * (y / whole) + c * (z / whole);
        let ray = Ray::with_direction(vec3(&input, 0), (target - vec3(&input, 0)) * 2f32.powi(-far))
            .with_range(f32::NEG_INFINITY, f32::INFINITY);
        if ray.validate().is_ok() {
            check_around(&triangle, &ray)?;
        }
        // The ray is in the plane of the triangle, exactly so for small integers.
        let within = Ray::with_direction(target + (b - a), (b - a) * x + (c - a) * (y - z));
        if within.validate().is_ok() {
            check(&triangle, &within)?;
        }
    }
}

#[test]
fn tiny_and_huge_triangles() {
    for scale in [1e-38, 1e-20, 1e-10, 1e10, 1e30] {
        let triangle = Triangle::new([0.0; 3], [scale, 0.0, 0.0], [0.0, scale, 0.0]);
        let ray = Ray::new([scale * 0.25, scale * 0.25, scale], [0.0, 0.0, -1.0]);
        let hit = triangle.cast(&ray).unwrap();
        assert_eq!((hit.t, hit.side, hit.normal), (scale, Side::Front, Vec3::Z));
        for corner in [[0.0, 0.0, 0.0], [scale, 0.0, 0.0], [0.0, scale, 0.0], [scale * 0.5, scale * 0.5, 0.0]] {
            let target = Vec3::from_array(corner);
            assert!(triangle.is_blocked(&Ray::with_direction(target - Vec3::Z * scale, Vec3::Z)), "{scale} {target}");
        }
        assert!(!triangle.is_blocked(&Ray::new([scale, scale.next_up() * 0.001, scale], [0.0, 0.0, -1.0])));
        assert!(!triangle.is_blocked(&Ray::new([-scale, 0.25 * scale, 0.0], [1.0, 0.0, 0.0])));
    }
}

#[test]
fn a_sliver_that_f64_sees_as_a_line_has_its_normal_and_barycentrics() {
    let triangle = Triangle::new([1e-20, 0.0, 0.0], [1.0, 1.0, 0.0], [2.0, 2.0, 0.0]);
    let ray = Ray::with_direction([1.0, 1.0, 1.0], [1.0, 1.0, -1.0]);
    check(&triangle, &ray).unwrap();
    let ray = Ray::with_direction([0.0, 0.0, 1.0], [1.0, 1.0, -1.0]);
    check(&triangle, &ray).unwrap();
    assert_eq!(triangle.cast(&ray).unwrap().normal, Vec3::NEG_Z);
}
