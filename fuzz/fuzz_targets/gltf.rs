//! Any bytes read as glTF: JSON, a GLB, or JSON followed by a zero byte and the binary chunk of a GLB.
#![no_main]

use hitscan_fuzz::reader;
use hitscan_io::Format;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| reader::check(Format::Gltf, input));
