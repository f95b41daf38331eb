//! The questions other than plain casts, each against an oracle of its own.

use crate::common;

mod all_columns;
mod columns;
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
