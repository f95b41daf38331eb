//! Calls of the C interface in any order.
#![no_main]

use hitscan_fuzz::capi;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: capi::Input| {
    capi::check(&input);
});
