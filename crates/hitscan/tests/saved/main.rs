//! Meshes and scenes as bytes: what is read answers as what was saved, bit by bit; and no other bytes make it answer wrongly.

#[path = "../common/mod.rs"]
mod common;
mod damage;
mod forged;
mod meshes;
mod scenes;
mod subjects;
