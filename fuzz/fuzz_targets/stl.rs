//! Any bytes read as STL.
#![no_main]

use hitscan_fuzz::reader;
use hitscan_io::Format;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| reader::check(Format::Stl, input));
