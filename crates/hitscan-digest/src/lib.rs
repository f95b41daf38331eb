//! One number for the bits of very many answers of the library, to be compared between instruction sets, qualities of trees,
//! numbers of threads and platforms.
//!
//! Each ray's answers are hashed with its index, and the hashes are added up: neither the order in which rays are cast nor how they are
//! divided shows. [`Content`] is what they are cast at, [`Subject`] the same with its trees, [`Aim`] makes rays that are likely to tell right from wrong.
//! [`Server`] does it by messages, which is how the program asks WebAssembly.
//!
//! Everything that is generated here is made by `+ - * /`, square roots and powers of two alone, which are the same everywhere.
#![deny(unsafe_code)]

mod answers;
mod content;
mod generate;
mod hash;
mod random;
mod rays;
mod server;
#[cfg(target_arch = "wasm32")]
mod wasm;
mod wire;

pub use answers::Subject;
pub use content::{Cloth, Content, Form, Ground, Placed, Surface, World};
pub use generate::generated;
pub use hash::Digest;
pub use rays::Aim;
pub use server::Server;
pub use wire::Message;

use hitscan::Quality;

/// How trees can be built.
pub const QUALITIES: [Quality; 3] = [Quality::Fast, Quality::Balanced, Quality::Best];
