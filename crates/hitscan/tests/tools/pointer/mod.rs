//! The pointer's state machine: random streams against a plain model, and one case for each rule.

mod cases;
mod grammar;
mod model;
mod stream;

use grammar::Grammar;
use hitscan::glam::Vec2;
use hitscan::pointer::{PointerAction, PointerEvent, PointerId, PointerInput, PointerSettings, Pointers};
use model::Expected;
use stream::{Faults, Stream};

/// The number of inputs of one machine.
const CHUNK: u64 = 2_000;

fn count() -> u64 {
    hitscan_random::effort::size(60_000, 200_000, 10_000_000) as u64
}

/// Returns the events of a machine, each with the number of its input.
fn events(inputs: &[PointerInput<u8>], settings: PointerSettings) -> Vec<(usize, PointerEvent<u8>)> {
    let mut pointers = Pointers::new();
    pointers.settings = settings;
    let (mut all, mut events) = (Vec::new(), Vec::new());
    for (number, input) in inputs.iter().enumerate() {
        pointers.handle(input, &mut events);
        all.extend(events.drain(..).map(|event| (number, event)));
    }
    all
}

/// Returns settings that differ from seed to seed. Some of them disable a feature.
fn settings(seed: u64) -> PointerSettings {
    let mut settings = PointerSettings::default();
    match seed % 8 {
        0 => settings.touch.long_press = f64::INFINITY,
        6 | 7 => settings.mouse.long_press = 0.25,
        1 => settings.touch.drag_threshold = f32::INFINITY,
        2 => settings.mouse.drag_threshold = 0.0,
        3 => (settings.touch.long_press, settings.mouse.multi_click_distance) = (f64::NAN, f32::NAN),
        4 => settings.mouse.multi_click_time = 2.0,
        _ => {}
    }
    settings
}

/// Returns an input that ends everything that a pointer holds.
fn cancel(pointer: PointerId) -> PointerInput<u8> {
    PointerInput { pointer, time: 0.0, action: PointerAction::Cancel, position: Vec2::ZERO, target: None }
}

#[test]
fn random_streams_agree_with_the_model() {
    let mut totals = [0u64; 5];
    for seed in 0..count().div_ceil(CHUNK) {
        let mut stream = Stream::new(seed, if seed % 2 == 0 { Faults::Some } else { Faults::None });
        let mut inputs: Vec<_> = (0..CHUNK).map(|_| stream.next()).collect();
        inputs.extend(stream::POINTERS.map(cancel));
        let told = events(&inputs, settings(seed));
        let expected = model::events(&inputs, &settings(seed));
        let as_expected = told.iter().map(|(number, event)| (*number, Expected::from(event)));
        for (nth, (told, expected)) in as_expected.zip(&expected).enumerate() {
            assert_eq!(&told, expected, "seed {seed}, event {nth}, input {:?}", inputs[expected.0]);
        }
        assert_eq!(told.len(), expected.len(), "seed {seed}");
        let mut grammar = Grammar::default();
        told.iter().for_each(|(_, event)| grammar.follow(event));
        let Grammar { clicks, multiple_clicks, long_presses, drags, cancels, .. } = grammar;
        for (total, new) in totals.iter_mut().zip([clicks, multiple_clicks, long_presses, drags, cancels]) {
            *total += new;
        }
        assert_eq!(grammar.open(), 0, "seed {seed}: a press was lost");
    }
    println!("clicks, multiple clicks, long presses, drags, cancels: {totals:?} of {} inputs", count());
    assert!(totals.iter().all(|&total| total > count() / 1000), "{totals:?}");
}

/// Inputs that say nothing new change no event, however many there are.
#[test]
fn events_do_not_depend_on_how_often_nothing_happens() {
    for seed in 0..count().div_ceil(CHUNK) / 4 {
        let mut stream = Stream::new(seed, Faults::None);
        let mut inputs: Vec<_> = (0..CHUNK).map(|_| stream.next()).collect();
        // At the end, all presses that are still held are cancelled.
        let time = inputs[inputs.len() - 1].time;
        inputs.extend(stream::POINTERS.map(|pointer| PointerInput { time, ..cancel(pointer) }));
        let mut often: Vec<PointerInput<u8>> = Vec::new();
        let mut pointers: Pointers<u8> = Pointers::new();
        let mut ignored = Vec::new();
        let mut last = std::collections::BTreeMap::new();
        for input in &inputs {
            // All existing pointers rest until just before this input. Each repeats its last position.
            for id in pointers.ids().collect::<Vec<_>>() {
                let rests: PointerInput<u8> = last[&id];
                let over = pointers.hovered(id).copied();
                often.push(PointerInput { time: input.time, action: PointerAction::Move, target: over, ..rests });
            }
            pointers.handle(input, &mut ignored);
            if !matches!(input.action, PointerAction::Leave | PointerAction::Cancel) {
                last.insert(input.pointer, *input);
            }
            often.push(*input);
        }
        let sorted = |inputs: &[PointerInput<u8>]| {
            let mut told: Vec<_> =
                events(inputs, PointerSettings::default()).into_iter().map(|(_, event)| event).collect();
            // Two pointers may have long presses at any time between two inputs, so each pointer is compared by itself.
            told.sort_by_key(|event| event.pointer);
            told
        };
        let (often, once) = (sorted(&often), sorted(&inputs));
        for (often, once) in often.iter().zip(&once) {
            assert_eq!(often, once, "seed {seed}");
        }
        assert_eq!(often.len(), once.len(), "seed {seed}");
    }
}
