//! Scenes: their life, what is saved of them, and what games do with them.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/integer.rs"]
mod integer;
#[path = "../common/line.rs"]
mod line;

mod custom;
mod gameplay;
mod gameplay_oracle;
mod keys;
mod layout;
mod moves;
mod refit;
mod saved;
mod scene;
#[cfg(feature = "serde")]
mod serde;
mod snapshot;
mod walk;
