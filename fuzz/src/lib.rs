//! The checks of the fuzz targets. Each is a plain function that panics if a promise of the library is broken. So the
//! project's tests can run it without a fuzzer.
#![deny(unsafe_code)]

pub mod capi;
pub mod list;
pub mod mesh;
pub mod numbers;
pub mod reader;
pub mod saved;
pub mod scene;
pub mod seeds;
pub mod shapes;

#[cfg(test)]
mod tests;

use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;
