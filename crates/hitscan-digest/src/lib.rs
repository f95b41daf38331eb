//! One number for the bits of very many answers of the library. It is compared between instruction sets, tree
//! qualities, numbers of threads and platforms.
//!
//! Each ray's answers are hashed with its index, and the hashes are added up. So neither the order of the rays nor
//! their division among threads has an effect. [`Content`] is the target of the rays, [`Subject`] is a content with its
//! trees, and [`Aim`] generates rays that are likely to reveal errors. [`Server`] gives the same digests in reply to
//! messages. The program uses it in WebAssembly.
//!
//! All generators use only `+ - * /`, square roots and powers of two, which are the same
//! everywhere.
//!
//! Each ray of a [`Course`] starts the walk of a character instead, and the digest covers all steps of the walk.
#![deny(unsafe_code)]

mod answers;
mod content;
mod generate;
mod hash;
mod random;
mod rays;
mod server;
mod stroll;
#[cfg(target_arch = "wasm32")]
mod wasm;
mod wire;

pub use answers::Subject;
pub use content::{Cloth, Content, Form, Ground, Placed, Surface, World};
pub use generate::generated;
pub use hash::Digest;
pub use rays::Aim;
pub use server::Server;
pub use stroll::Course;
pub use wire::Message;

use hitscan::Quality;

/// The qualities with which trees are built.
pub const QUALITIES: [Quality; 3] = [Quality::Fast, Quality::Balanced, Quality::Best];
