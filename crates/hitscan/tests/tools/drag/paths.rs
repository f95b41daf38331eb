//! Planes, axes and the screen, for random cameras and cursors.

use crate::drag::direction;
use crate::drag::views::{Seen, count};
use hitscan::Camera;
use hitscan::drag::{DragPath, MAX_GAIN, MIN_INCIDENCE, Picture};
use hitscan::glam::{DVec3, Vec2};
use hitscan_random::Random;

fn path(random: &mut Random, seen: &Seen, point: DVec3) -> DragPath {
    let direction = direction(random, seen.view_of(point));
    match random.below(5) {
        0 | 1 => DragPath::Plane { point, normal: direction },
        2 | 3 => DragPath::Axis { point, direction },
        _ => DragPath::Screen { point },
    }
}

/// While the cursor moves by a pixel, a point moves by at most `MAX_GAIN` times the size of a pixel, wherever the
/// cursor is.
#[test]
fn no_path_leaps() {
    let mut random = Random(1);
    let (mut largest, mut fast) = (0.0f64, 0);
    for case in 0..count() {
        let near = random.pick(&[DVec3::ZERO, DVec3::new(6.4e6, -3e6, 1e7)]);
        let seen = Seen::random(&mut random, near);
        let point = seen.point(&mut random);
        let path = path(&mut random, &seen, point);
        let pixel_size = seen.picture.pixel_size(point).unwrap();
        for _ in 0..20 {
            let from = seen.cursor(&mut random);
            let length = random.pick(&[0.01, 1.0, 1.0, 10.0, 300.0]);
            let to = from + Vec2::new(random.unit() as f32, random.unit() as f32) * length;
            let [Some(a), Some(b)] = [from, to].map(|cursor| path.point_at(&seen.picture, cursor)) else {
                panic!("case {case}: {seen:?} {path:?} {from} {to}");
            };
            let pixels = f64::from(from.distance(to));
            let rounding = 1e-15 * (near.length() + 1e3 * MAX_GAIN * (point - seen.eye).length() + 1e4);
            let bound = MAX_GAIN * pixel_size * pixels * (1.0 + 1e-6);
            assert!((a - b).length() <= bound + rounding, "case {case}: {seen:?} {path:?} {from} {to} {a} {b}");
            let gain = ((a - b).length() - rounding) / (pixel_size * pixels);
            largest = largest.max(gain);
            fast += usize::from(gain > 20.0);
        }
    }
    println!("largest gain {largest}, {fast} steps with more than 20");
    assert!(largest > 0.5 * MAX_GAIN, "the bound is far from what is reached: {largest}");
}

/// Without the limits, points leap in these same cases. So it is no accident that the bound holds with the limits.
#[test]
fn the_plain_intersection_leaps() {
    let mut random = Random(1);
    let mut leaps = 0;
    for _ in 0..2_000 {
        let seen = Seen::random(&mut random, DVec3::ZERO);
        let point = seen.point(&mut random);
        let normal = direction(&mut random, seen.view_of(point)).normalize();
        let plain = |cursor: Vec2| {
            let (start, direction) = seen.ray(cursor);
            start + direction * ((point - start).dot(normal) / direction.dot(normal))
        };
        let from = seen.cursor(&mut random);
        let moved = (plain(from + Vec2::X) - plain(from)).length();
        leaps += usize::from(!(moved <= MAX_GAIN * seen.picture.pixel_size(point).unwrap()));
    }
    assert!(leaps > 50, "{leaps}");
}

/// The point of a plane is the intersection with the ray, unless the plane is seen edge-on or the intersection is too far away.
#[test]
fn planes_are_under_the_cursor() {
    let mut random = Random(2);
    let (mut exact, mut far) = (0, 0);
    for case in 0..count() {
        let seen = Seen::random(&mut random, DVec3::ZERO);
        let point = seen.point(&mut random);
        let normal = direction(&mut random, seen.view_of(point)).normalize();
        let incidence = normal.dot(seen.view_of(point)).abs();
        let cursor = seen.cursor(&mut random);
        let found = DragPath::Plane { point, normal }.point_at(&seen.picture, cursor).unwrap();
        let scale = (point - seen.eye).length() * MAX_GAIN.sqrt() + 1.0;
        assert!((found - point).dot(normal).abs() < 1e-12 * scale, "case {case}: on the plane");
        if incidence < MIN_INCIDENCE {
            continue;
        }
        let (start, direction) = seen.ray(cursor);
        let t = (point - start).dot(normal) / direction.dot(normal);
        let truth = start + direction * t;
        let limit = (point - seen.eye).length() * (MAX_GAIN * incidence).sqrt();
        let distance = (truth - seen.eye).length();
        if !seen.is_perspective || (t > 0.0 && distance < limit * (1.0 - 1e-9)) {
            assert!(
                (found - truth).length() < 1e-9 * (1.0 + distance),
                "case {case}: {seen:?} {point} {normal} {cursor}"
            );
            exact += 1;
        } else {
            assert!(
                (found - seen.eye).length() < limit * (1.0 + 1e-9),
                "case {case}: {seen:?} {point} {normal} {cursor}"
            );
            far += 1;
        }
    }
    println!("{exact} under the cursor, {far} bounded");
    assert!(exact > count() / 4 && far > count() / 10, "{exact} {far}");
}

/// No other point of an axis is shown nearer to the cursor.
#[test]
fn axes_are_nearest_in_pixels() {
    let mut random = Random(3);
    let mut compared = 0;
    for case in 0..count() {
        let seen = Seen::random(&mut random, DVec3::ZERO);
        let point = seen.point(&mut random);
        let direction = direction(&mut random, seen.view_of(point)).normalize();
        let cursor = seen.cursor(&mut random);
        let found = DragPath::Axis { point, direction }.point_at(&seen.picture, cursor).unwrap();
        let along = (found - point).dot(direction);
        let scale = (found - seen.eye).length() + (point - seen.eye).length();
        assert!((found - point - direction * along).length() < 1e-9 * scale, "case {case}: on the axis");
        let across = seen.view_of(point).cross(direction).length();
        // Points that are too far away are not looked for.
        let limit = (point - seen.eye).length() * (MAX_GAIN * across).sqrt();
        let is_near = |p: DVec3| !seen.is_perspective || (p - seen.eye).length() < 0.9 * limit;
        let step = seen.picture.pixel_size(point).unwrap();
        let others = (-20..60).map(|power| step * 1.3f64.powi(power)).flat_map(|step| [step, -step]);
        let others = others.map(|step| point + direction * step);
        let off = |p: DVec3| seen.pixel(p).map(|shown| shown.distance(cursor));
        let nearest = others.filter_map(|other| Some((off(other)?, other))).min_by(|a, b| a.0.total_cmp(&b.0));
        let Some((least, _)) = nearest.filter(|nearest| across > MIN_INCIDENCE && is_near(nearest.1)) else { continue };
        compared += 1;
        let off = off(found).unwrap_or(f32::INFINITY);
        let slack = 1e-4 * (1.0 + cursor.abs().max_element());
        assert!(off <= least + slack, "case {case}: {off} {least} {seen:?} {point} {direction} {cursor}");
    }
    println!("{compared} compared");
    assert!(compared > count() / 4, "{compared}");
}

#[test]
fn the_screen_keeps_depth_and_cursor() {
    let mut random = Random(4);
    for case in 0..count() {
        let seen = Seen::random(&mut random, DVec3::ZERO);
        let point = seen.point(&mut random);
        let depth = |p: DVec3| (p - seen.eye).dot(seen.turn * DVec3::NEG_Z);
        let cursor = seen.cursor(&mut random);
        let found = DragPath::Screen { point }.point_at(&seen.picture, cursor).unwrap();
        let expected = if seen.is_perspective { depth(point).abs() } else { depth(point) };
        assert!((depth(found) - expected).abs() < 1e-9 * (1.0 + (found - seen.eye).length()), "case {case}");
        let shown = seen.pixel(found).unwrap();
        assert!(shown.distance(cursor) < 1e-5 * (100.0 + cursor.abs().max_element()), "case {case}: {shown} {cursor}");
    }
}

/// A cursor that moves on along the picture of an axis never moves the point back, even past the vanishing point.
#[test]
fn axes_are_monotone() {
    let mut random = Random(4);
    let mut past = 0;
    for case in 0..count() {
        let seen = Seen::random(&mut random, DVec3::ZERO);
        let point = seen.point(&mut random);
        let direction = direction(&mut random, seen.view_of(point)).normalize();
        let axis = DragPath::Axis { point, direction };
        let (from, to) = (seen.cursor(&mut random), seen.cursor(&mut random));
        let along = |step: u32| {
            let cursor = from + (to - from) * (step as f32 / 60.0);
            (axis.point_at(&seen.picture, cursor).unwrap() - point).dot(direction)
        };
        let places: Vec<f64> = (0..=60).map(along).collect();
        let sign = (places[60] - places[0]).signum();
        // A cursor is rounded to f32, and moves a point by at most `MAX_GAIN`.
        let rounding =
            MAX_GAIN * seen.picture.pixel_size(point).unwrap() * f64::from(from.length() + to.length()) * 1e-6;
        for pair in places.windows(2) {
            let onward = (pair[1] - pair[0]) * sign;
            assert!(onward >= -rounding, "case {case}: {seen:?} {axis:?} {from} {to} {pair:?}");
            past += usize::from(onward.abs() <= 1e-12 * pair[0].abs());
        }
    }
    assert!(past > count() / 10, "{past}");
}

#[test]
fn an_axis_past_its_vanishing_point_does_not_go_back() {
    let eye = DVec3::new(-1.0991810220932992, -2.258191909569093, -10.554009804674243);
    let transform = Camera::look_at(eye, [0.0; 3], [0.0, 1.0, 0.0]).unwrap();
    let point = DVec3::new(0.63069748878479, -0.6157820224761963, -0.6253836750984192);
    let mut largest = 0.0f64;
    for fov in [30.0f64, 45.0, 50.0, 60.0, 75.0, 90.0, 120.0] {
        let camera = Camera::perspective(transform, fov.to_radians()).unwrap();
        for size in [[800.0, 600.0], [1280.0, 720.0], [1920.0, 1080.0]] {
            let picture = Picture::new(camera, size);
            let axis = DragPath::Axis { point, direction: DVec3::Z };
            let place = |pixels: u32| {
                let cursor = Vec2::new(362.65182, 326.24936) + Vec2::new(0.7265863, 0.68707526) * pixels as f32;
                axis.point_at(&picture, cursor).unwrap().z - point.z
            };
            let places: Vec<f64> = (0..3_000).step_by(2).map(place).collect();
            let sign = (places[places.len() - 1] - places[0]).signum();
            for pair in places.windows(2) {
                largest = largest.max((pair[0] - pair[1]) * sign);
                assert!((pair[1] - pair[0]) * sign >= -1e-9, "{fov} {size:?}: {pair:?}");
            }
        }
    }
    println!("largest step back {largest:e}");
}
