//! A model that computes the events of a stream from its whole record. It finds the end of each press first, and then the kind of the press.
//!
//! It shares no code with the library, and decides about a press only when both of its ends are known.

use hitscan::glam::Vec2;
use hitscan::pointer::{
    CancelReason, PointerAction, PointerButton, PointerEvent, PointerEventKind as Kind, PointerId, PointerInput,
    PointerSettings, PressLimits,
};
use std::collections::{BTreeMap, BTreeSet};

/// An event as the model knows it. The library's own type cannot be made outside of the library.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Expected {
    pub(crate) pointer: PointerId,
    pub(crate) time: f64,
    pub(crate) position: Vec2,
    pub(crate) target: Option<u8>,
    pub(crate) over: Option<u8>,
    pub(crate) kind: Kind,
}

impl From<&PointerEvent<u8>> for Expected {
    fn from(event: &PointerEvent<u8>) -> Self {
        let &PointerEvent { pointer, time, position, target, over, kind, .. } = event;
        Self { pointer, time, position, target, over, kind }
    }
}

/// The place of an event in the order. It is the number of its input, the phase within the input, and its press.
type Place = (usize, Phase, usize);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    LongPress,
    Hover,
    Drag,
    Lost,
    Act,
    Gone,
}

/// The state of a pointer after one of its inputs.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Sample {
    input: usize,
    time: f64,
    position: Vec2,
    over: Option<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum End {
    Released,
    Lost(CancelReason),
    /// The record ends before the press does.
    Open,
}

#[derive(Clone, Debug)]
struct Press {
    pointer: PointerId,
    button: PointerButton,
    start: Sample,
    /// The samples after the start; the last one is at the end.
    samples: Vec<Sample>,
    end: (End, usize),
}

/// Returns the events of the inputs, each with the number of its input.
pub(crate) fn events(inputs: &[PointerInput<u8>], settings: &PointerSettings) -> Vec<(usize, Expected)> {
    let mut placed: Vec<(Place, Expected)> = Vec::new();
    let presses = history(inputs, &mut placed);
    let (held, outcomes): (Vec<_>, Vec<_>) =
        presses.iter().map(|press| outcome(press, limits(press.pointer, settings))).unzip();
    let counts = counts(&presses, &outcomes, settings);
    for (number, press) in presses.iter().enumerate() {
        tell(number, press, (held[number], outcomes[number]), counts[number], &mut placed);
    }
    placed.sort_by_key(|(place, _)| *place);
    placed.into_iter().map(|((input, ..), event)| (input, event)).collect()
}

fn limits(pointer: PointerId, settings: &PointerSettings) -> PressLimits {
    match pointer {
        PointerId::Mouse(_) => settings.mouse,
        PointerId::Touch(_) => settings.touch,
    }
}

/// Finds where presses begin and end, which does not depend on their kinds, and the targets of hovers.
fn history(inputs: &[PointerInput<u8>], placed: &mut Vec<(Place, Expected)>) -> Vec<Press> {
    let mut presses: Vec<Press> = Vec::new();
    let mut present: BTreeMap<PointerId, Sample> = BTreeMap::new();
    let mut left_window: BTreeSet<PointerId> = BTreeSet::new();
    for (number, input) in inputs.iter().enumerate() {
        let id = input.pointer;
        let is_touch = matches!(id, PointerId::Touch(_));
        let is_somewhere = !matches!(input.action, PointerAction::Cancel | PointerAction::Leave);
        let is_finite = input.time.is_finite() && (!is_somewhere || input.position.is_finite());
        let is_press = matches!(input.action, PointerAction::Press(_));
        let before = present.get(&id).copied();
        if before.is_none() && !(is_finite && if is_touch { is_press } else { is_somewhere }) {
            continue;
        }
        let held = |press: &Press| press.pointer == id && press.end.0 == End::Open;
        let mut end = |which: &dyn Fn(&Press) -> bool, end: End, sample: Option<Sample>| {
            for press in presses.iter_mut().filter(|press| held(press) && which(press)) {
                press.samples.extend(sample);
                press.end = (end, number);
            }
        };
        if !is_finite {
            end(&|_| true, End::Lost(CancelReason::NotFinite), None);
        } else {
            let mut now = before.unwrap_or(Sample { input: number, time: 0.0, position: input.position, over: None });
            (now.input, now.time) = (number, before.map_or(input.time, |before| input.time.max(before.time)));
            if is_somewhere {
                let left = now.over;
                (now.position, now.over) = (input.position, input.target);
                hover(left, &now, id, (number, Phase::Hover, 0), placed);
            }
            match input.action {
                PointerAction::Press(button) => {
                    end(&|press| press.button == button, End::Lost(CancelReason::PressedAgain), Some(now));
                }
                PointerAction::Release(button) => end(&|press| press.button == button, End::Released, Some(now)),
                PointerAction::Cancel => end(&|_| true, End::Lost(CancelReason::Cancelled), Some(now)),
                PointerAction::Leave if is_touch => end(&|_| true, End::Lost(CancelReason::Left), Some(now)),
                PointerAction::Leave => {
                    left_window.insert(id);
                    let left = now.over.take();
                    hover(left, &now, id, (number, Phase::Act, 0), placed);
                }
                PointerAction::Move => {}
            }
            for press in presses.iter_mut().filter(|press| held(press)) {
                press.samples.push(now);
            }
            if let PointerAction::Press(button) = input.action {
                presses.push(Press {
                    pointer: id,
                    button,
                    start: now,
                    samples: Vec::new(),
                    end: (End::Open, usize::MAX),
                });
            }
            present.insert(id, now);
        }
        let is_held = presses.iter().any(held);
        if !is_held && (is_touch || left_window.remove(&id)) {
            let mut now = present.remove(&id).expect("it is present");
            let left = now.over.take();
            hover(left, &now, id, (number, Phase::Gone, 0), placed);
        }
    }
    presses
}

fn hover(left: Option<u8>, now: &Sample, pointer: PointerId, place: Place, placed: &mut Vec<(Place, Expected)>) {
    if left != now.over {
        for (target, kind) in [(left, Kind::Leave), (now.over, Kind::Enter)] {
            let told = |target| event(pointer, now, Some(target), kind);
            placed.extend(target.map(|target| (place, told(target))));
        }
    }
}

fn event(pointer: PointerId, at: &Sample, target: Option<u8>, kind: Kind) -> Expected {
    Expected { pointer, time: at.time, position: at.position, target, over: at.over, kind }
}

/// A press that was held long. It has the sample at which the pointer rested, and the input that reports the long
/// press.
#[derive(Clone, Copy, Debug, PartialEq)]
struct LongPress {
    at: Sample,
    input: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Outcome {
    LongPress,
    /// The drag begins at the sample of this number.
    Drag {
        first: usize,
    },
    Click,
    Lost,
    Open,
}

fn outcome(press: &Press, limits: PressLimits) -> (Option<LongPress>, Outcome) {
    let deadline = press.start.time + limits.long_press;
    let is_far = |sample: &Sample| {
        let (x, y) = (
            f64::from(sample.position.x - press.start.position.x),
            f64::from(sample.position.y - press.start.position.y),
        );
        x.hypot(y) > f64::from(limits.drag_threshold)
    };
    let long = press.samples.iter().position(|sample| sample.time >= deadline);
    let far = press.samples.iter().position(is_far);
    let before = |index: usize| if index == 0 { press.start } else { press.samples[index - 1] };
    let long = long.filter(|&long| far.is_none_or(|far| long <= far));
    let held =
        long.map(|long| LongPress { at: Sample { time: deadline, ..before(long) }, input: press.samples[long].input });
    let outcome = match (far, held, press.end.0) {
        (Some(first), _, _) => Outcome::Drag { first },
        (None, Some(_), _) => Outcome::LongPress,
        (None, None, End::Released) => Outcome::Click,
        (None, None, End::Lost(_)) => Outcome::Lost,
        (None, None, End::Open) => Outcome::Open,
    };
    (held, outcome)
}

/// Counts clicks. A press increases the count of the previous click, if no other press lies between.
fn counts(presses: &[Press], outcomes: &[Outcome], settings: &PointerSettings) -> Vec<u32> {
    let mut counts: Vec<u32> = Vec::new();
    for press in presses {
        let limits = limits(press.pointer, settings);
        let start = press.start.input;
        let earlier = 0..counts.len();
        let clicks = earlier.filter(|&other| outcomes[other] == Outcome::Click && presses[other].end.1 < start);
        let last = clicks.max_by_key(|&other| presses[other].end.1).filter(|&other| {
            let ended = presses[other].end.1;
            !presses.iter().any(|between| (ended + 1..start).contains(&between.start.input))
        });
        let repeated = last.filter(|&other| {
            let (a, b) = (&presses[other].start, &press.start);
            let pause = b.time - a.time;
            let (x, y) = (f64::from(a.position.x - b.position.x), f64::from(a.position.y - b.position.y));
            let is_same = match (presses[other].pointer, press.pointer) {
                (PointerId::Touch(_), PointerId::Touch(_)) => true,
                (first, second) => first == second,
            };
            is_same
                && presses[other].button == press.button
                && a.over == b.over
                && pause >= 0.0
                && pause <= limits.multi_click_time
                && x.hypot(y) <= f64::from(limits.multi_click_distance)
        });
        counts.push(repeated.map_or(1, |other| counts[other] + 1));
    }
    counts
}

/// Returns the events of a press.
fn tell(
    number: usize,
    press: &Press,
    (held, outcome): (Option<LongPress>, Outcome),
    count: u32,
    placed: &mut Vec<(Place, Expected)>,
) {
    let &Press { pointer, button, start, .. } = press;
    let (target, from) = (start.over, start.position);
    let mut add = |place: Place, at: &Sample, kind: Kind| placed.push((place, event(pointer, at, target, kind)));
    add((start.input, Phase::Act, number), &start, Kind::Press { button, count });
    if let Some(LongPress { at, input }) = held {
        add((input, Phase::LongPress, number), &at, Kind::LongPress { button });
    }
    if let Outcome::Drag { first } = outcome {
        let start_of = press.samples[first];
        add((start_of.input, Phase::Drag, number), &start_of, Kind::DragStart { button, from });
        let mut previous = from;
        for sample in &press.samples[first..] {
            if sample.position != previous {
                add((sample.input, Phase::Drag, number), sample, Kind::DragMove { button, from, previous });
                previous = sample.position;
            }
        }
    }
    let at = *press.samples.last().unwrap_or(&start);
    let (phase, last) = match press.end.0 {
        End::Open => return,
        End::Released => (
            Phase::Act,
            if matches!(outcome, Outcome::Drag { .. }) {
                Kind::DragEnd { button, from }
            } else {
                Kind::Click { button, count }
            },
        ),
        End::Lost(reason) => (Phase::Lost, Kind::Cancel { button, reason }),
    };
    let place = (press.end.1, phase, number);
    if outcome != Outcome::LongPress {
        add(place, &at, last);
    }
    add(place, &at, Kind::Release { button });
}
