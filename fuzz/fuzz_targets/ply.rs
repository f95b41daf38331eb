//! Any bytes read as PLY.
#![no_main]

use hitscan_fuzz::reader;
use hitscan_io::Format;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| reader::check(Format::Ply, input));
