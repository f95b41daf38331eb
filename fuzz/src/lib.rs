//! What the fuzz targets do with an input. Each function panics where a promise of the library is broken, and is a
//! plain function, so that the project's tests run them too, without a fuzzer.
#![forbid(unsafe_code)]

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
