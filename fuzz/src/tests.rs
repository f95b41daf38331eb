//! Tests of the targets without a fuzzer.

use crate::{capi, mesh, reader, saved, scene, seeds};
use arbitrary::{Arbitrary, Unstructured};
use hitscan_random::Random;
use hitscan_random::effort::size;
use std::fmt::Debug;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Lets only one test run at a time, because the memory that readers use is measured.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

#[test]
fn files_and_what_damage_makes_of_them() {
    let _alone = alone();
    for (name, format, seeds) in seeds::all() {
        for (number, seed) in seeds.iter().enumerate() {
            // A seed that is refused leads to no coverage.
            let model = reader::read(format, seed).unwrap_or_else(|problem| panic!("{name} {number}: {problem}"));
            println!("{name} {number}: {} entities, {:?}", model.entities.len(), model.warnings);
            assert!(!model.entities.is_empty(), "{name} {number}");
            reader::check(format, seed);
            damage(seed, |damaged| reader::check(format, damaged));
        }
    }
}

#[test]
fn what_was_saved_and_what_damage_makes_of_it() {
    let _alone = alone();
    for seed in saved::seeds() {
        damage(&seed, saved::check);
    }
}

fn damage(seed: &[u8], check: impl Fn(&[u8])) {
    let mut changed = seed.to_vec();
    // A quick run tests every fifth byte, and so each of the four bytes of some number.
    for at in (0..seed.len()).step_by(size(5, 1, 1)) {
        check(&seed[..at]);
        for byte in [seed[at] ^ 1, seed[at] ^ 0x80, b'9', b' ', 0] {
            changed[at] = byte;
            check(&changed);
        }
        changed[at] = seed[at];
    }
}

fn inputs() -> usize {
    size(2_000, 10_000, 1_000_000)
}

/// The inputs are random bytes, like the first inputs of a fuzzer.
#[test]
fn meshes_of_random_bytes() {
    let _alone = alone();
    random_inputs(1, [inputs(), inputs() / 2], mesh::check);
}

#[test]
fn calls_of_random_bytes() {
    let _alone = alone();
    // Few of the calls are rays.
    random_inputs(3, [4_000, 100], capi::check);
}

#[test]
fn scenes_of_random_bytes() {
    let _alone = alone();
    random_inputs(2, [inputs(), inputs() / 2], scene::check);
}

/// Runs `count` random inputs. More than `least` of their rays must hit. The test passes the seed, so that a failure can be repeated.
fn random_inputs<T: for<'a> Arbitrary<'a> + Debug>(seed: u64, [count, least]: [usize; 2], check: impl Fn(&T) -> usize) {
    let (mut random, mut hits) = (Random(seed), 0);
    for number in 0..count {
        let length = 64 + number % 1984;
        let bytes: Vec<u8> = (0..length).map(|_| random.bits() as u8).collect();
        let input = T::arbitrary_take_rest(Unstructured::new(&bytes)).expect("any bytes are an input");
        hits += check(&input);
    }
    println!("{hits} rays of {count} inputs hit");
    assert!(hits > least, "the inputs say nothing");
}
