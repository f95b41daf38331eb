//! (5) The collision matrix, within the error that its documentation states.

use crate::sources::exact::*;
use crate::sources::input::{cases, line, numbers, range, ranges_around, vec3};
use crate::sources::triangle::{Truth, truth};
use hitscan::glam::{DAffine3, DMat3, DQuat, DVec3, Vec3};
use hitscan::{CollisionMatrix, Ray, Side, Triangle};
use num_bigint::BigInt;
use num_traits::Zero;
use proptest::prelude::*;

/// The documented error bounds for one line. One is on t, which counts lengths of the line's direction, and the others
/// are on u and v.
#[derive(Debug)]
struct Bounds {
    t: f64,
    u: f64,
    v: f64,
}

fn length(v: &Vector, unit: &BigInt) -> f64 {
    ratio(&dot(v, v), &(unit * unit)).sqrt()
}

/// Returns the bounds; `amplification` is 1 in world space, and 1 + the condition number in an instance.
fn bounds(o: &Vector, d: &Vector, [a, b, c]: &[Vector; 3], t: f64, amplification: f64) -> Bounds {
    let (e1, e2) = (sub(b, a), sub(c, a));
    let n = cross(&e1, &e2);
    // All lengths are in multiples of a unit that keeps them within the range of f64.
    let unit = BigInt::from(1) << 149u32;
    let [from_corner, speed, l1, l2] = [&sub(o, a), d, &e1, &e2].map(|v| length(v, &unit));
    let area = length(&n, &(&unit * &unit));
    let cos = ratio(&dot(d, &n), &(&unit * &unit * &unit)).abs() / (area * speed);
    let e = 2f64.powi(-48) * (from_corner + t.abs() * speed) * amplification;
    let (height_u, height_v) = (area / l2, area / l1);
    Bounds { t: e / cos / speed, u: e * (1.0 + 1.0 / cos) / height_u, v: e * (1.0 + 1.0 / cos) / height_v }
}

/// Returns the expected verdict, or `None` if the truth is within the bounds of a limit.
fn verdict(truth: &Truth, bounds: &Bounds) -> Option<bool> {
    let (u, v) = (approximate(&truth.u), approximate(&truth.v));
    // 1 - u - v is the only one of the three quotients that may cancel in f64.
    let w = 1.0 - u - v;
    let slack = [(u, bounds.u), (v, bounds.v), (w, bounds.u + bounds.v + 1e-15 * (u.abs() + v.abs()))];
    if slack.iter().any(|(x, bound)| *x < -bound) {
        return Some(false);
    }
    slack.iter().all(|(x, bound)| *x > *bound).then_some(true)
}

fn f32_error(x: f64) -> f64 {
    x.abs() * 2f64.powi(-24) + 2f64.powi(-149)
}

proptest! {
    #![proptest_config(cases(20_000))]

    #[test]
    fn ray_agrees_within_its_bounds(input in numbers::<15>(), (t_min, t_max) in range()) {
        let Some(ray) = line(&input) else { return Ok(()) };
        let [a, b, c] = [2, 3, 4].map(|i| vec3(&input, i));
        let corners = [a, b, c].map(vector);
        let normal = cross(&sub(&corners[1], &corners[0]), &sub(&corners[2], &corners[0]));
        let matrix = CollisionMatrix::new(a, b, c);
        prop_assert_eq!(matrix.is_ok(), normal.iter().any(|x| !x.is_zero()));
        let Ok(matrix) = matrix else { return Ok(()) };
        let (o, d) = (vector(ray.origin), vector(ray.direction));
        let hit = matrix.cast(&ray);
        prop_assert_eq!(matrix.is_blocked(&ray), hit.is_some());
        prop_assert_eq!(matrix.cast_t(&ray), hit.map(|hit| hit.t));
        let limited = matrix.cast_t(&ray.with_range(t_min, t_max));
        prop_assert_eq!(limited, hit.map(|hit| hit.t).filter(|&t| t_min <= t && t <= t_max));

        let Some(truth) = truth(&o, &d, &corners) else { return Ok(()) };
        let t = approximate(&truth.t);
        let bounds = bounds(&o, &d, &corners, t, 1.0);
        // The line is so nearly parallel to the plane that the bound leaves no digit.
        if !(bounds.t.is_finite() && bounds.t * d_length(&ray) < 1e-3 * distance(&ray, a, t)) {
            return Ok(());
        }
        if t.abs() - bounds.t > 1.001 * f64::from(f32::MAX) {
            prop_assert_eq!(hit, None);
        } else if let Some(expected) = verdict(&truth, &bounds).filter(|_| t.abs() + bounds.t < 0.999 * f64::from(f32::MAX)) {
            prop_assert_eq!(hit.is_some(), expected, "{:?}", bounds);
        }
        let Some(hit) = hit else { return Ok(()) };
        prop_assert_eq!(hit.side, truth.side);
        prop_assert!((f64::from(hit.t) - t).abs() <= 1.001 * bounds.t + f32_error(t), "{} for {}: {:?}", hit.t, t, bounds);
        let uv = hit.uv.unwrap();
        for (given, exact, bound) in [(uv.x, &truth.u, bounds.u), (uv.y, &truth.v, bounds.v)] {
            let exact = approximate(exact);
            prop_assert!((f64::from(given) - exact).abs() <= 1.001 * bound + f32_error(exact), "{} for {}", given, exact);
            prop_assert!((0.0..=1.0).contains(&given));
        }
        for ((t_min, t_max), hits) in ranges_around(hit.t) {
            prop_assert_eq!(matrix.is_blocked(&ray.with_range(t_min, t_max)), hits);
        }
    }

    #[test]
    fn segment_agrees_within_its_bounds(input in numbers::<15>()) {
        let [j, k, a, b, c] = [0, 1, 2, 3, 4].map(|i| vec3(&input, i));
        let Ok(matrix) = CollisionMatrix::new(a, b, c) else { return Ok(()) };
        let hit = matrix.collide_segment(j, k);
        prop_assert_eq!(matrix.segment_is_blocked(j, k), hit.is_some());
        let corners = [a, b, c].map(vector);
        // The direction is not rounded to f32.
        let (o, d) = (vector(j), sub(&vector(k), &vector(j)));
        let Some(truth) = truth(&o, &d, &corners) else { return Ok(()) };
        let t = approximate(&truth.t);
        let bounds = bounds(&o, &d, &corners, t, 1.0);
        if bounds.t.is_nan() || bounds.t >= 1e-3 {
            return Ok(());
        }
        let in_range = if t < -bounds.t || t > 1.0 + bounds.t {
            Some(false)
        } else {
            (t > bounds.t && t < 1.0 - bounds.t).then_some(true)
        };
        match (in_range, verdict(&truth, &bounds)) {
            (Some(false), _) | (_, Some(false)) => prop_assert_eq!(hit, None),
            (Some(true), Some(true)) => prop_assert!(hit.is_some(), "{:?}", bounds),
            _ => {}
        }
        let Some(hit) = hit else { return Ok(()) };
        prop_assert_eq!(hit.side, truth.side);
        prop_assert!((0.0..=1.0).contains(&hit.fraction) && (0.0..=1.0).contains(&hit.u) && (0.0..=1.0).contains(&hit.v));
        for (given, exact, bound) in [(hit.fraction, &truth.t, bounds.t), (hit.u, &truth.u, bounds.u), (hit.v, &truth.v, bounds.v)] {
            let exact = approximate(exact);
            prop_assert!((f64::from(given) - exact).abs() <= 1.001 * bound + f32_error(exact), "{} for {}: {:?}", given, exact, bounds);
        }
    }

    /// Small integers are not rounded, so that edges, corners and ends on the plane are hit exactly.
    #[test]
    fn integers_are_exact(input in prop::collection::vec(-32i32..=32, 15), aim in 0..6usize) {
        let input: Vec<f32> = input.into_iter().map(|x| x as f32).collect();
        let [j, k, a, b, c] = [0, 1, 2, 3, 4].map(|i| vec3(&input, i));
        let Ok(matrix) = CollisionMatrix::new(a, b, c) else { return Ok(()) };
        // The line goes to a corner, from a corner, beyond a corner, along an edge (which is in the plane), or
        // anywhere.
        let (j, k) = match aim {
            0 => (j, a),
            1 => (b, k),
            2 => (j, c + c - j),
            3 => (a, b),
            4 => (j, (a + b) * 0.5),
            _ => (j, k),
        };
        let truth = truth(&vector(j), &sub(&vector(k), &vector(j)), &[a, b, c].map(vector));
        let expected = truth.filter(|truth| truth.inside && truth.t >= rational(0.0) && truth.t <= rational(1.0));
        let hit = matrix.collide_segment(j, k);
        prop_assert_eq!(hit.is_some(), expected.is_some());
        let triangle = Triangle::new(a, b, c).cast(&Ray::between(j, k));
        prop_assert_eq!(hit.map(|hit| hit.fraction), triangle.map(|hit| hit.t));
        if let (Some(hit), Some(expected)) = (hit, expected) {
            prop_assert_eq!((Some(hit.u), Some(hit.v)), (nearest_f32(&expected.u), nearest_f32(&expected.v)));
            prop_assert_eq!(hit.side, expected.side);
        }
    }

    /// An instance gives the answer of its triangle to the ray in its local space.
    #[test]
    fn instances_agree_with_local_space(
        input in prop::collection::vec(-4.0f32..4.0, 15),
        axis in [-1.0..1.0f64, -1.0..1.0, -1.0..1.0],
        angle in -7.0..7.0f64,
        scale in [0.01..10.0f64, 0.01..10.0, 0.01..10.0],
        shear in -2.0..2.0f64,
        mirror in any::<bool>(),
        moved in [-1e3..1e3f64, -1e3..1e3, -1e3..1e3],
        rigid in any::<bool>(),
    ) {
        let [local_o, local_target, a, b, c] = [0, 1, 2, 3, 4].map(|i| vec3(&input, i));
        let Ok(matrix) = CollisionMatrix::new(a, b, c) else { return Ok(()) };
        let axis = DVec3::from_array(axis);
        if axis.length() < 0.1 {
            return Ok(());
        }
        let reflection = DMat3::from_diagonal(DVec3::new(if mirror { -1.0 } else { 1.0 }, 1.0, 1.0));
        let rotation = DMat3::from_quat(DQuat::from_axis_angle(axis.normalize(), angle)) * reflection;
        let stretch = DMat3::from_cols(DVec3::X * scale[0], DVec3::new(shear, scale[1], 0.0), DVec3::Z * scale[2]);
        let linear = if rigid { rotation } else { rotation * stretch };
        let transform = DAffine3::from_mat3_translation(linear, DVec3::from_array(moved));
        let placed = if rigid { matrix.placed_rigid(&transform) } else { matrix.placed(&transform) }.unwrap();

        // The ends in world space are f32, and the local ray is computed from those.
        let [o, target] = [local_o, local_target].map(|p| transform.transform_point3(p.as_dvec3()).as_vec3());
        let inverse = transform.inverse();
        let [o_l, t_l] = [o, target].map(|p| inverse.transform_point3(p.as_dvec3()));
        let [a_l, b_l, c_l] = [a, b, c].map(|p| p.as_dvec3());
        let (e1, e2, s, d) = (b_l - a_l, c_l - a_l, o_l - a_l, t_l - o_l);
        let det = e1.dot(d.cross(e2));
        let (u, v, t) = (s.dot(d.cross(e2)) / det, d.dot(s.cross(e1)) / det, e2.dot(s.cross(e1)) / det);
        // The case is well-conditioned: neither grazing nor a sliver.
        let sine = det.abs() / (e1.length() * e2.length() * d.length());
        if sine < 1e-2 {
            return Ok(());
        }
        // The bound is the f64 rounding error (1e-16), times 1e3 for the coordinates and 100 for the condition number,
        // divided by the square of the least sine.
        let slack = 1e-16 * 1e5 * 1e4;
        let least = u.min(v).min(1.0 - u - v).min(t).min(1.0 - t);
        let hit = placed.collide_segment(o, target);
        if least.abs() > slack {
            prop_assert_eq!(hit.is_some(), least > 0.0, "{} {} {}", t, u, v);
        }
        let Some(hit) = hit else { return Ok(()) };
        for (given, exact) in [(hit.fraction, t), (hit.u, u), (hit.v, v)] {
            prop_assert!((f64::from(given) - exact).abs() < slack + 1e-7, "{} for {}", given, exact);
        }
        prop_assert_eq!(hit.side, if det > 0.0 { Side::Front } else { Side::Back });
        let normal = (linear.inverse().transpose() * e1.cross(e2)).normalize();
        prop_assert!((placed.normal().as_dvec3() - normal).length() < 1e-6, "{} for {}", placed.normal(), normal);

        let world = Ray::between(o, target);
        if least > 1e-4 {
            let hit = placed.cast(&world).unwrap();
            prop_assert!((f64::from(hit.t) - t).abs() < 1e-2);
        }
    }
}

fn d_length(ray: &Ray) -> f64 {
    ray.direction.as_dvec3().length()
}

fn distance(ray: &Ray, a: Vec3, t: f64) -> f64 {
    (ray.origin.as_dvec3() - a.as_dvec3()).length() + t.abs() * d_length(ray)
}

#[test]
fn ends_on_the_plane() {
    let matrix = CollisionMatrix::new([0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]).unwrap();
    let (on, above, below) = (Vec3::new(1.0, 1.0, 0.0), Vec3::new(1.0, 1.0, 2.0), Vec3::new(1.0, 1.0, -2.0));
    let hit = |j, k| matrix.collide_segment(j, k).map(|hit| (hit.fraction, hit.u, hit.v, hit.side));
    assert_eq!(hit(above, on), Some((1.0, 0.25, 0.25, Side::Front)));
    assert_eq!(hit(below, on), Some((1.0, 0.25, 0.25, Side::Back)));
    // A segment that starts on the plane reports the side that it leaves behind.
    assert_eq!(hit(on, below), Some((0.0, 0.25, 0.25, Side::Front)));
    assert_eq!(hit(on, above), Some((0.0, 0.25, 0.25, Side::Back)));
    // Both ends are on the plane, and the segment is a point.
    assert_eq!(hit(on, Vec3::new(2.0, 1.0, 0.0)), None);
    assert_eq!(hit(on, on), None);
    assert_eq!(hit(above, Vec3::new(1.0, 1.0, 1.0)), None);
}
