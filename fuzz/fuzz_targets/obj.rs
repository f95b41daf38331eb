//! Any bytes read as OBJ, and the bytes after the first zero byte as its material library.
#![no_main]

use hitscan_fuzz::reader;
use hitscan_io::Format;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| reader::check(Format::Obj, input));
