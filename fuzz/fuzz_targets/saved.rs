//! Saved meshes and scenes, also damaged ones.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| hitscan_fuzz::saved::check(input));
