//! Planes, axes and the screen, for random cameras and cursors.

use crate::drag::direction;
use crate::drag::views::{Seen, count};
use hitscan::drag::{DragPath, MAX_GAIN, MIN_INCIDENCE};
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

/// A cursor that moves moves a point by at most `MAX_GAIN`, wherever the two cursors are.
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

/// Without the limits, there are leaps in these same cases: the bound is not met by chance.
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

/// The point of a plane is where the ray meets it, if the plane is not seen edge-on and that is not too far away.
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
