//! Random calls of the whole API. No call panics or is slow, and no answer contains NaN or contradicts another.
//!
//! A long run takes an hour, from the first seed that `HITSCAN_SEED` sets. `HITSCAN_API_SEED` runs one seed alone and
//! prints each of its calls. A build without debug assertions also checks durations.

mod alone;
mod buffers;
mod camera;
mod cases;
mod changes;
mod clock;
#[path = "../common/mod.rs"]
mod common;
mod forms;
mod gameplay;
mod heights;
mod lines;
mod log;
mod numbers;
mod pairs;
mod plane_world;
mod rays;
mod volumes;
mod walker;
mod windows;
mod world;

use hitscan_random::effort::{self, Effort};
use hitscan_random::levels;
use log::{Log, Position, Timing};
use numbers::{GAMES, Generation, Numbers, WINDOWS};
use std::env;
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};
use world::World;

/// The number of seeds of each generation that run with each instruction set.
const LEVEL_SEEDS: u64 = 30;
/// Queries that no other test calls with each instruction set.
const LEVEL_QUESTIONS: [&str; 16] = [
    "solid_intervals",
    "cast_first_n",
    "cast_entities",
    "cast_columns",
    "cast_all_columns",
    "cast_path",
    "penetration_all",
    "closest_point",
    "sweep_entity",
    "explain",
    "visibility",
    "batch of sees",
    "move_and_slide",
    "Selector::triangles",
    "Cursor::all",
    "surface_point",
];
/// The number of calls for each seed.
const STEPS: usize = 60;
/// The interval between progress reports.
const PROGRESS: Duration = Duration::from_secs(15);

type Step = fn(&mut World<'_>);

/// The kinds of steps. A kind that is listed several times is chosen more often.
const CHANGES: [Step; 12] = [
    changes::insert,
    changes::insert,
    changes::insert_all,
    changes::set_transform,
    changes::set_transforms,
    changes::set_layers,
    changes::remove,
    changes::remove_all,
    changes::clear,
    changes::refit,
    changes::set_heights,
    changes::clone,
];
const QUESTIONS: [Step; 32] = [
    alone::boxes,
    alone::collision_matrix,
    alone::height_field,
    alone::hull,
    alone::mesh,
    alone::plane,
    alone::rays,
    alone::shape,
    alone::shape,
    camera::pick,
    changes::read_damaged,
    changes::save_and_read,
    lines::rays,
    lines::trees,
    lines::volumes,
    pairs::all,
    pairs::track,
    pairs::two,
    pairs::two,
    plane_world::shapes,
    rays::batch,
    rays::bounce,
    rays::cast,
    rays::columns,
    rays::explain,
    rays::filtered,
    rays::path,
    rays::solid_intervals,
    volumes::closest_point,
    volumes::overlaps,
    volumes::sweep,
    volumes::sweep_rotating,
];
const MORE_QUESTIONS: [Step; 9] = [
    buffers::custom,
    buffers::mesh_columns,
    buffers::vertex_buffer,
    rays::movement,
    rays::sight,
    rays::single,
    rays::trajectory,
    volumes::lipschitz,
    walker::walk,
];

#[test]
fn random_calls() {
    match env::var("HITSCAN_API_SEED") {
        Ok(seed) => replay(seed.parse().expect("a number")),
        Err(_) => call_at_random(),
    }
}

/// Prints every call of one seed.
fn replay(seed: u64) {
    let mut log = Log::new(timing(), true);
    run(seed, &mut log);
    assert!(log.faults().is_empty(), "{}", log.faults());
}

fn call_at_random() {
    let first = effort::seed(0);
    let effort = Effort::get();
    let mut log = Log::new(if effort.is_long() { timing() } else { Timing::Ignored }, false);
    if effort.is_long() {
        run_for(Duration::from_secs(effort.size(0, 0, 3_600) as u64), first, &mut log);
    } else {
        let seeds = effort.size(60, 250, 0) as u64;
        [first, first + WINDOWS]
            .into_iter()
            .flat_map(|first| first..first + seeds)
            .for_each(|seed| run(seed, &mut log));
    }
    let faults = log.faults();
    assert!(
        faults.is_empty(),
        "{faults}\n\nTo see the calls of one seed: HITSCAN_API_SEED=N cargo test --package hitscan --test api -- --nocapture"
    );
}

/// Only an optimised build has time limits.
fn timing() -> Timing {
    if cfg!(debug_assertions) { Timing::Ignored } else { Timing::Checked }
}

fn run_for(length: Duration, first: u64, log: &mut Log) {
    let (start, is_done) = (Instant::now(), AtomicBool::new(false));
    let position = log.position();
    // The default hook would print each panic, but panics are recorded as faults.
    panic::set_hook(Box::new(|_| {}));
    thread::scope(|threads| {
        threads.spawn(|| report(start, &position, &is_done));
        let mut seed = first;
        while start.elapsed() < length {
            run(seed, log);
            seed += 1;
        }
        is_done.store(true, Ordering::Relaxed);
    });
    let _ = panic::take_hook();
    println!("{}", log.summary());
}

/// Prints the current seed and step until the fuzzer is done.
fn report(start: Instant, position: &Arc<Mutex<Position>>, is_done: &AtomicBool) {
    let profile = if cfg!(debug_assertions) { "test" } else { "release" };
    let mut next = PROGRESS;
    while !is_done.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(100));
        if start.elapsed() < next {
            continue;
        }
        next += PROGRESS;
        let Ok(Position { seed, step, call, since, calls, faults }) = position.lock().map(|position| *position) else {
            return;
        };
        let (seconds, ms) = (start.elapsed().as_secs(), since.elapsed().as_millis());
        println!(
            "{profile}: {seconds} s, seed {seed} step {step}, {calls} calls, {faults} kinds of faults, in {call} for {ms} ms"
        );
    }
}

/// Makes all calls of one seed.
fn run(seed: u64, log: &mut Log) {
    log.at(seed, 0);
    let result = panic::catch_unwind(AssertUnwindSafe(|| steps(seed, log)));
    if let Err(panic) = result {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        log.fault("panic", text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("without a text"));
    }
}

fn steps(seed: u64, log: &mut Log) {
    let mut world = World::new(seed, log);
    for _ in 0..1 + world.numbers.below(12) {
        changes::insert(&mut world);
    }
    for step in 1..=STEPS {
        world.log.at(seed, step);
        let chosen = match world.numbers.below(6) {
            0 => world.numbers.pick(&CHANGES),
            1 => world.numbers.pick(&MORE_QUESTIONS),
            _ => world.numbers.pick(&QUESTIONS),
        };
        chosen(&mut world);
        if world.numbers.has(Generation::Games) && world.numbers.one_in(4) {
            gameplay::ask(&mut world);
        }
        if world.numbers.has(Generation::Windows) && world.numbers.one_in(2) {
            windows::ask(&mut world);
        }
    }
    // The random numbers are separate, so that the other calls of a seed stay the same.
    rays::room(&mut world, &mut Numbers::new(!seed));
}

/// All queries have the same answers with each instruction set. The other tests of this program may then run with any instruction set, which changes no answer.
#[test]
fn answers_are_the_same_with_each_instruction_set() {
    let answers = || {
        let mut log = Log::recording();
        let seeds = [0, GAMES, WINDOWS].into_iter().flat_map(|first| first..first + LEVEL_SEEDS);
        seeds.for_each(|seed| run(seed, &mut log));
        assert!(log.faults().is_empty(), "{}", log.faults());
        log.into_answers()
    };
    let expected = answers();
    for question in LEVEL_QUESTIONS {
        assert!(expected.iter().any(|answer| answer.call == question), "no seed asks `{question}`");
    }
    for level in levels::each() {
        let found = answers();
        let different = expected.iter().zip(&found).find(|(expected, found)| expected != found);
        assert!(different.is_none(), "{level:?}: {different:#?}");
        assert_eq!(found.len(), expected.len(), "{level:?}");
    }
}

/// Seeds whose calls were once slow or wrong. Durations are checked in an optimised build.
#[test]
fn calls_that_were_slow() {
    let mut log = Log::new(timing(), false);
    FOUND.into_iter().for_each(|seed| run(seed, &mut log));
    assert!(log.faults().is_empty(), "{}", log.faults());
}

/// Seeds that once found a fault.
///
/// There is a seed for each of these faults:
///
/// - volumes that rotate past a torus, a long box that rotates beside meshes, leaves them and comes back, a volume as long as 10^5 that rotates around its end,
///   and a volume as large as 10^5 that rotates beside a field;
/// - arcs that are all equally near, and surfaces that are all equally far from each other;
/// - an entity that is paired with itself, and separations of many triangles and parts;
/// - contacts that rounding makes earlier than the entry into their boxes;
/// - a point through the middle of a torus, and a volume that comes to the middle of a torus that is thicker than wide;
/// - tori that are far longer than wide, beside convex shapes, surfaces and each other;
/// - surfaces beside a torus that are as small as points;
/// - rays from places near many cells of a field as large as 10^30.
///
/// Other seeds gave answers that contradicted each other. They had a torus that is hit by many arcs at once, a volume across the ends of two arcs of a torus,
/// the leaves of saved meshes, a centre at 10^37, a cone as flat as a blade, a ball beside a box of 10^12, and a ball that hardly overlaps a torus. Four of
/// these seeds had contacts with a NaN.
///
/// The last seeds had sweeps of hulls and boxes whose start depended on the earlier results, planes beside stretched tori, and tori of which only the test for
/// contact found the nearest arc. The seeds of windows had turns beyond their bound (with a cursor at 10^35 and a ring of 10^69), a pixel without a size (in a
/// picture of 10^-39), and solids of 10^-40 that were inside of a region and did not touch it.
const FOUND: [u64; 71] = [
    245,
    15003,
    1_000_000_363,
    1_000_000_450,
    1_000_000_603,
    1_000_000_643,
    1_000_000_876,
    1_000_001_079,
    1_000_001_271,
    1_000_001_807,
    1_000_001_873,
    1_000_001_882,
    1_000_002_220,
    1_000_002_456,
    1_000_002_578,
    1_000_002_991,
    1_000_003_454,
    1_000_003_969,
    1_000_000_154,
    1_000_000_664,
    31_000_043_028,
    31_000_045_760,
    52_000_002_809,
    61_000_122_684,
    61_000_403_907,
    62_000_054_036,
    61_000_036_351,
    61_000_039_350,
    61_000_073_317,
    61_000_075_984,
    61_000_125_013,
    61_000_153_464,
    61_000_191_592,
    61_000_212_122,
    61_000_215_607,
    61_000_231_824,
    61_000_239_080,
    61_000_343_646,
    61_000_378_287,
    61_000_603_089,
    61_000_640_747,
    61_000_677_404,
    61_000_695_956,
    61_000_712_354,
    62_000_088_667,
    62_000_441_671,
    71_000_087_359,
    71_000_104_509,
    71_000_004_546,
    72_000_053_279,
    90_000_118_513,
    90_000_000_757,
    90_000_032_855,
    90_000_103_805,
    200_000_004_848,
    200_000_018_836,
    300_000_055_866,
    300_000_507_630,
    300_000_733_732,
    300_000_822_444,
    300_000_091_957,
    300_000_363_670,
    300_000_384_931,
    300_000_025_512,
    300_000_367_007,
    300_000_603_064,
    500_000_000_268,
    500_000_000_292,
    500_000_005_285,
    500_000_001_770,
    500_000_008_546,
];
