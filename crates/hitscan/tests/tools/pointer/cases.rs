//! One case for each rule.

use hitscan::glam::Vec2;
use hitscan::pointer::{
    CancelReason, PointerAction as Action, PointerButton, PointerEvent, PointerEventKind as Kind, PointerId,
    PointerInput, Pointers,
};

const BUTTON: PointerButton = PointerButton::Primary;
const PRESS: Action = Action::Press(BUTTON);
const RELEASE: Action = Action::Release(BUTTON);

/// Gives inputs (time, action, x, target) to a mouse, and returns the events.
fn mouse(inputs: &[(f64, Action, f32, Option<u8>)]) -> Vec<PointerEvent<u8>> {
    pointer(&mut Pointers::new(), PointerId::MOUSE, inputs)
}

fn pointer(
    pointers: &mut Pointers<u8>,
    pointer: PointerId,
    inputs: &[(f64, Action, f32, Option<u8>)],
) -> Vec<PointerEvent<u8>> {
    let (mut all, mut events) = (Vec::new(), Vec::new());
    for &(time, action, x, target) in inputs {
        let position = Vec2::new(x, 0.0);
        pointers.handle(&PointerInput { pointer, time, action, position, target }, &mut events);
        all.append(&mut events);
    }
    all
}

fn kinds(events: &[PointerEvent<u8>]) -> Vec<Kind> {
    events.iter().map(|event| event.kind).collect()
}

fn press(count: u32) -> Kind {
    Kind::Press { button: BUTTON, count }
}

fn click(count: u32) -> Kind {
    Kind::Click { button: BUTTON, count }
}

const LONG_PRESS: Kind = Kind::LongPress { button: BUTTON };
const RELEASED: Kind = Kind::Release { button: BUTTON };

fn cancelled(reason: CancelReason) -> Kind {
    Kind::Cancel { button: BUTTON, reason }
}

#[test]
fn a_motion_of_the_threshold_is_a_click_and_more_is_a_drag() {
    let told = mouse(&[(0.0, PRESS, 10.0, None), (0.1, Action::Move, 14.0, None), (0.2, RELEASE, 10.0, None)]);
    assert_eq!(kinds(&told), [press(1), click(1), RELEASED]);
    let from = Vec2::new(10.0, 0.0);
    // The press is a drag although the pointer comes back, and no click follows.
    let told = mouse(&[(0.0, PRESS, 10.0, Some(1)), (0.1, Action::Move, 14.001, None), (0.2, RELEASE, 10.0, Some(2))]);
    let far = Vec2::new(14.001, 0.0);
    let expected = [
        Kind::Enter,
        press(1),
        Kind::Leave,
        Kind::DragStart { button: BUTTON, from },
        Kind::DragMove { button: BUTTON, from, previous: from },
        Kind::Enter,
        Kind::DragMove { button: BUTTON, from, previous: far },
        Kind::DragEnd { button: BUTTON, from },
        RELEASED,
    ];
    assert_eq!(kinds(&told), expected);
    assert!(told[6..].iter().all(|event| (event.target, event.over) == (Some(1), Some(2))), "{told:?}");
}

/// The release alone may show that the press was a drag (bevy#19833 has a click after a drag).
#[test]
fn a_release_far_away_is_a_drag() {
    let told = mouse(&[(0.0, PRESS, 0.0, None), (0.1, RELEASE, 50.0, None)]);
    let from = Vec2::ZERO;
    let drag = [
        press(1),
        Kind::DragStart { button: BUTTON, from },
        Kind::DragMove { button: BUTTON, from, previous: from },
        Kind::DragEnd { button: BUTTON, from },
        RELEASED,
    ];
    assert_eq!(kinds(&told), drag);
}

#[test]
fn clicks_are_counted() {
    let clicks = |pauses: &[(f64, f32, Option<u8>)]| -> Vec<u32> {
        let mut time = 0.0;
        let inputs = pauses.iter().flat_map(|&(pause, x, target)| {
            time += pause;
            [(time, PRESS, x, target), (time + 0.05, RELEASE, x, target)]
        });
        let told = mouse(&inputs.collect::<Vec<_>>());
        told.iter()
            .filter_map(|event| match event.kind {
                Kind::Click { count, .. } => Some(count),
                _ => None,
            })
            .collect()
    };
    assert_eq!(clicks(&[(0.0, 0.0, None), (0.5, 0.0, None), (0.25, 4.0, None), (0.5, 8.0, None)]), [1, 2, 3, 4]);
    assert_eq!(clicks(&[(0.0, 0.0, None), (0.501, 0.0, None), (0.25, 4.5, None)]), [1, 1, 1], "too late, too far");
    assert_eq!(clicks(&[(0.0, 0.0, Some(1)), (0.1, 1.0, Some(2)), (0.1, 1.0, Some(2))]), [1, 1, 2], "another target");
}

#[test]
fn a_click_elsewhere_begins_anew() {
    let other = PointerButton::Secondary;
    let told = mouse(&[
        (0.0, PRESS, 0.0, None),
        (0.0, RELEASE, 0.0, None),
        (0.1, Action::Press(other), 0.0, None),
        (0.1, Action::Release(other), 0.0, None),
        (0.2, PRESS, 0.0, None),
    ]);
    assert_eq!(told.last().map(|event| event.kind), Some(press(1)));
}

/// Browsers number every touch anew.
#[test]
fn the_taps_of_a_double_tap_may_have_different_numbers() {
    let mut pointers = Pointers::new();
    let tap = |time: f64| [(time, PRESS, 5.0, None), (time + 0.1, RELEASE, 5.0, None)];
    assert_eq!(kinds(&pointer(&mut pointers, PointerId::Touch(1), &tap(0.0))), [press(1), click(1), RELEASED]);
    assert_eq!(kinds(&pointer(&mut pointers, PointerId::Touch(2), &tap(0.3))), [press(2), click(2), RELEASED]);
}

#[test]
fn a_long_press_comes_at_its_time() {
    let finger = |inputs: &[_]| pointer(&mut Pointers::new(), PointerId::Touch(0), inputs);
    for end in [0.5, 0.75, 9.0] {
        let told = finger(&[(0.0, PRESS, 0.0, None), (end, RELEASE, 10.0, Some(3))]);
        assert_eq!(kinds(&told), [press(1), LONG_PRESS, Kind::Enter, RELEASED, Kind::Leave]);
        assert_eq!((told[1].time, told[1].position), (0.5, Vec2::ZERO), "the pointer rested there until then");
    }
    let told = finger(&[(0.0, PRESS, 0.0, None), (0.5, Action::Cancel, f32::NAN, None), (0.6, RELEASE, 0.0, None)]);
    assert_eq!(kinds(&told), [press(1), LONG_PRESS, RELEASED], "one outcome");
}

/// A finger may hold an object until the long press is reported, and then drag the object.
#[test]
fn a_long_press_may_become_a_drag() {
    let from = Vec2::ZERO;
    let start = Kind::DragStart { button: BUTTON, from };
    let step = Kind::DragMove { button: BUTTON, from, previous: from };
    let ends =
        [(RELEASE, Kind::DragEnd { button: BUTTON, from }), (Action::Cancel, cancelled(CancelReason::Cancelled))];
    for (end, outcome) in ends {
        let way = [(0.0, PRESS, 0.0, None), (0.7, Action::Move, 90.0, None), (0.8, end, 90.0, None)];
        let told = pointer(&mut Pointers::new(), PointerId::Touch(0), &way);
        assert_eq!(kinds(&told), [press(1), LONG_PRESS, start, step, outcome, RELEASED]);
    }
}

/// A mouse that is held still and then moves makes a drag. A mouse that does not move makes a click.
#[test]
fn a_mouse_has_no_long_press() {
    let told = mouse(&[(0.0, PRESS, 0.0, None), (9.0, Action::Move, 0.0, None), (9.1, RELEASE, 0.0, None)]);
    assert_eq!(kinds(&told), [press(1), click(1), RELEASED]);
    let told = mouse(&[(0.0, PRESS, 0.0, None), (9.0, Action::Move, 0.0, None), (9.1, RELEASE, 50.0, None)]);
    assert!(matches!(kinds(&told)[..], [_, Kind::DragStart { .. }, Kind::DragMove { .. }, Kind::DragEnd { .. }, _]));
}

#[test]
fn what_is_lost_is_cancelled() {
    use CancelReason::{Cancelled, NotFinite, PressedAgain};
    let losses = [
        ((0.2, Action::Cancel, 0.0), Cancelled),
        ((0.2, PRESS, 0.0), PressedAgain),
        ((0.2, RELEASE, f32::NAN), NotFinite),
        ((f64::INFINITY, Action::Move, 0.0), NotFinite),
    ];
    for ((time, action, x), reason) in losses {
        let told = mouse(&[(0.1, PRESS, 0.0, Some(1)), (time, action, x, Some(1))]);
        assert_eq!(kinds(&told)[2..4], [cancelled(reason), RELEASED], "{action:?}");
        let told = mouse(&[(0.1, PRESS, 0.0, Some(1)), (0.11, Action::Move, 9.0, Some(1)), (time, action, x, Some(1))]);
        let told = kinds(&told);
        assert!(matches!(told[2..4], [Kind::DragStart { .. }, Kind::DragMove { .. }]), "{action:?} {told:?}");
        let end = told.windows(2).position(|pair| pair == [cancelled(reason), RELEASED]);
        assert!(end.is_some_and(|end| end >= 4), "{action:?} {told:?}");
    }
}

/// Clocks of several processors differ by microseconds.
#[test]
fn a_clock_that_runs_back_stands_still() {
    let way = [(1.0, PRESS, 0.0, None), (1.1, Action::Move, 9.0, None), (1.099_999, Action::Move, 20.0, None)];
    let told = mouse(&[&way[..], &[(1.2, RELEASE, 20.0, None)]].concat());
    assert!(told.iter().all(|event| !matches!(event.kind, Kind::Cancel { .. })), "{told:?}");
    let times: Vec<f64> = told.iter().map(|event| event.time).collect();
    assert_eq!(times, [1.0, 1.1, 1.1, 1.1, 1.2, 1.2]);
}

#[test]
fn clicks_of_different_devices_are_single() {
    let click_of = |pointers: &mut Pointers<u8>, id: PointerId, time: f64| {
        let told = pointer(pointers, id, &[(time, PRESS, 5.0, None), (time, RELEASE, 5.0, None)]);
        told.iter().find_map(|event| match event.kind {
            Kind::Click { count, .. } => Some(count),
            _ => None,
        })
    };
    for (first, second, count) in [
        (PointerId::MOUSE, PointerId::MOUSE, 2),
        (PointerId::MOUSE, PointerId::Mouse(1), 1),
        (PointerId::MOUSE, PointerId::Touch(0), 1),
        (PointerId::Touch(0), PointerId::MOUSE, 1),
        (PointerId::Touch(0), PointerId::Touch(9), 2),
    ] {
        let mut pointers = Pointers::new();
        assert_eq!(click_of(&mut pointers, first, 0.0), Some(1));
        assert_eq!(click_of(&mut pointers, second, 0.2), Some(count), "{first:?} {second:?}");
    }
}

/// Window systems report the release of a button outside of the window.
#[test]
fn a_mouse_that_is_released_outside_is_gone() {
    let mut pointers = Pointers::new();
    let way = [(0.0, PRESS, 0.0, Some(1)), (0.1, Action::Leave, 0.0, None), (0.2, Action::Move, -90.0, Some(2))];
    pointer(&mut pointers, PointerId::MOUSE, &way);
    assert!(pointers.is_dragging(PointerId::MOUSE), "the drag goes on");
    let told = pointer(&mut pointers, PointerId::MOUSE, &[(0.3, RELEASE, -99.0, Some(2))]);
    assert_eq!(kinds(&told)[1..], [Kind::DragEnd { button: BUTTON, from: Vec2::ZERO }, RELEASED, Kind::Leave]);
    assert_eq!((pointers.ids().count(), pointers.hovered(PointerId::MOUSE)), (0, None));
}

#[test]
fn a_finger_that_leaves_is_lost_and_a_mouse_is_not() {
    let way = [(0.0, PRESS, 0.0, Some(1)), (0.1, Action::Leave, f32::NAN, None), (0.2, RELEASE, 0.0, None)];
    let touch = pointer(&mut Pointers::new(), PointerId::Touch(0), &way);
    assert_eq!(kinds(&touch), [Kind::Enter, press(1), cancelled(CancelReason::Left), RELEASED, Kind::Leave]);
    assert_eq!(kinds(&mouse(&way)), [Kind::Enter, press(1), Kind::Leave, click(1), RELEASED]);
}

#[test]
fn pointers_are_forgotten() {
    let mut pointers = Pointers::new();
    for number in 0..1000 {
        let touch = PointerId::Touch(number);
        pointer(&mut pointers, touch, &[(0.0, Action::Move, 1.0, Some(1)), (0.1, PRESS, 1.0, Some(1))]);
        assert_eq!(pointers.captured(touch).collect::<Vec<_>>(), [&1]);
        pointer(&mut pointers, touch, &[(0.2, RELEASE, 1.0, Some(1)), (0.3, Action::Move, 1.0, Some(1))]);
        let mouse = PointerId::Mouse(number);
        pointer(&mut pointers, mouse, &[(0.0, Action::Move, 1.0, Some(1))]);
        assert_eq!(pointers.hovered(mouse), Some(&1));
        pointer(&mut pointers, mouse, &[(0.3, Action::Leave, 1.0, None)]);
        assert_eq!((pointers.ids().count(), pointers.hovered(mouse)), (0, None));
    }
}

#[test]
fn several_buttons_are_independent() {
    let other = PointerButton::Middle;
    let mut pointers = Pointers::new();
    let way = [(0.0, PRESS, 0.0, Some(1)), (0.1, Action::Press(other), 3.0, Some(2)), (0.2, Action::Move, 5.0, None)];
    pointer(&mut pointers, PointerId::MOUSE, &way);
    assert!(pointers.is_dragging(PointerId::MOUSE));
    assert_eq!(pointers.captured(PointerId::MOUSE).collect::<Vec<_>>(), [&1, &2]);
    let told = pointer(
        &mut pointers,
        PointerId::MOUSE,
        &[(0.3, Action::Release(other), 5.0, None), (0.4, RELEASE, 5.0, None)],
    );
    let from = Vec2::ZERO;
    let ends = [
        Kind::Click { button: other, count: 1 },
        Kind::Release { button: other },
        Kind::DragEnd { button: BUTTON, from },
        RELEASED,
    ];
    assert_eq!(kinds(&told), ends);
}
