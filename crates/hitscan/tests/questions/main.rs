//! The questions other than plain casts, each against an oracle of its own.

mod all_columns;
mod columns;
#[path = "../common/mod.rs"]
mod common;
mod cut_outs;
mod explain;
mod explain_random;
mod lines;
mod many;
mod own_space;
mod paths;
mod trajectories;
mod visibility;
mod world;
