//! Scenes after any changes, and rays at them.
#![no_main]

use hitscan_fuzz::scene;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: scene::Input| {
    scene::check(&input);
});
