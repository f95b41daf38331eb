//! Rotations around an axis.

use crate::drag::direction;
use crate::drag::views::{Seen, count};
use hitscan::Camera;
use hitscan::drag::{MAX_TURN_GAIN, Picture, TurnDrag};
use hitscan::glam::{DAffine3, DVec3, Vec2};
use hitscan_random::Random;
use std::f64::consts::{PI, TAU};

fn seen_from_z() -> Picture {
    let camera = Camera::perspective(DAffine3::from_translation(DVec3::new(0.0, 0.0, 5.0)), 1.0).unwrap();
    Picture::new(camera, [800.0, 600.0])
}

/// Each step rotates by at most `MAX_TURN_GAIN`, and a motion back to its start undoes the whole rotation.
#[test]
fn no_turn_leaps() {
    let mut random = Random(5);
    let mut largest = 0.0f64;
    for case in 0..count() / 4 {
        let near = random.pick(&[DVec3::ZERO, DVec3::new(6.4e6, -3e6, 1e7)]);
        let seen = Seen::random(&mut random, near);
        let center = seen.point(&mut random);
        let axis = direction(&mut random, seen.view_of(center));
        let pixel_size = seen.picture.pixel_size(center).unwrap();
        let radius = pixel_size * random.pick(&[5.0, 90.0, 700.0]);
        let start = seen.cursor(&mut random);
        let mut drag = TurnDrag::start(center, axis, radius, &seen.picture, start).unwrap();
        let mut way = vec![start];
        for _ in 0..30 {
            let middle = seen.pixel(center).filter(|_| random.below(3) == 0);
            let length = random.pick(&[0.5, 2.0, 50.0]);
            let to =
                middle.unwrap_or(way[way.len() - 1]) + Vec2::new(random.unit() as f32, random.unit() as f32) * length;
            let before = drag.angle();
            let turned = drag.advance(&seen.picture, to) - before;
            let pixels = f64::from(to.distance(way[way.len() - 1]));
            let rounding = 1e-9 * near.length() / radius * 1e-4 + 1e-9;
            let gain = turned.abs() * radius / (pixel_size * pixels.max(1e-9));
            assert!(
                turned.abs() * radius <= MAX_TURN_GAIN * pixel_size * pixels * (1.0 + 1e-6) + rounding * radius,
                "case {case}: {gain} {seen:?}"
            );
            largest = largest.max(if pixels > 0.1 { gain } else { 0.0 });
            way.push(to);
        }
        for &cursor in way.iter().rev() {
            drag.advance(&seen.picture, cursor);
        }
        assert!(drag.angle().abs() < 1e-6 + 1e-6 * near.length() / radius, "case {case}: {}", drag.angle());
    }
    println!("largest gain {largest}");
    assert!(largest > 20.0, "{largest}");
}

/// The grabbed point of a ring stays where the cursor is, seen from the center.
#[test]
fn the_ring_follows_the_cursor() {
    let mut random = Random(6);
    let mut followed = 0;
    for case in 0..count() {
        let seen = Seen::random(&mut random, DVec3::ZERO);
        let center = seen.point(&mut random);
        let axis = direction(&mut random, seen.view_of(center)).normalize();
        let incidence = axis.dot(seen.view_of(center)).abs();
        if incidence < 0.26 || seen.pixel(center).is_none() {
            continue;
        }
        let radius = 60.0 * seen.picture.pixel_size(center).unwrap();
        let (x, y) = axis.any_orthonormal_pair();
        let on_ring = |angle: f64| center + (x * angle.cos() + y * angle.sin()) * radius;
        let handed = x.cross(y).dot(axis);
        let is_far = |angle: f64| {
            let distance = (on_ring(0.3 + angle) - seen.eye).length() / (center - seen.eye).length();
            seen.is_perspective && distance > 0.99 * (0.1 * MAX_TURN_GAIN * incidence).sqrt()
        };
        let Some(start) = seen.pixel(on_ring(0.3)).filter(|_| !is_far(0.0)) else { continue };
        let Some(mut drag) = TurnDrag::start(center, axis, radius, &seen.picture, start) else { continue };
        for step in 1..=40 {
            // The whole motion is two turns and a half.
            let angle = 2.5 * TAU * f64::from(step) / 40.0;
            if is_far(angle) {
                break;
            }
            let Some(cursor) = seen.pixel(on_ring(0.3 + angle)) else { break };
            let turned = drag.advance(&seen.picture, cursor) * handed;
            let slack = 1e-4 * (1.0 + f64::from(cursor.abs().max_element()) * 1e-3);
            assert!(
                (turned - angle).abs() < slack,
                "case {case}, step {step}: {turned} {angle} {seen:?} {center} {axis}"
            );
            followed += 1;
        }
    }
    println!("{followed} followed");
    assert!(followed > 5 * count(), "{followed}");
}

#[test]
fn a_cursor_through_the_center_does_not_flip() {
    let picture = seen_from_z();
    // Pixels are 5 * 2 * tan(0.5) / 600 units; the ring is about 110 pixels large.
    let mut drag = TurnDrag::start(DVec3::ZERO, DVec3::Z, 1.0, &picture, [500.0, 300.0]).unwrap();
    assert_eq!(drag.advance(&picture, [300.0, 300.0]), 0.0, "straight through the middle is no turn");
    // Fifteen pixels from the middle, the ring turns quickly, but not faster than the hub allows.
    let mut drag = TurnDrag::start(DVec3::ZERO, DVec3::Z, 1.0, &picture, [500.0, 285.0]).unwrap();
    let mut steps = (0..200).map(|step| {
        let before = drag.angle();
        (drag.advance(&picture, [500.0 - step as f32, 285.0]) - before).abs()
    });
    assert!(steps.by_ref().all(|step| step < 0.1));
    assert!((drag.angle() - 2.8).abs() < 0.1, "{}", drag.angle());
}

/// A ring that is seen edge-on turns like a wheel, on and on.
#[test]
fn an_edge_on_ring_is_pulled() {
    let picture = seen_from_z();
    let pixel = picture.pixel_size(DVec3::ZERO).unwrap();
    for (axis, way) in
        [(DVec3::Y, Vec2::X), (DVec3::X, Vec2::Y), (DVec3::NEG_Y, -Vec2::X), (DVec3::new(0.0, 1.0, 0.2), Vec2::X)]
    {
        let mut drag = TurnDrag::start(DVec3::ZERO, axis, 1.0, &picture, [400.0, 300.0]).unwrap();
        let far = 3.0 * PI / pixel;
        let turned = drag.advance(&picture, Vec2::new(400.0, 300.0) + way * far as f32);
        assert!((turned - 3.0 * PI).abs() < 1e-4, "{axis}: {turned}");
    }
}
