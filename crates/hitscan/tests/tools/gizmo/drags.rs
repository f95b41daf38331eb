//! Random cameras and drags of each handle. The grabbed point stays under the cursor if its path allows this, and
//! otherwise within the documented bounds.

use crate::drag::views::{Seen, count};
use hitscan::drag::{MAX_GAIN, MAX_TURN_GAIN};
use hitscan::gizmo::{Gizmo, GizmoAxis, GizmoDrag, GizmoFrame, GizmoHandle, GizmoMode, GizmoTransform};
use hitscan::glam::{DAffine3, DQuat, DVec3, Vec2};
use hitscan_random::Random;

const MODES: [GizmoMode; 3] = [GizmoMode::Translate, GizmoMode::Rotate, GizmoMode::Scale];

/// A gizmo in front of a random camera.
struct Case {
    seen: Seen,
    gizmo: Gizmo,
    thing: GizmoTransform,
    handle: GizmoHandle,
    /// The axis of the handle, and the size of the gizmo there.
    axis: DVec3,
    unit: f64,
    pixel: f64,
}

impl Case {
    /// Returns `None` if the gizmo is outside of the picture.
    fn random(random: &mut Random) -> Option<Self> {
        let near = random.pick(&[DVec3::ZERO, DVec3::ZERO, DVec3::new(6.4e6, -3e6, 1e7)]);
        let seen = Seen::random(random, near);
        let mode = random.pick(&MODES);
        let mut gizmo = Gizmo::new(mode);
        gizmo.frame = random.pick(&[GizmoFrame::World, GizmoFrame::Local]);
        let thing = GizmoTransform {
            translation: seen.point(random),
            rotation: random.rotation() * 3.0,
            scale: DVec3::splat(0.5) + random.cube() * 0.4,
        };
        let shown = seen.pixel(thing.translation)?;
        if !seen.picture.viewport.contains(shown) {
            return None;
        }
        let handle = random.pick(mode.handles());
        let own = handle_axis(handle).map(|axis| thing.rotation.normalize() * axis);
        let axis = match handle {
            GizmoHandle::ScaleAxis(_) => own,
            _ if gizmo.frame == GizmoFrame::Local => own,
            _ => handle_axis(handle),
        };
        let forward = seen.turn * DVec3::NEG_Z;
        let depth = if seen.is_perspective { (thing.translation - seen.eye).dot(forward) } else { 1.0 };
        let pixel = seen.picture.pixel_size(thing.translation).unwrap();
        let at_depth =
            if seen.is_perspective { pixel / (thing.translation - seen.eye).length() * depth } else { pixel };
        let (axis, unit) = (axis.unwrap_or(-forward), f64::from(gizmo.size) * at_depth);
        Some(Self { seen, gizmo, thing, handle, axis, unit, pixel })
    }

    fn view(&self) -> DVec3 {
        self.seen.view_of(self.thing.translation)
    }

    fn start(&self, cursor: Vec2) -> GizmoDrag {
        self.gizmo.start_drag(self.handle, &self.seen.picture, &self.thing, cursor).expect("it is before the camera")
    }

    /// Returns whether a point of a plane or an axis is near enough for a drag. The argument is the sine of the
    /// angle at which the plane or axis is seen.
    fn is_in_reach(&self, point: DVec3, sine: f64, gain: f64) -> bool {
        let far = (self.thing.translation - self.seen.eye).length() * (gain * sine).sqrt();
        !self.seen.is_perspective || (point - self.seen.eye).length() < 0.99 * far
    }
}

fn handle_axis(handle: GizmoHandle) -> Option<DVec3> {
    match handle {
        GizmoHandle::TranslateAxis(axis)
        | GizmoHandle::TranslatePlane(axis)
        | GizmoHandle::RotateAxis(axis)
        | GizmoHandle::ScaleAxis(axis) => Some(match axis {
            GizmoAxis::X => DVec3::X,
            GizmoAxis::Y => DVec3::Y,
            GizmoAxis::Z => DVec3::Z,
        }),
        _ => None,
    }
}

/// Each handle is dragged to a pixel at which its grabbed point can be. The point is then there, within a pixel.
#[test]
fn the_handle_stays_under_the_cursor() {
    let mut random = Random(21);
    let (mut drags, mut largest) = ([0usize; 3], 0.0f32);
    let mut left = count();
    while left > 0 {
        let Some(case) = Case::random(&mut random) else { continue };
        let Some((grabbed, goal)) = goal(&case, &mut random) else { continue };
        let [Some(from), Some(to)] = [grabbed, goal].map(|point| case.seen.pixel(point)) else { continue };
        let [near, far] = [goal, grabbed].map(|point| (point - case.seen.eye).dot(case.seen.turn * DVec3::NEG_Z));
        let is_magnified = case.seen.is_perspective && near < 0.05 * far;
        if is_magnified || from.abs().max_element().max(to.abs().max_element()) > 1e4 {
            // The f32 coordinates of a cursor are too coarse this far outside of the window, or for a goal that is far
            // nearer than the grabbed point.
            continue;
        }
        left -= 1;
        let mut drag = case.start(from);
        // The object moves with the grabbed point. The expected transform of a distant object follows from its position alone.
        let center = case.thing.translation;
        let before = DAffine3::from(GizmoTransform { translation: DVec3::ZERO, ..case.thing });
        let local = before.inverse().transform_point3(grabbed - center);
        let middle = from.lerp(to, 0.5);
        drag.advance(&case.seen.picture, middle);
        let after = drag.advance(&case.seen.picture, to);
        let moved = DAffine3::from(GizmoTransform { translation: after.translation - center, ..after });
        let carried = center + moved.transform_point3(local);
        let off = case.seen.pixel(carried).map(|shown| shown.distance(to));
        let context =
            || format!("{:?} {:?} {:?} {:?} {from} {to}", case.handle, case.gizmo.frame, case.seen, case.thing);
        assert!(off.is_some_and(|off| off < 1.0), "{off:?} {}", context());
        largest = largest.max(off.unwrap_or(0.0));
        drags[MODES.iter().position(|mode| *mode == case.gizmo.mode).unwrap()] += 1;
        assert_eq!(drag.start_transform(), case.thing);
    }
    println!("translate, rotate, scale: {drags:?}, at most {largest} pixels off");
    assert!(drags.iter().all(|&drags| drags > count() / 8), "{drags:?}");
}

/// Returns a point at which the handle can be grabbed, and a point to which the handle can drag it.
fn goal(case: &Case, random: &mut Random) -> Option<(DVec3, DVec3)> {
    let &Case { axis, unit, ref seen, ref thing, .. } = case;
    let center = thing.translation;
    let grab = 0.25 + 0.75 * random.fraction();
    match case.handle {
        GizmoHandle::TranslateAxis(_) | GizmoHandle::ScaleAxis(_) => {
            let sine = axis.cross(case.view()).length();
            let goal = match case.handle {
                GizmoHandle::ScaleAxis(_) => 0.05 + 4.0 * random.fraction(),
                _ => grab + 10.0 * random.unit(),
            };
            let ends = [grab, goal].map(|along| center + axis * (along * unit));
            let is_free = sine > 0.14 && ends.iter().all(|end| case.is_in_reach(*end, sine, MAX_GAIN));
            is_free.then_some((ends[0], ends[1]))
        }
        GizmoHandle::TranslatePlane(_) => {
            let sine = axis.dot(case.view()).abs();
            let (x, y) = axis.any_orthonormal_pair();
            let at = |a: f64, b: f64| center + (x * a + y * b) * unit;
            let ends = [at(0.5 * grab, 0.3), at(8.0 * random.unit(), 8.0 * random.unit())];
            let is_free = sine > 0.14 && ends.iter().all(|end| case.is_in_reach(*end, sine, MAX_GAIN));
            is_free.then_some((ends[0], ends[1]))
        }
        GizmoHandle::TranslateScreen => {
            let [x, y] = [seen.turn * DVec3::X, seen.turn * DVec3::Y].map(|side| side * unit);
            Some((center + x * 0.05, center + x * (9.0 * random.unit()) + y * (9.0 * random.unit())))
        }
        GizmoHandle::RotateAxis(_) | GizmoHandle::RotateScreen => {
            let radius = if case.handle == GizmoHandle::RotateScreen { 1.2 * unit } else { unit };
            let sine = axis.dot(case.view()).abs();
            let (x, y) = axis.any_orthonormal_pair();
            let from = std::f64::consts::TAU * random.fraction();
            // The turn is less than half a turn: a larger turn is known only as a sum over the path of the cursor.
            let ends =
                [from, from + 1.4 * random.unit()].map(|angle| center + (x * angle.cos() + y * angle.sin()) * radius);
            // The outer ring rotates in the plane of the picture, wherever the gizmo is.
            let is_in_picture = case.handle == GizmoHandle::RotateScreen;
            let is_in_reach = |end: &DVec3| case.is_in_reach(*end, sine, 0.1 * MAX_TURN_GAIN);
            let is_free = is_in_picture || (sine > 0.26 && ends.iter().all(is_in_reach));
            is_free.then_some((ends[0], ends[1]))
        }
        // The handle is grabbed at the middle, a point that scaling does not move.
        _ => None,
    }
}

/// Cursors go anywhere, and the object never leaps.
#[test]
fn no_handle_leaps() {
    let mut random = Random(22);
    let mut left = count();
    while left > 0 {
        let Some(case) = Case::random(&mut random) else { continue };
        left -= 1;
        let mut cursor = case.seen.cursor(&mut random);
        let mut drag = case.start(cursor);
        let rounding = 1e-15 * (case.thing.translation.length() + 1e6 * case.unit);
        for _ in 0..10 {
            let length = random.pick(&[0.1, 3.0, 100.0, 2000.0]);
            let to = cursor + Vec2::new(random.unit() as f32, random.unit() as f32) * length;
            let (before, after) = (drag.transform(), drag.advance(&case.seen.picture, to));
            let way = f64::from(to.distance(cursor)) * case.pixel * (1.0 + 1e-6);
            let context = || format!("{:?} {:?} {:?} {cursor} {to}", case.handle, case.seen, case.thing);
            let moved = (after.translation - before.translation).length();
            assert!(moved <= MAX_GAIN * way + rounding, "{moved} {}", context());
            let angle = angle_between(before.rotation, after.rotation);
            assert!(angle * case.unit <= MAX_TURN_GAIN * way + 1e-6 * case.unit + rounding, "{angle} {}", context());
            let scaled = ((after.scale - before.scale) / case.thing.scale).length();
            // A bar is at least a fifth of the gizmo's size long, and up to three axes are scaled.
            assert!(scaled * 0.2 * case.unit <= 2.0 * MAX_GAIN * way + rounding, "{scaled} {}", context());
            assert!((after.scale / case.thing.scale).min_element() > 0.0099);
            cursor = to;
        }
    }
}

fn angle_between(a: DQuat, b: DQuat) -> f64 {
    let between = a.normalize().inverse() * b.normalize();
    2.0 * between.xyz().length().atan2(between.w.abs())
}
