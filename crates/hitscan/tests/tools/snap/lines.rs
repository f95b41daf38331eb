//! Axes, feet of perpendiculars, crossings and hidden parts of edges, compared with samples and with pixels that the
//! test computes.

use crate::common::Random;
use crate::snap::oracle::Lens;
use crate::snap::{cube, over};
use hitscan::glam::{DVec2, Vec2};
use hitscan::prelude::*;
use hitscan::snap::{Cursor, Hidden, Snap, SnapKind};
use hitscan::wire::Polyline;

const SIZE: [f32; 2] = [640.0, 480.0];

fn lens(random: &mut Random) -> Lens {
    let (eye, target) = (random.direction() * 12.0, random.cube() * 3.0);
    match random.below(3) {
        0 => Lens::parallel(eye, target, 10.0, SIZE),
        _ => Lens::perspective(eye, target, 0.4 + 1.6 * random.fraction(), SIZE),
    }
}

fn pixel(random: &mut Random) -> Vec2 {
    Vec2::new(random.fraction() as f32 * SIZE[0], random.fraction() as f32 * SIZE[1])
}

/// Returns the least distance in pixels from the cursor to the visible points of a line, by very many samples along the
/// whole line.
fn sampled(lens: &Lens, cursor: Vec2, start: DVec3, axis: DVec3) -> f64 {
    let at = |place: f64| {
        lens.shown(start + axis * place).map_or(f64::INFINITY, |(pixel, _)| pixel.distance(cursor.as_dvec2()))
    };
    // The tangent of an angle reaches every place, evenly in pixels for a line in the middle of the picture.
    let middle = -lens.view(start).z / lens.view(lens.eye + axis).z;
    let place =
        |step: f64| (if middle.is_finite() { middle } else { 0.0 }) + 10.0 * (step * std::f64::consts::FRAC_PI_2).tan();
    let steps = 4000;
    let steps = (1 - steps..steps).map(|step| f64::from(step) / f64::from(steps));
    let (mut best, mut least) = (0.0, f64::INFINITY);
    for step in steps {
        let distance = at(place(step));
        (best, least) = if distance < least { (step, distance) } else { (best, least) };
    }
    // The distance has one minimum on the visible part, near the best sample.
    let mut width = 1.0 / 4000.0;
    for _ in 0..60 {
        for near in [best - width, best + width] {
            let distance = at(place(near.clamp(-1.0, 1.0)));
            (best, least) = if distance < least { (near, distance) } else { (best, least) };
        }
        width *= 0.7;
    }
    least
}

#[test]
fn axes_are_found_where_they_are_before_the_eye() {
    let mut random = Random(17);
    let scene: Scene<u32> = Scene::new();
    let (mut found, mut behind, mut missed) = (0, 0, 0);
    for _ in 0..2_000 {
        let (lens, cursor) = (lens(&mut random), pixel(&mut random));
        // Many starts are behind the eye, so that one side of an axis is not in the picture.
        let start = if random.below(2) == 0 { random.cube() * 6.0 } else { lens.eye * 2.0 + random.cube() * 6.0 };
        let radius = 40.0;
        let mut snaps: Vec<Snap<u32>> = Vec::new();
        let asked = Cursor::new(&lens.camera(), SIZE, cursor, radius).from_start(start);
        asked.all(&scene, &[SnapKind::Axis], &mut snaps);
        for axis in DVec3::AXES {
            let least = sampled(&lens, cursor, start, axis);
            let snap = snaps.iter().find(|snap| snap.axis == Some(axis));
            let case = format!("{lens:?} at {cursor} from {start} along {axis}: {snap:?}, sampled {least}");
            match snap {
                Some(snap) => {
                    let off_axis = (snap.point - start).reject_from(axis).length();
                    assert!(off_axis < 1e-6 * (1.0 + (snap.point - start).length()), "{case}");
                    let (at, depth) = lens.shown(snap.point.lerp(lens.eye, 1e-12)).unwrap_or_else(|| panic!("{case}"));
                    assert!(depth > 0.0 && (at - snap.pixel.as_dvec2()).length() < 1e-2, "{case}");
                    assert!(f64::from(snap.distance) <= least + 1e-2, "{case}");
                    found += 1;
                    behind += usize::from(lens.view(start).z < 0.0);
                }
                // The nearest pixel may be the pixel of the vanishing point, which no point of the axis has.
                None if least < f64::from(radius) - 0.1 => {
                    let away = lens.view(lens.eye + axis);
                    let vanishing = lens.pixel_of_view(if away.z > 0.0 { away } else { -away });
                    assert!(!lens.is_parallel() && vanishing.distance(cursor.as_dvec2()) < least + 0.1, "{case}");
                    missed += 1;
                }
                None => {}
            }
        }
    }
    assert!(found > 100 && behind > 20 && missed < found, "{found} {behind} {missed}");
}

#[test]
fn a_cursor_beyond_a_vanishing_point_finds_no_axis() {
    // The x axis vanishes at the left and right of the picture. This camera looks along x + z, and the axis goes to the right.
    let eye = DVec3::new(0.0, 1.0, 0.0);
    let lens = Lens::perspective(eye, DVec3::new(1.0, 1.0, 1.0), 1.8, SIZE);
    let vanishing = lens.pixel_of_view(lens.view(eye + DVec3::X));
    let scene: Scene<u32> = Scene::new();
    let at = |pixel: DVec2| {
        let cursor = Cursor::new(&lens.camera(), SIZE, pixel.as_vec2(), 8.0).from_start([-3.0, 0.0, 2.0]);
        let mut snaps = Vec::new();
        cursor.all(&scene, &[SnapKind::Axis], &mut snaps);
        snaps.into_iter().find(|snap| snap.axis == Some(DVec3::X)).map(|snap: Snap<u32>| snap.point)
    };
    // This is the direction on the screen in which the axis recedes from the eye.
    let [near, far] = [3.0, 30.0].map(|x| lens.pixel_of_view(lens.view(DVec3::new(x, 0.0, 2.0))));
    let onward = (far - near).normalize();
    assert!(at(vanishing + onward * 3.0).is_none());
    let point = at(vanishing - onward * 3.0).unwrap();
    assert!(point.x > 30.0 && lens.view(point).z > 0.0, "{point}");
    // The start is behind the eye, and its pixel would be on the other side of the vanishing point.
    assert!(lens.view(DVec3::new(-3.0, 0.0, 2.0)).z < 0.0);
}

/// Returns segments from one random place to another.
fn segments(random: &mut Random, count: usize) -> Vec<[Vec3; 2]> {
    (0..count).map(|_| [(random.cube() * 4.0).as_vec3(), (random.cube() * 4.0).as_vec3()]).collect()
}

fn lines(segments: &[[Vec3; 2]]) -> Scene<u32> {
    let mut scene = Scene::new();
    scene.insert(0, Polyline::from_strips(segments).unwrap(), DVec3::ZERO).unwrap();
    scene
}

#[test]
fn crossings_are_where_pixels_of_segments_meet() {
    let mut random = Random(90);
    let (mut count, segments) = (0, segments(&mut random, 60));
    let scene = lines(&segments);
    for _ in 0..200 {
        let (lens, cursor, radius) = (lens(&mut random), pixel(&mut random), 30.0);
        let mut expected = Vec::new();
        for (second, b) in segments.iter().enumerate() {
            for (first, a) in segments[..second].iter().enumerate() {
                let shown = [a, b].map(|ends| lens.clip(ends.map(|end| end.as_dvec3())));
                let [Some((_, [p, q])), Some((_, [r, s]))] = shown else { continue };
                let across = (q - p).perp_dot(s - r);
                let (on_a, on_b) = ((r - p).perp_dot(s - r) / across, (r - p).perp_dot(q - p) / across);
                let distance = (p + (q - p) * on_a).distance(cursor.as_dvec2());
                // Cases that rounding decides are left out by the numbers of this seed.
                if (0.0..=1.0).contains(&on_a) && (0.0..=1.0).contains(&on_b) && distance <= radius {
                    expected.push(([2 * first as u32, 2 * second as u32], distance));
                }
            }
        }
        let mut snaps = Vec::new();
        let asked = Cursor::new(&lens.camera(), SIZE, cursor, radius as f32).hidden(Hidden::Keep);
        asked.all(&scene, &[SnapKind::Crossing], &mut snaps);
        let mut found = Vec::new();
        for snap in &snaps {
            let [near, far] = [snap.target, snap.crossed].map(|target| target.unwrap().edge.unwrap()[0]);
            found.push(([near.min(far), near.max(far)], f64::from(snap.distance)));
            // The point is on the nearer edge. The ray through its pixel hits the other edge farther away.
            let at = |edge: u32| segments[edge as usize / 2].map(|end| end.as_dvec3());
            let depth_of = |edge: u32| {
                let (places, [p, q]) = lens.clip(at(edge)).unwrap();
                let along = (snap.pixel.as_dvec2() - p).dot(q - p) / (q - p).length_squared();
                let depths = places.map(|place| lens.view(at(edge)[0].lerp(at(edge)[1], place)).z);
                if lens.is_parallel() {
                    depths[0] + (depths[1] - depths[0]) * along
                } else {
                    1.0 / ((1.0 - along) / depths[0] + along / depths[1])
                }
            };
            assert!((depth_of(near) - snap.depth).abs() < 1e-2 && depth_of(far) > snap.depth - 1e-2, "{snap:?}");
        }
        found.sort_by_key(|(edges, _)| *edges);
        expected.sort_by_key(|(edges, _)| *edges);
        assert_eq!(found.len(), expected.len(), "{lens:?} at {cursor}");
        for (a, b) in found.iter().zip(&expected) {
            assert!(a.0 == b.0 && (a.1 - b.1).abs() < 1e-3, "{a:?} {b:?}");
        }
        count += found.len();
    }
    assert!(count > 100, "{count}");
}

#[test]
fn feet_are_perpendicular_and_all_of_them_are_found() {
    let mut random = Random(91);
    let (mut count, segments) = (0, segments(&mut random, 200));
    let scene = lines(&segments);
    for _ in 0..200 {
        let (lens, cursor, radius) = (lens(&mut random), pixel(&mut random), 30.0);
        let start = random.cube() * 4.0;
        let expected: Vec<u32> = (0..)
            .zip(&segments)
            .filter_map(|(number, ends)| {
                let [a, b] = ends.map(|end| end.as_dvec3());
                let place = (start - a).dot(b - a) / (b - a).length_squared();
                let (pixel, _) = lens.shown(a + (b - a) * place).filter(|_| 0.0 < place && place < 1.0)?;
                (pixel.distance(cursor.as_dvec2()) <= radius).then_some(2 * number)
            })
            .collect();
        let mut snaps = Vec::new();
        let asked = Cursor::new(&lens.camera(), SIZE, cursor, radius as f32).from_start(start);
        asked.all(&scene, &[SnapKind::Perpendicular], &mut snaps);
        let mut found: Vec<u32> = snaps.iter().map(|snap| snap.target.unwrap().edge.unwrap()[0]).collect();
        found.sort();
        assert_eq!(found, expected, "{lens:?} at {cursor} from {start}");
        assert_eq!(asked.nearest(&scene, &[SnapKind::Perpendicular]).as_ref(), snaps.first());
        for snap in &snaps {
            let [a, b] = segments[snap.target.unwrap().edge.unwrap()[0] as usize / 2].map(|end| end.as_dvec3());
            assert!((snap.point - start).dot(b - a).abs() < 1e-9, "{snap:?}");
        }
        count += found.len();
    }
    assert!(count > 100, "{count}");
}

/// Returns a line from x = -3 to x = 3 at a height, behind a cube from -1 to 1.
fn behind_a_cube(height: f32) -> Scene<u32> {
    let mut scene = Scene::new();
    scene.insert(1, cube(), DVec3::ZERO).unwrap();
    scene.insert(2, Polyline::new(&[[-3.0, height, -4.0], [3.0, height, -4.0]]).unwrap(), DVec3::ZERO).unwrap();
    scene
}

#[test]
fn the_seen_part_of_an_edge_is_found_beside_what_hides_it() {
    let scene = behind_a_cube(0.25);
    let on_line = |cursor: Cursor| {
        let mut snaps = Vec::new();
        cursor.all(&scene, &[SnapKind::Edge], &mut snaps);
        snaps.retain(|snap| snap.target.unwrap().id == 2);
        snaps.first().map(|snap: &Snap<u32>| (snap.point, snap.distance))
    };
    // The line comes out from behind the cube at x = 1. A sixteenth of a pixel is 0.000625.
    for off in [2.0, 5.5, 7.9] {
        let (point, distance) = on_line(over(1.0, 0.25, [-off, 0.0], 8.0)).unwrap();
        assert!(point.x >= 1.0 && point.x < 1.0 + 0.0007 && point.y == 0.25, "{off} {point}");
        assert!((distance - off).abs() < 0.07, "{off} {distance}");
    }
    // The line is found at its nearest point if that point is visible, or if hidden points are kept.
    assert_eq!(on_line(over(1.0, 0.25, [3.0, 2.0], 8.0)).unwrap().1, 2.0);
    assert_eq!(on_line(over(1.0, 0.25, [-3.0, 2.0], 8.0).hidden(Hidden::Keep)).unwrap().1, 2.0);
    // No part of the line within the radius is visible.
    assert!(on_line(over(1.0, 0.25, [-9.0, 0.0], 8.0)).is_none());
    assert!(on_line(over(0.0, 0.25, [0.0, 0.0], 8.0)).is_none());
    // The line also comes out on the other side of the cube. With a larger radius, steps are longer: a sixteenth of a step of 5 pixels is about 0.0031.
    let (point, _) = on_line(over(-1.0, 0.25, [30.0, 0.0], 80.0)).unwrap();
    assert!(point.x <= -1.0 && point.x > -1.004, "{point}");
}

#[test]
fn hidden_edges_keep_their_place_in_the_order() {
    // The cube's edge is 6 pixels to the right of the cursor. A level line behind the cube is hidden up to that edge.
    let mut scene = behind_a_cube(0.0);
    let cursor = over(1.0, 0.0, [-6.0, 0.0], 8.0);
    let mut snaps = Vec::new();
    cursor.all(&scene, &[SnapKind::Edge], &mut snaps);
    // The visible part of the line begins at the edge, so the line is no nearer than the edge.
    assert_eq!(snaps.iter().map(|snap| snap.target.unwrap().id).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(cursor.nearest(&scene, &[SnapKind::Edge]).as_ref(), snaps.first());
    assert!(snaps[0].distance == 6.0 && snaps[1].distance > 6.0 && snaps[1].distance < 6.07, "{snaps:?}");
    // A depth tolerance of 0.5 changes nothing, because the line is farther behind the cube. Without the cube, the line
    // comes first.
    let near = cursor.depth_tolerance(0.5);
    assert_eq!(near.nearest(&scene, &[SnapKind::Edge]).unwrap().target.unwrap().id, 1);
    scene.remove(&1);
    assert_eq!(near.nearest(&scene, &[SnapKind::Edge]).unwrap().distance, 0.0);
}

#[test]
fn edges_cross_only_where_both_are_seen() {
    // An upright line is in front of the cube, and a level line behind it. They cross in the middle of the cube, where the level line is hidden.
    let mut scene = behind_a_cube(0.0);
    for (id, x) in [(3, 0.0), (4, 1.5)] {
        scene.insert(id, Polyline::new(&[[x, -2.0, 3.0], [x, 2.0, 3.0]]).unwrap(), DVec3::ZERO).unwrap();
    }
    let at = |x: f32, hidden: Hidden| {
        let mut snaps: Vec<Snap<u32>> = Vec::new();
        over(x, 0.0, [1.0, 1.0], 4.0).hidden(hidden).all(&scene, &[SnapKind::Crossing], &mut snaps);
        snaps.iter().map(|snap| [snap.target.unwrap().id, snap.crossed.unwrap().id]).collect::<Vec<_>>()
    };
    assert_eq!(at(0.0, Hidden::Skip), Vec::<[u32; 2]>::new());
    assert_eq!(at(0.0, Hidden::Keep), [[3, 2]]);
    assert_eq!(at(1.5, Hidden::Skip), [[3 + 1, 2]]);
    // The level line goes behind the cube at the cube's upright edge. So it is seen on one side of that crossing.
    assert!(at(1.0, Hidden::Skip).contains(&[1, 2]));
}
