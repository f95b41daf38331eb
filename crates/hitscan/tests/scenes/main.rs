//! Scenes: insertion and removal, saving, and queries for games.

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
