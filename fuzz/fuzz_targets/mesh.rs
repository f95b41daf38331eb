//! Meshes of any numbers, and rays at them.
#![no_main]

use hitscan_fuzz::mesh;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: mesh::Input| {
    mesh::check(&input);
});
