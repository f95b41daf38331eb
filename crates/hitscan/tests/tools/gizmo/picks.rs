//! The picked handle against brute force, and the size on the screen.

use crate::drag::views::{Seen, count};
use hitscan::gizmo::{Gizmo, GizmoFrame, GizmoHandle, GizmoMode, GizmoTransform, GizmoTriangle};
use hitscan::glam::{DVec2, DVec3, Vec2};
use hitscan_random::Random;
use std::collections::BTreeMap;

fn random_gizmo(random: &mut Random) -> (Seen, Gizmo, GizmoTransform) {
    let seen = Seen::random(random, DVec3::ZERO);
    let mut gizmo = Gizmo::new(random.pick(&[GizmoMode::Translate, GizmoMode::Rotate, GizmoMode::Scale]));
    gizmo.frame = random.pick(&[GizmoFrame::World, GizmoFrame::Local]);
    gizmo.size = 30.0 + 200.0 * random.fraction() as f32;
    gizmo.tolerance = random.pick(&[2.0, 8.0, 20.0]);
    let thing = GizmoTransform {
        translation: seen.point(random),
        rotation: random.rotation(),
        scale: DVec3::new(0.01, 3.0, -2.0),
    };
    (seen, gizmo, thing)
}

/// Returns the distance of a cursor from the drawing of each handle that can be picked. It is measured from the lines and the sides of the triangles, and is 0
/// inside of triangles.
fn brute_force(seen: &Seen, gizmo: &Gizmo, thing: &GizmoTransform, cursor: Vec2) -> BTreeMap<GizmoHandle, f64> {
    let drawing = gizmo.drawing(&seen.picture, thing);
    let mut least = BTreeMap::new();
    let mut note = |handle, off: f64| {
        let entry = least.entry(handle).or_insert(f64::INFINITY);
        *entry = off.min(*entry);
    };
    let sides = drawing.triangles.iter().flat_map(|face| {
        let [a, b, c] = face.corners;
        [[a, b], [b, c], [c, a]].map(|ends| (face.handle, face.color, ends))
    });
    let lines = drawing.lines.iter().map(|line| (line.handle, line.color, line.ends));
    for (handle, color, ends) in lines.chain(sides) {
        let [Some(a), Some(b)] = ends.map(|end| seen.pixel(end)) else { continue };
        if color[3] < 64 {
            continue;
        }
        // A line in the world is a line in the picture. Its nearest point is the foot of the perpendicular from the
        // cursor, or an end.
        let (a, b, cursor) = (a.as_dvec2(), b.as_dvec2(), cursor.as_dvec2());
        let foot = a + (cursor - a).project_onto(b - a);
        let is_between = (foot - a).dot(foot - b) <= 0.0;
        let ends = a.distance(cursor).min(b.distance(cursor));
        note(handle, if is_between { foot.distance(cursor) } else { ends });
    }
    for triangle in &drawing.triangles {
        if triangle.color[3] >= 64 && is_under(seen, triangle, cursor) {
            note(triangle.handle, 0.0);
        }
    }
    least
}

/// Returns whether the picture of a triangle contains a cursor.
fn is_under(seen: &Seen, triangle: &GizmoTriangle, cursor: Vec2) -> bool {
    let [Some(a), Some(b), Some(c)] = triangle.corners.map(|corner| seen.pixel(corner)) else { return false };
    let side = |from: Vec2, to: Vec2| (to - from).as_dvec2().perp_dot((cursor - from).as_dvec2());
    let sides = [side(a, b), side(b, c), side(c, a)];
    sides.iter().all(|side| *side > 0.0) || sides.iter().all(|side| *side < 0.0)
}

#[test]
fn the_nearest_handle_in_pixels_is_picked() {
    let mut random = Random(31);
    let (mut hits, mut misses) = (BTreeMap::new(), 0);
    for case in 0..count() / 4 {
        let (seen, gizmo, thing) = random_gizmo(&mut random);
        let Some(middle) = seen.pixel(thing.translation) else { continue };
        let way = DVec2::new(random.unit(), random.unit()) * 1.3 * f64::from(gizmo.size);
        let cursor = middle + way.as_vec2();
        let picked = gizmo.pick(&seen.picture, &thing, cursor);
        if !seen.picture.viewport.contains(cursor) {
            assert_eq!(picked, None, "case {case}");
            continue;
        }
        let all = brute_force(&seen, &gizmo, &thing, cursor);
        let least = all.values().copied().fold(f64::INFINITY, f64::min);
        // Pixels are rounded to f32, including the ends that are far outside of the window.
        let drawing = gizmo.drawing(&seen.picture, &thing);
        let ends = drawing.lines.iter().flat_map(|line| line.ends).filter_map(|end| seen.pixel(end));
        let farthest = ends.map(|shown| shown.abs().max_element()).fold(0.0, f32::max);
        let slack = 0.1 + 1e-5 * f64::from(farthest);
        match picked {
            Some(hit) => {
                assert!(hit.pixels <= f64::from(gizmo.tolerance), "case {case}");
                let own = all.get(&hit.handle).copied().unwrap_or(f64::INFINITY);
                assert!(
                    (own - hit.pixels).abs() < slack && hit.pixels < least + slack,
                    "case {case}: {hit:?} {all:?} {seen:?}"
                );
                let shown = seen.pixel(hit.point).unwrap();
                assert!(
                    (f64::from(shown.distance(cursor)) - hit.pixels).abs() < slack,
                    "case {case}: {hit:?} {shown} {cursor}"
                );
                *hits.entry(hit.handle).or_insert(0) += 1;
            }
            None => {
                assert!(least > f64::from(gizmo.tolerance) - slack, "case {case}: {all:?} {seen:?} {thing:?} {cursor}");
                misses += 1;
            }
        }
    }
    println!("{hits:?}, {misses} misses");
    assert!(hits.len() == 15 && misses > 100, "{hits:?}");
}

/// A length across the view axis is shown with the gizmo's size, wherever it is in the picture.
#[test]
fn the_size_on_the_screen_is_constant() {
    let mut random = Random(32);
    for case in 0..count() / 4 {
        let (seen, mut gizmo, thing) = random_gizmo(&mut random);
        gizmo.mode = GizmoMode::Rotate;
        let Some(middle) = seen.pixel(thing.translation) else { continue };
        if middle.abs().max_element() > 1e5 {
            continue;
        }
        let drawing = gizmo.drawing(&seen.picture, &thing);
        let ring = drawing.lines.iter().filter(|line| line.handle == GizmoHandle::RotateScreen);
        let mut count = 0;
        for line in ring {
            let shown = seen.pixel(line.ends[0]).unwrap();
            assert!((shown.distance(middle) - 1.2 * gizmo.size).abs() < 0.1, "case {case}: {shown} {middle} {seen:?}");
            count += 1;
        }
        assert_eq!(count, 64);
    }
}

/// Arrows that point at the camera and planes seen edge-on are faded, and neither drawn nor picked below 8 degrees.
#[test]
fn what_is_edge_on_is_faded() {
    let mut random = Random(33);
    let mut faded = [0; 3];
    for case in 0..count() / 4 {
        let (seen, mut gizmo, thing) = random_gizmo(&mut random);
        (gizmo.mode, gizmo.frame) = (GizmoMode::Translate, GizmoFrame::World);
        if seen.pixel(thing.translation).is_none() {
            continue;
        }
        let view = seen.view_of(thing.translation);
        let drawing = gizmo.drawing(&seen.picture, &thing);
        // Arrows may be wholly behind the camera in very wide views.
        let is_whole = DVec3::AXES.iter().all(|axis| {
            let size = f64::from(gizmo.size) * seen.picture.pixel_size(thing.translation).unwrap();
            [*axis, -*axis].iter().all(|axis| seen.pixel(thing.translation + axis * size).is_some())
        });
        if !is_whole {
            continue;
        }
        for (axis, unit) in [(hitscan::gizmo::GizmoAxis::X, DVec3::X), (hitscan::gizmo::GizmoAxis::Y, DVec3::Y)] {
            for (handle, sine) in [
                (GizmoHandle::TranslateAxis(axis), unit.cross(view).length()),
                (GizmoHandle::TranslatePlane(axis), unit.dot(view).abs()),
            ] {
                let angle = sine.asin().to_degrees();
                let alphas: Vec<u8> =
                    drawing.lines.iter().filter(|line| line.handle == handle).map(|line| line.color[3]).collect();
                match angle {
                    angle if angle < 7.9 => {
                        assert!(alphas.is_empty(), "case {case}: {angle}");
                        faded[0] += 1;
                    }
                    angle if angle > 8.1 && angle < 14.4 => {
                        assert!(
                            !alphas.is_empty() && alphas.iter().all(|alpha| (1..255).contains(alpha)),
                            "case {case}: {angle} {alphas:?}"
                        );
                        faded[1] += 1;
                    }
                    angle if angle > 14.6 => {
                        assert!(
                            !alphas.is_empty() && alphas.iter().all(|alpha| *alpha == 255),
                            "case {case}: {angle} {alphas:?}"
                        );
                        faded[2] += 1;
                    }
                    _ => {}
                }
            }
        }
    }
    assert!(faded.iter().all(|&count| count > 50), "{faded:?}");
}

/// Two filled parts under one cursor are both 0 pixels away. So the nearer one is picked. The tip of an arrow has two triangles under most of its pixels.
#[test]
fn of_equally_near_handles_the_one_in_front_is_picked() {
    let mut random = Random(34);
    let (mut both, mut handles) = (0, 0);
    for case in 0..count() / 2 {
        let (seen, mut gizmo, thing) = random_gizmo(&mut random);
        gizmo.mode = random.pick(&[GizmoMode::Translate, GizmoMode::Scale]);
        let drawing = gizmo.drawing(&seen.picture, &thing);
        if drawing.triangles.is_empty() {
            continue;
        }
        let [a, b, c] = drawing.triangles[random.below(drawing.triangles.len())].corners;
        let Some(cursor) = seen.pixel(a.lerp(b, random.fraction()).lerp(c, random.fraction())) else { continue };
        let under = drawing.triangles.iter().filter(|face| face.color[3] >= 64 && is_under(&seen, face, cursor));
        let under: Vec<&GizmoTriangle> = under.collect();
        if under.len() < 2 || !seen.picture.viewport.contains(cursor) {
            continue;
        }
        both += 1;
        handles += usize::from(under.iter().any(|face| face.handle != under[0].handle));
        let hit = gizmo.pick(&seen.picture, &thing, cursor).unwrap();
        let (start, direction) = seen.ray(cursor);
        let depths = under.iter().map(|face| {
            let [a, b, c] = face.corners;
            let normal = (b - a).cross(c - a);
            (a - start).dot(normal) / direction.dot(normal)
        });
        let least = depths.fold(f64::INFINITY, f64::min);
        assert!((hit.depth - least).abs() < 1e-6 * least.abs().max(1.0), "case {case}: {hit:?} {least} {under:?}");
    }
    println!("{both} cursors over two triangles, {handles} over two handles");
    assert!(both > 100 && handles > 3, "{both} {handles}");
}
