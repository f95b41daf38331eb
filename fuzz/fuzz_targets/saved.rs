//! Saved meshes and scenes, intact and damaged.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| hitscan_fuzz::saved::check(input));
